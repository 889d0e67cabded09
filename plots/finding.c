/* finding.c: what all runs together say. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing here looks at the run that is drawn: one seed proves nothing. */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "plots/finding.h"
#include "plots/type.h"
#include "plots/words.h"

/* Fewer runs than this show nothing; a claim must hold in this share of them. */
enum { RUNS_LEAST = 5 };
#define SHARE_LEAST 0.95

enum outcome { ALWAYS, NEVER, SOMETIMES, UNKNOWN };

const struct storm_metric *finding_metric(const struct storm_variant *variant, const char *name) {
    assert(variant != NULL && name != NULL);
    for (uint32_t i = 0; i < variant->metric_count; i++)
        if (strcmp(variant->metrics[i].name, name) == 0)
            return &variant->metrics[i];
    return NULL;
}

/* The median of a metric, NaN when it is unknown or applies to no run. */
static double median_of(const struct storm_variant *variant, const char *name) {
    const struct storm_metric *metric = finding_metric(variant, name);
    return metric == NULL || metric->applies == 0 ? (double)NAN : metric->median;
}

uint32_t finding_good_runs(const struct storm_variant *variant) {
    assert(variant != NULL);
    assert(variant->verdicts[STORM_VERDICT_RECOVERED] <= variant->runs_done);
    return variant->verdicts[STORM_VERDICT_RECOVERED] + variant->verdicts[STORM_VERDICT_UNHARMED];
}

static uint32_t bad_runs(const struct storm_variant *variant) {
    assert(variant != NULL);
    return variant->verdicts[STORM_VERDICT_STUCK] + variant->verdicts[STORM_VERDICT_DEGRADED];
}

static void say(struct finding_verdict *verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct finding_verdict *verdict, const char *format, ...) {
    assert(verdict->count < FINDING_WORDINGS_MAX);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(verdict->wordings[verdict->count], FINDING_TEXT_MAX, format, arguments);
    va_end(arguments);
    assert(length > 0);
    verdict->count++;
}

/* " after 4 knock-downs", or nothing when the median run has none. */
static const char *knock_downs(const struct storm_variant *variant, const char *word, char *buffer,
                               size_t size) {
    double median = median_of(variant, "knock_downs");
    char number[WORDS_MAX];
    assert(buffer != NULL && size > 0);
    buffer[0] = 0;
    if (isfinite(median) && median >= 0.75)
        snprintf(buffer, size, "%s%s knock-down%s", word,
                 words_number(floor(median + 0.5), 0, number, sizeof number),
                 median < 1.5 ? "" : "s");
    return buffer;
}

static void say_always(const struct storm_variant *variant, struct finding_verdict *verdict) {
    char time[WORDS_MAX], after[FINDING_TEXT_MAX];
    double seconds = median_of(variant, "time_to_recover");
    const char *always = variant->runs_done == 1 ? "recovers" : "always recovers";
    verdict->tone = FINDING_GOOD;
    knock_downs(variant, ", after ", after, sizeof after);
    if (!isfinite(seconds) || seconds < 0) {
        say(verdict, "%s%s", always, after);
        say(verdict, "%s", always);
        return;
    }
    if (seconds < 1 && after[0] == 0) {
        say(verdict, "recovers at once");
        return;
    }
    words_duration(storm_time_from_seconds(seconds), time, sizeof time);
    say(verdict, "%s, in %s%s", always, time, after);
    say(verdict, "recovers in %s%s", time, after);
    say(verdict, "recovers in %s", time);
}

static void say_never(const struct storm_variant *variant, struct finding_verdict *verdict) {
    char after[FINDING_TEXT_MAX];
    bool is_stuck = 2 * variant->verdicts[STORM_VERDICT_STUCK] >= variant->runs_done;
    verdict->tone = FINDING_BAD;
    knock_downs(variant, ", ", after, sizeof after);
    if (variant->runs_done == 1)
        say(verdict, "%s%s", is_stuck ? "stays stuck" : "stays degraded", after);
    else if (is_stuck)
        say(verdict, "never recovers%s", after);
    else
        say(verdict, "never recovers: stays degraded%s", after);
    say(verdict, "%s", is_stuck ? "never recovers" : "stays degraded");
}

