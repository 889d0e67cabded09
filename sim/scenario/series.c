/* series.c: tables of rates: read once for a document, checked, and told apart by a hash. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>

#include "base/stream.h"
#include "scenario/document.h"
#include "scenario/fields.h"
#include "scenario/series.h"
#include "scenario/text.h"
#include "scenario/value.h"

enum { NAME_MAX_BYTES = 255, HASH_DIGITS = 16 };

/* ---- tables ---------------------------------------------------------------------------------- */

/* The table of that node or file; NULL when it was not read yet. */
static const struct rate_table *table_find(const struct reader *reader, const struct node *node,
                                           const char *file) {
    assert((node == NULL) != (file == NULL));
    for (const struct rate_table *table = reader->document->rates; table != NULL;
         table = table->next) {
        bool is_same = node != NULL ? table->node == node
                                    : table->file != NULL && strcmp(table->file, file) == 0;
        if (is_same)
            return table;
    }
    return NULL;
}

/* Remembers a table. */
static bool table_add(struct reader *reader, struct rate_table table) {
    struct rate_table *kept = reader_take(reader, 1, sizeof *kept);
    if (kept == NULL)
        return false;
    assert((table.count > 0) == (table.wrong == NULL));
    table.next = reader->document->rates;
    *kept = table;
    reader->document->rates = kept;
    return true;
}

uint64_t series_hash(const struct storm_rate_point *points, uint32_t count) {
    uint64_t hash = count;
    assert(points != NULL || count == 0);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &points[i].rate, sizeof bits);
        hash = stream_mix64(hash + (uint64_t)points[i].at);
        hash = stream_mix64(hash + bits);
    }
    return hash;
}

/* ---- points in the scenario ------------------------------------------------------------------ */

static const char points_example[] = "write rate: [[0s, 100/s], [60s, 900/s]]";

const struct field rate_point_fields[2] = {
    {"0", FIELD_DURATION, offsetof(struct storm_rate_point, at), NULL, 0, LONGEST, NULL,
     "a time of the run"},
    {"1", FIELD_RATE, offsetof(struct storm_rate_point, rate), NULL, 0, RATE_MOST, NULL,
     "the rate at it"},
};

/* Reads one pair. False after an error in it. */
static bool point_read(struct reader *reader, const struct trail *trail, const struct node *pair,
                       const struct storm_rate_point *last, struct storm_rate_point *point) {
    if (pair->kind == NODE_LIST && pair->count > 0 && pair->count != 2) {
        blame(reader->errors, trail, pair->place, points_example,
              "has %u items; it must be a time and a rate", (unsigned)pair->count);
        return false;
    }
    if (pair->kind != NODE_LIST || pair->count == 0) {
        reader_refuse(reader, trail, pair, "a time and a rate", points_example);
        return false;
    }
    struct trail first = trail_index(trail, 0, &pair->items[0]);
    struct trail second = trail_index(trail, 1, &pair->items[1]);
    bool is_good = value_read(reader, &first, pair->items[0].value, &rate_point_fields[0], point);
    is_good =
        value_read(reader, &second, pair->items[1].value, &rate_point_fields[1], point) && is_good;
    if (is_good && last != NULL && point->at <= last->at) {
        blame(reader->errors, &first, pair->items[0].value->place,
              "write the times in rising order", "must be later than the point before it");
        is_good = false;
    }
    return is_good;
}

/* Reads all pairs of a list whose length is right. */
static struct storm_rate_point *points_read(struct reader *reader, const struct trail *trail,
                                            const struct node *node) {
    struct storm_rate_point *points = reader_take(reader, node->count, sizeof *points);
    const struct storm_rate_point *last = NULL;
    bool is_good = points != NULL;
    for (uint32_t i = 0; i < node->count && points != NULL; i++) {
        if (blame_is_full(reader->errors)) /* nobody reads so many of them */
            return NULL;
        struct trail here = trail_index(trail, i, &node->items[i]);
        bool is_read = point_read(reader, &here, node->items[i].value, last, &points[i]);
        last = is_read ? &points[i] : last;
        is_good = is_good && is_read;
    }
    if (is_good && series_is_silent(points, node->count)) {
        blame(reader->errors, trail, node->place, "give at least one point a rate above 0/s",
              "all rates are 0");
        is_good = false;
    }
    return is_good ? points : NULL;
}

uint32_t rate_points_read(struct reader *reader, const struct trail *trail, const struct node *node,
                          const struct storm_rate_point **points) {
    assert(node != NULL && points != NULL);
    if (node->kind != NODE_LIST || node->count == 0) {
        reader_refuse(reader, trail, node, "a list of times and rates", points_example);
        return 0;
    }
    if (node->count > STORM_RATE_POINTS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d points",
              STORM_RATE_POINTS_MAX);
        return 0;
    }
    const struct rate_table *known = table_find(reader, node, NULL);
    struct rate_table table = {.node = node, .count = node->count};
    if (known != NULL)
        table = *known;
    else
        table.points = points_read(reader, trail, node);
    if (table.points == NULL || (known == NULL && !table_add(reader, table)))
        return 0;
    *points = table.points;
    return table.count;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Whether a name stays in the folder of the scenario, and shows as it is. */
