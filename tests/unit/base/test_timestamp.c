/* test_timestamp.c: dates of the Gregorian calendar, against the C library and known days. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/timestamp.h"
#include "support/test.h"

static void known_instants_have_their_dates(void **state) {
    (void)state;
    static const struct {
        int64_t seconds;
        uint32_t nanoseconds;
        const char *expected;
    } cases[] = {
        {0, 0, "1970-01-01T00:00:00.000000000Z"},
        {951782399, 999999999, "2000-02-28T23:59:59.999999999Z"},
        {951782400, 1, "2000-02-29T00:00:00.000000001Z"},
        {951868800, 0, "2000-03-01T00:00:00.000000000Z"},
        {4107542400, 0, "2100-03-01T00:00:00.000000000Z"}, /* 2100 is no leap year */
        {1230768000, 5000000, "2009-01-01T00:00:00.005000000Z"},
        {-1, 0, "1969-12-31T23:59:59.000000000Z"},
        {253402300799, 0, "9999-12-31T23:59:59.000000000Z"},
    };
    char buffer[TIMESTAMP_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(timestamp_print(cases[i].seconds, cases[i].nanoseconds, buffer),
                            cases[i].expected);
}

static void every_day_until_9999_agrees_with_the_c_library(void **state) {
    (void)state;
    char buffer[TIMESTAMP_SIZE], expected[TIMESTAMP_SIZE];
    for (int64_t day = 0; day <= 253402300799 / 86400; day++) {
        int64_t seconds = day * 86400 + day * 7919 % 86400;
        time_t now = (time_t)seconds;
        struct tm parts;
        assert_non_null(gmtime_r(&now, &parts));
        assert_int_equal(
            strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%S.000000042Z", &parts), 30);
        timestamp_print(seconds, 42, buffer);
        if (strcmp(buffer, expected) != 0)
            assert_string_equal(buffer, expected);
    }
}

static void a_date_and_its_day_are_each_other_s_inverse(void **state) {
    (void)state;
    int64_t day = timestamp_days(1, 1, 1);
    assert_int_equal(day, -719162);
    assert_int_equal(timestamp_days(0, 1, 1), day - 366);
    for (int64_t year = 1; year <= 9999; year++) {
        for (int month = 1; month <= 12; month++) {
            assert_int_equal(timestamp_days(year, month, 1), day);
            assert_int_equal(timestamp_year(day * 86400), year);
            day += timestamp_month_days(year, month);
            assert_int_equal(timestamp_days(year, month, timestamp_month_days(year, month)),
                             day - 1);
            assert_int_equal(timestamp_year(day * 86400 - 1), year);
        }
    }
    assert_int_equal(timestamp_days(1970, 1, 1), 0);
    assert_int_equal(timestamp_days(2000, 2, 29), 11016);
    assert_int_equal(timestamp_month_days(1900, 2), 28);
}

static void epoch_and_virtual_time_add_up_with_their_nanoseconds(void **state) {
    (void)state;
    char buffer[TIMESTAMP_SIZE];
    assert_string_equal(timestamp_print_virtual(999999999, 1, buffer),
                        "1970-01-01T00:00:01.000000000Z");
    assert_string_equal(timestamp_print_virtual(-1, 0, buffer), "1969-12-31T23:59:59.999999999Z");
    assert_string_equal(timestamp_print_virtual(-1, 1, buffer), "1970-01-01T00:00:00.000000000Z");
    assert_string_equal(timestamp_print_virtual(INT64_C(1704067200500000000), 600000001, buffer),
                        "2024-01-01T00:00:01.100000001Z");
}

static void the_largest_epoch_and_time_do_not_overflow(void **state) {
    (void)state;
    char buffer[TIMESTAMP_SIZE];
    timestamp_print_virtual(INT64_MAX, STORM_NEVER, buffer);
    assert_memory_equal(buffer, "2408-", 5);
    timestamp_print_virtual(INT64_MIN, 0, buffer);
    assert_memory_equal(buffer, "1677-09-21T00:12:43.145224192Z", 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_instants_have_their_dates),
        cmocka_unit_test(every_day_until_9999_agrees_with_the_c_library),
        cmocka_unit_test(a_date_and_its_day_are_each_other_s_inverse),
        cmocka_unit_test(epoch_and_virtual_time_add_up_with_their_nanoseconds),
        cmocka_unit_test(the_largest_epoch_and_time_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
