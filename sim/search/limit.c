/* limit.c: finds the value of one setting at which a criterion changes side. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants of a search:
   1. No number is read twice: the readings differ in their numbers.
   2. The two ends of a bracket have been read, and the criterion is on different sides there.
   3. A bracket only ever shrinks. */

#include "search/limit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/evidence.h"
#include "base/arena.h"

/* Ten doublings and as many halvings are a factor of a million. */
enum { READINGS_MAX = 128, DOUBLINGS_MAX = 10, STEPS_MAX = 60, LOOKS_MAX = 32, EIGHTHS = 8 };

/* A criterion that has no number in so many runs has none at that value. */
enum { RUNS_WITHOUT_VALUE = 10 };

static const double error_rate = 0.05;

struct search {
    const struct limit_plan *plan;
    const struct limit_source *source;
    struct arena *arena;
    struct storm_error *error;
    double *values; /* [runs_max], of the runs at one value */
    uint32_t count;
    struct storm_limit_reading readings[READINGS_MAX]; /* in the order in which they were made */
};

/* Two readings on different sides; NULL, NULL: there is none. */
struct bracket {
    const struct storm_limit_reading *low, *high;
};

/* ---- one value ------------------------------------------------------------------------------- */

/* How many runs there are at a value when it is looked at next. */
static uint32_t next_look(uint32_t runs, uint32_t runs_max) {
    uint32_t next = runs < 10 ? 10 : runs < 25 ? 25 : 2 * runs;
    return next < runs_max ? next : runs_max;
}

static int count_looks(const struct limit_plan *plan) {
    int looks = 1;
    for (uint32_t runs = plan->runs; runs < plan->runs_max; looks++) {
        runs = next_look(runs, plan->runs_max);
    }
    assert(looks < LOOKS_MAX);
    return looks;
}

/* Adds runs until they tell. */
static enum limit_reply take_evidence(struct search *search, const struct axis_value *value,
                                      struct storm_evidence *evidence) {
    const struct limit_plan *plan = search->plan;
    uint32_t runs = plan->runs;
    for (int left = count_looks(plan); left > 0; left--) {
        bool is_alike = false;
        enum limit_reply reply = search->source->runs(search->source->context, value, runs,
                                                      search->values, &is_alike, search->error);
        if (reply != LIMIT_RUNS) {
            return reply;
        }
        double alpha = error_rate / (double)(UINT64_C(1) << left);
        *evidence = evidence_of(&plan->criterion, &plan->measure, search->values, runs, alpha);
        evidence->is_alike = is_alike;
        evidence->is_proven = (evidence->is_proven || is_alike) && evidence->runs > 0;
        bool is_hopeless = evidence->runs == 0 && (is_alike || runs >= RUNS_WITHOUT_VALUE);
        if (evidence->is_proven || is_hopeless) {
            break;
        }
        runs = next_look(runs, plan->runs_max);
    }
    return evidence->runs > 0 ? LIMIT_RUNS : LIMIT_REFUSED;
}

static struct storm_limit_reading *find_reading(struct search *search, double number) {
    for (uint32_t i = 0; i < search->count; i++) {
        const struct storm_limit_reading *reading = &search->readings[i];
        if (reading->number <= number && reading->number >= number) {
            return &search->readings[i];
        }
    }
    return NULL;
}

/* The reading of a value, made if need be (1). NULL after filling the error. */
static const struct storm_limit_reading *read_value(struct search *search,
                                                    struct axis_value value) {
    struct storm_limit_reading *reading =
        value.text != NULL ? find_reading(search, value.number) : NULL;
    if (reading != NULL) {
        return reading;
    }
    if (value.text == NULL || search->count == READINGS_MAX) {
        storm_fail(search->error, STORM_LIMIT, "no memory for one more value");
        return NULL;
    }
    reading = &search->readings[search->count];
    *reading = (struct storm_limit_reading){.label = value.text, .number = value.number};
    enum limit_reply reply = take_evidence(search, &value, &reading->evidence);
    if (reply == LIMIT_FAILED) {
        return NULL;
    }
    reading->is_refused = reply == LIMIT_REFUSED;
    search->count++;
    return reading;
}

static const struct storm_limit_reading *read_number(struct search *search, double number) {
    return read_value(search, axis_print(search->plan->kind, number, search->arena));
}

static bool differ(const struct storm_limit_reading *a, const struct storm_limit_reading *b) {
    return !a->is_refused && !b->is_refused && a->evidence.holds != b->evidence.holds;
}

/* ---- a first bracket ------------------------------------------------------------------------- */

/* One of the two ways from the start. */
struct way {
    double factor;
    const struct storm_limit_reading *last;
    bool is_closed;
    struct bracket bracket;
};

