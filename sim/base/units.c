/* units.c: simulated time as an integer, and the words people write for numbers with a unit. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every accepted number is a ratio of two whole numbers, rounded to a double once: so 0.1s, 100ms
   and 100000us are the same double, under every locale and C library. */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/units.h>

/* ---- reading --------------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 wide;

enum { DECIMALS_MAX = 24 };

/* What a text was split into: a number, digits / 10^decimals, and the unit behind it. */
struct number {
    const char *text;
    uint64_t digits;
    int decimals;
    int length; /* bytes before the unit */
    const char *unit;
};

/* A unit's word and its worth: times / per. */
struct word {
    const char *name;
    uint64_t times, per;
};

static const struct word duration_words[] = {
    {"ns", 1, 1000000000}, {"us", 1, 1000000}, {"ms", 1, 1000}, {"s", 1, 1},
    {"m", 60, 1},          {"h", 3600, 1},     {"d", 86400, 1}, {NULL, 0, 0},
};
static const struct word rate_words[] = {
    {"/s", 1, 1},           {"/m", 1, 60},       {"/h", 1, 3600},     {"k/s", 1000, 1},
    {"k/m", 1000, 60},      {"k/h", 1000, 3600}, {"M/s", 1000000, 1}, {"M/m", 1000000, 60},
    {"M/h", 1000000, 3600}, {NULL, 0, 0},
};
static const struct word share_words[] = {{"%", 1, 100}, {NULL, 0, 0}};
static const struct word factor_words[] = {{"x", 1, 1}, {"", 1, 1}, {NULL, 0, 0}};
static const struct word count_words[] = {
    {"", 1, 1}, {"k", 1000, 1}, {"M", 1000000, 1}, {NULL, 0, 0}};

/* What people write for our units; used for suggestions only. */
static const struct {
    const char *theirs, *ours;
} aliases[] = {
    {"nsec", "ns"},    {"usec", "us"},   {"\xC2\xB5s", "us"}, {"\xCE\xBCs", "us"},
    {"msec", "ms"},    {"millis", "ms"}, {"MS", "ms"},        {"S", "s"},
    {"sec", "s"},      {"secs", "s"},    {"second", "s"},     {"seconds", "s"},
    {"min", "m"},      {"mins", "m"},    {"minute", "m"},     {"minutes", "m"},
    {"H", "h"},        {"hr", "h"},      {"hour", "h"},       {"hours", "h"},
    {"D", "d"},        {"day", "d"},     {"days", "d"},       {"/sec", "/s"},
    {"/second", "/s"}, {"rps", "/s"},    {"qps", "/s"},       {"Hz", "/s"},
    {"hz", "/s"},      {"/min", "/m"},   {"/minute", "/m"},   {"rpm", "/m"},
    {"/hour", "/h"},   {"K/s", "k/s"},   {"m/s", "M/s"},      {"K", "k"},
    {"X", "x"},        {"percent", "%"}, {"pct", "%"},        {" %", "%"},
};

/* The table, an example, and how to complete a number that has no unit. */
struct kind {
    const struct word *words;
    const char *example, *complete, *other;
};

