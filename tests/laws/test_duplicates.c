/* test_duplicates.c: how often what was ordered is done: the four sources of duplicates against
   what they must come to, and one law for a service that stores what it has done.

   Facts are recounted here: which orders had how many effects is worked out from the effects' own
   orders, not from the numbers that they are told with. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/rank.h"
#include "base/stream.h"
#include "support/test.h"
#include "support/world.h"

enum { YAML_MAX = 4096, CAUSES = STORM_EFFECT_UNKEYED + 1 };

/* Orders by the keys of their first copies' requests. */
struct orders {
    uint64_t *keys;
    size_t count, room;
};

/* What was heard of one run about the service "api" and the first clients. */
struct tally {
    uint16_t api;
    uint64_t seed;
    uint64_t answered, suppressed, merged;
    uint64_t by_cause[CAUSES];
    uint64_t told_most;     /* the highest number that an effect was told with */
    struct orders effects;  /* each whose it was */
    struct orders promised; /* orders of which a client was told that they are done */
    uint32_t rank;          /* of the clients, by which their requests are keyed */
    uint64_t empty;         /* of those, without an effect */
};

static void add_order(struct orders *orders, uint64_t key) {
    if (orders->count == orders->room) {
        orders->room = orders->room > 0 ? 2 * orders->room : 1024;
        orders->keys = realloc(orders->keys, orders->room * sizeof *orders->keys);
        assert_non_null(orders->keys);
    }
    orders->keys[orders->count++] = key;
}

static void hear_effect(struct tally *t, const struct storm_fact *fact) {
    assert_true(fact->place == t->api && fact->level < CAUSES);
    assert_true((fact->level == STORM_EFFECT_FIRST) == (fact->attempts == 1));
    add_order(&t->effects, fact->parent);
    t->by_cause[fact->level]++;
    t->told_most = fact->attempts > t->told_most ? fact->attempts : t->told_most;
}

