/* test_actions.c: what operators do, and the scenarios that their settings leave behind. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "unit/scenario/rig.h"

#define WORLD                                                                                      \
    RIG_HEAD                                                                                       \
    "policies: {app: {delay: fixed, base: 1s}}\n"                                                  \
    "clients:\n"                                                                                   \
    "  web: {count: 10, arrivals: {poisson: 45/s}, calls: {to: api, timeout: 2s, retry: app}}\n"   \
    "  cron: {count: 10, arrivals: {closed: {think: 1s}}, calls: {to: api, retry: {delay: "        \
    "fixed}}}\n"                                                                                   \
    "services:\n"                                                                                  \
    "  api: {workers: 4, service_time: 20ms, calls: [{to: db, timeout: 1s}]}\n"                    \
    "  db: {workers: 4, service_time: 20ms, queue: {limit: 9}}\n"

static void each_kind_of_action_has_what_it_needs(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(WORLD "actions:\n"
                        "  - {at: 9s, pause: all}\n"
                        "  - {at: 1s, pause: cron, for: 30s}\n"
                        "  - {at: 2s, block: web, service: api, for: 3s, status: 429}\n"
                        "  - {at: 3s, clear: db}\n"
                        "  - {at: 4s, admit: 200/s, service: db}\n"
                        "  - {at: 5s, set: {services.api.workers: 8}}\n");
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const struct storm_action *actions = s->actions;
    assert_int_equal(s->action_count, 6);
    assert_int_equal(actions[0].kind, STORM_ACTION_PAUSE);
    assert_int_equal(actions[0].at, 9 * STORM_SECOND);
    assert_int_equal(actions[0].length, STORM_NEVER);
    assert_int_equal(actions[0].population, STORM_NONE);
    assert_int_equal(actions[1].population, 1);
    assert_int_equal(actions[1].length, 30 * STORM_SECOND);
    assert_int_equal(actions[2].kind, STORM_ACTION_BLOCK);
    assert_int_equal(actions[2].population, 0);
    assert_int_equal(actions[2].service, 0);
    assert_int_equal(actions[2].status, 429);
    assert_int_equal(actions[3].kind, STORM_ACTION_CLEAR);
    assert_int_equal(actions[3].service, 1);
    assert_int_equal(actions[4].kind, STORM_ACTION_ADMIT);
    assert_true(actions[4].rate == 200.0);
    assert_int_equal(actions[4].status, 503);
    assert_int_equal(actions[4].service, 1);
    assert_null(actions[4].after);
    assert_int_equal(actions[5].kind, STORM_ACTION_SET);
    assert_string_equal(actions[5].settings, "services.api.workers: 8");
    assert_int_equal(actions[5].after->services[0].workers, 8);
    assert_int_equal(s->services[0].workers, 4);
    assert_int_equal(actions[5].after->action_count, 0);
    storm_document_free(d);
}

static void settings_add_up_in_the_order_of_their_times(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(WORLD "actions:\n"
                        "  - {at: 9s, set: {services.api.workers: 9}}\n"
                        "  - {at: 1s, set: {services.api.workers: 1, services.db.on_full: drop}}\n"
                        "  - {at: 5s, set: {policies.app.base: 3s}}\n"
                        "  - {at: 5s, set: {policies.app.base: 4s}}\n");
    const struct storm_action *actions = rig_decode(d, NULL, NULL, NULL)->actions;
    const struct storm_scenario *first = actions[1].after;
    const struct storm_scenario *second = actions[2].after;
    const struct storm_scenario *third = actions[3].after;
    const struct storm_scenario *last = actions[0].after;
    assert_int_equal(first->services[0].workers, 1);
    assert_int_equal(first->services[1].on_full, 0);
    assert_true(first->policies[0].delay.base == 1.0);
    assert_true(second->policies[0].delay.base == 3.0 && second->services[0].workers == 1);
    assert_true(third->policies[0].delay.base ==
                4.0); /* of two at one time the later in the list */
    assert_int_equal(last->services[0].workers, 9);
    assert_int_equal(last->services[1].on_full, 0);
    assert_true(last->policies[0].delay.base == 4.0);
    storm_document_free(d);
}

static void users_stay_as_patient_as_they_were(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(WORLD "actions: [{at: 9s, set: {clients.web.calls.timeout: 9s}}]\n");
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const struct storm_population *web = &s->actions[0].after->populations[0];
    assert_int_equal(web->call.timeout.offset, 9 * STORM_SECOND);
    assert_int_equal(web->in_time, 2 * STORM_SECOND);
    storm_document_free(d);
}

