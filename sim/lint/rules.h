/* rules.h: what the rules of lint share. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LINT_RULES_H
#define LINT_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "lint/finding.h"
#include "scenario/tree.h"
#include "schedule/schedule.h"

/* A call of the scenario: an edge with one of the policies it is made with. */
struct lint_call {
    const struct storm_edge *edge;
    const struct storm_policy *policy;
    const struct storm_population *population; /* the caller; NULL: a service */
    const char *caller;                        /* its name */
    char path[STORM_PATH_MAX];                 /* of the edge, e.g. services.api.calls.0 */
    char policy_path[STORM_PATH_MAX];          /* of the policy, or of what names it */
};

/* One look at one scenario. Services' calls come last, as calls[service_calls + i]. */
struct lint {
    const struct storm_scenario *scenario;
    struct storm_document *document;
    const struct node *root;
    bool is_variant;                        /* the scenario is one of the document's */
    const struct storm_scenario **variants; /* each of the document's, NULL if it is in error; of a
                                               variant there is no such list */
    struct arena *arena;
    struct lint_call *calls;
    uint32_t call_count, service_calls;
    struct schedule **schedules;  /* of each policy, once it was asked for */
    const struct lint_rule *rule; /* that is being looked at */
    struct lint_findings *findings;
    size_t room;
    bool failed; /* memory ran out */
};

enum { LINT_WORDS = 64 };

/* Adds a finding of the rule at a setting; where that is not written, at the nearest map around
   it. */
void lint_add(struct lint *lint, enum lint_severity severity, const char *path, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

/* A number of seconds with at most three digits that count, such as 4.35s; a rate, such as 800/s.
   Return `buffer`, of LINT_WORDS bytes. */
const char *lint_seconds(double seconds, char *buffer);
const char *lint_rate(double rate, char *buffer);

/* The schedule of a policy that retries, of all its retries or the first SCHEDULE_RETRIES_MAX; NULL
   without memory. */
const struct schedule *lint_schedule(struct lint *lint, const struct storm_policy *policy);

/* How long an attempt is waited for at most: its timeout, or the call's deadline. STORM_NEVER: for
   ever. */
storm_time lint_patience(const struct storm_edge *edge);

/* How long a call goes on at most, in seconds, if every attempt takes as long as it may: all
   timeouts and the mean delays between them, no longer than the deadline. +inf: for ever. */
double lint_longest(struct lint *lint, const struct lint_call *call);

/* Whether a policy tries again at all; and whether nothing in it ever stops that. */
bool lint_retries(const struct storm_policy *policy);
bool lint_is_endless(const struct storm_policy *policy);

/* Calls `look` once for each policy that is used and tries again, with the first of its calls. */
void lint_each_policy(struct lint *lint,
                      void (*look)(struct lint *lint, const struct lint_call *call));

/* The map in which a population is written: "clients" or "consumers". */
const char *lint_map_of(const struct storm_population *population);

#define RULE(id, function, severity, title, why, fix) void lint_rule_##function(struct lint *lint);
#include "lint/lint.def"
#undef RULE

#endif
