/* lines.h: where the lines of a text end, in YAML's eyes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_LINES_H
#define SCENARIO_LINES_H

#include <stddef.h>

/* The bytes of the line break at the head of a text: \n, \r, \r\n, U+0085, U+2028 or U+2029; 0
   when there is none. */
size_t lines_break(const char *text, size_t length);

/* Line and column, 1-based and in characters, of a byte of a text. */
void lines_locate(const char *text, size_t length, size_t byte, int *line, int *column);

#endif
