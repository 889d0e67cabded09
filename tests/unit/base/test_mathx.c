/* test_mathx.c: elementary functions against MPFR, at their special cases, and bit by bit. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/mathx.h"
#include "base/mathx_tables.h"
#include "base/stream.h"
#include "support/test.h"

enum { INPUTS = 200000, PRECISION = 140 };

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Any double by its bits: subnormals, infinities and NaNs among them. */
static double any(uint32_t stream, uint32_t k) { return double_of(stream_bits(7, stream, k)); }

static double uniform(uint32_t stream, uint32_t k, double low, double high) {
    return low + (high - low) * stream_uniform(7, stream, k);
}

/* A random size between 2^low and 2^high, evenly over the powers, of either sign. */
static double spread(uint32_t stream, uint32_t k, int low, int high) {
    uint64_t bits = stream_bits(7, stream, k);
    int power = low + (int)(bits % (uint64_t)(high - low));
    double part = 1.0 + stream_uniform(7, stream + 100, k);
    return ldexp(bits >> 63 ? -part : part, power);
}

/* The distance of `found` from `exact`, in ulps of the doubles around `exact`. Infinity stands for
   the number that would follow the largest double, and for all beyond it. */
static double ulps(double found, mpfr_t exact) {
    if (mpfr_nan_p(exact) || isnan(found))
        return mpfr_nan_p(exact) && isnan(found) ? 0.0 : (double)INFINITY;
    if (mpfr_inf_p(exact) || mpfr_get_exp(exact) > 1024)
        return found == mpfr_get_d(exact, MPFR_RNDA) ? 0.0 : (double)INFINITY;
    if (mpfr_zero_p(exact))
        return found == 0.0 ? 0.0 : (double)INFINITY;
    mpfr_exp_t power = mpfr_get_exp(exact) < -1021 ? -1021 : mpfr_get_exp(exact);
    mpfr_t error;
    mpfr_init2(error, PRECISION);
    if (isinf(found))
        mpfr_set_si_2exp(error, found > 0.0 ? 1 : -1, 1024, MPFR_RNDN);
    else
        mpfr_set_d(error, found, MPFR_RNDN);
    mpfr_sub(error, exact, error, MPFR_RNDN);
    mpfr_mul_2si(error, error, 53 - power, MPFR_RNDN);
    double result = fabs(mpfr_get_d(error, MPFR_RNDN));
    mpfr_clear(error);
    return result;
}

typedef int (*mpfr_function)(mpfr_t, const mpfr_t, mpfr_rnd_t);

/* Fails unless function(x) is within `bound` ulps of MPFR's value for every input; prints the
   worst. */
static void compare(const char *name, double (*function)(double), mpfr_function exactly,
                    double (*input)(uint32_t k), double bound) {
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, PRECISION);
    double worst = 0.0;
    double worst_at = 0.0;
    for (uint32_t k = 0; k < INPUTS; k++) {
        double at = input(k);
        mpfr_set_d(x, at, MPFR_RNDN);
        exactly(y, x, MPFR_RNDN);
        double error = ulps(function(at), y);
        if (error > worst) {
            worst = error;
            worst_at = at;
        }
    }
    print_message("%s: at most %.4f ulp, at %a\n", name, worst, worst_at);
    assert_true(worst < bound);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

static double log_input(uint32_t k) {
    switch (k % 4) {
    case 0:
        return fabs(any(1, k));
    case 1:
        return 1.0 + spread(2, k, -52, -2);
    case 2:
        return uniform(3, k, 0.5, 2.0);
    default:
        return fabs(spread(4, k, -1074, 1024));
    }
}

static double log1p_input(uint32_t k) {
    switch (k % 4) {
    case 0:
        return fabs(any(5, k));
    case 1:
        return spread(6, k, -60, 0);
    case 2:
        return -1.0 + fabs(spread(7, k, -53, 0));
    default:
        return spread(8, k, -1074, -1);
    }
}

static double exp_input(uint32_t k) {
    switch (k % 5) {
    case 0:
        return any(9, k);
    case 1:
        return uniform(10, k, -1.0, 1.0);
    case 2:
        return uniform(11, k, -746.0, -700.0);
    case 3:
        if (k % 2 == 0)
            return uniform(12, k, 709.7, 709.8);
        return uniform(12, k, -708.40, -708.39); /* e^x is about the least normal double */
    default:
        return uniform(13, k, -745.2, 709.8);
    }
}

