/* check_words.h: the rows of a check in words that all its reports share. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_CHECK_WORDS_H
#define REPORT_CHECK_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/check.h>

enum { CHECK_WORD_MAX = 64, CHECK_SENTENCE_MAX = 1024, CHECK_COMMAND_MAX = 1024 };

/* What a row says, each piece apart; "" where there is nothing to say. */
struct check_words {
    char metric[3 * CHECK_WORD_MAX]; /* "latency_p99 p95" */
    char baseline[CHECK_WORD_MAX], now[CHECK_WORD_MAX];
    char change[CHECK_WORD_MAX];      /* "+473 %", "−58 points" */
    char range[2 * CHECK_WORD_MAX];   /* its interval: "+450 to +490 %" */
    char allowed[3 * CHECK_WORD_MAX]; /* "±1 %"; "at least 99 %" */
    char place[CHECK_WORD_MAX];       /* "line 41" */
};

struct check_words check_words_of(const struct storm_check_row *row);

/* "full-jitter: dead_letters", and all that is to say about it. Both return `buffer`, of
   CHECK_SENTENCE_MAX bytes. */
const char *check_title(const struct storm_check_row *row, char *buffer);
const char *check_sentence(const struct storm_check_scenario *scenario,
                           const struct storm_check_row *row, char *buffer);

/* How many of the rows are news: they stand before what is the same or kept. */
uint32_t check_news(const struct storm_check_row *rows, uint32_t count);

/* Whether a scenario lacks a baseline that was asked for and is not written now. */
bool check_lacks_baseline(const struct storm_check *check,
                          const struct storm_check_scenario *scenario);

/* The command that shows where a scenario leaves its baseline, for a shell. Returns `buffer`, of
   CHECK_COMMAND_MAX bytes. */
const char *check_trace(const struct storm_check_scenario *scenario, char *buffer);

/* "passed", "failed", "no baseline", "inconclusive" or "interrupted". */
const char *check_answer_word(enum storm_check_answer answer);

/* The answer in one sentence without a full stop. Returns `buffer`, of CHECK_SENTENCE_MAX bytes. */
const char *check_answer(const struct storm_check *check, char *buffer);

/* What to do next; NULL: nothing. `buffer` has CHECK_SENTENCE_MAX bytes. */
const char *check_advice(const struct storm_check *check, char *buffer);

#endif
