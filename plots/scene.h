/* scene.h: a picture as a list of simple marks with roles instead of colours; painters turn it
   into files. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_SCENE_H
#define PLOTS_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plots/theme.h"

enum scene_kind { SCENE_RECT, SCENE_CIRCLE, SCENE_AREA, SCENE_LINE, SCENE_TEXT };
enum scene_anchor { SCENE_START, SCENE_MIDDLE, SCENE_END };

struct scene_point {
    double x, y;
};

/* One mark, in CSS px, y downwards; later marks cover earlier ones. Which fields count depends on
   the kind: RECT x y width height radius · CIRCLE x y radius · AREA points (closed, filled) · LINE
   points stroke dash gap · TEXT x y (baseline) text font anchor halo (0: none; a stroke in the
   background's colour under the letters). */
struct scene_mark {
    enum scene_kind kind;
    enum theme_role role;
    const char *
        part; /* what it is in the chart: "first", "peak"; static text, for tests and transcripts */
    double x, y, width, height, radius;
    double stroke, dash, gap;
    double opacity; /* 0 means 1 */
    const struct scene_point *points;
    uint32_t point_count;
    const char *text;
    enum theme_font font;
    enum scene_anchor anchor;
    double halo;
    enum theme_role halo_role; /* what the letters stand on: BACKGROUND or BAND */
};

/* A box: left, top, right, bottom. */
struct scene_box {
    double x0, y0, x1, y1;
};

/* A picture. `title` and `description` speak to those who cannot see it. */
struct scene {
    struct arena arena;
    double width, height;
    bool is_dark;
    const char *title, *description;
    struct scene_mark *marks;
    uint32_t count, room;
    bool is_full; /* memory ran out: the picture is not complete and must not be painted */
};

/* An empty picture, held in memory until scene_free. */
void scene_init(struct scene *scene, bool is_dark);
void scene_free(struct scene *scene);

/* Adds a copy of a mark, with its points and its text, which is made clean first (see
   scene_copy_text). Texts that are empty and shapes without points are left out. */
void scene_add(struct scene *scene, const struct scene_mark *mark);

/* A copy of `text` in the scene's memory that every painter can show: valid UTF-8 without control
   characters and without marks that turn the direction of writing. "" when memory ran out. */
const char *scene_copy_text(struct scene *scene, const char *text);

/* Zeroed room for `count` points, NULL (and the scene full) when memory ran out. */
struct scene_point *scene_points(struct scene *scene, uint32_t count);

/* The room that a mark of kind TEXT takes, from ascent to descent. */
struct scene_box scene_text_box(const struct scene_mark *mark);

/* True when two boxes share more than an edge. */
bool scene_boxes_overlap(const struct scene_box *a, const struct scene_box *b);

#endif
