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

static void numbers_that_stand_together_have_the_same_decimals(void **state) {
    (void)state;
    static const struct {
        double values[3];
        const char *expected[3];
    } cases[] = {
        {{75.1, 74.0, 75.3}, {"75.1", "74.0", "75.3"}},
        {{75.0, 74.0, 77.0}, {"75", "74", "77"}},
        {{99.2, 98.66, 100.0}, {"99.2", "98.7", "100.0"}},
        {{9420.4, 7065.0, 11776.2}, {"9,420", "7,065", "11,776"}},
        {{12.5, 9.375, 15.625}, {"12.5", "9.4", "15.6"}},
        {{0.0, 0.0, 0.25}, {"0.00", "0.00", "0.25"}},
        {{0.0, 0.0, 15.0}, {"0", "0", "15"}},
        {{0.312, 0.0, 9420.0}, {"0.3", "0.0", "9,420.0"}},
        {{0.0123, -0.0001, 0.5}, {"0.0123", "-0.0001", "0.5000"}},
        {{1.5, 1.25, (double)INFINITY}, {"1.50", "1.25", "\xE2\x88\x9E"}},
        {{1e16, 1.0, 2.0}, {"1e+16", "1", "2"}},
    };
    char buffers[3][TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_false(text_numbers(cases[i].values, 3, buffers));
        for (int k = 0; k < 3; k++)
            assert_string_equal(buffers[k], cases[i].expected[k]);
    }
    assert_true(text_numbers((const double[]){5.8, 5.801, 5.799}, 3, buffers));
    assert_string_equal(buffers[0], "5.8");
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

static bool write_narrow(const struct storm_results *results, FILE *out) {
    return report_write_text(results, &(struct report_text){.width = 80}, out);
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
        "    50 %         6.25 \xC3\x97       \xE2\x80\x93\n"
        "full-jitter   recovered in 3, unharmed in 1 of 4 runs            0    232 [174, 289]      "
        "  98.8 %          1.1 \xC3\x97  12.5 s [9.4, 15.6] in 2 runs\n"
        "exp, \"plain\"  stuck in 3, recovered in 1 of 4 runs               4   12.3 [9.2, 15.3]   "
        "    33.3 %            2 \xC3\x97  14.0 s [10.5, 17.5] in 2 runs\n"
        "(mean [95 % interval of the mean]; median [least, most] where runs may end in two ways)\n"
        "\n"
        "full-jitter always recovers; exp, \"plain\" recovers in 1 of 4 runs; no-backoff never "
        "recovers.\n"
        "Queue of api: limit 800, order fifo, on_full 503.\n"
        "Next: add -o result.json, then retrystorm plot result.json -o chart.png\n");
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

/* Names may have dots, and what is not set is not spoken of. */
static void message_queues_consumers_and_dead_letters_have_their_lines(void **state) {
    (void)state;
    static const struct storm_setting settings[] = {
        {"queues.orders.v2.visibility", "30s"},
        {"queues.orders.v2.max_receives", "5"},
        {"queues.orders.v2.memory", "unlimited"},
        {"consumers.workers.from", "orders.v2"},
        {"consumers.workers.count", "20"},
        {"consumers.workers.prefetch", "1"},
        {"consumers.workers.retries", "requeue"},
        {"dead_letters.orders.v2.dead.retention", "14d"},
        {"dead_letters.orders.v2.dead.alerts", "[{depth: 0}]"},
    };
    struct sample sample;
    sample_init(&sample);
    sample.results.variant_count = 1;
    sample.variants[0].settings = settings;
    sample.variants[0].setting_count = sizeof settings / sizeof settings[0];
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(
        text, "\nMessage queue orders.v2: visibility 30s, max_receives 5, memory unlimited.\n"
              "Consumers workers: from orders.v2, count 20, prefetch 1, retries requeue.\n"
              "Dead letters of orders.v2.dead: retention 14d, alerts [{depth: 0}].\nNext: "));
    free(text);
}

