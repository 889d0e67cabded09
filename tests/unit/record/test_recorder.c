/* test_recorder.c: counts, integrals and curves of made-up facts, by hand. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/recorder.h"

#include <math.h>

#include "base/stream.h"
#include "stage.h"
#include "support/test.h"

static void check(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g, not %.17g", value, expected);
}

#define ARRIVED(...) ((struct storm_fact){.kind = STORM_FACT_ARRIVED, __VA_ARGS__})
#define FACT(what, ...) ((struct storm_fact){.kind = STORM_FACT_##what, __VA_ARGS__})

static void bins_are_nice_and_at_most_four_hundred(void **state) {
    (void)state;
    static const struct {
        storm_time duration, width;
    } rows[] = {{1, 1},
                {400, 1},
                {401, 2},
                {60 * SEC, 200 * MS},
                {240 * SEC, SEC},
                {400 * SEC, SEC},
                {400 * SEC + 1, 2 * SEC},
                {600 * SEC, 2 * SEC},
                {1000 * SEC, 5 * SEC},
                {3600 * SEC, 10 * SEC},
                {86400 * SEC, 300 * SEC},
                {30 * 86400 * SEC, 7200 * SEC},
                {365 * 86400 * SEC, 86400 * SEC},
                {1000 * 86400 * SEC, 3 * 86400 * SEC}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        storm_time width = recorder_bin_width(rows[i].duration);
        if (width != rows[i].width)
            fail_msg("%lld ns: bins of %lld", (long long)rows[i].duration, (long long)width);
    }
}

/* One waits from 1 s to 2 s and is served until 4 s; another starts at once at 3 s and is lost
   at 3.5 s. */
static void levels_are_integrated_over_time(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 10 * SEC);
    stage_open(&s);
    stage_tell(&s, SEC, FACT(QUEUED));
    stage_tell(&s, 2 * SEC, FACT(STARTED, .since = SEC, .queued = true));
    stage_tell(&s, 3 * SEC, FACT(STARTED, .since = 3 * SEC));
    stage_tell(&s, 3500 * MS, FACT(LOST, .busy = true));
    stage_tell(&s, 4 * SEC, FACT(SERVED, .busy = true, .status = 200, .since = 2 * SEC));
    stage_finish(&s);
    check(stage_metric(&s, "mean_queue.api"), 0.1);
    check(stage_metric(&s, "mean_busy.api"), 0.25);
    check(stage_metric(&s, "mean_level.api"), 0.35);
    check(stage_metric(&s, "mean_wait.api"), 0.5);
    check(stage_metric(&s, "wait_share.api"), 0.5);
    check(stage_metric(&s, "useful_work.api"), 2);
    check(stage_metric(&s, "lost.api"), 1);
    check(stage_metric(&s, "queue_peak.api"), 1);
    stage_close(&s);
}

static void full_is_every_worker_and_every_place_in_the_queue(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 10 * SEC);
    s.service.workers = 1;
    s.service.queue_limit = 1;
    stage_open(&s);
    stage_tell(&s, SEC, FACT(STARTED, .since = SEC));
    stage_tell(&s, 2 * SEC, FACT(QUEUED));
    stage_tell(&s, 5 * SEC, FACT(SERVED, .busy = true, .status = 200, .since = SEC));
    stage_tell(&s, 5 * SEC, FACT(STARTED, .since = 2 * SEC, .queued = true));
    stage_finish(&s);
    check(stage_metric(&s, "full_share.api"), 0.3);
    stage_close(&s);
}

static void work_for_who_has_given_up_is_ghost_work(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 10 * SEC);
    stage_open(&s);
    stage_tell(&s, 0, FACT(STARTED));
    stage_tell(&s, 0, FACT(STARTED));
    stage_tell(&s, SEC, FACT(SERVED, .busy = true, .status = 200, .ghost = true));
    stage_tell(&s, 3 * SEC, FACT(SERVED, .busy = true, .status = 500));
    stage_finish(&s);
    check(stage_metric(&s, "ghost_work.api"), 1);
    check(stage_metric(&s, "useful_work.api"), 3);
    check(stage_metric(&s, "ghost_share.api"), 0.25);
    check(s.recorder->services[0].ghost_bins[(SEC) / s.recorder->bin_width], 1);
    stage_close(&s);
}

