/* arrival.c: when the next request of a population is born. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/arrival.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "base/stream.h"
#include "base/ziggurat.h"
#include "model/world.h"

/* ---- places in a period ---------------------------------------------------------------------- */

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (a->offset != b->offset) {
        return a->offset < b->offset ? -1 : 1;
    }
    return a->member < b->member ? -1 : a->member > b->member;
}

/* The place of one member in the period. `member * span / count` is taken apart so that it
   cannot overflow. */
static storm_time draw_offset(const struct population *p, uint32_t member) {
    const struct storm_population *plan = p->plan;
    storm_time count = plan->count;
    switch (plan->spread) {
    case STORM_SPREAD_EVEN:
        return member * (plan->period / count) + member * (plan->period % count) / count;
    case STORM_SPREAD_NONE:
        return 0;
    case STORM_SPREAD_RANDOM:
    case STORM_SPREAD_WITHIN:
        break;
    }
    storm_time span = plan->spread == STORM_SPREAD_RANDOM ? plan->period : plan->spread_time;
    double u = stream_uniform(p->key, STREAM_OFFSET, member);
    return storm_time_from_seconds(u * storm_time_to_seconds(span));
}

bool arrival_is_herd(const struct population *population) {
    const struct storm_population *plan = population->plan;
    return plan->arrival == STORM_ARRIVAL_AT && plan->spread != STORM_SPREAD_WITHIN;
}

bool arrival_init(struct world *world, struct population *p) {
    uint32_t count = p->plan->count;
    bool is_placed = p->plan->arrival == STORM_ARRIVAL_EVERY ||
                     (p->plan->arrival == STORM_ARRIVAL_AT && !arrival_is_herd(p));
    if (!is_placed) {
        return true;
    }
    struct place *places = arena_take_array(world->arena, count, sizeof *places);
    if (places == NULL) {
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < count; i++) {
        places[i] = (struct place){draw_offset(p, i), i};
    }
    qsort(places, count, sizeof *places, compare_places);
    p->places = places;
    return true;
}

/* ---- a rate that changes --------------------------------------------------------------------- */

/* The time at which a rate that runs in a line from `rate` has brought `births`: the root of
   rate d + slope d^2 / 2 = births, in the form that loses no digits. */
static double line_time(double rate, double slope, double births) {
    double sum = rate + sqrt(fabs(rate * rate + 2 * slope * births));
    assert(births >= 0);
    return sum > 0 ? 2 * births / sum : 0;
}

/* The next birth of an inhomogeneous Poisson stream: when the rate has brought as much, from now
   on, as one exponential draw (Cinlar 1975). */
static storm_time next_by_rate(struct population *p, storm_time now) {
    const struct storm_rate_point *points = p->plan->points;
    uint32_t last = p->plan->point_count - 1;
    double left = ziggurat_exponential(p->key, STREAM_ARRIVAL, &p->draws);
    storm_time from = now;
    assert(p->plan->point_count > 0);
    if (from < points[0].at) {
        double before = points[0].rate * storm_time_to_seconds(points[0].at - from);
        if (left < before) {
            return storm_time_add(from, storm_time_from_seconds(left / points[0].rate));
        }
        left -= before;
        from = points[0].at;
    }
    while (p->segment < last && from >= points[p->segment + 1].at) {
        p->segment++;
    }
    for (; p->segment < last; p->segment++) {
        const struct storm_rate_point *a = &points[p->segment], *b = a + 1;
        double length = storm_time_to_seconds(b->at - a->at);
        double slope = (b->rate - a->rate) / length;
        double rest = storm_time_to_seconds(b->at - from);
        double rate = b->rate - slope * rest; /* now */
        double births = (rate + b->rate) / 2 * rest;
        if (left < births) {
            return storm_time_add(from, storm_time_from_seconds(line_time(rate, slope, left)));
        }
        left -= births;
        from = b->at;
    }
    double rate = points[last].rate;
    return rate > 0 ? storm_time_add(from, storm_time_from_seconds(left / rate)) : STORM_NEVER;
}

/* ---- all ------------------------------------------------------------------------------------- */

static storm_time next_at(const struct population *p) {
    if (arrival_is_herd(p)) {
        return p->turns == 0 ? p->plan->at : STORM_NEVER;
    }
    return p->turns < p->plan->count ? storm_time_add(p->plan->at, p->places[p->turns].offset)
                                     : STORM_NEVER;
}

storm_time arrival_next(struct population *p, storm_time now) {
    const struct storm_population *plan = p->plan;
    switch (plan->arrival) {
    case STORM_ARRIVAL_AT:
        return next_at(p);
    case STORM_ARRIVAL_EVERY: {
        storm_time start = (storm_time)(p->turns / plan->count) * plan->period;
        return storm_time_add(start, p->places[p->turns % plan->count].offset);
    }
    case STORM_ARRIVAL_POISSON: {
        double gap = ziggurat_exponential(p->key, STREAM_ARRIVAL, &p->draws) / plan->rate;
        return storm_time_add(now, storm_time_from_seconds(gap));
    }
    case STORM_ARRIVAL_EVEN:
        return storm_time_add(
            p->anchor, storm_time_from_seconds((double)(p->turns - p->anchor_turn) / plan->rate));
    case STORM_ARRIVAL_RATE:
        return next_by_rate(p, now);
    case STORM_ARRIVAL_CLOSED:
    case STORM_ARRIVAL_QUEUE:
        return STORM_NEVER;
    }
    assert(0 && "no such arrival");
    return STORM_NEVER;
}

storm_time arrival_rescale(struct population *p, storm_time now, double factor) {
    double left = storm_time_to_seconds(p->next - now) / factor;
    assert(factor > 0 && p->next >= now);
    storm_time next = storm_time_add(now, storm_time_from_seconds(left));
    p->anchor = next;
    p->anchor_turn = p->turns;
    return next;
}