static void alarms_are_told_with_their_delay(void **state) {
    (void)state;
    struct storm_alarm many[5];
    struct sample sample;
    sample_init(&sample);
    sample.results.variant_count = 1;
    sample.variants[0].alarm_count = 2;
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(
        strstr(text, "\nAlarm web.dead: depth > 0 at 63s, 0s after its first letter.\n"
                     "Alarm web.dead: age > 1h at 3663s, 1h after its first letter.\nNext: "));
    free(text);
    sample_init(&sample);
    for (int i = 0; i < 5; i++)
        many[i] = sample.alarms[0];
    sample.variants[1].alarm_count = 5;
    sample.variants[1].alarms = many;
    text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nAlarm web.dead (full-jitter): depth > 0 at 63s, "));
    assert_non_null(strstr(text, "\n(and 2 more alarms)\nNext: "));
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

static void rename_metric(struct sample *sample, int metric, const char *name) {
    for (int v = 0; v < SAMPLE_VARIANTS; v++)
        sample->metrics[v][metric].name = name;
}

/* knock_downs (15, 0, 4) and dead_letters play the part of two more services. */
static void the_load_is_that_of_one_service_which_is_named(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    rename_metric(&sample, 0, "amplification.db");
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\n\nLoad and amplification are those of api.\npolicy "));
    assert_non_null(strstr(text, "6.25 \xC3\x97")); /* api has the fault; db has more attempts */
    assert_null(strstr(text, "15 \xC3\x97"));
    free(text);
    rename_metric(&sample, 4, "amplification.web"); /* more attempts, and after api */
    text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\n\nLoad and amplification are those of api.\npolicy "));
    free(text);
    rename_metric(&sample, 4, "time_to_recover");
    sample.spans[0].subject = sample.spans[1].subject = "web";
    text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\n\nLoad and amplification are those of db.\npolicy "));
    assert_non_null(strstr(text, "15 \xC3\x97"));
    assert_non_null(strstr(text, "4 \xC3\x97"));
    assert_null(strstr(text, "6.25 \xC3\x97"));
    free(text);
    rename_metric(&sample, 1, "peak_load_capacity.api"); /* of another service: not shown */
    text = sample_written(write_plain, &sample.results);
    assert_null(strstr(text, "peak load"));
    free(text);
    rename_metric(&sample, 1, "peak_load_capacity.db");
    text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "peak load"));
    free(text);
}

static void the_load_is_that_of_the_service_with_most_retries(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    rename_metric(&sample, 0, "amplification.db");
    rename_metric(&sample, 4, "retry_share.db"); /* api has the fault, but no retries */
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\n\nLoad and amplification are those of db.\npolicy "));
    free(text);
}

/* knock_downs (15, 0, 4) plays the part of a queue. */
static void the_longest_queue_has_a_column(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    rename_metric(&sample, 0, "queue_depth_peak.orders");
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "most waiting"));
    free(text);
    for (int v = 0; v < SAMPLE_VARIANTS; v++)
        sample.metrics[v][0].mean = sample.metrics[v][0].median = 0;
    text = sample_written(write_plain, &sample.results);
    assert_null(strstr(text, "most waiting")); /* nothing ever waits */
    free(text);
}

