/* load_axes.c: what the files of the load chart share: places on its axes, and what is shown. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "plots/curves.h"
#include "plots/finding.h"
#include "plots/load.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/ticks.h"

double load_x(const struct load_panel *panel, storm_time time) {
    assert(panel->load->results->duration > 0);
    double share = (double)time / (double)panel->load->results->duration;
    assert(share >= 0);
    return panel->plot.x0 + (panel->plot.x1 - panel->plot.x0) * fmin(share, 1);
}

double load_value_y(const struct load_panel *panel, const struct ticks *ticks, double value) {
    assert(value >= 0);
    double share = fmin(value / ticks_top(ticks), 1);
    return panel->plot.y1 - (panel->plot.y1 - panel->plot.y0) * share;
}

double load_y(const struct load_panel *panel, double rate) {
    return load_value_y(panel, &panel->load->left, rate);
}

double load_right_y(const struct load_panel *panel, double count) {
    assert(panel->load->has_right);
    return load_value_y(panel, &panel->load->right, count);
}

storm_time load_bin_start(const struct load *load, uint32_t bin) {
    const struct storm_results *results = load->results;
    assert(bin <= results->bin_count);
    storm_time start = bin * results->bin_width;
    bool is_end = bin == results->bin_count || start > results->duration;
    return is_end ? results->duration : start;
}

double load_bin_x(const struct load_panel *panel, uint32_t bin) {
    assert(panel != NULL);
    return load_x(panel, load_bin_start(panel->load, bin));
}

bool load_shows_span(const struct load *load, const struct storm_variant *variant,
                     const struct storm_span *span) {
    assert(load != NULL && span != NULL);
    bool is_fault = span->kind == STORM_SPAN_FAULT;
    if (!is_fault || span->to <= span->from || span->from >= load->results->duration)
        return false;
    if (strcmp(span->subject, load->service) == 0)
        return true;
    for (uint32_t i = 0; i < variant->span_count; i++)
        if (variant->spans[i].kind == STORM_SPAN_FAULT &&
            strcmp(variant->spans[i].subject, load->service) == 0)
            return false;
    return true;
}

bool load_shows_action(const struct load *load, const struct storm_span *span) {
    assert(load != NULL && span != NULL);
    bool is_within = span->from >= 0 && span->from < load->results->duration;
    return span->kind == STORM_SPAN_ACTION && is_within;
}

char *load_span_words(const struct load *load, const struct storm_span *span, char *buffer,
                      size_t size) {
    assert(load != NULL && span != NULL);
    assert(buffer != NULL && size >= FINDING_TEXT_MAX);
    if (strcmp(span->subject, load->service) == 0)
        snprintf(buffer, size, "%.60s", span->label);
    else
        snprintf(buffer, size, "%.40s: %.48s", span->subject, span->label);
    return buffer;
}

storm_time load_trouble_end(const struct load *load, const struct storm_variant *variant) {
    assert(load != NULL && variant != NULL);
    storm_time end = 0;
    for (uint32_t i = 0; i < variant->span_count; i++)
        if (load_shows_span(load, variant, &variant->spans[i]) && variant->spans[i].to > end)
            end = variant->spans[i].to;
    return end < load->results->duration ? end : load->results->duration;
}

bool load_same_capacity(const struct load *load, uint32_t index) {
    assert(index < load->results->variant_count);
    double first = load->curves[0].nominal;
    return fabs(load->curves[index].nominal - first) <= 1e-6 * first;
}
