/* evidence_text.c: what so many runs say, in words and as JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/evidence_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <retrystorm/results.h>

#include "report/text.h"

/* Shares near all or nothing keep the digits that tell them from it. */
static const char *percent(struct page *page, double share) {
    double percent = 100 * share;
    bool is_near = percent > 99 && percent < 100;
    return page_phrase(page, is_near || (percent > 0 && percent < 1) ? "%.2f%%" : "%.3g%%",
                       percent);
}

const char *evidence_number(struct page *page, const char *unit, double value) {
    char number[TEXT_NUMBER_SIZE];
    if (isnan(value)) {
        return "—";
    }
    if (isinf(value)) {
        return value > 0 ? "infinite" : "-infinite";
    }
    if (storm_unit_is_share(unit)) {
        return percent(page, value);
    }
    return page_phrase(page, "%s%s%s", text_number(value, number), unit[0] != '\0' ? " " : "",
                       unit);
}

const char *evidence_range(struct page *page, const char *unit, double lo, double hi) {
    bool is_share = storm_unit_is_share(unit);
    bool is_open_below = (isinf(lo) && lo < 0) || (is_share && lo <= 0);
    bool is_open_above = (isinf(hi) && hi > 0) || (is_share && hi >= 1);
    if (isinf(lo) && lo > 0) {
        return evidence_number(page, unit, lo);
    }
    if (is_open_below && is_open_above) {
        return "unknown";
    }
    if (is_open_below) {
        return page_phrase(page, "at most %s", evidence_number(page, unit, hi));
    }
    if (is_open_above) {
        return page_phrase(page, "%s or more", evidence_number(page, unit, lo));
    }
    return hi > lo ? page_phrase(page, "%s to %s", evidence_number(page, is_share ? unit : "", lo),
                                 evidence_number(page, unit, hi))
                   : evidence_number(page, unit, lo);
}

const char *evidence_sentence(struct page *page, const char *what, const char *unit, bool is_share,
                              const struct storm_evidence *evidence) {
    const char *sure =
        evidence->is_alike
            ? ", and all are alike"
            : page_phrase(page, ": %s", evidence_range(page, unit, evidence->lo, evidence->hi));
    if (is_share) {
        return page_phrase(page, "%" PRIu32 " of %" PRIu32 " runs recover%s", evidence->good,
                           evidence->runs, sure);
    }
    return page_phrase(page, "%s is %s over %" PRIu32 " run%s%s", what,
                       evidence_number(page, unit, evidence->value), evidence->runs,
                       page_plural(evidence->runs), sure);
}

void evidence_keys(struct json_writer *json, const struct storm_evidence *evidence) {
    json_key_count(json, "runs", evidence->runs);
    json_key_count(json, "good", evidence->good);
    json_key_double(json, "value", evidence->value);
    json_key_double(json, "lo", evidence->lo);
    json_key_double(json, "hi", evidence->hi);
    json_key_bool(json, "holds", evidence->holds);
    json_key_bool(json, "proven", evidence->is_proven);
    json_key_bool(json, "alike", evidence->is_alike);
}
