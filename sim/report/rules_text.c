/* rules_text.c: what decides about retries beside their delays, told below a schedule. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rules_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "report/chance_text.h"
#include "report/text.h"
#include "schedule/allowance.h"
#include "schedule/hinted.h"

static const char *time_phrase(struct page *page, storm_time time) {
    char text[64];
    return page_phrase(page, "%s", storm_time_print(time, text, sizeof text));
}

/* ---- hints and time -------------------------------------------------------------------------- */

const char *rules_hinted(struct page *page, const struct schedule *schedule, uint32_t k,
                         storm_time hint) {
    if (hinted_gives_up(schedule, hint)) {
        return "gives up";
    }
    struct hinted wait = hinted_wait(schedule, k, hint);
    return chance_range(page, storm_time_to_seconds(wait.low), storm_time_to_seconds(wait.high));
}

/* What the rule goes by beside the hint: ", hint_slack 5s". */
static const char *measure_phrase(struct page *page, const struct storm_hint_rule *rule) {
    if (rule->rule == STORM_HINT_CLAMP) {
        return page_phrase(page, ", hint_slack %s", time_phrase(page, rule->slack));
    }
    return rule->limit < STORM_NEVER
               ? page_phrase(page, ", hint_limit %s", time_phrase(page, rule->limit))
               : "";
}

void rules_write_hint(struct page *page, const struct schedule *schedule, storm_time hint) {
    fprintf(page->out, "Told to come back after %s (hint: %s%s): %s.\n", time_phrase(page, hint),
            hinted_rule(schedule), measure_phrase(page, &schedule->policy->hint),
            hinted_meaning(schedule));
}

void rules_write_time(struct page *page, const struct storm_policy *policy) {
    const char *time = time_phrase(page, policy->total_time);
    if (policy->total_time < STORM_NEVER && policy->time_rule == STORM_TIME_AFTER) {
        fprintf(page->out, "No retry is decided on at %s or later; its delay may lead beyond.\n",
                time);
    }
    if (policy->total_time < STORM_NEVER && policy->time_rule == STORM_TIME_TRUNCATE) {
        fprintf(page->out, "A delay that leads beyond %s is cut: the last attempt begins then.\n",
                time);
    }
}

/* ---- budgets --------------------------------------------------------------------------------- */

static const char *whose(const struct storm_budget *budget) {
    switch ((enum storm_scope)budget->scope) {
    case STORM_SCOPE_CLIENT:
        return "each client";
    case STORM_SCOPE_HOST:
        return "each host";
    case STORM_SCOPE_SHARED:
        return "all callers";
    }
    assert(0 && "no such scope");
    return "";
}

static const char *count_phrase(struct page *page, uint32_t count) {
    return count >= ALLOWANCE_MOST ? "any number of" : page_phrase(page, "%" PRIu32, count);
}

/* " (after a timeout 50, after a 429 100)" where their prices differ. */
static const char *exceptions_phrase(struct page *page, const struct storm_budget *budget) {
    uint32_t usual = allowance_of(budget, 503).in_a_row;
    uint32_t timeouts = allowance_of(budget, STORM_OUTCOME_TIMEOUT).in_a_row;
    uint32_t throttled = allowance_of(budget, 429).in_a_row;
    if (timeouts == usual && throttled == usual) {
        return "";
    }
    return page_phrase(page, " (after timeouts %s, after 429s %s)", count_phrase(page, timeouts),
                       count_phrase(page, throttled));
}

static void write_allowance(struct page *page, const struct storm_budget *budget) {
    struct allowance allowance = allowance_of(budget, 503);
    char number[TEXT_NUMBER_SIZE];
    fprintf(page->out, "allows %s retries in a row%s.\n", count_phrase(page, allowance.in_a_row),
            exceptions_phrase(page, budget));
    if (allowance.earned_by < ALLOWANCE_MOST) {
        fprintf(page->out, "Then %" PRIu32 " request%s without a retry earn%s the next one%s.\n",
                allowance.earned_by, page_plural(allowance.earned_by),
                allowance.earned_by == 1 ? "s" : "",
                budget->kind == STORM_BUDGET_COST ? "; a retry that succeeds is given back" : "");
    }
    if (!isinf(allowance.bound)) {
        fprintf(page->out, "In the long run at most %s attempts per request",
                text_number(allowance.bound, number));
        bool has_reserve = budget->kind == STORM_BUDGET_WINDOW && budget->reserve > 0;
        fprintf(page->out, has_reserve ? ", and %s retries per second.\n" : ".\n",
                text_number(budget->reserve, number));
    }
}

static void write_places(struct page *page, const struct storm_budget *budget) {
    if (budget->most == UINT32_MAX) {
        fputs("allows any number of retries at once.\n", page->out);
        return;
    }
    fprintf(page->out, "allows %" PRIu32 " retr%s at once%s", budget->most,
            budget->most == 1 ? "y" : "ies",
            budget->count_backing_off ? ", back-off included" : "");
    if (budget->ratio > 0) {
        fprintf(page->out, ", or %s of the calls under way if that is more",
                chance_percent(page, budget->ratio));
    }
    fputs(".\n", page->out);
}

void rules_write_budget(struct page *page, const struct storm_policy *policy) {
    const struct storm_budget *budget = &policy->budget;
    if (budget->kind == STORM_BUDGET_NONE) {
        return;
    }
    fprintf(page->out, "The budget of %s ", whose(budget));
    if (budget->kind == STORM_BUDGET_CONCURRENCY) {
        write_places(page, budget);
    } else {
        write_allowance(page, budget);
    }
}
