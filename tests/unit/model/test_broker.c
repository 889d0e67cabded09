/* test_broker.c: message queues: leases, receives, countdowns, prefetch, partitions, memory, and
   consumers that crash. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "model/model.h"
#include "support/small_world.h"
#include "support/test.h"

/* Clients send to the queue "orders", whose place is the last of the services; "workers" call the
   service "api". */
enum { API = 0, ORDERS = 1, SHOP = 0, WORKERS = 1 };

struct queue_world {
    struct small_world w;
    struct storm_queue queue;
};

/* So many clients send one message each at 1 s. The workers hand each to the api, which is never
   busy and takes 100 ms. */
static void begin(struct queue_world *q, uint32_t clients, uint32_t workers) {
    struct small_world *w = &q->w;
    small_world_init(w);
    w->populations[SHOP].count = clients;
    w->services[API].workers = STORM_UNLIMITED;
    small_world_add_service(w, "orders");
    w->services[ORDERS].workers = STORM_UNLIMITED;
    w->services[ORDERS].service_time = small_world_constant(0);
    w->populations[SHOP].call.to = ORDERS;
    small_world_add_population(w, 0, workers);
    struct storm_population *consumers = &w->populations[WORKERS];
    consumers->name = "workers";
    consumers->arrival = STORM_ARRIVAL_QUEUE;
    consumers->prefetch = 1;
    consumers->retries = STORM_RETRIES_IN_PLACE;
    consumers->restart_time = 10 * SEC;
    consumers->call.policy = small_world_add_policy(w, 1, 0);
    q->queue = (struct storm_queue){.service = ORDERS,
                                    .visibility = 30 * SEC,
                                    .max_receives = STORM_UNLIMITED,
                                    .memory = STORM_UNLIMITED,
                                    .full_status = 503,
                                    .durable = true,
                                    .partitions = 1,
                                    .consumers = WORKERS};
    w->scenario.queues = &q->queue;
    w->scenario.queue_count = 1;
}

/* The consumers' policy: 1 s, 2 s, 4 s between tries; and what they do about a failure. */
static void retry(struct queue_world *q, enum storm_retries retries, uint32_t attempts) {
    struct storm_policy *policy = &q->w.policies[q->w.populations[WORKERS].call.policy];
    policy->attempts = attempts;
    policy->delay.base = 1;
    policy->delay.growth = STORM_GROWTH_EXPONENTIAL;
    q->w.populations[WORKERS].retries = retries;
}

/* The api answers with this from `at` on, for `length`. */
static void fail_with(struct queue_world *q, uint16_t status, storm_time at, storm_time length) {
    uint32_t index = small_world_add_fault(&q->w, STORM_FAULT_ERRORS, at, length);
    q->w.faults[index].share = 1;
    q->w.faults[index].status = status;
    q->w.faults[index].service = API;
}

/* The place of a message among the births. */
static unsigned message_of(const struct small_world *w, uint64_t key) {
    unsigned number = 0;
    for (size_t i = 0; i < w->fact_count; i++) {
        const struct storm_fact *f = &w->facts[i];
        bool is_born = f->kind == STORM_FACT_BORN && f->place == WORKERS;
        if (is_born && f->key == key)
            return number;
        number += is_born;
    }
    fail_msg("no such message");
    return 0;
}

static int print_fact(const struct small_world *w, const struct storm_fact *f, char *text) {
    static const char *const kinds[] = {"lease", "requeued", "crashed"};
    char due[40], failed[40];
    switch ((int)f->kind) {
    case STORM_FACT_DELIVERED:
        return sprintf(text, "%u to %u receive %u\n", message_of(w, f->parent), f->member,
                       f->attempts);
    case STORM_FACT_RETURNED:
        return sprintf(text, "%u back %s until %s\n", message_of(w, f->parent), kinds[f->level],
                       storm_time_print(f->due, due, sizeof due));
    case STORM_FACT_SUCCEEDED:
        return sprintf(text, "%u succeeded tries %u\n", message_of(w, f->key), f->attempts);
    case STORM_FACT_DEAD:
        return sprintf(text, "%u dead tries %u status %u %s since %s\n", message_of(w, f->key),
                       f->attempts, f->status, storm_reason_word((enum storm_reason)f->reason),
                       storm_time_print(f->first_failed, failed, sizeof failed));
    default:
        return 0;
    }
}

