/* story_text.c: the life of one request for people, a line a fact. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include <retrystorm/policy.h>

#include "base/arena.h"
#include "report/story.h"
#include "report/text.h"

enum { MEMORY = 1 << 24, WHO_SIZE = 512, TREE_DEPTH = 16 };

/* A story being told. `who` is the width of the second column. */
struct teller {
    const struct storm_story *story;
    const struct storm_scenario *scenario;
    const char **services, **populations; /* their names, made safe for a terminal */
    int seconds, who; /* columns of the time before its point, and of those in the tree */
    FILE *out;
};

/* ---- words ----------------------------------------------------------------------------------- */

/* "503", "timeout", or "no answer". */
static const char *status_text(uint16_t status, char buffer[TEXT_DURATION_SIZE]) {
    const char *word = storm_outcome_word(status);
    if (word != NULL)
        return word;
    snprintf(buffer, TEXT_DURATION_SIZE, status == 0 ? "no answer" : "%u", status);
    return buffer;
}

/* Whether an operator refuses with that status. */
static bool is_told_to_refuse(const struct storm_scenario *scenario,
                              const struct storm_fact *fact) {
    for (uint32_t i = 0; i < scenario->action_count; i++) {
        const struct storm_action *action = &scenario->actions[i];
        bool refuses = action->kind == STORM_ACTION_BLOCK || action->kind == STORM_ACTION_ADMIT;
        if (refuses && action->service == fact->place && action->status == fact->status)
            return true;
    }
    return false;
}

/* Why a service refuses, when its settings leave but one reason; else "". */
static const char *refusal_cause(const struct storm_scenario *scenario,
                                 const struct storm_fact *fact) {
    const struct storm_service *plan = &scenario->services[fact->place];
    bool full = plan->queue_limit < STORM_UNLIMITED && plan->on_full == fact->status;
    bool often = plan->limit_rate > 0 && plan->limit_status == fact->status;
    bool told = is_told_to_refuse(scenario, fact);
    if (fact->status == STORM_OUTCOME_REFUSED)
        return ": nobody listens";
    if (full + often + told != 1)
        return "";
    return full ? ": the queue is full" : often ? ": too many a second" : ": an operator's order";
}

/* ---- what happened --------------------------------------------------------------------------- */

static void tell_refused(const struct teller *t, const struct storm_fact *fact) {
    char status[TEXT_DURATION_SIZE], wait[TEXT_DURATION_SIZE];
    const char *cause = refusal_cause(t->scenario, fact);
    if (fact->status == 0)
        fprintf(t->out, "dropped without an answer%s", cause);
    else if (fact->status < 100)
        fprintf(t->out, "refused%s", cause);
    else
        fprintf(t->out, "refused with %s%s", status_text(fact->status, status), cause);
    if (fact->due > 0)
        fprintf(t->out, "; come back in %s", text_duration(fact->due - fact->time, wait));
}

static void tell_started(const struct teller *t, const struct storm_fact *fact) {
    char wait[TEXT_DURATION_SIZE];
    if (fact->queued)
        fprintf(t->out, "starts after %s in the queue",
                text_duration(fact->time - fact->since, wait));
    else
        fputs("starts at once", t->out);
    fputs(fact->ghost ? ", though nobody waits" : "", t->out);
}

static void tell_served(const struct teller *t, const struct storm_fact *fact) {
    char held[TEXT_DURATION_SIZE], status[TEXT_DURATION_SIZE];
    fprintf(t->out, "answers %s after %s%s", status_text(fact->status, status),
            text_duration(fact->time - fact->since, held),
            fact->ghost ? ": too late, nobody waits" : "");
}

static void tell_lost(const struct teller *t, const struct storm_fact *fact) {
    fprintf(t->out, "lost in an outage%s%s",
            fact->queued ? " while it waits"
            : fact->busy ? " while it is served"
                         : "",
            fact->status == 0 ? ", without a word" : "");
}

static void tell_backed_off(const struct teller *t, const struct storm_fact *fact) {
    char status[TEXT_DURATION_SIZE], pause[TEXT_DURATION_SIZE];
    fprintf(t->out, "failed: %s; ", status_text(fact->status, status));
    if (fact->due >= STORM_NEVER)
        fputs("waits for its turn to back off, behind others", t->out);
    else
        fprintf(t->out, "backs off for %s", text_duration(fact->due - fact->time, pause));
}

