/* classify.h: which failures are worth another try. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_CLASSIFY_H
#define POLICY_CLASSIFY_H

#include <stdbool.h>
#include <stdint.h>

/* True for an answer that ends a call well: 2xx and 3xx. */
bool classify_success(uint16_t status);

/* True for a failure that the default classification retries: refused, reset, timeout, 408, 429,
   500, 502, 503, 504. */
bool classify_retryable(uint16_t status);

/* The status a service passes to its own caller when its call failed with `status`: 502 for refused
   and reset, 504 for a timeout, any HTTP status unchanged. */
uint16_t classify_passed_on(uint16_t status);

#endif
