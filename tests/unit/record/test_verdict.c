/* test_verdict.c: when a made-up history counts as unharmed, recovered, degraded, stuck, or as
   none of these. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/verdict.h"

#include <math.h>

#include "record/trigger.h"
#include "stage.h"
#include "support/test.h"

/* What becomes of the births of one second: how many of ten are bad. */
struct spell {
    storm_time from, to;
    int bad;
};

/* 10 births a second, the first of each second bad as the spells say; the good ones are answered 10
   ms later, the bad ones die. Levels of backlog are in `level`, if any: from its beginning to the
   end of the run. A crowd is 50 times as many, all of a kind together. */
static void live_as(struct stage *s, const struct spell *spells, size_t count,
                    const struct spell *level, int crowd) {
    for (storm_time t = 0; t < s->scenario.duration; t += 100 * MS) {
        int tenth = (int)(t / (100 * MS) % 10), bad = 0;
        for (size_t i = 0; i < count; i++)
            bad = t >= spells[i].from && t < spells[i].to ? spells[i].bad : bad;
        if (level != NULL && t == level->from) {
            for (int i = 0; i < level->bad; i++)
                stage_tell(s, t, (struct storm_fact){.kind = STORM_FACT_QUEUED});
        }
        if (level != NULL && t == level->to) {
            for (int i = 0; i < level->bad; i++)
                stage_tell(s, t, (struct storm_fact){.kind = STORM_FACT_LOST, .queued = true});
        }
        bool good = tenth >= bad;
        for (int i = 0; i < crowd; i++)
            stage_tell(s, t, (struct storm_fact){.kind = STORM_FACT_BORN});
        for (int i = 0; i < crowd; i++)
            stage_tell(s, t + 10 * MS,
                       (struct storm_fact){.kind = good ? STORM_FACT_SUCCEEDED : STORM_FACT_DEAD,
                                           .since = t,
                                           .reason = good ? 0 : STORM_REASON_ATTEMPTS});
    }
    stage_finish(s);
}

static void live(struct stage *s, const struct spell *spells, size_t count,
                 const struct spell *level) {
    live_as(s, spells, count, level, 1);
}

/* 240 s with an outage in [60 s, 80 s). */
static struct verdict judge_as(const struct spell *spells, size_t count, const struct spell *level,
                               int crowd) {
    struct stage s;
    stage_set(&s, 240 * SEC);
    stage_fault(&s, 60 * SEC, 80 * SEC);
    stage_open(&s);
    live_as(&s, spells, count, level, crowd);
    struct verdict verdict = verdict_judge(s.recorder);
    stage_close(&s);
    return verdict;
}

static struct verdict judge(const struct spell *spells, size_t count, const struct spell *level) {
    return judge_as(spells, count, level, 1);
}

static void expect(struct verdict verdict, enum storm_verdict word, double time_to_recover,
                   double last_bad) {
    assert_int_equal(verdict.word, word);
    assert_true(isnan(time_to_recover) ? isnan(verdict.time_to_recover)
                                       : verdict.time_to_recover == time_to_recover);
    assert_true(isnan(last_bad) ? isnan(verdict.last_bad) : verdict.last_bad == last_bad);
}

#define NO ((double)NAN)

static void nothing_bad_is_unharmed(void **state) {
    (void)state;
    expect(judge(NULL, 0, NULL), STORM_VERDICT_UNHARMED, 0, NO);
}

static void bad_during_the_trigger_only_is_recovered_at_once(void **state) {
    (void)state;
    static const struct spell spells[] = {{60 * SEC, 80 * SEC, 10}};
    expect(judge(spells, 1, NULL), STORM_VERDICT_RECOVERED, 0, 79);
}

static void bad_for_a_while_is_recovered_when_the_last_bad_window_is_over(void **state) {
    (void)state;
    static const struct spell spells[] = {{60 * SEC, 100 * SEC, 10}, {120 * SEC, 130 * SEC, 3}};
    expect(judge(spells, 1, NULL), STORM_VERDICT_RECOVERED, 20, 99);
    /* a relapse counts; its last two seconds, six bad births, may be in band */
    expect(judge(spells, 2, NULL), STORM_VERDICT_RECOVERED, 48, 129);
}

static void a_little_harm_to_the_end_is_degraded(void **state) {
    (void)state;
    static const struct spell spells[] = {{60 * SEC, 240 * SEC, 2}};
    expect(judge(spells, 1, NULL), STORM_VERDICT_DEGRADED, NO, 238);
}

