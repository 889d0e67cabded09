/* sweep_columns.c: the columns of a sweep's tables that are named as paths and metrics are. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SQLite does not tell upper from lower case in names of columns, and metrics end in names that
   people choose: a name that is taken gets a number. */

#include "store/sweep_columns.h"

#include <assert.h>

static const char *const fixed_columns[SWEEP_COLUMNS_FIXED] = {"id",      "point",    "run",
                                                               "verdict", "duration", "digest"};

static const char *name_at(const struct sweep_head *head, enum sweep_names names, uint32_t index) {
    return names == SWEEP_PATHS ? head->sweep.axes[index].path : head->metrics[index].name;
}

char *sweep_column_name(const struct sweep_head *head, enum sweep_names names, uint32_t index) {
    const char *name = name_at(head, names, index);
    unsigned twins = 0;
    for (int i = 0; i < SWEEP_COLUMNS_FIXED; i++) {
        twins += sqlite3_stricmp(name, fixed_columns[i]) == 0 ? 1 : 0;
    }
    for (uint32_t i = 0; i < index; i++) {
        twins += sqlite3_stricmp(name, name_at(head, names, i)) == 0 ? 1 : 0;
    }
    return twins == 0 ? sqlite3_mprintf("%s", name) : sqlite3_mprintf("%s#%u", name, twins + 1);
}

void sweep_columns_append(sqlite3_str *sql, const char *format, const struct sweep_head *head,
                          enum sweep_names names) {
    uint32_t count = names == SWEEP_PATHS ? head->sweep.axis_count : head->metric_count;
    for (uint32_t i = 0; i < count; i++) {
        char *column = sweep_column_name(head, names, i);
        sqlite3_str_appendf(sql, format, column, column);
        sqlite3_free(column);
    }
}

char *sweep_columns_finish(struct database *database, sqlite3_str *sql) {
    char *text = sqlite3_str_finish(sql);
    if (text == NULL) {
        database_blame_memory(database);
    }
    return text;
}

sqlite3_stmt *sweep_columns_insert(struct database *database, const char *table, uint32_t count) {
    sqlite3_str *sql = sqlite3_str_new(database->handle);
    assert(count > 0);
    sqlite3_str_appendf(sql, "INSERT INTO %s VALUES(?", table);
    for (uint32_t i = 1; i < count; i++) {
        sqlite3_str_appendall(sql, ", ?");
    }
    sqlite3_str_appendall(sql, ")");
    char *text = sweep_columns_finish(database, sql);
    sqlite3_stmt *insert = database_prepare(database, "%s", text);
    sqlite3_free(text);
    return insert;
}

sqlite3_stmt *sweep_columns_select(struct database *database, const char *first, const char *format,
                                   const struct sweep_head *head, enum sweep_names names,
                                   const char *table) {
    sqlite3_str *sql = sqlite3_str_new(database->handle);
    sqlite3_str_appendf(sql, "SELECT %s", first);
    sweep_columns_append(sql, format, head, names);
    sqlite3_str_appendf(sql, " FROM %s ORDER BY 1", table);
    char *text = sweep_columns_finish(database, sql);
    sqlite3_stmt *select = database_prepare(database, "%s", text);
    sqlite3_free(text);
    return select;
}

void sweep_bind_text(sqlite3_stmt *statement, int place, const char *text) {
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

void sweep_bind_number(sqlite3_stmt *statement, int place, double number) {
    sqlite3_bind_double(statement, place, number);
}
