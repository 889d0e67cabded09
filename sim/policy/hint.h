/* hint.h: what a caller makes of a server's word about when to come back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_HINT_H
#define POLICY_HINT_H

#include <stdbool.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

/* A server gave no hint. */
#define HINT_NONE (-1)

/* How long to wait, given the policy's own delay and the server's hint (HINT_NONE: it gave none).
   `u`: one uniform draw in [0, 1) for a jitter on it. */
storm_time hint_apply(const struct storm_hint_rule *rule, storm_time own, storm_time hinted,
                      double u);

/* Whether the hint is one that makes the policy give up. */
bool hint_gives_up(const struct storm_hint_rule *rule, storm_time hinted);

/* Reads a Retry-After as servers write it: seconds ("120", "1.5"), milliseconds ("1500ms"), or an
   HTTP-date (RFC 9110), which is told from `now`, nanoseconds since 1970; a date in the past is 0.
   What is too large for storm_time is STORM_NEVER, never negative and never a small number. False
   for anything else: then there is no hint. */
bool hint_parse(const char *text, int64_t now, storm_time *hint);

#endif
