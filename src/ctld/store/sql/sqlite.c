/* sqlite.c - the engine that is a file. */
#include "ctld/store/sql/sqlite.h"

#include <assert.h>
#include <errno.h>
#include <sys/stat.h>

#include "ctld/store/sql/engine.h"
#include "ctld/store/sql/log_file.h"

#define BUSY_MS 10000

struct sqlite {
    struct sql sql; /* the first member, as of the statement */
    sqlite3 *db;
};
struct sqlite_stmt {
    struct sql_stmt stmt;
    sqlite3_stmt *own;
};

static sqlite3 *db_of(struct sql *sql)
{
    return ((struct sqlite *)(void *)sql)->db;
}

static sqlite3_stmt *own_of(struct sql_stmt *stmt)
{
    return ((struct sqlite_stmt *)(void *)stmt)->own;
}

sqlite3 *sqlite_handle(struct sql *sql)
{
    return db_of(sql);
}

/* ---- errors ---- */

/* True if the disk is full or a quota is used up, which ends when somebody makes room. */
static bool is_about_space(sqlite3 *db)
{
    const int system = sqlite3_system_errno(db);

    return (sqlite3_errcode(db) & 0xff) == SQLITE_FULL || system == ENOSPC || system == EDQUOT;
}

static int fail(struct sql *sql, const char *doing, struct err *err)
{
    sqlite3 *db = db_of(sql);

    return err_set(err, is_about_space(db) ? ENOSPC : E_STORE, "%s: %s: %s", sql->where, doing,
                   sqlite3_errmsg(db));
}

/* ---- the connection ---- */

static void close_db(struct sql *sql)
{
    const int rc = sqlite3_close(db_of(sql));

    assert(rc == SQLITE_OK); /* else a statement is left */
    (void)rc;
    free(sql->where);
    free(sql);
}

static int exec(struct sql *sql, const char *text, struct err *err)
{
    if (sqlite3_exec(db_of(sql), text, NULL, NULL, NULL) != SQLITE_OK)
        return fail(sql, text, err);
    return 0;
}

static uint64_t changes(struct sql *sql)
{
    return (uint64_t)sqlite3_changes(db_of(sql));
}

static int begin(struct sql *sql, bool to_write, struct err *err)
{
    return exec(sql, to_write ? "BEGIN IMMEDIATE" : "BEGIN", err);
}

static int commit(struct sql *sql, struct err *err)
{
    return exec(sql, "COMMIT", err);
}

static void rollback(struct sql *sql)
{
    sqlite3_exec(db_of(sql), "ROLLBACK", NULL, NULL, NULL);
}

/* Reads without making the whole value, as SQLite does for a column, and for substr of one. */
static int read_blob(struct sql *sql, int64_t row, uint32_t offset, void *to, uint32_t n,
                     struct err *err)
{
    sqlite3_blob *blob = NULL;
    int rc = 0;

    if (sqlite3_blob_open(db_of(sql), "main", "blobs", "data", row, 0, &blob) != SQLITE_OK ||
        sqlite3_blob_read(blob, to, (int)n, (int)offset) != SQLITE_OK)
        rc = fail(sql, "reading of a blob", err);
    sqlite3_blob_close(blob);
    return rc;
}

/* ---- statements ---- */

static int prepare(struct sql *sql, const char *text, struct sql_stmt **ret, struct err *err)
{
    struct sqlite_stmt *stmt;
    sqlite3_stmt *own;

    if (sqlite3_prepare_v2(db_of(sql), text, -1, &own, NULL) != SQLITE_OK)
        return fail(sql, text, err);
    stmt = xmalloc(sizeof(*stmt));
    *stmt = (struct sqlite_stmt){ { sql }, own };
    *ret = &stmt->stmt;
    return 0;
}

static void finalize(struct sql_stmt *stmt)
{
    sqlite3_finalize(own_of(stmt));
    free(stmt);
}

static void bind_int64(struct sql_stmt *stmt, int at, int64_t value)
{
    sqlite3_bind_int64(own_of(stmt), at, value);
}

