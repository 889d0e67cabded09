/* story_jsonl.c: the life of one request as JSON Lines, an object a fact. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>

#include <retrystorm/policy.h>
#include <retrystorm/scenario.h>

#include "base/timestamp.h"
#include "report/json_writer.h"
#include "report/story.h"

/* A number, or null where it does not apply. */
static void key_count(struct json_writer *json, const char *key, bool applies, uint64_t value) {
    json_writer_key(json, key);
    if (applies)
        json_writer_count(json, value);
    else
        json_writer_null(json);
}

static void key_hex(struct json_writer *json, const char *key, bool applies, uint64_t value) {
    char digits[17];
    snprintf(digits, sizeof digits, "%016" PRIx64, value);
    json_key_text(json, key, applies ? digits : NULL);
}

/* Population, member and ordinal name a request, as in its dead letter. */
static void write_request(struct json_writer *json, const struct storm_population *population,
                          const struct storm_story *story) {
    char numbers[32];
    snprintf(numbers, sizeof numbers, "-%" PRIu32 "-%" PRIu32, story->member, story->ordinal);
    json_writer_key(json, "request");
    json_writer_joined(json, (const char *const[]){population->name, numbers}, 2);
}

static bool has_since(const struct storm_fact *fact) {
    return fact->kind == STORM_FACT_DELIVERED || fact->kind == STORM_FACT_STARTED ||
           fact->kind == STORM_FACT_EXPIRED || fact->kind == STORM_FACT_PARKED ||
           fact->kind == STORM_FACT_SERVED || fact->kind == STORM_FACT_SUCCEEDED ||
           fact->kind == STORM_FACT_DEAD || fact->busy;
}

/* Why it happened; NULL where there is nothing to say. */
static const char *reason_of(const struct storm_fact *fact) {
    static const char *const births[] = {NULL, "replay", "resend", "rerun"};
    static const char *const returns[] = {"lease", "requeued", "crashed"};
    static const char *const effects[] = {"first", "repeated", "slipped", "purged", "unkeyed"};
    static_assert(STORM_BIRTH_RERUN + 1 == sizeof births / sizeof births[0] &&
                      STORM_RETURN_CRASHED + 1 == sizeof returns / sizeof returns[0] &&
                      STORM_EFFECT_UNKEYED + 1 == sizeof effects / sizeof effects[0],
                  "each has its word");
    if (fact->kind == STORM_FACT_BORN)
        return births[fact->level];
    if (fact->kind == STORM_FACT_RETURNED)
        return returns[fact->level];
    if (fact->kind == STORM_FACT_EFFECT)
        return effects[fact->level];
    if (fact->kind == STORM_FACT_SUPPRESSED)
        return fact->level == 0 ? "duplicate" : "mistaken";
    bool has_one = fact->kind == STORM_FACT_DEAD || fact->kind == STORM_FACT_HELD_BACK;
    return has_one ? storm_reason_word(fact->reason) : NULL;
}

static void write_what(struct json_writer *json, const struct storm_fact *fact) {
    bool is_planned = fact->due > 0 && fact->due < STORM_NEVER;
    json_writer_key(json, "status");
    json_writer_status(json, fact->status);
    json_key_text(json, "reason", reason_of(fact));
    key_count(json, "since_ns", has_since(fact), (uint64_t)fact->since);
    key_count(json, "due_ns", is_planned, (uint64_t)fact->due);
    json_key_bool(json, "retry", fact->retry);
    json_key_bool(json, "ghost", fact->ghost);
    json_key_text(json, "held", fact->queued ? "queue" : fact->busy ? "worker" : NULL);
}

static void write_line(const struct storm_story *story, const struct storm_scenario *scenario,
                       const struct storm_story_line *line, FILE *out) {
    const struct storm_fact *fact = &line->fact;
    const struct storm_population *population = &scenario->populations[story->population];
    bool is_attempt = line->attempt != STORM_NONE;
    const struct storm_story_attempt *attempt = is_attempt ? &story->attempts[line->attempt] : NULL;
    char instant[TIMESTAMP_SIZE];
    struct json_writer json;
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_FLAT);
    key_count(&json, "t_ns", true, (uint64_t)fact->time);
    json_key_text(&json, "at", timestamp_print_virtual(scenario->epoch, fact->time, instant));
    json_key_text(&json, "event", storm_fact_word(fact->kind));
    write_request(&json, population, story);
    key_count(&json, "depth", true, is_attempt ? attempt->depth : 0);
    json_key_text(&json, "where",
                  !is_attempt ? population->name
                  : attempt->kind == STORM_STORY_ATTEMPT
                      ? scenario->services[attempt->place].name
                      : scenario->populations[attempt->place].name);
    key_count(&json, "try", is_attempt, is_attempt ? attempt->number : 0);
    key_hex(&json, "key", true, fact->key);
    key_hex(&json, "parent", is_attempt, is_attempt ? attempt->parent : 0);
    write_what(&json, fact);
    json_writer_object_end(&json);
    json_writer_end(&json);
}

bool story_write_jsonl(const struct storm_story *story, const struct storm_scenario *scenario,
                       FILE *out) {
    assert(story->born && story->population < scenario->population_count);
    for (uint32_t i = 0; i < story->line_count; i++)
        write_line(story, scenario, &story->lines[i], out);
    return ferror(out) == 0;
}
