/* watch.h: one service watched as the textbooks watch it: levels over time, shares, waits. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_WATCH_H
#define SUPPORT_WATCH_H

#include <stddef.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

/* What can be measured; see watch.def. */
enum watch_quantity {
#define WATCH(name, word, title, value) WATCH_##name,
#include "support/watch.def"
#undef WATCH
    WATCH_QUANTITIES
};

/* By its word in a table; an unknown one fails the test. */
enum watch_quantity watch_quantity_of(const char *word);
const char *watch_title(enum watch_quantity quantity);

enum { WATCH_ASKED_MAX = 16 };

/* What is asked: a quantity, and the t that some of them have (else +inf). Of a variance, t is
   the exact mean where that is known, so that short runs are not biased. */
struct watch_asked {
    enum watch_quantity quantity;
    double at;
    double count, sum; /* of the waits longer than t, of the work of that size */
};

/* A listener. Zeroed but for what watch_begin sets. */
struct watch {
    const struct storm_scenario *scenario; /* of one population and one service */
    storm_time warm, changed;
    struct watch_asked asked[WATCH_ASKED_MAX];
    size_t asked_count;
    /* now */
    double waiting, busy, orbit;
    uint64_t serving; /* what the only worker works on, and whether for nobody */
    double is_ghost;
    /* seconds since the warm-up, weighed */
    double waiting_time, busy_time, busy_squares, orbit_time, orbit_squares, full_time, idle_time,
        empty_time, ghost_time;
    /* since the warm-up */
    double born, sent, arrived, queued, refused, started, served, wasted, left, timed_out,
        succeeded, dead;
    double wait, work, sojourn, sojourn_squares;
};

/* Measures begin `warm` after the start. */
void watch_begin(struct watch *watch, const struct storm_scenario *scenario, storm_time warm);

/* Asks for one more quantity; returns its index. */
size_t watch_ask(struct watch *watch, enum watch_quantity quantity, double at);

/* Hears a fact; a storm_listener's function. */
void watch_hear(void *context, const struct storm_fact *fact);

/* Passes the time to the run's end. */
void watch_end(struct watch *watch);

/* What the quantity of this index came to. */
double watch_measure(const struct watch *watch, size_t index);

#endif
