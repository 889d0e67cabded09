/* test_random_worlds.c: thousands of small worlds in which every setting meets every other, and
   books kept from what is told alone.

   Every attempt is followed by its key through the states that fact.h speaks of; a fact that does
   not fit the state, a child of nobody, a word about what is gone, more at work than there are
   workers: each fails. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "model/model.h"
#include "support/small_world.h"
#include "support/test.h"

enum { WORLDS = 4000, EVENTS_MAX = 12000, KEYS_MAX = 1 << 16, KINDS = STORM_FACT_SUPPRESSED + 1 };

/* ---- the books ------------------------------------------------------------------------------- */

enum where { NOWHERE, WISHED, ON_THE_WIRE, AT_THE_DOOR, QUEUED, BUSY, PARKED, ANSWERED, GONE };

/* A request (WISHED, then GONE) or an attempt. */
struct item {
    uint64_t key, parent;
    uint32_t world; /* that the entry belongs to; another one's is free */
    uint8_t where;
    uint16_t service, status;
    uint32_t rests; /* how many of its calls back off */
    bool resting, gave_up;
};

struct at_service {
    uint64_t arrived, refused, lost, served, taken_back, expired, suppressed;
    int64_t in[GONE + 1]; /* by enum where */
    uint32_t workers;     /* in force */
};

struct books {
    const struct small_world *world;
    struct item *items; /* a hash table with linear probing */
    uint32_t number;    /* of the world */
    struct at_service at[SMALL_MOST];
    uint64_t born, succeeded, dead, resting;
    uint64_t told[KINDS], reasons[STORM_REASON_COUNT];
    storm_time time;
};

static struct item *find(struct books *books, uint64_t key) {
    size_t i = key & (KEYS_MAX - 1);
    while (books->items[i].world == books->number && books->items[i].key != key)
        i = (i + 1) & (KEYS_MAX - 1);
    return &books->items[i];
}

static struct item *known(struct books *books, uint64_t key) {
    struct item *item = find(books, key);
    if (item->world != books->number)
        fail_msg("world %u: a word about nobody", books->number);
    return item;
}

static struct item *add(struct books *books, uint64_t key, uint64_t parent, enum where where) {
    struct item *item = find(books, key);
    assert_true(item->world != books->number); /* no key comes twice */
    *item = (struct item){
        .key = key, .parent = parent, .world = books->number, .where = (uint8_t)where};
    return item;
}

static void move(struct books *books, struct item *item, enum where to) {
    int64_t *in = books->at[item->service].in;
    assert_true(--in[item->where] >= 0);
    in[to]++;
    item->where = (uint8_t)to;
}

/* Whether whoever sent it is still there to hear the answer. */
static bool has_parent(struct books *books, const struct item *item) {
    enum where where = (enum where)known(books, item->parent)->where;
    return where == WISHED || where == BUSY || where == PARKED;
}

static void expect(const struct books *books, const struct storm_fact *fact, bool holds) {
    if (!holds)
        fail_msg("world %u, seed %llu, %lld ns: a fact of kind %u that cannot be", books->number,
                 (unsigned long long)books->world->seed, (long long)fact->time, fact->kind);
}

/* One of the calls of `parent` backs off, or does so no more. */
static void rest(struct books *books, uint64_t parent, bool begins) {
    struct item *item = known(books, parent);
    assert_true(begins || item->rests > 0);
    item->rests += begins ? 1 : UINT32_MAX;
    books->resting += begins ? 1 : UINT64_MAX;
}

static void send(struct books *books, const struct storm_fact *fact) {
    struct item *item = add(books, fact->key, fact->parent, ON_THE_WIRE);
    if (fact->queued)
        rest(books, fact->parent, false);
    expect(books, fact, has_parent(books, item));
    expect(books, fact, fact->attempts >= 1 && (fact->retry || fact->attempts == 1));
    item->service = fact->place;
    books->at[fact->place].in[ON_THE_WIRE]++;
}

/* Where an attempt may be for it to be taken back or lost, by what the fact says. */
static bool is_where(const struct storm_fact *fact, enum where where, enum where else_at) {
    if (fact->queued || fact->busy)
        return where == (fact->queued ? QUEUED : BUSY);
    return where == PARKED || where == else_at;
}

