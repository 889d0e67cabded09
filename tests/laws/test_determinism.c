/* test_determinism.c: the same scenario and seed give the same results to the last bit, and
   policies meet the same luck. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <stdbool.h>
#include <string.h>

#include "base/stream.h"
#include "support/test.h"
#include "support/world.h"
#include "trials/trials.h"

enum { VARIANTS_MAX = 32, RUNS = 2 };

/* ---- every scenario, twice ------------------------------------------------------------------- */

/* A file with all its variants decoded. */
struct shelf {
    struct storm_document *document;
    struct trials_variant variants[VARIANTS_MAX];
    uint32_t count;
};

static struct shelf take_down(const char *name) {
    char path[512];
    struct storm_errors errors = {0};
    struct shelf shelf = {0};
    world_print(path, sizeof path, "%s/scenarios/%s", STORM_SOURCE_DIR, name);
    shelf.document = storm_document_read(path, &errors);
    assert_non_null(shelf.document);
    size_t variants = storm_document_variant_count(shelf.document);
    shelf.count = variants > 0 ? (uint32_t)variants : 1;
    assert_true(shelf.count <= VARIANTS_MAX);
    for (uint32_t i = 0; i < shelf.count; i++) {
        const char *variant = storm_document_variant_name(shelf.document, i);
        shelf.variants[i].name = variant != NULL ? variant : "";
        shelf.variants[i].scenario =
            storm_document_decode(shelf.document, variant, NULL, 0, &errors);
        assert_non_null(shelf.variants[i].scenario);
    }
    return shelf;
}

static struct storm_results *try_out(const struct shelf *shelf, uint32_t runs, uint32_t threads,
                                     uint64_t seed, struct arena *arena) {
    struct storm_error error = {0};
    struct trials_plan plan = {.file = "test.yaml",
                               .variants = shelf->variants,
                               .variant_count = shelf->count,
                               .runs = runs,
                               .threads = threads,
                               .seed = seed};
    arena_init(arena, (size_t)1 << 30);
    struct storm_results *results = trials_run(&plan, arena, &error);
    assert_non_null(results);
    assert_true(results->complete);
    return results;
}

/* Bits, not values: a NaN equals itself, and -0 is not 0. */
static void same_numbers(const double *a, const double *b, size_t count, const char *name) {
    if (memcmp(a, b, count * sizeof *a) != 0) {
        fail_msg("%s differs", name);
    }
}

static void same_variant(const struct storm_variant *a, const struct storm_variant *b,
                         uint32_t bins) {
    assert_string_equal(a->name, b->name);
    assert_true(a->digest == b->digest);
    assert_int_equal(a->metric_count, b->metric_count);
    assert_int_equal(a->series_count, b->series_count);
    assert_int_equal(a->runs_done, b->runs_done);
    assert_memory_equal(a->verdict_per_run, b->verdict_per_run, a->runs_done);
    for (uint32_t i = 0; i < a->metric_count; i++) {
        assert_string_equal(a->metrics[i].name, b->metrics[i].name);
        same_numbers(a->metrics[i].per_run, b->metrics[i].per_run, a->runs_done,
                     a->metrics[i].name);
    }
    for (uint32_t i = 0; i < a->series_count; i++) {
        same_numbers(a->series[i].values, b->series[i].values, bins, a->series[i].name);
    }
}

static void repeats_itself(const char *name) {
    struct arena first, second;
    struct shelf shelf = take_down(name), again = take_down(name);
    struct storm_results *a = try_out(&shelf, 1, 1, 1, &first);
    struct storm_results *b = try_out(&again, 1, 4, 1, &second);
    assert_int_equal(a->variant_count, b->variant_count);
    for (uint32_t i = 0; i < a->variant_count; i++) {
        same_variant(&a->variants[i], &b->variants[i], a->bin_count);
        print_message("%s %s: digest %016llx twice, on 1 and on 4 threads\n", name,
                      a->variants[i].name, (unsigned long long)a->variants[i].digest);
    }
    arena_free(&first);
    arena_free(&second);
    storm_document_free(shelf.document);
    storm_document_free(again.document);
}

