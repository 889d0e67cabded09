/* test_load_lanes.c: what stands below a panel of "load over time", and what operators did. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "plots/scene.h"
#include "support/sample_results.h"
#include "unit/plots/look.h"
#include "unit/plots/near.h"

#define SEC STORM_SECOND

enum { BINS = 240 };

static const enum sample_shape shapes[] = {SAMPLE_RECOVERS, SAMPLE_STUCK,    SAMPLE_MIXED,
                                           SAMPLE_AT_ONCE,  SAMPLE_UNHARMED, SAMPLE_STUCK,
                                           SAMPLE_MIXED,    SAMPLE_RECOVERS, SAMPLE_AT_ONCE};
static const char *const names[] = {
    "fixed",      "exponential",  "full-jitter", "retry-budget", "decorrelated-jitter",
    "no-backoff", "equal-jitter", "linear",      "a-name"};

static struct storm_results *sample(uint32_t count) { return sample_results(shapes, names, count); }

/* A curve that is `value` in the bins [from, to). */
static double *add(struct storm_variant *variant, const char *subject, const char *name,
                   double value, int from, int to) {
    double *values = sample_add_series(variant, subject, name);
    for (int bin = from; bin < to; bin++)
        values[bin] = value;
    return values;
}

/* Where a value stands between a lane's foot and its uppermost gridline, which is at `top`. */
static double lane_y(double foot, double top_line, double top, double value) {
    return foot - (foot - top_line) * value / top;
}

static bool has_text(const struct scene *scene, const char *part, const char *text) {
    for (uint32_t i = 0; i < count(scene, part); i++)
        if (strcmp(find(scene, part, i)->text, text) == 0)
            return true;
    return false;
}

/* ---- which lanes there are ------------------------------------------------------------------- */

static void a_lane_stands_in_every_panel_as_soon_as_one_has_something_to_show(void **state) {
    struct storm_results *results = sample(4);
    struct scene before, scene;
    (void)state;
    draw(results, &before);
    assert_int_equal(count(&before, "lane-words"), 0);
    add(&results->variants[2], "api", STORM_SERIES_HELD_BACK, 7, 60, 90);
    add(&results->variants[1], "billing", STORM_SERIES_DUPLICATES, 0, 0, BINS);
    draw(results, &scene);
    assert_int_equal(count(&scene, "lane-words"), 4); /* zeros are nothing to show */
    assert_text(&scene, "lane-words", 0, "held back by callers' brakes");
    assert_text(&scene, "lane-values", 0, "none");
    assert_text(&scene, "lane-values", 2, "7/s at most");
    assert_near(scene.height - before.height, 2 * (33 + 60), 0); /* two rows of panels */
    scene_free(&before);
    scene_free(&scene);
    sample_results_free(results);
}

static void lanes_stand_in_the_order_of_their_table(void **state) {
    static const char *const order[] = {"held back by callers' brakes", "in hand",
                                        "waiting in orders", "dead letters kept in orders.dead",
                                        "duplicate effects so far at billing"};
    struct storm_results *results = sample(1);
    struct scene scene;
    (void)state;
    add(results->variants, "billing", STORM_SERIES_DUPLICATES, 3, 100, BINS);
    add(results->variants, "orders.dead", STORM_SERIES_LETTERS, 3, 100, BINS);
    add(results->variants, "orders", STORM_SERIES_READY, 3, 100, BINS);
    add(results->variants, "orders", STORM_SERIES_HELD, 3, 100, BINS);
    add(results->variants, "api", STORM_SERIES_HELD_BACK, 3, 100, BINS);
    draw(results, &scene);
    for (uint32_t i = 0; i < 5; i++) {
        assert_text(&scene, "lane-words", i, order[i]);
        assert_true(i == 0 ||
                    find(&scene, "lane-words", i)->y >= find(&scene, "lane-words", i - 1)->y);
    }
    assert_int_equal(count(&scene, "lane-words"), 5);
    scene_free(&scene);
    sample_results_free(results);
}

