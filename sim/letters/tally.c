/* tally.c: letters counted: how many of which kind, and when they came. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "letters/tally.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

static const char *const names[TALLY_BY_COUNT] = {"queue", "reason", "status", "class", "state"};

enum { STATUS_SIZE = 12 };

const char *tally_word(enum tally_by by) {
    assert(by < TALLY_BY_COUNT);
    return names[by];
}

const char *tally_status(uint16_t status, char *buffer) {
    const char *word = storm_outcome_word(status);
    if (status >= 100) {
        snprintf(buffer, 8, "%u", (unsigned)status % 1000);
        return buffer;
    }
    return word != NULL ? word : "none";
}

/* What a letter is counted under; NULL without memory. */
static const char *name_of(const struct letter *letter, enum tally_by by, struct arena *arena) {
    switch (by) {
    case TALLY_QUEUE:
        return letter->says.queue;
    case TALLY_REASON:
        return letter->says.reason;
    case TALLY_CLASS:
        return letter->says.data ? "data" : "system";
    case TALLY_STATE:
        return letter_state_word(letter->state);
    case TALLY_STATUS:
    case TALLY_BY_COUNT:
        break;
    }
    char buffer[STATUS_SIZE];
    const char *word = tally_status(letter->says.status, buffer);
    return arena_copy_string(arena, word, strlen(word));
}

static int compare_names(const void *a, const void *b) {
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

/* The largest first, then by name. */
static int compare_groups(const void *a, const void *b) {
    const struct tally_group *left = a, *right = b;
    return left->count != right->count ? (left->count < right->count) - (left->count > right->count)
                                       : strcmp(left->name, right->name);
}

static bool group(struct tally *tally, const struct letters *letters, enum tally_by by,
                  struct arena *arena) {
    const char **sorted = arena_take_array(arena, letters->count, sizeof *sorted);
    struct tally_group *list = arena_take_array(arena, letters->count, sizeof *list);
    uint32_t count = 0;
    if (sorted == NULL || list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < letters->count; i++) {
        sorted[i] = name_of(&letters->list[i], by, arena);
        if (sorted[i] == NULL) {
            return false;
        }
    }
    qsort(sorted, letters->count, sizeof *sorted, compare_names);
    for (uint32_t i = 0; i < letters->count; i++) {
        if (i == 0 || strcmp(sorted[i - 1], sorted[i]) != 0) {
            list[count++].name = sorted[i];
        }
        list[count - 1].count++;
    }
    qsort(list, count, sizeof *list, compare_groups);
    tally->by[by].list = list;
    tally->by[by].count = count;
    return true;
}

static int compare_instants(const void *a, const void *b) {
    const int64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* How many letters came in each minute, and how many there were over time. */
static void follow(struct tally *tally, const int64_t *deaths) {
    uint32_t count = tally->count, first = 0, bin = 0;
    int64_t minute = 60 * STORM_SECOND, span = tally->newest - tally->oldest;
    for (uint32_t i = 0; i < TALLY_BINS; i++) {
        tally->bin_end[i] = tally->oldest + span / TALLY_BINS * (i + 1);
    }
    tally->bin_end[TALLY_BINS - 1] = tally->newest;
    for (uint32_t i = 0; i < count; i++) {
        while (deaths[i] - deaths[first] >= minute) {
            first++;
        }
        if (i - first + 1 > tally->busiest_minute) {
            tally->busiest_minute = i - first + 1;
            tally->busiest_at = deaths[first];
        }
        tally->last_minute += tally->newest - deaths[i] < minute;
        for (; deaths[i] > tally->bin_end[bin]; bin++) {
            tally->depth[bin] = i;
        }
    }
    for (; bin < TALLY_BINS; bin++) {
        tally->depth[bin] = count;
    }
}

bool tally_letters(struct tally *tally, const struct letters *letters, struct arena *arena) {
    *tally = (struct tally){.count = letters->count};
    int64_t *deaths = arena_take_array(arena, letters->count, sizeof *deaths);
    if (deaths == NULL) {
        return false;
    }
    for (enum tally_by by = 0; by < TALLY_BY_COUNT; by++) {
        if (!group(tally, letters, by, arena)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < letters->count; i++) {
        deaths[i] = letters->list[i].last_failed_at;
        tally->unreviewed += letters->list[i].state == LETTER_UNREVIEWED;
    }
    if (letters->count > 0) {
        qsort(deaths, letters->count, sizeof *deaths, compare_instants);
        tally->oldest = deaths[0];
        tally->newest = deaths[letters->count - 1];
        follow(tally, deaths);
    }
    return true;
}
