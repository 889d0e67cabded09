/* test_guard.c: callers held back by their own budgets, breakers and throttles, fact by fact. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include "support/test.h"

/* A service that is down from 0 s on, and clients that each try up to `attempts` times at once. */
static void init_down(struct small_world *w, uint32_t clients, uint32_t attempts) {
    small_world_init(w);
    small_world_retry(w, attempts, 0);
    small_world_add_fault(w, STORM_FAULT_DOWN, 0, 60 * SEC);
    w->populations[0].count = clients;
}

static size_t count_held(const struct small_world *w, enum storm_reason reason) {
    size_t count = 0;
    for (size_t i = 0; i < w->fact_count; i++) {
        const struct storm_fact *fact = &w->facts[i];
        count += fact->kind == STORM_FACT_HELD_BACK && fact->reason == reason;
    }
    return count;
}

static size_t count_dead(const struct small_world *w, enum storm_reason reason) {
    size_t count = 0;
    for (size_t i = 0; i < w->fact_count; i++) {
        count += w->facts[i].kind == STORM_FACT_DEAD && w->facts[i].reason == reason;
    }
    return count;
}

/* Tokens of which each retry takes five. */
static struct storm_budget bucket(enum storm_scope scope, double capacity) {
    return (struct storm_budget){.kind = STORM_BUDGET_COST,
                                 .scope = (int)scope,
                                 .capacity = capacity,
                                 .cost = 5,
                                 .cost_timeout = -1,
                                 .cost_throttled = -1,
                                 .refill = 1};
}

/* 500 tokens at 5 each: a hundred retries, then none, whatever the policy's attempts allow. */
static void a_shared_bucket_of_500_lets_a_hundred_retries_out(void **state) {
    (void)state;
    struct small_world w;
    init_down(&w, 200, 3);
    w.policies[0].budget = bucket(STORM_SCOPE_SHARED, 500);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 200 + 100);
    assert_true(count_dead(&w, STORM_REASON_BUDGET) > 0);
    assert_int_equal(count_held(&w, STORM_REASON_BUDGET), count_dead(&w, STORM_REASON_BUDGET));
    small_world_free(&w);
}

/* By client each has its own bucket, which is more than three attempts need. */
static void a_bucket_for_each_client_does_not_bind_a_herd(void **state) {
    (void)state;
    struct small_world w;
    init_down(&w, 200, 3);
    w.policies[0].budget = bucket(STORM_SCOPE_CLIENT, 500);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 600);
    assert_int_equal(count_held(&w, STORM_REASON_BUDGET), 0);
    small_world_free(&w);
}

/* Four hosts, 50 clients each: four buckets of ten retries. */
static void a_bucket_for_each_host_is_shared_by_its_clients(void **state) {
    (void)state;
    struct small_world w;
    init_down(&w, 200, 3);
    w.populations[0].hosts = 4;
    w.policies[0].budget = bucket(STORM_SCOPE_HOST, 50);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 200 + 4 * 10);
    small_world_free(&w);
}

/* Envoy's max_retries 3: with those that back off counted, three of ten retry; without, all ten do,
   since none of them is under way when they ask. */
static void retries_at_once_are_counted_with_or_without_their_back_off(void **state) {
    (void)state;
    for (int counted = 0; counted < 2; counted++) {
        struct small_world w;
        init_down(&w, 10, 2);
        small_world_retry(&w, 2, 1);
        w.policies[0].budget = (struct storm_budget){.kind = STORM_BUDGET_CONCURRENCY,
                                                     .scope = STORM_SCOPE_SHARED,
                                                     .most = 3,
                                                     .count_backing_off = counted};
        small_world_live(&w);
        assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), counted ? 13 : 20);
        small_world_free(&w);
    }
}

/* A call each second, whose attempts time out after 5 s. From 10.5 s on at most half as many are to
   retry as have begun since; those that end meanwhile are none of them. At 13 s two have begun, so
   that one may retry. */
