/* test_csv.c: series as comma-separated values. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "support/test.h"
#include "unit/report/sample.h"

static void there_is_one_row_for_each_value_of_run_0(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    char *text = sample_written(report_write_csv, &sample.results);
    static const char expected[] = "variant,run,subject,series,t_s,value\n"
                                   "no-backoff,0,api,retries,0,0\n"
                                   "no-backoff,0,api,retries,0.5,0.1\n"
                                   "no-backoff,0,api,retries,1,1e+99\n"
                                   "no-backoff,0,,born,0,\n"
                                   "no-backoff,0,,born,0.5,-0\n"
                                   "no-backoff,0,,born,1,12345678.5\n"
                                   "full-jitter,0,api,";
    assert_memory_equal(text, expected, sizeof expected - 1);
    size_t rows = 0;
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        rows++;
    assert_int_equal(rows, 1 + SAMPLE_VARIANTS * 2 * SAMPLE_BINS);
    free(text);
}

static void fields_that_would_break_a_row_are_quoted(void **state) {
    (void)state;
    static const struct {
        const char *name, *expected;
    } cases[] = {
        {"a,b", "\n\"a,b\",0,"},
        {"say \"hi\"", "\n\"say \"\"hi\"\"\",0,"},
        {"two\nlines", "\n\"two\nlines\",0,"},
        {"a\rb", "\n\"a\rb\",0,"},
        {"plain; one", "\nplain; one,0,"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sample sample;
        sample_init(&sample);
        sample.variants[0].name = cases[i].name;
        char *text = sample_written(report_write_csv, &sample.results);
        assert_non_null(strstr(text, cases[i].expected));
        free(text);
    }
}

static void results_without_series_are_a_header(void **state) {
    (void)state;
    struct storm_results empty = {.title = ""};
    char *text = sample_written(report_write_csv, &empty);
    assert_string_equal(text, "variant,run,subject,series,t_s,value\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_one_row_for_each_value_of_run_0),
        cmocka_unit_test(fields_that_would_break_a_row_are_quoted),
        cmocka_unit_test(results_without_series_are_a_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