struct finding_verdict finding_verdict(const struct storm_variant *variant) {
    assert(variant != NULL);
    struct finding_verdict verdict = {.tone = FINDING_NEUTRAL};
    uint32_t runs = variant->runs_done, good = finding_good_runs(variant);
    uint32_t not_applicable = variant->verdicts[STORM_VERDICT_NOT_APPLICABLE];
    assert(good <= runs);
    if (runs == 0) {
        say(&verdict, "no run done");
    } else if (not_applicable == runs) {
        say(&verdict, "verdict not applicable");
        say(&verdict, "no verdict");
    } else if (good + bad_runs(variant) == 0) {
        say(&verdict, "too short to tell");
    } else if (variant->verdicts[STORM_VERDICT_UNHARMED] == runs) {
        verdict.tone = FINDING_GOOD;
        say(&verdict, "unharmed");
    } else if (good == runs) {
        say_always(variant, &verdict);
    } else if (good == 0 && bad_runs(variant) == runs) {
        say_never(variant, &verdict);
    } else {
        verdict.tone = good == 0 ? FINDING_BAD : FINDING_MIXED;
        say(&verdict, "recovers in %" PRIu32 " of %" PRIu32 " runs", good, runs);
        say(&verdict, "%" PRIu32 " of %" PRIu32 " recover", good, runs);
    }
    return verdict;
}

static enum outcome outcome_of(const struct storm_variant *variant) {
    assert(variant != NULL);
    double runs = variant->runs_done;
    if (runs < RUNS_LEAST)
        return UNKNOWN;
    if (finding_good_runs(variant) >= SHARE_LEAST * runs)
        return ALWAYS;
    if (bad_runs(variant) >= SHARE_LEAST * runs)
        return NEVER;
    return finding_good_runs(variant) + bad_runs(variant) >= SHARE_LEAST * runs ? SOMETIMES
                                                                                : UNKNOWN;
}

/* What the title is made of: the variants by outcome, the trigger, and what the variants differ in.
 */
struct story {
    const struct storm_results *results;
    uint32_t counts[UNKNOWN + 1];
    const struct storm_variant *first[UNKNOWN + 1]; /* of each outcome */
    const struct storm_variant *second[UNKNOWN + 1];
    char trouble[FINDING_TEXT_MAX]; /* "20-second outage" */
    const char *noun, *nouns;
};

/* The value of a path in a variant; NULL when it has none. */
static const char *setting_of(const struct storm_variant *variant, const char *path) {
    assert(variant != NULL && path != NULL);
    for (uint32_t i = 0; i < variant->setting_count; i++)
        if (strcmp(variant->settings[i].path, path) == 0)
            return variant->settings[i].value;
    return NULL;
}

/* True when the variants differ, and only in settings of retry policies: then one may speak of
 * policies. */
static bool are_policies(const struct storm_results *results) {
    assert(results->variant_count > 0);
    bool differ = false;
    for (uint32_t i = 0; i < results->variant_count; i++)
        for (uint32_t j = 0; j < results->variants[i].setting_count; j++) {
            const struct storm_setting *setting = &results->variants[i].settings[j];
            const char *other =
                setting_of(&results->variants[(i + 1) % results->variant_count], setting->path);
            if (other != NULL && strcmp(other, setting->value) == 0)
                continue;
            differ = true;
            if (strncmp(setting->path, "policies.", 9) != 0 &&
                strstr(setting->path, ".retry") == NULL)
                return false;
        }
    return differ;
}

/* The fault in a word; a storm without a fault is a surge only if someone says so. */
static void name_trouble(const struct storm_results *results, char *buffer, size_t size) {
    assert(buffer != NULL);
    char length[WORDS_MAX];
    const struct storm_variant *variant = &results->variants[0];
    snprintf(buffer, size, "trouble");
    if (variant->span_count == 0)
        return;
    const struct storm_span *span = &variant->spans[0];
    bool is_outage = strstr(span->label, "outage") != NULL || strcmp(span->label, "hang") == 0 ||
                     strcmp(span->label, "down") == 0;
    if (variant->span_count == 1 && span->to > span->from && span->to < STORM_NEVER)
        snprintf(buffer, size, "%s %s",
                 words_adjective(span->to - span->from, length, sizeof length),
                 is_outage ? "outage" : "fault");
    else
        snprintf(buffer, size, "%s", is_outage ? "outage" : "fault");
}

