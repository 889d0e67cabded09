/* verdict_table.c: one row a variant: how it ended, and the numbers that matter most. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariant: all rows, and both columns of load, speak of one service. */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <retrystorm/results.h>

#include "report/page.h"
#include "report/text.h"
#include "report/verdict_table.h"

enum { WORD_COLUMNS = 2 };

/* Whose number a column shows: the run's, that of the service shown, or that of the place where it
   is largest. */
enum owner { OF_RUN, OF_SERVICE, OF_LARGEST };

/* A column: a metric. `rank` is its turn to go when the table is too wide; 0: never. */
struct column {
    const char *metric, *title, *suffix; /* suffix NULL: by the metric's unit */
    enum owner owner;
    uint32_t rank;
};

static const struct column columns[] = {
    {"knock_downs", "knock-downs", "", OF_RUN, 0},
    {"peak_load_capacity", "peak load", " \xC3\x97", OF_SERVICE, 4}, /* times sign */
    {"dead_letters", "dead letters", "", OF_RUN, 0},
    {"replayed", "replayed", "", OF_RUN, 6},
    {"replay_succeeded", "brought back", "", OF_RUN, 0},
    {"queue_depth_peak", "most waiting", "", OF_LARGEST, 0},
    {"messages_lost", "lost by broker", "", OF_LARGEST, 6},
    {"success_share", "in time", NULL, OF_RUN, 3},
    {"last_bad", "last bad", " s", OF_RUN, 2},
    {"amplification", "amplification", " \xC3\x97", OF_SERVICE, 5},
    {"time_to_recover", "recovers after", " s", OF_RUN, 1},
    {"completion_time", "done after", " s", OF_RUN, 6},
    {"held_back", "held back", "", OF_LARGEST, 6},
    {"bans", "bans", "", OF_LARGEST, 0},
    {"duplicates", "duplicates", "", OF_LARGEST, 0},
    {"duplicates_suppressed", "suppressed", "", OF_LARGEST, 6},
    {"wrongly_merged", "wrongly merged", "", OF_LARGEST, 0},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0], TURNS = 1 + 6 };

/* One attempt at the table: what it leaves out, and what it turned out to hold. */
struct draft {
    const char *service; /* whose load is shown; "" when there is none */
    bool several;        /* services to choose from */
    uint32_t dropped;    /* columns of rank 1 .. dropped are left out */
    bool brief;          /* and so are ranges, and words */
    bool means, medians; /* such brackets are there */
    bool loads;          /* a column of load is there */
    struct text_table table;
};

const char *verdict_table_title(const char *metric, size_t length) {
    for (uint32_t c = 0; c < COLUMN_COUNT; c++) {
        if (strlen(columns[c].metric) == length && strncmp(columns[c].metric, metric, length) == 0)
            return columns[c].title;
    }
    return metric;
}

/* ---- whose load ------------------------------------------------------------------------------ */

static bool has_fault(const struct storm_results *results, const char *service) {
    for (uint32_t v = 0; v < results->variant_count; v++) {
        const struct storm_variant *variant = &results->variants[v];
        for (uint32_t i = 0; i < variant->span_count; i++) {
            if (variant->spans[i].kind == STORM_SPAN_FAULT &&
                strcmp(variant->spans[i].subject, service) == 0)
                return true;
        }
    }
    return false;
}

/* A metric of a service in a variant; 0 when it has none. */
static double typical_of(struct page *page, uint32_t variant, const char *metric,
                         const char *service) {
    const struct storm_metric *found = storm_variant_metric(
        &page->results->variants[variant], page_phrase(page, "%s.%s", metric, service));
    return found != NULL && found->applies > 0 ? page_typical(found) : 0.0;
}

/* What a service has to show: attempts and retries per request, over all variants. */
struct load {
    double attempts, retries;
    bool fault;
};

static struct load load_of(struct page *page, const char *service) {
    struct load load = {.fault = has_fault(page->results, service)};
    for (uint32_t v = 0; v < page->results->variant_count; v++) {
        double attempts = typical_of(page, v, "amplification", service);
        load.attempts += attempts;
        load.retries += attempts * typical_of(page, v, "retry_share", service);
    }
    return load;
}

/* More retries; where there are none, a fault, or else more attempts. */
static bool is_more(const struct load *load, const struct load *other) {
    if (load->retries != other->retries)
        return load->retries > other->retries;
    return load->fault != other->fault ? load->fault : load->attempts > other->attempts;
}

