/* chrome_writer.c: slices, flows, instants and counters in the Trace Event Format.

   A process is a population or a service, a thread a lane of it. Slices are pairs of B and E events
   in the order of their times, so that nothing is kept but what a name needs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include <retrystorm/policy.h>

#include "report/fact_phrase.h"
#include "report/json_writer.h"
#include "report/story.h"

/* Thread ids tell lanes of all processes apart: some readers want that. */
enum { LANES = 1000000, NAME_SIZE = 400 };

struct chrome_writer {
    const struct storm_scenario *scenario;
    struct story_source source;
    struct json_writer json;
    uint32_t process_count;
    uint32_t *lanes; /* by process: the highest that was used, plus 1 */
};

/* ---- names ----------------------------------------------------------------------------------- */

static const char *category(enum storm_slice_kind kind) {
    static const char *const words[] = {
        [STORM_SLICE_REQUEST] = "request",   [STORM_SLICE_ATTEMPT] = "attempt",
        [STORM_SLICE_BACK_OFF] = "back-off", [STORM_SLICE_VISIT] = "visit",
        [STORM_SLICE_QUEUE] = "queue",       [STORM_SLICE_SERVICE] = "service",
        [STORM_SLICE_MESSAGE] = "message",   [STORM_SLICE_DELIVERY] = "delivery",
        [STORM_SLICE_PLAN] = "plan",         [STORM_SLICE_CHANGE] = "change",
        [STORM_SLICE_LEVEL] = "level"};
    assert((size_t)kind < sizeof words / sizeof words[0]);
    return words[kind];
}

/* "web:12:3", as --request names it. */
static void name_request(const struct storm_scenario *scenario, const struct storm_kin *kin,
                         char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "%.300s:%" PRIu32 ":%" PRIu32,
             scenario->populations[kin->population].name, kin->member, kin->ordinal);
}

static void name_slice(const struct storm_scenario *scenario, const struct storm_slice_event *event,
                       char name[NAME_SIZE]) {
    const struct storm_kin *kin = event->kin;
    switch (event->kind) {
    case STORM_SLICE_ATTEMPT:
        snprintf(name, NAME_SIZE, "%.300s, try %" PRIu32,
                 scenario->services[kin->attempt.place].name, kin->attempt.number);
        break;
    case STORM_SLICE_DELIVERY:
        snprintf(name, NAME_SIZE, "delivery %" PRIu32, kin->attempt.number);
        break;
    case STORM_SLICE_REQUEST:
    case STORM_SLICE_VISIT:
    case STORM_SLICE_MESSAGE:
        name_request(scenario, kin, name);
        break;
    case STORM_SLICE_PLAN:
        mark_phrase(scenario, event->mark, name, NAME_SIZE);
        break;
    case STORM_SLICE_CHANGE:
        assert(event->fact != NULL);
        snprintf(name, NAME_SIZE, "%s", storm_fact_word(event->fact->kind));
        break;
    case STORM_SLICE_BACK_OFF:
    case STORM_SLICE_QUEUE:
    case STORM_SLICE_SERVICE:
    case STORM_SLICE_LEVEL:
        snprintf(name, NAME_SIZE, "%s", category(event->kind));
        break;
    }
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Microseconds: whole nanoseconds are their third decimal. */
static double microseconds(storm_time time) { return (double)time / 1000; }

/* Begins an event with what all have. `name` NULL: it has none. Some readers want a category of
   every event. */
static void begin_event(struct chrome_writer *writer, const char *phase, const char *name,
                        const struct storm_slice_event *event) {
    struct json_writer *json = &writer->json;
    uint32_t pid = event->process + 1;
    assert(event->process < writer->process_count && event->lane < LANES);
    if (writer->lanes[event->process] <= event->lane)
        writer->lanes[event->process] = event->lane + 1;
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "ph", phase);
    if (name != NULL)
        json_key_string(json, "name", name);
    json_key_string(json, "cat", category(event->kind));
    json_key_double(json, "ts", microseconds(event->time));
    json_key_count(json, "pid", pid);
    json_key_count(json, "tid", (uint64_t)pid * LANES + event->lane);
}

