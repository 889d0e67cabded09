/* presets_text.h: what products do, as a table and one by one. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_PRESETS_TEXT_H
#define REPORT_PRESETS_TEXT_H

#include <stdbool.h>
#include <stdio.h>

struct policy_preset;

/* Writes one line for every preset: name, family, attempts in all, the formula of its delay. False
   when a byte could not be written, or memory ran out. */
bool presets_write_list(FILE *out);

/* Writes everything there is to say about one, and its first ten delays. False as above. */
bool presets_write_one(const struct policy_preset *preset, FILE *out);

#endif
