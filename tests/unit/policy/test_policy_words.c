/* test_policy_words.c: policies as formulas and in words. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/words.h"

#include <math.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "policy/registry.h"
#include "support/test.h"

static char text[WORDS_SIZE];

static const struct storm_policy *policy_of(const char *name) {
    const struct policy_headline *headline = policy_headline_find(name);
    const struct policy_preset *preset = policy_preset_find(name);
    assert_true(headline != NULL || preset != NULL);
    return headline != NULL ? &headline->policy : &preset->policy;
}

static void the_delay_is_a_formula_of_its_settings(void **state) {
    (void)state;
    static const struct {
        const char *policy, *formula;
    } rows[] = {
        {"no-backoff", "0s"},
        {"fixed", "1s"},
        {"linear", "1s x n"},
        {"exponential", "min(30s, 1s x 2^(n-1))"},
        {"full-jitter", "uniform(0, min(30s, 1s x 2^(n-1)))"},
        {"equal-jitter", "uniform(0.5, 1) x min(30s, 1s x 2^(n-1))"},
        {"additive-jitter", "min(30s, 1s x 2^(n-1)) + uniform(0, 1s)"},
        {"decorrelated-jitter", "min(30s, uniform(1s, 3 x last)); the first takes for last 1s"},
        {"finagle-tries", "uniform(last, min(200ms, 3 x last)); the first is 5ms"},
        {"axios-retry-exponential", "uniform(1, 1.2) x 100ms x 2^n"},
        {"stripe-node", "max(500ms, uniform(0.5, 1) x min(5s, 500ms x 2^(n-2)))"},
        {"p-retry-randomize-max10",
         "min(10s, uniform(1, 2) x 1s x 2^(n-1)), rounded to multiples of 1ms"},
        {"celery-autoretry-backoff", "uniform(0, min(10m, 1s x 2^(n-1))), rounded down to "
                                     "multiples of 1s, the upper end included"},
        {"sidekiq-default",
         "1s x (n-1)^4 + 15s + uniform(0, 10s x n), rounded down to multiples of 1s"},
        {"envoy-docs-formula",
         "uniform(0, min(250ms, 25ms x (2^n - 1))), rounded down to multiples of 1ms"},
        {"kafkajs-default", "min(30s, uniform(0.8, 1.2) x 2 x last), rounded up to multiples of "
                            "1ms; the first from 300ms"},
        {"finagle-exponential-jittered",
         "uniform(0, min(10s, 2^(n-1) x last)); the first from 100ms; no jitter before retry 1; "
         "once at the cap, exactly that"},
        {"finagle-equal-jittered", "uniform(1, 2) x min(5m, 5s x 2^(n-2)); no jitter or shift "
                                   "before retry 1; once at the cap, exactly that"},
        {"urllib3-backoff-1-jitter-5-max-8",
         "min(8s, 1s x 2^(n-1) + uniform(0, 5s)); no delay before retry 1"},
        {"backoff-fibo", "uniform(0, 1s x fibonacci(n))"},
        {"elasticsearch-bulk", "the n-th of 50ms, 60ms, 80ms, 150ms, 280ms, 580ms, 1.25s, 2.74s, "
                               "and then the last"},
        {"cockatiel-exponential", "min(30s, 128ms / 1.4 x (f(n-1+u) - f of the last)); f(t) = 2^t "
                                  "x tanh(sqrt(4t)), u = uniform(0, 1)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(words_delay(&policy_of(rows[i].policy)->delay, text), rows[i].formula);
}

static void settings_that_no_product_has_are_in_the_formula_too(void **state) {
    (void)state;
    struct storm_delay delay = policy_of("exponential")->delay;
    delay.law = STORM_JITTER_EXPONENTIAL;
    assert_string_equal(words_delay(&delay, text), "exponential of mean min(30s, 1s x 2^(n-1))");
    delay.law = STORM_JITTER_UNIFORM;
    delay.jitter_low = delay.jitter_high = 0.5;
    delay.shift = 0.5;
    delay.skip = 3;
    assert_string_equal(words_delay(&delay, text), "0.5 x min(30s, 1s x 2^(n-1+0.5)); no delay "
                                                   "before retries 1 to 3");
    delay = policy_of("linear")->delay;
    delay.step = 2;
    delay.jitter_low = 0.8;
    delay.shift = delay.skip = 0;
    assert_string_equal(words_delay(&delay, text), "uniform(0.8, 1) x (1s + 2s x (n-1))");
    delay.cap = 60;
    assert_string_equal(words_delay(&delay, text), "uniform(0.8, 1) x min(60s, 1s + 2s x (n-1))");
    delay.cap_when = STORM_CAP_NONE;
    assert_string_equal(words_delay(&delay, text), "uniform(0.8, 1) x (1s + 2s x (n-1))");
}

static void every_rule_for_hints_has_its_words(void **state) {
    (void)state;
    static const char *const words[] = {
        [STORM_HINT_FLOOR] = "waits so long, but never less than its own delay",
        [STORM_HINT_OVERRIDE] = "waits exactly so long",
        [STORM_HINT_IGNORE] = "ignored",
        [STORM_HINT_CLAMP] = "waits so long, but at least its own delay and at most 5s more",
        [STORM_HINT_CAPPED] = "waits so long, but at most 20s",
        [STORM_HINT_GIVE_UP_ABOVE] = "waits exactly so long; more than 20s ends the call",
        [STORM_HINT_IGNORE_ABOVE] = "waits exactly so long; more than 20s is ignored"};
    struct storm_hint_rule rule = {.limit = 20 * STORM_SECOND, .slack = 5 * STORM_SECOND};
    for (int i = STORM_HINT_FLOOR; i <= STORM_HINT_IGNORE_ABOVE; i++) {
        rule.rule = i;
        assert_string_equal(words_hint(&rule, text), words[i]);
    }
    rule = (struct storm_hint_rule){.rule = STORM_HINT_CAPPED,
                                    .limit = STORM_NEVER,
                                    .jitter = 0.5,
                                    .zero_is_real = true,
                                    .restarts = true};
    assert_string_equal(words_hint(&rule, text),
                        "waits so long; stretched at random by up to 50%; 0s means at once; then "
                        "its delays begin again with the first");
}

static void attempts_and_time_have_their_words(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("full-jitter")[0];
    assert_string_equal(words_attempts(&policy, text), "4 in all");
    policy.attempts = STORM_ATTEMPTS_UNLIMITED;
    assert_string_equal(words_attempts(&policy, text), "unlimited");
    assert_string_equal(words_time(&policy, text), "none");
    policy.time_rule = STORM_TIME_TRUNCATE;
    assert_string_equal(words_time(&policy, text),
                        "none; if set, the last delay is cut, and one more attempt made then");
    policy.total_time = 30 * STORM_SECOND;
    policy.time_rule = STORM_TIME_BEFORE;
    assert_string_equal(words_time(&policy, text),
                        "30s from the first attempt on: no delay is begun that would lead beyond");
}

static void statuses_are_told_by_what_is_done_about_them(void **state) {
    (void)state;
    struct storm_policy policy = {.class_count = 5,
                                  .classes = {{408, STORM_CLASS_GIVE_UP},
                                              {409, STORM_CLASS_SUCCESS},
                                              {STORM_OUTCOME_TIMEOUT, STORM_CLASS_GIVE_UP},
                                              {429, STORM_CLASS_RETRY_HINTED},
                                              {404, STORM_CLASS_RETRY}}};
    assert_string_equal(words_classes(&policy, text), "also 404; with a hint only 429; but not "
                                                      "408, timeout; good enough: 409");
    policy.class_count = 0;
    assert_string_equal(words_classes(&policy, text), "");
}

static void brakes_that_are_not_there_say_nothing(void **state) {
    (void)state;
    const struct storm_policy *policy = policy_of("full-jitter");
    assert_string_equal(words_budget(&policy->budget, text), "");
    assert_string_equal(words_throttle(&policy->throttle, text), "");
    assert_string_equal(words_breaker(&policy->breaker, text), "");
    assert_string_equal(words_hedge(&policy->hedge, text), "");
}

static void budgets_have_their_words(void **state) {
    (void)state;
    static const struct {
        const char *policy, *words;
    } rows[] = {
        {"aws-sdk-standard", "500 tokens, a retry takes 5 (after a timeout 10); a success gives "
                             "back what its last retry took, or 1; each client its own"},
        {"aws-java-v2-legacy-throttled",
         "500 tokens, a retry takes 5 (after a 429 0); a success gives back what its last retry "
         "took, or 1; each client its own"},
        {"grpc-service-config", "10 tokens, a failure takes 1 and a success gives 0.1; no retry at "
                                "5 or less; each client its own"},
        {"finagle-tries",
         "0.2 retries per request of the last 10s, and 10/s in any case; each client its own"},
        {"linkerd-service-profile",
         "0.2 retries per answer that needed none, of the last 10s (as 1 / a whole number), and "
         "10/s in any case; one for the clients of a host"},
        {"envoy-default", "at most 3 retries at once, those that back off included; one for the "
                          "clients of a host"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(words_budget(&policy_of(rows[i].policy)->budget, text), rows[i].words);
    struct storm_budget budget = policy_of("envoy-default")->budget;
    budget.ratio = 0.2;
    budget.scope = STORM_SCOPE_SHARED;
    budget.count_backing_off = false;
    assert_string_equal(words_budget(&budget, text), "retries at once: 20% of the requests under "
                                                     "way, at least 3; one for all callers");
}

static void throttles_breakers_and_hedges_have_their_words(void **state) {
    (void)state;
    assert_string_equal(words_throttle(&policy_of("google-sre-adaptive-throttle")->throttle, text),
                        "turns an attempt away with chance (requests - 2 x accepted) / (requests + "
                        "1) of the last 2m; each client its own");
    assert_string_equal(words_throttle(&policy_of("aws-sdk-adaptive-rate-limiter")->throttle, text),
                        "from the first 429 on, a rate: a 429 cuts it to 0.7 x the measured one, "
                        "then it grows with the cube of time (x 0.4), never below 0.5/s; each "
                        "client its own");
    struct storm_breaker breaker = policy_of("dotnet-http-standard")->breaker;
    assert_string_equal(words_breaker(&breaker, text),
                        "opens when 10% of those of the last 30s have failed (of 100 or more), for "
                        "5s; 1 probe; around each attempt; each client its own");
    breaker.kind = STORM_BREAKER_COUNT;
    breaker.outside = true;
    breaker.probes = 10;
    assert_string_equal(words_breaker(&breaker, text),
                        "opens when 10% of the last 100 have failed (of 100 or more), for 5s; 10 "
                        "probes; around the call with its retries; each client its own");
    assert_string_equal(words_breaker(&policy_of("finagle-tries")->breaker, text),
                        "opens after 5 failures in a row, for 5s, each time in a row 2 x longer up "
                        "to 5m; 1 probe; around each attempt; each client its own");
    assert_string_equal(words_hedge(&policy_of("grpc-hedging")->hedge, text),
                        "a copy whenever there is no answer for 500ms, 4 in all; the first success "
                        "counts");
}

/* Nothing is cut off, and what does not fit would be, without harm. */
static void every_preset_fits(void **state) {
    (void)state;
    for (size_t i = 0; i < policy_preset_count(); i++) {
        const struct storm_policy *policy = &policy_preset_at(i)->policy;
        assert_true(strlen(words_delay(&policy->delay, text)) < WORDS_SIZE / 2);
        assert_true(strlen(words_classes(policy, text)) < WORDS_SIZE / 2);
        assert_true(strlen(words_budget(&policy->budget, text)) < WORDS_SIZE / 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_delay_is_a_formula_of_its_settings),
        cmocka_unit_test(settings_that_no_product_has_are_in_the_formula_too),
        cmocka_unit_test(every_rule_for_hints_has_its_words),
        cmocka_unit_test(attempts_and_time_have_their_words),
        cmocka_unit_test(statuses_are_told_by_what_is_done_about_them),
        cmocka_unit_test(brakes_that_are_not_there_say_nothing),
        cmocka_unit_test(budgets_have_their_words),
        cmocka_unit_test(throttles_breakers_and_hedges_have_their_words),
        cmocka_unit_test(every_preset_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
