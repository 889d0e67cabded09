/* fields_policy.c: how a retry policy is written, named and referred to. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "policy/registry.h"
#include "scenario/fields.h"
#include "scenario/suggest.h"
#include "scenario/value.h"

static row_reader delay_read, retry_on_read, give_up_on_read, success_on_read;

static const struct field_word outcome_words[] = {
    {"refused", STORM_OUTCOME_REFUSED, "nobody listened"},
    {"reset", STORM_OUTCOME_RESET, "the connection broke while the service had the attempt"},
    {"timeout", STORM_OUTCOME_TIMEOUT, "no answer in time"},
    {NULL, 0, NULL}};
const struct field class_item = {"status",
                                 FIELD_STATUS,
                                 offsetof(struct storm_class_row, status),
                                 NULL,
                                 100,
                                 599,
                                 outcome_words,
                                 "what an attempt came to"};
static const struct field success_item = {"status",
                                          FIELD_STATUS,
                                          offsetof(struct storm_class_row, status),
                                          NULL,
                                          100,
                                          599,
                                          NULL,
                                          "an answer of this status"};

/* `delay` is read first: it fills the whole policy, and the fields of policy_fields then change
   it. */
static const struct row policy_rows[] = {
    {.field = {"delay", FIELD_WORD, 0, "", 0, 0, NULL,
               "the policy to start from, e.g. full-jitter"},
     .read = delay_read},
    {.field = {"retry_on", FIELD_MAP, 0, "", 0, STORM_CLASSES_MAX, NULL,
               "tried again as usual failures are, e.g. [409, timeout]"},
     .read = retry_on_read,
     .item = &class_item,
     .form = FORM_LIST,
     .example = "[409, timeout]"},
    {.field = {"give_up_on", FIELD_MAP, 0, "", 0, STORM_CLASSES_MAX, NULL,
               "never tried again, e.g. [503]"},
     .read = give_up_on_read,
     .item = &class_item,
     .form = FORM_LIST,
     .example = "[503]"},
    {.field = {"success_on", FIELD_MAP, 0, "", 0, STORM_CLASSES_MAX, NULL,
               "as good as a success, e.g. [409] for a duplicate of one's own write"},
     .read = success_on_read,
     .item = &success_item,
     .form = FORM_LIST,
     .example = "[409]"},
    {.field = {.key = NULL}},
};
const struct shape policy_shape = {
    .rows = policy_rows, .more = policy_fields, .live = true, .name = "policy"};

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

/* ---- what is tried again --------------------------------------------------------------------- */

static const char *const class_keys[] = {[STORM_CLASS_RETRY] = "retry_on",
                                         [STORM_CLASS_GIVE_UP] = "give_up_on",
                                         [STORM_CLASS_SUCCESS] = "success_on"};

/* The row of a status that the policy has already; NULL when there is none. */
static const struct storm_class_row *class_find(const struct storm_policy *policy,
                                                uint16_t status) {
    for (uint32_t i = 0; i < policy->class_count; i++) {
        if (policy->classes[i].status == status)
            return &policy->classes[i];
    }
    return NULL;
}

/* Reads one status into the policy. False when there is no room for it. */
static bool class_add(struct reader *reader, const struct trail *trail, const struct node *node,
                      const struct field *item, enum storm_class class,
                      struct storm_policy *policy) {
    struct storm_class_row row = {.class = (uint8_t) class};
    if (!value_read(reader, trail, node, item, &row))
        return true;
    const struct storm_class_row *other = class_find(policy, row.status);
    if (other != NULL) {
        blame(reader->errors, trail, node->place, "a status is in one list, and once",
              "'%s' is in %s already", node->text, class_keys[other->class]);
    } else if (policy->class_count == STORM_CLASSES_MAX) {
        blame(reader->errors, trail, node->place, NULL, "more than %d statuses in the three lists",
              STORM_CLASSES_MAX);
        return false;
    } else {
        policy->classes[policy->class_count++] = row;
    }
    return true;
}

static void classes_read(struct reader *reader, const struct trail *trail, const struct node *node,
                         const struct field *item, enum storm_class class, void *target) {
    char hint[STORM_MESSAGE_MAX];
    if (node == NULL)
        return;
    assert(class <= STORM_CLASS_SUCCESS);
    if (node->kind != NODE_LIST) {
        snprintf(hint, sizeof hint, "write %s: [%s]", class_keys[class],
                 class == STORM_CLASS_GIVE_UP ? "503" : "409");
        reader_refuse(reader, trail, node, "a list of statuses", hint);
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_index(trail, i, &node->items[i]);
        if (!class_add(reader, &here, node->items[i].value, item, class, target))
            return;
    }
}

static void retry_on_read(struct reader *reader, const struct trail *trail, const struct node *node,
                          void *target) {
    classes_read(reader, trail, node, &class_item, STORM_CLASS_RETRY, target);
}

static void give_up_on_read(struct reader *reader, const struct trail *trail,
                            const struct node *node, void *target) {
    classes_read(reader, trail, node, &class_item, STORM_CLASS_GIVE_UP, target);
}

static void success_on_read(struct reader *reader, const struct trail *trail,
                            const struct node *node, void *target) {
    classes_read(reader, trail, node, &success_item, STORM_CLASS_SUCCESS, target);
}

/* ---- policies -------------------------------------------------------------------------------- */

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

uint32_t policy_use(struct reader *reader, const struct trail *trail, struct place place,
                    const char *name) {
    const struct item *item = tree_find(reader->policies, name);
    if (item != NULL)
        return (uint32_t)(item - reader->policies->items);
    const struct policy_headline *headline = policy_headline_find(name);
    if (headline != NULL)
        return headline_use(reader, trail, place, headline);
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
    blame(reader->errors, trail, place, suggest_hint(&suggest, hint, sizeof hint),
          "there is no policy '%s'", blame_quote(name, quoted, sizeof quoted));
    return STORM_NONE;
}

uint32_t retry_read(struct reader *reader, const struct trail *trail, const struct node *node) {
    if (node == NULL)
        return headline_use(reader, trail, trail->place, policy_headline_find("no-retry"));
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
