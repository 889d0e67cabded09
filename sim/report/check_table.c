/* check_table.c: rows of a check, or of a difference, as a table for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/check_table.h"

#include <inttypes.h>

#include "report/check_words.h"
#include "report/text.h"

/* So many rows are shown; JSON and the files have all. */
enum { ROWS_MAX = 16, COLUMNS = 8, LEFT = 3 };

/* Red for what fails, yellow for what may, green for what is fine. */
static const char *painted(struct page *page, const struct check_table *table,
                           enum storm_finding finding) {
    static const char *const paints[] = {
        [STORM_LEVEL_FINE] = "32", [STORM_LEVEL_WARNING] = "33", [STORM_LEVEL_FAILURE] = "31"};
    static const struct storm_check without_wishes = {.baseline = NULL};
    const struct storm_check *check = table->check != NULL ? table->check : &without_wishes;
    const char *word = storm_finding_word(finding);
    bool is_doubt = finding == STORM_FINDING_INCONCLUSIVE;
    if (!page->text->color) {
        return word;
    }
    return page_phrase(page, "\033[%sm%s\033[0m",
                       is_doubt ? "33" : paints[storm_check_level(check, finding)], word);
}

static void fill_row(struct page *page, const struct check_table *source,
                     const struct storm_check_row *row, struct text_table *table, uint32_t at) {
    struct check_words words = check_words_of(row);
    const char *const cells[COLUMNS] = {painted(page, source, row->finding),
                                        page_clean(page, row->variant),
                                        page_clean(page, words.metric),
                                        page_phrase(page, "%s", words.baseline),
                                        page_phrase(page, "%s", words.now),
                                        page_phrase(page, "%s", words.change),
                                        page_phrase(page, "%s", words.range),
                                        page_phrase(page, "%s%s%s", words.allowed,
                                                    words.place[0] != '\0' ? ", " : "",
                                                    words.place)};
    for (uint32_t column = 0; column < COLUMNS; column++) {
        text_table_cell(table, at, column)->value = cells[column];
    }
}

void check_table_write(struct page *page, const struct check_table *source) {
    const char *const headings[COLUMNS] = {
        "", "variant", "metric", source->before, source->after, "change", "95 % sure", "allowed"};
    uint32_t news = check_news(source->rows, source->count);
    uint32_t shown = news < ROWS_MAX ? news : (uint32_t)ROWS_MAX;
    struct text_table table;
    if (shown == 0) {
        return;
    }
    if (!text_table_init(&table, &page->arena, shown + 1, COLUMNS, LEFT)) {
        page->failed = true;
        return;
    }
    for (uint32_t column = 0; column < COLUMNS; column++) {
        text_table_cell(&table, 0, column)->value = headings[column];
    }
    for (uint32_t i = 0; i < shown; i++) {
        fill_row(page, source, &source->rows[i], &table, i + 1);
    }
    text_table_write(&table, page->out);
    if (news > shown) {
        fprintf(page->out, "and %" PRIu32 " more\n", news - shown);
    }
}