static void start(struct books *books, const struct storm_fact *fact, struct item *item) {
    struct at_service *at = &books->at[fact->place];
    expect(books, fact, item->where == (fact->queued ? QUEUED : AT_THE_DOOR));
    move(books, item, BUSY);
    bool is_shared = books->world->services[fact->place].sharing;
    expect(books, fact, is_shared || at->in[BUSY] <= at->workers);
}

static void leave(struct books *books, const struct storm_fact *fact, struct item *item) {
    item->status = fact->status;
    move(books, item, fact->status != 0 ? ANSWERED : GONE);
}

/* A fact about an attempt that has been sent. */
static void follow(struct books *books, const struct storm_fact *fact) {
    struct item *item = known(books, fact->key);
    struct at_service *at = &books->at[fact->place];
    enum where where = (enum where)item->where;
    expect(books, fact, item->service == fact->place && where != NOWHERE && where != GONE);
    expect(books, fact, fact->ghost || has_parent(books, item));
    switch ((int)fact->kind) {
    case STORM_FACT_VANISHED:
        expect(books, fact, where == (fact->status == 0 ? ON_THE_WIRE : ANSWERED));
        expect(books, fact, fact->status == item->status);
        move(books, item, GONE);
        break;
    case STORM_FACT_ARRIVED:
        expect(books, fact, where == ON_THE_WIRE);
        at->arrived++;
        move(books, item, AT_THE_DOOR);
        break;
    case STORM_FACT_REFUSED:
        expect(books, fact, where == AT_THE_DOOR);
        at->refused++;
        leave(books, fact, item);
        break;
    case STORM_FACT_LOST:
        expect(books, fact, is_where(fact, where, AT_THE_DOOR));
        at->lost++;
        leave(books, fact, item);
        break;
    case STORM_FACT_QUEUED:
        expect(books, fact, where == AT_THE_DOOR);
        move(books, item, QUEUED);
        break;
    case STORM_FACT_EXPIRED:
        expect(books, fact, where == QUEUED); /* who knows the deadline need not look */
        at->expired++;
        move(books, item, GONE);
        break;
    case STORM_FACT_STARTED:
        start(books, fact, item);
        break;
    case STORM_FACT_PARKED:
        expect(books, fact, where == BUSY);
        move(books, item, PARKED);
        break;
    case STORM_FACT_SERVED:
        expect(books, fact, where == (fact->busy ? BUSY : PARKED));
        at->served++;
        leave(books, fact, item);
        break;
    case STORM_FACT_CANCELLED:
        expect(books, fact, is_where(fact, where, ON_THE_WIRE) && fact->ghost);
        at->taken_back += where != ON_THE_WIRE;
        move(books, item, GONE);
        break;
    case STORM_FACT_EFFECT:
        expect(books, fact, where == BUSY && fact->attempts >= 1);
        break;
    case STORM_FACT_SUPPRESSED:
        expect(books, fact, where == (fact->queued ? QUEUED : AT_THE_DOOR));
        at->suppressed++;
        leave(books, fact, item);
        break;
    default:
        fail_msg("not about an attempt at a service");
        break;
    }
}

/* What a caller says of the try that failed, which may be gone. */
static void hear_caller(struct books *books, const struct storm_fact *fact) {
    bool begins = fact->kind == STORM_FACT_BACKED_OFF;
    if (fact->parent != 0) { /* the try has not been sent */
        rest(books, fact->parent, begins);
        return;
    }
    struct item *item = known(books, fact->key);
    expect(books, fact, item->service == fact->place && item->where != WISHED);
    if (fact->kind == STORM_FACT_GAVE_UP) {
        expect(books, fact, !item->gave_up && !item->resting && has_parent(books, item));
        item->gave_up = true;
        return;
    }
    expect(books, fact, item->resting != begins);
    expect(books, fact, !begins || fact->due > fact->time);
    item->resting = begins;
    rest(books, item->parent, begins);
}

