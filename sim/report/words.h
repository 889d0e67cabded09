/* words.h: the words of verdicts, reasons and directions, as every report writes and reads them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>
#include <retrystorm/results.h>

/* "recovered"; "unknown" for a number that is no verdict, e.g. of a run that was not done. */
const char *word_verdict(uint32_t verdict);

/* The verdict of a word. False when it is none. */
bool word_verdict_find(const char *word, uint32_t *verdict);

/* "attempts_exhausted"; "unknown" for a number that is no reason. */
const char *word_reason(uint32_t reason);

/* "lower", "higher", "neither". */
const char *word_better(enum storm_better better);

/* The direction of a word. False when it is none. */
bool word_better_find(const char *word, enum storm_better *better);

#endif