static void failing_for_more_than_half_to_the_end_is_stuck(void **state) {
    (void)state;
    static const struct spell half[] = {{60 * SEC, 240 * SEC, 5}};
    static const struct spell more[] = {{60 * SEC, 240 * SEC, 6}};
    expect(judge(half, 1, NULL), STORM_VERDICT_DEGRADED, NO, 238);
    expect(judge(more, 1, NULL), STORM_VERDICT_STUCK, NO, 238);
}

static void stuck_is_about_the_last_quarter(void **state) {
    (void)state;
    static const struct spell better[] = {{60 * SEC, 180 * SEC, 10}, {180 * SEC, 240 * SEC, 2}};
    static const struct spell worse[] = {{60 * SEC, 180 * SEC, 2}, {180 * SEC, 240 * SEC, 10}};
    expect(judge(better, 1 + 1, NULL), STORM_VERDICT_DEGRADED, NO, 238);
    expect(judge(worse, 1 + 1, NULL), STORM_VERDICT_STUCK, NO, 238);
}

/* Fifty bad births in a window of 5000 are a point below a perfect baseline: in band; a hundred are
   not. */
static void one_point_below_the_baseline_is_in_band(void **state) {
    (void)state;
    static const struct spell one[] = {{100 * SEC, 101 * SEC, 1}};
    static const struct spell two[] = {{100 * SEC, 101 * SEC, 2}};
    expect(judge_as(one, 1, NULL, 50), STORM_VERDICT_UNHARMED, 0, 100);
    expect(judge_as(two, 1, NULL, 50), STORM_VERDICT_RECOVERED, 21, 100);
}

/* After 600 good births seven bad ones of a hundred may be chance (16/3, and four standard errors
   of one failure in 601: 7.1), eight may not. */
static void few_failures_are_no_proof(void **state) {
    (void)state;
    static const struct spell seven[] = {{100 * SEC, 101 * SEC, 7}};
    static const struct spell eight[] = {{100 * SEC, 101 * SEC, 8}};
    expect(judge(seven, 1, NULL), STORM_VERDICT_UNHARMED, 0, 100);
    expect(judge(eight, 1, NULL), STORM_VERDICT_RECOVERED, 21, 100);
}

/* Half of the requests fail in every other ten seconds before the trigger: such a half is then
   nothing new, but a whole is. */
static void a_baseline_in_bunches_has_a_wide_band(void **state) {
    (void)state;
    static const struct spell same[] = {{10 * SEC, 20 * SEC, 5},
                                        {30 * SEC, 40 * SEC, 5},
                                        {50 * SEC, 60 * SEC, 5},
                                        {100 * SEC, 110 * SEC, 5}};
    static const struct spell more[] = {{10 * SEC, 20 * SEC, 5},
                                        {30 * SEC, 40 * SEC, 5},
                                        {50 * SEC, 60 * SEC, 5},
                                        {100 * SEC, 110 * SEC, 10}};
    assert_int_equal(judge(same, 4, NULL).word, STORM_VERDICT_UNHARMED);
    assert_int_equal(judge(more, 4, NULL).word, STORM_VERDICT_RECOVERED);
}

/* With 10 % of failures before, four standard errors and the allowance for few of them are 18
   points: 80 % is in band, and 70 % is not. */
static void a_noisy_baseline_has_a_wide_band(void **state) {
    (void)state;
    static const struct spell noisy[] = {{0, 240 * SEC, 1}, {100 * SEC, 240 * SEC, 2}};
    static const struct spell worse[] = {{0, 240 * SEC, 1}, {100 * SEC, 240 * SEC, 3}};
    assert_int_equal(judge(noisy, 2, NULL).word, STORM_VERDICT_UNHARMED);
    assert_int_equal(judge(worse, 2, NULL).word, STORM_VERDICT_DEGRADED);
}

/* Half a timeout of work: 100/s for 0.5 s. */
static void a_backlog_is_out_of_band_even_when_all_succeed(void **state) {
    (void)state;
    static const struct spell allowed = {80 * SEC, 240 * SEC, 50};
    static const struct spell more = {80 * SEC, 240 * SEC, 51};
    static const struct spell drained = {80 * SEC, 110 * SEC, 100};
    expect(judge(NULL, 0, &allowed), STORM_VERDICT_UNHARMED, 0, NO);
    expect(judge(NULL, 0, &more), STORM_VERDICT_DEGRADED, NO, NO);
    expect(judge(NULL, 0, &drained), STORM_VERDICT_RECOVERED, 25, NO); /* mean of 10 s below 50 */
}

