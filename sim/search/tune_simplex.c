/* tune_simplex.c: from good points on, downhill without slopes, where every axis has numbers. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>

#include "search/tune_table.h"

/* Simplexes begin at so many of the best points, one after the other, with corners a tenth of the
   range apart; below a hundredth of it there is nothing left to find. */
enum { STARTS = 3, STEPS_MAX = 200 };

static const double first_step = 0.1, last_size = 0.01;

/* Outside of its ranges a simplex meets their edge. What the budget does not allow is worse than
   anything. */
static double rank_at(const gsl_vector *place, void *context) {
    struct tune_table *table = context;
    double u[PROBE_AXES_MAX];
    for (uint32_t a = 0; a < table->plan->axis_count; a++) {
        u[a] = gsl_vector_get(place, a);
    }
    const struct trial *trial = tune_table_at(table, u);
    return trial != NULL ? trial->rank : 5;
}

static void descend(struct tune_table *table, const struct trial *start, gsl_vector *place,
                    gsl_vector *step, gsl_multimin_fminimizer *simplex) {
    const struct tune_plan *plan = table->plan;
    gsl_multimin_function function = {rank_at, plan->axis_count, table};
    for (uint32_t a = 0; a < plan->axis_count; a++) {
        double u = tune_table_place(&plan->axes[a], &start->values[a]);
        gsl_vector_set(place, a, u);
        gsl_vector_set(step, a, u < 0.5 ? first_step : -first_step); /* inwards */
    }
    int status = gsl_multimin_fminimizer_set(simplex, &function, place, step);
    for (int i = 0; status == GSL_SUCCESS && i < STEPS_MAX && !table->is_over; i++) {
        status = gsl_multimin_fminimizer_iterate(simplex);
        if (gsl_multimin_fminimizer_size(simplex) < last_size) {
            break;
        }
    }
}

void tune_simplex(struct tune_table *table) {
    uint32_t starts[STARTS];
    uint32_t count = tune_table_best(table, starts, STARTS);
    size_t axes = table->plan->axis_count;
    gsl_vector *place = gsl_vector_alloc(axes), *step = gsl_vector_alloc(axes);
    gsl_multimin_fminimizer *simplex =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, axes);
    for (uint32_t i = 0; i < count && !table->is_over; i++) {
        descend(table, &table->trials[starts[i]], place, step, simplex);
    }
    gsl_multimin_fminimizer_free(simplex);
    gsl_vector_free(step);
    gsl_vector_free(place);
}
