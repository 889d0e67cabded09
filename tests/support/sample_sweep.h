/* sample_sweep.h: made-up sweeps for tests of charts and reports. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_SAMPLE_SWEEP_H
#define SUPPORT_SAMPLE_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/sweep.h>

enum { SAMPLE_AXES_MAX = 4 };

/* An axis: of words (`words` not NULL), or of `count` numbers from `from` to `to`, in even steps or
   by ratios, with labels of four figures at most and the suffix. */
struct sample_axis {
    const char *path, *unit, *suffix;
    bool is_log;
    double from, to;
    uint32_t count;
    const char *const *words;
};

/* The chance to recover at a point whose places along the axes are given, each from 0 to 1. */
typedef double (*sample_chance)(const double *places);

/* A sweep with `runs` runs at each point of the grid of the axes, or at `scattered` points (0: a
   grid), whose numbers follow from the chance: the more recover, the sooner, the smaller the peak
   and the fewer the dead letters. Deterministic. Everything may be changed by a test. Ends the test
   program when memory runs out. */
struct storm_sweep *sample_sweep(const struct sample_axis *axes, uint32_t axis_count,
                                 uint32_t scattered, uint32_t runs, sample_chance chance);

void sample_sweep_free(struct storm_sweep *sweep);

/* A point, to be changed by a test; its front is found anew by the second. */
struct storm_sweep_point *sample_point(struct storm_sweep *sweep, uint32_t index);
void sample_find_front(struct storm_sweep *sweep);

/* Chances: a cliff along the diagonal, sharp or soft; one at the middle of the first axis. */
double sample_sharp(const double *places);
double sample_soft(const double *places);
double sample_wall(const double *places);

/* A cap by ratios across ten values, a fault of up to 60 s up nine, 100 runs, a soft cliff. */
struct storm_sweep *sample_sweep_usual(void);

#endif