static void replays_and_brakes_have_columns(void **state) {
    static const char *const names[][2] = {{"replayed", "replayed"},
                                           {"replay_succeeded", "brought back"},
                                           {"held_back.api", "held back"},
                                           {"duplicates.api", "duplicates"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct sample sample;
        sample_init(&sample);
        char *text = sample_written(write_plain, &sample.results);
        assert_null(strstr(text, names[i][1])); /* nobody counts them */
        free(text);
        rename_metric(&sample, 0, names[i][0]);
        text = sample_written(write_plain, &sample.results);
        assert_non_null(strstr(text, names[i][1]));
        assert_non_null(strstr(text, "verdict"));
        free(text);
    }
}

static void a_single_service_is_not_named(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    char *text = sample_written(write_plain, &sample.results);
    assert_null(strstr(text, "Load and amplification"));
    free(text);
}

static void set_verdicts(struct storm_variant *variant, enum storm_verdict first, uint32_t count,
                         enum storm_verdict second) {
    memset(variant->verdicts, 0, sizeof variant->verdicts);
    variant->verdicts[second] = variant->runs_done - count;
    variant->verdicts[first] += count;
}

static void one_run_is_not_called_always(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    static const enum storm_verdict ends[] = {STORM_VERDICT_STUCK, STORM_VERDICT_RECOVERED,
                                              STORM_VERDICT_UNHARMED};
    sample.results.runs = 1;
    for (int v = 0; v < SAMPLE_VARIANTS; v++) {
        sample.variants[v].runs_done = 1;
        set_verdicts(&sample.variants[v], ends[v], 1, ends[v]);
    }
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nno-backoff    stuck in the one run "));
    assert_non_null(strstr(text, "\nexp, \"plain\" is not harmed; full-jitter recovers; "
                                 "no-backoff does not recover.\n"));
    free(text);
}

static void overrides_stand_below_the_head(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample.results.overrides = "faults.0.for=30s, policies.app.cap=\033[1m";
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(
        strstr(text, "seed 1\nwith faults.0.for=30s, policies.app.cap=\xEF\xBF\xBD[1m\n\npolicy "));
    free(text);
}

static bool write_quoting(const struct storm_results *results, FILE *out) {
    return report_write_text(results, &(struct report_text){.result_file = "it's r.json"}, out);
}

static void the_next_command_can_be_pasted(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    char *text = sample_written(write_quoting, &sample.results);
    assert_non_null(strstr(text, "Next: retrystorm plot 'it'\\''s r.json' -o chart.png\n"));
    free(text);
}

static void a_narrow_table_keeps_what_matters_most(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    char *text = sample_written(write_narrow, &sample.results);
    assert_string_equal(
        text, "Ten thousand sessions lose their server for 20 s\n"
              "Which back-off lets the service come back?\n"
              "01-thundering-herd.yaml, 4 runs of 4m, seed 1\n"
              "\n"
              "policy        verdict                       knock-downs  dead letters\n"
              "no-backoff    stuck 4 of 4                           15         9,420\n"
              "full-jitter   recovered 3, unharmed 1 of 4            0           232\n"
              "exp, \"plain\"  stuck 3, recovered 1 of 4               4          12.3\n"
              "\n"
              "full-jitter always recovers; exp, \"plain\" recovers in 1 of 4 runs; no-backoff "
              "never recovers.\n"
              "Queue of api: limit 800, order fifo, on_full 503.\n"
              "Next: add -o result.json, then retrystorm plot result.json -o chart.png\n");
    free(text);
}

/* The widest table first; each column less makes it narrower, in the order of their ranks. */
static void columns_go_in_turn(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    static const char *const titles[] = {"recovers after", "in time", "amplification"};
    size_t gone = 0;
    for (int width = 140; width > 80; width--) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        assert_non_null(stream);
        assert_true(
            report_write_text(&sample.results, &(struct report_text){.width = width}, stream));
        fclose(stream);
        char *heading = strstr(text, "\npolicy ");
        assert_non_null(heading);
        char *end = strchr(heading + 1, '\n');
        assert_non_null(end);
        *end = '\0';
        assert_true(end - heading - 1 <= width);
        while (gone < 3 && strstr(heading, titles[gone]) == NULL)
            gone++;
        for (size_t i = gone; i < 3; i++)
            assert_non_null(strstr(heading, titles[i]));
        assert_non_null(strstr(heading, "knock-downs  dead letters"));
        free(text);
    }
    assert_int_equal(gone, 3);
}

