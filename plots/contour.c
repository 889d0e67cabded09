/* contour.c: the lines at which a field on a grid crosses a level, by marching squares. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lorensen, Cline: "Marching Cubes", SIGGRAPH 1987, in two dimensions. Invariants: 1. An edge of
   the grid is crossed at one point at most, so a crossing is named by its edge: first the edges
   along the rows, then those along the columns. 2. Two squares at most share an edge, so each
   crossing has two links at most, and the links make up lines and loops. */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "plots/contour.h"
#include "plots/scene.h"

enum { LINKS_MAX = 2 };
static const uint32_t none = UINT32_MAX;

struct crossing {
    uint32_t links[LINKS_MAX]; /* edges that a line leads to; none: no more */
    bool is_done;
};

struct tracer {
    const struct contour_field *field;
    double level, keep;
    uint32_t edge_count;
    struct crossing *crossings; /* [edge] */
};

static double value_at(const struct contour_field *field, uint32_t column, uint32_t row) {
    assert(column < field->columns && row < field->rows);
    return field->values[(size_t)row * field->columns + column];
}

/* The edge from a place to its right neighbour, and to the one in the next row. */
static uint32_t edge_right(const struct contour_field *field, uint32_t column, uint32_t row) {
    assert(column + 1 < field->columns && row < field->rows);
    return row * (field->columns - 1) + column;
}

static uint32_t edge_down(const struct contour_field *field, uint32_t column, uint32_t row) {
    assert(column < field->columns && row + 1 < field->rows);
    return field->rows * (field->columns - 1) + row * field->columns + column;
}

static void link_to(struct tracer *tracer, uint32_t from, uint32_t to) {
    struct crossing *crossing = &tracer->crossings[from];
    size_t free = crossing->links[0] == none ? 0 : 1;
    assert(crossing->links[free] == none); /* invariant 2 */
    crossing->links[free] = to;
}

static void join(struct tracer *tracer, uint32_t a, uint32_t b) {
    assert(a != b && a < tracer->edge_count && b < tracer->edge_count);
    link_to(tracer, a, b);
    link_to(tracer, b, a);
}

/* The one or two pieces of line in a square whose upper left corner is given. */
static void march(struct tracer *tracer, uint32_t column, uint32_t row) {
    const struct contour_field *field = tracer->field;
    double corners[4] = {value_at(field, column, row), value_at(field, column + 1, row),
                         value_at(field, column + 1, row + 1), value_at(field, column, row + 1)};
    uint32_t edges[4] = {edge_right(field, column, row), edge_down(field, column + 1, row),
                         edge_right(field, column, row + 1), edge_down(field, column, row)};
    uint32_t crossed[4], count = 0;
    for (int i = 0; i < 4; i++) {
        double from = corners[i], to = corners[(i + 1) % 4];
        if (isnan(from))
            return;
        if ((from >= tracer->level) != (to >= tracer->level))
            crossed[count++] = edges[i];
    }
    assert(count % 2 == 0);
    if (count == 2)
        join(tracer, crossed[0], crossed[1]);
    if (count < 4)
        return;
    /* A saddle: what the middle is like keeps its two corners together. */
    bool is_high = (corners[0] + corners[1] + corners[2] + corners[3]) / 4 >= tracer->level;
    bool is_first = (corners[0] >= tracer->level) == is_high;
    join(tracer, crossed[0], crossed[is_first ? 1 : 3]);
    join(tracer, crossed[2], crossed[is_first ? 3 : 1]);
}

/* Where the line crosses an edge. */
static struct scene_point place_of(const struct tracer *tracer, uint32_t edge) {
    const struct contour_field *field = tracer->field;
    uint32_t along = field->rows * (field->columns - 1);
    bool is_right = edge < along;
    uint32_t width = is_right ? field->columns - 1 : field->columns;
    uint32_t place = is_right ? edge : edge - along;
    uint32_t column = place % width, row = place / width;
    double from = value_at(field, column, row);
    double to = is_right ? value_at(field, column + 1, row) : value_at(field, column, row + 1);
    assert(from != to);
    double share = (tracer->level - from) / (to - from);
    share = fmin(fmax(share, tracer->keep), 1 - tracer->keep);
    if (is_right)
        return (struct scene_point){
            field->x[column] + share * (field->x[column + 1] - field->x[column]), field->y[row]};
    return (struct scene_point){field->x[column],
                                field->y[row] + share * (field->y[row + 1] - field->y[row])};
}

/* The way from an edge on, over those not yet walked; of a loop, back to it. Counts the points, and
   writes them where there is room for them. */
static uint32_t walk(struct tracer *tracer, uint32_t start, struct scene_point *points) {
    uint32_t count = 0, last = none;
    for (uint32_t edge = start, next; edge != none; edge = next) {
        if (points != NULL)
            points[count] = place_of(tracer, edge);
        tracer->crossings[edge].is_done = points != NULL;
        count++;
        if (edge == start && count > 1)
            break;
        const uint32_t *links = tracer->crossings[edge].links;
        next = links[0] != last ? links[0] : links[1];
        last = edge;
    }
    assert(count > 0);
    return count;
}

static bool take_line(struct tracer *tracer, uint32_t start, struct arena *arena,
                      struct contour_line *line) {
    line->count = walk(tracer, start, NULL);
    struct scene_point *points = arena_take_array(arena, line->count, sizeof *points);
    line->points = points;
    return points != NULL && walk(tracer, start, points) == line->count;
}

/* Lines first, from their ends; what is left then are loops. */
static bool take_lines(struct tracer *tracer, struct arena *arena, struct contour_line *lines,
                       uint32_t *count) {
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t edge = 0; edge < tracer->edge_count; edge++) {
            const struct crossing *crossing = &tracer->crossings[edge];
            bool is_end = crossing->links[1] == none;
            if (crossing->links[0] == none || crossing->is_done || (pass == 0 && !is_end))
                continue;
            if (!take_line(tracer, edge, arena, &lines[(*count)++]))
                return false;
        }
    return true;
}

bool contour_trace(const struct contour_field *field, double level, double keep,
                   struct arena *arena, struct contour *contour) {
    assert(field != NULL && field->columns >= 2 && field->rows >= 2);
    assert(keep >= 0 && keep <= 0.5);
    struct tracer tracer = {.field = field, .level = level, .keep = keep};
    tracer.edge_count = field->rows * (field->columns - 1) + (field->rows - 1) * field->columns;
    tracer.crossings = arena_take_array(arena, tracer.edge_count, sizeof *tracer.crossings);
    struct contour_line *lines = arena_take_array(arena, tracer.edge_count, sizeof *lines);
    if (tracer.crossings == NULL || lines == NULL)
        return false;
    for (uint32_t i = 0; i < tracer.edge_count; i++)
        tracer.crossings[i] = (struct crossing){.links = {none, none}};
    for (uint32_t row = 0; row + 1 < field->rows; row++)
        for (uint32_t column = 0; column + 1 < field->columns; column++)
            march(&tracer, column, row);
    *contour = (struct contour){.lines = lines};
    return take_lines(&tracer, arena, lines, &contour->count);
}
