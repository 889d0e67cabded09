/* test_path.c: paths are cut, and told apart, at their dots. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/path.h"

#include "support/test.h"

static void a_tail_has_so_many_parts(void **state) {
    (void)state;
    assert_string_equal(path_tail("policies.app.cap", 1), "cap");
    assert_string_equal(path_tail("policies.app.cap", 2), "app.cap");
    assert_string_equal(path_tail("policies.app.cap", 3), "policies.app.cap");
    assert_string_equal(path_tail("policies.app.cap", 9), "policies.app.cap");
    assert_string_equal(path_tail("variant", 1), "variant");
    assert_string_equal(path_tail("a.", 1), "");
    assert_string_equal(path_tail("", 1), "");
}

static void two_paths_differ_from_some_part_on(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        int parts;
    } cases[] = {
        {"policies.app.cap", "policies.app.base", 1},
        {"policies.app.cap", "policies.app.tap", 1}, /* whole parts only */
        {"policies.app.cap", "policies.db.cap", 2},
        {"policies.app.cap", "policies.tap.cap", 2},
        {"policies.app.cap", "services.app.cap", 3},
        {"duration", "events.0.duration", 2}, /* one is the end of the other */
        {"variant", "variant", 1},
        {"a.b", "a.b", 2},
        {"cap", "db_cap", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(path_parts_apart(cases[i].a, cases[i].b), cases[i].parts);
        assert_int_equal(path_parts_apart(cases[i].b, cases[i].a), cases[i].parts);
    }
}

static void a_short_path_tells_itself_from_all_others(void **state) {
    (void)state;
    static const char *const paths[] = {"policies.app.cap", "policies.db.cap", "services.db.cap",
                                        "variant"};
    static const char *const wanted[] = {"app.cap", "policies.db.cap", "services.db.cap",
                                         "variant"};
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(path_short(paths, 4, i), wanted[i]);
    }
    assert_string_equal(path_short(paths, 1, 0), "cap");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tail_has_so_many_parts),
        cmocka_unit_test(two_paths_differ_from_some_part_on),
        cmocka_unit_test(a_short_path_tells_itself_from_all_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
