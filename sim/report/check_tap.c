/* check_tap.c: a check in the Test Anything Protocol. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "report/check_report.h"
#include "report/check_words.h"
#include "report/text.h"

/* A description in which nothing is taken for a directive or a line's end. */
static void write_description(const char *text, FILE *out) {
    for (const char *c = text; *c != '\0';) {
        if (*c == '#' || *c == '\\') {
            fputc('\\', out);
        }
        c = text_put(c, out);
    }
}

static void write_row(const struct storm_check *check, const struct storm_check_scenario *scenario,
                      const struct storm_check_row *row, uint32_t number, FILE *out) {
    char text[CHECK_SENTENCE_MAX];
    enum storm_level level = storm_check_level(check, row->finding);
    fprintf(out, "%s %" PRIu32 " - ", level == STORM_LEVEL_FINE ? "ok" : "not ok", number);
    write_description(scenario->name, out);
    fputs(", ", out);
    write_description(check_title(row, text), out);
    if (level == STORM_LEVEL_WARNING) {
        fputs(" # TODO only a warning", out);
    }
    fputc('\n', out);
    if (level != STORM_LEVEL_FINE) {
        fputs("# ", out);
        write_description(check_sentence(scenario, row, text), out);
        fputc('\n', out);
    }
}

bool check_write_tap(const struct storm_check *check, FILE *out) {
    uint32_t count = 0, number = 0;
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        const struct storm_check_scenario *scenario = &check->scenarios[i];
        count += scenario->row_count + (scenario->state == STORM_BASELINE_MISSING ? 1 : 0);
    }
    fprintf(out, "TAP version 13\n1..%" PRIu32 "%s\n", count,
            count == 0 ? " # SKIP nothing to compare" : "");
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        const struct storm_check_scenario *scenario = &check->scenarios[i];
        for (uint32_t r = 0; r < scenario->row_count; r++) {
            write_row(check, scenario, &scenario->rows[r], ++number, out);
        }
        if (scenario->state == STORM_BASELINE_MISSING) {
            fprintf(out, "%s %" PRIu32 " - ", check->is_updated ? "ok" : "not ok", ++number);
            write_description(scenario->name, out);
            fputs(" is in the baseline\n", out);
        }
    }
    return ferror(out) == 0;
}
