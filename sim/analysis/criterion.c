/* criterion.c: what is asked of the runs, in words, becomes a measure, a statistic and a bound. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/criterion.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/units.h>

static const char blanks[] = " \t";

static const char criterion_example[] =
    "write METRIC [STATISTIC] < BOUND, as in 'recovers >= 99%' or 'dead_letters p95 < 10'";
static const char goal_example[] =
    "write min or max, METRIC [STATISTIC], as in 'min time_to_recover'";

/* A piece of the text. */
struct span {
    const char *start;
    size_t length;
};

static bool refuse(struct storm_error *error, const char *example, const char *text,
                   const char *wrong) {
    storm_fail(error, STORM_USAGE, "'%.100s' %s", text, wrong);
    snprintf(error->suggestion, sizeof error->suggestion, "%s", example);
    return false;
}

/* Takes the next word off the front of what is left. Its length is 0 when there is none. */
static struct span take_word(struct span *left) {
    struct span word = *left;
    while (word.length > 0 && strchr(blanks, *word.start) != NULL) {
        word.start++;
        word.length--;
    }
    const char *end = word.start + word.length;
    for (size_t i = 0; i < word.length; i++) {
        if (strchr(blanks, word.start[i]) != NULL) {
            word.length = i;
        }
    }
    left->start = word.start + word.length;
    left->length = (size_t)(end - left->start);
    return word;
}

/* METRIC [STATISTIC], all of `left`. Returns NULL, or what is wrong. */
static const char *read_measure(struct span left, char *name, struct statistic *statistic) {
    struct span metric = take_word(&left), word = take_word(&left);
    *statistic = (struct statistic){.kind = STATISTIC_USUAL};
    if (metric.length == 0) {
        return "names no metric";
    }
    if (metric.length >= CRITERION_NAME_MAX) {
        return "has too long a name";
    }
    if (word.length > 0 && !statistic_parse(word.start, word.length, statistic)) {
        return "has an unknown statistic: mean, median, min, max or a percentile such as p95";
    }
    if (take_word(&left).length > 0) {
        return "has a word too many";
    }
    snprintf(name, CRITERION_NAME_MAX, "%.*s", (int)metric.length, metric.start);
    return NULL;
}

/* A number whose unit says what it is. Returns NULL, or what is wrong. */
static const char *read_bound(struct span left, struct criterion *criterion) {
    char text[64];
    struct span number = take_word(&left);
    if (number.length == 0) {
        return "has no bound";
    }
    if (take_word(&left).length > 0 || number.length >= sizeof text) {
        return "has a bound that is no number such as 99%, 30s, 45/s, 2x or 10";
    }
    snprintf(text, sizeof text, "%.*s", (int)number.length, number.start);
    return storm_number_parse(text, &criterion->bound, &criterion->unit) == NULL
               ? NULL
               : "has a bound that is no number such as 99%, 30s, 45/s, 2x or 10";
}

/* Loads are measured per second and, as another metric, in multiples of the capacity. */
static void mean_capacity(char *name) {
    static const char load[] = "peak_load";
    size_t length = strlen(load);
    char place[CRITERION_NAME_MAX];
    if (strncmp(name, load, length) == 0 && (name[length] == '\0' || name[length] == '.')) {
        snprintf(place, sizeof place, "%s", name + length);
        snprintf(name, CRITERION_NAME_MAX, "%s_capacity%.100s", load, place);
    }
}

bool criterion_parse(const char *text, struct criterion *criterion, struct storm_error *error) {
    assert(text != NULL && criterion != NULL);
    size_t before = strcspn(text, "<>");
    const char *sign = text + before;
    if (*sign == '\0') {
        return refuse(error, criterion_example, text, "compares nothing");
    }
    bool less = *sign == '<', equal = sign[1] == '=';
    const char *rest = sign + 1 + equal;
    criterion->relation = less ? (equal ? RELATION_AT_MOST : RELATION_LESS)
                               : (equal ? RELATION_AT_LEAST : RELATION_MORE);
    const char *wrong =
        read_measure((struct span){text, before}, criterion->name, &criterion->statistic);
    if (wrong == NULL) {
        wrong = read_bound((struct span){rest, strlen(rest)}, criterion);
    }
    if (wrong != NULL) {
        return refuse(error, criterion_example, text, wrong);
    }
    if (criterion->unit == STORM_UNIT_FACTOR) {
        mean_capacity(criterion->name);
    }
    return true;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The unit that bounds of a metric have, and one of them. */
static enum storm_unit unit_of(const char *metric_unit, const char **sample) {
    static const struct {
        const char *end, *sample;
        enum storm_unit unit;
    } kinds[] = {{"share", "99%", STORM_UNIT_SHARE},
                 {"/s", "45/s", STORM_UNIT_RATE},
                 {"/request", "2x", STORM_UNIT_FACTOR},
                 {"capacity", "2x", STORM_UNIT_FACTOR},
                 {"Poisson", "2x", STORM_UNIT_FACTOR}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (ends_with(metric_unit, kinds[i].end)) {
            *sample = kinds[i].sample;
            return kinds[i].unit;
        }
    }
    bool is_time = strcmp(metric_unit, "s") == 0 || ends_with(metric_unit, " s");
    *sample = is_time ? "30s" : "10";
    return is_time ? STORM_UNIT_DURATION : STORM_UNIT_COUNT;
}

bool criterion_fits(const struct criterion *criterion, const struct measure *measure,
                    struct storm_error *error) {
    const char *sample;
    enum storm_unit unit = unit_of(measure->unit, &sample);
    bool is_plain =
        criterion->unit == STORM_UNIT_COUNT && (unit != STORM_UNIT_SHARE || criterion->bound <= 1);
    if (is_plain || criterion->unit == unit) {
        return true;
    }
    storm_fail(error, STORM_USAGE, "'%s' is measured in %s, and its bound is not", criterion->name,
               unit == STORM_UNIT_SHARE ? "%" : measure->unit);
    snprintf(error->suggestion, sizeof error->suggestion, "write a bound such as %s", sample);
    return false;
}

bool goal_parse(const char *text, struct goal *goal, struct storm_error *error) {
    assert(text != NULL && goal != NULL);
    struct span left = {text, strlen(text)};
    struct span word = take_word(&left);
    goal->is_max = word.length == 3 && strncmp(word.start, "max", 3) == 0;
    bool is_min = word.length == 3 && strncmp(word.start, "min", 3) == 0;
    const char *wrong = goal->is_max || is_min ? read_measure(left, goal->name, &goal->statistic)
                                               : "says neither min nor max";
    return wrong == NULL || refuse(error, goal_example, text, wrong);
}

bool criterion_holds(const struct criterion *criterion, double value) {
    if (isnan(value)) {
        return false;
    }
    switch (criterion->relation) {
    case RELATION_LESS:
        return value < criterion->bound;
    case RELATION_AT_MOST:
        return value <= criterion->bound;
    case RELATION_MORE:
        return value > criterion->bound;
    case RELATION_AT_LEAST:
        return value >= criterion->bound;
    }
    assert(false && "a relation");
    return false;
}

const char *relation_word(enum relation relation) {
    static const char *const words[] = {"<", "<=", ">", ">="};
    assert(relation <= RELATION_AT_LEAST);
    return words[relation];
}
