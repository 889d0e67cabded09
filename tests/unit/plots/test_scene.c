/* test_scene.c: marks, their texts, places for labels, and panels on a page. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <stdbool.h>
#include <string.h>

#include "plots/layout.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/type.h"
#include "unit/plots/near.h"

static void text_is_made_fit_for_every_painter(void **state) {
    static const struct {
        const char *dirty, *clean;
    } rows[] = {{"plain × text", "plain × text"},
                {"tab\tline\nbell\a", "tab line bell "},
                {"\xFF", "\xEF\xBF\xBD"},
                {"turn\xE2\x80\xAE"
                 "ed",
                 "turned"},
                {"\xEF\xBF\xBF", "\xEF\xBF\xBD"},
                {"\xF0\x9F\x94\xA5 fire", "\xF0\x9F\x94\xA5 fire"}};
    struct scene scene;
    (void)state;
    scene_init(&scene, false);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(scene_copy_text(&scene, rows[i].dirty), rows[i].clean);
    scene_free(&scene);
}

static void a_scene_keeps_copies_and_leaves_out_what_cannot_be_seen(void **state) {
    struct scene scene;
    struct scene_point ends[2] = {{0, 0}, {10, 0}};
    char text[] = "label";
    (void)state;
    scene_init(&scene, true);
    struct scene_mark line = {.kind = SCENE_LINE, .part = "line", .points = ends, .point_count = 2};
    struct scene_mark word = {.kind = SCENE_TEXT, .part = "word", .text = text};
    scene_add(&scene, &line);
    scene_add(&scene, &word);
    ends[1].x = 99;
    text[0] = 'X';
    assert_int_equal(scene.count, 2);
    assert_near(scene.marks[0].points[1].x, 10, 0);
    assert_string_equal(scene.marks[1].text, "label");
    assert_near(scene.marks[1].opacity, 1, 0);
    line.point_count = 1;
    word.text = "";
    scene_add(&scene, &line);
    scene_add(&scene, &word);
    scene_add(&scene, &(struct scene_mark){.kind = SCENE_RECT, .part = "rect", .width = 5});
    assert_int_equal(scene.count, 2);
    for (int i = 0; i < 5000; i++)
        scene_add(&scene, &(struct scene_mark){.kind = SCENE_CIRCLE, .part = "dot", .x = i});
    assert_int_equal(scene.count, 5002);
    assert_near(scene.marks[5001].x, 4999, 0);
    assert_false(scene.is_full);
    scene_free(&scene);
}

static void a_text_takes_room_on_the_side_of_its_anchor(void **state) {
    struct scene_mark mark = {
        .kind = SCENE_TEXT, .font = FONT_TICK, .text = "100", .x = 50, .y = 20};
    double width = type_width(FONT_TICK, "100");
    (void)state;
    struct scene_box box = scene_text_box(&mark);
    assert_near(box.x0, 50, 1e-9);
    assert_near(box.x1, 50 + width, 1e-9);
    assert_true(box.y0 < 12 && box.y1 > 20);
    mark.anchor = SCENE_END;
    assert_near(scene_text_box(&mark).x1, 50, 1e-9);
    mark.anchor = SCENE_MIDDLE;
    assert_near(scene_text_box(&mark).x0, 50 - width / 2, 1e-9);
}

static void a_place_is_free_only_off_labels_lines_and_data(void **state) {
    static const struct scene_point level[2] = {{0, 50}, {100, 50}};
    static const struct scene_point steep[2] = {{60, 100}, {100, 0}};
    static const struct scene_point sky[4] = {{0, 90}, {40, 90}, {40, 70}, {100, 70}};
    struct place place = {.area = {0, 0, 100, 100}, .skyline = sky, .skyline_count = 4};
    (void)state;
    place_take_line(&place, level, 2);
    struct scene_box above = {10, 20, 30, 40}, on = {10, 40, 30, 60}, low = {50, 74, 58, 80},
                     half = {50, 64, 58, 76};
    assert_true(place_is_free(&place, &above, PLACE_OFF_DATA));
    assert_false(place_is_free(&place, &on, PLACE_OFF_DATA));
    assert_false(place_is_free(&place, &low, PLACE_OFF_DATA));
    assert_true(place_is_free(&place, &low, PLACE_ON_DATA));
    assert_false(place_is_free(&place, &half, PLACE_ON_DATA)); /* half on the data, half off */
    assert_false(place_is_free(&place, &half, PLACE_BETWEEN_TOPS));
    assert_false(place_is_free(&place, &on, PLACE_BETWEEN_TOPS)); /* a line is in the way */
    assert_true(place_is_on_data(&place, &half) && !place_is_on_data(&place, &above));
    struct scene_box beside = {85, 10, 99, 20};
    assert_true(place_is_free(&place, &beside, PLACE_OFF_DATA));
    place_take_line(&place, steep, 2);
    assert_false(place_is_free(&place, &beside, PLACE_OFF_DATA));
    place_take(&place, &above);
    assert_false(place_is_free(&place, &above, PLACE_OFF_DATA));
    struct scene_box out = {-1, 10, 5, 20};
    assert_false(place_is_free(&place, &out, PLACE_OFF_DATA));
}

