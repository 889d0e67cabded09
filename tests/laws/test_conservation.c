/* test_conservation.c: laws that every policy keeps under every fault: nothing is lost from the
   books, nobody retries too soon, too often or too late.

   Besides a crowd that makes the load, every world has a few watched clients, each calling the
   service through a door of its own: what is said of that door is said of one request, so that its
   tries can be followed. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "policy/registry.h"
#include "support/test.h"
#include "support/world.h"

enum { WATCHED = 6, PLACES = WATCHED + 1, TRIES_MAX = 64, YAML_MAX = 8192, ATTEMPTS = 5 };

#define DEADLINE (2500 * STORM_MILLISECOND)

/* What one watched request did. Times of -1: not yet. */
struct followed {
    storm_time born, sent, failed;
    uint32_t tries;
    bool ended;
};

/* An independent recount of everything that is said. */
struct count {
    const struct storm_scenario *scenario;
    uint64_t born, succeeded, dead, attempts_of_dead;
    struct {
        uint64_t arrived, refused, lost, served;
        int64_t queued, busy;
    } at[PLACES];
    struct followed followed[WATCHED];
    uint64_t retries, waits; /* of the watched, and how many of them had to wait */
    uint64_t too_late;       /* watched requests that their deadline ended */
    storm_time time;
};

/* ---- one delay, worked out again ------------------------------------------------------------- */

/* The shortest and the longest wait before retry n of a headline policy: base 100 ms, factor 2
   (decorrelated 3), cap 1 s. */
static void bounds_of(const char *policy, uint32_t n, double *low, double *high) {
    double grown = fmin(0.1 * pow(2, n - 1.0), 1);
    *low = *high = grown;
    if (strcmp(policy, "no-backoff") == 0) {
        *low = *high = 0;
    } else if (strcmp(policy, "fixed") == 0) {
        *low = *high = 0.1;
    } else if (strcmp(policy, "linear") == 0) {
        *low = *high = 0.1 + 0.2 * (n - 1);
    } else if (strcmp(policy, "full-jitter") == 0) {
        *low = 0;
    } else if (strcmp(policy, "equal-jitter") == 0) {
        *low = grown / 2;
    } else if (strcmp(policy, "additive-jitter") == 0) {
        *high = grown + 0.05;
    } else if (strcmp(policy, "decorrelated-jitter") == 0) {
        *low = 0.1;
        *high = fmin(0.1 * pow(3, n), 1);
    } else if (strcmp(policy, "exponential") != 0) {
        fail_msg("a new headline policy, '%s': say here how long it waits", policy);
    }
}

static void check_delay(struct count *count, const struct followed *f, storm_time now) {
    const char *policy = count->scenario->policies[0].headline;
    double low, high, delay = storm_time_to_seconds(now - f->failed);
    assert_true(f->failed >= 0); /* no try is sent while another is under way */
    assert_true(delay >= 0);
    bounds_of(policy, f->tries, &low, &high);
    if (delay < low - 1e-9 || delay > high + 1e-9) {
        fail_msg("%s waited %.9f s before retry %u, not %g to %g", policy, delay, f->tries, low,
                 high);
    }
    count->retries++;
    count->waits += delay > 0;
}

/* ---- following ------------------------------------------------------------------------------- */

static void follow_send(struct count *count, struct followed *f, const struct storm_fact *fact) {
    assert_true(f->born >= 0 && !f->ended);
    assert_true(fact->time < f->born + DEADLINE);
    assert_int_equal(fact->attempts, f->tries + 1);
    assert_true(fact->attempts <= count->scenario->policies[0].attempts);
    assert_true(fact->retry == (f->tries > 0));
    if (f->tries > 0) {
        check_delay(count, f, fact->time);
    }
    f->tries++;
    f->sent = fact->time;
    f->failed = -1;
}

/* A failure is known when the door answers, refuses or resets, or when the client stops waiting:
   its network takes no time. */
