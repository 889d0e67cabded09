/* filter.c: which letters somebody means, and instants as they are typed. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "letters/filter.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "scenario/epoch.h"

struct letter_filter letter_filter_open(void) {
    return (struct letter_filter){.since = INT64_MIN, .until = INT64_MAX};
}

bool letter_filter_passes(const struct letter_filter *filter, const struct letter *letter) {
    const struct dead_letter *says = &letter->says;
    bool is_of_queue = filter->queue == NULL || strcmp(filter->queue, says->queue) == 0 ||
                       strcmp(filter->queue, says->to) == 0;
    bool has_reason = filter->reason == NULL || strcmp(filter->reason, says->reason) == 0;
    bool is_of_class =
        filter->class == LETTER_ANY_CLASS || (filter->class == LETTER_DATA) == says->data;
    return is_of_queue && has_reason && is_of_class && letter->last_failed_at >= filter->since &&
           letter->last_failed_at < filter->until;
}

bool letter_instant_parse(const char *text, int64_t *instant) {
    /* What may be missing at the end, the most first. */
    static const char *const endings[] = {"T00:00:00Z", ":00Z", "Z", ""};
    char whole[64];
    assert(text != NULL && instant != NULL);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        int length = snprintf(whole, sizeof whole, "%s%s", text, endings[i]);
        if (length < (int)sizeof whole && epoch_parse(whole, instant)) {
            return true;
        }
    }
    return false;
}
