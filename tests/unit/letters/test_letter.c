/* test_letter.c: files of dead letters are read strictly, and what is wrong has a place. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

#include <retrystorm/policy.h>

#include "base/arena.h"
#include "letters/filter.h"
#include "letters/letter.h"
#include "support/test.h"

#include "sample.h"

enum { TEXT_SIZE = 1 << 16 };

static struct arena arena;
static char text[TEXT_SIZE];

static int begin(void **state) {
    (void)state;
    arena_init(&arena, (size_t)-1);
    text[0] = '\0';
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static void read_good(struct letters *letters) {
    struct storm_error error = {0};
    if (!letters_parse(letters, "x.jsonl", text, strlen(text), &arena, &error))
        fail_msg("%s", error.message);
}

static void every_field_is_read(void **state) {
    (void)state;
    struct letters letters;
    sample_add(text, sizeof text, &(struct sample){.member = 7, .ordinal = 3, .second = 61});
    read_good(&letters);
    assert_int_equal(letters.count, 1);
    const struct letter *letter = &letters.list[0];
    assert_string_equal(letter->says.msg_id[0], "shop-7-3");
    assert_null(letter->says.msg_id[1]);
    assert_string_equal(letter->says.population, "shop");
    assert_string_equal(letter->says.to, "orders");
    assert_string_equal(letter->says.reason, "attempts_exhausted");
    assert_string_equal(letter->says.queue, "orders.dead");
    assert_int_equal(letter->says.member, 7);
    assert_int_equal(letter->says.ordinal, 3);
    assert_int_equal(letter->says.status, 503);
    assert_int_equal(letter->says.attempts, 5);
    assert_false(letter->says.data);
    assert_int_equal(letter->born_at, SAMPLE_NOON - 60 * STORM_SECOND);
    assert_int_equal(letter->first_failed_at, SAMPLE_NOON - 30 * STORM_SECOND);
    assert_int_equal(letter->last_failed_at, SAMPLE_NOON + 61 * STORM_SECOND);
    assert_int_equal(letter->line, 1);
    assert_int_equal(letter->raw_length, strlen(text) - 1);
    assert_int_equal(letter->state, LETTER_UNREVIEWED);
    assert_int_equal(letters_newest(&letters), letter->last_failed_at);
}

static void what_is_written_is_read_again(void **state) {
    (void)state;
    static const uint16_t statuses[] = {0,
                                        STORM_OUTCOME_REFUSED,
                                        STORM_OUTCOME_RESET,
                                        STORM_OUTCOME_TIMEOUT,
                                        STORM_OUTCOME_REJECTED,
                                        400,
                                        599};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        struct letters letters;
        char *line = NULL;
        size_t size = 0;
        text[0] = '\0';
        sample_add(text, sizeof text, &(struct sample){.member = 1});
        read_good(&letters);
        struct dead_letter says = letters.list[0].says;
        says.status = statuses[i];
        says.data = storm_outcome_is_data(statuses[i]);
        FILE *out = open_memstream(&line, &size);
        dead_letter_write(out, &says);
        fclose(out);
        assert_true(size < sizeof text);
        strcpy(text, line);
        free(line);
        read_good(&letters);
        assert_int_equal(letters.list[0].says.status, statuses[i]);
        assert_int_equal(letters.list[0].says.data, says.data);
    }
}

static void blank_lines_and_a_last_line_without_an_end_are_fine(void **state) {
    (void)state;
    struct letters letters;
    strcpy(text, "\n \r\n");
    sample_add(text, sizeof text, &(struct sample){.member = 1});
    strcat(text, "\n");
    sample_add(text, sizeof text, &(struct sample){.member = 2});
    text[strlen(text) - 1] = '\0';
    read_good(&letters);
    assert_int_equal(letters.count, 2);
    assert_int_equal(letters.list[1].line, 5);
    text[0] = '\0';
    read_good(&letters);
    assert_int_equal(letters.count, 0);
    assert_int_equal(letters_newest(&letters), 0);
}

static void fields_that_are_not_ours_are_passed_over(void **state) {
    (void)state;
    struct letters letters;
    sample_add(text, sizeof text, &(struct sample){.member = 1});
    memmove(text + 14, text + 1, strlen(text));
    memcpy(text, "{\"more\": [1],  ", 14);
    read_good(&letters);
    assert_int_equal(letters.count, 1);
}

/* A good line, and then one in which `from` has become `to`; `wanted` must stand in the message. */
static void check_broken(const char *from, const char *to, const char *wanted) {
    struct letters letters;
    struct storm_error error = {0};
    char rest[4096];
    text[0] = '\0';
    sample_add(text, sizeof text, &(struct sample){.member = 1});
    size_t first = strlen(text);
    sample_add(text, sizeof text, &(struct sample){.member = 2});
    char *place = strstr(text + first, from);
    assert_non_null(place);
    strcpy(rest, place + strlen(from));
    sprintf(place, "%s%s", to, rest);
    assert_false(letters_parse(&letters, "x.jsonl", text, strlen(text), &arena, &error));
    assert_int_equal(error.status, STORM_INVALID);
    assert_int_equal(error.line, 2);
    if (strstr(error.message, wanted) == NULL)
        fail_msg("'%s' lacks '%s'", error.message, wanted);
}

