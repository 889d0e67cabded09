/* test_world.c: each setting of calls, clients, services and faults, with its exact value. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "unit/scenario/rig.h"

/* A decoding that must fail, and how its first message ends. */
static void check_refused(struct storm_document *d, const char *path, const char *value,
                          const char *message) {
    struct storm_errors errors = rig_refuse(d, NULL, path, value);
    const char *said = errors.list[0].message;
    size_t length = strlen(message);
    bool is_said = strlen(said) >= length && strcmp(said + strlen(said) - length, message) == 0;
    if (!is_said) /* where the place is the override's, the path comes first */
        fail_msg("%s=%s: '%s' instead of '%s'", path, value, said, message);
}

static void the_new_settings_have_their_defaults(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(RIG_HEAD RIG_CLIENTS "services: {api: {}}\n"
                                       "faults: [{service: api, kind: down, at: 1s, for: 1s}]\n");
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const struct storm_population *web = &s->populations[0];
    assert_int_equal(web->call.timeout.law, STORM_LAW_CONSTANT);
    assert_int_equal(web->call.timeout.offset, STORM_NEVER);
    assert_true(web->call.loss == 0.0 && web->poison == 0.0 && web->missing == 0.0);
    assert_int_equal(web->call.cancel, STORM_CANCEL_NONE);
    assert_int_equal(web->call.late_reply, STORM_LATE_IGNORE);
    assert_int_equal(web->fleet_count, 0);
    assert_int_equal(web->point_count, 0);
    assert_null(web->series);
    assert_int_equal(web->think.law, STORM_LAW_CONSTANT);
    const struct storm_service *api = &s->services[0];
    assert_true(api->hold);
    assert_false(api->sharing || api->fan_out || api->optimistic_lock || api->drop_expired);
    assert_int_equal(api->on_full, 503);
    assert_int_equal(api->reject_time, 0);
    assert_true(api->slowdown == 0.0 && api->limit_rate == 0.0);
    assert_int_equal(api->limit_burst, 1);
    assert_int_equal(api->limit_status, 429);
    assert_int_equal(api->retry_after, STORM_RETRY_AFTER_NONE);
    assert_int_equal(s->faults[0].period, 0);
    assert_int_equal(s->faults[0].lost, STORM_LOST_USUAL);
    assert_true(s->faults[0].loss == 0.0);
    assert_int_equal(s->action_count, 0);
    const struct storm_policy *none = &s->policies[web->call.policy];
    assert_true(none->persist == 1.0);
    assert_int_equal(none->class_count, 0);
    storm_document_free(d);
}

static void a_call_has_losses_and_ways_to_end(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    const char *path = "clients.web.calls";
    const struct storm_edge *call =
        &rig_decode(d, NULL, path,
                    "{to: api, timeout: {exponential: 2s}, loss: 2.5%, cancel: waiting, "
                    "late_reply: accept}")
             ->populations[0]
             .call;
    assert_int_equal(call->timeout.law, STORM_LAW_EXPONENTIAL);
    assert_true(call->timeout.a == 2.0 && call->loss == 0.025);
    assert_int_equal(storm_edge_timeout(call), 2 * STORM_SECOND);
    assert_int_equal(call->cancel, STORM_CANCEL_WAITING);
    assert_int_equal(call->late_reply, STORM_LATE_ACCEPT);
    call = &rig_decode(d, NULL, path, "{to: api, timeout: none, cancel: all}")->populations[0].call;
    assert_int_equal(call->timeout.offset, STORM_NEVER);
    assert_int_equal(call->cancel, STORM_CANCEL_ALL);
    check_refused(d, "clients.web.calls.timeout", "0s", "must be more than 0, not '0s'");
    check_refused(d, "clients.web.calls.timeout", "{constant: 0s}", "must be more than 0");
    check_refused(d, "clients.web.calls.timeout", "{uniform: {low: 0s, high: 0s}}",
                  "must be more than 0");
    check_refused(d, "clients.web.calls.network", "none", "must be a duration, not 'none'");
    check_refused(d, "clients.web.calls.loss", "101%", "must be at most 100%, not '101%'");
    storm_document_free(d);
}

