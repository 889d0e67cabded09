/* json_writer.h: JSON as it is said, key by key, to a stream. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_JSON_WRITER_H
#define REPORT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_WRITER_DEPTH_MAX = 16 };

/* Members each on a line of their own, or all on one line. Everything inside a flat one is flat. */
enum json_layout { JSON_LINES, JSON_FLAT };

/* One document being written. The order of the calls is the order of the bytes: nothing is kept
   or sorted. */
struct json_writer {
    FILE *out;
    uint32_t depth;
    bool after_key; /* the next value belongs to a key that has been written */
    struct {
        bool is_object, is_flat, has_members;
    } levels[JSON_WRITER_DEPTH_MAX];
};

/* Begins a document on `out`, which stays the caller's. */
void json_writer_init(struct json_writer *writer, FILE *out);

/* Ends the document with a line end. False when any byte of it could not be written. */
bool json_writer_end(struct json_writer *writer);

void json_writer_object_begin(struct json_writer *writer, enum json_layout layout);
void json_writer_object_end(struct json_writer *writer);
void json_writer_array_begin(struct json_writer *writer, enum json_layout layout);
void json_writer_array_end(struct json_writer *writer);

/* The name of the next value of an object. The caller must not repeat one. */
void json_writer_key(struct json_writer *writer, const char *key);

/* Values. A string's invalid UTF-8 becomes U+FFFD, NULL an empty string; NaN and infinities
   become null. */
void json_writer_string(struct json_writer *writer, const char *text);
void json_writer_joined(struct json_writer *writer, const char *const *parts,
                        uint32_t count); /* one string */
void json_writer_double(struct json_writer *writer, double value);
void json_writer_count(struct json_writer *writer, uint64_t value);
void json_writer_bool(struct json_writer *writer, bool value);
void json_writer_null(struct json_writer *writer);

/* A key and its value. A text that is NULL becomes null, a string that is NULL an empty one. */
void json_key_string(struct json_writer *writer, const char *key, const char *text);
void json_key_text(struct json_writer *writer, const char *key, const char *text);
void json_key_count(struct json_writer *writer, const char *key, uint64_t value);
void json_key_double(struct json_writer *writer, const char *key, double value);
void json_key_bool(struct json_writer *writer, const char *key, bool value);

/* How an attempt ended: a number from 100 on, below it the words refused, reset, timeout; null when
   it was not answered at all. */
void json_writer_status(struct json_writer *writer, uint16_t status);

#endif
