/* axis.c: one thing that is varied: a setting's path, and the values that it takes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/axis.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/units.h>

#include "base/arena.h"
#include "base/mathx.h"
#include "base/suggest.h"

enum { NUMBER_BYTES = 400, DIGITS = 4, DIGITS_EXACT = 15, QUOTED = 60 };

/* ---- numbers --------------------------------------------------------------------------------- */

/* How the numbers of a kind are written: `times` the number in base units, then `suffix`. */
static const struct kind {
    const char *unit, *noun, *suffix;
    enum storm_unit read_as;
    double times;
} kinds[] = {
    [AXIS_WORDS] = {NULL, "a word", "", STORM_UNIT_FACTOR, 1},
    [AXIS_DURATION] = {"s", "a duration", "", STORM_UNIT_DURATION, 1},
    [AXIS_RATE] = {"per s", "a rate", "/s", STORM_UNIT_RATE, 1},
    [AXIS_SHARE] = {"share", "a share", "%", STORM_UNIT_SHARE, 100},
    [AXIS_FACTOR] = {"x", "a factor", "x", STORM_UNIT_FACTOR, 1},
    [AXIS_NUMBER] = {"", "a number", "", STORM_UNIT_FACTOR, 1},
    [AXIS_WHOLE] = {"", "a whole number", "", STORM_UNIT_COUNT, 1},
};

const char *axis_unit(enum axis_kind kind) { return kinds[kind].unit; }

enum axis_kind axis_number(const char *text, double *number) {
    static const enum axis_kind order[] = {AXIS_DURATION, AXIS_RATE, AXIS_SHARE};
    assert(text != NULL && number != NULL);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (storm_unit_parse(text, kinds[order[i]].read_as, number, NULL, 0) == NULL) {
            return order[i];
        }
    }
    bool is_plain = text[strspn(text, "0123456789.")] == '\0';
    if ((!is_plain || strchr(text, '.') == NULL) &&
        storm_unit_parse(text, STORM_UNIT_COUNT, number, NULL, 0) == NULL) {
        return AXIS_WHOLE;
    }
    if (storm_unit_parse(text, STORM_UNIT_FACTOR, number, NULL, 0) == NULL) {
        return is_plain ? AXIS_NUMBER : AXIS_FACTOR;
    }
    *number = (double)NAN;
    return AXIS_WORDS;
}

/* The kind of which both are: without a unit all are alike, and a factor may lack its x.
   AXIS_WORDS: there is none. */
static enum axis_kind kind_of_both(enum axis_kind a, enum axis_kind b) {
    bool a_is_bare = a == AXIS_WHOLE || a == AXIS_NUMBER;
    bool b_is_bare = b == AXIS_WHOLE || b == AXIS_NUMBER;
    if (a == b) {
        return a;
    }
    if ((a == AXIS_FACTOR && b_is_bare) || (b == AXIS_FACTOR && a_is_bare)) {
        return AXIS_FACTOR;
    }
    return a_is_bare && b_is_bare ? AXIS_NUMBER : AXIS_WORDS;
}

/* Writes a number of at least 0 with so many significant digits, without an exponent and without
   zeros at its end: so numbers with a unit are read. */
static void write_decimal(double number, int digits, char buffer[NUMBER_BYTES]) {
    char scientific[64], figures[32] = "";
    int used = 0;
    assert(number >= 0 && number < HUGE_VAL && digits > 0 && digits < 20);
    snprintf(scientific, sizeof scientific, "%.*e", digits - 1, number);
    const char *mark = strchr(scientific, 'e');
    assert(mark != NULL);
    for (const char *c = scientific; c < mark; c++) { /* whatever the locale's point is */
        if (*c >= '0' && *c <= '9') {
            figures[used++] = *c;
        }
    }
    int whole = (int)strtol(mark + 1, NULL, 10) + 1; /* figures before the point */
    while (used > 1 && used > whole && figures[used - 1] == '0') {
        used--;
    }
    char *out = buffer;
    if (whole <= 0) {
        *out++ = '0';
    }
    for (int i = whole < 0 ? whole : 0; i < used || i < whole; i++) {
        if (i == whole) {
            *out++ = '.';
        }
        *out++ = i >= 0 && i < used ? figures[i] : '0';
    }
    *out = '\0';
    assert(out - buffer < NUMBER_BYTES);
}

