/* judge.c: a table of truths against the simulator, row by row. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/judge.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv.h"
#include "support/page.h"
#include "support/test.h"
#include "support/textbook.h"
#include "support/watch.h"
#include "support/world.h"

enum { RUNS = 64, TEXT_MAX = 512 };

static const double arrivals_most = 2e6;      /* of the one run of a row with a known variance */
static const double arrivals_most_full = 2e7; /* under STORM_FULL=1 */
static const double arrivals_short = 10000;   /* of each of the 64 */
static const double seen_least = 100;         /* times that all 64 together see something rare */
static const double tolerance = 0.025; /* aim of 4 standard errors, as a share of the value */
static const double z_most = 4, t_most = 5;

/* A system and one thing known of it. */
struct row {
    struct textbook system;
    const char *model, *source;
    enum watch_quantity quantity;
    double at, value;
    double sigma2; /* +inf: not known */
    bool per_customer;
    uint64_t seed; /* its next one is this + 1 */
};

/* What came out of a row. */
struct finding {
    double ours, error, score;
    bool good, again;
};

/* ---- living ---------------------------------------------------------------------------------- */

/* One run of a system: the rows are measured over `seconds` after the warm-up. Returns the
   customers who got in. */
static double live(struct world_case *world, const struct row *rows, size_t count, uint64_t seed,
                   uint32_t run, double *values) {
    struct watch watch;
    watch_begin(&watch, world->scenario,
                storm_time_from_seconds(textbook_warm_up(&rows[0].system)));
    for (size_t i = 0; i < count; i++) {
        watch_ask(&watch, rows[i].quantity, rows[i].at);
    }
    struct storm_listener listener = {watch_hear, &watch};
    world_live(world, seed, run, &listener);
    watch_end(&watch);
    for (size_t i = 0; i < count; i++) {
        values[i] = watch_measure(&watch, i);
    }
    return watch.started;
}

/* How long one run must be for the aim, in seconds. */
static double length_needed(const struct row *row) {
    double parts = 4 / (tolerance * row->value);
    return row->sigma2 * parts * parts / (row->per_customer ? row->system.lambda : 1);
}

static double length_of(const struct row *row) {
    double length = length_needed(row);
    double most = (page_is_full() ? arrivals_most_full : arrivals_most) / row->system.lambda;
    return length < most ? length : most;
}

/* One long run for all rows with a known variance. */
static void judge_by_variance(const struct row *rows, size_t count, uint64_t seed, double times,
                              struct finding *findings) {
    double seconds = 0, values[WATCH_ASKED_MAX];
    for (size_t i = 0; i < count; i++) {
        double own = rows[i].sigma2 < HUGE_VAL ? length_of(&rows[i]) : 0;
        seconds = own > seconds ? own : seconds;
    }
    if (seconds == 0) {
        return;
    }
    seconds *= times;
    struct world_case world =
        textbook_write(&rows[0].system, seconds + textbook_warm_up(&rows[0].system));
    double customers = live(&world, rows, count, seed, 0, values);
    world_free(&world);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].sigma2 < HUGE_VAL) {
            double error = sqrt(rows[i].sigma2 / (rows[i].per_customer ? customers : seconds));
            double off = values[i] - rows[i].value;
            double z = error > 0 ? off / error : off == 0 ? 0 : HUGE_VAL;
            findings[i] = (struct finding){values[i], error, z, fabs(z) < z_most, times > 1};
        }
    }
}

/* 64 short runs for all rows without. */
static void judge_by_replication(const struct row *rows, size_t count, uint64_t seed, double times,
                                 struct finding *findings) {
    double sum[WATCH_ASKED_MAX] = {0}, squares[WATCH_ASKED_MAX] = {0}, values[WATCH_ASKED_MAX];
    double seconds = times * arrivals_short / rows[0].system.lambda;
    struct world_case world =
        textbook_write(&rows[0].system, seconds + textbook_warm_up(&rows[0].system));
    for (uint32_t run = 0; run < RUNS; run++) {
        live(&world, rows, count, seed, run, values);
        for (size_t i = 0; i < count; i++) {
            double off = values[i] - rows[i].value; /* small numbers: their squares lose nothing */
            sum[i] += off;
            squares[i] += off * off;
        }
    }
    world_free(&world);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].sigma2 == HUGE_VAL) {
            double mean = sum[i] / RUNS;
            double variance = (squares[i] - mean * sum[i]) / (RUNS - 1);
            double error = sqrt(variance / RUNS);
            double t = error > 0 ? mean / error : mean == 0 ? 0 : HUGE_VAL;
            findings[i] =
                (struct finding){mean + rows[i].value, error, t, fabs(t) < t_most, times > 1};
        }
    }
}

