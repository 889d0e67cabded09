/* load.c: a file becomes a document, and a document, with overrides, a scenario. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>

#include "base/suggest.h"
#include "scenario/document.h"
#include "scenario/fields.h"
#include "scenario/override.h"

/* What one document may hold: the tree of the largest file, and the scenarios decoded from it. */
#define MEMORY_MAX ((size_t)1 << 30)

/* ---- parsing --------------------------------------------------------------------------------- */

/* Decodes a tree. The scenario is good only when nothing was blamed; NULL without memory.
   `is_blind`: files beside the scenario are left alone. */
static const struct storm_scenario *document_decode(struct storm_document *document,
                                                    const struct node *root, bool is_blind,
                                                    struct blames *blames) {
    struct reader reader = {.document = document,
                            .arena = &document->arena,
                            .read_dist = dist_read,
                            .errors = blames,
                            .is_blind = is_blind};
    assert(blames != NULL);
    return scenario_read(&reader, root);
}

/* Copies the text into the document and builds its tree. */
static void document_fill(struct storm_document *document, const char *text, size_t length,
                          struct blames *blames) {
    size_t skipped = tree_bom_length(text, length);
    document->length = length - skipped;
    document->text =
        arena_copy_string(&document->arena, length > 0 ? text + skipped : "", document->length);
    if (document->text == NULL) {
        blame_memory(blames);
        return;
    }
    const struct node *root =
        tree_parse(&document->arena, document->text, document->length, NULL, blames);
    if (root == NULL)
        return;
    if (root->kind != NODE_MAP) {
        blame(blames, NULL, root->place, "begin with 'version: 1'",
              "a scenario is a map of settings, not %s", tree_kind_word(root));
        return;
    }
    document->root = root;
    if (blames->total > 0) /* duplicate keys and the like: show what else is wrong with it */
        document_decode(document, root, true, blames);
}

struct storm_document *storm_document_parse(const char *text, size_t length,
                                            struct storm_errors *errors) {
    assert(errors != NULL);
    assert(text != NULL || length == 0);
    struct blames blames = {.total = 0};
    if (length > STORM_FILE_MAX) {
        blame(&blames, NULL, (struct place){.width = 1}, NULL, "is larger than 16 MiB");
        blame_merge(&blames, errors);
        return NULL;
    }
    struct storm_document *document = calloc(1, sizeof *document);
    if (document == NULL) {
        blame_memory(&blames);
        blame_merge(&blames, errors);
        return NULL;
    }
    arena_init(&document->arena, MEMORY_MAX);
    document_fill(document, text, length, &blames);
    if (blames.total == 0)
        return document;
    blame_merge(&blames, errors);
    storm_document_free(document);
    return NULL;
}

bool storm_document_locate(struct storm_document *document, const char *file) {
    assert(document != NULL);
    const char *slash = file == NULL ? NULL : strrchr(file, '/');
    document->folder = NULL;
    document->rates = NULL; /* those of another folder */
    if (slash == NULL)
        return true;
    document->folder = arena_copy_string(&document->arena, file, (size_t)(slash - file) + 1);
    return document->folder != NULL;
}

struct storm_document *storm_document_read(const char *file, struct storm_errors *errors) {
    size_t length;
    char *text = storm_text_read(file, &length, errors);
    if (text == NULL)
        return NULL;
    struct storm_document *document = storm_document_parse(text, length, errors);
    free(text);
    if (document != NULL && !storm_document_locate(document, file)) {
        struct blames blames = {.total = 0};
        blame_memory(&blames);
        blame_merge(&blames, errors);
        storm_document_free(document);
        return NULL;
    }
    return document;
}

void storm_document_free(struct storm_document *document) {
    if (document == NULL)
        return;
    arena_free(&document->arena);
    free(document);
}

const char *storm_document_text(const struct storm_document *document, size_t *length) {
    assert(document != NULL && length != NULL);
    *length = document->length;
    return document->text;
}

/* ---- variants -------------------------------------------------------------------------------- */

static const struct node *document_variants(const struct storm_document *document) {
    const struct item *item = tree_find(document->root, "variants");
    return item != NULL && item->value->kind == NODE_MAP ? item->value : NULL;
}

bool storm_document_has(const struct storm_document *document, const char *key) {
    assert(document != NULL && key != NULL);
    return tree_find(document->root, key) != NULL;
}

size_t storm_document_variant_count(const struct storm_document *document) {
    assert(document != NULL);
    const struct node *variants = document_variants(document);
    return variants == NULL ? 0 : variants->count;
}

const char *storm_document_variant_name(const struct storm_document *document, size_t index) {
    assert(document != NULL);
    const struct node *variants = document_variants(document);
    return variants == NULL || index >= variants->count ? NULL : variants->items[index].key;
}

/* ---- decoding -------------------------------------------------------------------------------- */

/* The variant of that name; NULL after an error. */
static const struct item *variant_find(const struct storm_document *document, const char *name,
                                       struct blames *blames) {
    const struct node *variants = document_variants(document);
    const struct item *item = tree_find(variants, name);
    char hint[STORM_MESSAGE_MAX], quoted[QUOTE_MAX];
    if (item != NULL)
        return item;
    struct suggest suggest = suggest_begin(name);
    for (uint32_t i = 0; variants != NULL && i < variants->count; i++)
        suggest_offer(&suggest, variants->items[i].key);
    blame(blames, NULL, (struct place){.width = 1},
          suggest.count == 0 ? "the scenario has no variants"
                             : suggest_hint(&suggest, hint, sizeof hint),
          "there is no variant '%s'", blame_quote(name, quoted, sizeof quoted));
    return NULL;
}

/* The tree with one override of the command line; as it was when the override is wrong. */
static const struct node *set_apply(struct storm_document *document, const struct node *root,
                                    const struct storm_override *set, struct blames *blames) {
    assert(set->path != NULL && set->value != NULL);
    size_t size = strlen(set->path) + strlen(set->value) + sizeof "--set =";
    char *origin = arena_take(&document->arena, size);
    char *text = arena_copy_string(&document->arena, set->value, strlen(set->value));
    if (origin == NULL || text == NULL) {
        blame_memory(blames);
        return root;
    }
    snprintf(origin, size, "--set %s=%s", set->path, set->value);
    struct place place = {.width = 1, .origin = origin};
    const struct node *value = tree_parse(&document->arena, text, strlen(text), origin, blames);
    if (value == NULL)
        return root;
    const struct node *changed =
        override_set(&document->arena, blames, root, set->path, place, value);
    return changed != NULL ? changed : root;
}

const struct storm_scenario *storm_document_decode(struct storm_document *document,
                                                   const char *variant,
                                                   const struct storm_override *sets,
                                                   size_t set_count, struct storm_errors *errors) {
    assert(document != NULL && errors != NULL);
    assert(sets != NULL || set_count == 0);
    struct blames blames = {.total = 0};
    const struct node *root = document->root;
    if (variant != NULL) {
        const struct item *item = variant_find(document, variant, &blames);
        if (item != NULL)
            root = override_variant(&document->arena, &blames, root, item);
    }
    for (size_t i = 0; i < set_count; i++)
        root = set_apply(document, root, &sets[i], &blames);
    const struct storm_scenario *scenario = document_decode(document, root, false, &blames);
    blame_merge(&blames, errors);
    return blames.total == 0 ? scenario : NULL;
}
