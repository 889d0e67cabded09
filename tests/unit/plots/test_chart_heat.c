/* test_chart_heat.c: the scene of a heat map: right colours, right places, nothing over
   anything. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/chart.h>
#include <retrystorm/sweep.h>

#include "plots/charts.h"
#include "plots/heat.h"
#include "plots/paint.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "support/sample_sweep.h"
#include "unit/plots/golden.h"
#include "unit/plots/look.h"
#include "unit/plots/near.h"

static const char *const names[] = {"no-backoff", "fixed", "exponential", "full-jitter",
                                    "a-name-of-a-variant-that-nobody-would-like-to-read-twice"};

/* An axis of so many numbers, or words. */
static struct sample_axis axis_of(uint32_t which, uint32_t count) {
    const struct sample_axis kinds[] = {
        {"policies.app.cap", "s", "s", true, 0.5, 90, count, NULL},
        {"clients.web.arrivals.poisson", "per s", "/s", false, 100, 400, count, NULL},
        {"services.api.queue.limit", "", "", true, 10, 100000, count, NULL},
        {"variant", NULL, "", false, 0, 0, count < 5 ? count : 5, names}};
    return kinds[which % 4];
}

static double lean(const double *places) { return places[0] - 0.5 * places[1] > 0.2 ? 0.97 : 0.04; }

