/* letter.c: a file of dead letters, read: what each is, and what people have done about it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. list is in the order of the file's lines; by_id holds each of its letters once, in the order
   of letter_compare and, of the same letter, of the lines.
   2. `repeated` is false for exactly one letter of each identity, the first of by_id. */

#include "letters/letter.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/policy.h>

#include "letters/lines.h"
#include "scenario/epoch.h"

const char *letter_state_word(enum letter_state state) {
    static const char *const words[LETTER_STATE_COUNT] = {
#define LETTER_STATE_WORD(name, word, sentence) [LETTER_##name] = word,
        LETTER_STATE_MAP(LETTER_STATE_WORD)
#undef LETTER_STATE_WORD
    };
    assert(state < LETTER_STATE_COUNT);
    return words[state];
}

const char *letter_state_sentence(enum letter_state state) {
    static const char *const sentences[LETTER_STATE_COUNT] = {
#define LETTER_STATE_SENTENCE(name, word, sentence) [LETTER_##name] = sentence,
        LETTER_STATE_MAP(LETTER_STATE_SENTENCE)
#undef LETTER_STATE_SENTENCE
    };
    assert(state < LETTER_STATE_COUNT);
    return sentences[state];
}

/* ---- one letter ------------------------------------------------------------------------------ */

/* A text that is not empty. */
static bool take_name(struct json_reader *reader, const json_t *object, const char *key,
                      const char **text) {
    if (!json_reader_text(reader, object, key, text)) {
        return false;
    }
    if ((*text)[0] == '\0') {
        json_reader_push(reader, key);
        return json_reader_refuse(reader, STORM_INVALID, "must not be empty");
    }
    return true;
}

static bool take_instant(struct json_reader *reader, const json_t *object, const char *key,
                         const char **text, int64_t *instant) {
    if (!json_reader_text(reader, object, key, text)) {
        return false;
    }
    if (!epoch_parse(*text, instant)) {
        json_reader_push(reader, key);
        return json_reader_refuse(reader, STORM_INVALID,
                                  "must be a time such as 2026-09-06T12:00:00Z, up to 2199");
    }
    return true;
}

/* A number from 100 to 599, one of the network's words, or null. */
static bool take_status(struct json_reader *reader, const json_t *object, uint16_t *status) {
    static const uint16_t outcomes[] = {STORM_OUTCOME_REFUSED, STORM_OUTCOME_RESET,
                                        STORM_OUTCOME_TIMEOUT, STORM_OUTCOME_REJECTED};
    const json_t *value = json_object_get(object, "status");
    *status = 0;
    if (json_is_null(value)) {
        return true;
    }
    double number = json_is_real(value) ? json_real_value(value) : 0;
    if (number >= 100 && number <= 599 && floor(number) == number) {
        *status = (uint16_t)number;
        return true;
    }
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
        if (strcmp(text, storm_outcome_word(outcomes[i])) == 0) {
            *status = outcomes[i];
            return true;
        }
    }
    json_reader_push(reader, "status");
    return json_reader_refuse(reader, STORM_INVALID,
                              "must be a number from 100 to 599, refused, reset, timeout, rejected "
                              "or null");
}

static bool take_class(struct json_reader *reader, const json_t *object, bool *data) {
    const char *word;
    if (!json_reader_text(reader, object, "class", &word)) {
        return false;
    }
    *data = strcmp(word, "data") == 0;
    if (!*data && strcmp(word, "system") != 0) {
        json_reader_push(reader, "class");
        return json_reader_refuse(reader, STORM_INVALID, "must be system or data");
    }
    return true;
}

static bool take_original(struct json_reader *reader, const json_t *object, struct letter *letter) {
    struct dead_letter *says = &letter->says;
    json_t *original;
    size_t mark = reader->path_length;
    bool done = json_reader_enter(reader, object, "original", &original) &&
                take_name(reader, original, "population", &says->population) &&
                json_reader_count(reader, original, "member", UINT32_MAX, &says->member) &&
                json_reader_count(reader, original, "ordinal", UINT32_MAX, &says->ordinal) &&
                json_reader_text(reader, original, "to", &says->to) &&
                take_instant(reader, original, "born_at", &says->born_at, &letter->born_at);
    if (done) {
        json_reader_pop(reader, mark);
    }
    return done;
}

static bool take_letter(struct json_reader *reader, const json_t *object, struct letter *letter) {
    struct dead_letter *says = &letter->says;
    return take_name(reader, object, "msg_id", &says->msg_id[0]) &&
           take_original(reader, object, letter) &&
           take_name(reader, object, "reason", &says->reason) &&
           take_status(reader, object, &says->status) && take_class(reader, object, &says->data) &&
           json_reader_count(reader, object, "attempts", UINT32_MAX, &says->attempts) &&
           take_instant(reader, object, "received_at", &says->received_at, &letter->received_at) &&
           take_instant(reader, object, "first_failed_at", &says->first_failed_at,
                        &letter->first_failed_at) &&
           take_instant(reader, object, "last_failed_at", &says->last_failed_at,
                        &letter->last_failed_at) &&
           take_name(reader, object, "trace_id", &says->trace_id) &&
           take_name(reader, object, "queue", &says->queue);
}

