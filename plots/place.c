/* place.c: free places for labels in a plot. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plots/place.h"
#include "plots/scene.h"

/* How far labels keep from lines and data, and from each other: two of them side by side must not
   read as one. */
#define AIR 3.0
#define AIR_BESIDE 16.0
#define AIR_ABOVE 6.0
/* How finely a place is sought, and what stays free at the area's sides. */
#define SEEK_STEP 4.0
#define SEEK_MARGIN 8.0

void place_take(struct place *place, const struct scene_box *box) {
    assert(place != NULL && box != NULL);
    assert(place->box_count <= PLACE_BOXES_MAX);
    if (place->box_count < PLACE_BOXES_MAX)
        place->boxes[place->box_count++] = *box;
}

void place_take_line(struct place *place, const struct scene_point *points, uint32_t count) {
    assert(place != NULL && points != NULL);
    assert(place->line_count <= PLACE_LINES_MAX);
    if (place->line_count == PLACE_LINES_MAX || count < 2)
        return;
    place->lines[place->line_count].points = points;
    place->lines[place->line_count++].count = count;
}

/* Cuts [*low, *high] (0..1 along a segment) to where from + t * step lies within [least, most]. */
static bool cut(double from, double step, double least, double most, double *low, double *high) {
    assert(least <= most);
    if (step > -1e-9 && step < 1e-9)
        return from > least && from < most;
    double a = (least - from) / step, b = (most - from) / step;
    *low = fmax(*low, fmin(a, b));
    *high = fmin(*high, fmax(a, b));
    return *low <= *high;
}

static bool crosses(const struct scene_box *box, struct scene_point a, struct scene_point b) {
    assert(box != NULL);
    double low = 0, high = 1;
    return cut(a.x, b.x - a.x, box->x0, box->x1, &low, &high) &&
           cut(a.y, b.y - a.y, box->y0, box->y1, &low, &high);
}

static bool line_crosses(const struct scene_box *box, const struct scene_point *points,
                         uint32_t count) {
    assert(points != NULL);
    for (uint32_t i = 1; i < count; i++)
        if (crosses(box, points[i - 1], points[i]))
            return true;
    return false;
}

/* How the data lie in a box: they reach into it, they cover it wholly, or some of their tops lie
   within, which a plate would hide. */
struct relief {
    bool reaches, covers, has_tops;
};

static struct relief look_at_data(const struct place *place, const struct scene_box *box) {
    assert(place != NULL && box != NULL);
    struct relief relief = {.covers = place->skyline_count > 0};
    for (uint32_t i = 1; i < place->skyline_count; i++) {
        const struct scene_point *a = &place->skyline[i - 1], *b = a + 1;
        if (b->x <= box->x0 || a->x >= box->x1)
            continue;
        double high = fmin(a->y, b->y), low = fmax(a->y, b->y);
        relief.reaches = relief.reaches || high < box->y1;
        relief.covers = relief.covers && low <= box->y0;
        bool is_top = a->y == b->y; /* not the side of a step */
        relief.has_tops = relief.has_tops || (is_top && high > box->y0 && high < box->y1);
    }
    return relief;
}

bool place_is_on_data(const struct place *place, const struct scene_box *box) {
    assert(place != NULL && box != NULL);
    return look_at_data(place, box).reaches;
}

bool place_is_free(const struct place *place, const struct scene_box *box,
                   enum place_ground ground) {
    assert(place != NULL && box != NULL);
    assert(box->x0 <= box->x1 && box->y0 <= box->y1);
    const struct scene_box *area = &place->area;
    if (box->x0 < area->x0 || box->x1 > area->x1 || box->y0 < area->y0 || box->y1 > area->y1)
        return false;
    struct scene_box wide = {box->x0 - AIR, box->y0 - AIR, box->x1 + AIR, box->y1 + AIR};
    struct scene_box apart = {box->x0 - AIR_BESIDE, box->y0 - AIR_ABOVE, box->x1 + AIR_BESIDE,
                              box->y1 + AIR_ABOVE};
    for (uint32_t i = 0; i < place->box_count; i++)
        if (scene_boxes_overlap(&apart, &place->boxes[i]))
            return false;
    for (uint32_t i = 0; i < place->mark_count; i++)
        if (scene_boxes_overlap(&wide, &place->marks[i]))
            return false;
    for (uint32_t i = 0; i < place->line_count; i++)
        if (line_crosses(&wide, place->lines[i].points, place->lines[i].count))
            return false;
    struct relief relief = look_at_data(place, &wide);
    return !relief.reaches || (ground == PLACE_ON_DATA && relief.covers) ||
           (ground == PLACE_BETWEEN_TOPS && !relief.has_tops);
}

bool place_slide(const struct place *place, struct scene_box *box, double reach,
                 enum place_ground ground) {
    assert(place != NULL && box != NULL);
    assert(reach >= 0);
    for (double shift = 0; shift <= reach; shift += 2)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct scene_box moved = {box->x0, box->y0 + sign * shift, box->x1,
                                      box->y1 + sign * shift};
            if (place_is_free(place, &moved, ground)) {
                *box = moved;
                return true;
            }
        }
    return false;
}

bool place_seek(const struct place *place, struct scene_box *box, enum place_ground ground) {
    assert(place != NULL && box != NULL);
    const struct scene_box *area = &place->area;
    double width = box->x1 - box->x0, height = box->y1 - box->y0, best = HUGE_VAL;
    struct scene_box wish = *box;
    assert(width >= 0 && height >= 0);
    for (double x = area->x0 + SEEK_MARGIN; x + width + SEEK_MARGIN <= area->x1; x += SEEK_STEP)
        for (double y = area->y0; y + height <= area->y1; y += SEEK_STEP) {
            double far = (x - wish.x0) * (x - wish.x0) + (y - wish.y0) * (y - wish.y0);
            struct scene_box moved = {x, y, x + width, y + height};
            if (far >= best || !place_is_free(place, &moved, ground))
                continue;
            best = far;
            *box = moved;
        }
    return best < HUGE_VAL;
}
