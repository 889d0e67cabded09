/* explain.h: what a setting, a metric, a verdict or a policy is, in a few lines of text. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUIDE_EXPLAIN_H
#define GUIDE_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/error.h>

/* Explains a path of settings in which any names and indexes may stand
   (clients.web.calls.timeout), a key alone (timeout: where it may stand), a metric, a verdict or a
   headline policy; NULL: the top of a scenario. False after filling `error` (STORM_USAGE) when
   there is no such thing. */
bool explain_write(const char *what, FILE *out, struct storm_error *error);

#endif
