/* tune_yaml.c: the best settings that a search has found, as a scenario has them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "report/tune_text.h"

enum { INDENT = 2 };

/* A setting; all are sorted by their paths, so that those of one map stand together. */
struct setting {
    const char *path, *label;
};

static int compare_settings(const void *left, const void *right) {
    const struct setting *a = left, *b = right;
    return strcmp(a->path, b->path);
}

/* Whether a part of the path is a place in a list, into which no map can be pasted. */
static bool is_in_list(const char *path) {
    for (const char *part = path; *part != '\0';) {
        size_t length = strcspn(part, ".");
        if (length > 0 && strspn(part, "0123456789") >= length) {
            return true;
        }
        part += length + (part[length] == '.');
    }
    return false;
}

/* The bytes of whole parts, dots included, that a path shares with the one before. */
static size_t shared_length(const char *path, const char *before) {
    size_t shared = 0;
    for (size_t i = 0; path[i] != '\0' && path[i] == before[i]; i++) {
        shared = path[i] == '.' ? i + 1 : shared;
    }
    return shared;
}

static void write_maps(const struct setting *settings, uint32_t count, FILE *out) {
    const char *before = "";
    for (uint32_t i = 0; i < count; i++) {
        const char *path = settings[i].path;
        int depth = 0;
        for (size_t at = 0, shared = shared_length(path, before); path[at] != '\0'; depth++) {
            int length = (int)strcspn(path + at, ".");
            bool is_last = path[at + (size_t)length] == '\0';
            if (at >= shared) {
                fprintf(out, "%*s%.*s:%s%s\n", INDENT * depth, "", length, path + at,
                        is_last ? " " : "", is_last ? settings[i].label : "");
            }
            at += (size_t)length + !is_last;
        }
        before = path;
    }
}

/* The settings without the path "variant", whose value goes into `variant`. */
static uint32_t sort_settings(const struct storm_tune *tune, struct setting *settings,
                              const char **variant) {
    const struct storm_tune_point *best = &tune->points[tune->best];
    uint32_t count = 0;
    *variant = NULL;
    for (uint32_t a = 0; a < tune->axis_count; a++) {
        if (strcmp(tune->paths[a], "variant") == 0) {
            *variant = best->labels[a];
        } else {
            settings[count++] = (struct setting){tune->paths[a], best->labels[a]};
        }
    }
    qsort(settings, count, sizeof *settings, compare_settings);
    return count;
}

bool tune_write_yaml(const struct storm_tune *tune, FILE *out) {
    struct arena arena;
    const char *variant;
    bool can_be_pasted = true;
    arena_init(&arena, 1 << 20);
    struct setting *settings = arena_take_array(&arena, tune->axis_count + 1, sizeof *settings);
    if (settings == NULL || tune->point_count == 0) {
        arena_free(&arena);
        return settings != NULL;
    }
    uint32_t count = sort_settings(tune, settings, &variant);
    for (uint32_t i = 0; i < count; i++) {
        can_be_pasted = can_be_pasted && !is_in_list(settings[i].path);
    }
    if (variant != NULL) {
        fprintf(out, "# on top of the settings of the variant '%s'\n", variant);
    }
    if (can_be_pasted) {
        write_maps(settings, count, out);
    }
    fprintf(out, "variants:\n  tuned:%s\n", count == 0 ? " {}" : "");
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out, "    %s: %s\n", settings[i].path, settings[i].label);
    }
    arena_free(&arena);
    return ferror(out) == 0;
}