/* Whose it is, for the slices that do not have it in their names. */
static void write_begin_args(struct chrome_writer *writer, const struct storm_slice_event *event) {
    struct json_writer *json = &writer->json;
    char name[NAME_SIZE];
    json_writer_key(json, "args");
    json_writer_object_begin(json, JSON_FLAT);
    if (event->kin != NULL) {
        name_request(writer->scenario, event->kin, name);
        json_key_string(json, "request", name);
        if (event->kind == STORM_SLICE_VISIT)
            json_key_count(json, "try", event->kin->attempt.number);
    }
    if (event->fact == NULL)
        json_key_bool(json, "began_before", true);
    else if (event->kind == STORM_SLICE_BACK_OFF && event->fact->due < STORM_NEVER)
        json_key_double(json, "planned_us", microseconds(event->fact->due - event->fact->time));
    json_writer_object_end(json);
}

/* How a slice has ended. */
static void write_end_args(struct json_writer *json, const struct storm_fact *fact) {
    json_writer_key(json, "args");
    json_writer_object_begin(json, JSON_FLAT);
    if (fact == NULL) {
        json_key_bool(json, "goes_on", true);
    } else {
        json_key_string(json, "end", storm_fact_word(fact->kind));
        if (fact->status != 0) {
            json_writer_key(json, "status");
            json_writer_status(json, fact->status);
        }
        if (fact->kind == STORM_FACT_DEAD)
            json_key_string(json, "reason", storm_reason_word(fact->reason));
        if (fact->kind == STORM_FACT_REFUSED && fact->due > 0)
            json_key_double(json, "come_back_in_us", microseconds(fact->due - fact->time));
        if (fact->ghost)
            json_key_bool(json, "ghost", true);
    }
    json_writer_object_end(json);
}

static void write_change(struct json_writer *json, const struct storm_fact *fact) {
    static const char *const phases[] = {"closed", "open", "half_open"};
    if (fact->kind == STORM_FACT_BREAKER) {
        assert(fact->level < sizeof phases / sizeof phases[0]);
        json_key_string(json, "phase", phases[fact->level]);
    }
    if (fact->kind == STORM_FACT_HELD_BACK)
        json_key_string(json, "reason", storm_reason_word(fact->reason));
    if (fact->kind == STORM_FACT_OUTAGE)
        json_key_count(json, "in_force", fact->level);
    if (fact->kind == STORM_FACT_CAPACITY) {
        json_writer_key(json, "workers");
        if (fact->level == STORM_UNLIMITED)
            json_writer_null(json);
        else
            json_writer_count(json, fact->level);
        json_key_double(json, "pace", fact->pace);
    }
    if (fact->kind == STORM_FACT_BANNED) {
        json_key_count(json, "client", fact->member);
        json_key_double(json, "until_us", microseconds(fact->due));
    }
}

static void write_instant(struct chrome_writer *writer, const struct storm_slice_event *event) {
    struct json_writer *json = &writer->json;
    char name[NAME_SIZE];
    name_slice(writer->scenario, event, name);
    begin_event(writer, "i", name, event);
    json_key_string(json, "s", event->lane == 0 ? "p" : "t");
    json_writer_key(json, "args");
    json_writer_object_begin(json, JSON_FLAT);
    if (event->fact != NULL)
        write_change(json, event->fact);
    json_writer_object_end(json);
    json_writer_object_end(json);
}

/* Two tracks of a service: how many there are, and how many come. */
static void write_counters(struct chrome_writer *writer, const struct storm_slice_event *event) {
    struct json_writer *json = &writer->json;
    begin_event(writer, "C", "at the service", event);
    json_writer_key(json, "args");
    json_writer_object_begin(json, JSON_FLAT);
    json_key_count(json, "queue", event->waiting);
    json_key_count(json, "in service", event->served);
    json_writer_object_end(json);
    json_writer_object_end(json);
    if (!(event->offered >= 0))
        return;
    begin_event(writer, "C", "offered load", event);
    json_writer_key(json, "args");
    json_writer_object_begin(json, JSON_FLAT);
    json_key_double(json, "attempts per second", event->offered);
    json_writer_object_end(json);
    json_writer_object_end(json);
}

static void write_flow(struct chrome_writer *writer, const struct storm_slice_event *event) {
    struct json_writer *json = &writer->json;
    bool is_out = event->phase == STORM_SLICE_FLOW_OUT;
    begin_event(writer, is_out ? "s" : "f", "call", event);
    json_key_count(json, "id", event->flow);
    if (!is_out)
        json_key_string(json, "bp", "e");
    json_writer_object_end(json);
}

