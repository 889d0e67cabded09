/* type.h: how much room text takes, the same on every machine: DejaVu Sans, compiled in. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_TYPE_H
#define PLOTS_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plots/theme.h"

enum { TYPE_TEXT_MAX = 512 };

/* The next code point of UTF-8 text, moving `text` past it; U+FFFD (one byte on) where the bytes
   are no UTF-8. 0 at the end, where `text` stays. */
uint32_t type_next(const char **text);

/* The width in px of `text` in a font, at the font's own size. Kerning is not counted. */
double type_width(enum theme_font font, const char *text);

/* Copies `text` so that it is no wider than `width`: whole, or cut at a character with "…" after
   it. True when whole. */
bool type_fit(enum theme_font font, const char *text, double width, char *buffer, size_t size);

/* Splits `text` into two lines: at a line feed, or else at a blank, the first line at most
   `width` wide and the longest that fits. Returns the offset at which the second line begins; 0
   when one line does, or no blank would help. */
size_t type_break(enum theme_font font, const char *text, double width);

#endif