/* One step on a way. False after filling the error. */
static bool go_on(struct search *search, struct way *way) {
    if (way->is_closed) {
        return true;
    }
    const struct storm_limit_reading *next = read_number(search, way->last->number * way->factor);
    if (next == NULL) {
        return false;
    }
    way->is_closed = next->is_refused || next == way->last;
    if (differ(way->last, next)) {
        way->bracket =
            way->factor > 1 ? (struct bracket){way->last, next} : (struct bracket){next, way->last};
        way->is_closed = true;
    }
    way->last = next;
    return true;
}

/* Doubles and halves until the criterion changes side. Where it does both ways at once, upwards is
   taken: the other way is among the readings. */
static bool bracket_from_start(struct search *search, struct bracket *bracket) {
    const struct storm_limit_reading *start = read_number(search, search->plan->start);
    if (start == NULL) {
        return false;
    }
    if (start->is_refused) {
        return storm_fail(search->error, STORM_INVALID,
                          "'%.100s' has no value in any run of the scenario as it stands",
                          search->plan->criterion.name);
    }
    struct way up = {.factor = 2, .last = start}, down = {.factor = 0.5, .last = start};
    for (int i = 0; i < DOUBLINGS_MAX && bracket->low == NULL; i++) {
        if (!go_on(search, &down) || !go_on(search, &up)) {
            return false;
        }
        *bracket = up.bracket.low != NULL ? up.bracket : down.bracket;
    }
    return true;
}

/* Reads the ends of a range, and where they are on the same side, seven values within. */
static bool bracket_in_range(struct search *search, struct bracket *bracket) {
    static const int order[EIGHTHS - 1] = {4, 2, 6, 1, 3, 5, 7};
    const struct storm_limit_reading *eighths[EIGHTHS + 1] = {NULL};
    eighths[0] = read_value(search, axis_at(search->plan->axis, 0, search->arena));
    eighths[EIGHTHS] = eighths[0] != NULL
                           ? read_value(search, axis_at(search->plan->axis, 1, search->arena))
                           : NULL;
    if (eighths[EIGHTHS] == NULL) {
        return false;
    }
    if (eighths[0]->is_refused || eighths[EIGHTHS]->is_refused) {
        return storm_fail(search->error, STORM_INVALID, "'%.100s' has no value in any run at %s",
                          search->plan->criterion.name,
                          eighths[0]->is_refused ? eighths[0]->label : eighths[EIGHTHS]->label);
    }
    if (differ(eighths[0], eighths[EIGHTHS])) {
        *bracket = (struct bracket){eighths[0], eighths[EIGHTHS]};
        return true;
    }
    for (int i = 0; i < EIGHTHS - 1; i++) {
        int at = order[i], before = at - 1;
        eighths[at] =
            read_value(search, axis_at(search->plan->axis, (double)at / EIGHTHS, search->arena));
        if (eighths[at] == NULL) {
            return false;
        }
        if (differ(eighths[0], eighths[at])) {
            while (eighths[before] == NULL) {
                before--;
            }
            *bracket = (struct bracket){eighths[before], eighths[at]};
            return true;
        }
    }
    return true;
}

/* ---- bisection ------------------------------------------------------------------------------- */

static bool is_narrow(const struct limit_plan *plan, const struct bracket *bracket) {
    double low = bracket->low->number, high = bracket->high->number;
    double largest = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    return high - low <= plan->precision * largest || (plan->kind == AXIS_WHOLE && high - low <= 1);
}

static double middle_of(const struct limit_plan *plan, const struct bracket *bracket) {
    double low = bracket->low->number, high = bracket->high->number;
    return plan->axis->is_log ? sqrt(low * high) : low + (high - low) / 2;
}

