/* test_probe.c: runs at points of a search: the right ones, and each once. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/probe.h"

#include <string.h>

#include "base/arena.h"
#include "support/test.h"

static const char text[] =
    "version: 1\nduration: 20s\n"
    "clients: {user: {count: 10, arrivals: {poisson: 20/s}, "
    "calls: {to: db, timeout: 1s, retry: {delay: no-backoff, attempts: 2}}}}\n"
    "services: {db: {workers: 1, service_time: {constant: 10ms}}}\n"
    "faults: [{service: db, kind: capacity, share: 0%, at: 5s, for: 2s}]\n"
    "variants: {patient: {clients.user.calls.timeout: 5s}}\n";

struct bench {
    struct arena arena;
    struct probe *probe;
    struct storm_errors errors;
    struct storm_error error;
};

static void begin(struct bench *bench, const struct storm_override *sets, size_t set_count) {
    struct probe_plan plan = {.text = text,
                              .length = sizeof text - 1,
                              .file = "x.yaml",
                              .sets = sets,
                              .set_count = set_count,
                              .rules = {.seed = 3, .threads = 2}};
    *bench = (struct bench){.probe = NULL};
    arena_init(&bench->arena, 1 << 26);
    bench->probe = probe_new(&plan, &bench->arena);
    assert_non_null(bench->probe);
}

static const struct storm_variant *ask(struct bench *bench, const struct probe_point *point,
                                       uint32_t runs) {
    return probe_runs(bench->probe, point, runs, &bench->errors, &bench->error);
}

static const struct probe_point as_it_stands = {.set_count = 0};

static void no_run_is_made_twice_and_more_runs_begin_with_the_same(void **state) {
    (void)state;
    struct bench bench;
    begin(&bench, NULL, 0);
    const struct storm_variant *few = ask(&bench, &as_it_stands, 3);
    assert_non_null(few);
    const double *requests = storm_variant_metric(few, "requests")->per_run;
    double first[3];
    memcpy(first, requests, sizeof first);
    const struct storm_variant *more = ask(&bench, &as_it_stands, 8);
    assert_int_equal(more->runs_done, 8);
    assert_memory_equal(storm_variant_metric(more, "requests")->per_run, first, sizeof first);
    assert_int_equal(probe_run_count(bench.probe), 8);
    assert_ptr_equal(ask(&bench, &as_it_stands, 5), more);
    assert_int_equal(probe_run_count(bench.probe), 8);
    assert_false(probe_is_alike(bench.probe, &as_it_stands));
    arena_free(&bench.arena);
}

static void points_are_the_scenario_with_other_settings(void **state) {
    (void)state;
    static const struct storm_override none[] = {{"faults", "[]"}};
    const struct probe_point even = {.sets = {{"clients.user.arrivals", "{even: 20/s}"}},
                                     .set_count = 1};
    const struct probe_point patient = {.variant = "patient"};
    struct bench bench, calm;
    begin(&bench, NULL, 0);
    begin(&calm, none, 1);
    assert_true(storm_variant_metric(ask(&bench, &as_it_stands, 2), "timeouts.db")->median > 0);
    assert_true(storm_variant_metric(ask(&bench, &patient, 2), "timeouts.db")->max == 0);
    assert_true(storm_variant_metric(ask(&calm, &as_it_stands, 2), "timeouts.db")->max == 0);
    ask(&bench, &even, 2);
    assert_true(probe_is_alike(bench.probe, &even));
    assert_int_equal(probe_run_count(bench.probe), 6);
    arena_free(&bench.arena);
    arena_free(&calm.arena);
}

static void what_is_wrong_with_a_point_is_told_and_the_others_go_on(void **state) {
    (void)state;
    const struct probe_point wrong = {.sets = {{"clients.user.calls.timeout", "-3s"}},
                                      .set_count = 1};
    struct bench bench;
    begin(&bench, NULL, 0);
    assert_null(ask(&bench, &wrong, 2));
    assert_int_equal(bench.errors.count, 1);
    assert_int_equal(bench.error.status, STORM_INVALID);
    assert_non_null(ask(&bench, &as_it_stands, 1));
    arena_free(&bench.arena);
}

static void metrics_and_settings_are_told_without_a_run(void **state) {
    (void)state;
    struct bench bench;
    begin(&bench, NULL, 0);
    const struct storm_variant *variant =
        probe_metrics(bench.probe, &as_it_stands, &bench.errors, &bench.error);
    assert_non_null(variant);
    assert_int_equal(variant->runs_done, 0);
    assert_non_null(storm_variant_metric(variant, "dead_letters"));
    const char *rate = probe_setting(bench.probe, &as_it_stands, "clients.user.arrivals.poisson",
                                     &bench.errors, &bench.error);
    assert_string_equal(rate, "20/s");
    assert_string_equal(
        probe_setting(bench.probe, &as_it_stands, "faults.0.for", &bench.errors, &bench.error),
        "2s");
    assert_null(
        probe_setting(bench.probe, &as_it_stands, "faults.0.fro", &bench.errors, &bench.error));
    assert_non_null(strstr(bench.error.suggestion, "faults.0.for"));
    assert_int_equal(probe_run_count(bench.probe), 0);
    arena_free(&bench.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_run_is_made_twice_and_more_runs_begin_with_the_same),
        cmocka_unit_test(points_are_the_scenario_with_other_settings),
        cmocka_unit_test(what_is_wrong_with_a_point_is_told_and_the_others_go_on),
        cmocka_unit_test(metrics_and_settings_are_told_without_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
