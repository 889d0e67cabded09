/* fields_call.c: how a call of one service is written. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "scenario/fields.h"

#define OF(member) offsetof(struct storm_edge, member)

static row_reader to_read, retry_of_edge_read;

static const struct field_word cancel_words[] = {
    {"none", STORM_CANCEL_NONE, "the service does not know, and works for nobody"},
    {"waiting", STORM_CANCEL_WAITING, "what is on its way or waits is taken back"},
    {"all", STORM_CANCEL_ALL, "work in service, and all it has called, stops too"},
    {NULL, 0, NULL}};
static const struct field_word late_words[] = {
    {"ignore", STORM_LATE_IGNORE, "nothing"},
    {"accept", STORM_LATE_ACCEPT, "it ends the call well, if that goes on"},
    {NULL, 0, NULL}};

static const struct row edge_rows[] = {
    {.field = {"to", FIELD_TEXT, 0, NULL, 0, 0, NULL, "the service called, or the queue"},
     .read = to_read,
     .example = "api"},
    {.field = {"timeout", FIELD_DIST, OF(timeout), "none", SHORTEST, HUGE_VAL, NULL,
               "how long each attempt waits for its answer"},
     .inner = &dist_shape,
     .live = true},
    {.field = {"deadline", FIELD_DURATION, OF(deadline), "none", SHORTEST, HUGE_VAL, NULL,
               "how long the whole call may take, all its attempts and delays"},
     .live = true},
    {.field = {"network", FIELD_DIST, OF(network), "0s", 0, 0, NULL,
               "latency of one way, drawn for each message"},
     .inner = &dist_shape,
     .live = true},
    {.field = {"loss", FIELD_SHARE, OF(loss), "0%", 0, 1, NULL,
               "of the messages of each direction, this share never arrives"},
     .live = true},
    {.field = {"pass_deadline", FIELD_BOOL, OF(pass_deadline), "false", 0, 0, NULL,
               "the service learns when the call or this attempt of it is over, and stops by then"},
     .live = true},
    {.field = {"cancel", FIELD_WORD, OF(cancel), "none", 0, 0, cancel_words,
               "what stops at the service when a timeout fires: nothing, what waits, or all"},
     .live = true},
    {.field = {"late_reply", FIELD_WORD, OF(late_reply), "ignore", 0, 0, late_words,
               "what a success is worth that comes after its attempt's timeout"},
     .live = true},
    {.field = {"retry", FIELD_TEXT, 0, "no-retry", 0, 0, NULL, "a policy: its name, or a map"},
     .read = retry_of_edge_read,
     .inner = &policy_shape,
     .live = true,
     .example = "{delay: full-jitter, attempts: 4}"},
    {.field = {.key = NULL}},
};
const struct shape edge_shape = {.rows = edge_rows, .name = "call"};

uint32_t service_reference(struct reader *reader, const struct trail *trail,
                           const struct node *node) {
    return decode_reference(reader, trail, node, reader->services, reader->queues, "service");
}

static void to_read(struct reader *reader, const struct trail *trail, const struct node *node,
                    void *target) {
    struct storm_edge *edge = target;
    edge->to = STORM_NONE;
    edge->to_name = "";
    if (node == NULL)
        return;
    edge->to = service_reference(reader, trail, node);
    if (edge->to != STORM_NONE)
        edge->to_name = node->text;
}

static void retry_of_edge_read(struct reader *reader, const struct trail *trail,
                               const struct node *node, void *target) {
    struct storm_edge *edge = target;
    edge->policy = retry_read(reader, trail, node);
}

void edge_read(struct reader *reader, const struct trail *trail, const struct node *node,
               struct storm_edge *edge) {
    assert(node != NULL && edge != NULL);
    *edge = (struct storm_edge){.to_name = "",
                                .to = STORM_NONE,
                                .policy = STORM_NONE,
                                .timeout.offset = STORM_NEVER,
                                .deadline = STORM_NEVER};
    if (node->kind == NODE_MAP)
        decode_map(reader, trail, node, &edge_shape, edge);
    else
        reader_refuse(reader, trail, node, "a call", "write {to: SERVICE, timeout: 2s}");
}
