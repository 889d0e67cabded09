/* rules_again.c: requests that come again, and what keeps their effects from happening twice. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "lint/rules.h"

/* ---- R019, R020 ------------------------------------------------------------------------------ */

void lint_rule_unpaced(struct lint *lint) {
    for (uint32_t i = 0; i < lint->scenario->action_count; i++) {
        const struct storm_action *action = &lint->scenario->actions[i];
        char path[STORM_PATH_MAX], limit[LINT_WORDS] = "all";
        if (action->kind != STORM_ACTION_REPLAY || action->pace.rate > 0) {
            continue;
        }
        if (action->pace.limit != STORM_UNLIMITED) {
            snprintf(limit, sizeof limit, "up to %u", action->pace.limit);
        }
        snprintf(path, sizeof path, "actions.%u.replay", i);
        lint_add(lint, LINT_WARNING, path, "%s dead letters of '%s' are sent in one moment", limit,
                 lint->scenario->populations[action->population].name);
    }
}

void lint_rule_auto_replay(struct lint *lint) {
    for (uint32_t i = 0; i < lint->scenario->population_count; i++) {
        const struct storm_population *population = &lint->scenario->populations[i];
        char path[STORM_PATH_MAX], shown[LINT_WORDS];
        if (!storm_replays_itself(population)) {
            continue;
        }
        snprintf(path, sizeof path, "%s.%.100s.auto_replay", lint_map_of(population),
                 population->name);
        lint_add(lint, LINT_WARNING, path,
                 "each dead letter of '%s' is sent again after %s, for ever", population->name,
                 lint_seconds(storm_time_to_seconds(population->auto_replay), shown));
    }
}

/* ---- R024 ------------------------------------------------------------------------------------ */

/* The first action that sends requests again as new messages; NULL: none does. */
static const struct storm_action *resend_of(const struct storm_scenario *scenario) {
    for (uint32_t i = 0; i < scenario->action_count; i++) {
        enum storm_action_kind kind = scenario->actions[i].kind;
        if (kind == STORM_ACTION_RESEND || kind == STORM_ACTION_RERUN) {
            return &scenario->actions[i];
        }
    }
    return NULL;
}

void lint_rule_resent_key(struct lint *lint) {
    const struct storm_action *action = resend_of(lint->scenario);
    for (uint32_t i = 0; action != NULL && i < lint->scenario->service_count; i++) {
        const struct storm_service *service = &lint->scenario->services[i];
        const struct storm_idempotency *rule = &service->idempotency;
        char path[STORM_PATH_MAX], at[LINT_WORDS];
        if (!rule->counted || rule->mode == STORM_IDEMPOTENCY_NONE ||
            rule->key != STORM_KEY_MSG_ID) {
            continue;
        }
        snprintf(path, sizeof path, "services.%.100s.idempotency.key", service->name);
        lint_add(lint, LINT_WARNING, path,
                 "what '%s' sends again at %s has new msg_ids: '%s' takes all of it for new",
                 lint->scenario->populations[action->population].name,
                 storm_time_print(action->at, at, sizeof at), service->name);
    }
}

/* ---- R025 ------------------------------------------------------------------------------------ */

/* The call to a service whose last retry may come the latest; *longest is when, in seconds. */
static const struct lint_call *latest_retry(struct lint *lint, uint32_t service, double *longest) {
    const struct lint_call *latest = NULL;
    *longest = 0;
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        double time = lint_retries(call->policy) ? lint_longest(lint, call) : 0;
        if (call->edge->to == service && time > *longest) {
            latest = call;
            *longest = time;
        }
    }
    return latest;
}

void lint_rule_retention(struct lint *lint) {
    for (uint32_t i = 0; i < lint->scenario->service_count; i++) {
        const struct storm_service *service = &lint->scenario->services[i];
        const struct storm_idempotency *rule = &service->idempotency;
        char path[STORM_PATH_MAX], shown[LINT_WORDS], kept[LINT_WORDS];
        double longest, retention = storm_time_to_seconds(rule->retention);
        if (!rule->counted || rule->mode == STORM_IDEMPOTENCY_NONE || isinf(retention)) {
            continue;
        }
        const struct lint_call *call = latest_retry(lint, i, &longest);
        if (call == NULL || longest <= retention) {
            continue;
        }
        snprintf(path, sizeof path, "services.%.100s.idempotency.retention", service->name);
        lint_add(lint, LINT_WARNING, path,
                 "'%s' forgets a request after %s, but '%s' may try it again for %s", service->name,
                 lint_seconds(retention, kept), call->caller,
                 isinf(longest) ? "ever" : lint_seconds(longest, shown));
    }
}

/* ---- R027 ------------------------------------------------------------------------------------ */

void lint_rule_hedged_effects(struct lint *lint) {
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        const struct storm_service *service = &lint->scenario->services[call->edge->to];
        char path[STORM_PATH_MAX + 16];
        if (call->policy->hedge.attempts < 2 ||
            service->idempotency.mode != STORM_IDEMPOTENCY_NONE) {
            continue;
        }
        snprintf(path, sizeof path, "%s.hedge", call->policy_path);
        lint_add(lint, service->idempotency.counted ? LINT_WARNING : LINT_NOTE, path,
                 "up to %u copies of one attempt of '%s' are worked on by '%s', which does not "
                 "know them for copies",
                 call->policy->hedge.attempts, call->caller, service->name);
    }
}