static void what_is_live_may_be_set(void **state) {
    (void)state;
    static const char *const rows[] = {
        "policies.app.base: 2s",
        "policies.app: {delay: full-jitter}",
        "policies.app.retry_on: [409]",
        "clients.web.calls.timeout: {exponential: 2s}",
        "clients.web.calls.deadline: 2s",
        "clients.web.calls.network: 1ms",
        "clients.web.calls.loss: 1%",
        "clients.web.calls.cancel: all",
        "clients.web.calls.late_reply: accept",
        "clients.web.calls.retry: full-jitter",
        "clients.web.calls.retry: {delay: linear}",
        "clients.cron.calls.retry.base: 9s",
        "clients.web.arrivals.poisson: 9/s",
        "clients.cron.arrivals.closed.think: {exponential: 3s}",
        "services.api.workers: 9",
        "services.api.service_time: 9ms",
        "services.api.queue.limit: 9",
        "services.api.queue: {order: lifo, drop_expired: true}",
        "services.api.on_full: drop",
        "services.api.reject_time: 1ms",
        "services.api.slowdown.per_concurrent: 2%",
        "services.api.errors: {503: 10%}",
        "services.api.errors.503: 10%",
        "services.api.rate_limit: {rate: 9/s}",
        "services.api.calls.0.timeout: none",
        "services.api.calls.0.retry: fixed",
    };
    struct storm_document *d = rig_parse(WORLD "actions: [{at: 9s, set: {services.api.workers: "
                                               "1}}]\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char map[128];
        snprintf(map, sizeof map, "{%s}", rows[i]);
        const struct storm_scenario *s = rig_decode(d, NULL, "actions.0.set", map);
        assert_non_null(s->actions[0].after);
        assert_string_equal(s->actions[0].settings, rows[i]);
    }
    storm_document_free(d);
}

static void what_is_not_live_may_not(void **state) {
    (void)state;
    static const char *const paths[] = {
        "duration",
        "seed",
        "policies",
        "clients",
        "clients.web",
        "clients.web.count",
        "clients.web.calls",
        "clients.web.calls.to",
        "clients.web.arrivals",
        "clients.web.arrivals.at",
        "clients.web.arrivals.rate",
        "clients.web.share.app",
        "clients.web.message.poison",
        "clients.web.in_time",
        "services.api",
        "services.api.hold",
        "services.api.sharing",
        "services.api.fan_out",
        "services.api.crash.down_for",
        "services.api.recovery.time",
        "services.api.calls",
        "services.api.calls.0",
        "services.api.calls.0.to",
        "services.new",
        "faults.0.at",
        "actions.0.at",
        "expect.0.metric",
    };
    struct storm_document *d = rig_parse(WORLD "actions: [{at: 9s, set: {services.api.workers: "
                                               "1}}]\n");
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char map[128], message[160];
        snprintf(map, sizeof map, "{%s: 1}", paths[i]);
        snprintf(message, sizeof message, "actions.0.set: '%s' cannot change during a run",
                 paths[i]);
        struct storm_errors errors = rig_refuse(d, NULL, "actions.0.set", map);
        assert_int_equal(errors.count, 1);
        assert_string_equal(errors.list[0].message, message);
        assert_true(strncmp(errors.list[0].suggestion, "live are ", 9) == 0);
    }
    storm_document_free(d);
}

static void a_path_that_is_none_says_what_was_meant(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"services.api.wrokers", "services.api.wrokers: unknown setting",
         "did you mean 'workers'?"},
        {"services.apo.workers", "services: has no 'apo'", "did you mean 'api'?"},
        {"policies.new", "actions.0.set: there is no 'policies.new'",
         "name one that is there already"},
        {"clients.web.calls.retry.base",
         "clients.web.calls.retry: is 'app', so there is no 'base' in it",
         "set it whole, as a map: {...}"},
        {"services.api.calls.1.timeout", "services.api.calls: has no item '1'",
         "its items are numbered 0 to 0"},
        {"clients.web.arrivals.even", "clients.web.arrivals: says more than one thing",
         "write one"},
    };
    struct storm_document *d = rig_parse(WORLD "actions: [{at: 9s, set: {services.api.workers: "
                                               "1}}]\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char map[128];
        snprintf(map, sizeof map, "{%s: 1/s}", rows[i][0]);
        struct storm_errors errors = rig_refuse(d, NULL, "actions.0.set", map);
        assert_string_equal(errors.list[0].message, rows[i][1]);
        assert_true(strncmp(errors.list[0].suggestion, rows[i][2], strlen(rows[i][2])) == 0);
    }
    storm_document_free(d);
}

