/* test_units.c: what people write becomes the nearest double, and what they may not write is
   explained. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/units.h>

#include "base/stream.h"
#include "support/test.h"

static void times_add_and_saturate(void **state) {
    (void)state;
    assert_int_equal(storm_time_add(1, 2), 3);
    assert_int_equal(storm_time_add(STORM_NEVER - 1, 1), STORM_NEVER);
    assert_int_equal(storm_time_add(STORM_NEVER - 1, 2), STORM_NEVER);
    assert_int_equal(storm_time_add(STORM_NEVER, STORM_NEVER), STORM_NEVER);
}

static void seconds_round_to_the_nearest_nanosecond(void **state) {
    (void)state;
    assert_int_equal(storm_time_from_seconds(0.25), 250 * STORM_MILLISECOND);
    assert_int_equal(storm_time_from_seconds(0.1), 100 * STORM_MILLISECOND);
    assert_int_equal(storm_time_from_seconds(0.4999e-9), 0);
    assert_int_equal(storm_time_from_seconds(0.49999999999999994e-9), 0);
    assert_int_equal(storm_time_from_seconds(0.5e-9), 1);
    assert_int_equal(storm_time_from_seconds(2.5e-9), 3);
    assert_int_equal(storm_time_from_seconds(0x1p31), INT64_C(2147483648000000000));
    assert_int_equal(storm_time_from_seconds(4.6e9), INT64_C(4600000000000000000));
    assert_int_equal(storm_time_from_seconds(4.7e9), STORM_NEVER);
    assert_int_equal(storm_time_from_seconds(1e300), STORM_NEVER);
    assert_int_equal(storm_time_from_seconds((double)INFINITY), STORM_NEVER);
}

static void times_and_seconds_convert_back_and_forth(void **state) {
    (void)state;
    for (uint32_t k = 0; k < 100000; k++) {
        storm_time time = (storm_time)(stream_bits(1, 1, k) >> (12 + k % 50));
        assert_int_equal(storm_time_from_seconds(storm_time_to_seconds(time)), time);
    }
    assert_true(isinf(storm_time_to_seconds(STORM_NEVER)));
    assert_true(storm_time_to_seconds(1500 * STORM_MILLISECOND) == 1.5);
}

struct reading {
    const char *text;
    enum storm_unit unit;
    double value;
};

static const struct reading readings[] = {
    {"0s", STORM_UNIT_DURATION, 0},
    {"1ns", STORM_UNIT_DURATION, 1e-9},
    {"250us", STORM_UNIT_DURATION, 250e-6},
    {"250ms", STORM_UNIT_DURATION, 0.25},
    {"100ms", STORM_UNIT_DURATION, 0.1},
    {"0.1s", STORM_UNIT_DURATION, 0.1},
    {"1.5s", STORM_UNIT_DURATION, 1.5},
    {"1.5m", STORM_UNIT_DURATION, 90},
    {"2h", STORM_UNIT_DURATION, 7200},
    {"3d", STORM_UNIT_DURATION, 259200},
    {"0.30000000000000004s", STORM_UNIT_DURATION, 0.30000000000000004},
    {"45/s", STORM_UNIT_RATE, 45},
    {"1.2k/s", STORM_UNIT_RATE, 1200},
    {"3M/h", STORM_UNIT_RATE, 3e6 / 3600},
    {"6/m", STORM_UNIT_RATE, 0.1},
    {"0.5/s", STORM_UNIT_RATE, 0.5},
    {"10%", STORM_UNIT_SHARE, 0.1},
    {"0.1%", STORM_UNIT_SHARE, 0.001},
    {"12.5%", STORM_UNIT_SHARE, 0.125},
    {"150%", STORM_UNIT_SHARE, 1.5},
    {"4x", STORM_UNIT_FACTOR, 4},
    {"4", STORM_UNIT_FACTOR, 4},
    {"0.5x", STORM_UNIT_FACTOR, 0.5},
    {"1.6", STORM_UNIT_FACTOR, 1.6},
    {"1000", STORM_UNIT_COUNT, 1000},
    {"10k", STORM_UNIT_COUNT, 10000},
    {"1.5k", STORM_UNIT_COUNT, 1500},
    {"2M", STORM_UNIT_COUNT, 2000000},
    {"9007199254740991", STORM_UNIT_COUNT, 0x1p53 - 1.0},
};

static void numbers_with_units_are_read_exactly(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
        char fix[64] = "left over";
        double value = -1.0;
        const char *wrong =
            storm_unit_parse(readings[i].text, readings[i].unit, &value, fix, sizeof fix);
        if (wrong != NULL || value != readings[i].value || fix[0] != '\0')
            fail_msg("%s: %s, %.17g, fix \"%s\"", readings[i].text, wrong, value, fix);
    }
}

struct refusal {
    const char *text;
    enum storm_unit unit;
    const char *wrong, *fix;
};

static const struct refusal refusals[] = {
    {"5", STORM_UNIT_DURATION, "has no unit", "5s or 5ms"},
    {"0", STORM_UNIT_DURATION, "has no unit", "0s"},
    {"45", STORM_UNIT_RATE, "has no unit", "45/s"},
    {"10", STORM_UNIT_SHARE, "has no unit", "10%"},
    {"0.1", STORM_UNIT_SHARE, "has no unit", "10%"},
    {"0.07", STORM_UNIT_SHARE, "has no unit", "7%"},
    {"", STORM_UNIT_DURATION, "is empty", "5s"},
    {"", STORM_UNIT_COUNT, "is empty", "1000"},
    {"+5s", STORM_UNIT_DURATION, "has a sign", "5s"},
    {"-5s", STORM_UNIT_DURATION, "is negative", "5s"},
    {" 5s", STORM_UNIT_DURATION, "contains a blank", "5s"},
    {"5s ", STORM_UNIT_DURATION, "contains a blank", "5s"},
    {"5 s", STORM_UNIT_DURATION, "contains a blank", "5s"},
    {"010ms", STORM_UNIT_DURATION, "has a leading zero", "10ms"},
    {"010", STORM_UNIT_COUNT, "has a leading zero", "10"},
    {"00", STORM_UNIT_COUNT, "has a leading zero", "0"},
    {".5s", STORM_UNIT_DURATION, "has no digit before the point", "0.5s"},
    {"5.s", STORM_UNIT_DURATION, "has no digit after the point", "5s"},
    {"1,5s", STORM_UNIT_DURATION, "has a comma", "1.5s"},
    {"1e3s", STORM_UNIT_DURATION, "has an exponent", "5s"},
    {"1e999", STORM_UNIT_FACTOR, "has an exponent", "4x"},
    {"1E+3", STORM_UNIT_COUNT, "has an exponent", "1000"},
    {"0x10", STORM_UNIT_COUNT, "is hexadecimal", "1000"},
    {"0x10", STORM_UNIT_FACTOR, "is hexadecimal", "4x"},
    {"nan", STORM_UNIT_FACTOR, "is not a number", "4x"},
    {"inf", STORM_UNIT_DURATION, "is not a number", "5s"},
    {"soon", STORM_UNIT_DURATION, "is not a number", "5s"},
    {"5 parsecs", STORM_UNIT_DURATION, "contains a blank", "5s"},
    {"5parsecs", STORM_UNIT_DURATION, "has an unknown unit", "5s"},
    {"5sec", STORM_UNIT_DURATION, "has an unknown unit", "5s"},
    {"5 seconds", STORM_UNIT_DURATION, "contains a blank", "5s"},
    {"30min", STORM_UNIT_DURATION, "has an unknown unit", "30m"},
    {"7\xC2\xB5s", STORM_UNIT_DURATION, "has an unknown unit", "7us"},
    {"45rps", STORM_UNIT_RATE, "has an unknown unit", "45/s"},
    {"1.5Kx", STORM_UNIT_FACTOR, "has an unknown unit", "4x"},
    {"10percent", STORM_UNIT_SHARE, "has an unknown unit", "10%"},
    {"1m30s", STORM_UNIT_DURATION, "has more than one unit", "5s"},
    {"5ss", STORM_UNIT_DURATION, "has an unknown unit", "5s"},
    {"1.5", STORM_UNIT_COUNT, "is not a whole number", "1000"},
    {"0.0001k", STORM_UNIT_COUNT, "is not a whole number", "1000"},
    {"9007199254740993", STORM_UNIT_COUNT, "is too large", "1000"},
    {"12345678901234567890", STORM_UNIT_COUNT, "has too many digits", "1000"},
    {"0.0000000000000000000000001s", STORM_UNIT_DURATION, "has too many digits", "5s"},
    {"99999999d", STORM_UNIT_DURATION, "is longer than 146 years", "5s"},
    {"0.1ns", STORM_UNIT_DURATION, "is shorter than 1ns", "5s"},
    {"1..5s", STORM_UNIT_DURATION, "has no digit after the point", "1.5s"},
    {"1.5.2s", STORM_UNIT_DURATION, "has more than one unit", "5s"},
};

static void refused_numbers_are_explained_with_a_fix(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        char fix[64];
        double value = 42.0;
        const struct refusal *row = &refusals[i];
        const char *wrong = storm_unit_parse(row->text, row->unit, &value, fix, sizeof fix);
        if (wrong == NULL || strcmp(wrong, row->wrong) != 0 || strcmp(fix, row->fix) != 0)
            fail_msg("\"%s\": %s, fix \"%s\"", row->text, wrong == NULL ? "read" : wrong, fix);
        assert_true(value == 42.0);
        assert_string_equal(storm_unit_parse(row->text, row->unit, &value, NULL, 0), row->wrong);
        storm_unit_parse(row->text, row->unit, &value, fix, 3);
        assert_true(strlen(fix) < 3);
    }
}

/* Whatever number stands before a unit, one rounding: compared with a fraction of 300 bits. */
static void random_decimals_are_rounded_once(void **state) {
    (void)state;
    static const struct {
        const char *unit;
        enum storm_unit kind;
        unsigned long times, per;
    } words[] = {{"ms", STORM_UNIT_DURATION, 1, 1000},    {"h", STORM_UNIT_DURATION, 3600, 1},
                 {"M/h", STORM_UNIT_RATE, 1000000, 3600}, {"k/m", STORM_UNIT_RATE, 1000, 60},
                 {"%", STORM_UNIT_SHARE, 1, 100},         {"x", STORM_UNIT_FACTOR, 1, 1}};
    mpfr_t exact;
    mpfr_init2(exact, 300);
    for (uint32_t k = 0; k < 60000; k++) {
        uint64_t digits = stream_bits(2, 1, k) >> (k * 7 % 60) % 60;
        if (digits >= UINT64_C(10000000000000000000))
            digits /= 10;
        unsigned long tens = 1;
        int decimals = (int)(stream_bits(2, 2, k) % 16);
        for (int i = 0; i < decimals; i++)
            tens *= 10;
        char text[64];
        size_t word = k % 6;
        if (decimals == 0)
            snprintf(text, sizeof text, "%" PRIu64 "%s", digits, words[word].unit);
        else
            snprintf(text, sizeof text, "%" PRIu64 ".%0*" PRIu64 "%s", digits / tens, decimals,
                     digits % tens, words[word].unit);
        double value;
        const char *wrong = storm_unit_parse(text, words[word].kind, &value, NULL, 0);
        if (wrong != NULL && words[word].kind == STORM_UNIT_DURATION)
            continue; /* longer than 146 years, or shorter than 1ns */
        assert_null(wrong);
        mpfr_set_ui(exact, digits, MPFR_RNDN);
        mpfr_mul_ui(exact, exact, words[word].times, MPFR_RNDN);
        mpfr_div_ui(exact, exact, tens, MPFR_RNDN);
        mpfr_div_ui(exact, exact, words[word].per, MPFR_RNDN);
        if (value != mpfr_get_d(exact, MPFR_RNDN))
            fail_msg("%s: %.17g", text, value);
    }
    mpfr_clear(exact);
}

