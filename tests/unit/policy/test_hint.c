/* test_hint.c: how long a caller waits that was told when to come back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/hint.h"

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "support/test.h"

static void each_rule_makes_its_own_of_the_hint(void **state) {
    (void)state;
    static const struct {
        storm_time own, hinted, floor, override;
    } rows[] = {
        {0, 0, 0, 0},
        {5, 0, 5, 5}, /* no hint: the policy's own delay, by any rule */
        {STORM_NEVER, 0, STORM_NEVER, STORM_NEVER},
        {0, 7, 7, 7},
        {5, 7, 7, 7},
        {7, 7, 7, 7},
        {9, 7, 9, 7}, /* only OVERRIDE comes back sooner than it would have */
        {STORM_NEVER, 7, STORM_NEVER, 7},
        {1, STORM_NEVER, STORM_NEVER, STORM_NEVER},
        {1, INT64_MAX, STORM_NEVER, STORM_NEVER},
        {INT64_MAX, 1, STORM_NEVER, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        storm_time own = rows[i].own, hinted = rows[i].hinted;
        storm_time alone = own < STORM_NEVER ? own : STORM_NEVER;
        assert_int_equal(hint_apply(STORM_HINT_FLOOR, own, hinted), rows[i].floor);
        assert_int_equal(hint_apply(STORM_HINT_OVERRIDE, own, hinted), rows[i].override);
        assert_int_equal(hint_apply(STORM_HINT_IGNORE, own, hinted), alone);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_makes_its_own_of_the_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