/* Lives, and compares what is told of the messages. */
static void expect(struct queue_world *q, const char *story) {
    struct small_world *w = &q->w;
    if (w->model == NULL)
        small_world_live(w);
    if (w->error.status != STORM_OK)
        fail_msg("the run failed: %s", w->error.message);
    char *told = calloc(w->fact_count + 1, 200), *end = told;
    for (size_t i = 0; i < w->fact_count; i++) {
        char what[200], time[40];
        if (w->facts[i].place == WORKERS && print_fact(w, &w->facts[i], what) > 0 &&
            (w->facts[i].kind != STORM_FACT_BORN))
            end +=
                sprintf(end, "%s %s", storm_time_print(w->facts[i].time, time, sizeof time), what);
    }
    bool same = strcmp(told, story) == 0;
    if (!same)
        fprintf(stderr, "--- expected\n%s--- told\n%s---\n", story, told);
    free(told);
    assert_true(same);
    small_world_free(w);
}

/* How often a worker has tried something. */
static size_t executions(const struct queue_world *q) {
    return small_world_count(&q->w, STORM_FACT_SENT, API);
}

/* ---- the way through ------------------------------------------------------------------------- */

static void a_message_is_done_when_its_consumer_is(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 3, 2);
    small_world_live(&q.w);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_SUCCEEDED, SHOP), 3);
    assert_true(small_world_fact(&q.w, STORM_FACT_SUCCEEDED, SHOP, 2)->time == SEC);
    const struct storm_fact *born = small_world_fact(&q.w, STORM_FACT_BORN, WORKERS, 2);
    assert_int_equal(born->member, 2);
    assert_int_equal(born->origin, SHOP);
    assert_int_equal(born->level, STORM_BIRTH_FRESH);
    assert_true(born->parent == small_world_fact(&q.w, STORM_FACT_SENT, ORDERS, 2)->key);
    assert_true(small_world_fact(&q.w, STORM_FACT_SUCCEEDED, WORKERS, 2)->since == SEC);
    expect(&q, "1s 0 to 0 receive 1\n"
               "1s 1 to 1 receive 1\n"
               "1.1s 0 succeeded tries 1\n"
               "1.1s 2 to 0 receive 1\n"
               "1.1s 1 succeeded tries 1\n"
               "1.2s 2 succeeded tries 1\n");
}

static void a_message_can_wait_before_its_first_delivery(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 1);
    q.queue.delay = 5 * SEC;
    expect(&q, "6s 0 to 0 receive 1\n"
               "6.1s 0 succeeded tries 1\n");
}

/* A worker that holds less comes first, then the lower number. */
static void messages_go_where_there_is_the_most_room(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 5, 2);
    q.w.populations[WORKERS].prefetch = 2;
    expect(&q, "1s 0 to 0 receive 1\n"
               "1s 1 to 1 receive 1\n"
               "1s 2 to 0 receive 1\n"
               "1s 3 to 1 receive 1\n"
               "1.1s 0 succeeded tries 1\n"
               "1.1s 4 to 0 receive 1\n"
               "1.1s 1 succeeded tries 1\n"
               "1.2s 2 succeeded tries 1\n"
               "1.2s 3 succeeded tries 1\n"
               "1.3s 4 succeeded tries 1\n");
}

