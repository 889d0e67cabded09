/* test_finding.c: what a chart claims, and that it claims no more than the runs show. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "plots/finding.h"
#include "plots/type.h"
#include "plots/words.h"
#include "support/sample_results.h"

#define THIN WORDS_THIN

/* Ends `good` of a variant's runs well, the rest stuck. */
static void set_good(struct storm_variant *variant, uint32_t good) {
    memset(variant->verdicts, 0, sizeof variant->verdicts);
    variant->verdicts[STORM_VERDICT_RECOVERED] = good;
    variant->verdicts[STORM_VERDICT_STUCK] = variant->runs_done - good;
}

/* How long the runs took to recover. */
static void set_times(struct storm_variant *variant, double least, double median, double most) {
    struct storm_metric *metric = sample_metric(variant, "time_to_recover");
    metric->min = least;
    metric->median = median;
    metric->max = most;
}

/* The title of up to four variants of which so many runs recover. */
static const char *title_of(const uint32_t *good, uint32_t count, char *buffer, size_t size) {
    static const char *const names[] = {"fixed", "exponential", "full-jitter", "budget"};
    static const enum sample_shape shapes[] = {SAMPLE_RECOVERS, SAMPLE_RECOVERS, SAMPLE_RECOVERS,
                                               SAMPLE_RECOVERS};
    struct storm_results *results = sample_results(shapes, names, count);
    for (uint32_t i = 0; i < count; i++)
        set_good(&results->variants[i], good[i]);
    finding_title(results, buffer, size);
    sample_results_free(results);
    return buffer;
}

static void titles_say_who_recovers_and_who_does_not(void **state) {
    static const struct {
        uint32_t count, good[4];
        const char *title;
    } rows[] = {
        {1, {100}, "The service recovers 3" THIN "s after the 30-second outage"},
        {1, {3}, "The service turns a 30-second outage into a permanent one"},
        {1, {42}, "The service recovers from the 30-second outage in 42 of 100 runs"},
        {2, {100, 100}, "Every policy recovers from the 30-second outage"},
        {2, {0, 0}, "No policy recovers from the 30-second outage"},
        {2, {100, 0}, "Fixed recovers, exponential never does"},
        {2, {97, 50}, "Fixed always recovers, exponential only in 50 of 100 runs"},
        {3, {100, 0, 2}, "Only fixed recovers from the 30-second outage"},
        {3, {0, 100, 100}, "Fixed turns a 30-second outage into a permanent one"},
        {4, {0, 0, 100, 100}, "Fixed and exponential turn a 30-second outage into a permanent one"},
        {4, {0, 0, 0, 50}, "3 of 4 policies turn a 30-second outage into a permanent one"},
        {3, {100, 60, 100}, "Every policy recovers but exponential: it does in 60 of 100 runs"},
        {3, {100, 60, 60}, "Only fixed always recovers from the 30-second outage"},
        {4, {100, 60, 60, 100}, "2 of 4 policies always recover from the 30-second outage"},
        {3, {50, 60, 70}, "No policy always recovers from the 30-second outage"},
    };
    char title[512];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(title_of(rows[i].good, rows[i].count, title, sizeof title),
                            rows[i].title);
}

