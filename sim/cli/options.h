/* options.h: the command line: one table of commands and one of options give parsing, help and
   suggestions. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/error.h>

#include "cli/asked.h"

/* Exit codes: 0 done, or "yes"; 1 "no", the answer of commands that judge; from 2 on: could not
   answer. */
enum cli_exit {
    CLI_YES = 0,
    CLI_NO = 1,
    CLI_USAGE = 2,
    CLI_INVALID = 3,
    CLI_IO = 4,
    CLI_INCONCLUSIVE = 5,
    CLI_BUG = 70,
    CLI_INTERRUPTED = 130
};

/* A command: a word, or two where the first stands for several; its operand ("[...]": it may be
   left out; "...": there may be several), what it does, and the names of the options it takes, with
   blanks between them (see option_table.c). `note`: what else its help says; NULL: nothing. */
struct cli_command {
    const char *name, *operand, *summary, *options;
    enum cli_exit (*run)(const struct cli_options *options);
    const char *note;
};

/* Reads argv after the command's word. False after filling `error` (STORM_USAGE), with a
   suggestion where one helps. */
bool options_parse(const struct cli_command *command, int argc, char **argv,
                   struct cli_options *options, struct storm_error *error);

/* The seed asked for; else `own`, the scenario's. */
uint64_t options_seed(const struct cli_options *options, uint64_t own);

/* Writes "path=value, path=value" of every --set, for the record, as far as there is room. */
void options_overrides(const struct cli_options *options, char *buffer, size_t size);

/* Prints the help of one command. */
void options_print_help(const struct cli_command *command, FILE *out);

#endif
