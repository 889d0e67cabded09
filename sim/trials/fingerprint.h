/* fingerprint.h: effective settings told apart by a number. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRIALS_FINGERPRINT_H
#define TRIALS_FINGERPRINT_H

#include <stdint.h>

#include <retrystorm/results.h>

/* What a text adds to the number of what stands before it; it begins with 0. */
uint64_t fingerprint_text(uint64_t before, const char *text);

/* What settings add to the number of those before them, in the same way. */
uint64_t fingerprint_settings(uint64_t before, const struct storm_setting *settings,
                              uint32_t count);

/* As results carry it: 16 hex digits. */
void fingerprint_print(uint64_t number, char hash[17]);

#endif