static void end_request(struct books *books, const struct storm_fact *fact) {
    struct item *item = known(books, fact->key);
    bool is_dead = fact->kind == STORM_FACT_DEAD;
    bool is_unsent = fact->reason == STORM_REASON_BREAKER; /* the one around the whole call */
    expect(books, fact, item->where == WISHED && (fact->attempts >= 1 || is_unsent));
    expect(books, fact, is_dead == (fact->reason != STORM_REASON_NONE));
    item->where = GONE;
    *(is_dead ? &books->dead : &books->succeeded) += 1;
    books->reasons[fact->reason]++;
}

static void hear(void *context, const struct storm_fact *fact) {
    struct books *books = context;
    expect(books, fact, fact->time >= books->time && fact->since <= fact->time);
    books->time = fact->time;
    books->told[fact->kind]++;
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_BORN:
        add(books, fact->key, 0, WISHED);
        books->born++;
        break;
    case STORM_FACT_SENT:
        send(books, fact);
        break;
    case STORM_FACT_GAVE_UP:
    case STORM_FACT_BACKED_OFF:
    case STORM_FACT_RESTED:
        hear_caller(books, fact);
        break;
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
        end_request(books, fact);
        break;
    case STORM_FACT_CAPACITY:
        books->at[fact->place].workers = fact->level;
        break;
    case STORM_FACT_OUTAGE:
    case STORM_FACT_CRASHED:
    case STORM_FACT_BREAKER:
    case STORM_FACT_BANNED:
        break;
    case STORM_FACT_HELD_BACK:
        expect(books, fact, known(books, fact->parent)->where != GONE);
        break;
    case STORM_FACT_DELIVERED:
    case STORM_FACT_RETURNED:
        fail_msg("there are no queues in these worlds");
        break;
    case STORM_FACT_EFFECT:
    case STORM_FACT_SUPPRESSED:
    case STORM_FACT_VANISHED:
    case STORM_FACT_ARRIVED:
    case STORM_FACT_REFUSED:
    case STORM_FACT_LOST:
    case STORM_FACT_QUEUED:
    case STORM_FACT_EXPIRED:
    case STORM_FACT_STARTED:
    case STORM_FACT_PARKED:
    case STORM_FACT_SERVED:
    case STORM_FACT_CANCELLED:
        follow(books, fact);
        break;
    }
}

/* Nothing is between the door and its place, and all that came is accounted for. */
static void settle(const struct books *books) {
    uint64_t in_flight = 0, resting = 0;
    for (size_t i = 0; i < KEYS_MAX; i++) {
        const struct item *item = &books->items[i];
        in_flight += item->world == books->number && item->where == WISHED;
        resting += item->world == books->number ? item->rests : 0;
    }
    assert_true(books->born == books->succeeded + books->dead + in_flight);
    assert_true(books->resting == resting);
    for (uint32_t i = 0; i < books->world->scenario.service_count; i++) {
        const struct at_service *at = &books->at[i];
        uint64_t gone =
            at->refused + at->lost + at->served + at->taken_back + at->expired + at->suppressed;
        assert_true(at->in[AT_THE_DOOR] == 0);
        assert_true(at->arrived ==
                    gone + (uint64_t)(at->in[QUEUED] + at->in[BUSY] + at->in[PARKED]));
    }
}

/* ---- the worlds ------------------------------------------------------------------------------ */

/* A generator for the worlds, not for what happens in them. */
struct dice {
    uint64_t key;
    uint32_t thrown;
};

static double throw(struct dice * dice) { return stream_uniform(dice->key, 99, dice->thrown++); }
static bool chance(struct dice *dice, double share) { return throw(dice) < share; }
static uint32_t below(struct dice *dice, uint32_t count) { return (uint32_t)(throw(dice) * count); }
static double between(struct dice *dice, double low, double high) {
    double u = throw(dice);
    return low + u * (high - low);
}
static storm_time span(struct dice *dice, double low, double high) {
    return storm_time_from_seconds(between(dice, low, high));
}

