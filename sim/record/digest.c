/* digest.c: a whole run as one number. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/digest.h"

#include <string.h>

#include "base/stream.h"

/* The whole run is one hash of what was said, field by field; padding and addresses never enter it.
   Odd factors keep small numbers in different fields from meeting. */
uint64_t digest_add(uint64_t digest, const struct storm_fact *fact) {
    uint64_t small = (uint64_t)fact->kind | (uint64_t)fact->reason << 8 |
                     (uint64_t)fact->retry << 16 | (uint64_t)fact->ghost << 17 |
                     (uint64_t)fact->queued << 18 | (uint64_t)fact->busy << 19 |
                     (uint64_t)fact->place << 32 | (uint64_t)fact->status << 48;
    uint64_t whose = (uint64_t)fact->member << 32 | fact->ordinal;
    uint64_t numbers = (uint64_t)fact->attempts << 32 | fact->level;
    uint64_t times = (uint64_t)fact->since * UINT64_C(0x9E3779B97F4A7C15) +
                     (uint64_t)fact->first_failed * UINT64_C(0xD1B54A32D192ED03) +
                     (uint64_t)fact->due * UINT64_C(0x8EBC6AF09C88C6E3);
    digest = stream_mix64(digest ^ (uint64_t)fact->time) + small * UINT64_C(0xA24BAED4963EE407);
    uint64_t pace;
    memcpy(&pace, &fact->pace, sizeof pace);
    uint64_t rest = stream_mix64(numbers * UINT64_C(0x9FB21C651E98DF25) ^ fact->key ^
                                 pace * UINT64_C(0xC2B2AE3D27D4EB4F) ^
                                 fact->parent * UINT64_C(0x589965CC75374CC3));
    return stream_mix64(digest ^ whose * UINT64_C(0xE7037ED1A0B428DB) ^ rest) + times;
}
