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

/* A preset: what a product does, as `preset: NAME` in a scenario starts from it. */
struct policy_preset {
    const char *name;
    const char *family;   /* "AWS", "gRPC", ... */
    const char *attempts; /* what its own setting counts, in words: "total calls", "retries" */
    const char *retries;  /* what it tries again, in the product's words */
    const char *notes;    /* what our settings do not say; "" for nothing */
    const char *source;   /* public: repository and commit, or package and version */
    struct storm_policy policy;
};

size_t policy_preset_count(void);
const struct policy_preset *policy_preset_at(size_t index);
const struct policy_preset *policy_preset_find(const char *name);

/* The settings of a policy's budget, throttle, breaker and hedge; offsets into struct
   storm_policy, fallback "" (as the headline or preset has it). `kind` stands first. */
extern const struct field budget_fields[], throttle_fields[], breaker_fields[], hedge_fields[];

/* What a headline or preset has in place of a brake that it does not have: of no kind, and with the
   settings that one takes over which writes a kind of its own. */
#define POLICY_NO_BUDGET                                                                           \
    {                                                                                              \
        .cost = 1, .cost_timeout = -1, .cost_throttled = -1, .refill = 1,                          \
        .ttl = 10 * STORM_SECOND, .reserve = 10, .most = 3, .count_backing_off = true              \
    }
#define POLICY_NO_THROTTLE                                                                         \
    {                                                                                              \
        .k = 2, .padding = 1, .most = 1, .window = 120 * STORM_SECOND, .beta = 0.7, .scale = 0.4,  \
        .smoothing = 0.8, .least = 0.5                                                             \
    }
#define POLICY_NO_BREAKER                                                                          \
    {                                                                                              \
        .consecutive = 5, .calls = 100, .minimum = 100, .share = 0.5, .window = 30 * STORM_SECOND, \
        .open_for = 5 * STORM_SECOND, .open_factor = 1, .open_longest = STORM_NEVER, .probes = 1   \
    }
#define POLICY_NO_HEDGE                                                                            \
    { .after = STORM_NEVER, .attempts = 1 }

/* The settings of struct storm_policy besides `delay: NAME`; offsets into struct storm_policy. A
   fallback of "" means "as the headline has it". */
extern const struct field policy_fields[];

/* Checks what single fields cannot (cap below base, jitter window reversed, ...). NULL when all is
   well, else a sentence about what is wrong; `*key` is then the setting to blame. */
const char *policy_check(const struct storm_policy *policy, const char **key);

/* The part of policy_check that concerns budget, throttle, breaker and hedge; *key is then one of
   these. */
const char *brake_check(const struct storm_policy *policy, const char **key);

#endif
