/* heat.h: the parts of the heat map that its files share. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_HEAT_H
#define PLOTS_HEAT_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "plots/layout.h"
#include "plots/scene.h"
#include "plots/swept.h"
#include "plots/theme.h"

/* The axes that are drawn: across, upright, and one panel per value. */
enum { HEAT_X, HEAT_Y, HEAT_PANEL, HEAT_AXES };

/* Shares at which a line is drawn: the cliff, and where it begins. */
#define HEAT_HALF 0.5
#define HEAT_NEARLY_ALL 0.99

enum heat_kind { HEAT_CELLS, HEAT_DOTS, HEAT_CURVE };

struct heat {
    const struct storm_sweep *sweep;
    struct scene *scene;
    struct arena arena; /* of the axes and lines */
    enum heat_kind kind;
    struct swept axes[HEAT_AXES];
    uint32_t axis_count; /* that are drawn */
    uint32_t more;       /* axes of scattered points that are not */
    struct layout layout;
    bool has_half, has_nearly_all; /* lines that differ */
    bool has_unjudged;
};

/* The step of the scale on which a share is: 0 only for none, the last only for all. */
int heat_step(double share);

/* What the kinds draw in one panel. False when memory ran out. */
bool heat_draw_cells(struct heat *heat, uint32_t panel);
void heat_draw_dots(struct heat *heat);
bool heat_draw_curve(struct heat *heat);

/* Sees which lines there are to draw. */
void heat_look_for_lines(struct heat *heat);

/* Fills a box with the pattern of what is not judged. */
void heat_hatch(struct scene *scene, const char *part, const struct scene_box *box);

/* What stands around the panels. */
void heat_draw_axes(struct heat *heat, uint32_t panel);
void heat_draw_legend(struct heat *heat, double y);
void heat_subtitle(const struct heat *heat, double page_width, char *buffer, size_t size);
void heat_describe(struct heat *heat, const char *title, const char *subtitle);

/* How much room the ticks of the upright axis need beside a plot. */
double heat_axis_room(const struct heat *heat);

#endif
