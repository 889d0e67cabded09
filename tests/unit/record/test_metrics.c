/* test_metrics.c: the table of metrics: names, units, order, and what a run without anything
   measures. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/metrics.h"

#include <ctype.h>
#include <math.h>

#include <retrystorm/policy.h>

#include "record/series.h"
#include "stage.h"
#include "support/test.h"

/* Two populations and two services. */
struct couple {
    struct stage stage;
    struct storm_service services[2];
    struct storm_population populations[2];
};

static void couple_open(struct couple *c) {
    stage_set(&c->stage, 100 * SEC);
    c->services[0] = c->services[1] = c->stage.service;
    c->services[1].name = "db";
    c->populations[0] = c->populations[1] = c->stage.population;
    c->populations[1].name = "batch";
    c->stage.scenario.services = c->services;
    c->stage.scenario.populations = c->populations;
    c->stage.scenario.service_count = c->stage.scenario.population_count = 2;
    stage_open(&c->stage);
}

static void names_are_unique_and_have_unit_and_direction(void **state) {
    (void)state;
    struct couple c;
    couple_open(&c);
    uint32_t count = metrics_count(&c.stage.scenario);
    struct storm_metric *list = metrics_list(&c.stage.scenario, &c.stage.arena);
    assert_non_null(list);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(strlen(list[i].unit) > 0);
        assert_true(list[i].better <= STORM_BETTER_NEITHER);
        for (const char *p = list[i].name; *p != '\0'; p++)
            assert_true(islower(*p) || isdigit(*p) || *p == '_' || *p == '.');
        for (uint32_t j = 0; j < i; j++)
            assert_string_not_equal(list[i].name, list[j].name);
    }
    stage_close(&c.stage);
}

static void there_is_one_of_each_per_service_and_per_reason(void **state) {
    (void)state;
    struct couple c;
    couple_open(&c);
    uint32_t two = metrics_count(&c.stage.scenario);
    c.stage.scenario.service_count = 1;
    uint32_t one = metrics_count(&c.stage.scenario);
    c.stage.scenario.service_count = 2;
    uint32_t counts[2] = {0}, reasons = 0;
    struct storm_metric *list = metrics_list(&c.stage.scenario, &c.stage.arena);
    for (uint32_t i = 0; i < two; i++) {
        size_t length = strlen(list[i].name);
        counts[0] += length > 4 && strcmp(list[i].name + length - 4, ".api") == 0;
        counts[1] += length > 3 && strcmp(list[i].name + length - 3, ".db") == 0;
        reasons += strncmp(list[i].name, "dead_letters.", 13) == 0;
    }
    assert_int_equal(counts[0], two - one);
    assert_int_equal(counts[1], two - one);
    assert_true(counts[0] >= 20);
    assert_int_equal(reasons, STORM_REASON_PATIENCE); /* those that need no brakes and no queue */
    stage_close(&c.stage);
}

static void a_run_without_anything_has_counts_of_zero_and_shares_of_nothing(void **state) {
    (void)state;
    static const char *const zero[] = {
        "requests", "succeeded",     "dead_letters", "in_flight",     "goodput",
        "lost.api", "queue_peak.db", "knock_downs",  "mean_busy.api", "peak_load.db"};
    static const char *const nothing[] = {
        "success_share",       "amplification.api", "ghost_share.db",
        "latency_p50",         "latency_p999",      "last_bad",
        "mean_wait.api",       "time_to_recover",   "attempts_per_request",
        "synchronisation.api", "completion_time"};
    struct couple c;
    couple_open(&c);
    stage_finish(&c.stage);
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++)
        assert_true(stage_metric(&c.stage, zero[i]) == 0);
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        assert_true(isnan(stage_metric(&c.stage, nothing[i])));
    stage_close(&c.stage);
}

static void populations_are_added_up_and_services_are_not(void **state) {
    (void)state;
    struct couple c;
    couple_open(&c);
    for (uint16_t place = 0; place < 2; place++) {
        for (int i = 0; i <= place; i++) {
            stage_tell(&c.stage, SEC, (struct storm_fact){.kind = STORM_FACT_BORN, .place = place});
            stage_tell(&c.stage, SEC,
                       (struct storm_fact){.kind = STORM_FACT_ARRIVED, .place = place});
        }
    }
    stage_finish(&c.stage);
    assert_true(stage_metric(&c.stage, "requests") == 3);
    assert_true(stage_metric(&c.stage, "attempts.api") == 1);
    assert_true(stage_metric(&c.stage, "attempts.db") == 2);
    assert_true(fabs(stage_metric(&c.stage, "amplification.db") - 2.0 / 3) < 1e-15);
    stage_close(&c.stage);
}

static void latencies_are_those_of_all_successes_however_late(void **state) {
    (void)state;
    struct couple c;
    couple_open(&c);
    for (int i = 1; i <= 100; i++)
        stage_tell(&c.stage, 50 * SEC,
                   (struct storm_fact){.kind = STORM_FACT_SUCCEEDED,
                                       .place = (uint16_t)(i % 2),
                                       .since = 50 * SEC - i * 100 * MS});
    stage_finish(&c.stage);
    assert_true(fabs(stage_metric(&c.stage, "latency_p50") / 5 - 1) < 0.01);
    assert_true(fabs(stage_metric(&c.stage, "latency_p90") / 9 - 1) < 0.01);
    assert_true(fabs(stage_metric(&c.stage, "latency_p99") / 9.9 - 1) < 0.01);
    assert_true(fabs(stage_metric(&c.stage, "latency_p999") / 10 - 1) < 0.01);
    stage_close(&c.stage);
}

static void every_curve_has_its_subject_and_all_its_bins(void **state) {
    (void)state;
    struct couple c;
    uint32_t count = 0;
    couple_open(&c);
    stage_tell(&c.stage, SEC, (struct storm_fact){.kind = STORM_FACT_BORN, .place = 1});
    stage_finish(&c.stage);
    struct storm_series *list = series_copy(c.stage.recorder, &c.stage.arena, &count);
    assert_non_null(list);
    assert_int_equal(count, 2 * 5 + 2 * 4);
    double born = 0;
    for (uint32_t i = 0; i < count; i++) {
        static const char *const subjects[] = {"api", "db", "client", "batch"};
        assert_string_equal(list[i].subject, subjects[i < 10 ? i / 5 : 2 + (i - 10) / 4]);
        for (uint32_t bin = 0; bin < c.stage.recorder->bin_count; bin++)
            born += strcmp(list[i].name, STORM_SERIES_BORN) == 0 ? list[i].values[bin] : 0;
        for (uint32_t j = 0; j < i; j++)
            assert_true(strcmp(list[i].name, list[j].name) != 0 ||
                        strcmp(list[i].subject, list[j].subject) != 0);
    }
    assert_true(born == 1);
    stage_close(&c.stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_have_unit_and_direction),
        cmocka_unit_test(there_is_one_of_each_per_service_and_per_reason),
        cmocka_unit_test(a_run_without_anything_has_counts_of_zero_and_shares_of_nothing),
        cmocka_unit_test(populations_are_added_up_and_services_are_not),
        cmocka_unit_test(latencies_are_those_of_all_successes_however_late),
        cmocka_unit_test(every_curve_has_its_subject_and_all_its_bins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
