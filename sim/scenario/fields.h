/* fields.h: the scenario's tables of settings, one per kind of map, and the readers they share. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_FIELDS_H
#define SCENARIO_FIELDS_H

#include <retrystorm/scenario.h>

#include "scenario/decode.h"

/* Bounds that many tables share: seconds (LONGEST is about 30 years), and events per second. */
#define LONGEST 1e9
#define SHORTEST 1e-9
#define RATE_LEAST 1e-9
#define RATE_MOST 1e9

/* The tables, from the top of the file down. Offsets are into the struct named. */
extern const struct shape scenario_shape; /* storm_scenario */
extern const struct shape policy_shape;   /* storm_policy */
extern const struct shape budget_shape;   /* storm_policy, as the next three */
extern const struct shape throttle_shape;
extern const struct shape breaker_shape;
extern const struct shape hedge_shape;
extern const struct shape population_shape; /* storm_population */
extern const struct shape arrival_shape;    /* storm_population */
extern const struct shape edge_shape;       /* storm_edge */
extern const struct shape service_shape;    /* storm_service */
extern const struct shape queue_shape;      /* storm_service, as the next five */
extern const struct shape rate_limit_shape;
extern const struct shape slowdown_shape;
extern const struct shape crash_shape;
extern const struct shape recovery_shape;
extern const struct shape ban_shape;
extern const struct shape idempotency_shape;   /* storm_idempotency */
extern const struct shape message_queue_shape; /* storm_queue */
extern const struct shape consumer_shape;      /* storm_population */
extern const struct shape letter_queue_shape;  /* storm_letter_queue */
extern const struct shape alert_shape;         /* storm_alert */
extern const struct shape fault_shape;         /* storm_fault */
extern const struct shape action_shape;        /* storm_action */
extern const struct shape expect_shape;        /* storm_expect */
extern const struct shape paths_shape;         /* settings by their paths; stores nothing */
extern const struct shape dist_shape;          /* storm_dist */

row_reader policies_read, clients_read, services_read, queues_read, consumers_read,
    dead_letters_read, faults_read, actions_read, expects_read;          /* of the top */
row_reader variants_check;                                               /* stores nothing */
row_reader arrivals_read, population_calls_read, letter_queue_name_read; /* of a population */
row_reader idempotency_read;                                             /* of a service */

/* The service, or else the queue at its place among the services, that a name means; the
   population, consumers included. STORM_NONE after blaming `node`. */
uint32_t service_reference(struct reader *reader, const struct trail *trail,
                           const struct node *node);
uint32_t population_reference(struct reader *reader, const struct trail *trail,
                              const struct node *node);

/* The key by which an alert of that kind is written. */
const char *alert_key(enum storm_alert_kind kind);

/* How the name of a dead-letter queue looks. */
#define LETTER_QUEUE_PATTERN "^[A-Za-z0-9_.-]{1,64}$"
enum { LETTER_QUEUES_MAX = STORM_POPULATIONS_MAX };
extern const struct field letter_queue_key;

/* The ways of telling duplicates from new requests; a service may name one alone. */
extern const struct field_word idempotency_mode_words[];

dist_reader dist_read; /* a distribution: a bare duration, or a map of dist_shape */

/* A call: `node` is a map of edge_shape. */
void edge_read(struct reader *reader, const struct trail *trail, const struct node *node,
               struct storm_edge *edge);

/* Reads a word, or a time where the text begins with a digit. True when it was a good time. */
bool word_or_time_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       const struct field *word, const struct field *time, void *target);

/* What may stand in retry_on and give_up_on, of storm_class_row; and the lists' keys by the class
   of their statuses. */
extern const struct field class_item;
extern const char *const class_keys[];

/* Whether a budget, throttle or breaker (by its table) of that kind has that key; one of kind none
   has its kind only. */
bool brake_has(const struct shape *shape, int kind, const char *key);

/* Blames settings of a policy's brakes that mean nothing; `node` is the policy's map. */
void brakes_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                  const struct storm_policy *policy);

/* A policy that has its name already: `node` is a map of policy_shape. */
void policy_read(struct reader *reader, const struct trail *trail, const struct node *node,
                 struct storm_policy *policy);

/* The policy of a name, one of `policies:`, or else a headline or a preset, as an index into the
   scenario's policies; STORM_NONE after blaming `place`. */
uint32_t policy_use(struct reader *reader, const struct trail *trail, struct place place,
                    const char *name);

/* The policy that a `retry:` means (a name, or a map of policy_shape; NULL: no-retry), as an index
   into the scenario's policies; STORM_NONE after an error. */
uint32_t retry_read(struct reader *reader, const struct trail *trail, const struct node *node);

/* Whether a fault of that kind has that key of fault_shape (or cannot be without it), and an action
   that of action_shape. */
bool fault_has(enum storm_fault_kind kind, const char *key);
bool fault_needs(enum storm_fault_kind kind, const char *key);
bool action_has(enum storm_action_kind kind, const char *key);

/* Applies the settings of all actions, one upon the other in the order of their times, and decodes
   what each leaves behind. `node` is the list of actions, which are read already. */
void actions_apply(struct reader *reader, const struct trail *trail, const struct node *node);

/* Decodes a tree into a scenario; the reader has what all of its readers need. The scenario is good
   only when nothing was blamed; NULL without memory. */
struct storm_scenario *scenario_read(struct reader *reader, const struct node *root);

/* Blames every circle of calls. */
void calls_check(struct reader *reader);

#endif
