/* first_error.c: of the errors of many jobs, the one of the lowest index, whoever met it first. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/first_error.h"

#include <assert.h>

void first_error_begin(struct first_error *first) {
    *first = (struct first_error){.error = {.status = STORM_OK}};
    pthread_mutex_init(&first->lock, NULL);
}

void first_error_note(struct first_error *first, uint32_t index, const struct storm_error *error) {
    assert(error->status != STORM_OK);
    pthread_mutex_lock(&first->lock);
    if (first->error.status == STORM_OK || index < first->index) {
        first->error = *error;
        first->index = index;
    }
    pthread_mutex_unlock(&first->lock);
}

void first_error_end(struct first_error *first) { pthread_mutex_destroy(&first->lock); }
