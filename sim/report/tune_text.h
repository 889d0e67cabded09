/* tune_text.h: the best settings that a search has found, in words, as YAML and as JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_TUNE_TEXT_H
#define REPORT_TUNE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/tune.h>

/* The format of a tuning as JSON. Its number rises only on a change that breaks readers. */
#define TUNE_SCHEMA "retrystorm.tune/1"

/* Writes the front of the points that were tried, the chosen settings, ready to paste, what fresh
   runs say of them and of whom they are compared with, and a last line that says it all. False when
   a byte could not be written, or memory ran out. */
bool tune_write_text(const struct storm_tune *tune, FILE *out);

/* Writes the chosen settings as a scenario has them: as maps, where no list is on the way, and as a
   variant 'tuned'. False when a byte could not be written, or memory ran out. */
bool tune_write_yaml(const struct storm_tune *tune, FILE *out);

/* Writes it as JSON (TUNE_SCHEMA). False when a byte could not be written. */
bool tune_write_json(const struct storm_tune *tune, FILE *out);

#endif
