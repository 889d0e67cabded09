/* database.c: SQLite, with errors as the rest of the program has them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. error.status is STORM_OK until the first failure; from then on every function returns at once,
      so the error kept is the first one.
   2. handle is set from database_open to database_close, as far as there was memory. */

#include "store/database.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"

/* How long somebody else's lock is waited for. */
enum { PATIENCE_MS = 2000 };

/* No text or row of a sweep is longer; a damaged file may claim that it is. */
enum { BYTES_MAX = 16 << 20 };

bool database_is_good(const struct database *database) {
    return database->error.status == STORM_OK;
}

/* Notes what SQLite says, in the words of a user of files. */
static void note(struct database *database, int code) {
    const char *file = database->file, *said = sqlite3_errstr(code);
    int reason = sqlite3_system_errno(database->handle);
    if (!database_is_good(database)) { /* invariant 1 */
        return;
    }
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        storm_fail(&database->error, STORM_IO, "'%s' is in use by another program", file);
        return;
    case SQLITE_FULL:
        storm_fail(&database->error, STORM_IO, "cannot write '%s': the disk is full", file);
        return;
    case SQLITE_CANTOPEN:
        storm_fail(&database->error, STORM_IO, "cannot open '%s': %s", file,
                   reason != 0 ? strerror(reason) : said);
        return;
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        storm_fail(&database->error, STORM_IO, "cannot use '%s': %s", file, said);
        return;
    case SQLITE_NOMEM:
        database_blame_memory(database);
        return;
    case SQLITE_NOTADB:
        storm_fail(&database->error, STORM_INVALID, "'%s' is no sweep: it is no SQLite file", file);
        return;
    default:
        storm_fail(&database->error, STORM_INVALID, "'%s' is no sweep, or is damaged: %s", file,
                   sqlite3_errmsg(database->handle));
    }
}

void database_blame(struct database *database, const char *what) {
    if (database_is_good(database)) {
        storm_fail(&database->error, STORM_INVALID, "'%s' is no sweep, or is damaged: %s",
                   database->file, what);
    }
}

void database_blame_memory(struct database *database) {
    if (database_is_good(database)) {
        storm_fail(&database->error, STORM_LIMIT, "no memory for what '%s' holds", database->file);
    }
}

/* A file may come from anybody: nothing in it is run, and sizes that it claims are checked. */
static void distrust(struct database *database) {
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
    sqlite3_limit(database->handle, SQLITE_LIMIT_LENGTH, BYTES_MAX);
    database_do(database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

void database_open(struct database *database, const char *file, enum database_mode mode) {
    int flags = SQLITE_OPEN_READWRITE | (mode == DATABASE_WRITE ? SQLITE_OPEN_CREATE : 0);
    assert(file != NULL);
    *database = (struct database){.file = file};
    int code = sqlite3_open_v2(file, &database->handle, flags, NULL);
    if (code != SQLITE_OK) {
        note(database, code);
        return;
    }
    sqlite3_extended_result_codes(database->handle, 1);
    sqlite3_busy_timeout(database->handle, PATIENCE_MS);
    distrust(database);
    if (mode != DATABASE_READ) {
        database_do(database, "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE;"
                              "PRAGMA encoding = 'UTF-8'; PRAGMA locking_mode = EXCLUSIVE");
    }
    if (mode == DATABASE_BUILD) {
        database_do(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    }
}

void database_do(struct database *database, const char *format, ...) {
    va_list arguments;
    if (!database_is_good(database)) {
        return;
    }
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    int code = sql == NULL ? SQLITE_NOMEM : sqlite3_exec(database->handle, sql, NULL, NULL, NULL);
    if (code != SQLITE_OK) {
        note(database, code);
    }
    sqlite3_free(sql);
}

sqlite3_stmt *database_prepare(struct database *database, const char *format, ...) {
    sqlite3_stmt *statement = NULL;
    va_list arguments;
    if (!database_is_good(database)) {
        return NULL;
    }
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    int code = sql == NULL ? SQLITE_NOMEM
                           : sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL);
    if (code != SQLITE_OK) {
        note(database, code);
    }
    sqlite3_free(sql);
    return statement;
}

bool database_step(struct database *database, sqlite3_stmt *statement) {
    if (!database_is_good(database)) {
        return false;
    }
    assert(statement != NULL);
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        note(database, code);
    }
    return code == SQLITE_ROW;
}

void database_put(struct database *database, sqlite3_stmt *statement) {
    if (database_is_good(database)) {
        database_step(database, statement);
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
    }
}

const char *database_text(struct database *database, sqlite3_stmt *statement, int column,
                          struct arena *arena) {
    if (!database_is_good(database)) {
        return "";
    }
    if (sqlite3_column_type(statement, column) != SQLITE_TEXT) {
        database_blame(database, "a text is missing");
        return "";
    }
    const char *text = (const char *)sqlite3_column_text(statement, column);
    char *copy = text == NULL ? NULL : arena_copy_string(arena, text, strlen(text));
    if (copy == NULL) {
        database_blame_memory(database);
        return "";
    }
    return copy;
}

uint64_t database_whole(struct database *database, sqlite3_stmt *statement, int column,
                        uint64_t most) {
    if (!database_is_good(database)) {
        return 0;
    }
    bool is_whole = sqlite3_column_type(statement, column) == SQLITE_INTEGER;
    sqlite3_int64 value = sqlite3_column_int64(statement, column);
    if (!is_whole || value < 0 || (uint64_t)value > most) {
        database_blame(database, "a number is missing or out of its range");
        return 0;
    }
    return (uint64_t)value;
}

double database_number(struct database *database, sqlite3_stmt *statement, int column) {
    if (!database_is_good(database)) {
        return (double)NAN;
    }
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        return (double)NAN;
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
        return sqlite3_column_double(statement, column);
    default:
        database_blame(database, "a number is none");
        return (double)NAN;
    }
}

bool database_close(struct database *database, struct storm_error *error) {
    int code = sqlite3_close(database->handle);
    assert(code == SQLITE_OK && "every statement is finalized"); /* invariant 2 */
    database->handle = NULL;
    if (!database_is_good(database)) {
        *error = database->error;
    }
    return database_is_good(database);
}
