/* decode.h: maps of settings, described by rows, become structs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_DECODE_H
#define SCENARIO_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/field.h"
#include "scenario/reader.h"

struct shape;

/* Reads what no plain field can. `trail` is at the key; `node` is its value, or NULL when the
   key is absent (then the defaults are stored); `target` is the struct of the map that the key
   is in. */
typedef void row_reader(struct reader *reader, const struct trail *trail, const struct node *node,
                        void *target);

/* What stands behind a key: one value or map, a map of them by names, a list of them, or a list of
   pairs of single values (item[0] and item[1]). */
enum form { FORM_ONE, FORM_NAMES, FORM_LIST, FORM_PAIRS };

/* Of the keys of a map that are such a choice, exactly one is written, or at least one. */
enum choice { CHOICE_NONE, CHOICE_ONE, CHOICE_SOME };

/* One key of a map: a plain field; a FIELD_MAP, whose settings (`inner`) go into the same struct;
   or (read not NULL) something with a reader of its own. Of a row with a reader, `field` says what
   a single value may be (FIELD_TEXT with no words: anything; FIELD_MAP: none; the words' values are
   the reader's), `inner` describes the map that may stand there, and `item` the single values of a
   list or of a map of names. Where there are many, the field's bounds say how many (most 0: any
   number). The rest is for those who explain: what schema, help and reference are made of. */
struct row {
    struct field field;
    row_reader *read;
    const struct shape *inner;
    const struct field *item;
    const struct field *keys; /* what the keys of a map are that are no names */
    enum form form;
    enum choice choice;
    bool live;           /* an action may change it, or all that is in it, during a run */
    const char *with;    /* keys with blanks between them, one of which must stand beside it */
    const char *pattern; /* how its text must look, as a regular expression */
    const char *example; /* a good value, where the kind of value does not say enough */
};

/* All keys of a kind of map: rows, ended by a NULL key, and then `more` fields of another layer
   (or NULL). */
struct shape {
    const struct row *rows;
    const struct field *more;
    bool live;        /* all keys of it */
    bool has_paths;   /* its keys are paths of settings, from the top of the scenario */
    const char *name; /* what such a map is called, where it stands in several places */
};

/* The row of a key; NULL when the shape has none (it may be one of `more`). */
const struct row *shape_row(const struct shape *shape, const char *key);

/* Reads a map by its shape into `target`: every value, every default, unknown and missing keys.
   node NULL: the whole map is absent, the defaults are stored and nothing is missing. Returns false
   when `node` is no map. */
bool decode_map(struct reader *reader, const struct trail *trail, const struct node *node,
                const struct shape *shape, void *target);

/* Blames a key that is no name: letters, digits, '-' and '_', 1 to 64 of them. Returns whether it
   is one. */
bool decode_name(struct reader *reader, const struct trail *trail, const struct item *item);

/* Blames a key of the map at `trail`, or where the map is when the key is not written. */
void decode_blame(struct reader *reader, const struct trail *trail, const struct node *node,
                  const char *key, const char *suggestion, const char *reason);

/* The index of a name among the keys of `names` and, behind them, `more` (or NULL); STORM_NONE
   after blaming `node` ("there is no service 'dp'") with the nearest name. Says nothing when
   `names` or `more` is not a map, since that is told already. */
uint32_t decode_reference(struct reader *reader, const struct trail *trail, const struct node *node,
                          const struct node *names, const struct node *more, const char *noun);

#endif
