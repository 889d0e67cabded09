/* test_sweep_cliff.c: where runs cease to recover, on grids drawn by hand. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sweep_cliff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/sweep_text.h"
#include "support/test.h"

enum { POINTS_MOST = 40, RUNS = 10 };

/* A grid of two axes; '9' of a picture is a point where 9 of 10 runs recover, '-' one that was not
   judged. */
struct picture {
    struct storm_sweep sweep;
    struct storm_sweep_axis axes[2];
    struct storm_sweep_point points[POINTS_MOST];
    const char *labels[POINTS_MOST][2];
    double numbers[POINTS_MOST][2];
    char names[POINTS_MOST][8];
    const char *values[POINTS_MOST]; /* of both axes */
};

static void draw(struct picture *picture, const char *second_unit, uint32_t rows,
                 const char *cells) {
    uint32_t count = (uint32_t)strlen(cells), columns = count / rows;
    memset(picture, 0, sizeof *picture);
    for (uint32_t i = 0; i < count; i++) {
        struct storm_sweep_point *point = &picture->points[i];
        snprintf(picture->names[i], sizeof picture->names[i], "%u", i);
        picture->values[i] = picture->names[i];
        picture->labels[i][0] = picture->names[i / columns];
        picture->labels[i][1] = picture->names[i % columns];
        picture->numbers[i][0] = i / columns;
        picture->numbers[i][1] = second_unit != NULL ? i % columns : (double)NAN;
        *point = (struct storm_sweep_point){.labels = picture->labels[i],
                                            .numbers = picture->numbers[i],
                                            .runs = RUNS,
                                            .judged = cells[i] == '-' ? 0 : RUNS,
                                            .peak_load = 2,
                                            .time_to_recover = (double)INFINITY,
                                            .dead_letters = (double)NAN,
                                            .is_front = i == 0};
        point->good = cells[i] == '-' ? 0 : cells[i] == 'X' ? RUNS : (uint32_t)(cells[i] - '0');
    }
    picture->axes[0] = (struct storm_sweep_axis){.path = "policies.app.cap", .unit = "s"};
    picture->axes[1] = (struct storm_sweep_axis){.path = "services.db.cap", .unit = second_unit};
    picture->axes[0].value_count = rows;
    picture->axes[1].value_count = columns;
    picture->axes[0].from = picture->axes[1].from = 0;
    picture->axes[0].to = rows - 1;
    picture->axes[1].to = columns - 1;
    picture->axes[0].labels = picture->axes[1].labels = picture->values;
    picture->sweep = (struct storm_sweep){.title = "A picture",
                                          .overrides = "",
                                          .runs = RUNS,
                                          .complete = true,
                                          .axis_count = 2,
                                          .axes = picture->axes,
                                          .point_count = count,
                                          .points = picture->points};
}

/* "axis 1, 2 of 3: 1-2 4-5 " */
static const char *told(const struct picture *picture) {
    static char buffer[400];
    struct arena arena;
    struct sweep_cliff cliff;
    arena_init(&arena, 1 << 20);
    assert_true(sweep_cliff_find(&picture->sweep, &arena, &cliff));
    int used = snprintf(buffer, sizeof buffer, "axis %u, %u of %u:", cliff.axis, cliff.crossed,
                        cliff.lines);
    for (uint32_t i = 0; i < cliff.count; i++) {
        used += snprintf(buffer + used, sizeof buffer - (size_t)used, " %u-%u", cliff.edges[i].from,
                         cliff.edges[i].to);
    }
    arena_free(&arena);
    return buffer;
}

static void the_cliff_is_on_the_axis_with_most_lines_across(void **state) {
    (void)state;
    struct picture picture;
    draw(&picture, "s", 3,
         "X900"
         "X820"
         "X950");
    assert_string_equal(told(&picture), "axis 1, 3 of 3: 1-2 5-6 10-11");
    draw(&picture, "s", 4,
         "XXX"
         "999"
         "010"
         "000");
    assert_string_equal(told(&picture), "axis 0, 3 of 3: 3-6 4-7 5-8");
    draw(&picture, "s", 2,
         "X0X5"
         "XXXX"); /* up again; half is enough */
    assert_string_equal(told(&picture), "axis 1, 1 of 2: 0-1 1-2");
    draw(&picture, "s", 1, "X0X4");
    assert_string_equal(told(&picture), "axis 1, 1 of 1: 0-1 1-2 2-3");
}

