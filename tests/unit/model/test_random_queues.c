/* test_random_queues.c: hundreds of small worlds with message queues in which every setting meets
   every other, and books of the messages kept from what is told alone. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "model/model.h"
#include "support/small_world.h"
#include "support/test.h"

enum { WORLDS = 1500, EVENTS_MAX = 8000, QUEUES = 2, MESSAGES_MAX = 1 << 13, TABLE = 1 << 14 };

/* Two services, then the places of the queues; two groups of clients, then their consumers. */
enum { API = 0, DB = 1, PLACES = 2, CLIENTS = 2 };

/* ---- the books ------------------------------------------------------------------------------- */

enum where { WAITING, IN_FORCE, ENDED };

struct entry {
    uint64_t key;
    storm_time due; /* when it may be delivered again */
    uint32_t member, worker, deliveries;
    uint8_t queue, where;
};

struct books {
    const struct small_world *world;
    const struct storm_queue *queues;
    uint32_t number;
    uint32_t outages[QUEUES];
    bool changes; /* settings change in the run: what they bound cannot be checked */
    struct entry *entries;
    uint32_t count;
    uint32_t *table; /* 1 + index of an entry, by its key */
    uint64_t births, succeeded, dead;
    uint64_t returned[3], reasons[STORM_REASON_COUNT], delivered;
};

static uint32_t *find(struct books *books, uint64_t key) {
    size_t i = key & (TABLE - 1);
    while (books->table[i] != 0 && books->entries[books->table[i] - 1].key != key)
        i = (i + 1) & (TABLE - 1);
    return &books->table[i];
}

static struct entry *known(struct books *books, uint64_t key) {
    uint32_t found = *find(books, key);
    if (found == 0)
        fail_msg("world %u: a word about no message", books->number);
    return &books->entries[found - 1];
}

static void expect(const struct books *books, const struct storm_fact *fact, bool holds) {
    if (!holds)
        fail_msg("world %u, %lld ns: a fact of kind %u that cannot be", books->number,
                 (long long)fact->time, fact->kind);
}

/* Nothing before it in its partition is still there. */
static bool is_first(const struct books *books, const struct entry *entry) {
    const struct storm_queue *plan = &books->queues[entry->queue];
    for (const struct entry *e = books->entries; e < entry; e++) {
        if (e->where != ENDED && e->queue == entry->queue &&
            e->member % plan->partitions == entry->member % plan->partitions)
            return false;
    }
    return true;
}

/* Messages that the worker should have in its hand now. */
static uint32_t in_hand(const struct books *books, const struct entry *like) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < books->count; i++) {
        const struct entry *e = &books->entries[i];
        count += e->where == IN_FORCE && e->queue == like->queue && e->worker == like->worker;
    }
    return count;
}

static void hear_born(struct books *books, const struct storm_fact *fact) {
    expect(books, fact, *find(books, fact->key) == 0 && books->count < MESSAGES_MAX);
    expect(books, fact, fact->origin < CLIENTS);
    *find(books, fact->key) = books->count + 1;
    books->entries[books->count++] = (struct entry){
        .key = fact->key, .member = fact->member, .queue = (uint8_t)(fact->place - CLIENTS)};
    books->entries[books->count - 1].due = fact->time;
    books->births++;
}

static void hear_delivered(struct books *books, const struct storm_fact *fact) {
    struct entry *entry = known(books, fact->parent);
    const struct storm_queue *plan = &books->queues[entry->queue];
    const struct storm_population *consumers = &books->world->scenario.populations[fact->place];
    expect(books, fact, entry->where == WAITING && fact->time >= entry->due);
    expect(books, fact, books->outages[entry->queue] == 0);
    expect(books, fact, fact->attempts == entry->deliveries + 1);
    expect(books, fact, fact->member < consumers->count);
    entry->deliveries++;
    entry->where = IN_FORCE;
    entry->worker = fact->member;
    books->delivered++;
    if (!books->changes && plan->count_on == STORM_COUNT_DELIVERIES)
        expect(books, fact, entry->deliveries <= plan->max_receives);
    if (!books->changes && consumers->retries != STORM_RETRIES_LEASE)
        expect(books, fact, in_hand(books, entry) <= consumers->prefetch);
    if (plan->fifo)
        expect(books, fact, is_first(books, entry));
}