/* "an" before a vowel and before 8, 11 and 18 ("an 8-second outage"). */
static const char *article(const char *words) {
    assert(words != NULL && words[0] != 0);
    bool is_an = strchr("aeiou8", words[0]) != NULL || strncmp(words, "11-", 3) == 0 ||
                 strncmp(words, "18-", 3) == 0;
    return is_an ? "an" : "a";
}

static void tell_story(const struct storm_results *results, struct story *story) {
    assert(results->variant_count > 0);
    *story = (struct story){.results = results, .noun = "variant", .nouns = "variants"};
    for (uint32_t i = 0; i < results->variant_count; i++) {
        enum outcome outcome = outcome_of(&results->variants[i]);
        if (story->counts[outcome] == 0)
            story->first[outcome] = &results->variants[i];
        else if (story->counts[outcome] == 1)
            story->second[outcome] = &results->variants[i];
        story->counts[outcome]++;
    }
    name_trouble(results, story->trouble, sizeof story->trouble);
    if (are_policies(results)) {
        story->noun = "policy";
        story->nouns = "policies";
    }
}

static size_t characters(const char *text) {
    assert(text != NULL);
    size_t count = 0;
    while (type_next(&text) != 0)
        count++;
    return count;
}

/* Writes a candidate; false when it is too long for a title, so that the next one is tried. */
static bool try(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool try(char *buffer, size_t size, const char *format, ...) {
    assert(buffer != NULL && size > 0);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    if (buffer[0] >= 'a' && buffer[0] <= 'z')
        buffer[0] = (char)(buffer[0] - 'a' + 'A');
    return (size_t)length < size && characters(buffer) <= FINDING_TITLE_MAX;
}

/* Every variant comes back: then the difference is how long it takes. */
static bool title_all_recover(const struct story *story, char *buffer, size_t size) {
    const struct storm_results *results = story->results;
    const struct storm_variant *fast = NULL, *slow = NULL;
    double least = 0, most = 0;
    char quick[WORDS_MAX], late[WORDS_MAX];
    for (uint32_t i = 0; i < results->variant_count; i++) {
        double time = median_of(&results->variants[i], "time_to_recover");
        if (!isfinite(time) || time < 0)
            continue;
        if (fast == NULL || time < least) {
            fast = &results->variants[i];
            least = time;
        }
        if (slow == NULL || time > most) {
            slow = &results->variants[i];
            most = time;
        }
    }
    bool differ = fast != NULL && fast != slow && most >= 5 && most >= 2 * least;
    if (differ) {
        words_duration(storm_time_from_seconds(least), quick, sizeof quick);
        words_duration(storm_time_from_seconds(most), late, sizeof late);
        if (try(buffer, size, "Every %s recovers: %s in %s, %s in %s", story->noun, fast->name,
                quick, slow->name, late) ||
            try(buffer, size, "Every %s recovers, but %s takes %s", story->noun, slow->name, late))
            return true;
    }
    if (results->variant_count > 1)
        return try(buffer, size, "Every %s recovers from the %s", story->noun, story->trouble);
    if (fast != NULL && most >= 1 &&
        try(buffer, size, "The service recovers %s after the %s",
            words_duration(storm_time_from_seconds(most), late, sizeof late), story->trouble))
        return true;
    return try(buffer, size, "The service recovers from the %s", story->trouble);
}

/* Some variant never comes back. */
static bool title_some_never(const struct story *story, char *buffer, size_t size) {
    const char *a = article(story->trouble), *trouble = story->trouble;
    const char *bad = story->first[NEVER]->name;
    uint32_t all = story->results->variant_count;
    assert(story->counts[NEVER] > 0);
    if (all == 1)
        return try(buffer, size, "%c%s %s becomes a permanent one", 'A', a + 1, trouble);
    if (story->counts[NEVER] == all)
        return try(buffer, size, "No %s recovers from the %s", story->noun, trouble);
    if (story->counts[ALWAYS] == 1 && story->counts[NEVER] + 1 == all && all > 2 &&
        try(buffer, size, "Only %s recovers from the %s", story->first[ALWAYS]->name, trouble))
        return true;
    if (story->counts[ALWAYS] == 1 && story->counts[NEVER] == 1 && all == 2 &&
        try(buffer, size, "%s recovers; %s turns %s %s into a permanent one",
            story->first[ALWAYS]->name, bad, a, trouble))
        return true;
    if (story->counts[NEVER] == 1)
        return try(buffer, size, "%s turns %s %s into a permanent one", bad, a, trouble) ||
               try(buffer, size, "%s never recovers from the %s", bad, trouble) ||
               try(buffer, size, "%s never recovers", bad);
    if (story->counts[NEVER] == 2 &&
        (try(buffer, size, "%s and %s turn %s %s into a permanent one", bad,
             story->second[NEVER]->name, a, trouble) ||
         try(buffer, size, "%s and %s never recover from the %s", bad, story->second[NEVER]->name,
             trouble) ||
         try(buffer, size, "%s and %s never recover", bad, story->second[NEVER]->name)))
        return true;
    return try(buffer, size, "%u of %u %s turn %s %s into a permanent one", story->counts[NEVER],
               all, story->nouns, a, trouble);
}

/* No variant fails for good, but some only come back by luck. */
static bool title_some_sometimes(const struct story *story, char *buffer, size_t size) {
    assert(story->counts[SOMETIMES] > 0 && story->counts[NEVER] == 0);
    const struct storm_variant *mixed = story->first[SOMETIMES];
    const char *trouble = story->trouble;
    uint32_t good = finding_good_runs(mixed), runs = mixed->runs_done;
    uint32_t all = story->results->variant_count;
    if (all == 1)
        return try(buffer, size, "The service recovers from the %s in %u of %u runs", trouble, good,
                   runs);
    if (all == 2 && story->counts[ALWAYS] == 1 &&
        try(buffer, size, "%s always recovers, %s only in %u of %u runs",
            story->first[ALWAYS]->name, mixed->name, good, runs))
        return true;
    if (story->counts[SOMETIMES] == 1)
        return try(buffer, size, "Every %s recovers but %s, which does in %u of %u runs",
                   story->noun, mixed->name, good, runs) ||
               try(buffer, size, "%s recovers in only %u of %u runs", mixed->name, good, runs);
    if (story->counts[ALWAYS] == 1)
        return try(buffer, size, "Only %s always recovers from the %s", story->first[ALWAYS]->name,
                   trouble) ||
               try(buffer, size, "Only %s always recovers", story->first[ALWAYS]->name);
    if (story->counts[ALWAYS] == 0)
        return try(buffer, size, "No %s always recovers from the %s", story->noun, trouble);
    return try(buffer, size, "%u of %u %s always recover from the %s", story->counts[ALWAYS], all,
               story->nouns, trouble);
}

/* True when no variant was ever out of its healthy band. */
static bool are_unharmed(const struct storm_results *results) {
    for (uint32_t i = 0; i < results->variant_count; i++) {
        const struct storm_variant *variant = &results->variants[i];
        assert(variant->runs_done > 0);
        if (variant->verdicts[STORM_VERDICT_UNHARMED] < SHARE_LEAST * variant->runs_done)
            return false;
    }
    return true;
}

void finding_title(const struct storm_results *results, char *buffer, size_t size) {
    assert(results != NULL && results->variant_count > 0);
    assert(buffer != NULL && size > 4 * FINDING_TITLE_MAX);
    struct story story;
    tell_story(results, &story);
    bool is_found = false;
    if (story.counts[UNKNOWN] > 0)
        is_found = false;
    else if (story.counts[NEVER] > 0)
        is_found = title_some_never(&story, buffer, size);
    else if (story.counts[SOMETIMES] > 0)
        is_found = title_some_sometimes(&story, buffer, size);
    else if (are_unharmed(results))
        is_found = results->variant_count == 1
                       ? try(buffer, size, "The service withstands the %s", story.trouble)
                       : try(buffer, size, "Every %s withstands the %s", story.noun, story.trouble);
    else
        is_found = title_all_recover(&story, buffer, size);
    if (is_found)
        return;
    const char *question = results->question != NULL ? results->question : "";
    const char *title = results->title != NULL ? results->title : "";
    snprintf(buffer, size, "%s",
             question[0] != 0 ? question
             : title[0] != 0  ? title
                              : "Does the service recover?");
}
