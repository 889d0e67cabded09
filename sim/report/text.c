/* text.c: numbers and names as a terminal shows them, and tables of them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>
#include <utf8proc.h>

#include "report/text.h"

/* ---- numbers --------------------------------------------------------------------------------- */

enum { DECIMALS_MAX = 9 };

/* Decimals that leave three significant digits, none from 100 on. */
static int decimals_of(double size) {
    assert(size >= 0.0);
    int decimals = size >= 100.0 ? 0 : size >= 10.0 ? 1 : 2;
    for (double bound = 1.0; size < bound && decimals < DECIMALS_MAX; bound /= 10.0)
        decimals++;
    return decimals;
}

/* Writes a whole number with commas between thousands; returns its length. */
static int whole_print(uint64_t value, char *buffer) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    int at = 0;
    assert(length > 0);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            buffer[at++] = ',';
        buffer[at++] = digits[i];
    }
    buffer[at] = '\0';
    return at;
}

/* Writes scaled / 10^decimals. Integers only: printf follows the locale. */
static void fixed_print(uint64_t scaled, int decimals, char *buffer) {
    uint64_t power = 1;
    for (int i = 0; i < decimals; i++)
        power *= 10;
    int at = whole_print(scaled / power, buffer);
    assert(decimals >= 0 && at + decimals + 2 <= TEXT_NUMBER_SIZE);
    if (decimals == 0)
        return;
    uint64_t rest = scaled % power;
    buffer[at] = '.';
    for (int i = decimals; i > 0; i--, rest /= 10)
        buffer[at + i] = (char)('0' + rest % 10);
    buffer[at + decimals + 1] = '\0';
}

/* |value| 10^decimals, rounded. */
static double scale(double value, int decimals) {
    double scaled = fabs(value);
    for (int i = 0; i < decimals; i++)
        scaled *= 10.0;
    return floor(scaled + 0.5);
}

/* Whether a number is written with decimals: else it is none, or too large or small for that. */
static bool is_fixed(double value, int decimals) {
    if (isnan(value) || fabs(value) >= 1e15)
        return false;
    return value == 0.0 || decimals < DECIMALS_MAX || scale(value, decimals) >= 1.0;
}

/* The decimals that numbers which stand together are written with, without common zeros at the
   end. */
static int decimals_common(const double *values, uint32_t count) {
    double first = fabs(values[0]), largest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_fixed(values[i], 0) && fabs(values[i]) > largest)
            largest = fabs(values[i]);
    }
    int most = decimals_of(largest) + 1;
    int decimals = is_fixed(first, 0) && first > 0.0 ? decimals_of(first) : most - 1;
    decimals = decimals < most ? decimals : most;
    for (bool zeros = true; decimals > 0 && zeros; decimals -= zeros) {
        for (uint32_t i = 0; i < count && zeros; i++)
            zeros = !is_fixed(values[i], 0) || (is_fixed(values[i], decimals) &&
                                                fmod(scale(values[i], decimals), 10.0) == 0.0);
    }
    return decimals;
}

static void number_print(double value, int decimals, char *buffer) {
    assert(decimals >= 0 && decimals <= DECIMALS_MAX);
    if (isnan(value)) {
        strcpy(buffer, "\xE2\x80\x93"); /* en dash */
    } else if (isinf(value)) {
        strcpy(buffer, value > 0.0 ? "\xE2\x88\x9E" : "-\xE2\x88\x9E"); /* infinity */
    } else if (!is_fixed(value, decimals)) {
        storm_double_print(value, buffer, TEXT_NUMBER_SIZE);
    } else {
        bool negative = value < 0.0;
        buffer[0] = '-';
        fixed_print((uint64_t)scale(value, decimals), decimals, buffer + negative);
    }
}

const char *text_signed(double value, char *buffer) {
    char digits[TEXT_NUMBER_SIZE];
    const char *sign = value < 0 ? "−" : value > 0 ? "+" : "";
    text_number(fabs(value), digits);
    snprintf(buffer, TEXT_NUMBER_SIZE, "%s%.36s", sign, digits);
    return buffer;
}

bool text_numbers(const double *values, uint32_t count, char (*buffers)[TEXT_NUMBER_SIZE]) {
    bool alike = true;
    assert(values != NULL && buffers != NULL && count > 0);
    int decimals = decimals_common(values, count);
    for (uint32_t i = 0; i < count; i++) {
        number_print(values[i], decimals, buffers[i]);
        alike = alike && strcmp(buffers[i], buffers[0]) == 0;
    }
    return alike;
}

