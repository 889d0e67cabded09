/* main.c: the table of commands, and the way into them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/output.h"

/* Words that several commands take. */
#define ONE_RUN "seed max-events max-memory "
#define MANY_RUNS ONE_RUN "runs threads color no-progress quiet "
#define PICTURE "service dark "
#define EXPERIMENT "variant set output out-dir dead-letters format " PICTURE MANY_RUNS
#define LETTERS "queue reason class since until limit "
#define BOOKS "now audit "

/* The options are named as in option_table.c. A command that stands for several has nothing to run;
   they follow it, with their second words. */
static const struct cli_command commands[] = {
    {"run", "SCENARIO", "Simulate a scenario many times and print every metric", EXPERIMENT,
     cmd_run, NULL},
    {"compare", "SCENARIO", "Simulate its variants under the same luck, side by side",
     "reference tolerance/compare until-precision max-runs/compare differences " EXPERIMENT,
     cmd_compare, "--variant may be repeated; without it all variants are compared."},
    {"sweep", "SCENARIO", "Simulate it at many points, into one SQLite file",
     "vary points count variant set output/sweep shard runs threads no-progress quiet " ONE_RUN,
     cmd_sweep, "A sweep that was ended goes on when the same command is given again."},
    {"merge", "SHARD...", "Join the shards of a sweep into one file", "output/sweep quiet",
     cmd_merge, NULL},
    {"trace", "SCENARIO", "Follow one request of a run, or all that happens in a window",
     "variant set run request from to service/trace clients limit/trace format/trace "
     "output/trace " ONE_RUN,
     cmd_trace,
     "Without --from and --to it tells one request's life: the first that was given up, else the\n"
     "slowest, or the one of --request."},
    {"limit", "SCENARIO", "Find how far a setting can go before a criterion changes side",
     "vary/limit until/limit precision variant set runs/limit max-runs/limit threads format/plain "
     "no-progress quiet " ONE_RUN,
     cmd_limit, NULL},
    {"tune", "SCENARIO", "Find the settings that are best for a goal within constraints",
     "goal subject-to vary/tune budget runs/tune confirm against variant set output/tune "
     "threads format/plain no-progress quiet " ONE_RUN,
     cmd_tune, NULL},
    {"schedule", "[SCENARIO]", "Print when tries happen, and which outages they ride out",
     "variant set policy timeout deadline outage survive hint", cmd_schedule, NULL},
    {"size", "[POLICY]", "Propose attempts, base and cap for the time a service takes to recover",
     "recovery deadline timeout survive", cmd_size,
     "POLICY is the shape of its delays: a name such as full-jitter (the default), a preset's\n"
     "name, or a map as in a scenario: '{delay: exponential, factor: 3}'."},
    {"dlq", "VERB FILE", "Dead letters: ls, stats, show, resolve, replay, expire", "", NULL, NULL},
    {"dlq ls", "FILE", "List dead letters", "format " LETTERS BOOKS, dlq_ls, NULL},
    {"dlq stats", "FILE", "Count them by queue, reason, status and class, and over time",
     "format " BOOKS, dlq_stats, NULL},
    {"dlq show", "FILE ID...", "Say why a letter is there", "format/story " BOOKS, dlq_show, NULL},
    {"dlq resolve", "FILE ID...", "Record what somebody has decided about a letter",
     "as by note " BOOKS, dlq_resolve, NULL},
    {"dlq replay", "FILE", "Send letters once more, in a run of a repaired scenario",
     "scenario variant set rate ramp probe probe-success at dry-run with-data again not-idempotent "
     "force "
     "output/letters format by " LETTERS BOOKS ONE_RUN,
     dlq_replay, NULL},
    {"dlq expire", "FILE", "Move letters that are too old to an archive", "older-than archive now",
     dlq_expire, NULL},
    {"check", "[SCENARIO...]", "Check that bounds are kept and nothing is worse than the baseline",
     "baseline no-baseline update force/check tolerance/check inconclusive format/check md junit "
     "tap github color no-progress quiet runs threads " ONE_RUN,
     cmd_check,
     "Without a SCENARIO: those of scenarios/*.yaml, or else of *.yaml, that expect something or\n"
     "are in the baseline."},
    {"diff", "RESULT...", "Tell how the runs of two JSON results differ", "format/plain color",
     cmd_diff, "It takes two RESULTs, the older one first."},
    {"lint", "[SCENARIO...]", "Look for what is probably wrong, without simulating",
     "variant set rules format/lint", cmd_lint, NULL},
    {"plot", "RESULT", "Draw a JSON result, or a sweep's file, as a picture",
     "output/plot chart " PICTURE, cmd_plot, NULL},
    {"presets", "[NAME]", "List what products do, or explain one", "", cmd_presets, NULL},
    {"explain", "[PATH]", "Say what a setting, a metric or a verdict is", "", cmd_explain, NULL},
    {"schema", "[KIND]", "Print the JSON Schema of a scenario, or of a result", "", cmd_schema,
     NULL},
    {"init", "[FILE]", "Write a scenario to start from (default: scenario.yaml)", "quiet", cmd_init,
     NULL},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_version(void) { puts("retrystorm " STORM_VERSION); }

/* A command's word among those of its group: "ls" of "dlq ls" in "dlq". NULL: it is in another one.
   The group NULL has the words that stand alone. */
static const char *word_in(const char *group, const struct cli_command *command) {
    const char *blank = strchr(command->name, ' ');
    if (group == NULL || blank == NULL) {
        return group == NULL && blank == NULL ? command->name : NULL;
    }
    size_t length = (size_t)(blank - command->name);
    return strlen(group) == length && strncmp(group, command->name, length) == 0 ? blank + 1 : NULL;
}

static void print_commands(const char *group, int width, FILE *out) {
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const struct cli_command *command = &commands[i];
        if (word_in(group, command) != NULL) {
            fprintf(out, "  %-*s %-13s %s\n", width, command->name, command->operand,
                    command->summary);
        }
    }
}

