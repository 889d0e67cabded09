/* test_ghost.c: the retry storm in miniature, exactly: timeouts, retries, ghosts as one chain. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/judge.h"
#include "support/test.h"

static void ghosts_and_retries_agree_with_the_chain(void **state) {
    (void)state;
    judge(&(struct judge_table){
        .name = "ghost",
        .title = "Ghost work and retries",
        .note = "Exponential timeouts run in the queue and in service, an immediate retry follows "
                "each, a refusal ends the request. What timed out is still worked on, or taken "
                "back while it waits.",
        .least = 100});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ghosts_and_retries_agree_with_the_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