static void no_title_is_longer_than_72_characters(void **state) {
    static const char *const names[] = {
        "exponential-with-equal-jitter-and-cap", "decorrelated-jitter-with-a-retry-budget",
        "no-backoff-but-a-circuit-breaker", "full-jitter-and-adaptive-throttling"};
    static const enum sample_shape shapes[] = {SAMPLE_RECOVERS, SAMPLE_RECOVERS, SAMPLE_RECOVERS,
                                               SAMPLE_RECOVERS};
    static const uint32_t levels[] = {0, 50, 100};
    (void)state;
    for (uint32_t count = 1; count <= 4; count++) {
        struct storm_results *results = sample_results(shapes, names, count);
        for (uint32_t mix = 0; mix < 81; mix++) {
            char title[512];
            uint32_t rest = mix;
            for (uint32_t i = 0; i < count; i++, rest /= 3)
                set_good(&results->variants[i], levels[rest % 3]);
            set_times(&results->variants[count - 1], 3 + mix, 3 + mix, 3 + mix);
            finding_title(results, title, sizeof title);
            size_t length = 0;
            for (const char *next = title; type_next(&next) != 0;)
                length++;
            assert_in_range(length, 10, FINDING_TITLE_MAX);
            assert_true(title[0] < 'a' || title[0] > 'z');
            assert_int_not_equal(title[strlen(title) - 1], '.');
        }
        sample_results_free(results);
    }
}

static void where_all_recover_the_title_says_how_fast(void **state) {
    struct storm_results *results = sample_results_usual();
    char title[512];
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        set_good(&results->variants[i], 100);
        sample_metric(&results->variants[i], "time_to_recover")->applies = 100;
        set_times(&results->variants[i], 10 + 30 * i, 10 + 30 * i, 10 + 30 * i);
    }
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Every policy recovers: fixed in 10" THIN
                               "s, retry-budget in 100" THIN "s");
    set_times(&results->variants[0], 0, 0, 0);
    finding_title(results, title, sizeof title);
    assert_string_equal(title,
                        "Every policy recovers: fixed at once, retry-budget in 100" THIN "s");
    sample_results_free(results);
}

static void unharmed_services_withstand_the_trouble(void **state) {
    static const enum sample_shape shapes[] = {SAMPLE_UNHARMED, SAMPLE_UNHARMED};
    static const char *const names[] = {"a", "b"};
    struct storm_results *results = sample_results(shapes, names, 2);
    char title[512];
    (void)state;
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Every policy withstands the 30-second outage");
    sample_results_free(results);
}

static void variants_are_policies_only_if_policies_differ(void **state) {
    static const uint32_t none[] = {0, 0};
    struct storm_results *results = sample_results_usual();
    char title[512];
    (void)state;
    assert_non_null(strstr(title_of(none, 2, title, sizeof title), "No policy"));
    struct storm_setting *setting = (struct storm_setting *)&results->variants[1].settings[6];
    setting->value = "3000"; /* the queue's limit */
    for (uint32_t i = 0; i < 4; i++)
        set_good(&results->variants[i], 0);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "No variant recovers from the 30-second outage");
    sample_results_free(results);
}

static void without_a_fault_no_trouble_is_named(void **state) {
    struct storm_results *results = sample_results_usual();
    char title[512];
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        results->variants[i].span_count = 0;
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Exponential never recovers");
    for (uint32_t i = 0; i < 4; i++)
        set_good(&results->variants[i], 0);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "No policy recovers");
    sample_results_free(results);
}

static void with_too_few_runs_or_no_verdict_the_title_is_the_question(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_variant *variant = &results->variants[2];
    char title[512];
    (void)state;
    variant->runs_done = 4;
    set_good(variant, 4);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Does the service recover?");
    variant->runs_done = 100;
    set_good(variant, 90);
    variant->verdicts[STORM_VERDICT_STUCK] = 0;
    variant->verdicts[STORM_VERDICT_TOO_SHORT] = 10;
    results->question = "What happens?";
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "What happens?");
    results->question = NULL;
    finding_title(results, title, sizeof title);
    assert_string_equal(title, results->title);
    sample_results_free(results);
}

