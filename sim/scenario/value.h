/* value.h: the text of one setting becomes the value that its field describes, and back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_VALUE_H
#define SCENARIO_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/field.h"
#include "scenario/reader.h"

/* Reads a value as `field` says, and stores it at field->offset of `target`. Returns false after
   blaming it. */
bool value_read(struct reader *reader, const struct trail *trail, const struct node *node,
                const struct field *field, void *target);

/* Whether a text is a number of the field's kind, or one of its words. */
bool value_fits(const struct field *field, const char *text);

/* What a kind of value is called, "a duration", and examples of it, "250ms or 5s"; of numbers and
   distributions. */
const char *value_noun(enum field_kind kind);
const char *value_example(enum field_kind kind);

/* The word for "no limit" where the field accepts it, or NULL. */
const char *value_boundless(const struct field *field);

/* Stores the field's fallback, which must be a good value of it. */
void value_default(struct reader *reader, const struct field *field, void *target);

/* Writes the value at field->offset of `target` as a user would; value_read reads exactly it again.
   Returns `buffer`; size at least VALUE_MAX, to which long texts are cut. */
const char *value_print(const struct field *field, const void *target, char *buffer, size_t size);

/* The same for a number of a kind of field, in the stored unit (durations: seconds). */
const char *value_print_number(enum field_kind kind, double value, char *buffer, size_t size);

/* Room for an empirical law of as many quantiles as there may be. */
enum { VALUE_MAX = 6144 };

#endif
