/* phrase.h: a short text that is put together piece by piece. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUIDE_PHRASE_H
#define GUIDE_PHRASE_H

#include <stddef.h>

/* Zeroed: empty. Always terminated; what has no room is a bug (asserted), since all pieces are
   ours. */
struct phrase {
    size_t used;
    char text[4000];
};

void phrase_add(struct phrase *phrase, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds what separates an alternative from the one before it: "a; or b". */
void phrase_or(struct phrase *phrase);

#endif
