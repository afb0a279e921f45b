/* What is called of SQLite; opened when first called. */
#include <sqlite3.h>
#include <stdarg.h>

#include "common/base/library.h"

LIBRARY(libsqlite, "libsqlite3.so.0", "the state and history of slurmctld", NULL);

FORWARD(libsqlite, int, sqlite3_bind_blob,
        (sqlite3_stmt * stmt, int at, const void *bytes, int n, void (*release)(void *)),
        (stmt, at, bytes, n, release))
FORWARD(libsqlite, int, sqlite3_bind_blob64,
        (sqlite3_stmt * stmt, int at, const void *bytes, sqlite3_uint64 n, void (*release)(void *)),
        (stmt, at, bytes, n, release))
FORWARD(libsqlite, int, sqlite3_bind_int64, (sqlite3_stmt * stmt, int at, sqlite3_int64 value),
        (stmt, at, value))
FORWARD(libsqlite, int, sqlite3_bind_parameter_count, (sqlite3_stmt * stmt), (stmt))
FORWARD(libsqlite, int, sqlite3_bind_text,
        (sqlite3_stmt * stmt, int at, const char *text, int n, void (*release)(void *)),
        (stmt, at, text, n, release))
FORWARD(libsqlite, int, sqlite3_blob_close, (sqlite3_blob * blob), (blob))
FORWARD(libsqlite, int, sqlite3_blob_open,
        (sqlite3 * db, const char *name, const char *table, const char *column, sqlite3_int64 row,
         int to_write, sqlite3_blob **ret),
        (db, name, table, column, row, to_write, ret))
FORWARD(libsqlite, int, sqlite3_blob_read, (sqlite3_blob * blob, void *to, int n, int offset),
        (blob, to, n, offset))
FORWARD(libsqlite, int, sqlite3_busy_timeout, (sqlite3 * db, int ms), (db, ms))
FORWARD(libsqlite, int, sqlite3_changes, (sqlite3 * db), (db))
FORWARD(libsqlite, int, sqlite3_clear_bindings, (sqlite3_stmt * stmt), (stmt))
FORWARD(libsqlite, int, sqlite3_close, (sqlite3 * db), (db))
FORWARD(libsqlite, const void *, sqlite3_column_blob, (sqlite3_stmt * stmt, int column),
        (stmt, column))
FORWARD(libsqlite, int, sqlite3_column_bytes, (sqlite3_stmt * stmt, int column), (stmt, column))
FORWARD(libsqlite, sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt * stmt, int column),
        (stmt, column))
FORWARD(libsqlite, const unsigned char *, sqlite3_column_text, (sqlite3_stmt * stmt, int column),
        (stmt, column))
FORWARD(libsqlite, int, sqlite3_create_function,
        (sqlite3 * db, const char *name, int arg_n, int encoding, void *data,
         void (*function)(sqlite3_context *, int, sqlite3_value **),
         void (*step)(sqlite3_context *, int, sqlite3_value **), void (*final)(sqlite3_context *)),
        (db, name, arg_n, encoding, data, function, step, final))
FORWARD(libsqlite, const char *, sqlite3_db_filename, (sqlite3 * db, const char *name), (db, name))
FORWARD(libsqlite, sqlite3 *, sqlite3_db_handle, (sqlite3_stmt * stmt), (stmt))
FORWARD(libsqlite, int, sqlite3_errcode, (sqlite3 * db), (db))
FORWARD(libsqlite, const char *, sqlite3_errmsg, (sqlite3 * db), (db))
FORWARD(libsqlite, int, sqlite3_exec,
        (sqlite3 * db, const char *sql, int (*callback)(void *, int, char **, char **), void *data,
         char **errmsg),
        (db, sql, callback, data, errmsg))
FORWARD(libsqlite, int, sqlite3_finalize, (sqlite3_stmt * stmt), (stmt))
FORWARD_VOID(libsqlite, sqlite3_free, (void *memory), (memory))
FORWARD(libsqlite, int, sqlite3_open_v2,
        (const char *filename, sqlite3 **ret_db, int flags, const char *vfs),
        (filename, ret_db, flags, vfs))
FORWARD(libsqlite, int, sqlite3_prepare_v2,
        (sqlite3 * db, const char *sql, int n, sqlite3_stmt **ret_stmt, const char **ret_tail),
        (db, sql, n, ret_stmt, ret_tail))
FORWARD(libsqlite, int, sqlite3_reset, (sqlite3_stmt * stmt), (stmt))
FORWARD_VOID(libsqlite, sqlite3_result_blob,
             (sqlite3_context * context, const void *bytes, int n, void (*release)(void *)),
             (context, bytes, n, release))
FORWARD_VOID(libsqlite, sqlite3_result_blob64,
             (sqlite3_context * context, const void *bytes, sqlite3_uint64 n,
              void (*release)(void *)),
             (context, bytes, n, release))
FORWARD_VOID(libsqlite, sqlite3_result_int64, (sqlite3_context * context, sqlite3_int64 value),
             (context, value))
FORWARD_VOID(libsqlite, sqlite3_result_value, (sqlite3_context * context, sqlite3_value *value),
             (context, value))
FORWARD(libsqlite, const char *, sqlite3_sql, (sqlite3_stmt * stmt), (stmt))
FORWARD(libsqlite, int, sqlite3_step, (sqlite3_stmt * stmt), (stmt))
FORWARD(libsqlite, int, sqlite3_system_errno, (sqlite3 * db), (db))
FORWARD(libsqlite, const void *, sqlite3_value_blob, (sqlite3_value * value), (value))
FORWARD(libsqlite, int, sqlite3_value_bytes, (sqlite3_value * value), (value))
FORWARD(libsqlite, sqlite3_vfs *, sqlite3_vfs_find, (const char *name), (name))
FORWARD(libsqlite, int, sqlite3_vfs_register, (sqlite3_vfs * vfs, int is_default),
        (vfs, is_default))

char *sqlite3_mprintf(const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = LIBRARY_FUNCTION(libsqlite, sqlite3_vmprintf)(format, args);
    va_end(args);
    return text;
}
