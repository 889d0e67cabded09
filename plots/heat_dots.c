/* heat_dots.c: the heat map of scattered points: a dot each. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include <retrystorm/sweep.h>

#include "plots/heat.h"
#include "plots/layout.h"
#include "plots/scene.h"
#include "plots/sweep_finding.h"
#include "plots/swept.h"
#include "plots/theme.h"

#define RIM 0.75

static double radius_of(uint32_t points) { return points <= 150 ? 7 : points <= 600 ? 5 : 3.5; }

static void add_dot(struct scene *scene, const char *part, enum theme_role role, double x, double y,
                    double radius) {
    assert(radius > 0);
    scene_add(
        scene,
        &(struct scene_mark){
            .kind = SCENE_CIRCLE, .part = part, .role = role, .x = x, .y = y, .radius = radius});
}

void heat_draw_dots(struct heat *heat) {
    struct scene_box plot = layout_plot(&heat->layout, 0);
    const struct storm_sweep *sweep = heat->sweep;
    double radius = radius_of(sweep->point_count);
    assert(heat->kind == HEAT_DOTS);
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        const struct storm_sweep_point *point = &sweep->points[i];
        double share = storm_sweep_share(point);
        double x = plot.x0 + swept_place(&heat->axes[HEAT_X], point) * (plot.x1 - plot.x0);
        double y = plot.y1 - swept_place(&heat->axes[HEAT_Y], point) * (plot.y1 - plot.y0);
        add_dot(heat->scene, "rim", ROLE_AXIS, x, y, radius + RIM);
        add_dot(heat->scene, isnan(share) ? "unjudged" : "dot",
                isnan(share) ? ROLE_BACKGROUND : (enum theme_role)(ROLE_HEAT_0 + heat_step(share)),
                x, y, radius);
    }
}
