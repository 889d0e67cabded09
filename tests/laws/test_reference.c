/* test_reference.c: the pages made of tables say what the tables say. UPDATE=1 writes them anew. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/run.h>

#include "guide/reference.h"
#include "support/world.h"

enum { PAGE_MAX = 1 << 17 };

static const char head[] = "# Metrics\n"
                           "\n"
                           "Every number that a run gives, made from `sim/record/metrics.def` by a "
                           "test. SERVICE stands for the name of each\n"
                           "service. Success is *in time* where it says so; latencies are of every "
                           "success, however late. Where runs may end in\n"
                           "two ways, results show the median and the range instead of the mean.\n"
                           "\n"
                           "| metric | unit | better | may end in two ways | meaning |\n"
                           "| --- | --- | --- | --- | --- |\n";

static const char world[] =
    "version: 1\nduration: 60s\n"
    "clients: {web: {count: 1, arrivals: {even: 1/s}, calls: {to: SERVICE}}}\n"
    "services: {SERVICE: {workers: 1}}\n";

static void write_page(char page[PAGE_MAX]) {
    static const char *const better[] = {"lower", "higher", "–"};
    struct world_case w = world_write(world);
    struct arena arena;
    uint32_t count;
    arena_init(&arena, 1 << 20);
    const struct storm_metric *metrics = storm_run_metrics(w.scenario, &arena, &count);
    size_t used = (size_t)world_print(page, PAGE_MAX, "%s", head);
    for (uint32_t i = 0; i < count; i++) {
        used += (size_t)world_print(page + used, PAGE_MAX - used, "| `%s` | %s | %s | %s | %s |\n",
                                    metrics[i].name, metrics[i].unit, better[metrics[i].better],
                                    metrics[i].bimodal ? "yes" : "no", metrics[i].help);
    }
    arena_free(&arena);
    world_free(&w);
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
