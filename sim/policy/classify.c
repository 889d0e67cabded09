/* classify.c: which failures are worth another try, and what a service tells its own caller. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/classify.h"

#include <assert.h>
#include <stddef.h>

#include <retrystorm/policy.h>

bool classify_success(uint16_t status) { return status >= 200 && status < 400; }

bool classify_retryable(uint16_t status) {
    static const uint16_t retried[] = {STORM_OUTCOME_REFUSED,
                                       STORM_OUTCOME_RESET,
                                       STORM_OUTCOME_TIMEOUT,
                                       408,
                                       429,
                                       500,
                                       502,
                                       503,
                                       504};
    assert(!classify_success(status));
    for (size_t i = 0; i < sizeof retried / sizeof retried[0]; i++) {
        if (retried[i] == status) {
            return true;
        }
    }
    return false;
}

uint16_t classify_passed_on(uint16_t status) {
    assert(!classify_success(status));
    if (status == STORM_OUTCOME_REFUSED || status == STORM_OUTCOME_RESET) {
        return STORM_OUTCOME_BAD_GATEWAY;
    }
    return status == STORM_OUTCOME_TIMEOUT ? STORM_OUTCOME_GATEWAY_TIMEOUT : status;
}
