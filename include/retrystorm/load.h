/* load.h: a scenario file becomes a scenario; every error of the file is found at once. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_LOAD_H
#define RETRYSTORM_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include <retrystorm/error.h>
#include <retrystorm/scenario.h>

struct storm_setting;

/* A parsed scenario file: its text, its tree with positions, its variants. */
struct storm_document;

enum { STORM_FILE_MAX = 16 << 20, STORM_DEPTH_MAX = 32, STORM_NODES_MAX = 1000000 };

/* One override: a path with dots and the value as YAML text, as in `--set policies.app.cap=30s`. */
struct storm_override {
    const char *path, *value;
};

/* Reads the text of a file ("-": standard input) to its end or just beyond STORM_FILE_MAX. Returns
   NULL after filling `errors`. The caller frees, after the last excerpt of it was printed. */
char *storm_text_read(const char *file, size_t *length, struct storm_errors *errors);

/* Parses a text, which is copied. Returns NULL after filling `errors`. The caller frees. */
struct storm_document *storm_document_parse(const char *text, size_t length,
                                            struct storm_errors *errors);

/* Says where files named in the scenario are looked for: beside `file`. NULL, or never called: in
   the current folder. False without memory. */
bool storm_document_locate(struct storm_document *document, const char *file);

/* All in one, for those who print no excerpts. */
struct storm_document *storm_document_read(const char *file, struct storm_errors *errors);

void storm_document_free(struct storm_document *document);

/* Whether the top of the document has that key. */
bool storm_document_has(const struct storm_document *document, const char *key);

/* The variants of the document, in file order. variant_name(document, i) is NULL past the last
   one. */
size_t storm_document_variant_count(const struct storm_document *document);
const char *storm_document_variant_name(const struct storm_document *document, size_t index);

/* Decodes the tree with the overrides of one variant (NULL: none) and then `sets` applied to it.
   Returns NULL after filling `errors` (places in the file, or in the override's text). The scenario
   is owned by the document and lives as long as it. */
const struct storm_scenario *storm_document_decode(struct storm_document *document,
                                                   const char *variant,
                                                   const struct storm_override *sets,
                                                   size_t set_count, struct storm_errors *errors);

/* Every effective setting of a decoded scenario (defaults included) as path and text, in table
   order. Owned by the document. Returns the count, or 0 at the memory limit. */
size_t storm_document_settings(struct storm_document *document,
                               const struct storm_scenario *scenario,
                               const struct storm_setting **settings);

/* Writes the errors for people: file:line:col, the line, a caret under the place, a suggestion;
   ends with the count. `name` is the file's; `text` is what was parsed, valid or not, or NULL for
   no excerpts. Returns a malloc'ed string, or NULL without memory. */
char *storm_errors_print(const struct storm_errors *errors, const char *name, const char *text,
                         size_t length);

/* The document's text, for those who have it no more. */
const char *storm_document_text(const struct storm_document *document, size_t *length);

#endif