/* The drawn service's own curve is no news; of others, one has its name, and several are added;
   those with nothing to show do not count. */
static void a_lane_says_whose_it_is(void **state) {
    static const char *const words[] = {"waiting in orders", "waiting in 2 queues", "waiting"};
    (void)state;
    for (int step = 0; step < 3; step++) {
        struct storm_results *results = sample(2);
        struct scene scene;
        for (int i = 0; i < 2; i++) {
            add(&results->variants[i], "orders", STORM_SERIES_READY, 100, 60, 90);
            add(&results->variants[i], "orders", STORM_SERIES_HELD, 1, 60, 61);
            add(&results->variants[i], "idle", STORM_SERIES_HELD, 0, 0, 0);
            if (step >= 1) {
                add(&results->variants[i], "mails", STORM_SERIES_READY, 50, 80, 120);
                add(&results->variants[i], "mails", STORM_SERIES_HELD, 1, 0, 1);
            }
            if (step == 2) {
                add(&results->variants[i], "api", STORM_SERIES_READY, 10, 80, 120);
                add(&results->variants[i], "api", STORM_SERIES_HELD, 1, 0, 1);
            }
        }
        draw(results, &scene);
        assert_text(&scene, "lane-words", 1, words[step]);
        assert_text(&scene, "lane-values", 0,
                    step == 0   ? "101 at most, none at the end"
                    : step == 1 ? "150 at most, none at the end"
                                : "10 at most, none at the end");
        scene_free(&scene);
        sample_results_free(results);
    }
}

