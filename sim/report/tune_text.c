/* tune_text.c: the best settings that a search has found, in words. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/tune_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/results.h>

#include "base/arena.h"
#include "base/path.h"
#include "report/evidence_text.h"
#include "report/page.h"
#include "report/text.h"

/* Of the front so many points are listed; the JSON form has all. */
enum { ROWS_MAX = 12, RIVAL_COLUMNS = 7 };

/* A text being written. */
struct sheet {
    struct page page;
    const struct storm_tune *tune;
};

static const struct storm_tune_point *best_of(const struct sheet *sheet) {
    return &sheet->tune->points[sheet->tune->best];
}

static const char *number(struct sheet *sheet, uint32_t measure, double value) {
    return evidence_number(&sheet->page, sheet->tune->measures[measure].unit, value);
}

static bool make_table(struct sheet *sheet, struct text_table *table, uint32_t rows,
                       uint32_t columns, uint32_t left) {
    bool good = text_table_init(table, &sheet->page.arena, rows, columns, left);
    sheet->page.failed = sheet->page.failed || !good;
    return good;
}

/* ---- the front ------------------------------------------------------------------------------- */

static bool are_equal(const struct storm_tune *tune, uint32_t a, uint32_t b) {
    for (uint32_t m = 0; m < tune->measure_count; m++) {
        double x = tune->points[a].values[m], y = tune->points[b].values[m];
        if (!(x <= y && x >= y)) {
            return false;
        }
    }
    return true;
}

/* Whether it is shown: the best, and the others of the front that keep the constraints (or, where
   none keeps them, of all the front). Of equal ones the best or the first stands for all. */
static bool is_shown(const struct sheet *sheet, uint32_t index) {
    const struct storm_tune *tune = sheet->tune;
    const struct storm_tune_point *point = &tune->points[index];
    bool counts = point->is_front && (point->is_feasible || !best_of(sheet)->is_feasible);
    if (!counts || index == tune->best || are_equal(tune, index, tune->best)) {
        return index == tune->best;
    }
    for (uint32_t i = 0; i < index; i++) {
        if (tune->points[i].is_front && are_equal(tune, i, index)) {
            return false;
        }
    }
    return true;
}

/* Whether the goal of `a` is better than that of `b`, or as good and `a` was tried first. */
static bool comes_before(const struct storm_tune *tune, uint32_t a, uint32_t b) {
    double sign = tune->measures[0].is_max ? -1 : 1;
    double x = sign * tune->points[a].values[0], y = sign * tune->points[b].values[0];
    bool is_less = x < y || (isnan(y) && !isnan(x)), is_more = y < x || (isnan(x) && !isnan(y));
    return is_less || (!is_more && a < b);
}

/* The indices of the points that are shown, the best goal first. Returns how many. */
static uint32_t list_front(const struct sheet *sheet, uint32_t *list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sheet->tune->point_count; i++) {
        if (!is_shown(sheet, i)) {
            continue;
        }
        uint32_t at = count++;
        for (; at > 0 && comes_before(sheet->tune, i, list[at - 1]); at--) {
            list[at] = list[at - 1];
        }
        list[at] = i;
    }
    return count;
}

static void fill_heading(struct sheet *sheet, struct text_cell *cells) {
    const struct storm_tune *tune = sheet->tune;
    for (uint32_t a = 0; a < tune->axis_count; a++) {
        const char *name = path_short(tune->paths, tune->axis_count, a);
        cells[a].value = page_clean(&sheet->page, name);
    }
    for (uint32_t m = 0; m < tune->measure_count; m++) {
        cells[tune->axis_count + m].value = tune->measures[m].metric;
    }
}

static void fill_point(struct sheet *sheet, struct text_cell *cells, uint32_t index) {
    const struct storm_tune *tune = sheet->tune;
    const struct storm_tune_point *point = &tune->points[index];
    for (uint32_t a = 0; a < tune->axis_count; a++) {
        cells[a].value = page_clean(&sheet->page, point->labels[a]);
    }
    for (uint32_t m = 0; m < tune->measure_count; m++) {
        cells[tune->axis_count + m].value = number(sheet, m, point->values[m]);
    }
    cells[tune->axis_count + tune->measure_count].value = index != tune->best  ? ""
                                                          : point->is_feasible ? "<- chosen"
                                                                               : "<- nearest";
}