static void hear_returned(struct books *books, const struct storm_fact *fact) {
    struct entry *entry = known(books, fact->parent);
    expect(books, fact, entry->where == IN_FORCE && fact->due >= fact->time);
    expect(books, fact, fact->level == STORM_RETURN_REQUEUED || fact->due == fact->time);
    entry->where = WAITING;
    entry->due = fact->due;
    books->returned[fact->level]++;
}

static void hear_end(struct books *books, const struct storm_fact *fact) {
    struct entry *entry = known(books, fact->key);
    bool is_dead = fact->kind == STORM_FACT_DEAD;
    expect(books, fact, entry->where != ENDED);
    expect(books, fact, entry->deliveries > 0 || fact->reason == STORM_REASON_LOST);
    expect(books, fact, is_dead == (fact->reason != STORM_REASON_NONE));
    expect(books, fact, !is_dead || (fact->first_failed >= fact->since && fact->status != 0));
    entry->where = ENDED;
    *(is_dead ? &books->dead : &books->succeeded) += 1;
    books->reasons[fact->reason]++;
}

static void hear(void *context, const struct storm_fact *fact) {
    struct books *books = context;
    bool is_of_consumers = fact->place >= CLIENTS;
    switch ((int)fact->kind) {
    case STORM_FACT_BORN:
        if (is_of_consumers)
            hear_born(books, fact);
        break;
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
        if (is_of_consumers)
            hear_end(books, fact);
        break;
    case STORM_FACT_DELIVERED:
        hear_delivered(books, fact);
        break;
    case STORM_FACT_RETURNED:
        hear_returned(books, fact);
        break;
    case STORM_FACT_OUTAGE:
        if (fact->place >= PLACES)
            books->outages[fact->place - PLACES] = fact->level;
        break;
    default:
        break;
    }
}

static void settle(const struct books *books) {
    uint64_t left = 0;
    for (uint32_t i = 0; i < books->count; i++)
        left += books->entries[i].where != ENDED;
    assert_true(books->births == books->succeeded + books->dead + left);
}

/* ---- the worlds ------------------------------------------------------------------------------ */

struct dice {
    uint64_t key;
    uint32_t thrown;
};

static double throw(struct dice * dice) { return stream_uniform(dice->key, 98, dice->thrown++); }
static bool chance(struct dice *dice, double share) { return throw(dice) < share; }
static uint32_t below(struct dice *dice, uint32_t count) { return (uint32_t)(throw(dice) * count); }
static storm_time span(struct dice *dice, double low, double high) {
    double u = throw(dice);
    return storm_time_from_seconds(low + u * (high - low));
}

static struct storm_dist any_dist(struct dice *dice, double mean) {
    struct storm_dist dist = {.law = STORM_LAW_EXPONENTIAL, .a = mean};
    if (chance(dice, 0.4))
        dist = small_world_constant(chance(dice, 0.3) ? 0 : storm_time_from_seconds(mean));
    storm_dist_prepare(&dist);
    return dist;
}

static void any_policy(struct dice *dice, struct storm_policy *policy) {
    policy->attempts = chance(dice, 0.2) ? STORM_ATTEMPTS_UNLIMITED : 1 + below(dice, 4);
    policy->delay.growth = chance(dice, 0.5) ? STORM_GROWTH_CONSTANT : STORM_GROWTH_EXPONENTIAL;
    policy->delay.base = 0.02 + 0.4 * throw(dice);
    policy->delay.jitter_low = chance(dice, 0.5) ? 0 : 1;
    policy->head_only = chance(dice, 0.1);
    policy->hedge.attempts = chance(dice, 0.2) ? 2 : 0;
    policy->hedge.after = span(dice, 0, 0.1);
    policy->class_count = chance(dice, 0.3);
    policy->classes[0] = (struct storm_class_row){400, STORM_CLASS_RETRY};
}

