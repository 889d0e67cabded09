/* test_message_queues.c: places of queues and consumers, presets, and what is sent again. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "policy/registry.h"
#include "unit/scenario/rig.h"

#define WORLD                                                                                      \
    RIG_HEAD                                                                                       \
    "consumers:\n"                                                                                 \
    "  mailers: {from: mails, count: 3, retries: lease, calls: {to: orders}}\n"                    \
    "  workers: {from: orders, count: 5, calls: {to: db, timeout: 2s, deadline: 9s}}\n"            \
    "queues:\n"                                                                                    \
    "  orders: {order: fifo, partitions: 4, memory: 10k, on_full: crash, down_for: 3s}\n"          \
    "  mails: {status: 429}\n"                                                                     \
    "clients:\n"                                                                                   \
    "  web: {count: 10, arrivals: {poisson: 45/s}, calls: {to: mails, timeout: 1s}}\n"             \
    "  cron: {count: 7, arrivals: {every: 9s}, calls: {to: api, timeout: 1s}}\n"                   \
    "services:\n"                                                                                  \
    "  api: {workers: 4, service_time: 20ms, calls: [{to: orders}, {to: db}]}\n"                   \
    "  db: {workers: 4, service_time: 20ms}\n"

static void queues_and_consumers_come_last_whatever_the_order_of_the_file(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(WORLD);
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    assert_int_equal(s->service_count, 4);
    assert_int_equal(s->queue_count, 2);
    assert_int_equal(s->population_count, 4);
    assert_string_equal(s->services[2].name, "orders");
    assert_string_equal(s->services[3].name, "mails");
    assert_int_equal(storm_queue_at(s, 1), STORM_NONE);
    assert_int_equal(storm_queue_at(s, 3), 1);
    assert_int_equal(s->queues[0].service, 2);
    assert_int_equal(s->queues[1].service, 3);
    assert_string_equal(s->populations[2].name, "mailers");
    assert_string_equal(s->populations[3].name, "workers");
    assert_int_equal(s->queues[0].consumers, 3);
    assert_int_equal(s->queues[1].consumers, 2);
    assert_int_equal(s->populations[3].queue, 0);
    assert_false(storm_is_consumer(&s->populations[1]));
    assert_true(storm_is_consumer(&s->populations[2]));
    assert_int_equal(s->populations[0].call.to, 3);
    assert_int_equal(s->populations[2].call.to, 2);
    assert_int_equal(s->calls[0].to, 2);
    storm_document_free(d);
}

static void a_queue_has_a_place_with_room_for_everybody(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(WORLD);
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const struct storm_service *place = &s->services[2];
    assert_int_equal(place->workers, STORM_UNLIMITED);
    assert_int_equal(place->queue_limit, STORM_UNLIMITED);
    assert_true(storm_dist_mean(&place->service_time) == 0.0);
    assert_int_equal(place->crash_when, STORM_CRASH_NEVER);
    assert_int_equal(place->crash_kind, STORM_OUTAGE_DOWN);
    assert_int_equal(place->crash_down_for, 3 * STORM_SECOND);
    assert_int_equal(place->full_retry_after, STORM_NEVER);
    assert_int_equal(place->call_count, 0);
    assert_false(place->idempotency.counted);
    assert_int_equal(s->services[3].on_full, 429);
    storm_document_free(d);
}

static void what_a_queue_does_not_say_is_usual(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(WORLD);
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const struct storm_queue *orders = &s->queues[0], *mails = &s->queues[1];
    assert_true(orders->fifo && orders->durable && orders->on_full == STORM_FULL_CRASH);
    assert_int_equal(orders->partitions, 4);
    assert_int_equal(orders->memory, 10000);
    assert_false(mails->fifo);
    assert_int_equal(mails->visibility, 30 * STORM_SECOND);
    assert_int_equal(mails->max_receives, STORM_UNLIMITED);
    assert_int_equal(mails->memory, STORM_UNLIMITED);
    assert_int_equal(mails->count_on, STORM_COUNT_DELIVERIES);
    assert_int_equal(mails->delay, 0);
    const struct storm_population *workers = &s->populations[3];
    assert_int_equal(workers->prefetch, 1);
    assert_int_equal(workers->retries, STORM_RETRIES_IN_PLACE);
    assert_int_equal(workers->restart_time, 10 * STORM_SECOND);
    assert_int_equal(workers->in_time, STORM_NEVER); /* a message has no user who waits */
    assert_int_equal(workers->auto_replay, STORM_NEVER);
    assert_string_equal(workers->dead_letter_queue, "orders.dead");
    assert_int_equal(s->populations[2].retries, STORM_RETRIES_LEASE);
    assert_int_equal(s->populations[0].queue, STORM_NONE);
    storm_document_free(d);
}

