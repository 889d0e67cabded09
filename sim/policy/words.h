/* words.h: what a policy does, as a formula and in words, made from its settings. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_WORDS_H
#define POLICY_WORDS_H

#include <retrystorm/policy.h>

enum { WORDS_SIZE = 1024 };

/* Each writes into a buffer of WORDS_SIZE bytes, without a full stop, and returns it. Budget,
   throttle, breaker, hedge and classes are "" where the policy has none of its own. */

/* "uniform(0, min(20s, 1s x 2^(n-1)))"; n is the number of the retry, from 1. */
const char *words_delay(const struct storm_delay *delay, char *buffer);

/* "4 in all", "unlimited". */
const char *words_attempts(const struct storm_policy *policy, char *buffer);

/* What total_time and its rule do. */
const char *words_time(const struct storm_policy *policy, char *buffer);

/* What becomes of a server's hint. */
const char *words_hint(const struct storm_hint_rule *rule, char *buffer);

/* The statuses that are not treated as usual. */
const char *words_classes(const struct storm_policy *policy, char *buffer);

const char *words_budget(const struct storm_budget *budget, char *buffer);
const char *words_throttle(const struct storm_throttle *throttle, char *buffer);
const char *words_breaker(const struct storm_breaker *breaker, char *buffer);
const char *words_hedge(const struct storm_hedge *hedge, char *buffer);

#endif
