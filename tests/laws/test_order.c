/* test_order.c: a file whose maps are written in another order says the same, to the last bit. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <string.h>

#include <retrystorm/load.h>
#include <retrystorm/results.h>

#include "base/arena.h"
#include "trials/trials.h"

#define HEAD "version: 1\ntitle: order\nduration: 60s\nruns: 3\n"
#define ZEBRA                                                                                      \
    "  zebra: {count: 50, arrivals: {every: 5s}, calls: {to: front, timeout: 1s, retry: app}}\n"
#define ANT "  ant: {count: 50, arrivals: {at: 20s}, calls: {to: side, timeout: 2s, retry: app}}\n"
#define BEE                                                                                        \
    "  bee: {count: 9, arrivals: {poisson: 30/s}, calls: {retry: app, timeout: 1s, to: front}}\n"
#define CAT                                                                                        \
    "  cat: {count: 7, arrivals: {closed: {think: {exponential: 2s}}},\n"                          \
    "        calls: {to: side, timeout: 1s, retry: app}}\n"                                        \
    "  dog: {count: 3, arrivals: {closed: {think: 5s}}, calls: {to: front, timeout: 1s}}\n"
#define FRONT                                                                                      \
    "  front: {workers: 9, service_time: {exponential: 20ms}, calls: [{to: deep, retry: app}]}\n"
#define SIDE                                                                                       \
    "  side: {service_time: {exponential: 30ms}, workers: 4, calls: [{to: deep, retry: app}]}\n"
#define DEEP "  deep: {workers: 3, service_time: {exponential: 40ms}, queue: {limit: 20}}\n"
#define POLICY "policies:\n  app: {delay: full-jitter, attempts: 4, base: 100ms, cap: 2s}\n"

static struct storm_document *parse(const char *text) {
    struct storm_errors errors = {0};
    return storm_document_parse(text, strlen(text), &errors);
}

static const struct storm_results *run(struct storm_document *document, struct arena *arena) {
    struct storm_errors errors = {0};
    struct storm_error error;
    assert_non_null(document);
    const struct storm_scenario *scenario = storm_document_decode(document, NULL, NULL, 0, &errors);
    assert_non_null(scenario);
    struct trials_variant variant = {.name = "base", .scenario = scenario};
    struct trials_plan plan = {
        .file = "order", .variants = &variant, .variant_count = 1, .runs = 3, .seed = 5};
    const struct storm_results *results = trials_run(&plan, arena, &error);
    assert_non_null(results);
    return results;
}

static void the_order_of_named_things_changes_no_number(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, (size_t)1 << 30);
    struct storm_document *written =
        parse(HEAD POLICY "clients:\n" ZEBRA ANT BEE CAT "services:\n" FRONT SIDE DEEP);
    struct storm_document *rewritten =
        parse(HEAD "services:\n" DEEP SIDE FRONT "clients:\n" CAT BEE ZEBRA ANT POLICY);
    const struct storm_results *one = run(written, &arena), *other = run(rewritten, &arena);
    const struct storm_variant *left = &one->variants[0], *right = &other->variants[0];
    assert_int_equal(left->metric_count, right->metric_count);
    for (uint32_t i = 0; i < left->metric_count; i++) {
        const struct storm_metric *same = storm_variant_metric(right, left->metrics[i].name);
        assert_non_null(same);
        assert_memory_equal(left->metrics[i].per_run, same->per_run, 3 * sizeof(double));
    }
    assert_true(storm_variant_metric(left, "attempts.deep")->mean > 1000); /* something happens */
    storm_document_free(written);
    storm_document_free(rewritten);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_named_things_changes_no_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