const char *text_number(double value, char *buffer) {
    assert(buffer != NULL);
    number_print(value, decimals_common(&value, 1), buffer);
    return buffer;
}

const char *text_duration(storm_time time, char *buffer) {
    storm_time unit = 1;
    assert(time >= 0);
    while (time / unit >= 10000 && unit <= STORM_NEVER / 100)
        unit *= 10;
    storm_time rounded = time < STORM_NEVER ? (time + unit / 2) / unit * unit : time;
    return storm_time_print(rounded, buffer, TEXT_DURATION_SIZE);
}

/* ---- width and safety ------------------------------------------------------------------------ */

/* Bytes of the character at `text`, and the character; a byte that is none counts as U+FFFD. */
static size_t character_read(const char *text, size_t left, utf8proc_int32_t *point) {
    assert(left > 0);
    utf8proc_ssize_t length =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)left, point);
    if (length > 0)
        return (size_t)length;
    *point = 0xFFFD;
    return 1;
}

/* Bytes of a colour sequence (ESC [ ... m) at `text`, or 0. */
static size_t color_length(const char *text) {
    assert(text != NULL);
    if (text[0] != '\033' || text[1] != '[')
        return 0;
    size_t inside = strspn(text + 2, "0123456789;");
    return text[2 + inside] == 'm' ? inside + 3 : 0;
}

static size_t piece_width(const char *text, size_t length) {
    size_t width = 0;
    for (size_t left = length; left > 0;) {
        utf8proc_int32_t point;
        size_t taken = color_length(text);
        if (taken == 0) {
            taken = character_read(text, left, &point);
            int columns = utf8proc_charwidth(point);
            width += columns > 0 ? (size_t)columns : 0;
        }
        assert(taken <= left);
        text += taken;
        left -= taken;
    }
    return width;
}

size_t text_width(const char *text) {
    assert(text != NULL);
    return piece_width(text, strlen(text));
}

