/* test_plan.c: before letters are sent again: whose they are, and what that asks of whom. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "letters/plan.h"
#include "letters/replay_text.h"
#include "letters/traffic.h"
#include "support/test.h"

#include "sample.h"
#include "world.h"

enum { TEXT_SIZE = 1 << 16, MOST = 5000 };

static struct arena arena;
static char text[TEXT_SIZE];
static struct letters letters;
static struct letter *chosen[MOST];
static struct letters_world world;
static struct plan_wish wish;
static struct plan_target target;
static struct plan_load load;

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

/* All letters of the text are meant. */
static void choose(void) {
    struct storm_error error = {0};
    assert_true(letters_parse(&letters, "x.jsonl", text, strlen(text), &arena, &error));
    for (uint32_t i = 0; i < letters.count; i++)
        chosen[i] = &letters.list[i];
    wish =
        (struct plan_wish){.scenario = &world.scenario, .letters = chosen, .count = letters.count};
}

/* One letter, as often as wanted: what it asks does not depend on which they are. */
static void weigh(uint32_t count, double rate, bool has_queue) {
    text[0] = '\0';
    sample_add(text, sizeof text, &(struct sample){.queue = has_queue ? "orders.dead" : "shop"});
    choose();
    for (uint32_t i = 0; i < count; i++)
        chosen[i] = &letters.list[0];
    wish.count = count;
    wish.pace.rate = rate;
    struct storm_error error = {0};
    assert_true(plan_target(&wish, &target, &error));
    plan_load(&wish, &target, &load);
}

static void check_message(const char *wanted) {
    struct replay_about about = {.wish = &wish, .target = &target, .load = &load};
    struct storm_error error = {0};
    bool is_too_much = replay_is_too_much(&about, &error);
    if (wanted == NULL) {
        assert_false(is_too_much);
        return;
    }
    assert_true(is_too_much);
    if (strstr(error.message, wanted) == NULL)
        fail_msg("'%s' lacks '%s'", error.message, wanted);
}

static void letters_find_their_clients(void **state) {
    (void)state;
    struct storm_error error = {0};
    letters_world_init(&world, false);
    sample_add(text, sizeof text, &(struct sample){.member = 99, .queue = "shop"});
    choose();
    assert_true(plan_target(&wish, &target, &error));
    assert_int_equal(target.population, WORLD_CLIENTS);
    assert_false(target.is_queue);
}

static void letters_find_the_consumers_of_their_queue(void **state) {
    (void)state;
    struct storm_error error = {0};
    letters_world_init(&world, true);
    sample_add(text, sizeof text, &(struct sample){.member = 99});
    choose();
    assert_true(plan_target(&wish, &target, &error));
    assert_int_equal(target.population, WORLD_WORKERS);
    assert_true(target.is_queue);
    assert_int_equal(plan_origin(&world.scenario, chosen[0]), WORLD_CLIENTS);
}

static void check_target(const struct sample *first, const struct sample *second,
                         const char *wanted) {
    struct storm_error error = {0};
    text[0] = '\0';
    sample_add(text, sizeof text, first);
    if (second != NULL)
        sample_add(text, sizeof text, second);
    choose();
    assert_false(plan_target(&wish, &target, &error));
    assert_int_equal(error.status, STORM_INVALID);
    if (strstr(error.message, wanted) == NULL)
        fail_msg("'%s' lacks '%s'", error.message, wanted);
}

static void letters_that_nobody_can_send_are_refused(void **state) {
    (void)state;
    letters_world_init(&world, true);
    check_target(&(struct sample){.queue = "lost"}, NULL, "no dead-letter queue 'lost'");
    check_target(&(struct sample){.member = 100}, NULL, "of client 100 of 'shop', who are 100");
    check_target(&(struct sample){0}, &(struct sample){.queue = "shop"}, "of several queues");
    world.populations[WORLD_CLIENTS].name = "stall";
    check_target(&(struct sample){0}, NULL, "no clients 'shop'");
}

static void traffic_goes_along_the_calls_and_through_queues(void **state) {
    (void)state;
    double flow[2];
    letters_world_init(&world, true);
    traffic_of_clients(&world.scenario, flow);
    assert_true(flow[WORLD_ORDERS] == 40 && flow[WORLD_API] == 40);
    traffic_of_request(&world.scenario, WORLD_WORKERS, flow);
    assert_true(flow[WORLD_ORDERS] == 0 && flow[WORLD_API] == 1);
    traffic_of_request(&world.scenario, WORLD_CLIENTS, flow);
    assert_true(flow[WORLD_ORDERS] == 1 && flow[WORLD_API] == 1);
    assert_true(traffic_capacity(&world.scenario, WORLD_API) == 100);
    assert_true(traffic_consumer_capacity(&world.scenario, WORLD_WORKERS) == 100);
    assert_int_equal(traffic_patience(&world.scenario, WORLD_API), 2 * STORM_SECOND);
}