static void in_time_follows_the_mean_of_a_random_timeout(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    const char *path = "clients.web.calls.timeout";
    const struct storm_scenario *s = rig_decode(d, NULL, path, "{uniform: {low: 1s, high: 3s}}");
    assert_int_equal(s->populations[0].in_time, 2 * STORM_SECOND);
    s = rig_decode(d, NULL, path, "{pareto: {least: 1s, shape: 1}}");
    assert_int_equal(s->populations[0].in_time, STORM_NEVER);
    storm_document_free(d);
}

static void clients_may_have_policies_of_their_own(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(RIG_HEAD "policies: {app: {delay: fixed}}\n" RIG_CLIENTS RIG_SERVICES);
    const char *path = "clients.web.share";
    const struct storm_scenario *s = rig_decode(d, NULL, path, "{app: 30%, full-jitter: 20%}");
    const struct storm_population *web = &s->populations[0];
    assert_int_equal(web->fleet_count, 2);
    assert_int_equal(web->fleets[0].policy, 0);
    assert_true(web->fleets[0].share == 0.3 && web->fleets[1].share == 0.2);
    assert_string_equal(s->policies[web->fleets[1].policy].headline, "full-jitter");
    check_refused(d, path, "{app: 60%, full-jitter: 41%}", "the shares come to more than 100%");
    check_refused(d, path, "{ap: 60%}", "there is no policy 'ap'");
    check_refused(d, path, "{app: 60}", "'60' has no unit");
    check_refused(d, path, "app", "must be a map of policies to shares, not 'app'");
    check_refused(d, path,
                  "{app: 1%, no-retry: 1%, no-backoff: 1%, fixed: 1%, linear: 1%, exponential: 1%, "
                  "full-jitter: 1%, equal-jitter: 1%, additive-jitter: 1%}",
                  "more than 8 policies");
    storm_document_free(d);
}

static void messages_may_be_bad(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    const struct storm_population *web =
        &rig_decode(d, NULL, "clients.web.message", "{poison: 0.1%, missing: 99.9%}")
             ->populations[0];
    assert_true(web->poison == 0.001 && web->missing == 0.999);
    check_refused(d, "clients.web.message", "{poison: 50%, missing: 51%}",
                  "the shares come to more than 100%");
    storm_document_free(d);
}

static void arrivals_come_in_six_kinds(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    const char *path = "clients.web.arrivals";
    const struct storm_population *web = rig_decode(d, NULL, path, "{at: 30s}")->populations;
    assert_int_equal(web->arrival, STORM_ARRIVAL_AT);
    assert_int_equal(web->spread, STORM_SPREAD_NONE);
    web = rig_decode(d, NULL, path, "{at: 30s, spread: 500ms}")->populations;
    assert_int_equal(web->spread, STORM_SPREAD_WITHIN);
    assert_int_equal(web->spread_time, 500 * STORM_MILLISECOND);
    web = rig_decode(d, NULL, path, "{every: 30s}")->populations;
    assert_int_equal(web->spread, STORM_SPREAD_EVEN);
    web = rig_decode(d, NULL, path, "{closed: {think: {exponential: 5s}}}")->populations;
    assert_int_equal(web->arrival, STORM_ARRIVAL_CLOSED);
    assert_int_equal(web->think.law, STORM_LAW_EXPONENTIAL);
    assert_true(web->think.a == 5.0);
    web = rig_decode(d, NULL, path, "{rate: [[0s, 100/s], [1m, 1.2k/s]]}")->populations;
    assert_int_equal(web->arrival, STORM_ARRIVAL_RATE);
    assert_int_equal(web->point_count, 2);
    assert_null(web->series);
    assert_int_equal(web->points[1].at, 60 * STORM_SECOND);
    assert_true(web->points[0].rate == 100.0 && web->points[1].rate == 1200.0);
    check_refused(d, path, "{at: 30s, spread: even}", "'even' goes with every only");
    check_refused(d, path, "{closed: {}}", "is missing");
    check_refused(d, path, "{rate: [], at: 3s}", "is empty; it must be a list of times and rates");
    check_refused(d, path, "{rate: [[0s, 0/s], [1s, 0/s]]}", "all rates are 0");
    check_refused(d, path, "{rate: [[1s, 1/s], [1s, 2/s]]}",
                  "must be later than the point before it");
    check_refused(d, path, "{rate: [[1s, 1/s, 2/s]]}", "has 3 items; it must be a time and a rate");
    check_refused(d, path, "{rate: [[1s, 1]]}", "'1' has no unit");
    storm_document_free(d);
}

