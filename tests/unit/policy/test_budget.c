/* test_budget.c: how many retries each kind of budget allows, and what it gives back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The numbers are those of the products: botocore and smithy (500 tokens, 5, 10 or 14 a retry),
   gRPC's retry throttling (proposal A6), Finagle's RetryBudget, tower's TpsBudget as Linkerd uses
   it, and Envoy's circuit breakers for retries. */

#include "policy/budget.h"

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>

#include "support/test.h"

/* A budget and what is left of it. */
struct purse {
    struct storm_budget budget;
    struct budget_state state;
    double paid;
};

static struct purse purse_of(struct storm_budget budget) {
    struct purse purse = {.budget = budget};
    budget_init(&purse.budget, &purse.state);
    return purse;
}

static bool ask_after(struct purse *purse, uint16_t status, storm_time now) {
    return budget_allows(&purse->budget, &purse->state, now, status, 1, &purse->paid);
}

static bool ask(struct purse *purse, storm_time now) { return ask_after(purse, 503, now); }

/* Retries allowed in a row before the first refusal. */
static int drain(struct purse *purse, storm_time now) {
    int count = 0;
    while (ask(purse, now))
        count++;
    return count;
}

static void succeed(struct purse *purse, int times, storm_time now) {
    for (int i = 0; i < times; i++)
        budget_success(&purse->budget, &purse->state, now, 0);
}

static void lose(struct purse *purse) { budget_failure(&purse->budget, &purse->state); }

static void request(struct purse *purse, int times, storm_time now) {
    for (int i = 0; i < times; i++)
        budget_request(&purse->budget, &purse->state, now);
}

/* ---- cost ------------------------------------------------------------------------------------ */

static struct purse aws(double cost) {
    return purse_of((struct storm_budget){.kind = STORM_BUDGET_COST,
                                          .capacity = 500,
                                          .cost = cost,
                                          .cost_timeout = -1,
                                          .cost_throttled = -1,
                                          .refill = 1});
}

static void five_hundred_tokens_are_100_or_50_or_35_retries_then_none(void **state) {
    (void)state;
    struct purse five = aws(5), ten = aws(10), fourteen = aws(14);
    assert_int_equal(drain(&five, 0), 100);
    assert_int_equal(drain(&ten, 0), 50);
    assert_int_equal(drain(&fourteen, 0), 35);
    assert_true(fourteen.state.tokens == 10); /* less than a retry costs */
}

static void timeouts_and_429_have_prices_of_their_own(void **state) {
    (void)state;
    struct purse purse = aws(14);
    purse.budget.cost_timeout = 10;
    purse.budget.cost_throttled = 0;
    assert_true(ask_after(&purse, STORM_OUTCOME_TIMEOUT, 0) && purse.paid == 10);
    assert_true(ask_after(&purse, 500, 0) && purse.paid == 14);
    assert_true(ask_after(&purse, 429, 0) && purse.paid == 0);
    assert_true(purse.state.tokens == 476);
    drain(&purse, 0);
    assert_true(ask_after(&purse, 429, 0)); /* what costs nothing is never refused */
}

static void a_success_gives_back_the_last_retry_only_and_a_clean_one_gives_one(void **state) {
    (void)state;
    struct purse purse = aws(5);
    ask(&purse, 0);
    ask(&purse, 0);
    assert_true(purse.state.tokens == 490);
    budget_success(&purse.budget, &purse.state, 0, purse.paid);
    assert_true(purse.state.tokens == 495);
    succeed(&purse, 1, 0);
    assert_true(purse.state.tokens == 496);
    budget_give_up(&purse.budget, &purse.state, 0, true);
    budget_give_up(&purse.budget, &purse.state, 0, false);
    assert_true(purse.state.tokens == 496);
}

static void a_refusal_leaves_the_price_of_the_last_retry_as_it_is(void **state) {
    (void)state;
    struct purse purse = aws(500);
    assert_true(ask(&purse, 0));
    assert_false(ask(&purse, 0));
    assert_true(purse.paid == 500);
}

/* Products have forgotten to refill (for ever refused), to give 1 for a clean success, and to clip
   (500 after one success, 1500 after a thousand). */
