/* option_table.h: every option of every command, one row each. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include <stdbool.h>

#include <retrystorm/error.h>

#include "cli/asked.h"

/* One option. `letter` is its short form; 0: none. `argument` is what follows it; NULL: nothing.
   `meaning`: where commands share the name but not what it means, the word that tells which; in
   struct cli_command.options it follows the name after a slash. */
struct option {
    const char *name;
    char letter;
    const char *argument, *help;
    bool (*take)(struct cli_options *options, const char *text, struct storm_error *error);
    const char *meaning;
};

extern const struct option option_table[];
extern const int option_count;

#endif