static void hear(void *context, const struct storm_fact *fact) {
    struct tally *t = context;
    bool is_here = fact->place == t->api;
    if (fact->kind == STORM_FACT_SUCCEEDED && fact->place == 0) {
        add_order(&t->promised, stream_request(t->seed, 0, t->rank, fact->member, fact->ordinal));
    } else if (fact->kind == STORM_FACT_SERVED && is_here) {
        t->answered += fact->status == STORM_OUTCOME_OK;
    } else if (fact->kind == STORM_FACT_SUPPRESSED && is_here) {
        t->suppressed++;
        t->merged += fact->level;
    } else if (fact->kind == STORM_FACT_EFFECT) {
        hear_effect(t, fact);
    }
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* How many orders had an effect, and how many the most frequent one had. Sorts them. */
static uint64_t count_orders(struct orders *orders, uint64_t *most) {
    uint64_t different = 0, row = 0;
    *most = 0;
    qsort(orders->keys, orders->count, sizeof *orders->keys, compare);
    for (size_t i = 0; i < orders->count; i++) {
        bool is_new = i == 0 || orders->keys[i] != orders->keys[i - 1];
        different += is_new;
        row = is_new ? 1 : row + 1;
        *most = row > *most ? row : *most;
    }
    return different;
}

static uint64_t count_empty(const struct tally *t) {
    uint64_t empty = 0;
    for (size_t i = 0; i < t->promised.count; i++) {
        empty += bsearch(&t->promised.keys[i], t->effects.keys, t->effects.count,
                         sizeof *t->effects.keys, compare) == NULL;
    }
    return empty;
}

/* One run, whose books must agree: effects are what was answered well, each order has one first
   effect, and the recorder counts as we do. Only the counts of orders are given back. */
static struct tally run(const char *yaml, uint64_t seed) {
    struct world_case world = world_write(yaml);
    struct tally t = {.api = (uint16_t)world_service(&world, "api"),
                      .seed = seed,
                      .rank = rank_of_population(world.scenario, 0)};
    struct storm_listener listener = {hear, &t};
    uint64_t most;
    world_live(&world, seed, 0, &listener);
    size_t count = t.effects.count;
    assert_true(count > 0 && t.promised.count > 0);
    uint64_t orders = count_orders(&t.effects, &most);
    t.empty = count_empty(&t);
    assert_true(count == t.answered);
    assert_true(orders == t.by_cause[STORM_EFFECT_FIRST] && most == t.told_most);
    assert_true(world_metric(&world, "effects.api") == (double)count);
    assert_true(world_metric(&world, "duplicates.api") == (double)(count - orders));
    assert_true(world_metric(&world, "duplicates_suppressed.api") ==
                (double)(t.suppressed - t.merged));
    assert_true(world_metric(&world, "wrongly_merged.api") == (double)t.merged);
    free(t.effects.keys);
    free(t.promised.keys);
    t.effects.keys = t.promised.keys = NULL;
    world_free(&world);
    return t;
}

/* So many effects for the first time and so many more for that cause, none for another, and so many
   duplicates kept out, `merged` of them requests of their own: their clients were told of a success
   that never was. */
static void expect(const char *yaml, uint64_t first, uint64_t more, enum storm_effect cause,
                   uint64_t suppressed, uint64_t merged) {
    struct tally t = run(yaml, 1);
    assert_int_equal(t.by_cause[STORM_EFFECT_FIRST], first);
    assert_int_equal(t.effects.count, first + more);
    assert_true(more == 0 || t.by_cause[cause] == more);
    assert_int_equal(t.suppressed, suppressed);
    assert_int_equal(t.merged, merged);
    assert_int_equal(t.empty, merged);
}

/* `sum` of `count` independent draws of that mean and variance: within four standard errors. */
static void expect_mean(double sum, double count, double mean, double variance) {
    double z = (sum / count - mean) / sqrt(variance / count);
    if (!(fabs(z) < 4)) {
        fail_msg("%.6f instead of %.6f: z = %.2f", sum / count, mean, z);
    }
}

/* ---- retries after lost replies -------------------------------------------------------------- */

/* Each message is lost with probability q in each direction, and retried until an answer comes. Of
   the attempts that arrive all but the last are those whose answer was lost: a geometric law. */
static const char lossy[] =
    "version: 1\n"
    "title: lost replies\n"
    "duration: 5m\n"
    "policies:\n"
    "  app: {delay: fixed, base: 100ms, attempts: unlimited}\n"
    "clients:\n"
    "  shop:\n"
    "    count: 20000\n"
    "    arrivals: {at: 1s}\n"
    "    calls: {to: api, timeout: 1s, network: {constant: 1ms}, loss: %g%%, retry: app}\n"
    "services:\n"
    "  api: {workers: unlimited, service_time: 10ms, idempotency: %s}\n";

static void lost_replies_multiply_effects_as_a_geometric_law(void **state) {
    (void)state;
    static const double losses[] = {0.01, 0.1, 0.3};
    for (size_t i = 0; i < 3; i++) {
        char yaml[YAML_MAX];
        double q = losses[i], variance = q / ((1 - q) * (1 - q));
        world_print(yaml, sizeof yaml, lossy, 100 * q, "none");
        struct tally open = run(yaml, i);
        assert_true(open.by_cause[STORM_EFFECT_FIRST] == 20000 && open.promised.count == 20000);
        assert_true(open.effects.count == 20000 + open.by_cause[STORM_EFFECT_REPEATED]);
        expect_mean((double)open.effects.count, 20000, 1 / (1 - q), variance);
        world_print(yaml, sizeof yaml, lossy, 100 * q, "store_and_return");
        struct tally stored = run(yaml, i);
        assert_true(stored.effects.count == 20000 && stored.promised.count == 20000);
        /* the same luck: what was done again there is answered from the store here */
        assert_true(stored.suppressed == open.effects.count - 20000);
    }
}

/* ---- the gap between look and note ----------------------------------------------------------- */

/* The second copy comes T after the first; work takes an exponential time of mean s. */
static const char racing[] =
    "version: 1\n"
    "title: a race\n"
    "duration: 2m\n"
    "policies:\n"
    "  app: {delay: no-backoff, attempts: 2}\n"
    "clients:\n"
    "  shop: {count: 20000, arrivals: {at: 1s}, calls: {to: api, timeout: %ums, retry: app}}\n"
    "services:\n"
    "  api:\n"
    "    workers: unlimited\n"
    "    service_time: {exponential: 100ms}\n"
    "    idempotency: {mode: %s, in_progress: %s}\n";

static void
who_comes_while_the_first_works_slips_through_with_chance_exp_minus_t_over_s(void **state) {
    (void)state;
    static const unsigned timeouts[] = {20, 100, 300};
    for (size_t i = 0; i < 3; i++) {
        char yaml[YAML_MAX];
        double p = exp(-(double)timeouts[i] / 100);
        world_print(yaml, sizeof yaml, racing, timeouts[i], "check_then_insert", "wait");
        struct tally t = run(yaml, i);
        assert_true(t.by_cause[STORM_EFFECT_FIRST] == 20000 && t.suppressed == 0);
        assert_true(t.by_cause[STORM_EFFECT_SLIPPED] == t.effects.count - 20000);
        expect_mean((double)(t.effects.count - 20000), 20000, p, p * (1 - p));
    }
}

/* The same copies at a service that notes before it works: whether the second waits or is told of
   the conflict, nothing is done twice; but who is told gives up what is about to succeed. */
static void noting_first_closes_the_gap(void **state) {
    (void)state;
    char yaml[YAML_MAX];
    world_print(yaml, sizeof yaml, racing, 100U, "store_and_return", "wait");
    struct tally waits = run(yaml, 1);
    world_print(yaml, sizeof yaml, racing, 100U, "store_and_return", "409");
    struct tally told = run(yaml, 1);
    assert_true(waits.effects.count == 20000 && told.effects.count == 20000);
    assert_true(waits.suppressed == told.suppressed);
    /* in time: the first copy within T; or else, if the second waits, the first within 2 T */
    expect_mean((double)told.promised.count, 20000, 1 - exp(-1), exp(-1) * (1 - exp(-1)));
    expect_mean((double)waits.promised.count, 20000, 1 - exp(-2), exp(-2) * (1 - exp(-2)));
}

/* ---- redeliveries ---------------------------------------------------------------------------- */

/* Work takes an exponential time of mean s, and a message is handed out again whenever it has not
   been handled for s. */
static const char leased[] = "version: 1\n"
                             "title: redeliveries\n"
                             "duration: 2m\n"
                             "clients:\n"
                             "  shop: {count: 20000, arrivals: {at: 1s}, calls: {to: orders}}\n"
                             "queues:\n"
                             "  orders: {visibility: 100ms}\n"
                             "consumers:\n"
                             "  workers: {from: orders, count: 100000, retries: lease, calls: {to: "
                             "api}}\n"
                             "services:\n"
                             "  api:\n"
                             "    workers: unlimited\n"
                             "    service_time: {exponential: 100ms}\n"
                             "    idempotency: %s\n";

/* Delivery k + 1 happens unless one of the k before it is done by then: the first has had k s, the
   second k - 1: with chance exp(-k (k + 1) / 2). */
static void redeliveries_follow_the_lives_of_those_before_them(void **state) {
    (void)state;
    char yaml[YAML_MAX];
    double mean = 0, square = 0;
    for (int k = 0; k < 20; k++) {
        double chance = exp(-k * (k + 1) / 2.0);
        mean += chance;
        square += (2 * k + 1) * chance;
    }
    world_print(yaml, sizeof yaml, leased, "none");
    struct tally open = run(yaml, 1);
    assert_true(open.by_cause[STORM_EFFECT_FIRST] == 20000);
    expect_mean((double)open.effects.count, 20000, mean, square - mean * mean);
    world_print(yaml, sizeof yaml, leased, "check_then_insert");
    struct tally gap = run(yaml, 1);
    assert_true(gap.effects.count ==
                open.effects.count); /* they are all looked up while the first works */
    world_print(yaml, sizeof yaml, leased, "store_and_return");
    struct tally stored = run(yaml, 1);
    assert_true(stored.effects.count == 20000 && stored.suppressed > 0);
}

/* ---- resends, reruns, and what is forgotten -------------------------------------------------- */

/* A thousand orders, one a second; then, at 30 min, an action. */
static const char batch[] = "version: 1\n"
                            "title: a batch\n"
                            "duration: 1h\n"
                            "clients:\n"
                            "  shop: {count: 10, arrivals: {even: 1/s}, calls: {to: api}}\n"
                            "services:\n"
                            "  api: {workers: unlimited, service_time: 100ms, idempotency: {%s}}\n"
                            "actions:\n"
                            "  - {at: 999.5s, pause: shop}\n"
                            "  - {at: 30m, %s}\n";

static void expect_batch(const char *idempotency, const char *action, uint64_t more,
                         enum storm_effect cause, uint64_t suppressed) {
    char yaml[YAML_MAX];
    world_print(yaml, sizeof yaml, batch, idempotency, action);
    expect(yaml, 1000, more, cause, suppressed, 0);
}

static void a_resend_repeats_what_it_sends_unless_the_order_has_a_number(void **state) {
    (void)state;
    static const char *const resend = "resend: shop, limit: 100, rate: 10/s";
    expect_batch("mode: none", resend, 100, STORM_EFFECT_REPEATED, 0);
    expect_batch("key: msg_id", resend, 100, STORM_EFFECT_UNKEYED, 0);
    expect_batch("key: order_no", resend, 0, STORM_EFFECT_FIRST, 100);
    expect_batch("key: order_no, mode: reject_409", resend, 0, STORM_EFFECT_FIRST, 100);
    expect_batch("key: sender+number", resend, 0, STORM_EFFECT_FIRST, 100);
}

static void a_rerun_repeats_everything_since_its_checkpoint(void **state) {
    (void)state;
    expect_batch("mode: none", "rerun: shop", 1000, STORM_EFFECT_REPEATED, 0);
    expect_batch("mode: none", "rerun: shop, checkpoint: 300", 100, STORM_EFFECT_REPEATED, 0);
    expect_batch("key: order_no", "rerun: shop", 0, STORM_EFFECT_FIRST, 1000);
    expect_batch("key: order_no", "rerun: shop, checkpoint: 300", 0, STORM_EFFECT_FIRST, 100);
}

/* Order k is done at k + 0.1 s and comes again at 1800 s: it is known if that is less than the
   retention. */
static void a_retention_must_outlast_the_sender(void **state) {
    (void)state;
    for (unsigned age = 800; age <= 1900; age += 137) {
        char idempotency[80];
        uint64_t purged = age >= 1800 ? 0 : age <= 800 ? 1000 : 1800 - age;
        world_print(idempotency, sizeof idempotency, "key: order_no, retention: %us", age);
        expect_batch(idempotency, "rerun: shop", purged, STORM_EFFECT_PURGED, 1000 - purged);
    }
}

/* One key too few, and a rerun finds none of them: what it repeats pushes out what comes next. */
static void one_key_too_few_is_as_bad_as_none(void **state) {
    (void)state;
    static const char *const rerun = "rerun: shop, rate: 1/s";
    expect_batch("key: order_no, retention_count: 1000", rerun, 0, STORM_EFFECT_FIRST, 1000);
    expect_batch("key: order_no, retention_count: 999", rerun, 1000, STORM_EFFECT_PURGED, 0);
    expect_batch("key: order_no, retention_count: 1", rerun, 1000, STORM_EFFECT_PURGED, 0);
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Each of ten senders counts from 0 to 23, an order an hour, for three days. */
static const char days[] = "version: 1\n"
                           "title: three days\n"
                           "duration: 3d\n"
                           "clients:\n"
                           "  shop: {count: 10, arrivals: {even: 10/h}, calls: {to: api}}\n"
                           "services:\n"
                           "  api:\n"
                           "    workers: unlimited\n"
                           "    service_time: 100ms\n"
                           "    idempotency: {key: %s, numbers: %u}\n";

static void a_number_that_comes_again_swallows_orders_unless_the_day_is_in_the_key(void **state) {
    (void)state;
    char yaml[YAML_MAX];
    world_print(yaml, sizeof yaml, days, "sender+number", 24U);
    expect(yaml, 240, 0, STORM_EFFECT_FIRST, 480, 480);
    world_print(yaml, sizeof yaml, days, "sender+number+day", 24U);
    expect(yaml, 720, 0, STORM_EFFECT_FIRST, 0, 0);
    world_print(yaml, sizeof yaml, days, "sender+number+day", 12U);
    expect(yaml, 360, 0, STORM_EFFECT_FIRST, 360, 360);
    world_print(yaml, sizeof yaml, days, "sender+number", 72U);
    expect(yaml, 720, 0, STORM_EFFECT_FIRST, 0, 0);
}

/* ---- the law --------------------------------------------------------------------------------- */

/* Everything at once: lost messages, impatient producers and workers, redeliveries, errors, an
   outage that resets and one that swallows, poison, a resend, a rerun, and replays for ever. */
static const char storm[] =
    "version: 1\n"
    "title: everything\n"
    "duration: 2m\n"
    "policies:\n"
    "  app: {delay: full-jitter, base: 200ms, cap: 2s, attempts: 4}\n"
    "  fast: {delay: no-backoff, attempts: 3}\n"
    "clients:\n"
    "  shop:\n"
    "    count: 50\n"
    "    arrivals: {poisson: 40/s}\n"
    "    calls: {to: api, timeout: 150ms, network: {constant: 5ms}, loss: 3%%, retry: app%s}\n"
    "    message: {poison: 1%%}\n"
    "    auto_replay: 20s\n"
    "  mail: {count: 20, arrivals: {poisson: 10/s}, calls: {to: orders, timeout: 1s,\n"
    "         network: {constant: 5ms}, loss: 5%%, retry: fast}}\n"
    "queues:\n"
    "  orders: {visibility: 300ms, max_receives: 8}\n"
    "consumers:\n"
    "  workers: {from: orders, count: 10, retries: %s, calls: {to: api, timeout: 250ms,\n"
    "            network: {constant: 5ms}, loss: 2%%, retry: fast}}\n"
    "services:\n"
    "  api:\n"
    "    workers: 8\n"
    "    service_time: {exponential: 80ms}\n"
    "    queue: {limit: 60}\n"
    "    errors: {500: 5%%}\n"
    "    idempotency: {mode: %s, key: order_no, in_progress: %s}\n"
    "faults:\n"
    "  - {service: api, kind: down, at: 20s, for: 3s}\n"
    "  - {service: api, kind: hang, at: 40s, for: 3s}\n"
    "  - {service: api, kind: slow, factor: 3, at: 60s, for: 5s}\n"
    "actions:\n"
    "  - {at: 70s, resend: shop, limit: 200, rate: 50/s}\n"
    "  - {at: 80s, rerun: mail, checkpoint: 100}\n";

static struct tally run_storm(const char *mode, const char *in_progress, uint64_t seed) {
    static const char *const cancels[] = {"", ", cancel: waiting", ", cancel: all",
                                          ", late_reply: accept"};
    static const char *const retries[] = {"in_place", "requeue", "lease"};
    char yaml[YAML_MAX];
    world_print(yaml, sizeof yaml, storm, cancels[seed % 4], retries[seed % 3], mode, in_progress);
    return run(yaml, seed);
}

/* However they come: what is noted before the work, and kept, is done once. And nobody is told of a
   success that never was. */
static void whatever_happens_a_store_without_an_end_lets_nothing_happen_twice(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 24; seed++) {
        const char *mode = seed % 2 ? "store_and_return" : "reject_409";
        struct tally t = run_storm(mode, seed % 5 < 3 ? "wait" : "409", seed);
        assert_true(t.by_cause[STORM_EFFECT_FIRST] == t.effects.count);
        assert_true(t.suppressed > 100 && t.merged == 0 && t.empty == 0);
    }
}

/* The same worlds are full of duplicates without it, and of others with a gap. */
static void the_same_worlds_are_full_of_duplicates_without_one(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct tally open = run_storm("none", "wait", seed);
        assert_true(open.by_cause[STORM_EFFECT_REPEATED] > 100 && open.suppressed == 0);
        struct tally gap = run_storm("check_then_insert", "wait", seed);
        assert_true(gap.by_cause[STORM_EFFECT_SLIPPED] > 0 && gap.suppressed > 100);
        assert_true(gap.by_cause[STORM_EFFECT_SLIPPED] == gap.effects.count - gap.by_cause[0]);
        assert_true(gap.by_cause[STORM_EFFECT_SLIPPED] < open.by_cause[STORM_EFFECT_REPEATED]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_replies_multiply_effects_as_a_geometric_law),
        cmocka_unit_test(
            who_comes_while_the_first_works_slips_through_with_chance_exp_minus_t_over_s),
        cmocka_unit_test(noting_first_closes_the_gap),
        cmocka_unit_test(redeliveries_follow_the_lives_of_those_before_them),
        cmocka_unit_test(a_resend_repeats_what_it_sends_unless_the_order_has_a_number),
        cmocka_unit_test(a_rerun_repeats_everything_since_its_checkpoint),
        cmocka_unit_test(a_retention_must_outlast_the_sender),
        cmocka_unit_test(one_key_too_few_is_as_bad_as_none),
        cmocka_unit_test(a_number_that_comes_again_swallows_orders_unless_the_day_is_in_the_key),
        cmocka_unit_test(whatever_happens_a_store_without_an_end_lets_nothing_happen_twice),
        cmocka_unit_test(the_same_worlds_are_full_of_duplicates_without_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