static void a_budget_counts_the_calls_that_began_by_it(void **state) {
    (void)state;
    struct small_world w, after;
    small_world_init(&w);
    small_world_retry(&w, 2, 0);
    w.populations[0].arrival = STORM_ARRIVAL_EVEN;
    w.populations[0].rate = 1;
    w.populations[0].count = 100;
    w.populations[0].call.timeout = small_world_constant(5 * SEC);
    w.policies[0].breaker =
        (struct storm_breaker){.kind = STORM_BREAKER_CONSECUTIVE, .consecutive = 1000, .probes = 1};
    small_world_add_fault(&w, STORM_FAULT_HANG, 0, STORM_NEVER);
    small_world_add_change(&w, 10500 * MS, &after);
    after.policies[0].budget = (struct storm_budget){.kind = STORM_BUDGET_CONCURRENCY,
                                                     .scope = STORM_SCOPE_SHARED,
                                                     .ratio = 0.5,
                                                     .count_backing_off = true};
    small_world_live(&w);
    bool retries = false;
    for (size_t i = 0; i < w.fact_count; i++)
        retries |= w.facts[i].kind == STORM_FACT_SENT && w.facts[i].attempts == 2 &&
                   w.facts[i].time == 13 * SEC;
    assert_true(retries);
    small_world_free(&w);
}

/* Two failures in a row open it; the third call is held back, and dies at the same instant. After
   10 s one probe is let through, which fails: open again. */
static void a_breaker_around_the_calls_opens_and_probes(void **state) {
    (void)state;
    struct small_world w;
    init_down(&w, 1, 1);
    w.with_rests = true;
    w.populations[0].arrival = STORM_ARRIVAL_EVEN;
    w.populations[0].rate = 0.25;
    w.scenario.duration = 21 * SEC;
    w.policies[0].breaker = (struct storm_breaker){.kind = STORM_BREAKER_CONSECUTIVE,
                                                   .scope = STORM_SCOPE_SHARED,
                                                   .outside = true,
                                                   .consecutive = 2,
                                                   .open_for = 10 * SEC,
                                                   .open_factor = 1,
                                                   .open_longest = STORM_NEVER,
                                                   .probes = 1};
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    /* Births at 0, 4, 8, 12, 16, 20 s: sent, sent (opens), held, held, probe, held. */
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 3);
    assert_int_equal(count_held(&w, STORM_REASON_BREAKER), 3);
    assert_int_equal(count_dead(&w, STORM_REASON_BREAKER), 3);
    assert_int_equal(small_world_count(&w, STORM_FACT_BREAKER, 0), 3);
    assert_int_equal(small_world_fact(&w, STORM_FACT_BREAKER, 0, 0)->level, STORM_BREAKER_OPEN);
    assert_int_equal(small_world_fact(&w, STORM_FACT_BREAKER, 0, 1)->time, 16 * SEC);
    assert_int_equal(small_world_fact(&w, STORM_FACT_BREAKER, 0, 1)->level,
                     STORM_BREAKER_HALF_OPEN);
    assert_int_equal(small_world_fact(&w, STORM_FACT_BREAKER, 0, 2)->level, STORM_BREAKER_OPEN);
    small_world_free(&w);
}

/* Inside the retries, a try that is held back is a failed try: it backs off and asks again. */
static void a_breaker_inside_the_retries_costs_attempts(void **state) {
    (void)state;
    struct small_world w;
    init_down(&w, 1, 5);
    small_world_retry(&w, 5, 1);
    w.policies[0].breaker = (struct storm_breaker){.kind = STORM_BREAKER_CONSECUTIVE,
                                                   .consecutive = 2,
                                                   .open_for = 10 * SEC,
                                                   .open_factor = 1,
                                                   .open_longest = STORM_NEVER,
                                                   .probes = 1};
    small_world_live(&w);
    small_world_expect(&w, "0s outage api 1\n"
                           "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s refused api 1\n"
                           "2s sent api try 2 retry\n"
                           "2s arrived api retry\n"
                           "2s refused api 1 retry\n"
                           "2s breaker api 1\n"
                           "3s held back api try 3 breaker_open retry\n"
                           "4s held back api try 4 breaker_open retry\n"
                           "5s held back api try 5 breaker_open retry\n"
                           "5s dead client 0 in 4s tries 5 status 4 attempts_exhausted since 1s\n");
    small_world_free(&w);
}

/* A retry that the breaker holds back is over for the budget of retries at once: the next one finds
   its place free, and succeeds when a probe is let through. */
static void a_retry_that_was_held_back_takes_no_place(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 10, 1);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 2 * SEC);
    w.policies[0].budget = (struct storm_budget){
        .kind = STORM_BUDGET_CONCURRENCY, .most = 1, .count_backing_off = true};
    w.policies[0].breaker = (struct storm_breaker){.kind = STORM_BREAKER_CONSECUTIVE,
                                                   .consecutive = 1,
                                                   .open_for = 3500 * MS,
                                                   .open_factor = 1,
                                                   .open_longest = STORM_NEVER,
                                                   .probes = 1};
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 2);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 1);
    assert_int_equal(count_held(&w, STORM_REASON_BREAKER), 3);
    small_world_free(&w);
}