void text_wrap(FILE *out, const char *text, int column, int indent, int width) {
    assert(column >= 0 && indent >= 0 && indent < width);
    bool begins = true;
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        int wide = (int)piece_width(text, length);
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

void text_csv_field(FILE *out, const char *text) {
    assert(out != NULL && text != NULL);
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* Whether a terminal might obey a character instead of showing it: controls, and those that turn
   the direction of writing. */
static bool is_unsafe(utf8proc_int32_t point) {
    utf8proc_category_t category = utf8proc_category(point);
    bool turns = (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP || turns || point == 0xFFFD;
}

const char *text_clean(struct arena *arena, const char *text) {
    assert(arena != NULL);
    size_t left = text == NULL ? 0 : strlen(text);
    char *clean = arena_take_array(arena, left + 1, 3); /* U+FFFD has three bytes */
    size_t length = 0;
    while (clean != NULL && left > 0) {
        utf8proc_int32_t point;
        size_t taken = character_read(text, left, &point);
        bool unsafe = is_unsafe(point);
        size_t put = unsafe ? 3 : taken;
        memcpy(clean + length, unsafe ? "\xEF\xBF\xBD" : text, put);
        length += put;
        assert(taken <= left);
        text += taken;
        left -= taken;
    }
    return clean;
}

bool text_is_utf8(const char *text) {
    size_t left = strlen(text);
    while (left > 0) {
        utf8proc_int32_t point;
        size_t taken = character_read(text, left, &point);
        if (point == 0xFFFD && taken == 1)
            return false;
        text += taken;
        left -= taken;
    }
    return true;
}

const char *text_put(const char *text, FILE *out) {
    utf8proc_int32_t point;
    assert(*text != '\0');
    size_t taken = character_read(text, strnlen(text, 4), &point);
    if (point == 0xFFFD)
        fputs("\xEF\xBF\xBD", out);
    else if (is_unsafe(point))
        fputc(' ', out);
    else
        fwrite(text, 1, taken, out);
    return text + taken;
}

/* ---- tables ---------------------------------------------------------------------------------- */

bool text_table_init(struct text_table *table, struct arena *arena, uint32_t rows, uint32_t columns,
                     uint32_t left) {
    assert(rows > 0 && columns > 0 && left <= columns);
    *table = (struct text_table){.rows = rows, .columns = columns, .left = left};
    table->cells = arena_take_array(arena, (size_t)rows * columns, sizeof *table->cells);
    table->extents = arena_take_array(arena, columns, sizeof *table->extents);
    return table->cells != NULL && table->extents != NULL;
}

struct text_cell *text_table_cell(struct text_table *table, uint32_t row, uint32_t column) {
    assert(row < table->rows && column < table->columns);
    return &table->cells[(size_t)row * table->columns + column];
}

static size_t width_of(const char *text) { return text == NULL ? 0 : text_width(text); }

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static struct text_extent column_measure(const struct text_table *table, uint32_t column) {
    assert(column < table->columns);
    struct text_extent extent = {0};
    for (uint32_t row = 1; row < table->rows; row++) {
        const struct text_cell *cell = &table->cells[(size_t)row * table->columns + column];
        extent.value = larger(extent.value, width_of(cell->value));
        extent.tail = larger(extent.tail, width_of(cell->tail));
    }
    extent.whole = larger(extent.value + extent.tail, width_of(table->cells[column].value));
    return extent;
}

/* Writes a text after the blanks that are owed: kept back so that none ends a line. */
static void put(FILE *out, const char *text, size_t *owed) {
    assert(out != NULL);
    if (text == NULL || *text == '\0')
        return;
    for (; *owed > 0; (*owed)--)
        fputc(' ', out);
    fputs(text, out);
}

/* Writes a cell into a column of which `before` blanks come first. */
static void cell_write(const struct text_cell *cell, size_t before, size_t whole, FILE *out,
                       size_t *owed) {
    size_t written = before + width_of(cell->value) + width_of(cell->tail);
    assert(written <= whole);
    *owed += before;
    put(out, cell->value, owed);
    put(out, cell->tail, owed);
    *owed += whole - written;
}

/* Blanks before a cell. A heading ends where the values end; one that is longer than they are
   begins where they begin and runs on over what follows them. */
static size_t blanks_before(struct text_extent extent, size_t width, bool heading) {
    assert(extent.value + extent.tail <= extent.whole);
    size_t end = extent.whole - extent.tail;
    if (!heading || width <= extent.value)
        return end - width;
    return extent.tail == 0 ? extent.whole - width : 0;
}

size_t text_table_width(struct text_table *table) {
    size_t width = 0;
    assert(table->cells != NULL && table->columns > 0);
    for (uint32_t column = 0; column < table->columns; column++) {
        table->extents[column] = column_measure(table, column);
        width += table->extents[column].whole + (column > 0 ? 2 : 0);
    }
    return width;
}

void text_table_write(struct text_table *table, FILE *out) {
    assert(out != NULL);
    text_table_width(table); /* it measures the columns */
    for (uint32_t row = 0; row < table->rows; row++) {
        size_t owed = 0;
        for (uint32_t column = 0; column < table->columns; column++) {
            const struct text_cell *cell = text_table_cell(table, row, column);
            struct text_extent extent = table->extents[column];
            bool left = column < table->left;
            size_t before = left ? 0 : blanks_before(extent, width_of(cell->value), row == 0);
            owed += column > 0 ? 2 : 0;
            cell_write(cell, before, extent.whole, out, &owed);
        }
        fputc('\n', out);
    }
}

/* ---- changes, and words for a shell ---------------------------------------------------------- */

struct text_change text_change_of(const char *unit, double reference) {
    if (storm_unit_is_share(unit)) {
        return (struct text_change){100, " points"};
    }
    double size = fabs(reference);
    return size > 0 ? (struct text_change){100 / size, " %"} : (struct text_change){1, ""};
}

const char *text_shell_word(const char *word, char *buffer, size_t size) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./+,:=@%";
    size_t length = strlen(word), at = 0;
    assert(size > 0);
    buffer[0] = '\0';
    if (length > 0 && length < size && strspn(word, plain) == length) {
        memcpy(buffer, word, length + 1);
        return buffer;
    }
    if (4 * length + 3 > size) {
        return buffer;
    }
    buffer[at++] = '\'';
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'') {
            memcpy(&buffer[at], "'\\''", 4);
            at += 4;
        } else {
            buffer[at++] = *c;
        }
    }
    buffer[at++] = '\'';
    buffer[at] = '\0';
    return buffer;
}