static double tanh_input(uint32_t k) {
    switch (k % 4) {
    case 0:
        return any(14, k);
    case 1:
        return spread(15, k, -40, 5);
    case 2:
        return uniform(16, k, -1.0, 1.0);
    default:
        return uniform(17, k, -25.0, 25.0);
    }
}

static double gamma_input(uint32_t k) {
    switch (k % 5) {
    case 0:
        return uniform(26, k, 1.0, 2.0);
    case 1:
        return uniform(27, k, 1.0, 22.0);
    case 2:
        return uniform(28, k, 1.0, 173.0);
    case 3:
        return 1.0 + fabs(spread(29, k, -52, 7));
    default: /* beside the halves, where the nearest whole number changes */
        return 1.5 + (double)(k % 170) + spread(30, k, -48, -10);
    }
}

static void log_is_within_one_ulp(void **state) {
    (void)state;
    compare("log", mathx_log, mpfr_log, log_input, 0.501);
}

static void log1p_is_within_one_ulp(void **state) {
    (void)state;
    compare("log1p", mathx_log1p, mpfr_log1p, log1p_input, 0.501);
}

static void exp_is_within_one_ulp(void **state) {
    (void)state;
    compare("exp", mathx_exp, mpfr_exp, exp_input, 0.501);
}

static void tanh_is_within_one_ulp(void **state) {
    (void)state;
    compare("tanh", mathx_tanh, mpfr_tanh, tanh_input, 0.503);
}

static void gamma_is_within_one_ulp(void **state) {
    (void)state;
    compare("gamma", mathx_gamma, mpfr_gamma, gamma_input, 0.501);
}

/* Bases of all sizes, with exponents whose powers mostly are representable, or just not. */
static void pow_input(uint32_t k, double *x, double *y) {
    *x = k % 3 == 0 ? uniform(18, k, 0.0, 4.0) : fabs(spread(19, k, -1074, 1024));
    if (k % 7 == 1)
        *x = 1.0 + spread(20, k, -52, -4);
    *y = uniform(21, k, -760.0, 760.0) / log(*x);
    if (k % 5 == 0)
        *y = uniform(22, k, -64.0, 64.0);
    if (k % 11 == 0)
        *y = floor(*y);
    if (k % 13 == 0)
        *y = spread(23, k, -80, 80);
    if (k % 22 == 0)
        *x = -*x;
    if (k % 101 == 0)
        *y = (stream_bits(7, 24, k) % 2 == 0 ? 1075.0 : 1023.9) * 0.69314718055994531 /
             -log(fabs(*x));
}

static void pow_is_within_one_ulp(void **state) {
    (void)state;
    mpfr_t x, y, z;
    mpfr_inits2(53, x, y, (mpfr_ptr)NULL);
    mpfr_init2(z, PRECISION);
    double worst = 0.0;
    double worst_x = 0.0;
    double worst_y = 0.0;
    for (uint32_t k = 0; k < INPUTS; k++) {
        double a, b;
        pow_input(k, &a, &b);
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_set_d(y, b, MPFR_RNDN);
        mpfr_pow(z, x, y, MPFR_RNDN);
        double error = ulps(mathx_pow(a, b), z);
        if (error > worst) {
            worst = error;
            worst_x = a;
            worst_y = b;
        }
    }
    print_message("pow: at most %.4f ulp, at %a, %a\n", worst, worst_x, worst_y);
    assert_true(worst < 0.503);
    mpfr_clears(x, y, z, (mpfr_ptr)NULL);
}

/* The same value: NaN equals NaN, and 0 differs from -0. */
static bool same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static const double inf = (double)INFINITY;
static const double nan_value = (double)NAN;

static void special_values_are_those_of_the_c_standard(void **state) {
    (void)state;
    assert_true(same(mathx_log(0.0), -inf) && same(mathx_log(-0.0), -inf));
    assert_true(same(mathx_log(1.0), 0.0) && same(mathx_log(inf), inf));
    assert_true(isnan(mathx_log(-1.0)) && isnan(mathx_log(-inf)) && isnan(mathx_log(nan_value)));
    assert_true(same(mathx_log1p(0.0), 0.0) && same(mathx_log1p(-0.0), -0.0));
    assert_true(same(mathx_log1p(-1.0), -inf) && same(mathx_log1p(inf), inf));
    assert_true(isnan(mathx_log1p(-1.5)) && isnan(mathx_log1p(nan_value)));
    assert_true(same(mathx_exp(0.0), 1.0) && same(mathx_exp(-0.0), 1.0));
    assert_true(same(mathx_exp(inf), inf) && same(mathx_exp(-inf), 0.0));
    assert_true(isnan(mathx_exp(nan_value)));
    assert_true(same(mathx_tanh(0.0), 0.0) && same(mathx_tanh(-0.0), -0.0));
    assert_true(same(mathx_tanh(inf), 1.0) && same(mathx_tanh(-inf), -1.0));
    assert_true(isnan(mathx_tanh(nan_value)));
}

