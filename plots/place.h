/* place.h: free places for labels in a plot: never over another label, and off the marks where
   that is possible. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_PLACE_H
#define PLOTS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "plots/scene.h"

enum { PLACE_BOXES_MAX = 24, PLACE_LINES_MAX = 12 };

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
    const struct scene_point *skyline; /* upper edge of the data, left to right; NULL: none */
    uint32_t skyline_count;
};

/* Notes what is taken; beyond the limits it is forgotten (a label might then cross it). */
void place_take(struct place *place, const struct scene_box *box);
void place_take_line(struct place *place, const struct scene_point *points, uint32_t count);

/* True when the box is inside the area, off every label and line, and above the data or, with
   `over_data`, wholly on them: half on the data no label can be read. */
bool place_is_free(const struct place *place, const struct scene_box *box, bool over_data);

/* Moves the box by at most `reach` px up or down, the nearest way first, until it is free. False
   when it never is. */
bool place_slide(const struct place *place, struct scene_box *box, double reach, bool over_data);

#endif
