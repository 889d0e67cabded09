/* mathx.c: logarithm, exponential and what follows from them, in plain IEEE double arithmetic. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Methods: table-driven reduction (P. T. P. Tang, ACM TOMS 15 and 16) with Taylor polynomials
   behind it, carried as unevaluated sums of two doubles (T. J. Dekker, Numer. Math. 18) where one
   double would not do. Neither libm nor a fused multiply-add is used, so every compiler and CPU
   gives the same bits. */

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mathx.h"
#include "base/mathx_tables.h"

static_assert(FLT_EVAL_METHOD == 0, "doubles must not be computed in wider registers");

/* The unevaluated sum high + low, with |low| at most half an ulp of high, or little more. */
struct pair {
    double high, low;
};

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^power of a normal number. */
static double power_of_two(int power) {
    assert(power >= -1022 && power <= 1023);
    return double_of((uint64_t)(power + 1023) << 52);
}

/* a + b exactly, for |a| >= |b| or a = 0. */
static struct pair sum_ordered(double a, double b) {
    double sum = a + b;
    return (struct pair){sum, b - (sum - a)};
}

/* a + b exactly. */
static struct pair sum_exact(double a, double b) {
    double sum = a + b;
    double b_seen = sum - a;
    return (struct pair){sum, (a - (sum - b_seen)) + (b - b_seen)};
}

/* The upper 26 bits of x; what is left has 26 too. */
static double upper_half(double x) {
    double scaled = x * 0x1.0000002p+27; /* 2^27 + 1 */
    return scaled - (scaled - x);
}

/* a * b exactly, unless it overflows or underflows. */
static struct pair product_exact(double a, double b) {
    double product = a * b;
    double a_high = upper_half(a);
    double a_low = a - a_high;
    double b_high = upper_half(b);
    double b_low = b - b_high;
    double rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return (struct pair){product, rest};
}

/* base + log(1 + r) for |r| < 2^-7.2. `base` is 0 or larger than r. */
static struct pair log_near_one(struct pair base, struct pair r) {
    assert(r.high > -0x1p-7 && r.high < 0x1p-7);
    double x = r.high;
    struct pair square = product_exact(x, x);
    square.low += 2.0 * x * r.low;
    double tail = -1.0 / 10.0;
    tail = tail * x + 1.0 / 9.0;
    tail = tail * x - 1.0 / 8.0;
    tail = tail * x + 1.0 / 7.0;
    tail = tail * x - 1.0 / 6.0;
    tail = tail * x + 1.0 / 5.0;
    tail = tail * x - 1.0 / 4.0;
    tail = tail * x + 1.0 / 3.0;
    struct pair first = sum_ordered(base.high, x);
    struct pair second = sum_ordered(first.high, -0.5 * square.high);
    double small = first.low + (base.low + r.low) - 0.5 * square.low;
    return sum_ordered(second.high, second.low + (small + square.high * x * tail));
}

/* log(x) for a positive finite x, to about 66 bits. */
static struct pair log_pair(double x) {
    assert(x > 0.0 && x <= DBL_MAX);
    int power = 0;
    if (x < DBL_MIN) {
        x *= 0x1p54;
        power = -54;
    }
    uint64_t bits = bits_of(x);
    power += (int)(bits >> 52) - 1023;
    double part = double_of((bits & (UINT64_MAX >> 12)) | UINT64_C(1023) << 52);
    if (part >=
        181.0 / 128.0) { /* near the root of 2, so that log(x) is never a small difference */
        part *= 0.5;
        power++;
    }
    int i = (int)(part * 128.0 + 0.5) - LOG_FIRST;
    assert(i >= 0 && i <= LOG_LAST - LOG_FIRST);
    double inverse = log_table[i].inverse; /* 10 bits: both products below are exact */
    double upper = upper_half(part);
    struct pair r = sum_exact(upper * inverse - 1.0, (part - upper) * inverse);
    struct pair base = {power * LN2_HIGH + log_table[i].high, power * LN2_LOW + log_table[i].low};
    return log_near_one(base, r);
}

/* e^x as 2^power * (head + rest), to about 66 bits. */
struct exponential {
    int power;
    double head;
    struct pair rest;
};

