/* watch.c: one service watched as the textbooks watch it: levels over time, shares, waits. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/watch.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/stream.h"
#include "support/test.h"

static const struct {
    const char *word, *title;
} names[] = {
#define WATCH(name, word, title, value) {word, title},
#include "support/watch.def"
#undef WATCH
};

enum watch_quantity watch_quantity_of(const char *word) {
    for (size_t i = 0; i < WATCH_QUANTITIES; i++) {
        if (strcmp(names[i].word, word) == 0) {
            return (enum watch_quantity)i;
        }
    }
    fail_msg("there is no quantity '%s'", word);
    return WATCH_LEVEL;
}

const char *watch_title(enum watch_quantity quantity) {
    assert(quantity < WATCH_QUANTITIES);
    return names[quantity].title;
}

void watch_begin(struct watch *watch, const struct storm_scenario *scenario, storm_time warm) {
    assert(scenario->service_count == 1 && scenario->population_count == 1);
    *watch = (struct watch){.scenario = scenario, .warm = warm};
}

size_t watch_ask(struct watch *watch, enum watch_quantity quantity, double at) {
    assert(watch->asked_count < WATCH_ASKED_MAX);
    watch->asked[watch->asked_count] = (struct watch_asked){.quantity = quantity, .at = at};
    return watch->asked_count++;
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* How many the service has room for. */
static double places(const struct watch *watch) {
    const struct storm_service *service = &watch->scenario->services[0];
    return service->queue_limit == STORM_UNLIMITED
               ? HUGE_VAL
               : (double)service->workers + service->queue_limit;
}

static void pass_time(struct watch *watch, storm_time now) {
    storm_time from = watch->changed > watch->warm ? watch->changed : watch->warm;
    if (now > from) {
        double seconds = storm_time_to_seconds(now - from);
        bool idle = watch->busy == 0;
        watch->waiting_time += watch->waiting * seconds;
        watch->busy_time += watch->busy * seconds;
        watch->busy_squares += watch->busy * watch->busy * seconds;
        watch->orbit_time += watch->orbit * seconds;
        watch->orbit_squares += watch->orbit * watch->orbit * seconds;
        watch->full_time += watch->waiting + watch->busy >= places(watch) ? seconds : 0;
        watch->idle_time += idle ? seconds : 0;
        watch->empty_time += idle && watch->orbit == 0 ? seconds : 0;
        watch->ghost_time += watch->is_ghost * seconds;
    }
    watch->changed = now;
}

