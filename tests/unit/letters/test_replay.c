/* test_replay.c: letters are sent once, found again among live traffic, and their fate is kept. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/run.h>

#include "base/stream.h"
#include "letters/replay.h"
#include "support/test.h"

#include "sample.h"
#include "world.h"

enum { TEXT_SIZE = 1 << 20, MOST = 1000 };

static struct arena arena;
static char text[TEXT_SIZE];
static struct letters letters;
static struct letter *chosen[MOST];
static struct letters_world world;
static struct plan_wish wish;
static struct replay replay;
static volatile sig_atomic_t stopped;

static int begin(void **state) {
    (void)state;
    arena_init(&arena, (size_t)-1);
    text[0] = '\0';
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static void add_letters(uint32_t count, const char *queue) {
    for (uint32_t i = 0; i < count; i++)
        sample_add(text, sizeof text,
                   &(struct sample){.member = i % 100, .ordinal = 40 + i / 100, .queue = queue});
}

static void prepare(double rate) {
    struct storm_error error = {0};
    struct plan_target target;
    assert_true(letters_parse(&letters, "x.jsonl", text, strlen(text), &arena, &error));
    assert_true(letters.count <= MOST);
    for (uint32_t i = 0; i < letters.count; i++)
        chosen[i] = &letters.list[i];
    wish = (struct plan_wish){.scenario = &world.scenario,
                              .letters = chosen,
                              .count = letters.count,
                              .at = 30 * STORM_SECOND,
                              .pace = {.rate = rate, .probe = wish.pace.probe, .probe_success = 1}};
    assert_true(plan_target(&wish, &target, &error));
    if (!replay_prepare(&replay, &wish, &target, 1, &arena, &error))
        fail_msg("%s", error.message);
    replay.stop = &stopped;
}

static void run(void) {
    struct storm_run_options options = {.seed = 1, .also = {replay_hear, &replay}};
    struct storm_run_result result;
    struct storm_error error = {0};
    if (!storm_run(&replay.scenario, &options, &arena, &result, &error))
        fail_msg("%s", error.message);
    replay_finish(&replay);
}

static void check_totals(uint32_t succeeded, uint32_t dead, uint32_t in_doubt, uint32_t not_sent) {
    assert_int_equal(replay.totals.succeeded, succeeded);
    assert_int_equal(replay.totals.dead, dead);
    assert_int_equal(replay.totals.in_doubt, in_doubt);
    assert_int_equal(replay.totals.not_sent, not_sent);
}

static void all_letters_of_clients_come_through_when_paced(void **state) {
    (void)state;
    letters_world_init(&world, false);
    add_letters(500, "shop");
    prepare(20);
    run();
    check_totals(500, 0, 0, 0);
    assert_int_equal(replay.totals.duplicates, 0);
    assert_int_equal(replay.live_dead, 0);
    /* The first goes at 30 s, the last 499 / 20 s later, and is done in 100 ms. */
    assert_int_equal(replay.last,
                     30 * STORM_SECOND + 499 * 50 * STORM_MILLISECOND + 100 * STORM_MILLISECOND);
    assert_int_equal(replay.peaks[WORLD_API].most, 60); /* 40 live and 20 letters */
    assert_int_equal(replay.peaks[WORLD_API].crashes, 0);
}

static void all_letters_of_a_queue_come_through_its_workers(void **state) {
    (void)state;
    letters_world_init(&world, true);
    add_letters(500, NULL);
    prepare(20);
    run();
    check_totals(500, 0, 0, 0);
    assert_int_equal(replay.totals.duplicates, 0);
    assert_int_equal(replay.peaks[WORLD_API].most, 60);
    for (uint32_t i = 0; i < replay.count; i++) {
        assert_int_equal(replay.list[i].state, REPLAY_SUCCEEDED);
        assert_ptr_equal(replay.list[i].letter, chosen[i]);
    }
}

