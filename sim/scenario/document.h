/* document.h: what a parsed file is made of. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_DOCUMENT_H
#define SCENARIO_DOCUMENT_H

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "scenario/tree.h"

struct rate_table; /* series.h */

struct storm_document {
    struct arena arena; /* holds all below, and every scenario decoded from it */
    const char *text;   /* without a byte order mark */
    size_t length;
    const struct node *root;  /* a map */
    const char *folder;       /* where files beside the scenario are, with a '/'; NULL: here */
    struct rate_table *rates; /* those read so far */
};

/* A scenario with what only its settings' printer asks for. The scenario comes first: it is what
   users hold. */
struct decoded {
    struct storm_scenario scenario;
    uint32_t named_policies; /* the first policies are those of `policies:` */
};

#endif
