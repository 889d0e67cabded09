/* paint_text.c: a scene as text, one line per mark. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/error.h>

#include "plots/paint.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/words.h"

static void put_number(FILE *out, double value) {
    char text[WORDS_MAX];
    assert(out != NULL);
    fputs(words_tenth(value, text, sizeof text), out);
}

static const char *kind_name(enum scene_kind kind) {
    static const char *const names[] = {"rect", "circle", "area", "line", "text"};
    assert((size_t)kind < sizeof names / sizeof names[0]);
    return names[kind];
}

static void put_value(FILE *out, const char *name, double value) {
    assert(name != NULL);
    fputs(name, out);
    put_number(out, value);
}

/* A number that changes with any point (FNV-1a over tenths of a px). */
static uint32_t points_digest(const struct scene_mark *mark) {
    char text[WORDS_MAX];
    uint32_t digest = 2166136261u;
    assert(mark->points != NULL);
    for (uint32_t i = 0; i < 2 * mark->point_count; i++) {
        const struct scene_point *point = &mark->points[i / 2];
        words_tenth(i % 2 == 0 ? point->x : point->y, text, sizeof text);
        for (const char *byte = text; *byte != 0; byte++)
            digest = (digest ^ (unsigned char)*byte) * 16777619u;
        digest = (digest ^ ' ') * 16777619u;
    }
    return digest;
}

/* Short paths whole; of long ones the ends, how many points, and their digest. */
static void put_points(FILE *out, const struct scene_mark *mark) {
    enum { WHOLE_MOST = 6 };
    assert(mark->points != NULL);
    for (uint32_t i = 0; i < mark->point_count; i++) {
        bool is_end = i == 0 || i + 1 == mark->point_count;
        if (mark->point_count > WHOLE_MOST && !is_end)
            continue;
        if (mark->point_count > WHOLE_MOST && i > 0)
            fprintf(out, " .. %" PRIu32 " points, digest %08" PRIx32 " ..", mark->point_count,
                    points_digest(mark));
        put_value(out, " ", mark->points[i].x);
        put_value(out, ",", mark->points[i].y);
    }
}

static void put_text(FILE *out, const struct scene_mark *mark) {
    static const char *const anchors[] = {" start", " middle", " end"};
    assert((size_t)mark->anchor < 3);
    put_value(out, " ", mark->x);
    put_value(out, ",", mark->y);
    fputs(anchors[mark->anchor], out);
    fputs(" ", out);
    fputs(theme_font_class(mark->font), out);
    if (mark->halo > 0) {
        put_value(out, " halo ", mark->halo);
        fputs(" ", out);
        fputs(theme_role_class(mark->halo_role), out);
    }
    fputs(" \"", out);
    fputs(mark->text, out);
    fputs("\"", out);
}

static void put_mark(FILE *out, const struct scene_mark *mark) {
    assert(mark->part != NULL);
    fputs(kind_name(mark->kind), out);
    fputs(" ", out);
    fputs(mark->part, out);
    fputs(" ", out);
    fputs(theme_role_class(mark->role), out);
    if (mark->opacity < 1)
        put_value(out, " opacity ", mark->opacity);
    if (mark->kind == SCENE_TEXT) {
        put_text(out, mark);
    } else if (mark->kind == SCENE_AREA || mark->kind == SCENE_LINE) {
        if (mark->kind == SCENE_LINE)
            put_value(out, " stroke ", mark->stroke);
        if (mark->kind == SCENE_LINE && mark->dash > 0)
            put_value(out, " dash ", mark->dash);
        put_points(out, mark);
    } else {
        put_value(out, " ", mark->x);
        put_value(out, ",", mark->y);
        if (mark->kind == SCENE_RECT) {
            put_value(out, " ", mark->width);
            put_value(out, "x", mark->height);
        }
        if (mark->radius > 0)
            put_value(out, " r ", mark->radius);
    }
    fputs("\n", out);
}

bool paint_text(const struct scene *scene, FILE *out, struct storm_error *error) {
    assert(scene != NULL && !scene->is_full);
    assert(out != NULL && error != NULL);
    put_value(out, scene->is_dark ? "dark scene " : "scene ", scene->width);
    put_value(out, "x", scene->height);
    fputs("\ntitle \"", out);
    fputs(scene->title, out);
    fputs("\"\ndescription \"", out);
    fputs(scene->description, out);
    fputs("\"\n", out);
    for (uint32_t i = 0; i < scene->count; i++)
        put_mark(out, &scene->marks[i]);
    return true;
}
