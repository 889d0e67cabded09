/* cmd_schema.c: print the JSON Schema of a scenario or of a result. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "guide/schema.h"

enum cli_exit cmd_schema(const struct cli_options *options) {
    static const struct {
        const char *word;
        bool (*write)(FILE *out);
    } kinds[] = {{"scenario", schema_write}, {"result", result_schema_write}};
    struct storm_error error = {0};
    const char *wanted = options->operand != NULL ? options->operand : kinds[0].word;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].word, wanted) == 0) {
            output_begin();
            return output_end(kinds[i].write(stdout), &error) ? CLI_YES : complain(&error);
        }
    }
    storm_fail(&error, STORM_USAGE, "there is no schema of '%.100s'", wanted);
    snprintf(error.suggestion, sizeof error.suggestion,
             "write 'retrystorm schema scenario' or 'retrystorm schema result'");
    return complain(&error);
}