/* Chooses the service that has most to show. */
static void service_choose(struct page *page, struct draft *draft) {
    static const char head[] = "amplification.";
    const struct storm_results *results = page->results;
    const struct storm_variant *first = &results->variants[0];
    struct load most = {.attempts = -1.0};
    assert(results->variant_count > 0);
    draft->service = "";
    for (uint32_t i = 0; i < first->metric_count; i++) {
        const char *metric = first->metrics[i].name;
        if (strncmp(metric, head, sizeof head - 1) != 0)
            continue;
        const char *service = metric + sizeof head - 1;
        struct load load = load_of(page, service);
        draft->several = *draft->service != '\0';
        if (!is_more(&load, &most))
            continue;
        draft->service = service;
        most = load;
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* What follows a number of this unit. */
static const char *suffix_of(struct page *page, const char *unit) {
    if (storm_unit_is_share(unit))
        return " %";
    return *unit == '\0' ? "" : page_phrase(page, " %s", page_clean(page, unit));
}

/* Fills a cell with a metric: its mean and the mean's interval, or its median and range; in how
   many runs it applies, if not in all. */
static void metric_cell(struct page *page, struct draft *draft, const struct storm_metric *metric,
                        uint32_t runs, const char *suffix, struct text_cell *cell) {
    char numbers[3][TEXT_NUMBER_SIZE];
    if (metric == NULL || metric->applies == 0) {
        cell->value = "\xE2\x80\x93"; /* en dash */
        return;
    }
    double scale = storm_unit_is_share(metric->unit) ? 100.0 : 1.0;
    bool median = metric->bimodal;
    const double values[3] = {scale * page_typical(metric),
                              scale * (median ? metric->min : metric->lo),
                              scale * (median ? metric->max : metric->hi)};
    bool exact = text_numbers(values, 3, numbers) || isnan(values[1]);
    if (exact || draft->brief)
        text_number(values[0], numbers[0]);
    cell->value = page_phrase(page, "%s%s", numbers[0], suffix);
    if (draft->brief)
        return;
    draft->means = draft->means || (!exact && !median);
    draft->medians = draft->medians || (!exact && median);
    const char *range = exact ? "" : page_phrase(page, " [%s, %s]", numbers[1], numbers[2]);
    const char *when = metric->applies == runs
                           ? ""
                           : page_phrase(page, " in %" PRIu32 " run%s", metric->applies,
                                         page_plural(metric->applies));
    cell->tail = page_phrase(page, "%s%s", range, when);
}

/* Whether a metric may be the column's. */
static bool is_candidate(const struct draft *draft, const struct column *column,
                         const struct storm_metric *metric) {
    size_t length = strlen(column->metric);
    const char *rest = metric->name + length;
    if (metric->applies == 0 || strncmp(metric->name, column->metric, length) != 0)
        return false;
    if (column->owner == OF_RUN)
        return *rest == '\0';
    return *rest == '.' && (column->owner == OF_LARGEST || strcmp(rest + 1, draft->service) == 0);
}

/* The name of a column's metric, or NULL when it is left out or no variant has a number for it (of
   the largest: none but 0). */
static const char *column_metric(struct page *page, const struct draft *draft,
                                 const struct column *column) {
    const char *name = NULL;
    double most = column->owner == OF_LARGEST ? 0.0 : -HUGE_VAL;
    if (column->rank > 0 && column->rank <= draft->dropped)
        return NULL;
    for (uint32_t v = 0; v < page->results->variant_count; v++) {
        const struct storm_variant *variant = &page->results->variants[v];
        for (uint32_t i = 0; i < variant->metric_count; i++) {
            const struct storm_metric *metric = &variant->metrics[i];
            if (is_candidate(draft, column, metric) && page_typical(metric) > most) {
                name = metric->name;
                most = page_typical(metric);
            }
        }
    }
    return name;
}

static void fill_column(struct page *page, struct draft *draft, uint32_t place,
                        const struct column *column, const char *name) {
    assert(name != NULL && place < draft->table.columns);
    text_table_cell(&draft->table, 0, place)->value = column->title;
    draft->loads = draft->loads || column->owner == OF_SERVICE;
    for (uint32_t v = 0; v < page->results->variant_count; v++) {
        const struct storm_variant *variant = &page->results->variants[v];
        const struct storm_metric *metric = storm_variant_metric(variant, name);
        const char *suffix = column->suffix;
        if (suffix == NULL && metric != NULL)
            suffix = suffix_of(page, metric->unit);
        metric_cell(page, draft, metric, variant->runs_done, suffix,
                    text_table_cell(&draft->table, v + 1, place));
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Whether a setting says how calls are tried again. */
static bool is_policy(const char *path) {
    return strncmp(path, "policies.", strlen("policies.")) == 0 || strstr(path, ".retry") != NULL;
}

/* Whether every setting of `a` that `b` does not share belongs to a policy. */
static bool differ_in_policy(const struct storm_variant *a, const struct storm_variant *b) {
    for (uint32_t i = 0; i < a->setting_count; i++) {
        const char *path = a->settings[i].path;
        const char *other = storm_variant_setting(b, path);
        bool same = other != NULL && strcmp(other, a->settings[i].value) == 0;
        if (!same && !is_policy(path))
            return false;
    }
    return true;
}

/* What a row is: a policy when the variants differ in nothing else. */
static const char *row_kind(const struct storm_results *results) {
    bool policies = results->variant_count > 1;
    for (uint32_t v = 1; v < results->variant_count && policies; v++) {
        const struct storm_variant *first = &results->variants[0], *other = &results->variants[v];
        policies = differ_in_policy(first, other) && differ_in_policy(other, first);
    }
    return policies ? "policy" : "variant";
}

static bool draft_fill(struct page *page, struct draft *draft) {
    const struct storm_results *results = page->results;
    const char *names[COLUMN_COUNT];
    uint32_t place = WORD_COLUMNS, used = WORD_COLUMNS;
    struct text_table *table = &draft->table;
    draft->means = draft->medians = draft->loads = false;
    for (uint32_t c = 0; c < COLUMN_COUNT; c++) {
        names[c] = column_metric(page, draft, &columns[c]);
        used += names[c] != NULL;
    }
    if (!text_table_init(table, &page->arena, results->variant_count + 1, used, WORD_COLUMNS))
        return false;
    text_table_cell(table, 0, 0)->value = row_kind(results);
    text_table_cell(table, 0, 1)->value = "verdict";
    for (uint32_t v = 0; v < results->variant_count; v++) {
        const struct storm_variant *variant = &results->variants[v];
        text_table_cell(table, v + 1, 0)->value = page_clean(page, variant->name);
        text_table_cell(table, v + 1, 1)->value = page_verdicts(page, variant, draft->brief);
    }
    for (uint32_t c = 0; c < COLUMN_COUNT; c++) {
        if (names[c] != NULL)
            fill_column(page, draft, place++, &columns[c], names[c]);
    }
    assert(place == used);
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* What the brackets in the table mean, of those that are there. */
static void write_legend(const struct page *page, const struct draft *draft) {
    static const char means[] = "mean [95 % interval of the mean]",
                      medians[] = "median [least, most] where runs may end in two ways";
    if (!draft->means && !draft->medians)
        return;
    bool narrow =
        page->text->width > 0 && (size_t)page->text->width < sizeof means + sizeof medians;
    const char *between = draft->means && draft->medians ? narrow ? ";\n " : "; " : "";
    fprintf(page->out, "(%s%s%s)\n", draft->means ? means : "", between,
            draft->medians ? medians : "");
}

static bool fits(const struct page *page, struct draft *draft) {
    int width = page->text->width;
    assert(width >= 0);
    return width == 0 || text_table_width(&draft->table) <= (size_t)width;
}

void verdict_table_write(struct page *page) {
    struct draft draft = {.service = ""};
    service_choose(page, &draft);
    bool filled = draft_fill(page, &draft);
    for (uint32_t turn = 1; turn < 2 * TURNS && filled && !fits(page, &draft); turn++) {
        draft.brief = turn >= TURNS;
        draft.dropped = turn % TURNS;
        filled = draft_fill(page, &draft);
    }
    page->failed = page->failed || !filled;
    if (!filled)
        return;
    if (draft.several && draft.loads)
        fprintf(page->out, "Load and amplification are those of %s.\n",
                page_clean(page, draft.service));
    text_table_write(&draft.table, page->out);
    write_legend(page, &draft);
}
