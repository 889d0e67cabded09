/* fuzz_baseline.c: any bytes as a baseline: refused with a reason, or read and written alike, and
   compared with itself without a difference. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "guard/baseline.h"
#include "guard/rows.h"
#include "report/check_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The baseline as JSON, to be freed. */
static char *written(const struct baseline *baseline) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert(stream != NULL);
    bool done = baseline_write(baseline, stream);
    assert(fclose(stream) == 0 && done);
    return text;
}

/* Whatever a variant is called, every report of it can be written. */
static void report(const struct rows *rows) {
    static check_writer *const writers[] = {check_write_md,  check_write_json,   check_write_junit,
                                            check_write_tap, check_write_github, check_write_bench};
    struct storm_check_scenario scenario = {.file = "a.yaml",
                                            .name = "a.yaml",
                                            .state = STORM_BASELINE_FOUND,
                                            .row_count = rows->count,
                                            .rows = rows->list};
    const struct storm_check check = {.scenario_count = 1, .scenarios = &scenario};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert(stream != NULL);
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        assert(writers[i](&check, stream));
    }
    assert(check_write_text(&check, &(struct report_text){.color = true}, stream));
    fclose(stream);
    free(text);
}

static void compare(const struct baseline *baseline, struct arena *arena) {
    struct rows rows = {.usual = 0.01, .arena = arena};
    for (uint32_t s = 0; s < baseline->scenario_count; s++) {
        const struct baseline_scenario *scenario = &baseline->scenarios[s];
        for (uint32_t v = 0; v < scenario->variant_count; v++) {
            const struct baseline_variant *own = &scenario->variants[v];
            assert(baseline_variant(scenario, own->runs.name) == own);
            if (rows_add_differences(&rows, own, own) &&
                rows_add_differences(&rows, own, &scenario->variants[0])) {
                rows_add_lonely(&rows, STORM_FINDING_GONE, own->runs.name, NULL, NULL);
            }
        }
    }
    rows_sort(&rows);
    report(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena arena;
    struct storm_error error = {0};
    struct baseline baseline;
    arena_init(&arena, (size_t)64 << 20);
    if (!baseline_parse(&baseline, (const char *)data, size, &arena, &error)) {
        assert(error.status == STORM_INVALID || error.status == STORM_LIMIT);
        assert(error.message[0] != '\0');
    } else {
        char *first = written(&baseline);
        compare(&baseline, &arena);
        bool again = baseline_parse(&baseline, first, strlen(first), &arena, &error);
        assert(again || error.status == STORM_LIMIT);
        if (again) {
            char *second = written(&baseline);
            assert(strcmp(first, second) == 0);
            free(second);
        }
        free(first);
    }
    arena_free(&arena);
    return 0;
}