static void any_edge(struct dice *dice, const struct small_world *w, struct storm_edge *edge) {
    edge->policy = below(dice, w->scenario.policy_count);
    edge->timeout.offset = chance(dice, 0.4) ? STORM_NEVER : span(dice, 0.05, 1);
    edge->deadline = chance(dice, 0.7) ? STORM_NEVER : span(dice, 0.2, 3);
    edge->network = any_dist(dice, 0.01);
    edge->loss = chance(dice, 0.3) ? 0.1 : 0;
    edge->cancel = (enum storm_cancel)below(dice, 3);
    edge->late_reply = (enum storm_late_reply)below(dice, 2);
}

/* What operators may change, too. */
static void any_numbers(struct dice *dice, struct storm_queue *queue,
                        struct storm_population *consumers) {
    static const storm_time visibilities[] = {0, 50 * MS, 300 * MS, SEC, STORM_NEVER};
    queue->visibility = visibilities[chance(dice, 0.03) ? 0 : 1 + below(dice, 4)];
    queue->max_receives = chance(dice, 0.3) ? STORM_UNLIMITED : 1 + below(dice, 4);
    queue->count_on = (enum storm_count_on)below(dice, 2);
    queue->delay = chance(dice, 0.3) ? span(dice, 0, 0.3) : 0;
    queue->memory = chance(dice, 0.6) ? STORM_UNLIMITED : 1 + below(dice, 20);
    queue->on_full = (enum storm_full)below(dice, 2);
    consumers->prefetch = 1 + below(dice, 4);
    consumers->retries = (enum storm_retries)below(dice, 3);
    consumers->restart_time = span(dice, 0.05, 0.5);
}

static void any_queue(struct dice *dice, struct small_world *w, struct storm_queue *queues,
                      uint32_t index) {
    static const char *const names[] = {"orders", "mails"};
    struct storm_queue *queue = &queues[index];
    uint32_t place = small_world_add_service(w, names[index]);
    struct storm_service *service = &w->services[place];
    service->workers = STORM_UNLIMITED;
    service->service_time = small_world_constant(0);
    service->crash_kind = (enum storm_outage)below(dice, 2);
    service->crash_down_for = span(dice, 0.1, 1);
    *queue =
        (struct storm_queue){.service = place, .full_status = 503, .consumers = CLIENTS + index};
    queue->fifo = chance(dice, 0.4);
    queue->partitions = 1 + below(dice, 4);
    queue->durable = chance(dice, 0.5);
}

static void any_consumers(struct dice *dice, struct small_world *w, struct storm_queue *queues,
                          uint32_t index) {
    uint32_t consumers = small_world_add_population(w, 0, 1 + below(dice, 5));
    struct storm_population *p = &w->populations[consumers];
    p->arrival = STORM_ARRIVAL_QUEUE;
    p->queue = index;
    any_edge(dice, w, &p->call);
    p->call.to = index == 0 && chance(dice, 0.4) ? PLACES + 1 : below(dice, PLACES);
    p->auto_replay = chance(dice, 0.2) ? span(dice, 0.1, 1) : STORM_NEVER;
    any_numbers(dice, &queues[index], p);
}

static void any_clients(struct dice *dice, struct small_world *w, struct storm_population *p) {
    static const enum storm_arrival arrivals[] = {STORM_ARRIVAL_AT, STORM_ARRIVAL_EVERY,
                                                  STORM_ARRIVAL_POISSON, STORM_ARRIVAL_CLOSED};
    p->count = 1 + below(dice, 20);
    p->arrival = arrivals[below(dice, 4)];
    p->at = span(dice, 0, 2);
    p->period = span(dice, 0.2, 2);
    p->rate = p->arrival == STORM_ARRIVAL_POISSON ? 40 : 0;
    p->think = small_world_constant(200 * MS);
    p->poison = chance(dice, 0.4) ? 0.1 : 0;
    p->lethal = chance(dice, 0.4) ? 0.1 : 0;
    any_edge(dice, w, &p->call);
    p->call.to = PLACES + below(dice, QUEUES);
}

