/* test_sweep.c: the commands and queries of docs/sweep.md say what the page says they do. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <sqlite3.h>

#include "page.h"

enum { COLUMNS_MOST = 16, CELL_MOST = 64 };

/* The answer as a table: names of columns, then rows, with blanks between. */
static void ask(const char *sql, char *answer) {
    static char cells[200][COLUMNS_MOST][CELL_MOST];
    int widths[COLUMNS_MOST] = {0}, rows = 0, columns;
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2("sweep.sqlite", &database, SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    }
    columns = sqlite3_column_count(statement);
    assert_true(columns > 0 && columns <= COLUMNS_MOST);
    for (bool more = true; more; rows++) {
        assert_true(rows < 200);
        for (int c = 0; c < columns; c++) {
            const char *text = rows == 0 ? sqlite3_column_name(statement, c)
                                         : (const char *)sqlite3_column_text(statement, c);
            int length = snprintf(cells[rows][c], CELL_MOST, "%s", text != NULL ? text : "NULL");
            widths[c] = length > widths[c] ? length : widths[c];
        }
        more = sqlite3_step(statement) == SQLITE_ROW;
    }
    assert_true(rows > 1); /* a query without an answer shows nothing */
    sqlite3_finalize(statement);
    sqlite3_close(database);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            bool is_last = c == columns - 1;
            answer += sprintf(answer, "%-*s%s", is_last ? 0 : widths[c], cells[r][c],
                              is_last ? "\n" : "  ");
        }
    }
}

static void the_page_tells_what_its_commands_say(void **state) {
    (void)state;
    page_test(STORM_SOURCE_DIR "/docs/sweep.md", ask);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_tells_what_its_commands_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
