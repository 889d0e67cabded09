/* sample.c: delays of any rule, by living many calls with the very function the simulator uses. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/doubles.h"
#include "base/stream.h"
#include "policy/delay.h"
#include "schedule/laws.h"

enum { LIVES = 1 << 20, KEPT = 1 << 16 };

static double draw(uint32_t life, uint32_t k) {
    return stream_uniform(stream_mix64(life + UINT64_C(1)), STREAM_BACKOFF, k);
}

/* Quantiles of delay k from the first lives. */
static void find_quantiles(const struct storm_delay *delay, uint32_t k, double *values,
                           struct schedule_delay *law) {
    for (uint32_t life = 0; life < KEPT; life++) {
        struct storm_delay_state state = {0};
        for (uint32_t i = 0; i <= k; i++) {
            values[life] = delay_next(delay, &state, draw(life, i));
        }
    }
    doubles_sort(values, KEPT);
    law->q05 = values[KEPT / 20];
    law->median = values[KEPT / 2];
    law->q95 = values[KEPT - KEPT / 20];
}

bool sample_describe(struct schedule *schedule) {
    const struct storm_delay *delay = &schedule->policy->delay;
    double squares[SCHEDULE_ROOM] = {0};
    double *values = calloc(KEPT, sizeof *values);
    if (values == NULL) {
        return false;
    }
    for (uint32_t life = 0; life < LIVES; life++) {
        struct storm_delay_state state = {0};
        for (uint32_t k = 0; k < schedule->count; k++) {
            struct schedule_delay *law = &schedule->delays[k];
            double value = delay_next(delay, &state, draw(life, k));
            law->low = life == 0 || value < law->low ? value : law->low;
            law->high = value > law->high ? value : law->high;
            law->mean += value / LIVES;
            squares[k] += value * value / LIVES;
            law->at_cap += value == delay->cap ? 1.0 / LIVES : 0;
        }
    }
    for (uint32_t k = 0; k < schedule->count; k++) {
        struct schedule_delay *law = &schedule->delays[k];
        law->variance = fmax(0, squares[k] - law->mean * law->mean);
        find_quantiles(delay, k, values, law);
    }
    free(values);
    return true;
}

bool sample_first(const struct schedule *schedule, const struct schedule_moment *moment,
                  double *first) {
    const struct storm_delay *delay = &schedule->policy->delay;
    uint32_t counts[SCHEDULE_ROOM] = {0};
    assert(moment->time > 0);
    for (uint32_t life = 0; life < LIVES; life++) {
        struct storm_delay_state state = {0};
        storm_time begins = 0;
        for (uint32_t k = 0; k < schedule->count && begins < moment->time; k++) {
            double seconds = delay_next(delay, &state, draw(life, k));
            begins = storm_time_add(storm_time_add(begins, moment->each),
                                    storm_time_from_seconds(seconds));
            counts[k] += begins >= moment->time && begins < moment->limit;
        }
    }
    for (uint32_t k = 0; k < schedule->count; k++) {
        first[k] = (double)counts[k] / LIVES;
    }
    return true;
}