static void tell_end(const struct teller *t, const struct storm_fact *fact) {
    char status[TEXT_DURATION_SIZE], age[TEXT_DURATION_SIZE];
    const char *plural = fact->attempts == 1 ? "" : "s";
    if (fact->kind == STORM_FACT_SUCCEEDED)
        fprintf(t->out, "succeeds with %s", status_text(fact->status, status));
    else
        fprintf(t->out, "is given up: %s (%s)", storm_reason_word(fact->reason),
                status_text(fact->status, status));
    fprintf(t->out, ", %" PRIu32 " attempt%s, %s after its birth", fact->attempts, plural,
            text_duration(fact->time - fact->since, age));
}

static void tell_vanished(const struct teller *t, const struct storm_fact *fact) {
    char status[TEXT_DURATION_SIZE];
    if (fact->status == 0)
        fputs("lost by the network on its way", t->out);
    else
        fprintf(t->out, "its answer (%s) is lost by the network",
                status_text(fact->status, status));
}

/* ---- queues, brakes and effects -------------------------------------------------------------- */

/* How a request is born, or, of a message, put into its queue. */
static const char *birth_phrase(const struct teller *t, const struct storm_story_line *line) {
    static const char *const copies[] = {"is born", "is replayed from the dead letters",
                                         "is sent again by hand", "is sent again by a second run"};
    bool is_message = storm_is_consumer(&t->scenario->populations[line->fact.place]);
    assert(line->fact.level <= STORM_BIRTH_RERUN);
    if (!is_message || line->fact.level != STORM_BIRTH_FRESH)
        return copies[line->fact.level];
    return "is in the queue";
}

static void tell_delivered(const struct teller *t, const struct storm_fact *fact) {
    char wait[TEXT_DURATION_SIZE];
    fprintf(t->out, "handed to consumer %" PRIu32 " after %s in the queue", fact->member,
            text_duration(fact->time - fact->since, wait));
}

static void tell_returned(const struct teller *t, const struct storm_fact *fact) {
    static const char *const why[] = {"its visibility runs out", "it is given back",
                                      "its consumer crashes"};
    char wait[TEXT_DURATION_SIZE];
    assert(fact->level <= STORM_RETURN_CRASHED);
    fprintf(t->out, "%s: in the queue again", why[fact->level]);
    if (fact->due > fact->time)
        fprintf(t->out, ", to be had in %s", text_duration(fact->due - fact->time, wait));
}

static void tell_held_back(const struct teller *t, const struct storm_fact *fact) {
    const char *service = t->services[fact->place];
    if (fact->reason == STORM_REASON_BUDGET)
        fprintf(t->out, "no budget for another try at %s", service);
    else
        fprintf(t->out, "held back by its own %s: %s is not asked",
                fact->reason == STORM_REASON_BREAKER ? "breaker" : "throttle", service);
}

static void tell_banned(const struct teller *t, const struct storm_fact *fact) {
    char length[TEXT_DURATION_SIZE];
    fprintf(t->out, "banned by %s for %s", t->services[fact->place],
            text_duration(fact->due - fact->time, length));
}

static void tell_effect(const struct teller *t, const struct storm_fact *fact) {
    static const char *const why[] = {"", "", ": two were at work at once",
                                      ": its key had been forgotten", ": under another key"};
    assert(fact->level <= STORM_EFFECT_UNKEYED);
    if (fact->level == STORM_EFFECT_FIRST)
        fputs("its side effect happens", t->out);
    else
        fprintf(t->out, "its side effect happens once more, %" PRIu32 " times in all%s",
                fact->attempts, why[fact->level]);
}

static void tell_suppressed(const struct teller *t, const struct storm_fact *fact) {
    char status[TEXT_DURATION_SIZE];
    fprintf(t->out, "answers %s without work: %s", status_text(fact->status, status),
            fact->level == 0 ? "a duplicate" : "taken for a duplicate of another request");
}

/* The facts that need no more than a phrase. */
static const char *plain_phrase(const struct teller *t, const struct storm_story_line *line) {
    const struct storm_fact *fact = &line->fact;
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_BORN:
        return birth_phrase(t, line);
    case STORM_FACT_SENT:
        return "sent";
    case STORM_FACT_ARRIVED:
        return fact->ghost ? "arrives, though nobody waits" : "arrives";
    case STORM_FACT_QUEUED:
        return "waits in the queue";
    case STORM_FACT_EXPIRED:
        return "taken from the queue unserved: nobody waits";
    case STORM_FACT_PARKED:
        return "frees its worker while it waits for other services";
    case STORM_FACT_CANCELLED:
        return fact->queued ? "taken back from the queue"
               : fact->busy ? "taken back from its worker"
                            : "taken back";
    case STORM_FACT_RESTED:
        return "its back-off ends early";
    case STORM_FACT_VANISHED:
    case STORM_FACT_REFUSED:
    case STORM_FACT_LOST:
    case STORM_FACT_STARTED:
    case STORM_FACT_SERVED:
    case STORM_FACT_GAVE_UP:
    case STORM_FACT_BACKED_OFF:
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
    case STORM_FACT_CAPACITY:
    case STORM_FACT_OUTAGE:
    case STORM_FACT_CRASHED:
    case STORM_FACT_HELD_BACK:
    case STORM_FACT_BREAKER:
    case STORM_FACT_BANNED:
    case STORM_FACT_DELIVERED:
    case STORM_FACT_RETURNED:
    case STORM_FACT_EFFECT:
    case STORM_FACT_SUPPRESSED:
        break;
    }
    return NULL;
}