/* What piles up once the trigger has begun was not usual before it. */
static void the_baseline_ends_where_the_trigger_begins(void **state) {
    (void)state;
    static const struct spell pile = {60 * SEC, 240 * SEC, 99};
    assert_int_equal(judge(NULL, 0, &pile).word, STORM_VERDICT_DEGRADED);
}

static void twice_the_usual_backlog_is_in_band(void **state) {
    (void)state;
    struct stage s;
    for (int more = 0; more < 2; more++) {
        stage_set(&s, 240 * SEC);
        stage_fault(&s, 60 * SEC, 80 * SEC);
        stage_open(&s);
        for (int i = 0; i < 100; i++)
            stage_tell(&s, 0, (struct storm_fact){.kind = STORM_FACT_QUEUED});
        live(&s, NULL, 0, &(struct spell){80 * SEC, 240 * SEC, 100 + more});
        assert_int_equal(verdict_judge(s.recorder).word,
                         more ? STORM_VERDICT_DEGRADED : STORM_VERDICT_UNHARMED);
        stage_close(&s);
    }
}

static enum storm_verdict word_after(storm_time duration, storm_time timeout, storm_time to) {
    struct stage s;
    stage_set(&s, duration);
    s.population.call.timeout.offset = timeout;
    stage_fault(&s, 60 * SEC, to);
    stage_open(&s);
    live(&s, NULL, 0, NULL);
    enum storm_verdict word = verdict_judge(s.recorder).word;
    stage_close(&s);
    return word;
}

static void a_run_must_leave_30_s_or_ten_timeouts_after_the_trigger(void **state) {
    (void)state;
    assert_int_equal(word_after(110 * SEC, SEC, 80 * SEC), STORM_VERDICT_UNHARMED);
    assert_int_equal(word_after(110 * SEC, SEC, 80 * SEC + 1), STORM_VERDICT_TOO_SHORT);
    assert_int_equal(word_after(130 * SEC, 5 * SEC, 80 * SEC), STORM_VERDICT_UNHARMED);
    assert_int_equal(word_after(129 * SEC, 5 * SEC, 80 * SEC), STORM_VERDICT_TOO_SHORT);
    assert_int_equal(word_after(240 * SEC, SEC, STORM_NEVER), STORM_VERDICT_TOO_SHORT);
}

static void without_trigger_or_a_time_to_answer_in_there_is_no_verdict(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 240 * SEC);
    stage_open(&s);
    live(&s, NULL, 0, NULL);
    expect(verdict_judge(s.recorder), STORM_VERDICT_NOT_APPLICABLE, NO, NO);
    stage_close(&s);
    stage_set(&s, 240 * SEC);
    stage_fault(&s, 60 * SEC, 80 * SEC);
    s.population.in_time = STORM_NEVER;
    stage_open(&s);
    live(&s, NULL, 0, NULL);
    expect(verdict_judge(s.recorder), STORM_VERDICT_NOT_APPLICABLE, NO, NO);
    stage_close(&s);
}

/* All clients at time 0: the surge is the trigger, and what would have been before it is assumed
   to be perfect. */
static enum storm_verdict word_of_herd(uint32_t herd, uint32_t bad) {
    struct stage s;
    stage_set(&s, 240 * SEC);
    s.population.arrival = STORM_ARRIVAL_AT;
    stage_open(&s);
    for (uint32_t i = 0; i < herd; i++)
        stage_tell(&s, 0, (struct storm_fact){.kind = STORM_FACT_BORN});
    for (uint32_t i = 0; i < herd; i++)
        stage_tell(&s, SEC,
                   (struct storm_fact){.kind = i < bad ? STORM_FACT_DEAD : STORM_FACT_SUCCEEDED,
                                       .reason = i < bad ? STORM_REASON_ATTEMPTS : 0});
    stage_finish(&s);
    enum storm_verdict word = verdict_judge(s.recorder).word;
    stage_close(&s);
    return word;
}