static void any_fault(struct dice *dice, struct small_world *w) {
    static const enum storm_fault_kind kinds[] = {STORM_FAULT_DOWN, STORM_FAULT_HANG,
                                                  STORM_FAULT_ERRORS, STORM_FAULT_SLOW};
    storm_time at = span(dice, 0, 4), length = span(dice, 0.05, 2);
    struct storm_fault *fault =
        &w->faults[small_world_add_fault(w, kinds[below(dice, 4)], at, length)];
    fault->service = below(dice, w->scenario.service_count);
    fault->factor = 5;
    fault->share = 0.7;
    fault->status = 500;
    fault->lost = (enum storm_lost)below(dice, 4);
}

static void any_action(struct dice *dice, struct small_world *w) {
    bool is_replay = chance(dice, 0.5);
    storm_time at = span(dice, 0, 4), length = is_replay ? 0 : span(dice, 0.1, 2);
    struct storm_action *action = &w->actions[small_world_add_action(
        w, is_replay ? STORM_ACTION_REPLAY : STORM_ACTION_PAUSE, at, length)];
    action->population = CLIENTS + below(dice, QUEUES);
    action->with_data = chance(dice, 0.5);
    action->pace = (struct storm_pace){.rate = chance(dice, 0.5) ? 0 : 20,
                                       .limit = STORM_UNLIMITED,
                                       .probe = below(dice, 3),
                                       .probe_success = 0.5};
}

/* A world, and what it becomes. */
struct worlds {
    struct small_world now, after;
    struct storm_queue queues[QUEUES], queues_after[QUEUES];
};

static void any_change(struct dice *dice, struct worlds *worlds) {
    small_world_add_change(&worlds->now, span(dice, 0, 4), &worlds->after);
    memcpy(worlds->queues_after, worlds->queues, sizeof worlds->queues);
    worlds->after.scenario.queues = worlds->queues_after;
    for (uint32_t i = 0; i < QUEUES; i++)
        any_numbers(dice, &worlds->queues_after[i], &worlds->after.populations[CLIENTS + i]);
}

static void any_world(struct dice *dice, struct worlds *worlds) {
    struct small_world *w = &worlds->now;
    small_world_init(w);
    w->scenario.duration = 5 * SEC;
    small_world_add_policy(w, 1, 0);
    small_world_add_service(w, "db");
    for (uint32_t i = 0; i < w->scenario.policy_count; i++)
        any_policy(dice, &w->policies[i]);
    for (uint32_t i = API; i <= DB; i++) {
        w->services[i].workers = 1 + below(dice, 4);
        w->services[i].service_time = any_dist(dice, 0.03);
        w->services[i].error_count = 1;
        w->services[i].errors[0] = (struct storm_error_row){500, chance(dice, 0.5) ? 0.3 : 0};
    }
    small_world_add_population(w, 0, 1);
    for (uint32_t i = 0; i < QUEUES; i++)
        any_queue(dice, w, worlds->queues, i);
    for (uint32_t i = 0; i < CLIENTS; i++)
        any_clients(dice, w, &w->populations[i]);
    for (uint32_t i = 0; i < QUEUES; i++)
        any_consumers(dice, w, worlds->queues, i);
    w->scenario.queues = worlds->queues;
    w->scenario.queue_count = QUEUES;
    for (uint32_t more = below(dice, 4); more > 0; more--)
        any_fault(dice, w);
    for (uint32_t more = below(dice, 3); more > 0; more--)
        any_action(dice, w);
}

static void live(struct small_world *w, struct books *books) {
    arena_init(&w->arena, w->memory);
    w->model = model_new(&w->arena, &w->scenario, w->seed, 0, (struct storm_listener){hear, books},
                         &w->error);
    assert_non_null(w->model);
    bool more = true;
    while (more && model_events(w->model) < EVENTS_MAX && books->count < MESSAGES_MAX / 2) {
        more = model_advance(w->model, 1 + model_events(w->model) % 5);
        model_audit(w->model);
    }
    w->error = *model_error(w->model);
}

