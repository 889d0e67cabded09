/* test_orphans.c: timeouts above layers that retry: what a caller who left has set in motion goes
   on without him, or stops with him. Both counts are exact. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv.h"
#include "support/page.h"
#include "support/test.h"
#include "support/world.h"

enum { YAML_MAX = 4096, LAYERS_MAX = 4, REQUESTS = 7 };

/* Callers from the outermost one on; the last of them calls the leaf. */
struct stack {
    uint32_t attempts[LAYERS_MAX];
    double timeouts[LAYERS_MAX];
    int count;
};

/* What one run came to. */
struct sight {
    uint16_t leaf;
    double sent, cancelled, served; /* at the leaf */
    double dead, seconds;           /* requests, and the time that the last of them took */
};

static struct stack read_stack(const char *attempts, const char *timeouts) {
    struct stack stack = {0};
    for (char *a = (char *)(uintptr_t)attempts, *t = (char *)(uintptr_t)timeouts; *a != '\0';) {
        assert_true(stack.count < LAYERS_MAX);
        stack.attempts[stack.count] = (uint32_t)strtoul(a, &a, 10);
        stack.timeouts[stack.count++] = strtod(t, &t);
        a += *a == 'x';
        t += *t == '/';
    }
    return stack;
}

static int write_call(const struct stack *stack, int layer, const char *cancel, char *text,
                      size_t size) {
    return world_print(text, size,
                       "{to: s%d, timeout: %gs, cancel: %s, retry: {delay: no-backoff, "
                       "attempts: %u}}",
                       layer + 1, stack->timeouts[layer], cancel, stack->attempts[layer]);
}

/* The leaf hangs, or works for longer than the run. */
static struct world_case write_world(const struct stack *stack, const char *cancel, bool hangs) {
    char text[YAML_MAX], call[512];
    write_call(stack, 0, cancel, call, sizeof call);
    int used = world_print(text, sizeof text,
                           "version: 1\nduration: 200s\n"
                           "clients: {user: {count: %d, arrivals: {at: 0s}, calls: %s}}\n"
                           "services:\n",
                           REQUESTS, call);
    for (int i = 1; i < stack->count; i++) {
        write_call(stack, i, cancel, call, sizeof call);
        used += world_print(text + used, sizeof text - (size_t)used,
                            "  s%d: {workers: unlimited, calls: [%s]}\n", i, call);
    }
    used += world_print(text + used, sizeof text - (size_t)used,
                        "  s%d: {workers: unlimited, service_time: 1h}\n", stack->count);
    if (hangs) {
        world_print(text + used, sizeof text - (size_t)used,
                    "faults: [{service: s%d, kind: hang, at: 0s, for: 200s}]\n", stack->count);
    }
    return world_write(text);
}

static void see(void *context, const struct storm_fact *fact) {
    struct sight *sight = context;
    bool at_leaf = fact->place == sight->leaf;
    sight->sent += fact->kind == STORM_FACT_SENT && at_leaf;
    sight->cancelled += fact->kind == STORM_FACT_CANCELLED && at_leaf;
    sight->served += fact->kind == STORM_FACT_SERVED && at_leaf;
    if (fact->kind == STORM_FACT_DEAD) {
        sight->dead++;
        sight->seconds = storm_time_to_seconds(fact->time - fact->since);
    }
}

static struct sight live(const struct stack *stack, const char *cancel, bool hangs) {
    char name[8];
    world_print(name, sizeof name, "s%d", stack->count);
    struct world_case world = write_world(stack, cancel, hangs);
    struct sight sight = {.leaf = (uint16_t)world_service(&world, name)};
    struct storm_listener listener = {see, &sight};
    world_live(&world, 1, 0, &listener);
    assert_true(sight.dead == REQUESTS);
    assert_true(sight.served == 0);
    world_free(&world);
    return sight;
}

/* One row of the table, with a leaf that hangs and with one that works for ever. */
static void compare(struct page *page, const struct csv *truths, size_t row, bool hangs) {
    char system[128];
    struct stack stack =
        read_stack(csv_text(truths, row, "attempts"), csv_text(truths, row, "timeouts"));
    world_print(system, sizeof system, "%s attempts, timeouts %s s, leaf %s",
                csv_text(truths, row, "attempts"), csv_text(truths, row, "timeouts"),
                hangs ? "hangs" : "works for ever");
    struct sight all = live(&stack, "all", hangs), none = live(&stack, "none", hangs);
    double seconds = csv_number(truths, row, "seconds");
    page_add_exact(page, "timeouts, all below cancelled", system, "leaf attempts per request",
                   csv_number(truths, row, "cancelled"), all.sent / REQUESTS,
                   "min(a, ceil(T / d)) a layer");
    page_add_exact(page, "timeouts, all below cancelled", system, "seconds until it fails", seconds,
                   all.seconds, "sum of the outermost timeouts");
    page_add_exact(page, "timeouts, orphans go on", system, "leaf attempts per request",
                   csv_number(truths, row, "orphans"), none.sent / REQUESTS,
                   "product of the attempts");
    assert_true(none.seconds == seconds);
    assert_true(none.cancelled == 0);
    /* Nothing is left of what was cancelled; a leaf that hangs never had it. */
    assert_true(all.cancelled == (hangs ? 0 : all.sent));
}

static void orphans_multiply_and_cancelled_trees_do_not(void **state) {
    (void)state;
    struct csv truths = csv_read(STORM_SOURCE_DIR "/tests/data/orphans.csv");
    struct page page = page_begin(
        "orphans", "Timeouts above layers that retry",
        "A leaf never answers; each layer retries at once, with a timeout per attempt (outermost "
        "first). Seven requests at once, each of which behaves like this.");
    assert_true(truths.rows >= 8);
    for (size_t row = 0; row < truths.rows; row++) {
        compare(&page, &truths, row, true);
        compare(&page, &truths, row, false);
    }
    csv_free(&truths);
    page_end(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orphans_multiply_and_cancelled_trees_do_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
