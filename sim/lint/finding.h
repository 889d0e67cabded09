/* finding.h: a rule of lint, and what it has found. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LINT_FINDING_H
#define LINT_FINDING_H

#include <stddef.h>

#include <retrystorm/error.h>

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

#endif
