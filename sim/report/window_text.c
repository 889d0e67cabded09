/* window_text.c: what happens in a window of time, for people: a line a fact, and counts where
   there are too many. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "report/fact_phrase.h"
#include "report/story.h"
#include "report/text.h"

enum { MEMORY = 1 << 28, NAME_SIZE = 300 };

struct teller {
    const struct storm_window_story *story;
    struct fact_names names;
    struct arena *arena;
    int seconds, whose, what; /* columns: of the time before its point, the request, the attempt */
    FILE *out;
};

/* ---- who ------------------------------------------------------------------------------------- */

/* "web:12:3", as --request names it; of a ban the client alone; "" where it is about none. */
static void print_whose(const struct teller *t, const struct storm_window_line *line,
                        char text[NAME_SIZE]) {
    const char *const *names = t->names.populations;
    text[0] = '\0';
    if (line->has_kin)
        snprintf(text, NAME_SIZE, "%.200s:%" PRIu32 ":%" PRIu32, names[line->kin.population],
                 line->kin.member, line->kin.ordinal);
    else if (!line->is_mark && line->fact.kind == STORM_FACT_BANNED)
        snprintf(text, NAME_SIZE, "%.200s:%" PRIu32, names[line->fact.origin], line->fact.member);
}

/* Whom an action is about: a service, clients, or "". */
static const char *aim_of(const struct teller *t, const struct storm_action *action) {
    bool is_service = action->kind == STORM_ACTION_BLOCK || action->kind == STORM_ACTION_CLEAR ||
                      action->kind == STORM_ACTION_ADMIT;
    if (is_service)
        return t->names.services[action->service];
    bool has_clients = action->kind != STORM_ACTION_SET && action->population != STORM_NONE;
    return has_clients ? t->names.populations[action->population] : "";
}

/* "api, try 2", "workers, delivery 1", "api", or "". */
static void print_what(const struct teller *t, const struct storm_window_line *line,
                       char text[NAME_SIZE]) {
    static const char *const words[] = {[STORM_STORY_ATTEMPT] = "try",
                                        [STORM_STORY_MESSAGE] = "message",
                                        [STORM_STORY_DELIVERY] = "delivery",
                                        [STORM_STORY_COPY] = "copy",
                                        [STORM_STORY_REQUEST] = ""};
    const struct storm_scenario *scenario = t->names.scenario;
    const struct storm_story_attempt *attempt = &line->kin.attempt;
    text[0] = '\0';
    if (line->is_mark) {
        snprintf(text, NAME_SIZE, "%.200s",
                 line->mark.is_action
                     ? aim_of(t, &scenario->actions[line->mark.index])
                     : t->names.services[scenario->faults[line->mark.index].service]);
    } else if (!line->has_kin) {
        snprintf(text, NAME_SIZE, "%.200s", t->names.services[line->fact.place]);
    } else if (attempt->kind != STORM_STORY_REQUEST) {
        const char *name = attempt->kind == STORM_STORY_ATTEMPT
                               ? t->names.services[attempt->place]
                               : t->names.populations[attempt->place];
        int used = snprintf(text, NAME_SIZE, "%.200s, %s", name, words[attempt->kind]);
        if (attempt->number > 0 && used > 0 && used < NAME_SIZE)
            snprintf(text + used, NAME_SIZE - (size_t)used, " %" PRIu32, attempt->number);
    }
}

/* ---- what ------------------------------------------------------------------------------------ */

static void tell_mark(const struct teller *t, const struct storm_mark *mark) {
    char phrase[NAME_SIZE];
    const char *clean =
        text_clean(t->arena, mark_phrase(t->names.scenario, mark, phrase, sizeof phrase));
    fputs(clean != NULL ? clean : "", t->out);
}

static void tell_line(const struct teller *t, const struct storm_window_line *line) {
    char whose[NAME_SIZE], what[NAME_SIZE];
    storm_time time = line->is_mark ? line->mark.time : line->fact.time;
    print_whose(t, line, whose);
    print_what(t, line, what);
    fprintf(t->out, "%*" PRId64 ".%06" PRId64 "  %s%*s%s%*s", t->seconds, time / STORM_SECOND,
            time % STORM_SECOND / STORM_MICROSECOND, whose, t->whose - (int)text_width(whose) + 2,
            "", what, t->what - (int)text_width(what) + 2, "");
    if (line->is_mark) {
        tell_mark(t, &line->mark);
    } else {
        bool is_attempt = line->has_kin && line->kin.attempt.kind == STORM_STORY_ATTEMPT;
        fact_phrase_write(&t->names, &line->fact, is_attempt ? line->kin.attempt.sent : -1, t->out);
    }
    fputc('\n', t->out);
}