static struct kind kind_of(enum storm_unit unit) {
    switch (unit) {
    case STORM_UNIT_DURATION:
        return (struct kind){duration_words, "5s", "s", "ms"};
    case STORM_UNIT_RATE:
        return (struct kind){rate_words, "45/s", "/s", NULL};
    case STORM_UNIT_SHARE:
        return (struct kind){share_words, "10%", "%", NULL};
    case STORM_UNIT_FACTOR:
        return (struct kind){factor_words, "4x", "x", NULL};
    case STORM_UNIT_COUNT:
        return (struct kind){count_words, "1000", "", NULL};
    }
    assert(false && "a known unit");
    abort();
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Adds one digit to the number, unless it is full. */
static bool digit_add(struct number *number, char c) {
    assert(is_digit(c));
    if (number->digits >= UINT64_C(1000000000000000000)) /* 19 digits already */
        return false;
    number->digits = number->digits * 10 + (uint64_t)(c - '0');
    return true;
}

/* Reads the digits and decimals at the head of `text`; returns what is wrong with them, or NULL. */
static const char *number_read(const char *text, struct number *number) {
    assert(text != NULL && number != NULL);
    *number = (struct number){.text = text};
    const char *at = text;
    if (*at == '\0')
        return "is empty";
    if (*at == '+')
        return "has a sign";
    if (*at == '-')
        return "is negative";
    if (*at == ' ' || *at == '\t')
        return "contains a blank";
    if (*at == '.')
        return "has no digit before the point";
    if (!is_digit(*at))
        return "is not a number";
    if (at[0] == '0' && is_digit(at[1]))
        return "has a leading zero";
    for (; is_digit(*at); at++) {
        if (!digit_add(number, *at))
            return "has too many digits";
    }
    if (*at == '.') {
        if (!is_digit(*++at))
            return "has no digit after the point";
        for (; is_digit(*at); at++) {
            if (!digit_add(number, *at) || ++number->decimals > DECIMALS_MAX)
                return "has too many digits";
        }
    }
    number->length = (int)(at - text);
    number->unit = at;
    return NULL;
}

/* x * 2^power, exact for the powers that ratio_round meets. */
static double scale_by_two(double x, int power) {
    assert(power > -512 && power < 512);
    for (; power > 0; power--)
        x *= 2.0;
    for (; power < 0; power++)
        x *= 0.5;
    return x;
}

/* n / d rounded to nearest, ties to even, by long division in binary. n < 2^126 and 0 < d <
   2^126. */
static double ratio_round(wide n, wide d) {
    assert(n >> 126 == 0);
    assert(d > 0 && d >> 126 == 0);
    if (n == 0)
        return 0.0;
    int power = 0;
    for (; n >= 2 * d; power++)
        d *= 2;
    for (; n < d; power--)
        n *= 2;
    uint64_t bits = 0; /* 1.xxx with 52 places behind the point */
    for (int place = 0; place < 53; place++) {
        bits *= 2;
        if (n >= d) {
            n -= d;
            bits++;
        }
        n *= 2;
    }
    if (n > d || (n == d && bits % 2 == 1))
        bits++;
    return scale_by_two((double)bits, power - 52);
}

/* The value of a number in a unit; false when a count is not whole. */
static bool number_value(const struct number *number, const struct word *word, double *value) {
    assert(number->decimals <= DECIMALS_MAX);
    assert(word->times > 0 && word->per > 0);
    wide n = (wide)number->digits * word->times;
    wide d = word->per;
    for (int i = 0; i < number->decimals; i++)
        d *= 10;
    *value = ratio_round(n, d);
    return n % d == 0;
}

/* Says what is wrong with a unit that is not in the table. */
static const char *unit_complaint(const struct number *number) {
    const char *unit = number->unit;
    assert(unit != NULL);
    if (*unit == '\0')
        return "has no unit";
    if (strchr(unit, ' ') != NULL || strchr(unit, '\t') != NULL)
        return "contains a blank";
    if (*unit == ',')
        return "has a comma";
    if ((*unit == 'e' || *unit == 'E') && (is_digit(unit[1]) || unit[1] == '-' || unit[1] == '+'))
        return "has an exponent";
    if ((*unit == 'x' || *unit == 'X') && number->digits == 0 && unit[1] != '\0')
        return "is hexadecimal";
    for (const char *at = unit; *at != '\0'; at++) {
        if (is_digit(*at))
            return "has more than one unit";
    }
    return "has an unknown unit";
}

/* The unit of the table that a wrong unit most likely means, or NULL. */
static const char *unit_guess(const char *unit, const struct word *words) {
    assert(unit != NULL && words != NULL);
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (strcmp(unit, aliases[i].theirs) != 0)
            continue;
        for (const struct word *word = words; word->name != NULL; word++) {
            if (strcmp(aliases[i].ours, word->name) == 0)
                return word->name;
        }
    }
    return NULL;
}