static void follow(struct count *count, struct followed *f, const struct storm_fact *fact) {
    const storm_time timeout = count->scenario->populations[fact->place].call.timeout.offset;
    bool is_failure = fact->kind == STORM_FACT_GAVE_UP || fact->kind == STORM_FACT_REFUSED ||
                      (fact->kind == STORM_FACT_SERVED && fact->status >= 400) ||
                      (fact->kind == STORM_FACT_LOST && fact->status != 0);
    if (fact->kind == STORM_FACT_SENT) {
        follow_send(count, f, fact);
    } else if (is_failure && !fact->ghost) {
        assert_true(fact->time - f->sent <= timeout);
        f->failed = fact->time;
    }
}

static void follow_end(struct count *count, struct followed *f, const struct storm_fact *fact) {
    bool succeeded = fact->kind == STORM_FACT_SUCCEEDED;
    assert_true(!f->ended && fact->since == f->born);
    assert_int_equal(fact->attempts, f->tries);
    assert_true(fact->time <= f->born + DEADLINE);
    assert_true(succeeded || fact->reason != STORM_REASON_NONE);
    assert_true(fact->reason != STORM_REASON_ATTEMPTS ||
                f->tries == count->scenario->policies[0].attempts);
    count->too_late += fact->reason == STORM_REASON_DEADLINE;
    f->ended = true;
}

static void count_place(struct count *count, const struct storm_fact *fact) {
    assert_true(fact->place < PLACES);
    uint64_t *const arrived = &count->at[fact->place].arrived;
    int64_t *const queued = &count->at[fact->place].queued;
    int64_t *const busy = &count->at[fact->place].busy;
    *arrived += fact->kind == STORM_FACT_ARRIVED;
    count->at[fact->place].refused += fact->kind == STORM_FACT_REFUSED;
    count->at[fact->place].lost += fact->kind == STORM_FACT_LOST;
    count->at[fact->place].served += fact->kind == STORM_FACT_SERVED;
    *queued += fact->kind == STORM_FACT_QUEUED;
    if (fact->kind == STORM_FACT_STARTED || fact->kind == STORM_FACT_LOST) {
        *queued -= fact->queued;
    }
    *busy += fact->kind == STORM_FACT_STARTED;
    *busy -= fact->kind == STORM_FACT_SERVED || (fact->kind == STORM_FACT_LOST && fact->busy);
    assert_true(*queued >= 0 && *busy >= 0);
    assert_true(*queued <= count->scenario->services[fact->place].queue_limit);
    if (fact->place < WATCHED) {
        follow(count, &count->followed[fact->place], fact);
    }
}

static void count_fact(void *context, const struct storm_fact *fact) {
    struct count *count = context;
    assert_true(fact->time >= count->time && fact->since <= fact->time);
    count->time = fact->time;
    bool is_watched = fact->place < WATCHED;
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_BORN:
        count->born++;
        if (is_watched) {
            count->followed[fact->place] = (struct followed){.born = fact->time, .failed = -1};
        }
        break;
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
        *(fact->kind == STORM_FACT_DEAD ? &count->dead : &count->succeeded) += 1;
        assert_true(fact->attempts >= 1);
        assert_true(fact->attempts <= count->scenario->policies[0].attempts);
        if (is_watched) {
            follow_end(count, &count->followed[fact->place], fact);
        }
        break;
    case STORM_FACT_SENT:
    case STORM_FACT_ARRIVED:
    case STORM_FACT_REFUSED:
    case STORM_FACT_LOST:
    case STORM_FACT_QUEUED:
    case STORM_FACT_STARTED:
    case STORM_FACT_SERVED:
    case STORM_FACT_GAVE_UP:
    case STORM_FACT_CAPACITY:
    case STORM_FACT_OUTAGE:
    case STORM_FACT_CRASHED:
    case STORM_FACT_BACKED_OFF:
    case STORM_FACT_RESTED:
        count_place(count, fact);
        break;
    case STORM_FACT_VANISHED:
    case STORM_FACT_EXPIRED:
    case STORM_FACT_PARKED:
    case STORM_FACT_CANCELLED:
    case STORM_FACT_HELD_BACK:
    case STORM_FACT_BREAKER:
    case STORM_FACT_BANNED:
    case STORM_FACT_DELIVERED:
    case STORM_FACT_RETURNED:
    case STORM_FACT_EFFECT:
    case STORM_FACT_SUPPRESSED:
        fail_msg("these worlds know nothing of that");
        break;
    }
}

