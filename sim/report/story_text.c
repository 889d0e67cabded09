/* story_text.c: the life of one request for people, a line a fact. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "report/fact_phrase.h"
#include "report/story.h"
#include "report/text.h"

enum { MEMORY = 1 << 24, WHO_SIZE = 512, TREE_DEPTH = 16 };

/* A story being told. `who` is the width of the second column. */
struct teller {
    const struct storm_story *story;
    struct fact_names names;
    int seconds, who; /* columns of the time before its point, and of those in the tree */
    FILE *out;
};

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
        append(who, "● %.200s", t->names.populations[t->story->population]);
        return;
    }
    const struct storm_story_attempt *attempt = &t->story->attempts[line->attempt];
    for (uint32_t i = 0; i < attempt->depth && i < TREE_DEPTH; i++)
        append(who, "│ ");
    append(who, "%s", begins(&line->fact) ? "●" : "│");
    if (!again)
        append(who, " %.200s, %s %" PRIu32,
               attempt->kind == STORM_STORY_ATTEMPT ? t->names.services[attempt->place]
                                                    : t->names.populations[attempt->place],
               words[attempt->kind], attempt->number);
}

/* A line; `again` when the one before it is about the same attempt, which then needs no name. */
static void tell_line(const struct teller *t, const struct storm_story_line *line, bool again) {
    char who[WHO_SIZE];
    storm_time time = line->fact.time;
    print_who(t, line, again, who);
    fprintf(t->out, "%*" PRId64 ".%06" PRId64 "  %s%*s", t->seconds, time / STORM_SECOND,
            time % STORM_SECOND / STORM_MICROSECOND, who, t->who - (int)text_width(who) + 2, "");
    fact_phrase_write(&t->names, &line->fact,
                      line->attempt == STORM_NONE ? -1 : t->story->attempts[line->attempt].sent,
                      t->out);
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
            story->member, t->names.populations[story->population], file != NULL ? file : "");
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
    for (uint32_t service = 0; service < t->names.scenario->service_count; service++) {
        uint32_t count = count_attempts(t->story, service);
        if (count > 0) {
            fprintf(t->out, "%s%" PRIu32 " at %s", between, count, t->names.services[service]);
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

bool story_write_text(const struct storm_story *story, const struct storm_scenario *scenario,
                      const struct story_source *source, FILE *out) {
    struct teller teller = {.story = story, .out = out};
    struct arena arena;
    assert(story->born && story->population < scenario->population_count);
    arena_init(&arena, MEMORY);
    bool ready = fact_names_clean(&teller.names, scenario, &arena);
    if (ready) {
        measure(&teller);
        tell_heading(&teller, source, &arena);
        tell_lines(&teller);
        tell_rest(&teller);
    }
    arena_free(&arena);
    return ready && ferror(out) == 0;
}
