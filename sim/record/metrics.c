/* metrics.c: one small function per metric, and the table laid out for a scenario. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/metrics.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "base/hist.h"
#include "record/letter_record.h"
#include "record/recording.h"
#include "record/scope.h"
#include "record/verdict.h"

/* What a metric is computed from; `place` is that of its scope: a service, a queue, the population
   where a dead-letter queue begins, or a reason. */
struct view {
    const struct recorder *recorder;
    const struct verdict *verdict;
    const struct service_record *service; /* where the place is one */
    const struct hist *latency;           /* of all populations */
    double seconds;                       /* length of the run */
    uint32_t place;
};

static double ratio(double part, double whole) { return whole > 0 ? part / whole : (double)NAN; }

/* The sum of one counter over all populations. */
#define SUM_POPULATIONS(view, field)                                                               \
    double sum = 0;                                                                                \
    for (uint32_t i = 0; i < (view)->recorder->scenario->population_count; i++) {                  \
        sum += (double)(view)->recorder->populations[i].field;                                     \
    }                                                                                              \
    return sum

static double total_born(const struct view *v) { SUM_POPULATIONS(v, born); }
static double total_succeeded(const struct view *v) { SUM_POPULATIONS(v, succeeded); }
static double total_in_time(const struct view *v) { SUM_POPULATIONS(v, in_time); }
static double total_dead(const struct view *v) { SUM_POPULATIONS(v, dead); }
static double total_tries(const struct view *v) { SUM_POPULATIONS(v, attempts); }
static double dead_for_reason(const struct view *v) {
    SUM_POPULATIONS(v, dead_by_reason[v->place]);
}

/* What users have asked for: neither copies, nor what clients' requests become in a queue. */
static double total_asked(const struct view *v) {
    double sum = 0;
    for (uint32_t i = 0; i < v->recorder->scenario->population_count; i++) {
        if (!storm_is_consumer(&v->recorder->scenario->populations[i])) {
            sum += (double)v->recorder->populations[i].born_as[STORM_BIRTH_FRESH];
        }
    }
    return sum;
}

static double total_in_flight(const struct view *v) {
    return total_born(v) - total_succeeded(v) - total_dead(v);
}

static double success_share(const struct view *v) {
    const struct verdict_track *track = &v->recorder->track;
    double births = 0, good = 0;
    for (uint32_t i = 0; i < track->count; i++) {
        births += track->births[i];
        good += track->good[i];
    }
    return ratio(good, births);
}

static double goodput(const struct view *v) { return ratio(total_in_time(v), v->seconds); }

static double attempts_per_request(const struct view *v) {
    return ratio(total_tries(v), total_succeeded(v) + total_dead(v));
}

static double attempts(const struct view *v) {
    return (double)(v->service->first + v->service->retries);
}
static double amplification(const struct view *v) { return ratio(attempts(v), total_asked(v)); }
static double retry_share(const struct view *v) {
    return ratio((double)v->service->retries, attempts(v));
}

static double peak_load(const struct view *v) {
    return (double)v->service->peak.highest / storm_time_to_seconds(RECORDER_PEAK_WINDOW);
}

static double peak_load_capacity(const struct view *v) {
    double capacity = storm_service_known_capacity(&v->recorder->scenario->services[v->place]);
    return capacity < HUGE_VAL ? peak_load(v) / capacity : (double)NAN;
}

static double synchronisation(const struct view *v) {
    const struct bunching *b = &v->service->bunching;
    double bins = (double)(b->bin - b->first_bin + 1);
    if (!b->begun || bins < 2) {
        return (double)NAN;
    }
    double mean = b->sum / bins;
    return ratio(b->sum_squares / bins - mean * mean, mean);
}

