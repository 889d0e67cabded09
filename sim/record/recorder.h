/* recorder.h: hears every fact of one run and keeps the counts, sums and curves that all results
   are made of. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

struct arena;
struct recorder;

/* A recorder for one run of that length, which is the scenario's unless that is "until idle". The
   curves have bins of `bin_width`, or, if that is 0, of recorder_bin_width. NULL at the arena's
   limit. */
struct recorder *recorder_new(struct arena *arena, const struct storm_scenario *scenario,
                              storm_time duration, storm_time bin_width);

/* Hears a fact; fits struct storm_listener (the context is the recorder). Sets out_of_memory at the
   arena's limit. */
void recorder_hear(void *context, const struct storm_fact *fact);

/* Completes the integrals up to the run's end. No fact may follow. */
void recorder_finish(struct recorder *recorder, storm_time end);

/* The width of the bins of the curves: a nice step (1, 2, 5 x 10^k up to a second, then 2 5 10 15
   30 s, 1 2 5 10 15 30 min, ...) that cuts the duration into at most 400. */
storm_time recorder_bin_width(storm_time duration);

#endif