static struct storm_dist any_dist(struct dice *dice, double mean) {
    static const enum storm_law laws[] = {STORM_LAW_CONSTANT, STORM_LAW_EXPONENTIAL,
                                          STORM_LAW_UNIFORM, STORM_LAW_HYPEREXPONENTIAL};
    struct storm_dist dist = {.law = laws[below(dice, 4)]};
    if (dist.law == STORM_LAW_CONSTANT) {
        dist.offset = chance(dice, 0.2) ? 0 : storm_time_from_seconds(mean);
    } else if (dist.law == STORM_LAW_UNIFORM) {
        dist.b = 2 * mean;
    } else {
        dist.a = mean;
        dist.b = 3;
    }
    storm_dist_prepare(&dist);
    return dist;
}

/* The hint's rule, the rule for the total time, and the brakes. */
static void any_brakes(struct dice *dice, struct storm_policy *policy) {
    policy->time_rule = (int)below(dice, STORM_TIME_INTERRUPT + 1);
    policy->hint = (struct storm_hint_rule){.rule = (int)below(dice, STORM_HINT_IGNORE_ABOVE + 1),
                                            .limit = span(dice, 0.01, 0.5),
                                            .slack = span(dice, 0, 0.1),
                                            .jitter = chance(dice, 0.3) ? 0.5 : 0,
                                            .zero_is_real = chance(dice, 0.5),
                                            .restarts = chance(dice, 0.2)};
    policy->budget = (struct storm_budget){.kind = (int)below(dice, 2 * STORM_BUDGET_CONCURRENCY),
                                           .scope = (int)below(dice, STORM_SCOPE_SHARED + 1),
                                           .capacity = 1 + below(dice, 20),
                                           .cost = 1,
                                           .cost_timeout = -1,
                                           .cost_throttled = -1,
                                           .refill = 1,
                                           .ratio = between(dice, 0.1, 1),
                                           .ttl = span(dice, 0.5, 2),
                                           .reserve = below(dice, 5),
                                           .deposit_on = (int)below(dice, 2),
                                           .whole = chance(dice, 0.5),
                                           .most = 1 + below(dice, 3),
                                           .count_backing_off = chance(dice, 0.5)};
    if (policy->budget.kind > STORM_BUDGET_CONCURRENCY)
        policy->budget.kind = STORM_BUDGET_NONE;
    policy->throttle = (struct storm_throttle){.scope = (int)below(dice, STORM_SCOPE_SHARED + 1),
                                               .kind = (int)below(dice, 8),
                                               .k = 2,
                                               .padding = 1,
                                               .most = 0.9,
                                               .window = SEC,
                                               .beta = 0.7,
                                               .scale = 0.4,
                                               .smoothing = 0.8,
                                               .least = 0.5};
    if (policy->throttle.kind > STORM_THROTTLE_CUBIC)
        policy->throttle.kind = STORM_THROTTLE_NONE;
    policy->breaker = (struct storm_breaker){.kind = (int)below(dice, 8),
                                             .scope = (int)below(dice, STORM_SCOPE_SHARED + 1),
                                             .outside = chance(dice, 0.5),
                                             .consecutive = 1 + below(dice, 5),
                                             .calls = 1 + below(dice, 100),
                                             .minimum = 1 + below(dice, 5),
                                             .share = 0.5,
                                             .window = SEC,
                                             .open_for = span(dice, 0.1, 1),
                                             .open_factor = 2,
                                             .open_longest = 2 * SEC,
                                             .probes = 1 + below(dice, 3)};
    if (policy->breaker.kind > STORM_BREAKER_TIME)
        policy->breaker.kind = STORM_BREAKER_NONE;
    if (policy->breaker.kind == STORM_BREAKER_COUNT)
        policy->breaker.minimum = 1;
    policy->hedge.attempts = chance(dice, 0.2) ? 2 + below(dice, 3) : 0;
    policy->hedge.after = span(dice, 0.01, 0.1);
}

