/* flow.h: a text of any length that grows in an arena, and values in it as one line of YAML. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_FLOW_H
#define SCENARIO_FLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "scenario/tree.h"

/* Zeroed but for the arena = empty. `is_full`: no memory; what follows is dropped. */
struct flow {
    struct arena *arena;
    char *text; /* NULL while nothing was added; ends in a NUL after each piece */
    size_t used, room;
    bool is_full;
};

/* Adds a text as it is. */
void flow_add(struct flow *flow, const char *text);

/* Adds a text as a scalar, in quotes where YAML needs them. */
void flow_scalar(struct flow *flow, const char *text);

/* Adds a node: 5s, [409, timeout], {exponential: 50ms}. It must have been decoded without an error:
   aliases can make other trees too large to be written. */
void flow_node(struct flow *flow, const struct node *node);

#endif
