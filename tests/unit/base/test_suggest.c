/* test_suggest.c: which word was meant. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "base/suggest.h"
#include "support/test.h"

static void distances_are_those_of_the_textbook(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        int distance;
    } rows[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"kitten", "sitting", 3},
        {"workers", "wrokers", 1},
        {"ca", "abc", 3},
        {"full", "fulll", 1},
        {"abcd", "badc", 2},
        {"jitter", "retry", 5},
        {"a", "b", 1},
        {"limit", "limits", 1},
        {"order", "odrre", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(suggest_distance(rows[i].a, rows[i].b), rows[i].distance);
        assert_int_equal(suggest_distance(rows[i].b, rows[i].a), rows[i].distance);
    }
}

static void case_and_dashes_cost_nothing(void **state) {
    (void)state;
    assert_int_equal(suggest_distance("Full_Jitter", "full-jitter"), 0);
    assert_int_equal(suggest_distance("serviceTime", "service_time"), 1);
}

static void a_word_too_long_is_infinitely_far(void **state) {
    (void)state;
    char word[70];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_int_equal(suggest_distance(word, "a"), INT_MAX);
    struct suggest suggest = suggest_begin(word);
    suggest_offer(&suggest, word);
    assert_null(suggest.best);
    word[64] = '\0';
    assert_int_equal(suggest_distance(word, "a"), 63);
}

static void a_third_of_the_word_may_be_wrong(void **state) {
    (void)state;
    struct suggest suggest = suggest_begin("abcdefghi");
    suggest_offer(&suggest, "abcdeXXXX");
    assert_null(suggest.best);
    suggest_offer(&suggest, "abcdefXXX");
    assert_string_equal(suggest.best, "abcdefXXX");
    struct suggest brief = suggest_begin("ab");
    suggest_offer(&brief, "cd");
    assert_null(brief.best);
    suggest_offer(&brief, "ac");
    assert_string_equal(brief.best, "ac");
}

static void the_nearest_wins_and_then_the_first(void **state) {
    (void)state;
    struct suggest suggest = suggest_begin("limitt");
    suggest_offer(&suggest, "limits");
    suggest_offer(&suggest, "limite");
    assert_string_equal(suggest.best, "limits");
    suggest_offer(&suggest, "limitt");
    assert_string_equal(suggest.best, "limitt");
}

static void a_hint_names_the_nearest_or_else_all(void **state) {
    (void)state;
    char hint[64];
    struct suggest suggest = suggest_begin("limitt");
    assert_string_equal(suggest_hint(&suggest, hint, sizeof hint), "");
    suggest_offer(&suggest, "order");
    assert_string_equal(suggest_hint(&suggest, hint, sizeof hint), "one of: order");
    suggest_offer(&suggest, "kind");
    assert_string_equal(suggest_hint(&suggest, hint, sizeof hint), "one of: order, kind");
    suggest_offer(&suggest, "limit");
    assert_string_equal(suggest_hint(&suggest, hint, sizeof hint), "did you mean 'limit'?");
}

/* Any number of words of any length, in a buffer of any size. */
static void a_hint_lists_what_fits(void **state) {
    (void)state;
    char word[61], hint[64];
    for (size_t length = 0; length < sizeof word; length++) {
        memset(word, 'w', length);
        word[length] = '\0';
        for (size_t count = 1; count < SUGGEST_LIST_MAX + 3; count++) {
            struct suggest suggest = suggest_begin("zzzzzzzz");
            for (size_t i = 0; i < count; i++)
                suggest_offer(&suggest, word);
            assert_true(strlen(suggest_hint(&suggest, hint, sizeof hint)) < sizeof hint);
            bool all = count * (length + 2) + 24 < sizeof hint && count <= SUGGEST_LIST_MAX;
            assert_true(!all || strstr(hint, "...") == NULL);
            assert_true(count <= SUGGEST_LIST_MAX || strstr(hint, "...") != NULL);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_textbook),
        cmocka_unit_test(case_and_dashes_cost_nothing),
        cmocka_unit_test(a_word_too_long_is_infinitely_far),
        cmocka_unit_test(a_third_of_the_word_may_be_wrong),
        cmocka_unit_test(the_nearest_wins_and_then_the_first),
        cmocka_unit_test(a_hint_names_the_nearest_or_else_all),
        cmocka_unit_test(a_hint_lists_what_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
