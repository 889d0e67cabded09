/* recorder.c: hears every fact of one run and keeps the counts, sums and curves that all results
   are made of. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/recorder.h"

#include <assert.h>
#include <math.h>

#include "base/arena.h"
#include "record/digest.h"
#include "record/letter_record.h"
#include "record/queue_record.h"
#include "record/recording.h"
#include "record/service_record.h"
#include "record/trigger.h"

enum { BINS_MOST = 400, TRACK_MOST = 20000 };

static storm_time nice_step(storm_time duration, uint32_t most) {
    static const storm_time seconds[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                         600, 900, 1800, 3600, 7200, 21600, 43200, 86400};
    assert(duration > 0 && most > 0);
    for (storm_time unit = 1; unit < STORM_SECOND; unit *= 10) {
        static const storm_time steps[] = {1, 2, 5};
        for (int i = 0; i < 3; i++) {
            if ((duration - 1) / (steps[i] * unit) < most) {
                return steps[i] * unit;
            }
        }
    }
    for (uint32_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        if ((duration - 1) / (seconds[i] * STORM_SECOND) < most) {
            return seconds[i] * STORM_SECOND;
        }
    }
    storm_time days = (duration - 1) / (86400 * STORM_SECOND) / most + 1;
    return days * 86400 * STORM_SECOND;
}

storm_time recorder_bin_width(storm_time duration) { return nice_step(duration, BINS_MOST); }

static uint32_t count_bins(storm_time duration, storm_time width) {
    return (uint32_t)((duration - 1) / width + 1);
}

static bool take_curves(struct arena *arena, uint32_t count, double **curves[],
                        uint32_t curve_count) {
    for (uint32_t i = 0; i < curve_count; i++) {
        *curves[i] = arena_take_array(arena, count, sizeof(double));
        if (*curves[i] == NULL) {
            return false;
        }
    }
    return true;
}

static bool init_services(struct recorder *r, struct arena *arena) {
    uint32_t count = r->scenario->service_count;
    r->services = arena_take_array(arena, count, sizeof *r->services);
    if (r->services == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct service_record *s = &r->services[i];
        double **curves[] = {&s->first_bins, &s->retry_bins,     &s->capacity_bins, &s->level_bins,
                             &s->ghost_bins, &s->held_back_bins, &s->duplicate_bins};
        double **tracks[] = {&s->level_before};
        if (!take_curves(arena, r->bin_count, curves, 7) ||
            !take_curves(arena, r->track.count + 1, tracks, 1)) {
            return false;
        }
    }
    return true;
}

static bool init_populations(struct recorder *r, struct arena *arena) {
    uint32_t count = r->scenario->population_count;
    r->populations = arena_take_array(arena, count, sizeof *r->populations);
    if (r->populations == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct population_record *p = &r->populations[i];
        double **curves[] = {&p->born_bins, &p->failed_bins, &p->goodput_bins, &p->dead_bins,
                             &p->ended_bins};
        p->latency = arena_take(arena, sizeof *p->latency);
        if (p->latency == NULL || !take_curves(arena, r->bin_count, curves, 5)) {
            return false;
        }
    }
    return true;
}

/* The next change of settings after `now`, and none is left out: those at 0 come after -1. */
static storm_time next_change(const struct storm_scenario *scenario, storm_time now) {
    storm_time next = STORM_NEVER;
    for (uint32_t i = 0; i < scenario->action_count; i++) {
        const struct storm_action *action = &scenario->actions[i];
        bool later = action->kind == STORM_ACTION_SET && action->at > now;
        next = later && action->at < next ? action->at : next;
    }
    return next;
}

struct recorder *recorder_new(struct arena *arena, const struct storm_scenario *scenario,
                              storm_time duration, storm_time bin_width) {
    struct recorder *r = arena_take(arena, sizeof *r);
    assert(duration > 0 && duration < STORM_NEVER && bin_width >= 0);
    assert(scenario->duration == duration || scenario->duration == STORM_NEVER);
    if (r == NULL) {
        return NULL;
    }
    r->arena = arena;
    r->scenario = r->in_force = scenario;
    r->change_at = next_change(scenario, -1);
    r->duration = duration;
    r->known_until = scenario->duration;
    r->bin_width = bin_width > 0 ? bin_width : recorder_bin_width(duration);
    r->bin_count = count_bins(duration, r->bin_width);
    storm_time coarse = nice_step(duration, TRACK_MOST);
    r->track.width = coarse > STORM_SECOND ? coarse : STORM_SECOND;
    r->track.count = count_bins(duration, r->track.width);
    double **tracks[] = {&r->track.births, &r->track.good, &r->track.births_before,
                         &r->track.good_before};
    trigger_window(scenario, duration, &r->trigger_from, &r->trigger_to);
    if (!take_curves(arena, r->track.count + 1, tracks, 4) || !init_services(r, arena) ||
        !init_populations(r, arena) || !queue_record_init(r, arena) ||
        !letter_record_init(r, arena)) {
        return NULL;
    }
    return r;
}

