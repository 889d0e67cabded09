/* layout.c: where panels stand on a page. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plots/layout.h"
#include "plots/scene.h"

/* Below the last plot: strip, labels, air, the footer's line and text. */
#define FOOT 122.0
#define FIRST_TOP 178.0
#define ROW_GAP 92.0

struct shape {
    uint32_t most; /* panels */
    uint32_t columns;
    double page_width, plot_height, lane_height, column_gap;
};

static const struct shape shapes[] = {{1, 1, 908, 380, 76, 46},
                                      {2, 2, 1200, 280, 68, 46},
                                      {4, 2, 1200, 214, 60, 46},
                                      {LAYOUT_PANELS_MAX, 3, 1360, 200, 54, 40}};

struct layout layout_plan(uint32_t panels, uint32_t lanes, double header, double left,
                          double right) {
    assert(panels >= 1 && panels <= LAYOUT_PANELS_MAX);
    assert(header >= 0 && left >= 0 && right >= 0);
    const struct shape *shape = shapes;
    while (shape->most < panels)
        shape++;
    struct layout layout = {.panels = panels, .columns = shape->columns, .lanes = lanes};
    layout.rows = (panels + shape->columns - 1) / shape->columns;
    layout.page_width = shape->page_width;
    layout.left = ceil(left);
    layout.top = FIRST_TOP + header;
    double gaps = shape->column_gap * (shape->columns - 1);
    layout.plot_width =
        floor((layout.page_width - layout.left - ceil(right) - gaps) / shape->columns);
    layout.plot_height = shape->plot_height;
    layout.column_step = layout.plot_width + shape->column_gap;
    layout.lane_height = shape->lane_height;
    double under = lanes * (LAYOUT_LANE_GAP + layout.lane_height);
    layout.row_step = layout.plot_height + under + ROW_GAP;
    layout.page_height = layout.top + layout.row_step * layout.rows - ROW_GAP + FOOT;
    return layout;
}

struct scene_box layout_plot(const struct layout *layout, uint32_t panel) {
    assert(layout != NULL);
    assert(panel < layout->panels);
    double x = layout->left + layout->column_step * (panel % layout->columns);
    double y = layout->top + layout->row_step * (panel / layout->columns);
    return (struct scene_box){x, y, x + layout->plot_width, y + layout->plot_height};
}

struct scene_box layout_lane(const struct layout *layout, uint32_t panel, uint32_t lane) {
    struct scene_box box = layout_plot(layout, panel);
    assert(lane < layout->lanes);
    box.y0 = box.y1 + LAYOUT_STRIP_DROP + LAYOUT_STRIP_HEIGHT + LAYOUT_LANE_GAP +
             lane * (LAYOUT_LANE_GAP + layout->lane_height);
    box.y1 = box.y0 + layout->lane_height;
    return box;
}

double layout_foot(const struct layout *layout, uint32_t panel) {
    assert(panel < layout->panels);
    return layout->lanes > 0
               ? layout_lane(layout, panel, layout->lanes - 1).y1
               : layout_plot(layout, panel).y1 + LAYOUT_STRIP_DROP + LAYOUT_STRIP_HEIGHT;
}

bool layout_is_bottom(const struct layout *layout, uint32_t panel) {
    assert(layout != NULL);
    assert(panel < layout->panels);
    return panel + layout->columns >= layout->panels;
}

bool layout_is_last_column(const struct layout *layout, uint32_t panel) {
    assert(layout != NULL);
    assert(panel < layout->panels);
    return panel % layout->columns == layout->columns - 1 || panel + 1 == layout->panels;
}
