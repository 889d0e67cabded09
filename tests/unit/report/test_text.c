/* test_text.c: numbers, widths, tables, and the verdict table of results. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/text.h"
#include "support/test.h"
#include "unit/report/sample.h"

static void numbers_have_three_digits_and_commas(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *expected;
    } cases[] = {
        {0.0, "0"},         {-0.0, "0"},         {1.0, "1"},
        {5.8, "5.8"},       {5.804, "5.8"},      {5.806, "5.81"},
        {12.34, "12.3"},    {99.96, "100"},      {100.4, "100"},
        {999.5, "1,000"},   {9420.4, "9,420"},   {1234567.0, "1,234,567"},
        {0.5, "0.5"},       {0.0123, "0.0123"},  {0.012349, "0.0123"},
        {0.98765, "0.988"}, {1e-7, "0.0000001"}, {1e-12, "1e-12"},
        {-5.25, "-5.25"},   {-1234.0, "-1,234"}, {9.99e14, "999,000,000,000,000"},
        {1e15, "1e+15"},    {1e300, "1e+300"},
    };
    char buffer[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(text_number(cases[i].value, buffer), cases[i].expected);
    assert_string_equal(text_number((double)NAN, buffer), "\xE2\x80\x93");
    assert_string_equal(text_number((double)INFINITY, buffer), "\xE2\x88\x9E");
}

static void width_counts_columns_not_bytes(void **state) {
    (void)state;
    assert_int_equal(text_width(""), 0);
    assert_int_equal(text_width("abc"), 3);
    assert_int_equal(text_width("5.8 \xC3\x97"), 5);
    assert_int_equal(text_width("\xE6\x97\xA5\xE6\x9C\xAC"), 4);   /* wide */
    assert_int_equal(text_width("e\xCC\x81"), 1);                  /* combining */
    assert_int_equal(text_width("\033[31mstuck\033[0m in 3"), 10); /* coloured */
    assert_int_equal(text_width("\xFF"), 1);
}

static void names_cannot_command_the_terminal(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    assert_string_equal(text_clean(&arena, "a\033[2Jb\n"), "a\xEF\xBF\xBD[2Jb\xEF\xBF\xBD");
    assert_string_equal(text_clean(&arena, "\xC2\x9B"
                                           "31m"),
                        "\xEF\xBF\xBD"
                        "31m");
    assert_string_equal(text_clean(&arena, "\xE2\x80\xAE"
                                           "evil"),
                        "\xEF\xBF\xBD"
                        "evil");
    assert_string_equal(text_clean(&arena, "\xFF"), "\xEF\xBF\xBD");
    assert_string_equal(text_clean(&arena, "na\xC3\xAFve"), "na\xC3\xAFve");
    assert_string_equal(text_clean(&arena, NULL), "");
    arena_free(&arena);
    arena_init(&arena, 0);
    assert_null(text_clean(&arena, "full"));
}

static void values_line_up_whatever_follows_them(void **state) {
    (void)state;
    struct arena arena;
    struct text_table table;
    char *text = NULL;
    size_t size = 0;
    arena_init(&arena, 1 << 20);
    assert_true(text_table_init(&table, &arena, 3, 3, 1));
    *text_table_cell(&table, 0, 0) = (struct text_cell){"name", NULL};
    *text_table_cell(&table, 0, 1) = (struct text_cell){"letters", NULL};
    *text_table_cell(&table, 0, 2) = (struct text_cell){"a long heading", NULL};
    *text_table_cell(&table, 1, 0) = (struct text_cell){"\xE6\x97\xA5", NULL};
    *text_table_cell(&table, 1, 1) = (struct text_cell){"9,420", " [9,380, 9,460]"};
    *text_table_cell(&table, 1, 2) = (struct text_cell){"5", NULL};
    *text_table_cell(&table, 2, 0) = (struct text_cell){"second", NULL};
    *text_table_cell(&table, 2, 1) = (struct text_cell){"7", " [1, 9]"};
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    text_table_write(&table, stream);
    fclose(stream);
    assert_string_equal(text, "name    letters               a long heading\n"
                              "\xE6\x97\xA5      9,420 [9,380, 9,460]               5\n"
                              "second      7 [1, 9]\n");
    free(text);
    arena_free(&arena);
}

/* ---- results --------------------------------------------------------------------------------- */

static bool write_plain(const struct storm_results *results, FILE *out) {
    return report_write_text(results, &(struct report_text){.color = false}, out);
}

static bool write_colored(const struct storm_results *results, FILE *out) {
    return report_write_text(results, &(struct report_text){.color = true, .result_file = "r.json"},
                             out);
}

static bool write_full(const struct storm_results *results, FILE *out) {
    return report_write_text_full(results, &(struct report_text){.color = false}, out);
}