static void record(const char *name, struct storm_sweep *sweep) {
    struct scene scene;
    struct storm_error error = {0};
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    draw_sweep(chart_heat, sweep, &scene);
    assert_true(paint_text(&scene, out, &error));
    fclose(out);
    golden_check(name, bytes, length);
    free(bytes);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void the_usual_maps_are_those_on_record(void **state) {
    static const struct sample_axis one[] = {{"faults.0.for", "s", "s", true, 2, 120, 14, NULL}};
    struct storm_sweep *sweep = sample_sweep_usual();
    (void)state;
    sample_point(sweep, 14)->judged = sample_point(sweep, 14)->good = 0;
    record("heat_usual", sweep);
    record("heat_curve", sample_sweep(one, 1, 0, 30, sample_wall));
}

static void a_share_has_the_end_of_the_scale_only_if_it_is_none_or_all(void **state) {
    (void)state;
    assert_int_equal(heat_step(0), 0);
    assert_int_equal(heat_step(1e-9), 1);
    assert_int_equal(heat_step(0.5), 5);
    assert_int_equal(heat_step(1 - 1e-9), 9);
    assert_int_equal(heat_step(1), 10);
    for (int i = 0; i < 1000; i++)
        assert_true(heat_step(i / 1000.0) <= heat_step((i + 1) / 1000.0));
}

static void each_cell_has_its_colour_its_number_and_its_place(void **state) {
    struct storm_sweep *sweep = sample_sweep_usual();
    struct scene scene;
    char text[32];
    (void)state;
    draw_sweep(chart_heat, sweep, &scene);
    assert_int_equal(count(&scene, "cell"), 90);
    assert_int_equal(count(&scene, "share"), 90);
    for (uint32_t row = 0; row < 9; row++) /* from the top, where the longest faults are */
        for (uint32_t column = 0; column < 10; column++) {
            const struct storm_sweep_point *point = &sweep->points[column * 9 + (8 - row)];
            const struct scene_mark *cell = find(&scene, "cell", row * 10 + column);
            const struct scene_mark *number = find(&scene, "share", (8 - row) * 10 + column);
            assert_int_equal(cell->role, ROLE_HEAT_0 + heat_step(point->good / 100.0));
            snprintf(text, sizeof text, "%u" WORDS_THIN "%%", point->good);
            assert_string_equal(number->text, text);
            assert_near(number->x, cell->x + cell->width / 2, 1e-9);
            assert_near(number->y, cell->y + cell->height / 2 + 4, 1e-9);
            if (column > 0)
                assert_near(cell->x, find(&scene, "cell", row * 10 + column - 1)->x + cell->width,
                            3);
        }
    scene_free(&scene);
    sample_sweep_free(sweep);
}

/* The cell in which a point of the page lies; NULL: in none. */
static const struct scene_mark *cell_at(const struct scene *scene, double x, double y) {
    for (uint32_t i = 0; i < scene->count; i++) {
        const struct scene_mark *mark = &scene->marks[i];
        if (strcmp(mark->part, "cell") == 0 && x > mark->x && x < mark->x + mark->width &&
            y > mark->y && y < mark->y + mark->height)
            return mark;
    }
    return NULL;
}

/* Beside each bend of a line, a cell's middle away to either side, are shares on both sides of
   it. */
static void check_cliff(const struct scene *scene, const char *part, int least, bool has_numbers) {
    uint32_t bends = 0;
    for (uint32_t i = 0; find(scene, part, i) != NULL; i++) {
        const struct scene_mark *line = find(scene, part, i);
        for (uint32_t j = 1; j + 1 < line->point_count; j++) {
            struct scene_point at = line->points[j];
            const struct scene_mark *any = find(scene, "cell", 0);
            double w = any->width / 2, h = any->height / 2;
            const struct scene_mark *left = cell_at(scene, at.x - w, at.y);
            const struct scene_mark *right = cell_at(scene, at.x + w, at.y);
            const struct scene_mark *over = cell_at(scene, at.x, at.y - h);
            const struct scene_mark *under = cell_at(scene, at.x, at.y + h);
            bool across = left != NULL && right != NULL &&
                          ((int)left->role >= least) != ((int)right->role >= least);
            bool up = over != NULL && under != NULL &&
                      ((int)over->role >= least) != ((int)under->role >= least);
            assert_true(across || up);
            bends++;
        }
    }
    assert_true(bends > 5 && has_numbers == (count(scene, "share") > 0));
}

static void the_cliff_passes_between_cells_on_both_sides_of_a_half(void **state) {
    struct storm_sweep *sweep = sample_sweep_usual();
    struct scene scene;
    (void)state;
    for (uint32_t i = 0; i < sweep->point_count; i++) /* whole steps, so that colours tell sides */
        sample_point(sweep, i)->good = sweep->points[i].good >= 50 ? 100 : 0;
    draw_sweep(chart_heat, sweep, &scene);
    check_cliff(&scene, "half", ROLE_HEAT_10, true);
    assert_int_equal(count(&scene, "nearly-all"), 0); /* it is the same line */
    scene_free(&scene);
    for (uint32_t i = 0; i < sweep->point_count; i++)
        if (i % 9 == 4)
            sample_point(sweep, i)->good = sweep->points[i].good > 0 ? 60 : 40;
    draw_sweep(chart_heat, sweep, &scene);
    assert_true(count(&scene, "nearly-all") > 0);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void lines_keep_off_the_numbers(void **state) {
    struct scene scene;
    (void)state;
    for (uint32_t i = 2; i < 16; i++) {
        const struct sample_axis axes[] = {axis_of(i, 3 + i % 11), axis_of(i + 1 + i % 2, 2 + i)};
        struct storm_sweep *sweep = sample_sweep(axes, 2, 0, 20, i % 2 == 0 ? sample_soft : lean);
        draw_sweep(chart_heat, sweep, &scene);
        for (uint32_t j = 0; find(&scene, "share", j) != NULL; j++) {
            struct scene_box box = scene_text_box(find(&scene, "share", j));
            for (uint32_t k = 0; find(&scene, "half", k) != NULL; k++) {
                const struct scene_mark *line = find(&scene, "half", k);
                for (uint32_t n = 0; n + 1 < line->point_count; n++)
                    for (double t = 0; t <= 1; t += 0.02) {
                        double x =
                            line->points[n].x + t * (line->points[n + 1].x - line->points[n].x);
                        double y =
                            line->points[n].y + t * (line->points[n + 1].y - line->points[n].y);
                        assert_false(x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1);
                    }
            }
        }
        scene_free(&scene);
        sample_sweep_free(sweep);
    }
}

static void no_text_lies_over_another_whatever_is_varied(void **state) {
    struct scene scene;
    (void)state;
    for (uint32_t i = 0; i < 48; i++) {
        struct sample_axis axes[] = {axis_of(i, 2 + i % 30), axis_of(i / 4 + 1, 2 + i % 17),
                                     axis_of(i % 3, 2 + i % 8)};
        uint32_t count_of = 1 + i % 3;
        if (i % 4 == (i / 4 + 1) % 4)
            axes[1] = axis_of(i + 1, 7);
        axes[2].path = "policies.app.attempts";
        struct storm_sweep *sweep =
            sample_sweep(axes, count_of, i % 5 == 4 ? 60 : 0, 20, i % 2 == 0 ? sample_wall : lean);
        sample_point(sweep, 1)->judged = sample_point(sweep, 1)->good = 0;
        draw_sweep(chart_heat, sweep, &scene);
        check_texts(&scene);
        scene_free(&scene);
        sample_sweep_free(sweep);
    }
}

static void what_was_not_judged_is_hatched_and_said(void **state) {
    struct storm_sweep *sweep = sample_sweep_usual();
    struct scene scene;
    (void)state;
    draw_sweep(chart_heat, sweep, &scene);
    assert_int_equal(count(&scene, "unjudged"), 0);
    uint32_t words = count(&scene, "legend");
    scene_free(&scene);
    sample_point(sweep, 3)->judged = sample_point(sweep, 3)->good = 0;
    sample_point(sweep, 3)->runs = 0;
    sweep->complete = false;
    draw_sweep(chart_heat, sweep, &scene);
    assert_int_equal(count(&scene, "unjudged"), 1);
    assert_int_equal(count(&scene, "share"), 89);
    assert_int_equal(count(&scene, "legend"), words + 1);
    assert_text(&scene, "legend", words, "not judged");
    assert_non_null(strstr(find(&scene, "footer", 0)->text, "incomplete: 8,900 of 9,000 runs"));
    assert_non_null(strstr(scene.description, "1 more were not judged"));
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void words_stand_upright_and_lines_between_them_on_their_borders(void **state) {
    const struct sample_axis axes[] = {axis_of(3, 4), axis_of(0, 6)};
    struct storm_sweep *sweep = sample_sweep(axes, 2, 0, 20, sample_sharp);
    struct scene scene;
    (void)state;
    draw_sweep(chart_heat, sweep, &scene);
    assert_text(&scene, "upright-tick", 0, "no-backoff");
    assert_text(&scene, "axis-name", 1, "variant");
    const struct scene_mark *line = find(&scene, "half", 0);
    for (uint32_t i = 1; i < line->point_count; i++)
        assert_true(fabs(line->points[i].x - line->points[i - 1].x) < 1e-6 ||
                    fabs(line->points[i].y - line->points[i - 1].y) < 1e-6);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void a_third_axis_makes_panels_and_a_long_one_is_refused(void **state) {
    struct sample_axis axes[] = {axis_of(0, 4),
                                 axis_of(1, 4),
                                 {"policies.app.attempts", "", "", false, 2, 10, 9, NULL},
                                 {"policies.app.base", "s", "s", false, 1, 1, 1, NULL}};
    struct storm_sweep *sweep = sample_sweep(axes, 4, 0, 10, lean);
    struct scene scene;
    struct storm_error error = {0};
    (void)state;
    draw_sweep(chart_heat, sweep, &scene);
    assert_int_equal(count(&scene, "panel-name"), 9);
    assert_text(&scene, "panel-name", 8, "10 attempts");
    scene_free(&scene);
    sample_sweep_free(sweep);
    axes[2].count = 10;
    sweep = sample_sweep(axes, 4, 0, 2, lean);
    scene_init(&scene, false);
    assert_false(chart_heat(sweep, &(struct storm_chart_options){0}, &scene, &error));
    assert_int_equal(error.status, STORM_INVALID);
    assert_non_null(strstr(error.message, "settle policies.app.attempts"));
    assert_null(strstr(error.message, "policies.app.base")); /* has one value only */
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void scattered_points_are_dots_where_their_numbers_are(void **state) {
    const struct sample_axis axes[] = {axis_of(0, 0), axis_of(1, 0)};
    struct storm_sweep *sweep = sample_sweep(axes, 2, 70, 20, sample_soft);
    struct scene scene;
    (void)state;
    draw_sweep(chart_heat, sweep, &scene);
    assert_int_equal(count(&scene, "dot"), 70);
    assert_int_equal(count(&scene, "cell") + count(&scene, "half"), 0);
    for (uint32_t i = 1; i < 70; i++) {
        const struct scene_mark *a = find(&scene, "dot", i - 1), *b = find(&scene, "dot", i);
        const double *p = sweep->points[i - 1].numbers, *q = sweep->points[i].numbers;
        assert_true((a->x < b->x) == (p[0] < q[0]) && (a->y > b->y) == (p[1] < q[1]));
    }
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void a_curve_has_wilson_s_interval_and_the_cliff_between_sure_points(void **state) {
    const struct sample_axis one[] = {{"policies.app.attempts", "", "", false, 1, 5, 5, NULL}};
    static const uint32_t good[] = {10, 6, 5, 1, 0}; /* 6 of 10 is not surely more than half */
    struct storm_sweep *sweep = sample_sweep(one, 1, 0, 10, sample_wall);
    struct scene scene;
    (void)state;
    for (uint32_t i = 0; i < 5; i++)
        sample_point(sweep, i)->good = good[i];
    draw_sweep(chart_heat, sweep, &scene);
    double y0 = find(&scene, "share-tick", 0)->y - 4, y100 = find(&scene, "share-tick", 4)->y - 4;
    const struct scene_mark *area = find(&scene, "interval", 0);
    assert_int_equal(area->point_count, 10);
    /* Brown, Cai, DasGupta (2001): 5 of 10 gives .2366 to .7634, 10 of 10 from .7225 on. */
    assert_near((y0 - area->points[2].y) / (y0 - y100), 0.7634, 1e-4);
    assert_near((y0 - area->points[7].y) / (y0 - y100), 0.2366, 1e-4);
    assert_near((y0 - area->points[9].y) / (y0 - y100), 0.7225, 1e-4);
    const struct scene_mark *cliff = find(&scene, "cliff", 0), *first = find(&scene, "spot", 0),
                            *fourth = find(&scene, "spot", 3);
    assert_int_equal(count(&scene, "cliff"), 1);
    assert_near(cliff->x, first->x, 0.6);
    assert_near(cliff->x + cliff->width, fourth->x, 0.6);
    assert_text(&scene, "cliff-place", 0, "between 1 and 4");
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void nothing_to_draw_is_said(void **state) {
    const struct sample_axis one[] = {{"policies.app.attempts", "", "", false, 1, 5, 1, NULL}};
    struct storm_sweep *sweep = sample_sweep(one, 1, 0, 10, sample_wall);
    struct storm_error error = {0};
    struct scene scene;
    (void)state;
    scene_init(&scene, false);
    assert_false(chart_heat(sweep, &(struct storm_chart_options){0}, &scene, &error));
    assert_non_null(strstr(error.message, "one point only"));
    assert_int_equal(scene.count, 0);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

static void a_sweep_and_results_have_charts_of_their_own(void **state) {
    struct storm_sweep *sweep = sample_sweep_usual();
    struct storm_error error = {0};
    (void)state;
    assert_false(storm_chart_write_sweep(sweep, &(struct storm_chart_options){.chart = "load"},
                                         "/nowhere/a.png", &error));
    assert_int_equal(error.status, STORM_USAGE);
    assert_string_equal(error.message, "the chart 'load' is not drawn of a sweep");
    assert_string_equal(error.suggestion, "one of: heat, front");
    assert_false(storm_chart_write_sweep(sweep, &(struct storm_chart_options){.chart = "pie"},
                                         "/nowhere/a.png", &error));
    assert_string_equal(error.message, "there is no chart 'pie'");
    assert_false(storm_chart_write_sweep(sweep, NULL, "/nowhere/at/all/a.png", &error));
    assert_int_equal(error.status, STORM_IO);
    sample_sweep_free(sweep);
}

static void what_the_command_line_changed_gives_way_to_seed_and_points(void **state) {
    struct storm_sweep *sweep = sample_sweep_usual();
    struct scene scene;
    (void)state;
    sweep->overrides = "policies.the-policy-of-the-mobile-application.attempts=12 and "
                       "services.a-service-with-a-name-that-is-long.queue.limit=4000";
    draw_sweep(chart_heat, sweep, &scene);
    const char *footer = find(&scene, "footer", 0)->text;
    assert_non_null(strstr(footer, "--set policies.the-policy"));
    assert_non_null(strstr(footer, "… · 9,000 runs, seed 7 · 10" WORDS_TIMES "9 points"));
    check_texts(&scene);
    scene_free(&scene);
    sample_sweep_free(sweep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_usual_maps_are_those_on_record),
        cmocka_unit_test(a_share_has_the_end_of_the_scale_only_if_it_is_none_or_all),
        cmocka_unit_test(each_cell_has_its_colour_its_number_and_its_place),
        cmocka_unit_test(the_cliff_passes_between_cells_on_both_sides_of_a_half),
        cmocka_unit_test(lines_keep_off_the_numbers),
        cmocka_unit_test(no_text_lies_over_another_whatever_is_varied),
        cmocka_unit_test(what_the_command_line_changed_gives_way_to_seed_and_points),
        cmocka_unit_test(what_was_not_judged_is_hatched_and_said),
        cmocka_unit_test(words_stand_upright_and_lines_between_them_on_their_borders),
        cmocka_unit_test(a_third_axis_makes_panels_and_a_long_one_is_refused),
        cmocka_unit_test(scattered_points_are_dots_where_their_numbers_are),
        cmocka_unit_test(a_curve_has_wilson_s_interval_and_the_cliff_between_sure_points),
        cmocka_unit_test(nothing_to_draw_is_said),
        cmocka_unit_test(a_sweep_and_results_have_charts_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
