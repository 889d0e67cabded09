/* flow.c: writes values on one line, so that they can be read again as an override. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <string.h>

#include "scenario/flow.h"

static void piece_add(struct flow *flow, const char *text, size_t length) {
    assert(flow->used + 1 <= flow->room || flow->room == 0);
    if (flow->used + length + 1 > flow->room && !flow->is_full) {
        size_t room = (flow->used + length + 1) * 2;
        char *grown = arena_grow_array(flow->arena, flow->text, flow->used, room, 1);
        flow->is_full = grown == NULL;
        flow->text = grown == NULL ? flow->text : grown;
        flow->room = grown == NULL ? flow->room : room;
    }
    if (flow->is_full)
        return;
    memcpy(flow->text + flow->used, text, length);
    flow->used += length;
    flow->text[flow->used] = '\0';
}

void flow_add(struct flow *flow, const char *text) {
    assert(flow != NULL && text != NULL);
    piece_add(flow, text, strlen(text));
}

void flow_scalar(struct flow *flow, const char *text) {
    /* Of these the last four mean something to YAML, but not within a word. */
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+#%";
    size_t length = strlen(text);
    assert(flow != NULL);
    if (length > 0 && strchr("-+#%", text[0]) == NULL && strspn(text, plain) == length) {
        piece_add(flow, text, length);
        return;
    }
    flow_add(flow, "\"");
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            flow_add(flow, "\\");
        piece_add(flow, at, 1);
    }
    flow_add(flow, "\"");
}

void flow_node(struct flow *flow, const struct node *node) {
    assert(node != NULL);
    if (node->kind == NODE_SCALAR) {
        flow_scalar(flow, node->text);
        return;
    }
    bool is_map = node->kind == NODE_MAP;
    flow_add(flow, is_map ? "{" : "[");
    for (uint32_t i = 0; i < node->count && !flow->is_full; i++) {
        flow_add(flow, i == 0 ? "" : ", ");
        if (is_map) {
            flow_scalar(flow, node->items[i].key);
            flow_add(flow, ": ");
        }
        flow_node(flow, node->items[i].value);
    }
    flow_add(flow, is_map ? "}" : "]");
}