static void the_verdict_table_is_as_shown(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    char *text = sample_written(write_plain, &sample.results);
    assert_string_equal(
        text,
        "Ten thousand sessions lose their server for 20 s\n"
        "Which back-off lets the service come back?\n"
        "01-thundering-herd.yaml, 4 runs of 4m, seed 1\n"
        "\n"
        "policy        verdict                                  knock-downs  dead letters          "
        " in time  amplification  recovers after\n"
        "no-backoff    stuck in 4 of 4 runs                              15  9,420 [7,065, 11,776] "
        "    50 %         6.25 \xC3\x97"
        "       \xE2\x80\x93"
        "\n"
        "full-jitter   recovered in 3, unharmed in 1 of 4 runs            0    232 [174, 289]      "
        "  98.8 %          1.1 \xC3\x97"
        "  12.5 s [9.38, 15.6] in 2 runs\n"
        "exp, \"plain\"  stuck in 3, recovered in 1 of 4 runs               4   12.3 [9.19, 15.3]  "
        "    33.3 %            2 \xC3\x97"
        "    14 s [10.5, 17.5] in 2 runs\n"
        "(mean [95 % interval of the mean]; median [least, most] where runs may end in two ways)\n"
        "\n"
        "full-jitter always recovers; exp, \"plain\" recovers in 1 of 4 runs; no-backoff never "
        "recovers.\n"
        "Queue of api: limit 800, order fifo, on_full 503.\n"
        "Next: retrystorm plot RESULT.json -o chart.png\n");
    free(text);
}

static void one_variant_is_spoken_of_as_the_service(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample.results.variant_count = 1;
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nThe service never recovers.\n"));
    assert_non_null(strstr(text, "\nvariant "));
    free(text);
}

static void variants_that_end_alike_share_a_clause(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    for (int v = 0; v < SAMPLE_VARIANTS; v++) {
        memset(sample.variants[v].verdicts, 0, sizeof sample.variants[v].verdicts);
        sample.variants[v].verdicts[v == 1 ? STORM_VERDICT_UNHARMED : STORM_VERDICT_DEGRADED] =
            SAMPLE_RUNS;
    }
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(
        text, "\nfull-jitter is never harmed; no-backoff and exp, \"plain\" never recover.\n"));
    free(text);
}

static void without_a_verdict_nothing_is_claimed(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample.results.variant_count = 1;
    memset(sample.variants[0].verdicts, 0, sizeof sample.variants[0].verdicts);
    sample.variants[0].verdicts[STORM_VERDICT_NOT_APPLICABLE] = SAMPLE_RUNS;
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "not applicable in 4 of 4 runs"));
    assert_null(strstr(text, "recovers.\n"));
    free(text);
}

static void rows_that_differ_in_more_than_policy_are_variants(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample.settings[1][2].value = "3000";
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nvariant "));
    assert_non_null(
        strstr(text, "\nQueue of api: limit 800 / 3000 / 800, order fifo, on_full 503.\n"));
    free(text);
}

static void a_service_that_never_queues_has_no_queue_line(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    for (int v = 0; v < SAMPLE_VARIANTS; v++)
        sample.settings[v][1].value = "unlimited";
    char *text = sample_written(write_plain, &sample.results);
    assert_null(strstr(text, "Queue of"));
    free(text);
}

static void interrupted_results_say_so(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample.results.complete = false;
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "4 runs of 4m, seed 1, incomplete\n"));
    free(text);
}

static void the_most_amplified_service_is_shown_by_name(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample.metrics[0][0].name = "amplification.db";
    sample.metrics[1][0].name = "amplification.db";
    sample.metrics[2][0].name = "amplification.db";
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "amplification, db"));
    assert_non_null(strstr(text, "15 \xC3\x97"));
    assert_null(strstr(text, "knock-downs"));
    free(text);
}

static void a_total_is_preferred_to_its_parts(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    for (int v = 0; v < SAMPLE_VARIANTS; v++) {
        sample.metrics[v][0].name = "dead_letters.deadline_exceeded";
        sample.metrics[v][0].mean = 1e6;
    }
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "9,420"));
    assert_null(strstr(text, "1,000,000"));
    free(text);
}

static void colour_paints_the_verdicts_alone(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    char *plain = sample_written(write_plain, &sample.results);
    char *colored = sample_written(write_colored, &sample.results);
    assert_null(strchr(plain, '\033'));
    assert_non_null(strstr(colored, "\033[31mstuck\033[0m in 4 of 4 runs"));
    assert_non_null(
        strstr(colored, "\033[32mrecovered\033[0m in 3, \033[32munharmed\033[0m in 1 of 4 runs"));
    assert_non_null(strstr(colored, "Next: retrystorm plot r.json -o chart.png\n"));
    free(plain);
    free(colored);
}

