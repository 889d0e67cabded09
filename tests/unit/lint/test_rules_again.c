/* test_rules_again.c: the rules about queues, brakes and what is sent again: each by a change to a
   scenario that none of them has anything to say about. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "lint/lint.h"
#include "support/test.h"

static const char base[] =
    "version: 1\n"
    "duration: 5m\n"
    "policies: {app: {delay: full-jitter, base: 100ms, attempts: 4}, own: {delay: full-jitter}}\n"
    "clients:\n"
    "  shop: {count: 100, arrivals: {poisson: 20/s}, calls: {to: orders, timeout: 1s, retry: "
    "app}}\n"
    "  web: {count: 100, arrivals: {poisson: 20/s}, calls: {to: api, timeout: 1s, retry: own}}\n"
    "services:\n"
    "  api: {workers: 8, service_time: 20ms, queue: {limit: 60}, rate_limit: {rate: 500/s}}\n"
    "queues:\n"
    "  orders: {visibility: 60s, max_receives: 5}\n"
    "consumers:\n"
    "  workers: {from: orders, count: 20, calls: {to: api, timeout: 2s, retry: app}}\n"
    "actions:\n"
    "  - {at: 1m, replay: shop, rate: 20/s}\n";

enum { SETS_MAX = 4 };

/* What the settings make a rule say; NULL: it is silent. */
struct change {
    const char *id, *message;
    struct storm_override sets[SETS_MAX];
};

static const char *message_of(const struct lint_findings *findings, const char *id) {
    for (size_t i = 0; i < findings->count; i++) {
        if (strcmp(findings->list[i].rule->id, id) == 0) {
            return findings->list[i].message;
        }
    }
    return NULL;
}

static void check(struct storm_document *document, const struct change *change) {
    struct storm_errors errors = {.count = 0};
    struct lint_findings findings;
    struct arena arena;
    size_t count = 0;
    while (count < SETS_MAX && change->sets[count].path != NULL) {
        count++;
    }
    const struct storm_scenario *scenario =
        storm_document_decode(document, NULL, change->sets, count, &errors);
    if (scenario == NULL) {
        fail_msg("%s: %s", errors.list[0].path, errors.list[0].message);
    }
    arena_init(&arena, (size_t)-1);
    assert_true(lint_find(document, NULL, scenario, &arena, &findings));
    const char *message = message_of(&findings, change->id);
    if (change->message == NULL && message != NULL) {
        fail_msg("%s says: %s", change->id, message);
    } else if (change->message != NULL && message == NULL) {
        fail_msg("%s does not say: %s", change->id, change->message);
    } else if (change->message != NULL) {
        assert_string_equal(message, change->message);
    }
    arena_free(&arena);
}

static void check_all(const struct change *changes, size_t count) {
    struct storm_errors errors = {.count = 0};
    struct storm_document *document = storm_document_parse(base, strlen(base), &errors);
    assert_non_null(document);
    for (size_t i = 0; i < count; i++) {
        check(document, &changes[i]);
    }
    storm_document_free(document);
}

#define CHECK_ALL(changes) check_all(changes, sizeof(changes) / sizeof(changes)[0])

static void the_scenario_as_it_stands_is_healthy(void **state) {
    (void)state;
    struct storm_errors errors = {.count = 0};
    struct lint_findings findings;
    struct arena arena;
    struct storm_document *document = storm_document_parse(base, strlen(base), &errors);
    assert_non_null(document);
    const struct storm_scenario *scenario = storm_document_decode(document, NULL, NULL, 0, &errors);
    assert_non_null(scenario);
    arena_init(&arena, (size_t)-1);
    assert_true(lint_find(document, NULL, scenario, &arena, &findings));
    if (findings.count > 0) {
        fail_msg("%s: %s", findings.list[0].rule->id, findings.list[0].message);
    }
    arena_free(&arena);
    storm_document_free(document);
}