/* 60 have room in time; the rest times out, and so do live requests behind them. */
static void too_many_at_once_die_again_and_take_others_with_them(void **state) {
    (void)state;
    letters_world_init(&world, false);
    add_letters(1000, "shop");
    prepare(0);
    run();
    assert_int_equal(replay.totals.sent, 1000);
    assert_in_range(replay.totals.dead, 780, 820); /* 100/s for 2 s */
    assert_true(replay.live_dead > 100);
    assert_int_equal(replay.peaks[WORLD_API].most, 1040);
}

static void letters_of_one_order_are_one_order_still(void **state) {
    (void)state;
    letters_world_init(&world, true);
    add_letters(2, NULL);
    char *twin = text + strlen(text);
    sample_add(text, sizeof text, &(struct sample){.member = 1, .ordinal = 40});
    memcpy(strstr(twin, "trace_id") + 12, "ffff", 4);
    prepare(20);
    assert_true(replay.list[0].act != replay.list[1].act);
    assert_true(replay.list[1].act == replay.list[2].act);
    run();
    check_totals(3, 0, 0, 0);
    assert_int_equal(replay.effects, 3);
    assert_int_equal(replay.totals.duplicates, 1);
}

/* What is wrong with a message stays wrong with it, and nothing else is. */
static void a_poisoned_letter_is_poisoned_again(void **state) {
    (void)state;
    letters_world_init(&world, true);
    world.populations[WORLD_CLIENTS].poison = 0.3;
    world.populations[WORLD_CLIENTS].missing = 0.3;
    for (uint32_t i = 0; i < 300; i++)
        sample_add(text, sizeof text,
                   &(struct sample){.member = i % 10,
                                    .ordinal = i / 10,
                                    .reason = i % 3 > 0 ? "not_retryable" : NULL,
                                    .status = i % 3 == 1   ? "400"
                                              : i % 3 == 2 ? "404"
                                                           : "503",
                                    .class = i % 3 > 0 ? "data" : "system"});
    prepare(20);
    run();
    check_totals(100, 200, 0, 0);
    for (uint32_t i = 0; i < 300; i++) {
        uint16_t status = i % 3 == 1 ? 400 : i % 3 == 2 ? 404 : 200;
        assert_int_equal(replay.list[i].end.status, status);
    }
}

/* Running numbers are what a service may know requests by. */
static void a_running_number_stays_the_same(void **state) {
    (void)state;
    struct storm_idempotency *idempotency = &world.services[WORLD_API].idempotency;
    letters_world_init(&world, false);
    idempotency->counted = true;
    idempotency->key = STORM_KEY_SENDER_NUMBER;
    idempotency->numbers = 7;
    add_letters(400, "shop");
    prepare(20);
    const struct storm_action *action = &replay.scenario.actions[replay.scenario.action_count - 1];
    assert_int_equal(action->letter_count, 400);
    for (uint32_t i = 0; i < 400; i++) {
        const struct storm_letter *sent = &action->letters[i];
        assert_int_equal(sent->ordinal % 7, chosen[i]->says.ordinal % 7);
        assert_int_equal(sent->member, chosen[i]->says.member);
        assert_true(sent->ordinal >= UINT32_C(0x80000000));
        assert_true(replay.list[i].act ==
                    stream_request(1, 0, WORLD_CLIENTS, sent->member, sent->ordinal));
        for (uint32_t j = 0; j < i; j++)
            assert_true(replay.list[i].act != replay.list[j].act);
    }
}

static void days_count_from_the_scenarios_first(void **state) {
    (void)state;
    letters_world_init(&world, false);
    add_letters(1, "shop"); /* born at noon less a minute */
    prepare(0);
    assert_int_equal(replay.scenario.actions[0].letters[0].day, 0);
    world.scenario.epoch -= 2 * INT64_C(86400) * STORM_SECOND;
    prepare(0);
    assert_int_equal(replay.scenario.actions[0].letters[0].day, 2);
    world.scenario.epoch += 3 * INT64_C(86400) * STORM_SECOND;
    prepare(0);
    assert_int_equal(replay.scenario.actions[0].letters[0].day, UINT16_MAX);
}

