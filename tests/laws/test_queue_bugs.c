/* test_queue_bugs.c: what public bug reports say of message queues, each as a scenario that shows
   it beside the one that gets it right; docs/bugs.md lists them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "support/test.h"
#include "support/world.h"

enum { YAML_MAX = 2048, WORKERS_MAX = 64, MESSAGES_MAX = 20000 };

/* ---- what is counted ------------------------------------------------------------------------- */

/* What became of the messages, and above all of those from one group of clients. */
struct log {
    uint32_t consumers, watched; /* indices of populations */
    uint16_t api;
    uint64_t watched_key; /* of the last of these messages */
    uint32_t deliveries, crashes, dead, succeeded, lost;
    uint32_t watched_deliveries, watched_receives, watched_dead;
    uint8_t reason; /* of the last death */
    uint32_t executions;
    bool struck[WORKERS_MAX];        /* workers that had a message of these in hand */
    int64_t in_queue, most_in_queue; /* messages that are not done */
    storm_time since;                /* most_in_queue counts from here on */
    uint32_t most_back;              /* in one instant, by a crash */
    storm_time back_at;
    uint32_t back;
};

static void hear_delivered(struct log *log, const struct storm_fact *fact) {
    log->deliveries++;
    if (fact->parent == log->watched_key) {
        assert_true(fact->member < WORKERS_MAX);
        log->watched_deliveries++;
        log->watched_receives = fact->attempts;
        log->struck[fact->member] = true;
    }
}

static void hear_returned(struct log *log, const struct storm_fact *fact) {
    if (fact->level != STORM_RETURN_CRASHED)
        return;
    log->back = fact->time == log->back_at ? log->back + 1 : 1;
    log->back_at = fact->time;
    log->crashes++;
    if (log->back > log->most_back)
        log->most_back = log->back;
}

static void hear_end(struct log *log, const struct storm_fact *fact) {
    bool is_dead = fact->kind == STORM_FACT_DEAD;
    log->in_queue--;
    *(is_dead ? &log->dead : &log->succeeded) += 1;
    if (is_dead)
        log->reason = fact->reason;
    log->watched_dead += is_dead && fact->key == log->watched_key;
}

static void hear_born(struct log *log, const struct storm_fact *fact) {
    if (fact->origin == log->watched)
        log->watched_key = fact->key;
    log->in_queue++;
    if (fact->time >= log->since && log->in_queue > log->most_in_queue)
        log->most_in_queue = log->in_queue;
}

static void hear(void *context, const struct storm_fact *fact) {
    struct log *log = context;
    bool is_consumers = fact->place == log->consumers;
    log->executions += fact->kind == STORM_FACT_SERVED && fact->place == log->api;
    if (is_consumers && fact->kind == STORM_FACT_BORN)
        hear_born(log, fact);
    if (is_consumers && (fact->kind == STORM_FACT_SUCCEEDED || fact->kind == STORM_FACT_DEAD))
        hear_end(log, fact);
    if (fact->kind == STORM_FACT_DELIVERED)
        hear_delivered(log, fact);
    if (fact->kind == STORM_FACT_RETURNED)
        hear_returned(log, fact);
}

/* The consumers are "workers", the watched clients "bad", where there are any, and the service
   whose work is counted "api". */
static struct log live(const char *yaml, storm_time since) {
    struct world_case world = world_write(yaml);
    struct log log = {.watched = STORM_NONE, .since = since, .back_at = -1};
    log.api = (uint16_t)world_service(&world, "api");
    for (uint32_t i = 0; i < world.scenario->population_count; i++) {
        const char *name = world.scenario->populations[i].name;
        log.consumers = strcmp(name, "workers") == 0 ? i : log.consumers;
        log.watched = strcmp(name, "bad") == 0 ? i : log.watched;
    }
    world_live(&world, 1, 0, &(struct storm_listener){hear, &log});
    world_free(&world);
    return log;
}

/* ---- messages that crash whoever handles them ------------------------------------------------ */

/* Ten workers, a stream of healthy messages, and one, after 10 s, that no process survives. */
static struct log with_a_killer(const char *queue) {
    char yaml[YAML_MAX];
    world_print(yaml, sizeof yaml,
                "version: 1\nduration: 10m\n"
                "policies: {once: {delay: no-retry}}\n"
                "services: {api: {workers: unlimited, service_time: 100ms}}\n"
                "queues: {orders: {%s}}\n"
                "consumers: {workers: {from: orders, count: 10, restart_time: 10s, "
                "calls: {to: api, retry: once}}}\n"
                "clients:\n"
                "  shop: {count: 10, arrivals: {even: 1/s}, calls: {to: orders, retry: once}}\n"
                "  bad: {count: 1, arrivals: {at: 10s}, message: {lethal: 100%%}, "
                "calls: {to: orders, retry: once}}\n",
                queue);
    return live(yaml, 0);
}