/* The answer to the producer is lost: it sends again, and the same request is there twice. */
static void a_lost_answer_makes_two_messages_of_one_request(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 1);
    small_world_retry(&q.w, 2, 1);
    q.w.populations[SHOP].call.timeout.offset = SEC;
    q.w.populations[SHOP].call.network = small_world_constant(600 * MS);
    small_world_live(&q.w);
    const struct storm_fact *first = small_world_fact(&q.w, STORM_FACT_BORN, WORKERS, 0);
    const struct storm_fact *second = small_world_fact(&q.w, STORM_FACT_BORN, WORKERS, 1);
    assert_true(first->key != second->key);
    assert_int_equal(first->member, second->member);
    assert_int_equal(first->ordinal, second->ordinal);
    assert_false(small_world_fact(&q.w, STORM_FACT_SENT, API, 0)->retry);
    assert_true(small_world_fact(&q.w, STORM_FACT_SENT, API, 1)->retry);
    expect(&q, "1.6s 0 to 0 receive 1\n"
               "1.7s 0 succeeded tries 1\n"
               "3.6s 1 to 0 receive 1\n"
               "3.7s 1 succeeded tries 1\n");
}

/* ---- failing --------------------------------------------------------------------------------- */

/* The countdowns are the policy's delays, whoever gets the message. */
static void a_requeued_message_goes_on_with_the_delays_where_it_stopped(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 2);
    retry(&q, STORM_RETRIES_REQUEUE, 4);
    fail_with(&q, 500, 0, STORM_NEVER);
    expect(&q, "1s 0 to 0 receive 1\n"
               "1.1s 0 back requeued until 2.1s\n"
               "2.1s 0 to 0 receive 2\n"
               "2.2s 0 back requeued until 4.2s\n"
               "4.2s 0 to 0 receive 3\n"
               "4.3s 0 back requeued until 8.3s\n"
               "8.3s 0 to 0 receive 4\n"
               "8.4s 0 dead tries 4 status 500 attempts_exhausted since 1.1s\n");
}

static void a_requeued_message_leaves_its_worker_to_others(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 2, 1);
    retry(&q, STORM_RETRIES_REQUEUE, 4);
    fail_with(&q, 500, 0, 1150 * MS);
    expect(&q, "1s 0 to 0 receive 1\n"
               "1.1s 0 back requeued until 2.1s\n"
               "1.1s 1 to 0 receive 1\n"
               "1.2s 1 succeeded tries 1\n"
               "2.1s 0 to 0 receive 2\n"
               "2.2s 0 succeeded tries 2\n");
}

static void a_retry_in_place_holds_its_worker(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 2, 1);
    retry(&q, STORM_RETRIES_IN_PLACE, 4);
    fail_with(&q, 500, 0, 1150 * MS);
    expect(&q, "1s 0 to 0 receive 1\n"
               "2.2s 0 succeeded tries 2\n"
               "2.2s 1 to 0 receive 1\n"
               "2.3s 1 succeeded tries 1\n");
}

static void a_lease_that_runs_out_brings_the_message_back(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 1);
    retry(&q, STORM_RETRIES_LEASE, 1);
    q.queue.visibility = 10 * SEC;
    fail_with(&q, 500, 0, 15 * SEC);
    expect(&q, "1s 0 to 0 receive 1\n"
               "11s 0 back lease until 11s\n"
               "11s 0 to 0 receive 2\n"
               "21s 0 back lease until 21s\n"
               "21s 0 to 0 receive 3\n"
               "21.1s 0 succeeded tries 3\n");
}

static void what_is_not_worth_a_retry_is_a_dead_letter_at_once(void **state) {
    (void)state;
    for (int retries = STORM_RETRIES_IN_PLACE; retries <= STORM_RETRIES_LEASE; retries++) {
        struct queue_world q;
        begin(&q, 1, 1);
        retry(&q, (enum storm_retries)retries, 4);
        q.w.populations[SHOP].poison = 1;
        expect(&q, "1s 0 to 0 receive 1\n"
                   "1.1s 0 dead tries 1 status 400 not_retryable since 1.1s\n");
    }
}

