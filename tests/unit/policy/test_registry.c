/* test_registry.c: the headline policies and the table of a policy's settings. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/registry.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <retrystorm/policy.h>

#include "policy/delay.h"
#include "support/test.h"

static void every_headline_is_sound_and_is_found_by_its_name(void **state) {
    (void)state;
    for (size_t i = 0; i < policy_headline_count(); i++) {
        const struct policy_headline *headline = policy_headline_at(i);
        const char *key = "";
        if (policy_check(&headline->policy, &key) != NULL)
            fail_msg("%s: %s", headline->name, key);
        assert_ptr_equal(policy_headline_find(headline->name), headline);
        assert_string_equal(headline->policy.headline, headline->name);
        assert_string_equal(headline->policy.name, headline->name);
        assert_true(strlen(headline->summary) > 10);
        assert_true(headline->policy.attempts >= 1);
        assert_true(headline->policy.total_time == STORM_NEVER);
        assert_true(headline->policy.persist == 1 && !headline->policy.head_only);
        assert_true(headline->policy.time_rule == STORM_TIME_BEFORE);
        const struct storm_hint_rule *hint = &headline->policy.hint;
        assert_true(hint->rule == STORM_HINT_FLOOR && hint->limit == STORM_NEVER);
        assert_true(hint->slack == 5 * STORM_SECOND && hint->jitter == 0);
        assert_false(hint->zero_is_real || hint->restarts);
        assert_false(storm_policy_has_brakes(&headline->policy));
        assert_int_equal(headline->policy.delay.law, STORM_JITTER_UNIFORM);
        assert_int_equal(headline->policy.class_count, 0);
    }
    assert_null(policy_headline_find("exponentia"));
    assert_null(policy_headline_find(""));
}

static void the_nine_names_of_the_method_are_there(void **state) {
    (void)state;
    static const char *const names[] = {"no-retry",     "no-backoff",      "fixed",
                                        "linear",       "exponential",     "full-jitter",
                                        "equal-jitter", "additive-jitter", "decorrelated-jitter"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(policy_headline_find(names[i]));
}

/* What the first three retries of each headline wait at the low end, the middle and the high end
   of chance. */
static void headlines_wait_what_their_names_say(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double low[3], middle[3];
    } rows[] = {
        {"no-retry", {0, 0, 0}, {0, 0, 0}},
        {"no-backoff", {0, 0, 0}, {0, 0, 0}},
        {"fixed", {1, 1, 1}, {1, 1, 1}},
        {"linear", {1, 2, 3}, {1, 2, 3}},
        {"exponential", {1, 2, 4}, {1, 2, 4}},
        {"full-jitter", {0, 0, 0}, {0.5, 1, 2}},
        {"equal-jitter", {0.5, 1, 2}, {0.75, 1.5, 3}},
        {"additive-jitter", {1, 2, 4}, {1.5, 2.5, 4.5}},
        {"decorrelated-jitter", {1, 1, 1}, {2, 3.5, 5.75}},
    };
    assert_int_equal(sizeof rows / sizeof rows[0], policy_headline_count());
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct policy_headline *headline = policy_headline_find(rows[i].name);
        struct storm_delay_state low = {0}, middle = {0};
        assert_non_null(headline);
        for (int n = 0; n < 3; n++) {
            double a = delay_next(&headline->policy.delay, &low, 0);
            double b = delay_next(&headline->policy.delay, &middle, 0.5);
            if (a != rows[i].low[n] || b != rows[i].middle[n])
                fail_msg("%s, retry %d: %g and %g", rows[i].name, n + 1, a, b);
        }
    }
}

static void what_grows_without_end_is_capped(void **state) {
    (void)state;
    static const char *const names[] = {"exponential", "full-jitter", "equal-jitter",
                                        "decorrelated-jitter"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct storm_delay_state s = {.count = 0};
        double d = 0;
        for (int n = 0; n < 60; n++)
            d = delay_next(&policy_headline_find(names[i])->policy.delay, &s, 1 - 0x1p-53);
        assert_true(d <= 30 && d > 29.99);
    }
}

static size_t size_of(enum field_kind kind) {
    switch (kind) {
    case FIELD_DURATION:
        return sizeof(storm_time);
    case FIELD_SECONDS:
    case FIELD_RATE:
    case FIELD_SHARE:
    case FIELD_FACTOR:
    case FIELD_WHOLE:
        return sizeof(double);
    case FIELD_COUNT:
        return sizeof(uint32_t);
    case FIELD_STATUS:
        return sizeof(uint16_t);
    case FIELD_BOOL:
        return sizeof(bool);
    case FIELD_WORD:
        return sizeof(int);
    case FIELD_TEXT:
        return sizeof(const char *);
    case FIELD_DIST:
    case FIELD_MAP:
        break;
    }
    fail_msg("a policy has no setting of this kind");
    return 0;
}

static void every_setting_lies_inside_the_policy_and_apart_from_the_others(void **state) {
    (void)state;
    bool taken[sizeof(struct storm_policy)] = {false};
    for (const struct field *field = policy_fields; field->key != NULL; field++) {
        size_t size = size_of(field->kind);
        assert_true(field->offset + size <= sizeof(struct storm_policy));
        assert_int_equal(field->offset % size, 0);
        for (size_t i = 0; i < size; i++) {
            if (taken[field->offset + i])
                fail_msg("%s overlaps another setting", field->key);
            taken[field->offset + i] = true;
        }
    }
}

