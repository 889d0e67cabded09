/* check_md.c: a check as Markdown. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "report/check_report.h"
#include "report/check_words.h"
#include "report/text.h"

/* So many rows of a scenario fit into a page that is read. */
enum { ROWS_MAX = 50 };

/* A text inside a table or a line: what Markdown would take for its own is escaped. */
static void write_plain(const char *text, FILE *out) {
    for (const char *c = text; *c != '\0';) {
        if (strchr("\\`*_{}[]<>#|~", *c) != NULL) {
            fputc('\\', out);
        }
        c = text_put(c, out);
    }
}

static void write_cell(const char *text, FILE *out) {
    fputs(" ", out);
    write_plain(text, out);
    fputs(" |", out);
}

static void write_row(const struct storm_check *check, const struct storm_check_row *row,
                      FILE *out) {
    static const char *const marks[] = {
        [STORM_LEVEL_FINE] = "✅", [STORM_LEVEL_WARNING] = "⚠️", [STORM_LEVEL_FAILURE] = "❌"};
    bool is_doubt = row->finding == STORM_FINDING_INCONCLUSIVE;
    struct check_words words = check_words_of(row);
    fprintf(out, "| %s %s%s%s |", is_doubt ? "❔" : marks[storm_check_level(check, row->finding)],
            storm_finding_word(row->finding), words.place[0] != '\0' ? ", " : "", words.place);
    const char *const cells[] = {row->variant, words.metric, words.baseline, words.now,
                                 words.change, words.range,  words.allowed};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        write_cell(cells[i], out);
    }
    fputc('\n', out);
}

static void write_table(const struct storm_check *check,
                        const struct storm_check_scenario *scenario, uint32_t news, FILE *out) {
    fputs("| | variant | metric | baseline | now | change | 95 % sure | allowed |\n"
          "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
          out);
    for (uint32_t i = 0; i < news && i < ROWS_MAX; i++) {
        write_row(check, &scenario->rows[i], out);
    }
    if (news > ROWS_MAX) {
        fprintf(out, "\nand %" PRIu32 " more\n", news - ROWS_MAX);
    }
}

static void write_scenario(const struct storm_check *check,
                           const struct storm_check_scenario *scenario, FILE *out) {
    char command[CHECK_COMMAND_MAX];
    uint32_t news = check_news(scenario->rows, scenario->row_count);
    if (news > 0) {
        fputs("\n#### ", out);
        write_plain(scenario->file, out);
        fprintf(out,
                "\n\n%" PRIu32 " runs of each variant, seed %" PRIu64 "; %" PRIu32
                " metrics the same, %" PRIu32 " bounds kept\n\n",
                scenario->runs, scenario->seed, scenario->counts[STORM_FINDING_SAME],
                scenario->counts[STORM_FINDING_KEPT]);
        write_table(check, scenario, news, out);
    }
    if (scenario->divergence.variant != NULL) {
        fputs("\nFirst difference:\n\n```sh\n", out);
        for (const char *c = check_trace(scenario, command); *c != '\0';) {
            c = text_put(c, out);
        }
        fputs("\n```\n", out);
    }
}

/* Those of which there is nothing to tell, in one list. */
static void write_quiet(const struct storm_check *check, FILE *out) {
    static const char *const words[] = {[STORM_BASELINE_UNASKED] = "bounds only",
                                        [STORM_BASELINE_MISSING] = "not in the baseline",
                                        [STORM_BASELINE_FOUND] = "as in the baseline",
                                        [STORM_BASELINE_GONE] =
                                            "in the baseline, and there is no such scenario"};
    fputc('\n', out);
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        const struct storm_check_scenario *scenario = &check->scenarios[i];
        if (check_news(scenario->rows, scenario->row_count) > 0) {
            continue;
        }
        fputs("- ", out);
        write_plain(scenario->file, out);
        fprintf(out, ": %s", words[scenario->state]);
        if (scenario->counts[STORM_FINDING_KEPT] > 0) {
            fprintf(out, ", %" PRIu32 " bounds kept", scenario->counts[STORM_FINDING_KEPT]);
        }
        fputc('\n', out);
    }
}

bool check_write_md(const struct storm_check *check, FILE *out) {
    char answer[CHECK_SENTENCE_MAX], next[CHECK_SENTENCE_MAX];
    const char *advice = check_advice(check, next);
    fprintf(out, "### retrystorm check %s\n", check_answer(check, answer));
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        write_scenario(check, &check->scenarios[i], out);
    }
    write_quiet(check, out);
    if (advice != NULL) {
        fprintf(out, "\nNext: %s.\n", advice);
    }
    return ferror(out) == 0;
}