static void measure(struct teller *t) {
    for (uint32_t i = 0; i < t->story->line_count; i++) {
        char text[NAME_SIZE];
        print_whose(t, &t->story->lines[i], text);
        int width = (int)text_width(text);
        t->whose = width > t->whose ? width : t->whose;
        print_what(t, &t->story->lines[i], text);
        width = (int)text_width(text);
        t->what = width > t->what ? width : t->what;
    }
    t->seconds = snprintf(NULL, 0, "%" PRId64, t->story->window.to / STORM_SECOND);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Facts of a kind in the whole window. */
static uint64_t count_kind(const struct storm_window_story *story, uint32_t kind) {
    uint64_t sum = 0;
    for (uint32_t part = 0; part < STORM_WINDOW_PARTS; part++)
        sum += story->counts[kind][part];
    return sum;
}

/* A copy of a number for people, or of a word with blanks for its dashes. NULL without memory. */
static const char *copied(struct arena *arena, const char *text) {
    char *copy = arena_copy_string(arena, text, strlen(text));
    for (char *c = copy; c != NULL && *c != '\0'; c++)
        *c = *c == '_' ? ' ' : *c;
    return copy;
}

static const char *counted(struct arena *arena, uint64_t count) {
    char number[TEXT_NUMBER_SIZE];
    return copied(arena, text_number((double)count, number));
}

static bool fill_row(struct text_table *table, struct arena *arena, uint32_t row, uint32_t kind,
                     const struct storm_window_story *story) {
    const char *word = copied(arena, storm_fact_word(kind));
    bool fits = word != NULL;
    text_table_cell(table, row, 0)->value = word;
    for (uint32_t part = 0; part <= STORM_WINDOW_PARTS && fits; part++) {
        bool is_sum = part == STORM_WINDOW_PARTS;
        const char *number =
            counted(arena, is_sum ? count_kind(story, kind) : story->counts[kind][part]);
        text_table_cell(table, row, part + 1)->value = number;
        fits = number != NULL;
    }
    return fits;
}

static bool fill_heading(struct text_table *table, struct arena *arena,
                         const struct storm_window *window) {
    bool fits = true;
    text_table_cell(table, 0, 0)->value = "in each tenth, from";
    for (uint32_t part = 0; part < STORM_WINDOW_PARTS && fits; part++) {
        char time[TEXT_DURATION_SIZE];
        storm_time step = (window->to - window->from) / STORM_WINDOW_PARTS;
        const char *text =
            copied(arena, storm_time_print(window->from + step * part, time, sizeof time));
        text_table_cell(table, 0, part + 1)->value = text;
        fits = text != NULL;
    }
    text_table_cell(table, 0, STORM_WINDOW_PARTS + 1)->value = "all";
    return fits;
}

/* How many facts of each kind there are in each tenth of the window. False without memory. */
static bool tell_counts(const struct teller *t, struct arena *arena) {
    uint32_t rows = 1;
    struct text_table table;
    for (uint32_t kind = 0; kind < STORM_FACT_KINDS; kind++)
        rows += count_kind(t->story, kind) > 0;
    if (!text_table_init(&table, arena, rows, STORM_WINDOW_PARTS + 2, 1) ||
        !fill_heading(&table, arena, &t->story->window))
        return false;
    uint32_t row = 1;
    for (uint32_t kind = 0; kind < STORM_FACT_KINDS; kind++) {
        if (count_kind(t->story, kind) > 0 && !fill_row(&table, arena, row++, kind, t->story))
            return false;
    }
    text_table_write(&table, t->out);
    fputc('\n', t->out);
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void tell_heading(const struct teller *t, const struct story_source *source,
                         struct arena *arena) {
    const struct storm_window *window = &t->story->window;
    char from[TEXT_DURATION_SIZE], to[TEXT_DURATION_SIZE];
    const char *file = text_clean(arena, source->file);
    const char *variant = text_clean(arena, source->variant);
    fprintf(t->out, "From %s to %s: %s", storm_time_print(window->from, from, sizeof from),
            storm_time_print(window->to, to, sizeof to), file != NULL ? file : "");
    if (variant != NULL && *variant != '\0')
        fprintf(t->out, ", %s", variant);
    fprintf(t->out, ", run %" PRIu32 ", seed %" PRIu64, source->run, source->seed);
    if (window->service != STORM_NONE)
        fprintf(t->out, ", at %s", t->names.services[window->service]);
    if (window->population != STORM_NONE)
        fprintf(t->out, ", of %s", t->names.populations[window->population]);
    fputs("\n\n", t->out);
}

static void tell_rest(const struct teller *t) {
    char all[TEXT_NUMBER_SIZE], left[TEXT_NUMBER_SIZE];
    if (t->story->all == 0)
        fputs("Nothing happens.\n", t->out);
    if (t->story->all > t->story->line_count)
        fprintf(t->out,
                "... (the first %" PRIu32 " of %s lines; %s are left out: a shorter window, "
                "--service, --clients or --limit)\n",
                t->story->line_count, text_number((double)t->story->all, all),
                text_number((double)(t->story->all - t->story->line_count), left));
}

bool window_write_text(const struct storm_window_story *story,
                       const struct storm_scenario *scenario, const struct story_source *source,
                       FILE *out) {
    struct teller teller = {.story = story, .out = out};
    struct arena arena;
    arena_init(&arena, MEMORY);
    teller.arena = &arena;
    bool ready = fact_names_clean(&teller.names, scenario, &arena);
    if (ready) {
        measure(&teller);
        tell_heading(&teller, source, &arena);
        if (story->all > story->line_count)
            ready = tell_counts(&teller, &arena);
        for (uint32_t i = 0; i < story->line_count; i++)
            tell_line(&teller, &story->lines[i]);
        tell_rest(&teller);
    }
    arena_free(&arena);
    return ready && ferror(out) == 0;
}
