/* curves.c: from series of the results to the arrays of one panel. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "plots/curves.h"

/* The other outcome is smoothed over this long. */
#define GHOST_WINDOW (5 * STORM_SECOND)

enum { METRIC_NAME_BYTES = 256, SERVICE_LIST_BYTES = 160 };

struct reader {
    const struct storm_results *results;
    struct arena *arena;
    const struct storm_series *series;
    uint32_t series_count;
};

/* A load that is no number is none. */
static double tame(double value) { return isfinite(value) && value > 0 ? value : 0; }

static double *take(const struct reader *reader) {
    assert(reader->results->bin_count > 0);
    return arena_take_array(reader->arena, reader->results->bin_count, sizeof(double));
}

/* How long a bin is; the last may be cut off by the run's end. One cut to less than half counts as
   half, lest a single attempt in it look like a peak. */
static double bin_seconds(const struct storm_results *results, uint32_t bin) {
    assert(bin < results->bin_count);
    storm_time left = results->duration - bin * results->bin_width;
    storm_time least = results->bin_width - results->bin_width / 2;
    bool is_cut = left < results->bin_width;
    return storm_time_to_seconds(!is_cut ? results->bin_width : left > least ? left : least);
}

/* Adds the series of a name over its subjects (`subject` NULL: all of them). How many it found. */
static uint32_t add_series(const struct reader *reader, const char *subject, const char *name,
                           double *sum) {
    assert(name != NULL && sum != NULL);
    uint32_t found = 0;
    for (uint32_t i = 0; i < reader->series_count; i++) {
        const struct storm_series *series = &reader->series[i];
        if (strcmp(series->name, name) != 0 ||
            (subject != NULL && strcmp(series->subject, subject) != 0))
            continue;
        for (uint32_t bin = 0; bin < reader->results->bin_count; bin++)
            sum[bin] += tame(series->values[bin]);
        found++;
    }
    return found;
}

/* Attempts of both kinds, per second. */
static double *read_total(const struct reader *reader, const char *service, double *first) {
    assert(service != NULL);
    double *total = take(reader);
    if (total == NULL || first == NULL)
        return NULL;
    add_series(reader, service, STORM_SERIES_FIRST, first);
    add_series(reader, service, STORM_SERIES_RETRIES, total);
    for (uint32_t bin = 0; bin < reader->results->bin_count; bin++) {
        double seconds = bin_seconds(reader->results, bin);
        first[bin] /= seconds;
        total[bin] = first[bin] + total[bin] / seconds;
    }
    return total;
}

/* A metric of the service in the drawn run; NaN when the results do not say. */
static double drawn_metric(const struct storm_variant *variant, const char *name,
                           const char *service) {
    char full[METRIC_NAME_BYTES];
    assert(name != NULL && service != NULL);
    int length = snprintf(full, sizeof full, "%s.%s", name, service);
    const struct storm_metric *metric =
        length < (int)sizeof full ? storm_variant_metric(variant, full) : NULL;
    bool is_known = metric != NULL && metric->per_run != NULL && variant->runs_done > 0;
    return is_known ? metric->per_run[0] : (double)NAN;
}

/* The peak is drawn where the tallest bin is, but its value is the one that the tables give: of a
   second that may begin anywhere. */
static void read_peak(const struct reader *reader, const struct storm_variant *variant,
                      const char *service, struct curves *curves) {
    assert(curves->total != NULL);
    for (uint32_t bin = 0; bin < reader->results->bin_count; bin++)
        if (curves->total[bin] > curves->total[curves->peak_bin])
            curves->peak_bin = bin;
    curves->peak = drawn_metric(variant, "peak_load", service);
    if (!isfinite(curves->peak) || curves->peak < 0)
        curves->peak = curves->total[curves->peak_bin];
    curves->peak_factor = drawn_metric(variant, "peak_load_capacity", service);
}

/* Capacity is not summed: NaN says unlimited, and must stay. */
static void read_capacity(const struct reader *reader, const char *service, struct curves *curves) {
    assert(service != NULL && curves != NULL);
    curves->nominal = (double)NAN;
    for (uint32_t i = 0; i < reader->series_count; i++) {
        const struct storm_series *series = &reader->series[i];
        if (strcmp(series->name, STORM_SERIES_CAPACITY) != 0 ||
            strcmp(series->subject, service) != 0)
            continue;
        for (uint32_t bin = 0; bin < reader->results->bin_count; bin++)
            if (isfinite(series->values[bin]))
                curves->nominal = fmax(curves->nominal, tame(series->values[bin]));
        curves->capacity = isnan(curves->nominal) ? NULL : series->values;
        return;
    }
}

