/* write_text.c: results for a terminal: the verdict table, and what it says. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <retrystorm/results.h>

#include "report/comparison_text.h"
#include "report/conclusion.h"
#include "report/page.h"
#include "report/report.h"
#include "report/text.h"
#include "report/verdict_table.h"

enum { ARENA_MAX = 256 << 20 };

/* ---- the page, from top to bottom ------------------------------------------------------------ */

/* How long the runs are: as the scenario says, or, until idle, the longest of those drawn. */
static const char *lengths_of(struct page *page) {
    const struct storm_results *results = page->results;
    const char *said = results->variant_count > 0
                           ? storm_variant_setting(&results->variants[0], "duration")
                           : NULL;
    char number[TEXT_NUMBER_SIZE], duration[48];
    if (said == NULL || strcmp(said, "until_idle") != 0)
        return page_phrase(page, "of %s",
                           storm_time_print(results->duration, duration, sizeof duration));
    text_number(storm_time_to_seconds(results->duration), number);
    return page_phrase(page, "until idle (%s s and less)", number);
}

static void write_head(struct page *page) {
    const struct storm_results *results = page->results;
    assert(results->duration >= 0);
    if (results->title != NULL && *results->title != '\0')
        fprintf(page->out, "%s\n", page_clean(page, results->title));
    if (results->question != NULL && *results->question != '\0')
        fprintf(page->out, "%s\n", page_clean(page, results->question));
    fprintf(page->out, "%s, %" PRIu32 " run%s %s, seed %" PRIu64 "%s\n",
            page_clean(page, results->file), results->runs, page_plural(results->runs),
            lengths_of(page), results->seed, results->complete ? "" : ", incomplete");
    if (results->overrides != NULL && *results->overrides != '\0')
        fprintf(page->out, "with %s\n", page_clean(page, results->overrides));
    fputc('\n', page->out);
}

/* Settings that decide more than any back-off: a bound longer than the callers' patience, how often
   a message is tried, how long a dead letter is kept. A path of `head`, a name and `tail` says that
   there is such a thing. */
struct rule {
    const char *key, *words;
};

enum { RULES_MOST = 5 };

static const struct kind {
    const char *title, *head, *tail;
    struct rule rules[RULES_MOST];
} kinds[] = {
    {"Queue of",
     "services.",
     ".queue.limit",
     {{"queue.limit", " limit "}, {"queue.order", ", order "}, {"on_full", ", on_full "}}},
    {"Message queue",
     "queues.",
     ".visibility",
     {{"visibility", " visibility "},
      {"max_receives", ", max_receives "},
      {"order", ", order "},
      {"memory", ", memory "},
      {"on_full", ", on_full "}}},
    {"Consumers",
     "consumers.",
     ".prefetch",
     {{"from", " from "},
      {"count", ", count "},
      {"prefetch", ", prefetch "},
      {"retries", ", retries "}}},
    {"Dead letters of",
     "dead_letters.",
     ".alerts",
     {{"retention", " retention "}, {"archive", ", archive "}, {"alerts", ", alerts "}}},
};

/* The length of the name in a path of that kind, or 0. */
static size_t name_length(const struct kind *kind, const char *path) {
    size_t length = strlen(path), head = strlen(kind->head), tail = strlen(kind->tail);
    bool is_one = length > head + tail && strncmp(path, kind->head, head) == 0 &&
                  strcmp(path + length - tail, kind->tail) == 0;
    return is_one ? length - head - tail : 0;
}

/* Writes one setting: its value, or all its values when the variants differ. */
static void write_rule(struct page *page, const char *where, const struct rule *rule) {
    const struct storm_results *results = page->results;
    const char *path = page_phrase(page, "%s.%s", where, rule->key);
    const char *last = NULL;
    for (uint32_t v = 0; v < results->variant_count; v++) {
        const char *value = storm_variant_setting(&results->variants[v], path);
        if (value == NULL || (last != NULL && strcmp(value, last) == 0))
            continue;
        fprintf(page->out, "%s%s", last == NULL ? rule->words : " / ", page_clean(page, value));
        last = value;
    }
}

/* A line for each thing of that kind. */
static void write_kind(struct page *page, const struct kind *kind) {
    assert(page->results->variant_count > 0);
    const struct storm_variant *variant = &page->results->variants[0];
    for (uint32_t i = 0; i < variant->setting_count; i++) {
        const char *path = variant->settings[i].path;
        size_t length = name_length(kind, path);
        if (length == 0)
            continue;
        const char *name = page_phrase(page, "%.*s", (int)length, path + strlen(kind->head));
        const char *where = page_phrase(page, "%s%s", kind->head, name);
        const char *workers =
            storm_variant_setting(variant, page_phrase(page, "%s.workers", where));
        if (workers != NULL && strcmp(workers, "unlimited") == 0)
            continue; /* nothing ever waits */
        fprintf(page->out, "%s %s:", kind->title, page_clean(page, name));
        for (uint32_t r = 0; r < RULES_MOST && kind->rules[r].key != NULL; r++)
            write_rule(page, where, &kind->rules[r]);
        fputs(".\n", page->out);
    }
}

/* Of each variant so many alarms are told. */
enum { ALARMS_TOLD = 3 };

/* "Alarm orders.dead: depth > 0 at 63s, 0s after its first letter." */
static void write_alarm(struct page *page, const struct storm_variant *variant,
                        const struct storm_alarm *alarm) {
    char at[TEXT_DURATION_SIZE], delay[TEXT_DURATION_SIZE];
    bool several = page->results->variant_count > 1;
    assert(alarm->raised >= alarm->first_letter);
    fprintf(page->out, "Alarm %s%s%s%s: %s at %s, %s after its first letter.\n",
            page_clean(page, alarm->queue), several ? " (" : "",
            several ? page_clean(page, variant->name) : "", several ? ")" : "",
            page_clean(page, alarm->rule), text_duration(alarm->raised, at),
            text_duration(alarm->raised - alarm->first_letter, delay));
}

