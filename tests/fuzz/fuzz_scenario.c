/* fuzz_scenario.c: any bytes as a scenario: no crash, no hang, every error printable. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The input up to its first NUL is the file; behind it may follow one override, "path=value". An
   input that begins with "time," is a series instead. Series that a scenario names are looked for
   in the folder of the seeds, so that the fuzzer meets one that is there. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include <retrystorm/load.h>
#include <retrystorm/results.h>

#include "base/arena.h"
#include "fuzz/fuzz.h"
#include "scenario/series.h"

/* Messages go to terminals and into JSON, so they must be UTF-8 whatever the file was. */
static void text_check(const char *text) {
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    assert(text != NULL);
    while (*at != 0) {
        utf8proc_int32_t point;
        utf8proc_ssize_t taken = utf8proc_iterate(at, -1, &point);
        assert(taken > 0);
        assert(point >= 0x20 || point == '\n');
        at += taken;
    }
}

static void errors_check(const struct storm_errors *errors, const char *text, size_t length) {
    char *printed = storm_errors_print(errors, "fuzz.yaml", text, length);
    text_check(printed);
    free(printed);
    for (int i = 1; i < errors->count && i < STORM_ERRORS_MAX; i++) {
        const struct storm_error *before = &errors->list[i - 1];
        assert(errors->list[i].line == 0 || before->line <= errors->list[i].line);
    }
}

static void decode_check(struct storm_document *document, const char *variant,
                         const struct storm_override *set, size_t set_count) {
    struct storm_errors errors = {.count = 0};
    const struct storm_scenario *scenario =
        storm_document_decode(document, variant, set, set_count, &errors);
    assert((scenario == NULL) == (errors.count > 0));
    size_t length;
    const char *text = storm_document_text(document, &length);
    errors_check(&errors, text, length);
    if (scenario == NULL)
        return;
    const struct storm_setting *settings;
    size_t count = storm_document_settings(document, scenario, &settings);
    assert(count > 0);
    for (size_t i = 0; i < count; i++)
        text_check(settings[i].value);
}

/* A series: its points are in order, or its error can be printed. */
static void series_check(const char *text, size_t length) {
    struct arena arena;
    const struct storm_rate_point *points = NULL;
    char wrong[128] = "";
    arena_init(&arena, (size_t)1 << 26);
    uint32_t count = series_parse(&arena, text, length, &points, wrong, sizeof wrong);
    assert((count > 0) == (wrong[0] == '\0'));
    for (uint32_t i = 0; i < count; i++) {
        assert(points[i].at >= 0 && points[i].rate >= 0);
        assert(i == 0 || points[i - 1].at < points[i].at);
    }
    text_check(wrong);
    arena_free(&arena);
}

/* The override behind the first NUL; false when there is none. The caller frees `copy`. */
static bool override_take(const uint8_t *data, size_t size, char **copy,
                          struct storm_override *set) {
    *copy = calloc(1, size + 1);
    assert(*copy != NULL);
    if (size == 0)
        return false;
    memcpy(*copy, data, size);
    char *equals = strchr(*copy, '=');
    if (equals == NULL)
        return false;
    *equals = '\0';
    *set = (struct storm_override){*copy, equals + 1};
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    if (size >= 5 && memcmp(text, "time,", 5) == 0) {
        series_check(text, size);
        return 0;
    }
    const uint8_t *end = size == 0 ? NULL : memchr(data, 0, size);
    size_t length = end == NULL ? size : (size_t)(end - data);
    size_t rest = end == NULL ? 0 : size - length - 1;
    struct storm_override set;
    char *copy;
    size_t set_count = override_take(end == NULL ? data : end + 1, rest, &copy, &set) ? 1 : 0;
    struct storm_errors errors = {.count = 0};
    struct storm_document *document = storm_document_parse(text, length, &errors);
    assert((document == NULL) == (errors.count > 0));
    errors_check(&errors, text, length);
    if (document != NULL)
        storm_document_locate(document, "tests/fuzz/scenarios/");
    size_t variants = document == NULL ? 0 : storm_document_variant_count(document);
    for (size_t i = 0; document != NULL && i <= variants && i < 8; i++) {
        const char *variant = i == 0 ? NULL : storm_document_variant_name(document, i - 1);
        decode_check(document, variant, &set, 0);
        decode_check(document, variant, &set, set_count);
    }
    storm_document_free(document);
    free(copy);
    return 0;
}
