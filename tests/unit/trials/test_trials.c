/* test_trials.c: many runs joined by their index, whatever ends them, and the bits of one of
   them for ever. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/trials.h"

#include <math.h>
#include <string.h>

#include <retrystorm/run.h>

#include "support/small_world.h"
#include "support/test.h"
#include "trials/spans.h"

/* Two variants of the busy world: as it is, and without retries. */
struct bench {
    struct small_world worlds[2];
    struct trials_variant variants[2];
    struct trials_plan plan;
    struct arena arena;
    struct storm_error error;
};

static void bench_set(struct bench *b) {
    static const struct storm_setting settings[] = {{"policies.app.attempts", "4"}};
    *b = (struct bench){.plan = {.file = "busy.yaml",
                                 .variants = b->variants,
                                 .variant_count = 2,
                                 .runs = 6,
                                 .threads = 1,
                                 .seed = 5}};
    for (int i = 0; i < 2; i++) {
        small_world_busy(&b->worlds[i]);
        b->worlds[i].populations[0].in_time = 400 * MS;
        b->variants[i] = (struct trials_variant){.name = i == 0 ? "as-is" : "no-retry",
                                                 .scenario = &b->worlds[i].scenario,
                                                 .settings = settings,
                                                 .setting_count = 1};
    }
    b->worlds[1].policies[0].attempts = 1;
    arena_init(&b->arena, (size_t)1 << 30);
}

static void bench_free(struct bench *b) {
    arena_free(&b->arena);
    for (int i = 0; i < 2; i++)
        small_world_free(&b->worlds[i]);
}

static const struct storm_metric *metric(const struct storm_variant *variant, const char *name) {
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        if (strcmp(variant->metrics[i].name, name) == 0)
            return &variant->metrics[i];
    }
    fail_msg("no metric %s", name);
    return NULL;
}

static void count_births(void *context, const struct storm_fact *fact) {
    *(uint32_t *)context += fact->kind == STORM_FACT_BORN;
}

/* Whether two results hold the same values and curves. */
static void assert_same_results(const struct storm_results *a, const struct storm_results *b) {
    assert_true(a->runs == b->runs && a->complete == b->complete);
    assert_true(a->bin_count == b->bin_count && a->variant_count == b->variant_count);
    for (uint32_t i = 0; i < a->variant_count; i++) {
        const struct storm_variant *v = &a->variants[i], *w = &b->variants[i];
        assert_memory_equal(v->verdict_per_run, w->verdict_per_run, a->runs);
        assert_true(v->digest == w->digest && v->ghost_run == w->ghost_run);
        for (uint32_t m = 0; m < v->metric_count; m++)
            assert_memory_equal(v->metrics[m].per_run, w->metrics[m].per_run,
                                a->runs * sizeof(double));
        for (uint32_t s = 0; s < v->series_count; s++)
            assert_memory_equal(v->series[s].values, w->series[s].values,
                                a->bin_count * sizeof(double));
    }
}

static void runs_may_be_added_without_repeating_any(void **state) {
    (void)state;
    struct bench whole, steps;
    bench_set(&whole);
    bench_set(&steps);
    uint32_t births = 0, births_of_all = 0;
    whole.variants[0].also = (struct storm_listener){count_births, &births_of_all};
    steps.variants[0].also = (struct storm_listener){count_births, &births};
    struct storm_results *r = trials_run(&whole.plan, &whole.arena, &whole.error);
    struct trials *trials = trials_begin(&steps.plan, &steps.arena, &steps.error);
    for (uint32_t runs = 1; runs <= 6; runs += runs == 1 ? 1 : 2) {
        assert_true(trials_extend(trials, runs, &steps.error));
        const struct storm_results *so_far = trials_results(trials, false, &steps.error);
        assert_true(so_far->complete && so_far->runs == runs);
        assert_int_equal(so_far->variants[1].series_count, 0);
        assert_memory_equal(so_far->variants[1].metrics[1].per_run,
                            r->variants[1].metrics[1].per_run, runs * sizeof(double));
    }
    assert_true(births > 0 && births == births_of_all); /* run 0 was made once */
    assert_same_results(trials_results(trials, true, &steps.error), r);
    trials_end(trials);
    bench_free(&steps);
    bench_free(&whole);
}

