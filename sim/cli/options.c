/* options.c: the command line: one table of options gives parsing, help and suggestions. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include <assert.h>
#include <string.h>

#include <retrystorm/units.h>

#include "scenario/suggest.h"

/* One option. `letter` is its short form, and its key in struct cli_command.options; capital
   letters are keys of options without a short form. `argument` is what follows it; NULL:
   nothing. */
struct option {
    char letter;
    const char *name, *argument, *help;
    bool (*take)(struct cli_options *options, const char *text, struct storm_error *error);
};

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

static bool take_story_format(struct cli_options *o, const char *text, struct storm_error *error) {
    o->jsonl = strcmp(text, "jsonl") == 0;
    return o->jsonl || strcmp(text, "text") == 0 ||
           fail_text(error, "--format must be text or jsonl", text);
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
TAKE_FLAG(take_rules, rules)
TAKE_TEXT(take_out_dir, out_dir)
TAKE_TEXT(take_dead_letters, dead_letters)
TAKE_TEXT(take_service, service)
TAKE_TEXT(take_chart, chart)
TAKE_TEXT(take_request, request)
TAKE_TEXT(take_queue, letters.queue)
TAKE_TEXT(take_reason, letters.reason)
TAKE_TEXT(take_class, letters.class)
TAKE_TEXT(take_since, letters.since)
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
TAKE_FLAG(take_quiet, quiet)
TAKE_FLAG(take_no_progress, no_progress)
TAKE_FLAG(take_dark, dark)
TAKE_FLAG(take_help, help)
TAKE_FLAG(take_version, version)

static const struct option options_table[] = {
    {'v', "variant", "NAME", "take this variant of the scenario", take_variant},
    {'s', "set", "PATH=VALUE", "change a setting, as in --set policies.app.cap=30s", take_set},
    {'n', "runs", "N", "replications (default: the scenario's, else 30)", take_runs},
    {'S', "seed", "N", "the seed of all chance (default: the scenario's, else 1)", take_seed},
    {'j', "threads", "N", "threads (default: one per processor); never changes a result",
     take_threads},
    {'o', "output", "FILE", "also write FILE: .json .csv .png .svg .pdf .txt (repeat for more)",
     take_output},
    {'d', "out-dir", "DIR", "write all of these and the dead letters into DIR", take_out_dir},
    {';', "dead-letters", "FILE", "write the dead letters of run 0 to FILE", take_dead_letters},
    {'f', "format", "FORMAT", "on standard output: text, json or csv (default text)", take_format},
    {'L', "format", "FORMAT", "text or jsonl (default text)", take_story_format},
    {'K', "run", "N", "the run it is part of (default 0)", take_run},
    {'R', "request", "WHICH",
     "CLIENTS:MEMBER:ORDINAL, dead, slow or retried (default: dead, else slow)", take_request},
    {'p', "policy", "POLICY", "its name, or {delay: full-jitter, attempts: 7} as in a scenario",
     take_policy},
    {'t', "timeout", "TIME", "of each attempt (default: the call's)", take_timeout},
    {'Y', "deadline", "TIME", "of the whole call (default: the call's)", take_deadline},
    {'O', "outage", "TIME", "say how many attempts ride out an outage so long", take_outage},
    {'U', "survive", "SHARE", "with what probability (default 99%)", take_survive},
    {'H', "hint", "WHEN", "say what an answer with this retry-after does: 61s, 120 or a date",
     take_hint},
    {'B', "recovery", "TIME", "how long the service takes to come back", take_recovery},
    {'W', "rules", NULL, "list all rules, and why they are there", take_rules},
    {'V', "service", "NAME", "the service whose load is drawn (default: where most retries are)",
     take_service},
    {'G', "chart", "NAME", "which chart is drawn (default: load)", take_chart},
    {'D', "dark", NULL, "draw on a dark background", take_dark},
    {'E', "max-events", "N", "end a run after so many events (default 20G)", take_max_events},
    {'M', "max-memory", "MIB", "end a run that needs more memory (default 4096)", take_max_memory},
    {'0', "scenario", "SCENARIO", "the repaired scenario in which the letters are sent again",
     take_scenario},
    {'1', "queue", "NAME", "letters of this dead-letter queue, or sent to this queue or service",
     take_queue},
    {'2', "reason", "WORD", "letters that died for this reason", take_reason},
    {'3', "class", "CLASS", "letters of class system or data", take_class},
    {'4', "since", "TIME", "letters that died then or later, as in 2026-09-06T12:00", take_since},
    {'5', "until", "TIME", "letters that died before", take_until},
    {'6', "limit", "N", "no more than so many letters", take_limit},
    {'7', "now", "TIME",
     "the time now, for ages and the audit file (default: the newest letter's death)", take_now},
    {'8', "older-than", "TIME", "letters that died longer ago, as in 14d", take_older_than},
    {'9', "archive", "FILE", "where they go (default: FILE.archive.jsonl)", take_archive},
    {'!', "as", "DECISION", "fixed, resend-requested or discarded", take_decision},
    {'"', "by", "NAME", "who does this, for the audit file", take_by},
    {'#', "note", "TEXT", "why, for the audit file", take_note},
    {'$', "rate", "RATE", "so many letters a second, as in 50/s (default: all at once)", take_rate},
    {'%', "ramp", "TIME", "reach the rate in so long, from a tenth of it", take_ramp},
    {'&', "probe", "N", "send so many first, and the rest if they succeed", take_probe},
    {'(', "probe-success", "PART", "so many of the probe must (default 90%)", take_probe_success},
    {')', "at", "TIME", "begin so long into the run (default 30s, or a tenth of a short run)",
     take_at},
    {'*', "with-data", NULL, "send letters of class data, too", take_with_data},
    {'+', "again", NULL, "send letters again that were replayed and are dead again or in doubt",
     take_again},
    {',', "not-idempotent", NULL, "send them to a service that may do things twice",
     take_not_idempotent},
    {'-', "force", NULL, "send them whatever speaks against it", take_force},
    {'.', "dry-run", NULL, "only say what would be sent, and what speaks against it", take_dry_run},
    {'/', "audit", "FILE", "the audit file (default: FILE.audit.jsonl)", take_audit},
    {':', "output", "FILE", "write letters that die again to FILE", take_output},
    {'C', "color", "WHEN", "auto, always or never", take_color},
    {'P', "no-progress", NULL, "show no progress on the terminal", take_no_progress},
    {'q', "quiet", NULL, "print nothing but results and errors", take_quiet},
    {'h', "help", NULL, "print this help", take_help},
    {'I', "version", NULL, "print the version", take_version},
};

enum { OPTION_COUNT = sizeof options_table / sizeof options_table[0] };

static bool is_taken(const struct cli_command *command, const struct option *option) {
    return option->letter == 'h' || option->letter == 'I' ||
           strchr(command->options, option->letter) != NULL;
}

static bool has_short_form(const struct option *option) {
    return option->letter >= 'a' && option->letter <= 'z';
}

static const struct option *find_long(const struct cli_command *command, const char *name,
                                      size_t length) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options_table[i];
        if (is_taken(command, option) && strlen(option->name) == length &&
            strncmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

static const struct option *find_short(const struct cli_command *command, char letter) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options_table[i];
        if (is_taken(command, option) && has_short_form(option) && option->letter == letter) {
            return option;
        }
    }
    return NULL;
}

