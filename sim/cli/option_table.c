/* option_table.c: every option of every command, one row each, and how its value is read. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/option_table.h"

#include <string.h>

#include <retrystorm/units.h>

static bool fail_text(struct storm_error *error, const char *what, const char *text) {
    return storm_fail(error, STORM_USAGE, "%s, not '%s'", what, text);
}

static bool parse_count(const char *text, double least, double most, const char *what,
                        double *value, struct storm_error *error) {
    if (storm_unit_parse(text, STORM_UNIT_COUNT, value, NULL, 0) != NULL || *value < least ||
        *value > most) {
        return fail_text(error, what, text);
    }
    return true;
}

/* Adds a word to a list of the options. False after filling `error` when it is full. */
static bool append(const char **list, size_t *count, const char *text, struct storm_error *error) {
    if (*count == CLI_LIST_MAX) {
        return storm_fail(error, STORM_USAGE, "an option was given more than %d times",
                          CLI_LIST_MAX);
    }
    list[(*count)++] = text;
    return true;
}

static bool take_output(struct cli_options *o, const char *text, struct storm_error *error) {
    return append(o->outputs, &o->output_count, text, error);
}

static bool take_variant(struct cli_options *o, const char *text, struct storm_error *error) {
    return append(o->variants, &o->variant_count, text, error);
}

static bool take_set(struct cli_options *o, const char *text, struct storm_error *error) {
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return fail_text(error, "--set needs path=value, such as policies.app.cap=30s", text);
    }
    if (o->set_count == CLI_LIST_MAX) {
        return storm_fail(error, STORM_USAGE, "--set was given more than %d times", CLI_LIST_MAX);
    }
    *equals = '\0'; /* argv is ours to cut */
    o->sets[o->set_count++] = (struct storm_override){text, equals + 1};
    return true;
}

static bool take_runs(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, 1e6, "--runs must be a whole number from 1 to 1M", &value, error)) {
        return false;
    }
    o->runs = (uint32_t)value;
    return true;
}

static bool take_tolerance(struct cli_options *o, const char *text, struct storm_error *error) {
    double *share = &o->compare.tolerance;
    o->compare.has_tolerance = true;
    return (storm_unit_parse(text, STORM_UNIT_SHARE, share, NULL, 0) == NULL && *share < 1) ||
           fail_text(error, "--tolerance must be a share below 100%, such as 1%", text);
}

static bool take_until_precision(struct cli_options *o, const char *text,
                                 struct storm_error *error) {
    double *share = &o->compare.precision;
    return (storm_unit_parse(text, STORM_UNIT_SHARE, share, NULL, 0) == NULL && *share > 0 &&
            *share < 1) ||
           fail_text(error, "--until-precision must be a share below 100%, such as 2%", text);
}

static bool take_differences(struct cli_options *o, const char *text, struct storm_error *error) {
    (void)text;
    (void)error;
    o->compare.differences = true;
    return true;
}

static bool take_max_runs(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, 1e6, "--max-runs must be a whole number from 1 to 1M", &value,
                     error)) {
        return false;
    }
    o->max_runs = (uint32_t)value;
    return true;
}

static bool take_threads(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, 256, "--threads must be a whole number from 1 to 256", &value,
                     error)) {
        return false;
    }
    o->threads = (uint32_t)value;
    return true;
}

static bool take_seed(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 0, 9e15, "--seed must be a whole number up to 9e15", &value, error)) {
        return false;
    }
    o->seed = (uint64_t)value;
    o->has_seed = true;
    return true;
}

static bool take_max_events(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, 9e15, "--max-events must be a whole number", &value, error)) {
        return false;
    }
    o->max_events = (uint64_t)value;
    return true;
}

static bool take_max_memory(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, 1 << 20, "--max-memory must be a number of MiB, up to 1M", &value,
                     error)) {
        return false;
    }
    o->max_memory = (size_t)value << 20;
    return true;
}

