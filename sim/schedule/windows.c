/* windows.c: independent delays: the law of each from the rule itself, and exact sums of those that
   are uniform. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>

#include "policy/delay.h"
#include "schedule/laws.h"

/* Draws at which a law that is not uniform is looked at; windows that one sum may have; and the
   largest rounding error that an exact sum may have. */
enum { DRAWS = 1 << 16, WINDOWS_MAX = 16 };
static const double rounding_most = 1e-10;

double windows_delay(const struct storm_delay *delay, uint32_t n, double u) {
    struct storm_delay_state state = {.count = n - 1};
    assert(n >= 1);
    return delay_next(delay, &state, u);
}

bool windows_fit(const struct storm_delay *delay, uint32_t n) {
    double low = windows_delay(delay, n, 0), width = 2 * (windows_delay(delay, n, 0.5) - low);
    if (delay->quantum > 0) {
        return false;
    }
    static const double draws[] = {0.0137, 0.21, 0.43, 0.69, 0.88, 0.9871, LAWS_ALMOST_ONE};
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++) {
        double error = windows_delay(delay, n, draws[i]) - (low + draws[i] * width);
        if (fabs(error) > 1e-12 * (low + width)) {
            return false;
        }
    }
    return true;
}

bool windows_smooth(const struct storm_delay *delay, uint32_t n) {
    static const double draws[] = {0, 0.001, 0.2, 0.4, 0.6, 0.8, 0.999, LAWS_ALMOST_ONE};
    for (size_t i = 1; i < sizeof draws / sizeof draws[0]; i++) {
        if (windows_delay(delay, n, draws[i - 1]) >= windows_delay(delay, n, draws[i])) {
            return false;
        }
    }
    return delay->quantum == 0;
}

static struct schedule_delay window_law(const struct storm_delay *delay, uint32_t n) {
    double low = windows_delay(delay, n, 0), width = 2 * (windows_delay(delay, n, 0.5) - low);
    struct schedule_delay law = {.low = low,
                                 .high = low + width,
                                 .mean = low + width / 2,
                                 .variance = width * width / 12,
                                 .q05 = low + 0.05 * width,
                                 .median = low + 0.5 * width,
                                 .q95 = low + 0.95 * width};
    law.at_cap = width == 0 && low == delay->cap;
    return law;
}

/* Any other law, from its values at many draws. They grow with the draw: quantiles are values. */
static struct schedule_delay other_law(const struct storm_delay *delay, uint32_t n) {
    struct schedule_delay law = {.low = windows_delay(delay, n, 0),
                                 .high = windows_delay(delay, n, LAWS_ALMOST_ONE),
                                 .q05 = windows_delay(delay, n, 0.05),
                                 .median = windows_delay(delay, n, 0.5),
                                 .q95 = windows_delay(delay, n, 0.95)};
    double squares = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        double value = windows_delay(delay, n, (i + 0.5) / DRAWS);
        law.mean += value / DRAWS;
        squares += value * value / DRAWS;
        law.at_cap += value == delay->cap;
    }
    law.at_cap /= DRAWS;
    law.variance = fmax(0, squares - law.mean * law.mean);
    bool is_endless = delay->law == STORM_JITTER_EXPONENTIAL && law.high > law.q95;
    law.high = is_endless && law.high < delay->cap ? HUGE_VAL : law.high;
    return law;
}

bool windows_describe(struct schedule *schedule) {
    const struct storm_delay *delay = &schedule->policy->delay;
    for (uint32_t n = 1; n <= schedule->count; n++) {
        bool fits = windows_fit(delay, n);
        schedule->delays[n - 1] = fits ? window_law(delay, n) : other_law(delay, n);
    }
    return true;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The windows of a sum: all lows together, and the widths that are not 0. */
struct sum {
    double low, width;
    double widths[WINDOWS_MAX];
    uint32_t count;
};

/* (y / w1) (y / 2 w2) ... : the volume of a corner of the box, as a share of the box. */
static double corner(const struct sum *sum, double y) {
    double share = 1;
    for (uint32_t i = 0; i < sum->count; i++) {
        share *= y / (sum->widths[i] * (i + 1));
    }
    return share;
}

/* P(sum of the widths' uniforms < x) by inclusion and exclusion over the corners of the box; NaN
   when the terms, which cancel, are so large that rounding would show. */
static double below(const struct sum *sum, double x) {
    double total = 0, size = 0;
    for (uint32_t subset = 0; subset < UINT32_C(1) << sum->count; subset++) {
        double y = x, sign = 1;
        for (uint32_t i = 0; i < sum->count; i++) {
            if ((subset >> i & 1) != 0) {
                y -= sum->widths[i];
                sign = -sign;
            }
        }
        double term = y > 0 ? corner(sum, y) : 0;
        total += sign * term;
        size += term;
    }
    return size * 0x1p-50 > rounding_most ? (double)NAN : total;
}

/* P(sum >= time); NaN as above. Beyond the middle the mirror image cancels less. */
static double reaches(const struct sum *sum, double time) {
    double x = time - sum->low;
    if (x <= 0) {
        return 1;
    }
    if (sum->count == 0 || x >= sum->width) {
        return 0;
    }
    return x > sum->width / 2 ? below(sum, sum->width - x) : 1 - below(sum, x);
}

bool windows_first(const struct schedule *schedule, const struct schedule_moment *moment,
                   uint32_t from, double *first) {
    struct sum sum = {0};
    double before = 0, each = storm_time_to_seconds(moment->each);
    assert(moment->time > 0);
    for (uint32_t k = from; k < schedule->count; k++) {
        const struct schedule_delay *delay = &schedule->delays[k];
        double width = delay->high - delay->low;
        sum.low += delay->low + each;
        sum.width += width;
        if (width > 0 && sum.count == WINDOWS_MAX) {
            return before >= 1; /* the rest is settled, or the grid must do it */
        }
        if (width > 0) {
            sum.widths[sum.count++] = width;
        }
        double after = before >= 1 ? 1 : reaches(&sum, storm_time_to_seconds(moment->time));
        bool is_limited = sum.low + sum.width >= storm_time_to_seconds(moment->limit);
        if (isnan(after) || (is_limited && before < 1)) {
            return false;
        }
        first[k] = after - before;
        before = after;
    }
    return true;
}