static void what_comes_back_to_a_queue_for_ever(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"R016",
         "'workers' never gives up on a message that gets a 400: it holds the worker",
         {{"policies.app.attempts", "unlimited"}, {"policies.app.retry_on", "[400]"}}},
        {"R016", NULL, {{"policies.app.retry_on", "[400]"}}},
        {"R016", NULL, {{"policies.app.attempts", "unlimited"}}},
        {"R016",
         NULL,
         {{"policies.app.attempts", "unlimited"},
          {"policies.app.retry_on", "[400]"},
          {"consumers.workers.retries", "requeue"}}},
        {"R016",
         "'workers' never gives up on a message that gets a 404: it comes back for ever",
         {{"policies.app.retry_on", "[404]"},
          {"consumers.workers.retries", "lease"},
          {"queues.orders.max_receives", "unlimited"}}},
        {"R022",
         "a message that 'workers' cannot handle comes back for ever, and is never a dead letter",
         {{"consumers.workers.retries", "lease"}, {"queues.orders.max_receives", "unlimited"}}},
        {"R022", NULL, {{"queues.orders.max_receives", "unlimited"}}},
        {"R022",
         "a lethal message of 'shop' crashes one of 'workers' after the other: nothing ends its "
         "deliveries",
         {{"clients.shop.message.lethal", "1%"}, {"queues.orders.max_receives", "unlimited"}}},
        {"R022",
         "a lethal message of 'shop' crashes one of 'workers' after the other: deliveries that end "
         "in a crash do not count",
         {{"clients.shop.message.lethal", "1%"}, {"queues.orders.count_on", "failures"}}},
        {"R022", NULL, {{"clients.shop.message.lethal", "1%"}}},
        {"R028", NULL, {{"clients.shop.message.lethal", "1%"}}},
        {"R028",
         "'web' calls a service: its lethal messages crash nobody",
         {{"clients.web.message.lethal", "1%"}}},
    };
    CHECK_ALL(changes);
}

static void what_comes_back_too_soon(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"R017",
         "a message comes back after 8s, but 'workers' may be busy with it for 8.35s",
         {{"queues.orders.visibility", "8s"}}},
        {"R017", NULL, {{"queues.orders.visibility", "9s"}}},
        {"R017", NULL, {{"queues.orders.visibility", "none"}}},
        {"R017",
         "a message comes back after 60s, but 'workers' may be busy with it for 8.35s, and holds "
         "10 "
         "of them",
         {{"consumers.workers.prefetch", "10"}}},
        {"R017",
         NULL,
         {{"queues.orders.visibility", "2s"}, {"consumers.workers.retries", "lease"}}},
        {"R017",
         "a message comes back after 60s, but 'workers' may be busy with it for ever",
         {{"policies.app.attempts", "unlimited"}}},
        {"R018",
         "'workers' puts a message back with a countdown of up to 2m, beyond the visibility of 60s",
         {{"consumers.workers.retries", "requeue"},
          {"policies.app.base", "30s"},
          {"policies.app.cap", "5m"}}},
        {"R018", NULL, {{"consumers.workers.retries", "requeue"}}},
    };
    CHECK_ALL(changes);
}

static void what_is_sent_again(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"R019",
         "all dead letters of 'shop' are sent in one moment",
         {{"actions", "[{at: 1m, replay: shop}]"}}},
        {"R019",
         "up to 500 dead letters of 'workers' are sent in one moment",
         {{"actions", "[{at: 1m, replay: workers, limit: 500}]"}}},
        {"R019", NULL, {{"actions", "[{at: 1m, resend: shop, limit: 500}]"}}},
        {"R020",
         "each dead letter of 'workers' is sent again after 10s, for ever",
         {{"consumers.workers.auto_replay", "10s"}}},
        {"R024",
         "what 'web' sends again at 60s has new msg_ids: 'api' takes all of it for new",
         {{"services.api.idempotency", "{mode: store_and_return}"},
          {"actions", "[{at: 1m, resend: web, limit: 500}]"}}},
        {"R024",
         NULL,
         {{"services.api.idempotency", "{mode: store_and_return, key: order_no}"},
          {"actions", "[{at: 1m, resend: web, limit: 500}]"}}},
        {"R024", NULL, {{"services.api.idempotency", "{mode: store_and_return}"}}},
        {"R025",
         "'api' forgets a request after 8s, but 'workers' may try it again for 8.35s",
         {{"services.api.idempotency", "{mode: reject_409, retention: 8s}"}}},
        {"R025", NULL, {{"services.api.idempotency", "{mode: reject_409, retention: 9s}"}}},
        {"R025", NULL, {{"services.api.idempotency", "{mode: none, retention: 1s}"}}},
        {"R027",
         "up to 3 copies of one attempt of 'web' are worked on by 'api', which does not know them "
         "for copies",
         {{"policies.own.hedge", "{after: 100ms, attempts: 3}"}}},
        {"R027",
         NULL,
         {{"policies.own.hedge", "{after: 100ms, attempts: 3}"},
          {"services.api.idempotency", "store_and_return"}}},
    };
    CHECK_ALL(changes);
}