static void pills_speak_of_all_runs(void **state) {
    struct storm_results *results = sample_results_usual();
    struct finding_verdict verdict = finding_verdict(results, &results->variants[0]);
    (void)state;
    assert_string_equal(verdict.wordings[0], "always recovers, in 3" THIN "s");
    assert_int_equal(verdict.tone, FINDING_GOOD);
    verdict = finding_verdict(results, &results->variants[1]);
    assert_string_equal(verdict.wordings[0], "never recovers");
    assert_int_equal(verdict.tone, FINDING_BAD);
    verdict = finding_verdict(results, &results->variants[2]);
    assert_string_equal(verdict.wordings[0], "recovers in 42 of 100 runs");
    assert_string_equal(verdict.wordings[1], "42 of 100 recover");
    assert_int_equal(verdict.tone, FINDING_MIXED);
    verdict = finding_verdict(results, &results->variants[3]);
    assert_string_equal(verdict.wordings[0], "recovers at once");
    assert_int_equal(verdict.tone, FINDING_GOOD);
    sample_results_free(results);
}

static void pills_count_knock_downs(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_variant *good = &results->variants[3], *bad = &results->variants[1];
    (void)state;
    sample_metric(good, "knock_downs")->median = 4;
    set_times(good, 115, 115, 115);
    sample_metric(bad, "knock_downs")->median = 1;
    struct finding_verdict verdict = finding_verdict(results, good);
    assert_string_equal(verdict.wordings[0],
                        "always recovers, in 115" THIN "s, after 4 knock-downs");
    assert_int_equal(verdict.count, 4);
    assert_string_equal(verdict.wordings[1], "recovers in 115" THIN "s, 4 knock-downs");
    assert_string_equal(verdict.wordings[2], "recovers after 4 knock-downs");
    assert_string_equal(verdict.wordings[3], "recovers in 115" THIN "s");
    verdict = finding_verdict(results, bad);
    assert_string_equal(verdict.wordings[0], "never recovers, 1 knock-down");
    sample_metric(good, "time_to_recover")->median = (double)NAN;
    verdict = finding_verdict(results, good);
    assert_string_equal(verdict.wordings[0], "always recovers, after 4 knock-downs");
    sample_results_free(results);
}

static void pills_give_the_range_where_runs_differ(void **state) {
    static const struct {
        double least, median, most;
        const char *words;
    } rows[] = {{0, 0, 78, "always recovers, in 0–78" THIN "s"},
                {9, 10, 11, "always recovers, in 10" THIN "s"}, /* within two bins */
                {9, 10, 12, "always recovers, in 9–12" THIN "s"},
                {92, 100, 112, "always recovers, in 100" THIN "s"}, /* within a fifth */
                {0.5, 0.5, 3.25, "always recovers, in 0.5–3.3" THIN "s"},
                {0.1, 0.2, 2, "recovers at once"},
                {0.2, 45, 360, "always recovers, in 0" THIN "s to 6" THIN "min"}};
    struct storm_results *results = sample_results_usual();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_times(&results->variants[0], rows[i].least, rows[i].median, rows[i].most);
        struct finding_verdict verdict = finding_verdict(results, &results->variants[0]);
        assert_string_equal(verdict.wordings[0], rows[i].words);
    }
    sample_metric(&results->variants[0], "knock_downs")->median = 4;
    set_times(&results->variants[0], 0, 0, 0);
    struct finding_verdict verdict = finding_verdict(results, &results->variants[0]);
    assert_string_equal(verdict.wordings[0], "recovers at once, after 4 knock-downs");
    sample_results_free(results);
}

