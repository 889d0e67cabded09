/* lanes.h: the narrow plots under a panel of "load over time": what they show, and whether. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_LANES_H
#define PLOTS_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/results.h>

#include "base/arena.h"
#include "plots/layout.h"
#include "plots/theme.h"
#include "plots/ticks.h"

enum { LANES_MAX = 4, LANE_LAYERS_MAX = 2, LANE_SUBJECT_BYTES = 96, LANE_WORDS_MAX = 256 };

/* One curve of a lane; a second one stands on the first. */
struct lane_layer {
    const char *series; /* NULL: there is no such layer */
    const char *words;
    enum theme_role role;
    double stroke; /* of a line; 0: an area */
};

/* Which of its numbers a lane says in words: the largest, the last, or both. */
enum lane_says { LANE_SAYS_MOST, LANE_SAYS_END, LANE_SAYS_BOTH };

/* A row of the table of lanes. */
struct lane_kind {
    const char *part;  /* of its marks */
    const char *title; /* for those who cannot see it */
    struct lane_layer layers[LANE_LAYERS_MAX];
    const char *one, *many; /* the word before a subject, and what several are */
    enum lane_says says;
    bool is_rate;    /* the series count per bin */
    bool has_alarms; /* its subjects are dead-letter queues */
};

/* A lane that appears: the same in all panels. */
struct lane {
    const struct lane_kind *kind;
    const char *subject;            /* NULL: several together */
    char whose[LANE_SUBJECT_BYTES]; /* " in orders"; "": the drawn service's */
    struct ticks ticks;
    struct {
        const double *tops[LANE_LAYERS_MAX]; /* [bin], each upon the one below */
        double most, end;
    } panels[LAYOUT_PANELS_MAX];
};

/* The lanes of the results, top down: those with something to show in some variant. Each speaks of
   the drawn service, or of all subjects together where that has nothing to show. False when memory
   ran out. */
bool lanes_read(const struct storm_results *results, const char *service, struct arena *arena,
                struct lane lanes[LANES_MAX], uint32_t *count);

#endif