static void a_breaker_is_counted_when_it_opens(void **state) {
    (void)state;
    struct storm_policy policy = {.breaker.kind = STORM_BREAKER_CONSECUTIVE};
    struct stage s;
    stage_set(&s, 10 * SEC);
    s.scenario.policies = &policy;
    s.scenario.policy_count = 1;
    stage_open(&s);
    stage_tell(&s, SEC, FACT(BREAKER, .level = STORM_BREAKER_OPEN));
    stage_tell(&s, 2 * SEC, FACT(BREAKER, .level = STORM_BREAKER_HALF_OPEN));
    stage_tell(&s, 3 * SEC, FACT(BREAKER, .level = STORM_BREAKER_OPEN));
    stage_tell(&s, 4 * SEC, FACT(BREAKER, .level = STORM_BREAKER_HALF_OPEN));
    stage_tell(&s, 4 * SEC, FACT(BREAKER, .level = STORM_BREAKER_CLOSED));
    stage_finish(&s);
    check(stage_metric(&s, "breaker_opened.api"), 2);
    stage_close(&s);
}

static void outages_of_any_number_are_time_away(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 60 * SEC);
    stage_open(&s);
    stage_tell(&s, 10 * SEC, FACT(OUTAGE, .level = 1));
    stage_tell(&s, 12 * SEC, FACT(OUTAGE, .level = 2));
    stage_tell(&s, 15 * SEC, FACT(OUTAGE, .level = 1));
    stage_tell(&s, 20 * SEC, FACT(OUTAGE, .level = 0));
    stage_tell(&s, 55 * SEC, FACT(OUTAGE, .level = 1));
    stage_finish(&s);
    check(stage_metric(&s, "unavailable_time.api"), 15);
    stage_close(&s);
}

/* 4 s bins... 100 s in bins of 500 ms: what changes within a bin is averaged over it. */
static void curves_are_counts_or_means_of_their_bin(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 100 * SEC - 250 * MS); /* the last bin is half as long */
    stage_open(&s);
    assert_true(s.recorder->bin_width == 500 * MS && s.recorder->bin_count == 200);
    stage_tell(&s, 999 * MS, ARRIVED(.retry = false));
    stage_tell(&s, SEC, ARRIVED(.retry = true));
    stage_tell(&s, 1499 * MS, ARRIVED(.retry = true));
    stage_tell(&s, 2 * SEC + 125 * MS, FACT(CAPACITY, .level = 2, .pace = 1));
    stage_tell(&s, 3 * SEC + 400 * MS, FACT(STARTED, .since = SEC));
    stage_tell(&s, 4 * SEC + 100 * MS, FACT(SERVED, .busy = true, .status = 200, .since = 3 * SEC));
    stage_tell(&s, 50 * SEC, FACT(CAPACITY, .level = 2, .pace = 0.5));
    stage_tell(&s, 60 * SEC, FACT(CAPACITY, .level = 2, .pace = 1));
    stage_tell(&s, 99 * SEC + 625 * MS, FACT(QUEUED));
    stage_finish(&s);
    const struct service_record *r = stage_service(&s);
    check(r->first_bins[1], 1);
    check(r->first_bins[2], 0);
    check(r->retry_bins[1], 0);
    check(r->retry_bins[2], 2);
    check(r->capacity_bins[0], 100);
    check(r->capacity_bins[4], 100 * 0.25 + 20 * 0.75);
    check(r->capacity_bins[5], 20);
    check(r->capacity_bins[110], 10); /* workers at half their speed */
    check(r->capacity_bins[199], 20);
    check(r->level_bins[6], 0.2);
    check(r->level_bins[7], 1);
    check(r->level_bins[8], 0.2);
    check(r->level_bins[199], 0.5);
    stage_close(&s);
}

