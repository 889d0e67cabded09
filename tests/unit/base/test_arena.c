/* test_arena.c: pieces are zeroed, aligned, limited and given back whole. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "base/arena.h"
#include "base/stream.h"
#include "support/test.h"

/* True if all bytes of the piece are `byte`. */
static bool filled(const void *piece, int byte, size_t size) {
    const unsigned char *bytes = piece;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != byte)
            return false;
    }
    return true;
}

static void pieces_are_zeroed_aligned_and_apart(void **state) {
    (void)state;
    enum { PIECES = 3000 };
    struct arena arena;
    arena_init(&arena, SIZE_MAX);
    static unsigned char *piece[PIECES];
    static size_t size[PIECES];
    for (uint32_t i = 0; i < PIECES; i++) {
        size[i] = stream_bits(1, 1, i) % (i % 50 == 0 ? 40000 : 300);
        piece[i] = arena_take(&arena, size[i]);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % 16, 0);
        assert_true(filled(piece[i], 0, size[i]));
        memset(piece[i], (int)(i % 255) + 1, size[i]);
    }
    for (uint32_t i = 0; i < PIECES; i++)
        assert_true(filled(piece[i], (int)(i % 255) + 1, size[i]));
    arena_free(&arena);
    assert_int_equal(arena.held, 0);
    assert_non_null(arena_take(&arena, 1));
    arena_free(&arena);
}

static void the_limit_holds_for_small_and_big_pieces(void **state) {
    (void)state;
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        struct arena arena;
        arena_init(&arena, 1000000);
        size_t taken = 0;
        while (arena_take(&arena, size) != NULL) {
            taken += size;
            assert_true(arena.held <= arena.limit);
        }
        assert_true(taken <= 1000000);
        if (size >= 100 && size < 16000) /* little is lost to heads, rounding and ends */
            assert_true(taken + size >= 750000);
        arena_free(&arena);
    }
}

static void a_tiny_limit_still_gives_tiny_pieces(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, 128);
    assert_null(arena_take(&arena, 1000));
    assert_non_null(arena_take(&arena, 16));
    assert_non_null(arena_take(&arena, 1));
    assert_null(arena_take(&arena, 128));
    arena_free(&arena);
    arena_init(&arena, 0);
    assert_null(arena_take(&arena, 0));
    arena_free(&arena);
}

static void sizes_that_overflow_are_refused(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, SIZE_MAX);
    assert_null(arena_take(&arena, SIZE_MAX));
    assert_null(arena_take(&arena, SIZE_MAX - 20));
    assert_null(arena_take_array(&arena, SIZE_MAX / 2, 4));
    assert_null(arena_copy_string(&arena, "x", SIZE_MAX));
    void *old = arena_take_array(&arena, 2, 8);
    assert_non_null(old);
    assert_null(arena_grow_array(&arena, old, 2, SIZE_MAX / 2, 8));
    assert_null(arena_grow_array(&arena, old, 2, SIZE_MAX / 8, 8));
    assert_true(filled(old, 0, 16));
    arena_free(&arena);
}

static void a_grown_array_keeps_its_items_and_zeroes_the_rest(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, SIZE_MAX);
    uint64_t *array = NULL;
    size_t count = 0;
    for (size_t next = 1; next < 300000; next = next * 3 / 2 + 1) {
        array = arena_grow_array(&arena, array, count, next, sizeof *array);
        assert_non_null(array);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(array[i], i + 1);
        for (size_t i = count; i < next; i++) {
            assert_int_equal(array[i], 0);
            array[i] = i + 1;
        }
        count = next;
        assert_non_null(arena_take(&arena, 20000)); /* another block before it in the list */
    }
    arena_free(&arena);
}

static void growing_drops_items_beyond_those_kept(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, SIZE_MAX);
    for (size_t bytes = 64; bytes <= 65536; bytes *= 1024) {
        unsigned char *array = arena_take_array(&arena, bytes, 1);
        memset(array, 7, bytes);
        for (size_t grown = bytes; grown <= 2 * bytes; grown += bytes) {
            array = arena_grow_array(&arena, array, 10, grown, 1);
            assert_true(filled(array, 7, 10));
            assert_true(filled(array + 10, 0, grown - 10));
            memset(array, 7, grown);
        }
    }
    arena_free(&arena);
}

static void a_big_array_grows_in_place_of_a_copy(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, 4000000);
    char *array = arena_take_array(&arena, 1000000, 1);
    array = arena_grow_array(&arena, array, 1000000, 3900000, 1); /* both would not fit */
    assert_non_null(array);
    assert_null(arena_grow_array(&arena, array, 3900000, 4100000, 1));
    array[3899999] = 1;
    assert_true(arena.held <= 4000000);
    arena_free(&arena);
}

static void many_big_arrays_grow_in_turn(void **state) {
    (void)state;
    enum { ARRAYS = 5 };
    struct arena arena;
    arena_init(&arena, SIZE_MAX);
    unsigned char *arrays[ARRAYS] = {0};
    size_t counts[ARRAYS] = {0};
    for (uint32_t step = 0; step < 200; step++) {
        size_t i = stream_bits(2, 1, step) % ARRAYS;
        size_t count = counts[i] + 20000 + stream_bits(2, 2, step) % 40000;
        arrays[i] = arena_grow_array(&arena, arrays[i], counts[i], count, 1);
        assert_non_null(arrays[i]);
        assert_true(filled(arrays[i], (int)i + 1, counts[i]));
        memset(arrays[i], (int)i + 1, count);
        counts[i] = count;
    }
    arena_free(&arena);
}

static void strings_are_copied_and_terminated(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, 1000);
    assert_string_equal(arena_copy_string(&arena, "retry storm", 5), "retry");
    assert_string_equal(arena_copy_string(&arena, "", 0), "");
    assert_null(arena_take(&arena, 1000));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(the_limit_holds_for_small_and_big_pieces),
        cmocka_unit_test(a_tiny_limit_still_gives_tiny_pieces),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(a_grown_array_keeps_its_items_and_zeroes_the_rest),
        cmocka_unit_test(growing_drops_items_beyond_those_kept),
        cmocka_unit_test(a_big_array_grows_in_place_of_a_copy),
        cmocka_unit_test(many_big_arrays_grow_in_turn),
        cmocka_unit_test(strings_are_copied_and_terminated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
