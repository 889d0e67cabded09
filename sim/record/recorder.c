/* recorder.c: hears every fact of one run and keeps the counts, sums and curves that all results
   are made of. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/recorder.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/stream.h"
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
        double **curves[] = {&s->first_bins, &s->retry_bins, &s->capacity_bins, &s->level_bins,
                             &s->ghost_bins};
        double **tracks[] = {&s->level_before};
        if (!take_curves(arena, r->bin_count, curves, 5) ||
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
        !init_populations(r, arena)) {
        return NULL;
    }
    return r;
}

/* The whole run is one hash of what was said, field by field; padding and addresses never enter it.
   Odd factors keep small numbers in different fields from meeting. */
static uint64_t digest_fact(uint64_t digest, const struct storm_fact *fact) {
    uint64_t small = (uint64_t)fact->kind | (uint64_t)fact->reason << 8 |
                     (uint64_t)fact->retry << 16 | (uint64_t)fact->ghost << 17 |
                     (uint64_t)fact->queued << 18 | (uint64_t)fact->busy << 19 |
                     (uint64_t)fact->place << 32 | (uint64_t)fact->status << 48;
    uint64_t whose = (uint64_t)fact->member << 32 | fact->ordinal;
    uint64_t numbers = (uint64_t)fact->attempts << 32 | fact->level;
    uint64_t times = (uint64_t)fact->since * UINT64_C(0x9E3779B97F4A7C15) +
                     (uint64_t)fact->first_failed * UINT64_C(0xD1B54A32D192ED03) +
                     (uint64_t)fact->due * UINT64_C(0x8EBC6AF09C88C6E3);
    digest = stream_mix64(digest ^ (uint64_t)fact->time) + small * UINT64_C(0xA24BAED4963EE407);
    uint64_t pace;
    memcpy(&pace, &fact->pace, sizeof pace);
    uint64_t rest = stream_mix64(numbers * UINT64_C(0x9FB21C651E98DF25) ^ fact->key ^
                                 pace * UINT64_C(0xC2B2AE3D27D4EB4F) ^
                                 fact->parent * UINT64_C(0x589965CC75374CC3));
    return stream_mix64(digest ^ whose * UINT64_C(0xE7037ED1A0B428DB) ^ rest) + times;
}

/* The bin of a moment. What happens at the very end of a run until idle is in the last bin. */
static uint32_t bin_at(const struct recorder *r, storm_time time) {
    assert(time >= 0 && time <= r->duration);
    uint32_t bin = (uint32_t)(time / r->bin_width);
    return bin < r->bin_count ? bin : r->bin_count - 1;
}

static uint32_t track_at(const struct recorder *r, storm_time time) {
    assert(time >= 0 && time <= r->duration);
    uint32_t bin = (uint32_t)(time / r->track.width);
    return bin < r->track.count ? bin : r->track.count - 1;
}

/* Adds `amount` per second over [from, to) to a curve. */
static void spread(double *curve, storm_time width, uint32_t count, storm_time from, storm_time to,
                   double amount) {
    while (from < to) {
        int64_t bin = from / width;
        storm_time edge = (bin + 1) * width;
        storm_time until = edge < to ? edge : to;
        assert(bin < count);
        curve[bin] += amount * storm_time_to_seconds(until - from);
        from = until;
    }
}

/* Whether there is no room for one more. Those that share the workers are all in service. */
static bool is_full(const struct service_record *s, const struct storm_service *plan) {
    if (plan->sharing) {
        return s->busy >= (uint64_t)s->capacity + plan->queue_limit;
    }
    return s->busy >= s->capacity && s->queue >= plan->queue_limit;
}

/* Brings the time integrals of a service up to `now`; called before any of its levels changes. */
static void integrate(struct recorder *r, uint32_t place, storm_time now) {
    struct service_record *s = &r->services[place];
    const struct storm_service *plan = &r->in_force->services[place];
    storm_time from = s->changed;
    if (now <= from) {
        return;
    }
    double seconds = storm_time_to_seconds(now - from);
    double level = (double)s->queue + s->busy;
    bool shared = plan->sharing && s->busy > s->capacity;
    s->level_integral += level * seconds;
    s->queue_integral += s->queue * seconds;
    s->busy_integral += (shared ? s->capacity : s->busy) * seconds;
    s->full_integral += is_full(s, plan) ? seconds : 0;
    s->away_integral += s->outages > 0 ? seconds : 0;
    s->backing_off_integral += s->backing_off * seconds;
    double whole = storm_service_known_capacity(plan) * s->pace;
    double rate =
        whole < HUGE_VAL ? whole * s->capacity / plan->workers : (double)NAN; /* NaN: unlimited */
    spread(s->capacity_bins, r->bin_width, r->bin_count, from, now, rate);
    if (level > 0) {
        spread(s->level_bins, r->bin_width, r->bin_count, from, now, level);
        spread(s->level_before, r->track.width, r->track.count, from, now, level);
    }
    s->changed = now;
}