/* A throttle that has seen nothing but refusals lets ever fewer attempts out, the first tries
   included. */
static void an_adaptive_throttle_holds_first_attempts_back_too(void **state) {
    (void)state;
    struct small_world w;
    init_down(&w, 1, 1);
    w.populations[0].arrival = STORM_ARRIVAL_EVEN;
    w.populations[0].rate = 100;
    w.policies[0].throttle = (struct storm_throttle){.kind = STORM_THROTTLE_ADAPTIVE,
                                                     .scope = STORM_SCOPE_SHARED,
                                                     .k = 2,
                                                     .padding = 1,
                                                     .most = 1,
                                                     .window = 120 * SEC};
    small_world_live(&w);
    size_t sent = small_world_count(&w, STORM_FACT_SENT, 0);
    size_t held = count_held(&w, STORM_REASON_THROTTLED);
    assert_int_equal(sent + held, 6000);
    assert_true(sent >= 1 && sent < 60); /* about log(6000) of them: 1 - n / (n + 1) each */
    small_world_free(&w);
}

/* gRPC's hedging: a copy every 100 ms, three in all; the first answer ends the call, and the other
   copies are ghosts. */
static void a_hedged_call_takes_the_first_answer(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].workers = 3;
    w.services[0].service_time = small_world_constant(250 * MS);
    w.policies[0].hedge = (struct storm_hedge){.after = 100 * MS, .attempts = 3};
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.1s sent api try 1 retry\n"
                           "1.1s arrived api retry\n"
                           "1.1s started api after 0s retry\n"
                           "1.2s sent api try 1 retry\n"
                           "1.2s arrived api retry\n"
                           "1.2s started api after 0s retry\n"
                           "1.25s served api 200 in 250ms\n"
                           "1.25s succeeded client 0 in 250ms tries 1\n"
                           "1.35s served api 200 in 250ms retry ghost\n"
                           "1.45s served api 200 in 250ms retry ghost\n");
    small_world_free(&w);
}

/* A copy that fails brings the next at once; when all have failed, the policy decides. */
static void a_failed_copy_brings_the_next_at_once(void **state) {
    (void)state;
    struct small_world w;
    init_down(&w, 1, 2);
    small_world_retry(&w, 2, 5);
    w.policies[0].hedge = (struct storm_hedge){.after = 100 * MS, .attempts = 2};
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 4);
    assert_int_equal(small_world_fact(&w, STORM_FACT_SENT, 0, 1)->time, SEC);
    assert_int_equal(small_world_fact(&w, STORM_FACT_SENT, 0, 2)->time, 6 * SEC);
    assert_int_equal(small_world_fact(&w, STORM_FACT_DEAD, 0, 0)->time, 6 * SEC);
    small_world_free(&w);
}

/* With cancel: all, whoever loses the race stops. */
static void the_losers_of_a_race_are_taken_back(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].workers = 3;
    w.services[0].service_time = small_world_constant(250 * MS);
    w.populations[0].call.cancel = STORM_CANCEL_ALL;
    w.policies[0].hedge = (struct storm_hedge){.after = 100 * MS, .attempts = 3};
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_CANCELLED, 0), 2);
    assert_int_equal(small_world_count(&w, STORM_FACT_SERVED, 0), 1);
    small_world_free(&w);
}

/* Three layers; the client waits 1 s. Told when it gives up, the service below starts no work that
   nobody will wait for, and calls nobody after that. */
static void a_deadline_that_is_passed_down_stops_the_work_below(void **state) {
    (void)state;
    for (int told = 0; told < 2; told++) {
        struct small_world w;
        small_world_init(&w);
        uint32_t db = small_world_add_service(&w, "db");
        uint32_t call = small_world_add_call(&w, 0, db);
        uint32_t patient = small_world_add_policy(&w, 10, 0.3);
        w.calls[call].policy = patient;
        small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 60 * SEC);
        w.faults[0].service = db;
        w.populations[0].call.timeout.offset = SEC;
        w.populations[0].call.pass_deadline = told;
        small_world_live(&w);
        /* Refused at 1.1, 1.4, 1.7 and, beyond the client's patience, 2.0 to 3.8 s. */
        assert_int_equal(small_world_count(&w, STORM_FACT_SENT, (uint16_t)db), told ? 3 : 10);
        small_world_free(&w);
    }
}