/* A number of that kind in its own words, in so many digits; the number is what the text says. */
static struct axis_value print_value(enum axis_kind kind, double number, int digits,
                                     struct arena *arena) {
    char text[NUMBER_BYTES + 8];
    double read;
    write_decimal(number * kinds[kind].times, digits, text);
    if (kind == AXIS_DURATION) {
        bool is_read = storm_unit_parse(text, STORM_UNIT_FACTOR, &read, NULL, 0) == NULL;
        storm_time_print(storm_time_from_seconds(is_read ? read : number), text, sizeof text);
    } else {
        memcpy(text + strlen(text), kinds[kind].suffix, strlen(kinds[kind].suffix) + 1);
    }
    bool is_read = storm_unit_parse(text, kinds[kind].read_as, &read, NULL, 0) == NULL;
    return (struct axis_value){.text = arena_copy_string(arena, text, strlen(text)),
                               .number = is_read ? read : number};
}

struct axis_value axis_print(enum axis_kind kind, double number, struct arena *arena) {
    assert(kind != AXIS_WORDS);
    return kind == AXIS_WHOLE ? print_value(kind, floor(number + .5), DIGITS_EXACT, arena)
                              : print_value(kind, number, DIGITS, arena);
}

struct axis_value axis_at(const struct axis *axis, double u, struct arena *arena) {
    double from = axis->from, to = axis->to;
    assert(axis->is_range && u >= 0 && u <= 1);
    double number = axis->is_log ? from * mathx_pow(to / from, u) : from + u * (to - from);
    if (u > 0 && u < 1) {
        struct axis_value inner = axis_print(axis->kind, number, arena);
        if (inner.number > from && inner.number < to) {
            return inner;
        }
    }
    /* The ends are as they were written: rounding may not lead out of the range. */
    return print_value(axis->kind, u < .5 ? from : to, DIGITS_EXACT, arena);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* What is left to read, and where it goes. */
struct reading {
    const char *text; /* all of it, for errors */
    struct arena *arena;
    struct axis *axis;
    struct storm_error *error;
};

static const char example[] = "write PATH=1s..60s/log/10, PATH=100/s..300/s/5 or PATH=5,10,20";

static bool fail_reading(const struct reading *reading, const char *what, const char *hint) {
    storm_fail(reading->error, STORM_USAGE, "--vary %.*s: %s", QUOTED, reading->text, what);
    snprintf(reading->error->suggestion, sizeof reading->error->suggestion, "%s", hint);
    return false;
}

static bool fail_memory(const struct reading *reading) {
    return storm_fail(reading->error, STORM_LIMIT, "no memory for the values of '%.*s'", QUOTED,
                      reading->text);
}

/* Takes "/10" off the end of a text. False: it does not end so. */
static bool take_count(char *text, uint32_t *count) {
    char *slash = strrchr(text, '/');
    double number;
    if (slash == NULL || slash[1] < '0' || slash[1] > '9' ||
        storm_unit_parse(slash + 1, STORM_UNIT_COUNT, &number, NULL, 0) != NULL) {
        return false;
    }
    *count = number > AXIS_VALUES_MAX ? AXIS_VALUES_MAX + 1 : (uint32_t)number;
    *slash = '\0';
    return true;
}

/* Takes "/log" off the end of a text. */
static bool take_log(char *text) {
    size_t length = strlen(text);
    if (length < 4 || strcmp(text + length - 4, "/log") != 0) {
        return false;
    }
    text[length - 4] = '\0';
    return true;
}

/* Works out the steps of a range; those that print alike are one. */
static bool fill_steps(const struct reading *reading, uint32_t steps) {
    struct axis *axis = reading->axis;
    axis->values = arena_take_array(reading->arena, steps, sizeof *axis->values);
    if (axis->values == NULL) {
        return fail_memory(reading);
    }
    for (uint32_t i = 0; i < steps; i++) {
        struct axis_value value = axis_at(axis, (double)i / (steps - 1), reading->arena);
        if (value.text == NULL) {
            return fail_memory(reading);
        }
        if (axis->count == 0 || value.number != axis->values[axis->count - 1].number) {
            axis->values[axis->count++] = value;
        }
    }
    return true;
}

/* The ends of a range are two numbers alike, the smaller first. */
static bool check_ends(const struct reading *reading, enum axis_kind from, enum axis_kind to) {
    struct axis *axis = reading->axis;
    char what[STORM_MESSAGE_MAX];
    if (from == AXIS_WORDS || to == AXIS_WORDS) {
        return fail_reading(reading, "the ends of a range are two numbers with their units",
                            example);
    }
    axis->kind = kind_of_both(from, to);
    if (axis->kind == AXIS_WORDS) {
        snprintf(what, sizeof what, "one end is %s, the other %s", kinds[from].noun,
                 kinds[to].noun);
        return fail_reading(reading, what, "give both ends with their units, as in 0s..60s");
    }
    if (axis->from >= axis->to) {
        return fail_reading(reading, "a range goes from its smaller end to its greater one",
                            "write the smaller end first, as in 1s..60s");
    }
    if (axis->is_log && axis->from <= 0) {
        return fail_reading(reading, "steps by ratios cannot begin at 0",
                            "begin above 0, as in 1s..60s/log/10, or leave out /log");
    }
    return true;
}

/* Where a text goes on after the longest number that it begins with: "/lg/3" of "300/s/lg/3". NULL:
   it begins with none, or nothing follows. */
static const char *find_rest(const char *text) {
    const char *rest = NULL;
    char number[NUMBER_BYTES];
    double ignored;
    for (const char *slash = strchr(text, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        snprintf(number, sizeof number, "%.*s", (int)(slash - text), text);
        if (axis_number(number, &ignored) != AXIS_WORDS) {
            rest = slash;
        }
    }
    return rest;
}

/* Says which word behind a range, which begins at `rest`, is none that can stand there. */
static bool fail_rest(const struct reading *reading, const char *rest) {
    char word[QUOTED], what[STORM_MESSAGE_MAX], hint[STORM_MESSAGE_MAX];
    const char *begin = strncmp(rest, "/log/", 5) == 0 ? rest + 5 : rest + 1;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(begin, "/"), begin);
    snprintf(what, sizeof what,
             "'%s' (column %d) is neither 'log' nor, at the end, how many values", word,
             (int)(begin - reading->text) + 1);
    struct suggest suggest = suggest_begin(word);
    suggest_offer(&suggest, "log");
    bool is_near = suggest.best != NULL && strcmp(word, "log") != 0;
    return fail_reading(reading, what,
                        is_near ? suggest_hint(&suggest, hint, sizeof hint) : example);
}

/* FROM..TO with what may follow; `dots` is where the dots are. */
static bool read_range(const struct reading *reading, char *text, char *dots) {
    struct axis *axis = reading->axis;
    char *last = dots + 2;
    uint32_t steps = 0;
    bool has_count = take_count(last, &steps);
    axis->is_log = take_log(last);
    axis->is_range = true;
    *dots = '\0';
    enum axis_kind from = axis_number(text, &axis->from);
    enum axis_kind to = axis_number(last, &axis->to);
    const char *rest = find_rest(reading->text + (last - axis->path));
    if (from != AXIS_WORDS && to == AXIS_WORDS && rest != NULL) {
        return fail_rest(reading, rest);
    }
    if (!check_ends(reading, from, to)) {
        return false;
    }
    if (has_count && (steps < 2 || steps > AXIS_VALUES_MAX)) {
        return fail_reading(reading, "a range has from 2 to 10000 steps",
                            "write how many, as in 1s..60s/log/10");
    }
    return !has_count || fill_steps(reading, steps);
}

/* Where a value of a list ends: at the first comma that no bracket or quote encloses. */
static char *value_end(char *text) {
    int depth = 0;
    char quote = '\0';
    for (; *text != '\0'; text++) {
        if (quote != '\0') {
            quote = *text == quote ? '\0' : quote;
        } else if (*text == '"' || *text == '\'') {
            quote = *text;
        } else if (*text == '{' || *text == '[') {
            depth++;
        } else if (*text == '}' || *text == ']') {
            depth--;
        } else if (*text == ',' && depth <= 0) {
            break;
        }
    }
    return text;
}

/* Adds a value to the list, which has room for it. */
static bool add_value(const struct reading *reading, const char *text) {
    struct axis *axis = reading->axis;
    double number = (double)NAN;
    enum axis_kind kind = AXIS_WORDS;
    char what[STORM_MESSAGE_MAX];
    if (text[0] == '\0') {
        return fail_reading(reading, "a value of the list is empty", example);
    }
    if (strcmp(axis->path, "variant") != 0) {
        kind = axis_number(text, &number);
    }
    for (uint32_t i = 0; i < axis->count; i++) {
        if (strcmp(axis->values[i].text, text) == 0 || axis->values[i].number == number) {
            snprintf(what, sizeof what, "'%.*s' is listed twice", QUOTED, text);
            return fail_reading(reading, what, "list every value once");
        }
    }
    axis->kind = axis->count == 0 ? kind : kind_of_both(axis->kind, kind);
    axis->from = axis->count == 0 || number < axis->from ? number : axis->from;
    axis->to = axis->count == 0 || number > axis->to ? number : axis->to;
    axis->values[axis->count++] = (struct axis_value){text, number};
    return true;
}

/* VALUE,VALUE,...: words, as soon as one of them is no number or of another kind. */
static bool read_list(const struct reading *reading, char *text) {
    struct axis *axis = reading->axis;
    size_t most = 1;
    for (const char *c = text; *c != '\0'; c++) {
        most += *c == ',' ? 1 : 0;
    }
    if (most > AXIS_VALUES_MAX) {
        return fail_reading(reading, "at most 10000 values can be listed", example);
    }
    axis->values = arena_take_array(reading->arena, most, sizeof *axis->values);
    if (axis->values == NULL) {
        return fail_memory(reading);
    }
    bool is_last = false;
    while (!is_last) {
        char *end = value_end(text);
        is_last = *end == '\0';
        *end = '\0';
        if (!add_value(reading, text)) {
            return false;
        }
        text = end + 1;
    }
    if (axis->kind == AXIS_WORDS) {
        axis->from = axis->to = (double)NAN;
        for (uint32_t i = 0; i < axis->count; i++) {
            axis->values[i].number = (double)NAN;
        }
    }
    return true;
}

/* How often the world is run, and by which chance, is no part of it that a point could change. */
static bool check_path(const struct reading *reading) {
    const char *path = reading->axis->path;
    if (strcmp(path, "seed") == 0) {
        return fail_reading(reading, "all points have one seed, so that they meet the same luck",
                            "write --seed N for another, or --runs N to see more of it");
    }
    return strcmp(path, "runs") != 0 ||
           fail_reading(reading, "all points have as many runs", "write --runs N for how many");
}

bool axis_parse(const char *text, struct arena *arena, struct axis *axis,
                struct storm_error *error) {
    assert(text != NULL && arena != NULL && axis != NULL && error != NULL);
    struct reading reading = {text, arena, axis, error};
    *axis = (struct axis){.from = (double)NAN, .to = (double)NAN};
    char *copy = arena_copy_string(arena, text, strlen(text));
    if (copy == NULL) {
        return fail_memory(&reading);
    }
    char *equals = strchr(copy, '=');
    axis->path = copy;
    if (equals != NULL) {
        *equals = '\0';
    }
    if (copy[0] == '\0') {
        return fail_reading(&reading, "a path is missing", example);
    }
    if (!check_path(&reading)) {
        return false;
    }
    if (equals == NULL) {
        return true;
    }
    char *values = equals + 1;
    char *dots = strstr(values, "..");
    bool is_range =
        dots != NULL && values[0] >= '0' && values[0] <= '9' && *value_end(values) == '\0';
    return is_range ? read_range(&reading, values, dots) : read_list(&reading, values);
}
