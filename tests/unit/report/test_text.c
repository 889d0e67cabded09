/* test_text.c: numbers, widths, names and lines that stand in columns. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static void numbers_have_three_digits_and_commas(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *expected;
    } cases[] = {
        {0.0, "0"},         {-0.0, "0"},         {1.0, "1"},
        {5.8, "5.8"},       {5.804, "5.8"},      {5.806, "5.81"},
        {12.34, "12.3"},    {99.96, "100"},      {100.4, "100"},
        {999.5, "1,000"},   {9420.4, "9,420"},   {1234567.0, "1,234,567"},
        {0.5, "0.5"},       {0.0123, "0.0123"},  {0.012349, "0.0123"},
        {0.98765, "0.988"}, {1e-7, "0.0000001"}, {1e-12, "1e-12"},
        {-5.25, "-5.25"},   {-1234.0, "-1,234"}, {9.99e14, "999,000,000,000,000"},
        {1e15, "1e+15"},    {1e300, "1e+300"},
    };
    char buffer[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(text_number(cases[i].value, buffer), cases[i].expected);
    assert_string_equal(text_number((double)NAN, buffer), "\xE2\x80\x93");
    assert_string_equal(text_number((double)INFINITY, buffer), "\xE2\x88\x9E");
}

static void numbers_that_stand_together_have_the_same_decimals(void **state) {
    (void)state;
    static const struct {
        double values[3];
        const char *expected[3];
    } cases[] = {
        {{75.1, 74.0, 75.3}, {"75.1", "74.0", "75.3"}},
        {{75.0, 74.0, 77.0}, {"75", "74", "77"}},
        {{99.2, 98.66, 100.0}, {"99.2", "98.7", "100.0"}},
        {{9420.4, 7065.0, 11776.2}, {"9,420", "7,065", "11,776"}},
        {{12.5, 9.375, 15.625}, {"12.5", "9.4", "15.6"}},
        {{0.0, 0.0, 0.25}, {"0.00", "0.00", "0.25"}},
        {{0.0, 0.0, 15.0}, {"0", "0", "15"}},
        {{0.312, 0.0, 9420.0}, {"0.3", "0.0", "9,420.0"}},
        {{0.0123, -0.0001, 0.5}, {"0.0123", "-0.0001", "0.5000"}},
        {{1.5, 1.25, (double)INFINITY}, {"1.50", "1.25", "\xE2\x88\x9E"}},
        {{1e16, 1.0, 2.0}, {"1e+16", "1", "2"}},
    };
    char buffers[3][TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_false(text_numbers(cases[i].values, 3, buffers));
        for (int k = 0; k < 3; k++)
            assert_string_equal(buffers[k], cases[i].expected[k]);
    }
    assert_true(text_numbers((const double[]){5.8, 5.801, 5.799}, 3, buffers));
    assert_string_equal(buffers[0], "5.8");
}

static void width_counts_columns_not_bytes(void **state) {
    (void)state;
    assert_int_equal(text_width(""), 0);
    assert_int_equal(text_width("abc"), 3);
    assert_int_equal(text_width("5.8 \xC3\x97"), 5);
    assert_int_equal(text_width("\xE6\x97\xA5\xE6\x9C\xAC"), 4);   /* wide */
    assert_int_equal(text_width("e\xCC\x81"), 1);                  /* combining */
    assert_int_equal(text_width("\033[31mstuck\033[0m in 3"), 10); /* coloured */
    assert_int_equal(text_width("\xFF"), 1);
}

static void names_cannot_command_the_terminal(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    assert_string_equal(text_clean(&arena, "a\033[2Jb\n"), "a\xEF\xBF\xBD[2Jb\xEF\xBF\xBD");
    assert_string_equal(text_clean(&arena, "\xC2\x9B"
                                           "31m"),
                        "\xEF\xBF\xBD"
                        "31m");
    assert_string_equal(text_clean(&arena, "\xE2\x80\xAE"
                                           "evil"),
                        "\xEF\xBF\xBD"
                        "evil");
    assert_string_equal(text_clean(&arena, "\xFF"), "\xEF\xBF\xBD");
    assert_string_equal(text_clean(&arena, "na\xC3\xAFve"), "na\xC3\xAFve");
    assert_string_equal(text_clean(&arena, NULL), "");
    arena_free(&arena);
    arena_init(&arena, 0);
    assert_null(text_clean(&arena, "full"));
}

static void a_file_gets_neither_commands_nor_bytes_that_are_no_characters(void **state) {
    (void)state;
    char *put;
    size_t size;
    FILE *stream = open_memstream(&put, &size);
    assert_non_null(stream);
    for (const char *c = "a\n\033[1m\x7F\xC2\x9B\xE2\x80\xAE|\xFF\xC3|na\xC3\xAFve\xC3";
         *c != '\0';)
        c = text_put(c, stream);
    fclose(stream);
    assert_string_equal(put, "a  [1m   |\xEF\xBF\xBD\xEF\xBF\xBD|na\xC3\xAFve\xEF\xBF\xBD");
    free(put);
}

static void bytes_that_are_no_characters_are_no_utf8(void **state) {
    (void)state;
    assert_true(text_is_utf8("") && text_is_utf8("na\xC3\xAFve") && text_is_utf8("\xEF\xBF\xBD"));
    assert_false(text_is_utf8("\xFF") || text_is_utf8("na\xC3") || text_is_utf8("\xC0\xAF"));
}

static void values_line_up_whatever_follows_them(void **state) {
    (void)state;
    struct arena arena;
    struct text_table table;
    char *text = NULL;
    size_t size = 0;
    arena_init(&arena, 1 << 20);
    assert_true(text_table_init(&table, &arena, 3, 3, 1));
    *text_table_cell(&table, 0, 0) = (struct text_cell){"name", NULL};
    *text_table_cell(&table, 0, 1) = (struct text_cell){"letters", NULL};
    *text_table_cell(&table, 0, 2) = (struct text_cell){"a long heading", NULL};
    *text_table_cell(&table, 1, 0) = (struct text_cell){"\xE6\x97\xA5", NULL};
    *text_table_cell(&table, 1, 1) = (struct text_cell){"9,420", " [9,380, 9,460]"};
    *text_table_cell(&table, 1, 2) = (struct text_cell){"5", NULL};
    *text_table_cell(&table, 2, 0) = (struct text_cell){"second", NULL};
    *text_table_cell(&table, 2, 1) = (struct text_cell){"7", " [1, 9]"};
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    text_table_write(&table, stream);
    fclose(stream);
    assert_string_equal(text, "name    letters               a long heading\n"
                              "\xE6\x97\xA5      9,420 [9,380, 9,460]               5\n"
                              "second      7 [1, 9]\n");
    free(text);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_three_digits_and_commas),
        cmocka_unit_test(numbers_that_stand_together_have_the_same_decimals),
        cmocka_unit_test(width_counts_columns_not_bytes),
        cmocka_unit_test(names_cannot_command_the_terminal),
        cmocka_unit_test(a_file_gets_neither_commands_nor_bytes_that_are_no_characters),
        cmocka_unit_test(bytes_that_are_no_characters_are_no_utf8),
        cmocka_unit_test(values_line_up_whatever_follows_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
