/* policies.c: the policies of a scenario, by name or written in place, each once in a list. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <string.h>

#include "base/suggest.h"
#include "policy/registry.h"
#include "scenario/fields.h"

/* A place for one more policy; NULL after an error. */
static struct storm_policy *policy_add(struct reader *reader, const struct trail *trail,
                                       struct place place) {
    struct storm_scenario *scenario = reader->scenario;
    assert(scenario->policy_count <= reader->policy_room);
    if (scenario->policy_count == STORM_POLICIES_MAX) {
        blame(reader->errors, trail, place, "name it under policies: and refer to it",
              "more than %d policies", STORM_POLICIES_MAX);
        return NULL;
    }
    if (scenario->policy_count == reader->policy_room) {
        uint32_t room = reader->policy_room * 2 + 4;
        struct storm_policy *grown = arena_grow_array(reader->arena, scenario->policies,
                                                      scenario->policy_count, room, sizeof *grown);
        if (grown == NULL) {
            blame_memory(reader->errors);
            return NULL;
        }
        scenario->policies = grown;
        reader->policy_room = room;
    }
    return &scenario->policies[scenario->policy_count++];
}

/* The policy of a headline or else a preset; NULL when there is none of that name. */
static const struct storm_policy *known_find(const char *name) {
    const struct policy_headline *headline = policy_headline_find(name);
    const struct policy_preset *preset = policy_preset_find(name);
    if (headline != NULL)
        return &headline->policy;
    return preset != NULL ? &preset->policy : NULL;
}

/* The index of such a policy among those of the scenario, added at its first use. */
static uint32_t known_use(struct reader *reader, const struct trail *trail, struct place place,
                          const struct storm_policy *known) {
    struct storm_scenario *scenario = reader->scenario;
    for (uint32_t i = reader->named_policies; i < scenario->policy_count; i++) {
        if (strcmp(scenario->policies[i].name, known->name) == 0)
            return i;
    }
    struct storm_policy *policy = policy_add(reader, trail, place);
    if (policy == NULL)
        return STORM_NONE;
    *policy = *known;
    return (uint32_t)(policy - scenario->policies);
}

/* What rollouts name gets its place before what calls name: a set of an action may give a call
   another policy, but the rollouts stay, and so must their policies' places. */
static void rollouts_reserve(struct reader *reader) {
    static const struct trail nowhere = {.up = NULL};
    const struct item *actions = tree_find(reader->root, "actions");
    uint32_t count =
        actions != NULL && actions->value->kind == NODE_LIST ? actions->value->count : 0;
    assert(reader->named_policies == reader->scenario->policy_count);
    for (uint32_t i = 0; i < count && i < STORM_ACTIONS_MAX; i++) {
        const struct node *action = actions->value->items[i].value;
        const struct item *retry = tree_find(action, "retry");
        const char *name =
            retry != NULL && retry->value->kind == NODE_SCALAR ? retry->value->text : "";
        if (tree_find(reader->policies, name) == NULL && known_find(name) != NULL)
            known_use(reader, &nowhere, retry->place, known_find(name));
    }
}

static void policies_list_read(struct reader *reader, const struct trail *trail,
                               const struct node *node) {
    for (uint32_t i = 0; i < node->count; i++) {
        const struct item *item = &node->items[i];
        struct trail here = trail_item(trail, item);
        struct storm_policy *policy = policy_add(reader, &here, item->place);
        if (policy == NULL)
            return;
        decode_name(reader, &here, item);
        policy->name = item->key;
        policy_read(reader, &here, item->value, policy);
    }
}

void policies_read(struct reader *reader, const struct trail *trail, const struct node *node,
                   void *target) {
    assert(target == reader->scenario && reader->scenario->policy_count == 0);
    if (node != NULL && node->kind == NODE_MAP)
        policies_list_read(reader, trail, node);
    else if (node != NULL)
        reader_refuse(reader, trail, node, "a map of policies by name",
                      "policies: {app: {delay: full-jitter, attempts: 4}}");
    reader->named_policies = reader->scenario->policy_count;
    rollouts_reserve(reader);
}

uint32_t policy_use(struct reader *reader, const struct trail *trail, struct place place,
                    const char *name) {
    const struct item *item = tree_find(reader->policies, name);
    if (item != NULL)
        return (uint32_t)(item - reader->policies->items);
    const struct storm_policy *known = known_find(name);
    if (known != NULL)
        return known_use(reader, trail, place, known);
    if (reader->policies != NULL && reader->policies->kind != NODE_MAP)
        return STORM_NONE; /* told already */
    struct suggest suggest = suggest_begin(name);
    char hint[STORM_MESSAGE_MAX], quoted[QUOTE_MAX];
    for (uint32_t i = 0;
         reader->policies != NULL && i < reader->policies->count && !blame_is_full(reader->errors);
         i++)
        suggest_offer(&suggest, reader->policies->items[i].key);
    for (size_t i = 0; i < policy_headline_count(); i++)
        suggest_offer(&suggest, policy_headline_at(i)->name);
    size_t listed = suggest.count; /* presets are too many to be listed, but may be meant */
    for (size_t i = 0; i < policy_preset_count() && !blame_is_full(reader->errors); i++)
        suggest_offer(&suggest, policy_preset_at(i)->name);
    suggest.count = listed;
    blame(reader->errors, trail, place, suggest_hint(&suggest, hint, sizeof hint),
          "there is no policy '%s'", blame_quote(name, quoted, sizeof quoted));
    return STORM_NONE;
}

uint32_t retry_read(struct reader *reader, const struct trail *trail, const struct node *node) {
    if (node == NULL)
        return known_use(reader, trail, trail->place, known_find("no-retry"));
    if (node->kind == NODE_SCALAR && !tree_is_empty(node))
        return policy_use(reader, trail, node->place, node->text);
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "the name of a policy, or a map",
                      "write retry: full-jitter, or retry: {delay: full-jitter, attempts: 4}");
        return STORM_NONE;
    }
    struct storm_policy *policy = policy_add(reader, trail, node->place);
    char path[STORM_PATH_MAX];
    if (policy == NULL)
        return STORM_NONE;
    uint32_t index = (uint32_t)(policy - reader->scenario->policies);
    blame_path(trail, path, sizeof path);
    policy->name = arena_copy_string(reader->arena, path, strlen(path));
    if (policy->name == NULL) {
        blame_memory(reader->errors);
        reader->scenario->policy_count--;
        return STORM_NONE;
    }
    policy_read(reader, trail, node, policy);
    return index;
}