static double refused(const struct view *v) { return (double)v->service->refused; }
static double lost(const struct view *v) { return (double)v->service->lost; }
static double cancelled(const struct view *v) { return (double)v->service->cancelled; }
static double expired(const struct view *v) { return (double)v->service->expired; }
static double vanished(const struct view *v) { return (double)v->service->vanished; }
static double timeouts(const struct view *v) { return (double)v->service->gave_up; }
static double useful_work(const struct view *v) { return v->service->useful_time; }
static double ghost_work(const struct view *v) { return v->service->ghost_time; }
static double ghost_share(const struct view *v) {
    return ratio(v->service->ghost_time, v->service->ghost_time + v->service->useful_time);
}
static double queue_peak(const struct view *v) { return v->service->queue_peak; }
static double mean_level(const struct view *v) {
    return ratio(v->service->level_integral, v->seconds);
}
static double mean_queue(const struct view *v) {
    return ratio(v->service->queue_integral, v->seconds);
}
static double mean_busy(const struct view *v) {
    return ratio(v->service->busy_integral, v->seconds);
}
static double mean_backing_off(const struct view *v) {
    return ratio(v->service->backing_off_integral, v->seconds);
}
static double full_share(const struct view *v) {
    return ratio(v->service->full_integral, v->seconds);
}
static double wait_share(const struct view *v) {
    return ratio((double)v->service->waited, (double)v->service->started);
}
static double mean_wait(const struct view *v) {
    return ratio(v->service->wait_sum, (double)v->service->started);
}
static double unavailable_time(const struct view *v) { return v->service->away_integral; }
static double crashes(const struct view *v) { return v->service->crashes; }

static double knock_downs(const struct view *v) {
    double sum = 0;
    for (uint32_t i = 0; i < v->recorder->scenario->service_count; i++) {
        sum += v->recorder->services[i].knock_downs;
    }
    return sum;
}

static double last_bad(const struct view *v) { return v->verdict->last_bad; }
static double time_to_recover(const struct view *v) { return v->verdict->time_to_recover; }

static double completion_time(const struct view *v) {
    storm_time last = 0;
    for (uint32_t i = 0; i < v->recorder->scenario->population_count; i++) {
        const struct storm_population *plan = &v->recorder->scenario->populations[i];
        storm_time end = v->recorder->populations[i].last_end;
        if (!storm_is_consumer(plan) && !storm_births_end(plan)) {
            return (double)NAN; /* there is always one more */
        }
        last = end > last ? end : last;
    }
    return storm_time_to_seconds(last);
}

static double latency(const struct view *v, double q) {
    return v->latency->count > 0 ? storm_time_to_seconds(hist_quantile(v->latency, q))
                                 : (double)NAN;
}
static double latency_p50(const struct view *v) { return latency(v, .5); }
static double latency_p90(const struct view *v) { return latency(v, .9); }
static double latency_p99(const struct view *v) { return latency(v, .99); }
static double latency_p999(const struct view *v) { return latency(v, .999); }

/* ---- brakes, bans and effects ---------------------------------------------------------------- */

static double retries_refused(const struct view *v) { return (double)v->service->retries_refused; }
static double held_back(const struct view *v) { return (double)v->service->held_back; }
static double breaker_opened(const struct view *v) { return (double)v->service->breaker_opened; }
static double bans(const struct view *v) { return (double)v->service->bans; }

static double effects_of(const struct view *v, enum storm_effect kind) {
    return (double)v->service->effects[kind];
}
static double duplicates(const struct view *v) {
    double sum = 0;
    for (uint32_t i = STORM_EFFECT_FIRST + 1; i < RECORDER_EFFECTS; i++) {
        sum += effects_of(v, (enum storm_effect)i);
    }
    return sum;
}
static double effects(const struct view *v) {
    return effects_of(v, STORM_EFFECT_FIRST) + duplicates(v);
}
static double slipped(const struct view *v) { return effects_of(v, STORM_EFFECT_SLIPPED); }
static double purged(const struct view *v) { return effects_of(v, STORM_EFFECT_PURGED); }
static double unkeyed(const struct view *v) { return effects_of(v, STORM_EFFECT_UNKEYED); }
static double suppressed(const struct view *v) {
    return (double)(v->service->suppressed - v->service->wrongly_merged);
}
static double wrongly_merged(const struct view *v) { return (double)v->service->wrongly_merged; }

/* ---- queues, dead letters and copies --------------------------------------------------------- */

static const struct queue_record *queue_of(const struct view *v) {
    return &v->recorder->queues[v->place];
}
static double deliveries(const struct view *v) { return (double)queue_of(v)->deliveries; }
static double redeliveries(const struct view *v) { return (double)queue_of(v)->redeliveries; }
static double queue_depth_peak(const struct view *v) { return queue_of(v)->waiting_peak; }
static double messages_lost(const struct view *v) {
    uint32_t consumers = v->recorder->scenario->queues[v->place].consumers;
    return (double)v->recorder->populations[consumers].dead_by_reason[STORM_REASON_LOST];
}