static void a_failing_probe_ends_it(void **state) {
    (void)state;
    letters_world_init(&world, false);
    world.services[WORLD_API].error_count = 1;
    world.services[WORLD_API].errors[0] = (struct storm_error_row){503, 1};
    add_letters(100, "shop");
    wish.pace.probe = 10;
    prepare(20);
    run();
    check_totals(0, 10, 0, 90);
    assert_int_equal(replay.probe, 10);
    assert_int_equal(replay.probe_succeeded, 0);
    wish.pace.probe = 0;
}

static void what_the_run_does_not_live_to_see_is_in_doubt(void **state) {
    (void)state;
    letters_world_init(&world, false);
    world.scenario.duration = 32 * STORM_SECOND;
    add_letters(100, "shop");
    prepare(20);
    run();
    /* 40 go within 2 s; those of the last 100 ms, the two of 1.9 s and 1.95 s, have no answer. */
    check_totals(38, 0, 2, 60);
}

static void those_that_die_again_are_letters_again(void **state) {
    (void)state;
    struct letters again;
    struct storm_error error = {0};
    char *lines = NULL;
    size_t size = 0;
    letters_world_init(&world, true);
    world.services[WORLD_API].error_count = 1;
    world.services[WORLD_API].errors[0] = (struct storm_error_row){500, 1};
    add_letters(3, NULL);
    prepare(20);
    run();
    check_totals(0, 3, 0, 0);
    FILE *out = open_memstream(&lines, &size);
    replay_write_dead(&replay, out);
    fclose(out);
    assert_true(letters_parse(&again, "again", lines, size, &arena, &error));
    assert_int_equal(again.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct letter *old = chosen[i], *new = &again.list[i];
        assert_string_equal(new->says.msg_id[0], old->says.msg_id[0]);
        assert_string_equal(new->says.queue, old->says.queue);
        assert_string_not_equal(new->says.trace_id, old->says.trace_id);
        assert_int_equal(new->says.ordinal, old->says.ordinal);
        assert_int_equal(new->says.status, 500);
        assert_int_equal(new->says.attempts, 6);
        assert_int_equal(new->first_failed_at, old->first_failed_at);
        assert_int_equal(new->last_failed_at,
                         SAMPLE_NOON + 30100 * STORM_MILLISECOND + i * 50 * STORM_MILLISECOND);
    }
    free(lines);
}

/* A population that replays by itself sends its letters for ever: one life of each is ours. */
static void further_copies_are_none_of_ours(void **state) {
    (void)state;
    letters_world_init(&world, false);
    world.services[WORLD_API].error_count = 1;
    world.services[WORLD_API].errors[0] = (struct storm_error_row){500, 1};
    world.populations[WORLD_CLIENTS].auto_replay = 10 * STORM_SECOND;
    world.scenario.duration = 60 * STORM_SECOND;
    add_letters(20, "shop");
    prepare(20);
    run();
    check_totals(0, 20, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_letters_of_clients_come_through_when_paced, begin, end),
        cmocka_unit_test_setup_teardown(all_letters_of_a_queue_come_through_its_workers, begin,
                                        end),
        cmocka_unit_test_setup_teardown(too_many_at_once_die_again_and_take_others_with_them, begin,
                                        end),
        cmocka_unit_test_setup_teardown(letters_of_one_order_are_one_order_still, begin, end),
        cmocka_unit_test_setup_teardown(a_poisoned_letter_is_poisoned_again, begin, end),
        cmocka_unit_test_setup_teardown(a_running_number_stays_the_same, begin, end),
        cmocka_unit_test_setup_teardown(days_count_from_the_scenarios_first, begin, end),
        cmocka_unit_test_setup_teardown(a_failing_probe_ends_it, begin, end),
        cmocka_unit_test_setup_teardown(what_the_run_does_not_live_to_see_is_in_doubt, begin, end),
        cmocka_unit_test_setup_teardown(those_that_die_again_are_letters_again, begin, end),
        cmocka_unit_test_setup_teardown(further_copies_are_none_of_ours, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
