/* complain.c: errors on standard error, and the exit code they mean. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/complain.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"

static enum cli_exit exit_code(enum storm_status status) {
    switch (status) {
    case STORM_OK:
        return CLI_YES;
    case STORM_USAGE:
        return CLI_USAGE;
    case STORM_INVALID:
        return CLI_INVALID;
    case STORM_IO:
    case STORM_LIMIT:
        return CLI_IO;
    case STORM_INTERRUPTED:
        return interrupt_exit();
    }
    assert(0 && "no such status");
    return CLI_BUG;
}

/* Names from files and command lines may hold what controls a terminal: it is shown as '?'. */
static void print_safely(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        bool is_c1 = c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0;
        fputc(*c < 0x20 || *c == 0x7F || is_c1 ? '?' : *c, stderr);
        c += is_c1;
    }
}

enum cli_exit complain(const struct storm_error *error) {
    assert(error->status != STORM_OK);
    /* Errors of files name them in the sentence already. */
    bool says_where = error->path[0] == '\0' || strstr(error->message, error->path) != NULL;
    fputs("retrystorm: ", stderr);
    if (!says_where) {
        print_safely(error->path);
        fputs(": ", stderr);
    }
    print_safely(error->message);
    fputc('\n', stderr);
    if (error->suggestion[0] != '\0') {
        fputs("  = help: ", stderr);
        print_safely(error->suggestion);
        fputc('\n', stderr);
    }
    return exit_code(error->status);
}

bool complain_blame(const char *file, struct storm_error *error) {
    char message[STORM_MESSAGE_MAX];
    char place[32] = "";
    if (error->status == STORM_INVALID) {
        if (error->line > 0) {
            snprintf(place, sizeof place, "%d:%d: ", error->line, error->column);
        }
        snprintf(message, sizeof message, "%.60s: %s%.150s", file, place, error->message);
        memcpy(error->message, message, sizeof message);
        error->path[0] = '\0'; /* the sentence names the place, too */
    }
    return false;
}

enum cli_exit complain_about(const char *file, const char *text, size_t length,
                             const struct storm_errors *errors) {
    file = strcmp(file, "-") == 0 ? "<stdin>" : file;
    char *printed = storm_errors_print(errors, file, text, length);
    assert(errors->count > 0);
    fputs(printed != NULL ? printed : "retrystorm: the scenario is not valid\n", stderr);
    free(printed);
    return exit_code(errors->list[0].status);
}
