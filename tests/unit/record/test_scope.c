/* test_scope.c: only what can occur in a scenario is listed. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/scope.h"

#include "record/series.h"
#include "stage.h"
#include "support/test.h"

/* Two services, of which the second is called by the first, by policy 1. */
struct house {
    struct stage stage;
    struct storm_service services[2];
    struct storm_edge call;
    struct storm_policy policies[3];
};

static void house_set(struct house *h) {
    stage_set(&h->stage, 100 * SEC);
    h->services[0] = h->services[1] = h->stage.service;
    h->services[1].name = "db";
    h->call = (struct storm_edge){.to = 1, .policy = 1};
    memset(h->policies, 0, sizeof h->policies);
    h->stage.scenario.services = h->services;
    h->stage.scenario.service_count = 2;
    h->stage.scenario.calls = &h->call;
    h->stage.scenario.call_count = 1;
    h->stage.scenario.policies = h->policies;
    h->stage.scenario.policy_count = 3;
}

static void a_plain_scenario_has_nothing_of_it(void **state) {
    (void)state;
    static const enum scope none[] = {SCOPE_BUDGET,  SCOPE_BRAKE,  SCOPE_HELD,    SCOPE_BAN,
                                      SCOPE_EFFECT,  SCOPE_QUEUE,  SCOPE_LETTERS, SCOPE_RETENTION,
                                      SCOPE_ALERT,   SCOPE_REPLAY, SCOPE_RESEND,  SCOPE_RERUN,
                                      SCOPE_BREAKER, SCOPE_ARCHIVE};
    struct house h;
    house_set(&h);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(scope_count(&h.stage.scenario, none[i]), 0);
    assert_int_equal(scope_count(&h.stage.scenario, SCOPE_SERVICE), 2);
    assert_int_equal(scope_count(&h.stage.scenario, SCOPE_REASON), 5);
}

static void brakes_are_those_of_the_callers(void **state) {
    (void)state;
    struct house h;
    house_set(&h);
    const struct storm_scenario *scenario = &h.stage.scenario;
    h.policies[1].budget.kind = STORM_BUDGET_RATIO;
    assert_false(scope_has(scenario, SCOPE_BUDGET, 0));
    assert_true(scope_has(scenario, SCOPE_BUDGET, 1) && scope_has(scenario, SCOPE_HELD, 1));
    assert_int_equal(scope_count(scenario, SCOPE_BRAKE), 0);
    assert_true(scope_has(scenario, SCOPE_REASON, STORM_REASON_BUDGET));
    assert_false(scope_has(scenario, SCOPE_REASON, STORM_REASON_BREAKER));
    h.policies[2].breaker.kind = STORM_BREAKER_TIME; /* that nobody uses */
    assert_int_equal(scope_count(scenario, SCOPE_BRAKE), 0);
    h.stage.population.fleet_count = 1;
    h.stage.population.fleets[0] = (struct storm_fleet){.policy = 2, .share = 0.5};
    assert_true(scope_has(scenario, SCOPE_BRAKE, 0));
    assert_true(scope_has(scenario, SCOPE_REASON, STORM_REASON_BREAKER));
    assert_true(scope_has(scenario, SCOPE_BREAKER, 0) && !scope_has(scenario, SCOPE_BREAKER, 1));
}

static void what_operators_bring_in_later_counts(void **state) {
    (void)state;
    struct house h;
    house_set(&h);
    struct storm_policy later[3] = {0};
    struct storm_scenario after = h.stage.scenario;
    struct storm_action actions[] = {
        {.kind = STORM_ACTION_ROLLOUT, .population = 0, .policy = 2},
        {.kind = STORM_ACTION_SET, .after = &after},
        {.kind = STORM_ACTION_RESEND},
    };
    h.stage.scenario.actions = actions;
    after.policies = later;
    h.policies[2].throttle.kind = STORM_THROTTLE_CUBIC;
    later[1].budget.kind = STORM_BUDGET_COST;
    h.stage.scenario.action_count = 1;
    assert_true(scope_has(&h.stage.scenario, SCOPE_BRAKE, 0));
    assert_int_equal(scope_count(&h.stage.scenario, SCOPE_BREAKER), 0); /* a throttle is none */
    assert_int_equal(scope_count(&h.stage.scenario, SCOPE_BUDGET), 0);
    h.stage.scenario.action_count = 3;
    assert_true(scope_has(&h.stage.scenario, SCOPE_BUDGET, 1));
    assert_int_equal(scope_count(&h.stage.scenario, SCOPE_RESEND), 1);
    assert_int_equal(scope_count(&h.stage.scenario, SCOPE_REPLAY), 0);
}

static void a_dead_letter_queue_is_one_place_whoever_writes_to_it(void **state) {
    (void)state;
    struct storm_population populations[3];
    struct storm_alert alert = {.queue = "shared"};
    struct house h;
    house_set(&h);
    populations[0] = populations[1] = populations[2] = h.stage.population;
    populations[1].dead_letter_queue = populations[2].dead_letter_queue = "shared";
    h.stage.scenario.populations = populations;
    h.stage.scenario.population_count = 3;
    h.stage.scenario.alerts = &alert;
    h.stage.scenario.alert_count = 1;
    const struct storm_scenario *scenario = &h.stage.scenario;
    assert_int_equal(scope_letters_of(scenario, 2), 1);
    assert_int_equal(scope_count(scenario, SCOPE_LETTERS), 2);
    assert_int_equal(scope_count(scenario, SCOPE_ALERT), 1);
    assert_string_equal(scope_name(scenario, SCOPE_LETTERS, 0), "client");
    assert_string_equal(scope_name(scenario, SCOPE_ALERT, 1), "shared");
}

static void curves_are_drawn_where_they_can_be_more_than_nothing(void **state) {
    (void)state;
    static const char *const names[] = {STORM_SERIES_HELD_BACK, STORM_SERIES_DUPLICATES,
                                        STORM_SERIES_LETTERS};
    static const char *const subjects[] = {"db", "api", "client"};
    struct storm_alert alert = {.queue = "client"};
    struct house h;
    uint32_t count;
    house_set(&h);
    h.policies[1].budget.kind = STORM_BUDGET_RATIO;
    h.services[0].idempotency.counted = true;
    h.stage.scenario.alerts = &alert;
    h.stage.scenario.alert_count = 1;
    stage_open(&h.stage);
    stage_tell(&h.stage, SEC,
               (struct storm_fact){
                   .kind = STORM_FACT_HELD_BACK, .place = 1, .reason = STORM_REASON_BUDGET});
    stage_finish(&h.stage);
    struct storm_series *list = series_copy(h.stage.recorder, &h.stage.arena, &count);
    assert_non_null(list);
    assert_int_equal(count, 2 * 5 + 4 + 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(list[14 + i].name, names[i]);
        assert_string_equal(list[14 + i].subject, subjects[i]);
    }
    assert_true(list[14].values[recorder_bin_at(h.stage.recorder, SEC)] == 1);
    assert_true(stage_metric(&h.stage, "retries_refused.db") == 1);
    stage_close(&h.stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_scenario_has_nothing_of_it),
        cmocka_unit_test(brakes_are_those_of_the_callers),
        cmocka_unit_test(what_operators_bring_in_later_counts),
        cmocka_unit_test(a_dead_letter_queue_is_one_place_whoever_writes_to_it),
        cmocka_unit_test(curves_are_drawn_where_they_can_be_more_than_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
