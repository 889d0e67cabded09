/* tune_anneal.c: from the best point on, by chance and ever closer, where there are words or whole
   numbers. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>

#include "base/mathx.h"
#include "base/stream.h"
#include "search/tune_table.h"

/* The steps cool from the whole range to a fiftieth of it while the budget is used up. Where moves
   lead only to points that are known, the search is at its end. */
enum { IDLE_MAX = 200 };

static const double last_heat = 0.02;

/* At the beginning, something worse by so large a share is accepted once in e times. */
static const double first_share = 0.05;

/* One after the other: a stream of its own. */
struct chance {
    uint64_t key;
    uint32_t drawn;
};

static double draw(struct chance *chance) {
    return stream_uniform(chance->key, STREAM_ANNEAL, chance->drawn++);
}

/* From 1 at the beginning to last_heat at the end of the budget. */
static double heat_of(const struct tune_table *table, uint32_t from) {
    double spent = (double)(table->count - from) / (table->plan->budget - from);
    return mathx_pow(last_heat, spent);
}

/* Where a place along an axis moves to: anywhere near it, and of what is listed to another one. */
static double move_along(const struct axis *axis, double place, double heat,
                         struct chance *chance) {
    double luck = 2 * draw(chance) - 1;
    if (!axis->is_range && axis->kind == AXIS_WORDS) {
        uint32_t others = axis->count - 1, index = (uint32_t)(place * axis->count);
        uint32_t next = index + 1 + (uint32_t)(fabs(luck) * others);
        return others == 0 ? place : (next % axis->count + 0.5) / axis->count;
    }
    double least = axis->kind == AXIS_WHOLE && axis->is_range ? 1 / (axis->to - axis->from)
                   : axis->is_range                           ? 0
                                                              : 1.0 / axis->count;
    double width = heat / 2 > least ? heat / 2 : least;
    double next = place + luck * width;
    /* What leads out of the range comes back from its edge. */
    next = next < 0 ? -next : next;
    next = next > 1 ? 2 - next : next;
    return next < 0 ? 0 : next;
}

/* Whether the search goes on from `next`: always when it is better, else the less likely the worse
   and the colder it is. */
static bool accepts(const struct trial *now, const struct trial *next, double heat,
                    struct chance *chance) {
    double luck = draw(chance);
    double worse = next->rank - now->rank;
    if (now->is_feasible && next->is_feasible) {
        double scale = fabs(now->measured[0]);
        worse = fabs(next->measured[0] - now->measured[0]) / (scale > 0 ? scale : 1);
        worse = next->rank > now->rank ? worse : 0;
    }
    return !(worse > 0) || luck < mathx_exp(-worse / (first_share * heat));
}

void tune_anneal(struct tune_table *table) {
    const struct tune_plan *plan = table->plan;
    struct chance chance = {.key = stream_mix64(plan->seed)};
    uint32_t best, from = table->count;
    if (table->is_over || tune_table_best(table, &best, 1) == 0) {
        return;
    }
    const struct trial *now = &table->trials[best];
    for (uint32_t idle = 0; idle < IDLE_MAX && !table->is_over;) {
        double u[PROBE_AXES_MAX], heat = heat_of(table, from);
        uint32_t chosen = (uint32_t)(draw(&chance) * plan->axis_count), before = table->count;
        for (uint32_t a = 0; a < plan->axis_count; a++) {
            const struct axis *axis = &plan->axes[a];
            u[a] = tune_table_place(axis, &now->values[a]);
            /* One axis always moves, the others every second time. */
            bool moves = draw(&chance) < 0.5;
            u[a] = a == chosen || moves ? move_along(axis, u[a], heat, &chance) : u[a];
        }
        const struct trial *next = tune_table_at(table, u);
        if (next != NULL) {
            now = accepts(now, next, heat, &chance) ? next : now;
            idle = table->count == before ? idle + 1 : 0;
        }
        assert(next != NULL || table->is_over);
    }
}
