/* path.c: the paths of settings: parts with dots between them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/path.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

const char *path_tail(const char *path, int parts) {
    const char *tail = path + strlen(path);
    assert(parts >= 1);
    while (tail > path && parts > 0) {
        tail--;
        parts -= *tail == '.' ? 1 : 0;
    }
    return parts == 0 ? tail + 1 : tail;
}

int path_parts_apart(const char *a, const char *b) {
    int parts = 1;
    assert(a != NULL && b != NULL);
    while ((path_tail(a, parts) > a || path_tail(b, parts) > b) &&
           strcmp(path_tail(a, parts), path_tail(b, parts)) == 0) {
        parts++;
    }
    return parts;
}

const char *path_short(const char *const *paths, uint32_t count, uint32_t index) {
    int parts = 1;
    assert(index < count);
    for (uint32_t other = 0; other < count; other++) {
        int apart = other != index ? path_parts_apart(paths[index], paths[other]) : 1;
        parts = apart > parts ? apart : parts;
    }
    return path_tail(paths[index], parts);
}
