/* test_contour.c: lines at a level lie between values on either side of it, and nowhere else. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdbool.h>

#include "base/arena.h"
#include "plots/contour.h"
#include "unit/plots/near.h"

enum { SIDE_MAX = 12 };

/* A field of random values in tenths, some unknown; columns stand 10 px apart, rows 7, upwards. */
struct field {
    double x[SIDE_MAX], y[SIDE_MAX], values[SIDE_MAX * SIDE_MAX];
    struct contour_field field;
};

static uint64_t luck;

static uint32_t draw(uint32_t below) {
    luck = luck * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(luck >> 33) % below;
}

static void fill(struct field *field, uint32_t columns, uint32_t rows, bool has_gaps) {
    for (uint32_t i = 0; i < columns; i++)
        field->x[i] = 10.0 * i;
    for (uint32_t i = 0; i < rows; i++)
        field->y[i] = 100 - 7.0 * i;
    for (uint32_t i = 0; i < columns * rows; i++)
        field->values[i] = has_gaps && draw(9) == 0 ? (double)NAN : draw(11) / 10.0;
    field->field = (struct contour_field){columns, rows, field->x, field->y, field->values};
}

static double at(const struct field *field, uint32_t column, uint32_t row) {
    return field->values[row * field->field.columns + column];
}

/* Finds the two places between which a point lies. */
static void find_ends(const struct field *field, struct scene_point point, uint32_t from[2],
                      uint32_t to[2], double *share) {
    double column = point.x / 10, row = (100 - point.y) / 7;
    bool is_across = fabs(row - floor(row + 0.5)) < 1e-9;
    bool is_up = fabs(column - floor(column + 0.5)) < 1e-9;
    assert_true(is_across != is_up); /* on an edge, off the places themselves */
    from[0] = (uint32_t)(is_across ? floor(column) : floor(column + 0.5));
    from[1] = (uint32_t)(is_across ? floor(row + 0.5) : floor(row));
    to[0] = from[0] + is_across;
    to[1] = from[1] + is_up;
    *share = is_across ? column - from[0] : row - from[1];
    assert_true(to[0] < field->field.columns && to[1] < field->field.rows);
}

/* Edges between known values on either side that belong to a square all of whose corners are
   known. */
static bool is_known(const struct field *field, uint32_t column, uint32_t row) {
    if (column + 1 >= field->field.columns || row + 1 >= field->field.rows)
        return false;
    return !isnan(at(field, column, row)) && !isnan(at(field, column + 1, row)) &&
           !isnan(at(field, column, row + 1)) && !isnan(at(field, column + 1, row + 1));
}

static uint32_t count_crossings(const struct field *field, double level) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < field->field.rows; j++)
        for (uint32_t i = 0; i < field->field.columns; i++) {
            bool is_high = at(field, i, j) >= level;
            if ((is_known(field, i, j) || (j > 0 && is_known(field, i, j - 1))) &&
                i + 1 < field->field.columns && is_high != (at(field, i + 1, j) >= level))
                count++;
            if ((is_known(field, i, j) || (i > 0 && is_known(field, i - 1, j))) &&
                j + 1 < field->field.rows && is_high != (at(field, i, j + 1) >= level))
                count++;
        }
    return count;
}

static void each_point_lies_between_values_on_both_sides_and_none_is_left_out(void **state) {
    struct field field;
    (void)state;
    luck = 5;
    for (int round = 0; round < 300; round++) {
        struct arena arena;
        struct contour contour;
        double keep = (1 + draw(5)) / 10.0, level = round % 2 == 0 ? 0.5 : 0.99;
        fill(&field, 2 + draw(SIDE_MAX - 1), 2 + draw(SIDE_MAX - 1), round % 3 == 0);
        arena_init(&arena, 1 << 20);
        assert_true(contour_trace(&field.field, level, keep, &arena, &contour));
        uint32_t points = 0;
        for (uint32_t i = 0; i < contour.count; i++) {
            const struct contour_line *line = &contour.lines[i];
            const struct scene_point *first = &line->points[0];
            const struct scene_point *last = &line->points[line->count - 1];
            bool is_loop = line->count > 2 && first->x == last->x && first->y == last->y;
            assert_true(line->count >= 2);
            points += line->count - is_loop;
            for (uint32_t j = 0; j < line->count; j++) {
                uint32_t from[2], to[2];
                double share;
                find_ends(&field, line->points[j], from, to, &share);
                double a = at(&field, from[0], from[1]), b = at(&field, to[0], to[1]);
                assert_true((a >= level) != (b >= level));
                assert_true(share > keep - 1e-9 && share < 1 - keep + 1e-9);
                assert_near(share, fmin(fmax((level - a) / (b - a), keep), 1 - keep), 1e-9);
            }
        }
        assert_int_equal(points, count_crossings(&field, level));
        arena_free(&arena);
    }
}