static void every_message_is_somewhere_whatever_happens(void **state) {
    (void)state;
    static struct worlds worlds;
    struct books sum = {.number = 0};
    struct entry *entries = calloc(MESSAGES_MAX, sizeof *entries);
    uint32_t *table = calloc(TABLE, sizeof *table);
    assert_non_null(entries);
    assert_non_null(table);
    for (uint32_t number = 1; number <= WORLDS; number++) {
        struct dice dice = {.key = stream_mix64(number)};
        any_world(&dice, &worlds);
        bool changes = chance(&dice, 0.3);
        if (changes)
            any_change(&dice, &worlds);
        struct books books = {.world = &worlds.now,
                              .queues = worlds.queues,
                              .number = number,
                              .changes = changes,
                              .entries = entries,
                              .table = table};
        memset(table, 0, TABLE * sizeof *table);
        worlds.now.seed = number;
        live(&worlds.now, &books);
        settle(&books);
        assert_int_equal(worlds.now.error.status, STORM_OK);
        for (int i = 0; i < 3; i++)
            sum.returned[i] += books.returned[i];
        for (int i = 0; i < STORM_REASON_COUNT; i++)
            sum.reasons[i] += books.reasons[i];
        sum.births += books.births;
        sum.delivered += books.delivered;
        small_world_free(&worlds.now);
    }
    free(entries);
    free(table);
    print_message(
        "%d worlds: %llu messages, %llu deliveries; back by lease %llu, "
        "requeued %llu, by crash %llu; succeeded %llu, receives used up %llu, lost %llu\n",
        WORLDS, (unsigned long long)sum.births, (unsigned long long)sum.delivered,
        (unsigned long long)sum.returned[0], (unsigned long long)sum.returned[1],
        (unsigned long long)sum.returned[2], (unsigned long long)sum.reasons[STORM_REASON_NONE],
        (unsigned long long)sum.reasons[STORM_REASON_RECEIVES],
        (unsigned long long)sum.reasons[STORM_REASON_LOST]);
    for (int i = 0; i < 3; i++)
        assert_true(sum.returned[i] > 1000);
    assert_true(sum.reasons[STORM_REASON_RECEIVES] > 1000 && sum.reasons[STORM_REASON_LOST] > 1000);
}

static void ignore(void *context, const struct storm_fact *fact) {
    *(uint64_t *)context += fact->kind;
}

/* Wherever in a step the limit is met, what the model knows of itself is in order. */
static void any_queue_may_meet_the_memory_limit(void **state) {
    (void)state;
    static struct worlds worlds;
    struct small_world *w = &worlds.now;
    uint64_t sum = 0, failed = 0;
    for (uint32_t number = 1; number <= WORLDS / 4; number++) {
        struct dice dice = {.key = stream_mix64(number)};
        struct storm_error error = {.status = STORM_OK};
        any_world(&dice, &worlds);
        for (uint32_t i = 0; i < CLIENTS; i++)
            w->populations[i].count *= 50;
        for (uint32_t i = 0; i < QUEUES; i++)
            worlds.queues[i].memory = STORM_UNLIMITED;
        arena_init(&w->arena, (size_t)(4e5 + 1.2e6 * throw(&dice)));
        w->model = model_new(&w->arena, &w->scenario, number, 0,
                             (struct storm_listener){ignore, &sum}, &error);
        while (w->model != NULL && model_events(w->model) < EVENTS_MAX &&
               model_advance(w->model, 1))
            ;
        if (w->model != NULL) {
            model_audit(w->model);
            error = *model_error(w->model);
        }
        assert_true(error.status == STORM_OK || error.status == STORM_LIMIT);
        failed += error.status == STORM_LIMIT;
        small_world_free(w);
    }
    print_message("%llu of %d met their limit\n", (unsigned long long)failed, WORLDS / 4);
    assert_true(failed > WORLDS / 40 && failed < WORLDS / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_is_somewhere_whatever_happens),
        cmocka_unit_test(any_queue_may_meet_the_memory_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