static void one_more_than_a_hundred_thousand_points_is_refused(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        char *text = malloc(4 << 20);
        assert_non_null(text);
        size_t used = (size_t)sprintf(text, RIG_HEAD RIG_SERVICES
                                      "clients: {web: {count: 1, calls: {to: api}, arrivals: "
                                      "{rate: [");
        for (int i = 0; i < STORM_RATE_POINTS_MAX + more; i++)
            used += (size_t)sprintf(text + used, "[%ds, 1/s],\n", i);
        strcpy(text + used, "]}}}\n");
        struct storm_document *d = rig_parse(text);
        if (more == 0) {
            const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
            const struct storm_rate_point *points = s->populations[0].points;
            assert_int_equal(s->populations[0].point_count, STORM_RATE_POINTS_MAX);
            /* Decoding again shares the points instead of reading them again. */
            assert_ptr_equal(rig_decode(d, NULL, "runs", "3")->populations[0].points, points);
        } else {
            assert_string_equal(rig_refuse(d, NULL, NULL, NULL).list[0].message,
                                "more than 100000 points");
        }
        storm_document_free(d);
        free(text);
    }
}

static void a_service_has_all_it_is_given(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        RIG_HEAD RIG_CLIENTS
        "services:\n"
        "  api: {workers: 4, sharing: true, queue: {limit: 3}, on_full: drop, reject_time: 2ms,\n"
        "        rate_limit: {rate: 6/m, burst: 7, status: 503, retry_after: 2s},\n"
        "        slowdown: {per_concurrent: 1.5%}, hold: false, fan_out: true,\n"
        "        calls: [{to: db}]}\n"
        "  db: {optimistic_lock: true, queue: {drop_expired: true},\n"
        "       rate_limit: {rate: 5/s, retry_after: personal}}\n");
    const struct storm_service *api = rig_decode(d, NULL, NULL, NULL)->services;
    const struct storm_service *db = api + 1;
    assert_true(api->sharing && api->fan_out && !api->hold);
    assert_int_equal(api->on_full, 0);
    assert_int_equal(api->reject_time, 2 * STORM_MILLISECOND);
    assert_true(api->limit_rate == 0.1 && api->slowdown == 0.015);
    assert_int_equal(api->limit_burst, 7);
    assert_int_equal(api->limit_status, 503);
    assert_int_equal(api->retry_after, STORM_RETRY_AFTER_CONSTANT);
    assert_int_equal(api->retry_after_time, 2 * STORM_SECOND);
    assert_true(db->optimistic_lock && db->drop_expired && db->hold);
    assert_int_equal(db->retry_after, STORM_RETRY_AFTER_PERSONAL);
    check_refused(d, "services.api.optimistic_lock", "true", "does not go with calls");
    check_refused(d, "services.api.queue.order", "lifo",
                  "where all are served at once, nobody waits in order");
    check_refused(d, "services.api.queue.drop_expired", "true",
                  "where all are served at once, nobody waits to be dropped");
    check_refused(d, "services.api.workers", "unlimited", "unlimited workers need not be shared");
    check_refused(d, "services.api.rate_limit", "{burst: 3}", "is missing");
    check_refused(d, "services.api.on_full", "droop", "must be an HTTP status, not 'droop'");
    storm_document_free(d);
}