static void find(const struct row *rows, size_t count, uint64_t seed, double times,
                 struct finding *findings) {
    bool replicate = false;
    for (size_t i = 0; i < count; i++) {
        replicate = replicate || rows[i].sigma2 == HUGE_VAL;
    }
    judge_by_variance(rows, count, seed, times, findings);
    if (replicate) {
        judge_by_replication(rows, count, seed, times, findings);
    }
}

/* ---- telling --------------------------------------------------------------------------------- */

static void tell(struct page *page, const struct row *row, const struct finding *finding) {
    char system[TEXT_MAX], quantity[TEXT_MAX], cells[4][64];
    textbook_describe(&row->system, system, sizeof system);
    bool has_t = row->at < HUGE_VAL && row->quantity != WATCH_ORBIT_VARIANCE &&
                 row->quantity != WATCH_BUSY_VARIANCE;
    world_print(quantity, sizeof quantity, has_t ? "%s, t = %.6g" : "%s",
                watch_title(row->quantity), row->at);
    world_print(cells[0], sizeof cells[0], "%.8g", row->value);
    world_print(cells[1], sizeof cells[1], "%.6g", finding->ours);
    world_print(cells[2], sizeof cells[2], "%.2g", finding->error);
    world_print(cells[3], sizeof cells[3], "%s %.2f%s", row->sigma2 < HUGE_VAL ? "z" : "t",
                finding->score, finding->again ? " (2nd)" : "");
    page_add(page, &(struct page_row){row->model, system, quantity, cells[0], cells[1], cells[2],
                                      cells[3], row->source});
}

/* ---- the table ------------------------------------------------------------------------------- */

static struct row read_row(const struct csv *csv, size_t row) {
    bool has_at = csv_has(csv, "at"), has_sigma2 = csv_has(csv, "sigma2");
    return (struct row){
        .system = textbook_read(csv, row),
        .model = csv_text(csv, row, "model"),
        .source = csv_text(csv, row, "source"),
        .quantity = watch_quantity_of(csv_text(csv, row, "quantity")),
        .at = has_at ? csv_number(csv, row, "at") : HUGE_VAL,
        .value = csv_number(csv, row, "value"),
        .sigma2 = has_sigma2 ? csv_number(csv, row, "sigma2") : HUGE_VAL,
        .per_customer = has_sigma2 && strcmp(csv_text(csv, row, "per"), "customer") == 0,
        .seed = 2 * row + 1,
    };
}

static bool is_wanted(const struct csv *csv, size_t index, const struct row *row) {
    bool in_ci = strcmp(csv_text(csv, index, "ci"), "yes") == 0;
    if (!page_is_full() || in_ci) {
        return in_ci;
    }
    if (row->sigma2 == HUGE_VAL) {
        return row->value == 0 || row->value * RUNS * arrivals_short >= seen_least;
    }
    return length_needed(row) * row->system.lambda <= arrivals_most_full;
}

/* The wanted rows of a table; the caller frees them. */
static struct row *read_rows(const struct csv *csv, size_t *count) {
    struct row *rows = calloc(csv->rows, sizeof *rows);
    assert_non_null(rows);
    *count = 0;
    for (size_t i = 0; i < csv->rows; i++) {
        rows[*count] = read_row(csv, i);
        *count += is_wanted(csv, i, &rows[*count]);
    }
    return rows;
}

/* Judges rows of one system. Returns how many of them failed for good. */
static size_t judge_system(struct page *page, const struct row *rows, size_t count, size_t *again) {
    struct finding findings[WATCH_ASKED_MAX];
    size_t failures = 0;
    assert_true(count <= WATCH_ASKED_MAX);
    find(rows, count, rows[0].seed, 1, findings);
    for (size_t i = 0; i < count; i++) {
        if (!findings[i].good) {
            tell(page, &rows[i], &findings[i]);
            ++*again;
            find(&rows[i], 1, rows[0].seed + 1, 4, &findings[i]);
        }
        failures += !findings[i].good;
        tell(page, &rows[i], &findings[i]);
    }
    return failures;
}

void judge(const struct judge_table *table) {
    char path[TEXT_MAX];
    world_print(path, sizeof path, "%s/tests/data/%s_truths.csv", STORM_SOURCE_DIR, table->name);
    struct csv csv = csv_read(path);
    size_t count, failures = 0, again = 0;
    struct row *rows = read_rows(&csv, &count);
    struct page page = page_begin(table->name, table->title, table->note);
    assert_true(count >= table->least);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1;
             next < count && textbook_is_same(&rows[first].system, &rows[next].system);) {
            next++;
        }
        failures += judge_system(&page, &rows[first], next - first, &again);
    }
    print_message("%zu of %zu rows, %zu of them run again, %zu failed\n", count, csv.rows, again,
                  failures);
    free(rows);
    csv_free(&csv);
    page_end(&page);
    assert_int_equal(failures, 0);
}