static uint32_t track_at(const struct recorder *r, storm_time time) {
    assert(time >= 0 && time <= r->duration);
    uint32_t bin = (uint32_t)(time / r->track.width);
    return bin < r->track.count ? bin : r->track.count - 1;
}

/* Operators change settings: what was holds up to that moment. Of changes at one moment the last
   has them all. */
static void change_settings(struct recorder *r) {
    storm_time now = r->change_at;
    for (uint32_t i = 0; i < r->scenario->service_count; i++) {
        service_record_integrate(r, i, now);
    }
    for (uint32_t i = 0; i < r->scenario->action_count; i++) {
        const struct storm_action *action = &r->scenario->actions[i];
        if (action->kind == STORM_ACTION_SET && action->at == now) {
            assert(action->after->service_count == r->scenario->service_count);
            r->in_force = action->after;
        }
    }
    r->change_at = next_change(r->scenario, now);
}

static bool is_judged(const struct recorder *r, const struct storm_population *plan,
                      storm_time birth) {
    return plan->in_time < STORM_NEVER && storm_time_add(birth, plan->in_time) < r->known_until;
}

/* Users asked but once: a copy of a request is none of the births that the curves and the verdict
   go by. */
static void hear_birth(struct recorder *r, const struct storm_fact *fact) {
    struct population_record *p = &r->populations[fact->place];
    assert(fact->level < RECORDER_BIRTHS);
    p->born++;
    p->born_as[fact->level]++;
    if (fact->level != STORM_BIRTH_FRESH) {
        bool fits = key_map_put(&r->copies, r->arena, fact->key, fact->level);
        r->out_of_memory = r->out_of_memory || !fits;
        if (fact->level == STORM_BIRTH_REPLAY) {
            letter_record_hear(r, fact);
        }
        return;
    }
    p->born_bins[recorder_bin_at(r, fact->time)] += 1;
    if (is_judged(r, &r->scenario->populations[fact->place], fact->time)) {
        r->track.births[track_at(r, fact->time)] += 1;
    }
}

/* What a request's end adds, whether it is a good one or not. Returns how it was born. */
static enum storm_birth hear_end(struct recorder *r, struct population_record *p,
                                 const struct storm_fact *fact, bool in_time) {
    uint32_t kind = STORM_BIRTH_FRESH;
    p->attempts += fact->attempts;
    p->last_end = fact->time;
    if (!key_map_take(&r->copies, fact->key, &kind)) {
        p->ended_bins[recorder_bin_at(r, fact->since)] += 1;
        p->failed_bins[recorder_bin_at(r, fact->since)] += !in_time;
    }
    assert(kind < RECORDER_BIRTHS);
    return (enum storm_birth)kind;
}

static void hear_success(struct recorder *r, const struct storm_fact *fact) {
    struct population_record *p = &r->populations[fact->place];
    const struct storm_population *plan = &r->scenario->populations[fact->place];
    storm_time latency = fact->time - fact->since;
    bool in_time = latency <= plan->in_time;
    p->succeeded++;
    hist_record(p->latency, latency);
    p->in_time += in_time;
    p->goodput_bins[recorder_bin_at(r, fact->time)] += in_time;
    enum storm_birth kind = hear_end(r, p, fact, in_time);
    p->succeeded_as[kind]++;
    if (kind == STORM_BIRTH_FRESH && in_time && is_judged(r, plan, fact->since)) {
        r->track.good[track_at(r, fact->since)] += 1;
    }
}

static void hear_death(struct recorder *r, const struct storm_fact *fact) {
    struct population_record *p = &r->populations[fact->place];
    p->dead++;
    assert(fact->reason < STORM_REASON_COUNT);
    p->dead_by_reason[fact->reason]++;
    p->dead_bins[recorder_bin_at(r, fact->time)] += 1;
    p->dead_as[hear_end(r, p, fact, false)]++;
    letter_record_hear(r, fact);
}

/* What is said about the consumers of a queue says something about the queue, too. */
static void hear_queue(struct recorder *r, const struct storm_fact *fact) {
    if (storm_is_consumer(&r->scenario->populations[fact->place])) {
        queue_record_hear(r, fact);
    }
}