/* api does 100/s of which 40 are taken: in 2 s 120 more. */
static void all_at_once_is_weighed_against_what_is_done_in_time(void **state) {
    (void)state;
    letters_world_init(&world, false);
    weigh(120, 0, false);
    assert_true(load.ratio == 1);
    check_message(NULL);
    weigh(600, 0, false);
    assert_true(load.ratio == 5 && !load.knocks_down);
    assert_true(load.rate == 20); /* half of 60, rounded down to 1, 2 or 5 */
    assert_int_equal(load.drain, 10 * STORM_SECOND);
    check_message("600 at once is 5x what 'api' can do while its callers wait 2s (100/s, of which "
                  "live traffic takes 40/s): most of it will fail");
    world.services[WORLD_API].queue_limit = 50; /* 60 have room */
    weigh(600, 0, false);
    assert_true(load.ratio == 10);
}

static void a_pace_is_weighed_against_what_is_to_spare(void **state) {
    (void)state;
    letters_world_init(&world, false);
    weigh(600, 59, false);
    assert_true(load.ratio == 0.99);
    check_message(NULL);
    weigh(600, 60, false); /* nothing is left to spare */
    check_message("60/s and the live traffic are 1x what 'api' can do (100/s");
    weigh(600, 110, false);
    check_message("110/s and the live traffic are 1.5x what 'api' can do (100/s");
    world.populations[WORLD_CLIENTS].rate = 120;
    weigh(600, 10, false);
    check_message("live traffic alone (120/s) is more than 'api' can do (100/s)");
    assert_true(load.rate == 0);
}

static void a_crash_rule_is_seen_coming(void **state) {
    (void)state;
    struct storm_service *api = &world.services[WORLD_API];
    letters_world_init(&world, false);
    api->crash_when = STORM_CRASH_OFFERED;
    api->crash_offered = 4;
    api->crash_window = STORM_SECOND;
    weigh(5000, 0, false);
    assert_true(load.knocks_down);
    check_message("it will knock the service down again");
    weigh(360, 0, false);
    assert_false(load.knocks_down); /* 360 + 40 = 400: not more */
    weigh(5000, 361, false);
    assert_true(load.knocks_down);
    api->crash_when = STORM_CRASH_QUEUE_FULL;
    api->queue_limit = 100;
    weigh(111, 0, false);
    assert_true(load.knocks_down);
    weigh(110, 0, false);
    assert_false(load.knocks_down);
}

static void letters_in_a_queue_wait_for_its_workers(void **state) {
    (void)state;
    letters_world_init(&world, true);
    weigh(3000, 0, true);
    assert_true(load.is_consumers);
    assert_true(load.capacity == 100 && load.live == 40);
    check_message("3,000 letters at once are 50s of work for 'workers', who have 60/s to spare");
    weigh(3000, 20, true);
    assert_true(load.ratio == 0.6);
    check_message(NULL);
    world.queues[0].memory = 2000;
    weigh(3000, 0, true);
    check_message("3,000 letters at once are more than the 2,000 messages that 'orders' holds: it "
                  "will have no room");
    world.queues[0].on_full = STORM_FULL_CRASH;
    weigh(3000, 0, true);
    check_message("it will crash");
    weigh(3000, 20, true);
    check_message(NULL);
}

static void what_has_no_limit_is_never_asked_too_much(void **state) {
    (void)state;
    letters_world_init(&world, false);
    world.services[WORLD_API].workers = STORM_UNLIMITED;
    weigh(5000, 0, false);
    check_message(NULL);
}

static void a_pace_rises_during_its_ramp(void **state) {
    (void)state;
    struct storm_pace pace = {.rate = 50};
    assert_int_equal(storm_pace_time(&pace, 0), 0);
    assert_int_equal(storm_pace_time(&pace, 100), 2 * STORM_SECOND);
    pace.ramp = 20 * STORM_SECOND; /* which brings (5 + 50) / 2 * 20 = 550 */
    assert_int_equal(storm_pace_time(&pace, 0), 0);
    assert_int_equal(storm_pace_time(&pace, 550), 20 * STORM_SECOND);
    assert_int_equal(storm_pace_time(&pace, 600), 21 * STORM_SECOND);
    /* 5 t + 45 t^2 / 40 = 162.5 at t = 10 */
    assert_true(storm_pace_time(&pace, 162) < 10 * STORM_SECOND);
    assert_true(storm_pace_time(&pace, 163) > 10 * STORM_SECOND);
    assert_int_equal(storm_pace_time(&(struct storm_pace){0}, 1000), 0);
}

