/* conclusion.c: what a verdict table says, in a sentence or two. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/conclusion.h"
#include "report/page.h"
#include "report/text.h"

/* Variants that something is said about, in the order of saying it. */
struct group {
    uint32_t count;
    const struct storm_variant **variants;
};

/* A group with room for all variants; without memory an empty one, which the page remembers. */
static struct group group_begin(struct page *page) {
    uint32_t most = page->results->variant_count;
    struct group group = {0, arena_take_array(&page->arena, most, sizeof *group.variants)};
    page->failed = page->failed || group.variants == NULL;
    return group;
}

static struct group group_of(struct page *page, enum ending ending) {
    struct group group = group_begin(page);
    for (uint32_t v = 0; v < page->results->variant_count && group.variants != NULL; v++) {
        const struct storm_variant *variant = &page->results->variants[v];
        if (page_ending(variant) == ending)
            group.variants[group.count++] = variant;
    }
    return group;
}

/* "a, b and c"; a single variant is the service itself. */
static void write_names(struct page *page, const struct group *group, bool opens) {
    assert(group->count > 0);
    if (page->results->variant_count == 1) {
        fputs(opens ? "The service" : "the service", page->out);
        return;
    }
    for (uint32_t i = 0; i < group->count; i++) {
        const char *before = i == 0 ? "" : i + 1 == group->count ? " and " : ", ";
        fprintf(page->out, "%s%s", before, page_clean(page, group->variants[i]->name));
    }
}

/* ---- endings --------------------------------------------------------------------------------- */

/* What is said of variants whose runs all end one way: of one and of several; then the same when
   there is only one run, which shows nothing that is always so. */
static const char *const clauses[][4] = {
    [ENDING_UNHARMED] = {"is never harmed", "are never harmed", "is not harmed", "are not harmed"},
    [ENDING_ALWAYS] = {"always recovers", "always recover", "recovers", "recover"},
    [ENDING_SOMETIMES] = {NULL},
    [ENDING_NEVER] = {"never recovers", "never recover", "does not recover", "do not recover"},
};

/* A clause for all variants that end one way. Returns whether there were any. */
static bool write_alike(struct page *page, enum ending ending, bool opens) {
    struct group group = group_of(page, ending);
    int place = (page->results->runs == 1 ? 2 : 0) + (group.count > 1);
    assert(ending != ENDING_SOMETIMES && ending != ENDING_UNKNOWN);
    if (group.count == 0)
        return false;
    fputs(opens ? "" : "; ", page->out);
    write_names(page, &group, opens);
    fprintf(page->out, " %s", clauses[ending][place]);
    return true;
}

static double back_share(const struct storm_variant *variant) {
    assert(variant->runs_done > 0);
    return (double)storm_variant_good_runs(variant) / variant->runs_done;
}

/* Largest number first; equal ones as they stand in the table. */
static int compare(double first, double second, const struct storm_variant *a,
                   const struct storm_variant *b) {
    if (first != second)
        return first > second ? -1 : 1;
    return (a > b) - (a < b); /* both point into one array */
}

static int compare_back(const void *a, const void *b) {
    const struct storm_variant *const *left = a, *const *right = b;
    return compare(back_share(*left), back_share(*right), *left, *right);
}

/* Whether it was asked which of two variants is better, and could not be told. */
static bool is_open(const struct page *page, const struct storm_variant *one,
                    const struct storm_variant *two, const char *metric) {
    const struct storm_variant *first = page->results->variants;
    const struct storm_difference *difference = storm_results_ranking(
        page->results, (uint32_t)(one - first), (uint32_t)(two - first), metric);
    return difference != NULL && difference->change == STORM_CHANGE_INCONCLUSIVE;
}

/* "Which of a, b and c recovers more often cannot be told from 30 runs.", of neighbours in a group
   that is sorted by the metric. */
static void write_open(struct page *page, const struct group *group, const char *metric,
                       const char *what) {
    for (uint32_t i = 0, end; i < group->count; i = end) {
        struct group alike = {1, &group->variants[i]};
        for (end = i + 1; end < group->count; end++) {
            if (!is_open(page, group->variants[end - 1], group->variants[end], metric))
                break;
            alike.count++;
        }
        if (alike.count < 2)
            continue;
        fputs("Which of ", page->out);
        write_names(page, &alike, false);
        fprintf(page->out, " %s cannot be told from %" PRIu32 " run%s.\n", what,
                page->results->runs, page_plural(page->results->runs));
    }
}

/* The same of all variants, by how often they recover. */
static void write_open_endings(struct page *page) {
    struct group group = group_begin(page);
    for (uint32_t v = 0; v < page->results->variant_count && group.variants != NULL; v++) {
        if (page_ending(&page->results->variants[v]) != ENDING_UNKNOWN)
            group.variants[group.count++] = &page->results->variants[v];
    }
    if (group.count > 1) {
        qsort(group.variants, group.count, sizeof(const struct storm_variant *), compare_back);
        write_open(page, &group, "recovers", "recovers more often");
    }
}

/* A clause for each variant that ends now so, now otherwise, the best first; `best`: no other is
   better than that. Returns whether there were any. */
