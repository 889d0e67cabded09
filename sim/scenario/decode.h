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

/* What stands behind a key: one value or map, a map of them by names, or a list of them. */
enum form { FORM_ONE, FORM_NAMES, FORM_LIST };

/* One key of a map: a plain field; a FIELD_MAP, whose settings (`inner`) go into the same struct;
   or (read not NULL) something with a reader of its own. Of a row with a reader, `field` says what
   a single value may be (FIELD_TEXT with no words: anything), `inner` describes the map that may
   stand there, and `item` the single values of a list or of a map of names. */
struct row {
    struct field field;
    row_reader *read;
    const struct shape *inner;
    const struct field *item;
    enum form form;
    bool live; /* an action may change it, or all that is in it, during a run */
};

/* All keys of a kind of map: rows, ended by a NULL key, and then `more` fields of another layer
   (or NULL). */
struct shape {
    const struct row *rows;
    const struct field *more;
    bool live; /* all keys of it */
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

/* The index of a name among the keys of `names`; STORM_NONE after blaming `node` ("there is no
   service 'dp'") with the nearest name. Says nothing when `names` is not a map, since that is told
   already. */
uint32_t decode_reference(struct reader *reader, const struct trail *trail, const struct node *node,
                          const struct node *names, const char *noun);

#endif
