/* test_ranking.c: a ranking against a list that is searched from end to end. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/ranking.h"

#include "base/arena.h"
#include "base/stream.h"
#include "support/test.h"

enum { ITEMS = 60, STEPS = 200000 };

/* What is in it, by item. */
struct list {
    struct ranked items[ITEMS];
    bool is_in[ITEMS];
};

static const struct ranked *first_of(const struct list *list) {
    const struct ranked *first = NULL;
    for (int i = 0; i < ITEMS; i++) {
        const struct ranked *r = &list->items[i];
        if (list->is_in[i] && (first == NULL || r->rank < first->rank ||
                               (r->rank == first->rank && r->order < first->order)))
            first = r;
    }
    return first;
}

static void the_first_is_always_at_hand(void **state) {
    (void)state;
    struct arena arena;
    struct ranking ranking = {.count = 0};
    struct list list = {.is_in = {false}};
    arena_init(&arena, 1 << 20);
    assert_true(ranking_grow(&ranking, &arena, ITEMS / 2));
    for (uint32_t step = 0; step < STEPS; step++) {
        uint64_t dice = stream_bits(7, 1, step);
        uint32_t item = (uint32_t)(dice % (step < STEPS / 2 ? ITEMS / 2 : ITEMS));
        if (step == STEPS / 2)
            assert_true(ranking_grow(&ranking, &arena, ITEMS));
        list.is_in[item] = (dice >> 32) % 3 > 0;
        if (list.is_in[item]) {
            list.items[item] =
                (struct ranked){.rank = (int64_t)(dice >> 40) % 8 - 4, .order = step, .item = item};
            ranking_put(&ranking, item, list.items[item].rank, step);
        } else {
            ranking_drop(&ranking, item);
        }
        ranking_check(&ranking);
        const struct ranked *told = ranking_first(&ranking), *known = first_of(&list);
        assert_true((told == NULL) == (known == NULL));
        assert_true(told == NULL || (told->item == known->item && told->order == known->order));
    }
    arena_free(&arena);
}

static void without_memory_it_does_not_grow(void **state) {
    (void)state;
    struct arena arena;
    struct ranking ranking = {.count = 0};
    arena_init(&arena, 4096);
    assert_false(ranking_grow(&ranking, &arena, 1 << 20));
    assert_int_equal(ranking.room, 0);
    assert_null(ranking_first(&ranking));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_always_at_hand),
        cmocka_unit_test(without_memory_it_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
