/* classify.h: which failures are worth another try. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_CLASSIFY_H
#define POLICY_CLASSIFY_H

#include <stdint.h>

#include <retrystorm/policy.h>

/* What `policy` does about an answer of `status`: as its own rows say, else as usual. Usually 2xx
   and 3xx are successes; refused, reset, timeout, rejected, 408, 429, 500, 502, 503 and 504 are
   worth a retry; everything else is given up at once. */
enum storm_class classify_status(const struct storm_policy *policy, uint16_t status);

/* The status a service passes to its own caller when its call failed with `status`: 502 for refused
   and reset, 504 for a timeout, 503 for rejected, any HTTP status unchanged. */
uint16_t classify_passed_on(uint16_t status);

#endif