static void an_empty_bucket_fills_again_with_500_successes_and_never_above(void **state) {
    (void)state;
    struct purse purse = aws(5);
    drain(&purse, 0);
    succeed(&purse, 499, 0);
    assert_true(purse.state.tokens == 499);
    succeed(&purse, 1, 0);
    assert_true(purse.state.tokens == 500);
    succeed(&purse, 500, 0);
    assert_true(purse.state.tokens == 500);
    assert_int_equal(drain(&purse, 0), 100);
}

/* ---- ratio ----------------------------------------------------------------------------------- */

static struct purse grpc(double capacity, double ratio) {
    return purse_of(
        (struct storm_budget){.kind = STORM_BUDGET_RATIO, .capacity = capacity, .ratio = ratio});
}

static bool retry_after_failure(struct purse *purse) {
    lose(purse);
    return ask(purse, 0);
}

static void ten_tokens_refuse_at_the_fifth_failure_and_need_eleven_successes(void **state) {
    (void)state;
    struct purse purse = grpc(10, 0.1);
    for (int failure = 1; failure <= 4; failure++)
        assert_true(retry_after_failure(&purse));
    assert_false(retry_after_failure(&purse));
    assert_true(purse.state.tokens == 5000);
    struct purse other = purse;
    succeed(&other, 10, 0);
    assert_false(retry_after_failure(&other)); /* exactly half is not enough */
    succeed(&purse, 11, 0);
    assert_true(retry_after_failure(&purse));
    assert_true(purse.state.tokens == 5100);
}

static void tokens_stay_between_none_and_the_capacity(void **state) {
    (void)state;
    struct purse purse = grpc(10, 0.1);
    succeed(&purse, 1000000, 0); /* a quiet day */
    assert_true(purse.state.tokens == 10000);
    for (int i = 0; i < 100; i++)
        lose(&purse);
    assert_true(purse.state.tokens == 0);
}

/* Five times 0.2 is not 1 in doubles, and would let a retry through. */
static void ratios_are_counted_in_whole_thousandths(void **state) {
    (void)state;
    struct purse purse = grpc(10, 0.2);
    for (int failure = 1; failure <= 5; failure++)
        lose(&purse);
    succeed(&purse, 5, 0);
    assert_false(retry_after_failure(&purse));
    struct purse fine = grpc(10, 0.0439);
    for (int failure = 1; failure <= 5; failure++)
        lose(&fine);
    succeed(&fine, 1, 0);
    assert_true(fine.state.tokens == 5043);
    struct purse settled = grpc(10, 0.043); /* 42.999... thousandths in doubles */
    lose(&settled);
    succeed(&settled, 1, 0);
    assert_true(settled.state.tokens == 9043);
}

/* ---- window ---------------------------------------------------------------------------------- */

static struct purse window(double ratio, double reserve, bool whole, int deposit_on) {
    return purse_of((struct storm_budget){.kind = STORM_BUDGET_WINDOW,
                                          .ratio = ratio,
                                          .ttl = 10 * STORM_SECOND,
                                          .reserve = reserve,
                                          .whole = whole,
                                          .deposit_on = deposit_on});
}

static void a_fifth_of_the_requests_may_be_retried_beside_the_reserve(void **state) {
    (void)state;
    struct purse purse = window(0.2, 10, false, STORM_DEPOSIT_REQUEST);
    assert_int_equal(drain(&purse, 0), 100); /* 10/s for 10 s */
    request(&purse, 50, 0);
    assert_int_equal(drain(&purse, 0), 10);
    struct purse poor = window(0.2, 0, false, STORM_DEPOSIT_REQUEST);
    assert_int_equal(drain(&poor, 0), 0);
    request(&poor, 4, 0);
    assert_int_equal(drain(&poor, 0), 0);
    request(&poor, 1, 0);
    assert_int_equal(drain(&poor, 0), 1);
}

static void deposits_and_withdrawals_are_forgotten_after_ttl(void **state) {
    (void)state;
    struct purse purse = window(0.2, 0, false, STORM_DEPOSIT_REQUEST);
    request(&purse, 100, 500 * STORM_MILLISECOND);
    struct purse later = purse;
    assert_int_equal(drain(&later, 10 * STORM_SECOND - 1), 20);
    assert_int_equal(drain(&purse, 10 * STORM_SECOND), 0); /* its slot is over */
    struct purse rich = window(0.2, 10, false, STORM_DEPOSIT_REQUEST);
    assert_int_equal(drain(&rich, 0), 100);
    assert_int_equal(drain(&rich, 10 * STORM_SECOND - 1), 0);
    assert_int_equal(drain(&rich, 10 * STORM_SECOND), 100);
    assert_int_equal(drain(&rich, 1000 * STORM_SECOND), 100); /* and no more after a long quiet */
    request(&rich, 1, 2000 * STORM_SECOND);
    for (int i = 1; i < 10; i++)
        assert_true(rich.state.deposits[i] == 0);
}

