/* sweep_text.c: a sweep as text: the points there are to choose from, and where the cliff is. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sweep_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "report/page.h"
#include "report/sweep_cliff.h"
#include "report/text.h"

enum { FRONT_MOST = 20, EDGES_MOST = 12, VALUES_MOST = 6, WORDS_MOST = 16 };

/* A text being written. */
struct sheet {
    struct page page;
    const struct storm_sweep *sweep;
    const char **paths; /* [axis] */
};

/* What the front's table says of a point besides where it is. */
static const struct figure {
    const char *title, *suffix, *boundless;
    size_t offset;
} figures[] = {
    {"peak load", " \xC3\x97", NULL, offsetof(struct storm_sweep_point, peak_load)},
    {"recovers after", " s", "never", offsetof(struct storm_sweep_point, time_to_recover)},
    {"dead letters", "", NULL, offsetof(struct storm_sweep_point, dead_letters)},
};

enum { FIGURE_COUNT = sizeof figures / sizeof figures[0] };

static double figure_of(const struct storm_sweep_point *point, int figure) {
    double value;
    memcpy(&value, (const char *)point + figures[figure].offset, sizeof value);
    return value;
}

/* ---- names of axes --------------------------------------------------------------------------- */

/* As much of an axis' path, from its end, as tells it from the others. */
static const char *short_name(struct sheet *sheet, uint32_t axis) {
    return page_clean(&sheet->page, path_short(sheet->paths, sheet->sweep->axis_count, axis));
}

/* ---- head ------------------------------------------------------------------------------------ */

/* The values of a grid's axis: all, or the ends of many. */
static void write_values(struct sheet *sheet, const struct storm_sweep_axis *axis) {
    FILE *out = sheet->page.out;
    if (axis->unit != NULL && axis->value_count > VALUES_MOST) {
        fprintf(out, "%s to %s, %" PRIu32 " values", page_clean(&sheet->page, axis->labels[0]),
                page_clean(&sheet->page, axis->labels[axis->value_count - 1]), axis->value_count);
        return;
    }
    for (uint32_t i = 0; i < axis->value_count; i++) {
        fprintf(out, "%s%s", i > 0 ? ", " : "", page_clean(&sheet->page, axis->labels[i]));
    }
}

/* The words that drawn points have. */
static void write_words(struct sheet *sheet, uint32_t index) {
    const struct storm_sweep *sweep = sheet->sweep;
    const char *words[WORDS_MOST];
    uint32_t count = 0;
    for (uint32_t p = 0; p < sweep->point_count && count < WORDS_MOST; p++) {
        const char *word = sweep->points[p].labels[index];
        uint32_t i = 0;
        while (i < count && strcmp(words[i], word) != 0) {
            i++;
        }
        if (i == count) {
            fprintf(sheet->page.out, "%s%s", i > 0 ? ", " : "", page_clean(&sheet->page, word));
            words[count++] = word;
        }
    }
    fputs(count == WORDS_MOST ? ", ..." : "", sheet->page.out);
}

/* Of drawn points an axis has but its ends. */
static void write_range(struct sheet *sheet, uint32_t index) {
    const struct storm_sweep *sweep = sheet->sweep;
    const struct storm_sweep_point *least = &sweep->points[0], *most = least;
    for (uint32_t p = 0; p < sweep->point_count; p++) {
        const struct storm_sweep_point *point = &sweep->points[p];
        least = point->numbers[index] < least->numbers[index] ? point : least;
        most = point->numbers[index] > most->numbers[index] ? point : most;
    }
    fprintf(sheet->page.out, "from %s to %s", page_clean(&sheet->page, least->labels[index]),
            page_clean(&sheet->page, most->labels[index]));
}

static void write_head(struct sheet *sheet) {
    const struct storm_sweep *sweep = sheet->sweep;
    FILE *out = sheet->page.out;
    fprintf(out, "%s\n", page_clean(&sheet->page, sweep->title));
    if (sweep->variant != NULL) {
        fprintf(out, "variant %s\n", page_clean(&sheet->page, sweep->variant));
    }
    if (sweep->overrides[0] != '\0') {
        fprintf(out, "with %s\n", page_clean(&sheet->page, sweep->overrides));
    }
    fprintf(out, "\n%" PRIu32 " point%s, %" PRIu32 " run%s at each%s:\n", sweep->point_count,
            page_plural(sweep->point_count), sweep->runs, page_plural(sweep->runs),
            sweep->complete ? "" : " (not all are done)");
    for (uint32_t a = 0; a < sweep->axis_count; a++) {
        const struct storm_sweep_axis *axis = &sweep->axes[a];
        fprintf(out, "  %s: ", page_clean(&sheet->page, axis->path));
        if (axis->value_count > 0) {
            write_values(sheet, axis);
        } else if (axis->unit != NULL) {
            write_range(sheet, a);
        } else {
            write_words(sheet, a);
        }
        fputc('\n', out);
    }
}