void chrome_writer_draw(void *context, const struct storm_slice_event *event) {
    struct chrome_writer *writer = context;
    char name[NAME_SIZE];
    switch (event->phase) {
    case STORM_SLICE_BEGIN:
        name_slice(writer->scenario, event, name);
        begin_event(writer, "B", name, event);
        write_begin_args(writer, event);
        json_writer_object_end(&writer->json);
        break;
    case STORM_SLICE_END:
        begin_event(writer, "E", NULL, event);
        write_end_args(&writer->json, event->fact);
        json_writer_object_end(&writer->json);
        break;
    case STORM_SLICE_INSTANT:
        write_instant(writer, event);
        break;
    case STORM_SLICE_FLOW_OUT:
    case STORM_SLICE_FLOW_IN:
        write_flow(writer, event);
        break;
    case STORM_SLICE_COUNTER:
        write_counters(writer, event);
        break;
    }
}

/* ---- the document ---------------------------------------------------------------------------- */

struct chrome_writer *chrome_writer_begin(const struct storm_scenario *scenario,
                                          const struct story_source *source, FILE *out) {
    uint32_t count = scenario->population_count + scenario->service_count;
    struct chrome_writer *writer = calloc(1, sizeof *writer);
    uint32_t *lanes = calloc(count, sizeof *lanes);
    if (writer == NULL || lanes == NULL) {
        free(writer);
        free(lanes);
        return NULL;
    }
    *writer = (struct chrome_writer){
        .scenario = scenario, .source = *source, .process_count = count, .lanes = lanes};
    json_writer_init(&writer->json, out);
    json_writer_object_begin(&writer->json, JSON_LINES);
    json_key_string(&writer->json, "displayTimeUnit", "ms");
    json_writer_key(&writer->json, "traceEvents");
    json_writer_array_begin(&writer->json, JSON_LINES);
    return writer;
}

/* A metadata event: its one argument is `text`, or `number` where that is NULL. */
static void write_name(struct json_writer *json, const char *what, uint32_t pid, uint64_t tid,
                       const char *text, uint64_t number) {
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "ph", "M");
    json_key_string(json, "name", what);
    json_key_string(json, "cat", "__metadata");
    json_key_count(json, "pid", pid);
    json_key_count(json, "tid", tid);
    json_writer_key(json, "args");
    json_writer_object_begin(json, JSON_FLAT);
    if (text != NULL)
        json_key_string(json, "name", text);
    else
        json_key_count(json, "sort_index", number);
    json_writer_object_end(json);
    json_writer_object_end(json);
}

static void name_process(const struct storm_scenario *scenario, uint32_t process,
                         char name[NAME_SIZE]) {
    if (process < scenario->population_count) {
        const struct storm_population *population = &scenario->populations[process];
        snprintf(name, NAME_SIZE, "%s %.300s",
                 storm_is_consumer(population) ? "consumers" : "clients", population->name);
        return;
    }
    uint32_t service = process - scenario->population_count;
    bool is_queue = storm_queue_at(scenario, service) != STORM_NONE;
    snprintf(name, NAME_SIZE, "%s %.300s", is_queue ? "queue" : "service",
             scenario->services[service].name);
}

/* Names what was used of a process. */
static void write_process(struct chrome_writer *writer, uint32_t process) {
    struct json_writer *json = &writer->json;
    uint32_t pid = process + 1;
    uint64_t first = (uint64_t)pid * LANES;
    char name[NAME_SIZE];
    if (writer->lanes[process] == 0)
        return;
    name_process(writer->scenario, process, name);
    write_name(json, "process_name", pid, first, name, 0);
    write_name(json, "process_sort_index", pid, first, NULL, process);
    for (uint32_t lane = 0; lane < writer->lanes[process]; lane++) {
        if (lane == 0)
            snprintf(name, sizeof name, "events");
        else
            snprintf(name, sizeof name, "lane %" PRIu32, lane);
        write_name(json, "thread_name", pid, first + lane, name, 0);
        write_name(json, "thread_sort_index", pid, first + lane, NULL, lane);
    }
}

bool chrome_writer_end(struct chrome_writer *writer, uint64_t left_out) {
    struct json_writer *json = &writer->json;
    const struct story_source *source = &writer->source;
    for (uint32_t i = 0; i < writer->process_count; i++)
        write_process(writer, i);
    json_writer_array_end(json);
    json_writer_key(json, "otherData");
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "program", "retrystorm " STORM_VERSION);
    json_key_text(json, "scenario", source->file);
    json_key_text(json, "variant", source->variant);
    json_key_count(json, "run", source->run);
    json_key_count(json, "seed", source->seed);
    json_key_count(json, "events_left_out", left_out);
    json_writer_object_end(json);
    json_writer_object_end(json);
    bool written = json_writer_end(json);
    free(writer->lanes);
    free(writer);
    return written;
}
