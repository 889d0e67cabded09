/* test_write_text.c: the verdict table of results, its columns, and the lines around it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "support/test.h"
#include "unit/report/sample.h"
#include "unit/report/written.h"

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
