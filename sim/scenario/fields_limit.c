/* fields_limit.c: how it is written what a service does with more than it can serve at once. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "scenario/fields.h"

#define OF(member) offsetof(struct storm_service, member)

static row_reader retry_after_read;

static const struct field_word order_words[] = {{"fifo", STORM_ORDER_FIFO, "who came first"},
                                                {"lifo", STORM_ORDER_LIFO, "who came last"},
                                                {NULL, 0, NULL}};

static const struct row queue_rows[] = {
    {.field = {"limit", FIELD_COUNT, OF(queue_limit), "unlimited", 0, UINT32_MAX, NULL,
               "attempts that may wait, those in service not counted"}},
    {.field = {"order", FIELD_WORD, OF(order), "fifo", 0, 0, order_words, "who is served next"}},
    {.field = {"drop_expired", FIELD_BOOL, OF(drop_expired), "false", 0, 0, NULL,
               "attempts that nobody waits for any more are not started"}},
    {.field = {.key = NULL}},
};
const struct shape queue_shape = {.rows = queue_rows};

/* After how long a refused caller is told to come back. */
static const struct field_word retry_after_words[] = {
    {"none", STORM_RETRY_AFTER_NONE, "nothing is said"},
    {"personal", STORM_RETRY_AFTER_PERSONAL,
     "to each caller a time of its own, at which there is room unless newcomers take it"},
    {NULL, 0, NULL}};

static const struct row ban_rows[] = {
    {.field = {"strikes", FIELD_COUNT, OF(ban.strikes), NULL, 1, 1e6, NULL,
               "a client that so often in a row comes back before it was told to is banned"}},
    {.field = {"length", FIELD_DURATION, OF(ban.length), NULL, SHORTEST, LONGEST, NULL,
               "how long a ban is; an attempt during it begins it anew"}},
    {.field = {"factor", FIELD_FACTOR, OF(ban.factor), "1", 1, 1000, NULL,
               "so much longer each time it begins anew"}},
    {.field = {"longest", FIELD_DURATION, OF(ban.longest), "none", SHORTEST, HUGE_VAL, NULL,
               "the longest ban"}},
    {.field = {"status", FIELD_STATUS, OF(ban.status), "403", 400, 599, NULL,
               "what is answered to a banned client"}},
    {.field = {.key = NULL}},
};
const struct shape ban_shape = {.rows = ban_rows};

static const struct row rate_limit_rows[] = {
    {.field = {"rate", FIELD_RATE, OF(limit_rate), NULL, RATE_LEAST, RATE_MOST, NULL,
               "how many attempts are let in, e.g. 100/s"}},
    {.field = {"burst", FIELD_COUNT, OF(limit_burst), "1", 1, 1e9, NULL,
               "attempts let in at once after a quiet time"}},
    {.field = {"status", FIELD_STATUS, OF(limit_status), "429", 400, 599, NULL,
               "status of a refusal"}},
    {.field = {"retry_after", FIELD_DURATION, OF(retry_after_time), "none", SHORTEST, LONGEST,
               retry_after_words,
               "what a refusal says about when to come back: nothing, the same "
               "to all, or to each its own"},
     .read = retry_after_read},
    {.field = {"ban", FIELD_MAP, 0, "", 0, 0, NULL, "turns clients away who do not stay away"},
     .inner = &ban_shape,
     .example = "{strikes: 3, length: 30s, factor: 2, longest: 1h}"},
    {.field = {.key = NULL}},
};
const struct shape rate_limit_shape = {.rows = rate_limit_rows};

static const struct row slowdown_rows[] = {
    {.field = {"per_concurrent", FIELD_SHARE, OF(slowdown), "0%", 0, 10, NULL,
               "service times grow by this for each other attempt in service"}},
    {.field = {.key = NULL}},
};
const struct shape slowdown_shape = {.rows = slowdown_rows};

static void retry_after_read(struct reader *reader, const struct trail *trail,
                             const struct node *node, void *target) {
    static const struct field word = {"retry_after",     FIELD_WORD, OF(retry_after), NULL, 0, 0,
                                      retry_after_words, NULL};
    static const struct field time = {
        "retry_after", FIELD_DURATION, OF(retry_after_time), NULL, SHORTEST, LONGEST, NULL, NULL};
    struct storm_service *service = target;
    service->retry_after = STORM_RETRY_AFTER_NONE;
    if (node != NULL && word_or_time_read(reader, trail, node, &word, &time, target))
        service->retry_after = STORM_RETRY_AFTER_CONSTANT;
}