/* Nobody tells that the message is to blame: it is tried for ever, and holds its worker. */
static void a_poison_message_that_is_retried_holds_its_worker_for_ever(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 2, 1);
    retry(&q, STORM_RETRIES_IN_PLACE, STORM_ATTEMPTS_UNLIMITED);
    struct storm_policy *policy = &q.w.policies[1];
    policy->delay.growth = STORM_GROWTH_CONSTANT;
    policy->class_count = 1;
    policy->classes[0] = (struct storm_class_row){400, STORM_CLASS_RETRY};
    q.queue.visibility = STORM_NEVER;
    q.w.populations[SHOP].poison = 1;
    small_world_live(&q.w);
    assert_int_equal(executions(&q), 54); /* every 1.1 s, from 1 s to 59.3 s */
    expect(&q, "1s 0 to 0 receive 1\n");
}

static void receives_that_are_used_up_make_a_dead_letter(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 1);
    retry(&q, STORM_RETRIES_REQUEUE, STORM_ATTEMPTS_UNLIMITED);
    q.queue.max_receives = 2;
    fail_with(&q, 500, 0, STORM_NEVER);
    expect(&q, "1s 0 to 0 receive 1\n"
               "1.1s 0 back requeued until 2.1s\n"
               "2.1s 0 to 0 receive 2\n"
               "2.2s 0 dead tries 2 status 500 receives_exhausted since 1.1s\n");
    begin(&q, 1, 1);
    retry(&q, STORM_RETRIES_LEASE, 1);
    q.queue.max_receives = 2;
    q.queue.visibility = 10 * SEC;
    q.queue.count_on = STORM_COUNT_FAILURES;
    fail_with(&q, 500, 0, STORM_NEVER);
    expect(&q, "1s 0 to 0 receive 1\n"
               "11s 0 back lease until 11s\n"
               "11s 0 to 0 receive 2\n"
               "21s 0 dead tries 2 status 500 receives_exhausted since 1.1s\n");
}

/* ---- leases ---------------------------------------------------------------------------------- */

static void work_longer_than_the_lease_is_done_several_times(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 3);
    q.queue.visibility = 10 * SEC;
    q.w.services[API].service_time = small_world_constant(25 * SEC);
    small_world_live(&q.w);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_SERVED, API), 3);
    expect(&q, "1s 0 to 0 receive 1\n"
               "11s 0 back lease until 11s\n"
               "11s 0 to 1 receive 2\n"
               "21s 0 back lease until 21s\n"
               "21s 0 to 2 receive 3\n"
               "26s 0 succeeded tries 3\n");
}

static void a_message_that_waits_again_is_taken_back_by_a_late_success(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 1);
    q.queue.visibility = 10 * SEC;
    q.w.services[API].service_time = small_world_constant(25 * SEC);
    small_world_live(&q.w);
    assert_int_equal(executions(&q), 1);
    expect(&q, "1s 0 to 0 receive 1\n"
               "11s 0 back lease until 11s\n"
               "26s 0 succeeded tries 1\n");
}

static void a_late_failure_is_not_heard(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 3);
    retry(&q, STORM_RETRIES_REQUEUE, 4);
    q.queue.visibility = 10 * SEC;
    q.w.services[API].service_time = small_world_constant(25 * SEC);
    fail_with(&q, 500, 0, 30 * SEC);
    expect(&q, "1s 0 to 0 receive 1\n"
               "11s 0 back lease until 11s\n"
               "11s 0 to 1 receive 2\n"
               "21s 0 back lease until 21s\n"
               "21s 0 to 2 receive 3\n"
               "31s 0 back lease until 31s\n"
               "31s 0 to 0 receive 4\n"
               "36s 0 succeeded tries 4\n");
}

