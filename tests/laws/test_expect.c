/* test_expect.c: what the shipped scenarios promise under `expect:` holds. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>

#include "base/arena.h"
#include "guard/bounds.h"
#include "guard/check.h"
#include "guard/subject.h"

/* Runs of each variant; a full test makes as many as the scenario says. */
enum { RUNS = 2 };

static void check_file(const char *file) {
    struct storm_errors errors = {0};
    struct storm_error error;
    struct arena arena;
    struct tolerances tolerances = tolerances_usual();
    struct baseline_scenario made;
    struct storm_check_scenario found;
    struct storm_document *document = storm_document_read(file, &errors);
    assert_int_equal(errors.count, 0);
    arena_init(&arena, (size_t)1 << 30);
    const char *name = strrchr(file, '/') + 1;
    struct subject subject = {.file = name, .name = name};
    assert_true(subject_decode(&subject, document, &arena, &errors));
    assert_true(bounds_known(&subject, &errors));
    const struct storm_scenario *first = subject.variants[0].scenario;
    const struct batch_rules rules = {.seed = first->seed};
    bool is_full = getenv("STORM_FULL") != NULL;
    subject.seed = first->seed;
    subject.runs = is_full || first->runs < RUNS ? first->runs : (uint32_t)RUNS;
    assert_true(subject_run(&subject, &rules, &arena, &made, &error));
    assert_true(check_judge(&subject, &made, NULL, &tolerances, &arena, &found));
    assert_true(found.row_count > 0); /* every scenario promises something */
    for (uint32_t i = 0; i < found.row_count; i++) {
        const struct storm_check_row *row = &found.rows[i];
        printf("%s, %s: %s is %g\n", subject.name, row->variant, row->metric, row->now);
        assert_int_equal(row->finding, STORM_FINDING_KEPT);
    }
    arena_free(&arena);
    storm_document_free(document);
}

static void every_scenario_keeps_its_promises(void **state) {
    (void)state;
    glob_t files;
    assert_int_equal(glob(STORM_SOURCE_DIR "/scenarios/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        check_file(files.gl_pathv[i]);
    }
    globfree(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scenario_keeps_its_promises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
