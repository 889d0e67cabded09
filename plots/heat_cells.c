/* heat_cells.c: a panel of the heat map of a grid: its cells, their numbers, and the cliff. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "plots/contour.h"
#include "plots/heat.h"
#include "plots/layout.h"
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/sweep_finding.h"
#include "plots/swept.h"
#include "plots/theme.h"
#include "plots/type.h"
#include "plots/words.h"

/* Cells at least so large, in px, stand apart by a px. */
#define GAP_LEAST 12.0
/* What a line leaves of a cell for its number, when it cuts a corner: the shares of its width
   and of its height that the number takes may sum up to this. */
#define NUMBER_SHARE 0.8
#define NUMBER_HEIGHT 10.0
/* Lines keep off the middle of cells, and more so off their numbers. */
#define KEEP_PLAIN 0.1
#define KEEP_NUMBERS 0.45
#define HATCH 7.0
/* In a map too fine for numbers, loops of fewer points are the luck of single cells: no cliff. */
#define LOOP_LEAST 24

/* One panel while it is drawn. */
struct cells {
    struct heat *heat;
    uint32_t panel, columns, rows;
    struct scene_box plot;
    double gap;
    const char *unit; /* of the numbers; NULL: none fit */
};

/* The point of a grid at a cell of a panel, both counted from the axes' low ends. */
static const struct storm_sweep_point *point_of(const struct heat *heat, uint32_t column,
                                                uint32_t row, uint32_t panel) {
    const struct storm_sweep *sweep = heat->sweep;
    const uint32_t cells[HEAT_AXES] = {column, row, panel};
    size_t place = 0;
    for (uint32_t i = 0; i < sweep->axis_count; i++) {
        uint32_t value = 0; /* of an axis that has one only */
        for (uint32_t j = 0; j < heat->axis_count; j++)
            if (heat->axes[j].index == i)
                value = heat->axes[j].order[cells[j]];
        place = place * sweep->axes[i].value_count + value;
    }
    assert(place < sweep->point_count);
    return &sweep->points[place];
}

int heat_step(double share) {
    assert(share >= 0 && share <= 1);
    if (share <= 0 || share >= 1)
        return share <= 0 ? 0 : THEME_HEAT_STEPS - 1;
    int between = THEME_HEAT_STEPS - 2;
    int step = (int)(share * between);
    return 1 + (step < between ? step : between - 1);
}

/* Where a column begins (columns is the end), and a row, counted from below: whole px, so that
   nothing shines through between cells. */
static double column_x(const struct cells *cells, uint32_t column) {
    double width = cells->plot.x1 - cells->plot.x0;
    return floor(cells->plot.x0 + cells->heat->axes[HEAT_X].edges[column] * width + 0.5);
}

static double row_y(const struct cells *cells, uint32_t row) {
    double height = cells->plot.y1 - cells->plot.y0;
    return floor(cells->plot.y1 - cells->heat->axes[HEAT_Y].edges[row] * height + 0.5);
}

static struct scene_box cell_box(const struct cells *cells, uint32_t column, uint32_t row) {
    return (struct scene_box){column_x(cells, column), row_y(cells, row + 1),
                              column_x(cells, column + 1) - cells->gap,
                              row_y(cells, row) - cells->gap};
}

static double share_at(const struct cells *cells, uint32_t column, uint32_t row) {
    return storm_sweep_share(point_of(cells->heat, column, row, cells->panel));
}

/* Lines across a box from lower left to upper right. */
void heat_hatch(struct scene *scene, const char *part, const struct scene_box *box) {
    double width = box->x1 - box->x0, height = box->y1 - box->y0;
    scene_add(scene, &(struct scene_mark){.kind = SCENE_RECT,
                                          .part = part,
                                          .role = ROLE_BAND,
                                          .x = box->x0,
                                          .y = box->y0,
                                          .width = width,
                                          .height = height});
    for (double at = HATCH / 2; at < width + height; at += HATCH) {
        double low = fmin(at, height), right = fmin(at, width);
        struct scene_point ends[2] = {{box->x0 + at - low, box->y0 + low},
                                      {box->x0 + right, box->y0 + at - right}};
        scene_add(scene, &(struct scene_mark){.kind = SCENE_LINE,
                                              .part = "hatch",
                                              .role = ROLE_AXIS,
                                              .points = ends,
                                              .point_count = 2,
                                              .stroke = 1});
    }
}

