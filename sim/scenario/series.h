/* series.h: a rate that changes with time: points in the scenario, or in a file beside it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_SERIES_H
#define SCENARIO_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "scenario/reader.h"

/* Tables of points that a document has read already, by the node or file that they are from: so
   that many variants of one scenario share them, and a bad file is not read again and again. */
struct rate_table {
    const struct node *node; /* or NULL: */
    const char *file;
    const struct storm_rate_point *points;
    uint32_t count;
    const char *wrong, *hint; /* of a file in error: count is 0 */
    struct rate_table *next;
};

/* What a point is made of; of storm_rate_point. */
extern const struct field rate_point_fields[2];

/* Reads a list of [time, rate]. Returns how many there are, and where; 0 after an error. */
uint32_t rate_points_read(struct reader *reader, const struct trail *trail, const struct node *node,
                          const struct storm_rate_point **points);

/* Reads the file that a node names, "load.csv", or "load.csv#0123456789abcdef" with the hash that
   its points must have. The same results; *file is the name alone. */
uint32_t series_read(struct reader *reader, const struct trail *trail, const struct node *node,
                     const char **file, const struct storm_rate_point **points);

/* Reads the text of such a file: lines of time,value. Returns how many points there are, or 0 after
   writing to `wrong` what is wrong with it, with the number of the line. */
uint32_t series_parse(struct arena *arena, const char *text, size_t length,
                      const struct storm_rate_point **points, char *wrong, size_t size);

/* Whether all rates are 0. */
bool series_is_silent(const struct storm_rate_point *points, uint32_t count);

/* 64 bits that differ when the points do. */
uint64_t series_hash(const struct storm_rate_point *points, uint32_t count);

#endif
