/* test_reference.c: the pages made of tables say what the tables say. UPDATE=1 writes them anew. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/results.h>

#include "guide/reference.h"
#include "record/scope.h"
#include "support/world.h"

enum { PAGE_MAX = 1 << 17 };

static const char head[] =
    "# Metrics\n"
    "\n"
    "Every number that a run gives, made from `sim/record/metrics.def` by a test. SERVICE, QUEUE "
    "and "
    "LETTERS stand for the\n"
    "name of each service, message queue and dead-letter queue. What cannot occur in a scenario "
    "(it "
    "has no queue, nobody has a\n"
    "budget, nothing is replayed) is not listed for it. Success is *in time* where it says so; "
    "latencies are of every success,\n"
    "however late. Where runs may end in two ways, results show the median and the range instead "
    "of "
    "the mean.\n"
    "\n"
    "| metric | unit | better | may end in two ways | meaning |\n"
    "| --- | --- | --- | --- | --- |\n";

static const struct metric_row {
    const char *name;
    enum scope scope;
    const char *unit, *help;
    enum storm_better better;
    bool bimodal;
} rows[] = {
#define METRIC(name, scope, unit, better, bimodal, function, help)                                 \
    {#name, SCOPE_##scope, unit, help, STORM_BETTER_##better, bimodal},
#include "record/metrics.def"
#undef METRIC
};

static size_t print_row(char *page, size_t room, const struct metric_row *row, const char *behind) {
    static const char *const better[] = {"lower", "higher", "–"};
    return (size_t)world_print(page, room, "| `%s%s%s` | %s | %s | %s | %s |\n", row->name,
                               *behind != '\0' ? "." : "", behind, row->unit, better[row->better],
                               row->bimodal ? "yes" : "no", row->help);
}

static void write_page(char page[PAGE_MAX]) {
    size_t used = (size_t)world_print(page, PAGE_MAX, "%s", head);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].scope != SCOPE_REASON)
            used += print_row(page + used, PAGE_MAX - used, &rows[i], scope_word(rows[i].scope));
        for (uint32_t reason = STORM_REASON_NONE + 1;
             reason < STORM_REASON_COUNT && rows[i].scope == SCOPE_REASON; reason++)
            used += print_row(page + used, PAGE_MAX - used, &rows[i],
                              storm_reason_word((enum storm_reason)reason));
    }
}

/* Compares a page with its file, or writes the file. */
static void compare(const char *path, const char *page) {
    static char kept[PAGE_MAX];
    bool update = getenv("UPDATE") != NULL;
    FILE *file = fopen(path, update ? "w" : "r");
    assert_non_null(file);
    if (update) {
        fputs(page, file);
    } else {
        kept[fread(kept, 1, PAGE_MAX - 1, file)] = '\0';
    }
    fclose(file);
    assert_true(update || strcmp(page, kept) == 0); /* else: UPDATE=1, and read the difference */
}

static void the_page_of_metrics_is_the_table(void **state) {
    (void)state;
    static char page[PAGE_MAX];
    write_page(page);
    compare(STORM_SOURCE_DIR "/docs/metrics.md", page);
}

static void the_page_of_settings_is_the_tables(void **state) {
    (void)state;
    char *page = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);
    assert_non_null(out);
    reference_write(out);
    assert_int_equal(fclose(out), 0);
    assert_true(size > 10000 && size < PAGE_MAX);
    compare(STORM_SOURCE_DIR "/docs/scenario.md", page);
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_of_metrics_is_the_table),
                                       cmocka_unit_test(the_page_of_settings_is_the_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
