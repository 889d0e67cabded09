/* phrase.c: a short text that is put together piece by piece. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

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
