/* lint_text.c: findings and rules of lint as a text for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/lint_text.h"

#include <assert.h>

#include "report/text.h"

enum { WIDTH = 80, INDENT = 4 };

static void write_wrapped(const char *text, FILE *out) {
    fprintf(out, "%*s", INDENT, "");
    text_wrap(out, text, INDENT, INDENT, WIDTH);
}

static void write_fix(const struct lint_rule *rule, FILE *out) {
    static const char help[] = "= help: ";
    fprintf(out, "%*s%s", INDENT, "", help);
    text_wrap(out, rule->fix, INDENT + (int)sizeof help - 1, INDENT, WIDTH);
}

static void write_count(const char *word, size_t count, bool *comma, FILE *out) {
    if (count > 0) {
        fprintf(out, "%s%zu %s%s", *comma ? ", " : "", count, word, count == 1 ? "" : "s");
        *comma = true;
    }
}

static void write_counts(const struct lint_findings *findings, const char *file, FILE *out) {
    size_t counts[LINT_NOTE + 1] = {0};
    bool comma = false;
    for (size_t i = 0; i < findings->count; i++) {
        counts[findings->list[i].severity]++;
    }
    fprintf(out, "%s: ", file);
    for (int severity = LINT_ERROR; severity <= LINT_NOTE; severity++) {
        write_count(lint_severity_word((enum lint_severity)severity), counts[severity], &comma,
                    out);
    }
    fputs(comma ? "\n" : "nothing found\n", out);
}

bool lint_write_findings(const struct lint_findings *findings, const char *file, FILE *out) {
    assert(file != NULL);
    for (size_t i = 0; i < findings->count; i++) {
        const struct lint_finding *finding = &findings->list[i];
        fprintf(out, "%s:", file);
        if (finding->line > 0) {
            fprintf(out, "%d:%d:", finding->line, finding->column);
        }
        fprintf(out, " %s: %s [%s]\n", lint_severity_word(finding->severity), finding->rule->title,
                finding->rule->id);
        write_wrapped(finding->message, out);
        write_fix(finding->rule, out);
    }
    write_counts(findings, file, out);
    return ferror(out) == 0;
}

bool lint_write_rules(FILE *out) {
    for (size_t i = 0; i < lint_rule_count(); i++) {
        const struct lint_rule *rule = lint_rule_at(i);
        fprintf(out, "%s %s: %s\n", rule->id, lint_severity_word(rule->severity), rule->title);
        write_wrapped(rule->why, out);
        write_fix(rule, out);
    }
    return ferror(out) == 0;
}
