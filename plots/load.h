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

/* Where a time, a load (per second, cut at the scale's top) and a count of the right axis stand in
   a panel. */
double load_x(const struct load_panel *panel, storm_time time);
double load_y(const struct load_panel *panel, double rate);
double load_right_y(const struct load_panel *panel, double count);

/* The time at which a bin begins; of bin_count: the end of the run. */
storm_time load_bin_start(const struct load *load, uint32_t bin);

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

/* Draws the marks of a panel and notes in its `place` what is taken. */
void load_draw_panel(struct load_panel *panel);

/* Writes the labels of a panel into the places left free. */
void load_draw_notes(struct load_panel *panel);

/* Adds a text. */
void load_text(struct load *load, const char *part, enum theme_font font, enum theme_role role,
               enum scene_anchor anchor, double x, double y, const char *text);

/* Draws what stands around the panels: title, subtitle, legend, footer, and the words for those
   who cannot see. */
void load_draw_header(struct load *load, const char *title, const char *subtitle);
void load_draw_legend(struct load *load, double y);
void load_draw_footer(struct load *load);
void load_describe(struct load *load, const char *title, const char *subtitle);

/* How much higher than one line each the title and the subtitle are, on a page of this width. */
double load_header_height(const char *title, const char *subtitle, double page_width);

/* The subtitle: what is measured, its unit, the set-up. */
void load_subtitle(const struct load *load, const char *title, double page_width, char *buffer,
                   size_t size);

#endif
