/* letter_text.h: letters for people and programs: a list, counts, and why one is there. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_LETTER_TEXT_H
#define LETTERS_LETTER_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "letters/audit.h"
#include "letters/filter.h"
#include "letters/letter.h"
#include "letters/tally.h"

/* What is written about. `now` is the instant from which ages are counted. */
struct letter_view {
    const struct letters *letters;
    const struct audit *audit;
    int64_t now;
};

/* The letters that pass, in the order of the file, at most `limit` of them (0: all), as a table, as
   one JSON document, or as comma-separated values. False when something was not written, or there
   was no memory. */
bool letter_list_text(const struct letter_view *view, const struct letter_filter *filter,
                      uint32_t limit, FILE *out);
bool letter_list_json(const struct letter_view *view, const struct letter_filter *filter,
                      uint32_t limit, FILE *out);
bool letter_list_csv(const struct letter_view *view, const struct letter_filter *filter,
                     uint32_t limit, FILE *out);

/* Counts, ages, depth over time, and the replays so far. */
bool letter_stats_text(const struct letter_view *view, const struct tally *tally, FILE *out);
bool letter_stats_json(const struct letter_view *view, const struct tally *tally, FILE *out);

/* Why one letter is there, in sentences; and all that is known of it. */
bool letter_show_text(const struct letter_view *view, const struct letter *letter, FILE *out);
bool letter_show_json(const struct letter_view *view, const struct letter *letter, FILE *out);

/* How long ago an instant was, in two units at most: "1d 2h", "3m 20s", "850ms". `buffer` has
   TEXT_DURATION_SIZE bytes. */
const char *letter_age_print(int64_t now, int64_t instant, char *buffer);

#endif
