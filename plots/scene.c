/* scene.c: a picture as a list of marks. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Invariants: 1. count <= room, and marks has room for `room` marks. 2. Every pointer of a mark but
   `part` points into the scene's arena. 3. Once is_full, the scene no longer changes. */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/type.h"

enum { SCENE_BYTES_MAX = 256 << 20, SCENE_ROOM_FIRST = 256 };

void scene_init(struct scene *scene, bool is_dark) {
    assert(scene != NULL);
    *scene = (struct scene){.is_dark = is_dark, .title = "", .description = ""};
    arena_init(&scene->arena, SCENE_BYTES_MAX);
    assert(scene->count == 0);
}

void scene_free(struct scene *scene) {
    assert(scene != NULL);
    assert(scene->count <= scene->room);
    arena_free(&scene->arena);
    *scene = (struct scene){.title = "", .description = ""};
}

/* Characters that XML forbids, that no font shows, or that reorder what stands around them. */
static uint32_t clean(uint32_t code) {
    if (code < 0x20 || (code >= 0x7F && code < 0xA0))
        return ' ';
    bool turns = (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
                 (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
    if (turns)
        return 0;
    return (code & 0xFFFE) == 0xFFFE ? 0xFFFD : code;
}

static size_t put(uint32_t code, char *out) {
    assert(code > 0 && code <= 0x10FFFF);
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    static const uint32_t first[] = {0, 0xC0, 0xE0, 0xF0};
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    out[0] = (char)(first[more] | (code >> (6 * more)));
    for (int i = 1; i <= more; i++)
        out[i] = (char)(0x80 | ((code >> (6 * (more - i))) & 0x3F));
    return (size_t)more + 1;
}

const char *scene_copy_text(struct scene *scene, const char *text) {
    assert(scene != NULL && text != NULL);
    size_t length = strlen(text), used = 0;
    char *copy = arena_take_array(&scene->arena, 3 * length + 1, 1); /* a bad byte becomes three */
    if (copy == NULL) {
        scene->is_full = true;
        return "";
    }
    for (uint32_t code = type_next(&text); code != 0; code = type_next(&text)) {
        uint32_t good = clean(code);
        if (good != 0)
            used += put(good, copy + used);
    }
    assert(used <= 3 * length);
    copy[used] = '\0';
    return copy;
}

struct scene_point *scene_points(struct scene *scene, uint32_t count) {
    assert(scene != NULL);
    assert(count > 0);
    struct scene_point *points = arena_take_array(&scene->arena, count, sizeof *points);
    if (points == NULL)
        scene->is_full = true;
    return points;
}

static bool make_room(struct scene *scene) {
    assert(scene->count <= scene->room); /* invariant 1 */
    if (scene->count < scene->room)
        return true;
    uint32_t room = scene->room == 0 ? SCENE_ROOM_FIRST : 2 * scene->room;
    struct scene_mark *marks =
        arena_grow_array(&scene->arena, scene->marks, scene->count, room, sizeof *marks);
    if (marks == NULL) {
        scene->is_full = true;
        return false;
    }
    scene->marks = marks;
    scene->room = room;
    return true;
}

void scene_add(struct scene *scene, const struct scene_mark *mark) {
    assert(scene != NULL && mark != NULL);
    assert(mark->part != NULL);
    bool has_points = mark->kind == SCENE_AREA || mark->kind == SCENE_LINE;
    bool is_empty = (mark->kind == SCENE_TEXT && mark->text[0] == '\0') ||
                    (has_points && mark->point_count < 2) ||
                    (mark->kind == SCENE_RECT && (mark->width <= 0 || mark->height <= 0));
    if (scene->is_full || is_empty || !make_room(scene))
        return;
    struct scene_mark copy = *mark;
    copy.opacity = mark->opacity > 0 ? mark->opacity : 1;
    if (mark->kind == SCENE_TEXT) {
        copy.text = scene_copy_text(scene, mark->text);
        copy.width = type_width(mark->font, copy.text);
    }
    if (has_points) {
        struct scene_point *points = scene_points(scene, mark->point_count);
        if (points == NULL)
            return;
        memcpy(points, mark->points, mark->point_count * sizeof *points);
        copy.points = points;
    }
    if (!scene->is_full)
        scene->marks[scene->count++] = copy;
}

struct scene_box scene_text_box(const struct scene_mark *mark) {
    assert(mark != NULL && mark->kind == SCENE_TEXT);
    double size = theme_font_size(mark->font);
    double width = type_width(mark->font, mark->text);
    double shift = mark->anchor == SCENE_START ? 0 : mark->anchor == SCENE_END ? width : width / 2;
    assert(isfinite(width));
    return (struct scene_box){mark->x - shift, mark->y - 0.78 * size, mark->x - shift + width,
                              mark->y + 0.22 * size};
}

bool scene_boxes_overlap(const struct scene_box *a, const struct scene_box *b) {
    assert(a != NULL && b != NULL);
    assert(a->x0 <= a->x1 && b->x0 <= b->x1);
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}
