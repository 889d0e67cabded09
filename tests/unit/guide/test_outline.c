/* test_outline.c: what is told about settings is true of them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/load.h>

#include "guide/outline.h"

/* Everything that examples refer to. */
static const char text[] =
    "version: 1\nduration: 60s\npolicies: {NAME: {delay: fixed}, app: {delay: fixed}}\n"
    "clients:\n"
    "  NAME: {count: 1, arrivals: {even: 1/s}, calls: {to: NAME, retry: {delay: fixed}}}\n"
    "  web: {count: 1, arrivals: {even: 1/s}, calls: {to: orders}}\n"
    "services:\n"
    "  NAME: {workers: 4, service_time: 1ms, queue: {limit: 5}, calls: [{to: api, retry: {delay: "
    "fixed}}],\n"
    "         rate_limit: {rate: 1/s, ban: {strikes: 3, length: 30s}},\n"
    "         crash: {when: {offered: 2x, for: 1s}, down_for: 1s},\n"
    "         recovery: {time: 1s}}\n"
    "  api: {workers: 4, service_time: 1ms}\n"
    "  db: {workers: 4, service_time: 1ms}\n"
    "queues: {orders: {memory: 9, order: fifo}}\n"
    "consumers: {workers: {from: orders, count: 9, calls: {to: api, retry: {delay: fixed}}}}\n"
    "dead_letters: {NAME: {retention: 9s, alerts: [{growth: 1, within: 1s}]}}\n"
    "faults: [{service: api, kind: down, at: 1s, for: 1s}]\n"
    "variants: {slow: {}}\n";

/* Keys that depend on others of their map, on a file, or on a number beside them. */
static bool is_bound(const char *path) {
    static const char *const starts[] = {"faults.0.", "actions.0.",
                                         "expect.0.", "clients.NAME.arrivals.",
                                         "variants",  "dead_letters.NAME.alerts.0."};
    static const char *const ends[] = {
        ".dead_letter_queue", ".preset",     ".budget", ".hedge.after", ".hedge.attempts",
        ".optimistic_lock",   ".sharing",    ".cap",    ".floor",       ".jitter_high",
        ".jitter_low",        ".plain_first"};
    if (strcmp(path, "version") == 0 || strcmp(path, "services") == 0 ||
        strcmp(path, "clients") == 0)
        return true;
    if (strstr(path, ".budget.") != NULL || strstr(path, ".throttle.") != NULL ||
        strstr(path, ".breaker.") != NULL)
        return true;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (strncmp(path, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t length = strlen(path), end = strlen(ends[i]);
        if (length > end && strcmp(path + length - end, ends[i]) == 0)
            return true;
    }
    return false;
}

struct tally {
    struct storm_document *document;
    int told, wrong;
};

/* Queues and consumers must not be called like services and clients. */
static const char *path_here(const char *path, char *buffer, size_t size) {
    static const char *const names[][2] = {{"queues.NAME", "queues.orders"},
                                           {"consumers.NAME", "consumers.workers"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i][0]);
        if (strncmp(path, names[i][0], length) != 0)
            continue;
        snprintf(buffer, size, "%s%s", names[i][1], path + length);
        return buffer;
    }
    return path;
}

static void example_check(void *context, const char *path, const struct entry *entry) {
    struct tally *tally = context;
    char here[STORM_PATH_MAX];
    struct phrase example = {0};
    struct storm_errors errors = {.count = 0};
    outline_say_example(entry, &example);
    if (example.used == 0 || is_bound(path))
        return;
    struct storm_override set = {path_here(path, here, sizeof here), example.text};
    tally->told++;
    if (storm_document_decode(tally->document, NULL, &set, 1, &errors) != NULL)
        return;
    print_error("%s: %s: %s %s\n", path, example.text, errors.list[0].path, errors.list[0].message);
    tally->wrong++;
}

static void every_example_can_be_read(void **state) {
    (void)state;
    struct storm_errors errors = {.count = 0};
    struct tally tally = {.document = storm_document_parse(text, strlen(text), &errors)};
    assert_non_null(tally.document);
    outline_visit(example_check, &tally);
    storm_document_free(tally.document);
    assert_true(tally.told > 100);
    assert_int_equal(tally.wrong, 0);
}

static void text_check(void *context, const char *path, const struct entry *entry) {
    int *wrong = context;
    struct phrase value = {0}, range = {0}, fallback = {0};
    const struct field *field = entry->field;
    outline_say_value(entry, &value);
    outline_say_range(field, &range);
    outline_say_default(entry, &fallback);
    bool is_good = field->help != NULL && field->help[0] != '\0' && value.used > 0;
    for (const struct field_word *word = field->words; word != NULL && word->word != NULL; word++)
        is_good = is_good && word->help != NULL && word->help[0] != '\0';
    if (!is_good)
        print_error("%s says too little\n", path);
    *wrong += !is_good;
}

static void every_setting_and_word_says_what_it_means(void **state) {
    (void)state;
    int wrong = 0;
    outline_visit(text_check, &wrong);
    assert_int_equal(wrong, 0);
}

static void bounds_are_told_when_they_are_worth_it(void **state) {
    (void)state;
    static const struct {
        struct field field;
        const char *wanted;
    } rows[] = {
        {{"a", FIELD_SHARE, 0, NULL, 0, 1, NULL, ""}, "0% to 100%"},
        {{"a", FIELD_DURATION, 0, NULL, 1e-9, 1e9, NULL, ""}, "more than 0"},
        {{"a", FIELD_DURATION, 0, NULL, 1e-9, 60, NULL, ""}, "more than 0, at most 60s"},
        {{"a", FIELD_DURATION, 0, NULL, 0, 1e9, NULL, ""}, ""},
        {{"a", FIELD_FACTOR, 0, NULL, -64, 64, NULL, ""}, "-64x to 64x"},
        {{"a", FIELD_COUNT, 0, NULL, 1, UINT32_MAX, NULL, ""}, "at least 1"},
        {{"a", FIELD_DIST, 0, NULL, 1e-9, HUGE_VAL, NULL, ""}, "more than 0"},
        {{"a", FIELD_MAP, 0, NULL, 1, 64, NULL, ""}, "at least 1, at most 64"},
        {{"a", FIELD_TEXT, 0, NULL, 0, 0, NULL, ""}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct phrase phrase = {0};
        outline_say_range(&rows[i].field, &phrase);
        assert_string_equal(phrase.text, rows[i].wanted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_can_be_read),
        cmocka_unit_test(every_setting_and_word_says_what_it_means),
        cmocka_unit_test(bounds_are_told_when_they_are_worth_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