/* ---- the worlds ------------------------------------------------------------------------------ */

struct variation {
    const char *policy, *fault, *order, *crash;
};

static size_t write_policy(char *text, const char *headline) {
    const char *more = "";
    if (strcmp(headline, "linear") == 0) {
        more = ", step: 200ms";
    } else if (strcmp(headline, "additive-jitter") == 0) {
        more = ", jitter_add: 50ms";
    }
    const struct policy_headline *found = policy_headline_find(headline);
    assert_non_null(found);
    int attempts = found->policy.attempts == 1 ? 1 : ATTEMPTS;
    bool has_cap = found->policy.delay.cap_when != STORM_CAP_NONE;
    return (size_t)world_print(
        text, YAML_MAX,
        "version: 1\nduration: 30s\npolicies: {app: {delay: %s, base: 100ms, "
        "attempts: %d%s%s}}\n",
        headline, attempts, has_cap ? ", cap: 1s" : "", more);
}

/* Watched client i calls service i, its door; the crowd and the doors call the service "api",
   the last one. */
static void write_yaml(const struct variation *v, char *text) {
    size_t used = write_policy(text, v->policy);
    used += (size_t)world_print(text + used, YAML_MAX - used, "clients:\n");
    for (int i = 0; i < WATCHED; i++) {
        used += (size_t)world_print(
            text + used, YAML_MAX - used,
            "  w%d: {count: 1, arrivals: {at: %ds}, calls: {to: d%d, timeout: %dms, "
            "deadline: 2500ms, retry: app}}\n",
            i, 2 + 3 * i, i, 400 + 200 * i);
    }
    used += (size_t)world_print(
        text + used, YAML_MAX - used,
        "  crowd: {count: 50, arrivals: {poisson: 30/s}, calls: {to: api, timeout: 500ms, "
        "deadline: 3s, network: {exponential: 5ms}, retry: app}}\n"
        "  herd: {count: 60, arrivals: {at: 12s}, calls: {to: api, timeout: 1s, retry: app}}\n"
        "services:\n");
    for (int i = 0; i < WATCHED; i++) {
        used += (size_t)world_print(text + used, YAML_MAX - used,
                                    "  d%d: {workers: unlimited, calls: [{to: api, network: "
                                    "{constant: 1ms}}], errors: {500: 20%%}}\n",
                                    i);
    }
    world_print(
        text + used, YAML_MAX - used,
        "  api: {workers: 4, service_time: {exponential: 100ms}, recovery: {time: 2s, from: "
        "25%%}, errors: {500: 2%%, 404: 1%%}, queue: {limit: 30, order: %s}%s}\n"
        "faults: [%s]\n",
        v->order, v->crash, v->fault);
}

static void settle(const struct world_case *world, const struct count *count) {
    char name[64];
    uint64_t in_flight = count->born - count->succeeded - count->dead;
    assert_true(count->born >= count->succeeded + count->dead);
    assert_true(world_metric(world, "requests") == (double)count->born);
    assert_true(world_metric(world, "succeeded") == (double)count->succeeded);
    assert_true(world_metric(world, "dead_letters") == (double)count->dead);
    assert_true(world_metric(world, "in_flight") == (double)in_flight);
    for (uint32_t i = 0; i < PLACES; i++) {
        const char *service = world->scenario->services[i].name;
        uint64_t gone = count->at[i].served + count->at[i].refused + count->at[i].lost;
        int64_t present = count->at[i].queued + count->at[i].busy;
        assert_true(count->at[i].arrived == gone + (uint64_t)present);
        world_print(name, sizeof name, "attempts.%s", service);
        assert_true(world_metric(world, name) == (double)count->at[i].arrived);
        world_print(name, sizeof name, "refused.%s", service);
        assert_true(world_metric(world, name) == (double)count->at[i].refused);
        world_print(name, sizeof name, "lost.%s", service);
        assert_true(world_metric(world, name) == (double)count->at[i].lost);
    }
}

