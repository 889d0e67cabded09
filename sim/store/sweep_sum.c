/* sweep_sum.c: what a finished sweep's file holds, as one number that a damaged file does not
   have. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/sweep_sum.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/stream.h"
#include "trials/fingerprint.h"

static uint64_t add_whole(uint64_t sum, uint64_t number) { return stream_mix64(sum ^ number) + 1; }

/* SQLite keeps neither NaN, which becomes NULL, nor the sign of 0. */
static uint64_t add_number(uint64_t sum, double number) {
    double kept = isnan(number) ? 0 : number + 0.0;
    uint64_t bits;
    memcpy(&bits, &kept, sizeof bits);
    return add_whole(sum, isnan(number) ? UINT64_MAX : bits);
}

static uint64_t add_text(uint64_t sum, const char *text) {
    return text != NULL ? fingerprint_text(sum, text) : add_whole(sum, UINT64_MAX);
}

static uint64_t add_axis(uint64_t sum, const struct storm_sweep_axis *axis) {
    sum = add_text(add_text(sum, axis->path), axis->unit);
    sum = add_number(add_number(sum, axis->from), axis->to);
    return add_whole(add_whole(sum, axis->value_count), axis->is_log ? 1 : 0);
}

static uint64_t add_metric(uint64_t sum, const struct storm_metric *metric) {
    sum = add_text(add_text(add_text(sum, metric->name), metric->unit), metric->help);
    return add_whole(add_whole(sum, (uint64_t)metric->better), metric->bimodal ? 1 : 0);
}

uint64_t sweep_sum_head(const struct sweep_head *head) {
    const struct storm_sweep *sweep = &head->sweep;
    const char *const texts[] = {sweep->title,     sweep->question, sweep->file, sweep->variant,
                                 sweep->overrides, sweep->hash,     head->method};
    uint64_t sum = add_whole(add_whole(sweep->seed, sweep->runs), sweep->point_count);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        sum = add_text(sum, texts[i]);
    }
    for (uint32_t a = 0; a < sweep->axis_count; a++) {
        sum = add_axis(sum, &sweep->axes[a]);
    }
    for (uint32_t i = 0; i < head->metric_count; i++) {
        sum = add_metric(sum, &head->metrics[i]);
    }
    for (uint32_t p = 0; p < sweep->point_count; p++) {
        for (uint32_t a = 0; a < sweep->axis_count; a++) {
            sum = add_text(sum, sweep->points[p].labels[a]);
            sum = add_number(sum, sweep->points[p].numbers[a]);
        }
    }
    return add_whole(add_whole(sum, head->shard), head->shards);
}

uint64_t sweep_sum_row(uint64_t before, const struct sweep_head *head,
                       const struct storm_sweep_run *row) {
    uint64_t sum = add_whole(add_whole(before, row->point), row->run);
    sum = add_whole(add_whole(sum, (uint64_t)row->verdict), row->digest);
    sum = add_number(sum, row->duration);
    for (uint32_t i = 0; i < head->metric_count; i++) {
        sum = add_number(sum, row->values[i]);
    }
    return sum;
}

void sweep_sum_write(struct database *database, uint64_t sum) {
    char words[17];
    fingerprint_print(sum, words);
    if (database_is_good(database)) {
        database_do(database, "INSERT INTO meta VALUES('sum', %Q)", words);
    }
}

bool sweep_sum_check(struct database *database, const struct sweep_head *head, uint64_t sum) {
    char words[17];
    assert(head != NULL);
    fingerprint_print(sum, words);
    if (database_is_good(database) && head->sum != NULL && strcmp(head->sum, words) != 0) {
        database_blame(database, "it does not hold what was written");
    }
    return database_is_good(database);
}
