/* bench_hold.c: what an event costs, in the queue and in plain heaps, measured side by side. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two workloads at a constant number of pending events N.
   hold:     take the first event, push another some delay later.
   request:  N clients, each with a completion (1 ms + exponential, mean 49 ms) and a timeout (0.5
   to 1.5 s) pending; whichever comes first cancels the other, and the next request begins. Half of
   all events are cancelled. The contenders work through the same sequence; what they pop is hashed
   and must agree. They take turns within each round, so that a noisy machine is unfair to all
   alike. Time is the process's CPU time, random draws included (the row "driver" is those alone).

   usage: bench_hold [rounds [largest N [ladder]]]     default: 5 rounds to 10^6; "ladder": no
   heaps, for callgrind */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "engine/queue.h"
#include "support/delays.h"
#include "support/heap.h"

enum contender_kind { LADDER, HEAP4, HEAP2, DRIVER, CONTENDERS };
enum { ROUNDS_MOST = 99, HEAP_EVENTS = 500000, LADDER_EVENTS = 1000000 };

struct contender {
    enum contender_kind kind;
    struct arena arena;
    struct queue *queue;
    uint32_t *generation; /* [2 N] ladder: who is stale */
    uint64_t *sequence;   /* [2 N] heaps: number of the slot's pending event */
    struct heap heap;
    uint64_t pushed, now, random, hash;
};

struct workload {
    const char *name;
    bool has_cancels;
    enum delays delays;
};

static void *take_zeroed(size_t count, size_t size) {
    void *memory = calloc(count, size);
    assert(memory != NULL);
    return memory;
}

static void contender_init(struct contender *c, enum contender_kind kind, uint32_t n) {
    *c = (struct contender){.kind = kind, .random = 1};
    arena_init(&c->arena, SIZE_MAX);
    c->queue = queue_new(&c->arena);
    assert(c->queue != NULL);
    heap_init(&c->heap, kind == HEAP2 ? 2 : 4);
    if (kind == LADDER)
        c->generation = take_zeroed(2 * (size_t)n, sizeof c->generation[0]);
    else
        c->sequence = take_zeroed(2 * (size_t)n, sizeof c->sequence[0]);
}

static void contender_free(struct contender *c) {
    free(c->generation);
    free(c->sequence);
    heap_free(&c->heap);
    arena_free(&c->arena);
}

static inline void push(struct contender *c, uint64_t delay, uint32_t slot, bool has_cancels) {
    uint64_t key = ((c->now >> 1) + delay) << 1 | 1;
    if (c->kind == LADDER) {
        bool has_room = queue_reserve(c->queue, 1);
        assert(has_room);
        /* Without cancellations generations stay 0: not looking keeps the owner's cache misses
           out of it. */
        queue_push(c->queue, key, event_pack(1, slot, has_cancels ? c->generation[slot] : 0));
    } else if (c->kind != DRIVER) {
        heap_push(&c->heap, (struct heap_item){key, ++c->pushed << EVENT_SLOT_BITS | slot});
        if (has_cancels)
            c->sequence[slot] = c->pushed;
    }
}

static inline void cancel(struct contender *c, uint32_t slot) {
    if (c->kind == LADDER) {
        c->generation[slot]++;
        queue_cancelled(c->queue, c->generation);
    } else if (c->kind != DRIVER) {
        c->sequence[slot] = 0;
    }
}

/* The slot of the next event. */
static inline uint32_t pop(struct contender *c, bool has_cancels) {
    uint32_t slot = 0;
    if (c->kind == LADDER) {
        struct event event = {0};
        queue_pop(c->queue, c->generation, &event);
        c->now = event.key;
        slot = event_slot(event.payload);
    } else if (c->kind != DRIVER) {
        struct heap_item item = {0};
        do {
            heap_pop(&c->heap, &item);
            slot = (uint32_t)item.order & EVENT_SLOT_MAX;
        } while (has_cancels && c->sequence[slot] != item.order >> EVENT_SLOT_BITS);
        c->now = item.key;
    }
    c->hash = (c->hash ^ c->now ^ slot) * UINT64_C(0x9E3779B97F4A7C15);
    return slot;
}

static inline void request(struct contender *c, uint32_t client) {
    uint64_t service = 1000000 + delays_exponential(delays_bits(&c->random), 49e6);
    uint64_t timeout = 500000000 + (delays_bits(&c->random) >> 34) * 15 / 16;
    push(c, service, 2 * client, true);
    push(c, timeout, 2 * client + 1, true);
}

static void begin(struct contender *c, const struct workload *workload, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (workload->has_cancels)
            request(c, i);
        else if (workload->delays == DELAYS_HERD)
            push(c, 0, i, false);
        else
            push(c, delays_draw(workload->delays, &c->random), i, false);
    }
}

