/* limit_text.c: where a criterion changes side, in words. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/limit_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/arena.h"
#include "report/evidence_text.h"
#include "report/page.h"
#include "report/text.h"

/* A text being written. */
struct sheet {
    struct page page;
    const struct storm_limit *limit;
};

enum { COLUMNS = 5 };

static const struct storm_limit_reading *reading_at(const struct sheet *sheet, uint32_t index) {
    assert(index < sheet->limit->reading_count);
    return &sheet->limit->readings[index];
}

/* ---- the values that were tried -------------------------------------------------------------- */

static void fill_row(struct sheet *sheet, struct text_cell *cells,
                     const struct storm_limit_reading *reading) {
    struct page *page = &sheet->page;
    const char *unit = sheet->limit->metric_unit;
    const struct storm_evidence *evidence = &reading->evidence;
    cells[0].value = reading->label;
    if (reading->is_refused) {
        cells[4].value = "cannot be had";
        return;
    }
    cells[1].value = page_phrase(page, "%" PRIu32, evidence->runs);
    cells[2].value = evidence_number(page, unit, evidence->value);
    cells[3].value = evidence->is_alike ? "all runs alike"
                                        : evidence_range(page, unit, evidence->lo, evidence->hi);
    cells[4].value = page_phrase(page, "%s%s", evidence->holds ? "yes" : "no",
                                 evidence->is_proven ? "" : ", not proven");
}

static void write_readings(struct sheet *sheet) {
    const struct storm_limit *limit = sheet->limit;
    const char *const heading[COLUMNS] = {
        "value", "runs", limit->is_share ? "recover" : limit->metric, "interval", limit->criterion};
    struct text_table table;
    if (!text_table_init(&table, &sheet->page.arena, limit->reading_count + 1, COLUMNS, 0)) {
        sheet->page.failed = true;
        return;
    }
    for (uint32_t column = 0; column < COLUMNS; column++) {
        text_table_cell(&table, 0, column)->value = heading[column];
    }
    for (uint32_t i = 0; i < limit->reading_count; i++) {
        fill_row(sheet, text_table_cell(&table, i + 1, 0), reading_at(sheet, i));
    }
    text_table_write(&table, sheet->page.out);
}

/* ---- the interval ---------------------------------------------------------------------------- */

static void write_end(struct sheet *sheet, uint32_t index, const char *what) {
    const struct storm_limit *limit = sheet->limit;
    const struct storm_limit_reading *reading = reading_at(sheet, index);
    fprintf(sheet->page.out, "  %s %s: %s%s\n", what, reading->label,
            evidence_sentence(&sheet->page, limit->metric, limit->metric_unit, limit->is_share,
                              &reading->evidence),
            reading->evidence.is_proven ? "" : " (not proven)");
}

/* "149.4/s" or that there is no such value. */
static const char *sure_phrase(struct sheet *sheet, uint32_t index, const char *side) {
    return index == STORM_LIMIT_NONE
               ? page_phrase(&sheet->page, "no value is proven to be %s it", side)
               : page_phrase(&sheet->page, "%s is proven to be %s it",
                             reading_at(sheet, index)->label, side);
}

static void write_doubts(struct sheet *sheet) {
    const struct storm_limit *limit = sheet->limit;
    FILE *out = sheet->page.out;
    if (limit->sure_before != limit->before || limit->sure_beyond != limit->beyond) {
        fprintf(out,
                "With %" PRIu32 " runs at a value %s, and\n%s. More can be told with more: "
                "--max-runs %" PRIu32 ".\n",
                limit->runs_max, sure_phrase(sheet, limit->sure_before, "before"),
                sure_phrase(sheet, limit->sure_beyond, "beyond"), 4 * limit->runs_max);
    }
    if (limit->changes > 1) {
        fprintf(out,
                "The criterion changes side %" PRIu32 " times along these values: this is one of "
                "its limits.\nA range around another one (--vary %s=FROM..TO) finds that.\n",
                limit->changes, limit->path);
    }
}

static double relative_width(const struct sheet *sheet) {
    double a = fabs(reading_at(sheet, sheet->limit->before)->number);
    double b = fabs(reading_at(sheet, sheet->limit->beyond)->number);
    return fabs(a - b) / (a > b ? a : b);
}

static void write_bracket(struct sheet *sheet) {
    const struct storm_limit *limit = sheet->limit;
    FILE *out = sheet->page.out;
    bool rises = limit->beyond > limit->before;
    const struct storm_limit_reading *low =
        reading_at(sheet, rises ? limit->before : limit->beyond);
    const struct storm_limit_reading *high =
        reading_at(sheet, rises ? limit->beyond : limit->before);
    write_end(sheet, limit->before, "last value before it, ");
    write_end(sheet, limit->beyond, "first value beyond it,");
    write_doubts(sheet);
    fprintf(out, "\n%s: %s to %s (%.2g%% wide); %s it %s\n",
            limit->end == STORM_LIMIT_FOUND ? "Limit" : "So far the limit is in", low->label,
            high->label, 100 * relative_width(sheet), rises ? "above" : "below", limit->criterion);
}

static void write_end_of_search(struct sheet *sheet) {
    const struct storm_limit *limit = sheet->limit;
    FILE *out = sheet->page.out;
    bool has_bracket = limit->before != limit->beyond;
    if (limit->end == STORM_LIMIT_STOPPED) {
        fputs("Not finished: the search was stopped here.\n", out);
    }
    if (has_bracket) {
        write_bracket(sheet);
    } else if (limit->end == STORM_LIMIT_NEVER) {
        bool holds = false;
        for (uint32_t i = 0; i < limit->reading_count; i++) {
            holds = holds || limit->readings[i].evidence.holds;
        }
        fprintf(out, "No limit: '%s' is %s at every value tried, from %s to %s\n", limit->criterion,
                holds ? "true" : "false", reading_at(sheet, 0)->label,
                reading_at(sheet, limit->reading_count - 1)->label);
    }
}

bool limit_write_text(const struct storm_limit *limit, FILE *out) {
    struct sheet sheet = {.page = {.out = out}, .limit = limit};
    arena_init(&sheet.page.arena, (size_t)1 << 20);
    fprintf(out, "%s is varied until %s\n\n", limit->path, limit->criterion);
    if (limit->reading_count > 0) {
        write_readings(&sheet);
        fputc('\n', out);
    }
    write_end_of_search(&sheet);
    bool good = !sheet.page.failed;
    arena_free(&sheet.page.arena);
    return good && ferror(out) == 0;
}
