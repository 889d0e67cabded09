/* check_json.h: members that a check and a difference have in JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_CHECK_JSON_H
#define REPORT_CHECK_JSON_H

#include <stdint.h>

#include <retrystorm/check.h>

#include "report/json_writer.h"

/* "counts": how often each finding is there; "rows": all of them. */
void check_json_counts(struct json_writer *json, const uint32_t *counts);
void check_json_rows(struct json_writer *json, const struct storm_check_row *rows, uint32_t count);

#endif
