/* lines.c: YAML 1.1 ends a line at more characters than most people know. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <string.h>

#include "scenario/lines.h"

size_t lines_break(const char *text, size_t length) {
    assert(text != NULL || length == 0);
    if (length == 0)
        return 0;
    if (text[0] == '\r')
        return length > 1 && text[1] == '\n' ? 2 : 1;
    if (text[0] == '\n')
        return 1;
    if (length >= 2 && memcmp(text, "\xC2\x85", 2) == 0)
        return 2;
    if (length >= 3 &&
        (memcmp(text, "\xE2\x80\xA8", 3) == 0 || memcmp(text, "\xE2\x80\xA9", 3) == 0))
        return 3;
    return 0;
}

void lines_locate(const char *text, size_t length, size_t byte, int *line, int *column) {
    assert(text != NULL && line != NULL && column != NULL);
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < byte && i < length;) {
        size_t end = lines_break(text + i, length - i);
        if (end > 0) {
            ++*line;
            *column = 1;
            i += end;
        } else {
            i++;
            while (i < length && ((unsigned char)text[i] & 0xC0) == 0x80)
                i++;
            ++*column;
        }
    }
}
