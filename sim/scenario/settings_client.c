/* settings_client.c: the effective settings of clients, and of what operators do. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/flow.h"
#include "scenario/series.h"
#include "scenario/value.h"
#include "scenario/writer.h"

/* ---- arrivals -------------------------------------------------------------------------------- */

static void arrival_field_add(struct writer *writer, const struct trail *here, const char *key,
                              const struct storm_population *population) {
    field_add(writer, here, &shape_row(&arrival_shape, key)->field, population);
}

static void spread_add(struct writer *writer, const struct trail *here,
                       const struct storm_population *population) {
    static const char *const words[] = {[STORM_SPREAD_EVEN] = "even",
                                        [STORM_SPREAD_RANDOM] = "random",
                                        [STORM_SPREAD_NONE] = "none"};
    if (population->spread == STORM_SPREAD_WITHIN)
        number_add(writer, here, "spread", FIELD_DURATION,
                   storm_time_to_seconds(population->spread_time));
    else
        text_add(writer, here, "spread", words[population->spread]);
}

/* "load.csv#0123456789abcdef": other data is another scenario. */
static void series_add(struct writer *writer, const struct trail *here,
                       const struct storm_population *population) {
    struct flow name = {.arena = writer->arena};
    struct flow text = {.arena = writer->arena};
    char hash[24];
    snprintf(hash, sizeof hash, "#%016" PRIx64,
             series_hash(population->points, population->point_count));
    flow_add(&name, population->series);
    flow_add(&name, hash);
    flow_scalar(&text, name.is_full ? "" : name.text);
    flow_setting(writer, here, "series", &text);
}

/* [[0s, 100/s], [1m, 900/s]] */
static void rate_add(struct writer *writer, const struct trail *here,
                     const struct storm_population *population) {
    struct flow list = {.arena = writer->arena};
    char text[64];
    assert(population->point_count > 0);
    for (uint32_t i = 0; i < population->point_count; i++) {
        const struct storm_rate_point *point = &population->points[i];
        flow_add(&list, i == 0 ? "[[" : ", [");
        flow_add(&list, storm_time_print(point->at, text, sizeof text));
        flow_add(&list, ", ");
        flow_add(&list, value_print_number(FIELD_RATE, point->rate, text, sizeof text));
        flow_add(&list, "]");
    }
    flow_add(&list, "]");
    flow_setting(writer, here, "rate", &list);
}

/* Only the keys of the kind of arrivals at hand exist. */
static void arrivals_add(struct writer *writer, const struct trail *here,
                         const struct storm_population *population) {
    switch (population->arrival) {
    case STORM_ARRIVAL_AT:
        arrival_field_add(writer, here, "at", population);
        spread_add(writer, here, population);
        return;
    case STORM_ARRIVAL_EVERY:
        arrival_field_add(writer, here, "every", population);
        spread_add(writer, here, population);
        return;
    case STORM_ARRIVAL_POISSON:
        arrival_field_add(writer, here, "poisson", population);
        return;
    case STORM_ARRIVAL_EVEN:
        arrival_field_add(writer, here, "even", population);
        return;
    case STORM_ARRIVAL_RATE:
        if (population->series != NULL)
            series_add(writer, here, population);
        else
            rate_add(writer, here, population);
        return;
    case STORM_ARRIVAL_CLOSED:
        inner_add(writer, here, &arrival_shape, "closed", population, no_special);
        return;
    case STORM_ARRIVAL_QUEUE:
        break;
    }
    assert(false && "consumers have no arrivals of their own");
}

/* ---- clients --------------------------------------------------------------------------------- */

static void share_add(struct writer *writer, const struct trail *here,
                      const struct storm_population *population) {
    const struct storm_policy *policies = writer->scenario->policies;
    for (uint32_t i = 0; i < population->fleet_count; i++) {
        const struct storm_fleet *fleet = &population->fleets[i];
        assert(fleet->policy < writer->scenario->policy_count);
        number_add(writer, here, policies[fleet->policy].name, FIELD_SHARE, fleet->share);
    }
}

static void population_special(struct writer *writer, const struct trail *up, const char *key,
                               const void *target) {
    const struct storm_population *population = target;
    struct trail here = {.up = up, .key = key};
    if (strcmp(key, "arrivals") == 0) {
        arrivals_add(writer, &here, population);
    } else if (strcmp(key, "calls") == 0) {
        edge_add(writer, &here, &population->call);
    } else if (strcmp(key, "share") == 0) {
        share_add(writer, &here, population);
    } else if (strcmp(key, "message") == 0) {
        inner_add(writer, up, &population_shape, key, target, no_special);
    } else {
        assert(strcmp(key, "dead_letter_queue") == 0);
        setting_add(writer, &here, population->dead_letter_queue);
    }
}

