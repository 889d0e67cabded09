/* suggest.h: which known word somebody meant. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_LIST_MAX = 32 };

/* A search for the word nearest to `typed`: begin, offer every known word, then ask for `best`,
   which is NULL when none is near, or for a hint. Of words equally near the first offered wins. */
struct suggest {
    const char *typed;
    const char *best;
    int distance; /* of the best */
    size_t count; /* words offered; the first SUGGEST_LIST_MAX are kept for the hint */
    const char *words[SUGGEST_LIST_MAX];
};

struct suggest suggest_begin(const char *typed);
void suggest_offer(struct suggest *suggest, const char *word);

/* Writes "did you mean 'best'?", or "one of: a, b, c" when none is near ("" when none was offered).
   Returns `buffer`. */
const char *suggest_hint(const struct suggest *suggest, char *buffer, size_t size);

/* The number of edits between two words: insert, delete, change, or swap two neighbours, no place
   edited twice (optimal string alignment). Case and '-' against '_' cost nothing. Words beyond 64
   bytes are infinitely far. */
int suggest_distance(const char *a, const char *b);

#endif