static bool refuse_long(const struct cli_command *command, const char *name, size_t length,
                        struct storm_error *error) {
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)(length < 63 ? length : 63), name);
    struct suggest suggest = suggest_begin(text);
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (is_taken(command, &options_table[i])) {
            suggest_offer(&suggest, options_table[i].name);
        }
    }
    storm_fail(error, STORM_USAGE, "'%s' has no option '--%s'", command->name, text);
    if (suggest.best != NULL) {
        snprintf(error->suggestion, sizeof error->suggestion, "did you mean '--%s'?", suggest.best);
    }
    return false;
}

/* The state of one walk through argv. */
struct walk {
    const struct cli_command *command;
    int argc, next;
    char **argv;
    struct cli_options *options;
    struct storm_error *error;
};

/* Applies an option; its argument is `attached`, or else the next word. */
static bool apply(struct walk *walk, const struct option *option, const char *attached) {
    const char *text = attached;
    if (option->argument == NULL && attached != NULL) {
        return storm_fail(walk->error, STORM_USAGE, "'--%s' takes no value", option->name);
    }
    if (option->argument != NULL && attached == NULL) {
        if (walk->next == walk->argc) {
            return storm_fail(walk->error, STORM_USAGE, "'--%s' needs a value: --%s %s",
                              option->name, option->name, option->argument);
        }
        text = walk->argv[walk->next++];
    }
    return option->take(walk->options, text, walk->error);
}