/* The message of 3.6 s: its answer, under way since 11.35 s, and the end of its lease, which the
   queue turns to at 11.6 s, both come at 13.6 s. */
static void at_the_end_of_a_lease_the_lease_is_over(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 2);
    small_world_retry(&q.w, 2, 1);
    q.w.populations[SHOP].call.timeout.offset = SEC;
    q.w.populations[SHOP].call.network = small_world_constant(600 * MS);
    q.w.populations[WORKERS].call.network = small_world_constant(2250 * MS);
    q.w.services[API].service_time = small_world_constant(5500 * MS);
    q.w.services[API].errors_before = true;
    q.queue.visibility = 10 * SEC;
    fail_with(&q, 500, 0, 4 * SEC);
    expect(&q, "1.6s 0 to 0 receive 1\n"
               "3.6s 1 to 1 receive 1\n"
               "6.1s 0 dead tries 1 status 500 attempts_exhausted since 6.1s\n"
               "13.6s 1 back lease until 13.6s\n"
               "13.6s 1 succeeded tries 1\n");
}

/* Each worker keeps it in hand until its hour has come, and the queue gives it to the next one
   every hour: the same job is done once for each. */
static void what_is_held_longer_than_its_lease_is_done_once_for_each_lease(void **state) {
    (void)state;
    static const storm_time hour = 3600 * SEC;
    struct queue_world q;
    begin(&q, 1, 20);
    q.w.scenario.duration = 24 * hour;
    q.queue.visibility = hour;
    q.w.services[API].service_time = small_world_constant(6 * hour - SEC);
    small_world_live(&q.w);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_SERVED, API), 6);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_SUCCEEDED, WORKERS), 1);
    small_world_free(&q.w);
}

/* ---- crashing -------------------------------------------------------------------------------- */

/* Looks for a seed by which of all clients only `member` is below `share`, or by whose message. */
static void single_out(struct queue_world *q, uint32_t member, double share) {
    bool is_found = false;
    for (q->w.seed = 1; !is_found; q->w.seed += !is_found) {
        is_found = true;
        for (uint32_t i = 0; i < q->w.populations[SHOP].count; i++) {
            uint64_t key = stream_request(q->w.seed, 0, SHOP, i, 0);
            is_found &= (stream_uniform(key, STREAM_MESSAGE, 0) < share) == (i == member);
        }
    }
}

static void a_lethal_message_is_received_until_it_is_counted_out(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 2);
    q.w.populations[SHOP].lethal = 1;
    q.queue.max_receives = 3;
    expect(&q, "1s 0 to 0 receive 1\n"
               "1s 0 back crashed until 1s\n"
               "1s 0 to 1 receive 2\n"
               "1s 0 back crashed until 1s\n"
               "11s 0 to 0 receive 3\n"
               "11s 0 dead tries 3 status 2 receives_exhausted since 1s\n");
}

/* Who crashes does not say that it failed. */
static void a_lethal_message_is_never_counted_by_its_failures(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 1);
    q.w.populations[SHOP].lethal = 1;
    q.queue.max_receives = 3;
    q.queue.count_on = STORM_COUNT_FAILURES;
    small_world_live(&q.w);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_DELIVERED, WORKERS), 6);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_DEAD, WORKERS), 0);
    assert_int_equal(executions(&q), 0);
    small_world_free(&q.w);
}

