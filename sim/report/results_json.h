/* results_json.h: words of results that several kinds of JSON files have, written and read. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_RESULTS_JSON_H
#define REPORT_RESULTS_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>
#include <retrystorm/results.h>

#include "report/json_reader.h"
#include "report/json_writer.h"

/* Up to here every JSON reader keeps whole numbers exactly; larger ones travel as strings. */
#define EXACT_MAX (UINT64_C(1) << 53)

/* Members "seed"; sixteen hex digits; and an array on one line. */
void results_key_seed(struct json_writer *json, uint64_t seed);
void results_key_hex(struct json_writer *json, const char *key, uint64_t number);
void results_key_doubles(struct json_writer *json, const char *key, const double *values,
                         uint32_t count);

/* Member "schema", which must be `known`. */
bool results_read_schema(struct json_reader *reader, const json_t *root, const char *known);

/* Member "seed": a whole number up to 2^53, or a larger one as a string of digits. */
bool results_read_seed(struct json_reader *reader, const json_t *root, uint64_t *seed);

/* Member "better". */
bool results_read_better(struct json_reader *reader, const json_t *object,
                         enum storm_better *better);

/* The verdict of one run into a uint8_t; null, for a run that was not done, gives UINT8_MAX. */
bool results_take_verdict(struct json_reader *reader, const char *name, const json_t *value,
                          const void *context, void *item);

#endif
