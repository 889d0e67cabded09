/* words.h: numbers and durations as a chart writes them; no locale, thin spaces before units. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_WORDS_H
#define PLOTS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include <retrystorm/units.h>

/* A thin space (U+2009) and a multiplication sign between two of them. */
#define WORDS_THIN "\xE2\x80\x89"
#define WORDS_TIMES WORDS_THIN "×" WORDS_THIN

enum { WORDS_MAX = 64, WORDS_TITLE_MAX = 72 };

/* All write into `buffer` (WORDS_MAX bytes suffice) and return it. Values must be finite. */

/* With exactly `decimals` (0..6) decimals and no commas: 3.50. Ties away from zero; magnitudes
   are capped at 1e12. */
char *words_fixed(double value, int decimals, char *buffer, size_t size);

/* With one decimal, ".0" dropped and never "-0": 74, 391.9. For coordinates. */
char *words_tenth(double value, char *buffer, size_t size);

/* With commas and at most `decimals` decimals, trailing zeros dropped: 1,234.5; from ten million
   on 12.3M, 4.5G. */
char *words_number(double value, int decimals, char *buffer, size_t size);

/* To three figures, or whole from 100 on: 0.25, 5.8, 45, 1,234; from a million on 5.5M, 120M.
   Magnitudes stay below 1e12. */
char *words_figure(double value, char *buffer, size_t size);

/* A multiple: with one decimal, and whole from 100 on: 5.0, 36.9, 1,234. */
char *words_factor(double value, char *buffer, size_t size);

/* To the second from 10 s on: "250 ms", "1.5 s", "12 s", "115 s", "5 min", "1 h 30 min". */
char *words_duration(storm_time time, char *buffer, size_t size);

/* From one to another, the unit only once where it is the same: "0–78 s", "250–900 ms", "45 s to
   6 min". `buffer` must hold 2 * WORDS_MAX bytes. */
char *words_range(storm_time low, storm_time high, char *buffer, size_t size);

/* A count (not negative): as it is, or to two figures where it only holds roughly: "9,005", "about
   9,000". `buffer` must hold WORDS_MAX bytes. */
char *words_about(double count, bool is_exact, char *buffer);

/* As an adjective: "30-second", "2-minute". */
char *words_adjective(storm_time time, char *buffer, size_t size);

/* A setting's text with its unit set off and its thousands parted: "2s" becomes "2 s", "10%"
   "10 %", "1500/s" "1,500/s"; anything else is copied (cut at the size). */
char *words_setting(const char *value, char *buffer, size_t size);

/* Appends to a text; what does not fit is cut. */
void words_append(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes a title, with a capital first letter. False when it has more than WORDS_TITLE_MAX
   characters, so that the caller tries a shorter one. */
bool words_title(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
