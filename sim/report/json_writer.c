/* json_writer.c: JSON as it is said, key by key, to a stream. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. levels[0 .. depth) are open; a value inside an object always follows a key.
   2. The bytes depend on the calls alone: no locale, no hash order, no pointer. */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>
#include <utf8proc.h>

#include "report/json_writer.h"

void json_writer_init(struct json_writer *writer, FILE *out) {
    assert(writer != NULL && out != NULL);
    *writer = (struct json_writer){.out = out};
}

bool json_writer_end(struct json_writer *writer) {
    assert(writer->depth == 0 && !writer->after_key);
    fputc('\n', writer->out);
    return ferror(writer->out) == 0;
}

/* Begins a line at the present depth, one blank a level. */
static void line_begin(const struct json_writer *writer) {
    assert(writer->depth <= JSON_WRITER_DEPTH_MAX);
    fputc('\n', writer->out);
    for (uint32_t level = 0; level < writer->depth; level++)
        fputc(' ', writer->out);
}

/* Writes what separates a key, or a value of an array, from what stands before it. */
static void member_begin(struct json_writer *writer) {
    assert(!writer->after_key);
    if (writer->depth == 0)
        return;
    bool first = !writer->levels[writer->depth - 1].has_members;
    bool flat = writer->levels[writer->depth - 1].is_flat;
    writer->levels[writer->depth - 1].has_members = true;
    if (!first)
        fputs(flat ? ", " : ",", writer->out);
    if (!flat)
        line_begin(writer);
}

/* Writes what separates a value from what stands before it. */
static void value_begin(struct json_writer *writer) {
    assert(writer != NULL);
    if (writer->after_key) {
        writer->after_key = false;
        return;
    }
    assert(writer->depth == 0 || !writer->levels[writer->depth - 1].is_object); /* invariant 1 */
    member_begin(writer);
}

static void level_begin(struct json_writer *writer, enum json_layout layout, bool is_object) {
    value_begin(writer);
    assert(writer->depth < JSON_WRITER_DEPTH_MAX);
    bool flat =
        layout == JSON_FLAT || (writer->depth > 0 && writer->levels[writer->depth - 1].is_flat);
    writer->levels[writer->depth].is_object = is_object;
    writer->levels[writer->depth].is_flat = flat;
    writer->levels[writer->depth].has_members = false;
    writer->depth++;
    fputc(is_object ? '{' : '[', writer->out);
}

static void level_end(struct json_writer *writer, bool is_object) {
    assert(writer->depth > 0 && !writer->after_key);
    writer->depth--;
    assert(writer->levels[writer->depth].is_object == is_object);
    if (!writer->levels[writer->depth].is_flat && writer->levels[writer->depth].has_members)
        line_begin(writer);
    fputc(is_object ? '}' : ']', writer->out);
}

void json_writer_object_begin(struct json_writer *writer, enum json_layout layout) {
    level_begin(writer, layout, true);
}

void json_writer_object_end(struct json_writer *writer) { level_end(writer, true); }

void json_writer_array_begin(struct json_writer *writer, enum json_layout layout) {
    level_begin(writer, layout, false);
}

void json_writer_array_end(struct json_writer *writer) { level_end(writer, false); }

/* Writes a character below U+0080, escaped when it must be. */
static void ascii_write(FILE *out, unsigned char c) {
    assert(c != '\0' && c < 0x80);
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = strchr(special, c);
    if (found != NULL)
        fprintf(out, "\\%c", letters[found - special]);
    else if (c < 0x20 || c == 0x7f)
        fprintf(out, "\\u%04x", (unsigned)c);
    else
        fputc(c, out);
}

/* Writes the characters of a string, without its quotes. */
static void text_write(FILE *out, const char *text) {
    assert(out != NULL && text != NULL);
    size_t left = strlen(text);
    while (left > 0) {
        utf8proc_int32_t point;
        utf8proc_ssize_t length =
            utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)left, &point);
        size_t taken = length > 0 ? (size_t)length : 1;
        assert(taken <= left);
        if (length <= 0)
            fputs("\xEF\xBF\xBD", out); /* U+FFFD, one for each byte that makes no sense */
        else if (taken == 1)
            ascii_write(out, (unsigned char)*text);
        else
            fwrite(text, 1, taken, out);
        text += taken;
        left -= taken;
    }
}

void json_writer_key(struct json_writer *writer, const char *key) {
    assert(key != NULL);
    assert(writer->depth > 0 && writer->levels[writer->depth - 1].is_object);
    member_begin(writer);
    fputc('"', writer->out);
    text_write(writer->out, key);
    fputs("\": ", writer->out);
    writer->after_key = true;
}

void json_writer_string(struct json_writer *writer, const char *text) {
    json_writer_joined(writer, &text, 1);
}

void json_writer_joined(struct json_writer *writer, const char *const *parts, uint32_t count) {
    assert(parts != NULL || count == 0);
    value_begin(writer);
    fputc('"', writer->out);
    for (uint32_t part = 0; part < count; part++)
        text_write(writer->out, parts[part] == NULL ? "" : parts[part]);
    fputc('"', writer->out);
}

void json_writer_double(struct json_writer *writer, double value) {
    char digits[32];
    value_begin(writer);
    fputs(isfinite(value) ? storm_double_print(value, digits, sizeof digits) : "null", writer->out);
}

void json_writer_count(struct json_writer *writer, uint64_t value) {
    value_begin(writer);
    fprintf(writer->out, "%" PRIu64, value);
}

void json_writer_bool(struct json_writer *writer, bool value) {
    value_begin(writer);
    fputs(value ? "true" : "false", writer->out);
}

void json_writer_null(struct json_writer *writer) {
    value_begin(writer);
    fputs("null", writer->out);
}

void json_writer_status(struct json_writer *writer, uint16_t status) {
    const char *word = storm_outcome_word(status);
    if (status >= 100)
        json_writer_count(writer, status);
    else if (word != NULL)
        json_writer_string(writer, word);
    else
        json_writer_null(writer);
}

void json_key_string(struct json_writer *writer, const char *key, const char *text) {
    json_writer_key(writer, key);
    json_writer_string(writer, text);
}

void json_key_text(struct json_writer *writer, const char *key, const char *text) {
    json_writer_key(writer, key);
    if (text != NULL)
        json_writer_string(writer, text);
    else
        json_writer_null(writer);
}

void json_key_count(struct json_writer *writer, const char *key, uint64_t value) {
    json_writer_key(writer, key);
    json_writer_count(writer, value);
}

void json_key_double(struct json_writer *writer, const char *key, double value) {
    json_writer_key(writer, key);
    json_writer_double(writer, value);
}

void json_key_bool(struct json_writer *writer, const char *key, bool value) {
    json_writer_key(writer, key);
    json_writer_bool(writer, value);
}