/* After how long the caller of an attempt stops waiting for it. */
static void tell_gave_up(const struct teller *t, const struct storm_story_line *line) {
    char after[TEXT_DURATION_SIZE];
    fprintf(t->out, "its caller gives up waiting after %s",
            text_duration(line->fact.time - t->story->attempts[line->attempt].sent, after));
}

static void tell_what(const struct teller *t, const struct storm_story_line *line) {
    static void (*const tell[])(const struct teller *t, const struct storm_fact *fact) = {
        [STORM_FACT_REFUSED] = tell_refused,       [STORM_FACT_STARTED] = tell_started,
        [STORM_FACT_SERVED] = tell_served,         [STORM_FACT_LOST] = tell_lost,
        [STORM_FACT_BACKED_OFF] = tell_backed_off, [STORM_FACT_VANISHED] = tell_vanished,
        [STORM_FACT_DELIVERED] = tell_delivered,   [STORM_FACT_RETURNED] = tell_returned,
        [STORM_FACT_HELD_BACK] = tell_held_back,   [STORM_FACT_BANNED] = tell_banned,
        [STORM_FACT_EFFECT] = tell_effect,         [STORM_FACT_SUPPRESSED] = tell_suppressed,
        [STORM_FACT_SUCCEEDED] = tell_end,         [STORM_FACT_DEAD] = tell_end,
    };
    const char *phrase = plain_phrase(t, line);
    if (phrase != NULL) {
        fputs(phrase, t->out);
    } else if (line->fact.kind == STORM_FACT_GAVE_UP) {
        tell_gave_up(t, line);
    } else {
        assert(line->fact.kind < sizeof tell / sizeof tell[0] && tell[line->fact.kind] != NULL);
        tell[line->fact.kind](t, &line->fact);
    }
}

/* ---- who, when ------------------------------------------------------------------------------- */

/* Appends to a text of WHO_SIZE bytes as far as there is room. */
__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    assert(used < WHO_SIZE);
    va_start(arguments, format);
    vsnprintf(text + used, WHO_SIZE - used, format, arguments);
    va_end(arguments);
}

/* Whether something begins: the thing itself, or what a message's consumer does with it. */
static bool begins(const struct storm_fact *fact) {
    return fact->kind == STORM_FACT_SENT || fact->kind == STORM_FACT_BORN ||
           fact->kind == STORM_FACT_DELIVERED;
}

/* "│ ● api, try 2": a bar for each caller above, a dot where something begins or ends, and who it
   is, unless the line before has said so. */
static void print_who(const struct teller *t, const struct storm_story_line *line, bool again,
                      char who[WHO_SIZE]) {
    static const char *const words[] = {[STORM_STORY_ATTEMPT] = "try",
                                        [STORM_STORY_MESSAGE] = "message",
                                        [STORM_STORY_DELIVERY] = "delivery",
                                        [STORM_STORY_COPY] = "copy"};
    who[0] = '\0';
    if (line->attempt == STORM_NONE) {
        append(who, "● %.200s", t->populations[t->story->population]);
        return;
    }
    const struct storm_story_attempt *attempt = &t->story->attempts[line->attempt];
    for (uint32_t i = 0; i < attempt->depth && i < TREE_DEPTH; i++)
        append(who, "│ ");
    append(who, "%s", begins(&line->fact) ? "●" : "│");
    if (!again)
        append(who, " %.200s, %s %" PRIu32,
               attempt->kind == STORM_STORY_ATTEMPT ? t->services[attempt->place]
                                                    : t->populations[attempt->place],
               words[attempt->kind], attempt->number);
}

