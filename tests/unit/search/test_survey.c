/* test_survey.c: every run of every point, as it would be made alone, once, and in its order. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/survey.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "support/test.h"

enum { POINTS = 4, RUNS = 5, ALL = POINTS * RUNS, METRICS_MOST = 200 };

static const char text[] =
    "version: 1\nduration: 20s\n"
    "policies: {app: {delay: no-backoff, attempts: 3}}\n"
    "clients: {user: {count: 10, arrivals: {poisson: 20/s}, "
    "calls: {to: db, timeout: 1s, retry: app}}}\n"
    "services: {db: {workers: 1, service_time: {constant: 10ms}}}\n"
    "faults: [{service: db, kind: down, at: 5s, for: 2s}]\n"
    "variants: {bare: {}, braked: {policies.app.breaker: {kind: consecutive, failures: 5}}}\n";

struct bench {
    struct arena arena;
    struct axis axes[2];
    struct points points;
    struct survey_plan plan;
    struct survey *survey;
    uint32_t point; /* that is wrong */
    struct storm_errors errors;
    struct storm_error error;
    uint64_t skipped; /* a bit for each run that is not wanted */
    uint32_t kept, blocks, keep_most;
    struct storm_sweep_run runs[ALL];
    double values[ALL][METRICS_MOST];
};

static bool wants(void *context, uint64_t number) {
    const struct bench *bench = context;
    return (bench->skipped >> number & 1) == 0;
}

static bool keep(void *context, const struct storm_sweep_run *runs, uint32_t count,
                 struct storm_error *error) {
    struct bench *bench = context;
    bench->blocks++;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(bench->kept < ALL);
        memcpy(bench->values[bench->kept], runs[i].values,
               survey_facts(bench->survey)->metric_count * sizeof(double));
        bench->runs[bench->kept] = runs[i];
        bench->runs[bench->kept].values = bench->values[bench->kept];
        bench->kept++;
    }
    return bench->kept < bench->keep_most ||
           storm_fail(error, STORM_IO, "the disk of the test is full");
}

static bool begin(struct bench *bench, const char *first, const char *second) {
    const char *texts[] = {first, second};
    memset(bench, 0, sizeof *bench);
    bench->keep_most = UINT32_MAX;
    arena_init(&bench->arena, 1 << 26);
    for (int i = 0; i < 2; i++) {
        assert_true(axis_parse(texts[i], &bench->arena, &bench->axes[i], &bench->error));
    }
    assert_true(points_make(POINTS_GRID, bench->axes, 2, 0, 1, &bench->arena, &bench->points,
                            &bench->error));
    bench->plan = (struct survey_plan){.text = text,
                                       .length = sizeof text - 1,
                                       .file = "x.yaml",
                                       .points = &bench->points,
                                       .runs = RUNS,
                                       .rules = {.seed = 3, .threads = 2}};
    bench->survey =
        survey_new(&bench->plan, &bench->arena, &bench->point, &bench->errors, &bench->error);
    return bench->survey != NULL;
}