static void lines_end_at_the_border_or_beside_the_unknown(void **state) {
    struct field field;
    (void)state;
    luck = 11;
    for (int round = 0; round < 200; round++) {
        struct arena arena;
        struct contour contour;
        fill(&field, SIDE_MAX, 2 + draw(SIDE_MAX - 1), round % 2 == 0);
        arena_init(&arena, 1 << 20);
        assert_true(contour_trace(&field.field, 0.5, 0.25, &arena, &contour));
        for (uint32_t i = 0; i < contour.count; i++) {
            const struct contour_line *line = &contour.lines[i];
            struct scene_point ends[2] = {line->points[0], line->points[line->count - 1]};
            if (ends[0].x == ends[1].x && ends[0].y == ends[1].y)
                continue;
            for (int j = 0; j < 2; j++) {
                uint32_t from[2], to[2];
                double share;
                find_ends(&field, ends[j], from, to, &share);
                bool is_across = from[1] == to[1];
                bool has_one = is_known(&field, from[0], from[1]);
                bool has_other = is_across ? from[1] > 0 && is_known(&field, from[0], from[1] - 1)
                                           : from[0] > 0 && is_known(&field, from[0] - 1, from[1]);
                assert_true(has_one != has_other); /* a square on one side only */
            }
        }
        arena_free(&arena);
    }
}

static void a_cliff_is_one_line_where_the_level_is_reached(void **state) {
    static const double x[] = {0, 10, 20, 30}, y[] = {20, 10, 0};
    static const double values[] = {1, 0.8, 0.3, 0, 1, 0.8, 0.3, 0, 1, 0.8, 0.3, 0};
    const struct contour_field field = {4, 3, x, y, values};
    struct arena arena;
    struct contour contour;
    (void)state;
    arena_init(&arena, 1 << 16);
    assert_true(contour_trace(&field, 0.5, 0.1, &arena, &contour));
    assert_int_equal(contour.count, 1);
    assert_int_equal(contour.lines[0].count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_near(contour.lines[0].points[i].x, 16, 1e-9); /* .8 to .3: three fifths of the way */
    assert_true(contour_trace(&field, 0.5, 0.45, &arena, &contour));
    assert_near(contour.lines[0].points[0].x, 15.5, 1e-9); /* but off the places */
    arena_free(&arena);
}

static void the_middle_of_a_saddle_decides_what_hangs_together(void **state) {
    static const double x[] = {0, 10}, y[] = {0, 10};
    static const double high[] = {1, 0, 0.2, 1}, low[] = {0.6, 0, 0, 0.6};
    struct arena arena;
    struct contour contour;
    (void)state;
    arena_init(&arena, 1 << 16);
    const struct contour_field a = {2, 2, x, y, high}, b = {2, 2, x, y, low};
    assert_true(contour_trace(&a, 0.5, 0.1, &arena, &contour));
    assert_int_equal(contour.count, 2); /* round the low corner at the upper right */
    assert_near(contour.lines[0].points[0].x + contour.lines[0].points[0].y, 5, 1e-9);
    assert_near(contour.lines[0].points[1].x, 10, 1e-9);
    assert_true(contour_trace(&b, 0.5, 0.1, &arena, &contour));
    assert_int_equal(contour.count, 2); /* round the high corner at the upper left */
    assert_near(contour.lines[0].points[1].x, 0, 1e-9);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_point_lies_between_values_on_both_sides_and_none_is_left_out),
        cmocka_unit_test(lines_end_at_the_border_or_beside_the_unknown),
        cmocka_unit_test(a_cliff_is_one_line_where_the_level_is_reached),
        cmocka_unit_test(the_middle_of_a_saddle_decides_what_hangs_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