/* A line; `again` when the one before it is about the same attempt, which then needs no name. */
static void tell_line(const struct teller *t, const struct storm_story_line *line, bool again) {
    char who[WHO_SIZE];
    storm_time time = line->fact.time;
    print_who(t, line, again, who);
    fprintf(t->out, "%*" PRId64 ".%06" PRId64 "  %s%*s", t->seconds, time / STORM_SECOND,
            time % STORM_SECOND / STORM_MICROSECOND, who, t->who - (int)text_width(who) + 2, "");
    tell_what(t, line);
    fputc('\n', t->out);
}

static void tell_lines(const struct teller *t) {
    const struct storm_story_line *lines = t->story->lines;
    for (uint32_t i = 0; i < t->story->line_count; i++)
        tell_line(t, &lines[i], i > 0 && lines[i].attempt == lines[i - 1].attempt);
}

static void measure(struct teller *t) {
    const struct storm_story *story = t->story;
    for (uint32_t i = 0; i < story->line_count; i++) {
        char who[WHO_SIZE];
        print_who(t, &story->lines[i], false, who);
        int width = (int)text_width(who);
        t->who = width > t->who ? width : t->who;
    }
    storm_time last = story->line_count > 0 ? story->lines[story->line_count - 1].fact.time : 0;
    t->seconds = snprintf(NULL, 0, "%" PRId64, last / STORM_SECOND);
}

/* ---- before and after ------------------------------------------------------------------------ */

static void tell_heading(const struct teller *t, const struct story_source *source,
                         struct arena *arena) {
    const struct storm_story *story = t->story;
    const char *file = text_clean(arena, source->file);
    const char *variant = text_clean(arena, source->variant);
    fprintf(t->out, "Request %" PRIu32 " of client %" PRIu32 " of %s: %s", story->ordinal,
            story->member, t->populations[story->population], file != NULL ? file : "");
    if (variant != NULL && *variant != '\0')
        fprintf(t->out, ", %s", variant);
    fprintf(t->out, ", run %" PRIu32 ", seed %" PRIu64 "\n\n", source->run, source->seed);
}

/* How many attempts reached for each service (STORM_NONE: for any). */
static uint32_t count_attempts(const struct storm_story *story, uint32_t service) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < story->attempt_count; i++)
        count += story->attempts[i].kind == STORM_STORY_ATTEMPT &&
                 (service == STORM_NONE || story->attempts[i].place == service);
    return count;
}

/* All attempts, and those at each service, in the order of the scenario. */
static void tell_sum(const struct teller *t) {
    uint32_t all = count_attempts(t->story, STORM_NONE);
    const char *between = "";
    fprintf(t->out, "\n%" PRIu32 " attempt%s%s: ", all, all == 1 ? "" : "s",
            t->story->cut ? " or more" : "");
    for (uint32_t service = 0; service < t->scenario->service_count; service++) {
        uint32_t count = count_attempts(t->story, service);
        if (count > 0) {
            fprintf(t->out, "%s%" PRIu32 " at %s", between, count, t->services[service]);
            between = ", ";
        }
    }
    fputc('\n', t->out);
}

static void tell_rest(const struct teller *t) {
    const struct storm_story *story = t->story;
    if (story->cut) {
        fprintf(t->out, "... (the first %d lines of more)\n", STORM_STORY_LINES_MAX);
        if (story->ended)
            tell_line(t, &story->end, false);
    }
    if (!story->ended)
        fputs("It is still under way when the run ends.\n", t->out);
    if (count_attempts(story, STORM_NONE) > 0)
        tell_sum(t);
}

/* Makes all names safe. False without memory. */
static bool clean_names(struct teller *t, struct arena *arena) {
    const struct storm_scenario *scenario = t->scenario;
    bool fits = true;
    t->services = arena_take_array(arena, scenario->service_count, sizeof *t->services);
    t->populations = arena_take_array(arena, scenario->population_count, sizeof *t->populations);
    if (t->services == NULL || t->populations == NULL)
        return false;
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        t->services[i] = text_clean(arena, scenario->services[i].name);
        fits = fits && t->services[i] != NULL;
    }
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        t->populations[i] = text_clean(arena, scenario->populations[i].name);
        fits = fits && t->populations[i] != NULL;
    }
    return fits;
}

bool story_write_text(const struct storm_story *story, const struct storm_scenario *scenario,
                      const struct story_source *source, FILE *out) {
    struct teller teller = {.story = story, .scenario = scenario, .out = out};
    struct arena arena;
    assert(story->born && story->population < scenario->population_count);
    arena_init(&arena, MEMORY);
    bool ready = clean_names(&teller, &arena);
    if (ready) {
        measure(&teller);
        tell_heading(&teller, source, &arena);
        tell_lines(&teller);
        tell_rest(&teller);
    }
    arena_free(&arena);
    return ready && ferror(out) == 0;
}
