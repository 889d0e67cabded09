/* outline.h: the tables of settings as something to walk over: what may stand where. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUIDE_OUTLINE_H
#define GUIDE_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "guide/phrase.h"
#include "scenario/decode.h"

/* One key of a map. `row` is NULL for a field of another layer, which is a plain one. */
struct entry {
    const struct field *field; /* NULL: there is no such key */
    const struct row *row;
};

/* The keys of a map in order; past the last one its field is NULL. */
struct entry outline_entry(const struct shape *shape, size_t index);
struct entry outline_find(const struct shape *shape, const char *key);

/* Whether one value or map stands behind the key, or many of them. */
enum form outline_form(const struct entry *entry);

/* What a single value may be that stands there (with outline_form FORM_ONE), or NULL. */
const struct field *outline_single(const struct entry *entry);

/* The policies are the words of `delay`, the presets those of `preset`: one of them by its index.
   False past the last one, and for every other field. */
bool outline_policy(const struct field *field, size_t index, struct field_word *word);

/* The map that may stand there, or each of the maps; NULL: none. */
const struct shape *outline_map(const struct entry *entry);

/* Says what to write: "a duration (250ms or 5s); or none". */
void outline_say_value(const struct entry *entry, struct phrase *phrase);

/* Says the bounds of a field, of its number or of how many there may be: "more than 0", "1 to
   100"; adds nothing when it has none worth telling. */
void outline_say_range(const struct field *field, struct phrase *phrase);

/* Says what goes without saying: "required", "503", "as the policy has it"; adds nothing when the
   setting is simply not there. */
void outline_say_default(const struct entry *entry, struct phrase *phrase);

/* Says an example of a value: the row's own, or one of the kind. Adds nothing for a map without
   one. */
void outline_say_example(const struct entry *entry, struct phrase *phrase);

/* A setting that has been looked for in all tables: its path in which NAME and 0 stand for any name
   and index. */
typedef void outline_visitor(void *context, const char *path, const struct entry *entry);

/* Visits every setting of a scenario, maps before what is in them; distributions are not entered.
   A call's policy, written in place, is entered like the others. */
void outline_visit(outline_visitor *visit, void *context);

#endif