static void faults_and_actions_reach_queues_and_consumers(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(WORLD "faults: [{service: mails, kind: down, at: 1s, for: 2s}]\n"
                        "actions:\n"
                        "  - {at: 1s, pause: workers, for: 1s}\n"
                        "  - {at: 2s, clear: orders}\n"
                        "  - {at: 3s, replay: mailers}\n"
                        "  - {at: 4s, rollout: workers, retry: fixed, over: 5s}\n");
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    assert_int_equal(s->faults[0].service, 3);
    assert_int_equal(s->actions[0].population, 3);
    assert_int_equal(s->actions[1].service, 2);
    assert_int_equal(s->actions[2].kind, STORM_ACTION_REPLAY);
    assert_int_equal(s->actions[2].population, 2);
    assert_int_equal(s->actions[3].kind, STORM_ACTION_ROLLOUT);
    assert_int_equal(s->actions[3].population, 3);
    assert_int_equal(s->actions[3].length, 5 * STORM_SECOND);
    storm_document_free(d);
}

static void what_sends_again_has_a_pace(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        WORLD
        "actions:\n"
        "  - {at: 1s, replay: web, rate: 50/s, ramp: 9s, limit: 500, probe: 10, probe_success: "
        "80%, data: true}\n"
        "  - {at: 2s, resend: web}\n"
        "  - {at: 3s, rerun: cron, checkpoint: 100, rate: 9/s}\n");
    const struct storm_action *actions = rig_decode(d, NULL, NULL, NULL)->actions;
    assert_true(actions[0].pace.rate == 50.0 && actions[0].pace.probe_success == 0.8);
    assert_int_equal(actions[0].pace.ramp, 9 * STORM_SECOND);
    assert_int_equal(actions[0].pace.limit, 500);
    assert_int_equal(actions[0].pace.probe, 10);
    assert_true(actions[0].with_data);
    assert_null(actions[0].letters);
    assert_int_equal(actions[1].kind, STORM_ACTION_RESEND);
    assert_true(actions[1].pace.rate == 0.0 && actions[1].pace.probe_success == 0.9);
    assert_int_equal(actions[1].pace.limit, STORM_UNLIMITED);
    assert_int_equal(actions[1].pace.probe, 0);
    assert_int_equal(actions[2].kind, STORM_ACTION_RERUN);
    assert_int_equal(actions[2].checkpoint, 100);
    assert_int_equal(actions[1].checkpoint, 0);
    storm_document_free(d);
}

/* After a set the calls may name other policies; those of rollouts stay where they were. */
static void policies_of_rollouts_keep_their_places(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(RIG_HEAD "policies: {app: {delay: fixed}}\n"
                           "clients:\n"
                           "  web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, retry: "
                           "full-jitter}}\n" RIG_SERVICES "actions:\n"
                           "  - {at: 1s, set: {clients.web.calls.retry: linear}}\n"
                           "  - {at: 2s, rollout: web, retry: equal-jitter, over: 5s}\n"
                           "  - {at: 3s, rollout: web, retry: app, over: 5s}\n");
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const struct storm_scenario *after = s->actions[0].after;
    uint32_t policy = s->actions[1].policy;
    assert_int_equal(policy, 1);
    assert_string_equal(s->policies[policy].name, "equal-jitter");
    assert_string_equal(after->policies[policy].name, "equal-jitter");
    assert_string_equal(s->policies[s->populations[0].call.policy].name, "full-jitter");
    assert_string_equal(after->policies[after->populations[0].call.policy].name, "linear");
    assert_int_equal(s->actions[2].policy, 0);
    storm_document_free(d);
}

