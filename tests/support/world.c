/* world.c: a scenario from YAML text or from a file, and its runs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/world.h"

#include <assert.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define ARENA_LIMIT ((size_t)1 << 30)

/* Prints the reader's complaints and fails. */
static void complain(struct storm_document *document, const struct storm_errors *errors,
                     const char *text, size_t length) {
    char *printed = storm_errors_print(errors, "scenario", text, length);
    print_error("%s\n", printed != NULL ? printed : "no memory");
    free(printed);
    storm_document_free(document);
    fail_msg("%s", "the scenario of this test cannot be read");
}

static struct world_case decode(struct storm_document *document, const char *variant,
                                const struct storm_override *sets, size_t set_count) {
    struct world_case world = {.document = document};
    struct storm_errors errors = {0};
    size_t length;
    world.scenario = storm_document_decode(document, variant, sets, set_count, &errors);
    if (world.scenario == NULL) {
        const char *text = storm_document_text(document, &length);
        complain(document, &errors, text, length);
    }
    arena_init(&world.arena, ARENA_LIMIT);
    return world;
}

struct world_case world_write(const char *text) {
    struct storm_errors errors = {0};
    struct storm_document *document = storm_document_parse(text, strlen(text), &errors);
    if (document == NULL) {
        complain(NULL, &errors, text, strlen(text));
    }
    return decode(document, NULL, NULL, 0);
}

struct world_case world_read(const char *name, const char *variant,
                             const struct storm_override *sets, size_t set_count) {
    char path[512];
    struct storm_errors errors = {0};
    world_print(path, sizeof path, "%s/scenarios/%s", STORM_SOURCE_DIR, name);
    struct storm_document *document = storm_document_read(path, &errors);
    if (document == NULL) {
        complain(NULL, &errors, NULL, 0);
    }
    return decode(document, variant, sets, set_count);
}

void world_free(struct world_case *world) {
    arena_free(&world->arena);
    storm_document_free(world->document);
    *world = (struct world_case){0};
}

/* Thousands of runs take and give back the same memory: the C library keeps it, as in the
   program. */
static void keep_memory(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

void world_live(struct world_case *world, uint64_t seed, uint32_t run,
                const struct storm_listener *also) {
    struct storm_run_options options = {.seed = seed, .run = run};
    struct storm_error error = {0};
    if (also != NULL) {
        options.also = *also;
    }
    keep_memory();
    arena_free(&world->arena);
    arena_init(&world->arena, ARENA_LIMIT);
    world->metrics = storm_run_metrics(world->scenario, &world->arena, &world->metric_count);
    assert_non_null(world->metrics);
    if (!storm_run(world->scenario, &options, &world->arena, &world->result, &error)) {
        fail_msg("the run failed: %s", error.message);
    }
}

double world_metric(const struct world_case *world, const char *name) {
    assert(world->metrics != NULL); /* only after a run */
    for (uint32_t i = 0; i < world->metric_count; i++) {
        if (strcmp(world->metrics[i].name, name) == 0) {
            return world->result.metrics[i];
        }
    }
    fail_msg("there is no metric '%s'", name);
    return 0;
}

uint32_t world_service(const struct world_case *world, const char *name) {
    for (uint32_t i = 0; i < world->scenario->service_count; i++) {
        if (strcmp(world->scenario->services[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("there is no service '%s'", name);
    return STORM_NONE;
}

int world_print(char *buffer, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < size);
    return length;
}