static void an_action_does_one_thing_and_has_its_keys(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"{at: 1s}", "actions.0: does nothing"},
        {"{at: 1s, pause: all, clear: api}", "actions.0: does more than one thing"},
        {"{pause: all}", "actions.0.at: is missing"},
        {"{at: 1s, pause: wep}", "actions.0.pause: there is no population 'wep'"},
        {"{at: 1s, block: all}", "actions.0.service: is missing"},
        {"{at: 1s, admit: 3/s}", "actions.0.service: is missing"},
        {"{at: 1s, clear: api, for: 3s}", "actions.0.for: means nothing for this kind of action"},
        {"{at: 1s, pause: all, service: api}",
         "actions.0.service: means nothing for this kind of action"},
        {"{at: 1s, pause: all, status: 503}",
         "actions.0.status: means nothing for this kind of action"},
        {"{at: 1s, set: {}}", "actions.0.set: is empty; it must be a map of settings by path"},
        {"{at: 1s, set: [a]}", "actions.0.set: must be a map of settings by path, not a list"},
        {"{at: 1s, set: {services.api.workers: many}}",
         "services.api.workers: must be a whole number, not 'many'"},
    };
    struct storm_document *d = rig_parse(WORLD "actions: [{at: 9s, pause: all}]\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm_errors errors = rig_refuse(d, NULL, "actions.0", rows[i][0]);
        assert_int_equal(errors.count, 1);
        assert_string_equal(errors.list[0].message, rows[i][1]);
    }
    storm_document_free(d);
}

static void a_variant_and_an_action_have_the_same_errors(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(RIG_HEAD RIG_CLIENTS
                  "services: {api: {workers: 4, service_time: 1s, queue: {limit: 9}, crash: {when: "
                  "queue_full, down_for: 1s}}}\n"
                  "actions: [{at: 1s, set: {services.api.queue.limit: 8}}]\n");
    struct storm_errors variant = rig_refuse(d, NULL, "services.api.queue.limit", "unlimited");
    struct storm_errors action =
        rig_refuse(d, NULL, "actions.0.set", "{services.api.queue.limit: unlimited}");
    assert_string_equal(variant.list[0].message, "its queue is never full");
    assert_string_equal(action.list[0].message, variant.list[0].message);
    storm_document_free(d);
}

/* The largest number of actions that change settings, of a large scenario. */
static void many_actions_stay_within_the_memory(void **state) {
    (void)state;
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    strcpy(text, RIG_HEAD RIG_CLIENTS "services:\n  api: {}\n");
    for (int i = 1; i < STORM_SERVICES_MAX; i++) {
        sprintf(text + strlen(text), "  s%d: {calls: [", i);
        for (int k = 0; k < 15; k++)
            strcat(text + strlen(text), "{to: api}, ");
        strcat(text + strlen(text), "]}\n");
    }
    strcat(text + strlen(text), "actions:\n");
    for (int i = 0; i < STORM_ACTIONS_MAX; i++)
        sprintf(text + strlen(text), "  - {at: %ds, set: {services.api.workers: %d}}\n", i, i + 1);
    struct storm_document *d = rig_parse(text);
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    for (uint32_t i = 0; i < STORM_ACTIONS_MAX; i++)
        assert_int_equal(s->actions[i].after->services[0].workers, i + 1);
    storm_document_free(d);
    strcat(text + strlen(text), "  - {at: 1s, pause: all}\n");
    d = rig_parse(text);
    assert_string_equal(rig_refuse(d, NULL, NULL, NULL).list[0].message, "more than 64 actions");
    storm_document_free(d);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_action_has_what_it_needs),
        cmocka_unit_test(settings_add_up_in_the_order_of_their_times),
        cmocka_unit_test(users_stay_as_patient_as_they_were),
        cmocka_unit_test(what_is_live_may_be_set),
        cmocka_unit_test(what_is_not_live_may_not),
        cmocka_unit_test(a_path_that_is_none_says_what_was_meant),
        cmocka_unit_test(an_action_does_one_thing_and_has_its_keys),
        cmocka_unit_test(a_variant_and_an_action_have_the_same_errors),
        cmocka_unit_test(many_actions_stay_within_the_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
