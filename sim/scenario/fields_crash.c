/* fields_crash.c: how it is written when overload knocks a service down, and how it comes back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "scenario/fields.h"

#define OF(member) offsetof(struct storm_service, member)

static row_reader when_read;

static const struct field_word outage_words[] = {{"hang", STORM_OUTAGE_HANG, "no answer at all"},
                                                 {"down", STORM_OUTAGE_DOWN, "refuses at once"},
                                                 {NULL, 0, NULL}};
static const struct field_word ramp_words[] = {{"linear", STORM_RAMP_LINEAR, "little by little"},
                                               {"step", STORM_RAMP_STEP, "all at the end"},
                                               {NULL, 0, NULL}};

static const struct field_word when_words[] = {
    {"queue_full", STORM_CRASH_QUEUE_FULL, "an attempt finds the queue full"}, {NULL, 0, NULL}};

static const struct row offered_rows[] = {
    {.field = {"offered", FIELD_FACTOR, OF(crash_offered), NULL, 1e-3, 1e6, NULL,
               "arrivals beyond this multiple of capacity ..."}},
    {.field = {"for", FIELD_DURATION, OF(crash_window), NULL, 1e-3, 3600, NULL,
               "... over any window of this length"}},
    {.field = {.key = NULL}},
};
static const struct shape offered_shape = {.rows = offered_rows};

static const struct row crash_rows[] = {
    {.field = {"when", FIELD_WORD, 0, NULL, 0, 0, when_words, "what is too much for it"},
     .read = when_read,
     .inner = &offered_shape,
     .example = "{offered: 4x, for: 1s}"},
    {.field = {"kind", FIELD_WORD, OF(crash_kind), "hang", 0, 0, outage_words,
               "down refuses at once, hang never answers"}},
    {.field = {"down_for", FIELD_DURATION, OF(crash_down_for), NULL, SHORTEST, LONGEST, NULL,
               "how long it is away"}},
    {.field = {.key = NULL}},
};
const struct shape crash_shape = {.rows = crash_rows};

static const struct row recovery_rows[] = {
    {.field = {"time", FIELD_DURATION, OF(recovery_time), NULL, 0, LONGEST, NULL,
               "how long after an outage until full capacity"}},
    {.field = {"from", FIELD_SHARE, OF(recovery_from), "10%", 0, 1, NULL,
               "share of the workers at first"}},
    {.field = {"shape", FIELD_WORD, OF(recovery_shape), "linear", 0, 0, ramp_words,
               "how it rises"}},
    {.field = {.key = NULL}},
};
const struct shape recovery_shape = {.rows = recovery_rows};

static void when_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      void *target) {
    struct storm_service *service = target;
    if (node == NULL)
        return;
    if (node->kind == NODE_SCALAR && strcmp(node->text, "queue_full") == 0) {
        service->crash_when = STORM_CRASH_QUEUE_FULL;
        return;
    }
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "queue_full or a map",
                      "write when: queue_full, or when: {offered: 4x, for: 1s}");
        return;
    }
    decode_map(reader, trail, node, &offered_shape, target);
    service->crash_when = STORM_CRASH_OFFERED;
}