static void requests_are_curves_by_birth_by_answer_and_so_far(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 100 * SEC);
    stage_open(&s);
    stage_tell(&s, SEC, FACT(BORN));
    stage_tell(&s, SEC, FACT(BORN));
    stage_tell(&s, SEC, FACT(BORN));
    stage_tell(&s, SEC, FACT(BORN));
    stage_tell(&s, 2 * SEC, FACT(SUCCEEDED, .since = SEC, .attempts = 1));     /* just in time */
    stage_tell(&s, 2 * SEC + 1, FACT(SUCCEEDED, .since = SEC, .attempts = 2)); /* too late */
    stage_tell(&s, 3 * SEC,
               FACT(DEAD, .since = SEC, .attempts = 4, .reason = STORM_REASON_ATTEMPTS));
    stage_finish(&s);
    const struct population_record *p = &s.recorder->populations[0];
    check(p->born_bins[2 * 2], 0);
    check(p->born_bins[2], 4);
    check(p->failed_bins[2], 3);
    check(p->failed_bins[196], 0);
    assert_true(isnan(p->failed_bins[199])); /* may yet be answered in time */
    check(p->goodput_bins[4], 1);
    check(p->dead_bins[5], 0);
    check(p->dead_bins[6], 1);
    check(p->dead_bins[199], 1);
    check(stage_metric(&s, "requests"), 4);
    check(stage_metric(&s, "succeeded"), 2);
    check(stage_metric(&s, "dead_letters"), 1);
    check(stage_metric(&s, "dead_letters.attempts_exhausted"), 1);
    check(stage_metric(&s, "dead_letters.not_retryable"), 0);
    check(stage_metric(&s, "in_flight"), 1);
    check(stage_metric(&s, "success_share"), 0.25);
    check(stage_metric(&s, "goodput"), 0.01);
    check(stage_metric(&s, "attempts_per_request"), 7.0 / 3);
    assert_true(isnan(stage_metric(&s, "completion_time"))); /* there is always one more */
    stage_close(&s);
}

static void where_births_have_an_end_the_last_answer_is_the_completion(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 100 * SEC);
    s.population.arrival = STORM_ARRIVAL_AT;
    stage_open(&s);
    stage_tell(&s, SEC, FACT(BORN));
    stage_tell(&s, 3 * SEC, FACT(SUCCEEDED, .since = SEC, .attempts = 1, .status = 200));
    stage_finish(&s);
    check(stage_metric(&s, "completion_time"), 3);
    stage_close(&s);
}

static void who_is_born_too_late_to_answer_in_time_is_not_judged(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 100 * SEC);
    stage_open(&s);
    stage_tell(&s, 99 * SEC - 1, FACT(BORN)); /* its second ends before the run */
    stage_tell(&s, 99 * SEC, FACT(BORN));     /* an answer at the run's end is not heard */
    stage_tell(&s, 99 * SEC + 2, FACT(SUCCEEDED, .since = 99 * SEC));
    stage_finish(&s);
    check(stage_metric(&s, "success_share"), 0);
    stage_close(&s);
}

static uint64_t peak_of(const storm_time *times, size_t count) {
    struct stage s;
    stage_set(&s, 100 * SEC);
    stage_open(&s);
    for (size_t i = 0; i < count; i++)
        stage_tell(&s, times[i], ARRIVED(.retry = i % 2 == 1));
    stage_finish(&s);
    uint64_t highest = stage_service(&s)->peak.highest;
    stage_close(&s);
    return highest;
}

static void the_peak_is_the_busiest_second_wherever_it_begins(void **state) {
    (void)state;
    static const storm_time across[] = {500 * MS, 900 * MS, 1100 * MS, 1490 * MS, 1500 * MS};
    assert_int_equal(peak_of(across, 5), 4); /* 0.5 s and 1.5 s are a whole second apart */
    static const storm_time gap[] = {1 * SEC, 1 * SEC, 50 * SEC, 50 * SEC, 50999 * MS};
    assert_int_equal(peak_of(gap, 5), 3);
    static const storm_time first[] = {0, 5 * MS, 995 * MS, 1000 * MS, 1005 * MS};
    assert_int_equal(peak_of(first, 5), 3);
    assert_int_equal(peak_of(first, 0), 0);
}

/* Against the definition: every window of 100 steps of 10 ms. */
static void the_peak_agrees_with_all_windows_tried_one_by_one(void **state) {
    (void)state;
    enum { COUNT = 3000, STEPS = 10000 };
    static storm_time times[COUNT];
    static uint32_t steps[STEPS];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        storm_time now = 0;
        memset(steps, 0, sizeof steps);
        for (uint32_t i = 0; i < COUNT; i++) {
            double u = stream_uniform(seed, STREAM_ARRIVAL, i);
            now += storm_time_from_seconds(u * u * u * u * 0.15);
            times[i] = now;
            assert_true(now < 100 * SEC);
            steps[now / (10 * MS)]++;
        }
        uint64_t most = 0;
        for (int end = 0; end < STEPS; end++) {
            uint64_t sum = 0;
            for (int i = end; i > end - 100 && i >= 0; i--)
                sum += steps[i];
            most = sum > most ? sum : most;
        }
        assert_int_equal(peak_of(times, COUNT), most);
    }
}

