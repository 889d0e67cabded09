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

/* One key of a map: a plain field; a FIELD_MAP, whose settings (`inner`) go into the same struct;
   or (read not NULL) something with a reader of its own. Of the last two, field says only key,
   fallback (NULL: required) and help; `inner` describes the map behind it, if it is one. */
struct row {
    struct field field;
    row_reader *read;
    const struct shape *inner;
};

/* All keys of a kind of map: rows, ended by a NULL key, and then `more` fields of another layer
   (or NULL). */
struct shape {
    const struct row *rows;
    const struct field *more;
};

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