static void consumer_special(struct writer *writer, const struct trail *up, const char *key,
                             const void *target) {
    const struct storm_population *population = target;
    const struct storm_scenario *scenario = writer->scenario;
    if (strcmp(key, "from") == 0)
        text_add(writer, up, key,
                 scenario->services[scenario->queues[population->queue].service].name);
    else
        population_special(writer, up, key, target);
}

void population_add(struct writer *writer, const struct trail *here,
                    const struct storm_population *population) {
    assert(population->name != NULL);
    if (storm_is_consumer(population))
        map_add(writer, here, &consumer_shape, population, consumer_special);
    else
        map_add(writer, here, &population_shape, population, population_special);
}

/* ---- dead letters ---------------------------------------------------------------------------- */

static void alert_value_add(struct flow *list, const char *key, const struct storm_alert *alert) {
    char value[VALUE_MAX];
    flow_add(list, key);
    flow_add(list, ": ");
    flow_add(list, value_print(&shape_row(&alert_shape, key)->field, alert, value, sizeof value));
}

/* [{depth: 0}, {growth: 10, within: 60s}] */
static void alerts_add(struct writer *writer, const struct trail *here, const char *queue) {
    struct flow list = {.arena = writer->arena};
    flow_add(&list, "[");
    for (uint32_t i = 0; i < writer->scenario->alert_count; i++) {
        const struct storm_alert *alert = &writer->scenario->alerts[i];
        if (strcmp(alert->queue, queue) != 0)
            continue;
        flow_add(&list, list.used > 1 ? ", {" : "{");
        alert_value_add(&list, alert_key(alert->kind), alert);
        if (alert->kind == STORM_ALERT_GROWTH) {
            flow_add(&list, ", ");
            alert_value_add(&list, "within", alert);
        }
        flow_add(&list, "}");
    }
    flow_add(&list, "]");
    flow_setting(writer, here, "alerts", &list);
}

static void letter_special(struct writer *writer, const struct trail *up, const char *key,
                           const void *target) {
    const struct storm_letter_queue *queue = target;
    assert(strcmp(key, "alerts") == 0);
    alerts_add(writer, up, queue->name);
}

/* Whether a queue is one of those with a retention, or that of an earlier alert. */
static bool is_written(const struct storm_scenario *scenario, uint32_t alert) {
    const char *name = scenario->alerts[alert].queue;
    for (uint32_t i = 0; i < scenario->letter_queue_count; i++) {
        if (strcmp(scenario->letter_queues[i].name, name) == 0)
            return true;
    }
    return alert > 0 && strcmp(scenario->alerts[alert - 1].queue, name) == 0;
}

void letters_add(struct writer *writer, const struct trail *top) {
    const struct storm_scenario *scenario = writer->scenario;
    struct trail letters = {.up = top, .key = "dead_letters"};
    for (uint32_t i = 0; i < scenario->letter_queue_count; i++) {
        const struct storm_letter_queue *queue = &scenario->letter_queues[i];
        struct trail here = {.up = &letters, .key = queue->name};
        map_add(writer, &here, &letter_queue_shape, queue, letter_special);
    }
    for (uint32_t i = 0; i < scenario->alert_count; i++) {
        const struct storm_letter_queue queue = {.name = scenario->alerts[i].queue,
                                                 .retention = STORM_NEVER};
        struct trail here = {.up = &letters, .key = queue.name};
        if (!is_written(scenario, i))
            map_add(writer, &here, &letter_queue_shape, &queue, letter_special);
    }
}

/* ---- actions --------------------------------------------------------------------------------- */

/* The name of whom an action concerns. */
static const char *population_of(const struct writer *writer, const struct storm_action *action) {
    return action->population == STORM_NONE
               ? "all"
               : writer->scenario->populations[action->population].name;
}

static void action_special(struct writer *writer, const struct trail *here, const char *key,
                           const struct storm_action *action) {
    const struct storm_scenario *scenario = writer->scenario;
    if (strcmp(key, "set") == 0) {
        struct flow map = {.arena = writer->arena};
        flow_add(&map, "{");
        flow_add(&map, action->settings);
        flow_add(&map, "}");
        flow_setting(writer, here, key, &map);
    } else if (strcmp(key, "clear") == 0 || strcmp(key, "service") == 0) {
        assert(action->service < scenario->service_count);
        text_add(writer, here, key, scenario->services[action->service].name);
    } else if (strcmp(key, "retry") == 0) {
        assert(action->policy < scenario->policy_count);
        text_add(writer, here, key, scenario->policies[action->policy].name);
    } else {
        text_add(writer, here, key, population_of(writer, action));
    }
}

void action_add(struct writer *writer, const struct trail *here,
                const struct storm_action *action) {
    assert(action->kind != STORM_ACTION_SET || action->settings != NULL);
    for (const struct row *row = action_shape.rows; row->field.key != NULL; row++) {
        if (!action_has(action->kind, row->field.key))
            continue;
        if (row->read == NULL)
            field_add(writer, here, &row->field, action);
        else
            action_special(writer, here, row->field.key, action);
    }
}