static void print_help(FILE *out) {
    fputs("Usage: retrystorm COMMAND OPERAND [option]...\n\n"
          "Simulates retry storms: does the service come back, how big is the storm, what is "
          "lost.\n\n"
          "Commands:\n",
          out);
    print_commands(NULL, 8, out);
    fputs("\n'retrystorm COMMAND --help' lists the options of a command.\n"
          "First steps: retrystorm compare scenarios/01-thundering-herd.yaml -o chart.png\n",
          out);
}

/* Of a command that stands for several. */
static void print_group_help(const struct cli_command *command, FILE *out) {
    fprintf(out, "Usage: retrystorm %s %s [option]...\n\n%s.\n\n", command->name, command->operand,
            command->summary);
    print_commands(command->name, 11, out);
    fprintf(out, "\n'retrystorm %s VERB --help' lists the options of one.\n", command->name);
}

static const struct cli_command *find_command(const char *group, const char *name,
                                              struct storm_error *error) {
    struct suggest suggest = suggest_begin(name);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const char *word = word_in(group, &commands[i]);
        if (word != NULL && strcmp(word, name) == 0) {
            return &commands[i];
        }
        if (word != NULL) {
            suggest_offer(&suggest, word);
        }
    }
    storm_fail(error, STORM_USAGE, "there is no command '%s%s%s'", group != NULL ? group : "",
               group != NULL ? " " : "", name);
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return NULL;
}

/* A failed assertion is a bug of ours: say so, and end with the code that means it. */
static void report_bug(int number) {
    static const char text[] =
        "retrystorm: internal error (a bug); please report it with the scenario and "
        "the command line\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(CLI_BUG);
}

/* Help and version, too, may be meant for a file on a full disk. */
static enum cli_exit finish_output(void) {
    struct storm_error error;
    return output_end(true, &error) ? CLI_YES : complain(&error);
}

/* Whoever was not understood is told where to read how to say it: the last word on any usage error,
   wherever in a command it was found. `command` is NULL, or a group's, where it is not known. */
static int point_to_help(const struct cli_command *command, enum cli_exit code) {
    if (code == CLI_USAGE) {
        fprintf(stderr, "  = help: see 'retrystorm %s%s--help'\n",
                command != NULL ? command->name : "", command != NULL ? " " : "");
    }
    return (int)code;
}

static enum cli_exit run_command(const struct cli_command *command, int argc, char **argv) {
    struct cli_options options;
    struct storm_error error = {0};
    if (!options_parse(command, argc, argv, &options, &error)) {
        return complain(&error);
    }
    if (options.help) {
        options_print_help(command, stdout);
        return finish_output();
    }
    if (options.version) {
        print_version();
        return finish_output();
    }
    return command->run(&options);
}

/* Hundreds of runs take and give back the same few megabytes: the C library keeps them instead of
   returning each page to the system to fault it in again (a tenth of the time of a comparison). */
static void keep_memory(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

int main(int argc, char **argv) {
    struct storm_error error = {0};
    keep_memory();
    signal(SIGABRT, report_bug);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ,
           SIG_IGN); /* a write beyond the limit on file sizes fails like one on a full disk */
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return (int)finish_output();
    }
    if (strcmp(argv[1], "--version") == 0) {
        print_version();
        return (int)finish_output();
    }
    const struct cli_command *group = NULL, *command = find_command(NULL, argv[1], &error);
    int words = 2;
    if (command != NULL && command->run == NULL) {
        if (argc < 3 || strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0) {
            print_group_help(command, argc < 3 ? stderr : stdout);
            return (int)(argc < 3 ? CLI_USAGE : finish_output());
        }
        group = command;
        command = find_command(group->name, argv[2], &error);
        words = 3;
    }
    if (command == NULL) {
        return point_to_help(group, complain(&error));
    }
    return point_to_help(command, run_command(command, argc - words, argv + words));
}
