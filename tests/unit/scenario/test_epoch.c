/* test_epoch.c: dates of RFC 3339 and nanoseconds since 1970. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <time.h>

#include <retrystorm/units.h>

#include "scenario/epoch.h"
#include "support/test.h"

static void known_dates_have_their_seconds(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t nanoseconds;
    } rows[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2000-02-29T23:59:59Z", INT64_C(951868799) * STORM_SECOND},
        {"2024-03-01T09:30:00Z", INT64_C(1709285400) * STORM_SECOND},
        {"2024-03-01 09:30:00z", INT64_C(1709285400) * STORM_SECOND},
        {"2024-03-01t10:30:00+01:00", INT64_C(1709285400) * STORM_SECOND},
        {"2024-03-01T04:00:00-05:30", INT64_C(1709285400) * STORM_SECOND},
        {"1970-01-01T00:00:01.25Z", INT64_C(1250000000)},
        {"1970-01-01T00:00:00.000000001Z", 1},
        {"2199-12-31T23:59:59Z", INT64_C(7258118399) * STORM_SECOND},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t epoch = -1;
        assert_true(epoch_parse(rows[i].text, &epoch));
        assert_true(epoch == rows[i].nanoseconds);
    }
}

static void what_is_no_date_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "2024-03-01",
        "2024-03-01T09:30Z",
        "2024-03-01T09:30:00",
        "2023-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z",
        "2024-13-01T00:00:00Z",
        "2024-00-01T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2024-04-00T00:00:00Z",
        "2024-03-01T24:00:00Z",
        "2024-03-01T09:60:00Z",
        "2024-03-01T09:30:60Z",
        "2024-03-01T09:30:00.Z",
        "2024-03-01T09:30:00.1234567891Z",
        "2024-03-01T09:30:00+24:00",
        "2024-03-01T09:30:00Zz",
        "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00+00:01",
        "2200-01-01T00:00:00Z",
        " 2024-03-01T09:30:00Z",
        "24-03-01T09:30:00Z",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int64_t epoch;
        if (epoch_parse(texts[i], &epoch))
            fail_msg("accepted: %s", texts[i]);
    }
}

static void dates_are_printed_as_the_c_library_would(void **state) {
    (void)state;
    for (int64_t seconds = 0; seconds < INT64_C(7258118400); seconds += 86399 * 31) {
        char expected[64], printed[64];
        time_t time = (time_t)seconds;
        struct tm parts;
        gmtime_r(&time, &parts);
        strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%SZ", &parts);
        assert_string_equal(epoch_print(seconds * STORM_SECOND, printed), expected);
        int64_t epoch;
        assert_true(epoch_parse(printed, &epoch));
        assert_true(epoch == seconds * STORM_SECOND);
    }
}

static void parts_of_a_second_are_printed_when_there_are_any(void **state) {
    (void)state;
    char printed[64];
    assert_string_equal(epoch_print(1250000000, printed), "1970-01-01T00:00:01.25Z");
    assert_string_equal(epoch_print(1, printed), "1970-01-01T00:00:00.000000001Z");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_dates_have_their_seconds),
        cmocka_unit_test(what_is_no_date_is_refused),
        cmocka_unit_test(dates_are_printed_as_the_c_library_would),
        cmocka_unit_test(parts_of_a_second_are_printed_when_there_are_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
