/* rig.h: a document from a text in a test, with its errors. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef UNIT_SCENARIO_RIG_H
#define UNIT_SCENARIO_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>
#include <retrystorm/results.h>

#include "support/test.h"

/* The smallest things that a scenario needs. */
#define RIG_HEAD "version: 1\nduration: 60s\n"
#define RIG_CLIENTS "clients: {web: {count: 10, arrivals: {poisson: 45/s}, calls: {to: api}}}\n"
#define RIG_SERVICES "services: {api: {workers: 4, service_time: 20ms}}\n"

/* A document that must parse. */
static inline struct storm_document *rig_parse(const char *text) {
    struct storm_errors errors = {.count = 0};
    struct storm_document *document = storm_document_parse(text, strlen(text), &errors);
    if (document == NULL)
        fail_msg("%d:%d: %s: %s", errors.list[0].line, errors.list[0].column, errors.list[0].path,
                 errors.list[0].message);
    return document;
}

/* Its scenario, which must decode, with one override (or none: path NULL). */
static inline const struct storm_scenario *rig_decode(struct storm_document *document,
                                                      const char *variant, const char *path,
                                                      const char *value) {
    struct storm_errors errors = {.count = 0};
    struct storm_override set = {path, value};
    const struct storm_scenario *scenario =
        storm_document_decode(document, variant, &set, path == NULL ? 0 : 1, &errors);
    if (scenario == NULL)
        fail_msg("%d:%d: %s: %s", errors.list[0].line, errors.list[0].column, errors.list[0].path,
                 errors.list[0].message);
    return scenario;
}

/* The errors of one decoding that must fail. */
static inline struct storm_errors rig_refuse(struct storm_document *document, const char *variant,
                                             const char *path, const char *value) {
    struct storm_errors errors = {.count = 0};
    struct storm_override set = {path, value};
    assert_null(storm_document_decode(document, variant, &set, path == NULL ? 0 : 1, &errors));
    assert_true(errors.count > 0);
    return errors;
}

/* The text of a setting; NULL when there is none of that path. */
static inline const char *rig_setting(struct storm_document *document,
                                      const struct storm_scenario *scenario, const char *path) {
    const struct storm_setting *settings;
    size_t count = storm_document_settings(document, scenario, &settings);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(settings[i].path, path) == 0)
            return settings[i].value;
    }
    return NULL;
}

#endif