static uint32_t workers_struck(const struct log *log) {
    uint32_t count = 0;
    for (int i = 0; i < WORKERS_MAX; i++)
        count += log->struck[i];
    return count;
}

static void a_crashed_consumer_counts_nothing_if_only_failures_count(void **state) {
    (void)state;
    struct log log = with_a_killer("max_receives: 5, count_on: failures");
    print_message("counted when it fails: %u deliveries, %u of 10 workers crashed\n",
                  log.watched_deliveries, workers_struck(&log));
    assert_true(log.watched_deliveries > 300 && workers_struck(&log) == 10);
    assert_int_equal(log.watched_dead, 0);
    log = with_a_killer("max_receives: 5, count_on: deliveries");
    assert_int_equal(log.watched_deliveries, 5);
    assert_int_equal(workers_struck(&log), 5);
    assert_int_equal(log.watched_dead, 1);
    assert_int_equal(log.reason, STORM_REASON_RECEIVES);
    assert_true(log.succeeded >= 598);
}

/* The queue says with each delivery how often there was one, and after the third it is enough. */
static void a_limit_on_receives_is_reached_and_without_one_it_never_ends(void **state) {
    (void)state;
    struct log log = with_a_killer("max_receives: 3");
    assert_int_equal(log.watched_deliveries, 3);
    assert_int_equal(log.watched_receives, 3);
    assert_int_equal(log.watched_dead, 1);
    log = with_a_killer("visibility: 30s");
    assert_true(log.watched_deliveries > 300);
    assert_int_equal(log.watched_receives, log.watched_deliveries);
    assert_int_equal(log.watched_dead, 0);
}

/* ---- countdowns and visibility --------------------------------------------------------------- */

/* A job that fails in the first five and a half hours, and is tried again 6 h after a failure. */
static struct log with_a_countdown(const char *visibility, const char *retries) {
    char yaml[YAML_MAX];
    world_print(
        yaml, sizeof yaml,
        "version: 1\nduration: 24h\n"
        "policies: {later: {delay: fixed, base: 6h, attempts: 2}}\n"
        "services: {api: {workers: unlimited, service_time: 100ms}}\n"
        "queues: {orders: {visibility: %s}}\n"
        "consumers: {workers: {from: orders, count: 20, retries: %s, "
        "calls: {to: api, retry: later}}}\n"
        "clients: {shop: {count: 1, arrivals: {at: 1s}, calls: {to: orders, retry: later}}}\n"
        "faults: [{service: api, kind: errors, share: 100%%, status: 503, at: 0s, "
        "for: 330m}]\n",
        visibility, retries);
    return live(yaml, 0);
}

/* Each hour the queue gives the job to one more worker, who knows nothing of the others. */
static void a_countdown_beyond_the_visibility_copies_the_job_once_an_hour(void **state) {
    (void)state;
    struct log log = with_a_countdown("1h", "in_place");
    uint32_t done = log.executions - 6; /* the first try of each of the first six has failed */
    print_message("countdown 6 h, visibility 1 h: %u deliveries, the job is done %u times\n",
                  log.deliveries, done);
    assert_int_equal(log.deliveries, 7);
    assert_int_equal(done, 7);
    assert_int_equal(log.succeeded, 1);
    log = with_a_countdown("7h", "in_place"); /* the lease outlives the countdown */
    assert_int_equal(log.deliveries, 1);
    assert_int_equal(log.executions, 2);
    log = with_a_countdown("1h", "requeue"); /* the countdown is the queue's own */
    assert_int_equal(log.deliveries, 2);
    assert_int_equal(log.executions, 2);
    assert_int_equal(log.succeeded, 1);
}

/* ---- prefetch -------------------------------------------------------------------------------- */

/* One worker, and a message that crashes it as the second of many. */
static struct log with_prefetch(uint32_t prefetch, uint32_t receives) {
    char yaml[YAML_MAX];
    world_print(yaml, sizeof yaml,
                "version: 1\nduration: 5m\n"
                "policies: {once: {delay: no-retry}}\n"
                "services: {api: {workers: unlimited, service_time: 100ms}}\n"
                "queues: {orders: {visibility: none, max_receives: %u}}\n"
                "consumers: {workers: {from: orders, count: 1, prefetch: %u, restart_time: 5s, "
                "calls: {to: api, retry: once}}}\n"
                "clients:\n"
                "  first: {count: 1, arrivals: {at: 1s}, calls: {to: orders, retry: once}}\n"
                "  bad: {count: 1, arrivals: {at: 1010ms}, message: {lethal: 100%%}, "
                "calls: {to: orders, retry: once}}\n"
                "  rest: {count: 50, arrivals: {at: 1020ms}, calls: {to: orders, retry: once}}\n",
                receives, prefetch);
    return live(yaml, 0);
}

