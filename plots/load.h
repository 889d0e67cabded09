/* load.h: the parts of "load over time" that its files share: page, panel, notes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_LOAD_H
#define PLOTS_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "plots/curves.h"
#include "plots/finding.h"
#include "plots/lanes.h"
#include "plots/layout.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/ticks.h"

/* The chart being made: what all panels share. */
struct load {
    const struct storm_results *results;
    const char *service;
    struct arena arena; /* of the curves */
    struct scene *scene;
    struct layout layout;
    struct curves curves[LAYOUT_PANELS_MAX];
    struct lane lanes[LANES_MAX];
    uint32_t lane_count;
    struct ticks left, right;
    bool has_right;    /* something is lost in some variant */
    bool has_retries;  /* some attempt is a retry */
    bool has_strip;    /* some variant knows its failing share */
    bool has_capacity; /* and it fits the scale */
    bool is_cut;       /* a few peaks go beyond the scale */
    storm_time tick_step;
};

/* One panel while it is drawn. */
struct load_panel {
    struct load *load;
    uint32_t index;
    const struct storm_variant *variant;
    const struct curves *curves;
    struct scene_box plot;
    struct place place;
    bool has_ghost; /* the other outcome's line is drawn */
};

/* Where a time, a value of some axis, a load (per second) and a count of the right axis stand in a
   panel. What is beyond an axis is cut at its top. */
double load_x(const struct load_panel *panel, storm_time time);
double load_value_y(const struct load_panel *panel, const struct ticks *ticks, double value);
double load_y(const struct load_panel *panel, double rate);
double load_right_y(const struct load_panel *panel, double count);

/* The time at which a bin begins, of bin_count the end of the run; and where that is. */
storm_time load_bin_start(const struct load *load, uint32_t bin);
double load_bin_x(const struct load_panel *panel, uint32_t bin);

/* Is this fault drawn in the chart? Those of the drawn service are; those of others only where
   it has none. */
bool load_shows_span(const struct load *load, const struct storm_variant *variant,
                     const struct storm_span *span);

/* What a fault is, with the service where it is not the drawn one: "outage", "db: 3 × slower". The
   buffer must hold FINDING_TEXT_MAX bytes; returned. */
char *load_span_words(const struct load *load, const struct storm_span *span, char *buffer,
                      size_t size);

/* Do all variants have the capacity of the first? It is a mean over bins, so the last digits may
   differ. */
bool load_same_capacity(const struct load *load, uint32_t index);

/* When the last fault that is drawn ends; 0 without one, never beyond the run. */
storm_time load_trouble_end(const struct load *load, const struct storm_variant *variant);

/* Does the chart show that an operator did this? */
bool load_shows_action(const struct load *load, const struct storm_span *span);

/* Writes the steps of a curve, one value per bin, from left to right into room for two points a
   bin; returns how many points. Equal neighbours share a step. */
uint32_t load_steps(const struct load_panel *panel, const struct ticks *ticks, const double *values,
                    struct scene_point *points);

/* Adds a closed shape, or a line over a halo that labels keep off. */
void load_add_area(const struct load_panel *panel, const char *part, enum theme_role role,
                   const struct scene_point *points, uint32_t count);
void load_add_line(struct load_panel *panel, const struct scene_mark *line, double halo);

/* Draws the bands of the faults. */
void load_draw_bands(const struct load_panel *panel);

/* Draws the lanes below a panel, with all their words. */
void load_draw_lanes(const struct load_panel *panel);

/* What a lane comes to in a panel: "5,230 at most, none at the end, 2 alarms", as far as its kind
   says it; briefly without the end. LANE_WORDS_MAX bytes suffice; returned. */
char *load_lane_words(const struct load *load, uint32_t index, const struct lane *lane,
                      bool is_brief, char *buffer, size_t size);

/* "replay 50/s · workers". The buffer must hold FINDING_TEXT_MAX bytes; returned. */
char *load_action_words(const struct storm_span *span, char *buffer, size_t size);

/* Draws a line from `top` to the plot's foot for each thing that operators did; and their flags and
   words at the plot's top. */
void load_draw_actions(const struct load_panel *panel, double top);
void load_flag_actions(struct load_panel *panel);

/* Draws the marks of a panel and notes in its `place` what is taken. */
void load_draw_panel(struct load_panel *panel);

/* Writes the labels of a panel into the places left free. */
void load_draw_notes(struct load_panel *panel);

/* Draws what stands around the panels, and the words for those who cannot see. */
void load_draw_legend(struct load *load, double y);
void load_draw_footer(struct load *load);
void load_describe(struct load *load, const char *title, const char *subtitle);

/* The subtitle: what is measured, its unit, the set-up. */
void load_subtitle(const struct load *load, const char *title, double page_width, char *buffer,
                   size_t size);

#endif
