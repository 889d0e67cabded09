/* load_marks.c: the marks that panels and lanes of "load over time" share: bands, steps, areas,
   lines. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include <retrystorm/results.h>

#include "plots/load.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/ticks.h"

void load_draw_bands(const struct load_panel *panel) {
    assert(panel->variant != NULL);
    for (uint32_t i = 0; i < panel->variant->span_count; i++) {
        const struct storm_span *span = &panel->variant->spans[i];
        if (!load_shows_span(panel->load, panel->variant, span))
            continue;
        double from = load_x(panel, span->from);
        double to = fmax(load_x(panel, span->to), from + 1); /* a short fault is seen, too */
        assert(to > from);
        scene_add(panel->load->scene,
                  &(struct scene_mark){.kind = SCENE_RECT,
                                       .part = "band",
                                       .role = ROLE_BAND,
                                       .x = from,
                                       .y = panel->plot.y0,
                                       .width = to - from,
                                       .height = panel->plot.y1 - panel->plot.y0});
    }
}

uint32_t load_steps(const struct load_panel *panel, const struct ticks *ticks, const double *values,
                    struct scene_point *points) {
    uint32_t count = panel->load->results->bin_count, used = 0;
    assert(values != NULL && points != NULL);
    for (uint32_t bin = 0; bin < count; bin++) {
        double y = load_value_y(panel, ticks, values[bin]);
        if (used > 0 && points[used - 1].y == y) {
            points[used - 1].x = load_bin_x(panel, bin + 1);
            continue;
        }
        points[used++] = (struct scene_point){load_bin_x(panel, bin), y};
        points[used++] = (struct scene_point){load_bin_x(panel, bin + 1), y};
    }
    assert(used <= 2 * count);
    return used;
}

void load_add_area(const struct load_panel *panel, const char *part, enum theme_role role,
                   const struct scene_point *points, uint32_t count) {
    assert(points != NULL);
    scene_add(panel->load->scene, &(struct scene_mark){.kind = SCENE_AREA,
                                                       .part = part,
                                                       .role = role,
                                                       .points = points,
                                                       .point_count = count});
}

/* The halo keeps the line clear of what it crosses. */
void load_add_line(struct load_panel *panel, const struct scene_mark *line, double halo) {
    assert(line->kind == SCENE_LINE);
    assert(halo > line->stroke);
    struct scene_mark under = *line;
    under.role = ROLE_BACKGROUND;
    under.part = "halo";
    under.stroke = halo;
    under.dash = 0;
    under.opacity = 0.75;
    scene_add(panel->load->scene, &under);
    scene_add(panel->load->scene, line);
    place_take_line(&panel->place, line->points, line->point_count);
}
