/* test_tree.c: the tree that a text becomes, and what is refused. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>

#include "scenario/tree.h"
#include "support/test.h"

/* One parse; free with done(). */
struct parse {
    struct arena arena;
    struct blames blames;
    const struct node *root;
};

static struct parse *parse(const char *text) {
    struct parse *parse = calloc(1, sizeof *parse);
    assert_non_null(parse);
    arena_init(&parse->arena, 1 << 26);
    parse->root = tree_parse(&parse->arena, text, strlen(text), NULL, &parse->blames);
    return parse;
}

static void done(struct parse *parse) {
    arena_free(&parse->arena);
    free(parse);
}

static const struct node *value_of(const struct node *node, const char *key) {
    const struct item *item = tree_find(node, key);
    assert_non_null(item);
    return item->value;
}

/* The text is refused with this message at this place. */
static void assert_refused(const char *text, int line, int column, const char *message) {
    struct parse *p = parse(text);
    assert_true(p->blames.total > 0);
    const struct storm_error *error = &p->blames.kept.list[0];
    if (error->line != line || error->column != column ||
        strncmp(error->message, message, strlen(message)) != 0)
        fail_msg("%d:%d: %s", error->line, error->column, error->message);
    done(p);
}

static void assert_place(struct place place, int line, int column, int width) {
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
    assert_int_equal(place.width, width);
}

static void every_node_knows_its_place(void **state) {
    (void)state;
    struct parse *p = parse("a: one\nb:\n  - 'two'\n  - {c: three,\n d: 4}\n");
    assert_int_equal(p->blames.total, 0);
    assert_int_equal(p->root->kind, NODE_MAP);
    assert_place(tree_find(p->root, "a")->place, 1, 1, 1);
    assert_place(value_of(p->root, "a")->place, 1, 4, 3);
    const struct node *list = value_of(p->root, "b");
    assert_int_equal(list->kind, NODE_LIST);
    assert_int_equal(list->count, 2);
    assert_place(list->items[0].value->place, 3, 5, 5);
    assert_false(list->items[0].value->plain);
    const struct node *map = list->items[1].value;
    assert_place(map->place, 4, 5, 1);
    assert_place(value_of(map, "c")->place, 4, 9, 5);
    assert_place(value_of(map, "d")->place, 5, 5, 1);
    done(p);
}

static void columns_count_characters_not_bytes(void **state) {
    (void)state;
    struct parse *p = parse("{\"\xE4\xBB\xB6\xE6\x95\xB0\": 1, b: 22}");
    assert_place(tree_find(p->root, "b")->place, 1, 11, 1);
    assert_place(value_of(p->root, "b")->place, 1, 14, 2);
    assert_place(p->root->place, 1, 1, 16);
    done(p);
}

static void an_alias_is_the_same_node_seen_twice(void **state) {
    (void)state;
    struct parse *p = parse("a: &x {k: v}\nb: *x\nc: [*x, &y z, *y]\n");
    assert_int_equal(p->blames.total, 0);
    assert_ptr_equal(value_of(p->root, "a"), value_of(p->root, "b"));
    assert_ptr_equal(value_of(p->root, "c")->items[0].value, value_of(p->root, "a"));
    assert_ptr_equal(value_of(p->root, "c")->items[1].value,
                     value_of(p->root, "c")->items[2].value);
    done(p);
}

static void json_is_read_too(void **state) {
    (void)state;
    struct parse *p = parse("{\n\t\"a\": [\"1s\", true],\n\t\"b\": {\"c\": \"\\u00e9\"}\n}\n");
    assert_int_equal(p->blames.total, 0);
    assert_string_equal(value_of(p->root, "a")->items[0].value->text, "1s");
    assert_string_equal(value_of(value_of(p->root, "b"), "c")->text, "\xC3\xA9");
    done(p);
}

static void a_byte_order_mark_is_not_text(void **state) {
    (void)state;
    struct parse *p = parse("\xEF\xBB\xBF"
                            "a: b\r\nc: d\r\n");
    assert_place(tree_find(p->root, "a")->place, 1, 1, 1);
    assert_place(value_of(p->root, "c")->place, 2, 4, 1);
    assert_string_equal(value_of(p->root, "a")->text, "b");
    done(p);
}

