/* digest.h: a whole run as one number. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_DIGEST_H
#define RECORD_DIGEST_H

#include <stdint.h>

#include <retrystorm/fact.h>

/* The digest of a run of facts and one more. It begins at 0. */
uint64_t digest_add(uint64_t digest, const struct storm_fact *fact);

#endif
