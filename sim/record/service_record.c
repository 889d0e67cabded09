/* service_record.c: what the facts of one service add to its counts, integrals and curves.

   1. The integrals are complete up to `changed`; no level changes before they are brought up to the
      moment of the change.
   2. Levels never fall below 0: what leaves the queue was in it, what frees a worker held one. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/service_record.h"

#include <assert.h>
#include <math.h>

#include "record/recording.h"

/* Adds `amount` per second over [from, to) to a curve. Time only moves on: as long as it has not
   passed the cursor's edge, the bin is the cursor's. */
static void spread(double *curve, struct cursor *cursor, storm_time width, storm_time from,
                   storm_time to, double amount) {
    while (from < to) {
        if (from >= cursor->edge) {
            cursor->bin = (uint32_t)(from / width);
            cursor->edge = (cursor->bin + (storm_time)1) * width;
        }
        storm_time until = cursor->edge < to ? cursor->edge : to;
        curve[cursor->bin] += amount * storm_time_to_seconds(until - from);
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

/* Brings the integrals of the levels up to `now`. */
static void integrate(struct recorder *r, struct service_record *s,
                      const struct storm_service *plan, storm_time now) {
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
    if (level > 0) {
        spread(s->level_bins, &s->level_cursor, r->bin_width, from, now, level);
        spread(s->level_before, &s->track_cursor, r->track.width, from, now, level);
    }
    s->changed = now;
}

/* Brings the curve of the capacity up to `now`. NaN: unlimited. */
static void draw_capacity(struct recorder *r, struct service_record *s,
                          const struct storm_service *plan, storm_time now) {
    double whole = storm_service_known_capacity(plan) * s->pace;
    double rate = whole < HUGE_VAL ? whole * s->capacity / plan->workers : (double)NAN;
    spread(s->capacity_bins, &s->capacity_cursor, r->bin_width, s->capacity_drawn, now, rate);
    s->capacity_drawn = now;
}

void service_record_integrate(struct recorder *r, uint32_t place, storm_time now) {
    struct service_record *s = &r->services[place];
    integrate(r, s, &r->in_force->services[place], now);
    draw_capacity(r, s, &r->in_force->services[place], now);
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
    uint32_t bin = recorder_bin_at(r, fact->time);
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
        s->ghost_bins[recorder_bin_at(r, fact->time)] += 1;
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

/* The integral of how many back off is the sum of the ends of all back-offs less that of their
   beginnings. */
static void hear_back_off(struct service_record *s, const struct storm_fact *fact) {
    s->backing_off++;
    s->backing_off_integral -= storm_time_to_seconds(fact->time);
}

static void hear_rested(struct service_record *s, const struct storm_fact *fact) {
    assert(s->backing_off > 0);
    s->backing_off--;
    s->backing_off_integral += storm_time_to_seconds(fact->time);
}

/* Whether a fact changes how many wait or are in service, or what their number means. */
static bool changes_level(enum storm_fact_kind kind) {
    static const uint32_t kinds = 1U << STORM_FACT_LOST | 1U << STORM_FACT_QUEUED |
                                  1U << STORM_FACT_EXPIRED | 1U << STORM_FACT_STARTED |
                                  1U << STORM_FACT_PARKED | 1U << STORM_FACT_SERVED |
                                  1U << STORM_FACT_CANCELLED | 1U << STORM_FACT_CAPACITY |
                                  1U << STORM_FACT_OUTAGE | 1U << STORM_FACT_SUPPRESSED;
    return (kinds >> kind & 1) != 0;
}

static void hear_capacity(struct recorder *r, struct service_record *s,
                          const struct storm_fact *fact) {
    draw_capacity(r, s, &r->in_force->services[fact->place], fact->time);
    s->capacity = fact->level;
    s->pace = fact->pace;
}

static void hear_crash(const struct recorder *r, struct service_record *s,
                       const struct storm_fact *fact) {
    s->crashes++;
    s->knock_downs += r->trigger_from >= 0 && fact->time >= r->trigger_from;
}

/* A budget refuses retries, breakers and throttles hold back whatever comes. */
static void hear_held_back(const struct recorder *r, struct service_record *s,
                           const struct storm_fact *fact) {
    assert(fact->reason == STORM_REASON_BUDGET || fact->reason == STORM_REASON_BREAKER ||
           fact->reason == STORM_REASON_THROTTLED);
    *(fact->reason == STORM_REASON_BUDGET ? &s->retries_refused : &s->held_back) += 1;
    s->held_back_bins[recorder_bin_at(r, fact->time)] += 1;
}

/* What was ordered has been done. `attempts` is how often by now: of duplicates it is above 1. */
static void hear_effect(const struct recorder *r, struct service_record *s,
                        const struct storm_fact *fact) {
    assert(fact->level < RECORDER_EFFECTS);
    s->effects[fact->level]++;
    s->duplicate_bins[recorder_bin_at(r, fact->time)] += fact->level != STORM_EFFECT_FIRST;
}

static void hear_suppressed(struct service_record *s, const struct storm_fact *fact) {
    s->suppressed++;
    s->wrongly_merged += fact->level != 0;
    if (fact->queued) {
        leave_queue(s); /* it had waited for another copy of its request */
    }
}

/* What holds until this fact: levels before they change, and a back-off that ends with it. */
static void catch_up(struct recorder *r, struct service_record *s, const struct storm_fact *fact) {
    if (changes_level((enum storm_fact_kind)fact->kind)) {
        integrate(r, s, &r->in_force->services[fact->place], fact->time);
    }
    if (storm_fact_ends_back_off(fact)) {
        hear_rested(s, fact);
    }
}

/* What is only counted. */
static void count(struct service_record *s, const struct storm_fact *fact) {
    enum storm_fact_kind kind = (enum storm_fact_kind)fact->kind;
    bool opens = kind == STORM_FACT_BREAKER && fact->level == STORM_BREAKER_OPEN;
    s->breaker_opened += opens;
    s->refused += kind == STORM_FACT_REFUSED;
    s->gave_up += kind == STORM_FACT_GAVE_UP;
    s->vanished += kind == STORM_FACT_VANISHED;
    s->bans += kind == STORM_FACT_BANNED;
}

void service_record_hear(struct recorder *r, const struct storm_fact *fact) {
    struct service_record *s = &r->services[fact->place];
    assert(fact->place < r->scenario->service_count);
    catch_up(r, s, fact);
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_ARRIVED:
        hear_arrival(r, s, fact);
        break;
    case STORM_FACT_REFUSED:
    case STORM_FACT_GAVE_UP:
    case STORM_FACT_VANISHED:
    case STORM_FACT_BANNED:
    case STORM_FACT_BREAKER:
        count(s, fact);
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
    case STORM_FACT_CANCELLED:
        hear_cancelled(s, fact);
        break;
    case STORM_FACT_BACKED_OFF:
        hear_back_off(s, fact);
        break;
    case STORM_FACT_CAPACITY:
        hear_capacity(r, s, fact);
        break;
    case STORM_FACT_OUTAGE:
        s->outages = fact->level;
        break;
    case STORM_FACT_CRASHED:
        hear_crash(r, s, fact);
        break;
    case STORM_FACT_HELD_BACK:
        hear_held_back(r, s, fact);
        break;
    case STORM_FACT_EFFECT:
        hear_effect(r, s, fact);
        break;
    case STORM_FACT_SUPPRESSED:
        hear_suppressed(s, fact);
        break;
    case STORM_FACT_RESTED:
    case STORM_FACT_SENT:
    case STORM_FACT_BORN:
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
    case STORM_FACT_DELIVERED:
    case STORM_FACT_RETURNED:
        break;
    }
}

void service_record_finish(struct recorder *recorder, uint32_t place, storm_time end) {
    struct service_record *s = &recorder->services[place];
    service_record_integrate(recorder, place, end);
    s->backing_off_integral += s->backing_off * storm_time_to_seconds(end);
    close_bunch(&s->bunching);
}