/* Copies `text` with what is easily put right put right: blanks, signs, zeros in front, a comma. */
static void text_tidy(const char *text, char *tidy, size_t size) {
    assert(text != NULL && tidy != NULL);
    assert(size > 2);
    size_t length = 0;
    while (*text == ' ' || *text == '\t' || *text == '+' || *text == '-')
        text++;
    while (text[0] == '0' && is_digit(text[1]))
        text++;
    if (*text == '.')
        tidy[length++] = '0';
    for (; *text != '\0' && length + 1 < size; text++) {
        if (*text == ' ' || *text == '\t')
            continue;
        if (*text == '.' && !is_digit(text[1]))
            continue;
        tidy[length++] = *text == ',' ? '.' : *text;
    }
    tidy[length] = '\0';
}

/* Reads the whole text; returns what is wrong, or NULL. */
static const char *text_read(const char *text, enum storm_unit unit, double *value) {
    assert(text != NULL && value != NULL);
    struct number number;
    const char *wrong = number_read(text, &number);
    if (wrong != NULL)
        return wrong;
    const struct word *word = kind_of(unit).words;
    while (word->name != NULL && strcmp(word->name, number.unit) != 0)
        word++;
    if (word->name == NULL)
        return unit_complaint(&number);
    double read;
    bool whole = number_value(&number, word, &read);
    assert(read >= 0.0);
    if (unit == STORM_UNIT_COUNT && !whole)
        return "is not a whole number";
    if (unit == STORM_UNIT_COUNT && read >= 0x1p53)
        return "is too large";
    if (unit == STORM_UNIT_DURATION && read * 1e9 >= 0x1p62)
        return "is longer than 146 years";
    if (unit == STORM_UNIT_DURATION && read > 0.0 && read < 1e-9)
        return "is shorter than 1ns";
    *value = read;
    return NULL;
}

/* Completes a number that has no unit, e.g. "5" to "5s or 5ms", and the share 0.1 to 10%. */
static void unit_complete(const struct number *number, struct kind kind, char *fix, size_t size) {
    assert(*number->unit == '\0');
    double part;
    bool whole = number_value(number, &(struct word){"", 1, 1}, &part);
    double percent;
    number_value(number, &(struct word){"", 100, 1}, &percent);
    char digits[32];
    if (kind.words == share_words && !whole && part < 1.0)
        snprintf(fix, size, "%s%%", storm_double_print(percent, digits, sizeof digits));
    else if (kind.other != NULL && number->digits != 0)
        snprintf(fix, size, "%s%s or %s%s", number->text, kind.complete, number->text, kind.other);
    else
        snprintf(fix, size, "%s%s", number->text, kind.complete);
}

/* Writes an example of what to write instead of `text`: the nearest text that can be read. */
static void fix_write(const char *text, enum storm_unit unit, char *fix, size_t size) {
    assert(text != NULL);
    assert(fix != NULL && size > 0);
    struct kind kind = kind_of(unit);
    struct number number;
    char tidy[64];
    double value;
    snprintf(fix, size, "%s", kind.example);
    if (strlen(text) + 2 > sizeof tidy)
        return;
    text_tidy(text, tidy, sizeof tidy);
    if (number_read(tidy, &number) != NULL)
        return;
    const char *guess = unit_guess(number.unit, kind.words);
    if (text_read(tidy, unit, &value) == NULL)
        snprintf(fix, size, "%s", tidy);
    else if (guess != NULL)
        snprintf(fix, size, "%.*s%s", number.length, tidy, guess);
    else if (*number.unit == '\0' && unit != STORM_UNIT_COUNT)
        unit_complete(&number, kind, fix, size);
}

const char *storm_unit_parse(const char *text, enum storm_unit unit, double *value, char *fix,
                             size_t fix_size) {
    assert(text != NULL && value != NULL);
    assert(fix == NULL || fix_size > 0);
    const char *wrong = text_read(text, unit, value);
    if (fix == NULL)
        return wrong;
    if (wrong == NULL)
        fix[0] = '\0';
    else
        fix_write(text, unit, fix, fix_size);
    return wrong;
}

