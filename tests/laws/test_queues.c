/* test_queues.c: services without retries are the queues of the textbooks. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/judge.h"
#include "support/test.h"

static void textbook_queues_agree_with_theory(void **state) {
    (void)state;
    judge(&(struct judge_table){
        .name = "queue",
        .title = "Queues",
        .note = "Poisson arrivals at a rate lambda, c workers of rate mu, K places (workers and "
                "queue together; none said: no bound), exponential service where nothing else is "
                "said. Times in seconds.",
        .least = 60});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(textbook_queues_agree_with_theory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