/* Sums over many worlds, so that a law is not kept for lack of anything to break it. */
struct tally {
    uint64_t worlds, born, dead, retries, waits, too_late, lost, refused, crashes;
};

static void live_through(const struct variation *v, uint64_t seed, struct tally *tally) {
    char text[YAML_MAX];
    write_yaml(v, text);
    struct world_case world = world_write(text);
    struct count count = {.scenario = world.scenario};
    struct storm_listener listener = {count_fact, &count};
    world_live(&world, seed, 0, &listener);
    settle(&world, &count);
    tally->worlds++;
    tally->born += count.born;
    tally->dead += count.dead;
    tally->retries += count.retries;
    tally->waits += count.waits;
    tally->too_late += count.too_late;
    tally->lost += count.at[WATCHED].lost;
    tally->refused += count.at[WATCHED].refused;
    tally->crashes += (uint64_t)world_metric(&world, "crashes.api");
    world_free(&world);
}

#define OVERLAPPING                                                                                \
    "{service: d1, kind: hang, at: 5s, for: 2s}, {service: d2, kind: down, at: 8s, for: 1s}, "     \
    "{service: api, kind: down, at: 7s, for: 3s}, {service: api, kind: hang, at: 9s, for: 3s}"

static const char *const faults[] = {
    "",
    "{service: api, kind: down, at: 5s, for: 5s}",
    "{service: api, kind: hang, at: 5s, for: 5s}",
    "{service: api, kind: slow, factor: 4, at: 5s, for: 8s}",
    "{service: api, kind: capacity, share: 0%, at: 5s, for: 4s}",
    "{service: api, kind: capacity, share: 50%, at: 5s, for: 8s}",
    "{service: api, kind: errors, share: 80%, at: 5s, for: 8s}",
    OVERLAPPING,
};

static const char *const orders[] = {"fifo", "lifo"};

static const char *const crashes[] = {
    "",
    ", crash: {when: queue_full, kind: down, down_for: 1s}",
    ", crash: {when: queue_full, kind: hang, down_for: 2s}",
    ", crash: {when: {offered: 2x, for: 1s}, kind: down, down_for: 2s}",
    ", crash: {when: {offered: 2x, for: 1s}, kind: hang, down_for: 1s}",
};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static void under_every_fault(const char *policy, struct tally *tally) {
    for (size_t fault = 0; fault < COUNT_OF(faults); fault++) {
        for (size_t order = 0; order < COUNT_OF(orders); order++) {
            for (size_t crash = 0; crash < COUNT_OF(crashes); crash++) {
                struct variation v = {policy, faults[fault], orders[order], crashes[crash]};
                live_through(&v, 1 + tally->worlds, tally);
            }
        }
    }
}

static void every_policy_keeps_the_books_under_every_fault(void **state) {
    (void)state;
    for (size_t i = 0; i < policy_headline_count(); i++) {
        const struct policy_headline *headline = policy_headline_at(i);
        struct tally tally = {0};
        under_every_fault(headline->name, &tally);
        print_message("%-20s %3llu worlds, %6llu requests, %5llu dead, %4llu retries followed, "
                      "%4llu waited, %3llu too late, %5llu lost, %6llu refused, %4llu crashes\n",
                      headline->name, (unsigned long long)tally.worlds,
                      (unsigned long long)tally.born, (unsigned long long)tally.dead,
                      (unsigned long long)tally.retries, (unsigned long long)tally.waits,
                      (unsigned long long)tally.too_late, (unsigned long long)tally.lost,
                      (unsigned long long)tally.refused, (unsigned long long)tally.crashes);
        assert_true(tally.born > 50000 && tally.dead > 1000);
        assert_true(tally.lost > 100 && tally.refused > 100 && tally.crashes > 50);
        assert_true(headline->policy.attempts == 1 || (tally.retries > 200 && tally.too_late > 20));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_keeps_the_books_under_every_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
