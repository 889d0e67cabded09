/* fields_policy.c: how a retry policy is written, named and referred to. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "policy/registry.h"
#include "scenario/fields.h"
#include "scenario/value.h"

static row_reader delay_read, preset_read, retry_on_read, give_up_on_read, success_on_read,
    retry_if_hinted_read;

static const struct field_word outcome_words[] = {
    {"refused", STORM_OUTCOME_REFUSED, "nobody listened"},
    {"reset", STORM_OUTCOME_RESET, "the connection broke while the service had the attempt"},
    {"timeout", STORM_OUTCOME_TIMEOUT, "no answer in time"},
    {"rejected", STORM_OUTCOME_REJECTED, "held back by the caller's own breaker or throttle"},
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

static const struct row no_rows[] = {{.field = {.key = NULL}}};
const struct shape budget_shape = {.rows = no_rows, .more = budget_fields, .live = true};
const struct shape throttle_shape = {.rows = no_rows, .more = throttle_fields, .live = true};
const struct shape breaker_shape = {.rows = no_rows, .more = breaker_fields, .live = true};
const struct shape hedge_shape = {.rows = no_rows, .more = hedge_fields, .live = true};

/* `delay` or `preset` is read first: it fills the whole policy, and the fields of policy_fields and
   of the brakes then change it. */
static const struct row policy_rows[] = {
    {.field = {"delay", FIELD_WORD, 0, "", 0, 0, NULL,
               "the policy to start from, e.g. full-jitter"},
     .read = delay_read,
     .example = "full-jitter"},
    {.field = {"preset", FIELD_WORD, 0, "", 0, 0, NULL,
               "instead of delay: the product whose policy to start from, e.g. envoy-default"},
     .read = preset_read,
     .example = "envoy-default"},
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
    {.field = {"retry_if_hinted", FIELD_MAP, 0, "", 0, STORM_CLASSES_MAX, NULL,
               "tried again only if the server has said when, e.g. [413, 429, 503]"},
     .read = retry_if_hinted_read,
     .item = &success_item,
     .form = FORM_LIST,
     .example = "[413, 429]"},
    {.field = {"budget", FIELD_MAP, 0, "", 0, 0, NULL,
               "how many retries all calls together may make"},
     .inner = &budget_shape,
     .example = "{kind: cost, capacity: 500, cost: 5}"},
    {.field = {"throttle", FIELD_MAP, 0, "", 0, 0, NULL,
               "a brake on all attempts, the first ones included"},
     .inner = &throttle_shape,
     .example = "{kind: adaptive, k: 2}"},
    {.field = {"breaker", FIELD_MAP, 0, "", 0, 0, NULL,
               "stops all attempts for a time when too many have failed"},
     .inner = &breaker_shape,
     .example = "{kind: consecutive, failures: 5, open_for: 5s}"},
    {.field = {"hedge", FIELD_MAP, 0, "", 0, 0, NULL,
               "copies of an attempt that are sent without waiting for its failure"},
     .inner = &hedge_shape,
     .example = "{after: 100ms, attempts: 2}"},
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

/* Blames the value of `delay` or `preset` for not being a name of its kind. */
static void start_refuse(struct reader *reader, const struct trail *trail, const struct node *node,
                         const char *noun, const char *hint) {
    char wanted[64], quoted[QUOTE_MAX];
    snprintf(wanted, sizeof wanted, "the name of a %s", noun);
    if (node->kind != NODE_SCALAR || tree_is_empty(node))
        reader_refuse(reader, trail, node, wanted, hint);
    else
        blame(reader->errors, trail, node->place, hint, "there is no %s '%s'", noun,
              blame_quote(node->text, quoted, sizeof quoted));
}

/* The policy starts as another one, but keeps its name. */
static void policy_start(struct storm_policy *policy, const struct storm_policy *from) {
    const char *name = policy->name;
    assert(from->headline != NULL);
    *policy = *from;
    policy->name = name;
}

static void delay_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       void *target) {
    const struct policy_headline *headline = policy_headline_find("no-retry");
    const struct policy_headline *found = NULL;
    char hint[STORM_MESSAGE_MAX];
    assert(headline != NULL);
    if (node != NULL) {
        const char *typed = node->kind == NODE_SCALAR ? node->text : "";
        found = policy_headline_find(typed);
        headlines_hint(typed, hint, sizeof hint);
        if (found == NULL && policy_preset_find(typed) != NULL)
            snprintf(hint, sizeof hint, "write preset: %s", typed);
        if (found == NULL)
            start_refuse(reader, trail, node, "policy", hint);
    }
    policy_start(target, found != NULL ? &found->policy : &headline->policy);
}