static void bind_text(struct sql_stmt *stmt, int at, const char *text)
{
    sqlite3_bind_text(own_of(stmt), at, text, -1, SQLITE_STATIC);
}

static void bind_blob(struct sql_stmt *stmt, int at, const void *bytes, size_t n)
{
    sqlite3_bind_blob64(own_of(stmt), at, bytes, n, SQLITE_STATIC);
}

static int params_n(struct sql_stmt *stmt)
{
    return sqlite3_bind_parameter_count(own_of(stmt));
}

static int step(struct sql_stmt *stmt, struct err *err)
{
    const int step = sqlite3_step(own_of(stmt));

    if (step == SQLITE_ROW)
        return 1;
    return step == SQLITE_DONE ? 0 : fail(stmt->sql, sqlite3_sql(own_of(stmt)), err);
}

static void reset(struct sql_stmt *stmt)
{
    sqlite3_reset(own_of(stmt));
    sqlite3_clear_bindings(own_of(stmt));
}

static int64_t column_int64(struct sql_stmt *stmt, int column)
{
    return sqlite3_column_int64(own_of(stmt), column);
}

static const char *column_text(struct sql_stmt *stmt, int column)
{
    return (const char *)sqlite3_column_text(own_of(stmt), column);
}

static const void *column_blob(struct sql_stmt *stmt, int column)
{
    return sqlite3_column_blob(own_of(stmt), column);
}

static size_t column_bytes(struct sql_stmt *stmt, int column)
{
    return (size_t)sqlite3_column_bytes(own_of(stmt), column);
}

static const struct sql_fragment fragments[] = {
    { "if_new", "ON CONFLICT DO NOTHING" },
    { "or_update", "ON CONFLICT DO UPDATE SET" },
    { "new", "excluded.%" },
    { "in_order", "CROSS JOIN" },
    { "of_names", "(sha256 BLOB PRIMARY KEY) WITHOUT ROWID" },
    { NULL, NULL },
};

static const struct sql_engine engine = {
    .fragments = fragments,
    .close = close_db,
    .exec = exec,
    .changes = changes,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .prepare = prepare,
    .finalize = finalize,
    .bind_int64 = bind_int64,
    .bind_text = bind_text,
    .bind_blob = bind_blob,
    .bind_ordinal = bind_int64, /* SQLite has numbers before texts in one column */
    .params_n = params_n,
    .step = step,
    .reset = reset,
    .int64 = column_int64,
    .text = column_text,
    .blob = column_blob,
    .bytes = column_bytes,
    .read_blob = read_blob,
};

/* ---- opening ---- */

static int open_file(const char *path, int flags, const char *vfs, struct sql **ret,
                     struct err *err)
{
    struct sqlite *sqlite;
    sqlite3 *db = NULL;
    int rc;

    if (sqlite3_open_v2(path, &db, flags, vfs) != SQLITE_OK) {
        rc = err_set(err, E_STORE, "state database '%s': cannot be opened: %s", path,
                     db ? sqlite3_errmsg(db) : "out of memory");
        sqlite3_close(db);
        return rc;
    }
    sqlite3_busy_timeout(db, BUSY_MS);
    sqlite = xmalloc(sizeof(*sqlite));
    *sqlite = (struct sqlite){ { &engine, "", "", xasprintf("state database '%s'", path) }, db };
    *ret = &sqlite->sql;
    return 0;
}

int sqlite_open_writer(const char *path, bool wal, struct sql **ret, struct err *err)
{
    const mode_t mask = umask(077); /* scripts and environments are the users' own */
    struct sql *sql;
    int rc = open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                       log_file_vfs(), &sql, err);

    if (rc == 0) {
        rc = exec(sql, wal ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=DELETE", err);
        if (rc == 0)
            rc = exec(sql, "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON", err);
        if (rc < 0)
            close_db(sql);
        else
            *ret = sql;
    }
    umask(mask);
    return rc;
}

int sqlite_open_reader(const char *path, struct sql **ret, struct err *err)
{
    return open_file(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL, ret, err);
}
