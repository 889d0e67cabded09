/* registry.h: the named policies (rows of policies.def) and the table of a policy's settings. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_REGISTRY_H
#define POLICY_REGISTRY_H

#include <stddef.h>

#include <retrystorm/policy.h>

#include "base/field.h"

/* A headline policy: what `delay: NAME` in a scenario starts from. Single settings then override
   it. */
struct policy_headline {
    const char *name;
    const char *summary;
    struct storm_policy policy;
};

/* The number of headline policies, and one of them by index. */
size_t policy_headline_count(void);
const struct policy_headline *policy_headline_at(size_t index);

/* The headline policy of that name; NULL when there is none. */
const struct policy_headline *policy_headline_find(const char *name);

/* The settings of struct storm_policy besides `delay: NAME`; offsets into struct storm_policy. A
   fallback of "" means "as the headline has it". */
extern const struct field policy_fields[];

/* Checks what single fields cannot (cap below base, jitter window reversed, ...). NULL when all is
   well, else a sentence about what is wrong; `*key` is then the setting to blame. */
const char *policy_check(const struct storm_policy *policy, const char **key);

#endif