static void every_scenario_repeats_itself_on_any_number_of_threads(void **state) {
    (void)state;
    DIR *folder = opendir(STORM_SOURCE_DIR "/scenarios");
    int files = 0;
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending != NULL && strcmp(ending, ".yaml") == 0) {
            repeats_itself(entry->d_name);
            files++;
        }
    }
    closedir(folder);
    assert_true(files >= 3);
}

/* ---- what shifts nothing --------------------------------------------------------------------- */

#define SMALL_TOP                                                                                  \
    "version: 1\nduration: 60s\n"                                                                  \
    "clients: {web: {count: 500, arrivals: {poisson: 50/s}, "                                      \
    "calls: {to: api, timeout: 1s, network: {exponential: 10ms}, retry: app}}}\n"                  \
    "services: {api: {workers: 8, service_time: {exponential: 100ms}, queue: {limit: 100}, "       \
    "errors: {500: 10%}}}\n"                                                                       \
    "faults: [{service: api, kind: hang, at: 20s, for: 10s}]\n"

#define SMALL_POLICY "  app: {delay: full-jitter, base: 200ms, attempts: 5}\n"

static uint64_t digest_of(const char *text, uint64_t seed, uint32_t run) {
    struct world_case world = world_write(text);
    world_live(&world, seed, run, NULL);
    uint64_t digest = world.result.digest;
    world_free(&world);
    return digest;
}

static void an_unrelated_policy_shifts_nothing(void **state) {
    (void)state;
    uint64_t plain = digest_of(SMALL_TOP "policies:\n" SMALL_POLICY, 1, 0);
    uint64_t before = digest_of(
        SMALL_TOP "policies:\n  other: {delay: decorrelated-jitter, base: 1s}\n" SMALL_POLICY, 1,
        0);
    uint64_t after =
        digest_of(SMALL_TOP "policies:\n" SMALL_POLICY "  other: {delay: fixed, base: 3s}\n", 1, 0);
    assert_true(plain == before && plain == after);
}

static void an_unrelated_variant_shifts_nothing(void **state) {
    (void)state;
    uint64_t plain = digest_of(SMALL_TOP "policies:\n" SMALL_POLICY, 1, 0);
    uint64_t with = digest_of(SMALL_TOP "policies:\n" SMALL_POLICY
                                        "variants: {other: {policies.app.delay: fixed}}\n",
                              1, 0);
    assert_true(plain == with);
}

static void another_seed_and_another_run_are_another_luck(void **state) {
    (void)state;
    static const char text[] = SMALL_TOP "policies:\n" SMALL_POLICY;
    uint64_t digest = digest_of(text, 1, 0);
    assert_true(digest == digest_of(text, 1, 0));
    assert_true(digest != digest_of(text, 2, 0));
    assert_true(digest != digest_of(text, 1, 1));
    assert_true(digest_of(text, 2, 0) != digest_of(text, 1, 1));
}

/* Run 1 of many is run 1 alone, and a variant is the same whatever stands beside it. */
static void a_run_does_not_depend_on_its_company(void **state) {
    (void)state;
    struct arena arena, alone;
    struct shelf shelf = take_down("03-metastable-hotos21.yaml");
    struct storm_results *all = try_out(&shelf, RUNS, 2, 5, &arena);
    struct shelf last = {.count = 1};
    last.variants[0] = shelf.variants[shelf.count - 1];
    struct storm_results *one = try_out(&last, RUNS, 2, 5, &alone);
    same_variant(&all->variants[shelf.count - 1], &one->variants[0], all->bin_count);
    struct world_case world =
        world_read("03-metastable-hotos21.yaml", last.variants[0].name, NULL, 0);
    world_live(&world, 5, 1, NULL);
    for (uint32_t i = 0; i < world.metric_count; i++) {
        same_numbers(&world.result.metrics[i], &one->variants[0].metrics[i].per_run[1], 1,
                     world.metrics[i].name);
    }
    world_free(&world);
    arena_free(&arena);
    arena_free(&alone);
    storm_document_free(shelf.document);
}

