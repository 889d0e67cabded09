/* fields_action.c: how it is written what operators do, and what their settings leave behind. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/override.h"

#define OF(member) offsetof(struct storm_action, member)

static row_reader clients_of_action_read, population_of_action_read, senders_of_action_read,
    service_of_action_read, policy_of_action_read, set_read;

static const struct field_word all_words[] = {{"all", -1, "all populations"}, {NULL, 0, NULL}};

static const struct field_word rate_words[] = {{"at_once", 0, "all in one moment"},
                                               {NULL, 0, NULL}};
static const struct field_word probe_words[] = {{"none", 0, "no probe"}, {NULL, 0, NULL}};
static const struct field_word checkpoint_words[] = {{"none", 0, "from the start"},
                                                     {NULL, 0, NULL}};

static const struct row action_rows[] = {
    {.field = {"at", FIELD_DURATION, OF(at), NULL, 0, LONGEST, NULL, "when it is done"}},
    {.field = {"pause", FIELD_TEXT, 0, "", 0, 0, all_words,
               "these clients or consumers, or all, want nothing for a time"},
     .read = clients_of_action_read,
     .choice = CHOICE_ONE,
     .example = "all"},
    {.field = {"block", FIELD_TEXT, 0, "", 0, 0, all_words,
               "the service refuses what stems from these clients, or from all"},
     .read = clients_of_action_read,
     .choice = CHOICE_ONE,
     .with = "service",
     .example = "all"},
    {.field = {"clear", FIELD_TEXT, 0, "", 0, 0, NULL, "what waits at this service is reset"},
     .read = service_of_action_read,
     .choice = CHOICE_ONE,
     .example = "api"},
    {.field = {"admit", FIELD_RATE, OF(rate), "", RATE_LEAST, RATE_MOST, NULL,
               "the service lets in so many attempts, and refuses the rest"},
     .choice = CHOICE_ONE,
     .with = "service"},
    {.field = {"set", FIELD_MAP, 0, "", 0, 0, NULL,
               "settings that change for good, by path: {services.api.workers: 80}"},
     .read = set_read,
     .inner = &paths_shape,
     .choice = CHOICE_ONE,
     .example = "{services.api.workers: 80}"},
    {.field = {"replay", FIELD_TEXT, 0, "", 0, 0, NULL,
               "the dead letters of these clients or consumers are sent once more"},
     .read = population_of_action_read,
     .choice = CHOICE_ONE,
     .example = "web"},
    {.field = {"resend", FIELD_TEXT, 0, "", 0, 0, NULL,
               "somebody sends the last requests of these clients again by hand"},
     .read = senders_of_action_read,
     .choice = CHOICE_ONE,
     .example = "web"},
    {.field = {"rerun", FIELD_TEXT, 0, "", 0, 0, NULL,
               "the batch of these clients is run again, from its start or a checkpoint"},
     .read = senders_of_action_read,
     .choice = CHOICE_ONE,
     .example = "web"},
    {.field = {"rollout", FIELD_TEXT, 0, "", 0, 0, NULL,
               "these clients or consumers go over to another policy one by one"},
     .read = population_of_action_read,
     .choice = CHOICE_ONE,
     .with = "retry",
     .example = "web"},
    {.field = {"rate", FIELD_RATE, OF(pace.rate), "at_once", RATE_LEAST, RATE_MOST, rate_words,
               "replay, resend, rerun: how many are sent a second"},
     .with = "replay resend rerun"},
    {.field = {"ramp", FIELD_DURATION, OF(pace.ramp), "0s", 0, LONGEST, NULL,
               "replay, resend, rerun: the rate rises from a tenth to the whole in this time"},
     .with = "replay resend rerun"},
    {.field = {"limit", FIELD_COUNT, OF(pace.limit), "unlimited", 1, UINT32_MAX, NULL,
               "replay, resend, rerun: no more than so many are sent"},
     .with = "replay resend rerun"},
    {.field = {"probe", FIELD_COUNT, OF(pace.probe), "none", 1, 1e9, probe_words,
               "replay, resend, rerun: so many first, whose outcomes are waited for"},
     .with = "replay resend rerun"},
    {.field = {"probe_success", FIELD_SHARE, OF(pace.probe_success), "90%", 0, 1, NULL,
               "with fewer successes than this share of the probe it ends there"},
     .with = "probe"},
    {.field = {"data", FIELD_BOOL, OF(with_data), "false", 0, 0, NULL,
               "replay: letters that died of their own fault, too"},
     .with = "replay"},
    {.field = {"checkpoint", FIELD_COUNT, OF(checkpoint), "none", 1, 1e9, checkpoint_words,
               "rerun: from the last multiple of so many requests; none: from the start"},
     .with = "rerun"},
    {.field = {"service", FIELD_TEXT, 0, "", 0, 0, NULL, "block, admit: the service that does it"},
     .read = service_of_action_read,
     .with = "block admit",
     .example = "api"},
    {.field = {"for", FIELD_DURATION, OF(length), "none", SHORTEST, HUGE_VAL, NULL,
               "pause, block, admit: how long; none: to the end"},
     .with = "pause block admit"},
    {.field = {"status", FIELD_STATUS, OF(status), "503", 400, 599, NULL,
               "block, admit: what is answered to those refused"},
     .with = "block admit"},
    {.field = {"retry", FIELD_TEXT, 0, "", 0, 0, NULL, "rollout: the name of the new policy"},
     .read = policy_of_action_read,
     .with = "rollout",
     .example = "full-jitter"},
    {.field = {"over", FIELD_DURATION, OF(length), "", 0, LONGEST, NULL,
               "rollout: how long until all have gone over"},
     .with = "rollout"},
    {.field = {.key = NULL}},
};
const struct shape action_shape = {.rows = action_rows, .name = "action"};

/* ---- one action ------------------------------------------------------------------------------ */