/* What went off in run 0. */
static void write_alarms(struct page *page) {
    for (uint32_t v = 0; v < page->results->variant_count; v++) {
        const struct storm_variant *variant = &page->results->variants[v];
        uint32_t told = variant->alarm_count < ALARMS_TOLD ? variant->alarm_count : ALARMS_TOLD;
        for (uint32_t i = 0; i < told; i++)
            write_alarm(page, variant, &variant->alarms[i]);
        if (told < variant->alarm_count)
            fprintf(page->out, "(and %" PRIu32 " more alarm%s)\n", variant->alarm_count - told,
                    page_plural(variant->alarm_count - told));
    }
}

/* Writes a file's name as a shell takes it. */
static void write_quoted(struct page *page, const char *file) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:@%";
    const char *name = page_clean(page, file);
    if (name[0] != '\0' && name[strspn(name, plain)] == '\0') {
        fputs(name, page->out);
        return;
    }
    fputc('\'', page->out);
    for (; *name != '\0'; name++) {
        if (*name == '\'')
            fputs("'\\'", page->out);
        fputc(*name, page->out);
    }
    fputc('\'', page->out);
}

/* What to do next, of what works: a chart is drawn of a result file. */
static void write_next(struct page *page) {
    const char *file = page->text->result_file;
    if (page->text->no_next) {
        return;
    }
    if (file == NULL) {
        fputs("Next: add -o result.json, then retrystorm plot result.json -o chart.png\n",
              page->out);
        return;
    }
    fputs("Next: retrystorm plot ", page->out);
    write_quoted(page, file);
    fputs(" -o chart.png\n", page->out);
}

/* ---- every metric ---------------------------------------------------------------------------- */

/* A statistic of a metric in its unit; a dash where it would mislead or there is none. */
static const char *statistic(struct page *page, const struct storm_metric *metric, double value) {
    char number[TEXT_NUMBER_SIZE];
    double scale = storm_unit_is_share(metric->unit) ? 100.0 : 1.0;
    return page_phrase(page, "%s",
                       text_number(metric->applies == 0 ? (double)NAN : scale * value, number));
}

/* Whether the runs of a variant ended in more than one way: then the mean of a metric that hangs on
   the end lies where no run was. */
static bool ends_differ(const struct storm_variant *variant) {
    const uint32_t *verdicts = variant->verdicts;
    uint32_t degraded = verdicts[STORM_VERDICT_DEGRADED], stuck = verdicts[STORM_VERDICT_STUCK];
    return (storm_variant_good_runs(variant) > 0) + (degraded > 0) + (stuck > 0) > 1;
}

/* A mean and its interval; neither where it would mislead. */
static void fill_mean(struct page *page, const struct storm_metric *metric, bool misleads,
                      struct text_cell *cell) {
    char numbers[3][TEXT_NUMBER_SIZE];
    double scale = storm_unit_is_share(metric->unit) ? 100.0 : 1.0;
    const double values[3] = {scale * metric->mean, scale * metric->lo, scale * metric->hi};
    if (metric->applies == 0 || misleads || !(metric->lo < metric->hi)) {
        cell->value = statistic(page, metric, misleads ? (double)NAN : metric->mean);
        cell->tail = metric->applies > 0 && misleads ? " bimodal" : NULL;
        return;
    }
    text_numbers(values, 3, numbers);
    cell->value = page_phrase(page, "%s", numbers[0]);
    cell->tail = page_phrase(page, " [%s, %s]", numbers[1], numbers[2]);
}

/* Fills the row of one metric. The mean is not shown where it would mislead (`mixed` runs). */
static void fill_metric(struct page *page, struct text_table *table, uint32_t row,
                        const struct storm_metric *metric, bool mixed) {
    bool share = storm_unit_is_share(metric->unit);
    assert(row > 0);
    text_table_cell(table, row, 0)->value = page_clean(page, metric->name);
    text_table_cell(table, row, 1)->value = share ? "%" : page_clean(page, metric->unit);
    fill_mean(page, metric, metric->bimodal && mixed, text_table_cell(table, row, 2));
    text_table_cell(table, row, 3)->value = statistic(page, metric, metric->median);
    text_table_cell(table, row, 4)->value = statistic(page, metric, metric->min);
    text_table_cell(table, row, 5)->value = statistic(page, metric, metric->max);
    text_table_cell(table, row, 6)->value = page_phrase(page, "%" PRIu32, metric->applies);
}

static void write_metrics(struct page *page, const struct storm_variant *variant) {
    static const char *const titles[] = {"metric", "unit", "mean [95 %]", "median",
                                         "min",    "max",  "runs"};
    enum { TITLE_COUNT = sizeof titles / sizeof titles[0] };
    struct text_table table;
    assert(variant->metrics != NULL || variant->metric_count == 0);
    fprintf(page->out, "%s: %s\n", page_clean(page, variant->name),
            page_verdicts(page, variant, false));
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
    if (full || text->differences)
        comparison_text_write_all(&page);
    if (results->variant_count > 0) {
        verdict_table_write(&page);
        fputc('\n', out);
        comparison_text_write(&page);
        conclusion_write(&page);
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            write_kind(&page, &kinds[i]);
        write_alarms(&page);
        write_next(&page);
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
