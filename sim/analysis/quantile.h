/* quantile.h: the laws that tests and intervals ask for, the same on every machine. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_QUANTILE_H
#define ANALYSIS_QUANTILE_H

#include <stdint.h>

/* All are GSL's, cut to nine decimals so that the last bits of a machine's libm reach no output: a
   chance below 5e-10 is 0. */

double quantile_cut(double value);

/* What exceeds Student's t of so many degrees of freedom, or the normal law, with chance `tail`. */
double quantile_student(double tail, double freedom);
double quantile_normal(double tail);

/* The chance that Student's t lies at least as far from 0 as `t`, on either side. */
double quantile_student_sides(double t, double freedom);

/* The chance of at most `count` heads in `tosses` of a fair coin. */
double quantile_coin(uint32_t count, uint32_t tosses);

#endif