static const struct storm_series *find_series(const struct reader *reader, const char *subject,
                                              const char *name) {
    assert(subject != NULL && name != NULL);
    for (uint32_t i = 0; i < reader->series_count; i++)
        if (strcmp(reader->series[i].name, name) == 0 &&
            strcmp(reader->series[i].subject, subject) == 0)
            return &reader->series[i];
    return NULL;
}

/* Requests of all populations that know how many of theirs fail. A bin is unknown as soon as some
   of its births are too young to be judged. */
static bool read_failing(const struct reader *reader, struct curves *curves) {
    assert(curves->born == NULL);
    double *born = take(reader), *failed = take(reader);
    if (born == NULL || failed == NULL)
        return false;
    for (uint32_t i = 0; i < reader->series_count; i++) {
        const struct storm_series *births = &reader->series[i];
        bool is_born = strcmp(births->name, STORM_SERIES_BORN) == 0;
        const struct storm_series *failures =
            is_born ? find_series(reader, births->subject, STORM_SERIES_FAILED) : NULL;
        if (failures == NULL)
            continue;
        curves->born = born;
        curves->failed = failed;
        for (uint32_t bin = 0; bin < reader->results->bin_count; bin++) {
            double count = tame(births->values[bin]), failing = failures->values[bin];
            born[bin] += count;
            if (count > 0)
                failed[bin] += isnan(failing) ? failing : tame(failing);
        }
    }
    return true;
}

static bool read_dead(const struct reader *reader, struct curves *curves) {
    assert(curves->dead == NULL);
    double *dead = take(reader);
    if (dead == NULL)
        return false;
    add_series(reader, NULL, STORM_SERIES_DEAD, dead);
    for (uint32_t bin = 1; bin < reader->results->bin_count; bin++)
        dead[bin] = fmax(dead[bin], dead[bin - 1]); /* so far: it never falls */
    curves->dead_end = dead[reader->results->bin_count - 1];
    curves->dead = curves->dead_end > 0 ? dead : NULL;
    return true;
}

/* The centred mean over GHOST_WINDOW. */
static const double *smooth(const struct reader *reader, const double *values) {
    assert(values != NULL);
    uint32_t count = reader->results->bin_count;
    storm_time width = reader->results->bin_width;
    uint32_t half = (uint32_t)((GHOST_WINDOW / 2) / width);
    double *means = take(reader);
    for (uint32_t bin = 0; means != NULL && bin < count; bin++) {
        uint32_t reach = half < bin ? half : bin;
        reach = reach < count - 1 - bin ? reach : count - 1 - bin;
        double sum = 0;
        for (uint32_t i = bin - reach; i <= bin + reach; i++)
            sum += values[i];
        means[bin] = sum / (2 * reach + 1);
    }
    return means;
}

/* Of all that the service does in the last quarter (what it does in time is not above its
   capacity), the part done for callers that gave up. */
static double late_share(const struct reader *reader, const char *service, double nominal,
                         double *served_late) {
    assert(service != NULL && served_late != NULL);
    uint32_t count = reader->results->bin_count;
    add_series(reader, service, STORM_SERIES_GHOST, served_late);
    double late = 0, seconds = 0;
    for (uint32_t bin = count - count / 4; bin < count; bin++) {
        late += served_late[bin];
        seconds += bin_seconds(reader->results, bin);
    }
    return nominal > 0 && seconds > 0 ? fmin(late / (nominal * seconds), 1) : 0;
}

bool curves_read(const struct storm_results *results, const struct storm_variant *variant,
                 const char *service, struct arena *arena, struct curves *curves) {
    assert(results != NULL && variant != NULL && service != NULL);
    assert(curves != NULL && results->bin_count > 0 && results->bin_width > 0);
    *curves = (struct curves){0};
    struct reader reader = {results, arena, variant->series, variant->series_count};
    double *first = take(&reader);
    const double *total = read_total(&reader, service, first);
    double *late = take(&reader);
    if (total == NULL || late == NULL)
        return false;
    curves->first = first;
    curves->total = total;
    read_peak(&reader, variant, service, curves);
    read_capacity(&reader, service, curves);
    curves->late_share = late_share(&reader, service, curves->nominal, late);
    if (!read_failing(&reader, curves) || !read_dead(&reader, curves))
        return false;
    if (variant->ghost_run == UINT32_MAX || variant->ghost_series_count == 0)
        return true;
    reader.series = variant->ghost_series;
    reader.series_count = variant->ghost_series_count;
    const double *ghost = read_total(&reader, service, take(&reader));
    curves->ghost = ghost == NULL ? NULL : smooth(&reader, ghost);
    return curves->ghost != NULL;
}