/* ---- common random numbers ------------------------------------------------------------------- */

/* A chain over every birth, and one over every request that needed a single attempt. */
struct luck {
    uint64_t births, first_tries, born, good;
};

static void chain(uint64_t *hash, uint64_t value) { *hash = stream_mix64(*hash ^ value) + value; }

static void hear_luck(void *context, const struct storm_fact *fact) {
    struct luck *luck = context;
    if (fact->kind == STORM_FACT_BORN) {
        luck->born++;
        chain(&luck->births, (uint64_t)fact->time);
        chain(&luck->births, fact->key);
        chain(&luck->births, (uint64_t)fact->member << 32 | fact->ordinal);
    } else if (fact->kind == STORM_FACT_SUCCEEDED && fact->attempts == 1) {
        luck->good++;
        chain(&luck->first_tries, (uint64_t)fact->time);
        chain(&luck->first_tries, fact->key);
    }
}

static struct luck luck_of(struct world_case world) {
    struct luck luck = {0};
    struct storm_listener listener = {hear_luck, &luck};
    world_live(&world, 9, 3, &listener);
    world_free(&world);
    return luck;
}

static void policies_see_the_same_arrivals(void **state) {
    (void)state;
    static const char *const variants[] = {"no-backoff", "exponential", "full-jitter",
                                           "decorrelated-jitter"};
    struct luck first = luck_of(world_read("01-thundering-herd.yaml", variants[0], NULL, 0));
    assert_true(first.born > 10000);
    for (size_t i = 1; i < sizeof variants / sizeof variants[0]; i++) {
        struct luck other = luck_of(world_read("01-thundering-herd.yaml", variants[i], NULL, 0));
        assert_true(other.born == first.born);
        assert_true(other.births == first.births);
    }
    print_message("%llu births, the same for all policies, chain %016llx\n",
                  (unsigned long long)first.born, (unsigned long long)first.births);
}

/* Where nobody waits for anybody, the first try of a request ends the same way whatever its
   policy would do next. */
static void policies_meet_the_same_luck(void **state) {
    (void)state;
    static const char top[] =
        "version: 1\nduration: 60s\n"
        "clients: {web: {count: 100, arrivals: {poisson: 100/s}, "
        "calls: {to: api, timeout: 200ms, network: {exponential: 10ms}, retry: app}}}\n"
        "services:\n"
        "  api: {workers: unlimited, service_time: {lognormal: {mean: 50ms, cv: 2}}, "
        "errors: {500: 20%}, calls: [{to: db, network: {exponential: 5ms}}]}\n"
        "  db: {workers: unlimited, service_time: {exponential: 20ms}, errors: {503: 5%}}\n";
    static const char *const policies[] = {"no-retry", "no-backoff", "full-jitter",
                                           "decorrelated-jitter"};
    struct luck first = {0};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        char text[2048];
        world_print(text, sizeof text, "%spolicies: {app: {delay: %s, base: 100ms}}\n", top,
                    policies[i]);
        struct luck other = luck_of(world_write(text));
        first = i == 0 ? other : first;
        assert_true(other.births == first.births);
        assert_true(other.good == first.good && other.first_tries == first.first_tries);
    }
    assert_true(first.good > 1000 && first.good < first.born);
    print_message("%llu of %llu requests succeed at once, the same for all policies\n",
                  (unsigned long long)first.good, (unsigned long long)first.born);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_repeats_itself_on_any_number_of_threads),
        cmocka_unit_test(an_unrelated_policy_shifts_nothing),
        cmocka_unit_test(an_unrelated_variant_shifts_nothing),
        cmocka_unit_test(another_seed_and_another_run_are_another_luck),
        cmocka_unit_test(a_run_does_not_depend_on_its_company),
        cmocka_unit_test(policies_see_the_same_arrivals),
        cmocka_unit_test(policies_meet_the_same_luck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
