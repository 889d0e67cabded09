/* draws.c: an endless stream of our chance on standard output, for a battery of statistical tests.

   A draw is a hash of its name, so its quality is that of the names' neighbourhood: each walk steps
   through names in the order in which the simulator really uses them. 64 bits a draw.

   Usage: draws WALK SEED [COUNT] */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"

enum { BLOCK = 4096, MEMBERS = 1000, TRIES = 4, LEAVES = TRIES * TRIES * TRIES, PURPOSES = 9 };

/* The key of the one attempt that a request's only try makes. */
static uint64_t first_try(uint64_t request) { return stream_child(request, 0, 1); }

static uint32_t low(uint64_t i) { return (uint32_t)i; }
static uint32_t high(uint64_t i) { return (uint32_t)(i >> 32); }

/* The gaps between the births of one population: one key, k counts. */
static uint64_t births(uint64_t seed, uint64_t i) {
    return stream_bits(stream_child(stream_mix64(seed), high(i), 0), STREAM_ARRIVAL, low(i));
}

/* A herd: every member's first request, each served once. */
static uint64_t members(uint64_t seed, uint64_t i) {
    uint64_t request = stream_request(seed, 0, 0, low(i), high(i));
    return stream_bits(first_try(request), STREAM_SERVICE, 0);
}

/* A closed loop of one: the same member's requests, one after the other. */
static uint64_t ordinals(uint64_t seed, uint64_t i) {
    uint64_t request = stream_request(seed, 0, 0, high(i), low(i));
    return stream_bits(first_try(request), STREAM_SERVICE, 0);
}

/* A thousand members who take turns, and one attempt's draws of every purpose. */
static uint64_t purposes(uint64_t seed, uint64_t i) {
    uint64_t turn = i / PURPOSES;
    uint64_t request = stream_request(seed, 0, 0, low(turn % MEMBERS), low(turn / MEMBERS));
    return stream_bits(first_try(request), low(1 + i % PURPOSES), 0);
}

/* One request that never gives up: its tries' back-offs. */
static uint64_t tries(uint64_t seed, uint64_t i) {
    uint64_t request = stream_request(seed, 0, 0, 0, high(i));
    return stream_bits(stream_child(request, 0, low(i)), STREAM_BACKOFF, 0);
}

/* Three layers that try four times each: what the 64 attempts at the last are served in. */
static uint64_t tree(uint64_t seed, uint64_t i) {
    uint64_t turn = i / LEAVES;
    uint32_t leaf = low(i % LEAVES);
    uint64_t request = stream_request(seed, 0, 0, low(turn % MEMBERS), low(turn / MEMBERS));
    uint64_t gateway = stream_child(request, 0, 1 + leaf / (TRIES * TRIES));
    uint64_t middle = stream_child(gateway, 1, 1 + leaf / TRIES % TRIES);
    return stream_bits(stream_child(middle, 2, 1 + leaf % TRIES), STREAM_SERVICE, 0);
}

/* A fan-out: successive edges below successive attempts. */
static uint64_t edges(uint64_t seed, uint64_t i) {
    uint64_t request = stream_request(seed, 0, 0, low(i / MEMBERS), 0);
    uint64_t call = stream_child(first_try(request), low(1 + i % MEMBERS), 1);
    return stream_bits(call, STREAM_OUTBOUND, 0);
}

/* The same request in run after run. */
static uint64_t runs(uint64_t seed, uint64_t i) {
    return stream_bits(first_try(stream_request(seed, low(i), 0, high(i), 0)), STREAM_SERVICE, 0);
}

/* The same request under seed after seed. */
static uint64_t seeds(uint64_t seed, uint64_t i) {
    return stream_bits(first_try(stream_request(seed + i, 0, 0, 0, 0)), STREAM_SERVICE, 0);
}

struct walk {
    const char *name;
    uint64_t (*draw)(uint64_t seed, uint64_t i);
};

static const struct walk walks[] = {
    {"births", births},     {"members", members}, {"ordinals", ordinals},
    {"purposes", purposes}, {"tries", tries},     {"tree", tree},
    {"edges", edges},       {"runs", runs},       {"seeds", seeds},
};

/* Writes until `count` draws are out, or nobody reads on. */
static void write_walk(const struct walk *walk, uint64_t seed, uint64_t count) {
    static uint64_t block[BLOCK];
    assert(walk->draw != NULL);
    for (uint64_t i = 0; i < count;) {
        size_t size = 0;
        while (size < BLOCK && i < count) {
            block[size++] = walk->draw(seed, i++);
        }
        if (fwrite(block, sizeof block[0], size, stdout) != size) {
            return;
        }
    }
}

int main(int argc, char **argv) {
    for (size_t i = 0; argc >= 3 && i < sizeof walks / sizeof walks[0]; i++) {
        if (strcmp(argv[1], walks[i].name) == 0) {
            uint64_t count = argc > 3 ? strtoull(argv[3], NULL, 10) : UINT64_MAX;
            write_walk(&walks[i], strtoull(argv[2], NULL, 10), count);
            return 0;
        }
    }
    fputs("usage: draws WALK SEED [COUNT]; the walks:", stderr);
    for (size_t i = 0; i < sizeof walks / sizeof walks[0]; i++) {
        fprintf(stderr, " %s", walks[i].name);
    }
    fputs("\n", stderr);
    return 2;
}
