/* series.h: the curves of one run, named for those who write and draw them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_SERIES_H
#define RECORD_SERIES_H

#include <stdint.h>

#include <retrystorm/results.h>

struct arena;
struct recorder;

/* Copies the curves of a finished run into `arena`. NULL at its limit. */
struct storm_series *series_copy(const struct recorder *recorder, struct arena *arena,
                                 uint32_t *count);

#endif
