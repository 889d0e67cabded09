/* golden.h: transcripts of scenes that are kept and read by people in review. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_GOLDEN_H
#define PLOTS_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* Compares a transcript with the one on record, line by line: the first difference is what one
   wants to read. UPDATE=1 writes it anew. */
static inline void golden_check(const char *name, const char *bytes, size_t length) {
    char path[256];
    snprintf(path, sizeof path, "%s/tests/unit/plots/%s.golden.txt", STORM_SOURCE_DIR, name);
    if (getenv("UPDATE") != NULL) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, length, file), length);
        assert_int_equal(fclose(file), 0);
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s is not there", path);
    char *expected = calloc(1, 1 << 20);
    assert_non_null(expected);
    size_t golden_length = fread(expected, 1, (1 << 20) - 1, file);
    fclose(file);
    const char *line = bytes, *other = expected;
    while (*line != 0 && *other != 0) {
        size_t size = strcspn(line, "\n"), other_size = strcspn(other, "\n");
        if (size != other_size || memcmp(line, other, size) != 0)
            fail_msg("now      %.*s\nrecorded %.*s", (int)size, line, (int)other_size, other);
        line += size + (line[size] != 0);
        other += other_size + (other[other_size] != 0);
    }
    assert_int_equal(length, golden_length);
    free(expected);
}

#endif
