/* front.h: the points that no other one beats in everything: what there is to choose from. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_FRONT_H
#define SEARCH_FRONT_H

#include <stdbool.h>
#include <stdint.h>

/* Marks the points that are on the front: no other is better in one of the measures and at least as
   good in all. values[point * measures + measure]; is_max: where more is better. NaN is worse than
   any number. Of equal points all are marked. */
void front_mark(const double *values, uint32_t points, uint32_t measures, const bool *is_max,
                bool *is_front);

#endif
