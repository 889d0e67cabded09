/* fuzz_queue.c: any sequence of pushes, pops and cancellations: the queue must agree with the
   plain heap. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "fuzz/fuzz.h"
#include "unit/engine/rig.h"

enum { ROOM = 4096, LIMIT = 1 << 23 };

/* Pushes 1 to 64 events: the delay is `value` shifted by 0 to 56 bits, and grows by 0 to 3 from
   one to the next. */
static void push_some(struct rig *rig, uint8_t operation, uint8_t shape, uint8_t value) {
    uint32_t count = (operation >> 2 & 63U) + 1;
    uint64_t delay = (uint64_t)value << (shape & 56U);
    for (uint32_t i = 0; i < count && rig->pending < rig->room; i++) {
        uint64_t key = rig->now + delay + i * (shape & 3U);
        rig_push(rig, key < rig->now ? UINT64_MAX : key);
    }
}

/* Three bytes an operation: two bits say which (pushing twice as likely), the rest how often and
   where. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rig rig;
    rig_init(&rig, ROOM, LIMIT);
    for (size_t i = 0; i + 3 <= size; i += 3) {
        uint32_t count = (data[i] >> 2 & 63U) + 1;
        if ((data[i] & 3U) < 2)
            push_some(&rig, data[i], data[i + 1], data[i + 2]);
        for (uint32_t k = 0; k < count && (data[i] & 3U) == 2; k++)
            rig_pop(&rig);
        uint32_t place = (uint32_t)data[i + 1] << 8 | data[i + 2];
        for (uint32_t k = 0; k < count && (data[i] & 3U) == 3 && rig.pending > 0; k++)
            rig_cancel(&rig, (place + k * 7) % rig.pending);
        assert(rig.wrong == NULL);
    }
    while (rig_pop(&rig)) {
    }
    assert(rig.wrong == NULL && rig.pending == 0);
    rig_free(&rig);
    return 0;
}
