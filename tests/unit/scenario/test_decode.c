/* test_decode.c: from the text to the struct: values, defaults, references, and all errors at
   once. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "unit/scenario/rig.h"

static void what_is_not_written_has_its_default(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS "services: {api: {}}\n");
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    assert_string_equal(s->title, "");
    assert_int_equal(s->duration, 60 * STORM_SECOND);
    assert_int_equal(s->epoch, 0);
    assert_int_equal(s->seed, 1);
    assert_int_equal(s->runs, 30);
    const struct storm_service *api = &s->services[0];
    assert_int_equal(api->workers, 1);
    assert_int_equal(api->queue_limit, STORM_UNLIMITED);
    assert_int_equal(api->order, STORM_ORDER_FIFO);
    assert_int_equal(api->on_full, 503);
    assert_int_equal(api->crash_when, STORM_CRASH_NEVER);
    assert_int_equal(api->recovery_time, 0);
    assert_true(isinf(storm_service_capacity(api)));
    const struct storm_population *web = &s->populations[0];
    assert_int_equal(web->call.timeout.offset, STORM_NEVER);
    assert_int_equal(web->call.deadline, STORM_NEVER);
    assert_int_equal(web->in_time, STORM_NEVER);
    assert_string_equal(web->dead_letter_queue, "web");
    assert_string_equal(s->policies[web->call.policy].headline, "no-retry");
    assert_int_equal(s->policies[web->call.policy].attempts, 1);
    storm_document_free(d);
}

static void everything_written_is_read(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        "version: 1\ntitle: T\nquestion: Q\nstory: >-\n  one\n  two\nduration: 2m\n"
        "epoch: 2024-03-01T09:30:00Z\nseed: 18446744073709551615\nruns: 7\n"
        "clients: {web: {count: 2k, arrivals: {every: 10s, spread: 500ms}, in_time: 3s,\n"
        "  dead_letter_queue: web.dlq, calls: {to: api, timeout: 2s, deadline: 9s, network: "
        "1ms}}}\n"
        "services:\n  api:\n    workers: unlimited\n    service_time: {lognormal: {mean: 20ms, cv: "
        "2}}\n"
        "    queue: {limit: 0, order: lifo}\n    on_full: 429\n    errors: {500: 25%, 503: 75%}\n"
        "    errors_before: true\n    calls: [{to: db}, {to: db, timeout: 1s}]\n"
        "  db:\n    workers: 10\n    service_time: {uniform: {low: 1ms, high: 3ms}}\n"
        "    crash: {when: {offered: 2.5x, for: 2s}, kind: down, down_for: 5s}\n"
        "    recovery: {time: 4s, from: 25%, shape: step}\n"
        "faults:\n  - {service: db, kind: slow, at: 1s, for: 2s, factor: 3x}\n"
        "  - {service: api, kind: errors, at: 0s, for: 500us, share: 10%, status: 500}\n"
        "expect: [{metric: recovers, at_least: 99%}, {metric: peak, at_most: 30s, "
        "statistic: p95, severity: warn}]\n");
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    assert_string_equal(s->story, "one two");
    assert_int_equal(s->epoch, INT64_C(1709285400) * STORM_SECOND);
    assert_true(s->seed == UINT64_MAX);
    assert_int_equal(s->runs, 7);
    const struct storm_population *web = &s->populations[0];
    assert_int_equal(web->count, 2000);
    assert_int_equal(web->arrival, STORM_ARRIVAL_EVERY);
    assert_int_equal(web->spread, STORM_SPREAD_WITHIN);
    assert_int_equal(web->spread_time, 500 * STORM_MILLISECOND);
    assert_int_equal(web->in_time, 3 * STORM_SECOND);
    assert_string_equal(web->dead_letter_queue, "web.dlq");
    assert_int_equal(web->call.network.offset, STORM_MILLISECOND);
    const struct storm_service *api = &s->services[0];
    assert_int_equal(api->workers, STORM_UNLIMITED);
    assert_int_equal(api->service_time.law, STORM_LAW_LOGNORMAL);
    assert_true(api->service_time.a == 0.02 && api->service_time.b == 2.0);
    assert_int_equal(api->queue_limit, 0);
    assert_int_equal(api->order, STORM_ORDER_LIFO);
    assert_int_equal(api->on_full, 429);
    assert_int_equal(api->error_count, 2);
    assert_int_equal(api->errors[1].status, 503);
    assert_true(api->errors[1].share == 0.75 && api->errors_before);
    assert_int_equal(api->call_count, 2);
    assert_int_equal(s->calls[api->call_first + 1].to, 1);
    assert_int_equal(s->calls[api->call_first + 1].timeout.offset, STORM_SECOND);
    const struct storm_service *db = &s->services[1];
    assert_int_equal(db->crash_when, STORM_CRASH_OFFERED);
    assert_true(db->crash_offered == 2.5 && db->recovery_from == 0.25);
    assert_int_equal(db->crash_window, 2 * STORM_SECOND);
    assert_int_equal(db->crash_kind, STORM_OUTAGE_DOWN);
    assert_int_equal(db->recovery_shape, STORM_RAMP_STEP);
    assert_true(fabs(storm_service_capacity(db) - 5000) < 1e-9);
    assert_int_equal(s->faults[0].kind, STORM_FAULT_SLOW);
    assert_int_equal(s->faults[0].service, 1);
    assert_true(s->faults[0].factor == 3.0 && s->faults[1].share == 0.1);
    assert_int_equal(s->faults[1].length, 500 * STORM_MICROSECOND);
    assert_true(s->expects[0].at_least == 0.99 && isnan(s->expects[0].at_most));
    assert_int_equal(s->expects[0].statistic, STORM_STATISTIC_MEDIAN);
    assert_int_equal(s->expects[0].severity, STORM_SEVERITY_ERROR);
    assert_string_equal(storm_statistic_word(s->expects[1].statistic), "p95");
    assert_int_equal(s->expects[1].severity, STORM_SEVERITY_WARN);
    assert_true(s->expects[1].at_most == 30.0 && s->expects[1].variant[0] == '\0');
    storm_document_free(d);
}

static void in_time_is_the_deadline_or_else_the_timeout(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    const char *path = "clients.web.calls";
    const struct storm_scenario *s = rig_decode(d, NULL, path, "{to: api, timeout: 2s}");
    assert_int_equal(s->populations[0].in_time, 2 * STORM_SECOND);
    s = rig_decode(d, NULL, path, "{to: api, timeout: 2s, deadline: 9s}");
    assert_int_equal(s->populations[0].in_time, 9 * STORM_SECOND);
    s = rig_decode(d, NULL, "clients.web.in_time", "none");
    assert_int_equal(s->populations[0].in_time, STORM_NEVER);
    storm_document_free(d);
}

static void a_retry_is_a_name_of_ours_or_theirs_or_a_map(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(RIG_HEAD "policies: {app: {delay: fixed, base: 2s}}\n" RIG_CLIENTS RIG_SERVICES);
    const struct storm_scenario *s = rig_decode(d, NULL, "clients.web.calls.retry", "app");
    assert_int_equal(s->populations[0].call.policy, 0);
    assert_string_equal(s->policies[0].name, "app");
    assert_true(s->policies[0].delay.base == 2.0);
    s = rig_decode(d, NULL, "clients.web.calls.retry", "full-jitter");
    const struct storm_policy *policy = &s->policies[s->populations[0].call.policy];
    assert_string_equal(policy->headline, "full-jitter");
    assert_true(policy->delay.jitter_low == 0.0);
    s = rig_decode(d, NULL, "clients.web.calls.retry",
                   "{delay: exponential, attempts: unlimited, cap: none, shift: -1}");
    policy = &s->policies[s->populations[0].call.policy];
    assert_string_equal(policy->name, "clients.web.calls.retry");
    assert_true(policy->attempts == STORM_ATTEMPTS_UNLIMITED);
    assert_true(isinf(policy->delay.cap) && policy->delay.shift == -1.0);
    s = rig_decode(d, NULL, "clients.web.calls.retry", "{attempts: 1}");
    assert_int_equal(s->policies[s->populations[0].call.policy].attempts, 1);
    storm_document_free(d);
}

static void a_duration_may_be_random(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    const char *path = "services.api.service_time";
    const struct storm_dist *time =
        &rig_decode(d, NULL, path, "{constant: 20ms, plus: {exponential: 30ms}}")
             ->services[0]
             .service_time;
    assert_int_equal(time->law, STORM_LAW_EXPONENTIAL);
    assert_int_equal(time->offset, 20 * STORM_MILLISECOND);
    assert_true(time->a == 0.03);
    time = &rig_decode(d, NULL, path, "{constant: 20ms, plus: 5ms}")->services[0].service_time;
    assert_int_equal(time->law, STORM_LAW_CONSTANT);
    assert_int_equal(time->offset, 25 * STORM_MILLISECOND);
    time = &rig_decode(d, NULL, path, "{normal: {mean: 1s, sd: 100ms}}")->services[0].service_time;
    assert_int_equal(time->law, STORM_LAW_NORMAL);
    assert_true(time->a == 1.0 && time->b == 0.1);
    storm_document_free(d);
}

static void all_errors_come_at_once_and_in_order(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        "version: 1\nexpect: [{metric: m}]\nfaults: [{service: apo, kind: down, at: 1, for: 1s}]\n"
        "services: {api: {wrokers: 1}}\nclients: {web: {count: lots, arrivals: {at: 1s}}}\n");
    struct storm_errors errors = rig_refuse(d, NULL, NULL, NULL);
    static const struct {
        int line;
        const char *path;
    } rows[] = {{1, "duration"},
                {2, "expect.0"},
                {3, "faults.0.service"},
                {3, "faults.0.at"},
                {4, "services.api.wrokers"},
                {5, "clients.web.calls"},
                {5, "clients.web.count"}};
    assert_int_equal(errors.count, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(errors.list[i].line, rows[i].line);
        assert_string_equal(errors.list[i].path, rows[i].path);
    }
    storm_document_free(d);
}

static void a_missing_key_beside_its_misspelling_is_one_error(void **state) {
    (void)state;
    struct storm_document *d =
        rig_parse(RIG_HEAD RIG_SERVICES
                  "clients: {web: {cuont: 10, arrivals: {at: 1s}, calls: {too: api}}}\n");
    struct storm_errors errors = rig_refuse(d, NULL, NULL, NULL);
    assert_int_equal(errors.count, 2);
    assert_string_equal(errors.list[0].suggestion, "did you mean 'count'?");
    assert_string_equal(errors.list[1].suggestion, "did you mean 'to'?");
    storm_document_free(d);
}

static void an_error_behind_an_alias_is_told_once(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        RIG_HEAD RIG_SERVICES
        "clients:\n  a: {count: 1, arrivals: {at: 1s}, calls: &call {to: api, timeout: 3}}\n"
        "  b: {count: 1, arrivals: {at: 1s}, calls: *call}\n");
    struct storm_errors errors = rig_refuse(d, NULL, NULL, NULL);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.list[0].path, "clients.a.calls.timeout");
    storm_document_free(d);
}

static void decoding_again_adds_nothing_already_told(void **state) {
    (void)state;
    struct storm_document *d = rig_parse("version: 1\nduration: 60\n" RIG_CLIENTS RIG_SERVICES
                                         "variants: {a: {}, b: {services.api.workers: x}}\n");
    struct storm_errors errors = {.count = 0};
    assert_null(storm_document_decode(d, NULL, NULL, 0, &errors));
    assert_null(storm_document_decode(d, "a", NULL, 0, &errors));
    assert_int_equal(errors.count, 1);
    assert_null(storm_document_decode(d, "b", NULL, 0, &errors));
    assert_int_equal(errors.count, 2);
    storm_document_free(d);
}

static void twenty_errors_are_kept_and_all_are_counted(void **state) {
    (void)state;
    char text[4096] = RIG_HEAD RIG_CLIENTS RIG_SERVICES;
    for (int i = 0; i < 50; i++)
        sprintf(text + strlen(text), "unknown%d: 1\n", i);
    struct storm_document *d = rig_parse(text);
    struct storm_errors errors = rig_refuse(d, NULL, NULL, NULL);
    assert_int_equal(errors.count, 50);
    assert_string_equal(errors.list[STORM_ERRORS_MAX - 1].path, "unknown19");
    storm_document_free(d);
}

/* As many services as are allowed, and then one more. */
static void the_number_of_services_has_a_limit(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        char *text = calloc(1, 65536);
        assert_non_null(text);
        strcpy(text, RIG_HEAD RIG_CLIENTS "services:\n  api: {}\n");
        for (int i = 1; i < STORM_SERVICES_MAX + more; i++)
            sprintf(text + strlen(text), "  s%d: {calls: [{to: api}]}\n", i);
        struct storm_document *d = rig_parse(text);
        if (more == 0)
            assert_int_equal(rig_decode(d, NULL, NULL, NULL)->call_count, STORM_SERVICES_MAX - 1);
        else
            assert_string_equal(rig_refuse(d, NULL, NULL, NULL).list[0].message,
                                "more than 256 services");
        storm_document_free(d);
        free(text);
    }
}

