/* suggest.c: which known word somebody meant, by the edits between them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

enum { WORD_MAX = 64 };

/* Letters that look alike to a person in a hurry are the same. */
static char fold(char c) {
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '_' ? '-' : c;
}

static int smaller(int a, int b) { return a < b ? a : b; }

int suggest_distance(const char *a, const char *b) {
    assert(a != NULL && b != NULL);
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);
    if (a_length > WORD_MAX || b_length > WORD_MAX)
        return INT_MAX;
    int rows[3]
            [WORD_MAX + 1]; /* of the table of distances: the last two and the new one, in turn */
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3];
        const int *two_above = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            int change = fold(a[i - 1]) == fold(b[j - 1]) ? 0 : 1;
            row[j] = smaller(above[j - 1] + change, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]))
                row[j] = smaller(row[j], two_above[j - 2] + 1);
        }
    }
    int distance = rows[a_length % 3][b_length];
    assert(distance >= 0 && distance <= 2 * WORD_MAX);
    return distance;
}

struct suggest suggest_begin(const char *typed) {
    assert(typed != NULL);
    return (struct suggest){.typed = typed, .distance = INT_MAX};
}

void suggest_offer(struct suggest *suggest, const char *word) {
    assert(suggest != NULL && word != NULL);
    size_t length = strlen(suggest->typed);
    if (suggest->count++ < SUGGEST_LIST_MAX)
        suggest->words[suggest->count - 1] = word;
    if (length > WORD_MAX)
        return;
    int allowed = length < 6 ? 1 : (int)length / 3;
    int distance = suggest_distance(suggest->typed, word);
    if (distance <= allowed && distance < suggest->distance) {
        suggest->best = word;
        suggest->distance = distance;
    }
}

/* "one of: a, b, c": as many words as fit. */
static const char *list_write(const struct suggest *suggest, char *buffer, size_t size) {
    assert(size > 0);
    buffer[0] = '\0';
    size_t used = 0;
    for (size_t i = 0; i < suggest->count; i++) {
        bool fits = i < SUGGEST_LIST_MAX && used + strlen(suggest->words[i]) + 16 < size;
        int length = snprintf(buffer + used, size - used, "%s%s", i == 0 ? "one of: " : ", ",
                              fits ? suggest->words[i] : "...");
        assert(length > 0);
        used += (size_t)length;
        if (!fits || used >= size)
            break;
    }
    return buffer;
}

const char *suggest_hint(const struct suggest *suggest, char *buffer, size_t size) {
    assert(suggest != NULL && buffer != NULL);
    if (suggest->best == NULL)
        return list_write(suggest, buffer, size);
    snprintf(buffer, size, "did you mean '%s'?", suggest->best);
    return buffer;
}