static bool take_format(struct cli_options *o, const char *text, struct storm_error *error) {
    static const char *const words[] = {"text", "json", "csv"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(words[i], text) == 0) {
            o->format = (enum cli_format)i;
            return true;
        }
    }
    return fail_text(error, "--format must be text, json or csv", text);
}

static bool take_plain_format(struct cli_options *o, const char *text, struct storm_error *error) {
    o->format = strcmp(text, "json") == 0 ? CLI_JSON : CLI_TEXT;
    return o->format == CLI_JSON || strcmp(text, "text") == 0 ||
           fail_text(error, "--format must be text or json", text);
}

static bool take_lint_format(struct cli_options *o, const char *text, struct storm_error *error) {
    o->sarif = strcmp(text, "sarif") == 0;
    o->format = o->sarif || strcmp(text, "json") == 0 ? CLI_JSON : CLI_TEXT;
    return o->format == CLI_JSON || strcmp(text, "text") == 0 ||
           fail_text(error, "--format must be text, json or sarif", text);
}

static bool take_story_format(struct cli_options *o, const char *text, struct storm_error *error) {
    o->jsonl = strcmp(text, "jsonl") == 0;
    return o->jsonl || strcmp(text, "text") == 0 ||
           fail_text(error, "--format must be text or jsonl", text);
}

static bool take_trace_format(struct cli_options *o, const char *text, struct storm_error *error) {
    o->jsonl = strcmp(text, "jsonl") == 0;
    o->chrome = strcmp(text, "chrome") == 0;
    o->has_format = true;
    return o->jsonl || o->chrome || strcmp(text, "text") == 0 ||
           fail_text(error, "--format must be text, jsonl or chrome", text);
}

/* A moment of the run, which may be its first. */
static bool parse_moment(const char *text, const char *what, storm_time *time,
                         struct storm_error *error) {
    double value;
    if (storm_unit_parse(text, STORM_UNIT_DURATION, &value, NULL, 0) != NULL || value < 0 ||
        value > 1e9) {
        return fail_text(error, what, text);
    }
    *time = storm_time_from_seconds(value);
    return true;
}

static bool take_from(struct cli_options *o, const char *text, struct storm_error *error) {
    o->has_from = true;
    return parse_moment(text, "--from must be a time of the run, such as 60s", &o->from, error);
}

static bool take_to(struct cli_options *o, const char *text, struct storm_error *error) {
    o->has_to = true;
    return parse_moment(text, "--to must be a time of the run, such as 61s", &o->to, error);
}

static bool take_trace_limit(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, 1e8, "--limit must be a whole number from 1 to 100M", &value,
                     error)) {
        return false;
    }
    o->trace_limit = (uint32_t)value;
    return true;
}

static bool take_run(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 0, 1e6, "--run must be a whole number from 0 to 1M", &value, error)) {
        return false;
    }
    o->run = (uint32_t)value;
    return true;
}

static bool take_color(struct cli_options *o, const char *text, struct storm_error *error) {
    static const char *const words[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(words[i], text) == 0) {
            o->color = (enum cli_color)i;
            return true;
        }
    }
    return fail_text(error, "--color must be auto, always or never", text);
}

static bool parse_duration(const char *text, const char *what, storm_time *time,
                           struct storm_error *error) {
    double value;
    if (storm_unit_parse(text, STORM_UNIT_DURATION, &value, NULL, 0) != NULL || value <= 0 ||
        value > 1e9) {
        return fail_text(error, what, text);
    }
    *time = storm_time_from_seconds(value);
    return *time > 0 || fail_text(error, what, text);
}

static bool take_timeout(struct cli_options *o, const char *text, struct storm_error *error) {
    return parse_duration(text, "--timeout must be a duration, such as 2s", &o->timeout, error);
}

static bool take_deadline(struct cli_options *o, const char *text, struct storm_error *error) {
    return parse_duration(text, "--deadline must be a duration, such as 1m", &o->deadline, error);
}

static bool take_outage(struct cli_options *o, const char *text, struct storm_error *error) {
    return parse_duration(text, "--outage must be a duration, such as 30s", &o->outage, error);
}