static void work_that_is_queued_past_a_known_deadline_is_not_started(void **state) {
    (void)state;
    for (int told = 0; told < 2; told++) {
        struct small_world w;
        small_world_init(&w);
        w.populations[0].count = 20; /* two seconds of work, and they wait one */
        w.populations[0].call.timeout.offset = SEC;
        w.populations[0].call.pass_deadline = told;
        small_world_live(&w);
        assert_int_equal(small_world_count(&w, STORM_FACT_EXPIRED, 0), told ? 10 : 0);
        small_world_free(&w);
    }
}

/* T = 10 s, 9.9 s are over, and the next delay is 6.4 s: given up at 9.9 s, at 10 s, or at 16.3 s,
   as the rule has it. */
static void the_four_rules_for_the_total_time_end_at_their_times(void **state) {
    (void)state;
    static const struct {
        enum storm_time_rule rule;
        size_t sent;
        storm_time end; /* after the birth */
    } cases[] = {{STORM_TIME_BEFORE, 1, 9900 * MS},
                 {STORM_TIME_AFTER, 2, 26200 * MS},
                 {STORM_TIME_TRUNCATE, 2, 19900 * MS},
                 {STORM_TIME_INTERRUPT, 1, 10000 * MS}};
    for (size_t i = 0; i < 4; i++) {
        struct small_world w;
        small_world_init(&w);
        small_world_retry(&w, 10, 6.4);
        w.services[0].service_time = small_world_constant(60 * SEC);
        w.populations[0].call.timeout.offset = 9900 * MS;
        w.policies[0].total_time = 10 * SEC;
        w.policies[0].time_rule = (int)cases[i].rule;
        small_world_live(&w);
        assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), cases[i].sent);
        const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
        assert_int_equal(dead->time - dead->since, cases[i].end);
        assert_int_equal(dead->reason, STORM_REASON_TOTAL_TIME);
        small_world_free(&w);
    }
}

/* From 10 s to 20 s the clients go over to a policy without retries, each at its own moment; a
   second later none retries any more. */
static void a_rollout_reaches_every_client_by_its_end(void **state) {
    (void)state;
    struct small_world w;
    init_down(&w, 1000, 2);
    w.populations[0].arrival = STORM_ARRIVAL_EVERY;
    w.populations[0].period = 5 * SEC;
    w.populations[0].spread = STORM_SPREAD_NONE;
    w.scenario.duration = 30 * SEC;
    uint32_t plain = small_world_add_policy(&w, 1, 0);
    uint32_t action = small_world_add_action(&w, STORM_ACTION_ROLLOUT, 10 * SEC, 10 * SEC);
    w.actions[action].population = 0;
    w.actions[action].policy = plain;
    small_world_live(&w);
    uint32_t retries[6] = {0};
    for (size_t i = 0; i < w.fact_count; i++) {
        const struct storm_fact *fact = &w.facts[i];
        if (fact->kind == STORM_FACT_SENT && fact->attempts == 2) {
            retries[fact->time / (5 * SEC)]++;
        }
    }
    assert_int_equal(retries[0], 1000);
    assert_int_equal(retries[1], 1000);
    assert_int_equal(retries[2], 1000);                /* the rollout begins at this instant */
    assert_true(retries[3] > 437 && retries[3] < 563); /* half of them: 4 standard errors */
    assert_int_equal(retries[4], 0);
    assert_int_equal(retries[5], 0);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shared_bucket_of_500_lets_a_hundred_retries_out),
        cmocka_unit_test(a_bucket_for_each_client_does_not_bind_a_herd),
        cmocka_unit_test(a_bucket_for_each_host_is_shared_by_its_clients),
        cmocka_unit_test(retries_at_once_are_counted_with_or_without_their_back_off),
        cmocka_unit_test(a_budget_counts_the_calls_that_began_by_it),
        cmocka_unit_test(a_breaker_around_the_calls_opens_and_probes),
        cmocka_unit_test(a_breaker_inside_the_retries_costs_attempts),
        cmocka_unit_test(a_retry_that_was_held_back_takes_no_place),
        cmocka_unit_test(an_adaptive_throttle_holds_first_attempts_back_too),
        cmocka_unit_test(a_hedged_call_takes_the_first_answer),
        cmocka_unit_test(a_failed_copy_brings_the_next_at_once),
        cmocka_unit_test(the_losers_of_a_race_are_taken_back),
        cmocka_unit_test(a_deadline_that_is_passed_down_stops_the_work_below),
        cmocka_unit_test(work_that_is_queued_past_a_known_deadline_is_not_started),
        cmocka_unit_test(the_four_rules_for_the_total_time_end_at_their_times),
        cmocka_unit_test(a_rollout_reaches_every_client_by_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
