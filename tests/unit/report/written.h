/* written.h: results as text, as the tests of it want them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef UNIT_REPORT_WRITTEN_H
#define UNIT_REPORT_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>

#include "report/report.h"

static inline bool write_plain(const struct storm_results *results, FILE *out) {
    return report_write_text(results, &(struct report_text){.color = false}, out);
}

static inline bool write_colored(const struct storm_results *results, FILE *out) {
    return report_write_text(results, &(struct report_text){.color = true, .result_file = "r.json"},
                             out);
}

static inline bool write_narrow(const struct storm_results *results, FILE *out) {
    return report_write_text(results, &(struct report_text){.width = 80}, out);
}

static inline bool write_full(const struct storm_results *results, FILE *out) {
    return report_write_text_full(results, &(struct report_text){.color = false}, out);
}

static inline void set_verdicts(struct storm_variant *variant, enum storm_verdict first,
                                uint32_t count, enum storm_verdict second) {
    memset(variant->verdicts, 0, sizeof variant->verdicts);
    variant->verdicts[second] = variant->runs_done - count;
    variant->verdicts[first] += count;
}

#endif