static void every_setting_is_described_once(void **state) {
    (void)state;
    for (const struct field *field = policy_fields; field->key != NULL; field++) {
        assert_true(strlen(field->help) > 8);
        assert_true((field->kind == FIELD_WORD) == (field->words != NULL));
        assert_true(field->kind == FIELD_WORD || field->kind == FIELD_BOOL ||
                    field->least < field->most);
        for (const struct field *other = policy_fields; other != field; other++)
            assert_string_not_equal(other->key, field->key);
    }
}

static void the_words_of_a_setting_are_its_values_in_order(void **state) {
    (void)state;
    for (const struct field *field = policy_fields; field->key != NULL; field++) {
        for (int i = 0; field->words != NULL && field->words[i].word != NULL; i++)
            assert_int_equal(field->words[i].value, i);
    }
}

static void check_fails(const struct storm_policy *policy, const char *expected_key,
                        const char *expected) {
    const char *key = "";
    const char *message = policy_check(policy, &key);
    assert_non_null(message);
    assert_string_equal(message, expected);
    assert_string_equal(key, expected_key);
}

static void settings_that_contradict_each_other_are_blamed_by_name(void **state) {
    (void)state;
    struct storm_policy policy = policy_headline_find("exponential")->policy;
    policy.delay.cap = 0.5;
    check_fails(&policy, "cap", "must not be below the base delay");
    policy = policy_headline_find("full-jitter")->policy;
    policy.delay.jitter_low = 1.5;
    check_fails(&policy, "jitter_high", "must not be below jitter_low");
    policy = policy_headline_find("fixed")->policy;
    policy.delay.growth = STORM_GROWTH_TABLE;
    check_fails(&policy, "growth", "'table' needs a table of delays");
    policy = policy_headline_find("exponential")->policy;
    policy.delay.floor = 31;
    check_fails(&policy, "floor", "must not be above the cap");
}

static void the_exponential_law_goes_with_every_growth_that_is_not_jitter_itself(void **state) {
    (void)state;
    static const char *const message =
        "'exponential' does not go with 'decorrelated' and 'polly': they are jitter";
    for (size_t i = 0; i < policy_headline_count(); i++) {
        struct storm_policy policy = policy_headline_at(i)->policy;
        const char *key = "";
        policy.delay.law = STORM_JITTER_EXPONENTIAL;
        if (policy.delay.growth == STORM_GROWTH_DECORRELATED)
            check_fails(&policy, "law", message);
        else
            assert_null(policy_check(&policy, &key));
    }
    struct storm_policy policy = policy_headline_find("decorrelated-jitter")->policy;
    policy.delay.growth = STORM_GROWTH_POLLY;
    policy.delay.law = STORM_JITTER_EXPONENTIAL;
    check_fails(&policy, "law", message);
}

/* A call that never tries again has no use for these, but they do it no harm. */
static void patience_and_hints_are_legal_with_any_delay(void **state) {
    (void)state;
    for (size_t i = 0; i < policy_headline_count(); i++) {
        struct storm_policy policy = policy_headline_at(i)->policy;
        const char *key = "";
        policy.persist = 0;
        policy.head_only = true;
        policy.hint.rule = STORM_HINT_OVERRIDE;
        assert_null(policy_check(&policy, &key));
    }
}

static const struct field *setting(const char *key) {
    const struct field *field = policy_fields;
    while (field->key != NULL && strcmp(field->key, key) != 0)
        field++;
    assert_non_null(field->key);
    return field;
}

static void patience_hints_and_law_have_their_words(void **state) {
    (void)state;
    assert_int_equal(setting("persist")->kind, FIELD_SHARE);
    assert_true(setting("persist")->least == 0 && setting("persist")->most == 1);
    assert_int_equal(setting("persist")->offset, offsetof(struct storm_policy, persist));
    assert_int_equal(setting("head_only")->kind, FIELD_BOOL);
    assert_int_equal(setting("head_only")->offset, offsetof(struct storm_policy, head_only));
    assert_int_equal(setting("law")->offset, offsetof(struct storm_policy, delay.law));
    assert_string_equal(setting("law")->words[STORM_JITTER_UNIFORM].word, "uniform");
    assert_string_equal(setting("law")->words[STORM_JITTER_EXPONENTIAL].word, "exponential");
    assert_int_equal(setting("hint")->offset, offsetof(struct storm_policy, hint.rule));
    assert_string_equal(setting("hint")->words[STORM_HINT_FLOOR].word, "floor");
    assert_string_equal(setting("hint")->words[STORM_HINT_OVERRIDE].word, "override");
    assert_string_equal(setting("hint")->words[STORM_HINT_IGNORE].word, "ignore");
    assert_string_equal(setting("hint")->words[STORM_HINT_IGNORE_ABOVE].word, "ignore-above");
    assert_string_equal(setting("time_rule")->words[STORM_TIME_INTERRUPT].word, "interrupt");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_headline_is_sound_and_is_found_by_its_name),
        cmocka_unit_test(the_nine_names_of_the_method_are_there),
        cmocka_unit_test(headlines_wait_what_their_names_say),
        cmocka_unit_test(what_grows_without_end_is_capped),
        cmocka_unit_test(every_setting_lies_inside_the_policy_and_apart_from_the_others),
        cmocka_unit_test(every_setting_is_described_once),
        cmocka_unit_test(the_words_of_a_setting_are_its_values_in_order),
        cmocka_unit_test(settings_that_contradict_each_other_are_blamed_by_name),
        cmocka_unit_test(the_exponential_law_goes_with_every_growth_that_is_not_jitter_itself),
        cmocka_unit_test(patience_and_hints_are_legal_with_any_delay),
        cmocka_unit_test(patience_hints_and_law_have_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