static bool take_recovery(struct cli_options *o, const char *text, struct storm_error *error) {
    return parse_duration(text, "--recovery must be a duration, such as 30s", &o->recovery, error);
}

static bool take_survive(struct cli_options *o, const char *text, struct storm_error *error) {
    return (storm_unit_parse(text, STORM_UNIT_SHARE, &o->survive, NULL, 0) == NULL &&
            o->survive > 0 && o->survive <= 1) ||
           fail_text(error, "--survive must be a share up to 100%, such as 99%", text);
}

static bool take_older_than(struct cli_options *o, const char *text, struct storm_error *error) {
    return parse_duration(text, "--older-than must be a duration, such as 14d",
                          &o->letters.older_than, error);
}

static bool take_ramp(struct cli_options *o, const char *text, struct storm_error *error) {
    return parse_duration(text, "--ramp must be a duration, such as 1m", &o->letters.ramp, error);
}

static bool take_at(struct cli_options *o, const char *text, struct storm_error *error) {
    return parse_duration(text, "--at must be a duration, such as 30s", &o->letters.at, error);
}

static bool take_limit(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, 1e6, "--limit must be a whole number from 1 to 1M", &value, error)) {
        return false;
    }
    o->letters.limit = (uint32_t)value;
    return true;
}

static bool take_probe(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, 1e6, "--probe must be a whole number from 1 to 1M", &value, error)) {
        return false;
    }
    o->letters.probe = (uint32_t)value;
    return true;
}

static bool take_probe_success(struct cli_options *o, const char *text, struct storm_error *error) {
    double *share = &o->letters.probe_success;
    return (storm_unit_parse(text, STORM_UNIT_SHARE, share, NULL, 0) == NULL && *share > 0 &&
            *share <= 1) ||
           fail_text(error, "--probe-success must be a share up to 100%, such as 90%", text);
}

static bool take_rate(struct cli_options *o, const char *text, struct storm_error *error) {
    double *rate = &o->letters.rate;
    return (storm_unit_parse(text, STORM_UNIT_RATE, rate, NULL, 0) == NULL && *rate > 0 &&
            *rate <= 1e6) ||
           fail_text(error, "--rate must be a rate, such as 50/s", text);
}

static bool take_vary(struct cli_options *o, const char *text, struct storm_error *error) {
    return append(o->search.vary, &o->search.vary_count, text, error);
}

static bool take_points(struct cli_options *o, const char *text, struct storm_error *error) {
    static const enum points_method methods[] = {POINTS_GRID, POINTS_RANDOM, POINTS_SOBOL};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (strcmp(points_word(methods[i]), text) == 0) {
            o->search.method = methods[i];
            return true;
        }
    }
    return fail_text(error, "--points must be grid, random or sobol", text);
}

static bool take_count(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, POINTS_MAX, "--count must be a whole number from 1 to 1M", &value,
                     error)) {
        return false;
    }
    o->search.count = (uint32_t)value;
    return true;
}

static bool take_precision(struct cli_options *o, const char *text, struct storm_error *error) {
    double *share = &o->search.precision;
    return (storm_unit_parse(text, STORM_UNIT_SHARE, share, NULL, 0) == NULL && *share > 0 &&
            *share < 1) ||
           fail_text(error, "--precision must be a share below 100%, such as 2%", text);
}

static bool take_budget(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 1, 1e5, "--budget must be a whole number from 1 to 100k", &value,
                     error)) {
        return false;
    }
    o->search.budget = (uint32_t)value;
    return true;
}

static bool take_confirm(struct cli_options *o, const char *text, struct storm_error *error) {
    double value;
    if (!parse_count(text, 10, 1e5, "--confirm must be a whole number from 10 to 100k", &value,
                     error)) {
        return false;
    }
    o->search.confirm = (uint32_t)value;
    return true;
}

