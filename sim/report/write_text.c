/* write_text.c: results for a terminal: the verdict table, and what it says. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "report/report.h"
#include "report/text.h"
#include "report/words.h"

enum { ARENA_MAX = 256 << 20, CELL_MAX = 256, WORD_COLUMNS = 2 };

/* A column of the verdict table. Of a metric that exists once per subject ("amplification.db") the
   subject with the largest value of all variants is shown. */
struct column {
    const char *metric, *title, *suffix; /* suffix NULL: by the metric's unit */
};

static const struct column columns[] = {
    {"knock_downs", "knock-downs", ""},
    {"peak_load_capacity", "peak load", " \xC3\x97"}, /* times sign */
    {"dead_letters", "dead letters", ""},
    {"success_share", "in time", NULL},
    {"last_bad", "last bad", " s"},
    {"amplification", "amplification", " \xC3\x97"},
    {"time_to_recover", "recovers after", " s"},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

/* One text being written. */
struct page {
    const struct storm_results *results;
    const struct report_text *text;
    struct arena arena;
    FILE *out;
    bool failed;         /* memory ran out */
    bool means, medians; /* such brackets were written */
};

/* ---- pieces of text -------------------------------------------------------------------------- */

/* A formatted string that lives as long as the page; "" when memory runs out, which the page
   remembers. */
static const char *phrase(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *phrase(struct page *page, const char *format, ...) {
    char text[CELL_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    const char *copy = arena_copy_string(&page->arena, text, strlen(text));
    page->failed = page->failed || copy == NULL;
    return copy == NULL ? "" : copy;
}

/* A name from the results, made safe for a terminal. */
static const char *clean(struct page *page, const char *name) {
    const char *copy = text_clean(&page->arena, name);
    page->failed = page->failed || copy == NULL;
    return copy == NULL ? "" : copy;
}

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

/* ---- metrics --------------------------------------------------------------------------------- */

/* What stands for a metric in one number. */
static double typical(const struct storm_metric *metric) {
    return metric->bimodal ? metric->median : metric->mean;
}

static const struct storm_metric *metric_find(const struct storm_variant *variant,
                                              const char *name) {
    assert(name != NULL);
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        if (strcmp(variant->metrics[i].name, name) == 0)
            return &variant->metrics[i];
    }
    return NULL;
}

/* Whether `name` is the metric `base`, of the whole run or of a subject ("base.subject"). */
static bool name_belongs(const char *name, const char *base) {
    size_t length = strlen(base);
    return strncmp(name, base, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

/* The name of the metric that a column shows, or NULL when no variant has a number for it. One of
   the whole run is preferred; else the largest is taken, and `subjects` says how many there were to
   choose from. */
static const char *column_choose(const struct storm_results *results, const struct column *column,
                                 uint32_t *subjects) {
    assert(column != NULL && subjects != NULL);
    const struct storm_metric *chosen = NULL;
    *subjects = 0;
    for (uint32_t v = 0; v < results->variant_count; v++) {
        const struct storm_variant *variant = &results->variants[v];
        for (uint32_t i = 0; i < variant->metric_count; i++) {
            const struct storm_metric *metric = &variant->metrics[i];
            if (!name_belongs(metric->name, column->metric))
                continue;
            *subjects += v == 0;
            if (metric->applies == 0)
                continue;
            if (strcmp(metric->name, column->metric) == 0)
                return metric->name;
            if (chosen == NULL || typical(metric) > typical(chosen))
                chosen = metric;
        }
    }
    return chosen == NULL ? NULL : chosen->name;
}

/* What follows a number of this unit. */
static const char *suffix_of(struct page *page, const char *unit) {
    if (strcmp(unit, "share") == 0)
        return " %";
    return *unit == '\0' ? "" : phrase(page, " %s", clean(page, unit));
}

/* Fills a cell with a metric: its mean and the mean's interval, or its median and range; in how
   many runs it applies, if not in all. */
static void metric_cell(struct page *page, const struct storm_metric *metric, uint32_t runs,
                        const char *suffix, struct text_cell *cell) {
    char value[TEXT_NUMBER_SIZE], low[TEXT_NUMBER_SIZE], high[TEXT_NUMBER_SIZE];
    if (metric == NULL || metric->applies == 0) {
        cell->value = text_number((double)NAN, value);
        cell->value = phrase(page, "%s", cell->value);
        return;
    }
    double scale = strcmp(metric->unit, "share") == 0 ? 100.0 : 1.0;
    text_number(scale * typical(metric), value);
    text_number(scale * (metric->bimodal ? metric->min : metric->lo), low);
    text_number(scale * (metric->bimodal ? metric->max : metric->hi), high);
    bool exact = (strcmp(low, value) == 0 && strcmp(high, value) == 0) ||
                 (!metric->bimodal && isnan(metric->lo));
    page->means = page->means || (!exact && !metric->bimodal);
    page->medians = page->medians || (!exact && metric->bimodal);
    const char *range = exact ? "" : phrase(page, " [%s, %s]", low, high);
    const char *when = metric->applies == runs ? ""
                                               : phrase(page, " in %" PRIu32 " run%s",
                                                        metric->applies, plural(metric->applies));
    cell->value = phrase(page, "%s%s", value, suffix);
    cell->tail = phrase(page, "%s%s", range, when);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Green for what comes back, yellow for what half does, red for what does not. */
static const char *paint_of(uint32_t verdict) {
    if (verdict == STORM_VERDICT_UNHARMED || verdict == STORM_VERDICT_RECOVERED)
        return "32";
    if (verdict == STORM_VERDICT_DEGRADED)
        return "33";
    return verdict == STORM_VERDICT_STUCK ? "31" : "2";
}

static const char *verdict_painted(struct page *page, uint32_t verdict) {
    if (!page->text->color)
        return word_verdict(verdict);
    return phrase(page, "\033[%sm%s\033[0m", paint_of(verdict), word_verdict(verdict));
}

/* The most frequent verdict not yet in `told`, or STORM_VERDICT_COUNT. */
static uint32_t verdict_next(const struct storm_variant *variant, const bool *told) {
    uint32_t best = STORM_VERDICT_COUNT, most = 0;
    for (uint32_t verdict = 0; verdict < STORM_VERDICT_COUNT; verdict++) {
        if (!told[verdict] && variant->verdicts[verdict] > most) {
            best = verdict;
            most = variant->verdicts[verdict];
        }
    }
    return best;
}

/* "stuck in 30 of 30 runs"; "stuck in 17, recovered in 13 of 30 runs". */
static const char *verdict_phrase(struct page *page, const struct storm_variant *variant) {
    bool told[STORM_VERDICT_COUNT] = {false};
    const char *text = "";
    if (variant->runs_done == 0)
        return "no run was finished";
    uint32_t verdict = verdict_next(variant, told);
    while (verdict < STORM_VERDICT_COUNT) {
        text = phrase(page, "%s%s%s in %" PRIu32, text, *text == '\0' ? "" : ", ",
                      verdict_painted(page, verdict), variant->verdicts[verdict]);
        told[verdict] = true;
        verdict = verdict_next(variant, told);
    }
    return phrase(page, "%s of %" PRIu32 " run%s", text, variant->runs_done,
                  plural(variant->runs_done));
}

/* ---- what the variants differ in ------------------------------------------------------------- */

static const char *setting_find(const struct storm_variant *variant, const char *path) {
    assert(path != NULL);
    for (uint32_t i = 0; i < variant->setting_count; i++) {
        if (strcmp(variant->settings[i].path, path) == 0)
            return variant->settings[i].value;
    }
    return NULL;
}

/* Whether a setting says how calls are tried again. */
static bool is_policy(const char *path) {
    return strncmp(path, "policies.", strlen("policies.")) == 0 || strstr(path, ".retry") != NULL;
}

/* Whether every setting of `a` that `b` does not share belongs to a policy. */
static bool differ_in_policy(const struct storm_variant *a, const struct storm_variant *b) {
    for (uint32_t i = 0; i < a->setting_count; i++) {
        const char *path = a->settings[i].path;
        const char *other = setting_find(b, path);
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

/* ---- the page, from top to bottom ------------------------------------------------------------ */

static void write_head(struct page *page) {
    const struct storm_results *results = page->results;
    char duration[48];
    assert(results->duration >= 0);
    if (results->title != NULL && *results->title != '\0')
        fprintf(page->out, "%s\n", clean(page, results->title));
    if (results->question != NULL && *results->question != '\0')
        fprintf(page->out, "%s\n", clean(page, results->question));
    fprintf(page->out, "%s, %" PRIu32 " run%s of %s, seed %" PRIu64 "%s\n\n",
            clean(page, results->file), results->runs, plural(results->runs),
            storm_time_print(results->duration, duration, sizeof duration), results->seed,
            results->complete ? "" : ", incomplete");
}

/* Fills one column of numbers. */
static void fill_column(struct page *page, struct text_table *table, uint32_t place,
                        const struct column *column, const char *name, uint32_t subjects) {
    assert(name != NULL && place < table->columns);
    const char *subject = strchr(name, '.');
    const char *title = column->title;
    if (subject != NULL && subjects > 1)
        title = phrase(page, "%s, %s", column->title, clean(page, subject + 1));
    text_table_cell(table, 0, place)->value = title;
    for (uint32_t v = 0; v < page->results->variant_count; v++) {
        const struct storm_variant *variant = &page->results->variants[v];
        const struct storm_metric *metric = metric_find(variant, name);
        const char *suffix = column->suffix;
        if (suffix == NULL && metric != NULL)
            suffix = suffix_of(page, metric->unit);
        metric_cell(page, metric, variant->runs_done, suffix, text_table_cell(table, v + 1, place));
    }
}

/* One row a variant: name, verdict, and each column that some variant has a number for. */
static void write_table(struct page *page) {
    const struct storm_results *results = page->results;
    const char *names[COLUMN_COUNT];
    uint32_t subjects[COLUMN_COUNT], place = WORD_COLUMNS;
    struct text_table table;
    uint32_t used = WORD_COLUMNS;
    for (uint32_t c = 0; c < COLUMN_COUNT; c++) {
        names[c] = column_choose(results, &columns[c], &subjects[c]);
        used += names[c] != NULL;
    }
    if (!text_table_init(&table, &page->arena, results->variant_count + 1, used, WORD_COLUMNS)) {
        page->failed = true;
        return;
    }
    text_table_cell(&table, 0, 0)->value = row_kind(results);
    text_table_cell(&table, 0, 1)->value = "verdict";
    for (uint32_t v = 0; v < results->variant_count; v++) {
        text_table_cell(&table, v + 1, 0)->value = clean(page, results->variants[v].name);
        text_table_cell(&table, v + 1, 1)->value = verdict_phrase(page, &results->variants[v]);
    }
    for (uint32_t c = 0; c < COLUMN_COUNT; c++) {
        if (names[c] != NULL)
            fill_column(page, &table, place++, &columns[c], names[c], subjects[c]);
    }
    assert(place == used);
    text_table_write(&table, page->out);
}

/* How a variant ends, over its runs. */
enum ending {
    ENDING_NEVER, /* no run came back */
    ENDING_SOMETIMES,
    ENDING_ALWAYS,
    ENDING_UNHARMED, /* no run ever left the band */
    ENDING_UNKNOWN,  /* no verdict in some or all runs */
    ENDING_COUNT
};

static enum ending ending_of(const struct storm_variant *variant) {
    const uint32_t *verdicts = variant->verdicts;
    uint32_t runs = variant->runs_done;
    uint32_t unharmed = verdicts[STORM_VERDICT_UNHARMED];
    uint32_t back = unharmed + verdicts[STORM_VERDICT_RECOVERED];
    uint32_t away = verdicts[STORM_VERDICT_DEGRADED] + verdicts[STORM_VERDICT_STUCK];
    assert(back + away <= runs);
    if (runs == 0 || back + away < runs)
        return ENDING_UNKNOWN;
    if (unharmed == runs)
        return ENDING_UNHARMED;
    if (away == 0)
        return ENDING_ALWAYS;
    return back == 0 ? ENDING_NEVER : ENDING_SOMETIMES;
}

/* The variant's name as a subject; with a single variant the service is meant. */
static const char *subject_of(struct page *page, const struct storm_variant *variant, bool first) {
    if (page->results->variant_count == 1)
        return first ? "The service" : "the service";
    return clean(page, variant->name);
}

/* "full-jitter and decorrelated-jitter always recover" for all variants that end one way. Returns
   whether there were any. */
static bool write_group(struct page *page, enum ending ending, bool first) {
    static const char *const singular[] = {"never recovers", "", "always recovers",
                                           "is never harmed"};
    static const char *const several[] = {"never recover", "", "always recover",
                                          "are never harmed"};
    const struct storm_results *results = page->results;
    uint32_t count = 0, written = 0;
    assert(ending != ENDING_SOMETIMES && ending < ENDING_UNKNOWN);
    for (uint32_t v = 0; v < results->variant_count; v++)
        count += ending_of(&results->variants[v]) == ending;
    if (count == 0)
        return false;
    fputs(first ? "" : "; ", page->out);
    for (uint32_t v = 0; v < results->variant_count; v++) {
        if (ending_of(&results->variants[v]) != ending)
            continue;
        const char *before = written == 0 ? "" : written + 1 == count ? " and " : ", ";
        fprintf(page->out, "%s%s", before, subject_of(page, &results->variants[v], first));
        written++;
    }
    fprintf(page->out, " %s", count == 1 ? singular[ending] : several[ending]);
    return true;
}

/* A clause for each variant that ends now so, now otherwise. Returns whether there were any. */
static bool write_mixed(struct page *page, bool first) {
    const struct storm_results *results = page->results;
    bool any = false;
    for (uint32_t v = 0; v < results->variant_count; v++) {
        const struct storm_variant *variant = &results->variants[v];
        if (ending_of(variant) != ENDING_SOMETIMES)
            continue;
        uint32_t back =
            variant->verdicts[STORM_VERDICT_UNHARMED] + variant->verdicts[STORM_VERDICT_RECOVERED];
        assert(back > 0 && back < variant->runs_done);
        bool opens = first && !any;
        fprintf(page->out, "%s%s recovers in %" PRIu32 " of %" PRIu32 " runs", opens ? "" : "; ",
                subject_of(page, variant, opens), back, variant->runs_done);
        any = true;
    }
    return any;
}

/* The finding in one sentence: who always comes back, who sometimes, who never. Variants without a
   verdict are not spoken of. */
static void write_finding(struct page *page) {
    bool any = write_group(page, ENDING_UNHARMED, true);
    any = write_group(page, ENDING_ALWAYS, !any) || any;
    any = write_mixed(page, !any) || any;
    any = write_group(page, ENDING_NEVER, !any) || any;
    fputs(any ? ".\n" : "", page->out);
}

/* The service's name in a path services.NAME.queue.limit: its length, or 0. */
static size_t service_name_length(const char *path) {
    static const char head[] = "services.", tail[] = ".queue.limit";
    size_t length = strlen(path);
    size_t around = strlen(head) + strlen(tail);
    if (length <= around || strncmp(path, head, strlen(head)) != 0 ||
        strcmp(path + length - strlen(tail), tail) != 0)
        return 0;
    return length - around;
}

/* Writes one setting of a service's queue: its value, or all its values when the variants
   differ. */
static void write_rule(struct page *page, const char *service, const char *key, const char *words) {
    const struct storm_results *results = page->results;
    const char *path = phrase(page, "services.%s.%s", service, key);
    const char *last = NULL;
    for (uint32_t v = 0; v < results->variant_count; v++) {
        const char *value = setting_find(&results->variants[v], path);
        if (value == NULL || (last != NULL && strcmp(value, last) == 0))
            continue;
        fprintf(page->out, "%s%s", last == NULL ? words : " / ", clean(page, value));
        last = value;
    }
}

/* The queue of each service: a bound longer than the callers' patience decides more than any
   back-off. */
static void write_queues(struct page *page) {
    const struct storm_results *results = page->results;
    assert(results->variant_count > 0);
    const struct storm_variant *variant = &results->variants[0];
    for (uint32_t i = 0; i < variant->setting_count; i++) {
        const char *path = variant->settings[i].path;
        size_t length = service_name_length(path);
        if (length == 0)
            continue;
        const char *service = phrase(page, "%.*s", (int)length, path + strlen("services."));
        const char *workers = setting_find(variant, phrase(page, "services.%s.workers", service));
        if (workers != NULL && strcmp(workers, "unlimited") == 0)
            continue; /* nothing ever waits */
        fprintf(page->out, "Queue of %s:", clean(page, service));
        write_rule(page, service, "queue.limit", " limit ");
        write_rule(page, service, "queue.order", ", order ");
        write_rule(page, service, "queue.drop_expired", ", drop_expired ");
        write_rule(page, service, "on_full", ", on_full ");
        write_rule(page, service, "queue.on_full", ", on_full ");
        fputs(".\n", page->out);
    }
}

/* What the brackets in the table mean, of those that are there. */
static void write_legend(const struct page *page) {
    static const char means[] = "mean [95 % interval of the mean]", both[] = "; ",
                      medians[] = "median [least, most] where runs may end in two ways";
    if (!page->means && !page->medians)
        return;
    bool two = page->means && page->medians;
    fprintf(page->out, "(%s%s%s)\n", page->means ? means : "", two ? both : "",
            page->medians ? medians : "");
}

static void write_close(struct page *page) {
    write_legend(page);
    fputc('\n', page->out);
    write_finding(page);
    write_queues(page);
    const char *file = page->text->result_file;
    fprintf(page->out, "Next: retrystorm plot %s -o chart.png\n",
            file == NULL ? "RESULT.json" : clean(page, file));
}

/* ---- every metric ---------------------------------------------------------------------------- */

/* A statistic of a metric in its unit; a dash where it would mislead or there is none. */
static const char *statistic(struct page *page, const struct storm_metric *metric, double value) {
    char number[TEXT_NUMBER_SIZE];
    double scale = strcmp(metric->unit, "share") == 0 ? 100.0 : 1.0;
    return phrase(page, "%s",
                  text_number(metric->applies == 0 ? (double)NAN : scale * value, number));
}

/* Whether the runs of a variant ended in more than one way: then the mean of a metric that hangs on
   the end lies where no run was. */
static bool ends_differ(const struct storm_variant *variant) {
    const uint32_t *verdicts = variant->verdicts;
    uint32_t back = verdicts[STORM_VERDICT_UNHARMED] + verdicts[STORM_VERDICT_RECOVERED];
    uint32_t degraded = verdicts[STORM_VERDICT_DEGRADED], stuck = verdicts[STORM_VERDICT_STUCK];
    return (back > 0) + (degraded > 0) + (stuck > 0) > 1;
}

/* Fills the row of one metric. The mean is not shown where it would mislead (`mixed` runs). */
static void fill_metric(struct page *page, struct text_table *table, uint32_t row,
                        const struct storm_metric *metric, bool mixed) {
    double nothing = (double)NAN;
    bool bimodal = metric->bimodal && mixed;
    const char *low = statistic(page, metric, bimodal ? nothing : metric->lo);
    const char *high = statistic(page, metric, bimodal ? nothing : metric->hi);
    bool interval = metric->applies > 0 && !bimodal && metric->lo < metric->hi;
    bool share = strcmp(metric->unit, "share") == 0;
    text_table_cell(table, row, 0)->value = clean(page, metric->name);
    text_table_cell(table, row, 1)->value = share ? "%" : clean(page, metric->unit);
    struct text_cell *mean = text_table_cell(table, row, 2);
    mean->value = statistic(page, metric, bimodal ? nothing : metric->mean);
    mean->tail = interval                         ? phrase(page, " [%s, %s]", low, high)
                 : bimodal && metric->applies > 0 ? " bimodal"
                                                  : NULL;
    text_table_cell(table, row, 3)->value = statistic(page, metric, metric->median);
    text_table_cell(table, row, 4)->value = statistic(page, metric, metric->min);
    text_table_cell(table, row, 5)->value = statistic(page, metric, metric->max);
    text_table_cell(table, row, 6)->value = phrase(page, "%" PRIu32, metric->applies);
}

static void write_metrics(struct page *page, const struct storm_variant *variant) {
    static const char *const titles[] = {"metric", "unit", "mean [95 %]", "median",
                                         "min",    "max",  "runs"};
    enum { TITLE_COUNT = sizeof titles / sizeof titles[0] };
    struct text_table table;
    assert(variant->metrics != NULL || variant->metric_count == 0);
    fprintf(page->out, "%s: %s\n", clean(page, variant->name), verdict_phrase(page, variant));
    if (!text_table_init(&table, &page->arena, variant->metric_count + 1, TITLE_COUNT, 2)) {
        page->failed = true;
        return;
    }
    for (uint32_t c = 0; c < TITLE_COUNT; c++)
        text_table_cell(&table, 0, c)->value = titles[c];
    for (uint32_t i = 0; i < variant->metric_count; i++)
        fill_metric(page, &table, i + 1, &variant->metrics[i], ends_differ(variant));
    text_table_write(&table, page->out);
    fputc('\n', page->out);
}

/* ---- entry ----------------------------------------------------------------------------------- */

static bool page_write(const struct storm_results *results, const struct report_text *text,
                       FILE *out, bool full) {
    assert(results != NULL && text != NULL && out != NULL);
    struct page page = {.results = results, .text = text, .out = out};
    arena_init(&page.arena, ARENA_MAX);
    write_head(&page);
    for (uint32_t v = 0; v < results->variant_count && full; v++)
        write_metrics(&page, &results->variants[v]);
    if (results->variant_count > 0) {
        write_table(&page);
        write_close(&page);
    }
    arena_free(&page.arena);
    return !page.failed && ferror(out) == 0;
}

bool report_write_text(const struct storm_results *results, const struct report_text *text,
                       FILE *out) {
    return page_write(results, text, out, false);
}

bool report_write_text_full(const struct storm_results *results, const struct report_text *text,
                            FILE *out) {
    return page_write(results, text, out, true);
}
