/* words.c: the words of verdicts, reasons and directions, as every report writes and reads them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "report/words.h"

static const char *const verdict_words[] = {
#define VERDICT_WORD(name, word, sentence) [STORM_VERDICT_##name] = word,
    STORM_VERDICT_MAP(VERDICT_WORD)
#undef VERDICT_WORD
};

static const char *const reason_words[] = {
#define REASON_WORD(name, word) [STORM_REASON_##name] = word,
    STORM_REASON_MAP(REASON_WORD)
#undef REASON_WORD
};

static const char *const better_words[] = {
    [STORM_BETTER_LOWER] = "lower",
    [STORM_BETTER_HIGHER] = "higher",
    [STORM_BETTER_NEITHER] = "neither",
};

enum { BETTER_COUNT = sizeof better_words / sizeof better_words[0] };

static_assert(sizeof verdict_words / sizeof verdict_words[0] == STORM_VERDICT_COUNT,
              "one word each");
static_assert(sizeof reason_words / sizeof reason_words[0] == STORM_REASON_COUNT, "one word each");

/* The index of a word in a list of words; false when it is not there. */
static bool word_find(const char *word, const char *const *words, uint32_t count, uint32_t *index) {
    assert(word != NULL && index != NULL);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

const char *word_verdict(uint32_t verdict) {
    return verdict < STORM_VERDICT_COUNT ? verdict_words[verdict] : "unknown";
}

bool word_verdict_find(const char *word, uint32_t *verdict) {
    return word_find(word, verdict_words, STORM_VERDICT_COUNT, verdict);
}

const char *word_reason(uint32_t reason) {
    return reason < STORM_REASON_COUNT ? reason_words[reason] : "unknown";
}

const char *word_better(enum storm_better better) {
    assert((uint32_t)better < BETTER_COUNT);
    return better_words[better];
}

bool word_better_find(const char *word, enum storm_better *better) {
    uint32_t index;
    if (!word_find(word, better_words, BETTER_COUNT, &index))
        return false;
    *better = (enum storm_better)index;
    return true;
}
