/* chart_load.c: "load over time": what arrives at a service, who retries, and what is lost, one
   panel per variant. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <retrystorm/chart.h>
#include <retrystorm/error.h>
#include <retrystorm/results.h>

#include "base/arena.h"
#include "base/doubles.h"
#include "plots/charts.h"
#include "plots/curves.h"
#include "plots/finding.h"
#include "plots/layout.h"
#include "plots/load.h"
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/ticks.h"
#include "plots/type.h"
#include "plots/words.h"

enum { CURVE_BYTES_MAX = 256 << 20, BINS_MAX = 100000 };

/* The scale lets go of peaks in this share of all bins, but only where they tower over
   everything else by the factor. */
#define CUT_SHARE 0.015
#define CUT_FACTOR 4.0
/* Capacity further above the load than this would only flatten it; the subtitle names it anyway. */
#define CAPACITY_FACTOR 3.0

static bool check(const struct storm_results *results, struct storm_error *error) {
    assert(results != NULL && error != NULL);
    if (results->variant_count == 0)
        return storm_fail(error, STORM_INVALID,
                          "the results hold no variant, so there is nothing to draw");
    if (results->variant_count > LAYOUT_PANELS_MAX)
        return storm_fail(
            error, STORM_INVALID,
            "a chart shows at most %d variants, one panel each; these results have %u",
            LAYOUT_PANELS_MAX, results->variant_count);
    if (results->bin_count == 0 || results->bin_width <= 0 || results->duration <= 0)
        return storm_fail(error, STORM_INVALID,
                          "the results hold no time, so there is nothing to draw");
    if (results->bin_count > BINS_MAX)
        return storm_fail(error, STORM_LIMIT,
                          "a chart shows at most %d bins; these results have %u", BINS_MAX,
                          results->bin_count);
    return true;
}

/* The load that all but the few highest bins of all panels keep below; negative when memory ran
   out. */
static double usual_load(struct load *load) {
    uint32_t bins = load->results->bin_count, panels = load->results->variant_count;
    double *sorted = arena_take_array(&load->arena, (size_t)bins * panels, sizeof *sorted);
    if (sorted == NULL)
        return -1;
    for (uint32_t i = 0; i < panels; i++)
        memcpy(sorted + (size_t)i * bins, load->curves[i].total, bins * sizeof *sorted);
    size_t count = (size_t)bins * panels;
    doubles_sort(sorted, count);
    size_t place = count - 1 - (size_t)((double)count * CUT_SHARE);
    assert(place < count);
    return sorted[place];
}

/* One scale for all panels, and a right one with as many intervals. */
static bool plan_scales(struct load *load) {
    uint32_t panels = load->results->variant_count;
    double most = 0, ghost = 0, capacity = 0, dead = 0;
    assert(panels > 0);
    for (uint32_t i = 0; i < panels; i++) {
        const struct curves *curves = &load->curves[i];
        most = fmax(most, curves->total[curves->peak_bin]);
        dead = fmax(dead, curves->dead_end);
        load->has_strip = load->has_strip || curves->born != NULL;
        for (uint32_t bin = 0; bin < load->results->bin_count; bin++) {
            load->has_retries = load->has_retries || curves->total[bin] > curves->first[bin];
            if (curves->ghost != NULL)
                ghost = fmax(ghost, curves->ghost[bin]);
        }
    }
    for (uint32_t i = 0; i < panels; i++)
        if (load->curves[i].nominal <= CAPACITY_FACTOR * fmax(most, ghost)) {
            capacity = fmax(capacity, load->curves[i].nominal);
            load->has_capacity = true;
        }
    double usual = usual_load(load);
    if (usual < 0)
        return false;
    double rest = fmax(usual, fmax(ghost, 1.2 * capacity));
    load->is_cut = rest > 0 && most > CUT_FACTOR * rest;
    load->left = ticks_values(load->is_cut ? 1.2 * rest : fmax(most, fmax(ghost, 1.1 * capacity)));
    load->has_right = dead > 0;
    load->right = ticks_counts(dead, load->left.intervals);
    return true;
}

