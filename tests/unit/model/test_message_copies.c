/* test_message_copies.c: dead messages of a queue that are put into it once more. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"
#include "unit/model/copying.h"

/* ---- consumers ------------------------------------------------------------------------------- */

enum { API = 0, ORDERS = 1, WORKERS = 1 };

/* So many messages reach the queue at 1 s; four workers hand them on to a service that is down
   until 10 s, and give each of them up at once. */
static void queueing(struct small_world *w, struct storm_queue *queue, uint32_t messages) {
    dying(w, messages);
    small_world_add_service(w, "orders");
    w->services[ORDERS].workers = STORM_UNLIMITED;
    w->services[ORDERS].service_time = small_world_constant(0);
    w->populations[0].call.to = ORDERS;
    small_world_add_population(w, 0, 4);
    w->populations[WORKERS].arrival = STORM_ARRIVAL_QUEUE;
    w->populations[WORKERS].prefetch = 1;
    *queue = (struct storm_queue){.service = ORDERS,
                                  .visibility = 30 * SEC,
                                  .max_receives = STORM_UNLIMITED,
                                  .memory = STORM_UNLIMITED,
                                  .durable = true,
                                  .partitions = 1,
                                  .consumers = WORKERS};
    w->scenario.queues = queue;
    w->scenario.queue_count = 1;
}

static void dead_messages_are_put_into_their_queue_again(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 6);
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    action->population = WORKERS;
    action->pace.rate = 2;
    small_world_live(&w);
    static const double times[] = {20, 20.5, 21, 21.5, 22, 22.5};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 6);
    for (uint32_t i = 0; i < 6; i++) {
        const struct storm_fact *f = find_birth(&w, STORM_BIRTH_REPLAY, i);
        assert_true(f->place == WORKERS && f->member == i && f->parent == 0);
    }
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, WORKERS), 6);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, WORKERS), 6);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 6); /* nobody publishes again */
    expect_own_keys(&w);
    small_world_free(&w);
}

/* The first two take 100 ms; the other four follow when both are done. */
static void a_probe_of_messages_waits_until_they_are_done(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 6);
    w.services[API].service_time = small_world_constant(100 * MS);
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    action->population = WORKERS;
    action->pace.probe = 2;
    action->pace.probe_success = 1;
    small_world_live(&w);
    static const double times[] = {20, 20, 20.1, 20.1, 20.1, 20.1};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 6);
    small_world_free(&w);
}

/* What dies at 1 s goes again every 3 s until the service is up. */
static void dead_messages_go_again_by_themselves(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 2);
    w.populations[WORKERS].auto_replay = 3 * SEC;
    small_world_live(&w);
    static const double times[] = {4, 4, 7, 7, 10, 10};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 6);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, WORKERS), 2);
    small_world_free(&w);
}

/* The message of the first resend is done after 10 ms, but its sender waits in vain for the answer
   until 15 ms: a failure. */
static void the_end_of_its_message_is_not_the_end_of_a_copy(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 3);
    w.populations[0].call.network = small_world_constant(10 * MS);
    w.populations[0].call.timeout = small_world_constant(15 * MS);
    struct storm_action *action = add_copies(&w, STORM_ACTION_RESEND, 20 * SEC);
    action->pace.probe = 1;
    action->pace.probe_success = 1;
    small_world_live(&w);
    static const double times[] = {20};
    expect_times(&w, STORM_BIRTH_RESEND, times, 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, WORKERS), 1);
    small_world_free(&w);
}

/* Two shops have letters; the first copy of either has the same number. One goes at 19.5 s, another
   shop's, a probe, at 20 s; each takes 1 s. */
static void a_probe_tells_the_copies_of_two_shops_apart(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 1);
    w.services[API].service_time = small_world_constant(SEC);
    w.populations[2] = w.populations[WORKERS]; /* the consumers are the last */
    w.populations[WORKERS] = w.populations[0];
    w.populations[WORKERS].count = 2;
    w.scenario.population_count = 3;
    queue.consumers = 2;
    add_copies(&w, STORM_ACTION_REPLAY, 19500 * MS)->pace.limit = 1;
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    w.actions[0].population = action->population = 2;
    action->pace.probe = 1;
    action->pace.probe_success = 1;
    small_world_live(&w);
    static const double times[] = {19.5, 20, 21};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 3);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_messages_are_put_into_their_queue_again),
        cmocka_unit_test(a_probe_of_messages_waits_until_they_are_done),
        cmocka_unit_test(dead_messages_go_again_by_themselves),
        cmocka_unit_test(the_end_of_its_message_is_not_the_end_of_a_copy),
        cmocka_unit_test(a_probe_tells_the_copies_of_two_shops_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
