/* test_key_map.c: what a map of keys knows is what a list of them would know. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/key_map.h"

#include "base/arena.h"
#include "base/stream.h"
#include "support/test.h"

static void an_empty_map_knows_nothing(void **state) {
    (void)state;
    struct key_map map = {0};
    uint32_t value = 7;
    assert_false(key_map_find(&map, 0, &value));
    assert_false(key_map_take(&map, 1, &value));
    assert_int_equal(value, 7);
}

static void a_key_has_the_last_number_it_was_given(void **state) {
    (void)state;
    struct arena arena;
    struct key_map map = {0};
    uint32_t value;
    arena_init(&arena, 1 << 20);
    assert_true(key_map_put(&map, &arena, 0, 5) && key_map_put(&map, &arena, UINT64_MAX, 0));
    assert_true(key_map_put(&map, &arena, 0, 6));
    assert_int_equal(map.count, 2);
    assert_true(key_map_find(&map, 0, &value) && value == 6);
    assert_true(key_map_take(&map, UINT64_MAX, &value) && value == 0);
    assert_false(key_map_find(&map, UINT64_MAX, NULL));
    assert_int_equal(map.count, 1);
    arena_free(&arena);
}

/* Keys of 0 .. 299 come and go at random: the map is held against an array all the time, through
   four growths and many searches that have to step over others. */
static void it_agrees_with_an_array_while_keys_come_and_go(void **state) {
    (void)state;
    enum { KEYS = 300, STEPS = 20000 };
    static int64_t kept[KEYS];
    struct arena arena;
    struct key_map map = {0};
    arena_init(&arena, 1 << 20);
    for (int i = 0; i < KEYS; i++)
        kept[i] = -1;
    uint32_t count = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t key = (uint32_t)(stream_uniform(1, STREAM_ARRIVAL, 2 * step) * KEYS), value = 0;
        bool comes = stream_uniform(1, STREAM_ARRIVAL, 2 * step + 1) < 0.55;
        assert_int_equal(key_map_find(&map, key, &value), kept[key] >= 0);
        assert_true(kept[key] < 0 || value == kept[key]);
        count += comes && kept[key] < 0;
        count -= !comes && kept[key] >= 0;
        if (comes)
            assert_true(key_map_put(&map, &arena, key, step));
        else
            assert_int_equal(key_map_take(&map, key, NULL), kept[key] >= 0);
        kept[key] = comes ? (int64_t)step : -1;
        assert_int_equal(map.count, count);
    }
    for (uint32_t key = 0; key < KEYS; key++)
        assert_int_equal(key_map_find(&map, key, NULL), kept[key] >= 0);
    arena_free(&arena);
}

static void without_memory_nothing_changes(void **state) {
    (void)state;
    struct arena arena;
    struct key_map map = {0};
    arena_init(&arena, 16);
    assert_false(key_map_put(&map, &arena, 1, 1));
    assert_true(map.count == 0 && map.size == 0);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_knows_nothing),
        cmocka_unit_test(a_key_has_the_last_number_it_was_given),
        cmocka_unit_test(it_agrees_with_an_array_while_keys_come_and_go),
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
