/* phrase.c: a short text that is put together piece by piece. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "guide/phrase.h"

void phrase_add(struct phrase *phrase, const char *format, ...) {
    va_list arguments;
    size_t room = sizeof phrase->text - phrase->used;
    va_start(arguments, format);
    int length = vsnprintf(phrase->text + phrase->used, room, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < room);
    phrase->used += (size_t)length;
}

void phrase_or(struct phrase *phrase) {
    assert(phrase->used < sizeof phrase->text);
    if (phrase->used > 0)
        phrase_add(phrase, "; or ");
}

/* The characters of a piece of UTF-8. */
static int characters(const char *text, size_t length) {
    int count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

void phrase_wrap(FILE *out, const char *text, int column, int indent, int width) {
    assert(column >= 0 && indent >= 0 && indent < width);
    bool begins = true;
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        int wide = characters(text, length);
        if (!begins && column + 1 + wide > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            begins = true;
        }
        fprintf(out, "%s%.*s", begins ? "" : " ", (int)length, text);
        column += wide + !begins;
        begins = false;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}
