/* fields_letter.c: how it is written how long dead letters are kept, and when somebody is told. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/suggest.h"
#include "scenario/fields.h"

static row_reader alerts_read;

#define OF(member) offsetof(struct storm_alert, member)

static const struct row alert_rows[] = {
    {.field = {"depth", FIELD_WHOLE, OF(count), "", 0, 1e9, NULL, "more letters than this"},
     .choice = CHOICE_ONE},
    {.field = {"growth", FIELD_WHOLE, OF(count), "", 0, 1e9, NULL,
               "more new letters than this in a time"},
     .choice = CHOICE_ONE,
     .with = "within"},
    {.field = {"age", FIELD_DURATION, OF(time), "", SHORTEST, LONGEST, NULL,
               "the oldest letter is older than this"},
     .choice = CHOICE_ONE},
    {.field = {"unreviewed", FIELD_DURATION, OF(time), "", SHORTEST, LONGEST, NULL,
               "a letter that nobody has replayed or decided on for this long"},
     .choice = CHOICE_ONE},
    {.field = {"within", FIELD_DURATION, OF(time), "", SHORTEST, LONGEST, NULL,
               "growth: the time in which they come"},
     .with = "growth"},
    {.field = {.key = NULL}},
};
const struct shape alert_shape = {.rows = alert_rows, .name = "alert"};
#undef OF

#define OF(member) offsetof(struct storm_letter_queue, member)

const struct field letter_queue_key = {
    "queue", FIELD_TEXT, 0, NULL, 0, 0, NULL, "the name of a dead-letter queue"};

static const struct row letter_queue_rows[] = {
    {.field = {"retention", FIELD_DURATION, OF(retention), "none", SHORTEST, HUGE_VAL, NULL,
               "letters older than this are gone; none: they are kept"}},
    {.field = {"archive", FIELD_BOOL, OF(archive), "false", 0, 0, NULL,
               "letters older than retention go to an archive instead: they count as "
               "letters_archived, not as letters_expired"}},
    {.field = {"alerts", FIELD_MAP, 0, "", 0, STORM_ALERTS_MAX, NULL,
               "when somebody is told that there are letters"},
     .read = alerts_read,
     .inner = &alert_shape,
     .form = FORM_LIST,
     .example = "[{depth: 0}, {growth: 10, within: 1m}]"},
    {.field = {.key = NULL}},
};
const struct shape letter_queue_shape = {.rows = letter_queue_rows};

/* ---- alerts ---------------------------------------------------------------------------------- */

static const char *const kind_keys[] = {[STORM_ALERT_DEPTH] = "depth",
                                        [STORM_ALERT_GROWTH] = "growth",
                                        [STORM_ALERT_AGE] = "age",
                                        [STORM_ALERT_UNREVIEWED] = "unreviewed"};

const char *alert_key(enum storm_alert_kind kind) {
    assert(kind <= STORM_ALERT_UNREVIEWED);
    return kind_keys[kind];
}

static void alert_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                        struct storm_alert *alert) {
    static const char example[] =
        "write one of {depth: 0}, {growth: 10, within: 1m}, {age: 1h}, {unreviewed: 24h}";
    int count = 0;
    for (size_t i = 0; i < sizeof kind_keys / sizeof kind_keys[0]; i++) {
        if (tree_find(node, kind_keys[i]) == NULL)
            continue;
        alert->kind = (enum storm_alert_kind)i;
        count++;
    }
    const struct item *within = tree_find(node, "within");
    bool is_growth = count == 1 && alert->kind == STORM_ALERT_GROWTH;
    if (count != 1)
        blame(reader->errors, trail, node->place, example,
              count == 0 ? "says nothing" : "says more than one thing");
    else if (is_growth && within == NULL)
        decode_blame(reader, trail, node, "within", "say in which time, e.g. within: 1m",
                     "is missing");
    else if (!is_growth && within != NULL)
        decode_blame(reader, trail, node, "within", example, "goes with growth only");
}

static void alerts_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        void *target) {
    struct storm_scenario *scenario = reader->scenario;
    const struct storm_letter_queue *queue = target;
    if (node == NULL)
        return;
    if (node->kind != NODE_LIST) {
        reader_refuse(reader, trail, node, "a list of alerts", "write alerts: [{depth: 0}]");
        return;
    }
    if (node->count > STORM_ALERTS_MAX - scenario->alert_count) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d alerts in all",
              STORM_ALERTS_MAX);
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t before = reader->errors->total;
        struct trail here = trail_index(trail, i, &node->items[i]);
        struct storm_alert *alert = &scenario->alerts[scenario->alert_count++];
        *alert = (struct storm_alert){.queue = queue->name};
        decode_map(reader, &here, node->items[i].value, &alert_shape, alert);
        if (reader->errors->total == before)
            alert_judge(reader, &here, node->items[i].value, alert);
    }
}

/* ---- queues of dead letters ------------------------------------------------------------------ */

/* The name must be one to which a population's dead letters go. */
static void name_judge(struct reader *reader, const struct trail *trail, const struct item *item) {
    const struct storm_scenario *scenario = reader->scenario;
    struct suggest suggest = suggest_begin(item->key);
    char quoted[QUOTE_MAX], hint[STORM_MESSAGE_MAX];
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        const struct storm_population *population = &scenario->populations[i];
        const char *name = storm_letter_queue_of(population);
        bool is_nameless = storm_is_consumer(population) && population->queue == STORM_NONE;
        if (strcmp(name, item->key) == 0 || is_nameless)
            return; /* whose queue is in error might have had that name */
        suggest_offer(&suggest, name);
    }
    blame(reader->errors, trail, item->place, suggest_hint(&suggest, hint, sizeof hint),
          "there is no dead-letter queue '%s'", blame_quote(item->key, quoted, sizeof quoted));
}

static void letter_queue_read(struct reader *reader, const struct trail *trail,
                              const struct item *item) {
    struct storm_scenario *scenario = reader->scenario;
    struct storm_letter_queue queue = {.name = item->key};
    uint32_t before = reader->errors->total;
    name_judge(reader, trail, item);
    decode_map(reader, trail, item->value, &letter_queue_shape, &queue);
    if (reader->errors->total != before)
        return;
    if (queue.retention < STORM_NEVER)
        scenario->letter_queues[scenario->letter_queue_count++] = queue;
    else if (queue.archive)
        decode_blame(reader, trail, item->value, "archive", "say when, e.g. retention: 14d",
                     "nothing ever goes there: letters are kept for ever");
}

void dead_letters_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       void *target) {
    struct storm_scenario *scenario = target;
    assert(scenario == reader->scenario && scenario->alerts == NULL);
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map of dead-letter queues by name",
                      "dead_letters: {web: {retention: 14d, alerts: [{depth: 0}]}}");
        return;
    }
    if (node->count > LETTER_QUEUES_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d dead-letter queues",
              LETTER_QUEUES_MAX);
        return;
    }
    if (node->count == 0)
        return;
    scenario->letter_queues = reader_take(reader, node->count, sizeof *scenario->letter_queues);
    scenario->alerts = reader_take(reader, STORM_ALERTS_MAX, sizeof *scenario->alerts);
    if (scenario->letter_queues == NULL || scenario->alerts == NULL)
        return;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_item(trail, &node->items[i]);
        letter_queue_read(reader, &here, &node->items[i]);
    }
}