static void a_herd_at_time_zero_is_judged_against_a_perfect_before(void **state) {
    (void)state;
    assert_int_equal(word_of_herd(1000, 0), STORM_VERDICT_UNHARMED);
    assert_int_equal(word_of_herd(1000, 10), STORM_VERDICT_UNHARMED);
    assert_int_equal(word_of_herd(1000, 11), STORM_VERDICT_DEGRADED);
    assert_int_equal(word_of_herd(1000, 1000), STORM_VERDICT_STUCK);
}

static void with_few_births_a_window_is_as_long_as_a_hundred_of_them(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, 3600 * SEC);
    stage_fault(&s, 600 * SEC, 700 * SEC);
    stage_open(&s);
    for (storm_time t = 0; t < 3600 * SEC; t += 10 * SEC) { /* a window lasts 1000 s */
        bool bad = t >= 600 * SEC && t < 1000 * SEC;
        stage_tell(&s, t, (struct storm_fact){.kind = STORM_FACT_BORN});
        stage_tell(&s, t,
                   (struct storm_fact){.kind = bad ? STORM_FACT_DEAD : STORM_FACT_SUCCEEDED,
                                       .since = t,
                                       .reason = bad ? STORM_REASON_ATTEMPTS : 0});
    }
    stage_finish(&s);
    struct verdict verdict = verdict_judge(s.recorder);
    /* 60 births before are few: 13 bad ones of a hundred are in band, so those from 870 s on may
       be */
    expect(verdict, STORM_VERDICT_RECOVERED, 161, 990);
    stage_close(&s);
}

static void the_trigger_is_from_the_first_beginning_to_the_last_end(void **state) {
    (void)state;
    struct stage s;
    storm_time from, to;
    stage_set(&s, 240 * SEC);
    trigger_window(&s.scenario, s.scenario.duration, &from, &to);
    assert_true(from == -1 && to == -1);
    stage_fault(&s, 60 * SEC, 80 * SEC);
    stage_fault(&s, 30 * SEC, 40 * SEC);
    trigger_window(&s.scenario, s.scenario.duration, &from, &to);
    assert_true(from == 30 * SEC && to == 80 * SEC);
    s.population.arrival = STORM_ARRIVAL_AT;
    s.population.at = 100 * SEC;
    trigger_window(&s.scenario, s.scenario.duration, &from, &to);
    assert_true(from == 30 * SEC && to == 100 * SEC);
    s.population.at = 240 * SEC; /* never happens */
    stage_fault(&s, 240 * SEC, 250 * SEC);
    trigger_window(&s.scenario, s.scenario.duration, &from, &to);
    assert_true(from == 30 * SEC && to == 80 * SEC);
}

static void a_fault_that_comes_back_ends_with_its_last_time(void **state) {
    (void)state;
    struct stage s;
    storm_time from, to;
    stage_set(&s, STORM_NEVER);
    stage_fault(&s, 60 * SEC, 70 * SEC);
    s.faults[0].period = 60 * SEC;
    trigger_window(&s.scenario, 240 * SEC, &from, &to); /* the next would begin at the end */
    assert_true(from == 60 * SEC && to == 190 * SEC);
    trigger_window(&s.scenario, 240 * SEC + 1, &from, &to);
    assert_true(from == 60 * SEC && to == 250 * SEC);
    s.population.arrival = STORM_ARRIVAL_AT;
    s.population.at = 10 * SEC;
    s.population.spread = STORM_SPREAD_WITHIN;
    s.population.spread_time = 300 * SEC;
    trigger_window(&s.scenario, 240 * SEC, &from, &to);
    assert_true(from == 10 * SEC && to == 310 * SEC);
}

static bool find_surge(const double *rates, uint32_t count, storm_time *from, storm_time *to) {
    struct stage s;
    struct storm_rate_point points[8];
    assert_true(count <= 8);
    stage_set(&s, 240 * SEC);
    for (uint32_t i = 0; i < count; i++)
        points[i] = (struct storm_rate_point){10 * (i + 1) * SEC, rates[i]};
    s.population.arrival = STORM_ARRIVAL_RATE;
    s.population.points = points;
    s.population.point_count = count;
    trigger_window(&s.scenario, s.scenario.duration, from, to);
    bool found = *from >= 0;
    s.population.series = "measured.csv";
    storm_time none_from, none_to;
    trigger_window(&s.scenario, s.scenario.duration, &none_from, &none_to);
    assert_true(none_from == -1 && none_to == -1);
    return found;
}