/* They were in the same worker's hand. */
static void neighbours_of_a_lethal_message_lose_a_delivery(void **state) {
    (void)state;
    for (uint32_t most = 1; most <= 2; most++) {
        struct queue_world q;
        begin(&q, 3, 1);
        single_out(&q, 1, 0.2);
        q.w.populations[SHOP].lethal = 0.2;
        q.w.populations[WORKERS].prefetch = 3;
        q.queue.max_receives = most;
        expect(&q, most == 1 ? "1s 0 to 0 receive 1\n"
                               "1s 1 to 0 receive 1\n"
                               "1s 2 to 0 receive 1\n"
                               "1.1s 0 succeeded tries 1\n"
                               "1.1s 1 dead tries 1 status 2 receives_exhausted since 1.1s\n"
                               "1.1s 2 dead tries 1 status 2 receives_exhausted since 1.1s\n"
                             : "1s 0 to 0 receive 1\n"
                               "1s 1 to 0 receive 1\n"
                               "1s 2 to 0 receive 1\n"
                               "1.1s 0 succeeded tries 1\n"
                               "1.1s 1 back crashed until 1.1s\n"
                               "1.1s 2 back crashed until 1.1s\n"
                               "11.1s 1 to 0 receive 2\n"
                               "11.1s 1 dead tries 2 status 2 receives_exhausted since 1.1s\n"
                               "21.1s 2 to 0 receive 2\n"
                               "21.2s 2 succeeded tries 2\n");
    }
}

static void a_crash_without_end_in_one_instant_is_an_error(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 1);
    q.w.populations[SHOP].lethal = 1;
    q.w.populations[WORKERS].restart_time = 0;
    small_world_live(&q.w);
    assert_int_equal(q.w.error.status, STORM_INVALID);
    small_world_free(&q.w);
}

/* A million seconds of redeliveries are no loop. */
static void coming_back_again_and_again_is_no_error_if_it_takes_time(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 1);
    q.w.scenario.duration = 300000 * SEC;
    q.w.services[API].service_time = small_world_constant(0);
    q.queue.visibility = SEC;
    retry(&q, STORM_RETRIES_LEASE, 1);
    fail_with(&q, 500, 0, STORM_NEVER);
    small_world_live(&q.w);
    assert_int_equal(q.w.error.status, STORM_OK);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_DELIVERED, WORKERS), 299999);
    small_world_free(&q.w);
}

/* ---- partitions ------------------------------------------------------------------------------ */

/* Clients 0 and 2 share a partition, and the message of client 0 fails. */
static void partitioned(struct queue_world *q, enum storm_retries retries, uint32_t attempts) {
    begin(q, 4, 4);
    retry(q, retries, attempts);
    single_out(q, 0, 0.2);
    q->w.populations[SHOP].poison = 0.2;
    q->w.policies[1].class_count = 1;
    q->w.policies[1].classes[0] = (struct storm_class_row){400, STORM_CLASS_RETRY};
    q->queue.fifo = true;
    q->queue.partitions = 2;
}

static void a_partition_waits_for_its_first_message(void **state) {
    (void)state;
    struct queue_world q;
    partitioned(&q, STORM_RETRIES_REQUEUE, 2);
    expect(&q, "1s 0 to 0 receive 1\n"
               "1s 1 to 1 receive 1\n"
               "1.1s 0 back requeued until 2.1s\n"
               "1.1s 1 succeeded tries 1\n"
               "1.1s 3 to 0 receive 1\n"
               "1.2s 3 succeeded tries 1\n"
               "2.1s 0 to 0 receive 2\n"
               "2.2s 0 dead tries 2 status 400 attempts_exhausted since 1.1s\n"
               "2.2s 2 to 0 receive 1\n"
               "2.3s 2 succeeded tries 1\n");
}

static void a_partition_waits_while_its_first_message_is_leased(void **state) {
    (void)state;
    struct queue_world q;
    partitioned(&q, STORM_RETRIES_LEASE, 1);
    q.queue.max_receives = 2;
    q.queue.visibility = 5 * SEC;
    expect(&q, "1s 0 to 0 receive 1\n"
               "1s 1 to 1 receive 1\n"
               "1.1s 1 succeeded tries 1\n"
               "1.1s 3 to 0 receive 1\n"
               "1.2s 3 succeeded tries 1\n"
               "6s 0 back lease until 6s\n"
               "6s 0 to 0 receive 2\n"
               "11s 0 dead tries 2 status 400 receives_exhausted since 1.1s\n"
               "11s 2 to 0 receive 1\n"
               "11.1s 2 succeeded tries 1\n");
}

