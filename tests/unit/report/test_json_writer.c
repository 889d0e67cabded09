/* test_json_writer.c: layout, numbers and strings of JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_writer.h"
#include "support/test.h"

/* A document in memory. */
struct page {
    struct json_writer json;
    char *text;
    size_t size;
    FILE *stream;
};

static void page_open(struct page *page) {
    page->stream = open_memstream(&page->text, &page->size);
    assert_non_null(page->stream);
    json_writer_init(&page->json, page->stream);
}

static void page_is(struct page *page, const char *expected) {
    assert_true(json_writer_end(&page->json));
    fclose(page->stream);
    assert_string_equal(page->text, expected);
    free(page->text);
}

static void members_are_written_in_the_order_of_the_calls(void **state) {
    (void)state;
    struct page page;
    page_open(&page);
    json_writer_object_begin(&page.json, JSON_LINES);
    json_writer_key(&page.json, "z");
    json_writer_count(&page.json, UINT64_MAX);
    json_writer_key(&page.json, "a");
    json_writer_array_begin(&page.json, JSON_LINES);
    json_writer_bool(&page.json, true);
    json_writer_null(&page.json);
    json_writer_array_end(&page.json);
    json_writer_key(&page.json, "none");
    json_writer_object_begin(&page.json, JSON_LINES);
    json_writer_object_end(&page.json);
    json_writer_object_end(&page.json);
    page_is(
        &page,
        "{\n \"z\": 18446744073709551615,\n \"a\": [\n  true,\n  null\n ],\n \"none\": {}\n}\n");
}

static void what_is_inside_a_flat_array_is_flat(void **state) {
    (void)state;
    struct page page;
    page_open(&page);
    json_writer_array_begin(&page.json, JSON_FLAT);
    json_writer_object_begin(&page.json, JSON_LINES);
    json_writer_key(&page.json, "a");
    json_writer_bool(&page.json, false);
    json_writer_key(&page.json, "b");
    json_writer_string(&page.json, NULL);
    json_writer_object_end(&page.json);
    json_writer_count(&page.json, 0);
    json_writer_array_end(&page.json);
    page_is(&page, "[{\"a\": false, \"b\": \"\"}, 0]\n");
}

static void numbers_are_the_shortest_that_read_back(void **state) {
    (void)state;
    struct page page;
    page_open(&page);
    json_writer_array_begin(&page.json, JSON_FLAT);
    json_writer_double(&page.json, 0.1);
    json_writer_double(&page.json, 1.0 / 3.0);
    json_writer_double(&page.json, 5.0);
    json_writer_double(&page.json, 1e300);
    json_writer_double(&page.json, -0.0);
    json_writer_array_end(&page.json);
    page_is(&page, "[0.1, 0.3333333333333333, 5, 1e+300, -0]\n");
}

static void what_is_no_number_is_null(void **state) {
    (void)state;
    struct page page;
    page_open(&page);
    json_writer_array_begin(&page.json, JSON_FLAT);
    json_writer_double(&page.json, (double)NAN);
    json_writer_double(&page.json, (double)INFINITY);
    json_writer_double(&page.json, -(double)INFINITY);
    json_writer_array_end(&page.json);
    page_is(&page, "[null, null, null]\n");
}

static void control_characters_and_quotes_are_escaped(void **state) {
    (void)state;
    struct page page;
    page_open(&page);
    json_writer_string(&page.json, "a\"b\\c/\b\f\n\r\t\x01\x1f\x7f");
    page_is(&page, "\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"\n");
}

static void characters_beyond_ascii_are_kept(void **state) {
    (void)state;
    struct page page;
    page_open(&page);
    json_writer_string(&page.json, "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x90\x84");
    page_is(&page, "\"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x90\x84\"\n");
}

#define REPLACED "\xEF\xBF\xBD"

static void broken_utf8_is_replaced(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"a\x80z", "a" REPLACED "z"},                              /* a continuation alone */
        {"\xC3", REPLACED},                                        /* cut short */
        {"\xC0\xAFz", REPLACED REPLACED "z"},                      /* overlong */
        {"\xED\xA0\x80", REPLACED REPLACED REPLACED},              /* a surrogate */
        {"\xF5\x80\x80\x80", REPLACED REPLACED REPLACED REPLACED}, /* beyond U+10FFFF */
        {"\xFF\"", REPLACED "\\\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct page page;
        char expected[64];
        page_open(&page);
        json_writer_string(&page.json, cases[i].text);
        snprintf(expected, sizeof expected, "\"%s\"\n", cases[i].expected);
        page_is(&page, expected);
    }
}

static void parts_are_joined_into_one_string(void **state) {
    (void)state;
    struct page page;
    page_open(&page);
    json_writer_joined(&page.json, (const char *const[]){"a\"", NULL, "-1"}, 3);
    page_is(&page, "\"a\\\"-1\"\n");
}

static void a_full_device_is_noticed(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL)
        skip();
    struct json_writer json;
    setvbuf(full, NULL, _IONBF, 0);
    json_writer_init(&json, full);
    json_writer_string(&json, "lost");
    assert_false(json_writer_end(&json));
    fclose(full);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_written_in_the_order_of_the_calls),
        cmocka_unit_test(what_is_inside_a_flat_array_is_flat),
        cmocka_unit_test(numbers_are_the_shortest_that_read_back),
        cmocka_unit_test(what_is_no_number_is_null),
        cmocka_unit_test(control_characters_and_quotes_are_escaped),
        cmocka_unit_test(characters_beyond_ascii_are_kept),
        cmocka_unit_test(broken_utf8_is_replaced),
        cmocka_unit_test(parts_are_joined_into_one_string),
        cmocka_unit_test(a_full_device_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