static void a_step_that_fails_keeps_the_runs_before_it(void **state) {
    (void)state;
    static volatile sig_atomic_t stop;
    struct bench b;
    bench_set(&b);
    stop = 0;
    b.plan.stop = &stop;
    struct trials *trials = trials_begin(&b.plan, &b.arena, &b.error);
    assert_null(trials_results(trials, true, &b.error));
    assert_true(trials_extend(trials, 3, &b.error));
    stop = 1;
    assert_false(trials_extend(trials, 6, &b.error));
    assert_int_equal(b.error.status, STORM_INTERRUPTED);
    const struct storm_results *r = trials_results(trials, true, &b.error);
    assert_true(r->runs == 3 && !r->complete && r->variants[1].runs_done == 3);
    trials_end(trials);
    bench_free(&b);
}

static void results_name_what_they_are_of(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
    assert_non_null(r);
    assert_int_equal(b.error.status, STORM_OK);
    assert_true(r->complete && r->runs == 6 && r->variant_count == 2 && r->seed == 5);
    assert_string_equal(r->file, "busy.yaml");
    assert_string_equal(r->title, "small");
    assert_int_equal(strlen(r->hash), 16);
    assert_true(r->bin_width == 200 * MS && r->bin_count == 300);
    for (int i = 0; i < 2; i++) {
        const struct storm_variant *v = &r->variants[i];
        assert_string_equal(v->name, b.variants[i].name);
        assert_true(v->runs_done == 6 && v->span_count == 3 && v->series_count == 2 * 5 + 4);
        assert_true(v->setting_count == 1 && v->settings == b.variants[i].settings);
        uint32_t sum = 0;
        for (int w = 0; w < STORM_VERDICT_COUNT; w++)
            sum += v->verdicts[w];
        assert_int_equal(sum, 6);
    }
    bench_free(&b);
}

/* Run k of each variant is what storm_run makes of it by itself, on any number of threads. */
static void a_run_in_a_crowd_is_the_run_alone(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        struct bench b;
        bench_set(&b);
        b.plan.threads = threads;
        struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
        assert_non_null(r);
        for (uint32_t k = 0; k < 12; k++) {
            struct storm_run_options options = {.seed = 5, .run = k / 2};
            struct storm_run_result alone;
            assert_true(
                storm_run(b.variants[k % 2].scenario, &options, &b.arena, &alone, &b.error));
            const struct storm_variant *v = &r->variants[k % 2];
            for (uint32_t i = 0; i < v->metric_count; i++)
                assert_memory_equal(&v->metrics[i].per_run[k / 2], &alone.metrics[i],
                                    sizeof(double));
            assert_int_equal(v->verdict_per_run[k / 2], alone.verdict);
            assert_true(k >= 2 || v->digest == alone.digest);
        }
        bench_free(&b);
    }
}

static void both_variants_meet_the_same_births(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
    const struct storm_metric *one = metric(&r->variants[0], "requests");
    const struct storm_metric *two = metric(&r->variants[1], "requests");
    for (uint32_t run = 0; run < 6; run++)
        assert_true(one->per_run[run] == two->per_run[run]);
    assert_true(one->per_run[0] != one->per_run[1]);
    assert_true(metric(&r->variants[1], "retry_share.api")->max == 0);
    bench_free(&b);
}

static void the_listener_hears_run_0_only(void **state) {
    (void)state;
    struct bench b;
    uint32_t births = 0;
    bench_set(&b);
    b.plan.threads = 3;
    b.variants[0].also = (struct storm_listener){count_births, &births};
    struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
    assert_true(births == metric(&r->variants[0], "requests")->per_run[0]);
    bench_free(&b);
}