/* ---- memory and outages ---------------------------------------------------------------------- */

static void a_full_queue_refuses(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 4, 1);
    q.queue.memory = 2;
    small_world_live(&q.w);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_BORN, WORKERS), 2);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_DEAD, SHOP), 2);
    assert_int_equal(small_world_fact(&q.w, STORM_FACT_DEAD, SHOP, 0)->status, 503);
    small_world_free(&q.w);
}

/* At 0 s, 15 s, 30 s and 45 s, with room for two, and workers who take longer than the run. */
static void filling(struct queue_world *q, bool durable) {
    begin(q, 4, 2);
    q->w.populations[SHOP].arrival = STORM_ARRIVAL_EVERY;
    q->w.populations[SHOP].period = 60 * SEC;
    q->w.services[API].service_time = small_world_constant(100 * SEC);
    q->w.services[ORDERS].crash_kind = STORM_OUTAGE_DOWN;
    q->w.services[ORDERS].crash_down_for = 10 * SEC;
    q->queue.visibility = STORM_NEVER;
    q->queue.memory = 2;
    q->queue.on_full = STORM_FULL_CRASH;
    q->queue.durable = durable;
}

static void a_full_queue_that_crashes_loses_what_is_not_on_disk(void **state) {
    (void)state;
    struct queue_world q;
    filling(&q, false);
    small_world_live(&q.w);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_BORN, WORKERS), 3);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_CRASHED, ORDERS), 1);
    expect(&q, "0s 0 to 0 receive 1\n"
               "15s 1 to 1 receive 1\n"
               "30s 0 dead tries 1 status 2 lost_by_broker since 30s\n"
               "30s 1 dead tries 1 status 2 lost_by_broker since 30s\n");
    filling(&q, true);
    small_world_live(&q.w);
    assert_int_equal(small_world_count(&q.w, STORM_FACT_CRASHED, ORDERS), 2);
    expect(&q, "0s 0 to 0 receive 1\n"
               "15s 1 to 1 receive 1\n");
}

static void nothing_is_delivered_while_the_queue_is_down(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 2, 1);
    small_world_add_fault(&q.w, STORM_FAULT_DOWN, 1050 * MS, 3950 * MS);
    q.w.faults[0].service = ORDERS;
    expect(&q, "1s 0 to 0 receive 1\n"
               "1.1s 0 succeeded tries 1\n"
               "5s 1 to 0 receive 1\n"
               "5.1s 1 succeeded tries 1\n");
}

static void leases_that_run_out_during_an_outage_are_over_after_it(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 1, 2);
    q.queue.visibility = 2 * SEC;
    q.w.services[API].service_time = small_world_constant(10 * SEC);
    small_world_add_fault(&q.w, STORM_FAULT_DOWN, 2 * SEC, 3 * SEC);
    q.w.faults[0].service = ORDERS;
    expect(&q, "1s 0 to 0 receive 1\n"
               "5s 0 back lease until 5s\n"
               "5s 0 to 1 receive 2\n"
               "7s 0 back lease until 7s\n"
               "11s 0 succeeded tries 2\n");
}

static void paused_consumers_finish_what_they_are_at_and_begin_nothing(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 3, 1);
    q.w.populations[WORKERS].prefetch = 2;
    small_world_add_action(&q.w, STORM_ACTION_PAUSE, 1050 * MS, 3950 * MS);
    q.w.actions[0].population = WORKERS;
    expect(&q, "1s 0 to 0 receive 1\n"
               "1s 1 to 0 receive 1\n"
               "1.1s 0 succeeded tries 1\n"
               "5s 2 to 0 receive 1\n"
               "5.1s 1 succeeded tries 1\n"
               "5.2s 2 succeeded tries 1\n");
}

