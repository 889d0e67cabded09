/* fields_policy.c: how a retry policy is written, named and referred to. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "policy/registry.h"
#include "scenario/fields.h"
#include "scenario/suggest.h"

static row_reader delay_read;

/* `delay` is read first: it fills the whole policy, and the fields of policy_fields then change
   it. */
static const struct row policy_rows[] = {
    {{"delay", FIELD_WORD, 0, "", 0, 0, NULL, "the policy to start from, e.g. full-jitter"},
     delay_read,
     NULL},
    {{.key = NULL}, NULL, NULL},
};
const struct shape policy_shape = {policy_rows, policy_fields};

/* Our headline names, and which of them was meant. */
static void headlines_hint(const char *typed, char *hint, size_t size) {
    struct suggest suggest = suggest_begin(typed);
    for (size_t i = 0; i < policy_headline_count(); i++)
        suggest_offer(&suggest, policy_headline_at(i)->name);
    suggest_hint(&suggest, hint, size);
}

static void delay_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       void *target) {
    struct storm_policy *policy = target;
    const char *name = policy->name;
    const struct policy_headline *headline = policy_headline_find("no-retry");
    char hint[STORM_MESSAGE_MAX], quoted[QUOTE_MAX];
    assert(headline != NULL);
    if (node != NULL && node->kind == NODE_SCALAR) {
        const struct policy_headline *found = policy_headline_find(node->text);
        headlines_hint(node->text, hint, sizeof hint);
        if (found != NULL)
            headline = found;
        else if (tree_is_empty(node))
            reader_refuse(reader, trail, node, "the name of a policy", hint);
        else
            blame(reader->errors, trail, node->place, hint, "there is no policy '%s'",
                  blame_quote(node->text, quoted, sizeof quoted));
    } else if (node != NULL) {
        headlines_hint("", hint, sizeof hint);
        reader_refuse(reader, trail, node, "the name of a policy", hint);
    }
    *policy = headline->policy;
    policy->name = name;
}

/* What single fields cannot tell, placed at the key to blame when it is written. */
static void policy_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                         const struct storm_policy *policy) {
    const char *key = NULL;
    if (tree_find(node, "delay") == NULL && policy->attempts > 1) {
        struct trail here = {.up = trail, .key = "delay"};
        blame(reader->errors, &here, trail->place, "say how long to wait, e.g. delay: full-jitter",
              "is missing");
        return;
    }
    const char *wrong = policy_check(policy, &key);
    if (wrong == NULL)
        return;
    assert(key != NULL);
    const struct item *item = tree_find(node, key);
    struct trail here = {.up = trail, .key = key};
    blame(reader->errors, &here, item != NULL ? item->value->place : trail->place, NULL, "%s",
          wrong);
}

static void policy_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        struct storm_policy *policy) {
    uint32_t before = reader->errors->total;
    assert(policy->name != NULL);
    if (decode_map(reader, trail, node, &policy_shape, policy) && reader->errors->total == before)
        policy_judge(reader, trail, node, policy);
}

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

void policies_read(struct reader *reader, const struct trail *trail, const struct node *node,
                   void *target) {
    assert(target == reader->scenario && reader->scenario->policy_count == 0);
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map of policies by name",
                      "policies: {app: {delay: full-jitter, attempts: 4}}");
        return;
    }
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
    reader->named_policies = reader->scenario->policy_count;
}

/* The index of a headline policy among those of the scenario, added at its first use. */
static uint32_t headline_use(struct reader *reader, const struct trail *trail, struct place place,
                             const struct policy_headline *headline) {
    struct storm_scenario *scenario = reader->scenario;
    for (uint32_t i = reader->named_policies; i < scenario->policy_count; i++) {
        if (strcmp(scenario->policies[i].name, headline->name) == 0)
            return i;
    }
    struct storm_policy *policy = policy_add(reader, trail, place);
    if (policy == NULL)
        return STORM_NONE;
    *policy = headline->policy;
    return (uint32_t)(policy - scenario->policies);
}

/* The policy of a name: one of `policies:`, else a headline. */
static uint32_t name_use(struct reader *reader, const struct trail *trail,
                         const struct node *node) {
    const struct item *item = tree_find(reader->policies, node->text);
    if (item != NULL)
        return (uint32_t)(item - reader->policies->items);
    const struct policy_headline *headline = policy_headline_find(node->text);
    if (headline != NULL)
        return headline_use(reader, trail, node->place, headline);
    if (reader->policies != NULL && reader->policies->kind != NODE_MAP)
        return STORM_NONE; /* told already */
    struct suggest suggest = suggest_begin(node->text);
    char hint[STORM_MESSAGE_MAX], quoted[QUOTE_MAX];
    for (uint32_t i = 0;
         reader->policies != NULL && i < reader->policies->count && !blame_is_full(reader->errors);
         i++)
        suggest_offer(&suggest, reader->policies->items[i].key);
    for (size_t i = 0; i < policy_headline_count(); i++)
        suggest_offer(&suggest, policy_headline_at(i)->name);
    blame(reader->errors, trail, node->place, suggest_hint(&suggest, hint, sizeof hint),
          "there is no policy '%s'", blame_quote(node->text, quoted, sizeof quoted));
    return STORM_NONE;
}

uint32_t retry_read(struct reader *reader, const struct trail *trail, const struct node *node) {
    if (node == NULL)
        return headline_use(reader, trail, trail->place, policy_headline_find("no-retry"));
    if (node->kind == NODE_SCALAR && !tree_is_empty(node))
        return name_use(reader, trail, node);
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
