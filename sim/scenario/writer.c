/* writer.c: walks the tables and writes what they describe. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <string.h>

#include "scenario/value.h"
#include "scenario/writer.h"

void setting_add(struct writer *writer, const struct trail *trail, const char *value) {
    char path[STORM_PATH_MAX];
    assert(trail != NULL && value != NULL);
    if (writer->count == writer->room && !writer->is_full) {
        size_t room = writer->room == 0 ? 64 : writer->room * 2;
        struct storm_setting *grown =
            arena_grow_array(writer->arena, writer->list, writer->count, room, sizeof *grown);
        writer->is_full = grown == NULL;
        writer->list = grown == NULL ? writer->list : grown;
        writer->room = grown == NULL ? writer->room : room;
    }
    if (writer->is_full)
        return;
    blame_path(trail, path, sizeof path);
    struct storm_setting *setting = &writer->list[writer->count];
    setting->path = arena_copy_string(writer->arena, path, strlen(path));
    setting->value = arena_copy_string(writer->arena, value, strlen(value));
    writer->is_full = setting->path == NULL || setting->value == NULL;
    writer->count += writer->is_full ? 0 : 1;
}

void text_add(struct writer *writer, const struct trail *up, const char *key, const char *value) {
    struct trail here = {.up = up, .key = key};
    setting_add(writer, &here, value);
}

void field_add(struct writer *writer, const struct trail *up, const struct field *field,
               const void *target) {
    char value[VALUE_MAX];
    text_add(writer, up, field->key, value_print(field, target, value, sizeof value));
}

void flow_setting(struct writer *writer, const struct trail *up, const char *key,
                  const struct flow *flow) {
    assert(flow->text != NULL || flow->is_full);
    writer->is_full = writer->is_full || flow->is_full;
    if (!writer->is_full)
        text_add(writer, up, key, flow->text);
}

void number_add(struct writer *writer, const struct trail *up, const char *key,
                enum field_kind kind, double value) {
    char text[VALUE_MAX];
    text_add(writer, up, key, value_print_number(kind, value, text, sizeof text));
}

void map_add(struct writer *writer, const struct trail *up, const struct shape *shape,
             const void *target, special_writer *special) {
    for (const struct row *row = shape->rows; row->field.key != NULL; row++) {
        if (row->read == NULL && row->field.kind != FIELD_MAP)
            field_add(writer, up, &row->field, target);
        else
            special(writer, up, row->field.key, target);
    }
    for (const struct field *field = shape->more; field != NULL && field->key != NULL; field++)
        field_add(writer, up, field, target);
}

const struct shape *inner_of(const struct shape *shape, const char *key) {
    const struct row *row = shape_row(shape, key);
    assert(row != NULL && row->inner != NULL);
    return row->inner;
}

void inner_add(struct writer *writer, const struct trail *up, const struct shape *shape,
               const char *key, const void *target, special_writer *special) {
    struct trail here = {.up = up, .key = key};
    map_add(writer, &here, inner_of(shape, key), target, special);
}

void no_special(struct writer *writer, const struct trail *up, const char *key,
                const void *target) {
    (void)writer, (void)up, (void)key, (void)target;
    assert(false && "this table has plain fields only");
}
