/* cmd_schedule.c: when exactly tries happen, and which outages they ride out. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include <retrystorm/units.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/inline_policy.h"
#include "cli/output.h"
#include "cli/scenario_file.h"
#include "policy/hint.h"
#include "report/schedule_text.h"

enum { TITLE_MAX = 256, TOLD_MAX = 32 };

/* The schedules being printed. */
struct listing {
    const struct cli_options *options;
    const struct storm_policy *instead;      /* of every call's own; NULL: their own */
    storm_time hint;                         /* negative: none */
    struct schedule_question told[TOLD_MAX]; /* the first that were shown */
    char titles[TOLD_MAX][TITLE_MAX];
    uint32_t shown;
    bool good;
};

static bool given(storm_time time) { return time > 0; }

/* What was shown for the same policy and the same times; NULL: nothing yet. */
static const struct schedule_question *told_before(const struct listing *listing,
                                                   const struct schedule_question *question) {
    for (uint32_t i = 0; i < listing->shown && i < TOLD_MAX; i++) {
        const struct schedule_question *told = &listing->told[i];
        if (told->policy == question->policy && told->timeout == question->timeout &&
            told->deadline == question->deadline) {
            return told;
        }
    }
    return NULL;
}

static void remember(struct listing *listing, const struct schedule_question *question) {
    if (listing->shown < TOLD_MAX && question->title != NULL) {
        char *title = listing->titles[listing->shown];
        snprintf(title, TITLE_MAX, "%s", question->title);
        listing->told[listing->shown] = *question;
        listing->told[listing->shown].title = title;
    }
    listing->shown++;
}

/* Prints one schedule. A policy that never tries again is shown only when it was asked for. */
static void show(struct listing *listing, const char *title, const struct storm_policy *policy,
                 storm_time timeout, storm_time deadline) {
    const struct cli_options *options = listing->options;
    struct schedule_question question = {
        .title = title,
        .policy = listing->instead != NULL ? listing->instead : policy,
        .timeout = given(options->timeout) ? options->timeout : timeout,
        .deadline = given(options->deadline) ? options->deadline : deadline,
        .outage = given(options->outage) ? options->outage : STORM_NEVER,
        .target = options->survive > 0 ? options->survive : 0.99,
        .hint = listing->hint};
    if (title != NULL && policy->attempts == 1) {
        return;
    }
    const struct schedule_question *told = told_before(listing, &question);
    if (listing->shown > 0) {
        putchar('\n');
    }
    if (told != NULL) {
        printf("%s: the same as %s\n", title, told->title);
        return;
    }
    remember(listing, &question);
    listing->good = schedule_write_text(&question, stdout) && listing->good;
}

static void show_edge(struct listing *listing, const struct storm_scenario *scenario,
                      const char *caller, const struct storm_edge *edge, uint32_t policy,
                      const char *whose) {
    char title[TITLE_MAX];
    snprintf(title, sizeof title, "%s -> %s%s", caller, edge->to_name, whose);
    show(listing, title, &scenario->policies[policy], storm_edge_timeout(edge), edge->deadline);
}

static void show_population(struct listing *listing, const struct storm_scenario *scenario,
                            const struct storm_population *population) {
    char caller[TITLE_MAX], whose[TITLE_MAX];
    snprintf(caller, sizeof caller, "clients.%s", population->name);
    show_edge(listing, scenario, caller, &population->call, population->call.policy, "");
    for (uint32_t i = 0; i < population->fleet_count; i++) {
        const struct storm_fleet *fleet = &population->fleets[i];
        snprintf(whose, sizeof whose, " (share %s)", scenario->policies[fleet->policy].name);
        show_edge(listing, scenario, caller, &population->call, fleet->policy, whose);
    }
}

