/* story_jsonl.c: the life of one request, or what happens in a window, as JSON Lines, an object a
   fact. */
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

/* Whom a fact is about. */
struct subject {
    bool is_request; /* it, or what is done for it; else a service, a breaker or a client */
    uint32_t population, member, ordinal;
    const struct storm_story_attempt *attempt; /* NULL: the request itself, or none */
};

/* Population, member and ordinal name a request, as in its dead letter. Of a ban the ordinal is
   left out. */
static void write_request(struct json_writer *json, const struct storm_scenario *scenario,
                          const struct subject *subject, const struct storm_fact *fact) {
    char numbers[32];
    bool is_ban = !subject->is_request && fact->kind == STORM_FACT_BANNED;
    json_writer_key(json, "request");
    if (!subject->is_request && !is_ban) {
        json_writer_null(json);
        return;
    }
    snprintf(numbers, sizeof numbers, "-%" PRIu32 "-%" PRIu32, subject->member, subject->ordinal);
    if (is_ban)
        snprintf(numbers, sizeof numbers, "-%" PRIu32, fact->member);
    const char *name = scenario->populations[is_ban ? fact->origin : subject->population].name;
    json_writer_joined(json, (const char *const[]){name, numbers}, 2);
}

static const char *where_is(const struct storm_scenario *scenario, const struct subject *subject,
                            const struct storm_fact *fact) {
    const struct storm_story_attempt *attempt = subject->attempt;
    if (!subject->is_request)
        return scenario->services[fact->place].name;
    if (attempt == NULL)
        return scenario->populations[subject->population].name;
    return attempt->kind == STORM_STORY_ATTEMPT ? scenario->services[attempt->place].name
                                                : scenario->populations[attempt->place].name;
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
    static const char *const phases[] = {"closed", "open", "half_open"};
    static const char *const effects[] = {"first", "repeated", "slipped", "purged", "unkeyed"};
    static_assert(STORM_BIRTH_RERUN + 1 == sizeof births / sizeof births[0] &&
                      STORM_BREAKER_HALF_OPEN + 1 == sizeof phases / sizeof phases[0] &&
                      STORM_RETURN_CRASHED + 1 == sizeof returns / sizeof returns[0] &&
                      STORM_EFFECT_UNKEYED + 1 == sizeof effects / sizeof effects[0],
                  "each has its word");
    if (fact->kind == STORM_FACT_BORN)
        return births[fact->level];
    if (fact->kind == STORM_FACT_BREAKER)
        return phases[fact->level];
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

/* How many workers or outages there are. */
static void write_level(struct json_writer *json, const struct storm_fact *fact) {
    bool is_capacity = fact->kind == STORM_FACT_CAPACITY;
    bool is_limited = is_capacity && fact->level != STORM_UNLIMITED;
    key_count(json, "level", is_limited || fact->kind == STORM_FACT_OUTAGE, fact->level);
    json_writer_key(json, "pace");
    if (is_capacity)
        json_writer_double(json, fact->pace);
    else
        json_writer_null(json);
}

static void write_fact(const struct storm_scenario *scenario, const struct subject *subject,
                       const struct storm_fact *fact, FILE *out) {
    const struct storm_story_attempt *attempt = subject->attempt;
    bool has_parent = attempt != NULL || fact->kind == STORM_FACT_BREAKER;
    char instant[TIMESTAMP_SIZE];
    struct json_writer json;
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_FLAT);
    key_count(&json, "t_ns", true, (uint64_t)fact->time);
    json_key_text(&json, "at", timestamp_print_virtual(scenario->epoch, fact->time, instant));
    json_key_text(&json, "event", storm_fact_word(fact->kind));
    write_request(&json, scenario, subject, fact);
    key_count(&json, "depth", subject->is_request, attempt != NULL ? attempt->depth : 0);
    json_key_text(&json, "where", where_is(scenario, subject, fact));
    key_count(&json, "try", attempt != NULL && attempt->number > 0,
              attempt != NULL ? attempt->number : 0);
    key_hex(&json, "key", subject->is_request, fact->key);
    key_hex(&json, "parent", has_parent, attempt != NULL ? attempt->parent : fact->parent);
    write_what(&json, fact);
    write_level(&json, fact);
    json_writer_object_end(&json);
    json_writer_end(&json);
}

bool story_write_jsonl(const struct storm_story *story, const struct storm_scenario *scenario,
                       FILE *out) {
    assert(story->born && story->population < scenario->population_count);
    for (uint32_t i = 0; i < story->line_count; i++) {
        const struct storm_story_line *line = &story->lines[i];
        bool is_breaker = line->fact.kind == STORM_FACT_BREAKER;
        struct subject subject = {.is_request = !is_breaker,
                                  .population = story->population,
                                  .member = story->member,
                                  .ordinal = story->ordinal};
        if (line->attempt != STORM_NONE)
            subject.attempt = &story->attempts[line->attempt];
        write_fact(scenario, &subject, &line->fact, out);
    }
    return ferror(out) == 0;
}

void window_write_fact(const struct storm_scenario *scenario, const struct storm_fact *fact,
                       const struct storm_kin *kin, FILE *out) {
    struct subject subject = {.is_request = kin != NULL};
    if (kin != NULL) {
        bool is_itself = kin->attempt.kind == STORM_STORY_REQUEST;
        subject.population = kin->population;
        subject.member = kin->member;
        subject.ordinal = kin->ordinal;
        subject.attempt = is_itself ? NULL : &kin->attempt;
    }
    write_fact(scenario, &subject, fact, out);
}