static void what_is_wrong_is_said_with_its_place(void **state) {
    (void)state;
    check_broken("\"msg_id\": \"shop-2-0\"", "\"msg_id\": \"\"",
                 "x.jsonl:2:2: msg_id must not be empty");
    check_broken("\"msg_id\"", "\"msgid\"", "x.jsonl:2:1: msg_id is missing");
    check_broken("\"member\": 2", "\"member\": -2",
                 "x.jsonl:2:59: original.member must be a whole number from 0 to 4294967295");
    check_broken("\"member\": 2", "\"member\": 2.5", "original.member must be a whole number");
    check_broken("\"reason\"", "\"raison\"", "reason is missing");
    check_broken("\"status\": 503", "\"status\": 99", "status must be a number from 100 to 599");
    check_broken("\"status\": 503", "\"status\": \"lost\"", "status must be a number");
    check_broken("\"class\": \"system\"", "\"class\": \"other\"", "class must be system or data");
    check_broken("2026-09-06T12:00:00Z", "2026-13-06T12:00:00Z",
                 "last_failed_at must be a time such as 2026-09-06T12:00:00Z");
    check_broken("\"queue\": \"orders.dead\"", "\"queue\": 5", "queue must be a string");
    check_broken("\"original\": {", "\"original\": [{", "no valid JSON");
    check_broken("{\"msg_id\"", "[\"msg_id\"", "no valid JSON");
    check_broken("\"attempts\": 5", "\"attempts\": 5, \"attempts\": 6", "no valid JSON");
}

static void a_line_that_is_no_object_is_refused(void **state) {
    (void)state;
    struct letters letters;
    struct storm_error error = {0};
    assert_false(letters_parse(&letters, "x", "[]\n", 3, &arena, &error));
    assert_string_equal(error.message, "x:1:1: the document must be an object, not an array");
}

static void a_line_has_a_limit(void **state) {
    (void)state;
    struct letters letters;
    struct storm_error error = {0};
    char *line = malloc(LETTERS_LINE_MAX + 2);
    memset(line, ' ', LETTERS_LINE_MAX + 2);
    assert_true(letters_parse(&letters, "x", line, LETTERS_LINE_MAX, &arena, &error));
    assert_false(letters_parse(&letters, "x", line, LETTERS_LINE_MAX + 1, &arena, &error));
    assert_int_equal(error.status, STORM_LIMIT);
    assert_string_equal(error.message, "x:1:1: the line has more than 65536 bytes");
    free(line);
}

