/* dead_letter.c: every request given up on, as a line of JSON with the evidence to decide its
   fate. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include <retrystorm/policy.h>

#include "base/stream.h"
#include "report/dead_letter.h"
#include "report/json_writer.h"
#include "base/timestamp.h"

/* The letter blames its data when trying the same request again cannot help. */
static bool blames_data(uint16_t status) {
    return status >= 400 && status < 500 && status != 408 && status != 429;
}

static void key_string(struct json_writer *json, const char *key, const char *text) {
    json_writer_key(json, key);
    json_writer_string(json, text);
}

static void key_count(struct json_writer *json, const char *key, uint64_t value) {
    json_writer_key(json, key);
    json_writer_count(json, value);
}

static void key_instant(struct json_writer *json, const char *key, int64_t epoch, storm_time time) {
    char buffer[TIMESTAMP_SIZE];
    key_string(json, key, timestamp_print_virtual(epoch, time, buffer));
}

/* The request itself, as whoever replays it needs it. */
static void write_original(struct json_writer *json, const struct storm_scenario *scenario,
                           const struct storm_fact *fact) {
    const struct storm_population *population = &scenario->populations[fact->place];
    json_writer_key(json, "original");
    json_writer_object_begin(json, JSON_FLAT);
    key_string(json, "population", population->name);
    key_count(json, "member", fact->member);
    key_count(json, "ordinal", fact->ordinal);
    key_string(json, "to", population->call.to_name);
    key_instant(json, "born_at", scenario->epoch, fact->since);
    json_writer_object_end(json);
}

/* Population, member and ordinal name a request, whatever the length of the first. */
static void write_identifier(struct json_writer *json, const struct storm_population *population,
                             const struct storm_fact *fact) {
    char numbers[32];
    int length =
        snprintf(numbers, sizeof numbers, "-%" PRIu32 "-%" PRIu32, fact->member, fact->ordinal);
    assert(length > 0 && (size_t)length < sizeof numbers);
    json_writer_key(json, "msg_id");
    json_writer_joined(json, (const char *const[]){population->name, numbers}, 2);
}

static void write_trace(struct json_writer *json, uint64_t key) {
    char id[33];
    uint64_t second = stream_bits(key, STREAM_TRACE, 0);
    snprintf(id, sizeof id, "%016" PRIx64 "%016" PRIx64, key, second);
    key_string(json, "trace_id", id);
}

void dead_letter_hear(void *context, const struct storm_fact *fact) {
    struct dead_letter_sink *sink = context;
    assert(sink != NULL && sink->out != NULL && sink->scenario != NULL);
    if (fact->kind != STORM_FACT_DEAD)
        return;
    const struct storm_scenario *scenario = sink->scenario;
    assert(fact->place < scenario->population_count);
    assert(fact->since <= fact->first_failed && fact->first_failed <= fact->time);
    const struct storm_population *population = &scenario->populations[fact->place];
    const char *queue = population->dead_letter_queue;
    struct json_writer json;
    json_writer_init(&json, sink->out);
    json_writer_object_begin(&json, JSON_FLAT);
    write_identifier(&json, population, fact);
    write_original(&json, scenario, fact);
    key_string(&json, "reason", storm_reason_word(fact->reason));
    json_writer_key(&json, "status");
    json_writer_status(&json, fact->status);
    key_string(&json, "class", blames_data(fact->status) ? "data" : "system");
    key_count(&json, "attempts", fact->attempts);
    key_instant(&json, "received_at", scenario->epoch, fact->since);
    key_instant(&json, "first_failed_at", scenario->epoch, fact->first_failed);
    key_instant(&json, "last_failed_at", scenario->epoch, fact->time);
    write_trace(&json, fact->key);
    key_string(&json, "queue", queue != NULL ? queue : population->name);
    json_writer_object_end(&json);
    json_writer_end(&json);
    sink->count++;
}
