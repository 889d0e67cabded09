/* page.c: a part of docs/validation.md: a table that a law test writes and afterwards holds the
   simulator to. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/page.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "support/world.h"

enum { TEXT_MAX = 4096, CELL_MAX = 64 };

static void append(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(struct page *page, const char *format, ...) {
    char line[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert(length >= 0 && length < TEXT_MAX);
    if (page->length + (size_t)length + 1 > page->room) {
        page->room = 2 * page->room + TEXT_MAX;
        page->text = realloc(page->text, page->room);
        assert(page->text != NULL);
    }
    memcpy(page->text + page->length, line, (size_t)length + 1);
    page->length += (size_t)length;
}

bool page_is_full(void) { return getenv("STORM_FULL") != NULL; }

struct page page_begin(const char *name, const char *title, const char *note) {
    struct page page = {.name = name};
    append(&page, "## %s\n\n%s\n\n", title, note);
    append(&page, "| model | system | quantity | truth | ours | SE | score | source |\n"
                  "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    return page;
}

void page_add(struct page *page, const struct page_row *row) {
    append(page, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", row->model, row->system,
           row->quantity, row->truth, row->ours, row->error, row->score, row->source);
    print_message("%-26s %-52s %-30s truth %-12s ours %-12s %s\n", row->model, row->system,
                  row->quantity, row->truth, row->ours, row->score);
    page->rows++;
}

void page_add_exact(struct page *page, const char *model, const char *system, const char *quantity,
                    double truth, double ours, const char *source) {
    char cells[2][CELL_MAX];
    world_print(cells[0], sizeof cells[0], "%.10g", truth);
    world_print(cells[1], sizeof cells[1], "%.10g", ours);
    page_add(page, &(struct page_row){model, system, quantity, cells[0], cells[1], "",
                                      truth == ours ? "exact" : "WRONG", source});
    assert_true(truth == ours);
}

double page_add_z(struct page *page, const char *model, const char *system, const char *quantity,
                  double truth, double ours, double error, const char *source) {
    char cells[4][CELL_MAX];
    double z = error > 0 ? (ours - truth) / error : ours == truth ? 0 : HUGE_VAL;
    world_print(cells[0], sizeof cells[0], "%.8g", truth);
    world_print(cells[1], sizeof cells[1], "%.6g", ours);
    world_print(cells[2], sizeof cells[2], "%.2g", error);
    world_print(cells[3], sizeof cells[3], "z %.2f", z);
    page_add(page, &(struct page_row){model, system, quantity, cells[0], cells[1], cells[2],
                                      cells[3], source});
    return fabs(z);
}

/* ---- keeping --------------------------------------------------------------------------------- */

static void keep(const struct page *page, const char *path) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_true(fwrite(page->text, 1, page->length, out) == page->length);
    assert_int_equal(fclose(out), 0);
    print_message("wrote %s\n", path);
}

/* Whether the file holds this text and nothing else; says where it does not. */
static bool is_kept(const struct page *page, const char *path) {
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        print_error("there is no %s\n", path);
        return false;
    }
    char *kept = calloc(page->length + 2, 1);
    assert_non_null(kept);
    size_t length = fread(kept, 1, page->length + 1, in), at = 0, line = 1;
    fclose(in);
    while (at < length && at < page->length && kept[at] == page->text[at]) {
        line += kept[at++] == '\n';
    }
    bool same = at == length && at == page->length;
    if (!same) {
        print_error("%s:%zu: this is not what the test saw; UPDATE=1, and read the difference\n",
                    path, line);
    }
    free(kept);
    return same;
}

void page_end(struct page *page) {
    char path[512];
    world_print(path, sizeof path, "%s/tests/golden/validation/%s.md", STORM_SOURCE_DIR,
                page->name);
    bool good = true;
    if (!page_is_full() && getenv("UPDATE") != NULL) {
        keep(page, path);
    } else if (!page_is_full()) {
        good = is_kept(page, path);
    }
    free(page->text);
    *page = (struct page){0};
    assert_true(good);
}