/* Every call that retries, from the clients down. */
static void show_scenario(struct listing *listing, const struct storm_scenario *scenario) {
    char caller[TITLE_MAX];
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        show_population(listing, scenario, &scenario->populations[i]);
    }
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        const struct storm_service *service = &scenario->services[i];
        snprintf(caller, sizeof caller, "services.%s", service->name);
        for (uint32_t j = 0; j < service->call_count; j++) {
            const struct storm_edge *edge = &scenario->calls[service->call_first + j];
            show_edge(listing, scenario, caller, edge, edge->policy, "");
        }
    }
    if (listing->shown == 0) {
        puts("No call of the scenario retries.");
    }
}

static enum cli_exit finish(const struct listing *listing) {
    struct storm_error error;
    bool good = output_end(true, &error) &&
                (listing->good || storm_fail(&error, STORM_LIMIT, "no memory for the schedule"));
    return good ? CLI_YES : complain(&error);
}

/* The policy of --policy: one of the scenario's by its name, a headline, or a map. */
static enum cli_exit choose_policy(const struct cli_options *options,
                                   const struct storm_scenario *scenario, struct listing *listing,
                                   struct inline_policy *holder) {
    for (uint32_t i = 0; scenario != NULL && i < scenario->policy_count; i++) {
        if (strcmp(scenario->policies[i].name, options->policy) == 0) {
            listing->instead = &scenario->policies[i];
            return CLI_YES;
        }
    }
    enum cli_exit code = inline_policy_read("--policy", options->policy, holder);
    listing->instead = holder->policy;
    return code;
}

/* A hint as a duration, or as servers write it. A date is told from the scenario's time 0. */
static bool read_hint(const char *text, const struct storm_scenario *scenario, storm_time *hint,
                      struct storm_error *error) {
    double seconds;
    bool is_date = strchr(text, ':') != NULL;
    if (storm_unit_parse(text, STORM_UNIT_DURATION, &seconds, NULL, 0) == NULL) {
        *hint = storm_time_from_seconds(seconds);
        return true;
    }
    if (is_date && scenario == NULL) {
        return storm_fail(error, STORM_USAGE,
                          "--hint can be a date only with a SCENARIO, whose epoch it is told from");
    }
    return hint_parse(text, scenario != NULL ? scenario->epoch : 0, hint) ||
           storm_fail(
               error, STORM_USAGE,
               "--hint must be a retry-after, such as 61s, 120 or an HTTP date, not '%.100s'",
               text);
}

static enum cli_exit schedule_of(const struct cli_options *options,
                                 const struct storm_scenario *scenario) {
    struct listing listing = {.options = options, .hint = HINT_NONE, .good = true};
    struct inline_policy holder = {0};
    struct storm_error error;
    if (options->hint != NULL && !read_hint(options->hint, scenario, &listing.hint, &error)) {
        return complain(&error);
    }
    if (options->policy != NULL) {
        enum cli_exit code = choose_policy(options, scenario, &listing, &holder);
        if (code != CLI_YES) {
            inline_policy_free(&holder);
            return code;
        }
    }
    output_begin();
    if (scenario != NULL) {
        show_scenario(&listing, scenario);
    } else {
        show(&listing, NULL, listing.instead, STORM_NEVER, STORM_NEVER);
    }
    inline_policy_free(&holder);
    return finish(&listing);
}

enum cli_exit cmd_schedule(const struct cli_options *options) {
    struct storm_error error;
    struct scenario_file file;
    const struct storm_scenario *scenario;
    if (options->operand == NULL && options->policy == NULL) {
        storm_fail(&error, STORM_USAGE,
                   "'schedule' needs a SCENARIO or a --policy, such as --policy full-jitter");
        return complain(&error);
    }
    if (options->variant_count > 1) {
        storm_fail(&error, STORM_USAGE, "'schedule' takes one --variant");
        return complain(&error);
    }
    if (options->operand == NULL) {
        return schedule_of(options, NULL);
    }
    enum cli_exit code = scenario_file_decode(&file, options->operand, options, &scenario);
    code = code == CLI_YES ? schedule_of(options, scenario) : code;
    scenario_file_free(&file);
    return code;
}