static void times_print_in_one_unit_and_exactly(void **state) {
    (void)state;
    static const struct {
        storm_time time;
        const char *text;
    } rows[] = {{0, "0s"},
                {1, "1ns"},
                {999, "999ns"},
                {1000, "1us"},
                {1500, "1.5us"},
                {250 * STORM_MILLISECOND, "250ms"},
                {1234567, "1.234567ms"},
                {STORM_SECOND, "1s"},
                {1500 * STORM_MILLISECOND, "1.5s"},
                {STORM_SECOND + 1, "1.000000001s"},
                {60 * STORM_SECOND, "60s"},
                {90 * STORM_SECOND, "90s"},
                {120 * STORM_SECOND, "2m"},
                {150 * STORM_SECOND, "150s"},
                {240 * STORM_SECOND, "4m"},
                {3600 * STORM_SECOND, "1h"},
                {5400 * STORM_SECOND, "90m"},
                {7200 * STORM_SECOND, "2h"},
                {86400 * STORM_SECOND, "24h"},
                {172800 * STORM_SECOND, "2d"},
                {STORM_NEVER, "never"},
                {INT64_MAX, "never"}};
    char buffer[32];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(storm_time_print(rows[i].time, buffer, sizeof buffer), rows[i].text);
}

static void printed_times_are_read_back(void **state) {
    (void)state;
    for (uint32_t k = 0; k < 100000; k++) {
        storm_time time = (storm_time)(stream_bits(3, 1, k) >> (12 + k % 50));
        if (k % 3 == 0)
            time -= time % (STORM_SECOND * (k % 2 == 0 ? 60 : 1));
        char buffer[32];
        double seconds;
        storm_time_print(time, buffer, sizeof buffer);
        assert_null(storm_unit_parse(buffer, STORM_UNIT_DURATION, &seconds, NULL, 0));
        assert_int_equal(storm_time_from_seconds(seconds), time);
    }
}