static void the_best_of_the_unsure_is_named(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    set_verdicts(&sample.variants[0], STORM_VERDICT_RECOVERED, 1, STORM_VERDICT_STUCK);
    set_verdicts(&sample.variants[1], STORM_VERDICT_RECOVERED, 3, STORM_VERDICT_STUCK);
    set_verdicts(&sample.variants[2], STORM_VERDICT_STUCK, 4, STORM_VERDICT_STUCK);
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nfull-jitter recovers most often, in 3 of 4 runs; no-backoff "
                                 "recovers in 1 of 4 runs; exp, \"plain\" never recovers.\n"));
    free(text);
    set_verdicts(&sample.variants[0], STORM_VERDICT_RECOVERED, 3, STORM_VERDICT_STUCK);
    text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nno-backoff recovers in 3 of 4 runs; full-jitter recovers in"));
    free(text);
    for (int v = 0; v < SAMPLE_VARIANTS; v++)
        set_verdicts(&sample.variants[v], STORM_VERDICT_STUCK, 4, STORM_VERDICT_STUCK);
    text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "never recover.\nBest in time: full-jitter 98.8 %.\n"));
    free(text);
}

static void differences_stand_below_the_table(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample_compare(&sample);
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text,
                           "\n\nAgainst no-backoff, run by run:\n"
                           "full-jitter   better    recovers +100 points, dead letters \xE2\x88\x92"
                           "97.5 %, in time +48.8 points, amplification \xE2\x88\x92"
                           "82.4 %\n"
                           "exp, \"plain\"  worse     in time \xE2\x88\x92"
                           "16.7 points\n"
                           "              not told  recovers +25 points [\xE2\x88\x92"
                           "30, +70], dead letters \xE2\x88\x92"
                           "97.5 %\n"
                           "(4 runs tell little: add -n 30, or --until-precision 2%)\n\n"));
    free(text);
    text = sample_written(write_colored, &sample.results);
    assert_non_null(strstr(text, "full-jitter   \033[32mbetter\033[0m    recovers"));
    free(text);
}

static void what_is_the_same_is_told_where_nothing_else_is(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample_compare(&sample);
    for (int i = 0; i < SAMPLE_METRICS; i++)
        sample.differences[0][i].change = STORM_CHANGE_SAME;
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(
        strstr(text, "full-jitter   same      recovers, dead letters, in time, amplification\n"));
    assert_null(strstr(text, "exp, \"plain\"  same"));
    free(text);
}

static void the_full_text_lists_every_difference(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample_compare(&sample);
    sample.differences[0][1].lo = sample.differences[0][1].hi = 0; /* equal in every pair */
    char *text = sample_written(write_full, &sample.results);
    const char *table =
        strstr(text, "full-jitter against no-backoff, run by run:\n"
                     "metric             unit              change  reference  other  ");
    assert_non_null(table);
    assert_non_null(strstr(table, "\nrecovers           %                 better          0    "
                                  "100   +100 points [+50, +100]      0.0040      4\n"));
    assert_non_null(strstr(table, "(1 more metric: equal in every pair of runs)\n\n"
                                  "exp, \"plain\" against no-backoff, run by run:\n"));
    assert_non_null(strstr(table, "\xE2\x88\x92"
                                  "97.5 % [?, ?]"));
    assert_null(strstr(table, "exp, \"plain\" against full-jitter"));
    free(text);
}

static void a_narrow_terminal_wraps_the_differences(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample_compare(&sample);
    char *text = sample_written(write_narrow, &sample.results);
    assert_non_null(strstr(text, "full-jitter   better    recovers +100 points, dead letters "
                                 "\xE2\x88\x92"
                                 "97.5 %, in time\n                        +48.8 points, "));
    free(text);
}

