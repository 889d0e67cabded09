/* sweep_page.h: what the charts of a sweep have in common: axes, the scenario's words, footer. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_SWEEP_PAGE_H
#define PLOTS_SWEEP_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <retrystorm/error.h>
#include <retrystorm/sweep.h>

#include "plots/scene.h"
#include "plots/swept.h"

/* False, with the reason, for a sweep of one point, in which nothing varies. */
bool sweep_has_points(const struct storm_sweep *sweep, struct storm_error *error);

/* Below a plot: tick marks, their labels, and the axis' name, where asked for. */
void sweep_draw_across(struct scene *scene, const struct swept *axis, const struct scene_box *plot,
                       bool has_labels, bool has_name);

/* Beside a plot: tick marks, and their labels, cut to `widest` px. */
void sweep_draw_upright(struct scene *scene, const struct swept *axis, const struct scene_box *plot,
                        bool has_labels, double widest);

/* An axis' name from (x, y) on: an arrow where it has a direction, the noun, the path. */
void sweep_name_axis(struct scene *scene, const struct swept *axis, const char *arrow, double x,
                     double y);

/* Writes a subtitle: the scenario's own words, then `plain`, on two lines if one does not hold
   them. */
void sweep_subtitle(const struct storm_sweep *sweep, const char *plain, double page_width,
                    char *buffer, size_t size);

/* The footer: file, what the command line changed, runs, seed, points. */
void sweep_draw_footer(struct scene *scene, const struct storm_sweep *sweep);

#endif
