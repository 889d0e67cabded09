/* test_comparison_text.c: who is best, and how variants differ, as sentences below the table. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "support/test.h"
#include "unit/report/sample.h"
#include "unit/report/written.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_of_the_unsure_is_named),
        cmocka_unit_test(differences_stand_below_the_table),
        cmocka_unit_test(what_is_the_same_is_told_where_nothing_else_is),
        cmocka_unit_test(the_full_text_lists_every_difference),
        cmocka_unit_test(a_narrow_terminal_wraps_the_differences),
        cmocka_unit_test(a_ranking_that_cannot_be_told_is_said_to_be_so),
        cmocka_unit_test(without_a_verdict_success_in_time_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