static void any_policy(struct dice *dice, struct storm_policy *policy) {
    static const uint16_t statuses[] = {1, 2, 3, 4, 400, 409, 429, 500, 503};
    policy->attempts = chance(dice, 0.2) ? STORM_ATTEMPTS_UNLIMITED : 1 + below(dice, 5);
    policy->delay.growth = chance(dice, 0.5) ? STORM_GROWTH_CONSTANT : STORM_GROWTH_EXPONENTIAL;
    policy->delay.base = between(dice, 0.02, 0.4);
    policy->delay.cap = 1;
    policy->delay.cap_when = STORM_CAP_AFTER;
    policy->delay.jitter_low = chance(dice, 0.5) ? 0 : 1;
    if (policy->attempts != STORM_ATTEMPTS_UNLIMITED && chance(dice, 0.2))
        policy->delay.base = 0;
    policy->total_time = chance(dice, 0.2) ? span(dice, 0.1, 2) : STORM_NEVER;
    policy->persist = chance(dice, 0.2) ? 0.7 : 1;
    policy->head_only = chance(dice, 0.25);
    any_brakes(dice, policy);
    policy->class_count = below(dice, 4);
    for (uint32_t i = 0; i < policy->class_count; i++) {
        uint16_t status = statuses[below(dice, 9)];
        bool may_succeed = status >= 100; /* the network's words are no success */
        uint32_t class = below(dice, may_succeed ? 4 : 2);
        policy->classes[i] = (struct storm_class_row){status, (uint8_t) class};
    }
}

static void any_edge(struct dice *dice, const struct small_world *w, struct storm_edge *edge) {
    edge->policy = below(dice, w->scenario.policy_count);
    if (chance(dice, 0.7))
        edge->timeout = any_dist(dice, between(dice, 0.02, 0.5));
    edge->deadline = chance(dice, 0.3) ? span(dice, 0.1, 2) : STORM_NEVER;
    if (chance(dice, 0.6))
        edge->network = any_dist(dice, between(dice, 0.001, 0.05));
    edge->loss = chance(dice, 0.3) ? 0.1 : 0;
    edge->pass_deadline = chance(dice, 0.4);
    edge->cancel = (enum storm_cancel)below(dice, 3);
    edge->late_reply = (enum storm_late_reply)below(dice, 2);
}

/* What operators may change, too. */
static void any_numbers(struct dice *dice, struct storm_service *s) {
    s->workers = chance(dice, 0.1) ? STORM_UNLIMITED : 1 + below(dice, 8);
    s->service_time = any_dist(dice, between(dice, 0.005, 0.1));
    s->queue_limit = chance(dice, 0.3) ? STORM_UNLIMITED : below(dice, 15);
    s->order = s->sharing || chance(dice, 0.6) ? STORM_ORDER_FIFO : STORM_ORDER_LIFO;
    s->drop_expired = !s->sharing && chance(dice, 0.3);
    s->on_full = chance(dice, 0.2) ? 0 : 503;
    s->full_retry_after = chance(dice, 0.3) ? span(dice, 0.01, 1) : STORM_NEVER;
    s->reject_time = chance(dice, 0.3) ? span(dice, 0, 0.01) : 0;
    s->slowdown = chance(dice, 0.3) ? 0.1 : 0;
    s->limit_rate = chance(dice, 0.3) ? between(dice, 5, 100) : 0;
    s->limit_burst = 1 + below(dice, 10);
    s->limit_status = 429;
    s->retry_after = (enum storm_retry_after)below(dice, 3);
    s->retry_after_time = span(dice, 0.01, 0.5);
    s->errors_before = chance(dice, 0.3);
    s->error_count = below(dice, 3);
    s->errors[0] = (struct storm_error_row){500, between(dice, 0, 0.2)};
    s->errors[1] = (struct storm_error_row){409, between(dice, 0, 0.1)};
}

