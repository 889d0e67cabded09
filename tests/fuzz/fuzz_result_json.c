/* fuzz_result_json.c: any bytes as a result file: refused with a reason, or read and written
   alike. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The results as JSON, to be freed. */
static char *written(const struct storm_results *results) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert(stream != NULL);
    bool done = report_write_json(results, stream);
    assert(fclose(stream) == 0 && done);
    return text;
}

/* What can be read can be shown in every form. */
static void show(const struct storm_results *results) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert(stream != NULL);
    assert(report_write_csv(results, stream));
    assert(report_write_text_full(results, &(struct report_text){.color = true}, stream));
    fclose(stream);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena arena;
    struct storm_error error = {0};
    arena_init(&arena, (size_t)64 << 20);
    struct storm_results *results = report_parse_json((const char *)data, size, &arena, &error);
    if (results == NULL) {
        assert(error.status == STORM_INVALID || error.status == STORM_LIMIT);
        assert(error.message[0] != '\0');
    } else {
        show(results);
        char *first = written(results);
        results = report_parse_json(first, strlen(first), &arena, &error);
        assert(results != NULL || error.status == STORM_LIMIT);
        if (results != NULL) {
            char *second = written(results);
            assert(strcmp(first, second) == 0);
            free(second);
        }
        free(first);
    }
    arena_free(&arena);
    return 0;
}
