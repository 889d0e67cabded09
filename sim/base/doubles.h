/* doubles.h: what several statistics do with their numbers first. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_DOUBLES_H
#define BASE_DOUBLES_H

#include <stddef.h>
#include <stdint.h>

/* Sorts values[count], the least first. None is NaN. */
void doubles_sort(double *values, size_t count);

/* Moves what is no NaN to the front, in its order. Returns how many there are. */
uint32_t doubles_drop_holes(double *values, uint32_t count);

#endif