/* ---- again ----------------------------------------------------------------------------------- */

static void a_dead_letter_can_be_put_into_its_queue_again(void **state) {
    (void)state;
    struct queue_world q;
    begin(&q, 2, 1);
    fail_with(&q, 500, 0, 10 * SEC);
    small_world_add_action(&q.w, STORM_ACTION_REPLAY, 20 * SEC, 0);
    q.w.actions[0].population = WORKERS;
    q.w.actions[0].pace.limit = STORM_UNLIMITED;
    small_world_live(&q.w);
    const struct storm_fact *first = small_world_fact(&q.w, STORM_FACT_BORN, WORKERS, 0);
    const struct storm_fact *again = small_world_fact(&q.w, STORM_FACT_BORN, WORKERS, 2);
    assert_int_equal(again->level, STORM_BIRTH_REPLAY);
    assert_int_equal(again->member, first->member);
    assert_true(again->key != first->key);
    expect(&q, "1s 0 to 0 receive 1\n"
               "1.1s 0 dead tries 1 status 500 attempts_exhausted since 1.1s\n"
               "1.1s 1 to 0 receive 1\n"
               "1.2s 1 dead tries 1 status 500 attempts_exhausted since 1.2s\n"
               "20s 2 to 0 receive 1\n"
               "20.1s 2 succeeded tries 1\n"
               "20.1s 3 to 0 receive 1\n"
               "20.2s 3 succeeded tries 1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_done_when_its_consumer_is),
        cmocka_unit_test(a_message_can_wait_before_its_first_delivery),
        cmocka_unit_test(messages_go_where_there_is_the_most_room),
        cmocka_unit_test(a_lost_answer_makes_two_messages_of_one_request),
        cmocka_unit_test(a_requeued_message_goes_on_with_the_delays_where_it_stopped),
        cmocka_unit_test(a_requeued_message_leaves_its_worker_to_others),
        cmocka_unit_test(a_retry_in_place_holds_its_worker),
        cmocka_unit_test(a_lease_that_runs_out_brings_the_message_back),
        cmocka_unit_test(what_is_not_worth_a_retry_is_a_dead_letter_at_once),
        cmocka_unit_test(a_poison_message_that_is_retried_holds_its_worker_for_ever),
        cmocka_unit_test(receives_that_are_used_up_make_a_dead_letter),
        cmocka_unit_test(work_longer_than_the_lease_is_done_several_times),
        cmocka_unit_test(a_message_that_waits_again_is_taken_back_by_a_late_success),
        cmocka_unit_test(a_late_failure_is_not_heard),
        cmocka_unit_test(at_the_end_of_a_lease_the_lease_is_over),
        cmocka_unit_test(what_is_held_longer_than_its_lease_is_done_once_for_each_lease),
        cmocka_unit_test(a_lethal_message_is_received_until_it_is_counted_out),
        cmocka_unit_test(a_lethal_message_is_never_counted_by_its_failures),
        cmocka_unit_test(neighbours_of_a_lethal_message_lose_a_delivery),
        cmocka_unit_test(a_crash_without_end_in_one_instant_is_an_error),
        cmocka_unit_test(coming_back_again_and_again_is_no_error_if_it_takes_time),
        cmocka_unit_test(a_partition_waits_for_its_first_message),
        cmocka_unit_test(a_partition_waits_while_its_first_message_is_leased),
        cmocka_unit_test(a_full_queue_refuses),
        cmocka_unit_test(a_full_queue_that_crashes_loses_what_is_not_on_disk),
        cmocka_unit_test(nothing_is_delivered_while_the_queue_is_down),
        cmocka_unit_test(leases_that_run_out_during_an_outage_are_over_after_it),
        cmocka_unit_test(paused_consumers_finish_what_they_are_at_and_begin_nothing),
        cmocka_unit_test(a_dead_letter_can_be_put_into_its_queue_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