static void what_a_run_is_too_short_for_is_said(void **state) {
    (void)state;
    letters_world_init(&world, false);
    weigh(5000, 0, false);
    assert_int_equal(load.unsent, 0);
    text[0] = '\0';
    weigh(5000, 10, false);
    assert_int_equal(load.unsent, 2000); /* 300 s */
    assert_int_equal(load.length, 499900 * STORM_MILLISECOND);
}

/* Letters go from 30 s on, 60 of them at 1/s: the last at 89 s. */
static void check_fault(const struct storm_fault *fault, const char *wanted) {
    struct storm_error error = {0};
    struct replay_about about = {.wish = &wish, .target = &target, .load = &load};
    world.faults[0] = *fault;
    world.scenario.fault_count = 1;
    bool met = replay_meets_fault(&about, 0, &error);
    assert_int_equal(met, wanted != NULL);
    if (wanted != NULL)
        assert_string_equal(error.message, wanted);
}

static void a_fault_while_letters_are_sent_is_seen_coming(void **state) {
    (void)state;
    struct storm_fault fault = {.service = WORLD_API, .length = 10 * STORM_SECOND};
    letters_world_init(&world, true);
    weigh(60, 1, true);
    wish.at = 30 * STORM_SECOND;
    fault.at = 20 * STORM_SECOND; /* over when the first goes */
    check_fault(&fault, NULL);
    fault.at++;
    check_fault(&fault, "'api' is down from 20s to 30s, while letters are sent");
    fault.at = 89 * STORM_SECOND;
    check_fault(&fault, "'api' is down from 1m 29s to 1m 39s, while letters are sent");
    fault.at++; /* the last has gone */
    check_fault(&fault, NULL);
    fault.at = 40 * STORM_SECOND;
    fault.length = STORM_NEVER;
    fault.kind = STORM_FAULT_SLOW;
    check_fault(&fault, "'api' is slow from 40s on, while letters are sent");
    fault.service = WORLD_ORDERS; /* the queue that takes them */
    fault.kind = STORM_FAULT_HANG;
    check_fault(&fault, "'orders' hangs from 40s on, while letters are sent");
    target.is_queue = false; /* nothing goes there */
    check_fault(&fault, NULL);
}

static void a_fault_that_comes_again_is_seen_coming(void **state) {
    (void)state;
    struct storm_fault fault = {.service = WORLD_API,
                                .length = 2 * STORM_SECOND,
                                .period = 100 * STORM_SECOND,
                                .at = 10 * STORM_SECOND};
    letters_world_init(&world, false);
    weigh(60, 1, false);
    wish.at = 30 * STORM_SECOND;
    check_fault(&fault, NULL); /* at 10 and 110 s */
    fault.period = 30 * STORM_SECOND;
    check_fault(&fault, "'api' is down from 40s to 42s, while letters are sent");
}

static void only_a_keyed_service_may_see_things_twice(void **state) {
    (void)state;
    const char *name;
    struct storm_idempotency *idempotency = &world.services[WORLD_API].idempotency;
    letters_world_init(&world, true);
    target = (struct plan_target){.population = WORLD_WORKERS, .is_queue = true};
    assert_false(plan_is_idempotent(&world.scenario, &target, &name));
    assert_string_equal(name, "api");
    idempotency->counted = true;
    assert_false(plan_is_idempotent(&world.scenario, &target, &name));
    idempotency->mode = STORM_IDEMPOTENCY_STORE_AND_RETURN;
    assert_true(plan_is_idempotent(&world.scenario, &target, &name));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(letters_find_their_clients, begin, end),
        cmocka_unit_test_setup_teardown(letters_find_the_consumers_of_their_queue, begin, end),
        cmocka_unit_test_setup_teardown(letters_that_nobody_can_send_are_refused, begin, end),
        cmocka_unit_test(traffic_goes_along_the_calls_and_through_queues),
        cmocka_unit_test_setup_teardown(all_at_once_is_weighed_against_what_is_done_in_time, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_pace_is_weighed_against_what_is_to_spare, begin, end),
        cmocka_unit_test_setup_teardown(a_crash_rule_is_seen_coming, begin, end),
        cmocka_unit_test_setup_teardown(letters_in_a_queue_wait_for_its_workers, begin, end),
        cmocka_unit_test_setup_teardown(what_has_no_limit_is_never_asked_too_much, begin, end),
        cmocka_unit_test(a_pace_rises_during_its_ramp),
        cmocka_unit_test_setup_teardown(what_a_run_is_too_short_for_is_said, begin, end),
        cmocka_unit_test_setup_teardown(a_fault_while_letters_are_sent_is_seen_coming, begin, end),
        cmocka_unit_test_setup_teardown(a_fault_that_comes_again_is_seen_coming, begin, end),
        cmocka_unit_test(only_a_keyed_service_may_see_things_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