/* Operators change settings: what was holds up to that moment. Of changes at one moment the last
   has them all. */
static void change_settings(struct recorder *r) {
    storm_time now = r->change_at;
    for (uint32_t i = 0; i < r->scenario->service_count; i++) {
        integrate(r, i, now);
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

static void count_peak(struct peak *peak, storm_time now) {
    int64_t step = now / RECORDER_PEAK_STEP;
    int64_t gap = step - peak->step;
    for (int64_t i = 1; i <= gap && i <= RECORDER_PEAK_SLOTS; i++) {
        uint32_t *slot = &peak->counts[(peak->step + i) % RECORDER_PEAK_SLOTS];
        peak->sum -= *slot;
        *slot = 0;
    }
    peak->step = step;
    peak->counts[step % RECORDER_PEAK_SLOTS]++;
    peak->sum++;
    if (peak->sum > peak->highest) {
        peak->highest = peak->sum;
    }
}

static void close_bunch(struct bunching *b) {
    double n = (double)b->in_bin;
    b->sum += n;
    b->sum_squares += n * n;
    b->in_bin = 0;
}

static void count_bunch(struct bunching *b, storm_time now) {
    int64_t bin = now / RECORDER_BUNCH_BIN;
    if (!b->begun) {
        b->begun = true;
        b->first_bin = bin;
        b->bin = bin;
    }
    if (bin != b->bin) {
        close_bunch(b);
        b->bin = bin;
    }
    b->in_bin++;
}

static void hear_arrival(struct recorder *r, struct service_record *s,
                         const struct storm_fact *fact) {
    uint32_t bin = bin_at(r, fact->time);
    if (fact->retry) {
        s->retries++;
        s->retry_bins[bin] += 1;
        count_bunch(&s->bunching, fact->time);
    } else {
        s->first++;
        s->first_bins[bin] += 1;
    }
    count_peak(&s->peak, fact->time);
}

static void leave_queue(struct service_record *s) {
    assert(s->queue > 0);
    s->queue--;
}

/* A worker is free again. The time for which it was held was of use if somebody still waits. */
static void free_worker(struct service_record *s, const struct storm_fact *fact, bool useless) {
    double held = storm_time_to_seconds(fact->time - fact->since);
    assert(s->busy > 0 && held >= 0);
    s->busy--;
    *(useless ? &s->ghost_time : &s->useful_time) += held;
}

static void hear_start(struct service_record *s, const struct storm_fact *fact) {
    if (fact->queued) {
        leave_queue(s);
    }
    s->busy++;
    s->started++;
    s->waited += fact->queued;
    s->wait_sum += storm_time_to_seconds(fact->time - fact->since);
}

static void hear_served(struct recorder *r, struct service_record *s,
                        const struct storm_fact *fact) {
    if (fact->busy) {
        free_worker(s, fact, fact->ghost);
    }
    s->served++;
    s->failed += fact->status >= 400;
    if (fact->ghost) {
        s->ghost_served++;
        s->ghost_bins[bin_at(r, fact->time)] += 1;
    }
}

static void hear_cancelled(struct service_record *s, const struct storm_fact *fact) {
    assert(!(fact->queued && fact->busy));
    s->cancelled++;
    if (fact->queued) {
        leave_queue(s);
    }
    if (fact->busy) {
        free_worker(s, fact, true); /* whoever takes work back has no use for it */
    }
}

/* What an outage loses was of no use, but nobody had given it up either: it is in neither sum. */
static void hear_lost(struct service_record *s, const struct storm_fact *fact) {
    assert(s->queue >= fact->queued && s->busy >= fact->busy);
    s->lost++;
    s->queue -= fact->queued;
    s->busy -= fact->busy;
}

static void hear_rested(struct service_record *s) {
    assert(s->backing_off > 0);
    s->backing_off--;
}

static void hear_crash(const struct recorder *r, struct service_record *s,
                       const struct storm_fact *fact) {
    s->crashes++;
    s->knock_downs += r->trigger_from >= 0 && fact->time >= r->trigger_from;
}

/* Facts whose place is a service. */
static void hear_service(struct recorder *r, const struct storm_fact *fact) {
    struct service_record *s = &r->services[fact->place];
    assert(fact->place < r->scenario->service_count);
    integrate(r, fact->place, fact->time);
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_ARRIVED:
        hear_arrival(r, s, fact);
        break;
    case STORM_FACT_REFUSED:
        s->refused++;
        break;
    case STORM_FACT_LOST:
        hear_lost(s, fact);
        break;
    case STORM_FACT_QUEUED:
        s->queue++;
        s->queue_peak = s->queue > s->queue_peak ? s->queue : s->queue_peak;
        break;
    case STORM_FACT_STARTED:
        hear_start(s, fact);
        break;
    case STORM_FACT_EXPIRED:
        s->expired++;
        leave_queue(s);
        break;
    case STORM_FACT_PARKED:
        free_worker(s, fact, fact->ghost);
        break;
    case STORM_FACT_SERVED:
        hear_served(r, s, fact);
        break;
    case STORM_FACT_GAVE_UP:
        s->gave_up++;
        break;
    case STORM_FACT_CANCELLED:
        hear_cancelled(s, fact);
        break;
    case STORM_FACT_VANISHED:
        s->vanished++;
        break;
    case STORM_FACT_BACKED_OFF:
        s->backing_off++;
        break;
    case STORM_FACT_RESTED:
        hear_rested(s);
        break;
    case STORM_FACT_CAPACITY:
        s->capacity = fact->level;
        s->pace = fact->pace;
        break;
    case STORM_FACT_OUTAGE:
        s->outages = fact->level;
        break;
    case STORM_FACT_CRASHED:
        hear_crash(r, s, fact);
        break;
    case STORM_FACT_SENT:
    case STORM_FACT_BORN:
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
        break;
    }
}

static bool is_judged(const struct recorder *r, const struct storm_population *plan,
                      storm_time birth) {
    return plan->in_time < STORM_NEVER && storm_time_add(birth, plan->in_time) < r->known_until;
}

static void hear_birth(struct recorder *r, const struct storm_fact *fact) {
    struct population_record *p = &r->populations[fact->place];
    p->born++;
    p->born_bins[bin_at(r, fact->time)] += 1;
    if (is_judged(r, &r->scenario->populations[fact->place], fact->time)) {
        r->track.births[track_at(r, fact->time)] += 1;
    }
}

static void hear_success(struct recorder *r, const struct storm_fact *fact) {
    struct population_record *p = &r->populations[fact->place];
    const struct storm_population *plan = &r->scenario->populations[fact->place];
    storm_time latency = fact->time - fact->since;
    p->succeeded++;
    p->attempts += fact->attempts;
    p->last_end = fact->time;
    hist_record(p->latency, latency);
    p->ended_bins[bin_at(r, fact->since)] += 1;
    if (latency > plan->in_time) {
        p->failed_bins[bin_at(r, fact->since)] += 1;
    } else {
        p->in_time++;
        p->goodput_bins[bin_at(r, fact->time)] += 1;
        if (is_judged(r, plan, fact->since)) {
            r->track.good[track_at(r, fact->since)] += 1;
        }
    }
}

static void hear_death(struct recorder *r, const struct storm_fact *fact) {
    struct population_record *p = &r->populations[fact->place];
    p->dead++;
    p->attempts += fact->attempts;
    p->last_end = fact->time;
    assert(fact->reason < STORM_REASON_COUNT);
    p->dead_by_reason[fact->reason]++;
    p->dead_bins[bin_at(r, fact->time)] += 1;
    p->ended_bins[bin_at(r, fact->since)] += 1;
    p->failed_bins[bin_at(r, fact->since)] += 1;
}

void recorder_hear(void *context, const struct storm_fact *fact) {
    struct recorder *r = context;
    assert(fact->time >= r->end); /* facts come in the order in which they happen */
    while (fact->time >= r->change_at) {
        change_settings(r);
    }
    r->end = fact->time;
    r->digest = digest_fact(r->digest, fact);
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_BORN:
        hear_birth(r, fact);
        break;
    case STORM_FACT_SUCCEEDED:
        hear_success(r, fact);
        break;
    case STORM_FACT_DEAD:
        hear_death(r, fact);
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
        hear_service(r, fact);
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
        integrate(r, i, end);
        close_bunch(&s->bunching);
        average(s->capacity_bins, r->bin_count, r->bin_width, end);
        average(s->level_bins, r->bin_count, r->bin_width, end);
        average(s->level_before, r->track.count, r->track.width, end);
        sum_before(s->level_before, s->level_before, r->track.count);
    }
    for (uint32_t i = 0; i < r->scenario->population_count; i++) {
        double *dead = r->populations[i].dead_bins;
        fail_overdue(r, &r->populations[i], &r->scenario->populations[i]);
        for (uint32_t bin = 1; bin < r->bin_count; bin++) {
            dead[bin] += dead[bin - 1];
        }
    }
}