static uint32_t place_of(const struct bench *bench, const char *name) {
    const struct survey_facts *facts = survey_facts(bench->survey);
    for (uint32_t i = 0; i < facts->metric_count; i++) {
        if (strcmp(facts->metrics[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("no metric '%s'", name);
    return 0;
}

/* The same run by itself: the document decoded, the one job done. */
static void run_alone(const struct bench *bench, uint32_t number, struct arena *arena,
                      struct storm_run_result *result, uint32_t *count) {
    static const char *const variants[] = {"bare", "bare", "braked", "braked"};
    static const char *const workers[] = {"1", "2", "1", "2"};
    struct storm_errors errors = {0};
    struct storm_error error;
    struct storm_override set = {"services.db.workers", workers[number / RUNS]};
    struct storm_document *document = storm_document_parse(text, sizeof text - 1, &errors);
    assert_non_null(document);
    struct batch_job job = {.run = number % RUNS};
    job.scenario = storm_document_decode(document, variants[number / RUNS], &set, 1, &errors);
    assert_non_null(job.scenario);
    assert_int_equal(batch_run(&bench->plan.rules, &job, 1, result, arena, &error), 1);
    assert_non_null(storm_run_metrics(job.scenario, arena, count));
    storm_document_free(document);
}

static void every_run_is_the_one_that_would_be_made_alone(void **state) {
    (void)state;
    struct bench *bench = test_calloc(1, sizeof *bench);
    assert_true(begin(bench, "variant=bare,braked", "services.db.workers=1,2"));
    struct survey_sink sink = {wants, keep, bench};
    assert_true(survey_run(bench->survey, &sink, &bench->error));
    assert_int_equal(bench->kept, ALL);
    uint32_t requests = place_of(bench, "requests"), opened = place_of(bench, "breaker_opened.db");
    for (uint32_t number = 0; number < ALL; number++) {
        struct arena arena;
        struct storm_run_result result;
        uint32_t count = 0;
        const struct storm_sweep_run *run = &bench->runs[number];
        arena_init(&arena, 1 << 26);
        run_alone(bench, number, &arena, &result, &count);
        assert_int_equal(run->point * RUNS + run->run, number);
        assert_true(run->digest == result.digest && run->verdict == result.verdict);
        assert_true(run->duration == 20);
        assert_true(run->values[requests] == result.metrics[0]);
        /* What one point alone has is NaN at the others. */
        assert_int_equal(isnan(run->values[opened]), number / RUNS < 2);
        arena_free(&arena);
    }
    arena_free(&bench->arena);
    test_free(bench);
}

static void only_what_is_wanted_is_made_and_all_that_was_made_is_kept(void **state) {
    (void)state;
    struct bench *bench = test_calloc(1, sizeof *bench);
    assert_true(begin(bench, "variant=bare,braked", "services.db.workers=1,2"));
    struct survey_sink sink = {wants, keep, bench};
    bench->skipped = 0x5a5a5;
    assert_true(survey_run(bench->survey, &sink, &bench->error));
    uint32_t kept = 0;
    for (uint32_t number = 0; number < ALL; number++) {
        if ((bench->skipped >> number & 1) == 0) {
            assert_int_equal(bench->runs[kept].point * RUNS + bench->runs[kept].run, number);
            kept++;
        }
    }
    assert_int_equal(bench->kept, kept);
    bench->kept = 0;
    bench->keep_most = 1; /* the sink fails */
    assert_false(survey_run(bench->survey, &sink, &bench->error));
    assert_string_equal(bench->error.message, "the disk of the test is full");
    arena_free(&bench->arena);
    test_free(bench);
}

static void what_is_wrong_at_a_point_is_said_before_the_first_run(void **state) {
    (void)state;
    struct bench *bench = test_calloc(1, sizeof *bench);
    char words[100];
    assert_false(begin(bench, "policies.app.attempts=3,5", "services.db.workers=2,0"));
    assert_int_equal(bench->point, 1);
    assert_true(bench->errors.count == 1);
    assert_non_null(strstr(bench->errors.list[0].message, "must be more than 0"));
    assert_string_equal(survey_point_words(&bench->points, 1, words, sizeof words),
                        "policies.app.attempts=3, services.db.workers=0");
    arena_free(&bench->arena);
    test_free(bench);
}

static void a_run_that_fails_names_its_point_and_the_rest_is_kept(void **state) {
    (void)state;
    struct bench *bench = test_calloc(1, sizeof *bench);
    assert_true(begin(bench, "clients.user.arrivals.poisson=20/s,2k/s", "services.db.workers=1,2"));
    bench->plan.rules.max_events = 20000;
    bench->survey =
        survey_new(&bench->plan, &bench->arena, &bench->point, &bench->errors, &bench->error);
    struct survey_sink sink = {wants, keep, bench};
    assert_false(survey_run(bench->survey, &sink, &bench->error));
    assert_int_equal(bench->error.status, STORM_LIMIT);
    assert_string_equal(bench->error.path,
                        "clients.user.arrivals.poisson=2k/s, services.db.workers=1");
    assert_int_equal(bench->kept, 2 * RUNS);
    arena_free(&bench->arena);
    test_free(bench);
}

static void the_hash_is_of_all_points(void **state) {
    (void)state;
    struct bench *a = test_calloc(1, sizeof *a), *b = test_calloc(1, sizeof *b);
    assert_true(begin(a, "policies.app.attempts=3,5", "services.db.workers=1,2"));
    assert_true(begin(b, "policies.app.attempts=3,5", "services.db.workers=1,2"));
    assert_true(survey_facts(a->survey)->hash == survey_facts(b->survey)->hash);
    arena_free(&b->arena);
    assert_true(begin(b, "policies.app.attempts=3,5", "services.db.workers=1,3"));
    assert_true(survey_facts(a->survey)->hash != survey_facts(b->survey)->hash);
    arena_free(&a->arena);
    arena_free(&b->arena);
    test_free(a);
    test_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_is_the_one_that_would_be_made_alone),
        cmocka_unit_test(only_what_is_wanted_is_made_and_all_that_was_made_is_kept),
        cmocka_unit_test(what_is_wrong_at_a_point_is_said_before_the_first_run),
        cmocka_unit_test(a_run_that_fails_names_its_point_and_the_rest_is_kept),
        cmocka_unit_test(the_hash_is_of_all_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
