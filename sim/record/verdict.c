/* verdict.c: did the system come back by itself?

   The run is cut into the bins of the track. window(i) begins at bin i and is as short as it can be
   with at least 10 s and 100 births that can be judged; the last windows, which cannot be
   completed, are not judged.
   1. A window belongs to the baseline when it ends before the trigger begins.
   2. Unharmed: every window from the trigger's first bin on is in band.
   3. Recovered: from some window after the trigger's end on, every window is in band. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/verdict.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "record/recording.h"

#define WINDOW_TIME (10 * STORM_SECOND)
#define TAIL_TIME (30 * STORM_SECOND)
static const double window_births = 100;
static const double band_points = 0.01;
static const double band_errors = 4;

struct window {
    uint32_t from, to; /* bins [from, to) */
    double births, good;
};

struct baseline {
    double births, share;
    double scatter; /* variance of failures per window against independent ones, at least 1 */
    double level[STORM_SERVICES_MAX]; /* largest mean backlog of a window */
};

/* True when [from, to) holds 10 s and 100 births. */
static bool is_complete(const struct verdict_track *track, uint32_t from, uint32_t to) {
    return (to - from) * track->width >= WINDOW_TIME &&
           track->births_before[to] - track->births_before[from] >= window_births;
}

/* The shortest complete window that begins at bin `from`, by bisection; false when the run ends
   before it is complete. */