/* Cells of one colour side by side are one mark where no gap parts them. */
static void draw_row(const struct cells *cells, uint32_t row) {
    for (uint32_t column = 0, next; column < cells->columns; column = next) {
        double share = share_at(cells, column, row);
        struct scene_box box = cell_box(cells, column, row);
        next = column + 1;
        if (isnan(share)) {
            heat_hatch(cells->heat->scene, "unjudged", &box);
            continue;
        }
        while (cells->gap <= 0 && next < cells->columns && !isnan(share_at(cells, next, row)) &&
               heat_step(share_at(cells, next, row)) == heat_step(share))
            box.x1 = cell_box(cells, next++, row).x1;
        scene_add(cells->heat->scene,
                  &(struct scene_mark){.kind = SCENE_RECT,
                                       .part = "cell",
                                       .role = (enum theme_role)(ROLE_HEAT_0 + heat_step(share)),
                                       .x = box.x0,
                                       .y = box.y0,
                                       .width = box.x1 - box.x0,
                                       .height = box.y1 - box.y0});
    }
}

/* In per cent, never 0 or 100 where it is not quite that. */
static void label_words(double share, const char *unit, char *buffer, size_t size) {
    double percent = floor(share * 100 + 0.5);
    const char *sign = "";
    if ((percent <= 0 && share > 0) || (percent >= 100 && share < 1)) {
        sign = share < 0.5 ? "<" : ">";
        percent = share < 0.5 ? 1 : 99;
    }
    snprintf(buffer, size, "%s%d%s", sign, (int)percent, unit);
}

