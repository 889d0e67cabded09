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
#include "plots/toll.h"
#include "plots/words.h"

/* Fewer runs than this show nothing; a claim must hold in this share of them. */
enum { RUNS_LEAST = 5, WHEN_MAX = 4 + 2 * WORDS_MAX };
#define SHARE_LEAST 0.95
/* What comes back after losing more than this share of its requests has not simply recovered. */
#define LOST_LEAST 0.05

enum outcome { ALWAYS, NEVER, SOMETIMES, UNKNOWN };

/* The median of a metric, NaN when it is unknown or applies to no run. */
static double median_of(const struct storm_variant *variant, const char *name) {
    const struct storm_metric *metric = storm_variant_metric(variant, name);
    return metric == NULL || metric->applies == 0 ? (double)NAN : metric->median;
}

double finding_slack(const struct storm_results *results, const struct storm_variant *variant) {
    assert(results != NULL && results->bin_width > 0);
    double median = median_of(variant, "time_to_recover");
    return fmax(2 * storm_time_to_seconds(results->bin_width), isfinite(median) ? median / 5 : 0);
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

/* How long the runs took to come back, as it follows "recovers": " in 92 s", " at once" or, where
   they differ by more than the slack, " in 0–78 s"; "" when it is not known. */
static void say_when(const struct storm_results *results, const struct storm_variant *variant,
                     char *buffer, size_t size) {
    const struct storm_metric *metric = storm_variant_metric(variant, "time_to_recover");
    assert(buffer != NULL && size >= WHEN_MAX);
    buffer[0] = '\0';
    if (metric == NULL || metric->applies == 0 || !isfinite(metric->median) || metric->median < 0)
        return;
    bool is_wide = metric->min >= 0 && metric->max - metric->min > finding_slack(results, variant);
    if (metric->median < 1 && !is_wide) {
        snprintf(buffer, size, " at once");
        return;
    }
    snprintf(buffer, size, " in ");
    if (is_wide)
        words_range(storm_time_from_seconds(metric->min), storm_time_from_seconds(metric->max),
                    buffer + 4, size - 4);
    else
        words_duration(storm_time_from_seconds(metric->median), buffer + 4, size - 4);
}

/* "4 knock-downs", or nothing when the median run has none. */
static void say_knocks(const struct storm_variant *variant, char *buffer, size_t size) {
    double median = median_of(variant, "knock_downs");
    char number[WORDS_MAX];
    assert(buffer != NULL && size > 0);
    buffer[0] = '\0';
    if (isfinite(median) && median >= 0.75)
        snprintf(buffer, size, "%s knock-down%s",
                 words_number(floor(median + 0.5), 0, number, sizeof number),
                 median < 1.5 ? "" : "s");
}

/* What the median run lost, or brought back. */
struct cost {
    char count[FINDING_TEXT_MAX], share[FINDING_TEXT_MAX]; /* "" where that is not worth a word */
    bool is_loss;
};

/* "about 9,000 lost" (exact where all runs agree) and "16 % lost"; of letters that are nearly all
   brought back "all letters back", "12 letters left". */
static struct cost cost_of(const struct storm_variant *variant) {
    struct cost cost = {.is_loss = false};
    struct toll_loss loss = toll_loss(variant);
    bool is_exact = loss.least == loss.most;
    char number[WORDS_MAX];
    if (!(loss.all > 0) || !isfinite(loss.count))
        return cost;
    cost.is_loss = loss.count > LOST_LEAST * loss.all;
    if (cost.is_loss) {
        snprintf(cost.count, sizeof cost.count, "%s lost",
                 words_about(loss.count, is_exact, number));
        words_number(100 * fmin(loss.count / loss.all, 1), 0, number, sizeof number);
        snprintf(cost.share, sizeof cost.share, "%s" WORDS_THIN "%% lost", number);
    } else if (loss.replayed > 0) {
        if (loss.most <= 0)
            snprintf(cost.count, sizeof cost.count, "all letters back");
        else
            snprintf(cost.count, sizeof cost.count, "%s letters left",
                     words_about(loss.count, is_exact, number));
        memcpy(cost.share, cost.count, sizeof cost.share);
    }
    return cost;
}

/* To come back after much was lost is no success. */
static void say_always(const struct storm_results *results, const struct storm_variant *variant,
                       struct finding_verdict *verdict) {
    char when[WHEN_MAX], knocks[FINDING_TEXT_MAX];
    struct cost cost = cost_of(variant);
    const char *lost = cost.count, *share = cost.share;
    say_when(results, variant, when, sizeof when);
    say_knocks(variant, knocks, sizeof knocks);
    verdict->tone = cost.is_loss ? FINDING_MIXED : FINDING_GOOD;
    bool is_sure = variant->runs_done > 1 && strcmp(when, " at once") != 0;
    say(verdict, "%s%s%s%s%s%s%s", is_sure ? "always recovers" : "recovers",
        is_sure && when[0] != '\0' ? "," : "", when, knocks[0] != '\0' ? ", after " : "", knocks,
        lost[0] != '\0' ? ", " : "", lost);
    if (lost[0] != '\0') {
        say(verdict, "recovers%s, %s", when, lost);
        say(verdict, "recovers%s, %s", when, share);
        say(verdict, "recovers, %s", share);
    } else if (knocks[0] != '\0') {
        say(verdict, "recovers%s, %s", when, knocks);
        say(verdict, "recovers after %s", knocks);
        say(verdict, "recovers%s", when);
    } else {
        say(verdict, "recovers%s", when);
    }
    assert(verdict->count <= FINDING_WORDINGS_MAX);
}

/* One run shows no more than how it ended. */
static void say_never(const struct storm_variant *variant, struct finding_verdict *verdict) {
    char knocks[FINDING_TEXT_MAX];
    bool is_stuck = 2 * variant->verdicts[STORM_VERDICT_STUCK] >= variant->runs_done;
    const char *stays = is_stuck ? "stays stuck" : "stays degraded";
    const char *never = is_stuck ? "never recovers" : "never recovers: stays degraded";
    bool is_one = variant->runs_done == 1;
    assert(variant->runs_done > 0);
    verdict->tone = FINDING_BAD;
    say_knocks(variant, knocks, sizeof knocks);
    say(verdict, "%s%s%s", is_one ? stays : never, knocks[0] != '\0' ? ", " : "", knocks);
    say(verdict, "%s", is_one || !is_stuck ? stays : never);
}

static struct finding_verdict ending_of(const struct storm_results *results,
                                        const struct storm_variant *variant) {
    assert(results != NULL && variant != NULL);
    struct finding_verdict verdict = {.tone = FINDING_NEUTRAL};
    uint32_t runs = variant->runs_done, good = storm_variant_good_runs(variant);
    uint32_t not_applicable = variant->verdicts[STORM_VERDICT_NOT_APPLICABLE];
    assert(good <= runs);
    if (runs == 0) {
        say(&verdict, "no run done");
    } else if (not_applicable == runs) {
        say(&verdict, "verdict not applicable");
        say(&verdict, "no verdict");
    } else if (good + storm_variant_bad_runs(variant) == 0) {
        say(&verdict, "too short to tell");
    } else if (variant->verdicts[STORM_VERDICT_UNHARMED] == runs) {
        verdict.tone = FINDING_GOOD;
        say(&verdict, "unharmed");
    } else if (good == runs) {
        say_always(results, variant, &verdict);
    } else if (good == 0 && storm_variant_bad_runs(variant) == runs) {
        say_never(variant, &verdict);
    } else {
        verdict.tone = good == 0 ? FINDING_BAD : FINDING_MIXED;
        say(&verdict, "recovers in %" PRIu32 " of %" PRIu32 " runs", good, runs);
        say(&verdict, "%" PRIu32 " of %" PRIu32 " recover", good, runs);
    }
    return verdict;
}

/* The wordings with something more, the longest first; without a verdict that is all there is to
   say. */
static void add_words(struct finding_verdict *verdict, const char *words) {
    struct finding_verdict longer = {.tone = verdict->tone};
    const char *last = verdict->wordings[verdict->count - 1];
    assert(verdict->count > 0 && words[0] != '\0');
    if (verdict->tone != FINDING_NEUTRAL) {
        say(&longer, "%s, %s", verdict->wordings[0], words);
        say(&longer, "%s, %s", last, words);
    }
    say(&longer, "%s", words);
    *verdict = longer;
}

struct finding_verdict finding_verdict(const struct storm_results *results,
                                       const struct storm_variant *variant) {
    struct finding_verdict verdict = ending_of(results, variant);
    struct toll_telling telling = toll_telling(results);
    char words[2 * WORDS_MAX];
    uint32_t calm =
        variant->verdicts[STORM_VERDICT_UNHARMED] + variant->verdicts[STORM_VERDICT_NOT_APPLICABLE];
    if (telling.kind != NULL && variant->runs_done > 0) {
        add_words(&verdict, toll_words(&telling, variant, words, sizeof words));
        bool is_fair = verdict.tone == FINDING_GOOD || verdict.tone == FINDING_NEUTRAL;
        if (toll_is_harm(&telling) && is_fair)
            verdict.tone = toll_happens(&telling, variant) ? FINDING_MIXED : FINDING_GOOD;
    } else if (calm > 0 && calm == variant->runs_done) {
        struct cost cost = cost_of(variant);
        if (toll_loss(variant).replayed > 0 && cost.count[0] != '\0') {
            add_words(&verdict, cost.count);
            verdict.tone = cost.is_loss ? FINDING_MIXED : FINDING_GOOD;
        }
    }
    return verdict;
}

static enum outcome outcome_of(const struct storm_variant *variant) {
    assert(variant != NULL);
    double runs = variant->runs_done;
    if (runs < RUNS_LEAST)
        return UNKNOWN;
    if (storm_variant_good_runs(variant) >= SHARE_LEAST * runs)
        return ALWAYS;
    if (storm_variant_bad_runs(variant) >= SHARE_LEAST * runs)
        return NEVER;
    return storm_variant_good_runs(variant) + storm_variant_bad_runs(variant) >= SHARE_LEAST * runs
               ? SOMETIMES
               : UNKNOWN;
}

/* What the title is made of: the variants by outcome, the trigger, and what the variants differ
   in. Without a fault there is nothing to recover *from* that can be named, and the phrases are
   short. */
struct story {
    const struct storm_results *results;
    uint32_t counts[UNKNOWN + 1];
    const struct storm_variant *first[UNKNOWN + 1]; /* of each outcome */
    const struct storm_variant *second[UNKNOWN + 1];
    char trouble[FINDING_TEXT_MAX]; /* "30-second outage"; "" without a fault */
    char from[FINDING_TEXT_MAX];    /* " from the 30-second outage", or "" */
    char fails[FINDING_TEXT_MAX];   /* "turns a 30-second outage into a permanent one", or "never
                                       recovers" */
    char fail[FINDING_TEXT_MAX];    /* the same of several variants */
    const char *noun, *nouns;
};

/* True when the variants differ, and only in settings of retry policies: then one may speak of
   policies. */
static bool are_policies(const struct storm_results *results) {
    assert(results->variant_count > 0);
    bool differ = false;
    for (uint32_t i = 0; i < results->variant_count; i++)
        for (uint32_t j = 0; j < results->variants[i].setting_count; j++) {
            const struct storm_setting *setting = &results->variants[i].settings[j];
            const char *other = storm_variant_setting(
                &results->variants[(i + 1) % results->variant_count], setting->path);
            if (other != NULL && strcmp(other, setting->value) == 0)
                continue;
            differ = true;
            if (strncmp(setting->path, "policies.", 9) != 0 &&
                strstr(setting->path, ".retry") == NULL)
                return false;
        }
    return differ;
}

/* What a fault is called: what stands still does not answer, but is not away. */
static const char *noun_of(const struct storm_span *fault) {
    assert(fault->kind == STORM_SPAN_FAULT);
    return strstr(fault->label, "outage") != NULL      ? "outage"
           : strcmp(fault->label, "0 % capacity") == 0 ? "standstill"
                                                       : "fault";
}

/* The first fault and how long it lasts; "" when there is none, or some variant has none. */
static void name_trouble(const struct storm_results *results, char *buffer, size_t size) {
    assert(buffer != NULL);
    char length[WORDS_MAX];
    const struct storm_span *first = NULL;
    uint32_t count = 0;
    buffer[0] = '\0';
    for (uint32_t i = results->variant_count; i-- > 0;) { /* the first variant's stay */
        count = 0;
        for (uint32_t j = results->variants[i].span_count; j-- > 0;)
            if (results->variants[i].spans[j].kind == STORM_SPAN_FAULT) {
                first = &results->variants[i].spans[j];
                count++;
            }
        if (count == 0)
            return;
    }
    bool is_one = count == 1 && first->to > first->from && first->to < STORM_NEVER;
    snprintf(buffer, size, "%s%s%s",
             is_one ? words_adjective(first->to - first->from, length, sizeof length) : "",
             is_one ? " " : "", noun_of(first));
}

/* "an" before a vowel and before 8, 11 and 18 ("an 8-second outage"). */
static const char *article(const char *words) {
    assert(words != NULL && words[0] != '\0');
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
    snprintf(story->fails, sizeof story->fails, "never recovers");
    snprintf(story->fail, sizeof story->fail, "never recover");
    if (story->trouble[0] != '\0') {
        const char *a = article(story->trouble);
        snprintf(story->from, sizeof story->from, " from the %.64s", story->trouble);
        snprintf(story->fails, sizeof story->fails, "turns %s %.40s into a permanent one", a,
                 story->trouble);
        snprintf(story->fail, sizeof story->fail, "turn %s %.40s into a permanent one", a,
                 story->trouble);
    }
    if (are_policies(results)) {
        story->noun = "policy";
        story->nouns = "policies";
    }
}

/* The one variant comes back: then it matters when, and what it cost. */
static bool title_one_recovers(const struct story *story, char *buffer, size_t size) {
    const struct storm_variant *variant = &story->results->variants[0];
    char when[WHEN_MAX];
    struct cost cost = cost_of(variant);
    assert(story->results->variant_count == 1);
    say_when(story->results, variant, when, sizeof when);
    const char *time = strncmp(when, " in ", 4) == 0 ? when + 3 : when;
    if (story->trouble[0] != '\0' && time[0] != '\0' &&
        ((cost.count[0] != '\0' &&
          words_title(buffer, size, "The service recovers%s after the %s, with %s", time,
                      story->trouble, cost.share)) ||
         words_title(buffer, size, "The service recovers%s after the %s", time, story->trouble)))
        return true;
    return words_title(buffer, size, "The service recovers%s", story->from);
}

/* Every variant comes back: then the difference is how long it takes. */
static bool title_all_recover(const struct story *story, char *buffer, size_t size) {
    const struct storm_results *results = story->results;
    const struct storm_variant *fast = NULL, *slow = NULL;
    double least = 0, most = 0;
    char quick[WHEN_MAX], late[WHEN_MAX];
    assert(results->variant_count > 0);
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
    if (fast == slow || most < 5 || most < 2 * least)
        return words_title(buffer, size, "Every %s recovers%s", story->noun, story->from);
    say_when(results, fast, quick, sizeof quick);
    say_when(results, slow, late, sizeof late);
    return words_title(buffer, size, "Every %s recovers: %s%s, %s%s", story->noun, fast->name,
                       quick, slow->name, late) ||
           words_title(buffer, size, "Every %s recovers, but %s only%s", story->noun, slow->name,
                       late) ||
           words_title(buffer, size, "Every %s recovers%s", story->noun, story->from);
}

/* Some variant never comes back. */
static bool title_some_never(const struct story *story, char *buffer, size_t size) {
    uint32_t all = story->results->variant_count, never = story->counts[NEVER];
    assert(never > 0);
    const char *bad = story->first[NEVER]->name, *fails = story->fails;
    const struct storm_variant *good = story->first[ALWAYS];
    if (all == 1)
        return words_title(buffer, size, "The service %s", fails);
    if (never == all)
        return words_title(buffer, size, "No %s recovers%s", story->noun, story->from);
    if (story->counts[ALWAYS] == 1 && never + 1 == all && all > 2 &&
        (words_title(buffer, size, "Only %s recovers%s", good->name, story->from) ||
         words_title(buffer, size, "Only %s recovers", good->name)))
        return true;
    if (story->counts[ALWAYS] == 1 && never == 1 && all == 2 &&
        (words_title(buffer, size, "%s recovers; %s %s", good->name, bad, fails) ||
         words_title(buffer, size, "%s recovers, %s never does", good->name, bad)))
        return true;
    if (never == 1 && (words_title(buffer, size, "%s %s", bad, fails) ||
                       words_title(buffer, size, "%s never recovers", bad)))
        return true;
    const struct storm_variant *second = story->second[NEVER];
    if (never == 2 && (words_title(buffer, size, "%s and %s %s", bad, second->name, story->fail) ||
                       words_title(buffer, size, "%s and %s never recover", bad, second->name)))
        return true;
    return words_title(buffer, size, "%" PRIu32 " of %" PRIu32 " %s %s", never, all, story->nouns,
                       never == 1 ? fails : story->fail);
}

/* No variant fails for good, but some only come back by luck. */
static bool title_some_sometimes(const struct story *story, char *buffer, size_t size) {
    assert(story->counts[SOMETIMES] > 0 && story->counts[NEVER] == 0);
    const struct storm_variant *mixed = story->first[SOMETIMES], *sure = story->first[ALWAYS];
    uint32_t good = storm_variant_good_runs(mixed), runs = mixed->runs_done;
    uint32_t all = story->results->variant_count;
    if (all == 1)
        return words_title(buffer, size,
                           "The service recovers%s in %" PRIu32 " of %" PRIu32 " runs", story->from,
                           good, runs);
    if (all == 2 && story->counts[ALWAYS] == 1 &&
        words_title(buffer, size, "%s always recovers, %s only in %" PRIu32 " of %" PRIu32 " runs",
                    sure->name, mixed->name, good, runs))
        return true;
    if (story->counts[SOMETIMES] == 1 &&
        (words_title(buffer, size,
                     "Every %s recovers but %s: it does in %" PRIu32 " of %" PRIu32 " runs",
                     story->noun, mixed->name, good, runs) ||
         words_title(buffer, size, "%s recovers in only %" PRIu32 " of %" PRIu32 " runs",
                     mixed->name, good, runs)))
        return true;
    if (story->counts[ALWAYS] == 1 &&
        (words_title(buffer, size, "Only %s always recovers%s", sure->name, story->from) ||
         words_title(buffer, size, "Only %s always recovers", sure->name)))
        return true;
    if (story->counts[ALWAYS] == 0)
        return words_title(buffer, size, "No %s always recovers%s", story->noun, story->from);
    return words_title(buffer, size, "%" PRIu32 " of %" PRIu32 " %s always recover%s",
                       story->counts[ALWAYS], all, story->nouns, story->from);
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

/* True when every variant comes back, as far as it has a verdict. */
static bool are_well(const struct storm_results *results) {
    for (uint32_t i = 0; i < results->variant_count; i++) {
        const struct storm_variant *variant = &results->variants[i];
        uint32_t well =
            storm_variant_good_runs(variant) + variant->verdicts[STORM_VERDICT_NOT_APPLICABLE];
        if (variant->runs_done < RUNS_LEAST || well < SHARE_LEAST * variant->runs_done)
            return false;
    }
    return true;
}

void finding_title(const struct storm_results *results, char *buffer, size_t size) {
    assert(results != NULL && results->variant_count > 0);
    assert(buffer != NULL && size > 4 * FINDING_TITLE_MAX);
    struct story story;
    tell_story(results, &story);
    bool is_found =
        are_well(results) &&
        (toll_title_letters(results, strstr(story.trouble, "outage") != NULL, buffer, size) ||
         toll_title(results, story.nouns, buffer, size));
    if (is_found || story.counts[UNKNOWN] > 0)
        ; /* found, or nothing is known of some variant */
    else if (story.counts[NEVER] > 0)
        is_found = title_some_never(&story, buffer, size);
    else if (story.counts[SOMETIMES] > 0)
        is_found = title_some_sometimes(&story, buffer, size);
    else if (are_unharmed(results) && story.trouble[0] != '\0')
        is_found = results->variant_count == 1
                       ? words_title(buffer, size, "The service withstands the %s", story.trouble)
                       : words_title(buffer, size, "Every %s withstands the %s", story.noun,
                                     story.trouble);
    else if (!are_unharmed(results))
        is_found = results->variant_count == 1 ? title_one_recovers(&story, buffer, size)
                                               : title_all_recover(&story, buffer, size);
    if (is_found)
        return;
    const char *question = results->question != NULL ? results->question : "";
    const char *title = results->title != NULL ? results->title : "";
    snprintf(buffer, size, "%s",
             question[0] != '\0' ? question
             : title[0] != '\0'  ? title
                                 : "Does the service recover?");
}
