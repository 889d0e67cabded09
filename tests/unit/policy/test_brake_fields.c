/* test_brake_fields.c: the settings of budgets, throttles, breakers and hedges. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <retrystorm/policy.h>

#include "policy/registry.h"
#include "support/test.h"

#define PART(member)                                                                               \
#member, member##_fields, offsetof(struct storm_policy, member),                               \
        offsetof(struct storm_policy, member) + sizeof((struct storm_policy *)0)->member

/* Each table and the part of a policy that it describes. */
static const struct {
    const char *name;
    const struct field *fields;
    size_t from, to;
} parts[] = {{PART(budget)}, {PART(throttle)}, {PART(breaker)}, {PART(hedge)}};

enum { PARTS = sizeof parts / sizeof parts[0] };

static size_t size_of(enum field_kind kind) {
    return kind == FIELD_BOOL       ? sizeof(bool)
           : kind == FIELD_WORD     ? sizeof(int)
           : kind == FIELD_COUNT    ? sizeof(uint32_t)
           : kind == FIELD_DURATION ? sizeof(storm_time)
                                    : sizeof(double);
}

static void every_setting_lies_in_its_part_and_apart_from_the_others(void **state) {
    (void)state;
    bool taken[sizeof(struct storm_policy)] = {false};
    for (int i = 0; i < PARTS; i++) {
        for (const struct field *field = parts[i].fields; field->key != NULL; field++) {
            size_t size = size_of(field->kind);
            assert_int_equal(field->offset % size, 0);
            assert_true(field->offset >= parts[i].from && field->offset + size <= parts[i].to);
            for (size_t k = 0; k < size; k++) {
                if (taken[field->offset + k])
                    fail_msg("%s.%s overlaps another setting", parts[i].name, field->key);
                taken[field->offset + k] = true;
            }
        }
    }
}

static void every_setting_is_described_and_words_are_its_values_in_order(void **state) {
    (void)state;
    for (int i = 0; i < PARTS; i++) {
        for (const struct field *field = parts[i].fields; field->key != NULL; field++) {
            assert_true(strlen(field->help) > 8);
            assert_string_equal(field->fallback, "");
            assert_true((field->kind == FIELD_WORD) == (field->words != NULL));
            assert_true(field->kind == FIELD_WORD || field->kind == FIELD_BOOL ||
                        field->least < field->most);
            for (int k = 0; field->words != NULL && field->words[k].word != NULL; k++)
                assert_int_equal(field->words[k].value, k);
            for (const struct field *other = parts[i].fields; other != field; other++)
                assert_string_not_equal(other->key, field->key);
        }
    }
    assert_string_equal(budget_fields[0].key, "kind");
}

/* A policy that has no brakes yet, as headlines are. */
static struct storm_policy plain(void) {
    return (struct storm_policy){.budget = POLICY_NO_BUDGET,
                                 .throttle = POLICY_NO_THROTTLE,
                                 .breaker = POLICY_NO_BREAKER,
                                 .hedge = POLICY_NO_HEDGE};
}

static void check(const struct storm_policy *policy, const char *key, const char *message) {
    const char *blamed = "none";
    const char *wrong = brake_check(policy, &blamed);
    assert_string_equal(blamed, key);
    assert_true((wrong == NULL) == (message == NULL));
    if (message != NULL)
        assert_string_equal(wrong, message);
}

static void a_policy_without_brakes_is_sound_and_so_is_one_of_zeros(void **state) {
    (void)state;
    struct storm_policy policy = plain(), zeros = {0};
    check(&policy, "none", NULL);
    check(&zeros, "none", NULL);
}