/* The clients of a name: consumers send nothing of their own. */
static uint32_t senders_reference(struct reader *reader, const struct trail *trail,
                                  const struct node *node) {
    return decode_reference(reader, trail, node, reader->clients, NULL, "population of clients");
}

static void clients_of_action_read(struct reader *reader, const struct trail *trail,
                                   const struct node *node, void *target) {
    struct storm_action *action = target;
    assert(reader->scenario->actions != NULL);
    if (node == NULL || (node->kind == NODE_SCALAR && strcmp(node->text, all_words[0].word) == 0))
        return; /* all is what it was before */
    bool is_pause = strcmp(trail->key, "pause") == 0;
    action->population = is_pause ? population_reference(reader, trail, node)
                                  : senders_reference(reader, trail, node);
}

static void population_of_action_read(struct reader *reader, const struct trail *trail,
                                      const struct node *node, void *target) {
    struct storm_action *action = target;
    if (node != NULL)
        action->population = population_reference(reader, trail, node);
}

static void senders_of_action_read(struct reader *reader, const struct trail *trail,
                                   const struct node *node, void *target) {
    struct storm_action *action = target;
    if (node != NULL)
        action->population = senders_reference(reader, trail, node);
}

/* Policies by name only: an action's own would not be there in what other actions leave behind. */
static void policy_of_action_read(struct reader *reader, const struct trail *trail,
                                  const struct node *node, void *target) {
    struct storm_action *action = target;
    if (node == NULL)
        return;
    if (node->kind != NODE_SCALAR || tree_is_empty(node))
        reader_refuse(reader, trail, node, "the name of a policy",
                      "name it under policies: and refer to it");
    else
        action->policy = policy_use(reader, trail, node->place, node->text);
}

static void service_of_action_read(struct reader *reader, const struct trail *trail,
                                   const struct node *node, void *target) {
    struct storm_action *action = target;
    assert(reader->scenario->actions != NULL);
    if (node != NULL)
        action->service = service_reference(reader, trail, node);
}

/* What is in it is read later, when all actions are known and in the order of their times. */
static void set_read(struct reader *reader, const struct trail *trail, const struct node *node,
                     void *target) {
    static const char example[] = "set: {services.api.workers: 80}";
    (void)target;
    if (node == NULL)
        return;
    assert(!reader->is_after);
    if (node->kind != NODE_MAP || node->count == 0)
        reader_refuse(reader, trail, node, "a map of settings by path", example);
    else if (node->count > OVERRIDES_MAX)
        blame(reader->errors, trail, node->place, NULL, "more than %d settings", OVERRIDES_MAX);
}

#define KIND(name) (1U << STORM_ACTION_##name)
#define COPIES (KIND(REPLAY) | KIND(RESEND) | KIND(RERUN))

/* Which kinds of actions have which key, by the bits of enum storm_action_kind. The own keys of the
   kinds come first, in the order of the enum. */
