/* place.h: free places for labels in a plot: never over another label, and off the marks where
   that is possible. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_PLACE_H
#define PLOTS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "plots/scene.h"

enum { PLACE_BOXES_MAX = 96, PLACE_LINES_MAX = 12 };

/* Where a label may stand: above the data; or wholly on them; or across them, but never over a top,
   for the plate that it needs would hide how high they reach. */
enum place_ground { PLACE_OFF_DATA, PLACE_ON_DATA, PLACE_BETWEEN_TOPS };

/* What stands in a plot already. Points are borrowed and must outlive it. */
struct place {
    struct scene_box area; /* labels stay inside */
    struct scene_box boxes[PLACE_BOXES_MAX];
    uint32_t box_count;
    struct {
        const struct scene_point *points;
        uint32_t count;
    } lines[PLACE_LINES_MAX];
    uint32_t line_count;
    const struct scene_box *marks; /* borrowed: what labels only keep off, as off lines */
    uint32_t mark_count;
    const struct scene_point *skyline; /* upper edge of the data, left to right; NULL: none */
    uint32_t skyline_count;
};

/* Notes what is taken; beyond the limits it is forgotten (a label might then cross it). */
void place_take(struct place *place, const struct scene_box *box);
void place_take_line(struct place *place, const struct scene_point *points, uint32_t count);

/* True when the data reach into the box. */
bool place_is_on_data(const struct place *place, const struct scene_box *box);

/* True when the box is inside the area, off every label and line, and on the ground allowed. */
bool place_is_free(const struct place *place, const struct scene_box *box,
                   enum place_ground ground);

/* Moves the box by at most `reach` px up or down, the nearest way first, until it is free. False
   when it never is. */
bool place_slide(const struct place *place, struct scene_box *box, double reach,
                 enum place_ground ground);

/* Moves the box to the free place in the whole area that is nearest to where it is. False when
   there is none. */
bool place_seek(const struct place *place, struct scene_box *box, enum place_ground ground);

#endif