static void a_lane_says_how_high_it_went_and_where_it_ends(void **state) {
    static const struct {
        double most, end;
        const char *words;
    } cases[] = {{5230, 0, "5,230 at most, none at the end"},
                 {5230, 12, "5,230 at most, back to 12"},
                 {5230, 300, "5,230 at most, 300 at the end"},
                 {5230, 5230, "5,230 at the end"},
                 {1, 1, "1 at the end"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct storm_results *results = sample(1);
        struct scene scene;
        add(results->variants, "dead", STORM_SERIES_LETTERS, cases[i].most, 60, 200);
        double *values = sample_series(results->variants, STORM_SERIES_LETTERS);
        for (int bin = 200; bin < BINS; bin++)
            values[bin] = cases[i].end;
        draw(results, &scene);
        assert_text(&scene, "lane-values", 0, cases[i].words);
        assert_non_null(strstr(scene.description, cases[i].words));
        scene_free(&scene);
        sample_results_free(results);
    }
}

/* ---- curves ---------------------------------------------------------------------------------- */

static void areas_stand_upon_each_other_where_their_numbers_say(void **state) {
    struct storm_results *results = sample(1);
    struct scene scene;
    (void)state;
    add(results->variants, "orders", STORM_SERIES_HELD, 1000, 60, 120);
    add(results->variants, "orders", STORM_SERIES_READY, 500, 60, 180);
    draw(results, &scene);
    uint32_t ticks = count(&scene, "lane-tick");
    assert_text(&scene, "lane-tick", ticks - 1, "1,500");
    assert_int_equal(ticks, 4); /* three intervals leave less room than two of 1,000 */
    double foot = find(&scene, "lane-tick", 0)->y - 4;
    double top = find(&scene, "lane-tick", ticks - 1)->y - 4;
    const struct scene_mark *hand = find(&scene, "queue", 0), *waiting = find(&scene, "queue", 1);
    double left = find(&scene, "first", 0)->points[0].x;
    double width = find(&scene, "band", 0)->width * 8; /* 30 of 240 s */
    assert_near(hand->points[2].x, left + width / 4, 1e-6);
    assert_near(hand->points[2].y, lane_y(foot, top, 1500, 1000), 1e-6);
    assert_near(hand->points[4].x, left + width / 2, 1e-6);
    assert_near(hand->points[4].y, foot, 1e-6);
    assert_near(waiting->points[2].y, lane_y(foot, top, 1500, 1500), 1e-6);
    assert_near(waiting->points[4].y, lane_y(foot, top, 1500, 500), 1e-6);
    scene_free(&scene);
    sample_results_free(results);
}

/* Half a second's counts are twice as many per second. */
static void what_is_counted_per_bin_is_drawn_per_second(void **state) {
    struct storm_results *results = sample(1);
    struct scene scene;
    (void)state;
    add(results->variants, "api", STORM_SERIES_HELD_BACK, 20, 60, 120);
    results->bin_width = SEC / 2;
    results->duration = 120 * SEC;
    draw(results, &scene);
    assert_text(&scene, "lane-values", 0, "40/s at most");
    assert_text(&scene, "lane-tick", count(&scene, "lane-tick") - 1, "40/s");
    scene_free(&scene);
    sample_results_free(results);
}

static void a_line_begins_with_the_first_that_it_counts(void **state) {
    struct storm_results *results = sample(2);
    struct scene scene;
    (void)state;
    add(&results->variants[0], "billing", STORM_SERIES_DUPLICATES, 200, 120, BINS);
    draw(results, &scene);
    assert_int_equal(count(&scene, "duplicates"), 1); /* none along zero in the other panel */
    const struct scene_mark *line = find(&scene, "duplicates", 0);
    double left = find(&scene, "first", 0)->points[0].x;
    double width = find(&scene, "band", 0)->width * 8;
    assert_near(line->points[0].x, left + width / 2, 1e-6);
    assert_near(line->points[line->point_count - 1].x, left + width, 1e-6);
    assert_near(find(&scene, "lane-end", 0)->y, find(&scene, "lane-tick", 2)->y - 4, 1e-6);
    scene_free(&scene);
    sample_results_free(results);
}

static void all_panels_share_a_lanes_scale(void **state) {
    struct storm_results *results = sample(2);
    struct scene scene;
    (void)state;
    add(&results->variants[0], "billing", STORM_SERIES_DUPLICATES, 100, 120, BINS);
    add(&results->variants[1], "billing", STORM_SERIES_DUPLICATES, 200, 120, BINS);
    draw(results, &scene);
    const struct scene_mark *low = find(&scene, "lane-end", 0), *high = find(&scene, "lane-end", 1);
    double foot = find(&scene, "lane-tick", 0)->y - 4;
    assert_near((foot - high->y) / (foot - low->y), 2, 1e-6);
    assert_int_equal(count(&scene, "lane-tick"), 3); /* at the first panel of the row only */
    scene_free(&scene);
    sample_results_free(results);
}

/* ---- alarms ---------------------------------------------------------------------------------- */

static void an_alarm_is_a_flag_with_its_rule_and_the_time_since_the_first_letter(void **state) {
    struct storm_results *results = sample(1);
    struct scene scene;
    (void)state;
    add(results->variants, "dead", STORM_SERIES_LETTERS, 10, 60, BINS);
    sample_add_alarm(results->variants, "dead", "depth > 5", 60 * SEC, 72 * SEC);
    draw(results, &scene);
    double left = find(&scene, "first", 0)->points[0].x;
    double width = find(&scene, "band", 0)->width * 8;
    assert_near(find(&scene, "first-letter", 0)->x, left + width / 4, 1e-6);
    assert_near(find(&scene, "alarm-line", 0)->points[0].x, left + width * 72 / 240, 1);
    assert_text(&scene, "alarm-label", 0, "depth > 5");
    assert_true(has_text(&scene, "note-body", "12\xE2\x80\x89s after the first letter"));
    assert_text(&scene, "lane-values", 0, "10 at the end, 1 alarm");
    check_texts(&scene);
    scene_free(&scene);
    sample_results_free(results);
}

/* Which flag is which's would not be seen otherwise. */
static void alarms_close_to_each_other_share_their_words(void **state) {
    struct storm_results *results = sample(1);
    struct scene scene;
    (void)state;
    add(results->variants, "dead", STORM_SERIES_LETTERS, 10, 60, BINS);
    sample_add_alarm(results->variants, "dead", "depth > 0", 60 * SEC, 60 * SEC);
    sample_add_alarm(results->variants, "dead", "depth > 5", 60 * SEC, 64 * SEC);
    sample_add_alarm(results->variants, "dead", "age > 1m", 60 * SEC, 120 * SEC);
    draw(results, &scene);
    assert_int_equal(count(&scene, "alarm"), 3);
    assert_int_equal(count(&scene, "alarm-label"), 2);
    assert_text(&scene, "alarm-label", 0, "depth > 0 + 1 more");
    assert_text(&scene, "alarm-label", 1, "age > 1m");
    assert_true(has_text(&scene, "note-body", "at once · 4\xE2\x80\x89s"));
    check_texts(&scene);
    scene_free(&scene);
    sample_results_free(results);
}

static void alarms_of_other_queues_and_times_are_not_drawn(void **state) {
    struct storm_results *results = sample(1);
    struct scene scene;
    (void)state;
    add(results->variants, "dead", STORM_SERIES_LETTERS, 10, 60, BINS);
    sample_add_alarm(results->variants, "other", "depth > 0", 60 * SEC, 72 * SEC);
    sample_add_alarm(results->variants, "dead", "age > 1h", 60 * SEC, 3660 * SEC);
    sample_add_alarm(results->variants, "dead", "depth > 0", 60 * SEC, 60 * SEC);
    draw(results, &scene);
    assert_int_equal(count(&scene, "alarm"), 1);
    assert_text(&scene, "alarm-label", 0, "depth > 0");
    scene_free(&scene);
    sample_results_free(results);
}

/* ---- operators ------------------------------------------------------------------------------- */

static void what_operators_do_is_flagged_from_the_plot_to_the_last_lane(void **state) {
    struct storm_results *results = sample(1);
    struct scene scene;
    (void)state;
    add(results->variants, "dead", STORM_SERIES_LETTERS, 10, 60, BINS);
    sample_add_action(results->variants, "replay 50/s", "workers", 120 * SEC, 120 * SEC);
    draw(results, &scene);
    double left = find(&scene, "first", 0)->points[0].x;
    double width = find(&scene, "band", 0)->width * 8;
    assert_int_equal(count(&scene, "action"), 2); /* in the plot, and in its lane */
    const struct scene_mark *plot = find(&scene, "action", 0), *lane = find(&scene, "action", 1);
    assert_near(plot->points[0].x, left + width / 2, 1);
    assert_near(lane->points[0].x, plot->points[0].x, 0);
    assert_true(plot->points[1].y < lane->points[1].y);
    assert_near(lane->points[1].y, find(&scene, "lane-tick", 0)->y - 4, 1e-6);
    assert_text(&scene, "action-label", 0, "replay 50/s · workers");
    assert_int_equal(count(&scene, "action-bar"), 0);
    assert_int_equal(count(&scene, "band"), 2); /* the outage, twice: actions are no faults */
    assert_non_null(strstr(scene.description, "At 120\xE2\x80\x89s: replay 50/s · workers."));
    scene_free(&scene);
    sample_results_free(results);
}

static void what_lasts_has_a_bar_as_long(void **state) {
    struct storm_results *results = sample(1);
    struct scene scene;
    (void)state;
    sample_add_action(results->variants, "pause", "", 120 * SEC, 150 * SEC);
    sample_add_action(results->variants, "block", "api", 200 * SEC, 400 * SEC);
    sample_add_action(results->variants, "clear", "api", 240 * SEC, 240 * SEC); /* at the end */
    draw(results, &scene);
    double width = find(&scene, "band", 0)->width;
    assert_int_equal(count(&scene, "action-flag"), 2);
    assert_near(find(&scene, "action-bar", 0)->width, width, 1);
    assert_near(find(&scene, "action-bar", 1)->width, width * 4 / 3, 1); /* to the run's end */
    assert_text(&scene, "action-label", 0, "pause");
    scene_free(&scene);
    sample_results_free(results);
}

static void without_room_an_action_does_not_say_whom_it_concerns(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    (void)state;
    for (int i = 0; i < 4; i++) { /* a wall of load around the flag */
        double *first = sample_series(&results->variants[i], STORM_SERIES_FIRST);
        for (int bin = 44; bin < 100; bin++)
            first[bin] = 8000; /* the top of the scale */
        sample_add_action(&results->variants[i], "pause", "some-clients", 42 * SEC, 42 * SEC);
    }
    draw(results, &scene);
    assert_text(&scene, "action-label", 0, "pause");
    scene_free(&scene);
    sample_results_free(results);
}

/* Whatever their order in the scenario, the words fall like steps, the first one topmost. */
static void words_of_actions_stand_in_the_order_of_their_times(void **state) {
    struct storm_results *results = sample(4);
    struct scene scene;
    (void)state;
    for (int i = 0; i < 4; i++) {
        sample_add_action(&results->variants[i], "third", "some-clients", 140 * SEC, 140 * SEC);
        sample_add_action(&results->variants[i], "first", "some-clients", 100 * SEC, 100 * SEC);
        sample_add_action(&results->variants[i], "second", "some-clients", 120 * SEC, 120 * SEC);
    }
    draw(results, &scene);
    assert_text(&scene, "action-label", 0, "first · some-clients");
    assert_text(&scene, "action-label", 2, "third · some-clients");
    assert_true(find(&scene, "action-label", 0)->y <= find(&scene, "action-label", 1)->y);
    assert_true(find(&scene, "action-label", 1)->y <= find(&scene, "action-label", 2)->y);
    check_texts(&scene);
    scene_free(&scene);
    sample_results_free(results);
}

/* More workers from 120 s on: the label of the capacity stands where the line has that height. */
static void the_words_of_a_capacity_that_changes_stand_over_their_part_of_the_line(void **state) {
    struct storm_results *results = sample(1);
    struct scene scene;
    (void)state;
    double *capacity = sample_series(results->variants, STORM_SERIES_CAPACITY);
    for (int bin = 0; bin < BINS; bin++)
        capacity[bin] = bin < 120 ? 100 : 200;
    draw(results, &scene);
    const struct scene_mark *label = find(&scene, "capacity-label", 0);
    double left = find(&scene, "first", 0)->points[0].x;
    assert_string_equal(label->text, "capacity 200/s");
    assert_true(scene_text_box(label).x0 > left + find(&scene, "band", 0)->width * 4);
    scene_free(&scene);
    sample_results_free(results);
}

/* ---- all at once ----------------------------------------------------------------------------- */

static void fill(struct storm_results *results, const char *word) {
    for (uint32_t i = 0; i < results->variant_count; i++) {
        struct storm_variant *v = &results->variants[i];
        add(v, "api", STORM_SERIES_HELD_BACK, 140 + i, 60, 90 + 15 * (int)i);
        add(v, word, STORM_SERIES_READY, 1000 * (i + 1), 60, 120);
        add(v, word, STORM_SERIES_HELD, 30, 10, BINS);
        add(v, word, STORM_SERIES_LETTERS, 400, 66, i % 2 == 0 ? BINS : 200);
        add(v, word, STORM_SERIES_DUPLICATES, 12345 * (i + 1), 150, BINS);
        sample_add_alarm(v, word, "depth > 0", 66 * SEC, 66 * SEC);
        sample_add_alarm(v, word, word, 66 * SEC, 75 * SEC);
        sample_add_alarm(v, word, "age > 1min", 66 * SEC, 126 * SEC);
        sample_add_action(v, "replay 50/s", word, 150 * SEC, 150 * SEC);
        sample_add_action(v, "rollout to full-jitter", "web", 100 * SEC, 160 * SEC);
        sample_add_action(v, word, "", 200 * SEC, 200 * SEC);
        sample_add_action(v, "clear", "api", 0, 0);
    }
}

static void no_label_lies_over_another_however_much_there_is(void **state) {
    (void)state;
    for (uint32_t panels = 1; panels <= 9; panels++) {
        struct storm_results *results = sample(panels);
        struct scene scene;
        fill(results, "orders");
        draw(results, &scene);
        check_texts(&scene);
        assert_int_equal(count(&scene, "lane-values"), 4 * panels);
        assert_int_equal(count(&scene, "action-flag"), 4 * panels);
        scene_free(&scene);
        sample_results_free(results);
    }
}

static void long_and_hostile_words_stay_on_the_page(void **state) {
    char longest[3000];
    (void)state;
    memset(longest, 'W', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    for (size_t i = 9; i < sizeof longest - 1; i += 10)
        longest[i] = i % 20 == 9 ? ' ' : '\n';
    const char *const words[] = {longest, "", "<script>&amp;\xFF\xE2\x80\xAE\""};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct storm_results *results = sample(5);
        struct scene scene;
        fill(results, words[i]);
        draw(results, &scene);
        check_texts(&scene);
        scene_free(&scene);
        sample_results_free(results);
    }
}

static void odd_numbers_are_drawn_all_the_same(void **state) {
    (void)state;
    for (int step = 0; step < 4; step++) {
        struct storm_results *results = sample(3);
        struct scene scene;
        fill(results, "orders");
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t j = 7; step == 0 && j < results->variants[i].series_count; j++)
                for (int bin = 0; bin < BINS; bin++)
                    results->variants[i].series[j].values[bin] = bin % 4 == 0   ? (double)NAN
                                                                 : bin % 4 == 1 ? -5
                                                                 : bin % 4 == 2 ? (double)INFINITY
                                                                                : 3;
        if (step == 1) { /* one bin, so that all is at its left edge */
            results->bin_count = 1;
            results->bin_width = results->duration;
        }
        if (step == 2) { /* a run that ends before anything happens */
            results->bin_count = 3;
            results->bin_width = 2 * SEC;
            results->duration = 5 * SEC;
        }
        if (step == 3) /* a letter that dies after its alarm */
            results->variants[0].alarms[0].first_letter = 100 * SEC;
        draw(results, &scene);
        check_texts(&scene);
        scene_free(&scene);
        sample_results_free(results);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lane_stands_in_every_panel_as_soon_as_one_has_something_to_show),
        cmocka_unit_test(lanes_stand_in_the_order_of_their_table),
        cmocka_unit_test(a_lane_says_whose_it_is),
        cmocka_unit_test(a_lane_says_how_high_it_went_and_where_it_ends),
        cmocka_unit_test(areas_stand_upon_each_other_where_their_numbers_say),
        cmocka_unit_test(what_is_counted_per_bin_is_drawn_per_second),
        cmocka_unit_test(a_line_begins_with_the_first_that_it_counts),
        cmocka_unit_test(all_panels_share_a_lanes_scale),
        cmocka_unit_test(an_alarm_is_a_flag_with_its_rule_and_the_time_since_the_first_letter),
        cmocka_unit_test(alarms_close_to_each_other_share_their_words),
        cmocka_unit_test(alarms_of_other_queues_and_times_are_not_drawn),
        cmocka_unit_test(what_operators_do_is_flagged_from_the_plot_to_the_last_lane),
        cmocka_unit_test(what_lasts_has_a_bar_as_long),
        cmocka_unit_test(without_room_an_action_does_not_say_whom_it_concerns),
        cmocka_unit_test(words_of_actions_stand_in_the_order_of_their_times),
        cmocka_unit_test(the_words_of_a_capacity_that_changes_stand_over_their_part_of_the_line),
        cmocka_unit_test(no_label_lies_over_another_however_much_there_is),
        cmocka_unit_test(long_and_hostile_words_stay_on_the_page),
        cmocka_unit_test(odd_numbers_are_drawn_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
