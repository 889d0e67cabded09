/* test_track.c: two runs part where they differ for the first time. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <retrystorm/fact.h>

#include "guard/track.h"

/* Two services and two clients, in the order of their names, and the other way round. */
static uint16_t forth[] = {0, 1}, back[] = {1, 0};
static const struct track_places straight = {forth, forth}, crossed = {back, back};

static void hear(struct tracker *tracker, storm_time time, uint16_t place, uint32_t member) {
    const struct storm_fact fact = {
        .time = time, .kind = STORM_FACT_ARRIVED, .place = place, .member = member};
    tracker_hear(tracker, &fact);
}

/* A fact each half second; the one at `odd_time` is another one. */
static struct track live(storm_time end, storm_time odd_time) {
    struct tracker tracker = tracker_begin(&straight);
    for (storm_time time = 0; time < end; time += STORM_SECOND / 2) {
        hear(&tracker, time, 0, time == odd_time ? 7 : 1);
    }
    return tracker.track;
}

static void assert_parts(const struct track *a, const struct track *b, storm_time at,
                         storm_time width) {
    storm_time from, to;
    track_part(a, b, &from, &to);
    assert_true(from <= at && at < to);
    assert_int_equal(to - from, width);
    track_part(b, a, &from, &to);
    assert_true(from <= at && at < to);
}

static void steps_are_a_part_of_the_run_and_whole_seconds(void **state) {
    (void)state;
    struct track minutes = live(240 * STORM_SECOND, -1), short_one = live(2 * STORM_SECOND, -1);
    assert_int_equal(minutes.step, 4 * STORM_SECOND);
    assert_true(minutes.count > TRACK_POINTS / 2 && minutes.count <= TRACK_POINTS);
    assert_int_equal(short_one.step, STORM_SECOND / 32);
}

static void the_first_difference_lies_in_the_window(void **state) {
    (void)state;
    struct track plain = live(240 * STORM_SECOND, -1);
    for (storm_time at = 0; at < 240 * STORM_SECOND; at += STORM_SECOND / 2) {
        struct track odd = live(240 * STORM_SECOND, at);
        assert_true(odd.digest != plain.digest);
        assert_parts(&plain, &odd, at, 4 * STORM_SECOND);
    }
}

static void runs_of_different_lengths_part_where_the_shorter_ends(void **state) {
    (void)state;
    struct track whole = live(240 * STORM_SECOND, -1), cut = live(70 * STORM_SECOND, -1);
    assert_true(cut.step < whole.step);
    assert_parts(&whole, &cut, 70 * STORM_SECOND, 4 * STORM_SECOND);
}

static void a_run_without_facts_parts_at_once(void **state) {
    (void)state;
    struct track none = live(0, -1), some = live(STORM_SECOND, -1);
    assert_int_equal(none.digest, 0);
    assert_parts(&none, &some, 0, some.step);
}

static void what_comes_after_a_long_silence_is_found(void **state) {
    (void)state;
    struct tracker early = tracker_begin(&straight), late = tracker_begin(&straight);
    hear(&early, 1, 0, 1);
    hear(&late, 1, 0, 1);
    hear(&late, 1000000 * STORM_SECOND, 0, 1);
    assert_parts(&early.track, &late.track, 1000000 * STORM_SECOND, late.track.step);
}

static void the_order_of_a_file_is_no_difference(void **state) {
    (void)state;
    struct tracker one = tracker_begin(&straight), other = tracker_begin(&crossed);
    const struct storm_fact start = {.kind = STORM_FACT_CAPACITY, .level = 3};
    tracker_hear(&other, &start); /* each service says it at the start, in the file's order */
    hear(&one, 5, 0, 1);
    hear(&other, 5, 1, 1);
    assert_true(one.track.digest == other.track.digest);
    hear(&one, 6, 0, 1);
    hear(&other, 6, 0, 1);
    assert_true(one.track.digest != other.track.digest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_a_part_of_the_run_and_whole_seconds),
        cmocka_unit_test(the_first_difference_lies_in_the_window),
        cmocka_unit_test(runs_of_different_lengths_part_where_the_shorter_ends),
        cmocka_unit_test(a_run_without_facts_parts_at_once),
        cmocka_unit_test(what_comes_after_a_long_silence_is_found),
        cmocka_unit_test(the_order_of_a_file_is_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
