/* fact_phrase.c: what a fact says, in words. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/fact_phrase.h"

#include <assert.h>
#include <inttypes.h>

#include <retrystorm/policy.h>

#include "base/arena.h"
#include "report/text.h"

/* A fact being told. */
struct telling {
    const struct fact_names *names;
    storm_time sent; /* of the attempt; below 0: not known */
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

static void tell_refused(const struct telling *t, const struct storm_fact *fact) {
    char status[TEXT_DURATION_SIZE], wait[TEXT_DURATION_SIZE];
    const char *cause = refusal_cause(t->names->scenario, fact);
    if (fact->status == 0)
        fprintf(t->out, "dropped without an answer%s", cause);
    else if (fact->status < 100)
        fprintf(t->out, "refused%s", cause);
    else
        fprintf(t->out, "refused with %s%s", status_text(fact->status, status), cause);
    if (fact->due > 0)
        fprintf(t->out, "; come back in %s", text_duration(fact->due - fact->time, wait));
}

static void tell_started(const struct telling *t, const struct storm_fact *fact) {
    char wait[TEXT_DURATION_SIZE];
    if (fact->queued)
        fprintf(t->out, "starts after %s in the queue",
                text_duration(fact->time - fact->since, wait));
    else
        fputs("starts at once", t->out);
    fputs(fact->ghost ? ", though nobody waits" : "", t->out);
}

static void tell_served(const struct telling *t, const struct storm_fact *fact) {
    char held[TEXT_DURATION_SIZE], status[TEXT_DURATION_SIZE];
    fprintf(t->out, "answers %s after %s%s", status_text(fact->status, status),
            text_duration(fact->time - fact->since, held),
            fact->ghost ? ": too late, nobody waits" : "");
}

static void tell_lost(const struct telling *t, const struct storm_fact *fact) {
    fprintf(t->out, "lost in an outage%s%s",
            fact->queued ? " while it waits"
            : fact->busy ? " while it is served"
                         : "",
            fact->status == 0 ? ", without a word" : "");
}

static void tell_backed_off(const struct telling *t, const struct storm_fact *fact) {
    char status[TEXT_DURATION_SIZE], pause[TEXT_DURATION_SIZE];
    if (fact->parent != 0)
        fprintf(t->out, "%s is not asked yet: ", t->names->services[fact->place]);
    else
        fprintf(t->out, "failed: %s; ", status_text(fact->status, status));
    if (fact->due >= STORM_NEVER)
        fputs("waits for its turn to back off, behind others", t->out);
    else
        fprintf(t->out, "backs off for %s", text_duration(fact->due - fact->time, pause));
}

static void tell_end(const struct telling *t, const struct storm_fact *fact) {
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

static void tell_vanished(const struct telling *t, const struct storm_fact *fact) {
    char status[TEXT_DURATION_SIZE];
    if (fact->status == 0)
        fputs("lost by the network on its way", t->out);
    else
        fprintf(t->out, "its answer (%s) is lost by the network",
                status_text(fact->status, status));
}

/* ---- queues, brakes and effects -------------------------------------------------------------- */

/* How a request is born, or, of a message, put into its queue. */
static const char *birth_phrase(const struct telling *t, const struct storm_fact *fact) {
    static const char *const copies[] = {"is born", "is replayed from the dead letters",
                                         "is sent again by hand", "is sent again by a second run"};
    bool is_message = storm_is_consumer(&t->names->scenario->populations[fact->place]);
    assert(fact->level <= STORM_BIRTH_RERUN);
    if (!is_message || fact->level != STORM_BIRTH_FRESH)
        return copies[fact->level];
    return "is in the queue";
}

static void tell_delivered(const struct telling *t, const struct storm_fact *fact) {
    char wait[TEXT_DURATION_SIZE];
    fprintf(t->out, "handed to consumer %" PRIu32 " after %s in the queue", fact->member,
            text_duration(fact->time - fact->since, wait));
}

static void tell_returned(const struct telling *t, const struct storm_fact *fact) {
    static const char *const why[] = {"its visibility runs out", "it is given back",
                                      "its consumer crashes"};
    char wait[TEXT_DURATION_SIZE];
    assert(fact->level <= STORM_RETURN_CRASHED);
    fprintf(t->out, "%s: in the queue again", why[fact->level]);
    if (fact->due > fact->time)
        fprintf(t->out, ", to be had in %s", text_duration(fact->due - fact->time, wait));
}

static void tell_held_back(const struct telling *t, const struct storm_fact *fact) {
    const char *service = t->names->services[fact->place];
    if (fact->reason == STORM_REASON_BUDGET)
        fprintf(t->out, "no budget for another try at %s", service);
    else
        fprintf(t->out, "held back by its own %s: %s is not asked",
                fact->reason == STORM_REASON_BREAKER ? "breaker" : "throttle", service);
}

static void tell_banned(const struct telling *t, const struct storm_fact *fact) {
    char length[TEXT_DURATION_SIZE];
    fprintf(t->out, "banned by %s for %s", t->names->services[fact->place],
            text_duration(fact->due - fact->time, length));
}

static void tell_effect(const struct telling *t, const struct storm_fact *fact) {
    static const char *const why[] = {"", "", ": two were at work at once",
                                      ": its key had been forgotten", ": under another key"};
    assert(fact->level <= STORM_EFFECT_UNKEYED);
    if (fact->level == STORM_EFFECT_FIRST)
        fputs("its side effect happens", t->out);
    else
        fprintf(t->out, "its side effect happens once more, %" PRIu32 " times in all%s",
                fact->attempts, why[fact->level]);
}

static void tell_suppressed(const struct telling *t, const struct storm_fact *fact) {
    char status[TEXT_DURATION_SIZE];
    fprintf(t->out, "answers %s without work: %s", status_text(fact->status, status),
            fact->level == 0 ? "a duplicate" : "taken for a duplicate of another request");
}

/* ---- services and breakers ------------------------------------------------------------------- */

static void tell_capacity(const struct telling *t, const struct storm_fact *fact) {
    char pace[TEXT_NUMBER_SIZE];
    if (fact->level == STORM_UNLIMITED)
        fputs("workers without limit", t->out);
    else
        fprintf(t->out, "%" PRIu32 " worker%s in force", fact->level, fact->level == 1 ? "" : "s");
    if (fact->pace > 0 && fact->pace < 1)
        fprintf(t->out, ", at %s of their speed", text_number(fact->pace, pace));
}

static void tell_outage(const struct telling *t, const struct storm_fact *fact) {
    if (fact->level == 0)
        fputs("is up again", t->out);
    else
        fprintf(t->out, "is away: %" PRIu32 " outage%s in force", fact->level,
                fact->level == 1 ? "" : "s");
}

static void tell_breaker(const struct telling *t, const struct storm_fact *fact) {
    static const char *const does[] = {[STORM_BREAKER_CLOSED] = "closes: calls go out again",
                                       [STORM_BREAKER_OPEN] = "opens: no more calls go out",
                                       [STORM_BREAKER_HALF_OPEN] =
                                           "is half open: a few calls may try"};
    assert(fact->level < sizeof does / sizeof does[0]);
    fprintf(t->out, "a breaker before %s %s", t->names->services[fact->place], does[fact->level]);
}

/* The facts that need no more than a phrase. */
static const char *plain_phrase(const struct telling *t, const struct storm_fact *fact) {
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_BORN:
        return birth_phrase(t, fact);
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
    case STORM_FACT_CRASHED:
        return "crashes";
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

/* After how long the caller of an attempt stops waiting for it; `sent` < 0: it is not known. */
static void tell_gave_up(const struct telling *t, const struct storm_fact *fact) {
    char after[TEXT_DURATION_SIZE];
    fputs("its caller gives up waiting", t->out);
    if (t->sent >= 0)
        fprintf(t->out, " after %s", text_duration(fact->time - t->sent, after));
}

void fact_phrase_write(const struct fact_names *names, const struct storm_fact *fact,
                       storm_time sent, FILE *out) {
    static void (*const tell[])(const struct telling *t, const struct storm_fact *fact) = {
        [STORM_FACT_REFUSED] = tell_refused,       [STORM_FACT_STARTED] = tell_started,
        [STORM_FACT_SERVED] = tell_served,         [STORM_FACT_LOST] = tell_lost,
        [STORM_FACT_BACKED_OFF] = tell_backed_off, [STORM_FACT_VANISHED] = tell_vanished,
        [STORM_FACT_DELIVERED] = tell_delivered,   [STORM_FACT_RETURNED] = tell_returned,
        [STORM_FACT_HELD_BACK] = tell_held_back,   [STORM_FACT_BANNED] = tell_banned,
        [STORM_FACT_EFFECT] = tell_effect,         [STORM_FACT_SUPPRESSED] = tell_suppressed,
        [STORM_FACT_SUCCEEDED] = tell_end,         [STORM_FACT_DEAD] = tell_end,
        [STORM_FACT_CAPACITY] = tell_capacity,     [STORM_FACT_OUTAGE] = tell_outage,
        [STORM_FACT_BREAKER] = tell_breaker,       [STORM_FACT_GAVE_UP] = tell_gave_up,
    };
    const struct telling t = {.names = names, .sent = sent, .out = out};
    const char *phrase = plain_phrase(&t, fact);
    if (phrase != NULL) {
        fputs(phrase, out);
        return;
    }
    assert(fact->kind < sizeof tell / sizeof tell[0] && tell[fact->kind] != NULL);
    tell[fact->kind](&t, fact);
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* What a fault does, beyond its kind; NULL: nothing. */
static const char *fault_detail(const struct storm_fault *fault, char detail[TEXT_DURATION_SIZE]) {
    char number[TEXT_NUMBER_SIZE];
    switch (fault->kind) {
    case STORM_FAULT_DOWN:
    case STORM_FAULT_HANG:
    case STORM_FAULT_NETWORK:
        return NULL;
    case STORM_FAULT_SLOW:
        snprintf(detail, TEXT_DURATION_SIZE, "%s x the service time",
                 text_number(fault->factor, number));
        break;
    case STORM_FAULT_CAPACITY:
        snprintf(detail, TEXT_DURATION_SIZE, "%s %% of the workers",
                 text_number(fault->share * 100, number));
        break;
    case STORM_FAULT_ERRORS:
        snprintf(detail, TEXT_DURATION_SIZE, "%u for %s %%", fault->status,
                 text_number(fault->share * 100, number));
        break;
    }
    return detail;
}

static const char *fault_phrase(const struct storm_mark *mark, const struct storm_fault *fault,
                                char *text, size_t size) {
    static const char *const kinds[] = {"down", "hang", "slow", "capacity", "errors", "network"};
    char detail[TEXT_DURATION_SIZE], length[TEXT_DURATION_SIZE];
    const char *more = fault_detail(fault, detail);
    assert(fault->kind < sizeof kinds / sizeof kinds[0]);
    if (mark->begins)
        snprintf(text, size, "fault begins: %s%s%s, for %s", kinds[fault->kind],
                 more != NULL ? ", " : "", more != NULL ? more : "",
                 storm_time_print(fault->length, length, sizeof length));
    else
        snprintf(text, size, "fault is over: %s", kinds[fault->kind]);
    return text;
}

const char *mark_phrase(const struct storm_scenario *scenario, const struct storm_mark *mark,
                        char *text, size_t size) {
    static const char *const kinds[] = {"pause",   "block",  "clear",  "admit", "set",
                                        "rollout", "replay", "resend", "rerun"};
    if (!mark->is_action)
        return fault_phrase(mark, &scenario->faults[mark->index], text, size);
    const struct storm_action *action = &scenario->actions[mark->index];
    assert(action->kind < sizeof kinds / sizeof kinds[0]);
    if (action->kind == STORM_ACTION_SET)
        snprintf(text, size, "operators set %s", action->settings);
    else
        snprintf(text, size, "operators' %s %s", kinds[action->kind],
                 mark->begins ? "begins" : "is over");
    return text;
}

/* ---- names ----------------------------------------------------------------------------------- */

bool fact_names_clean(struct fact_names *t, const struct storm_scenario *scenario,
                      struct arena *arena) {
    bool fits = true;
    t->scenario = scenario;
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