static double bunching_of(const storm_time *times, size_t count) {
    struct stage s;
    stage_set(&s, 100 * SEC);
    stage_open(&s);
    for (size_t i = 0; i < count; i++)
        stage_tell(&s, times[i], ARRIVED(.retry = true));
    stage_finish(&s);
    double value = stage_metric(&s, "synchronisation.api");
    stage_close(&s);
    return value;
}

static void synchronisation_is_variance_over_mean_of_retries(void **state) {
    (void)state;
    /* in bins of 100 ms: 3 1 0 2; mean 3/2, variance 5/4 */
    static const storm_time uneven[] = {1000 * MS, 1001 * MS, 1099 * MS,
                                        1100 * MS, 1300 * MS, 1399 * MS};
    check(bunching_of(uneven, 6), 1.25 / 1.5);
    static const storm_time even[] = {1000 * MS, 1100 * MS, 1200 * MS, 1300 * MS};
    check(bunching_of(even, 4), 0);
    assert_true(isnan(bunching_of(even, 0)));
    assert_true(isnan(bunching_of(even, 1))); /* one bin says nothing */
}

static void independent_retries_have_a_synchronisation_of_one(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    static storm_time times[COUNT];
    double now = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        now -= log(1 - stream_uniform(5, STREAM_ARRIVAL, i)) / 250;
        times[i] = storm_time_from_seconds(now);
    }
    double bins = now / 0.1; /* the index of dispersion has variance 2 / bins */
    assert_true(fabs(bunching_of(times, COUNT) - 1) < 4 * sqrt(2 / bins));
}

static void crashes_are_knock_downs_from_the_trigger_on(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 100 * SEC);
    stage_fault(&s, 50 * SEC, 60 * SEC);
    stage_open(&s);
    stage_tell(&s, 50 * SEC - 1, FACT(CRASHED));
    stage_tell(&s, 50 * SEC, FACT(CRASHED));
    stage_tell(&s, 90 * SEC, FACT(CRASHED));
    stage_finish(&s);
    check(stage_metric(&s, "crashes.api"), 3);
    check(stage_metric(&s, "knock_downs"), 2);
    stage_close(&s);
}

static uint64_t digest_of(const struct storm_fact *facts, size_t count) {
    struct stage s;
    stage_set(&s, 100 * SEC);
    stage_open(&s);
    for (size_t i = 0; i < count; i++)
        stage_tell(&s, facts[i].time, facts[i]);
    uint64_t digest = s.recorder->digest;
    stage_close(&s);
    return digest;
}

static void the_digest_sees_every_field_and_the_order(void **state) {
    (void)state;
    const struct storm_fact plain = {.time = SEC, .kind = STORM_FACT_VANISHED};
    struct storm_fact changed[16];
    for (int i = 0; i < 16; i++)
        changed[i] = plain;
    changed[0].time++;
    changed[1].since = 1;
    changed[2].first_failed = 1;
    changed[3].key = 1;
    changed[4].member = 1;
    changed[5].ordinal = 1;
    changed[6].attempts = 1;
    changed[7].level = 1;
    changed[8].status = 1;
    changed[9].kind = STORM_FACT_GAVE_UP;
    changed[10].retry = true;
    changed[11].ghost = true;
    changed[12].queued = true;
    changed[13].reason = 1;
    changed[14].due = 1;
    changed[15].parent = 1;
    uint64_t digests[17] = {digest_of(&plain, 1)};
    for (int i = 0; i < 16; i++) {
        digests[i + 1] = digest_of(&changed[i], 1);
        for (int j = 0; j <= i; j++)
            assert_true(digests[j] != digests[i + 1]);
    }
    const struct storm_fact one[] = {changed[9], changed[10]}, other[] = {changed[10], changed[9]};
    assert_true(digest_of(one, 2) != digest_of(other, 2));
}

static void amplification_is_attempts_at_the_service_per_request_born(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 100 * SEC);
    stage_open(&s);
    stage_tell(&s, SEC, FACT(BORN));
    stage_tell(&s, SEC, FACT(BORN));
    for (int i = 0; i < 7; i++)
        stage_tell(&s, SEC, ARRIVED(.retry = i >= 2));
    stage_tell(&s, SEC, FACT(REFUSED, .status = 503));
    stage_tell(&s, SEC, FACT(GAVE_UP));
    stage_finish(&s);
    check(stage_metric(&s, "attempts.api"), 7);
    check(stage_metric(&s, "amplification.api"), 3.5);
    check(stage_metric(&s, "retry_share.api"), 5.0 / 7);
    check(stage_metric(&s, "refused.api"), 1);
    check(stage_metric(&s, "timeouts.api"), 1);
    check(stage_metric(&s, "peak_load.api"), 7);
    check(stage_metric(&s, "peak_load_capacity.api"), 0.07);
    stage_close(&s);
}

