/* test_sharing.c: workers that all customers share. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/judge.h"
#include "support/test.h"

static void shared_workers_agree_with_theory(void **state) {
    (void)state;
    judge(&(struct judge_table){.name = "sharing",
                                .title = "Processor sharing",
                                .note = "Everybody is served at once, and the slower the more "
                                        "there are. two-point: sizes 0.5 and 2.",
                                .least = 8});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared_workers_agree_with_theory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