static void a_policy_starts_from_a_preset(void **state) {
    (void)state;
    const struct policy_preset *preset = policy_preset_find("aws-sdk-standard");
    assert_non_null(preset);
    struct storm_document *d = rig_parse(
        RIG_HEAD "policies: {app: {preset: aws-sdk-standard, attempts: 7, give_up_on: "
                 "[429], budget: {cost: 3}}}\n"
                 "clients:\n"
                 "  web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, retry: app}}\n"
                 "  two: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, retry: "
                 "aws-sdk-standard}}\n" RIG_SERVICES);
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const struct storm_policy *app = &s->policies[0];
    const struct storm_policy *whole = &s->policies[s->populations[1].call.policy];
    assert_string_equal(app->name, "app");
    assert_string_equal(app->headline, "aws-sdk-standard");
    assert_int_equal(app->attempts, 7);
    assert_true(app->delay.cap == preset->policy.delay.cap);
    assert_int_equal(app->budget.kind, preset->policy.budget.kind);
    assert_true(app->budget.capacity == preset->policy.budget.capacity);
    assert_true(app->budget.cost == 3.0);
    assert_int_equal(app->class_count, preset->policy.class_count + 1);
    assert_int_equal(whole->attempts, preset->policy.attempts);
    assert_string_equal(rig_setting(d, s, "policies.app.preset"), "aws-sdk-standard");
    assert_null(rig_setting(d, s, "policies.app.delay"));
    assert_string_equal(rig_setting(d, s, "clients.two.calls.retry.preset"), "aws-sdk-standard");
    storm_document_free(d);
}

/* A status that a preset has in a list is overridden like any other setting, but not twice. */
static void a_status_of_a_preset_may_change_its_list(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        RIG_HEAD
        "policies: {app: {preset: aws-sdk-standard, retry_on: [408]}}\n" RIG_CLIENTS RIG_SERVICES);
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    assert_string_equal(rig_setting(d, s, "policies.app.give_up_on"), "[]");
    assert_string_equal(rig_setting(d, s, "policies.app.retry_on"), "[408]");
    struct storm_errors errors = rig_refuse(d, NULL, "policies.app.give_up_on", "[408]");
    assert_string_equal(errors.list[0].message,
                        "policies.app.give_up_on.0: '408' is in retry_on already");
    storm_document_free(d);
}

static void a_name_of_ones_own_comes_before_a_preset(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(RIG_HEAD "policies: {envoy-default: {delay: fixed, attempts: 9}}\n"
                           "clients:\n"
                           "  web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, retry: "
                           "envoy-default}}\n" RIG_SERVICES);
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    assert_int_equal(s->populations[0].call.policy, 0);
    assert_int_equal(s->policies[0].attempts, 9);
    storm_document_free(d);
}

static void idempotency_may_be_a_word(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum storm_idempotency_mode mode;
        bool counted, waits;
    } rows[] = {
        {"none", STORM_IDEMPOTENCY_NONE, true, true},
        {"reject_409", STORM_IDEMPOTENCY_REJECT, true, true},
        {"{}", STORM_IDEMPOTENCY_STORE_AND_RETURN, true, true},
        {"{mode: none, in_progress: 409}", STORM_IDEMPOTENCY_NONE, true, false},
    };
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    const struct storm_idempotency *rule =
        &rig_decode(d, NULL, NULL, NULL)->services[0].idempotency;
    assert_false(rule->counted);
    assert_int_equal(rule->mode, STORM_IDEMPOTENCY_NONE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rule =
            &rig_decode(d, NULL, "services.api.idempotency", rows[i].text)->services[0].idempotency;
        assert_int_equal(rule->mode, rows[i].mode);
        assert_int_equal(rule->counted, rows[i].counted);
        assert_int_equal(rule->in_progress_waits, rows[i].waits);
        assert_int_equal(rule->key, STORM_KEY_MSG_ID);
        assert_int_equal(rule->numbers, 10000);
        assert_int_equal(rule->retention, STORM_NEVER);
        assert_int_equal(rule->retention_count, STORM_UNLIMITED);
    }
    storm_document_free(d);
}

