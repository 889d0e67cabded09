/* first_error.h: of the errors of many jobs, the one of the lowest index, whoever met it first. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRIALS_FIRST_ERROR_H
#define TRIALS_FIRST_ERROR_H

#include <pthread.h>
#include <stdint.h>

#include <retrystorm/error.h>

struct first_error {
    pthread_mutex_t lock; /* of the two below */
    struct storm_error error;
    uint32_t index;
};

void first_error_begin(struct first_error *first);

/* Any thread may say what became of its job. */
void first_error_note(struct first_error *first, uint32_t index, const struct storm_error *error);

void first_error_end(struct first_error *first);

#endif