static void to_recover_at_a_price_is_no_success(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_variant *variant = &results->variants[0];
    struct storm_metric *lost = sample_metric(variant, "dead_letters");
    (void)state;
    sample_metric(variant, "requests")->median = 58000;
    lost->median = 2900; /* just 5 % */
    assert_int_equal(finding_verdict(results, variant).tone, FINDING_GOOD);
    lost->median = 9005;
    lost->min = 7074;
    struct finding_verdict verdict = finding_verdict(results, variant);
    assert_int_equal(verdict.tone, FINDING_MIXED);
    assert_int_equal(verdict.count, 4);
    assert_string_equal(verdict.wordings[0], "always recovers, in 3" THIN "s, about 9,000 lost");
    assert_string_equal(verdict.wordings[1], "recovers in 3" THIN "s, about 9,000 lost");
    assert_string_equal(verdict.wordings[2], "recovers in 3" THIN "s, 16" THIN "% lost");
    assert_string_equal(verdict.wordings[3], "recovers, 16" THIN "% lost");
    lost->min = lost->max = lost->median; /* one run, or all the same */
    variant->runs_done = 1;
    set_good(variant, 1);
    verdict = finding_verdict(results, variant);
    assert_string_equal(verdict.wordings[0], "recovers in 3" THIN "s, 9,005 lost");
    sample_metric(variant, "requests")->median = (double)NAN;
    assert_int_equal(finding_verdict(results, variant).tone, FINDING_GOOD);
    sample_results_free(results);
}

/* Makes one of the sample's metrics another one. */
static void set_metric(struct storm_variant *variant, const char *which, const char *name,
                       double least, double median, double most) {
    struct storm_metric *metric = sample_metric(variant, name);
    if (metric == NULL)
        metric = sample_metric(variant, which);
    metric->name = name;
    metric->applies = variant->runs_done;
    metric->min = least;
    metric->median = median;
    metric->max = most;
}

static void set_replay(struct storm_variant *variant, double replayed, double least, double kept,
                       double most) {
    set_metric(variant, "peak_load.api", "replayed", replayed, replayed, replayed);
    set_metric(variant, "peak_load_capacity.api", "letters_kept.web", least, kept, most);
}

static void what_was_replayed_is_not_lost(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_variant *variant = &results->variants[0];
    (void)state;
    sample_metric(variant, "requests")->median = 62000;
    sample_metric(variant, "dead_letters")->median = 9005;
    set_replay(variant, 4000, 5005, 5005, 5005);
    struct finding_verdict verdict = finding_verdict(results, variant);
    assert_int_equal(verdict.tone, FINDING_MIXED);
    assert_string_equal(verdict.wordings[1], "recovers in 3" THIN "s, 5,005 lost");
    assert_string_equal(verdict.wordings[2], "recovers in 3" THIN "s, 9" THIN "% lost");
    set_metric(variant, "amplification.api", "dead_letters.lost_by_broker", 10, 10, 10);
    verdict = finding_verdict(results, variant);
    assert_string_equal(verdict.wordings[1], "recovers in 3" THIN "s, 5,015 lost");
    set_metric(variant, "", "dead_letters.lost_by_broker", 0, 0, 0);
    set_replay(variant, 9000, 3, 16, 23); /* nearly all */
    verdict = finding_verdict(results, variant);
    assert_int_equal(verdict.tone, FINDING_GOOD);
    assert_string_equal(verdict.wordings[1], "recovers in 3" THIN "s, about 16 letters left");
    set_replay(variant, 9000, 0, 0, 0);
    verdict = finding_verdict(results, variant);
    assert_string_equal(verdict.wordings[1], "recovers in 3" THIN "s, all letters back");
    set_replay(variant, 0, 0, 0, 0); /* there is a replay, but it finds nothing */
    verdict = finding_verdict(results, variant);
    assert_string_equal(verdict.wordings[1], "recovers in 3" THIN "s, 9,005 lost");
    sample_results_free(results);
}

/* Two variants that come back at once, of 62,000 requests each. */
static struct storm_results *two_that_recover(void) {
    static const enum sample_shape shapes[] = {SAMPLE_AT_ONCE, SAMPLE_AT_ONCE};
    static const char *const names[] = {"paced", "at-once"};
    struct storm_results *results = sample_results(shapes, names, 2);
    for (uint32_t i = 0; i < 2; i++)
        sample_metric(&results->variants[i], "requests")->median = 62000;
    return results;
}

