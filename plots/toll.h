/* toll.h: what the runs cost besides time: letters still dead, duplicates, bans, attempts. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_TOLL_H
#define PLOTS_TOLL_H

#include <stdbool.h>
#include <stddef.h>

#include <retrystorm/results.h>

/* What was lost in the median run of a variant, of `all` that was asked for, and the bounds of all
   runs. Where letters are replayed these are the letters at the end, those whose time was up and
   those that a broker lost; else all dead letters. */
struct toll_loss {
    double replayed; /* 0 where nothing is */
    double count, all;
    double least, most;
};

/* NaN in what is not known. */
struct toll_loss toll_loss(const struct storm_variant *variant);

/* What the variants differ in most besides how they end; `metric` is NULL when there is nothing. */
struct toll_telling {
    const struct toll_kind *kind;
    const char *metric;
};

/* Duplicates, if the variants differ in them; else, where no variant has a verdict or is harmed,
   what differs by the largest factor. To differ is honest: each run of one variant has at least
   half as much again as any run of another. */
struct toll_telling toll_telling(const struct storm_results *results);

/* "about 4,600 duplicates", "no duplicates", "64 attempts per request"; `buffer` must hold
   2 * WORDS_MAX bytes; returned. */
char *toll_words(const struct toll_telling *telling, const struct storm_variant *variant,
                 char *buffer, size_t size);

/* Whether it is something that should not happen at all, and whether it does in some run. */
bool toll_is_harm(const struct toll_telling *telling);
bool toll_happens(const struct toll_telling *telling, const struct storm_variant *variant);

/* Titles, false when there is nothing to say or no room to say it (words_title): whose replay
   brings letters back and whose does not; and what the variants differ in, if it is a count. */
bool toll_title_letters(const struct storm_results *results, bool after_outage, char *buffer,
                        size_t size);
bool toll_title(const struct storm_results *results, const char *nouns, char *buffer, size_t size);

#endif
