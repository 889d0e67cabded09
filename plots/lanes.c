/* lanes.c: the narrow plots under a panel of "load over time": what they show, and whether. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>

#include "base/arena.h"
#include "plots/curves.h"
#include "plots/lanes.h"
#include "plots/layout.h"
#include "plots/theme.h"
#include "plots/ticks.h"

/* So much higher is a lane whose alarms want labels above its line. */
#define ALARM_ROOM 1.5

static const struct lane_kind kinds[LANES_MAX] = {
    {.part = "held-back",
     .title = "Held back by callers' brakes",
     .layers = {{STORM_SERIES_HELD_BACK, "held back by callers' brakes", ROLE_HELD_BACK, 0}},
     .one = "at",
     .many = "services",
     .says = LANE_SAYS_MOST,
     .is_rate = true},
    {.part = "queue",
     .title = "Messages",
     .layers = {{STORM_SERIES_HELD, "in hand", ROLE_IN_HAND, 0},
                {STORM_SERIES_READY, "waiting", ROLE_WAITING, 0}},
     .one = "in",
     .many = "queues",
     .says = LANE_SAYS_BOTH},
    {.part = "letters",
     .title = "Dead letters kept",
     .layers = {{STORM_SERIES_LETTERS, "dead letters kept", ROLE_LINE, 2}},
     .one = "in",
     .many = "queues",
     .says = LANE_SAYS_BOTH,
     .has_alarms = true},
    {.part = "duplicates",
     .title = "Duplicate effects",
     .layers = {{STORM_SERIES_DUPLICATES, "duplicate effects so far", ROLE_BAD, 2}},
     .one = "at",
     .many = "services",
     .says = LANE_SAYS_END}};

/* Whether a subject's curve shows anything in some variant. */
static bool shows(const struct storm_results *results, const char *name, const char *subject) {
    for (uint32_t i = 0; i < results->variant_count; i++)
        for (uint32_t j = 0; j < results->variants[i].series_count; j++) {
            const struct storm_series *series = &results->variants[i].series[j];
            bool is_it = strcmp(series->name, name) == 0 && strcmp(series->subject, subject) == 0;
            for (uint32_t bin = 0; is_it && bin < results->bin_count; bin++)
                if (isfinite(series->values[bin]) && series->values[bin] > 0)
                    return true;
        }
    return false;
}

/* The drawn service if it has such a curve; else the only subject that has; else NULL, and `count`
   says how many have. */
static const char *find_subject(const struct storm_results *results, const char *name,
                                const char *service, uint32_t *count) {
    const char *found = NULL;
    *count = 0;
    for (uint32_t i = 0; i < results->variant_count; i++)
        for (uint32_t j = 0; j < results->variants[i].series_count; j++) {
            const struct storm_series *series = &results->variants[i].series[j];
            if (strcmp(series->name, name) != 0 || curves_is_listed(results, i, j) ||
                !shows(results, name, series->subject))
                continue;
            found = series->subject;
            ++*count;
            if (strcmp(found, service) == 0) {
                *count = 1;
                return found;
            }
        }
    return *count == 1 ? found : NULL;
}

/* Whose the curves are: "in orders", "in 3 queues"; nothing where it is the drawn service. */
static void say_whose(struct lane *lane, const char *service, uint32_t count) {
    assert(count > 0);
    lane->whose[0] = '\0';
    if (lane->subject == NULL)
        snprintf(lane->whose, sizeof lane->whose, " %s %" PRIu32 " %s", lane->kind->one, count,
                 lane->kind->many);
    else if (strcmp(lane->subject, service) != 0)
        snprintf(lane->whose, sizeof lane->whose, " %s %.60s", lane->kind->one, lane->subject);
}

/* One variant's curves, each upon the one below. */
static bool read_panel(const struct storm_results *results, uint32_t index, struct arena *arena,
                       struct lane *lane) {
    const struct lane_kind *kind = lane->kind;
    double *below = NULL;
    for (int i = 0; i < LANE_LAYERS_MAX && kind->layers[i].series != NULL; i++) {
        double *top = curves_sum(results, &results->variants[index], lane->subject,
                                 kind->layers[i].series, kind->is_rate, arena);
        if (top == NULL)
            return false;
        for (uint32_t bin = 0; bin < results->bin_count; bin++) {
            top[bin] += below != NULL ? below[bin] : 0;
            lane->panels[index].most = fmax(lane->panels[index].most, top[bin]);
        }
        lane->panels[index].tops[i] = below = top;
    }
    assert(below != NULL && results->bin_count > 0);
    lane->panels[index].end = below[results->bin_count - 1];
    return true;
}

static bool has_alarms(const struct storm_results *results) {
    for (uint32_t i = 0; i < results->variant_count; i++)
        if (results->variants[i].alarm_count > 0)
            return true;
    return false;
}

/* Two or three intervals: those that leave the least room above. */
static struct ticks plan_ticks(double most) {
    struct ticks two = ticks_counts(most, 2), three = ticks_counts(most, 3);
    return ticks_top(&three) < ticks_top(&two) ? three : two;
}

bool lanes_read(const struct storm_results *results, const char *service, struct arena *arena,
                struct lane lanes[LANES_MAX], uint32_t *count) {
    assert(service != NULL && count != NULL);
    *count = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct lane *lane = &lanes[*count];
        uint32_t subjects;
        double most = 0;
        *lane = (struct lane){.kind = &kinds[i]};
        lane->subject = find_subject(results, kinds[i].layers[0].series, service, &subjects);
        if (subjects == 0)
            continue;
        say_whose(lane, service, subjects);
        for (uint32_t j = 0; j < results->variant_count; j++) {
            if (!read_panel(results, j, arena, lane))
                return false;
            most = fmax(most, lane->panels[j].most);
        }
        double headroom = kinds[i].has_alarms && has_alarms(results) ? ALARM_ROOM : 1;
        lane->ticks = plan_ticks(headroom * most);
        ++*count;
    }
    return true;
}
