/* writer.h: a list of settings, path and text, as the tables say. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_WRITER_H
#define SCENARIO_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/results.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "scenario/decode.h"
#include "scenario/flow.h"

/* The list being written. `is_full`: no memory; what follows is dropped. */
struct writer {
    struct arena *arena;
    const struct storm_scenario *scenario;
    uint32_t named_policies;
    struct storm_setting *list;
    size_t count, room;
    bool is_full;
};

/* Adds the setting of a trail, or of a key of the map at `up`. Texts are copied. */
void setting_add(struct writer *writer, const struct trail *trail, const char *value);
void text_add(struct writer *writer, const struct trail *up, const char *key, const char *value);
void number_add(struct writer *writer, const struct trail *up, const char *key,
                enum field_kind kind, double value);
void field_add(struct writer *writer, const struct trail *up, const struct field *field,
               const void *target);

/* The same with a text that grew in an arena. */
void flow_setting(struct writer *writer, const struct trail *up, const char *key,
                  const struct flow *flow);

/* Writes what a key with a reader of its own has read; `up` is the map that the key is in. */
typedef void special_writer(struct writer *writer, const struct trail *up, const char *key,
                            const void *target);

/* All settings of a table in its order; maps and those with a reader of their own by `special`. */
void map_add(struct writer *writer, const struct trail *up, const struct shape *shape,
             const void *target, special_writer *special);

/* The table behind a key that has one. */
const struct shape *inner_of(const struct shape *shape, const char *key);

/* A map within a map, of which all belongs to the same struct. */
void inner_add(struct writer *writer, const struct trail *up, const struct shape *shape,
               const char *key, const void *target, special_writer *special);

/* For tables with plain fields only. */
special_writer no_special;

/* Settings of clients and of actions, which have files of their own. */
void population_add(struct writer *writer, const struct trail *here,
                    const struct storm_population *population);
void action_add(struct writer *writer, const struct trail *here, const struct storm_action *action);

/* Those of dead-letter queues; `top` is where the scenario begins. */
void letters_add(struct writer *writer, const struct trail *top);

/* Those of a call. */
void edge_add(struct writer *writer, const struct trail *here, const struct storm_edge *edge);

#endif
