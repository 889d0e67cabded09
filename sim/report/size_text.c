/* size_text.c: a proposed policy, ready to paste, and what else would do. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/size_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>

#include <retrystorm/units.h>

#include "base/arena.h"
#include "policy/registry.h"
#include "report/chance_text.h"
#include "report/page.h"
#include "report/text.h"

/* A text being written. */
struct sheet {
    struct page page;
    const struct size_question *question;
    struct size_answer answer;
};

static const char *exact(struct sheet *sheet, storm_time time) {
    char text[64];
    return page_phrase(&sheet->page, "%s", storm_time_print(time, text, sizeof text));
}

static const char *target_phrase(struct sheet *sheet) {
    double target = sheet->question->target;
    char text[TEXT_NUMBER_SIZE];
    storm_double_print(floor(target * 1e8 + 0.5) / 1e6, text, sizeof text);
    return page_phrase(&sheet->page, "%s%%%s", text, target < 1 ? " or more" : "");
}

static bool has_deadline(const struct sheet *sheet) {
    return sheet->question->deadline < STORM_NEVER;
}

static bool has_timeout(const struct sheet *sheet) {
    return sheet->question->timeout < STORM_NEVER;
}

/* "30s before its deadline of 60s" */
static const char *task_phrase(struct sheet *sheet) {
    const char *recovery = exact(sheet, sheet->question->recovery);
    return has_deadline(sheet) ? page_phrase(&sheet->page, "%s before its deadline of %s", recovery,
                                             exact(sheet, sheet->question->deadline))
                               : recovery;
}

/* ---- the policy ------------------------------------------------------------------------------ */

static void write_policy(struct sheet *sheet, const struct size_choice *choice) {
    const struct storm_policy *shape = sheet->question->policy;
    const char *base = exact(sheet, sheet->answer.base);
    fprintf(sheet->page.out, "\npolicies:\n  app: {%s: %s, base: %s",
            policy_preset_find(shape->headline) != NULL ? "preset" : "delay", shape->headline,
            base);
    const struct policy_headline *headline = policy_headline_find(shape->headline);
    if (headline != NULL && shape->delay.factor != headline->policy.delay.factor) {
        fprintf(sheet->page.out, ", factor: %g", shape->delay.factor);
    }
    if (shape->delay.jitter_add > 0) {
        fprintf(sheet->page.out, ", jitter_add: %s", base);
    }
    fprintf(sheet->page.out, ", cap: %s, attempts: %" PRIu32 "}\n\n", exact(sheet, choice->cap),
            choice->attempts);
}

static void write_head(struct sheet *sheet) {
    const struct size_choice *best = &sheet->answer.choices[sheet->answer.best];
    const char *who =
        page_phrase(&sheet->page, "No policy of up to %d attempts", SCHEDULE_RETRIES_MAX + 1);
    fprintf(sheet->page.out, "%s rides out %s\nin %s of cases%s\n",
            best->reaches ? "A call that begins as the service goes down" : who, task_phrase(sheet),
            target_phrase(sheet), best->reaches ? " with" : ". The nearest is");
    write_policy(sheet, best);
}

/* ---- the choices ----------------------------------------------------------------------------- */

/* The cells of one choice, or (NULL) of the heading, from the left. Returns how many. */
static uint32_t row_fill(struct sheet *sheet, struct text_cell *cells,
                         const struct size_choice *choice) {
    struct page *page = &sheet->page;
    char number[TEXT_NUMBER_SIZE];
    bool heading = choice == NULL;
    uint32_t column = 0;
    cells[column++].value = heading ? "attempts" : page_phrase(page, "%" PRIu32, choice->attempts);
    cells[column++].value = heading ? "cap" : exact(sheet, choice->cap);
    cells[column++].value = heading ? (has_timeout(sheet) ? "failing at once" : "ride it out")
                                    : chance_percent(page, choice->at_once);
    if (has_timeout(sheet)) {
        cells[column++].value = heading ? "by timeouts" : chance_percent(page, choice->by_timeout);
    }
    cells[column++].value = heading
                                ? "expected attempts"
                                : page_phrase(page, "%s", text_number(choice->expected, number));
    cells[column++].value = heading ? "longest wait" : chance_seconds(page, choice->longest);
    return column;
}

/* Choices that do not reach the target are of interest only when none does. */
static bool is_shown(const struct size_answer *answer, uint32_t choice) {
    return answer->choices[choice].reaches == answer->choices[answer->best].reaches;
}

static void write_choices(struct sheet *sheet) {
    const struct size_answer *answer = &sheet->answer;
    struct text_table table;
    uint32_t rows = 1, columns = has_timeout(sheet) ? 6 : 5;
    for (uint32_t i = 0; i < answer->count; i++) {
        rows += is_shown(answer, i);
    }
    if (!text_table_init(&table, &sheet->page.arena, rows, columns, 0)) {
        sheet->page.failed = true;
        return;
    }
    row_fill(sheet, text_table_cell(&table, 0, 0), NULL);
    for (uint32_t i = 0, row = 1; i < answer->count; i++) {
        if (is_shown(answer, i)) {
            uint32_t filled =
                row_fill(sheet, text_table_cell(&table, row++, 0), &answer->choices[i]);
            assert(filled == columns);
        }
    }
    text_table_write(&table, sheet->page.out);
}

static void write_notes(struct sheet *sheet) {
    enum schedule_way way = sheet->answer.choices[sheet->answer.best].way;
    if (way == SCHEDULE_INDEPENDENT || way == SCHEDULE_CHAIN) {
        fputs("(Shares are computed on a grid: error below 0.1 points.)\n", sheet->page.out);
    }
    fputs("A longer cap needs fewer attempts, but a call may learn so much later that the service "
          "is\nback. Attempts are expected if they fail at once until then.\n",
          sheet->page.out);
}

/* What would do if calls had all the time. */
static void write_undated(struct sheet *sheet) {
    struct size_question question = *sheet->question;
    struct size_answer answer;
    question.deadline = STORM_NEVER;
    if (!size_find(&question, &answer)) {
        sheet->page.failed = true;
        return;
    }
    const struct size_choice *best = &answer.choices[answer.best];
    if (best->reaches) {
        fprintf(sheet->page.out, "Without the deadline %" PRIu32 " attempts with a cap of %s do.\n",
                best->attempts, exact(sheet, best->cap));
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void write_all(struct sheet *sheet) {
    write_head(sheet);
    write_choices(sheet);
    write_notes(sheet);
    if (!sheet->answer.choices[sheet->answer.best].reaches && has_deadline(sheet)) {
        write_undated(sheet);
    }
}

bool size_write_text(const struct size_question *question, FILE *out, bool *met) {
    struct sheet sheet = {.page = {.out = out}, .question = question};
    arena_init(&sheet.page.arena, (size_t)1 << 20);
    *met = false;
    if (question->deadline <= question->recovery) {
        fprintf(out, "No: a deadline of %s is over before the service is back after %s.\n",
                exact(&sheet, question->deadline), exact(&sheet, question->recovery));
        write_undated(&sheet);
    } else if (size_find(question, &sheet.answer)) {
        write_all(&sheet);
        *met = sheet.answer.choices[sheet.answer.best].reaches;
    } else {
        sheet.page.failed = true;
    }
    arena_free(&sheet.page.arena);
    return !sheet.page.failed && ferror(out) == 0;
}
