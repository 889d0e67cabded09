/* toll.c: what the runs cost besides time. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "plots/toll.h"
#include "plots/words.h"

/* Factors below this are no difference worth a word, and a share of losses below that is none. */
#define FACTOR_LEAST 1.5
#define LOST_LEAST 0.05

enum unit { UNIT_COUNT, UNIT_FACTOR, UNIT_SECONDS };

/* What the variants may differ in. A name is a metric of the run, or of its services. */
struct toll_kind {
    const char *name;
    enum unit unit;
    const char *before, *one, *many; /* what stands around the number */
    bool is_harm;                    /* should not happen: told even of variants with a verdict */
};

static const struct toll_kind kinds[] = {
    {"duplicates", UNIT_COUNT, "", "duplicate", "duplicates", true},
    {"wrongly_merged", UNIT_COUNT, "", "wrong merge", "wrong merges", true},
    {"dead_letters", UNIT_COUNT, "", "dead letter", "dead letters", false},
    {"bans", UNIT_COUNT, "", "ban", "bans", false},
    {"held_back", UNIT_COUNT, "", "attempt held back", "attempts held back", false},
    {"amplification", UNIT_FACTOR, "", "attempt per request", "attempts per request", false},
    {"latency_p99", UNIT_SECONDS, "99" WORDS_THIN "% within ", "", "", false},
};

static const struct storm_metric *known(const struct storm_variant *variant, const char *name) {
    const struct storm_metric *metric = storm_variant_metric(variant, name);
    return metric == NULL || metric->applies == 0 ? NULL : metric;
}

static double median_of(const struct storm_variant *variant, const char *name) {
    const struct storm_metric *metric = known(variant, name);
    return metric == NULL ? (double)NAN : metric->median;
}

/* Whether a metric is this one, of whatever place. */
static bool is_of(const struct storm_metric *metric, const char *name, bool of_places) {
    size_t length = strlen(name);
    return strncmp(metric->name, name, length) == 0 &&
           metric->name[length] == (of_places ? '.' : '\0');
}

/* ---- letters --------------------------------------------------------------------------------- */

static void add_loss(const struct storm_metric *metric, struct toll_loss *loss) {
    assert(metric != NULL);
    if (metric->applies == 0)
        return;
    loss->count += metric->median;
    loss->least += metric->min;
    loss->most += metric->max;
}

struct toll_loss toll_loss(const struct storm_variant *variant) {
    double replayed = median_of(variant, "replayed");
    struct toll_loss loss = {.replayed = replayed > 0 ? replayed : 0};
    loss.all = median_of(variant, "requests") - loss.replayed;
    for (uint32_t i = 0; i < variant->metric_count && loss.replayed > 0; i++) {
        const struct storm_metric *metric = &variant->metrics[i];
        if (is_of(metric, "letters_kept", true) || is_of(metric, "letters_expired", true) ||
            strcmp(metric->name, "dead_letters.lost_by_broker") == 0)
            add_loss(metric, &loss);
    }
    const struct storm_metric *dead = known(variant, "dead_letters");
    if (loss.replayed == 0 && dead != NULL)
        add_loss(dead, &loss);
    else if (loss.replayed == 0)
        loss.count = loss.least = loss.most = (double)NAN;
    return loss;
}

/* The variants that lose least and most; false when their runs overlap or the difference is
   small. */
static bool find_losses(const struct storm_results *results, const struct storm_variant **best,
                        const struct storm_variant **worst) {
    double least = HUGE_VAL, most = -HUGE_VAL, all = 0;
    *best = *worst = NULL;
    for (uint32_t i = 0; i < results->variant_count; i++) {
        struct toll_loss loss = toll_loss(&results->variants[i]);
        if (loss.replayed > 0 && loss.most < least) {
            *best = &results->variants[i];
            least = loss.most;
        }
        if (loss.least > most) {
            *worst = &results->variants[i];
            most = loss.least;
            all = loss.all;
        }
    }
    return *best != NULL && *worst != NULL && *worst != *best && most - least > LOST_LEAST * all;
}

bool toll_title_letters(const struct storm_results *results, bool after_outage, char *buffer,
                        size_t size) {
    const struct storm_variant *best, *worst;
    char back[2 * WORDS_MAX], left[WORDS_MAX], number[WORDS_MAX];
    assert(buffer != NULL && results->variant_count > 0);
    if (!find_losses(results, &best, &worst))
        return false;
    struct toll_loss good = toll_loss(best), bad = toll_loss(worst);
    double succeeded = median_of(best, "replay_succeeded");
    if (good.most <= 0)
        snprintf(back, sizeof back, "all letters");
    else if (isfinite(succeeded) && succeeded >= 1)
        snprintf(back, sizeof back, "%s letters", words_about(succeeded, false, number));
    else
        return false;
    const struct storm_metric *knocks = known(best, "knock_downs");
    bool is_calm = knocks == NULL || knocks->max <= 0;
    words_about(bad.count, bad.least == bad.most, left);
    return (is_calm && median_of(worst, "knock_downs") >= 0.75 &&
            words_title(buffer, size, "%s brings %s back; %s knocks the service down%s", best->name,
                        back, worst->name, after_outage ? " again" : "")) ||
           words_title(buffer, size, "%s brings %s back; %s leaves %s dead", best->name, back,
                       worst->name, left) ||
           words_title(buffer, size, "Only %s brings %s back", best->name, back);
}

/* ---- what differs ---------------------------------------------------------------------------- */

/* The variants with the least and the most of a metric. `factor` is how much more each run of the
   one has than any run of the other; 0 when they overlap or some variant does not know. */
struct extremes {
    const struct storm_variant *least, *most;
    double factor;
};