/* The same, or neighbours with one sign: near a tie, two good functions may round apart. */
static bool nearly_same(double a, double b) {
    return same(a, b) || (isfinite(a) && isfinite(b) && bits_of(a) - bits_of(b) + 1 <= 2);
}

static void pow_agrees_with_libm_at_all_pairs_of_special_values(void **state) {
    (void)state;
    static const double values[] = {0.0,      -0.0,    1.0,      -1.0,    0.5,
                                    -0.5,     2.0,     -2.0,     3.0,     -3.0,
                                    1.5,      -1.5,    5e-324,   -5e-324, 1e300,
                                    -1e300,   0x1p53,  -0x1p53,  1e308,   -1e308,
                                    0x1p1023, 0x1p-60, -0x1p-70, 0x1p70,  0x1.fffffffffffffp52};
    enum { COUNT = sizeof values / sizeof values[0] };
    double all[COUNT + 3];
    memcpy(all, values, sizeof values);
    all[COUNT] = inf;
    all[COUNT + 1] = -inf;
    all[COUNT + 2] = nan_value;
    for (size_t i = 0; i < COUNT + 3; i++) {
        for (size_t j = 0; j < COUNT + 3; j++) {
            double ours = mathx_pow(all[i], all[j]);
            double theirs =
                pow(all[i], all[j]); /* glibc's is within 0.52 ulp: the same for these */
            if (!nearly_same(ours, theirs))
                fail_msg("pow(%a, %a) = %a, not %a", all[i], all[j], ours, theirs);
        }
    }
}

static void exp_turns_to_infinity_and_zero_at_the_right_double(void **state) {
    (void)state;
    assert_true(same(mathx_exp(0x1.62e42fefa39efp+9), 0x1.fffffffffff2ap+1023));
    assert_true(same(mathx_exp(0x1.62e42fefa39f0p+9), inf));
    assert_true(same(mathx_exp(-0x1.74910d52d3051p+9), 5e-324));
    assert_true(same(mathx_exp(-0x1.74910d52d3052p+9), 0.0));
}

static void whole_powers_are_exact(void **state) {
    (void)state;
    for (int base = 2; base <= 10; base++) {
        double product = 1.0;
        for (int power = 0; product <= 0x1p53; power++) {
            assert_true(mathx_pow(base, power) == product);
            assert_true(mathx_pow(-base, power) == (power % 2 == 0 ? product : -product));
            product *= base;
        }
    }
    for (int power = -1074; power <= 1023; power++)
        assert_true(mathx_pow(2.0, power) == ldexp(1.0, power));
}

static void gamma_of_whole_numbers_is_their_factorial(void **state) {
    (void)state;
    double product = 1.0;
    for (int n = 1; n <= 22; n++) { /* 22! is the last that is a double */
        assert_true(mathx_gamma(n) == product);
        product *= n;
    }
    assert_true(mathx_gamma(23.0) == product);
}

static void gamma_turns_to_infinity_at_the_right_double(void **state) {
    (void)state;
    double last = 0x1.573fae561f647p+7; /* 171.62437695630271 */
    assert_true(isfinite(mathx_gamma(last)) && mathx_gamma(last) > 1.79769313486e308);
    assert_true(same(mathx_gamma(nextafter(last, 200.0)), inf));
    assert_true(same(mathx_gamma(172.5), inf) && same(mathx_gamma(1e300), inf));
    assert_true(same(mathx_gamma(inf), inf));
}

/* `low` is what `high` leaves of the exact value, rounded once. */
static void assert_split(mpfr_t exact, double high, double low, int grid) {
    mpfr_t rest;
    mpfr_init2(rest, 400);
    mpfr_mul_2si(rest, exact, grid, MPFR_RNDN);
    mpfr_rint(rest, rest, MPFR_RNDN);
    mpfr_mul_2si(rest, rest, -grid, MPFR_RNDN);
    assert_true(mpfr_cmp_d(rest, high) == 0);
    mpfr_sub_d(rest, exact, high, MPFR_RNDN);
    assert_true(mpfr_get_d(rest, MPFR_RNDN) == low);
    mpfr_clear(rest);
}