const char *storm_number_parse(const char *text, double *value, enum storm_unit *unit) {
    static const enum storm_unit units[] = {STORM_UNIT_FACTOR, STORM_UNIT_SHARE,
                                            STORM_UNIT_DURATION, STORM_UNIT_RATE, STORM_UNIT_COUNT};
    assert(text != NULL && value != NULL && unit != NULL);
    const char *wrong = NULL;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const char *complaint = storm_unit_parse(text, units[i], value, NULL, 0);
        if (complaint == NULL) {
            /* A number without a unit is read as a factor. */
            bool is_plain = units[i] == STORM_UNIT_FACTOR && text[strlen(text) - 1] != 'x';
            *unit = is_plain ? STORM_UNIT_COUNT : units[i];
            return NULL;
        }
        wrong = wrong == NULL ? complaint : wrong;
    }
    return wrong;
}

/* ---- printing -------------------------------------------------------------------------------- */

/* Prints time / unit exactly, without zeros at the end. `places` is the number of decimals in a
   unit. */
static void time_print_decimal(storm_time time, storm_time unit, int places, const char *word,
                               char *buffer, size_t size) {
    assert(time >= 0 && unit > 0);
    assert(places >= 0 && places <= 9);
    storm_time rest = time % unit;
    while (places > 0 && rest % 10 == 0) {
        rest /= 10;
        places--;
    }
    int digits = places % 10; /* it is places; and gcc sees that it is small */
    if (rest == 0)
        snprintf(buffer, size, "%" PRId64 "%s", time / unit, word);
    else
        snprintf(buffer, size, "%" PRId64 ".%0*" PRId64 "%s", time / unit, digits, rest, word);
}

const char *storm_time_print(storm_time time, char *buffer, size_t size) {
    assert(time >= 0);
    assert(buffer != NULL && size > 0);
    const storm_time minute = 60 * STORM_SECOND;
    const storm_time hour = 60 * minute;
    const storm_time day = 24 * hour;
    if (time >= STORM_NEVER)
        snprintf(buffer, size, "never");
    else if (time >= 2 * day && time % day == 0)
        time_print_decimal(time, day, 0, "d", buffer, size);
    else if (time >= hour && time % hour == 0)
        time_print_decimal(time, hour, 0, "h", buffer, size);
    else if (time >= 2 * minute && time % minute == 0)
        time_print_decimal(time, minute, 0, "m", buffer, size);
    else if (time >= STORM_SECOND || time == 0)
        time_print_decimal(time, STORM_SECOND, 9, "s", buffer, size);
    else if (time >= STORM_MILLISECOND)
        time_print_decimal(time, STORM_MILLISECOND, 6, "ms", buffer, size);
    else if (time >= STORM_MICROSECOND)
        time_print_decimal(time, STORM_MICROSECOND, 3, "us", buffer, size);
    else
        time_print_decimal(time, STORM_NANOSECOND, 0, "ns", buffer, size);
    return buffer;
}

/* Puts '.' where a locale has put its own point, which may be several bytes. */
static void point_restore(char *text) {
    assert(text != NULL);
    size_t point = strspn(text, "-0123456789");
    size_t rest = point + strcspn(text + point, "0123456789");
    if (text[point] == '\0' || text[point] == 'e')
        return;
    assert(rest > point);
    text[point] = '.';
    memmove(text + point + 1, text + rest, strlen(text + rest) + 1);
}

const char *storm_double_print(double value, char *buffer, size_t size) {
    assert(isfinite(value));
    assert(buffer != NULL && size >= 32);
    /* 15 digits name a normal double; the few bits of a subnormal may need fewer. */
    int digits = fabs(value) < 0x1p-1022 ? 1 : 15;
    for (; digits <= 17; digits++) {
        int length = snprintf(buffer, size, "%.*g", digits, value);
        assert(length > 0 && (size_t)length < size);
        if (strtod(buffer, NULL) == value) /* print and read follow the same locale */
            break;
    }
    assert(digits <= 17);
    point_restore(buffer);
    return buffer;
}