static void a_stop_before_the_start_leaves_results_of_no_runs(void **state) {
    (void)state;
    struct bench b;
    volatile sig_atomic_t stop = 1;
    bench_set(&b);
    b.plan.stop = &stop;
    struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
    assert_non_null(r);
    assert_int_equal(b.error.status, STORM_INTERRUPTED);
    assert_true(!r->complete && r->runs == 0 && r->variants[0].runs_done == 0);
    assert_int_equal(metric(&r->variants[0], "requests")->applies, 0);
    bench_free(&b);
}

static volatile sig_atomic_t stop_now;

static void stop_after_three(void *context, uint32_t done, uint32_t total, uint64_t events) {
    (void)context;
    assert_true(done <= total && (done == 0 || events > 0));
    stop_now = done >= 3;
}

/* Short runs, too, are between two looks at the flag. */
static void a_stop_on_the_way_keeps_the_runs_that_are_done(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    stop_now = 0;
    b.plan.runs = 100000;
    b.plan.threads = 2;
    b.plan.stop = &stop_now;
    b.plan.progress = stop_after_three;
    struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
    assert_non_null(r);
    assert_int_equal(b.error.status, STORM_INTERRUPTED);
    assert_true(!r->complete && r->runs >= 1 && r->runs < 100000);
    assert_int_equal(metric(&r->variants[0], "requests")->applies, r->runs);
    assert_int_equal(metric(&r->variants[1], "requests")->applies, r->runs);
    bench_free(&b);
}

static void a_limit_on_events_is_exact_and_ends_the_trials(void **state) {
    (void)state;
    struct bench b;
    struct storm_run_result alone;
    bench_set(&b);
    struct storm_run_options options = {.seed = 5};
    assert_true(storm_run(b.variants[0].scenario, &options, &b.arena, &alone, &b.error));
    options.max_events = alone.events;
    assert_true(storm_run(b.variants[0].scenario, &options, &b.arena, &alone, &b.error));
    options.max_events--;
    assert_false(storm_run(b.variants[0].scenario, &options, &b.arena, &alone, &b.error));
    assert_int_equal(b.error.status, STORM_LIMIT);
    assert_non_null(strstr(b.error.message, "--max-events"));
    b.plan.max_events = 1000;
    struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
    assert_true(r != NULL && !r->complete && r->runs == 0);
    assert_int_equal(b.error.status, STORM_LIMIT);
    bench_free(&b);
}

static void a_limit_on_memory_ends_the_trials(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    b.plan.max_memory = 100000;
    struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
    assert_true(r != NULL && !r->complete && r->runs == 0);
    assert_int_equal(b.error.status, STORM_LIMIT);
    assert_non_null(strstr(b.error.message, "memory"));
    bench_free(&b);
}

static void the_hash_is_of_the_settings(void **state) {
    (void)state;
    static const struct storm_setting other[] = {{"policies.app.attempts", "5"}};
    char hashes[3][17];
    for (int i = 0; i < 3; i++) {
        struct bench b;
        bench_set(&b);
        b.plan.runs = 1;
        b.plan.seed = (uint64_t)i;
        b.variants[1].settings = i == 2 ? other : b.variants[1].settings;
        struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
        memcpy(hashes[i], r->hash, 17);
        bench_free(&b);
    }
    assert_string_equal(hashes[0], hashes[1]);
    assert_string_not_equal(hashes[0], hashes[2]);
}

