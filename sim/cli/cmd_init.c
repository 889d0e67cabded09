/* cmd_init.c: write a scenario to start from. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "guide/starter.h"

/* Makes the file, which must not be there yet: what somebody has written is never lost. */
static bool create(const char *file, struct storm_error *error) {
    FILE *out = fopen(file, "wx");
    if (out == NULL && errno == EEXIST) {
        storm_fail(error, STORM_IO, "'%.150s' exists already and is left as it is", file);
        snprintf(error->suggestion, sizeof error->suggestion,
                 "name another file: retrystorm init FILE");
        return false;
    }
    if (out == NULL) {
        return storm_fail(error, STORM_IO, "cannot write '%.150s': %s", file, strerror(errno));
    }
    bool written = fputs(starter_text, out) >= 0;
    int wrong = errno;
    if (fclose(out) != 0 || !written) {
        wrong = written ? errno : wrong;
        remove(file);
        return storm_fail(error, STORM_IO, "cannot write '%.150s': %s", file, strerror(wrong));
    }
    return true;
}

enum cli_exit cmd_init(const struct cli_options *options) {
    struct storm_error error = {0};
    const char *file = options->operand != NULL ? options->operand : "scenario.yaml";
    if (strcmp(file, "-") == 0) {
        output_begin();
        return output_end(fputs(starter_text, stdout) >= 0, &error) ? CLI_YES : complain(&error);
    }
    if (!create(file, &error)) {
        return complain(&error);
    }
    if (!options->quiet) {
        fprintf(stderr, "wrote %s; next: retrystorm compare %s -o chart.png\n", file, file);
    }
    return CLI_YES;
}
