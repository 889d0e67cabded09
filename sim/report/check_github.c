/* check_github.c: a check as workflow commands, which GitHub shows beside the lines they are
   about. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "report/check_report.h"
#include "report/check_words.h"
#include "report/text.h"

/* A step shows so many errors, and so many warnings. */
enum { SHOWN_MAX = 10 };

/* As the runner undoes it: in messages %, CR and LF are escaped, in properties : and , as well. */
static void write_escaped(const char *text, bool is_property, FILE *out) {
    for (const char *c = text; *c != '\0';) {
        bool is_special = *c == '%' || *c == '\r' || *c == '\n';
        if (is_special || (is_property && (*c == ':' || *c == ','))) {
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*c++);
        } else {
            c = text_put(c, out);
        }
    }
}

static void write_command(const char *command, const char *file, int line, const char *title,
                          const char *message, FILE *out) {
    fprintf(out, "::%s file=", command);
    write_escaped(file, true, out);
    fprintf(out, ",line=%d,title=", line > 0 ? line : 1);
    write_escaped(title, true, out);
    fputs("::", out);
    write_escaped(message, false, out);
    fputc('\n', out);
}

static void write_row(const struct storm_check_scenario *scenario,
                      const struct storm_check_row *row, const char *command, FILE *out) {
    char title[CHECK_SENTENCE_MAX], sentence[CHECK_SENTENCE_MAX];
    write_command(command, scenario->file, row->line, check_title(row, title),
                  check_sentence(scenario, row, sentence), out);
}

/* The first of all rows of a level; the worst stand first. Returns how many there are. */
static uint32_t write_level(const struct storm_check *check, enum storm_level level,
                            const char *command, FILE *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        const struct storm_check_scenario *scenario = &check->scenarios[i];
        bool is_lacking = level == STORM_LEVEL_FAILURE && check_lacks_baseline(check, scenario);
        for (uint32_t r = 0; r < scenario->row_count; r++) {
            bool is_wanted = storm_check_level(check, scenario->rows[r].finding) == level;
            if (is_wanted && count < SHOWN_MAX) {
                write_row(scenario, &scenario->rows[r], command, out);
            }
            count += is_wanted ? 1 : 0;
        }
        if (is_lacking && count < SHOWN_MAX) {
            write_command(command, scenario->file, 1, "no baseline",
                          "the scenario is not in the baseline", out);
        }
        count += is_lacking ? 1 : 0;
    }
    return count;
}

bool check_write_github(const struct storm_check *check, FILE *out) {
    uint32_t errors = write_level(check, STORM_LEVEL_FAILURE, "error", out);
    uint32_t warnings = write_level(check, STORM_LEVEL_WARNING, "warning", out);
    if (errors > SHOWN_MAX || warnings > SHOWN_MAX) {
        fprintf(out,
                "::notice title=retrystorm check::%" PRIu32 " errors and %" PRIu32
                " warnings in all; the table has the others\n",
                errors, warnings);
    }
    return ferror(out) == 0;
}