static void any_service(struct dice *dice, struct storm_service *s) {
    s->sharing = chance(dice, 0.25);
    s->hold = chance(dice, 0.6);
    s->fan_out = chance(dice, 0.4);
    any_numbers(dice, s);
    s->optimistic_lock = s->call_count == 0 && chance(dice, 0.15);
    s->ban = (struct storm_ban){.strikes = below(dice, 3),
                                .length = span(dice, 0.1, 1),
                                .factor = 2,
                                .longest = 3 * SEC,
                                .status = 403};
    s->idempotency = (struct storm_idempotency){
        .counted = chance(dice, 0.4),
        .mode = (enum storm_idempotency_mode)below(dice, 4),
        .key = (enum storm_effect_key)below(dice, 4),
        .numbers = 1 + below(dice, 10),
        .retention = chance(dice, 0.5) ? span(dice, 0.1, 3) : STORM_NEVER,
        .retention_count = chance(dice, 0.5) ? 1 + below(dice, 20) : STORM_UNLIMITED,
        .in_progress_waits = chance(dice, 0.5)};
    s->recovery_time = chance(dice, 0.5) ? span(dice, 0.1, 2) : 0;
    s->recovery_from = 0.2;
    s->recovery_shape = (enum storm_ramp)below(dice, 2);
    s->crash_kind = (enum storm_outage)below(dice, 2);
    s->crash_down_for = span(dice, 0.1, 1);
    bool is_bounded = s->queue_limit != STORM_UNLIMITED && s->workers != STORM_UNLIMITED;
    s->crash_when = is_bounded && chance(dice, 0.3) ? STORM_CRASH_QUEUE_FULL : STORM_CRASH_NEVER;
    if (is_bounded && s->service_time.law == STORM_LAW_EXPONENTIAL && chance(dice, 0.3)) {
        s->crash_when = STORM_CRASH_OFFERED;
        s->crash_offered = 1.5;
        s->crash_window = 500 * MS;
    }
}

static void any_population(struct dice *dice, struct small_world *w, struct storm_population *p) {
    static const struct storm_rate_point points[] = {
        {SEC / 2, 10}, {SEC, 100}, {2 * SEC, 0}, {3 * SEC, 0}, {4 * SEC, 60}};
    static const enum storm_spread at[] = {STORM_SPREAD_NONE, STORM_SPREAD_WITHIN};
    p->count = 1 + below(dice, 30);
    p->arrival = (enum storm_arrival)below(dice, STORM_ARRIVAL_CLOSED + 1);
    p->at = span(dice, 0, 3);
    p->period = span(dice, 0.2, 2);
    p->spread =
        p->arrival == STORM_ARRIVAL_AT ? at[below(dice, 2)] : (enum storm_spread)below(dice, 4);
    p->spread_time = p->period / 2;
    bool has_rate = p->arrival == STORM_ARRIVAL_POISSON || p->arrival == STORM_ARRIVAL_EVEN;
    p->rate = has_rate ? between(dice, 1, 80) : 0;
    p->points = points;
    p->point_count = 5;
    p->think = any_dist(dice, between(dice, 0.1, 1));
    if (p->arrival == STORM_ARRIVAL_CLOSED)
        p->think.offset += MS; /* else an instant may have no end */
    p->call.to = below(dice, w->scenario.service_count > 1 ? 2 : 1);
    any_edge(dice, w, &p->call);
    p->fleet_count = below(dice, 3);
    for (uint32_t i = 0; i < p->fleet_count; i++)
        p->fleets[i] = (struct storm_fleet){below(dice, w->scenario.policy_count), 0.3};
    p->poison = chance(dice, 0.2) ? 0.05 : 0;
    p->missing = chance(dice, 0.2) ? 0.05 : 0;
    p->hosts = below(dice, 4);
    p->auto_replay = chance(dice, 0.15) ? span(dice, 0.05, 1) : STORM_NEVER;
}

static void any_fault(struct dice *dice, struct small_world *w) {
    static const double shares[] = {0, 0.3, 1};
    enum storm_fault_kind kind = (enum storm_fault_kind)below(dice, 6);
    storm_time at = span(dice, 0, 4), length = span(dice, 0.05, 2);
    struct storm_fault *fault = &w->faults[small_world_add_fault(w, kind, at, length)];
    fault->service = below(dice, w->scenario.service_count);
    fault->period = chance(dice, 0.2) ? length + span(dice, 0, 1) : 0;
    fault->factor = between(dice, 1, 10);
    fault->share = shares[below(dice, 3)];
    fault->status = 502;
    fault->lost = (enum storm_lost)below(dice, 4);
    fault->latency = any_dist(dice, 0.05);
    fault->loss = shares[below(dice, 3)];
}

