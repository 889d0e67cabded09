/* points.c: the points at which a scenario is run: all combinations, or some drawn. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/points.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_qrng.h>

#include "base/arena.h"
#include "base/stream.h"

static const char *const words[] = {
    [POINTS_GRID] = "grid", [POINTS_RANDOM] = "random", [POINTS_SOBOL] = "sobol"};

const char *points_word(enum points_method method) { return words[method]; }

static bool fail(struct storm_error *error, const char *path, const char *what, const char *hint) {
    storm_fail(error, STORM_USAGE, "--vary %.100s: %s", path, what);
    snprintf(error->suggestion, sizeof error->suggestion, "%s", hint);
    return false;
}

/* Whether every axis has what the method needs, and no path is there twice. */
static bool check_axes(enum points_method method, const struct axis *axes, uint32_t axis_count,
                       struct storm_error *error) {
    for (uint32_t a = 0; a < axis_count; a++) {
        for (uint32_t b = 0; b < a; b++) {
            if (strcmp(axes[a].path, axes[b].path) == 0) {
                return fail(error, axes[a].path, "this path is varied twice",
                            "give all its values in one --vary");
            }
        }
        if (!axes[a].is_range && axes[a].count == 0) {
            return fail(error, axes[a].path, "there are no values",
                        "write PATH=1s..60s/log/10, or PATH=5,10,20");
        }
        if (method == POINTS_GRID && axes[a].count == 0) {
            return fail(error, axes[a].path, "a grid needs steps",
                        "write how many, as in 1s..60s/log/10, or choose --points sobol");
        }
        if (method != POINTS_GRID && axes[a].is_range && axes[a].count > 0) {
            return fail(error, axes[a].path, "drawn points may be anywhere in a range",
                        "leave out the number of steps, or choose --points grid");
        }
    }
    return true;
}

/* The number of combinations; POINTS_MAX + 1: too many. */
static uint32_t count_grid(const struct axis *axes, uint32_t axis_count) {
    uint64_t count = 1;
    for (uint32_t a = 0; a < axis_count && count <= POINTS_MAX; a++) {
        count *= axes[a].count;
    }
    return count <= POINTS_MAX ? (uint32_t)count : POINTS_MAX + 1;
}

static void fill_grid(const struct points *points, struct axis_value *values) {
    for (uint32_t p = 0; p < points->count; p++) {
        uint32_t rest = p;
        for (uint32_t a = points->axis_count; a-- > 0;) {
            const struct axis *axis = &points->axes[a];
            values[(size_t)p * points->axis_count + a] = axis->values[rest % axis->count];
            rest /= axis->count;
        }
    }
}

/* What an axis gives for a number in [0, 1). */
static struct axis_value value_at(const struct axis *axis, double u, struct arena *arena) {
    assert(u >= 0 && u < 1);
    return axis->is_range ? axis_at(axis, u, arena) : axis->values[(uint32_t)(u * axis->count)];
}

/* Draws all points; `sequence`: those of Sobol, else random. False without memory. */
static bool fill_drawn(const struct points *points, gsl_qrng *sequence, uint64_t seed,
                       struct axis_value *values, struct arena *arena) {
    double u[POINTS_AXES_MAX];
    for (uint32_t p = 0; p < points->count; p++) {
        uint64_t key = stream_child(stream_mix64(seed), 0, p);
        if (sequence != NULL) {
            gsl_qrng_get(sequence, u);
        }
        for (uint32_t a = 0; a < points->axis_count; a++) {
            u[a] = sequence != NULL ? u[a] : stream_uniform(key, STREAM_POINT, a);
            struct axis_value value = value_at(&points->axes[a], u[a], arena);
            if (value.text == NULL) {
                return false;
            }
            values[(size_t)p * points->axis_count + a] = value;
        }
    }
    return true;
}

static bool fill_sobol(const struct points *points, struct axis_value *values,
                       struct arena *arena) {
    gsl_qrng *sequence = gsl_qrng_alloc(gsl_qrng_sobol, points->axis_count);
    bool filled = sequence != NULL && fill_drawn(points, sequence, 0, values, arena);
    gsl_qrng_free(sequence);
    return filled;
}

static bool fill(const struct points *points, uint64_t seed, struct axis_value *values,
                 struct arena *arena) {
    switch (points->method) {
    case POINTS_GRID:
        fill_grid(points, values);
        return true;
    case POINTS_RANDOM:
        return fill_drawn(points, NULL, seed, values, arena);
    case POINTS_SOBOL:
        return fill_sobol(points, values, arena);
    }
    assert(0 && "no such method");
    return false;
}

bool points_make(enum points_method method, const struct axis *axes, uint32_t axis_count,
                 uint32_t count, uint64_t seed, struct arena *arena, struct points *points,
                 struct storm_error *error) {
    assert(axis_count > 0 && axis_count <= POINTS_AXES_MAX);
    if (!check_axes(method, axes, axis_count, error)) {
        return false;
    }
    *points = (struct points){.method = method, .axis_count = axis_count, .axes = axes};
    points->count = method == POINTS_GRID ? count_grid(axes, axis_count) : count;
    assert(points->count > 0);
    if (points->count > POINTS_MAX) {
        return storm_fail(error, STORM_USAGE, "there are more than %d points", POINTS_MAX);
    }
    struct axis_value *values =
        arena_take_array(arena, (size_t)points->count * axis_count, sizeof *values);
    points->values = values;
    return (values != NULL && fill(points, seed, values, arena)) ||
           storm_fail(error, STORM_LIMIT, "no memory for %" PRIu32 " points", points->count);
}
