/* asked.h: what was asked for on the command line. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_ASKED_H
#define CLI_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/check.h>
#include <retrystorm/load.h>
#include <retrystorm/units.h>

#include "search/points.h"

enum cli_format { CLI_TEXT, CLI_JSON, CLI_CSV };
enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };

enum { CLI_LIST_MAX = 64, CLI_OPERANDS_MAX = 1000 };

/* What is asked of dead letters. NULL, 0 and false: not given. */
struct cli_letters {
    const char *queue, *reason, *class;
    const char *since, *until, *now; /* instants, as typed */
    const char *archive, *audit, *scenario, *by, *note, *decision;
    uint32_t limit, probe;
    storm_time older_than, ramp, at;
    double rate, probe_success;
    bool dry_run, with_data, not_idempotent, again, force;
};

/* What sweeps and searches vary, and where their points are. */
struct cli_search {
    const char *vary[CLI_LIST_MAX]; /* see axis_parse */
    size_t vary_count;
    enum points_method method;
    uint32_t count;                        /* of points that are drawn; 0: not given */
    uint32_t shard, shards;                /* shard 2 of 4; 0 of 0: all */
    const char *until;                     /* limit: the criterion; NULL: not given */
    double precision;                      /* limit: of its interval; 0: not given */
    const char *goal;                      /* tune; NULL: not given */
    const char *constraints[CLI_LIST_MAX]; /* tune */
    size_t constraint_count;
    const char *against[CLI_LIST_MAX]; /* tune: variants; none: all of them */
    size_t against_count;
    uint32_t budget, confirm; /* tune: points, and runs that confirm; 0: not given */
};

enum cli_check_format { CLI_CHECK_TEXT, CLI_CHECK_MD, CLI_CHECK_JSON, CLI_CHECK_BENCH };

/* What is asked of a check. NULL, 0 and false: not given. */
struct cli_check {
    const char *baseline, *md, *junit, *tap;
    const char *tolerances[CLI_LIST_MAX]; /* see tolerances_add */
    size_t tolerance_count;
    enum cli_check_format format;
    enum storm_doubt doubt;
    bool no_baseline, update, force, github;
};

/* What is asked of a comparison. */
struct cli_compare {
    const char *reference; /* a variant; NULL: the first */
    double tolerance;      /* what is no change; 0 unless has_tolerance */
    double precision;      /* runs are added until then; 0: not given */
    bool has_tolerance, differences;
};

/* What was asked for. Strings point into argv. */
struct cli_options {
    const char *operand;                    /* the scenario or result file; NULL: none given */
    const char *operands[CLI_OPERANDS_MAX]; /* all of them, where a command takes several */
    size_t operand_count;
    const char *variants[CLI_LIST_MAX]; /* NULL past the last */
    size_t variant_count;
    struct storm_override sets[CLI_LIST_MAX];
    size_t set_count;
    const char *outputs[CLI_LIST_MAX];
    size_t output_count;
    const char *out_dir;
    const char *dead_letters; /* run, compare: the file for those of run 0; NULL: none */
    const char *service;
    const char *chart;   /* NULL: the first of the table */
    const char *request; /* trace: which one; NULL: the most telling one */
    uint32_t run;        /* trace: of which run */
    bool jsonl, chrome;  /* trace; neither: text, or as the file's name says */
    bool has_format;
    storm_time from, to; /* trace: a window */
    bool has_from, has_to;
    const char *clients;  /* trace: whose requests; NULL: all */
    uint32_t trace_limit; /* trace: lines or events; 0: not given */
    const char *policy;   /* schedule: a name, or a map in braces; NULL: the scenario's */
    storm_time timeout, deadline, outage; /* schedule, size; 0: not given */
    double survive;                       /* schedule, size; 0: not given */
    const char *hint;                     /* schedule: as a server writes it; NULL: not given */
    storm_time recovery;                  /* size; 0: not given */
    bool rules, sarif;                    /* lint; sarif: what `format` JSON is to be */
    struct cli_letters letters;           /* dlq */
    struct cli_compare compare;           /* compare */
    struct cli_search search;             /* sweep, limit, tune */
    struct cli_check check;
    enum cli_format format;
    enum cli_color color;
    uint64_t seed;
    bool has_seed;
    uint32_t runs;     /* 0: as the scenario says */
    uint32_t max_runs; /* of those that are added until something can be told; 0: not given */
    uint32_t threads;  /* 0: as many as there are processors */
    uint64_t max_events;
    size_t max_memory;
    bool quiet, no_progress, dark, help, version;
};

#endif