static void write_front(struct sheet *sheet) {
    const struct storm_tune *tune = sheet->tune;
    struct text_table table;
    uint32_t *list = arena_take_array(&sheet->page.arena, tune->point_count, sizeof *list);
    if (list == NULL) {
        sheet->page.failed = true;
        return;
    }
    uint32_t count = list_front(sheet, list), rows = count < ROWS_MAX ? count : ROWS_MAX;
    uint32_t columns = tune->axis_count + tune->measure_count + 1;
    if (!make_table(sheet, &table, rows + 1, columns, 0)) {
        return;
    }
    fill_heading(sheet, text_table_cell(&table, 0, 0));
    for (uint32_t i = 0; i < rows; i++) {
        fill_point(sheet, text_table_cell(&table, i + 1, 0), list[i]);
    }
    text_table_write(&table, sheet->page.out);
    if (count > rows) {
        fprintf(sheet->page.out, "(and %" PRIu32 " more; --format json has all)\n", count - rows);
    }
}

static void write_head(struct sheet *sheet) {
    const struct storm_tune *tune = sheet->tune;
    FILE *out = sheet->page.out;
    uint32_t kept = 0;
    fprintf(out, "%s", tune->measures[0].words);
    for (uint32_t m = 1; m < tune->measure_count; m++) {
        fprintf(out, "%s%s", m == 1 ? ", subject to " : " and ", tune->measures[m].words);
    }
    fputs("\n\n", out);
    for (uint32_t i = 0; i < tune->point_count; i++) {
        kept += tune->points[i].is_feasible;
    }
    fprintf(out, "%" PRIu32 " points of %" PRIu32 " run%s were tried", tune->point_count,
            tune->runs, page_plural(tune->runs));
    if (tune->measure_count > 1) {
        fprintf(out, "; %" PRIu32 " of them keep%s the constraint%s", kept, kept == 1 ? "s" : "",
                page_plural(tune->measure_count - 1));
    }
    fputs(tune->is_complete ? ".\n" : ".\nNot finished: what follows is the best so far.\n", out);
}

/* ---- the chosen settings --------------------------------------------------------------------- */

static void write_choice(struct sheet *sheet) {
    const struct storm_tune *tune = sheet->tune;
    FILE *out = sheet->page.out;
    char word[SHELL_WORD_MAX];
    bool good = best_of(sheet)->is_feasible;
    fputs(good ? "\nChosen:\n\n" : "\nNone keeps them. The nearest:\n\n", out);
    sheet->page.failed = !tune_write_yaml(tune, out) || sheet->page.failed;
    fputs("\nor on the command line:", out);
    for (uint32_t a = 0; a < tune->axis_count; a++) {
        bool is_variant = strcmp(tune->paths[a], "variant") == 0;
        fprintf(out, "%s%s%s", is_variant ? " --variant " : " --set ",
                is_variant ? "" : tune->paths[a], is_variant ? "" : "=");
        fputs(text_shell_word(best_of(sheet)->labels[a], word, sizeof word), out);
    }
    fputs("\n", out);
}

/* ---- fresh runs ------------------------------------------------------------------------------ */

static void write_fresh(struct sheet *sheet) {
    const struct storm_tune *tune = sheet->tune;
    FILE *out = sheet->page.out;
    fprintf(out, "\n%" PRIu32 " fresh runs, which the search has not seen:\n", tune->fresh_runs);
    for (uint32_t m = 0; m < tune->measure_count; m++) {
        const struct storm_tune_measure *measure = &tune->measures[m];
        const struct storm_evidence *evidence = &tune->fresh[m];
        const char *verdict = "";
        if (m > 0) {
            verdict = !evidence->holds      ? "BROKEN: "
                      : evidence->is_proven ? "kept: "
                                            : "kept, not proven: ";
        }
        fprintf(out, "  %s%s%s%s\n", m > 0 ? measure->words : "", m > 0 ? ", " : "", verdict,
                evidence_sentence(&sheet->page, measure->metric, measure->unit, measure->is_share,
                                  evidence));
    }
}

static const char *rival_name(struct sheet *sheet, const struct storm_tune_rival *rival) {
    const char *own = sheet->tune->variant;
    return rival->name != NULL ? page_clean(&sheet->page, rival->name)
           : own != NULL       ? page_clean(&sheet->page, own)
                               : "as it stands";
}

static const char *luck_phrase(struct sheet *sheet, double luck) {
    if (isnan(luck)) {
        return "—";
    }
    return luck <= 0 ? "none" : evidence_number(&sheet->page, "share", luck);
}

