/* diff_text.c: how two results differ, as a text for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/diff_text.h"

#include <assert.h>
#include <inttypes.h>

#include "report/check_table.h"
#include "report/page.h"
#include "report/text.h"

enum { SETTINGS_MAX = 20, COLUMNS = 4, LEFT = 4 };

static const char *or_none(struct page *page, const char *value) {
    return value != NULL ? page_clean(page, value) : "–";
}

/* In which variants a setting changed. */
static const char *variants_of(struct page *page, const struct storm_setting_change *change) {
    const char *first = page_clean(page, change->variant);
    return change->others == 0
               ? first
               : page_phrase(page, "%.150s and %" PRIu32 " more", first, change->others);
}

static void write_settings(struct page *page, const struct storm_diff *diff) {
    uint32_t shown = diff->change_count < SETTINGS_MAX ? diff->change_count : SETTINGS_MAX;
    struct text_table table;
    if (shown == 0) {
        fputs("the settings are the same\n", page->out);
        return;
    }
    if (!text_table_init(&table, &page->arena, shown + 1, COLUMNS, LEFT)) {
        page->failed = true;
        return;
    }
    text_table_cell(&table, 0, 0)->value = "setting";
    text_table_cell(&table, 0, 1)->value = "first";
    text_table_cell(&table, 0, 2)->value = "second";
    text_table_cell(&table, 0, 3)->value = "variant";
    for (uint32_t i = 0; i < shown; i++) {
        const struct storm_setting_change *change = &diff->changes[i];
        text_table_cell(&table, i + 1, 0)->value = page_clean(page, change->path);
        text_table_cell(&table, i + 1, 1)->value = or_none(page, change->before);
        text_table_cell(&table, i + 1, 2)->value = or_none(page, change->after);
        text_table_cell(&table, i + 1, 3)->value = variants_of(page, change);
    }
    text_table_write(&table, page->out);
    if (diff->change_count > shown) {
        fprintf(page->out, "and %" PRIu32 " more\n", diff->change_count - shown);
    }
    fputc('\n', page->out);
}

static void write_sum(struct page *page, const struct storm_diff *diff) {
    bool is_same = diff->counts[STORM_FINDING_SAME] == diff->row_count;
    fprintf(page->out, "%s, in %" PRIu32 " run%s of each variant, seed %" PRIu64 ":",
            is_same ? "the same" : "different", diff->runs, page_plural(diff->runs), diff->seed);
    const char *comma = " ";
    for (uint32_t i = 0; i < STORM_FINDING_COUNT; i++) {
        if (diff->counts[i] > 0) {
            fprintf(page->out, "%s%" PRIu32 " %s", comma, diff->counts[i],
                    storm_finding_word((enum storm_finding)i));
            comma = ", ";
        }
    }
    fputc('\n', page->out);
}

bool diff_write_text(const struct storm_diff *diff, const struct report_text *text, FILE *out) {
    struct page page = {.text = text, .out = out};
    const struct check_table table = {
        .before = "first", .after = "second", .rows = diff->rows, .count = diff->row_count};
    assert(diff != NULL && text != NULL);
    arena_init(&page.arena, (size_t)1 << 28);
    write_settings(&page, diff);
    check_table_write(&page, &table);
    write_sum(&page, diff);
    arena_free(&page.arena);
    return !page.failed && ferror(out) == 0;
}
