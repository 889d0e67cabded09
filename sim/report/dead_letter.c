/* dead_letter.c: every request given up on, as a line of JSON with the evidence to decide its
   fate. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>

#include <retrystorm/policy.h>

#include "base/stream.h"
#include "base/timestamp.h"
#include "report/dead_letter.h"
#include "report/json_writer.h"

const char *dead_letter_trace(uint64_t key, char *buffer) {
    uint64_t second = stream_bits(key, STREAM_TRACE, 0);
    snprintf(buffer, DEAD_LETTER_TRACE_SIZE, "%016" PRIx64 "%016" PRIx64, key, second);
    return buffer;
}

/* The request itself, as whoever replays it needs it. */
static void write_original(struct json_writer *json, const struct dead_letter *letter) {
    json_writer_key(json, "original");
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "population", letter->population);
    json_key_count(json, "member", letter->member);
    json_key_count(json, "ordinal", letter->ordinal);
    json_key_string(json, "to", letter->to);
    json_key_string(json, "born_at", letter->born_at);
    json_writer_object_end(json);
}

void dead_letter_fields(struct json_writer *json, const struct dead_letter *letter) {
    assert(json != NULL && letter != NULL);
    json_writer_key(json, "msg_id");
    json_writer_joined(json, letter->msg_id, 2);
    write_original(json, letter);
    json_key_string(json, "reason", letter->reason);
    json_writer_key(json, "status");
    json_writer_status(json, letter->status);
    json_key_string(json, "class", letter->data ? "data" : "system");
    json_key_count(json, "attempts", letter->attempts);
    json_key_string(json, "received_at", letter->received_at);
    json_key_string(json, "first_failed_at", letter->first_failed_at);
    json_key_string(json, "last_failed_at", letter->last_failed_at);
    json_key_string(json, "trace_id", letter->trace_id);
    json_key_string(json, "queue", letter->queue);
}

void dead_letter_write(FILE *out, const struct dead_letter *letter) {
    struct json_writer json;
    assert(out != NULL);
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_FLAT);
    dead_letter_fields(&json, letter);
    json_writer_object_end(&json);
    json_writer_end(&json);
}

/* Population, member and ordinal name a request, whatever the length of the first. */
static void write_fact(FILE *out, const struct storm_scenario *scenario,
                       const struct storm_fact *fact) {
    const struct storm_population *owner = &scenario->populations[fact->place];
    /* What consumers could not handle is some client's request. */
    const struct storm_population *origin =
        storm_is_consumer(owner) ? &scenario->populations[fact->origin] : owner;
    char id[32], trace[DEAD_LETTER_TRACE_SIZE];
    char born[TIMESTAMP_SIZE], first[TIMESTAMP_SIZE], last[TIMESTAMP_SIZE];
    int length = snprintf(id, sizeof id, "-%" PRIu32 "-%" PRIu32, fact->member, fact->ordinal);
    assert(length > 0 && (size_t)length < sizeof id);
    timestamp_print_virtual(scenario->epoch, fact->since, born);
    timestamp_print_virtual(scenario->epoch, fact->first_failed, first);
    timestamp_print_virtual(scenario->epoch, fact->time, last);
    dead_letter_write(out, &(struct dead_letter){
                               .msg_id = {origin->name, id},
                               .population = origin->name,
                               .to = origin->call.to_name,
                               .member = fact->member,
                               .ordinal = fact->ordinal,
                               .born_at = born,
                               .reason = storm_reason_word(fact->reason),
                               .status = fact->status,
                               .data = storm_outcome_is_data(fact->status),
                               .attempts = fact->attempts,
                               .received_at = born,
                               .first_failed_at = first,
                               .last_failed_at = last,
                               .trace_id = dead_letter_trace(fact->key, trace),
                               .queue = storm_letter_queue_of(owner),
                           });
}

void dead_letter_hear(void *context, const struct storm_fact *fact) {
    struct dead_letter_sink *sink = context;
    assert(sink != NULL && sink->out != NULL && sink->scenario != NULL);
    if (fact->kind != STORM_FACT_DEAD || fact->reason == STORM_REASON_LOST)
        return;
    assert(fact->place < sink->scenario->population_count);
    assert(fact->since <= fact->first_failed && fact->first_failed <= fact->time);
    write_fact(sink->out, sink->scenario, fact);
    sink->count++;
}
