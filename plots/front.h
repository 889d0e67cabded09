/* front.h: the parts of the front chart that its files share. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_FRONT_H
#define PLOTS_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/sweep.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "plots/layout.h"
#include "plots/scene.h"
#include "plots/swept.h"
#include "plots/ticks.h"

enum { FRONT_AXES_MAX = 4 };

#define FRONT_NEVER_WIDTH 92.0 /* of the place of the points that do not recover, at the right */

/* A point that can be drawn: both of its numbers are known; it may never recover. */
struct front_dot {
    const struct storm_sweep_point *point;
    double x, y, radius;
    bool is_beyond; /* the scale, in some direction */
};

struct front {
    const struct storm_sweep *sweep;
    struct scene *scene;
    struct arena arena;
    struct layout layout;
    struct scene_box plot; /* of the points that recover: from time 0 to the longest */
    struct swept axes[FRONT_AXES_MAX];
    uint32_t axis_count;            /* that tell the points apart */
    struct front_dot *dots;         /* those of the front first, by their time to recover */
    uint32_t count, fronts;         /* dots, and those of the front */
    uint32_t nevers;                /* dots that do not recover */
    uint32_t unknown, more;         /* points without a number; axes not named */
    double longest;                 /* s, at the plot's right end */
    storm_time step;                /* of the ticks of time */
    struct ticks peaks;             /* the upright axis, x capacity */
    double most_letters;            /* of a front's dot */
    const struct scene_point *line; /* that joins the front's dots; NULL: none */
    uint32_t line_count;
};

/* Reads the points that can be drawn. False when memory ran out. */
bool front_read_dots(struct front *front);

/* Finds the scales (false when memory ran out), and within the layout where the dots stand. */
bool front_plan_scales(struct front *front);
void front_place_dots(struct front *front);

/* The radius of a front's dot. */
double front_radius(const struct front *front, double letters);

/* What the front shows, as a sentence. */
void front_finding(const struct front *front, char *buffer, size_t size);

/* The legend, and what the chart says to those who cannot see. */
void front_draw_legend(struct front *front, double y);
void front_describe(struct front *front, const char *title, const char *subtitle);

/* The words at a front's dots: the values that make them. False when memory ran out. */
bool front_draw_labels(struct front *front);

#endif