static void draw_numbers(const struct cells *cells) {
    char text[WORDS_MAX];
    for (uint32_t row = 0; row < cells->rows; row++)
        for (uint32_t column = 0; column < cells->columns; column++) {
            double share = share_at(cells, column, row);
            struct scene_box box = cell_box(cells, column, row);
            if (isnan(share))
                continue;
            label_words(share, cells->unit, text, sizeof text);
            page_text(cells->heat->scene, "share", FONT_TICK,
                      (enum theme_role)(ROLE_HEAT_TEXT_0 + heat_step(share)), SCENE_MIDDLE,
                      (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 + 4, text);
        }
}

/* Where values stand along an axis: numbers at the middle of their cells, and the outermost once
   more at the plot's border, so that lines end there; words, which have nothing between them, at
   both ends of their cells. */
struct row_of_places {
    uint32_t count;
    double *at;      /* px */
    uint32_t *cells; /* whose value it is */
};

static double edge_at(const struct cells *cells, int axis, uint32_t edge) {
    return (axis == HEAT_X ? column_x(cells, edge) : row_y(cells, edge)) - cells->gap / 2;
}

static bool list_places(const struct cells *cells, int axis, struct row_of_places *places) {
    struct arena *arena = &cells->heat->arena;
    uint32_t count = axis == HEAT_X ? cells->columns : cells->rows;
    bool is_words = cells->heat->axes[axis].is_words;
    places->count = is_words ? 2 * count : count + 2;
    places->at = arena_take_array(arena, places->count, sizeof *places->at);
    places->cells = arena_take_array(arena, places->count, sizeof *places->cells);
    if (places->at == NULL || places->cells == NULL)
        return false;
    for (uint32_t i = 0; i < places->count; i++) {
        uint32_t cell = is_words ? i / 2 : i == 0 ? 0 : i <= count ? i - 1 : count - 1;
        bool is_low = is_words ? i % 2 == 0 : i == 0, is_high = is_words ? i % 2 == 1 : i > count;
        double low = edge_at(cells, axis, cell), high = edge_at(cells, axis, cell + 1);
        places->cells[i] = cell;
        places->at[i] = is_low ? low : is_high ? high : (low + high) / 2;
    }
    return true;
}

static bool read_field(const struct cells *cells, struct contour_field *field) {
    struct row_of_places across, up;
    if (!list_places(cells, HEAT_X, &across) || !list_places(cells, HEAT_Y, &up))
        return false;
    double *values =
        arena_take_array(&cells->heat->arena, (size_t)across.count * up.count, sizeof *values);
    if (values == NULL)
        return false;
    for (uint32_t j = 0; j < up.count; j++)
        for (uint32_t i = 0; i < across.count; i++)
            values[(size_t)j * across.count + i] = share_at(cells, across.cells[i], up.cells[j]);
    *field = (struct contour_field){across.count, up.count, across.at, up.at, values};
    return true;
}

static void add_line(struct scene *scene, const char *part, const struct contour_line *line,
                     enum theme_role role, double stroke, double dash) {
    scene_add(scene, &(struct scene_mark){.kind = SCENE_LINE,
                                          .part = part,
                                          .role = role,
                                          .points = line->points,
                                          .point_count = line->count,
                                          .stroke = stroke,
                                          .dash = dash,
                                          .gap = 3.5});
}

static bool is_speck(const struct cells *cells, const struct contour_line *line) {
    const struct scene_point *first = &line->points[0], *last = &line->points[line->count - 1];
    return cells->unit == NULL && line->count < LOOP_LEAST && first->x == last->x &&
           first->y == last->y;
}

static bool draw_contour(const struct cells *cells, const struct contour_field *field, double level,
                         const char *part) {
    bool is_half = level <= HEAT_HALF;
    struct scene *scene = cells->heat->scene;
    struct contour contour;
    if (!contour_trace(field, level, cells->unit != NULL ? KEEP_NUMBERS : KEEP_PLAIN,
                       &cells->heat->arena, &contour))
        return false;
    for (uint32_t i = 0; i < contour.count; i++)
        if (!is_speck(cells, &contour.lines[i]))
            add_line(scene, "halo", &contour.lines[i], ROLE_BACKGROUND, is_half ? 5.5 : 3.5, 0);
    for (uint32_t i = 0; i < contour.count; i++)
        if (!is_speck(cells, &contour.lines[i]))
            add_line(scene, part, &contour.lines[i], ROLE_LINE, is_half ? 2.5 : 1.5,
                     is_half ? 0 : 5);
    return true;
}

static bool draw_contours(const struct cells *cells) {
    struct contour_field field;
    if (!read_field(cells, &field))
        return false;
    return (!cells->heat->has_nearly_all ||
            draw_contour(cells, &field, HEAT_NEARLY_ALL, "nearly-all")) &&
           (!cells->heat->has_half || draw_contour(cells, &field, HEAT_HALF, "half"));
}

/* The line of 99 % is another one only where some share lies between. */
void heat_look_for_lines(struct heat *heat) {
    const struct storm_sweep *sweep = heat->sweep;
    bool is_any[3] = {false};
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        double share = storm_sweep_share(&sweep->points[i]);
        heat->has_unjudged = heat->has_unjudged || isnan(share);
        if (!isnan(share))
            is_any[share >= HEAT_NEARLY_ALL ? 2 : share >= HEAT_HALF ? 1 : 0] = true;
    }
    heat->has_half = is_any[0] && (is_any[1] || is_any[2]);
    heat->has_nearly_all = is_any[1] && is_any[2];
}

/* How far apart the cells stand, and what their numbers look like, if they fit. */
static void measure(struct cells *cells) {
    double width = HUGE_VAL, height = HUGE_VAL;
    for (uint32_t i = 0; i < cells->columns; i++)
        width = fmin(width, column_x(cells, i + 1) - column_x(cells, i));
    for (uint32_t i = 0; i < cells->rows; i++)
        height = fmin(height, row_y(cells, i) - row_y(cells, i + 1));
    cells->gap = width >= GAP_LEAST && height >= GAP_LEAST ? 1 : 0;
    static const char *const units[] = {WORDS_THIN "%", ""};
    char text[WORDS_MAX];
    for (int i = 0; i < 2 && cells->unit == NULL; i++) {
        label_words(1, units[i], text, sizeof text);
        if (type_width(FONT_TICK, text) / width + NUMBER_HEIGHT / height <= NUMBER_SHARE)
            cells->unit = units[i];
    }
}

bool heat_draw_cells(struct heat *heat, uint32_t panel) {
    struct cells cells = {.heat = heat,
                          .panel = panel,
                          .columns = heat->axes[HEAT_X].count,
                          .rows = heat->axes[HEAT_Y].count,
                          .plot = layout_plot(&heat->layout, panel)};
    measure(&cells);
    for (uint32_t row = cells.rows; row-- > 0;)
        draw_row(&cells, row);
    if (!draw_contours(&cells))
        return false;
    if (cells.unit != NULL)
        draw_numbers(&cells);
    return true;
}
