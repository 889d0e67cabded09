/* chance_text.c: durations and probabilities as schedules show them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/chance_text.h"

#include <math.h>

#include <retrystorm/units.h>

#include "report/text.h"

const char *chance_seconds(struct page *page, double value) {
    char text[TEXT_DURATION_SIZE];
    if (value > 1e9) {
        return "\xE2\x88\x9E"; /* infinity */
    }
    return page_phrase(page, "%s", text_duration(storm_time_from_seconds(value), text));
}

const char *chance_range(struct page *page, double low, double high) {
    if (low == high) {
        return chance_seconds(page, low);
    }
    return page_phrase(page, "%s \xE2\x80\x93 %s", chance_seconds(page, low),
                       chance_seconds(page, high));
}

const char *chance_percent(struct page *page, double share) {
    double rest = fmin(share, 1 - share);
    if (rest < 1e-9) {
        return share < 0.5 ? "0%" : "100%";
    }
    if (rest < 1e-4) {
        return share < 0.5 ? "<0.01%" : ">99.99%";
    }
    unsigned hundredths = (unsigned)floor(share * 10000 + 0.5);
    if (rest < 0.01995) {
        return page_phrase(page, "%u.%02u%%", hundredths / 100, hundredths % 100);
    }
    unsigned tenths = (unsigned)floor(share * 1000 + 0.5);
    return page_phrase(page, "%u.%u%%", tenths / 10, tenths % 10);
}
