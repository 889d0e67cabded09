/* inline_policy.h: a policy that is written on the command line. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_INLINE_POLICY_H
#define CLI_INLINE_POLICY_H

#include <retrystorm/load.h>
#include <retrystorm/policy.h>

#include "cli/options.h"

/* A policy by the name of a headline (full-jitter) or preset (envoy-default), or as the map that a
   scenario would have ({delay: full-jitter, attempts: 7}). */
struct inline_policy {
    const struct storm_policy *policy;
    struct storm_document *document; /* owns it; NULL: a headline's or preset's own */
};

/* Reads one, by the same tables as a scenario's. Anything but CLI_YES after printing what is wrong
   with it, as an error of `where`. The caller frees. */
enum cli_exit inline_policy_read(const char *where, const char *text,
                                 struct inline_policy *inline_policy);
void inline_policy_free(struct inline_policy *inline_policy);

#endif