static bool take_subject_to(struct cli_options *o, const char *text, struct storm_error *error) {
    return append(o->search.constraints, &o->search.constraint_count, text, error);
}

static bool take_against(struct cli_options *o, const char *text, struct storm_error *error) {
    return append(o->search.against, &o->search.against_count, text, error);
}

/* "2/4" */
static bool take_shard(struct cli_options *o, const char *text, struct storm_error *error) {
    static const char what[] = "--shard must be one of how many, as in 2/4";
    char first[16];
    double shard, shards;
    const char *slash = strchr(text, '/');
    size_t length = slash != NULL ? (size_t)(slash - text) : sizeof first;
    if (length >= sizeof first) {
        return fail_text(error, what, text);
    }
    memcpy(first, text, length);
    first[length] = '\0';
    if (!parse_count(slash + 1, 1, CLI_OPERANDS_MAX, what, &shards, error) ||
        !parse_count(first, 1, shards, what, &shard, error)) {
        return fail_text(error, what, text);
    }
    o->search.shard = (uint32_t)shard;
    o->search.shards = (uint32_t)shards;
    return true;
}

static bool take_metric_tolerance(struct cli_options *o, const char *text,
                                  struct storm_error *error) {
    return append(o->check.tolerances, &o->check.tolerance_count, text, error);
}

static bool take_check_format(struct cli_options *o, const char *text, struct storm_error *error) {
    static const char *const words[] = {"text", "md", "json", "gh-benchmark"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(words[i], text) == 0) {
            o->check.format = (enum cli_check_format)i;
            return true;
        }
    }
    return fail_text(error, "--format must be text, md, json or gh-benchmark", text);
}

static bool take_inconclusive(struct cli_options *o, const char *text, struct storm_error *error) {
    o->check.doubt = strcmp(text, "fail") == 0 ? STORM_DOUBT_FAIL : STORM_DOUBT_PASS;
    return o->check.doubt == STORM_DOUBT_FAIL || strcmp(text, "pass") == 0 ||
           fail_text(error, "--inconclusive must be fail or pass", text);
}

#define TAKE_TEXT(name, member)                                                                    \
    static bool name(struct cli_options *o, const char *text, struct storm_error *error) {         \
        (void)error;                                                                               \
        o->member = text;                                                                          \
        return true;                                                                               \
    }
#define TAKE_FLAG(name, member)                                                                    \
    static bool name(struct cli_options *o, const char *text, struct storm_error *error) {         \
        (void)text;                                                                                \
        (void)error;                                                                               \
        o->member = true;                                                                          \
        return true;                                                                               \
    }
TAKE_TEXT(take_policy, policy)
TAKE_TEXT(take_hint, hint)
TAKE_TEXT(take_criterion, search.until)
TAKE_TEXT(take_goal, search.goal)
TAKE_FLAG(take_rules, rules)
TAKE_TEXT(take_out_dir, out_dir)
TAKE_TEXT(take_dead_letters, dead_letters)
TAKE_TEXT(take_service, service)
TAKE_TEXT(take_chart, chart)
TAKE_TEXT(take_request, request)
TAKE_TEXT(take_clients, clients)
TAKE_TEXT(take_queue, letters.queue)
TAKE_TEXT(take_reason, letters.reason)
TAKE_TEXT(take_class, letters.class)
TAKE_TEXT(take_since, letters.since)
TAKE_TEXT(take_reference, compare.reference)
TAKE_TEXT(take_until, letters.until)
TAKE_TEXT(take_now, letters.now)
TAKE_TEXT(take_archive, letters.archive)
TAKE_TEXT(take_audit, letters.audit)
TAKE_TEXT(take_scenario, letters.scenario)
TAKE_TEXT(take_by, letters.by)
TAKE_TEXT(take_note, letters.note)
TAKE_TEXT(take_decision, letters.decision)
TAKE_FLAG(take_dry_run, letters.dry_run)
TAKE_FLAG(take_with_data, letters.with_data)
TAKE_FLAG(take_not_idempotent, letters.not_idempotent)
TAKE_FLAG(take_again, letters.again)
TAKE_FLAG(take_force, letters.force)
TAKE_TEXT(take_baseline, check.baseline)
TAKE_TEXT(take_md, check.md)
TAKE_TEXT(take_junit, check.junit)
TAKE_TEXT(take_tap, check.tap)
TAKE_FLAG(take_no_baseline, check.no_baseline)
TAKE_FLAG(take_update, check.update)
TAKE_FLAG(take_force_update, check.force)
TAKE_FLAG(take_github, check.github)
TAKE_FLAG(take_quiet, quiet)
TAKE_FLAG(take_no_progress, no_progress)
TAKE_FLAG(take_dark, dark)
TAKE_FLAG(take_help, help)
TAKE_FLAG(take_version, version)