static void letters_are_found_by_both_their_names(void **state) {
    (void)state;
    struct letters letters;
    for (uint32_t i = 0; i < 50; i++)
        sample_add(text, sizeof text,
                   &(struct sample){.member = i * 7 % 50, .ordinal = i % 3, .second = (int)i});
    /* The same letter once more, and another of the same message. */
    sample_add(text, sizeof text, &(struct sample){.member = 7, .ordinal = 1});
    char *twin = text + strlen(text);
    sample_add(text, sizeof text, &(struct sample){.member = 7, .ordinal = 1});
    memcpy(strstr(twin, "trace_id") + 12, "ffff", 4);
    read_good(&letters);
    assert_int_equal(letters.count, 52);
    uint32_t repeated = 0;
    for (uint32_t i = 0; i < letters.count; i++) {
        const struct letter *letter = &letters.list[i];
        const struct letter *found =
            letters_find(&letters, letter->says.msg_id[0], letter->says.trace_id);
        assert_int_equal(letter_compare(letter, found), 0);
        assert_true(letter->repeated || found == letter);
        assert_ptr_equal(letters_named(&letters, letter->says.trace_id, NULL), found);
        repeated += letter->repeated;
    }
    assert_int_equal(repeated, 1);
    assert_true(letters.list[50].repeated);
    const struct letter *named = letters_named(&letters, "shop-7-1", NULL);
    assert_int_equal(named->line, 2);
    named = letters_named(&letters, "shop-7-1", named);
    assert_int_equal(named->line, 51);
    named = letters_named(&letters, "shop-7-1", named);
    assert_int_equal(named->line, 52);
    assert_null(letters_named(&letters, "shop-7-1", named));
    assert_null(letters_find(&letters, "shop-7-1", "x"));
}

static void a_filter_lets_pass_what_it_names(void **state) {
    (void)state;
    struct letters letters;
    sample_add(text, sizeof text, &(struct sample){.second = 10});
    sample_add(text, sizeof text,
               &(struct sample){.second = 20,
                                .reason = "not_retryable",
                                .status = "400",
                                .class = "data",
                                .queue = "other"});
    read_good(&letters);
    const struct letter *first = &letters.list[0], *second = &letters.list[1];
    struct letter_filter filter = letter_filter_open();
    assert_true(letter_filter_passes(&filter, first) && letter_filter_passes(&filter, second));
    filter.queue = "other";
    assert_true(!letter_filter_passes(&filter, first) && letter_filter_passes(&filter, second));
    filter.queue = "orders"; /* whom both called */
    assert_true(letter_filter_passes(&filter, first) && letter_filter_passes(&filter, second));
    filter = letter_filter_open();
    filter.reason = "not_retryable";
    assert_true(!letter_filter_passes(&filter, first) && letter_filter_passes(&filter, second));
    filter = letter_filter_open();
    filter.class = LETTER_SYSTEM;
    assert_true(letter_filter_passes(&filter, first) && !letter_filter_passes(&filter, second));
    filter = letter_filter_open();
    filter.since = SAMPLE_NOON + 20 * STORM_SECOND;
    assert_true(!letter_filter_passes(&filter, first) && letter_filter_passes(&filter, second));
    filter = letter_filter_open();
    filter.until = SAMPLE_NOON + 20 * STORM_SECOND;
    assert_true(letter_filter_passes(&filter, first) && !letter_filter_passes(&filter, second));
}

static void instants_may_lack_their_end(void **state) {
    (void)state;
    int64_t instant;
    static const char *const noon[] = {"2026-09-06T12:00", "2026-09-06T12:00:00",
                                       "2026-09-06T12:00:00Z", "2026-09-06T14:00:00+02:00",
                                       "2026-09-06 12:00:00.000"};
    for (size_t i = 0; i < sizeof noon / sizeof noon[0]; i++) {
        assert_true(letter_instant_parse(noon[i], &instant));
        assert_int_equal(instant, SAMPLE_NOON);
    }
    assert_true(letter_instant_parse("2026-09-06", &instant));
    assert_int_equal(instant, SAMPLE_NOON - 12 * 3600 * STORM_SECOND);
    static const char *const wrong[] = {"",     "noon", "2026-09", "2026-09-31", "2026-09-06T24:00",
                                        "12:00"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(letter_instant_parse(wrong[i], &instant));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_field_is_read, begin, end),
        cmocka_unit_test_setup_teardown(what_is_written_is_read_again, begin, end),
        cmocka_unit_test_setup_teardown(blank_lines_and_a_last_line_without_an_end_are_fine, begin,
                                        end),
        cmocka_unit_test_setup_teardown(fields_that_are_not_ours_are_passed_over, begin, end),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said_with_its_place, begin, end),
        cmocka_unit_test_setup_teardown(a_line_that_is_no_object_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_line_has_a_limit, begin, end),
        cmocka_unit_test_setup_teardown(letters_are_found_by_both_their_names, begin, end),
        cmocka_unit_test_setup_teardown(a_filter_lets_pass_what_it_names, begin, end),
        cmocka_unit_test(instants_may_lack_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