static bool bisect(struct search *search, struct bracket *bracket) {
    for (int step = 0; step < STEPS_MAX && !is_narrow(search->plan, bracket); step++) {
        assert(differ(bracket->low, bracket->high)); /* (2) */
        struct axis_value value =
            axis_print(search->plan->kind, middle_of(search->plan, bracket), search->arena);
        bool is_within =
            value.number > bracket->low->number && value.number < bracket->high->number;
        if (value.text != NULL && !is_within) {
            break; /* as near as values are written */
        }
        const struct storm_limit_reading *reading = read_value(search, value);
        if (reading == NULL) {
            return false;
        }
        if (reading->is_refused) {
            return storm_fail(search->error, STORM_INVALID,
                              "'%.100s' has no value in any run at %s",
                              search->plan->criterion.name, reading->label);
        }
        *(differ(bracket->low, reading) ? &bracket->high : &bracket->low) = reading; /* (3) */
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int compare_readings(const void *left, const void *right) {
    const struct storm_limit_reading *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

static uint32_t index_of(const struct storm_limit *limit, double number) {
    uint32_t index = 0;
    while (limit->readings[index].number < number) {
        index++;
        assert(index < limit->reading_count);
    }
    return index;
}

/* Times that the criterion changes side along the readings that could be made. */
static uint32_t count_changes(const struct storm_limit *limit) {
    const struct storm_limit_reading *last = NULL;
    uint32_t changes = 0;
    for (uint32_t i = 0; i < limit->reading_count; i++) {
        const struct storm_limit_reading *reading = &limit->readings[i];
        if (!reading->is_refused) {
            changes += last != NULL && differ(last, reading);
            last = reading;
        }
    }
    return changes;
}

/* The first proven reading of a side, from index `from` on in steps of +-1. */
static uint32_t find_proven(const struct storm_limit *limit, uint32_t from, bool upwards) {
    bool holds = limit->readings[from].evidence.holds;
    uint32_t step = upwards ? 1 : UINT32_MAX;
    for (uint32_t i = from; i < limit->reading_count; i += step) {
        const struct storm_limit_reading *reading = &limit->readings[i];
        if (!reading->is_refused && reading->evidence.holds != holds) {
            break;
        }
        if (reading->evidence.is_proven) {
            return i;
        }
    }
    return STORM_LIMIT_NONE;
}

static bool tell(struct search *search, const struct bracket *bracket, struct storm_limit *limit) {
    struct storm_limit_reading *sorted =
        arena_take_array(search->arena, READINGS_MAX, sizeof *sorted);
    if (sorted == NULL) {
        return storm_fail(search->error, STORM_LIMIT, "no memory for the values that were tried");
    }
    memcpy(sorted, search->readings, search->count * sizeof *sorted);
    qsort(sorted, search->count, sizeof *sorted, compare_readings);
    limit->readings = sorted;
    limit->reading_count = search->count;
    limit->changes = count_changes(limit);
    limit->sure_before = limit->sure_beyond = STORM_LIMIT_NONE;
    if (bracket->low != NULL) {
        uint32_t low = index_of(limit, bracket->low->number);
        uint32_t high = index_of(limit, bracket->high->number);
        bool low_holds = sorted[low].evidence.holds;
        limit->before = low_holds ? high : low;
        limit->beyond = low_holds ? low : high;
        limit->sure_before = find_proven(limit, limit->before, low_holds);
        limit->sure_beyond = find_proven(limit, limit->beyond, !low_holds);
    }
    return true;
}

bool limit_find(const struct limit_plan *plan, const struct limit_source *source,
                struct arena *arena, struct storm_limit *limit, struct storm_error *error) {
    assert(plan->precision > 0 && plan->runs > 0 && plan->runs <= plan->runs_max);
    struct search *search = arena_take(arena, sizeof *search);
    double *values = arena_take_array(arena, plan->runs_max, sizeof *values);
    struct bracket bracket = {NULL, NULL};
    limit->end = STORM_LIMIT_STOPPED;
    limit->confidence = 1 - error_rate;
    if (search == NULL || values == NULL) {
        return storm_fail(error, STORM_LIMIT, "no memory for the values of %u runs",
                          plan->runs_max);
    }
    *search = (struct search){
        .plan = plan, .source = source, .arena = arena, .error = error, .values = values};
    bool good = plan->axis->is_range ? bracket_in_range(search, &bracket)
                                     : bracket_from_start(search, &bracket);
    good = good && (bracket.low == NULL || bisect(search, &bracket));
    if (!tell(search, &bracket, limit) || !good) {
        return false;
    }
    limit->end = bracket.low != NULL ? STORM_LIMIT_FOUND : STORM_LIMIT_NEVER;
    return true;
}

/* ---- runs of a probe ------------------------------------------------------------------------- */

enum limit_reply limit_probe_runs(void *context, const struct axis_value *value, uint32_t runs,
                                  double *values, bool *is_alike, struct storm_error *error) {
    const struct limit_probe *source = context;
    struct probe_point point = {.sets = {{source->plan->axis->path, value->text}}, .set_count = 1};
    struct storm_errors *errors = source->errors;
    const struct storm_variant *variant = probe_runs(source->probe, &point, runs, errors, error);
    if (variant == NULL) {
        /* A search that begins at a start learns where the setting's own bounds are. */
        bool is_bound = errors->count > 0 && !source->plan->axis->is_range;
        *errors = is_bound ? (struct storm_errors){0} : *errors;
        return is_bound ? LIMIT_REFUSED : LIMIT_FAILED;
    }
    struct storm_variant first = *variant;
    assert(variant->runs_done >= runs);
    first.runs_done = runs;
    measure_values(&first, &source->plan->measure, values);
    *is_alike = probe_is_alike(source->probe, &point);
    return LIMIT_RUNS;
}