double *curves_sum(const struct storm_results *results, const struct storm_variant *variant,
                   const char *subject, const char *name, bool per_second, struct arena *arena) {
    assert(name != NULL && results->bin_count > 0);
    struct reader reader = {results, arena, variant->series, variant->series_count};
    double *sum = take(&reader);
    if (sum == NULL)
        return NULL;
    add_series(&reader, subject, name, sum);
    for (uint32_t bin = 0; per_second && bin < results->bin_count; bin++)
        sum[bin] /= bin_seconds(results, bin);
    return sum;
}

/* All first attempts, or all retries, that reach a service in all variants. */
static double attempts_at(const struct storm_results *results, const char *service,
                          const char *name) {
    assert(service != NULL);
    double sum = 0;
    for (uint32_t i = 0; i < results->variant_count; i++)
        for (uint32_t j = 0; j < results->variants[i].series_count; j++) {
            const struct storm_series *series = &results->variants[i].series[j];
            if (strcmp(series->name, name) != 0 || strcmp(series->subject, service) != 0)
                continue;
            for (uint32_t bin = 0; bin < results->bin_count; bin++)
                sum += tame(series->values[bin]);
        }
    return sum;
}

/* Whether a service has more to show than another: more retries, or else more attempts. */
static bool is_busier(const struct storm_results *results, const char *service, const char *other) {
    double own = attempts_at(results, service, STORM_SERIES_RETRIES);
    double others = attempts_at(results, other, STORM_SERIES_RETRIES);
    return own != others ? own > others
                         : attempts_at(results, service, STORM_SERIES_FIRST) >
                               attempts_at(results, other, STORM_SERIES_FIRST);
}

bool curves_is_listed(const struct storm_results *results, uint32_t variant, uint32_t series) {
    assert(variant < results->variant_count);
    const struct storm_series *own = &results->variants[variant].series[series];
    for (uint32_t i = 0; i <= variant; i++) {
        uint32_t count = i < variant ? results->variants[i].series_count : series;
        for (uint32_t j = 0; j < count; j++)
            if (strcmp(results->variants[i].series[j].name, own->name) == 0 &&
                strcmp(results->variants[i].series[j].subject, own->subject) == 0)
                return true;
    }
    return false;
}

/* "its services are api, db, web": as many as there is room for. */
static void list_services(const struct storm_results *results, char *buffer, size_t size) {
    uint32_t found = 0;
    char names[SERVICE_LIST_BYTES] = "";
    for (uint32_t i = 0; i < results->variant_count; i++)
        for (uint32_t j = 0; j < results->variants[i].series_count; j++) {
            const struct storm_series *series = &results->variants[i].series[j];
            size_t used = strlen(names), room = sizeof names - used;
            if (strcmp(series->name, STORM_SERIES_FIRST) != 0 || curves_is_listed(results, i, j))
                continue;
            found++;
            if (room < 8) /* the list is cut already */
                continue;
            int length =
                snprintf(names + used, room, "%s%s", used > 0 ? ", " : "", series->subject);
            if (length >= (int)room - 4)
                snprintf(names + used, room, "%s…", used > 0 ? ", " : "");
        }
    assert(found > 0);
    snprintf(buffer, size, found == 1 ? "the only service is %s" : "its services are %s", names);
}

const char *curves_service(const struct storm_results *results, const char *wanted,
                           struct storm_error *error) {
    assert(results != NULL);
    assert(error != NULL);
    const char *best = NULL;
    for (uint32_t i = 0; i < results->variant_count; i++)
        for (uint32_t j = 0; j < results->variants[i].series_count; j++) {
            const struct storm_series *series = &results->variants[i].series[j];
            if (strcmp(series->name, STORM_SERIES_FIRST) != 0)
                continue;
            if (wanted != NULL && strcmp(series->subject, wanted) == 0)
                return series->subject;
            if (best == NULL || is_busier(results, series->subject, best))
                best = series->subject;
        }
    if (best == NULL)
        storm_fail(error, STORM_INVALID,
                   "the results hold no load over time, so there is nothing to draw");
    else if (wanted != NULL) {
        storm_fail(error, STORM_INVALID, "there is no service '%.60s' in the results", wanted);
        list_services(results, error->suggestion, sizeof error->suggestion);
        best = NULL;
    }
    return best;
}