static struct extremes extremes_of(const struct storm_results *results, const char *name,
                                   enum unit unit) {
    struct extremes found = {NULL, NULL, 0};
    double low = HUGE_VAL, high = -HUGE_VAL, one = unit == UNIT_COUNT ? 1 : 0;
    for (uint32_t i = 0; i < results->variant_count; i++) {
        const struct storm_metric *metric = known(&results->variants[i], name);
        if (metric == NULL || !isfinite(metric->min) || !isfinite(metric->max))
            return (struct extremes){NULL, NULL, 0};
        if (metric->max < low) {
            found.least = &results->variants[i];
            low = metric->max;
        }
        if (metric->min > high) {
            found.most = &results->variants[i];
            high = metric->min;
        }
    }
    assert(results->variant_count > 0);
    found.factor = low + one > 0 ? (high + one) / (low + one) : 0;
    return found;
}

/* Whether no variant has a verdict that says something. */
static bool are_calm(const struct storm_results *results) {
    for (uint32_t i = 0; i < results->variant_count; i++) {
        const struct storm_variant *variant = &results->variants[i];
        if (variant->runs_done == 0 || variant->verdicts[STORM_VERDICT_UNHARMED] +
                                               variant->verdicts[STORM_VERDICT_NOT_APPLICABLE] !=
                                           variant->runs_done)
            return false;
    }
    return true;
}

struct toll_telling toll_telling(const struct storm_results *results) {
    struct toll_telling telling = {NULL, NULL};
    const struct storm_variant *first = &results->variants[0];
    bool calm = are_calm(results);
    double widest = FACTOR_LEAST;
    assert(results->variant_count > 0);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (!kinds[k].is_harm && (!calm || (telling.kind != NULL && telling.kind->is_harm)))
            continue;
        for (uint32_t i = 0; i < first->metric_count; i++) {
            const char *name = first->metrics[i].name;
            bool is_it = strcmp(name, kinds[k].name) == 0 ||
                         (is_of(&first->metrics[i], kinds[k].name, true) &&
                          storm_variant_metric(first, kinds[k].name) == NULL);
            double factor = is_it ? extremes_of(results, name, kinds[k].unit).factor : 0;
            if (factor < widest)
                continue;
            telling = (struct toll_telling){&kinds[k], name};
            widest = factor;
        }
    }
    return telling;
}

char *toll_words(const struct toll_telling *telling, const struct storm_variant *variant,
                 char *buffer, size_t size) {
    const struct toll_kind *kind = telling->kind;
    const struct storm_metric *metric = known(variant, telling->metric);
    char number[WORDS_MAX];
    assert(kind != NULL && metric != NULL && size >= 2 * WORDS_MAX);
    double value = fmax(metric->median, 0);
    if (kind->unit == UNIT_SECONDS)
        words_duration(storm_time_from_seconds(value), number, sizeof number);
    else if (kind->unit == UNIT_FACTOR)
        words_figure(value, number, sizeof number);
    else if (metric->max <= 0)
        snprintf(number, sizeof number, "no");
    else
        words_about(value, metric->min == metric->max, number);
    const char *noun = strcmp(number, "1") == 0 ? kind->one : kind->many;
    snprintf(buffer, size, "%s%s%s%s", kind->before, number, noun[0] != '\0' ? " " : "", noun);
    return buffer;
}

bool toll_is_harm(const struct toll_telling *telling) {
    return telling->kind != NULL && telling->kind->is_harm;
}

bool toll_happens(const struct toll_telling *telling, const struct storm_variant *variant) {
    const struct storm_metric *metric = known(variant, telling->metric);
    assert(telling->kind != NULL);
    return metric != NULL && metric->max > 0;
}

/* "4 of 9 variants have no duplicates; rerun has 1,200", "Only a has duplicates: 1,200": where
   several have none. */
static bool title_without(const struct storm_results *results, const struct toll_telling *telling,
                          const struct storm_variant *most, const char *nouns, char *buffer,
                          size_t size) {
    uint32_t all = results->variant_count, without = 0;
    char number[WORDS_MAX];
    const struct toll_kind *kind = telling->kind;
    for (uint32_t i = 0; i < all; i++)
        without += !toll_happens(telling, &results->variants[i]);
    assert(without < all);
    const struct storm_metric *metric = known(most, telling->metric);
    words_about(metric->median, metric->min == metric->max, number);
    if (without < 2)
        return false;
    if (without + 1 == all)
        return words_title(buffer, size, "Only %s has %s: %s", most->name, kind->many, number);
    return words_title(buffer, size, "%" PRIu32 " of %" PRIu32 " %s have no %s; %s has %s", without,
                       all, nouns, kind->many, most->name, number);
}

bool toll_title(const struct storm_results *results, const char *nouns, char *buffer, size_t size) {
    struct toll_telling telling = toll_telling(results);
    char low[2 * WORDS_MAX], high[2 * WORDS_MAX];
    assert(nouns != NULL && buffer != NULL);
    /* Loads and times stand in the pills, where they answer the question that is the title. */
    if (telling.kind == NULL || telling.kind->unit != UNIT_COUNT)
        return false;
    struct extremes found = extremes_of(results, telling.metric, telling.kind->unit);
    if (title_without(results, &telling, found.most, nouns, buffer, size))
        return true;
    toll_words(&telling, found.least, low, sizeof low);
    toll_words(&telling, found.most, high, sizeof high);
    return words_title(buffer, size, "%s: %s; %s: %s", found.least->name, low, found.most->name,
                       high) ||
           words_title(buffer, size, "%s: %s; not so %s", found.least->name, low,
                       found.most->name) ||
           words_title(buffer, size, "%s: %s", found.most->name, high);
}