const struct option option_table[] = {
    {"variant", 'v', "NAME", "take this variant of the scenario", .take = take_variant},
    {"set", 's', "PATH=VALUE", "change a setting, as in --set policies.app.cap=30s",
     .take = take_set},
    {"runs", 'n', "N", "replications (default: the scenario's, else 30)", .take = take_runs},
    {"seed", 0, "N", "the seed of all chance (default: the scenario's, else 1)", .take = take_seed},
    {"threads", 'j', "N", "threads (default: one per processor); never changes a result",
     .take = take_threads},
    {"output", 'o', "FILE", "also write FILE: .json .csv .png .svg .pdf .txt (repeat for more)",
     .take = take_output},
    {"output", 'o', "FILE", "the picture: FILE.png, .svg or .pdf", .take = take_output,
     .meaning = "plot"},
    {"out-dir", 'd', "DIR", "write all of these and the dead letters into DIR",
     .take = take_out_dir},
    {"reference", 0, "NAME", "the variant that the others are compared with (default: the first)",
     .take = take_reference},
    {"tolerance", 0, "SHARE", "a smaller change of a metric is none (default 1%)",
     .take = take_tolerance, .meaning = "compare"},
    {"until-precision", 0, "N%", "add runs until the differences are known to within N%",
     .take = take_until_precision},
    {"max-runs", 0, "N", "but no more than so many (default 1000)", .take = take_max_runs,
     .meaning = "compare"},
    {"differences", 0, NULL, "list the difference of every metric", .take = take_differences},
    {"dead-letters", 0, "FILE", "write the dead letters of run 0 to FILE",
     .take = take_dead_letters},
    {"format", 'f', "FORMAT", "on standard output: text, json or csv (default text)",
     .take = take_format},
    {"format", 0, "FORMAT", "text or jsonl (default text)", .take = take_story_format,
     .meaning = "story"},
    {"format", 'f', "FORMAT", "text, json or sarif (default text)", .take = take_lint_format,
     .meaning = "lint"},
    {"from", 0, "TIME", "look at all that happens from then on, as in 60s", .take = take_from},
    {"to", 0, "TIME", "until then (default: the end of the run)", .take = take_to},
    {"service", 0, "NAME", "only what happens at this service", .take = take_service,
     .meaning = "trace"},
    {"clients", 0, "NAME", "only what is done for these clients", .take = take_clients},
    {"limit", 0, "N", "at most so many lines (default 200) or events (chrome 300k, jsonl all)",
     .take = take_trace_limit, .meaning = "trace"},
    {"format", 'f', "FORMAT", "text, jsonl, or chrome: a trace for Perfetto and chrome://tracing",
     .take = take_trace_format, .meaning = "trace"},
    {"output", 'o', "FILE", "write it to FILE: .txt, .jsonl, or .json for chrome",
     .take = take_output, .meaning = "trace"},
    {"run", 0, "N", "the run it is part of (default 0)", .take = take_run},
    {"request", 0, "WHICH",
     "dead, slow, retried, or CLIENTS:MEMBER:ORDINAL (default dead, else slow)",
     .take = take_request},
    {"policy", 'p', "POLICY", "its name, or {delay: full-jitter, attempts: 7} as in a scenario",
     .take = take_policy},
    {"timeout", 't', "TIME", "of each attempt (default: the call's)", .take = take_timeout},
    {"deadline", 0, "TIME", "of the whole call (default: the call's)", .take = take_deadline},
    {"outage", 0, "TIME", "say how many attempts ride out an outage so long", .take = take_outage},
    {"survive", 0, "SHARE", "with what probability (default 99%)", .take = take_survive},
    {"hint", 0, "WHEN", "say what an answer with this retry-after does: 61s, 120 or a date",
     .take = take_hint},
    {"recovery", 0, "TIME", "how long the service takes to come back", .take = take_recovery},
    {"rules", 0, NULL, "list all rules, and why they are there", .take = take_rules},
    {"service", 0, "NAME", "the service whose load is drawn (default: where most retries are)",
     .take = take_service},
    {"chart", 0, "NAME", "load of results (default); heat (default) or front of a sweep",
     .take = take_chart},
    {"dark", 0, NULL, "draw on a dark background", .take = take_dark},
    {"max-events", 0, "N", "end a run after so many events (default 20G)", .take = take_max_events},
    {"max-memory", 0, "MIB", "end a run that needs more memory (default 4096)",
     .take = take_max_memory},
    {"scenario", 0, "SCENARIO", "the repaired scenario in which the letters are sent again",
     .take = take_scenario},
    {"queue", 0, "NAME", "letters of this dead-letter queue, or sent to this queue or service",
     .take = take_queue},
    {"reason", 0, "WORD", "letters that died for this reason", .take = take_reason},
    {"class", 0, "CLASS", "letters of class system or data", .take = take_class},
    {"since", 0, "TIME", "letters that died then or later, as in 2026-09-06T12:00",
     .take = take_since},
    {"until", 0, "TIME", "letters that died before", .take = take_until},
    {"limit", 0, "N", "no more than so many letters", .take = take_limit},
    {"now", 0, "TIME",
     "the time now, for ages and the audit file (default: the newest letter's death)",
     .take = take_now},
    {"older-than", 0, "TIME", "letters that died longer ago, as in 14d", .take = take_older_than},
    {"archive", 0, "FILE", "where they go (default: FILE.archive.jsonl)", .take = take_archive},
    {"as", 0, "DECISION", "fixed, resend-requested or discarded", .take = take_decision},
    {"by", 0, "NAME", "who does this, for the audit file", .take = take_by},
    {"note", 0, "TEXT", "why, for the audit file", .take = take_note},
    {"rate", 0, "RATE", "so many letters a second, as in 50/s (default: all at once)",
     .take = take_rate},
    {"ramp", 0, "TIME", "reach the rate in so long, from a tenth of it", .take = take_ramp},
    {"probe", 0, "N", "send so many first, and the rest if they succeed", .take = take_probe},
    {"probe-success", 0, "PART", "so many of the probe must (default 90%)",
     .take = take_probe_success},
    {"at", 0, "TIME", "begin so long into the run (default 30s, or a tenth of a short run)",
     .take = take_at},
    {"with-data", 0, NULL, "send letters of class data, too", .take = take_with_data},
    {"again", 0, NULL, "send letters again that were replayed and are dead again or in doubt",
     .take = take_again},
    {"not-idempotent", 0, NULL, "send them to a service that may do things twice",
     .take = take_not_idempotent},
    {"force", 0, NULL, "send them whatever speaks against it", .take = take_force},
    {"dry-run", 0, NULL, "only say what would be sent, and what speaks against it",
     .take = take_dry_run},
    {"audit", 0, "FILE", "the audit file (default: FILE.audit.jsonl)", .take = take_audit},
    {"output", 0, "FILE", "write letters that die again to FILE", .take = take_output,
     .meaning = "letters"},
    {"output", 'o', "FILE", "the sweep's file (.sqlite)", .take = take_output, .meaning = "sweep"},
    {"vary", 0, "PATH=VALUES", "1s..60s/log/10, 1..8/4 or 2s,5s,10s; or variant=NAME,NAME (repeat)",
     .take = take_vary},
    {"points", 0, "HOW", "grid, random or sobol (default grid: every combination)",
     .take = take_points},
    {"count", 0, "N", "so many points, if not a grid (default 100)", .take = take_count},
    {"shard", 0, "I/N", "make only the I-th of N parts, to be joined by merge", .take = take_shard},
    {"vary", 0, "PATH[=A..B]", "the setting, from its own value on, or in a range (add /log)",
     .take = take_vary, .meaning = "limit"},
    {"until", 0, "CRITERION", "METRIC [STATISTIC] < BOUND, as in 'recovers < 99%'",
     .take = take_criterion, .meaning = "limit"},
    {"precision", 0, "SHARE", "how narrow the interval is to be (default 2%)",
     .take = take_precision},
    {"runs", 'n', "N", "runs of the first look at a value (default 2)", .take = take_runs,
     .meaning = "limit"},
    {"max-runs", 0, "N", "runs at a value that nothing proves (default 400)", .take = take_max_runs,
     .meaning = "limit"},
    {"goal", 0, "GOAL", "min or max METRIC [STATISTIC], as in 'min time_to_recover'",
     .take = take_goal},
    {"subject-to", 0, "BOUND", "what must hold, as in 'peak_load < 2x' (repeat for more)",
     .take = take_subject_to},
    {"vary", 0, "PATH=VALUES", "1s..60s/log, 1..8 or 2s,5s,10s; or variant=NAME,NAME (repeat)",
     .take = take_vary, .meaning = "tune"},
    {"budget", 0, "N", "points to try (default 60)", .take = take_budget},
    {"runs", 'n', "N", "runs at each point (default 12)", .take = take_runs, .meaning = "tune"},
    {"confirm", 0, "N", "fresh runs that confirm the best (default 200)", .take = take_confirm},
    {"against", 0, "NAME", "a variant to compare the best with (default: all of them)",
     .take = take_against},
    {"output", 'o', "FILE", "write the chosen settings to FILE.yaml", .take = take_output,
     .meaning = "tune"},
    {"format", 'f', "FORMAT", "text or json (default text)", .take = take_plain_format,
     .meaning = "plain"},
    {"baseline", 0, "FILE", "the baseline (default: retrystorm.baseline.json)",
     .take = take_baseline},
    {"no-baseline", 0, NULL, "check only what the scenarios expect", .take = take_no_baseline},
    {"update", 0, NULL, "write these runs into the baseline", .take = take_update},
    {"force", 0, NULL, "--update even under CI=true", .take = take_force_update,
     .meaning = "check"},
    {"tolerance", 0, "SHARE",
     "what is no change (default 1%), or METRIC=SHARE, which the baseline keeps (repeat)",
     .take = take_metric_tolerance, .meaning = "check"},
    {"inconclusive", 0, "HOW", "fail or pass when the runs do not tell (default: exit 5)",
     .take = take_inconclusive},
    {"md", 0, "FILE", "also write Markdown, as for $GITHUB_STEP_SUMMARY", .take = take_md},
    {"junit", 0, "FILE", "also write JUnit XML", .take = take_junit},
    {"tap", 0, "FILE", "also write the Test Anything Protocol", .take = take_tap},
    {"github", 0, NULL, "also print annotations for GitHub", .take = take_github},
    {"format", 'f', "FORMAT", "on standard output: text, md, json or gh-benchmark (default text)",
     .take = take_check_format, .meaning = "check"},
    {"color", 0, "WHEN", "auto, always or never", .take = take_color},
    {"no-progress", 0, NULL, "show no progress on the terminal", .take = take_no_progress},
    {"quiet", 'q', NULL, "print nothing but results and errors", .take = take_quiet},
    {"help", 'h', NULL, "print this help", .take = take_help},
    {"version", 0, NULL, "print the version", .take = take_version},
};

const int option_count = sizeof option_table / sizeof option_table[0];