/* What the fact changes now, warm-up or not. */
static void change(struct watch *watch, const struct storm_fact *fact) {
    enum storm_fact_kind kind = (enum storm_fact_kind)fact->kind;
    bool starts = kind == STORM_FACT_STARTED, ends = kind == STORM_FACT_SERVED;
    bool leaves = kind == STORM_FACT_EXPIRED || kind == STORM_FACT_CANCELLED;
    assert(kind != STORM_FACT_CANCELLED || fact->queued); /* nothing else is taken back here */
    watch->waiting += (kind == STORM_FACT_QUEUED) - (starts && fact->queued) - leaves;
    watch->busy += starts - ends;
    watch->orbit += (kind == STORM_FACT_BACKED_OFF) - storm_fact_ends_back_off(fact);
    if (starts) {
        watch->serving = fact->key;
        watch->is_ghost = fact->ghost;
    } else if (ends) {
        watch->is_ghost = 0;
    } else if (kind == STORM_FACT_GAVE_UP && watch->busy > 0 && fact->key == watch->serving) {
        watch->is_ghost = 1;
    }
    assert(watch->waiting >= 0 && watch->busy >= 0 && watch->orbit >= 0);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void count_over(struct watch *watch, enum watch_quantity quantity, double seconds) {
    for (size_t i = 0; i < watch->asked_count; i++) {
        watch->asked[i].count +=
            watch->asked[i].quantity == quantity && seconds > watch->asked[i].at;
    }
}

static void count_start(struct watch *watch, const struct storm_fact *fact) {
    double wait = storm_time_to_seconds(fact->time - fact->since);
    watch->started++;
    watch->wait += wait;
    count_over(watch, WATCH_WAIT_OVER, wait);
    count_over(watch, WATCH_WAIT_ALL_OVER, wait);
}

/* Who is taken back while waiting has waited as long as its patience lasted, which can be drawn
   again. */
static void count_leave(struct watch *watch, const struct storm_fact *fact) {
    const struct storm_dist *patience = &watch->scenario->populations[0].call.timeout;
    watch->left++;
    count_over(watch, WATCH_WAIT_ALL_OVER,
               storm_time_to_seconds(storm_dist_draw(patience, fact->key, STREAM_TIMEOUT)));
}

static void count_served(struct watch *watch, const struct storm_fact *fact) {
    double seconds = storm_time_to_seconds(fact->time - fact->since);
    watch->served++;
    watch->wasted += fact->ghost;
    watch->work += seconds;
    for (size_t i = 0; i < watch->asked_count; i++) {
        struct watch_asked *asked = &watch->asked[i];
        if (asked->quantity == WATCH_SOJOURN_OF_SIZE) {
            const struct storm_dist *law = &watch->scenario->services[0].service_time;
            double size = storm_time_to_seconds(storm_dist_draw(law, fact->key, STREAM_SERVICE));
            bool is_it = fabs(size - asked->at) < 1e-6;
            asked->count += is_it;
            asked->sum += is_it ? seconds : 0;
        }
    }
}

static void count_success(struct watch *watch, const struct storm_fact *fact) {
    double sojourn = storm_time_to_seconds(fact->time - fact->since);
    watch->succeeded++;
    watch->sojourn += sojourn;
    watch->sojourn_squares += sojourn * sojourn;
    count_over(watch, WATCH_SOJOURN_OVER, sojourn);
}

void watch_hear(void *context, const struct storm_fact *fact) {
    struct watch *watch = context;
    pass_time(watch, fact->time);
    change(watch, fact);
    if (fact->time < watch->warm) {
        return;
    }
    watch->born += fact->kind == STORM_FACT_BORN;
    watch->sent += fact->kind == STORM_FACT_SENT;
    watch->arrived += fact->kind == STORM_FACT_ARRIVED;
    watch->queued += fact->kind == STORM_FACT_QUEUED;
    watch->refused += fact->kind == STORM_FACT_REFUSED;
    watch->timed_out += fact->kind == STORM_FACT_GAVE_UP;
    watch->dead += fact->kind == STORM_FACT_DEAD;
    if (fact->kind == STORM_FACT_STARTED) {
        count_start(watch, fact);
    } else if (fact->kind == STORM_FACT_SERVED) {
        count_served(watch, fact);
    } else if (fact->kind == STORM_FACT_CANCELLED || fact->kind == STORM_FACT_EXPIRED) {
        count_leave(watch, fact);
    } else if (fact->kind == STORM_FACT_SUCCEEDED) {
        count_success(watch, fact);
    }
}

void watch_end(struct watch *watch) { pass_time(watch, watch->scenario->duration); }

/* ---- results --------------------------------------------------------------------------------- */

/* The variance of what has this mean square and mean: about the exact mean if that is known. */
static double variance(double square, double mean, double exact) {
    return exact < HUGE_VAL ? square - 2 * exact * mean + exact * exact : square - mean * mean;
}

double watch_measure(const struct watch *w, size_t index) {
    assert(index < w->asked_count);
    const struct watch_asked *asked = &w->asked[index];
    double seconds = storm_time_to_seconds(w->changed - w->warm);
    switch (asked->quantity) {
#define WATCH(name, word, title, value)                                                            \
    case WATCH_##name:                                                                             \
        return value;
#include "support/watch.def"
#undef WATCH
    case WATCH_QUANTITIES:
        break;
    }
    assert(false && "no such quantity");
    return 0;
}