/* Works through `count` events (requests); returns nanoseconds for each. */
static double work(struct contender *c, const struct workload *workload, uint64_t count) {
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t slot = pop(c, workload->has_cancels);
        if (workload->has_cancels) {
            cancel(c, slot ^ 1U);
            request(c, slot >> 1);
        } else {
            push(c, delays_draw(workload->delays, &c->random), slot, false);
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double seconds = (double)(to.tv_sec - from.tv_sec);
    return (seconds * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / (double)count;
}

static int compare_doubles(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(const double *values, size_t count) {
    double sorted[ROUNDS_MOST];
    memcpy(sorted, values, count * sizeof sorted[0]);
    qsort(sorted, count, sizeof sorted[0], compare_doubles);
    return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* The median over the rounds of a contender's time relative to the ladder's in the same round. */
static double ratio(double times[CONTENDERS][ROUNDS_MOST], enum contender_kind kind,
                    size_t rounds) {
    double ratios[ROUNDS_MOST];
    for (size_t i = 0; i < rounds; i++)
        ratios[i] = times[kind][i] / times[LADDER][i];
    return median(ratios, rounds);
}

static bool takes_part(enum contender_kind kind, bool ladder_only) {
    return kind == LADDER || !ladder_only;
}

static void compare(const struct workload *workload, uint32_t n, size_t rounds, bool ladder_only) {
    struct contender contenders[CONTENDERS];
    double times[CONTENDERS][ROUNDS_MOST] = {{0}};
    uint64_t ladder_events = 2 * (uint64_t)n > LADDER_EVENTS ? 2 * (uint64_t)n : LADDER_EVENTS;
    bool agree = true;
    for (int kind = LADDER; kind < CONTENDERS; kind++) {
        struct contender *c = &contenders[kind];
        contender_init(c, (enum contender_kind)kind, n);
        if (!takes_part(c->kind, ladder_only))
            continue;
        begin(c, workload, n);
        work(c, workload, HEAP_EVENTS);
        if (c->kind != DRIVER)
            agree = agree && c->hash == contenders[LADDER].hash;
    }
    work(&contenders[LADDER], workload, ladder_events);
    for (size_t round = 0; round < rounds; round++) {
        for (int kind = LADDER; kind < CONTENDERS; kind++) {
            uint64_t count = kind == LADDER || kind == DRIVER ? ladder_events : HEAP_EVENTS;
            if (takes_part((enum contender_kind)kind, ladder_only))
                times[kind][round] = work(&contenders[kind], workload, count);
        }
    }
    double bytes = (double)contenders[LADDER].arena.held / n;
    printf("%-12s %9" PRIu32 " %8.1f", workload->name, n, median(times[LADDER], rounds));
    if (!ladder_only)
        printf(" %8.1f %8.1f %8.1f %8.1fx %7.1fx", median(times[DRIVER], rounds),
               median(times[HEAP4], rounds), median(times[HEAP2], rounds),
               ratio(times, HEAP4, rounds), ratio(times, HEAP2, rounds));
    printf(" %9.1f  %s\n", bytes, agree ? "" : "DIFFERENT ORDER");
    fflush(stdout);
    assert(agree);
    for (int kind = LADDER; kind < CONTENDERS; kind++)
        contender_free(&contenders[kind]);
}

int main(int argc, char **argv) {
    static const struct workload workloads[] = {
        {"exponential", false, DELAYS_EXPONENTIAL},
        {"herd", false, DELAYS_HERD},
        {"log-uniform", false, DELAYS_LOGUNIFORM},
        {"request", true, DELAYS_EXPONENTIAL},
    };
    static const uint32_t sizes[] = {1000, 100000, 1000000, 10000000};
    long rounds = argc > 1 ? atol(argv[1]) : 5;
    long largest = argc > 2 ? atol(argv[2]) : 1000000;
    bool ladder_only = argc > 3 && strcmp(argv[3], "ladder") == 0;
    if (rounds < 1 || rounds > ROUNDS_MOST || largest < 1) {
        fprintf(stderr, "usage: bench_hold [rounds [largest N [ladder|all [workload]]]]\n");
        return 2;
    }
    printf("%-12s %9s %8s", "ns/event", "N", "ladder");
    if (!ladder_only)
        printf(" %8s %8s %8s %9s %8s", "driver", "heap4", "heap2", "heap4/", "heap2/");
    printf(" %9s\n", "bytes/N");
    for (size_t w = 0; w < sizeof workloads / sizeof workloads[0]; w++) {
        if (argc > 4 && strcmp(argv[4], workloads[w].name) != 0)
            continue;
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && (long)sizes[i] <= largest; i++)
            compare(&workloads[w], sizes[i], (size_t)rounds, ladder_only);
    }
    return 0;
}
