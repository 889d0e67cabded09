/* sweep_sum.h: what a finished sweep's file holds, as one number that a damaged file does not
   have. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STORE_SWEEP_SUM_H
#define STORE_SWEEP_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/sweep.h>

#include "store/database.h"
#include "store/sweep_head.h"

/* The number of a head, and then of what stands before with each row in its order. */
uint64_t sweep_sum_head(const struct sweep_head *head);
uint64_t sweep_sum_row(uint64_t before, const struct sweep_head *head,
                       const struct storm_sweep_run *row);

/* Writes it beside the head, in `meta`. */
void sweep_sum_write(struct database *database, uint64_t sum);

/* Whether the head, as it was read, has that number, or none: of a file that is not finished, or
   older than these numbers. False after filling the database's error. */
bool sweep_sum_check(struct database *database, const struct sweep_head *head, uint64_t sum);

#endif
