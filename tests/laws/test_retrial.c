/* test_retrial.c: clients that retry are the retrial queues of the textbooks. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/judge.h"
#include "support/test.h"

static void retrying_clients_agree_with_theory(void **state) {
    (void)state;
    judge(&(struct judge_table){
        .name = "retrial",
        .title = "Retrial queues",
        .note = "Who finds all K places taken comes back after exponential delays of the means "
                "given, for ever, or with an end to its patience.",
        .least = 200});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(retrying_clients_agree_with_theory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