static void a_policy_says_what_it_tries_again(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        RIG_HEAD "policies: {app: {delay: fixed, persist: 90%}}\n" RIG_CLIENTS RIG_SERVICES);
    const struct storm_policy *app =
        rig_decode(d, NULL, "policies.app",
                   "{delay: fixed, success_on: [409], retry_on: [404, timeout, refused], "
                   "give_up_on: [503, reset], hint: ignore, head_only: true}")
            ->policies;
    static const struct storm_class_row rows[] = {
        {404, STORM_CLASS_RETRY}, {STORM_OUTCOME_TIMEOUT, STORM_CLASS_RETRY},
        {1, STORM_CLASS_RETRY},   {503, STORM_CLASS_GIVE_UP},
        {2, STORM_CLASS_GIVE_UP}, {409, STORM_CLASS_SUCCESS},
    };
    assert_int_equal(app->class_count, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(app->classes[i].status, rows[i].status);
        assert_int_equal(app->classes[i].class, rows[i].class);
    }
    assert_true(app->head_only && app->persist == 1.0);
    assert_int_equal(app->hint.rule, STORM_HINT_IGNORE);
    assert_true(rig_decode(d, NULL, NULL, NULL)->policies[0].persist == 0.9);
    check_refused(d, "policies.app.success_on", "[timeout]",
                  "must be an HTTP status, not 'timeout'");
    check_refused(d, "policies.app.retry_on", "[409, 409]", "'409' is in retry_on already");
    check_refused(d, "policies.app.retry_on", "[99]", "must be at least 100, not '99'");
    check_refused(d, "policies.app.retry_on", "[600]", "must be at most 599, not '600'");
    check_refused(d, "policies.app.give_up_on", "503", "must be a list of statuses, not '503'");
    check_refused(d, "policies.app.retry_on",
                  "[400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, "
                  "415, 416]",
                  "more than 16 statuses in the four lists");
    storm_document_free(d);
}

static void a_fault_may_come_again_and_be_in_the_network(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES
                  "faults:\n"
                  "  - {service: api, kind: hang, at: 1s, for: 2s, every: 2s, lost: kept}\n"
                  "  - {service: api, kind: network, at: 1s, for: 2s, latency: 30ms, loss: 5%}\n");
    const struct storm_fault *faults = rig_decode(d, NULL, NULL, NULL)->faults;
    assert_int_equal(faults[0].period, 2 * STORM_SECOND);
    assert_int_equal(faults[0].lost, STORM_LOST_KEPT);
    assert_int_equal(faults[1].kind, STORM_FAULT_NETWORK);
    assert_int_equal(faults[1].latency.offset, 30 * STORM_MILLISECOND);
    assert_true(faults[1].loss == 0.05);
    check_refused(d, "faults.0.every", "1.9s",
                  "must not be shorter than for: one would begin before the last has ended");
    check_refused(d, "faults.1", "{service: api, kind: network, at: 1s, for: 2s}",
                  "does nothing: a network fault has a latency or a loss");
    check_refused(d, "faults.1.lost", "reset", "means nothing for this kind of fault");
    check_refused(d, "faults.0.loss", "3%", "means nothing for this kind of fault");
    storm_document_free(d);
}

static void a_run_until_idle_must_become_idle(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        "version: 1\nduration: until_idle\n" RIG_SERVICES
        "clients:\n  web: {count: 10, arrivals: {at: 3s}, calls: {to: api}}\n"
        "  more: {count: 10, arrivals: {rate: [[0s, 5/s], [60s, 0/s]]}, calls: {to: api}}\n");
    assert_true(rig_decode(d, NULL, NULL, NULL)->duration == STORM_NEVER);
    static const char *const endless[] = {"{poisson: 1/s}", "{even: 1/s}", "{every: 1s}",
                                          "{closed: {think: 1s}}",
                                          "{rate: [[0s, 5/s], [60s, 1/s]]}"};
    for (size_t i = 0; i < sizeof endless / sizeof endless[0]; i++) {
        struct storm_errors errors = rig_refuse(d, NULL, "clients.more.arrivals", endless[i]);
        assert_int_equal(errors.count, 1);
        assert_string_equal(errors.list[0].path, "duration");
        assert_string_equal(errors.list[0].message,
                            "is never idle: the requests of 'more' never end");
    }
    check_refused(d, "duration", "none", "must be a duration, not 'none'");
    storm_document_free(d);
}