static void any_action(struct dice *dice, struct small_world *w) {
    enum storm_action_kind kind = (enum storm_action_kind)below(dice, STORM_ACTION_RERUN + 1);
    if (kind == STORM_ACTION_SET)
        kind = STORM_ACTION_ROLLOUT;
    storm_time length = chance(dice, 0.2) ? STORM_NEVER : span(dice, 0.1, 2);
    storm_time at = span(dice, 0, 4);
    struct storm_action *action = &w->actions[small_world_add_action(w, kind, at, length)];
    uint32_t population = below(dice, w->scenario.population_count);
    bool may_be_all = kind < STORM_ACTION_SET;
    action->population = may_be_all && chance(dice, 0.5) ? STORM_NONE : population;
    action->policy = below(dice, w->scenario.policy_count);
    action->pace = (struct storm_pace){.rate = chance(dice, 0.3) ? 0 : between(dice, 1, 200),
                                       .ramp = chance(dice, 0.5) ? span(dice, 0.1, 2) : 0,
                                       .limit = 1 + below(dice, 200),
                                       .probe = below(dice, 5),
                                       .probe_success = 0.5};
    action->with_data = chance(dice, 0.5);
    action->checkpoint = below(dice, 20);
    if (kind == STORM_ACTION_ROLLOUT && action->length == STORM_NEVER)
        action->length = SEC;
    action->service = below(dice, w->scenario.service_count);
    action->rate = between(dice, 1, 50);
}

/* Other numbers everywhere, on top of what was changed before. */
static void any_change(struct dice *dice, struct small_world *w, struct small_world *after,
                       const struct small_world *before) {
    small_world_add_change(w, span(dice, 0, 4), after);
    memcpy(after->populations, before->populations, sizeof before->populations);
    memcpy(after->services, before->services, sizeof before->services);
    memcpy(after->policies, before->policies, sizeof before->policies);
    memcpy(after->calls, before->calls, sizeof before->calls);
    for (uint32_t i = 0; i < w->scenario.policy_count; i++)
        any_policy(dice, &after->policies[i]);
    for (uint32_t i = 0; i < w->scenario.call_count; i++)
        any_edge(dice, after, &after->calls[i]);
    for (uint32_t i = 0; i < w->scenario.service_count; i++)
        any_numbers(dice, &after->services[i]);
    for (uint32_t i = 0; i < w->scenario.population_count; i++) {
        struct storm_population *p = &after->populations[i];
        any_edge(dice, after, &p->call);
        p->rate = p->rate > 0 ? between(dice, 1, 80) : 0;
    }
}

static void any_world(struct dice *dice, struct small_world *w, struct small_world after[2]) {
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    small_world_init(w);
    w->scenario.duration = 5 * SEC;
    for (uint32_t more = below(dice, 3); more > 0; more--)
        small_world_add_policy(w, 1, 0);
    for (uint32_t more = below(dice, 5), i = 1; i <= more; i++)
        small_world_add_service(w, names[i]);
    for (uint32_t more = below(dice, 3); more > 0; more--)
        small_world_add_population(w, 0, 1);
    uint32_t services = w->scenario.service_count;
    for (uint32_t i = 0; i + 1 < services; i++)
        for (uint32_t more = below(dice, 4); more > 0; more--)
            small_world_add_call(w, i, i + 1 + below(dice, services - i - 1));
    for (uint32_t i = 0; i < w->scenario.policy_count; i++)
        any_policy(dice, &w->policies[i]);
    for (uint32_t i = 0; i < w->scenario.call_count; i++)
        any_edge(dice, w, &w->calls[i]);
    for (uint32_t i = 0; i < services; i++)
        any_service(dice, &w->services[i]);
    for (uint32_t i = 0; i < w->scenario.population_count; i++)
        any_population(dice, w, &w->populations[i]);
    for (uint32_t more = below(dice, 4); more > 0; more--)
        any_fault(dice, w);
    for (uint32_t more = below(dice, 3); more > 0; more--)
        any_action(dice, w);
    for (uint32_t more = below(dice, 3), i = 0; i < more; i++)
        any_change(dice, w, &after[i], i > 0 ? &after[i - 1] : w);
}

