/* letter.h: a file of dead letters, read: what each is, and what people have done about it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_LETTER_H
#define LETTERS_LETTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>

#include "base/arena.h"
#include "report/dead_letter.h"

enum { LETTERS_MAX = 1000000, LETTERS_LINE_MAX = 1 << 16 };

/* What has become of a letter, as its audit file says. */
#define LETTER_STATE_MAP(X)                                                                        \
    X(UNREVIEWED, "unreviewed", "nobody has decided on it")                                        \
    X(IN_DOUBT, "in_doubt", "it was replayed, and how that ended is not known")                    \
    X(REPLAYED, "replayed", "it was replayed and succeeded")                                       \
    X(DEAD_AGAIN, "dead_again", "it was replayed and died again")                                  \
    X(FIXED, "fixed", "somebody has put it right by hand")                                         \
    X(RESEND_REQUESTED, "resend_requested", "its sender was asked to send it again")               \
    X(DISCARDED, "discarded", "somebody has decided that it is not needed")

enum letter_state {
#define LETTER_STATE_ENUM(name, word, sentence) LETTER_##name,
    LETTER_STATE_MAP(LETTER_STATE_ENUM)
#undef LETTER_STATE_ENUM
        LETTER_STATE_COUNT
};

/* "dead_again", and what it means. Never NULL. */
const char *letter_state_word(enum letter_state state);
const char *letter_state_sentence(enum letter_state state);

/* Whether somebody has decided, so that it will not be sent again. */
static inline bool letter_is_resolved(enum letter_state state) {
    return state == LETTER_FIXED || state == LETTER_RESEND_REQUESTED || state == LETTER_DISCARDED;
}

/* One letter. Instants are nanoseconds since 1970. */
struct letter {
    struct dead_letter says; /* msg_id[1] is NULL */
    int64_t born_at, received_at, first_failed_at, last_failed_at;
    uint32_t line;   /* of the file, from 1 */
    const char *raw; /* the line as it stands, without its end */
    size_t raw_length;
    bool repeated; /* an earlier line is the same letter */
    /* From the audit file: */
    enum letter_state state;
    const char *by, *note; /* of the last who did something; NULL: nobody, nothing */
    const char *again;     /* why it died again */
    int64_t reviewed_at;   /* when that was, if it is known; INT64_MIN: it is not */
};

/* All of a file. Strings and letters live as long as the arena, `raw` as long as the text. */
struct letters {
    const char *name; /* of the file, for messages */
    struct letter *list;
    uint32_t count;
    struct letter **by_id; /* in the order of letter_compare */
};

/* By msg_id, then by trace id: two letters that differ in neither are the same. A request that was
   published twice gives two letters with one msg_id. */
int letter_compare(const struct letter *a, const struct letter *b);

/* Reads JSON Lines: one letter a line, in any order of its fields; fields that are not ours and
   blank lines are passed over, the last line may lack its end. False after filling `error`, which
   names file:line:column. */
bool letters_parse(struct letters *letters, const char *name, const char *text, size_t length,
                   struct arena *arena, struct storm_error *error);

/* The same for a file. The caller frees *text, NULL after an error, when the letters are no longer
   needed. */
bool letters_read(struct letters *letters, const char *name, char **text, struct arena *arena,
                  struct storm_error *error);

/* The first letter, in the order of by_id, of that msg_id and trace id; NULL: there is none. */
struct letter *letters_find(const struct letters *letters, const char *msg_id,
                            const char *trace_id);

/* The next letter after `last` (NULL: the first) that is called `id`, its msg_id or its trace id.
   NULL: there is none. */
struct letter *letters_named(const struct letters *letters, const char *id,
                             const struct letter *last);

/* The instant of the youngest death; 0 of no letters. */
int64_t letters_newest(const struct letters *letters);

#endif