/* ---- the front ------------------------------------------------------------------------------- */

/* What is missing comes last. */
static double cost_of(const struct storm_sweep_point *point, int figure) {
    double value = figure_of(point, figure);
    return isnan(value) ? (double)INFINITY : value;
}

static int compare_points(const void *left, const void *right) {
    const struct storm_sweep_point *const *a = left, *const *b = right;
    for (int i = 0; i < FIGURE_COUNT; i++) {
        double x = cost_of(*a, i), y = cost_of(*b, i);
        if (x < y || x > y) {
            return x < y ? -1 : 1;
        }
    }
    return (*a > *b) - (*a < *b); /* of one array */
}

/* The front's points by their peak load; NULL without memory. */
static const struct storm_sweep_point **sort_front(struct sheet *sheet, uint32_t *count) {
    const struct storm_sweep *sweep = sheet->sweep;
    const struct storm_sweep_point **front =
        arena_take_array(&sheet->page.arena, sweep->point_count, sizeof(void *));
    *count = 0;
    for (uint32_t p = 0; front != NULL && p < sweep->point_count; p++) {
        if (sweep->points[p].is_front) {
            front[(*count)++] = &sweep->points[p];
        }
    }
    if (front != NULL) {
        qsort(front, *count, sizeof(void *), compare_points);
    }
    return front;
}

static const char *figure_cell(struct sheet *sheet, const struct storm_sweep_point *point,
                               int figure) {
    char number[TEXT_NUMBER_SIZE];
    double value = figure_of(point, figure);
    if (isinf(value) && figures[figure].boundless != NULL) {
        return figures[figure].boundless;
    }
    return page_phrase(&sheet->page, "%s%s", text_number(value, number),
                       isnan(value) ? "" : figures[figure].suffix);
}

static void fill_row(struct sheet *sheet, struct text_table *table, uint32_t row,
                     const struct storm_sweep_point *point) {
    uint32_t axes = sheet->sweep->axis_count;
    for (uint32_t a = 0; a < axes; a++) {
        text_table_cell(table, row, a)->value = page_clean(&sheet->page, point->labels[a]);
    }
    text_table_cell(table, row, axes)->value =
        page_phrase(&sheet->page, "%" PRIu32 " of %" PRIu32, point->good, point->judged);
    for (int i = 0; i < FIGURE_COUNT; i++) {
        text_table_cell(table, row, axes + 1 + (uint32_t)i)->value = figure_cell(sheet, point, i);
    }
}

static bool write_front(struct sheet *sheet) {
    uint32_t count, axes = sheet->sweep->axis_count;
    FILE *out = sheet->page.out;
    const struct storm_sweep_point **front = sort_front(sheet, &count);
    uint32_t shown = count > FRONT_MOST ? FRONT_MOST : count;
    struct text_table table;
    if (front == NULL ||
        !text_table_init(&table, &sheet->page.arena, shown + 1, axes + 1 + FIGURE_COUNT, axes)) {
        return false;
    }
    for (uint32_t a = 0; a < axes; a++) {
        text_table_cell(&table, 0, a)->value = short_name(sheet, a);
    }
    text_table_cell(&table, 0, axes)->value = "recovers";
    for (int i = 0; i < FIGURE_COUNT; i++) {
        text_table_cell(&table, 0, axes + 1 + (uint32_t)i)->value = figures[i].title;
    }
    for (uint32_t i = 0; i < shown; i++) {
        fill_row(sheet, &table, i + 1, front[i]);
    }
    fputs("\nWhat there is to choose from (no other point has less of all three; medians):\n", out);
    text_table_write(&table, out);
    if (shown < count) {
        fprintf(out, "... and %" PRIu32 " more\n", count - shown);
    }
    return true;
}

/* ---- the cliff ------------------------------------------------------------------------------- */

static const char *share_phrase(struct sheet *sheet, uint32_t point) {
    double percent = 100 * storm_sweep_share(&sheet->sweep->points[point]);
    /* "100 %" and "0 %" are said of all and of none only. */
    if (percent > 99.5 && percent < 100) {
        return ">99 %";
    }
    return percent > 0 && percent < .5 ? "<1 %" : page_phrase(&sheet->page, "%.0f %%", percent);
}

/* "cap=1s, poisson=100/s", without one axis. */
static const char *place_phrase(struct sheet *sheet, uint32_t point, uint32_t without) {
    const char *phrase = "";
    for (uint32_t a = 0; a < sheet->sweep->axis_count; a++) {
        if (a != without) {
            phrase = page_phrase(&sheet->page, "%s%s%s=%s", phrase, phrase[0] != '\0' ? ", " : "",
                                 short_name(sheet, a),
                                 page_clean(&sheet->page, sheet->sweep->points[point].labels[a]));
        }
    }
    return phrase;
}

