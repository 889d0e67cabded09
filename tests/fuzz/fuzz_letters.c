/* fuzz_letters.c: any bytes as dead letters and their audit file: refused with a place, or told. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The input up to its first NUL is the file of letters; behind it may follow an audit file. */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "fuzz/fuzz.h"
#include "letters/audit.h"
#include "letters/filter.h"
#include "letters/letter.h"
#include "letters/letter_text.h"
#include "letters/tally.h"

static void refusal_check(const struct storm_error *error, const char *name) {
    assert(error->status == STORM_INVALID || error->status == STORM_LIMIT);
    assert(strncmp(error->message, name, strlen(name)) == 0);
    assert(error->line > 0 && error->column > 0);
}

/* What goes to a terminal is UTF-8 without controls. */
static void text_check(const char *text) {
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    while (*at != 0) {
        utf8proc_int32_t point;
        utf8proc_ssize_t taken = utf8proc_iterate(at, -1, &point);
        assert(taken > 0 && (point >= 0x20 || point == '\n'));
        at += taken;
    }
}

/* All that can be told of the letters is. */
static void show(struct letters *letters, const struct audit *audit, struct arena *arena) {
    struct letter_view view = {letters, audit, letters_newest(letters)};
    struct letter_filter filter = letter_filter_open();
    struct tally tally;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert(out != NULL && tally_letters(&tally, letters, arena));
    assert(letter_list_text(&view, &filter, 100, out));
    assert(letter_stats_text(&view, &tally, out));
    for (uint32_t i = 0; i < letters->count && i < 100; i++)
        assert(letter_show_text(&view, &letters->list[i], out));
    fclose(out);
    text_check(text);
    free(text);
    out = open_memstream(&text, &size);
    assert(letter_list_json(&view, &filter, 0, out) && letter_list_csv(&view, &filter, 0, out) &&
           letter_stats_json(&view, &tally, out));
    fclose(out);
    free(text);
}

/* Letters that are written are the same when they are read again. */
static void write_again(const struct letters *letters, struct arena *arena) {
    struct letters again;
    struct storm_error error = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert(out != NULL);
    for (uint32_t i = 0; i < letters->count; i++)
        dead_letter_write(out, &letters->list[i].says);
    fclose(out);
    /* A line may be longer than before: U+FFFD for each byte that makes no sense, and escapes. */
    if (letters_parse(&again, "again", text, size, arena, &error)) {
        assert(again.count == letters->count);
        for (uint32_t i = 0; i < again.count; i++) {
            assert(letter_compare(&again.list[i], &letters->list[i]) == 0);
            assert(again.list[i].last_failed_at == letters->list[i].last_failed_at);
        }
    } else {
        assert(error.status == STORM_LIMIT);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    const uint8_t *end = size == 0 ? NULL : memchr(data, 0, size);
    size_t length = end == NULL ? size : (size_t)(end - data), whole;
    size_t rest = end == NULL ? 0 : size - length - 1;
    struct letters letters;
    struct audit audit;
    struct storm_error error = {0};
    struct arena arena;
    arena_init(&arena, (size_t)64 << 20);
    if (!letters_parse(&letters, "letters", text, length, &arena, &error)) {
        refusal_check(&error, "letters");
    } else if (!audit_parse(&audit, "audit", text + length + (rest > 0), rest, &whole, &letters,
                            &arena, &error)) {
        assert(whole <= rest);
        refusal_check(&error, "audit");
    } else {
        show(&letters, &audit, &arena);
        write_again(&letters, &arena);
    }
    arena_free(&arena);
    return 0;
}