static void what_must_be_written_for_a_kind_of_budget_is_asked_for(void **state) {
    (void)state;
    struct storm_policy policy = plain();
    struct storm_budget *budget = &policy.budget;
    budget->kind = STORM_BUDGET_COST;
    check(&policy, "budget", "'cost' needs a capacity, e.g. 500");
    budget->capacity = 500;
    check(&policy, "none", NULL);
    budget->cost = 501;
    check(&policy, "budget", "its capacity must not be below the cost of one retry");
    budget->cost = 0;
    check(&policy, "budget", "'cost' needs a cost of more than 0");
    budget->kind = STORM_BUDGET_RATIO;
    check(&policy, "budget", "'ratio' needs a ratio, e.g. 0.1");
    budget->ratio = 0.1;
    check(&policy, "none", NULL);
    budget->capacity = 0;
    check(&policy, "budget", "'ratio' needs a capacity, e.g. 10");
    budget->kind = STORM_BUDGET_WINDOW;
    check(&policy, "none", NULL);
    budget->ratio = 0; /* the reserve is left */
    check(&policy, "none", NULL);
    budget->reserve = 0;
    check(&policy, "budget", "'window' needs a ratio, e.g. 0.2");
    budget->ttl = 0;
    check(&policy, "budget", "'window' needs a ttl, e.g. 10s");
    budget->kind = STORM_BUDGET_CONCURRENCY;
    check(&policy, "none", NULL);
    budget->most = 0;
    check(&policy, "budget", "'concurrency' needs a most, e.g. 3, or a ratio");
}

static void each_kind_of_throttle_and_breaker_is_sound_as_it_comes(void **state) {
    (void)state;
    struct storm_policy policy = plain();
    for (int kind = STORM_THROTTLE_NONE; kind <= STORM_THROTTLE_CUBIC; kind++) {
        policy.throttle.kind = kind;
        check(&policy, "none", NULL);
    }
    for (int kind = STORM_BREAKER_NONE; kind <= STORM_BREAKER_TIME; kind++) {
        policy.breaker.kind = kind;
        check(&policy, "none", NULL);
    }
}

static void what_a_throttle_or_breaker_cannot_do_without_is_asked_for(void **state) {
    (void)state;
    struct storm_policy policy = {.throttle.kind = STORM_THROTTLE_ADAPTIVE};
    check(&policy, "throttle", "'adaptive' needs a k, e.g. 2");
    policy.throttle.k = 2;
    check(&policy, "throttle", "'adaptive' needs a window, e.g. 2m");
    policy.throttle.kind = STORM_THROTTLE_CUBIC;
    check(&policy, "throttle", "'cubic' needs beta and scale, e.g. 0.7 and 0.4");
    policy = plain();
    policy.breaker.kind = STORM_BREAKER_COUNT;
    policy.breaker.share = 0;
    check(&policy, "breaker", "it needs the share of failures that opens it, e.g. 50%");
    policy.breaker.share = 0.5;
    policy.breaker.calls = 0;
    check(&policy, "breaker", "'count' needs calls, e.g. 100");
    policy.breaker.kind = STORM_BREAKER_TIME;
    policy.breaker.window = 0;
    check(&policy, "breaker", "'time' needs a window, e.g. 30s");
    policy = plain();
    policy.breaker.kind = STORM_BREAKER_CONSECUTIVE;
    policy.breaker.open_longest = STORM_SECOND;
    check(&policy, "breaker", "its open_longest must not be below open_for");
    policy.breaker.open_for = 0;
    check(&policy, "breaker", "it needs open_for, e.g. 5s");
    policy.breaker.consecutive = 0;
    check(&policy, "breaker", "'consecutive' needs failures, e.g. 5");
}

static void a_hedge_says_when_and_how_often(void **state) {
    (void)state;
    struct storm_policy policy = plain();
    policy.hedge.attempts = 2;
    check(&policy, "hedge", "it needs after, e.g. 100ms");
    policy.hedge.after = 0; /* all at once */
    check(&policy, "none", NULL);
    policy.hedge = (struct storm_hedge){STORM_SECOND, 1};
    check(&policy, "hedge", "it needs attempts, 2 or more");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_setting_lies_in_its_part_and_apart_from_the_others),
        cmocka_unit_test(every_setting_is_described_and_words_are_its_values_in_order),
        cmocka_unit_test(a_policy_without_brakes_is_sound_and_so_is_one_of_zeros),
        cmocka_unit_test(what_must_be_written_for_a_kind_of_budget_is_asked_for),
        cmocka_unit_test(each_kind_of_throttle_and_breaker_is_sound_as_it_comes),
        cmocka_unit_test(what_a_throttle_or_breaker_cannot_do_without_is_asked_for),
        cmocka_unit_test(a_hedge_says_when_and_how_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
