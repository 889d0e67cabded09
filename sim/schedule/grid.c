/* grid.c: sums of independent delays of any law, on a grid of moments. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariant
   1. now[j] is the probability that the tries so far ended with one at j steps, all before the
      moment, which is NODES steps. A mass between two nodes is shared between both, which keeps its
      mean; what is shared to the last node is still before the moment. */

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/laws.h"

enum { NODES = 4096, DRAWS = 4096 };

struct grid {
    double step, each;
    double now[NODES + 1], next[NODES + 1];
    double delay[NODES + 1];       /* the law of one delay and one failure, at the nodes ... */
    double from_below[NODES + 1];  /* ... and what of it was shared upwards */
    uint32_t delay_from, delay_to; /* where it is not 0: [from, to) */
    double values[DRAWS + 2];      /* its values at rising draws: 0, the middles of DRAWS, 1 */
};

static double draw_at(uint32_t i) {
    return i == 0 ? 0 : i == DRAWS + 1 ? LAWS_ALMOST_ONE : (i - 0.5) / DRAWS;
}

/* Shares a mass at a place between two nodes; beyond the last node there is nothing to do. */
static void put(struct grid *grid, double place, double mass) {
    uint32_t j = (uint32_t)place;
    double above = mass * (place - j);
    assert(j < NODES);
    grid->delay[j] += mass - above;
    grid->delay[j + 1] += above;
    grid->from_below[j + 1] += above;
    grid->delay_from = j < grid->delay_from ? j : grid->delay_from;
    grid->delay_to = j + 2 > grid->delay_to ? j + 2 : grid->delay_to;
}

/* Spreads a mass evenly from one place to another, cell by cell. */
static void spread(struct grid *grid, double from, double to, double mass) {
    if (to - from < 1e-9) {
        if (from < NODES) {
            put(grid, from, mass);
        }
        return;
    }
    double density = mass / (to - from);
    while (from < to && from < NODES) {
        double end = floor(from) + 1 < to ? floor(from) + 1 : to;
        put(grid, (from + end) / 2, density * (end - from));
        from = end;
    }
}

static void load_delay(struct grid *grid, const struct storm_delay *delay, uint32_t n) {
    for (uint32_t i = 0; i < DRAWS + 2; i++) {
        grid->values[i] = windows_delay(delay, n, draw_at(i)) + grid->each;
    }
    memset(grid->delay, 0, sizeof grid->delay);
    memset(grid->from_below, 0, sizeof grid->from_below);
    grid->delay_from = NODES;
    grid->delay_to = 0;
    for (uint32_t i = 0; i <= DRAWS; i++) {
        double mass = i == 0 || i == DRAWS ? 0.5 / DRAWS : 1.0 / DRAWS;
        spread(grid, grid->values[i] / grid->step, grid->values[i + 1] / grid->step, mass);
    }
}

/* P(delay and failure >= time), by straight lines between the values. */
static double tail(const struct grid *grid, double time) {
    uint32_t low = 0, high = DRAWS + 1;
    if (time <= grid->values[0]) {
        return 1;
    }
    if (time > grid->values[high]) {
        return 0;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (grid->values[middle] < time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    assert(grid->values[low] < time && time <= grid->values[high]);
    double part = (time - grid->values[low]) / (grid->values[high] - grid->values[low]);
    double end = high == DRAWS + 1 ? 1 : draw_at(high);
    return 1 - (draw_at(low) + part * (end - draw_at(low)));
}

/* The probability that the next try is the first at the moment or later and before the limit. */
static double cross(const struct grid *grid, double limit) {
    double sum = 0;
    for (uint32_t j = 0; j <= NODES; j++) {
        if (grid->now[j] > 0) {
            double at = j * grid->step;
            sum += grid->now[j] * (tail(grid, NODES * grid->step - at) - tail(grid, limit - at));
        }
    }
    return sum;
}

/* Of what is shared to the last node, only what comes from below is still before the moment. */
static void convolve(struct grid *grid) {
    memset(grid->next, 0, sizeof grid->next);
    for (uint32_t j = 0; j < NODES; j++) {
        double mass = grid->now[j];
        uint32_t end = grid->delay_to < NODES - j ? grid->delay_to : NODES - j;
        for (uint32_t i = grid->delay_from; mass > 0 && i < end; i++) {
            grid->next[j + i] += mass * grid->delay[i];
        }
        grid->next[NODES] += mass * grid->from_below[NODES - j];
    }
    memcpy(grid->now, grid->next, sizeof grid->now);
}

bool grid_first(const struct schedule *schedule, const struct schedule_moment *moment,
                uint32_t from, double *first) {
    struct grid *grid = calloc(1, sizeof *grid);
    if (grid == NULL) {
        return false;
    }
    assert(moment->time > 0);
    grid->step = storm_time_to_seconds(moment->time) / NODES;
    grid->each = storm_time_to_seconds(moment->each);
    grid->now[0] = 1;
    for (uint32_t k = from; k < schedule->count; k++) {
        load_delay(grid, &schedule->policy->delay, k + 1);
        first[k] = cross(grid, storm_time_to_seconds(moment->limit));
        convolve(grid);
    }
    free(grid);
    return true;
}