static void faults_are_bands_cut_at_the_end_of_the_run(void **state) {
    (void)state;
    static const char *const labels[] = {"outage",          "outage",           "3 × slower",
                                         "30 % capacity",   "12.5 % errors",    "30 % loss",
                                         "+200 ms network", "1 % loss, +1.5 s", "slow network"};
    struct small_world w;
    struct arena arena;
    struct storm_span *spans;
    uint32_t count;
    small_world_init(&w);
    arena_init(&arena, 1 << 20);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 10 * SEC, 5 * SEC);
    small_world_add_fault(&w, STORM_FAULT_HANG, 58 * SEC, 5 * SEC);
    small_world_add_fault(&w, STORM_FAULT_SLOW, 70 * SEC, STORM_NEVER);
    small_world_add_fault(&w, STORM_FAULT_CAPACITY, 1, 1);
    small_world_add_fault(&w, STORM_FAULT_ERRORS, 0, 60 * SEC);
    for (int i = 5; i < 9; i++)
        small_world_add_fault(&w, STORM_FAULT_NETWORK, 20 * SEC, 5 * SEC);
    w.faults[2].factor = 3;
    w.faults[3].share = 0.3;
    w.faults[4].share = 0.125;
    w.faults[5].loss = 0.3;
    w.faults[6].latency = small_world_constant(200 * MS);
    w.faults[7].loss = 0.01;
    w.faults[7].latency = (struct storm_dist){.law = STORM_LAW_EXPONENTIAL, .a = 1.5};
    /* a tail so heavy has no mean */
    w.faults[8].latency = (struct storm_dist){.law = STORM_LAW_PARETO, .a = 0.1, .b = 0.5};
    assert_true(spans_of(&w.scenario, 60 * SEC, &arena, &spans, &count));
    assert_int_equal(count, 9);
    for (uint32_t i = 0; i < 9; i++) {
        assert_string_equal(spans[i].label, labels[i]);
        assert_string_equal(spans[i].subject, "api");
        assert_true(spans[i].from <= spans[i].to && spans[i].to <= 60 * SEC);
    }
    assert_true(spans[0].from == 10 * SEC && spans[0].to == 15 * SEC);
    assert_true(spans[1].from == 58 * SEC && spans[1].to == 60 * SEC);
    arena_free(&arena);
}

static void a_fault_that_comes_back_has_a_band_each_time_or_one_for_too_many(void **state) {
    (void)state;
    struct small_world w;
    struct arena arena;
    struct storm_span *spans;
    uint32_t count;
    small_world_init(&w);
    arena_init(&arena, 1 << 20);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 10 * SEC, 2 * SEC);
    w.faults[0].period = 10 * SEC;
    assert_true(spans_of(&w.scenario, 51 * SEC, &arena, &spans, &count));
    assert_int_equal(count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(spans[i].from == (10 + 10 * i) * SEC);
    assert_true(spans[3].to == 42 * SEC && spans[4].to == 51 * SEC);
    assert_true(spans_of(&w.scenario, 50 * SEC, &arena, &spans, &count));
    assert_int_equal(count, 4);
    assert_true(spans_of(&w.scenario, 1000 * SEC, &arena, &spans, &count));
    assert_int_equal(count, 1);
    assert_string_equal(spans[0].label, "outage every 10s");
    assert_true(spans[0].from == 10 * SEC && spans[0].to == 992 * SEC);
    arena_free(&arena);
}

