/* digest.c: a whole run as one number. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/digest.h"

#include <string.h>

#include "base/stream.h"

static inline uint64_t rotate(uint64_t bits, unsigned by) { return bits << by | bits >> (64 - by); }

/* The whole run is one hash of what was said, field by field; padding and addresses never enter it.
   Rotations and odd factors keep small numbers in different fields from meeting. */
uint64_t digest_add(uint64_t digest, const struct storm_fact *fact) {
    uint64_t small =
        (uint64_t)fact->kind | (uint64_t)fact->reason << 8 | (uint64_t)fact->retry << 16 |
        (uint64_t)fact->ghost << 17 | (uint64_t)fact->queued << 18 | (uint64_t)fact->busy << 19 |
        (uint64_t)fact->origin << 20 | (uint64_t)fact->place << 32 | (uint64_t)fact->status << 48;
    uint64_t pace;
    memcpy(&pace, &fact->pace, sizeof pace);
    uint64_t times = (uint64_t)fact->time ^ rotate((uint64_t)fact->since, 13) ^
                     rotate((uint64_t)fact->first_failed, 29) ^ rotate((uint64_t)fact->due, 43);
    uint64_t who = fact->key ^ rotate(fact->parent, 32) ^ rotate(pace, 17);
    uint64_t numbers = ((uint64_t)fact->member << 32 | fact->ordinal) ^
                       rotate((uint64_t)fact->attempts << 32 | fact->level, 21);
    uint64_t all = small * UINT64_C(0xA24BAED4963EE407) + times * UINT64_C(0x9E3779B97F4A7C15) +
                   who * UINT64_C(0xD1B54A32D192ED03) + numbers * UINT64_C(0x9FB21C651E98DF25);
    return stream_mix64(digest + all);
}
