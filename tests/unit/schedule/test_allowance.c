/* test_allowance.c: what budgets come to, for the numbers that products are known for. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/allowance.h"

#include <math.h>

#include <retrystorm/policy.h>

#include "support/test.h"

static void check(struct allowance allowance, uint32_t in_a_row, uint32_t earned_by, double bound) {
    assert_int_equal(allowance.in_a_row, in_a_row);
    assert_int_equal(allowance.earned_by, earned_by);
    assert_true(allowance.bound == bound);
}

static void tokens_are_counted_by_their_price(void **state) {
    (void)state;
    struct storm_budget aws = {.kind = STORM_BUDGET_COST,
                               .capacity = 500,
                               .cost = 14,
                               .cost_timeout = 10,
                               .cost_throttled = 5,
                               .refill = 1};
    check(allowance_of(&aws, 503), 35, 4, HUGE_VAL); /* 10 tokens are left */
    check(allowance_of(&aws, STORM_OUTCOME_TIMEOUT), 50, 10, HUGE_VAL);
    check(allowance_of(&aws, 429), 100, 5, HUGE_VAL);
    aws.cost_throttled = 0;
    assert_int_equal(allowance_of(&aws, 429).in_a_row, ALLOWANCE_MOST);
    aws.refill = 0;
    check(allowance_of(&aws, 503), 35, ALLOWANCE_MOST, HUGE_VAL);
}

static void grpc_allows_four_and_then_wants_eleven_successes(void **state) {
    (void)state;
    struct storm_budget grpc = {.kind = STORM_BUDGET_RATIO, .capacity = 10, .ratio = 0.1};
    check(allowance_of(&grpc, 503), 4, 11, 1.1);
}

static void a_window_is_its_reserve_and_its_ratio_as_it_is_rounded(void **state) {
    (void)state;
    struct storm_budget finagle = {
        .kind = STORM_BUDGET_WINDOW, .ratio = 0.2, .ttl = 10 * STORM_SECOND, .reserve = 10};
    check(allowance_of(&finagle, 503), 100, 5, 1.2);
    finagle.ratio = 0.6;
    check(allowance_of(&finagle, 503), 100, 2, 1 + 1000.0 / 1666);
    finagle.whole = true; /* tower: as 1 */
    check(allowance_of(&finagle, 503), 100, 1, 2);
    finagle.ratio = 0;
    check(allowance_of(&finagle, 503), 100, ALLOWANCE_MOST, 1);
}

static void places_are_not_earned(void **state) {
    (void)state;
    struct storm_budget envoy = {.kind = STORM_BUDGET_CONCURRENCY, .most = 3};
    check(allowance_of(&envoy, 503), 3, ALLOWANCE_MOST, HUGE_VAL);
    envoy.count_backing_off = true;
    check(allowance_of(&envoy, 503), 3, ALLOWANCE_MOST, HUGE_VAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_counted_by_their_price),
        cmocka_unit_test(grpc_allows_four_and_then_wants_eleven_successes),
        cmocka_unit_test(a_window_is_its_reserve_and_its_ratio_as_it_is_rounded),
        cmocka_unit_test(places_are_not_earned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