/* One waits and is taken back, one waits until nobody does, one is taken back from its worker after
   two seconds, one on its way. */
static void what_is_taken_back_or_expires_leaves_its_place(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 10 * SEC);
    stage_open(&s);
    stage_tell(&s, SEC, FACT(STARTED, .since = SEC));
    stage_tell(&s, SEC, FACT(QUEUED));
    stage_tell(&s, SEC, FACT(QUEUED));
    stage_tell(&s, 2 * SEC, FACT(CANCELLED, .queued = true));
    stage_tell(&s, 2 * SEC, FACT(CANCELLED));
    stage_tell(&s, 3 * SEC, FACT(EXPIRED, .since = SEC, .ghost = true));
    stage_tell(&s, 3 * SEC, FACT(CANCELLED, .busy = true, .since = SEC, .ghost = true));
    stage_finish(&s);
    check(stage_metric(&s, "mean_queue.api"), 0.3);
    check(stage_metric(&s, "mean_busy.api"), 0.2);
    check(stage_metric(&s, "cancelled.api"), 3);
    check(stage_metric(&s, "expired.api"), 1);
    check(stage_metric(&s, "ghost_work.api"), 2);
    check(stage_metric(&s, "useful_work.api"), 0);
    check(stage_metric(&s, "queue_peak.api"), 2);
    stage_close(&s);
}

/* Two give their workers free after 1 s, one of them for nobody, and are answered later. */
static void a_parked_attempt_holds_no_worker(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 10 * SEC);
    stage_open(&s);
    stage_tell(&s, SEC, FACT(STARTED, .since = SEC));
    stage_tell(&s, SEC, FACT(STARTED, .since = SEC));
    stage_tell(&s, 2 * SEC, FACT(PARKED, .since = SEC));
    stage_tell(&s, 2 * SEC, FACT(PARKED, .since = SEC, .ghost = true));
    stage_tell(&s, 5 * SEC, FACT(SERVED, .since = SEC, .status = 200));
    stage_tell(&s, 6 * SEC, FACT(SERVED, .since = SEC, .status = 200, .ghost = true));
    stage_finish(&s);
    check(stage_metric(&s, "mean_busy.api"), 0.2);
    check(stage_metric(&s, "useful_work.api"), 1);
    check(stage_metric(&s, "ghost_work.api"), 1);
    assert_int_equal(stage_service(&s)->served, 2);
    stage_close(&s);
}

static void calls_that_back_off_are_counted_while_they_do(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 10 * SEC);
    stage_open(&s);
    stage_tell(&s, SEC, FACT(VANISHED));
    stage_tell(&s, SEC, FACT(VANISHED, .status = 200));
    stage_tell(&s, SEC, FACT(BACKED_OFF, .due = 3 * SEC));
    stage_tell(&s, 2 * SEC, FACT(BACKED_OFF, .due = STORM_NEVER));
    stage_tell(&s, 3 * SEC, FACT(RESTED));
    stage_tell(&s, 9 * SEC, FACT(RESTED));
    stage_finish(&s);
    check(stage_metric(&s, "mean_backing_off.api"), 0.9);
    check(stage_metric(&s, "vanished.api"), 2);
    stage_close(&s);
}

/* Two workers shared by up to five: full with five, and never more than two are busy. */
static void those_that_share_the_workers_are_all_in_service(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 10 * SEC);
    s.service.sharing = true;
    s.service.workers = 2;
    s.service.queue_limit = 3;
    stage_open(&s);
    for (int i = 0; i < 5; i++)
        stage_tell(&s, SEC + i * SEC, FACT(STARTED, .since = SEC + i * SEC));
    stage_tell(&s, 7 * SEC, FACT(SERVED, .busy = true, .status = 200, .since = SEC));
    stage_tell(&s, 8 * SEC, FACT(LOST, .busy = true));
    stage_tell(&s, 8 * SEC, FACT(LOST, .busy = true));
    stage_tell(&s, 8 * SEC, FACT(LOST, .busy = true));
    stage_tell(&s, 8 * SEC, FACT(LOST, .busy = true));
    stage_finish(&s);
    check(stage_metric(&s, "full_share.api"), 0.2);
    check(stage_metric(&s, "mean_busy.api"), 0.1 + 6 * 0.2);
    check(stage_metric(&s, "mean_level.api"), 0.1 + 0.2 + 0.3 + 0.4 + 2 * 0.5 + 0.4);
    check(stage_metric(&s, "mean_queue.api"), 0);
    stage_close(&s);
}