static void neighbours_in_a_crashed_hand_lose_a_delivery_each(void **state) {
    (void)state;
    static const uint32_t hands[] = {1, 2, 5, 20};
    for (int i = 0; i < 4; i++) {
        struct log log = with_prefetch(hands[i], 1);
        assert_int_equal(log.dead, hands[i]); /* the message itself, and all that were beside it */
        assert_int_equal(log.succeeded, 52 - hands[i]);
        assert_int_equal(log.reason, STORM_REASON_RECEIVES);
        log = with_prefetch(hands[i], 3);
        assert_int_equal(log.most_back, hands[i]);
        assert_int_equal(log.watched_deliveries, 3);
    }
}

/* ---- replays --------------------------------------------------------------------------------- */

enum { LETTERS = 5000 };

/* 5,000 dead letters of an hour's fault are put back, into a consumer that handles 50/s. */
static struct log with_a_replay(const char *at, const char *pace, storm_time since) {
    char yaml[YAML_MAX];
    world_print(
        yaml, sizeof yaml,
        "version: 1\nduration: 3h\n"
        "policies: {once: {delay: no-retry}}\n"
        "services: {api: {workers: unlimited, service_time: 100ms}}\n"
        "queues: {orders: {max_receives: 1}}\n"
        "consumers: {workers: {from: orders, count: 5, calls: {to: api, retry: once}}}\n"
        "clients: {shop: {count: 5000, arrivals: {at: 0s, spread: 10m}, "
        "calls: {to: orders, retry: once}}}\n"
        "faults: [{service: api, kind: errors, share: 100%%, status: 503, at: 0s, for: 1h}]\n"
        "actions: [{at: %s, replay: workers%s}]\n",
        at, pace);
    return live(yaml, since);
}

static void an_unpaced_redrive_is_a_backlog_of_all_letters_at_once(void **state) {
    (void)state;
    static const storm_time minute = 60 * STORM_SECOND;
    struct log log = with_a_replay("30m", "", 30 * minute); /* the fault lasts */
    assert_int_equal(log.dead, 2 * LETTERS);
    assert_int_equal(log.succeeded, 0);
    log = with_a_replay("90m", "", 90 * minute);
    assert_int_equal(log.dead, LETTERS);
    assert_int_equal(log.succeeded, LETTERS);
    assert_int_equal(log.most_in_queue, LETTERS);
    log = with_a_replay("90m", ", rate: 40/s", 90 * minute);
    assert_int_equal(log.succeeded, LETTERS);
    assert_true(log.most_in_queue <= 5);
}

/* ---- budgets over deliveries ----------------------------------------------------------------- */

/* One message each 20 s, whose first try is always refused. How many of them a budget lets die. */
static double dead_with(const char *retries, const char *budget) {
    char text[YAML_MAX];
    world_print(text, sizeof text,
                "version: 1\nduration: 600s\n"
                "clients: {c: {count: 1, arrivals: {every: 20s, spread: even}, "
                "calls: {to: q, timeout: 1s}}}\n"
                "queues: {q: {}}\n"
                "consumers: {w: {from: q, count: 1, retries: %s, calls: {to: db, timeout: 1s, "
                "retry: {delay: fixed, base: 3s, attempts: 4, budget: %s}}}}\n"
                "services: {db: {workers: 1, service_time: 10ms}}\n"
                "faults: [{service: db, kind: down, at: 0s, for: 1s, every: 20s}]\n",
                retries, budget);
    struct world_case world = world_write(text);
    world_live(&world, 1, 0, NULL);
    double dead = world_metric(&world, "dead_letters");
    world_free(&world);
    return dead;
}

/* Where the retries wait is no matter to what they cost: a success gives its price back, and a
   later delivery is no new request. */
static void a_budget_counts_over_deliveries_as_it_does_in_place(void **state) {
    (void)state;
    static const struct {
        const char *budget;
        double dead;
    } cases[] = {{"{kind: cost, capacity: 10, cost: 5, refill: 0}", 0},
                 {"{kind: window, ratio: 0.5, reserve: 0/s, ttl: 1000s}", 15}};
    for (size_t i = 0; i < 2; i++) {
        assert_true(dead_with("in_place", cases[i].budget) == cases[i].dead);
        assert_true(dead_with("requeue", cases[i].budget) == cases[i].dead);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crashed_consumer_counts_nothing_if_only_failures_count),
        cmocka_unit_test(a_limit_on_receives_is_reached_and_without_one_it_never_ends),
        cmocka_unit_test(a_countdown_beyond_the_visibility_copies_the_job_once_an_hour),
        cmocka_unit_test(neighbours_in_a_crashed_hand_lose_a_delivery_each),
        cmocka_unit_test(an_unpaced_redrive_is_a_backlog_of_all_letters_at_once),
        cmocka_unit_test(a_budget_counts_over_deliveries_as_it_does_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