static void the_tables_hold_what_their_heads_say(void **state) {
    (void)state;
    mpfr_t exact;
    mpfr_init2(exact, 400);
    mpfr_const_log2(exact, MPFR_RNDN);
    assert_split(exact, LN2_HIGH, LN2_LOW, 42);
    mpfr_div_ui(exact, exact, 128, MPFR_RNDN);
    assert_split(exact, LN2_128_HIGH, LN2_128_LOW, 43);
    mpfr_ui_div(exact, 1, exact, MPFR_RNDN);
    assert_true(mpfr_get_d(exact, MPFR_RNDN) == INVERSE_LN2_128);
    for (int i = LOG_FIRST; i <= LOG_LAST; i++) {
        double inverse = log_table[i - LOG_FIRST].inverse;
        assert_true(inverse == floor(65536.0 / i + 0.5) / 512.0);
        mpfr_set_d(exact, inverse, MPFR_RNDN);
        mpfr_log(exact, exact, MPFR_RNDN);
        mpfr_neg(exact, exact, MPFR_RNDN);
        assert_split(exact, log_table[i - LOG_FIRST].high, log_table[i - LOG_FIRST].low, 42);
    }
    for (int i = 0; i < 128; i++) {
        mpfr_set_si_2exp(exact, i, -7, MPFR_RNDN);
        mpfr_exp2(exact, exact, MPFR_RNDN);
        assert_split(exact, exp_table[i].high, exp_table[i].low, 52);
    }
    mpfr_clear(exact);
}

/* One number out of 600000 results: it must be the same under every compiler, level and CPU. */
static void every_build_gives_the_same_bits(void **state) {
    (void)state;
    uint64_t digest = 0;
    for (uint32_t k = 0; k < 100000; k++) {
        double x, y;
        pow_input(k, &x, &y);
        y = uniform(25, k, -50.0, 50.0); /* libm's log shaped the other */
        double results[] = {mathx_log(log_input(k)), mathx_log1p(log1p_input(k)),
                            mathx_exp(exp_input(k)), mathx_tanh(tanh_input(k)), mathx_pow(x, y)};
        for (size_t i = 0; i < 5; i++)
            digest = stream_mix64(digest ^ (isnan(results[i]) ? 1 : bits_of(results[i])));
    }
    assert_int_equal(digest, UINT64_C(0x9eb42e58eef13124));
    for (uint32_t k = 0; k < 100000; k++)
        digest = stream_mix64(digest ^ bits_of(mathx_gamma(gamma_input(k))));
    assert_int_equal(digest, UINT64_C(0xe10aba6b6e677288));
}

static void what_is_whole_but_for_the_last_bits_is_made_whole(void **state) {
    (void)state;
    assert_true(0.55 * 100 != 55 && mathx_settle(0.55 * 100) == 55);
    assert_true(0.043 / 0.001 != 43 && mathx_settle(0.043 / 0.001) == 43);
    assert_true(mathx_settle(0) == 0 && mathx_settle(7) == 7 && mathx_settle(0x1p60) == 0x1p60);
    assert_true(mathx_settle(1 + 0x1p-49) == 1);
    const double kept[] = {0.5, 1 + 0x1p-48, 1 - 0x1p-48, 0x1p-1074, 42.5, (double)INFINITY};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_true(mathx_settle(kept[i]) == kept[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_is_within_one_ulp),
        cmocka_unit_test(log1p_is_within_one_ulp),
        cmocka_unit_test(exp_is_within_one_ulp),
        cmocka_unit_test(tanh_is_within_one_ulp),
        cmocka_unit_test(gamma_is_within_one_ulp),
        cmocka_unit_test(pow_is_within_one_ulp),
        cmocka_unit_test(special_values_are_those_of_the_c_standard),
        cmocka_unit_test(pow_agrees_with_libm_at_all_pairs_of_special_values),
        cmocka_unit_test(exp_turns_to_infinity_and_zero_at_the_right_double),
        cmocka_unit_test(whole_powers_are_exact),
        cmocka_unit_test(gamma_of_whole_numbers_is_their_factorial),
        cmocka_unit_test(gamma_turns_to_infinity_at_the_right_double),
        cmocka_unit_test(the_tables_hold_what_their_heads_say),
        cmocka_unit_test(what_is_whole_but_for_the_last_bits_is_made_whole),
        cmocka_unit_test(every_build_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