static bool open_window(const struct recorder *r, uint32_t from, struct window *window) {
    const struct verdict_track *track = &r->track;
    uint32_t low = from, high = (uint32_t)(r->duration / track->width);
    high = high < track->count ? high : track->count;
    if (from > high || !is_complete(track, from, high)) {
        return false;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (is_complete(track, from, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    *window = (struct window){.from = from,
                              .to = high,
                              .births = track->births_before[high] - track->births_before[from],
                              .good = track->good_before[high] - track->good_before[from]};
    return true;
}

/* Bins whose births can all be judged: those that end in_time before the run's end; all of a run
   until idle. */
static uint32_t judged_bins(const struct recorder *r) {
    storm_time in_time = 0;
    for (uint32_t i = 0; i < r->scenario->population_count; i++) {
        storm_time own = r->scenario->populations[i].in_time;
        in_time = own < STORM_NEVER && own > in_time ? own : in_time;
    }
    storm_time left = r->duration - in_time;
    if (r->known_until == STORM_NEVER) {
        return r->track.count;
    }
    return left > 0 ? (uint32_t)(left / r->track.width) : 0;
}

static double mean_level(const struct recorder *r, uint32_t service, const struct window *window) {
    const double *before = r->services[service].level_before;
    assert(window->to > window->from);
    return (before[window->to] - before[window->from]) / (window->to - window->from);
}

static void note_levels(const struct recorder *r, const struct window *window,
                        struct baseline *baseline) {
    for (uint32_t i = 0; i < r->scenario->service_count; i++) {
        double level = mean_level(r, i, window);
        baseline->level[i] = level > baseline->level[i] ? level : baseline->level[i];
    }
}

/* How much more the failures of a window vary than if each request failed on its own: a queue
   fails them in bunches. */
static double measure_scatter(const struct recorder *r, uint32_t before, double births,
                              double fails) {
    double squares = 0;
    uint32_t count = 0;
    struct window window;
    for (uint32_t bin = 0; open_window(r, bin, &window) && window.to <= before; bin++) {
        double off = window.births - window.good - window.births * fails;
        double part = 1 - window.births / births; /* it is part of what it is held against */
        if (fails > 0 && fails < 1 && part > 0) {
            squares += off * off / (window.births * fails * (1 - fails) * part);
            count++;
        }
    }
    return count > 0 && squares > count ? squares / count : 1;
}

/* What was normal before the trigger. */
static void take_baseline(const struct recorder *r, struct baseline *baseline) {
    uint32_t before = r->trigger_from > 0 ? (uint32_t)(r->trigger_from / r->track.width) : 0;
    double good = 0;
    struct window window;
    *baseline = (struct baseline){.share = 1, .scatter = 1};
    for (uint32_t bin = 0; bin < before && bin < r->track.count; bin++) {
        baseline->births += r->track.births[bin];
        good += r->track.good[bin];
        if (open_window(r, bin, &window) && window.to <= before) {
            note_levels(r, &window, baseline);
        }
    }
    if (baseline->births > 0) {
        baseline->share = good / baseline->births;
        baseline->scatter = measure_scatter(r, before, baseline->births, 1 - baseline->share);
    }
}

/* The shorter of `shortest` and the timeout of a call, if the call is to `service` (STORM_NONE: to
   any). */
static storm_time shorter_timeout(const struct storm_edge *edge, uint32_t service,
                                  storm_time shortest) {
    bool counts = edge->to == service || service == STORM_NONE;
    return counts && storm_edge_timeout(edge) < shortest ? storm_edge_timeout(edge) : shortest;
}

static storm_time shortest_timeout(const struct storm_scenario *scenario, uint32_t service) {
    storm_time shortest = STORM_NEVER;
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        shortest = shorter_timeout(&scenario->populations[i].call, service, shortest);
    }
    for (uint32_t i = 0; i < scenario->call_count; i++) {
        shortest = shorter_timeout(&scenario->calls[i], service, shortest);
    }
    return shortest;
}

/* How much backlog a service may hold and be healthy. Without a timeout or a finite capacity "half
   a timeout of work" is no number; its workers are then no backlog. */
static double allowed_level(const struct recorder *r, uint32_t service, double baseline) {
    const struct storm_service *plan = &r->scenario->services[service];
    storm_time timeout = shortest_timeout(r->scenario, service);
    double work = plan->workers;
    double capacity = storm_service_known_capacity(plan);
    if (timeout < STORM_NEVER && capacity > 0) { /* false for NaN */
        work = capacity * storm_time_to_seconds(timeout) / 2;
    }
    return 2 * baseline > work ? 2 * baseline : work;
}

/* By how much the share of a window may fall short of the baseline's. Both are samples, so the
   errors are those of their difference; few failures are skewed, for which Bernstein's inequality
   allows z^2 / 3 more; and one failure more than was seen keeps a baseline without any from
   promising that there are none. With four plain errors of the window alone, 9 of 100 healthy runs
   with 0.1 % of errors were called harmed. Less than half the usual share is never in band. */
static double allowed_shortfall(const struct baseline *baseline, double births) {
    assert(births > 0);
    if (baseline->births == 0) {
        return band_points; /* nothing came before: 100 % are assumed, not estimated */
    }
    double fails = ((1 - baseline->share) * baseline->births + 1) / (baseline->births + 1);
    double variance = births * fails * (1 - fails) * (1 + births / baseline->births);
    double requests = band_errors * sqrt(variance * baseline->scatter) +
                      band_errors * band_errors / 3 * baseline->scatter;
    double width = requests > band_points * births ? requests / births : band_points;
    return width < baseline->share / 2 ? width : baseline->share / 2;
}

static bool is_in_band(const struct recorder *r, const struct baseline *baseline,
                       const struct window *window) {
    double share = window->good / window->births;
    double width = allowed_shortfall(baseline, window->births);
    if (share < baseline->share - width) {
        return false;
    }
    for (uint32_t i = 0; i < r->scenario->service_count; i++) {
        if (mean_level(r, i, window) > allowed_level(r, i, baseline->level[i])) {
            return false;
        }
    }
    return true;
}

/* Success share of the births from `from` on; NaN when there are none. */
static double share_from(const struct recorder *r, uint32_t judged, storm_time from) {
    double births = 0, good = 0;
    assert(from >= 0);
    for (uint32_t bin = (uint32_t)(from / r->track.width); bin < judged; bin++) {
        births += r->track.births[bin];
        good += r->track.good[bin];
    }
    return births > 0 ? good / births : (double)NAN;
}

/* Success share of the last quarter of the run, but after the trigger. A herd without any other
   traffic has no births there: then of all since the trigger began. */
static double last_share(const struct recorder *r, uint32_t judged) {
    storm_time from = r->duration / 4 * 3;
    double share = share_from(r, judged, r->trigger_to > from ? r->trigger_to : from);
    return share == share ? share : share_from(r, judged, r->trigger_from);
}

/* Start of the last bin whose births fell short of the usual share by more than a point, or four
   standard errors of so few births. */
static double find_last_bad(const struct recorder *r, uint32_t judged, double usual) {
    for (uint32_t bin = judged; bin-- > 0;) {
        double births = r->track.births[bin];
        double chance = band_errors * sqrt(usual * (1 - usual) * births);
        double width = chance > band_points * births ? chance : band_points * births;
        if (r->track.good[bin] < usual * births - width) {
            return storm_time_to_seconds(bin * r->track.width);
        }
    }
    return (double)NAN;
}

static bool is_applicable(const struct recorder *r) {
    for (uint32_t i = 0; i < r->scenario->population_count; i++) {
        if (r->scenario->populations[i].in_time < STORM_NEVER) {
            return r->trigger_from >= 0;
        }
    }
    return false;
}

/* The run must leave 30 s after the trigger, and ten timeouts when those are longer, unless it has
   gone on until nothing more can happen. */
static bool is_too_short(const struct recorder *r) {
    if (r->known_until == STORM_NEVER) {
        return false;
    }
    storm_time timeout = shortest_timeout(r->scenario, STORM_NONE);
    storm_time tail = TAIL_TIME;
    if (timeout < STORM_NEVER) {
        timeout = timeout < STORM_NEVER / 10 ? 10 * timeout : STORM_NEVER;
        tail = timeout > tail ? timeout : tail;
    }
    return storm_time_add(r->trigger_to, tail) > r->duration;
}

struct verdict verdict_judge(const struct recorder *recorder) {
    const struct recorder *r = recorder;
    uint32_t judged = judged_bins(r);
    struct baseline baseline;
    struct window window;
    take_baseline(r, &baseline);
    struct verdict verdict = {STORM_VERDICT_NOT_APPLICABLE, (double)NAN,
                              find_last_bad(r, judged, baseline.share)};
    if (!is_applicable(r)) {
        return verdict;
    }
    uint32_t first = (uint32_t)(r->trigger_from / r->track.width);
    uint32_t after = (uint32_t)((r->trigger_to + r->track.width - 1) / r->track.width);
    bool unharmed = true;
    uint32_t back = after,
             seen = 0; /* bin from which every window is in band; windows after the trigger */
    for (uint32_t bin = first; open_window(r, bin, &window) && window.to <= judged; bin++) {
        bool healthy = is_in_band(r, &baseline, &window);
        unharmed = unharmed && healthy;
        seen += bin >= after;
        back = healthy || bin < after ? back : bin + 1;
    }
    if (is_too_short(r) || seen == 0) {
        verdict.word = STORM_VERDICT_TOO_SHORT;
        return verdict;
    }
    if (back < after + seen) {
        verdict.word = unharmed ? STORM_VERDICT_UNHARMED : STORM_VERDICT_RECOVERED;
        storm_time moment = back * r->track.width;
        verdict.time_to_recover =
            moment > r->trigger_to ? storm_time_to_seconds(moment - r->trigger_to) : 0;
    } else {
        bool most_fail = last_share(r, judged) < baseline.share / 2;
        verdict.word = most_fail ? STORM_VERDICT_STUCK : STORM_VERDICT_DEGRADED;
    }
    return verdict;
}