/* ---- a file of them -------------------------------------------------------------------------- */

int letter_compare(const struct letter *a, const struct letter *b) {
    int order = strcmp(a->says.msg_id[0], b->says.msg_id[0]);
    return order != 0 ? order : strcmp(a->says.trace_id, b->says.trace_id);
}

static int compare_places(const void *a, const void *b) {
    const struct letter *const *left = a, *const *right = b;
    int order = letter_compare(*left, *right);
    return order != 0 ? order : ((*left)->line > (*right)->line) - ((*left)->line < (*right)->line);
}

/* Sorts the letters by their identities, and marks those that were there before. */
static bool sort_letters(struct letters *letters, struct arena *arena) {
    struct letter **order = arena_take_array(arena, letters->count, sizeof *order);
    if (order == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < letters->count; i++) {
        order[i] = &letters->list[i];
    }
    qsort(order, letters->count, sizeof *order, compare_places);
    for (uint32_t i = 1; i < letters->count; i++) {
        order[i]->repeated = letter_compare(order[i - 1], order[i]) == 0;
    }
    letters->by_id = order;
    return true;
}

struct filling {
    struct letters *letters;
    uint32_t room;
};

static bool add_line(void *context, struct json_reader *reader, const struct line *line,
                     const json_t *object) {
    struct filling *filling = context;
    struct letters *letters = filling->letters;
    if (letters->count == LETTERS_MAX) {
        return storm_fail(reader->error, STORM_LIMIT, "there are more than %d letters",
                          LETTERS_MAX);
    }
    if (letters->count == filling->room) {
        uint32_t room = filling->room == 0 ? 64 : filling->room * 2;
        struct letter *list = arena_grow_array(reader->arena, letters->list, letters->count, room,
                                               sizeof *letters->list);
        if (list == NULL) {
            return json_reader_refuse_memory(reader);
        }
        letters->list = list;
        filling->room = room;
    }
    struct letter *letter = &letters->list[letters->count];
    *letter = (struct letter){.line = line->number,
                              .raw = line->text,
                              .raw_length = line->length,
                              .reviewed_at = INT64_MIN};
    letters->count++;
    return take_letter(reader, object, letter);
}

bool letters_parse(struct letters *letters, const char *name, const char *text, size_t length,
                   struct arena *arena, struct storm_error *error) {
    struct filling filling = {letters, 0};
    assert(name != NULL && (text != NULL || length == 0));
    *letters = (struct letters){.name = name};
    if (!lines_read(name, text, length, LETTERS_LINE_MAX, arena, add_line, &filling, error)) {
        return false;
    }
    return sort_letters(letters, arena) ||
           storm_fail(error, STORM_LIMIT, "no memory for the letters of '%.150s'", name);
}

bool letters_read(struct letters *letters, const char *name, char **text, struct arena *arena,
                  struct storm_error *error) {
    struct json_reader reader = {.arena = arena, .error = error};
    size_t length;
    *text = json_reader_load(&reader, name, &length);
    if (*text != NULL && letters_parse(letters, name, *text, length, arena, error)) {
        return true;
    }
    free(*text);
    *text = NULL;
    return false;
}

/* ---- looking for one ------------------------------------------------------------------------- */

struct letter *letters_find(const struct letters *letters, const char *msg_id,
                            const char *trace_id) {
    struct letter wanted = {.says = {.msg_id = {msg_id}, .trace_id = trace_id}};
    uint32_t low = 0, high = letters->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (letter_compare(letters->by_id[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < letters->count && letter_compare(letters->by_id[low], &wanted) == 0;
    return found ? letters->by_id[low] : NULL;
}

struct letter *letters_named(const struct letters *letters, const char *id,
                             const struct letter *last) {
    uint32_t next = last == NULL ? 0 : (uint32_t)(last - letters->list) + 1;
    for (uint32_t i = next; i < letters->count; i++) {
        const struct dead_letter *says = &letters->list[i].says;
        if (strcmp(says->msg_id[0], id) == 0 || strcmp(says->trace_id, id) == 0) {
            return &letters->list[i];
        }
    }
    return NULL;
}

int64_t letters_newest(const struct letters *letters) {
    int64_t newest = 0;
    for (uint32_t i = 0; i < letters->count; i++) {
        int64_t died = letters->list[i].last_failed_at;
        newest = died > newest ? died : newest;
    }
    return newest;
}