static void brakes_that_do_not_brake(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"R021",
         "the budget of 'own' never binds: each request brings in more retries than it can make",
         {{"policies.own.budget", "{kind: window, ratio: 3}"}}},
        {"R021", NULL, {{"policies.own.budget", "{kind: window, ratio: 0.2}"}}},
        {"R021",
         "the budget of 'own' never binds: any number of retries may be under way",
         {{"policies.own.budget", "{kind: concurrency, most: unlimited}"}}},
        {"R021", NULL, {{"policies.own.budget", "{kind: concurrency, most: 3}"}}},
        {"R021",
         "the budget of 'own' never binds: a client has one call at a time, so never more than one "
         "retry under way",
         {{"policies.own.budget", "{kind: concurrency, most: 3}"},
          {"clients.web.arrivals", "{closed: {think: 1s}}"}}},
        {"R021",
         NULL,
         {{"policies.own.budget", "{kind: concurrency, most: 3, scope: shared}"},
          {"clients.web.arrivals", "{closed: {think: 1s}}"}}},
        {"R021",
         "the budget of 'own' never binds: each client has one request, and tokens for all of its "
         "retries",
         {{"policies.own.budget", "{kind: cost, capacity: 30, cost: 5, cost_timeout: 10}"},
          {"clients.web.arrivals", "{at: 1m}"}}},
        {"R021",
         NULL,
         {{"policies.own.budget", "{kind: cost, capacity: 29, cost: 5, cost_timeout: 10}"},
          {"clients.web.arrivals", "{at: 1m}"}}},
        {"R023",
         "'api' bans clients who come back too early, and tells nobody when to come",
         {{"services.api.rate_limit.ban", "{strikes: 3, length: 30s}"}}},
        {"R023",
         NULL,
         {{"services.api.rate_limit.ban", "{strikes: 3, length: 30s}"},
          {"services.api.rate_limit.retry_after", "2s"}}},
        {"R026",
         "the breaker of 'own' is told of ended calls, and web -> api never ends in failure",
         {{"policies.own.breaker", "{kind: consecutive, outside: true}"},
          {"policies.own.attempts", "unlimited"}}},
        {"R026",
         NULL,
         {{"policies.own.breaker", "{kind: consecutive, outside: true}"},
          {"policies.own.attempts", "unlimited"},
          {"clients.web.calls.deadline", "1m"}}},
        {"R026",
         NULL,
         {{"policies.own.breaker", "{kind: consecutive}"}, {"policies.own.attempts", "unlimited"}}},
    };
    CHECK_ALL(changes);
}

static void demand_goes_through_queues(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"R013",
         "40/s reach 'api', which can serve 30/s",
         {{"services.api.workers", "3"}, {"services.api.service_time", "100ms"}}},
        {"R013", NULL, {{"services.api.workers", "4"}, {"services.api.service_time", "100ms"}}},
    };
    CHECK_ALL(changes);
}

static void a_finding_at_consumers_has_their_place(void **state) {
    (void)state;
    static const char text[] =
        "version: 1\nduration: 5m\n"
        "clients: {a: {count: 1, arrivals: {poisson: 1/s}, calls: {to: q, timeout: 1s}}}\n"
        "services: {api: {workers: 1, service_time: 1ms, queue: {limit: 9}}}\n"
        "queues: {q: {max_receives: 5}}\n"
        "consumers:\n"
        "  w:\n"
        "    {from: q, count: 1, calls: {to: api}}\n";
    struct storm_errors errors = {.count = 0};
    struct lint_findings findings;
    struct arena arena;
    struct storm_document *document = storm_document_parse(text, strlen(text), &errors);
    assert_non_null(document);
    const struct storm_scenario *scenario = storm_document_decode(document, NULL, NULL, 0, &errors);
    assert_non_null(scenario);
    arena_init(&arena, (size_t)-1);
    assert_true(lint_find(document, NULL, scenario, &arena, &findings));
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].path, "consumers.w.calls");
    assert_string_equal(findings.list[0].rule->id, "R008");
    assert_int_equal(findings.list[0].line, 8);
    arena_free(&arena);
    storm_document_free(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scenario_as_it_stands_is_healthy),
        cmocka_unit_test(what_comes_back_to_a_queue_for_ever),
        cmocka_unit_test(what_comes_back_too_soon),
        cmocka_unit_test(what_is_sent_again),
        cmocka_unit_test(brakes_that_do_not_brake),
        cmocka_unit_test(demand_goes_through_queues),
        cmocka_unit_test(a_finding_at_consumers_has_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
