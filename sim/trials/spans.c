/* spans.c: the faults of a scenario as labelled bands on the time axis. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/spans.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

enum { LABEL_MAX = 64 };

/* A share in percent, without the noise of its last bits. */
static void percent_print(double share, char *text, size_t size) {
    storm_double_print(floor(share * 1e8 + 0.5) / 1e6, text, size);
}

static void print_label(const struct storm_fault *fault, char text[LABEL_MAX]) {
    char number[32];
    switch (fault->kind) {
    case STORM_FAULT_DOWN:
    case STORM_FAULT_HANG:
        snprintf(text, LABEL_MAX, "outage");
        return;
    case STORM_FAULT_SLOW:
        storm_double_print(fault->factor, number, sizeof number);
        snprintf(text, LABEL_MAX, "%s × slower", number);
        return;
    case STORM_FAULT_CAPACITY:
        percent_print(fault->share, number, sizeof number);
        snprintf(text, LABEL_MAX, "%s %% capacity", number);
        return;
    case STORM_FAULT_ERRORS:
        percent_print(fault->share, number, sizeof number);
        snprintf(text, LABEL_MAX, "%s %% errors", number);
        return;
    }
    assert(0 && "no such fault");
}

bool spans_of(const struct storm_scenario *scenario, struct arena *arena, struct storm_span **spans,
              uint32_t *count) {
    *count = scenario->fault_count;
    *spans = arena_take_array(arena, *count, sizeof **spans);
    for (uint32_t i = 0; *spans != NULL && i < *count; i++) {
        const struct storm_fault *fault = &scenario->faults[i];
        storm_time end = storm_fault_end(fault);
        char text[LABEL_MAX];
        print_label(fault, text);
        (*spans)[i].label = arena_copy_string(arena, text, strlen(text));
        (*spans)[i].subject = scenario->services[fault->service].name;
        (*spans)[i].from = fault->at < scenario->duration ? fault->at : scenario->duration;
        (*spans)[i].to = end < scenario->duration ? end : scenario->duration;
        if ((*spans)[i].label == NULL) {
            return false;
        }
    }
    return *spans != NULL;
}