/* The queue's bound and the service time change at 5 s: its one place is taken from 1 s on. */
static void settings_hold_until_operators_change_them(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 10 * SEC);
    s.service.workers = 1;
    s.service.queue_limit = 1;
    struct storm_service later = s.service;
    struct storm_scenario after = s.scenario;
    after.services = &later;
    later.queue_limit = 2;
    later.service_time.offset = 50 * MS;
    struct storm_action actions[] = {
        {.kind = STORM_ACTION_CLEAR, .at = 2 * SEC},
        {.kind = STORM_ACTION_SET, .at = 5 * SEC, .after = &after},
    };
    s.scenario.actions = actions;
    s.scenario.action_count = 2;
    stage_open(&s);
    stage_tell(&s, SEC, FACT(STARTED, .since = SEC));
    stage_tell(&s, SEC, FACT(QUEUED));
    stage_finish(&s);
    check(stage_metric(&s, "full_share.api"), 0.4);
    check(stage_service(&s)->capacity_bins[0], 10);
    check(stage_service(&s)->capacity_bins[s.recorder->bin_count - 1], 20);
    stage_close(&s);
}

/* A run until idle ends with what ends last, and leaves nothing open: all can be judged. */
static void a_run_until_idle_knows_the_fate_of_all(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, STORM_NEVER);
    stage_open_for(&s, 2 * SEC);
    stage_tell(&s, 1500 * MS, FACT(BORN));
    stage_tell(&s, 1800 * MS, FACT(BORN));
    stage_tell(&s, 2 * SEC, FACT(SUCCEEDED, .since = 1800 * MS, .attempts = 1));
    stage_tell(&s, 2 * SEC, FACT(DEAD, .since = 1500 * MS, .attempts = 1, .reason = 1));
    stage_finish(&s);
    const struct population_record *p = &s.recorder->populations[0];
    assert_true(s.recorder->bin_width == 5 * MS && s.recorder->bin_count == 400);
    check(p->goodput_bins[399], 1);
    check(p->dead_bins[399], 1);
    check(p->failed_bins[300], 1);
    check(p->failed_bins[360], 0);
    check(stage_metric(&s, "success_share"), 0.5);
    check(stage_metric(&s, "goodput"), 0.5);
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_are_nice_and_at_most_four_hundred),
        cmocka_unit_test(levels_are_integrated_over_time),
        cmocka_unit_test(full_is_every_worker_and_every_place_in_the_queue),
        cmocka_unit_test(work_for_who_has_given_up_is_ghost_work),
        cmocka_unit_test(what_is_taken_back_or_expires_leaves_its_place),
        cmocka_unit_test(a_parked_attempt_holds_no_worker),
        cmocka_unit_test(calls_that_back_off_are_counted_while_they_do),
        cmocka_unit_test(those_that_share_the_workers_are_all_in_service),
        cmocka_unit_test(settings_hold_until_operators_change_them),
        cmocka_unit_test(a_run_until_idle_knows_the_fate_of_all),
        cmocka_unit_test(a_breaker_is_counted_when_it_opens),
        cmocka_unit_test(outages_of_any_number_are_time_away),
        cmocka_unit_test(curves_are_counts_or_means_of_their_bin),
        cmocka_unit_test(requests_are_curves_by_birth_by_answer_and_so_far),
        cmocka_unit_test(where_births_have_an_end_the_last_answer_is_the_completion),
        cmocka_unit_test(who_is_born_too_late_to_answer_in_time_is_not_judged),
        cmocka_unit_test(the_peak_is_the_busiest_second_wherever_it_begins),
        cmocka_unit_test(the_peak_agrees_with_all_windows_tried_one_by_one),
        cmocka_unit_test(synchronisation_is_variance_over_mean_of_retries),
        cmocka_unit_test(independent_retries_have_a_synchronisation_of_one),
        cmocka_unit_test(crashes_are_knock_downs_from_the_trigger_on),
        cmocka_unit_test(the_digest_sees_every_field_and_the_order),
        cmocka_unit_test(amplification_is_attempts_at_the_service_per_request_born),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