static void write_edge(struct sheet *sheet, const struct sweep_cliff *cliff,
                       const struct sweep_cliff_edge *edge) {
    const struct storm_sweep *sweep = sheet->sweep;
    FILE *out = sheet->page.out;
    if (cliff->axis == sweep->axis_count) {
        fprintf(out, "  %s (%s of runs) and %s (%s)\n", place_phrase(sheet, edge->from, UINT32_MAX),
                share_phrase(sheet, edge->from), place_phrase(sheet, edge->to, UINT32_MAX),
                share_phrase(sheet, edge->to));
        return;
    }
    const char *place = place_phrase(sheet, edge->from, cliff->axis);
    fprintf(out, "  %s%sbetween %s (%s of runs recover) and %s (%s)\n", place,
            place[0] != '\0' ? ": " : "",
            page_clean(&sheet->page, sweep->points[edge->from].labels[cliff->axis]),
            share_phrase(sheet, edge->from),
            page_clean(&sheet->page, sweep->points[edge->to].labels[cliff->axis]),
            share_phrase(sheet, edge->to));
}

static void write_no_cliff(const struct sheet *sheet, const struct sweep_cliff *cliff) {
    struct storm_sweep_count ends = storm_sweep_count(sheet->sweep);
    const char *where = ends.unjudged > 0 ? " that has a verdict" : "";
    FILE *out = sheet->page.out;
    if (cliff->above + cliff->below == 0) {
        fputs("\nNo run has a verdict, so there is no cliff to see.\n", out);
    } else if (cliff->above > 0 && cliff->below > 0) {
        fputs("\nNo cliff to see: no two neighbours with a verdict are on either side of it.\n",
              out);
    } else if (ends.never + ends.either == 0) {
        fprintf(out, "\nNo cliff: every run recovers at every point%s.\n", where);
    } else if (ends.always + ends.either == 0) {
        fprintf(out, "\nNo cliff: no run recovers at any point%s.\n", where);
    } else {
        fprintf(out, "\nNo cliff: %s of the runs recover at every point%s.\n",
                cliff->above > 0 ? "half or more" : "less than half", where);
    }
}

static bool write_cliff(struct sheet *sheet) {
    struct sweep_cliff cliff;
    FILE *out = sheet->page.out;
    if (!sweep_cliff_find(sheet->sweep, &sheet->page.arena, &cliff)) {
        return false;
    }
    if (cliff.count == 0) {
        write_no_cliff(sheet, &cliff);
        return true;
    }
    if (cliff.axis == sheet->sweep->axis_count) {
        fputs("\nThe cliff, where half of the runs recover, lies between\n", out);
    } else {
        fprintf(out, "\nThe cliff along %s, where half of the runs recover",
                short_name(sheet, cliff.axis));
        if (cliff.lines > 1) {
            fprintf(out, " (%" PRIu32 " of %" PRIu32 " lines cross it)", cliff.crossed,
                    cliff.lines);
        }
        fputs(":\n", out);
    }
    uint32_t shown = cliff.count > EDGES_MOST ? EDGES_MOST : cliff.count;
    for (uint32_t i = 0; i < shown; i++) {
        write_edge(sheet, &cliff, &cliff.edges[i]);
    }
    if (shown < cliff.count) {
        fprintf(out, "  ... and at %" PRIu32 " more places\n", cliff.count - shown);
    }
    return true;
}

static void write_next(const struct sheet *sheet) {
    const struct report_text *text = sheet->page.text;
    if (!text->no_next && text->result_file != NULL) {
        char word[SHELL_WORD_MAX];
        fprintf(sheet->page.out, "\nNext: retrystorm plot %s -o sweep.png\n",
                text_shell_word(text->result_file, word, sizeof word));
    }
}

bool sweep_write_text(const struct storm_sweep *sweep, const struct report_text *text, FILE *out) {
    struct sheet sheet = {.page = {.text = text, .out = out}, .sweep = sweep};
    assert(sweep->axis_count > 0 && sweep->point_count > 0);
    arena_init(&sheet.page.arena, (size_t)-1);
    sheet.paths = arena_take_array(&sheet.page.arena, sweep->axis_count, sizeof *sheet.paths);
    for (uint32_t a = 0; sheet.paths != NULL && a < sweep->axis_count; a++) {
        sheet.paths[a] = sweep->axes[a].path;
    }
    write_head(&sheet);
    bool written = sheet.paths != NULL && write_front(&sheet) && write_cliff(&sheet);
    write_next(&sheet);
    written = written && !sheet.page.failed;
    arena_free(&sheet.page.arena);
    return written && ferror(out) == 0;
}