static void clients_have_a_limit_in_all(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        RIG_HEAD RIG_SERVICES "clients:\n  a: {count: 60M, arrivals: {at: 1s}, calls: {to: api}}\n"
                              "  b: {count: 60M, arrivals: {at: 1s}, calls: {to: api}}\n");
    assert_string_equal(rig_refuse(d, NULL, NULL, NULL).list[0].message,
                        "more than 100000000 clients in all");
    storm_document_free(d);
}

static void a_long_chain_of_calls_is_no_circle(void **state) {
    (void)state;
    char text[16384] = RIG_HEAD RIG_CLIENTS "services:\n  api: {calls: [{to: s1}]}\n";
    for (int i = 1; i < STORM_SERVICES_MAX; i++)
        sprintf(text + strlen(text), "  s%d: {calls: [{to: s%d}]}\n", i,
                i + 1 < STORM_SERVICES_MAX ? i + 1 : i);
    struct storm_document *d = rig_parse(text);
    struct storm_errors errors = rig_refuse(d, NULL, NULL, NULL);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.list[0].message, "calls go round in a circle: s255 -> s255");
    assert_int_equal(rig_decode(d, NULL, "services.s255.calls", "[]")->service_count,
                     STORM_SERVICES_MAX);
    storm_document_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_written_has_its_default),
        cmocka_unit_test(everything_written_is_read),
        cmocka_unit_test(in_time_is_the_deadline_or_else_the_timeout),
        cmocka_unit_test(a_retry_is_a_name_of_ours_or_theirs_or_a_map),
        cmocka_unit_test(a_duration_may_be_random),
        cmocka_unit_test(all_errors_come_at_once_and_in_order),
        cmocka_unit_test(a_missing_key_beside_its_misspelling_is_one_error),
        cmocka_unit_test(an_error_behind_an_alias_is_told_once),
        cmocka_unit_test(decoding_again_adds_nothing_already_told),
        cmocka_unit_test(twenty_errors_are_kept_and_all_are_counted),
        cmocka_unit_test(the_number_of_services_has_a_limit),
        cmocka_unit_test(clients_have_a_limit_in_all),
        cmocka_unit_test(a_long_chain_of_calls_is_no_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
