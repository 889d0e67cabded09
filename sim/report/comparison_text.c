/* comparison_text.c: what a comparison found, in a line or two for each variant, or in full. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/comparison_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <retrystorm/results.h>

#include "report/page.h"
#include "report/text.h"
#include "report/verdict_table.h"

/* How a change is spoken of, and painted, in the order of telling. What is the same is told only
   when nothing else is. */
static const struct kind {
    enum storm_change change;
    const char *word, *paint;
    bool with_number, with_interval;
} kinds[] = {
    {STORM_CHANGE_BETTER, "better", "32", true, false},
    {STORM_CHANGE_WORSE, "worse", "31", true, false},
    {STORM_CHANGE_DIFFERENT, "other", "33", true, false},
    {STORM_CHANGE_INCONCLUSIVE, "not told", "2", true, true},
    {STORM_CHANGE_SAME, "same", "2", false, false},
};

enum {
    KIND_COUNT = sizeof kinds / sizeof kinds[0],
    WORD_WIDTH = 8,
    NAME_WIDTH = 24,
    LIST_MAX = 2048,
    ROOM_LEAST = 30 /* columns for a list, on however narrow a terminal */
};

/* ---- numbers --------------------------------------------------------------------------------- */

static const char *signed_number(struct page *page, double value) {
    char number[TEXT_NUMBER_SIZE];
    if (!isfinite(value)) {
        return "?";
    }
    return page_phrase(page, "%s", text_signed(value, number));
}

/* What a metric is called here as in the table above, with its place where there are several. */
static const char *title_of(struct page *page, const struct storm_comparison *comparison,
                            const struct storm_difference *difference) {
    size_t length = strcspn(difference->metric, ".");
    const char *title = verdict_table_title(difference->metric, length);
    uint32_t places = 0;
    for (uint32_t i = 0; i < comparison->difference_count; i++) {
        const char *other = comparison->differences[i].metric;
        places += strncmp(other, difference->metric, length) == 0 && other[length] == '.';
    }
    const char *place = difference->metric + length;
    return page_phrase(page, "%s%s%s", title, places > 1 && *place != '\0' ? " of " : "",
                       places > 1 && *place != '\0' ? page_clean(page, place + 1) : "");
}

/* ---- a line or two --------------------------------------------------------------------------- */

static const char *phrase_of(struct page *page, const struct storm_comparison *comparison,
                             const struct storm_difference *difference, const struct kind *kind) {
    struct text_change as = text_change_of(difference->unit, difference->reference);
    const char *title = title_of(page, comparison, difference);
    const char *number = signed_number(page, as.factor * difference->difference);
    if (!kind->with_number) {
        return title;
    }
    if (!kind->with_interval || !isfinite(difference->lo)) {
        return page_phrase(page, "%s %s%s", title, number, as.tail);
    }
    return page_phrase(page, "%s %s%s [%s, %s]", title, number, as.tail,
                       signed_number(page, as.factor * difference->lo),
                       signed_number(page, as.factor * difference->hi));
}

/* Lists what leads and changed in that way. Returns how long the list is. */
static size_t list_kind(struct page *page, const struct storm_comparison *comparison,
                        const struct kind *kind, char list[LIST_MAX]) {
    size_t used = 0;
    list[0] = '\0';
    for (uint32_t i = 0; i < comparison->difference_count && used < LIST_MAX; i++) {
        const struct storm_difference *difference = &comparison->differences[i];
        if (difference->change == kind->change && storm_comparison_leads(comparison, i)) {
            int length = snprintf(list + used, LIST_MAX - used, "%s%s", used == 0 ? "" : ", ",
                                  phrase_of(page, comparison, difference, kind));
            used += length > 0 ? (size_t)length : 0;
        }
    }
    return used;
}

/* Writes a line with that list, after the name and the kind's word. Returns whether there was
   anything. */
static bool write_kind(struct page *page, const struct storm_comparison *comparison,
                       const struct kind *kind, const char *name, int width) {
    char list[LIST_MAX];
    if (list_kind(page, comparison, kind, list) == 0) {
        return false;
    }
    bool color = page->text->color;
    int indent = width + 2 + WORD_WIDTH + 2, own = (int)text_width(name);
    int room = page->text->width > 0 ? page->text->width : INT32_MAX;
    fprintf(page->out, "%s%*s  %s%s%s%*s  ", name, width > own ? width - own : 0, "",
            color ? page_phrase(page, "\033[%sm", kind->paint) : "", kind->word,
            color ? "\033[0m" : "", WORD_WIDTH - (int)strlen(kind->word), "");
    text_wrap(page->out, list, own > width ? indent + own - width : indent, indent,
              room < indent + ROOM_LEAST ? indent + ROOM_LEAST : room);
    return true;
}

static const char *name_of(struct page *page, uint32_t variant) {
    assert(variant < page->results->variant_count);
    return page_clean(page, page->results->variants[variant].name);
}

static int widest_name(struct page *page) {
    int widest = 0;
    for (uint32_t i = 0; i < storm_results_compared(page->results); i++) {
        int width = (int)text_width(name_of(page, page->results->comparisons[i].other));
        widest = width > widest ? width : widest;
    }
    return widest < NAME_WIDTH ? widest : NAME_WIDTH;
}

