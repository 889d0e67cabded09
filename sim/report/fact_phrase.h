/* fact_phrase.h: what a fact says, in words. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_FACT_PHRASE_H
#define REPORT_FACT_PHRASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>
#include <retrystorm/window.h>

struct arena;

/* The names of a scenario, made safe for a terminal. */
struct fact_names {
    const struct storm_scenario *scenario;
    const char **services, **populations;
};

/* Names are the arena's. False at its limit. */
bool fact_names_clean(struct fact_names *names, const struct storm_scenario *scenario,
                      struct arena *arena);

/* Writes "answers 503 after 2s: too late, nobody waits", without a line's end. `sent` is when the
   attempt that the fact is about was sent, below 0 when that is not known. */
void fact_phrase_write(const struct fact_names *names, const struct storm_fact *fact,
                       storm_time sent, FILE *out);

/* Writes what a fault or an action is, "fault begins: hang, for 20s", into `text`. It may hold what
   the scenario says, not made safe. Returns `text`. */
const char *mark_phrase(const struct storm_scenario *scenario, const struct storm_mark *mark,
                        char *text, size_t size);

#endif