static void the_full_text_lists_every_metric_and_hides_misleading_means(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample.results.variants++;
    sample.results.variant_count = 2;
    char *text = sample_written(write_full, &sample.results);
    assert_string_equal(
        text,
        "Ten thousand sessions lose their server for 20 s\n"
        "Which back-off lets the service come back?\n"
        "01-thundering-herd.yaml, 4 runs of 4m, seed 1\n"
        "\n"
        "full-jitter: recovered in 3, unharmed in 1 of 4 runs\n"
        "metric             unit              mean [95 %]        median   min   max  runs\n"
        "knock_downs        crashes              0                    0     0     0     4\n"
        "dead_letters       requests           232 [174, 289]       332   174   289     4\n"
        "success_share      %                 98.8                 98.8  98.8  98.8     4\n"
        "amplification.api  attempts/request   1.1                  1.1   1.1   1.1     4\n"
        "time_to_recover    s                 37.5 [9.38, 15.6]    12.5  9.38  15.6     2\n"
        "\n"
        "exp, \"plain\": stuck in 3, recovered in 1 of 4 runs\n"
        "metric             unit              mean [95 %]        median   min   max  runs\n"
        "knock_downs        crashes              4                    4     4     4     4\n"
        "dead_letters       requests          12.3 [9.19, 15.3]     112  9.19  15.3     4\n"
        "success_share      %                 33.3                 33.3  33.3  33.3     4\n"
        "amplification.api  attempts/request     2                    2     2     2     4\n"
        "time_to_recover    s                    \xE2\x80\x93"
        " bimodal           14  10.5  17.5     2\n"
        "\n"
        "policy        verdict                                  knock-downs  dead letters       in "
        "time  amplification  recovers after\n"
        "full-jitter   recovered in 3, unharmed in 1 of 4 runs            0   232 [174, 289]     "
        "98.8 %          1.1 \xC3\x97"
        "  12.5 s [9.38, 15.6] in 2 runs\n"
        "exp, \"plain\"  stuck in 3, recovered in 1 of 4 runs               4  12.3 [9.19, 15.3]   "
        "33.3 %            2 \xC3\x97"
        "    14 s [10.5, 17.5] in 2 runs\n"
        "(mean [95 % interval of the mean]; median [least, most] where runs may end in two ways)\n"
        "\n"
        "full-jitter always recovers; exp, \"plain\" recovers in 1 of 4 runs.\n"
        "Queue of api: limit 800, order fifo, on_full 503.\n"
        "Next: retrystorm plot RESULT.json -o chart.png\n");
    free(text);
}

static void hostile_names_do_not_reach_the_terminal(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample.results.title = "\033]0;x\a";
    sample.variants[0].name = "\033[1m";
    sample.metrics[0][1].unit = "\033";
    sample.metrics[0][3].name = "amplification.\033";
    sample.settings[0][2] = (struct storm_setting){"services.\033.queue.limit", "\033"};
    char *text = sample_written(write_full, &sample.results);
    assert_null(strchr(text, '\033'));
    assert_null(strchr(text, '\a'));
    free(text);
}

static void very_long_names_are_cut_and_do_no_harm(void **state) {
    (void)state;
    struct sample sample;
    static char name[5000];
    static char path[5100];
    sample_init(&sample);
    memset(name, 'n', sizeof name - 1);
    snprintf(path, sizeof path, "services.%s.queue.limit", name);
    sample.variants[0].name = name;
    sample.metrics[0][3].name = name;
    sample.settings[0][2].path = path;
    free(sample_written(write_full, &sample.results));
}

static void results_without_variants_are_a_heading(void **state) {
    (void)state;
    struct storm_results empty = {
        .file = "x.yaml", .runs = 1, .duration = STORM_SECOND, .complete = true};
    char *text = sample_written(write_plain, &empty);
    assert_string_equal(text, "x.yaml, 1 run of 1s, seed 0\n\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_three_digits_and_commas),
        cmocka_unit_test(width_counts_columns_not_bytes),
        cmocka_unit_test(names_cannot_command_the_terminal),
        cmocka_unit_test(values_line_up_whatever_follows_them),
        cmocka_unit_test(the_verdict_table_is_as_shown),
        cmocka_unit_test(one_variant_is_spoken_of_as_the_service),
        cmocka_unit_test(variants_that_end_alike_share_a_clause),
        cmocka_unit_test(without_a_verdict_nothing_is_claimed),
        cmocka_unit_test(rows_that_differ_in_more_than_policy_are_variants),
        cmocka_unit_test(a_service_that_never_queues_has_no_queue_line),
        cmocka_unit_test(interrupted_results_say_so),
        cmocka_unit_test(the_most_amplified_service_is_shown_by_name),
        cmocka_unit_test(a_total_is_preferred_to_its_parts),
        cmocka_unit_test(colour_paints_the_verdicts_alone),
        cmocka_unit_test(the_full_text_lists_every_metric_and_hides_misleading_means),
        cmocka_unit_test(hostile_names_do_not_reach_the_terminal),
        cmocka_unit_test(very_long_names_are_cut_and_do_no_harm),
        cmocka_unit_test(results_without_variants_are_a_heading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
