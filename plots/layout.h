/* layout.h: where panels stand on a page. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_LAYOUT_H
#define PLOTS_LAYOUT_H

#include <stdint.h>

#include "plots/scene.h"

enum { LAYOUT_PANELS_MAX = 9 };

/* Distances that every panel keeps, in px. */
#define LAYOUT_MARGIN 32.0    /* of the page, left and right */
#define LAYOUT_AXIS_ROOM 74.0 /* that an axis usually has beside a plot */
#define LAYOUT_STRIP_DROP 7.0 /* from a plot down to its strip */
#define LAYOUT_STRIP_HEIGHT 9.0
#define LAYOUT_TICK_DROP 2.0 /* from the strip down to the tick marks */
#define LAYOUT_TICK_LENGTH 4.0
#define LAYOUT_LABEL_DROP 20.0 /* from the strip down to the time labels */
#define LAYOUT_NAME_RISE 13.0  /* from a plot up to its name's baseline */
#define LAYOUT_PILL_HEIGHT 21.0
#define LAYOUT_LANE_GAP 33.0 /* above a lane, for its words */

struct layout {
    uint32_t panels, columns, rows, lanes;
    double page_width, page_height;
    double left, top; /* of the first plot */
    double plot_width, plot_height, lane_height;
    double column_step, row_step; /* from plot to plot */
};

/* A page for 1..9 panels, each with so many lanes below it, whose header is `header` px higher than
   one line of title and subtitle, with `left` and `right` px beside the plots. */
struct layout layout_plan(uint32_t panels, uint32_t lanes, double header, double left,
                          double right);

/* The plot of a panel; rows are filled first. */
struct scene_box layout_plot(const struct layout *layout, uint32_t panel);

/* A lane below the plot of a panel, counted from the top. */
struct scene_box layout_lane(const struct layout *layout, uint32_t panel, uint32_t lane);

/* Where the time axis of a panel hangs: below its strip, or below its last lane. */
double layout_foot(const struct layout *layout, uint32_t panel);

/* True when no panel stands below (right of) this one: it carries the time labels (the right
   axis' labels). */
bool layout_is_bottom(const struct layout *layout, uint32_t panel);
bool layout_is_last_column(const struct layout *layout, uint32_t panel);

#endif
