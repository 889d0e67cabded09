/* fuzz_words.c: any text as one of the small languages of command lines and scenarios: what is
   varied, asked, wanted or allowed, numbers with units, instants. It is refused with a reason, or
   means something that can be used and printed. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <retrystorm/error.h>
#include <retrystorm/units.h>

#include "analysis/criterion.h"
#include "base/arena.h"
#include "base/timestamp.h"
#include "fuzz/fuzz.h"
#include "guard/tolerance.h"
#include "letters/filter.h"
#include "policy/hint.h"
#include "scenario/epoch.h"
#include "search/axis.h"

static void read_vary(const char *text) {
    struct storm_error error = {0};
    struct arena arena;
    struct axis axis;
    arena_init(&arena, (size_t)4 << 20);
    if (!axis_parse(text, &arena, &axis, &error)) {
        assert(error.message[0] != '\0');
    } else if (axis.is_range) {
        for (int i = 0; i <= 4; i++) {
            struct axis_value value = axis_at(&axis, i / 4.0, &arena);
            double again;
            assert(value.text != NULL);
            /* Ends of more than 15 digits are rounded to these. */
            assert(value.number >= axis.from * (1 - 1e-14));
            assert(value.number <= axis.to * (1 + 1e-14));
            assert(axis_number(value.text, &again) != AXIS_WORDS && again == value.number);
        }
    } else {
        assert(axis.count <= AXIS_VALUES_MAX);
    }
    arena_free(&arena);
}

static void read_until(const char *text) {
    struct storm_error error = {0};
    struct criterion criterion;
    if (!criterion_parse(text, &criterion, &error)) {
        assert(error.message[0] != '\0');
    } else {
        assert(criterion.name[0] != '\0' && isfinite(criterion.bound));
        assert(!criterion_holds(&criterion, (double)NAN));
    }
}

static void read_goal(const char *text) {
    struct storm_error error = {0};
    struct goal goal;
    assert(goal_parse(text, &goal, &error) ? goal.name[0] != '\0' : error.message[0] != '\0');
}

static void read_tolerance(const char *text) {
    struct storm_error error = {0};
    struct tolerances tolerances = tolerances_usual();
    if (!tolerances_add(&tolerances, text, &error)) {
        assert(error.message[0] != '\0');
    } else {
        assert(tolerances.usual >= 0);
        assert(tolerances.count == 0 || tolerances.list[0].share >= 0);
    }
}

static void read_numbers(const char *text) {
    double value;
    enum storm_unit unit;
    char fix[64], printed[32];
    for (int kind = STORM_UNIT_DURATION; kind <= STORM_UNIT_COUNT; kind++) {
        const char *wrong = storm_unit_parse(text, (enum storm_unit)kind, &value, fix, sizeof fix);
        assert(wrong != NULL ? memchr(fix, '\0', sizeof fix) != NULL : isfinite(value));
    }
    /* Beyond, numbers are printed with an exponent, which people need not write. */
    if (storm_number_parse(text, &value, &unit) == NULL && value < 1e15 && value > 1e-4) {
        double again;
        storm_double_print(value, printed, sizeof printed);
        assert(storm_number_parse(printed, &again, &unit) == NULL && again == value);
    }
}

static void read_instants(const char *text) {
    int64_t instant, again;
    storm_time hint;
    char printed[TIMESTAMP_SIZE];
    letter_instant_parse(text, &instant);
    if (epoch_parse(text, &instant)) {
        assert(epoch_parse(epoch_print(instant, printed), &again) && again == instant);
    }
    if (hint_parse(text, 0, &hint)) {
        assert(hint >= 0 && hint <= STORM_NEVER);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const readers[])(const char *) = {read_vary,      read_until,   read_goal,
                                                    read_tolerance, read_numbers, read_instants};
    char text[1024];
    size_t length = size < sizeof text ? size : sizeof text - 1;
    if (length > 0) {
        memcpy(text, data, length);
    }
    text[length] = '\0';
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        readers[i](text);
    }
    return 0;
}