static void rates_that_rise_and_come_back_are_a_surge(void **state) {
    (void)state;
    storm_time from, to;
    assert_true(find_surge((const double[]){100, 100, 900, 900, 100, 100}, 6, &from, &to));
    assert_true(from == 20 * SEC && to == 50 * SEC);
    assert_true(find_surge((const double[]){100, 106, 105}, 3, &from, &to));
    assert_true(from == 10 * SEC && to == 30 * SEC);
    assert_true(find_surge((const double[]){0, 500, 0}, 3, &from, &to));
    assert_false(find_surge((const double[]){100, 900, 106}, 3, &from, &to)); /* it stays up */
    assert_false(find_surge((const double[]){100, 105, 100}, 3, &from, &to)); /* it is no rise */
    assert_false(find_surge((const double[]){100, 50, 100}, 3, &from, &to));
    assert_false(find_surge((const double[]){100}, 1, &from, &to));
}

/* The same births, with an end of the run 20 s after the trigger: cut off there, it is too early to
   tell; idle there, nothing more is to come. */
static void a_run_until_idle_needs_no_time_after_the_trigger(void **state) {
    (void)state;
    for (int idle = 0; idle < 2; idle++) {
        struct stage s;
        stage_set(&s, idle == 1 ? STORM_NEVER : 100 * SEC);
        stage_fault(&s, 60 * SEC, 80 * SEC);
        stage_open_for(&s, 100 * SEC);
        for (storm_time t = 0; t < 100 * SEC; t += 50 * MS) {
            stage_tell(&s, t, (struct storm_fact){.kind = STORM_FACT_BORN});
            stage_tell(&s, t, (struct storm_fact){.kind = STORM_FACT_SUCCEEDED, .since = t});
        }
        stage_finish(&s);
        assert_int_equal(verdict_judge(s.recorder).word,
                         idle == 1 ? STORM_VERDICT_UNHARMED : STORM_VERDICT_TOO_SHORT);
        stage_close(&s);
    }
}

static void a_herd_that_is_done_leaves_nothing_to_judge(void **state) {
    (void)state;
    struct stage s;
    stage_set(&s, STORM_NEVER);
    s.population.arrival = STORM_ARRIVAL_AT;
    stage_open_for(&s, 2 * SEC);
    stage_tell(&s, 0, (struct storm_fact){.kind = STORM_FACT_BORN});
    stage_tell(&s, 2 * SEC, (struct storm_fact){.kind = STORM_FACT_SUCCEEDED});
    stage_finish(&s);
    assert_int_equal(verdict_judge(s.recorder).word, STORM_VERDICT_TOO_SHORT);
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_bad_is_unharmed),
        cmocka_unit_test(bad_during_the_trigger_only_is_recovered_at_once),
        cmocka_unit_test(bad_for_a_while_is_recovered_when_the_last_bad_window_is_over),
        cmocka_unit_test(a_little_harm_to_the_end_is_degraded),
        cmocka_unit_test(failing_for_more_than_half_to_the_end_is_stuck),
        cmocka_unit_test(stuck_is_about_the_last_quarter),
        cmocka_unit_test(one_point_below_the_baseline_is_in_band),
        cmocka_unit_test(few_failures_are_no_proof),
        cmocka_unit_test(a_baseline_in_bunches_has_a_wide_band),
        cmocka_unit_test(a_noisy_baseline_has_a_wide_band),
        cmocka_unit_test(a_backlog_is_out_of_band_even_when_all_succeed),
        cmocka_unit_test(the_baseline_ends_where_the_trigger_begins),
        cmocka_unit_test(twice_the_usual_backlog_is_in_band),
        cmocka_unit_test(a_run_must_leave_30_s_or_ten_timeouts_after_the_trigger),
        cmocka_unit_test(without_trigger_or_a_time_to_answer_in_there_is_no_verdict),
        cmocka_unit_test(a_herd_at_time_zero_is_judged_against_a_perfect_before),
        cmocka_unit_test(with_few_births_a_window_is_as_long_as_a_hundred_of_them),
        cmocka_unit_test(the_trigger_is_from_the_first_beginning_to_the_last_end),
        cmocka_unit_test(a_fault_that_comes_back_ends_with_its_last_time),
        cmocka_unit_test(rates_that_rise_and_come_back_are_a_surge),
        cmocka_unit_test(a_run_until_idle_needs_no_time_after_the_trigger),
        cmocka_unit_test(a_herd_that_is_done_leaves_nothing_to_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