/* Lives through one world, or through its first many events. True when it came to its end. */
static bool live(struct small_world *w, struct books *books) {
    struct storm_listener listener = {hear, books};
    arena_init(&w->arena, w->memory);
    w->model = model_new(&w->arena, &w->scenario, w->seed, 0, listener, &w->error);
    assert_non_null(w->model);
    bool more = true;
    while (more && model_events(w->model) < EVENTS_MAX) {
        more = model_advance(w->model, 1 + model_events(w->model) % 37);
        model_audit(w->model);
        for (uint32_t i = 0; i < w->scenario.service_count; i++)
            assert_true(books->at[i].in[AT_THE_DOOR] == 0);
    }
    w->error = *model_error(w->model);
    return !more;
}

static void the_books_balance_whatever_meets_whatever(void **state) {
    (void)state;
    static struct small_world w, after[2];
    struct item *items = calloc(KEYS_MAX, sizeof *items);
    uint64_t told[KINDS] = {0}, reasons[STORM_REASON_COUNT] = {0}, whole = 0, endless = 0;
    assert_non_null(items);
    for (uint32_t number = 1; number <= WORLDS; number++) {
        struct dice dice = {.key = stream_mix64(number)};
        any_world(&dice, &w, after);
        w.seed = number;
        struct books books = {.world = &w, .items = items, .number = number};
        whole += live(&w, &books);
        settle(&books);
        assert_true(w.error.status == STORM_OK || w.error.status == STORM_INVALID);
        endless += w.error.status != STORM_OK;
        for (int i = 0; i < KINDS; i++)
            told[i] += books.told[i];
        for (int i = 0; i < STORM_REASON_COUNT; i++)
            reasons[i] += books.reasons[i];
        small_world_free(&w);
    }
    free(items);
    print_message("%d worlds, %llu of them to their end, %llu endless; of each kind of fact:",
                  WORLDS, (unsigned long long)whole, (unsigned long long)endless);
    for (int i = 0; i < KINDS; i++)
        print_message(" %llu", (unsigned long long)told[i]);
    print_message("\n");
    for (int i = 0; i < KINDS; i++)
        assert_true(told[i] > 1000 || i == STORM_FACT_DELIVERED || i == STORM_FACT_RETURNED);
    for (int i = 0; i < STORM_REASON_COUNT; i++)
        assert_true(reasons[i] > 1000 || i == STORM_REASON_RECEIVES || i == STORM_REASON_LOST);
    assert_true(whole > WORLDS / 2);
}

static void ignore(void *context, const struct storm_fact *fact) {
    *(uint64_t *)context += fact->kind;
}

/* Wherever in a step the limit is met: the step goes on to its end, nothing happens after it, and
   what the model knows of itself is in order. */
static void any_of_them_may_meet_its_memory_limit(void **state) {
    (void)state;
    static struct small_world w, after[2];
    uint64_t sum = 0, failed = 0;
    for (uint32_t number = 1; number <= WORLDS / 4; number++) {
        struct dice dice = {.key = stream_mix64(number)};
        any_world(&dice, &w, after);
        for (uint32_t i = 0; i < w.scenario.population_count; i++) { /* more than the first room */
            w.populations[i].count *= 40;
            after[0].populations[i].count *= 40;
            after[1].populations[i].count *= 40;
        }
        w.populations[0].call.network = small_world_constant(SEC);
        struct storm_error error = {.status = STORM_OK};
        arena_init(&w.arena, (size_t)between(&dice, 5e5, 2e6));
        w.model = model_new(&w.arena, &w.scenario, number, 0, (struct storm_listener){ignore, &sum},
                            &error);
        while (w.model != NULL && model_events(w.model) < EVENTS_MAX && model_advance(w.model, 1))
            ;
        if (w.model != NULL) {
            model_audit(w.model);
            error = *model_error(w.model);
            assert_true(error.status == STORM_OK || !model_advance(w.model, 1));
        }
        assert_true(error.status == STORM_OK || error.status == STORM_LIMIT);
        failed += error.status == STORM_LIMIT;
        small_world_free(&w);
    }
    print_message("%llu of %d met their limit\n", (unsigned long long)failed, WORLDS / 4);
    assert_true(failed > WORLDS / 40 && failed < WORLDS / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_books_balance_whatever_meets_whatever),
        cmocka_unit_test(any_of_them_may_meet_its_memory_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
