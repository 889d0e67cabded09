/* test_limits.c: thresholds that theory knows are found by bisection alone. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "search/limit.h"
#include "support/csv.h"
#include "support/test.h"
#include "support/world.h"

enum { YAML_MAX = 2048, MU = 200 };

/* One search. */
struct hunt {
    struct arena arena;
    struct storm_limit limit;
};

static const struct storm_limit_reading *before(const struct hunt *hunt) {
    return &hunt->limit.readings[hunt->limit.before];
}

static const struct storm_limit_reading *beyond(const struct hunt *hunt) {
    return &hunt->limit.readings[hunt->limit.beyond];
}

/* Looks for the limit of a range of `vary` until fewer than 99 % of the runs recover. */
static void look(struct hunt *hunt, const char *text, const char *vary,
                 const struct storm_override *sets, size_t set_count, uint32_t runs) {
    struct axis axis;
    struct storm_errors errors = {0};
    struct storm_error error = {0};
    struct probe_plan probe = {.text = text,
                               .length = strlen(text),
                               .file = "scenarios/x.yaml",
                               .sets = sets,
                               .set_count = set_count,
                               .rules = {.seed = 1, .threads = 2}};
    struct limit_plan plan = {.axis = &axis,
                              .measure = {"recovers", "share", STORM_BETTER_HIGHER, true},
                              .precision = .02,
                              .runs = runs,
                              .runs_max = runs};
    *hunt = (struct hunt){.limit = {.path = vary}};
    arena_init(&hunt->arena, (size_t)1 << 30);
    assert_true(axis_parse(vary, &hunt->arena, &axis, &error));
    assert_true(criterion_parse("recovers < 99%", &plan.criterion, &error));
    plan.kind = axis.kind;
    struct limit_probe source = {probe_new(&probe, &hunt->arena), &plan, &errors};
    assert_non_null(source.probe);
    assert_true(limit_find(&plan, &(struct limit_source){limit_probe_runs, &source}, &hunt->arena,
                           &hunt->limit, &error));
}

/* A horizon of H lets those who come back too late look trapped: 150/s (1 - 8.5 s / H). */
static void half_the_capacity_is_the_limit_of_one_retry(void **state) {
    (void)state;
    static const struct storm_override sets[] = {{"duration", "3000s"}};
    struct storm_errors errors = {0};
    size_t length;
    struct hunt hunt;
    char *text =
        storm_text_read(STORM_SOURCE_DIR "/scenarios/03-metastable-hotos21.yaml", &length, &errors);
    assert_non_null(text);
    look(&hunt, text, "clients.user.arrivals.even=140/s..280/s", sets, 1, 2);
    assert_int_equal(hunt.limit.end, STORM_LIMIT_FOUND);
    print_message("HotOS 2021: %s to %s\n", before(&hunt)->label, beyond(&hunt)->label);
    assert_true(before(&hunt)->number >= 145 && before(&hunt)->number <= 150);
    assert_true(beyond(&hunt)->number >= 150 && beyond(&hunt)->number <= 155);
    assert_true(before(&hunt)->evidence.is_alike && beyond(&hunt)->evidence.is_alike);
    assert_int_equal(hunt.limit.changes, 1);
    arena_free(&hunt.arena);
    free(text);
}

/* Delays that double, or are all the same; 0: none. */
static void write_world(char text[YAML_MAX], int retries, double load, const char *backoff) {
    double first = strtod(backoff, NULL);
    const char *second = strchr(backoff, '/');
    bool doubles = second != NULL && strtod(second + 1, NULL) > 1.5 * first;
    char policy[128];
    world_print(policy, sizeof policy, "delay: %s, base: %gs", doubles ? "exponential" : "fixed",
                first);
    world_print(text, YAML_MAX,
                "version: 1\nduration: 160s\n"
                "clients: {user: {count: 1000, arrivals: {even: %.9g/s}, "
                "calls: {to: db, timeout: 1s, retry: {%s, attempts: %d}}}}\n"
                "services: {db: {workers: 1, service_time: %.9gs}}\n"
                "faults: [{service: db, kind: capacity, share: 0%%, at: 5s, for: 2s}]\n",
                load * MU, first > 0 ? policy : "delay: no-backoff", retries + 1, 1.0 / MU);
}

/* The critical length of the fluid delay equation, within 5 % of either end. */
static void find_critical_length(const struct csv *truths, size_t row) {
    char text[YAML_MAX];
    struct hunt hunt;
    double critical = csv_number(truths, row, "critical");
    write_world(text, (int)csv_number(truths, row, "retries"), csv_number(truths, row, "rho"),
                csv_text(truths, row, "backoff"));
    look(&hunt, text, "faults.0.for=500ms..15s/log", NULL, 0, 1);
    bool never = hunt.limit.end == STORM_LIMIT_NEVER;
    print_message("r = %s, rho = %s, delays %s: %s to %s, truth %.4g\n",
                  csv_text(truths, row, "retries"), csv_text(truths, row, "rho"),
                  csv_text(truths, row, "backoff"), never ? "never" : before(&hunt)->label,
                  never ? "never" : beyond(&hunt)->label, critical);
    assert_int_equal(never, isinf(critical));
    if (!never) {
        assert_true(before(&hunt)->number <= 1.05 * critical);
        assert_true(beyond(&hunt)->number >= .95 * critical);
        assert_true(beyond(&hunt)->number <= 1.05 * 1.02 * critical);
        assert_true(before(&hunt)->number >= .95 * .98 * critical);
    }
    arena_free(&hunt.arena);
}

/* All of the table with STORM_FULL, else each fourth of it. */
static void the_outage_that_traps_is_as_long_as_the_delay_equation_says(void **state) {
    (void)state;
    struct csv truths = csv_read(STORM_SOURCE_DIR "/tests/data/triggers.csv");
    size_t step = getenv("STORM_FULL") != NULL ? 1 : 4;
    assert_true(truths.rows >= 30);
    for (size_t row = 0; row < truths.rows; row += step) {
        find_critical_length(&truths, row);
    }
    csv_free(&truths);
}

/* The one that papers quote: three retries at a load of .6 stand 1.311 timeouts. */
static void three_retries_at_a_load_of_six_tenths_stand_1311_ms(void **state) {
    (void)state;
    char text[YAML_MAX];
    struct hunt hunt;
    write_world(text, 3, .6, "0");
    look(&hunt, text, "faults.0.for=100ms..20s/log", NULL, 0, 2);
    print_message("r = 3, rho = .6: %s to %s\n", before(&hunt)->label, beyond(&hunt)->label);
    assert_true(before(&hunt)->number >= .95 * 1.311 && beyond(&hunt)->number <= 1.05 * 1.311);
    assert_true(before(&hunt)->evidence.is_proven && beyond(&hunt)->evidence.is_proven);
    arena_free(&hunt.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_the_capacity_is_the_limit_of_one_retry),
        cmocka_unit_test(three_retries_at_a_load_of_six_tenths_stand_1311_ms),
        cmocka_unit_test(the_outage_that_traps_is_as_long_as_the_delay_equation_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