static void doubles_print_short_and_read_back(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.1, "0.1"},       {0.30000000000000004, "0.30000000000000004"},
                {1.0, "1"},         {-0.5, "-0.5"},
                {1e22, "1e+22"},    {5e-324, "5e-324"},
                {1e300, "1e+300"},  {0.0, "0"},
                {123456, "123456"}, {1.7976931348623157e308, "1.7976931348623157e+308"}};
    char buffer[32];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(storm_double_print(rows[i].value, buffer, sizeof buffer), rows[i].text);
    for (uint32_t k = 0; k < 100000; k++) {
        uint64_t bits = stream_bits(4, 1, k);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_true(strtod(storm_double_print(value, buffer, sizeof buffer), NULL) == value);
    }
}

static void no_locale_moves_the_point(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "fa_IR.UTF-8", "de_DE.utf8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_ALL, names[i]) == NULL)
            continue;
        found = true;
        char buffer[32];
        double value = 0.0;
        assert_string_equal(storm_double_print(1.5, buffer, sizeof buffer), "1.5");
        assert_string_equal(storm_double_print(-2.5e-10, buffer, sizeof buffer), "-2.5e-10");
        assert_string_equal(storm_double_print(1e22, buffer, sizeof buffer), "1e+22");
        assert_null(storm_unit_parse("1.5s", STORM_UNIT_DURATION, &value, NULL, 0));
        assert_true(value == 1.5);
    }
    setlocale(LC_ALL, "C");
    if (!found)
        skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_add_and_saturate),
        cmocka_unit_test(seconds_round_to_the_nearest_nanosecond),
        cmocka_unit_test(times_and_seconds_convert_back_and_forth),
        cmocka_unit_test(numbers_with_units_are_read_exactly),
        cmocka_unit_test(refused_numbers_are_explained_with_a_fix),
        cmocka_unit_test(random_decimals_are_rounded_once),
        cmocka_unit_test(times_print_in_one_unit_and_exactly),
        cmocka_unit_test(printed_times_are_read_back),
        cmocka_unit_test(doubles_print_short_and_read_back),
        cmocka_unit_test(no_locale_moves_the_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