/* The unit of differences of the goal. */
static const char *gain_unit(const struct sheet *sheet) {
    const char *unit = sheet->tune->measures[0].unit;
    return storm_unit_is_share(unit) ? "points" : unit;
}

/* Differences of shares are told in points. */
static double gain_times(const struct sheet *sheet) {
    return storm_unit_is_share(sheet->tune->measures[0].unit) ? 100 : 1;
}

static const char *gain_range(struct sheet *sheet, const struct storm_tune_rival *rival) {
    double times = gain_times(sheet);
    return evidence_range(&sheet->page, gain_unit(sheet), times * rival->lo, times * rival->hi);
}

static void fill_rival(struct sheet *sheet, struct text_cell *cells,
                       const struct storm_tune_rival *rival) {
    struct page *page = &sheet->page;
    cells[0].value = rival_name(sheet, rival);
    cells[1].value = number(sheet, 0, rival->fresh[0].value);
    cells[2].value = rival->is_feasible ? "kept" : "broken";
    cells[3].value = evidence_number(page, gain_unit(sheet), gain_times(sheet) * rival->gain);
    cells[4].value = gain_range(sheet, rival);
    cells[5].value = page_phrase(page, "%" PRIu32 " / %" PRIu32, rival->better, rival->worse);
    cells[6].value = luck_phrase(sheet, rival->luck);
}

static void write_rivals(struct sheet *sheet) {
    const struct storm_tune *tune = sheet->tune;
    const char *const heading[RIVAL_COLUMNS] = {
        "against",       tune->measures[0].metric, "constraints", "better by",
        "95 % interval", "runs better / worse",    "luck in it"};
    struct text_table table;
    fputc('\n', sheet->page.out);
    if (!make_table(sheet, &table, tune->rival_count + 1, RIVAL_COLUMNS, 1)) {
        return;
    }
    for (uint32_t column = 0; column < RIVAL_COLUMNS; column++) {
        text_table_cell(&table, 0, column)->value = heading[column];
    }
    for (uint32_t i = 0; i < tune->rival_count; i++) {
        fill_rival(sheet, text_table_cell(&table, i + 1, 0), &tune->rivals[i]);
    }
    text_table_write(&table, sheet->page.out);
    fputs(
        "(runs are paired; luck: of what the search saw as gain, the share that fresh runs do not "
        "show)\n",
        sheet->page.out);
}

/* ---- the last line --------------------------------------------------------------------------- */

/* Whom it is hardest to beat: the least gain, of those that keep the constraints, if any does. */
static const struct storm_tune_rival *find_nearest(const struct storm_tune *tune) {
    const struct storm_tune_rival *nearest = &tune->rivals[0];
    for (uint32_t i = 1; i < tune->rival_count; i++) {
        const struct storm_tune_rival *rival = &tune->rivals[i];
        bool is_nearer = rival->is_feasible == nearest->is_feasible ? rival->gain < nearest->gain
                                                                    : rival->is_feasible;
        nearest = is_nearer ? rival : nearest;
    }
    return nearest;
}

static void write_last_line(struct sheet *sheet) {
    const struct storm_tune *tune = sheet->tune;
    const struct storm_tune_rival *nearest = find_nearest(tune);
    uint32_t beaten = 0;
    for (uint32_t i = 0; i < tune->rival_count; i++) {
        beaten += tune->rivals[i].lo > 0;
    }
    fprintf(sheet->page.out,
            "\nTuned: %s %s; better than %" PRIu32 " of %" PRIu32 ", by %s over %s (95 %%)\n",
            number(sheet, 0, tune->fresh[0].value),
            tune->measure_count == 1 ? "for the goal"
            : tune->is_feasible      ? "with every constraint kept"
                                     : "with a constraint BROKEN in fresh runs",
            beaten, tune->rival_count, gain_range(sheet, nearest), rival_name(sheet, nearest));
}

bool tune_write_text(const struct storm_tune *tune, FILE *out) {
    struct sheet sheet = {.page = {.out = out}, .tune = tune};
    arena_init(&sheet.page.arena, (size_t)64 << 20);
    write_head(&sheet);
    if (tune->point_count > 0) {
        write_front(&sheet);
        write_choice(&sheet);
    }
    if (tune->is_confirmed) {
        write_fresh(&sheet);
        write_rivals(&sheet);
        write_last_line(&sheet);
    }
    bool good = !sheet.page.failed;
    arena_free(&sheet.page.arena);
    return good && ferror(out) == 0;
}
