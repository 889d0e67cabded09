/* swept.h: an axis of a sweep as charts draw it: its scale, cells, ticks and words. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_SWEPT_H
#define PLOTS_SWEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "plots/words.h"

enum { SWEPT_TICKS_MAX = 64, SWEPT_LABEL_MAX = 64, SWEPT_NOUN_MAX = 80, SWEPT_TEXT_MAX = 240 };

/* How an axis places its numbers: by themselves, by their ratios, or one beside the other where
   neither would leave the cells room. */
enum swept_scale { SWEPT_EVEN, SWEPT_RATIOS, SWEPT_SIDE_BY_SIDE };

/* Places go from 0 to 1, numbers from low to high, words in the order given. Of a grid's axis every
   value has a cell; of scattered points only words have. */
struct swept {
    const struct storm_sweep_axis *axis;
    uint32_t index;          /* of the axis */
    bool is_words, is_whole; /* whole: plain numbers without any fraction */
    enum swept_scale scale;
    double low, high;                /* what 0 and 1 stand for; of ratios their logarithms */
    uint32_t count;                  /* cells */
    const uint32_t *order;           /* [count] which of the axis' values (of a grid) */
    const double *numbers;           /* [count], ascending; NaN for words */
    const char *const *labels;       /* [count] */
    const double *centres;           /* [count] */
    const double *edges;             /* [count + 1], from 0 to 1 */
    char noun[SWEPT_NOUN_MAX];       /* "queue limit", "attempts" */
    char before[SWEPT_NOUN_MAX + 8]; /* "a queue limit of ", "" */
    const char *after;               /* "", " attempts" */
};

/* Reads an axis, and of scattered points their values. False when memory ran out. */
bool swept_read(const struct storm_sweep *sweep, uint32_t index, struct arena *arena,
                struct swept *swept);

/* Gives two axes of one noun nouns of their own: "app cap", "db cap". */
void swept_tell_apart(struct swept *a, struct swept *b);

/* Where a number, and where a point, stands. */
double swept_at(const struct swept *swept, double number);
double swept_place(const struct swept *swept, const struct storm_sweep_point *point);

struct swept_tick {
    double at;
    char text[SWEPT_LABEL_MAX];
};

/* The ticks of an axis `length` px long: at its cells where their labels are short and fit, else at
   round numbers. A unit that all have stands on the last one only. `ticks` has room for
   SWEPT_TICKS_MAX; returns how many. */
uint32_t swept_ticks(const struct swept *swept, double length, bool is_upright,
                     struct swept_tick *ticks);

/* "a cap of 8 s or more"; `bound`: "", "or more", "or less". SWEPT_TEXT_MAX bytes suffice;
   returned. */
char *swept_phrase(const struct swept *swept, const char *label, const char *bound, char *buffer,
                   size_t size);

#endif
