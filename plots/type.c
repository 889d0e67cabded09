/* type.c: widths of text, and cutting it to fit. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "plots/theme.h"
#include "plots/type.h"
#include "plots/type_widths.h"

static bool is_more(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/* The length that a first byte promises; 0 when it can be none. */
static int sequence_length(unsigned char byte) {
    if (byte < 0x80)
        return 1;
    if (byte >= 0xC2 && byte <= 0xDF)
        return 2;
    if (byte >= 0xE0 && byte <= 0xEF)
        return 3;
    return byte >= 0xF0 && byte <= 0xF4 ? 4 : 0;
}

uint32_t type_next(const char **text) {
    assert(text != NULL && *text != NULL);
    const unsigned char *bytes = (const unsigned char *)*text;
    if (bytes[0] == 0)
        return 0;
    int length = sequence_length(bytes[0]);
    uint32_t code = length <= 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        if (!is_more(bytes[i])) { /* also the end: 0 is no continuation */
            length = 0;
            break;
        }
        code = (code << 6) | (bytes[i] & 0x3Fu);
    }
    bool is_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    bool is_bad = length == 0 || is_long || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000);
    *text += is_bad ? 1 : length;
    return is_bad ? 0xFFFD : code;
}

/* In 1/2048 em. What the table lacks is taken as wide: 1 em for ideographs, two thirds for the
   rest. */
static unsigned advance(uint32_t code, bool is_bold) {
    if (code >= 0x20 && code <= 0x7E)
        return (is_bold ? type_ascii_bold : type_ascii_regular)[code - 0x20];
    if (code >= 0xA0 && code <= 0x17F)
        return (is_bold ? type_latin_bold : type_latin_regular)[code - 0xA0];
    for (size_t i = 0; i < sizeof type_others / sizeof type_others[0]; i++)
        if (type_others[i][0] == code)
            return type_others[i][is_bold ? 2 : 1];
    return code >= 0x2E80 ? 2048 : 1366;
}

double type_width(enum theme_font font, const char *text) {
    assert(text != NULL);
    bool is_bold = theme_font_weight(font) >= 600; /* DejaVu has no weight between */
    uint64_t units = 0;
    for (uint32_t code = type_next(&text); code != 0; code = type_next(&text))
        units += advance(code, is_bold);
    return (double)units * theme_font_size(font) / 2048;
}

bool type_fit(enum theme_font font, const char *text, double width, char *buffer, size_t size) {
    static const char dots[] = "…";
    assert(text != NULL && buffer != NULL);
    assert(size > sizeof dots);
    size_t length = strlen(text);
    if (length < size && type_width(font, text) <= width) {
        memcpy(buffer, text, length + 1);
        return true;
    }
    bool is_bold = theme_font_weight(font) >= 600;
    double room = width - type_width(font, dots);
    double used = 0;
    const char *end = text, *next = text;
    for (uint32_t code = type_next(&next); code != 0; code = type_next(&next)) {
        used += advance(code, is_bold) * theme_font_size(font) / 2048;
        if (used > room || (size_t)(next - text) > size - sizeof dots)
            break;
        end = next;
    }
    while (end > text && end[-1] == ' ')
        end--;
    memcpy(buffer, text, (size_t)(end - text));
    memcpy(buffer + (end - text), dots, sizeof dots);
    return false;
}

size_t type_break(enum theme_font font, const char *text, double width) {
    assert(text != NULL);
    assert(width > 0);
    char line[TYPE_TEXT_MAX];
    size_t best = 0;
    const char *wanted = strchr(text, '\n');
    if (wanted != NULL)
        return (size_t)(wanted - text) + 1;
    if (type_width(font, text) <= width)
        return 0;
    for (size_t i = 1; text[i] != '\0' && i < sizeof line; i++) {
        if (text[i] != ' ')
            continue;
        memcpy(line, text, i);
        line[i] = '\0';
        if (type_width(font, line) > width)
            break;
        best = i + 1;
    }
    return best;
}