/* The lines of one variant: of what is the same, only where there are no others. */
static void write_variant(struct page *page, const struct storm_comparison *comparison, int width) {
    const char *name = name_of(page, comparison->other);
    bool any = false;
    for (int k = 0; k < KIND_COUNT; k++) {
        bool is_told = kinds[k].change != STORM_CHANGE_SAME || !any;
        any = (is_told && write_kind(page, comparison, &kinds[k], any ? "" : name, width)) || any;
    }
}

/* Fewer runs than this cannot tell a median, whatever they show: 2 / 2^12 is what is left of 5 %
   for one of a hundred metrics. */
enum { RUNS_LEAST = 12 };

void comparison_text_write(struct page *page) {
    const struct storm_results *results = page->results;
    uint32_t count = storm_results_compared(results);
    int width = widest_name(page);
    if (count == 0) {
        return;
    }
    fprintf(page->out, "Against %s, run by run:\n",
            name_of(page, results->comparisons[0].reference));
    for (uint32_t c = 0; c < count; c++) {
        write_variant(page, &results->comparisons[c], width);
    }
    if (results->runs < RUNS_LEAST) {
        uint32_t most = page->text->runs_max;
        fprintf(page->out, "(%" PRIu32 " run%s tell%s little: %s)\n", results->runs,
                page_plural(results->runs), results->runs == 1 ? "s" : "",
                most > 0 && results->runs >= most ? "allow more, as with --max-runs 100"
                                                  : "add -n 30, or --until-precision 2%");
    }
    fputc('\n', page->out);
}

/* ---- every difference ------------------------------------------------------------------------ */

static const char *plain_number(struct page *page, const struct storm_difference *difference,
                                double value) {
    char number[TEXT_NUMBER_SIZE];
    double scale = storm_unit_is_share(difference->unit) ? 100 : 1;
    return page_phrase(page, "%s", text_number(isfinite(value) ? scale * value : value, number));
}

static void fill_row(struct page *page, struct text_table *table, uint32_t row,
                     const struct storm_difference *difference) {
    struct text_change as = text_change_of(difference->unit, difference->reference);
    bool share = storm_unit_is_share(difference->unit);
    text_table_cell(table, row, 0)->value = page_clean(page, difference->metric);
    text_table_cell(table, row, 1)->value = share ? "%" : page_clean(page, difference->unit);
    text_table_cell(table, row, 2)->value = storm_change_word(difference->change);
    text_table_cell(table, row, 3)->value = plain_number(page, difference, difference->reference);
    text_table_cell(table, row, 4)->value = plain_number(page, difference, difference->other);
    struct text_cell *cell = text_table_cell(table, row, 5);
    cell->value =
        page_phrase(page, "%s%s", signed_number(page, as.factor * difference->difference), as.tail);
    if (difference->lo < difference->hi || isnan(difference->lo)) {
        cell->tail = page_phrase(page, " [%s, %s]", signed_number(page, as.factor * difference->lo),
                                 signed_number(page, as.factor * difference->hi));
    }
    text_table_cell(table, row, 6)->value =
        difference->p < 0.0001 ? "<0.0001" : page_phrase(page, "%.4f", difference->p);
    text_table_cell(table, row, 7)->value = page_phrase(page, "%" PRIu32, difference->pairs);
}

static bool is_equal(const struct storm_difference *difference) {
    return difference->lo == 0 && difference->hi == 0;
}

static uint32_t count_unequal(const struct storm_comparison *comparison) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < comparison->difference_count; i++) {
        count += !is_equal(&comparison->differences[i]);
    }
    return count;
}

/* Only what differs in any pair of runs has a row. */
static void write_table(struct page *page, const struct storm_comparison *comparison) {
    static const char *const titles[] = {"metric", "unit",       "change", "reference",
                                         "other",  "difference", "p",      "pairs"};
    enum { TITLE_COUNT = sizeof titles / sizeof titles[0] };
    struct text_table table;
    uint32_t rows = count_unequal(comparison), row = 0;
    fprintf(page->out, "%s against %s, run by run:\n", name_of(page, comparison->other),
            name_of(page, comparison->reference));
    if (!text_table_init(&table, &page->arena, rows + 1, TITLE_COUNT, 3)) {
        page->failed = true;
        return;
    }
    for (uint32_t c = 0; c < TITLE_COUNT; c++) {
        text_table_cell(&table, 0, c)->value = titles[c];
    }
    for (uint32_t i = 0; i < comparison->difference_count; i++) {
        if (!is_equal(&comparison->differences[i])) {
            fill_row(page, &table, ++row, &comparison->differences[i]);
        }
    }
    if (rows > 0) {
        text_table_write(&table, page->out);
    }
    if (rows < comparison->difference_count) {
        uint32_t rest = comparison->difference_count - rows;
        fprintf(page->out, "(%" PRIu32 " more metric%s: equal in every pair of runs)\n", rest,
                page_plural(rest));
    }
    fputc('\n', page->out);
}

void comparison_text_write_all(struct page *page) {
    uint32_t count = storm_results_compared(page->results);
    for (uint32_t c = 0; c < count; c++) {
        write_table(page, &page->results->comparisons[c]);
    }
    if (count > 0) {
        fputs("(p and intervals allow for all metrics of a table: Holm, 95 %; the difference is of "
              "means,\n of medians where runs may end in two ways, or of shares of the runs)\n\n",
              page->out);
    }
}