static void slots_are_forgotten_one_by_one(void **state) {
    (void)state;
    struct purse purse = window(1, 0, false, STORM_DEPOSIT_REQUEST);
    for (int second = 0; second < 10; second++)
        request(&purse, 1 + second, second * STORM_SECOND); /* 55 in all */
    for (int second = 10; second < 20; second++) {
        struct purse now = purse;
        int left = 0;
        for (int kept = second - 9; kept < 10; kept++)
            left += 1 + kept;
        assert_int_equal(drain(&now, second * STORM_SECOND), left);
    }
}

/* Six retries in ten: tower cuts 1 / 0.6 to 1, so each request pays for a retry; Finagle, which
   counts in thousandths, takes 1666. */
static void tower_takes_whole_requests_and_finagle_thousandths(void **state) {
    (void)state;
    struct purse tower = window(0.6, 0, true, STORM_DEPOSIT_REQUEST);
    request(&tower, 1000, 0);
    assert_int_equal(drain(&tower, 0), 1000);
    struct purse finagle = window(0.6, 0, false, STORM_DEPOSIT_REQUEST);
    request(&finagle, 1000, 0);
    assert_int_equal(drain(&finagle, 0), 600);
    request(&finagle, 1, 0);
    assert_true(finagle.state.deposits[0] == 1001000 - 600 * 1666);
    struct purse four = window(0.4, 0, true, STORM_DEPOSIT_REQUEST); /* as 0.5 */
    request(&four, 1000, 0);
    assert_int_equal(drain(&four, 0), 500);
    struct purse twice = window(2, 0, true, STORM_DEPOSIT_REQUEST);
    request(&twice, 1000, 0);
    assert_int_equal(drain(&twice, 0), 2000);
}

static void finagle_counts_requests_and_linkerd_what_needs_no_retry(void **state) {
    (void)state;
    struct purse finagle = window(0.2, 0, false, STORM_DEPOSIT_REQUEST);
    struct purse linkerd = window(0.2, 0, true, STORM_DEPOSIT_SUCCESS);
    request(&finagle, 5, 0);
    request(&linkerd, 5, 0);
    succeed(&finagle, 5, 0);
    assert_int_equal(drain(&finagle, 0), 1);
    assert_int_equal(drain(&linkerd, 0), 0);
    for (int i = 0; i < 5; i++) /* another try might have mended it */
        budget_give_up(&linkerd.budget, &linkerd.state, 0, true);
    assert_int_equal(drain(&linkerd, 0), 0);
    budget_give_up(&linkerd.budget, &linkerd.state, 0, false);
    succeed(&linkerd, 4, 0);
    assert_int_equal(drain(&linkerd, 0), 1);
}

static void without_a_ratio_the_reserve_alone_is_left(void **state) {
    (void)state;
    struct purse purse = window(0, 0.3, false, STORM_DEPOSIT_REQUEST);
    request(&purse, 1000, 0);
    assert_int_equal(drain(&purse, 0), 3);
}

/* An operator sets another ttl: the count begins anew. */
static void another_ttl_makes_a_window_new(void **state) {
    (void)state;
    struct purse purse = window(1, 0, false, STORM_DEPOSIT_REQUEST);
    request(&purse, 7, 100 * STORM_SECOND);
    purse.budget.ttl = 20 * STORM_SECOND;
    assert_int_equal(drain(&purse, 100 * STORM_SECOND), 0);
    request(&purse, 3, 100 * STORM_SECOND);
    assert_int_equal(drain(&purse, 119 * STORM_SECOND), 3);
}

/* ---- concurrency ----------------------------------------------------------------------------- */

static struct purse envoy(double ratio, uint32_t most, bool count_backing_off) {
    return purse_of((struct storm_budget){.kind = STORM_BUDGET_CONCURRENCY,
                                          .ratio = ratio,
                                          .most = most,
                                          .count_backing_off = count_backing_off});
}