static void dead_letters_are_kept_and_told_of(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        WORLD "dead_letters:\n"
              "  orders.dead: {retention: 14d, archive: true, alerts: [{depth: 0}, {growth: "
              "10, within: 1m}]}\n"
              "  web: {alerts: [{age: 1h}, {unreviewed: 24h}]}\n"
              "variants: {short: {dead_letters.orders.dead.retention: 1d}}\n");
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    assert_int_equal(s->letter_queue_count, 1);
    assert_string_equal(s->letter_queues[0].name, "orders.dead");
    assert_true(s->letter_queues[0].archive);
    assert_int_equal(s->alert_count, 4);
    assert_int_equal(s->alerts[0].kind, STORM_ALERT_DEPTH);
    assert_true(s->alerts[0].count == 0.0);
    assert_int_equal(s->alerts[1].kind, STORM_ALERT_GROWTH);
    assert_true(s->alerts[1].count == 10.0);
    assert_int_equal(s->alerts[1].time, 60 * STORM_SECOND);
    assert_string_equal(s->alerts[2].queue, "web");
    assert_int_equal(s->alerts[2].kind, STORM_ALERT_AGE);
    assert_int_equal(s->alerts[3].time, 86400 * STORM_SECOND);
    s = rig_decode(d, "short", NULL, NULL);
    assert_int_equal(s->letter_queues[0].retention, 86400 * STORM_SECOND);
    storm_document_free(d);
}

static void what_is_live_of_queues_and_consumers_may_be_set(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        WORLD "actions: [{at: 9s, set: {queues.orders.visibility: 9s, queues.mails.max_receives: 3,"
              " consumers.workers.calls.timeout: 5s}}]\n");
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const struct storm_scenario *after = s->actions[0].after;
    assert_int_equal(after->service_count, s->service_count);
    assert_int_equal(after->population_count, s->population_count);
    assert_int_equal(after->queues[0].visibility, 9 * STORM_SECOND);
    assert_int_equal(after->queues[1].max_receives, 3);
    assert_int_equal(after->populations[3].call.timeout.offset, 5 * STORM_SECOND);
    assert_int_equal(after->populations[3].in_time, STORM_NEVER);
    assert_int_equal(s->queues[0].visibility, 30 * STORM_SECOND);
    storm_document_free(d);
}

static void there_is_room_for_so_many_and_no_more(void **state) {
    (void)state;
    static char text[1 << 16];
    struct storm_errors errors = {.count = 0};
    for (int count = 63; count <= 64; count++) {
        size_t used =
            (size_t)sprintf(text, RIG_HEAD RIG_SERVICES "clients: {web: {count: 1, "
                                                        "arrivals: {poisson: 1/s}, calls: "
                                                        "{to: q0}}}\nqueues:\n");
        for (int i = 0; i < count; i++)
            used += (size_t)sprintf(text + used, "  q%d: {}\n", i);
        used += (size_t)sprintf(text + used, "consumers:\n");
        for (int i = 0; i < count; i++)
            used += (size_t)sprintf(text + used, "  c%d: {from: q%d, count: 1, calls: {to: api}}\n",
                                    i, i);
        struct storm_document *d = rig_parse(text);
        assert_true((storm_document_decode(d, NULL, NULL, 0, &errors) != NULL) == (count == 63));
        storm_document_free(d);
    }
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.list[0].message, "more than 64 populations, clients included");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_and_consumers_come_last_whatever_the_order_of_the_file),
        cmocka_unit_test(a_queue_has_a_place_with_room_for_everybody),
        cmocka_unit_test(what_a_queue_does_not_say_is_usual),
        cmocka_unit_test(faults_and_actions_reach_queues_and_consumers),
        cmocka_unit_test(what_sends_again_has_a_pace),
        cmocka_unit_test(policies_of_rollouts_keep_their_places),
        cmocka_unit_test(a_policy_starts_from_a_preset),
        cmocka_unit_test(a_status_of_a_preset_may_change_its_list),
        cmocka_unit_test(a_name_of_ones_own_comes_before_a_preset),
        cmocka_unit_test(idempotency_may_be_a_word),
        cmocka_unit_test(dead_letters_are_kept_and_told_of),
        cmocka_unit_test(what_is_live_of_queues_and_consumers_may_be_set),
        cmocka_unit_test(there_is_room_for_so_many_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
