/* lint.h: what is probably wrong with a scenario, found without simulating it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/load.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "lint/finding.h"

/* All rules, in the order of their ids. */
size_t lint_rule_count(void);
const struct lint_rule *lint_rule_at(size_t index);

/* "error", "warning", "note". */
const char *lint_severity_word(enum lint_severity severity);

/* Looks at a scenario as it was decoded from the document with that variant (NULL: none, and then
   every variant is decoded, too, for its errors). Findings live in the arena. False without
   memory. */
bool lint_find(struct storm_document *document, const char *variant,
               const struct storm_scenario *scenario, struct arena *arena,
               struct lint_findings *findings);

#endif