/* e^(x.high + x.low) for |x| < 750. */
static struct exponential exp_pair(struct pair x) {
    assert(x.high > -750.0 && x.high < 750.0);
    double turns = x.high * INVERSE_LN2_128;
    int k = (int)(turns + (turns < 0.0 ? -0.5 : 0.5));
    double near = x.high - k * LN2_128_HIGH; /* exact */
    struct pair r = sum_exact(near, x.low - k * LN2_128_LOW);
    double t = r.high;
    double tail = 1.0 / 5040.0;
    tail = tail * t + 1.0 / 720.0;
    tail = tail * t + 1.0 / 120.0;
    tail = tail * t + 1.0 / 24.0;
    tail = tail * t + 1.0 / 6.0;
    tail = tail * t + 1.0 / 2.0;
    struct pair p = sum_ordered(t, r.low + t * t * tail); /* e^r - 1 */
    unsigned i = (unsigned)k & 127U;
    struct exponential result = {.power = (k - (int)i) / 128, .head = exp_table[i].high};
    result.rest = product_exact(result.head, p.high);
    result.rest.low += result.head * p.low + exp_table[i].low * (1.0 + p.high);
    return result;
}

/* Rounds to a double once, also where the result is subnormal. */
static double exponential_round(struct exponential x) {
    assert(x.power >= -1100 && x.power <= 1100);
    struct pair sum = sum_ordered(x.head, x.rest.high);
    sum.low += x.rest.low;
    if (x.power > 1023)
        return (sum.high + sum.low) * power_of_two(x.power - 1023) * 0x1p1023;
    if (x.power >= -1021 || (x.power == -1022 && sum.high >= 1.0))
        return (sum.high + sum.low) * power_of_two(x.power);
    if (x.power < -1080)
        return 0.0;
    /* Beside `anchor`, doubles are as far apart as subnormals will be after scaling. */
    double anchor = power_of_two(-1022 - x.power);
    struct pair anchored = sum_exact(anchor, sum.high);
    double rounded = (anchored.high + (anchored.low + sum.low)) - anchor;
    return rounded * power_of_two(x.power + 1022) * 0x1p-1022;
}

double mathx_log(double x) {
    if (x == 0.0)
        return (double)-INFINITY;
    if (!(x > 0.0)) /* NaN too */
        return (double)NAN;
    if (x > DBL_MAX)
        return x;
    struct pair result = log_pair(x);
    assert(fabs(result.low) <= fabs(result.high));
    return result.high + result.low;
}

double mathx_log1p(double x) {
    if (x == -1.0)
        return (double)-INFINITY;
    if (!(x > -1.0)) /* NaN too */
        return (double)NAN;
    if (x > DBL_MAX || fabs(x) < 0x1p-54)
        return x;
    struct pair result;
    if (fabs(x) < 0x1p-8) {
        result = log_near_one((struct pair){0.0, 0.0}, (struct pair){x, 0.0});
    } else {
        struct pair sum = sum_exact(1.0, x);
        result = log_pair(sum.high);
        result.low += sum.low / sum.high;
    }
    assert(fabs(result.low) <= fabs(result.high));
    return result.high + result.low;
}

double mathx_exp(double x) {
    if (x != x)
        return x;
    if (x > 720.0)
        return (double)INFINITY;
    if (x < -749.0)
        return 0.0;
    double result = exponential_round(exp_pair((struct pair){x, 0.0}));
    assert(result >= 0.0);
    return result;
}

/* Is y a whole number, and an odd one? All doubles from 2^53 are even. */
static bool is_whole(double y) { return fabs(y) >= 0x1p53 || y == (double)(int64_t)y; }
static bool is_odd(double y) { return fabs(y) < 0x1p53 && is_whole(y) && (int64_t)y % 2 != 0; }

/* x^y for positive finite x other than 1 and finite y other than 0. */
static double pow_positive(double x, double y) {
    assert(x > 0.0 && x <= DBL_MAX && x != 1.0);
    assert(y != 0.0);
    double far = (x > 1.0) == (y > 0.0) ? (double)INFINITY : 0.0;
    if (fabs(y) > 0x1p66) /* |log(x)| is at least 2^-54 */
        return far;
    if (fabs(y) < 0x1p-66) /* and at most 745 */
        return 1.0;
    struct pair logarithm = log_pair(x);
    struct pair exponent = product_exact(y, logarithm.high);
    exponent.low += y * logarithm.low;
    if (fabs(exponent.high) > 749.0)
        return far;
    return exponential_round(exp_pair(exponent));
}

/* x^y where x is 0 or infinite, or y is infinite; neither is NaN. Gives the size only. */
static double pow_at_ends(double x, double y) {
    double size = fabs(x);
    assert(size == 0.0 || size > DBL_MAX || fabs(y) > DBL_MAX);
    assert(y != 0.0);
    if (size == 1.0) /* (-1)^inf */
        return 1.0;
    return (size > 1.0) == (y > 0.0) ? (double)INFINITY : 0.0;
}

double mathx_pow(double x, double y) {
    if (x == 1.0 || y == 0.0)
        return 1.0;
    if (x != x || y != y)
        return (double)NAN;
    double size = fabs(x);
    bool negative = bits_of(x) >> 63 == 1;
    double result;
    if (size == 0.0 || size > DBL_MAX || fabs(y) > DBL_MAX)
        result = pow_at_ends(x, y);
    else if (negative && !is_whole(y))
        return (double)NAN;
    else
        result = size == 1.0 ? 1.0 : pow_positive(size, y);
    assert(result >= 0.0);
    return negative && is_odd(y) ? -result : result;
}