static void preset_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        void *target) {
    char hint[STORM_MESSAGE_MAX];
    if (node == NULL)
        return;
    const char *typed = node->kind == NODE_SCALAR ? node->text : "";
    const struct policy_preset *preset = policy_preset_find(typed);
    if (preset != NULL) {
        policy_start(target, &preset->policy);
        return;
    }
    struct suggest suggest = suggest_begin(typed);
    for (size_t i = 0; i < policy_preset_count(); i++)
        suggest_offer(&suggest, policy_preset_at(i)->name);
    if (policy_headline_find(typed) != NULL)
        snprintf(hint, sizeof hint, "write delay: %s", typed);
    else if (suggest.best != NULL)
        suggest_hint(&suggest, hint, sizeof hint);
    else
        snprintf(hint, sizeof hint, "'retrystorm presets' lists them");
    start_refuse(reader, trail, node, "preset", hint);
}

/* ---- what is tried again --------------------------------------------------------------------- */

const char *const class_keys[] = {[STORM_CLASS_RETRY] = "retry_on",
                                  [STORM_CLASS_GIVE_UP] = "give_up_on",
                                  [STORM_CLASS_SUCCESS] = "success_on",
                                  [STORM_CLASS_RETRY_HINTED] = "retry_if_hinted"};

/* The row of a status that the policy has already; NULL when there is none. */
static struct storm_class_row *class_find(struct storm_policy *policy, uint16_t status) {
    for (uint32_t i = 0; i < policy->class_count; i++) {
        if (policy->classes[i].status == status)
            return &policy->classes[i];
    }
    return NULL;
}

/* Whether a row is as the policy's preset has it, and may be overridden like any other setting. */
static bool is_of_preset(const struct storm_policy *policy, const struct storm_class_row *row) {
    const struct policy_preset *preset = policy_preset_find(policy->headline);
    uint32_t index = (uint32_t)(row - policy->classes);
    assert(index < policy->class_count);
    return preset != NULL && index < preset->policy.class_count &&
           preset->policy.classes[index].class == row->class;
}

/* Reads one status into the policy. False when there is no room for it. */
static bool class_add(struct reader *reader, const struct trail *trail, const struct node *node,
                      const struct field *item, enum storm_class class,
                      struct storm_policy *policy) {
    struct storm_class_row row = {.class = (uint8_t) class};
    if (!value_read(reader, trail, node, item, &row))
        return true;
    struct storm_class_row *other = class_find(policy, row.status);
    if (other != NULL && is_of_preset(policy, other)) {
        *other = row;
    } else if (other != NULL) {
        blame(reader->errors, trail, node->place, "a status is in one list, and once",
              "'%s' is in %s already", node->text, class_keys[other->class]);
    } else if (policy->class_count == STORM_CLASSES_MAX) {
        blame(reader->errors, trail, node->place, NULL, "more than %d statuses in the four lists",
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
    assert(class <= STORM_CLASS_RETRY_HINTED);
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

static void retry_if_hinted_read(struct reader *reader, const struct trail *trail,
                                 const struct node *node, void *target) {
    classes_read(reader, trail, node, &success_item, STORM_CLASS_RETRY_HINTED, target);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* What single fields cannot tell, placed at the key to blame when it is written. */
static void policy_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                         const struct storm_policy *policy) {
    const char *key = NULL;
    bool has_delay = tree_find(node, "delay") != NULL,
         has_preset = tree_find(node, "preset") != NULL;
    if (has_delay && has_preset) {
        decode_blame(reader, trail, node, "preset", "take one of them out",
                     "stands beside delay: a policy starts from one of them");
        return;
    }
    if (!has_delay && !has_preset && policy->attempts > 1) {
        struct trail here = {.up = trail, .key = "delay"};
        blame(reader->errors, &here, trail->place,
              "say how long to wait, e.g. delay: full-jitter, or name a preset", "is missing");
        return;
    }
    brakes_judge(reader, trail, node, policy);
    const char *wrong = policy_check(policy, &key);
    if (wrong == NULL)
        return;
    assert(key != NULL);
    const struct item *item = tree_find(node, key);
    struct trail here = {.up = trail, .key = key};
    blame(reader->errors, &here, item != NULL ? item->value->place : trail->place, NULL, "%s",
          wrong);
}

void policy_read(struct reader *reader, const struct trail *trail, const struct node *node,
                 struct storm_policy *policy) {
    uint32_t before = reader->errors->total;
    assert(policy->name != NULL);
    if (decode_map(reader, trail, node, &policy_shape, policy) && reader->errors->total == before)
        policy_judge(reader, trail, node, policy);
}