/* What operators do has bands after the faults', of no width where it has no length. */
static void actions_are_bands_of_their_own_kind(void **state) {
    (void)state;
    static const struct {
        const char *label, *subject;
        storm_time from, to;
    } bands[] = {
        {"pause", "", 10 * SEC, 20 * SEC},
        {"block", "api", 11 * SEC, 60 * SEC},
        {"clear", "api", 12 * SEC, 12 * SEC},
        {"admit 50/s", "api", 13 * SEC, 14 * SEC},
        {"set services.api.workers: 80", "", 15 * SEC, 15 * SEC},
        {"rollout to policy", "client", 16 * SEC, 46 * SEC},
        {"replay 2.5/s", "client", 17 * SEC, 17 * SEC},
        {"resend", "client", 60 * SEC, 60 * SEC},
        {"rerun", "client", 19 * SEC, 19 * SEC},
    };
    static struct storm_action actions[] = {
        {.kind = STORM_ACTION_PAUSE, .at = 10 * SEC, .length = 10 * SEC, .population = STORM_NONE},
        {.kind = STORM_ACTION_BLOCK, .at = 11 * SEC, .length = STORM_NEVER},
        {.kind = STORM_ACTION_CLEAR, .at = 12 * SEC, .length = STORM_NEVER},
        {.kind = STORM_ACTION_ADMIT, .at = 13 * SEC, .length = SEC, .rate = 50},
        {.kind = STORM_ACTION_SET, .at = 15 * SEC, .settings = "services.api.workers: 80"},
        {.kind = STORM_ACTION_ROLLOUT, .at = 16 * SEC, .length = 30 * SEC},
        {.kind = STORM_ACTION_REPLAY, .at = 17 * SEC, .length = STORM_NEVER, .pace = {.rate = 2.5}},
        {.kind = STORM_ACTION_RESEND, .at = 80 * SEC},
        {.kind = STORM_ACTION_RERUN, .at = 19 * SEC},
    };
    enum { COUNT = sizeof bands / sizeof bands[0] };
    struct small_world w;
    struct arena arena;
    struct storm_span *spans;
    uint32_t count;
    small_world_init(&w);
    arena_init(&arena, 1 << 20);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 10 * SEC, 5 * SEC);
    w.scenario.actions = actions;
    w.scenario.action_count = COUNT;
    assert_true(spans_of(&w.scenario, 60 * SEC, &arena, &spans, &count));
    assert_int_equal(count, 1 + COUNT);
    assert_int_equal(spans[0].kind, STORM_SPAN_FAULT);
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct storm_span *span = &spans[1 + i];
        assert_int_equal(span->kind, STORM_SPAN_ACTION);
        assert_string_equal(span->label, bands[i].label);
        assert_string_equal(span->subject, bands[i].subject);
        assert_true(span->from == bands[i].from && span->to == bands[i].to);
    }
    arena_free(&arena);
}

/* Three clients at 1 s and one worker of 100 ms: idle at 1.3 s; with a fourth one at 1.4 s. */
static void a_run_until_idle_is_as_long_as_it_takes(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    for (int i = 0; i < 2; i++) {
        small_world_free(&b.worlds[i]);
        small_world_init(&b.worlds[i]);
        b.worlds[i].scenario.duration = STORM_NEVER;
        b.worlds[i].populations[0].count = 3 + (uint32_t)i;
    }
    uint32_t births = 0;
    b.variants[1].also = (struct storm_listener){count_births, &births};
    struct storm_results *r = trials_run(&b.plan, &b.arena, &b.error);
    assert_non_null(r);
    assert_int_equal(births, 4); /* who listens hears one life, not the one before it */
    assert_true(r->duration == 1400 * MS);
    assert_true(r->bin_width == 5 * MS && r->bin_count == 280);
    for (uint32_t i = 0; i < 2; i++) {
        const struct storm_variant *v = &r->variants[i];
        assert_true(metric(v, "completion_time")->max == (i == 0 ? 1.3 : 1.4));
        assert_true(metric(v, "requests")->min == 3 + i && metric(v, "in_flight")->max == 0);
        assert_true(fabs(metric(v, "mean_busy.api")->mean - (i == 0 ? .3 / 1.3 : .4 / 1.4)) <
                    1e-12);
        double goodput = 0;
        for (uint32_t s = 0; s < v->series_count; s++) {
            for (uint32_t bin = 0; bin < r->bin_count; bin++) {
                assert_true(isnan(v->series[s].values[bin]) == (i == 0 && bin >= 260));
                if (strcmp(v->series[s].name, STORM_SERIES_GOODPUT) == 0 && bin < 260 + 20 * i)
                    goodput += v->series[s].values[bin];
            }
        }
        assert_true(goodput == 3 + i);
    }
    bench_free(&b);
}

