/* scope.c: where each kind of thing can occur in a scenario: only there is it listed, and drawn. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/scope.h"

#include <assert.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

enum room { ROOM_RUN, ROOM_SERVICES, ROOM_POPULATIONS, ROOM_REASONS, ROOM_QUEUES };

static const struct {
    enum room room;
    const char *word;
} scopes[] = {
#define SCOPE_ROW(name, room, word) {ROOM_##room, word},
    SCOPE_MAP(SCOPE_ROW)
#undef SCOPE_ROW
};

/* ---- what policies have ---------------------------------------------------------------------- */

typedef bool policy_test(const struct storm_policy *policy);

static bool has_budget(const struct storm_policy *policy) {
    return policy->budget.kind != STORM_BUDGET_NONE;
}

static bool has_breaker(const struct storm_policy *policy) {
    return policy->breaker.kind != STORM_BREAKER_NONE;
}

static bool has_throttle(const struct storm_policy *policy) {
    return policy->throttle.kind != STORM_THROTTLE_NONE;
}

static bool has_brake(const struct storm_policy *policy) {
    return has_breaker(policy) || has_throttle(policy);
}

static bool obeys_hint(const struct storm_policy *policy) {
    return policy->hint.rule == STORM_HINT_GIVE_UP_ABOVE;
}

/* Whether a population may ever go by a policy that passes. */
static bool population_has(const struct storm_scenario *original,
                           const struct storm_scenario *scenario, uint32_t index,
                           policy_test *passes) {
    const struct storm_population *population = &scenario->populations[index];
    bool has = passes(&scenario->policies[population->call.policy]);
    for (uint32_t i = 0; !has && i < population->fleet_count; i++) {
        has = passes(&scenario->policies[population->fleets[i].policy]);
    }
    for (uint32_t i = 0; !has && i < original->action_count; i++) {
        const struct storm_action *action = &original->actions[i];
        bool concerns = action->population == index || action->population == STORM_NONE;
        has = action->kind == STORM_ACTION_ROLLOUT && concerns &&
              passes(&scenario->policies[action->policy]);
    }
    return has;
}

/* Whether someone calls the service (STORM_NONE: any) by a policy that passes. */
static bool is_called_with(const struct storm_scenario *original,
                           const struct storm_scenario *scenario, uint32_t service,
                           policy_test *passes) {
    if (scenario->policy_count == 0) {
        return false;
    }
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        bool calls = service == STORM_NONE || scenario->populations[i].call.to == service;
        if (calls && population_has(original, scenario, i, passes)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < scenario->call_count; i++) {
        bool calls = service == STORM_NONE || scenario->calls[i].to == service;
        if (calls && passes(&scenario->policies[scenario->calls[i].policy])) {
            return true;
        }
    }
    return false;
}

/* The same, now or after some change of settings. */
static bool is_ever_called_with(const struct storm_scenario *scenario, uint32_t service,
                                policy_test *passes) {
    bool has = is_called_with(scenario, scenario, service, passes);
    for (uint32_t i = 0; !has && i < scenario->action_count; i++) {
        const struct storm_action *action = &scenario->actions[i];
        has = action->kind == STORM_ACTION_SET &&
              is_called_with(scenario, action->after, service, passes);
    }
    return has;
}

/* ---- what services, queues and populations have ---------------------------------------------- */

static bool does_ban(const struct storm_scenario *scenario, uint32_t service) {
    bool bans = scenario->services[service].ban.strikes > 0;
    for (uint32_t i = 0; !bans && i < scenario->action_count; i++) {
        const struct storm_action *action = &scenario->actions[i];
        bans = action->kind == STORM_ACTION_SET && action->after->services[service].ban.strikes > 0;
    }
    return bans;
}

static bool does_send(const struct storm_scenario *scenario, enum storm_action_kind kind) {
    for (uint32_t i = 0; i < scenario->action_count; i++) {
        if (scenario->actions[i].kind == kind) {
            return true;
        }
    }
    return false;
}

static bool does_replay(const struct storm_scenario *scenario) {
    bool replays = does_send(scenario, STORM_ACTION_REPLAY);
    for (uint32_t i = 0; !replays && i < scenario->population_count; i++) {
        replays = storm_replays_itself(&scenario->populations[i]);
    }
    return replays;
}

static bool has_receives(const struct storm_scenario *scenario) {
    for (uint32_t i = 0; i < scenario->queue_count; i++) {
        if (scenario->queues[i].max_receives < STORM_UNLIMITED) {
            return true;
        }
    }
    return false;
}

static bool has_reason(const struct storm_scenario *scenario, enum storm_reason reason) {
    switch (reason) {
    case STORM_REASON_NONE:
        return false;
    case STORM_REASON_ATTEMPTS:
    case STORM_REASON_NOT_RETRYABLE:
    case STORM_REASON_DEADLINE:
    case STORM_REASON_TOTAL_TIME:
    case STORM_REASON_PATIENCE:
        return true;
    case STORM_REASON_BUDGET:
        return is_ever_called_with(scenario, STORM_NONE, has_budget);
    case STORM_REASON_BREAKER:
        return is_ever_called_with(scenario, STORM_NONE, has_breaker);
    case STORM_REASON_THROTTLED:
        return is_ever_called_with(scenario, STORM_NONE, has_throttle);
    case STORM_REASON_HINT:
        return is_ever_called_with(scenario, STORM_NONE, obeys_hint);
    case STORM_REASON_RECEIVES:
        return has_receives(scenario);
    case STORM_REASON_LOST:
        return scenario->queue_count > 0;
    case STORM_REASON_COUNT:
        break;
    }
    assert(0 && "no such reason");
    return false;
}