/* tanh(x) = d / (d + 2) with d = e^2x - 1, for 2^-28 < x < 22. */
static double tanh_positive(double x) {
    assert(x > 0x1p-28 && x < 22.0);
    struct exponential e = exp_pair((struct pair){2.0 * x, 0.0});
    double scale = power_of_two(e.power);
    struct pair d = sum_exact(e.head * scale, -1.0);
    struct pair sum = sum_exact(d.high, e.rest.high * scale);
    d = sum_ordered(sum.high, sum.low + d.low + e.rest.low * scale);
    struct pair below = sum_exact(d.high, 2.0);
    below.low += d.low;
    double quotient = d.high / below.high;
    struct pair product = product_exact(quotient, below.high);
    double rest = (d.high - product.high) - product.low + d.low - quotient * below.low;
    return quotient + rest / below.high;
}

double mathx_tanh(double x) {
    double size = fabs(x);
    if (!(size > 0x1p-28)) /* NaN too */
        return x;
    double result = size < 22.0 ? tanh_positive(size) : 1.0;
    assert(result > 0.0 && result <= 1.0);
    return x < 0.0 ? -result : result;
}

/* The power series of 1 / Gamma(1 + t) (Abramowitz and Stegun 6.1.34): the coefficients from t^21
   down to t^6, and those of t^5 to 1 in two parts. */
static const double gamma_tail[] = {
    0x1.1f20151323cdp-41,   -0x1.0423bac8ca3fbp-38, 0x1.11d065bfaf067p-37,  0x1.cae7675c18607p-34,
    -0x1.44b4cedca388fp-30, 0x1.57bc3fc384334p-28,  0x1.a44b7ba22d629p-28,  -0x1.b9986666c225dp-23,
    0x1.302509dbc0de3p-20,  -0x1.4fad41fc34fbbp-20, -0x1.51ce8af47eabep-16, 0x1.0c8a78cd9f9d2p-13,
    -0x1.c364fe6f1563dp-13, -0x1.317112ce3a2a8p-10, 0x1.d919c527f60b2p-8,   -0x1.3b4af28483e21p-7,
};
static const struct pair gamma_head[] = {
    {-0x1.59af103c34092p-5, -0x1.ef8da0241c465p-59}, {0x1.5512320b43fbep-3, 0x1.77e9bfd84d0f8p-57},
    {-0x1.5815e8fa27048p-5, 0x1.b85ea59bc3638p-60},  {-0x1.4fcf4026afa2ep-1, 0x1.8a3db7a90c42ap-56},
    {0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58},  {1.0, 0.0},
};

/* 1 / Gamma(1 + t) for |t| <= 0.5, to about 60 bits. */
static struct pair gamma_inverse(double t) {
    assert(t >= -0.5 && t <= 0.5);
    struct pair sum = {0.0, 0.0};
    for (size_t i = 0; i < sizeof gamma_tail / sizeof gamma_tail[0]; i++)
        sum.high = sum.high * t + gamma_tail[i];
    for (size_t i = 0; i < sizeof gamma_head / sizeof gamma_head[0]; i++) {
        struct pair product = product_exact(sum.high, t);
        double low = product.low + sum.low * t + gamma_head[i].low;
        sum = sum_exact(gamma_head[i].high, product.high);
        sum = sum_ordered(sum.high, sum.low + low);
    }
    return sum;
}

/* Gamma(n + t) = (n - 1 + t) ... (1 + t) Gamma(1 + t). The product is kept small by 2^-100, so that
   only the last step can overflow. */
double mathx_gamma(double x) {
    assert(x >= 1.0); /* false for NaN too */
    if (x > 172.0)
        return (double)INFINITY;
    int whole = (int)(x + 0.5);
    double t = x - whole; /* exact, as is each factor */
    struct pair above = {0x1p-100, 0.0};
    for (int i = 1; i < whole; i++) {
        struct pair product = product_exact(above.high, t + i);
        above = sum_ordered(product.high, product.low + above.low * (t + i));
    }
    struct pair below = gamma_inverse(t);
    double quotient = above.high / below.high;
    struct pair back = product_exact(quotient, below.high);
    double rest = (above.high - back.high) - back.low + above.low - quotient * below.low;
    return (quotient + rest / below.high) * 0x1p100;
}

double mathx_settle(double x) {
    assert(!(x < 0.0));
    double nearest = floor(x + 0.5);
    return fabs(x - nearest) <= nearest * 0x1p-49 ? nearest : x;
}
