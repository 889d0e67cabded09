/* test_criterion.c: what is asked of the runs is read as written, or refused with an example. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/criterion.h"

#include <math.h>
#include <string.h>

#include "support/test.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void a_criterion_is_a_metric_a_statistic_a_relation_and_a_bound(void **state) {
    (void)state;
    static const struct {
        const char *text, *name, *statistic;
        enum relation relation;
        double bound;
    } rows[] = {
        {"recovers < 99%", "recovers", "", RELATION_LESS, 0.99},
        {"recovers>=99%", "recovers", "", RELATION_AT_LEAST, 0.99},
        {"dead_letters p95 < 10", "dead_letters", "p95", RELATION_LESS, 10},
        {" dead_letters\tmax  <=  2k ", "dead_letters", "max", RELATION_AT_MOST, 2000},
        {"time_to_recover mean<30s", "time_to_recover", "mean", RELATION_LESS, 30},
        {"goodput.web > 45/s", "goodput.web", "", RELATION_MORE, 45},
        {"peak_load < 2x", "peak_load_capacity", "", RELATION_LESS, 2},
        {"peak_load.db p90 < 2.5x", "peak_load_capacity.db", "p90", RELATION_LESS, 2.5},
        {"peak_load < 2000", "peak_load", "", RELATION_LESS, 2000},
        {"peak_load_capacity < 2x", "peak_load_capacity", "", RELATION_LESS, 2},
        {"amplification < 3x", "amplification", "", RELATION_LESS, 3},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct criterion criterion;
        struct storm_error error = {0};
        char word[32];
        if (!criterion_parse(rows[i].text, &criterion, &error)) {
            fail_msg("%s: %s", rows[i].text, error.message);
        }
        assert_string_equal(criterion.name, rows[i].name);
        assert_string_equal(statistic_print(&criterion.statistic, word, sizeof word),
                            rows[i].statistic);
        assert_int_equal(criterion.relation, rows[i].relation);
        assert_true(fabs(criterion.bound - rows[i].bound) < 1e-12);
    }
}

static void what_is_no_criterion_is_refused_with_an_example(void **state) {
    (void)state;
    static const struct {
        const char *text, *wrong;
    } rows[] = {
        {"", "compares nothing"},
        {"recovers", "compares nothing"},
        {"recovers = 99%", "compares nothing"},
        {"< 99%", "names no metric"},
        {"recovers <", "has no bound"},
        {"recovers < 99 %", "has a bound that is no number"},
        {"recovers < much", "has a bound that is no number"},
        {"recovers << 5", "has a bound that is no number"},
        {"recovers < -1", "has a bound that is no number"},
        {"recovers usually < 1", "has an unknown statistic"},
        {"recovers p95 of < 1", "has a word too many"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct criterion criterion;
        struct storm_error error = {0};
        assert_false(criterion_parse(rows[i].text, &criterion, &error));
        assert_int_equal(error.status, STORM_USAGE);
        if (strstr(error.message, rows[i].wrong) == NULL) {
            fail_msg("'%s': %s", rows[i].text, error.message);
        }
        assert_non_null(strstr(error.suggestion, "'recovers >= 99%'"));
    }
    char name[CRITERION_NAME_MAX + 8];
    struct criterion criterion;
    struct storm_error error = {0};
    memset(name, 'a', CRITERION_NAME_MAX);
    strcpy(name + CRITERION_NAME_MAX, " < 1");
    assert_false(criterion_parse(name, &criterion, &error));
    assert_true(criterion_parse(name + 1, &criterion, &error));
}

static void a_bound_is_of_the_kind_that_is_measured(void **state) {
    (void)state;
    static const struct {
        const char *text, *unit, *hint; /* NULL: it fits */
    } rows[] = {
        {"recovers < 99%", "share", NULL},
        {"recovers < 1", "share", NULL},
        {"recovers < 99", "share", "write a bound such as 99%"},
        {"recovers < 99s", "share", "write a bound such as 99%"},
        {"peak_load < 2000", "attempts/s", NULL},
        {"peak_load < 2000/s", "attempts/s", NULL},
        {"peak_load < 2s", "attempts/s", "write a bound such as 45/s"},
        {"peak_load < 2x", "x capacity", NULL},
        {"synchronisation < 2%", "x Poisson", "write a bound such as 2x"},
        {"amplification < 3x", "attempts/request", NULL},
        {"time_to_recover < 30s", "s", NULL},
        {"time_to_recover < 30", "s", NULL},
        {"time_to_recover < 99%", "s", "write a bound such as 30s"},
        {"ghost_work < 1m", "worker s", NULL},
        {"dead_letters < 10", "requests", NULL},
        {"dead_letters < 10%", "requests", "write a bound such as 10"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct criterion criterion;
        struct storm_error error = {0};
        const struct measure measure = {.name = "", .unit = rows[i].unit};
        assert_true(criterion_parse(rows[i].text, &criterion, &error));
        if (criterion_fits(&criterion, &measure, &error) != (rows[i].hint == NULL)) {
            fail_msg("%s in %s", rows[i].text, rows[i].unit);
        }
        assert_string_equal(error.suggestion, rows[i].hint != NULL ? rows[i].hint : "");
    }
}

static void a_goal_is_a_direction_a_metric_and_a_statistic(void **state) {
    (void)state;
    struct goal goal;
    struct storm_error error = {0};
    char word[32];
    assert_true(goal_parse("min time_to_recover", &goal, &error));
    assert_string_equal(goal.name, "time_to_recover");
    assert_false(goal.is_max);
    assert_int_equal(goal.statistic.kind, STATISTIC_USUAL);
    assert_true(goal_parse(" max  goodput p5 ", &goal, &error));
    assert_string_equal(goal.name, "goodput");
    assert_true(goal.is_max);
    assert_string_equal(statistic_print(&goal.statistic, word, sizeof word), "p5");
    static const char *const others[] = {"",
                                         "min",
                                         "time_to_recover",
                                         "least goodput",
                                         "min goodput often",
                                         "min goodput p5 please",
                                         "minimum x"};
    for (size_t i = 0; i < LENGTH(others); i++) {
        assert_false(goal_parse(others[i], &goal, &error));
        assert_int_equal(error.status, STORM_USAGE);
        assert_non_null(strstr(error.suggestion, "min time_to_recover"));
    }
}

static void a_value_keeps_the_bound_or_not(void **state) {
    (void)state;
    static const bool expected[][3] = {{1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
    static const char *const words[] = {"<", "<=", ">", ">="};
    for (int relation = RELATION_LESS; relation <= RELATION_AT_LEAST; relation++) {
        struct criterion criterion = {.relation = (enum relation)relation, .bound = 2};
        for (int value = 1; value <= 3; value++) {
            assert_int_equal(criterion_holds(&criterion, value), expected[relation][value - 1]);
        }
        assert_false(criterion_holds(&criterion, (double)NAN));
        assert_string_equal(relation_word(criterion.relation), words[relation]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_criterion_is_a_metric_a_statistic_a_relation_and_a_bound),
        cmocka_unit_test(what_is_no_criterion_is_refused_with_an_example),
        cmocka_unit_test(a_bound_is_of_the_kind_that_is_measured),
        cmocka_unit_test(a_goal_is_a_direction_a_metric_and_a_statistic),
        cmocka_unit_test(a_value_keeps_the_bound_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
