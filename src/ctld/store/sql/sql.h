/*
 * sql.h - a connection to a database that speaks SQL, whichever engine keeps it.
 *
 * Statements are written once, for all engines, with ? for what is bound, in order; names and
 * values are never part of a text. What stands in braces is the engine's: {jobs} is the name of a
 * table,
 * {+word argument} a piece of text in which dialects differ (struct sql_engine). `key`, `partition`
 * and `rowid`, which are words of some dialect, stand in backquotes, which all understand.
 *
 * A statement is prepared, used and finalised; the hot ones (a turn's inserts) are kept. What is
 * bound, and what a row gives, is borrowed until the next step or reset.
 *
 * Failures have a text, "state database 'path': statement: what the engine says". The code is
 * -ENOSPC when space is the matter, -ENOTCONN when a server does not answer (whether a commit took
 * place is not known then), -EAGAIN when it has undone the transaction, which may be done again,
 * -EBUSY when another writer has the tables; else -E_STORE.
 *
 * One thread at a time may use a connection.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct sql;
struct sql_stmt;

struct sql *sql_close(struct sql *sql); /* NULL is fine; all statements must be finalised */

/* Returns which database it is, in words: "state database 'path'". */
const char *sql_where(const struct sql *sql);

/*
 * A connection to a server may be lost: then all fails with -ENOTCONN until sql_restore has
 * connected again. Statements stay; transactions and tables of the connection are gone.
 */
bool sql_is_lost(const struct sql *sql);
int sql_restore(struct sql *sql, struct err *err);

/* Lets a server know that we are there, and finds out whether it is. */
int sql_ping(struct sql *sql, struct err *err);
bool sql_needs_ping(const struct sql *sql);

/* Runs a statement that yields no rows and has nothing bound. */
int sql_exec(struct sql *sql, const char *text, struct err *err);

/* Reads the single number that `text` yields. */
int sql_number(struct sql *sql, const char *text, int64_t *ret, struct err *err);

/* Counts the rows that the last statement which ran has changed. */
uint64_t sql_changes(struct sql *sql);

/* ---- transactions ---- */

/* Begins to write: nobody else writes until the end. */
int sql_begin(struct sql *sql, struct err *err);

/* Begins to read: all that is read until sql_rollback is as of one moment. Connects again where the
 * connection was lost. */
int sql_begin_reading(struct sql *sql, struct err *err);

int sql_commit(struct sql *sql, struct err *err);
void sql_rollback(struct sql *sql);

/* ---- statements ---- */

int sql_prepare(struct sql *sql, const char *text, struct sql_stmt **ret, struct err *err);
struct sql_stmt *sql_finalize(struct sql_stmt *stmt); /* NULL is fine */
struct sql *sql_of(const struct sql_stmt *stmt);

/* Bind the parameter `at`, the first of which is 1. Without bytes a blob is an empty one. */
void sql_bind_int64(struct sql_stmt *stmt, int at, int64_t value);
void sql_bind_text(struct sql_stmt *stmt, int at, const char *text); /* NULL is SQL's */
void sql_bind_blob(struct sql_stmt *stmt, int at, const void *bytes, size_t n);

/* Binds a number for a column that has texts as well, so that numbers lie in their order. */
void sql_bind_ordinal(struct sql_stmt *stmt, int at, int64_t value);

/* Binds numbers from the first parameter on. */
void sql_bind_numbers(struct sql_stmt *stmt, const int64_t *numbers, int n);
int sql_params_n(struct sql_stmt *stmt);

/* Runs it, or goes on to the next row. Returns 1 when there is one, 0 when there are no more. */
int sql_step(struct sql_stmt *stmt, struct err *err);

/* Makes it ready to run again, with nothing bound. */
void sql_reset(struct sql_stmt *stmt);

/* Runs a statement that yields no rows, and resets it. */
int sql_run(struct sql_stmt *stmt, struct err *err);

/* Give columns of a row, the first of which is 0. NULL is 0, no text and no bytes. */
int64_t sql_int64(struct sql_stmt *stmt, int column);
const char *sql_text(struct sql_stmt *stmt, int column);
const void *sql_blob(struct sql_stmt *stmt, int column);
size_t sql_bytes(struct sql_stmt *stmt, int column);

/* Reads a piece of the data of a row of {blobs}, and no more than that. */
int sql_read_blob(struct sql *sql, int64_t row, uint32_t offset, void *to, uint32_t n,
                  struct err *err);