/* Two variants that recover now and then, of which it was asked who does so more often. */
static void a_ranking_that_cannot_be_told_is_said_to_be_so(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    sample_compare(&sample);
    set_verdicts(&sample.variants[1], STORM_VERDICT_RECOVERED, 2, STORM_VERDICT_STUCK);
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text,
                           "\nfull-jitter recovers in 2 of 4 runs; exp, \"plain\" recovers in "
                           "1 of 4 runs; no-backoff never recovers.\n"
                           "Which of full-jitter and exp, \"plain\" recovers more often "
                           "cannot be told from 4 runs.\n"));
    free(text);
    sample.differences[2][0].change = STORM_CHANGE_WORSE;
    text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nfull-jitter recovers most often, in 2 of 4 runs; "));
    assert_null(strstr(text, "cannot be told"));
    free(text);
}

static void without_a_verdict_success_in_time_ranks(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    for (int v = 0; v < SAMPLE_VARIANTS; v++)
        set_verdicts(&sample.variants[v], STORM_VERDICT_NOT_APPLICABLE, 4, STORM_VERDICT_STUCK);
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nNo verdict: the scenario has no trigger: no fault, and no "
                                 "clients that arrive all at once.\n"
                                 "In time: full-jitter 98.8 %, no-backoff 50 %, "
                                 "exp, \"plain\" 33.3 %.\n"));
    free(text);
    set_verdicts(&sample.variants[1], STORM_VERDICT_TOO_SHORT, 4, STORM_VERDICT_STUCK);
    sample.settings[0][1] = (struct storm_setting){"clients.web.in_time", "none"};
    text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nNo verdict for no-backoff: no client says how late an answer "
                                 "still counts.\n"
                                 "No verdict for full-jitter: the run ends too soon after the "
                                 "trigger.\n"
                                 "No verdict for exp, \"plain\": the scenario has no trigger"));
    free(text);
    sample.settings[0][0] = (struct storm_setting){"consumers.workers.in_time", "5s"};
    text = sample_written(write_plain, &sample.results);
    assert_null(strstr(text, "no client says"));
    free(text);
    for (int v = 0; v < SAMPLE_VARIANTS; v++)
        sample.metrics[v][2].mean = 1.0;
    text = sample_written(write_plain, &sample.results);
    assert_non_null(strstr(text, "\nAll answer 100 % of their requests in time.\n"));
    free(text);
}