static void of_four_retries_at_once_the_fourth_is_refused(void **state) {
    (void)state;
    struct purse purse = envoy(0, 3, true);
    assert_int_equal(drain(&purse, 0), 3);
    budget_over(&purse.budget, &purse.state);
    assert_int_equal(drain(&purse, 0), 1);
}

static void retries_that_back_off_count_or_not(void **state) {
    (void)state;
    struct purse purse = envoy(0, 3, false);
    for (int i = 0; i < 10; i++)
        assert_true(ask(&purse, 0));
    for (int i = 0; i < 3; i++)
        budget_sent(&purse.budget, &purse.state);
    assert_false(ask(&purse, 0));
    budget_over(&purse.budget, &purse.state);
    assert_true(ask(&purse, 0));
    struct purse counted = envoy(0, 3, true);
    assert_true(ask(&counted, 0));
    budget_sent(&counted.budget, &counted.state); /* counted already */
    assert_int_equal(counted.state.retrying, 1);
    budget_over(&counted.budget, &counted.state);
    budget_over(&counted.budget, &counted.state); /* of one that was not counted */
    assert_int_equal(counted.state.retrying, 0);
}

static void a_share_of_what_is_under_way_but_at_least_so_many(void **state) {
    (void)state;
    struct purse purse = envoy(0.2, 3, true);
    double paid = 0;
    for (uint64_t under_way = 1; under_way <= 100; under_way++) {
        uint32_t allowed = under_way < 20 ? 3 : (uint32_t)under_way / 5;
        purse.state.retrying = allowed - 1;
        assert_true(budget_allows(&purse.budget, &purse.state, 0, 503, under_way, &paid));
        assert_false(budget_allows(&purse.budget, &purse.state, 0, 503, under_way, &paid));
    }
    struct purse unlimited = envoy(0, UINT32_MAX, true);
    unlimited.state.retrying = 1000000;
    assert_true(ask(&unlimited, 0));
}

/* ---- all kinds ------------------------------------------------------------------------------- */

static void without_a_budget_every_retry_is_allowed(void **state) {
    (void)state;
    struct purse purse = purse_of((struct storm_budget){.kind = STORM_BUDGET_NONE});
    for (int i = 0; i < 1000; i++) {
        request(&purse, 1, i);
        lose(&purse);
        assert_true(ask(&purse, i) && purse.paid == 0);
        budget_sent(&purse.budget, &purse.state);
        budget_over(&purse.budget, &purse.state);
        succeed(&purse, 1, i);
        budget_give_up(&purse.budget, &purse.state, i, false);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_hundred_tokens_are_100_or_50_or_35_retries_then_none),
        cmocka_unit_test(timeouts_and_429_have_prices_of_their_own),
        cmocka_unit_test(a_success_gives_back_the_last_retry_only_and_a_clean_one_gives_one),
        cmocka_unit_test(a_refusal_leaves_the_price_of_the_last_retry_as_it_is),
        cmocka_unit_test(an_empty_bucket_fills_again_with_500_successes_and_never_above),
        cmocka_unit_test(ten_tokens_refuse_at_the_fifth_failure_and_need_eleven_successes),
        cmocka_unit_test(tokens_stay_between_none_and_the_capacity),
        cmocka_unit_test(ratios_are_counted_in_whole_thousandths),
        cmocka_unit_test(a_fifth_of_the_requests_may_be_retried_beside_the_reserve),
        cmocka_unit_test(deposits_and_withdrawals_are_forgotten_after_ttl),
        cmocka_unit_test(slots_are_forgotten_one_by_one),
        cmocka_unit_test(tower_takes_whole_requests_and_finagle_thousandths),
        cmocka_unit_test(finagle_counts_requests_and_linkerd_what_needs_no_retry),
        cmocka_unit_test(without_a_ratio_the_reserve_alone_is_left),
        cmocka_unit_test(another_ttl_makes_a_window_new),
        cmocka_unit_test(of_four_retries_at_once_the_fourth_is_refused),
        cmocka_unit_test(retries_that_back_off_count_or_not),
        cmocka_unit_test(a_share_of_what_is_under_way_but_at_least_so_many),
        cmocka_unit_test(without_a_budget_every_retry_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
