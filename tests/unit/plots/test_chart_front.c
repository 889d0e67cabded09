/* test_chart_front.c: the scene of the front chart: dots where their numbers are, the front
   joined. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/chart.h>
#include <retrystorm/sweep.h>

#include "plots/charts.h"
#include "plots/paint.h"
#include "plots/scene.h"
#include "plots/words.h"
#include "support/sample_sweep.h"
#include "unit/plots/golden.h"
#include "unit/plots/look.h"
#include "unit/plots/near.h"

static const struct sample_axis axes[] = {{"policies.app.cap", "s", "s", false, 2, 8, 4, NULL},
                                          {"policies.app.attempts", "", "", false, 3, 5, 3, NULL}};

/* Twelve points that lie where the tests say: no recovery, unless changed. */
static struct storm_sweep *made(void) {
    struct storm_sweep *sweep = sample_sweep(axes, 2, 0, 10, sample_sharp);
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        sample_point(sweep, i)->time_to_recover = (double)INFINITY;
        sample_point(sweep, i)->peak_load = 3;
        sample_point(sweep, i)->dead_letters = 1000;
    }
    return sweep;
}

static void put(struct storm_sweep *sweep, uint32_t index, double time, double peak,
                double letters) {
    sample_point(sweep, index)->time_to_recover = time;
    sample_point(sweep, index)->peak_load = peak;
    sample_point(sweep, index)->dead_letters = letters;
}

