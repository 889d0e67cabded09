/* classify.c: which failures are worth another try, and what a service tells its own caller. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/classify.h"

#include <assert.h>
#include <stddef.h>

#include <retrystorm/policy.h>

/* The class of a status that no row of a policy speaks about. */
static enum storm_class usual(uint16_t status) {
    static const uint16_t retried[] = {STORM_OUTCOME_REFUSED,
                                       STORM_OUTCOME_RESET,
                                       STORM_OUTCOME_TIMEOUT,
                                       STORM_OUTCOME_REJECTED,
                                       408,
                                       429,
                                       500,
                                       502,
                                       503,
                                       504};
    if (status >= 200 && status < 400) {
        return STORM_CLASS_SUCCESS;
    }
    for (size_t i = 0; i < sizeof retried / sizeof retried[0]; i++) {
        if (retried[i] == status) {
            return STORM_CLASS_RETRY;
        }
    }
    return STORM_CLASS_GIVE_UP;
}

enum storm_class classify_status(const struct storm_policy *policy, uint16_t status) {
    assert(status > 0);
    assert(policy->class_count <= STORM_CLASSES_MAX);
    for (uint32_t i = 0; i < policy->class_count; i++) {
        if (policy->classes[i].status == status) {
            assert(policy->classes[i].class <= STORM_CLASS_RETRY_HINTED);
            return (enum storm_class)policy->classes[i].class;
        }
    }
    return usual(status);
}

/* A 2xx can be a failure too, where a policy says so; it is passed on like any HTTP status. */
uint16_t classify_passed_on(uint16_t status) {
    assert(status > 0);
    if (status == STORM_OUTCOME_REFUSED || status == STORM_OUTCOME_RESET) {
        return STORM_OUTCOME_BAD_GATEWAY;
    }
    if (status == STORM_OUTCOME_REJECTED) {
        return STORM_OUTCOME_UNAVAILABLE;
    }
    return status == STORM_OUTCOME_TIMEOUT ? STORM_OUTCOME_GATEWAY_TIMEOUT : status;
}