static void titles_say_what_became_of_replayed_letters(void **state) {
    struct storm_results *results = two_that_recover();
    struct storm_variant *paced = &results->variants[0], *rash = &results->variants[1];
    char title[512];
    (void)state;
    set_replay(paced, 9000, 0, 0, 0);
    set_replay(rash, 9000, 5400, 5592, 5700);
    set_metric(paced, "amplification.api", "replay_succeeded", 8900, 8950, 9000);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Paced brings all letters back; at-once leaves about 5,600 dead");
    set_metric(rash, "", "knock_downs", 1, 1, 1);
    finding_title(results, title, sizeof title);
    assert_string_equal(title,
                        "Paced brings all letters back; at-once knocks the service down again");
    set_replay(paced, 9000, 10, 16, 20);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Paced brings about 9,000 letters back; at-once leaves about 5,600 "
                               "dead");     /* the other would be too long */
    set_replay(rash, 9000, 19, 5592, 5700); /* some runs are no worse */
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Every policy recovers from the 30-second outage");
    set_replay(rash, 9000, 5400, 5592, 5700);
    set_good(rash, 0); /* then that is the finding */
    finding_title(results, title, sizeof title);
    assert_string_equal(title,
                        "Paced recovers; at-once turns a 30-second outage into a permanent one");
    sample_results_free(results);
}

/* A title and a pill speak of duplicates where the variants differ in them, recovered or not. */
static void duplicates_are_told_where_variants_differ(void **state) {
    struct storm_results *results = two_that_recover();
    struct storm_variant *stored = &results->variants[0], *other = &results->variants[1];
    char title[512];
    (void)state;
    set_metric(stored, "peak_load.api", "duplicates.api", 0, 0, 0);
    set_metric(other, "peak_load.api", "duplicates.api", 4548, 4647, 4851);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Paced: no duplicates; at-once: about 4,600 duplicates");
    struct finding_verdict verdict = finding_verdict(results, stored);
    assert_int_equal(verdict.tone, FINDING_GOOD);
    assert_string_equal(verdict.wordings[0], "recovers at once, no duplicates");
    verdict = finding_verdict(results, other);
    assert_int_equal(verdict.tone, FINDING_MIXED);
    assert_string_equal(verdict.wordings[0], "recovers at once, about 4,600 duplicates");
    assert_string_equal(verdict.wordings[verdict.count - 1], "about 4,600 duplicates");
    set_good(other, 0);
    verdict = finding_verdict(results, other);
    assert_int_equal(verdict.tone, FINDING_BAD);
    assert_string_equal(verdict.wordings[0], "never recovers, about 4,600 duplicates");
    set_good(other, 100);
    set_metric(stored, "", "duplicates.api", 3100, 4000, 4600); /* its runs overlap the other's */
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Every policy recovers from the 30-second outage");
    verdict = finding_verdict(results, other);
    assert_string_equal(verdict.wordings[0], "recovers at once");
    set_metric(stored, "", "duplicates.api", 3100, 3500, 4000); /* nor is a seventh worth a word */
    verdict = finding_verdict(results, other);
    assert_string_equal(verdict.wordings[0], "recovers at once");
    sample_results_free(results);
}

/* Ends all runs of all variants so. */
static void set_all(struct storm_results *results, enum storm_verdict verdict) {
    for (uint32_t i = 0; i < results->variant_count; i++) {
        struct storm_variant *variant = &results->variants[i];
        memset(variant->verdicts, 0, sizeof variant->verdicts);
        variant->verdicts[verdict] = variant->runs_done;
    }
}