static double letters_kept(const struct view *v) { return v->recorder->letters[v->place].kept; }
static double letters_run_out(const struct view *v) {
    return (double)v->recorder->letters[v->place].run_out;
}
static double alarms(const struct view *v) {
    return letter_record_alarms(v->recorder, &v->recorder->letters[v->place]);
}
static double alarm_delay(const struct view *v) {
    return letter_record_delay(v->recorder, &v->recorder->letters[v->place]);
}

static double replayed(const struct view *v) { SUM_POPULATIONS(v, born_as[STORM_BIRTH_REPLAY]); }
static double replay_succeeded(const struct view *v) {
    SUM_POPULATIONS(v, succeeded_as[STORM_BIRTH_REPLAY]);
}
static double replay_dead(const struct view *v) { SUM_POPULATIONS(v, dead_as[STORM_BIRTH_REPLAY]); }
static double resent(const struct view *v) { SUM_POPULATIONS(v, born_as[STORM_BIRTH_RESEND]); }
static double rerun(const struct view *v) { SUM_POPULATIONS(v, born_as[STORM_BIRTH_RERUN]); }

/* ---- the table ------------------------------------------------------------------------------- */

struct row {
    const char *name;
    enum scope scope;
    const char *unit;
    enum storm_better better;
    bool bimodal;
    double (*measure)(const struct view *view);
    const char *help;
};

static const struct row rows[] = {
#define METRIC(name, scope, unit, better, bimodal, function, help)                                 \
    {#name, SCOPE_##scope, unit, STORM_BETTER_##better, bimodal, function, help},
#include "record/metrics.def"
#undef METRIC
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

uint32_t metrics_count(const struct storm_scenario *scenario) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        count += scope_count(scenario, rows[i].scope);
    }
    return count;
}

/* "name", or "name.place". */
static const char *full_name(const struct storm_scenario *scenario, struct arena *arena,
                             const struct row *row, uint32_t place) {
    char text[256];
    const char *behind = scope_name(scenario, row->scope, place);
    const char *dot = *behind != '\0' ? "." : "";
    int length = snprintf(text, sizeof text, "%s%s%s", row->name, dot, behind);
    assert(length > 0 && (size_t)length < sizeof text); /* the reader bounds names */
    return arena_copy_string(arena, text, (size_t)length);
}

struct storm_metric *metrics_list(const struct storm_scenario *scenario, struct arena *arena) {
    struct storm_metric *list = arena_take_array(arena, metrics_count(scenario), sizeof *list);
    uint32_t next = 0;
    for (uint32_t i = 0; list != NULL && i < ROW_COUNT; i++) {
        for (uint32_t place = 0; place < scope_room(scenario, rows[i].scope); place++) {
            if (!scope_has(scenario, rows[i].scope, place)) {
                continue;
            }
            struct storm_metric *metric = &list[next++];
            metric->name = full_name(scenario, arena, &rows[i], place);
            metric->unit = rows[i].unit;
            metric->help = rows[i].help;
            metric->better = rows[i].better;
            metric->bimodal = rows[i].bimodal;
            if (metric->name == NULL) {
                return NULL;
            }
        }
    }
    return list;
}

void metrics_measure(const struct recorder *recorder, const struct verdict *verdict,
                     double *values) {
    const struct storm_scenario *scenario = recorder->scenario;
    struct hist latency_of_all = {0};
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        hist_merge(&latency_of_all, recorder->populations[i].latency);
    }
    struct view view = {.recorder = recorder,
                        .verdict = verdict,
                        .latency = &latency_of_all,
                        .seconds = storm_time_to_seconds(recorder->end)};
    uint32_t next = 0;
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        for (view.place = 0; view.place < scope_room(scenario, rows[i].scope); view.place++) {
            bool is_service = view.place < scenario->service_count;
            view.service = is_service ? &recorder->services[view.place] : NULL;
            if (scope_has(scenario, rows[i].scope, view.place)) {
                values[next++] = rows[i].measure(&view);
            }
        }
    }
    assert(next == metrics_count(scenario));
}
