/* test_hint.c: how long a caller waits that was told when to come back, and how it is told. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/hint.h"

#include <stdio.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/timestamp.h"
#include "support/test.h"

#define SEC STORM_SECOND
#define MS STORM_MILLISECOND

/* Every rule with a limit of 20 and a slack of 5, without jitter. */
static storm_time waits(enum storm_hint rule, storm_time own, storm_time hinted) {
    struct storm_hint_rule r = {.rule = (int)rule, .limit = 20, .slack = 5};
    return hint_apply(&r, own, hinted, 0.5);
}

static void each_rule_makes_its_own_of_the_hint(void **state) {
    (void)state;
    static const struct {
        storm_time own, hinted, floor, override, clamp, capped, give_up, ignore_above;
    } rows[] = {
        {0, 0, 0, 0, 0, 0, 0, 0},
        {5, HINT_NONE, 5, 5, 5, 5, 5, 5}, /* no hint: the policy's own delay, by any rule */
        {5, 0, 5, 5, 5, 5, 5, 5},
        {50, HINT_NONE, 50, 50, 50, 50, 50, 50},
        {0, 7, 7, 7, 5, 7, 7, 7},
        {5, 7, 7, 7, 7, 7, 7, 7},
        {7, 7, 7, 7, 7, 7, 7, 7},
        {9, 7, 9, 7, 9, 7, 7, 7}, /* FLOOR and CLAMP never come back sooner than they would have */
        {9, 14, 14, 14, 14, 14, 14, 14},
        {9, 20, 20, 20, 14, 20, 20, 20},
        {9, 21, 21, 21, 14, 20, STORM_NEVER, 9},
        {1, STORM_NEVER, STORM_NEVER, STORM_NEVER, 6, 20, STORM_NEVER, 1},
        {1, INT64_MAX, STORM_NEVER, STORM_NEVER, 6, 20, STORM_NEVER, 1},
        {STORM_NEVER, 0, STORM_NEVER, STORM_NEVER, STORM_NEVER, STORM_NEVER, STORM_NEVER,
         STORM_NEVER},
        {INT64_MAX, 7, STORM_NEVER, 7, STORM_NEVER, 7, 7, 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        storm_time own = rows[i].own, hinted = rows[i].hinted;
        assert_int_equal(waits(STORM_HINT_FLOOR, own, hinted), rows[i].floor);
        assert_int_equal(waits(STORM_HINT_OVERRIDE, own, hinted), rows[i].override);
        assert_int_equal(waits(STORM_HINT_CLAMP, own, hinted), rows[i].clamp);
        assert_int_equal(waits(STORM_HINT_CAPPED, own, hinted), rows[i].capped);
        assert_int_equal(waits(STORM_HINT_GIVE_UP_ABOVE, own, hinted), rows[i].give_up);
        assert_int_equal(waits(STORM_HINT_IGNORE_ABOVE, own, hinted), rows[i].ignore_above);
        assert_int_equal(waits(STORM_HINT_IGNORE, own, hinted),
                         own < STORM_NEVER ? own : STORM_NEVER);
    }
}

static void a_hint_of_nothing_is_at_once_only_where_the_rule_says_so(void **state) {
    (void)state;
    struct storm_hint_rule r = {.rule = STORM_HINT_OVERRIDE, .limit = STORM_NEVER};
    assert_int_equal(hint_apply(&r, 3 * SEC, 0, 0), 3 * SEC);
    r.zero_is_real = true;
    assert_int_equal(hint_apply(&r, 3 * SEC, 0, 0), 0);
    assert_int_equal(hint_apply(&r, 3 * SEC, HINT_NONE, 0), 3 * SEC);
    r.rule = STORM_HINT_FLOOR;
    assert_int_equal(hint_apply(&r, 3 * SEC, 0, 0), 3 * SEC);
}

/* Envoy's x .. 1.5 x: the part that is drawn comes on top of the hint, also of a capped one. */
static void jitter_stretches_what_a_hint_comes_to_and_nothing_else(void **state) {
    (void)state;
    struct storm_hint_rule r = {.rule = STORM_HINT_OVERRIDE, .limit = 10 * SEC, .jitter = 0.5};
    assert_int_equal(hint_apply(&r, SEC, 4 * SEC, 0), 4 * SEC);
    assert_int_equal(hint_apply(&r, SEC, 4 * SEC, 0.5), 5 * SEC);
    assert_true(hint_apply(&r, SEC, 4 * SEC, 1 - 0x1p-53) <= 6 * SEC);
    assert_int_equal(hint_apply(&r, SEC, HINT_NONE, 0.5), SEC);
    assert_int_equal(hint_apply(&r, SEC, STORM_NEVER, 0.5), STORM_NEVER);
    assert_int_equal(hint_apply(&r, SEC, STORM_NEVER - 1, 0.5), STORM_NEVER);
    r.rule = STORM_HINT_FLOOR;
    assert_int_equal(hint_apply(&r, 5 * SEC, 4 * SEC, 0.5), 5 * SEC);
    r.rule = STORM_HINT_CAPPED;
    assert_int_equal(hint_apply(&r, SEC, 40 * SEC, 0.5), 12500 * MS);
    r.rule = STORM_HINT_IGNORE_ABOVE;
    assert_int_equal(hint_apply(&r, SEC, 11 * SEC, 0.5), SEC);
    r.rule = STORM_HINT_GIVE_UP_ABOVE;
    assert_int_equal(hint_apply(&r, SEC, 11 * SEC, 0.5), STORM_NEVER);
}

/* 1994-11-06 08:49:37, the date of RFC 9110's examples. */
#define THEN INT64_C(784111777)

static void seconds_milliseconds_and_three_kinds_of_date_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        storm_time expected;
    } rows[] = {
        {"120", 120 * SEC},
        {"0", 0},
        {"007", 7 * SEC},
        {" 120\t", 120 * SEC},
        {"1.5", 1500 * MS},
        {"1500ms", 1500 * MS},
        {"0.25ms", 250 * STORM_MICROSECOND},
        {"0.0000000019", 1}, /* what is below a nanosecond is cut off */
        {"0.0000019ms", 1},
        {"4611686018", 4611686018 * SEC},
        {"4611686019", STORM_NEVER},
        {"9223372037", STORM_NEVER},  /* one product made of it -9223372036.7 s, */
        {"18446744074", STORM_NEVER}, /* and of this 0.29 s */
        {"99999999999999999999999999", STORM_NEVER},
        {"99999999999999999999999999.5ms", STORM_NEVER},
        {"Sun, 06 Nov 1994 08:49:37 GMT", 10 * SEC},
        {"Sunday, 06-Nov-94 08:49:37 GMT", 10 * SEC},
        {"Sun Nov  6 08:49:37 1994", 10 * SEC},
        {"Sun Nov 06 08:49:37 1994", 10 * SEC},
        {"Sun, 06 Nov 1994 08:49:26 GMT", 0}, /* in the past */
        {"Sun, 06 Nov 1994 08:49:27 GMT", 0}, /* now */
        {"Thu, 01 Jan 1970 00:00:00 GMT", 0},
        {"Sun, 06 Nov 1994 08:49:60 GMT", 33 * SEC}, /* a leap second */
        {"Mon, 07 Nov 1994 08:49:37 GMT", 86410 * SEC},
        {"Fri, 31 Dec 9999 23:59:59 GMT", STORM_NEVER},
        {"Sunday, 06-Nov-44 08:49:27 GMT", 1577923200 * SEC}, /* 50 years ahead */
        {"Sunday, 01-Jan-45 00:00:00 GMT", 0},                /* not 51: 1945 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        storm_time hint = -7;
        if (!hint_parse(rows[i].text, (THEN - 10) * SEC, &hint) || hint != rows[i].expected)
            fail_msg("'%s': %lld, not %lld", rows[i].text, (long long)hint,
                     (long long)rows[i].expected);
    }
}

static void a_date_is_told_from_now_to_the_nanosecond(void **state) {
    (void)state;
    storm_time hint;
    assert_true(hint_parse("Sun, 06 Nov 1994 08:49:37 GMT", THEN * SEC - 1, &hint));
    assert_int_equal(hint, 1);
    assert_true(hint_parse("Sun, 06 Nov 1994 08:49:37 GMT", THEN * SEC, &hint));
    assert_int_equal(hint, 0);
    assert_true(hint_parse("Sun, 06 Nov 1994 08:49:37 GMT", THEN * SEC + 1, &hint));
    assert_int_equal(hint, 0);
    assert_true(hint_parse("Tue, 29 Feb 2000 00:00:00 GMT", INT64_C(951782399500000000), &hint));
    assert_int_equal(hint, SEC / 2);
}

static void everything_else_is_no_hint(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        " ",
                                        "-5",
                                        "+5",
                                        "soon",
                                        "5 s",
                                        "5s",
                                        "1e3",
                                        "0x10",
                                        "nan",
                                        "inf",
                                        "1.",
                                        ".5",
                                        "1.5.5",
                                        "1,5",
                                        "120, 240",
                                        "5 ms",
                                        "ms",
                                        "Sun, 06 Nov 1994 08:49:37",
                                        "Sun, 06 Nov 1994 08:49:37 CET",
                                        "Sun, 06 Nov 1994 08:49:37 GMT+1",
                                        "Sun, 6 Nov 1994 08:49:37 GMT",
                                        "Son, 06 Nov 1994 08:49:37 GMT",
                                        "Sun, 06 nov 1994 08:49:37 GMT",
                                        "Sun, 31 Nov 1994 08:49:37 GMT",
                                        "Wed, 29 Feb 1995 08:49:37 GMT",
                                        "Sun, 00 Nov 1994 08:49:37 GMT",
                                        "Sun, 06 Nov 1994 24:00:00 GMT",
                                        "Sun, 06 Nov 1994 08:60:00 GMT",
                                        "Sun, 06 Nov 1994 08:49:61 GMT",
                                        "Sun, 06 Nov 94 08:49:37 GMT",
                                        "Sunday, 06-Nov-1994 08:49:37 GMT",
                                        "Sun Nov 6 08:49:37 1994",
                                        "Sun Nov  6 08:49:37 1994 GMT",
                                        "1994-11-06T08:49:37Z"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        storm_time hint = 0;
        if (hint_parse(texts[i], 0, &hint))
            fail_msg("'%s' was read as %lld", texts[i], (long long)hint);
    }
}

/* Every day there is from 1970 to the last that a time can name, written and read again. */
static void every_day_until_2116_is_read(void **state) {
    (void)state;
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    char printed[TIMESTAMP_SIZE], text[40];
    storm_time hint;
    for (int64_t day = 1; day < STORM_NEVER / SEC / 86400; day++) {
        timestamp_print(day * 86400 + 1, 0, printed); /* 2000-02-29T00:00:01... */
        int month = (printed[5] - '0') * 10 + printed[6] - '0';
        snprintf(text, sizeof text, "%s, %.2s %s %.4s 00:00:01 GMT", days[day % 7], printed + 8,
                 months[month - 1], printed);
        assert_true(hint_parse(text, 0, &hint));
        assert_int_equal(hint, (day * 86400 + 1) * SEC);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_makes_its_own_of_the_hint),
        cmocka_unit_test(a_hint_of_nothing_is_at_once_only_where_the_rule_says_so),
        cmocka_unit_test(jitter_stretches_what_a_hint_comes_to_and_nothing_else),
        cmocka_unit_test(seconds_milliseconds_and_three_kinds_of_date_are_read),
        cmocka_unit_test(a_date_is_told_from_now_to_the_nanosecond),
        cmocka_unit_test(everything_else_is_no_hint),
        cmocka_unit_test(every_day_until_2116_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