static void several_without_duplicates_are_counted(void **state) {
    static const double counts[] = {0, 1200, 0, 300};
    struct storm_results *results = sample_results_usual();
    char title[512];
    (void)state;
    set_all(results, STORM_VERDICT_NOT_APPLICABLE);
    for (uint32_t i = 0; i < 4; i++)
        set_metric(&results->variants[i], "peak_load.api", "duplicates.api", counts[i], counts[i],
                   counts[i]);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "2 of 4 policies have no duplicates; exponential has 1,200");
    struct finding_verdict verdict = finding_verdict(results, &results->variants[3]);
    assert_int_equal(verdict.count, 1); /* no verdict to name */
    assert_string_equal(verdict.wordings[0], "300 duplicates");
    assert_int_equal(verdict.tone, FINDING_MIXED);
    set_metric(&results->variants[3], "", "duplicates.api", 0, 0, 0);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Only exponential has duplicates: 1,200");
    for (uint32_t i = 0; i < 4; i++) /* what differs more is told */
        set_metric(&results->variants[i], "peak_load_capacity.api", "wrongly_merged.api",
                   i == 2 ? 47760 : 0, i == 2 ? 47760 : 0, i == 2 ? 47760 : 0);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Only full-jitter has wrong merges: 47,760");
    sample_results_free(results);
}

static void without_a_verdict_the_widest_difference_is_told(void **state) {
    struct storm_results *results = two_that_recover();
    struct storm_variant *first = &results->variants[0], *second = &results->variants[1];
    char title[512];
    (void)state;
    set_all(results, STORM_VERDICT_NOT_APPLICABLE);
    set_metric(first, "", "dead_letters", 0, 0, 0);
    set_metric(second, "", "dead_letters", 0, 0, 0);
    set_metric(first, "", "amplification.api", 4, 4, 4);
    set_metric(second, "", "amplification.api", 64, 64, 64);
    struct finding_verdict verdict = finding_verdict(results, second);
    assert_string_equal(verdict.wordings[0], "64 attempts per request");
    assert_int_equal(verdict.tone, FINDING_NEUTRAL);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Does the service recover?"); /* loads stand in the pills only */
    set_metric(first, "peak_load.api", "bans.api", 30, 35, 40);
    set_metric(second, "peak_load.api", "bans.api", 900, 950, 980); /* wider than 16-fold */
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "Paced: about 35 bans; at-once: about 950 bans");
    set_all(results, STORM_VERDICT_UNHARMED);
    verdict = finding_verdict(results, first);
    assert_string_equal(verdict.wordings[0], "unharmed, about 35 bans");
    set_metric(first, "", "bans.api", 30, 35, 700); /* no longer half as much again */
    verdict = finding_verdict(results, first);
    assert_string_equal(verdict.wordings[0], "unharmed, 4 attempts per request");
    set_good(second, 0); /* then the verdicts are what tells */
    verdict = finding_verdict(results, first);
    assert_string_equal(verdict.wordings[0], "unharmed");
    sample_results_free(results);
}

static void what_stands_still_is_no_outage_and_an_action_no_fault(void **state) {
    struct storm_results *results = sample_results_usual();
    char title[512];
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        results->variants[i].spans[0].label = "0 % capacity";
        sample_add_action(&results->variants[i], "replay", "web", STORM_SECOND, STORM_SECOND);
        set_good(&results->variants[i], 0);
    }
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "No policy recovers from the 30-second standstill");
    results->variants[2].spans[0].kind = STORM_SPAN_ACTION; /* it has no fault */
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "No policy recovers");
    sample_results_free(results);
}

static void one_variants_title_says_when_and_at_what_price(void **state) {
    static const enum sample_shape shapes[] = {SAMPLE_RECOVERS};
    static const char *const names[] = {"one"};
    struct storm_results *results = sample_results(shapes, names, 1);
    char title[512];
    (void)state;
    set_times(results->variants, 0.1, 0.2, 0.5);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "The service recovers at once after the 30-second outage");
    set_times(results->variants, 0, 45, 78);
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "The service recovers 0–78" THIN "s after the 30-second outage");
    sample_metric(results->variants, "dead_letters")->median =
        sample_metric(results->variants, "requests")->median / 4;
    finding_title(results, title, sizeof title);
    assert_string_equal(title, "The service recovers 0–78" THIN
                               "s after the 30-second outage, with 25" THIN "% lost");
    sample_results_free(results);
}