/* How much room the widest tick label needs beside a plot, the same at both sides. */
static double axis_room(const struct load *load) {
    double widest = 0;
    char label[WORDS_MAX];
    assert(load->left.intervals > 0);
    for (int i = 0; i <= load->left.intervals; i++) {
        ticks_label(&load->left, i, label, sizeof label);
        double unit = i == load->left.intervals ? type_width(FONT_TICK, "/s") : 0;
        widest = fmax(widest, type_width(FONT_TICK, label) + unit);
        ticks_label(&load->right, i, label, sizeof label);
        widest = fmax(widest, type_width(FONT_TICK, label));
    }
    for (uint32_t i = 0; i < load->lane_count; i++) {
        const struct ticks *ticks = &load->lanes[i].ticks;
        ticks_label(ticks, ticks->intervals, label, sizeof label);
        double unit = load->lanes[i].kind->is_rate ? type_width(FONT_TICK, "/s") : 0;
        widest = fmax(widest, type_width(FONT_TICK, label) + unit);
    }
    return fmax(widest + 11 + 24, LAYOUT_AXIS_ROOM);
}

static bool read_curves(struct load *load) {
    assert(load->results->variant_count <= LAYOUT_PANELS_MAX);
    for (uint32_t i = 0; i < load->results->variant_count; i++)
        if (!curves_read(load->results, &load->results->variants[i], load->service, &load->arena,
                         &load->curves[i]))
            return false;
    return lanes_read(load->results, load->service, &load->arena, load->lanes, &load->lane_count) &&
           plan_scales(load);
}

static void draw_page(struct load *load) {
    char title[4 * TYPE_TEXT_MAX], subtitle[2 * TYPE_TEXT_MAX];
    finding_title(load->results, title, sizeof title);
    title[TYPE_TEXT_MAX - 1] = '\0'; /* two lines hold less than that */
    double axis = axis_room(load);
    load->layout = layout_plan(load->results->variant_count, load->lane_count, 0, axis, axis);
    double width = load->layout.page_width;
    load_subtitle(load, title, width, subtitle, TYPE_TEXT_MAX);
    double header = page_header_height(title, subtitle, width);
    load->layout = layout_plan(load->results->variant_count, load->lane_count, header, axis, axis);
    load->tick_step = ticks_time(load->results->duration, load->layout.columns > 2 ? 5 : 7);
    page_begin(load->scene, width, load->layout.page_height);
    load_describe(load, title, subtitle);
    page_draw_header(load->scene, title, subtitle);
    load_draw_legend(load, PAGE_LEGEND_Y + header);
    for (uint32_t i = 0; i < load->results->variant_count; i++) {
        struct load_panel panel = {.load = load,
                                   .index = i,
                                   .variant = &load->results->variants[i],
                                   .curves = &load->curves[i],
                                   .plot = layout_plot(&load->layout, i)};
        load_draw_panel(&panel);
        load_draw_notes(&panel);
    }
    load_draw_footer(load);
}

bool chart_load(const struct storm_results *results, const struct storm_chart_options *options,
                struct scene *scene, struct storm_error *error) {
    assert(results != NULL && options != NULL);
    assert(scene != NULL && scene->count == 0);
    struct load load = {.results = results, .scene = scene};
    if (!check(results, error))
        return false;
    load.service = curves_service(results, options->service, error);
    if (load.service == NULL)
        return false;
    arena_init(&load.arena, CURVE_BYTES_MAX);
    bool is_read = read_curves(&load);
    if (is_read)
        draw_page(&load);
    arena_free(&load.arena);
    if (!is_read || scene->is_full)
        return storm_fail(error, STORM_LIMIT, "the chart does not fit into %d MB",
                          CURVE_BYTES_MAX >> 20);
    return true;
}
