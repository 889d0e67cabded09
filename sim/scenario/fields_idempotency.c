/* fields_idempotency.c: how it is written what a service does about a request it has seen. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "scenario/fields.h"
#include "scenario/value.h"

#define OF(member) offsetof(struct storm_idempotency, member)

static row_reader in_progress_read;

const struct field_word idempotency_mode_words[] = {
    {"none", STORM_IDEMPOTENCY_NONE, "everything again; effects are only counted"},
    {"store_and_return", STORM_IDEMPOTENCY_STORE_AND_RETURN, "the stored answer"},
    {"reject_409", STORM_IDEMPOTENCY_REJECT, "409"},
    {"check_then_insert", STORM_IDEMPOTENCY_CHECK_THEN_INSERT,
     "looks before its work, notes after it: two at once slip through"},
    {NULL, 0, NULL}};
static const struct field_word key_words[] = {
    {"msg_id", STORM_KEY_MSG_ID,
     "the message: kept by retries, redeliveries and replays, new for a resend"},
    {"order_no", STORM_KEY_ORDER_NO, "the business's own number, the same for every copy"},
    {"sender+number", STORM_KEY_SENDER_NUMBER, "the sender and its running number"},
    {"sender+number+day", STORM_KEY_SENDER_NUMBER_DAY, "the same, with the day"},
    {NULL, 0, NULL}};
static const struct field_word in_progress_words[] = {
    {"wait", true, "it waits for what becomes of the first"},
    {"409", false, "409, at once"},
    {NULL, 0, NULL}};

static const struct row idempotency_rows[] = {
    {.field = {"mode", FIELD_WORD, OF(mode), "store_and_return", 0, 0, idempotency_mode_words,
               "what is done about a request that was seen before"}},
    {.field = {"key", FIELD_WORD, OF(key), "msg_id", 0, 0, key_words,
               "what tells that a request was seen before"}},
    {.field = {"numbers", FIELD_COUNT, OF(numbers), "10000", 1, 1e9, NULL,
               "a sender's running number begins anew after so many"}},
    {.field = {"retention", FIELD_DURATION, OF(retention), "none", SHORTEST, HUGE_VAL, NULL,
               "keys are forgotten at this age; none: never"}},
    {.field = {"retention_count", FIELD_COUNT, OF(retention_count), "unlimited", 1, UINT32_MAX,
               NULL, "or when so many younger ones are known"}},
    {.field = {"in_progress", FIELD_WORD, 0, "wait", 0, 0, in_progress_words,
               "what a duplicate gets while the first is being worked on"},
     .read = in_progress_read},
    {.field = {.key = NULL}},
};
const struct shape idempotency_shape = {.rows = idempotency_rows};

static void in_progress_read(struct reader *reader, const struct trail *trail,
                             const struct node *node, void *target) {
    static const struct field word = {"in_progress",     FIELD_WORD, 0, NULL, 0, 0,
                                      in_progress_words, NULL};
    struct storm_idempotency *idempotency = target;
    int waits = true;
    if (node != NULL)
        value_read(reader, trail, node, &word, &waits);
    idempotency->in_progress_waits = waits != 0;
}

void idempotency_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      void *target) {
    static const struct field mode = {"idempotency",          FIELD_WORD, OF(mode), NULL, 0, 0,
                                      idempotency_mode_words, NULL};
    struct storm_service *service = target;
    struct storm_idempotency *idempotency = &service->idempotency;
    decode_map(reader, trail, NULL, &idempotency_shape, idempotency);
    idempotency->counted = node != NULL;
    if (node == NULL) {
        idempotency->mode = STORM_IDEMPOTENCY_NONE;
        return;
    }
    if (node->kind == NODE_MAP)
        decode_map(reader, trail, node, &idempotency_shape, idempotency);
    else if (node->kind == NODE_SCALAR && !tree_is_empty(node))
        value_read(reader, trail, node, &mode, idempotency);
    else
        reader_refuse(reader, trail, node, "a word or a map",
                      "write idempotency: {mode: store_and_return, key: msg_id}");
}
