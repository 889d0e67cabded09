/* lint.h: what is probably wrong with a scenario, found without simulating it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/load.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"

enum lint_severity {
    LINT_ERROR,   /* the scenario cannot tell what it was written for */
    LINT_WARNING, /* a known way into a retry storm */
    LINT_NOTE     /* worth knowing */
};

/* A row of lint.def. */
struct lint_rule {
    const char *id;              /* R001; never changes its meaning */
    enum lint_severity severity; /* usually; single findings may be milder or worse */
    const char *title, *why, *fix;
};

/* One finding. line and column are 1-based; 0: no place in the file. */
struct lint_finding {
    const struct lint_rule *rule;
    enum lint_severity severity;
    int line, column;
    char path[STORM_PATH_MAX]; /* the setting */
    char message[2 * STORM_MESSAGE_MAX];
};

/* What was found, in the order of places. */
struct lint_findings {
    struct lint_finding *list;
    size_t count;
};

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
