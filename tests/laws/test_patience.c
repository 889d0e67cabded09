/* test_patience.c: customers who leave: abandonment, ghosts, and queues that drop what is late. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/judge.h"
#include "support/test.h"

static void impatient_customers_agree_with_theory(void **state) {
    (void)state;
    judge(&(struct judge_table){.name = "patience",
                                .title = "Patience, ghosts and deadlines",
                                .note = "What waits for too long is taken back (cancelled), passed "
                                        "over (dropped), or served for nobody (a ghost).",
                                .least = 40});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(impatient_customers_agree_with_theory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
