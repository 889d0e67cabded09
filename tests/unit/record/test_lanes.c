/* test_lanes.c: the lowest free lane is taken, never lane 0, and no two share one. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/lanes.h"

#include <stdint.h>

#include "base/arena.h"
#include "support/test.h"

enum { MANY = 1000 };

static void lanes_are_taken_from_1_on(void **state) {
    struct arena arena;
    struct lanes lanes = {0};
    (void)state;
    arena_init(&arena, (size_t)1 << 20);
    for (uint32_t i = 1; i <= MANY; i++) {
        assert_int_equal(lanes_take(&lanes, &arena), i);
    }
    arena_free(&arena);
}

static void what_was_given_back_is_taken_next_the_lowest_first(void **state) {
    struct arena arena;
    struct lanes lanes = {0};
    (void)state;
    arena_init(&arena, (size_t)1 << 20);
    for (uint32_t i = 1; i <= MANY; i++) {
        lanes_take(&lanes, &arena);
    }
    lanes_give(&lanes, 700);
    lanes_give(&lanes, 63);
    lanes_give(&lanes, 64);
    assert_int_equal(lanes_take(&lanes, &arena), 63);
    assert_int_equal(lanes_take(&lanes, &arena), 64);
    assert_int_equal(lanes_take(&lanes, &arena), 700);
    assert_int_equal(lanes_take(&lanes, &arena), MANY + 1);
    arena_free(&arena);
}

static void without_memory_there_is_no_lane(void **state) {
    struct arena arena;
    struct lanes lanes = {0};
    (void)state;
    arena_init(&arena, 0);
    assert_int_equal(lanes_take(&lanes, &arena), 0);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_taken_from_1_on),
        cmocka_unit_test(what_was_given_back_is_taken_next_the_lowest_first),
        cmocka_unit_test(without_memory_there_is_no_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