static void words_are_no_cliff_unless_there_is_nothing_else(void **state) {
    (void)state;
    struct picture picture;
    draw(&picture, NULL, 3,
         "X0X"
         "X0X"
         "X0X");
    assert_string_equal(told(&picture), "axis 1, 3 of 3: 0-1 1-2 3-4 4-5 6-7 7-8");
    draw(&picture, NULL, 3,
         "X0X"
         "X0X"
         "X00");
    assert_string_equal(told(&picture), "axis 0, 1 of 3: 5-8");
}

static void what_was_not_judged_is_on_no_side(void **state) {
    (void)state;
    struct picture picture;
    draw(&picture, "s", 1, "X-0");
    assert_string_equal(told(&picture), "axis 1, 0 of 1:");
    draw(&picture, "s", 2,
         "99"
         "99");
    assert_string_equal(told(&picture), "axis 1, 0 of 2:");
}

static void of_drawn_points_the_closest_pairs_are_told(void **state) {
    (void)state;
    struct picture picture;
    draw(&picture, "s", 4,
         "XXXX"
         "XXX0"
         "XXXX"
         "XXXX");
    picture.axes[0].value_count = picture.axes[1].value_count = 0;
    picture.numbers[7][1] = 2.9; /* a little nearer to the point on its left */
    assert_string_equal(told(&picture), "axis 2, 0 of 0: 6-7 3-7 11-7");
    /* Points 5 and 6 are drawn at one place, so that two pairs would read alike. */
    picture.labels[5][1] = picture.labels[6][1];
    picture.numbers[5][1] = picture.numbers[6][1];
    assert_string_equal(told(&picture), "axis 2, 0 of 0: 5-7 3-7 11-7");
}

/* The text of a sweep. */
static const char *written(const struct storm_sweep *sweep) {
    static char text[4000];
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(out);
    assert_true(sweep_write_text(sweep, &(struct report_text){.result_file = "x.sqlite"}, out));
    fclose(out);
    return text;
}

static void axes_are_told_apart_and_what_has_no_end_is_never(void **state) {
    (void)state;
    struct picture picture;
    draw(&picture, "s", 2,
         "X90"
         "X00");
    const char *text = written(&picture.sweep);
    static const char *const lines[] = {
        "A picture\n\n6 points, 10 runs at each:\n  policies.app.cap: 0, 1\n",
        "\napp.cap  db.cap  recovers  peak load  recovers after  dead letters\n",
        "\n0        0       10 of 10        2 \xC3\x97           never             \xE2\x80\x93\n",
        "\nThe cliff along db.cap, where half of the runs recover (2 of 2 lines cross it):\n",
        "\n  app.cap=0: between 1 (90 % of runs recover) and 2 (0 %)\n",
        "\nNext: retrystorm plot x.sqlite -o sweep.png\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strstr(text, lines[i]) == NULL) {
            fail_msg("no '%s' in\n%s", lines[i], text);
        }
    }
}

static void without_a_cliff_it_says_how_the_points_end(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"---", "No run has a verdict"},
        {"7X-", "half or more of the runs recover at every point that has a verdict."},
        {"04", "less than half of the runs recover at every point."},
        {"XX", "every run recovers at every point."},
        {"X-X", "every run recovers at every point that has a verdict."},
        {"00", "no run recovers at any point."},
        {"X-0", "no two neighbours with a verdict are on either side of it"},
    };
    struct picture picture;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        draw(&picture, "s", 1, cases[i][0]);
        const char *text = written(&picture.sweep);
        if (strstr(text, cases[i][1]) == NULL) {
            fail_msg("no '%s' in\n%s", cases[i][1], text);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cliff_is_on_the_axis_with_most_lines_across),
        cmocka_unit_test(words_are_no_cliff_unless_there_is_nothing_else),
        cmocka_unit_test(what_was_not_judged_is_on_no_side),
        cmocka_unit_test(of_drawn_points_the_closest_pairs_are_told),
        cmocka_unit_test(axes_are_told_apart_and_what_has_no_end_is_never),
        cmocka_unit_test(without_a_cliff_it_says_how_the_points_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