void recorder_hear(void *context, const struct storm_fact *fact) {
    struct recorder *r = context;
    assert(fact->time >= r->end); /* facts come in the order in which they happen */
    while (fact->time >= r->change_at) {
        change_settings(r);
    }
    r->end = fact->time;
    r->digest = digest_add(r->digest, fact);
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_BORN:
        hear_birth(r, fact);
        hear_queue(r, fact);
        break;
    case STORM_FACT_SUCCEEDED:
        hear_success(r, fact);
        hear_queue(r, fact);
        break;
    case STORM_FACT_DEAD:
        hear_death(r, fact);
        hear_queue(r, fact);
        break;
    case STORM_FACT_SENT:
    case STORM_FACT_VANISHED:
    case STORM_FACT_ARRIVED:
    case STORM_FACT_REFUSED:
    case STORM_FACT_LOST:
    case STORM_FACT_QUEUED:
    case STORM_FACT_EXPIRED:
    case STORM_FACT_STARTED:
    case STORM_FACT_PARKED:
    case STORM_FACT_SERVED:
    case STORM_FACT_CANCELLED:
    case STORM_FACT_GAVE_UP:
    case STORM_FACT_BACKED_OFF:
    case STORM_FACT_RESTED:
    case STORM_FACT_CAPACITY:
    case STORM_FACT_OUTAGE:
    case STORM_FACT_CRASHED:
    case STORM_FACT_HELD_BACK:
    case STORM_FACT_BREAKER:
    case STORM_FACT_BANNED:
    case STORM_FACT_EFFECT:
    case STORM_FACT_SUPPRESSED:
        service_record_hear(r, fact);
        break;
    case STORM_FACT_DELIVERED:
    case STORM_FACT_RETURNED:
        hear_queue(r, fact);
        break;
    }
}

/* Sums per bin become means over the bin. */
static void average(double *curve, uint32_t count, storm_time width, storm_time end) {
    for (uint32_t i = 0; i < count; i++) {
        storm_time from = i * width;
        storm_time to = from + width < end ? from + width : end;
        curve[i] = to > from ? curve[i] / storm_time_to_seconds(to - from) : 0;
    }
}

/* What happened in each bin becomes what has happened by its end. */
static void accumulate(double *curve, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        curve[i] += curve[i - 1];
    }
}

/* Sums of all bins before each, so that any window of the verdict is one subtraction. `before` may
   be `bins` itself; both have room for count + 1. */
static void sum_before(const double *bins, double *before, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i <= count; i++) {
        double own = i < count ? bins[i] : 0;
        before[i] = sum;
        sum += own;
    }
}

/* Requests still pending at the end have failed when their time is up. Bins whose youngest may yet
   succeed in time cannot be judged: they show nothing. A run until idle leaves nothing pending. */
static void fail_overdue(const struct recorder *r, struct population_record *p,
                         const struct storm_population *plan) {
    for (uint32_t bin = 0; bin < r->bin_count; bin++) {
        storm_time due = storm_time_add((bin + 1) * r->bin_width, plan->in_time);
        if (due <= r->end || r->known_until == STORM_NEVER) {
            p->failed_bins[bin] += p->born_bins[bin] - p->ended_bins[bin];
        } else if (plan->in_time < STORM_NEVER) {
            p->failed_bins[bin] = (double)NAN;
        }
    }
}

void recorder_finish(struct recorder *recorder, storm_time end) {
    struct recorder *r = recorder;
    assert(end >= r->end && end <= r->duration);
    while (end > r->change_at) {
        change_settings(r);
    }
    r->end = end;
    sum_before(r->track.births, r->track.births_before, r->track.count);
    sum_before(r->track.good, r->track.good_before, r->track.count);
    for (uint32_t i = 0; i < r->scenario->service_count; i++) {
        struct service_record *s = &r->services[i];
        service_record_finish(r, i, end);
        average(s->capacity_bins, r->bin_count, r->bin_width, end);
        average(s->level_bins, r->bin_count, r->bin_width, end);
        average(s->level_before, r->track.count, r->track.width, end);
        sum_before(s->level_before, s->level_before, r->track.count);
        accumulate(s->duplicate_bins, r->bin_count);
    }
    for (uint32_t i = 0; i < r->scenario->population_count; i++) {
        fail_overdue(r, &r->populations[i], &r->scenario->populations[i]);
        accumulate(r->populations[i].dead_bins, r->bin_count);
    }
    queue_record_finish(r);
    letter_record_finish(r, end);
}
