/* database.h: SQLite, with errors as the rest of the program has them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STORE_DATABASE_H
#define STORE_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include <retrystorm/error.h>

struct arena;

/* An open file. After the first error nothing more is done with it, and it is kept for whoever
   looks: a caller may write a hundred rows and ask once. */
struct database {
    sqlite3 *handle;
    const char *file; /* for errors; the caller's */
    struct storm_error error;
};

enum database_mode {
    DATABASE_READ,  /* a file that exists; what a killed writer left half done in it is undone */
    DATABASE_WRITE, /* the same, or a new one; locked for others at the first write */
    DATABASE_BUILD  /* an empty file that nobody else knows of yet: no journal */
};

/* Opens; whether that went well, `error` says. Closed with database_close in any case. */
void database_open(struct database *database, const char *file, enum database_mode mode);

bool database_is_good(const struct database *database);

/* Does SQL that returns nothing. `format` as of sqlite3_mprintf: %Q is a text, \"%w\" a name. */
void database_do(struct database *database, const char *format, ...);

/* Prepares a statement; freed with sqlite3_finalize. NULL after an error. */
sqlite3_stmt *database_prepare(struct database *database, const char *format, ...);

/* Takes one step: true when there is a row to look at. */
bool database_step(struct database *database, sqlite3_stmt *statement);

/* Takes the one step of a statement without rows, and readies it for the next values. */
void database_put(struct database *database, sqlite3_stmt *statement);

/* A column of the row at hand. What it cannot be makes an error of the database: the file is
   damaged. Texts are the arena's. */
const char *database_text(struct database *database, sqlite3_stmt *statement, int column,
                          struct arena *arena);
uint64_t database_whole(struct database *database, sqlite3_stmt *statement, int column,
                        uint64_t most);
double database_number(struct database *database, sqlite3_stmt *statement, int column);

/* Notes that the file does not hold what it should. */
void database_blame(struct database *database, const char *what);

/* Notes that memory ran out. */
void database_blame_memory(struct database *database);

/* Gives the file back. False after filling `error` when anything before has failed. */
bool database_close(struct database *database, struct storm_error *error);

#endif