static void what_yaml_allows_and_we_do_not_is_refused(void **state) {
    (void)state;
    assert_refused("a: 1\nb: 2\na: 3\n", 3, 1,
                   "the key 'a' is here twice (the first is on line 1)");
    assert_refused("a: &x {b: 1}\nc: {<<: *x}\n", 2, 5, "merge keys (<<) are not used");
    assert_refused("a: !!int 3\n", 1, 4, "tags (such as !!str) are not used");
    assert_refused("a: !mine {}\n", 1, 4, "tags (such as !!str) are not used");
    assert_refused("a: 1\n---\nb: 2\n", 2, 1, "a second document begins here");
    assert_refused("a: &x [*x]\n", 1, 8, "an alias may not be inside its own anchor");
    assert_refused("a: *x\n", 1, 4, "there is no anchor of this name before here");
    assert_refused("a: &x 1\nb: &x 2\n", 2, 4, "this anchor's name is taken already");
    assert_refused("a: \"b\\0c\"\n", 1, 4, "a text may not contain the character \\0");
    assert_refused("? [a, b]\n: c\n", 1, 3, "a key must be a plain word");
    assert_refused("", 1, 1, "the file is empty");
    assert_refused("# only this\n", 1, 1, "the file is empty");
}

static void what_is_not_yaml_is_refused_at_its_place(void **state) {
    (void)state;
    assert_refused("a: [1, 2\n", 1, 4, "not valid YAML: did not find expected ',' or ']'");
    assert_refused("a: b: c\n", 1, 5, "not valid YAML: mapping values are not allowed");
    assert_refused("a:\n\tb: c\n", 2, 1, "not valid YAML: found character that cannot start");
    assert_refused("a: x\r\nb: \xFF\n", 2, 4, "not valid YAML: invalid leading UTF-8 octet");
    assert_refused("a: \x01\n", 1, 4, "not valid YAML: control characters are not allowed");
}

static void all_duplicates_are_told_at_once(void **state) {
    (void)state;
    struct parse *p = parse("a: 1\na: 2\na: 3\nb: {c: 1, c: 2}\n");
    assert_int_equal(p->blames.kept.count, 3);
    assert_non_null(p->root);
    done(p);
}

/* `depth` brackets, closed again. */
static struct parse *parse_nested(int depth) {
    char text[256] = "";
    assert_true(depth < 120);
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    return parse(text);
}

static void the_depth_has_a_limit(void **state) {
    (void)state;
    struct parse *p = parse_nested(STORM_DEPTH_MAX);
    assert_int_equal(p->blames.total, 0);
    done(p);
    p = parse_nested(STORM_DEPTH_MAX + 1);
    assert_int_equal(p->blames.total, 1);
    assert_int_equal(p->blames.kept.list[0].column, STORM_DEPTH_MAX + 1);
    done(p);
}

static void the_number_of_values_has_a_limit(void **state) {
    (void)state;
    size_t room = 2 * (size_t)STORM_NODES_MAX + 16;
    char *text = calloc(1, room);
    assert_non_null(text);
    text[0] = '[';
    for (size_t i = 0; i < STORM_NODES_MAX; i++)
        memcpy(text + 1 + 2 * i, "1,", 2);
    strcat(text + 2 * (size_t)STORM_NODES_MAX, "]");
    struct blames blames = {.total = 0};
    struct arena arena;
    arena_init(&arena, (size_t)1 << 30);
    assert_null(tree_parse(&arena, text, strlen(text), NULL, &blames));
    assert_string_equal(blames.kept.list[0].message, "more than 1,000,000 values");
    arena_free(&arena);
    free(text);
}

static void a_small_memory_is_an_error_and_no_crash(void **state) {
    (void)state;
    char text[4096] = "a: [";
    for (int i = 0; i < 1000; i++)
        strcat(text, "b, ");
    strcat(text, "]");
    for (size_t limit = 0; limit < 300000; limit += 1021) {
        struct arena arena;
        struct blames blames = {.total = 0};
        arena_init(&arena, limit);
        const struct node *root = tree_parse(&arena, text, strlen(text), NULL, &blames);
        assert_true((root == NULL) == (blames.total > 0));
        if (root == NULL)
            assert_int_equal(blames.kept.list[0].status, STORM_LIMIT);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_knows_its_place),
        cmocka_unit_test(columns_count_characters_not_bytes),
        cmocka_unit_test(an_alias_is_the_same_node_seen_twice),
        cmocka_unit_test(json_is_read_too),
        cmocka_unit_test(a_byte_order_mark_is_not_text),
        cmocka_unit_test(what_yaml_allows_and_we_do_not_is_refused),
        cmocka_unit_test(what_is_not_yaml_is_refused_at_its_place),
        cmocka_unit_test(all_duplicates_are_told_at_once),
        cmocka_unit_test(the_depth_has_a_limit),
        cmocka_unit_test(the_number_of_values_has_a_limit),
        cmocka_unit_test(a_small_memory_is_an_error_and_no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