static void the_usual_front_is_the_one_on_record(void **state) {
    struct storm_sweep *sweep = sample_sweep_usual();
    struct storm_error error = {0};
    struct scene scene;
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    (void)state;
    assert_non_null(out);
    draw_sweep(chart_front, sweep, &scene);
    check_texts(&scene);
    assert_true(paint_text(&scene, out, &error));
    fclose(out);
    golden_check("front_usual", bytes, length);
    free(bytes);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void dots_stand_where_their_numbers_say_and_grow_with_their_letters(void **state) {
    struct storm_sweep *sweep = made();
    struct scene scene;
    (void)state;
    put(sweep, 0, 10, 2, 0);
    put(sweep, 1, 5, 2.5, 400);
    put(sweep, 2, 20, 1, 100);
    put(sweep, 3, 20, 2, 500); /* beaten by all three */
    sample_find_front(sweep);
    draw_sweep(chart_front, sweep, &scene);
    assert_int_equal(count(&scene, "front"), 3);
    assert_int_equal(count(&scene, "other"), 9);
    const struct scene_mark *zero = find(&scene, "peak-tick", 0),
                            *top = find(&scene, "peak-tick", 3);
    assert_string_equal(top->text, "3" WORDS_THIN "×");
    const struct scene_mark *start = find(&scene, "time-tick", 0),
                            *ten = find(&scene, "time-tick", 2);
    assert_string_equal(ten->text, "10");
    const double radii[] = {4.5 + 8, 4.5 + 8 * 0.5, 4.5}, times[] = {5, 20, 10},
                 peaks[] = {2.5, 1, 2};
    for (uint32_t i = 0; i < 3; i++) { /* the large ones come first */
        const struct scene_mark *dot = find(&scene, "front", i);
        assert_near(dot->radius, radii[i], 1e-9);
        assert_near(dot->x, start->x + (ten->x - start->x) * times[i] / 10, 1e-6);
        assert_near(dot->y, zero->y - 4 + (top->y - zero->y) * peaks[i] / 3, 1e-6);
    }
    const struct scene_mark *line = find(&scene, "front-line", 0);
    assert_int_equal(line->point_count, 3);
    assert_true(line->points[0].x < line->points[1].x && line->points[1].x < line->points[2].x);
    assert_int_equal(count(&scene, "front-label"), 3);
    assert_text(&scene, "front-label", 0, "2" WORDS_THIN "s · 4"); /* the fastest */
    assert_text(&scene, "label-names", 0, "at the dots: cap · attempts");
    assert_string_equal(scene.title, "Recovery in 5" WORDS_THIN "s takes a peak of 2.5" WORDS_TIMES
                                     "capacity; with 1.0" WORDS_TIMES "it takes 20" WORDS_THIN "s");
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void those_that_do_not_recover_have_a_place_of_their_own(void **state) {
    struct storm_sweep *sweep = made();
    struct scene scene;
    (void)state;
    sample_find_front(sweep);
    draw_sweep(chart_front, sweep, &scene);
    assert_text(&scene, "title", 0, "No point recovers in half of its runs");
    const struct scene_mark *place = find(&scene, "never", 0);
    for (uint32_t i = 0; find(&scene, "front", i) != NULL; i++) {
        const struct scene_mark *dot = find(&scene, "front", i);
        assert_true(dot->x > place->x && dot->x < place->x + place->width);
    }
    scene_free(&scene);
    put(sweep, 0, 10, 2, 0);
    sample_find_front(sweep);
    draw_sweep(chart_front, sweep, &scene);
    assert_string_equal(scene.title, "Fastest and with the lowest peak: a cap of 2" WORDS_THIN
                                     "s and 3 attempts");
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void what_is_far_beyond_the_front_is_shown_at_the_edge(void **state) {
    struct storm_sweep *sweep = made();
    struct scene scene;
    (void)state;
    put(sweep, 0, 10, 2, 0);
    put(sweep, 1, 12, 400, 400);
    put(sweep, 2, 5000, 2.5, 100);
    sample_find_front(sweep);
    draw_sweep(chart_front, sweep, &scene);
    assert_int_equal(count(&scene, "beyond"), 2);
    assert_text(&scene, "legend", 2, "beyond the scale");
    check_texts(&scene);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void a_scale_is_not_cut_where_many_lie_beyond_the_front(void **state) {
    struct storm_sweep *sweep = made();
    struct scene scene;
    (void)state;
    for (uint32_t i = 1; i < sweep->point_count; i++)
        put(sweep, i, 30 + i, 3, 0);
    put(sweep, 0, 2, 2, 0);
    sample_find_front(sweep);
    draw_sweep(chart_front, sweep, &scene);
    assert_int_equal(count(&scene, "front"), 1);
    assert_int_equal(count(&scene, "beyond"), 0);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

/* At 0 s and with all the dead letters there are: dots as large as any. */
static void no_dot_covers_a_text_and_the_point_of_the_title_is_named(void **state) {
    struct storm_sweep *sweep = made();
    struct scene scene;
    (void)state;
    for (uint32_t i = 5; i < sweep->point_count; i++)
        put(sweep, i, (double)INFINITY, 3, 5000);
    put(sweep, 0, 0, 0.9, 3000);
    put(sweep, 1, 0, 0.9, 3000);
    put(sweep, 2, 0, 2, 2500);
    put(sweep, 3, 1, 0.9, 4000);
    put(sweep, 4, 3, 0.9, 4000);
    sample_find_front(sweep);
    draw_sweep(chart_front, sweep, &scene);
    assert_int_equal(count(&scene, "front"), 3);
    assert_text(&scene, "front-label", 0, "2" WORDS_THIN "s · 3");
    assert_string_equal(scene.title, "Fastest and with the lowest peak: a cap of 2" WORDS_THIN
                                     "s and 3 attempts");
    for (uint32_t i = 0; i < scene.count; i++) {
        const struct scene_mark *dot = &scene.marks[i];
        if (strcmp(dot->part, "front") != 0 && strcmp(dot->part, "other") != 0)
            continue;
        struct scene_box box = {dot->x - dot->radius, dot->y - dot->radius, dot->x + dot->radius,
                                dot->y + dot->radius};
        for (uint32_t j = 0; j < scene.count; j++) {
            struct scene_box text = {0, 0, 0, 0};
            if (scene.marks[j].kind == SCENE_TEXT)
                text = scene_text_box(&scene.marks[j]);
            if (scene_boxes_overlap(&box, &text))
                fail_msg("a dot covers \"%s\"", scene.marks[j].text);
        }
    }
    check_texts(&scene);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void where_all_recover_at_once_a_second_is_shown(void **state) {
    struct storm_sweep *sweep = made();
    struct scene scene;
    (void)state;
    for (uint32_t i = 0; i < sweep->point_count; i++)
        put(sweep, i, 0, 2, 0);
    sample_find_front(sweep);
    draw_sweep(chart_front, sweep, &scene);
    assert_text(&scene, "time-tick", count(&scene, "time-tick") - 1, "1.0" WORDS_THIN "s");
    check_texts(&scene);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void a_sweep_of_one_point_is_refused(void **state) {
    static const struct sample_axis one = {"policies.app.cap", "s", "s", false, 2, 2, 1, NULL};
    struct storm_sweep *sweep = sample_sweep(&one, 1, 0, 10, sample_sharp);
    struct storm_error error = {0};
    struct scene scene;
    (void)state;
    scene_init(&scene, false);
    assert_false(chart_front(sweep, &(struct storm_chart_options){0}, &scene, &error));
    assert_int_equal(error.status, STORM_INVALID);
    assert_non_null(strstr(error.message, "one point only"));
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void points_without_numbers_are_left_out_and_counted(void **state) {
    struct storm_sweep *sweep = made();
    struct storm_error error = {0};
    struct scene scene;
    (void)state;
    put(sweep, 0, 10, 2, 0);
    put(sweep, 1, (double)NAN, 2, 0);
    put(sweep, 2, 10, (double)INFINITY, 0);
    sample_find_front(sweep);
    draw_sweep(chart_front, sweep, &scene);
    assert_int_equal(count(&scene, "front") + count(&scene, "other"), 10);
    assert_non_null(strstr(scene.description, "2 more have no such numbers"));
    scene_free(&scene);
    for (uint32_t i = 0; i < sweep->point_count; i++)
        put(sweep, i, (double)NAN, (double)NAN, (double)NAN);
    scene_init(&scene, false);
    assert_false(chart_front(sweep, &(struct storm_chart_options){0}, &scene, &error));
    assert_int_equal(error.status, STORM_INVALID);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void no_text_lies_over_another_on_any_front(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        const struct sample_axis two[] = {{"policies.app.cap", "s", "s", true, 1, 60, 3 + i, NULL},
                                          {"faults.0.for", "s", "s", false, 5, 45, 2 + i, NULL}};
        struct storm_sweep *sweep = sample_sweep(two, 2, i % 3 == 0 ? 50 * i + 5 : 0, 10 + i,
                                                 i % 2 == 0 ? sample_soft : sample_wall);
        struct scene scene;
        draw_sweep(chart_front, sweep, &scene);
        check_texts(&scene);
        scene_free(&scene);
        sample_sweep_free(sweep);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_usual_front_is_the_one_on_record),
        cmocka_unit_test(dots_stand_where_their_numbers_say_and_grow_with_their_letters),
        cmocka_unit_test(those_that_do_not_recover_have_a_place_of_their_own),
        cmocka_unit_test(what_is_far_beyond_the_front_is_shown_at_the_edge),
        cmocka_unit_test(a_scale_is_not_cut_where_many_lie_beyond_the_front),
        cmocka_unit_test(no_dot_covers_a_text_and_the_point_of_the_title_is_named),
        cmocka_unit_test(where_all_recover_at_once_a_second_is_shown),
        cmocka_unit_test(a_sweep_of_one_point_is_refused),
        cmocka_unit_test(points_without_numbers_are_left_out_and_counted),
        cmocka_unit_test(no_text_lies_over_another_on_any_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