static const struct action_key {
    const char *key;
    unsigned kinds;
    unsigned required; /* of which kinds it is missing when it is not written */
    const char *help;
} action_keys[] = {
    {"pause", KIND(PAUSE), 0, NULL},
    {"block", KIND(BLOCK), 0, NULL},
    {"clear", KIND(CLEAR), 0, NULL},
    {"admit", KIND(ADMIT), 0, NULL},
    {"set", KIND(SET), 0, NULL},
    {"rollout", KIND(ROLLOUT), 0, NULL},
    {"replay", KIND(REPLAY), 0, NULL},
    {"resend", KIND(RESEND), 0, NULL},
    {"rerun", KIND(RERUN), 0, NULL},
    {"for", KIND(PAUSE) | KIND(BLOCK) | KIND(ADMIT), 0, "pause, block and admit last for a time"},
    {"service", KIND(BLOCK) | KIND(ADMIT), KIND(BLOCK) | KIND(ADMIT),
     "block and admit have a service, e.g. service: api"},
    {"status", KIND(BLOCK) | KIND(ADMIT), 0, "block and admit have a status"},
    {"rate", COPIES, 0, "replay, resend and rerun have a rate"},
    {"ramp", COPIES, 0, "replay, resend and rerun have a ramp"},
    {"limit", COPIES, 0, "replay, resend and rerun have a limit"},
    {"probe", COPIES, 0, "replay, resend and rerun have a probe"},
    {"probe_success", COPIES, 0, "replay, resend and rerun have a probe"},
    {"data", KIND(REPLAY), 0, "replay may send letters of class data"},
    {"checkpoint", KIND(RERUN), 0, "rerun may begin at a checkpoint"},
    {"retry", KIND(ROLLOUT), KIND(ROLLOUT), "rollout has a policy, e.g. retry: full-jitter"},
    {"over", KIND(ROLLOUT), KIND(ROLLOUT), "rollout takes a time, e.g. over: 10m"},
    {NULL, 0, 0, NULL},
};

enum { ACTION_KINDS = STORM_ACTION_RERUN + 1 };

bool action_has(enum storm_action_kind kind, const char *key) {
    assert(key != NULL);
    for (const struct action_key *row = action_keys; row->key != NULL; row++) {
        if (strcmp(row->key, key) == 0)
            return (row->kinds >> kind & 1) != 0;
    }
    return true;
}

/* The kind of an action by its key; *count is how many such keys there are. */
static enum storm_action_kind kind_of(const struct node *node, int *count) {
    enum storm_action_kind kind = STORM_ACTION_PAUSE;
    *count = 0;
    for (unsigned i = 0; i < ACTION_KINDS; i++) {
        assert(action_keys[i].kinds == 1U << i);
        if (tree_find(node, action_keys[i].key) != NULL) {
            kind = (enum storm_action_kind)i;
            ++*count;
        }
    }
    return kind;
}

/* A key that this kind of action cannot have, or cannot be without. */
static void key_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                      enum storm_action_kind kind, const struct action_key *key) {
    const struct item *item = tree_find(node, key->key);
    struct trail here = {.up = trail, .key = key->key};
    if (item != NULL && (key->kinds >> kind & 1) == 0)
        blame(reader->errors, &here, item->place, key->help,
              "means nothing for this kind of action");
    if (item == NULL && (key->required >> kind & 1) != 0)
        blame(reader->errors, &here, node->place, key->help, "is missing");
}

static void action_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                         struct storm_action *action) {
    int count;
    action->kind = kind_of(node, &count);
    if (count != 1) {
        blame(reader->errors, trail, node->place,
              "write one of pause: all, block: all, clear: SERVICE, admit: 200/s, set: {...}, "
              "replay: CLIENTS, resend: CLIENTS, rerun: CLIENTS, rollout: CLIENTS",
              count == 0 ? "does nothing" : "does more than one thing");
        return;
    }
    for (const struct action_key *key = action_keys; key->key != NULL; key++)
        key_judge(reader, trail, node, action->kind, key);
    if (action->pace.ramp > 0 && action->pace.rate <= 0)
        decode_blame(reader, trail, node, "ramp", "say to which rate, e.g. rate: 50/s",
                     "leads nowhere: all are sent at once");
}

static void action_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        struct storm_action *action) {
    uint32_t before = reader->errors->total;
    assert(node != NULL);
    *action = (struct storm_action){
        .population = STORM_NONE, .service = STORM_NONE, .policy = STORM_NONE};
    decode_map(reader, trail, node, &action_shape, action);
    if (reader->errors->total == before)
        action_judge(reader, trail, node, action);
}

/* ---- all actions ----------------------------------------------------------------------------- */

void actions_read(struct reader *reader, const struct trail *trail, const struct node *node,
                  void *target) {
    struct storm_scenario *scenario = target;
    assert(scenario == reader->scenario && scenario->actions == NULL);
    if (node == NULL || reader->is_after)
        return;
    if (node->kind != NODE_LIST) {
        reader_refuse(reader, trail, node, "a list of actions",
                      "actions: [{at: 60s, pause: all, for: 30s}]");
        return;
    }
    if (node->count > STORM_ACTIONS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d actions", STORM_ACTIONS_MAX);
        return;
    }
    if (node->count == 0)
        return;
    scenario->actions = reader_take(reader, node->count, sizeof *scenario->actions);
    if (scenario->actions == NULL)
        return;
    scenario->action_count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_index(trail, i, &node->items[i]);
        action_read(reader, &here, node->items[i].value, &scenario->actions[i]);
    }
    actions_apply(reader, trail, node);
}