static bool parse_long(struct walk *walk, const char *word) {
    const char *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const struct option *option = find_long(walk->command, word, length);
    if (option == NULL) {
        return refuse_long(walk->command, word, length, walk->error);
    }
    return apply(walk, option, equals != NULL ? equals + 1 : NULL);
}

/* Short options may be bundled; the first that takes an argument takes the rest of the word. */
static bool parse_short(struct walk *walk, const char *word) {
    for (const char *c = word; *c != '\0'; c++) {
        const struct option *option = find_short(walk->command, *c);
        if (option == NULL) {
            return storm_fail(walk->error, STORM_USAGE, "'%s' has no option '-%c'",
                              walk->command->name, *c);
        }
        if (option->argument != NULL) {
            return apply(walk, option, c[1] != '\0' ? c + 1 : NULL);
        }
        if (!apply(walk, option, NULL)) {
            return false;
        }
    }
    return true;
}

/* Whether a command's operand may be left out, or be there several times. */
static bool is_optional(const struct cli_command *command) { return command->operand[0] == '['; }
static bool is_repeated(const struct cli_command *command) {
    return strstr(command->operand, "...") != NULL;
}

static bool take_operand(struct walk *walk, const char *word) {
    struct cli_options *options = walk->options;
    if (is_repeated(walk->command)) {
        options->operand = options->operand_count == 0 ? word : options->operand;
        return append(options->operands, &options->operand_count, word, walk->error);
    }
    if (walk->options->operand != NULL) {
        return storm_fail(walk->error, STORM_USAGE, "'%s' takes one %s, not also '%s'",
                          walk->command->name, walk->command->operand, word);
    }
    walk->options->operand = word;
    return true;
}

bool options_parse(const struct cli_command *command, int argc, char **argv,
                   struct cli_options *options, struct storm_error *error) {
    struct walk walk = {command, argc, 0, argv, options, error};
    bool only_operands = false, good = true;
    *options = (struct cli_options){0};
    assert(command->operand != NULL);
    while (good && walk.next < argc) {
        const char *word = argv[walk.next++];
        if (!only_operands && strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (!only_operands && strncmp(word, "--", 2) == 0) {
            good = parse_long(&walk, word + 2);
        } else if (!only_operands && word[0] == '-' && word[1] != '\0') {
            good = parse_short(&walk, word + 1);
        } else {
            good = take_operand(&walk, word);
        }
    }
    if (good && !is_optional(command) && options->operand == NULL && !options->help &&
        !options->version) {
        return storm_fail(error, STORM_USAGE, "'%s' needs a %s", command->name, command->operand);
    }
    return good;
}

void options_print_help(const struct cli_command *command, FILE *out) {
    fprintf(out, "Usage: retrystorm %s %s [option]...\n\n%s.\n\n", command->name, command->operand,
            command->summary);
    if (command->note != NULL) {
        fprintf(out, "%s\n\n", command->note);
    }
    fputs("Options:\n", out);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options_table[i];
        char form[64];
        if (!is_taken(command, option)) {
            continue;
        }
        snprintf(form, sizeof form, "--%s%s%s", option->name, option->argument != NULL ? " " : "",
                 option->argument != NULL ? option->argument : "");
        char letter[5] = "    ";
        if (has_short_form(option)) {
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        }
        fprintf(out, "  %s%-20s %s\n", letter, form, option->help);
    }
    fputs("\nExit codes: 0 done or yes, 1 no, 2 usage, 3 invalid input, 4 I/O or memory, 70 a "
          "bug,\n130 interrupted.\n",
          out);
}