static void every_law_is_read_with_its_parameters(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum storm_law law;
        double a, b;
    } rows[] = {
        {"{pareto: {least: 10ms, shape: 1.5}}", STORM_LAW_PARETO, 0.01, 1.5},
        {"{weibull: {scale: 50ms, shape: 0.7}}", STORM_LAW_WEIBULL, 0.05, 0.7},
        {"{gamma: {mean: 50ms, shape: 2.5x}}", STORM_LAW_GAMMA, 0.05, 2.5},
        {"{erlang: {mean: 50ms, stages: 4}}", STORM_LAW_GAMMA, 0.05, 4},
        {"{hyperexponential: {mean: 50ms, cv: 1}}", STORM_LAW_HYPEREXPONENTIAL, 0.05, 1},
    };
    const char *path = "services.api.service_time";
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct storm_dist *time =
            &rig_decode(d, NULL, path, rows[i].text)->services[0].service_time;
        assert_int_equal(time->law, rows[i].law);
        assert_true(time->a == rows[i].a && time->b == rows[i].b);
    }
    check_refused(d, path, "{erlang: {mean: 50ms, stages: 1.5}}", "'1.5' is not a whole number");
    check_refused(d, path, "{erlang: {mean: 50ms, stages: 0}}", "must be more than 0, not '0'");
    check_refused(d, path, "{hyperexponential: {mean: 1s, cv: 0.9}}",
                  "must be at least 1x, not '0.9'");
    check_refused(d, path, "{pareto: {least: 10ms, shape: 0}}", "must be more than 0, not '0'");
    storm_document_free(d);
}

static void an_empirical_law_has_both_ends_and_never_falls(void **state) {
    (void)state;
    const char *path = "services.api.service_time";
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    const struct storm_dist *time =
        &rig_decode(d, NULL, path, "{empirical: {0%: 1ms, 50%: 20ms, 90%: 20ms, 100%: 1s}}")
             ->services[0]
             .service_time;
    assert_int_equal(time->law, STORM_LAW_EMPIRICAL);
    assert_int_equal(time->quantile_count, 4);
    assert_true(time->quantiles[2].share == 0.9 && time->quantiles[2].value == 0.02);
    check_refused(d, path, "{empirical: {1%: 1ms, 100%: 2ms}}", "must begin at 0% and end at 100%");
    check_refused(d, path, "{empirical: {0%: 1ms, 99%: 2ms}}", "must begin at 0% and end at 100%");
    check_refused(d, path, "{empirical: {0%: 1ms}}", "has one quantile only");
    check_refused(d, path, "{empirical: {0%: 3ms, 100%: 2ms}}",
                  "must not be below the value before it");
    check_refused(d, path, "{empirical: {0%: 1ms, 50%: 1ms, 10%: 2ms, 100%: 3ms}}",
                  "must be more than the share before it");
    check_refused(d, path, "{empirical: {0%: 1ms, p99: 2ms}}", "is not a share up to 100%");
    check_refused(d, path, "{empirical: {0%: 1ms, 101%: 2ms}}", "is not a share up to 100%");
    storm_document_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_new_settings_have_their_defaults),
        cmocka_unit_test(a_call_has_losses_and_ways_to_end),
        cmocka_unit_test(in_time_follows_the_mean_of_a_random_timeout),
        cmocka_unit_test(clients_may_have_policies_of_their_own),
        cmocka_unit_test(messages_may_be_bad),
        cmocka_unit_test(arrivals_come_in_six_kinds),
        cmocka_unit_test(one_more_than_a_hundred_thousand_points_is_refused),
        cmocka_unit_test(a_service_has_all_it_is_given),
        cmocka_unit_test(a_policy_says_what_it_tries_again),
        cmocka_unit_test(a_fault_may_come_again_and_be_in_the_network),
        cmocka_unit_test(a_run_until_idle_must_become_idle),
        cmocka_unit_test(every_law_is_read_with_its_parameters),
        cmocka_unit_test(an_empirical_law_has_both_ends_and_never_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
