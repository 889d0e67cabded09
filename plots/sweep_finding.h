/* sweep_finding.h: what a sweep shows, as a sentence: where runs recover, and where they do not. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_SWEEP_FINDING_H
#define PLOTS_SWEEP_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "plots/swept.h"

/* "Of 90 points 31 always recover, 40 never do, and 19 may do either" */
void sweep_count_words(const struct storm_sweep_count *count, char *buffer, size_t size);

/* The finding, without a full stop: the largest set of points from a corner of two of these
   axes, or from an end of one, in which (almost) no run recovers, or else in which every run
   does (not: on which side of the cliff they are, see report/sweep_cliff.h); it must hold a good
   part of all such points. Else how many points end how. False when memory ran out. */
bool sweep_finding(const struct storm_sweep *sweep, const struct swept *axes, uint32_t axis_count,
                   struct arena *arena, char *buffer, size_t size);

#endif