static bool write_mixed(struct page *page, bool opens, bool best) {
    struct group group = group_of(page, ENDING_SOMETIMES);
    if (group.count == 0)
        return false;
    qsort(group.variants, group.count, sizeof(const struct storm_variant *), compare_back);
    bool most =
        best && page->results->variant_count > 1 &&
        (group.count == 1 || (back_share(group.variants[0]) > back_share(group.variants[1]) &&
                              !is_open(page, group.variants[0], group.variants[1], "recovers")));
    for (uint32_t i = 0; i < group.count; i++) {
        const struct storm_variant *variant = group.variants[i];
        bool first = opens && i == 0;
        fputs(first ? "" : "; ", page->out);
        write_names(page, &(struct group){1, &group.variants[i]}, first);
        fprintf(page->out, " recovers%s in %" PRIu32 " of %" PRIu32 " runs",
                most && i == 0 ? " most often," : "", storm_variant_good_runs(variant),
                variant->runs_done);
    }
    return true;
}

/* ---- success in time ------------------------------------------------------------------------- */

/* The share of requests answered in time, or -1. */
static double share_of(const struct storm_variant *variant) {
    const struct storm_metric *metric = storm_variant_metric(variant, "success_share");
    return metric == NULL || metric->applies == 0 ? -1.0 : page_typical(metric);
}

static int compare_share(const void *a, const void *b) {
    const struct storm_variant *const *left = a, *const *right = b;
    return compare(share_of(*left), share_of(*right), *left, *right);
}

/* "In time: a 98.8 %, b 50 %.": the first `most` variants, best first. Nothing when they are not
   several. */
static void write_ranking(struct page *page, const char *head, uint32_t most) {
    struct group group = group_begin(page);
    char number[TEXT_NUMBER_SIZE];
    for (uint32_t v = 0; v < page->results->variant_count && group.variants != NULL; v++) {
        if (share_of(&page->results->variants[v]) >= 0.0)
            group.variants[group.count++] = &page->results->variants[v];
    }
    if (group.count < 2)
        return;
    qsort(group.variants, group.count, sizeof(const struct storm_variant *), compare_share);
    double best = 100.0 * share_of(group.variants[0]);
    if (most > 1 && best <= 100.0 * share_of(group.variants[group.count - 1])) {
        fprintf(page->out, "All answer %s %% of their requests in time.\n",
                text_number(best, number));
        return;
    }
    for (uint32_t i = 0; i < group.count && i < most; i++)
        fprintf(page->out, "%s %s %s %%", i == 0 ? head : ",",
                page_clean(page, group.variants[i]->name),
                text_number(100.0 * share_of(group.variants[i]), number));
    fputs(".\n", page->out);
    group.count = most < group.count ? most + 1 : group.count;
    write_open(page, &group, "success_share", "answers more in time");
}

/* ---- no verdict ------------------------------------------------------------------------------ */

/* Whether some client or consumer of a variant says how late an answer still counts. */
static bool has_patience(const struct storm_variant *variant) {
    static const char clients[] = "clients.", consumers[] = "consumers.", tail[] = ".in_time";
    bool any = false;
    for (uint32_t i = 0; i < variant->setting_count; i++) {
        const char *path = variant->settings[i].path;
        size_t length = strlen(path);
        bool whose = strncmp(path, clients, strlen(clients)) == 0 ||
                     strncmp(path, consumers, strlen(consumers)) == 0;
        if (!whose || length < strlen(tail) || strcmp(path + length - strlen(tail), tail) != 0)
            continue;
        if (strcmp(variant->settings[i].value, "none") != 0)
            return true;
        any = true;
    }
    return !any; /* settings that do not tell blame nobody */
}

static const char *why_no_verdict(const struct storm_variant *variant) {
    if (variant->verdicts[STORM_VERDICT_TOO_SHORT] > 0)
        return storm_verdict_sentence(STORM_VERDICT_TOO_SHORT);
    return has_patience(variant)
               ? "the scenario has no trigger: no fault, and no clients that arrive all at once"
               : "no client says how late an answer still counts";
}

/* "No verdict: why." for each reason, naming those it holds for when it is not all. Returns whether
   there were any. */
static bool write_unknown(struct page *page) {
    struct group all = group_of(page, ENDING_UNKNOWN);
    bool any = false;
    for (uint32_t i = 0; i < all.count; i++) {
        struct group alike = group_begin(page);
        const char *why = why_no_verdict(all.variants[i]);
        bool is_told = all.variants[i]->runs_done == 0;
        for (uint32_t j = 0; j < all.count && alike.variants != NULL; j++) {
            bool same =
                all.variants[j]->runs_done > 0 && strcmp(why_no_verdict(all.variants[j]), why) == 0;
            is_told = is_told || (same && j < i);
            if (same)
                alike.variants[alike.count++] = all.variants[j];
        }
        if (is_told || alike.count == 0)
            continue;
        fputs("No verdict", page->out);
        if (alike.count < page->results->variant_count) {
            fputs(" for ", page->out);
            write_names(page, &alike, false);
        }
        fprintf(page->out, ": %s.\n", why);
        any = true;
    }
    return any;
}

void conclusion_write(struct page *page) {
    assert(page->results->variant_count > 0);
    bool any = write_alike(page, ENDING_UNHARMED, true);
    any = write_alike(page, ENDING_ALWAYS, !any) || any;
    bool mixed = write_mixed(page, !any, !any);
    bool good = any || mixed;
    bool lost = write_alike(page, ENDING_NEVER, !good);
    fputs(good || lost ? ".\n" : "", page->out);
    write_open_endings(page);
    if (write_unknown(page))
        write_ranking(page, "In time:", UINT32_MAX);
    else if (lost && !good)
        write_ranking(page, "Best in time:", 1);
}