static void a_label_slides_to_the_nearest_free_place_or_gives_up(void **state) {
    static const struct scene_point level[2] = {{0, 50}, {100, 50}};
    struct place place = {.area = {0, 0, 100, 100}};
    struct scene_box box = {10, 42, 30, 54}, stuck = box;
    (void)state;
    place_take_line(&place, level, 2);
    assert_true(place_slide(&place, &box, 40, PLACE_OFF_DATA));
    assert_true(box.y1 < 50 || box.y0 > 50);
    assert_near(box.y1 - box.y0, 12, 1e-9);
    assert_true(box.y0 > 30 && box.y1 < 70);
    assert_false(place_slide(&place, &stuck, 2, PLACE_OFF_DATA));
    assert_near(stuck.y0, 42, 0);
}

static void a_plate_may_cross_columns_but_hides_no_top(void **state) {
    static const struct scene_point sky[6] = {{0, 90},  {50, 90}, {50, 20},
                                              {52, 20}, {52, 90}, {100, 90}};
    struct place place = {.area = {0, 0, 100, 100}, .skyline = sky, .skyline_count = 6};
    struct scene_box across = {40, 50, 60, 60}, top = {40, 15, 60, 25}, foot = {10, 84, 30, 96};
    (void)state;
    assert_false(place_is_free(&place, &across, PLACE_ON_DATA));
    assert_true(place_is_free(&place, &across, PLACE_BETWEEN_TOPS));
    assert_false(place_is_free(&place, &top, PLACE_BETWEEN_TOPS));
    assert_false(place_is_free(&place, &foot, PLACE_BETWEEN_TOPS));
}

static void a_label_is_put_at_the_nearest_free_place_of_all(void **state) {
    static const struct scene_point sky[2] = {{0, 60}, {200, 60}};
    struct place place = {.area = {0, 0, 200, 100}, .skyline = sky, .skyline_count = 2};
    struct scene_box box = {100, 30, 140, 45}, taken = {90, 20, 150, 50}, whole = {0, 0, 200, 100};
    (void)state;
    place_take(&place, &taken);
    struct scene_box off = box, any = box;
    assert_true(place_seek(&place, &off, PLACE_OFF_DATA));
    assert_true(off.x1 < 90 || off.x0 > 150); /* beside, since nothing is free above */
    assert_true(place_seek(&place, &any, PLACE_BETWEEN_TOPS));
    assert_near(any.x0, 100, 4);
    assert_true(any.y0 >= 63 && any.y0 < 70); /* just below, where no top is hidden */
    place_take(&place, &whole);
    any = box;
    assert_false(place_seek(&place, &any, PLACE_BETWEEN_TOPS));
    assert_near(any.x0, box.x0, 0);
}

static void panels_stay_on_the_page_and_off_each_other(void **state) {
    (void)state;
    for (uint32_t panels = 1; panels <= LAYOUT_PANELS_MAX; panels++) {
        struct layout layout = layout_plan(panels, 0, 19, 90, 90);
        for (uint32_t i = 0; i < panels; i++) {
            struct scene_box a = layout_plot(&layout, i);
            assert_true(a.x0 >= 90 && a.x1 <= layout.page_width - 90 + 1e-9);
            assert_true(a.y0 >= 178 + 19 && a.y1 <= layout.page_height - 100);
            assert_true(a.x1 - a.x0 > 300 && a.y1 - a.y0 >= 200);
            for (uint32_t j = 0; j < i; j++) {
                struct scene_box b = layout_plot(&layout, j);
                assert_false(scene_boxes_overlap(&a, &b));
            }
        }
    }
}

static void the_usual_page_has_the_sizes_of_the_style_sheet(void **state) {
    (void)state;
    struct layout layout = layout_plan(4, 0, 0, 74, 74);
    assert_near(layout.page_width, 1200, 0);
    assert_near(layout.page_height, 820, 0);
    struct scene_box plot = layout_plot(&layout, 3);
    assert_near(plot.x0, 74 + 503 + 46, 0);
    assert_near(plot.y0, 178 + 214 + 92, 0);
}

static void outer_panels_carry_the_labels(void **state) {
    (void)state;
    struct layout layout = layout_plan(5, 0, 0, 74, 74); /* three above, two below */
    static const bool bottom[] = {false, false, true, true, true};
    static const bool last[] = {false, false, true, false, true};
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(layout_is_bottom(&layout, i), bottom[i]);
        assert_int_equal(layout_is_last_column(&layout, i), last[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_made_fit_for_every_painter),
        cmocka_unit_test(a_scene_keeps_copies_and_leaves_out_what_cannot_be_seen),
        cmocka_unit_test(a_text_takes_room_on_the_side_of_its_anchor),
        cmocka_unit_test(a_place_is_free_only_off_labels_lines_and_data),
        cmocka_unit_test(a_label_slides_to_the_nearest_free_place_or_gives_up),
        cmocka_unit_test(a_plate_may_cross_columns_but_hides_no_top),
        cmocka_unit_test(a_label_is_put_at_the_nearest_free_place_of_all),
        cmocka_unit_test(panels_stay_on_the_page_and_off_each_other),
        cmocka_unit_test(the_usual_page_has_the_sizes_of_the_style_sheet),
        cmocka_unit_test(outer_panels_carry_the_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
