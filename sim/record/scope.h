/* scope.h: where each kind of thing can occur in a scenario: only there is it listed, and drawn. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_SCOPE_H
#define RECORD_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/scenario.h>

/* SCOPE(name, ROOM, word): what there is one of for each place, of which the places are those of
   the scenario's ROOM that have it; `word` stands for a place's name, "" for the run as a whole. */
#define SCOPE_MAP(X)                                                                               \
    X(RUN, RUN, "")                                                                                \
    X(SERVICE, SERVICES, "SERVICE")                                                                \
    X(POPULATION, POPULATIONS, "CLIENTS")                                                          \
    X(REASON, REASONS, "REASON")                                                                   \
    X(BUDGET, SERVICES, "SERVICE")                                                                 \
    X(BRAKE, SERVICES, "SERVICE")                                                                  \
    X(BREAKER, SERVICES, "SERVICE")                                                                \
    X(HELD, SERVICES, "SERVICE")                                                                   \
    X(BAN, SERVICES, "SERVICE")                                                                    \
    X(EFFECT, SERVICES, "SERVICE")                                                                 \
    X(QUEUE, QUEUES, "QUEUE")                                                                      \
    X(LETTERS, POPULATIONS, "LETTERS")                                                             \
    X(RETENTION, POPULATIONS, "LETTERS")                                                           \
    X(ARCHIVE, POPULATIONS, "LETTERS")                                                             \
    X(ALERT, POPULATIONS, "LETTERS")                                                               \
    X(REPLAY, RUN, "")                                                                             \
    X(RESEND, RUN, "")                                                                             \
    X(RERUN, RUN, "")

enum scope {
#define SCOPE_ENUM(name, room, word) SCOPE_##name,
    SCOPE_MAP(SCOPE_ENUM)
#undef SCOPE_ENUM
};

/* How many places of the scenario's there are to ask about, and whether it can occur at one: a
   service, a population, a reason, or a queue by its index. A dead-letter queue is the place of the
   first population whose letters go there. */
uint32_t scope_room(const struct storm_scenario *scenario, enum scope scope);
bool scope_has(const struct storm_scenario *scenario, enum scope scope, uint32_t place);

/* At how many places it can occur. */
uint32_t scope_count(const struct storm_scenario *scenario, enum scope scope);

/* The name of a place, and what stands for it where there is no scenario; "" of a whole run. */
const char *scope_name(const struct storm_scenario *scenario, enum scope scope, uint32_t place);
const char *scope_word(enum scope scope);

/* The first population whose dead letters go to the same queue. */
uint32_t scope_letters_of(const struct storm_scenario *scenario, uint32_t population);

#endif