/* Few whole numbers, in two heaps: the median and the range. */
static void knock_downs_that_are_all_alike_have_no_range(void **state) {
    (void)state;
    struct sample sample;
    sample_init(&sample);
    for (int v = 0; v < SAMPLE_VARIANTS; v++)
        sample.metrics[v][0].bimodal = true;
    sample.metrics[2][0].min = 0.0;
    sample.metrics[2][0].max = 15.0;
    char *text = sample_written(write_plain, &sample.results);
    assert_non_null(
        strstr(text, "\nno-backoff    stuck in 4 of 4 runs                      15          9,"));
    assert_non_null(strstr(text, " 4 [0, 15] "));
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
        "metric             unit              mean [95 %]       median   min   max  runs\n"
        "knock_downs        crashes              0                   0     0     0     4\n"
        "dead_letters       requests           232 [174, 289]      332   174   289     4\n"
        "success_share      %                 98.8                98.8  98.8  98.8     4\n"
        "amplification.api  attempts/request   1.1                 1.1   1.1   1.1     4\n"
        "time_to_recover    s                 37.5 [9.4, 15.6]    12.5  9.38  15.6     2\n"
        "\n"
        "exp, \"plain\": stuck in 3, recovered in 1 of 4 runs\n"
        "metric             unit              mean [95 %]       median   min   max  runs\n"
        "knock_downs        crashes              4                   4     4     4     4\n"
        "dead_letters       requests          12.3 [9.2, 15.3]     112  9.19  15.3     4\n"
        "success_share      %                 33.3                33.3  33.3  33.3     4\n"
        "amplification.api  attempts/request     2                   2     2     2     4\n"
        "time_to_recover    s                    \xE2\x80\x93 bimodal          14  10.5  17.5     "
        "2\n"
        "\n"
        "policy        verdict                                  knock-downs  dead letters      in "
        "time  amplification  recovers after\n"
        "full-jitter   recovered in 3, unharmed in 1 of 4 runs            0   232 [174, 289]    "
        "98.8 %          1.1 \xC3\x97  12.5 s [9.4, 15.6] in 2 runs\n"
        "exp, \"plain\"  stuck in 3, recovered in 1 of 4 runs               4  12.3 [9.2, 15.3]   "
        "33.3 %            2 \xC3\x97  14.0 s [10.5, 17.5] in 2 runs\n"
        "(mean [95 % interval of the mean]; median [least, most] where runs may end in two ways)\n"
        "\n"
        "full-jitter always recovers; exp, \"plain\" recovers in 1 of 4 runs.\n"
        "Queue of api: limit 800, order fifo, on_full 503.\n"
        "Next: add -o result.json, then retrystorm plot result.json -o chart.png\n");
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
        cmocka_unit_test(numbers_that_stand_together_have_the_same_decimals),
        cmocka_unit_test(width_counts_columns_not_bytes),
        cmocka_unit_test(names_cannot_command_the_terminal),
        cmocka_unit_test(values_line_up_whatever_follows_them),
        cmocka_unit_test(the_verdict_table_is_as_shown),
        cmocka_unit_test(one_variant_is_spoken_of_as_the_service),
        cmocka_unit_test(variants_that_end_alike_share_a_clause),
        cmocka_unit_test(without_a_verdict_nothing_is_claimed),
        cmocka_unit_test(rows_that_differ_in_more_than_policy_are_variants),
        cmocka_unit_test(a_service_that_never_queues_has_no_queue_line),
        cmocka_unit_test(message_queues_consumers_and_dead_letters_have_their_lines),
        cmocka_unit_test(alarms_are_told_with_their_delay),
        cmocka_unit_test(interrupted_results_say_so),
        cmocka_unit_test(the_load_is_that_of_one_service_which_is_named),
        cmocka_unit_test(the_load_is_that_of_the_service_with_most_retries),
        cmocka_unit_test(the_longest_queue_has_a_column),
        cmocka_unit_test(replays_and_brakes_have_columns),
        cmocka_unit_test(a_single_service_is_not_named),
        cmocka_unit_test(one_run_is_not_called_always),
        cmocka_unit_test(overrides_stand_below_the_head),
        cmocka_unit_test(the_next_command_can_be_pasted),
        cmocka_unit_test(a_narrow_table_keeps_what_matters_most),
        cmocka_unit_test(columns_go_in_turn),
        cmocka_unit_test(the_best_of_the_unsure_is_named),
        cmocka_unit_test(differences_stand_below_the_table),
        cmocka_unit_test(what_is_the_same_is_told_where_nothing_else_is),
        cmocka_unit_test(the_full_text_lists_every_difference),
        cmocka_unit_test(a_narrow_terminal_wraps_the_differences),
        cmocka_unit_test(a_ranking_that_cannot_be_told_is_said_to_be_so),
        cmocka_unit_test(without_a_verdict_success_in_time_ranks),
        cmocka_unit_test(knock_downs_that_are_all_alike_have_no_range),
        cmocka_unit_test(a_total_is_preferred_to_its_parts),
        cmocka_unit_test(colour_paints_the_verdicts_alone),
        cmocka_unit_test(the_full_text_lists_every_metric_and_hides_misleading_means),
        cmocka_unit_test(hostile_names_do_not_reach_the_terminal),
        cmocka_unit_test(very_long_names_are_cut_and_do_no_harm),
        cmocka_unit_test(results_without_variants_are_a_heading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