static const char *name_check(const char *name) {
    char quoted[NAME_MAX_BYTES + 16];
    if (name[0] == '\0' || strlen(name) > NAME_MAX_BYTES)
        return "is no name of a file";
    if (strcmp(blame_quote(name, quoted, sizeof quoted), name) != 0)
        return "is no name of a file";
    if (name[0] == '/')
        return "is not in the scenario's folder";
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/' ? 1 : 0;
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return "is not in the scenario's folder";
    }
    return NULL;
}

/* Splits "load.csv#0123456789abcdef"; *hash stays as it is when there is none. NULL without
   memory. */
static const char *hash_split(struct reader *reader, const char *text, bool *has_hash,
                              uint64_t *hash) {
    const char *mark = strrchr(text, '#');
    *has_hash = mark != NULL && strlen(mark + 1) == HASH_DIGITS &&
                strspn(mark + 1, "0123456789abcdef") == HASH_DIGITS;
    if (*has_hash)
        *hash = strtoull(mark + 1, NULL, 16);
    size_t length = *has_hash ? (size_t)(mark - text) : strlen(text);
    const char *name = arena_copy_string(reader->arena, text, length);
    if (name == NULL)
        blame_memory(reader->errors);
    return name;
}

/* Reads a file beside the scenario. Returns NULL, or what is wrong. The caller frees. */
static const char *file_read(struct reader *reader, const char *name, char **text, size_t *length) {
    const char *folder = reader->document->folder;
    size_t size = (folder == NULL ? 0 : strlen(folder)) + strlen(name) + 1;
    char *path = arena_take(reader->arena, size);
    if (path == NULL)
        return "out of memory";
    snprintf(path, size, "%s%s", folder == NULL ? "" : folder, name);
    const char *wrong = text_read_regular(path, text, length);
    return wrong == NULL && *length > STORM_FILE_MAX ? "it is larger than 16 MiB" : wrong;
}

/* Reads a file that was not read before, and remembers what came of it. NULL without memory. */
static const struct rate_table *file_load(struct reader *reader, const char *name) {
    char wrong[STORM_MESSAGE_MAX / 2], quoted[QUOTE_MAX], message[STORM_MESSAGE_MAX];
    struct rate_table table = {.file = name};
    char *text = NULL;
    size_t length;
    const char *reason = file_read(reader, name, &text, &length);
    blame_quote(name, quoted, sizeof quoted);
    if (reason != NULL) {
        snprintf(message, sizeof message, "'%s' cannot be read: %s", quoted, reason);
        table.hint = "the file is looked for beside the scenario";
    } else {
        table.count = series_parse(reader->arena, text, length, &table.points, wrong, sizeof wrong);
        snprintf(message, sizeof message, "%s:%s", quoted, wrong);
        table.hint = "its lines are time,value: seconds and a rate per second, e.g. 60,900";
    }
    free(text);
    if (table.count == 0) {
        table.wrong = arena_copy_string(reader->arena, message, strlen(message));
        if (table.wrong == NULL)
            blame_memory(reader->errors);
    }
    bool is_kept = (table.count > 0 || table.wrong != NULL) && table_add(reader, table);
    return is_kept ? reader->document->rates : NULL;
}

/* Splits the hash off a name and judges the rest. False after an error. */
static bool name_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      const char **name, bool *has_hash, uint64_t *hash) {
    static const struct field text = {"series", FIELD_TEXT, 0, NULL, 0, 0, NULL, NULL};
    char quoted[QUOTE_MAX];
    if (node->kind != NODE_SCALAR || tree_is_empty(node)) {
        reader_refuse(reader, trail, node, "the name of a file", "write series: load.csv");
        return false;
    }
    if (!value_read(reader, trail, node, &text, name))
        return false;
    *name = hash_split(reader, *name, has_hash, hash);
    const char *wrong = *name == NULL ? NULL : name_check(*name);
    if (wrong != NULL)
        blame(reader->errors, trail, node->place, "name a file beside the scenario, e.g. load.csv",
              "'%s' %s", blame_quote(*name, quoted, sizeof quoted), wrong);
    return *name != NULL && wrong == NULL;
}

uint32_t series_read(struct reader *reader, const struct trail *trail, const struct node *node,
                     const char **file, const struct storm_rate_point **points) {
    char quoted[QUOTE_MAX], hint[STORM_MESSAGE_MAX];
    uint64_t wanted = 0;
    bool has_hash;
    assert(node != NULL && file != NULL);
    if (!name_read(reader, trail, node, file, &has_hash, &wanted) || reader->is_blind)
        return 0;
    const struct rate_table *table = table_find(reader, NULL, *file);
    if (table == NULL)
        table = file_load(reader, *file);
    if (table == NULL)
        return 0;
    if (table->wrong != NULL) {
        blame(reader->errors, trail, node->place, table->hint, "%s", table->wrong);
        return 0;
    }
    uint64_t hash = series_hash(table->points, table->count);
    if (has_hash && hash != wanted) {
        blame_quote(*file, quoted, sizeof quoted);
        snprintf(hint, sizeof hint, "write %s, or %s#%016" PRIx64, quoted, quoted, hash);
        blame(reader->errors, trail, node->place, hint, "the data of '%s' has changed", quoted);
        return 0;
    }
    *points = table->points;
    return table->count;
}