static void one_run_is_not_called_always(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_variant *variant = &results->variants[0];
    (void)state;
    variant->runs_done = 1;
    set_good(variant, 1);
    struct finding_verdict verdict = finding_verdict(results, variant);
    assert_string_equal(verdict.wordings[0], "recovers in 3" THIN "s");
    set_good(variant, 0);
    verdict = finding_verdict(results, variant);
    for (int i = 0; i < verdict.count; i++)
        assert_string_equal(verdict.wordings[i], "stays stuck");
    sample_metric(variant, "knock_downs")->median = 2;
    verdict = finding_verdict(results, variant);
    assert_string_equal(verdict.wordings[0], "stays stuck, 2 knock-downs");
    sample_results_free(results);
}

static void the_rest_of_the_verdicts_have_their_own_words(void **state) {
    static const struct {
        uint32_t verdicts[STORM_VERDICT_COUNT], runs;
        enum finding_tone tone;
        const char *words;
    } rows[] = {{{100, 0, 0, 0, 0, 0}, 100, FINDING_NEUTRAL, "verdict not applicable"},
                {{0, 100, 0, 0, 0, 0}, 100, FINDING_GOOD, "unharmed"},
                {{0, 0, 0, 100, 0, 0}, 100, FINDING_BAD, "never recovers: stays degraded"},
                {{0, 0, 0, 0, 0, 100}, 100, FINDING_NEUTRAL, "too short to tell"},
                {{0, 60, 20, 0, 0, 20}, 100, FINDING_MIXED, "recovers in 80 of 100 runs"},
                {{0, 0, 0, 10, 80, 10}, 100, FINDING_BAD, "recovers in 0 of 100 runs"},
                {{0, 0, 0, 0, 0, 0}, 0, FINDING_NEUTRAL, "no run done"}};
    struct storm_results *results = sample_results_usual();
    struct storm_variant *variant = &results->variants[0];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memcpy(variant->verdicts, rows[i].verdicts, sizeof variant->verdicts);
        variant->runs_done = rows[i].runs;
        struct finding_verdict verdict = finding_verdict(results, variant);
        assert_string_equal(verdict.wordings[0], rows[i].words);
        assert_int_equal(verdict.tone, rows[i].tone);
    }
    sample_results_free(results);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(titles_say_who_recovers_and_who_does_not),
        cmocka_unit_test(no_title_is_longer_than_72_characters),
        cmocka_unit_test(where_all_recover_the_title_says_how_fast),
        cmocka_unit_test(unharmed_services_withstand_the_trouble),
        cmocka_unit_test(variants_are_policies_only_if_policies_differ),
        cmocka_unit_test(without_a_fault_no_trouble_is_named),
        cmocka_unit_test(with_too_few_runs_or_no_verdict_the_title_is_the_question),
        cmocka_unit_test(pills_speak_of_all_runs),
        cmocka_unit_test(pills_count_knock_downs),
        cmocka_unit_test(pills_give_the_range_where_runs_differ),
        cmocka_unit_test(to_recover_at_a_price_is_no_success),
        cmocka_unit_test(what_was_replayed_is_not_lost),
        cmocka_unit_test(titles_say_what_became_of_replayed_letters),
        cmocka_unit_test(duplicates_are_told_where_variants_differ),
        cmocka_unit_test(several_without_duplicates_are_counted),
        cmocka_unit_test(without_a_verdict_the_widest_difference_is_told),
        cmocka_unit_test(what_stands_still_is_no_outage_and_an_action_no_fault),
        cmocka_unit_test(one_variants_title_says_when_and_at_what_price),
        cmocka_unit_test(one_run_is_not_called_always),
        cmocka_unit_test(the_rest_of_the_verdicts_have_their_own_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