/* What is measured is what a run of a fixed length measures that ends just then. */
static void a_run_until_idle_is_a_run_of_that_length(void **state) {
    (void)state;
    struct small_world w;
    struct arena arena;
    struct storm_run_options options = {.seed = 5, .with_series = true};
    struct storm_run_result idle, again, fixed;
    struct storm_error error;
    small_world_init(&w);
    w.populations[0].count = 20;
    w.scenario.duration = STORM_NEVER;
    arena_init(&arena, 1 << 24);
    assert_true(storm_run(&w.scenario, &options, &arena, &idle, &error));
    options.duration = idle.duration;
    assert_true(storm_run(&w.scenario, &options, &arena, &again, &error));
    assert_true(again.digest == idle.digest && again.duration == idle.duration);
    w.scenario.duration = idle.duration + 1;
    assert_true(storm_run(&w.scenario, &options, &arena, &fixed, &error));
    assert_true(idle.digest == fixed.digest && idle.duration == 3 * SEC);
    small_world_init(&w); /* the least that is recorded */
    w.scenario.duration = STORM_NEVER;
    w.populations[0].at = 0;
    w.services[0].service_time = small_world_constant(1);
    options.duration = 0;
    assert_true(storm_run(&w.scenario, &options, &arena, &idle, &error));
    assert_true(idle.duration == MS && idle.bin_count == 200);
    arena_free(&arena);
}

static void a_run_that_is_never_idle_is_ended_and_says_so(void **state) {
    (void)state;
    struct small_world w;
    struct arena arena;
    struct storm_run_options options = {.seed = 5, .max_events = 10000};
    struct storm_run_result result;
    struct storm_error error;
    small_world_init(&w);
    small_world_retry(&w, STORM_ATTEMPTS_UNLIMITED, 1);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, STORM_NEVER);
    w.scenario.duration = STORM_NEVER;
    arena_init(&arena, 1 << 24);
    assert_false(storm_run(&w.scenario, &options, &arena, &result, &error));
    assert_int_equal(error.status, STORM_LIMIT);
    assert_non_null(strstr(error.suggestion, "until_idle"));
    arena_free(&arena);
}

/* The bits of two little runs, pinned: whoever changes what the simulator means sees it here and
   has to say so. */
static void the_bits_of_a_run_are_for_ever(void **state) {
    (void)state;
    static const struct {
        bool busy;
        uint64_t seed, digest, events;
    } rows[] = {
        {false, 1, UINT64_C(0x3C8889D653BEFA10), 5},
        {true, 1, UINT64_C(0xF8737FE85E3D4E95), 30913},
        {true, 2, UINT64_C(0x06E1B9B83370A74C), 29478},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct small_world w;
        struct arena arena;
        struct storm_run_options options = {.seed = rows[i].seed};
        struct storm_run_result result;
        struct storm_error error;
        (rows[i].busy ? small_world_busy : small_world_init)(&w);
        arena_init(&arena, 1 << 24);
        assert_true(storm_run(&w.scenario, &options, &arena, &result, &error));
        if (result.digest != rows[i].digest || result.events != rows[i].events)
            fail_msg("row %zu: digest 0x%016llX, events %llu", i, (unsigned long long)result.digest,
                     (unsigned long long)result.events);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_may_be_added_without_repeating_any),
        cmocka_unit_test(a_step_that_fails_keeps_the_runs_before_it),
        cmocka_unit_test(results_name_what_they_are_of),
        cmocka_unit_test(a_run_in_a_crowd_is_the_run_alone),
        cmocka_unit_test(both_variants_meet_the_same_births),
        cmocka_unit_test(the_listener_hears_run_0_only),
        cmocka_unit_test(a_stop_before_the_start_leaves_results_of_no_runs),
        cmocka_unit_test(a_stop_on_the_way_keeps_the_runs_that_are_done),
        cmocka_unit_test(a_limit_on_events_is_exact_and_ends_the_trials),
        cmocka_unit_test(a_limit_on_memory_ends_the_trials),
        cmocka_unit_test(the_hash_is_of_the_settings),
        cmocka_unit_test(faults_are_bands_cut_at_the_end_of_the_run),
        cmocka_unit_test(actions_are_bands_of_their_own_kind),
        cmocka_unit_test(a_fault_that_comes_back_has_a_band_each_time_or_one_for_too_many),
        cmocka_unit_test(a_run_until_idle_is_as_long_as_it_takes),
        cmocka_unit_test(a_run_until_idle_is_a_run_of_that_length),
        cmocka_unit_test(a_run_that_is_never_idle_is_ended_and_says_so),
        cmocka_unit_test(the_bits_of_a_run_are_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
