/* test_page.c: what stands around the panels of every chart: titles on one line or two. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <string.h>

#include "plots/page.h"
#include "plots/scene.h"
#include "unit/plots/look.h"

/* Draws a title on a page 600 px wide, and expects its lines; `second` "": there is one only. */
static void expect_title(const char *title, const char *first, const char *second) {
    struct scene scene;
    scene_init(&scene, false);
    page_begin(&scene, 600, 400);
    page_draw_header(&scene, title, "What is measured.");
    assert_int_equal(count(&scene, "title"), second[0] == '\0' ? 1 : 2);
    assert_text(&scene, "title", 0, first);
    if (second[0] != '\0')
        assert_text(&scene, "title", 1, second);
    assert_int_equal(page_header_height(title, "What is measured.", 600) > 0, second[0] != '\0');
    scene_free(&scene);
}

static void a_title_that_fits_stays_on_one_line(void **state) {
    (void)state;
    expect_title("No run recovers", "No run recovers", "");
}

static void a_title_on_two_lines_leaves_no_word_alone(void **state) {
    (void)state;
    expect_title("No run recovers with 4 or more attempts", "No run recovers with",
                 "4 or more attempts");
}

static void a_title_breaks_rather_where_the_sentence_pauses(void **state) {
    (void)state;
    expect_title("No run recovers with 80 or more, every one with 40",
                 "No run recovers with 80 or more,", "every one with 40");
}

static void a_title_too_long_for_two_lines_is_cut_at_the_end_of_the_second(void **state) {
    struct scene scene;
    (void)state;
    scene_init(&scene, false);
    page_begin(&scene, 600, 400);
    page_draw_header(
        &scene,
        "No run recovers with a queue limit of 80 or more and 4 or more attempts and a "
        "base delay of 8 s",
        "What is measured.");
    const struct scene_mark *last = find(&scene, "title", 1);
    assert_non_null(last);
    assert_non_null(strstr(last->text, "…"));
    check_texts(&scene);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_title_that_fits_stays_on_one_line),
        cmocka_unit_test(a_title_on_two_lines_leaves_no_word_alone),
        cmocka_unit_test(a_title_breaks_rather_where_the_sentence_pauses),
        cmocka_unit_test(a_title_too_long_for_two_lines_is_cut_at_the_end_of_the_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
