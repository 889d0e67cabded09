/* sweep_head.c: which runs a sweep's file has, and whether two files are of one sweep. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/sweep_head.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 200 };

uint64_t sweep_head_rows(const struct sweep_head *head) {
    uint64_t all = (uint64_t)head->sweep.point_count * head->sweep.runs;
    return head->shards == 0 ? all : (all + head->shards - head->shard) / head->shards;
}

bool sweep_head_owns(const struct sweep_head *head, uint64_t number) {
    return head->shards == 0 || number % head->shards == head->shard - 1;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The first axis of which the two do not have the same values, or `axis_count`. */
static uint32_t other_values(const struct storm_sweep *a, const struct storm_sweep *b) {
    for (uint32_t p = 0; p < a->point_count; p++) {
        for (uint32_t axis = 0; axis < a->axis_count; axis++) {
            if (strcmp(a->points[p].labels[axis], b->points[p].labels[axis]) != 0) {
                return axis;
            }
        }
    }
    return a->axis_count;
}

/* "policies.app.cap and variant" */
static const char *list_paths(const struct storm_sweep *sweep, char buffer[WORDS_MAX]) {
    int used = 0;
    buffer[0] = '\0';
    for (uint32_t i = 0; i < sweep->axis_count && used < WORDS_MAX; i++) {
        used += snprintf(buffer + used, (size_t)(WORDS_MAX - used), "%s%s", i > 0 ? ", " : "",
                         sweep->axes[i].path);
    }
    return buffer;
}

static bool same_paths(const struct storm_sweep *a, const struct storm_sweep *b) {
    bool same = a->axis_count == b->axis_count;
    for (uint32_t i = 0; same && i < a->axis_count; i++) {
        same = strcmp(a->axes[i].path, b->axes[i].path) == 0;
    }
    return same;
}

static bool same_metrics(const struct sweep_head *a, const struct sweep_head *b) {
    bool same = a->metric_count == b->metric_count;
    for (uint32_t i = 0; same && i < a->metric_count; i++) {
        same = strcmp(a->metrics[i].name, b->metrics[i].name) == 0;
    }
    return same;
}

/* "the variant 'calm'" */
static const char *name_variant(const struct storm_sweep *sweep, char buffer[WORDS_MAX]) {
    if (sweep->variant == NULL) {
        return "the scenario as it stands";
    }
    snprintf(buffer, WORDS_MAX, "the variant '%.80s'", sweep->variant);
    return buffer;
}

/* "'faults.0.for=30s'" */
static const char *name_overrides(const struct storm_sweep *sweep, char buffer[WORDS_MAX]) {
    if (sweep->overrides[0] == '\0') {
        return "nothing";
    }
    snprintf(buffer, WORDS_MAX, "'%.80s'", sweep->overrides);
    return buffer;
}

/* Says how the scenarios of the two differ; "" when they do not. */
static const char *differ_in_scenario(const struct storm_sweep *a, const struct storm_sweep *b,
                                      char what[STORM_MESSAGE_MAX]) {
    char theirs[WORDS_MAX], ours[WORDS_MAX];
    const char *found = name_variant(a, theirs), *wanted = name_variant(b, ours);
    what[0] = '\0';
    if (strcmp(found, wanted) != 0) {
        snprintf(what, STORM_MESSAGE_MAX, "it is of %.100s, not of %.100s", found, wanted);
    } else if (strcmp(a->hash, b->hash) != 0 && strcmp(a->overrides, b->overrides) != 0) {
        snprintf(what, STORM_MESSAGE_MAX, "it has %.100s set, not %.100s",
                 name_overrides(a, theirs), name_overrides(b, ours));
    } else if (strcmp(a->hash, b->hash) != 0) {
        snprintf(what, STORM_MESSAGE_MAX,
                 "the scenario or its settings are others (hash %s, not %s)", a->hash, b->hash);
    }
    return what;
}

/* Says how the points of the two differ; "" when they do not. */
static const char *differ_in_points(const struct sweep_head *found, const struct sweep_head *wanted,
                                    char what[STORM_MESSAGE_MAX]) {
    const struct storm_sweep *a = &found->sweep, *b = &wanted->sweep;
    char theirs[WORDS_MAX], ours[WORDS_MAX];
    what[0] = '\0';
    if (!same_paths(a, b)) {
        snprintf(what, STORM_MESSAGE_MAX, "it varies %s, not %s", list_paths(a, theirs),
                 list_paths(b, ours));
    } else if (strcmp(found->method, wanted->method) != 0) {
        snprintf(what, STORM_MESSAGE_MAX, "its points are %s, not %s", found->method,
                 wanted->method);
    } else if (a->point_count != b->point_count) {
        snprintf(what, STORM_MESSAGE_MAX, "it has %" PRIu32 " points, not %" PRIu32, a->point_count,
                 b->point_count);
    } else if (other_values(a, b) < a->axis_count) {
        snprintf(what, STORM_MESSAGE_MAX, "it has other values of %s",
                 a->axes[other_values(a, b)].path);
    }
    return what;
}

bool sweep_head_agrees(const struct sweep_head *found, const struct sweep_head *wanted,
                       const char *file, struct storm_error *error) {
    const struct storm_sweep *a = &found->sweep, *b = &wanted->sweep;
    char what[STORM_MESSAGE_MAX] = "";
    if (a->seed != b->seed) {
        snprintf(what, sizeof what, "its seed is %" PRIu64 ", not %" PRIu64, a->seed, b->seed);
    } else if (differ_in_points(found, wanted, what)[0] != '\0') {
        assert(what[0] != '\0');
    } else if (a->runs != b->runs) {
        snprintf(what, sizeof what, "it has %" PRIu32 " run%s at each point, not %" PRIu32, a->runs,
                 a->runs == 1 ? "" : "s", b->runs);
    } else if (differ_in_scenario(a, b, what)[0] != '\0') {
        assert(what[0] != '\0');
    } else if (!same_metrics(found, wanted)) {
        snprintf(what, sizeof what, "it was made by a version with other metrics");
    }
    return what[0] == '\0' ||
           storm_fail(error, STORM_INVALID, "'%.100s' is another sweep: %s", file, what);
}