/* ---- dead-letter queues ---------------------------------------------------------------------- */

static const char *letters_name(const struct storm_scenario *scenario, uint32_t population) {
    return storm_letter_queue_of(&scenario->populations[population]);
}

uint32_t scope_letters_of(const struct storm_scenario *scenario, uint32_t population) {
    uint32_t first = 0;
    const char *name = letters_name(scenario, population);
    while (strcmp(letters_name(scenario, first), name) != 0) {
        first++;
    }
    assert(first <= population && population < scenario->population_count);
    return first;
}

static bool has_alert(const struct storm_scenario *scenario, const char *queue) {
    for (uint32_t i = 0; i < scenario->alert_count; i++) {
        if (strcmp(scenario->alerts[i].queue, queue) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether letters whose retention is over go to an archive. */
static bool has_archive(const struct storm_scenario *scenario, const char *queue) {
    for (uint32_t i = 0; i < scenario->letter_queue_count; i++) {
        if (strcmp(scenario->letter_queues[i].name, queue) == 0) {
            return scenario->letter_queues[i].archive;
        }
    }
    return false;
}

/* Whether somebody looks after dead letters at all: else they are only counted. */
static bool keeps_letters(const struct storm_scenario *scenario) {
    return scenario->queue_count > 0 || scenario->alert_count > 0 ||
           scenario->letter_queue_count > 0 || does_replay(scenario);
}

static bool is_letter_queue(const struct storm_scenario *scenario, enum scope scope,
                            uint32_t population) {
    const char *name = letters_name(scenario, population);
    if (scope_letters_of(scenario, population) != population) {
        return false; /* one queue, one place */
    }
    if (scope == SCOPE_LETTERS || scope == SCOPE_ALERT) {
        return scope == SCOPE_LETTERS ? keeps_letters(scenario) : has_alert(scenario, name);
    }
    return storm_letter_retention(scenario, name) < STORM_NEVER &&
           has_archive(scenario, name) == (scope == SCOPE_ARCHIVE);
}

/* ---- entry ----------------------------------------------------------------------------------- */

uint32_t scope_room(const struct storm_scenario *scenario, enum scope scope) {
    switch (scopes[scope].room) {
    case ROOM_RUN:
        return 1;
    case ROOM_SERVICES:
        return scenario->service_count;
    case ROOM_POPULATIONS:
        return scenario->population_count;
    case ROOM_REASONS:
        return STORM_REASON_COUNT;
    case ROOM_QUEUES:
        return scenario->queue_count;
    }
    assert(0 && "no such room");
    return 0;
}

bool scope_has(const struct storm_scenario *scenario, enum scope scope, uint32_t place) {
    assert(place < scope_room(scenario, scope));
    switch (scope) {
    case SCOPE_RUN:
    case SCOPE_SERVICE:
    case SCOPE_POPULATION:
    case SCOPE_QUEUE:
        return true;
    case SCOPE_REASON:
        return has_reason(scenario, (enum storm_reason)place);
    case SCOPE_BUDGET:
        return is_ever_called_with(scenario, place, has_budget);
    case SCOPE_BRAKE:
        return is_ever_called_with(scenario, place, has_brake);
    case SCOPE_BREAKER:
        return is_ever_called_with(scenario, place, has_breaker);
    case SCOPE_HELD:
        return is_ever_called_with(scenario, place, storm_policy_has_brakes);
    case SCOPE_BAN:
        return does_ban(scenario, place);
    case SCOPE_EFFECT:
        return scenario->services[place].idempotency.counted;
    case SCOPE_LETTERS:
    case SCOPE_RETENTION:
    case SCOPE_ARCHIVE:
    case SCOPE_ALERT:
        return is_letter_queue(scenario, scope, place);
    case SCOPE_REPLAY:
        return does_replay(scenario);
    case SCOPE_RESEND:
        return does_send(scenario, STORM_ACTION_RESEND);
    case SCOPE_RERUN:
        return does_send(scenario, STORM_ACTION_RERUN);
    }
    assert(0 && "no such scope");
    return false;
}

uint32_t scope_count(const struct storm_scenario *scenario, enum scope scope) {
    uint32_t count = 0;
    for (uint32_t place = 0; place < scope_room(scenario, scope); place++) {
        count += scope_has(scenario, scope, place);
    }
    return count;
}

const char *scope_name(const struct storm_scenario *scenario, enum scope scope, uint32_t place) {
    switch (scopes[scope].room) {
    case ROOM_RUN:
        return "";
    case ROOM_SERVICES:
        return scenario->services[place].name;
    case ROOM_POPULATIONS:
        return scope == SCOPE_POPULATION ? scenario->populations[place].name
                                         : letters_name(scenario, place);
    case ROOM_REASONS:
        return storm_reason_word((enum storm_reason)place);
    case ROOM_QUEUES:
        return scenario->services[scenario->queues[place].service].name;
    }
    assert(0 && "no such room");
    return "";
}

const char *scope_word(enum scope scope) { return scopes[scope].word; }
