/* mariadb.c - the engine that is a server: statements, and what is bound to them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ctld/store/sql/mariadb_own.h"

#define ORDINAL_N 21 /* digits of a number, and its end */

/* One parameter. What is bound as a blob or a text is the caller's. */
struct value {
    int64_t number;
    unsigned long n;
    my_bool is_null;
    char ordinal[ORDINAL_N];
};

/* One column of the row at hand. */
struct column {
    bool is_number;
    int64_t number;
    unsigned long n;
    my_bool is_null, is_cut;
    struct strbuf bytes;
    bool is_fetched;
};

struct mariadb_stmt {
    struct sql_stmt stmt; /* the first member */
    char *text;
    MYSQL_STMT *own;
    uint64_t generation; /* of the connection that `own` is of */
    bool is_running;     /* there may be more rows */
    MYSQL_BIND *params;
    struct value *values;
    unsigned params_n;
    MYSQL_BIND *binds;
    struct column *columns;
    unsigned columns_n;
};

static struct mariadb_stmt *stmt_of(struct sql_stmt *stmt)
{
    return (struct mariadb_stmt *)(void *)stmt;
}

static struct mariadb *maria_of(const struct mariadb_stmt *stmt)
{
    return mariadb_of(stmt->stmt.sql);
}

static int fail_lost(const struct mariadb *maria, struct err *err)
{
    return err_set(err, ENOTCONN, "%s: the connection is lost", maria->sql.where);
}

/* ---- the connection ---- */

static void close_connection(struct sql *sql)
{
    struct mariadb *maria = mariadb_of(sql);
    const char *texts[] = { maria->server.host,       maria->server.backup_host,
                            maria->server.user,       maria->server.password,
                            maria->server.database,   maria->server.ssl_ca,
                            maria->server.ssl_capath, maria->server.ssl_cert,
                            maria->server.ssl_key,    maria->server.ssl_cipher,
                            sql->table_start,         sql->where };

    if (maria->own)
        mysql_close(maria->own);
    if (maria->server.password)
        explicit_bzero((char *)(uintptr_t)maria->server.password, strlen(maria->server.password));
    for (size_t i = 0; i < ARRAY_N(texts); i++)
        free((char *)(uintptr_t)texts[i]);
    free(maria);
}

static int exec(struct sql *sql, const char *text, struct err *err)
{
    struct mariadb *maria = mariadb_of(sql);

    if (maria->is_lost)
        return fail_lost(maria, err);
    if (mysql_real_query(maria->own, text, strlen(text)) != 0)
        return maria_fail(maria, NULL, text, err);
    maria->changes = mysql_affected_rows(maria->own);
    return 0;
}

static uint64_t changes(struct sql *sql)
{
    return mariadb_of(sql)->changes;
}

static int begin(struct sql *sql, bool to_write, struct err *err)
{
    return exec(sql,
                to_write ? "START TRANSACTION"
                         : "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
                err);
}

static int commit(struct sql *sql, struct err *err)
{
    return exec(sql, "COMMIT", err);
}

static void rollback(struct sql *sql)
{
    (void)exec(sql, "ROLLBACK", NULL); /* a lost connection has rolled back */
}

static bool is_lost(const struct sql *sql)
{
    return mariadb_of(sql)->is_lost;
}

/* Whatever keeps it from connecting may pass: it was let in before. */
static int restore(struct sql *sql, struct err *err)
{
    int rc = maria_connect(mariadb_of(sql), err);

    if (rc == 0 || rc == -EBUSY)
        return rc;
    if (err)
        err->code = ENOTCONN;
    return -ENOTCONN;
}

static int ping(struct sql *sql, struct err *err)
{
    struct mariadb *maria = mariadb_of(sql);

    if (maria->is_lost)
        return fail_lost(maria, err);
    return mysql_ping(maria->own) == 0 ? 0 : maria_fail(maria, NULL, "ping", err);
}

static int read_blob(struct sql *sql, int64_t row, uint32_t offset, void *to, uint32_t n,
                     struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(sql, "SELECT substr(data, ?, ?) FROM {blobs} WHERE rowid = ?", &stmt, err);

    if (rc < 0)
        return rc;
    sql_bind_numbers(stmt, (int64_t[]){ (int64_t)offset + 1, n, row }, 3);
    rc = sql_step(stmt, err);
    if (rc > 0 && sql_bytes(stmt, 0) == n)
        memcpy(to, sql_blob(stmt, 0), n);
    else if (rc >= 0)
        rc = err_set(err, E_STORE, "%s: a blob is shorter than it was", sql->where);
    sql_finalize(stmt);
    return rc < 0 ? rc : 0;
}

/* ---- preparing ---- */

static void make_columns(struct mariadb_stmt *stmt, MYSQL_RES *result)
{
    stmt->binds = xcalloc(stmt->columns_n, sizeof(*stmt->binds));
    stmt->columns = xcalloc(stmt->columns_n, sizeof(*stmt->columns));
    for (unsigned i = 0; i < stmt->columns_n; i++) {
        const enum enum_field_types type = mysql_fetch_field_direct(result, i)->type;
        struct column *column = &stmt->columns[i];

        column->is_number = type <= MYSQL_TYPE_LONGLONG || type == MYSQL_TYPE_INT24 ||
                            type == MYSQL_TYPE_NEWDECIMAL;
        stmt->binds[i] = (MYSQL_BIND){ .buffer_type = column->is_number ? MYSQL_TYPE_LONGLONG
                                                                        : MYSQL_TYPE_LONG_BLOB,
                                       .buffer = column->is_number ? &column->number : NULL,
                                       .length = &column->n,
                                       .is_null = &column->is_null,
                                       .error = &column->is_cut };
    }
}

static void bind_nothing(struct mariadb_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->params_n; i++) {
        stmt->values[i].n = 0;
        stmt->params[i] = (MYSQL_BIND){ .buffer_type = MYSQL_TYPE_NULL };
    }
}

static int prepare_own(struct mariadb_stmt *stmt, struct err *err)
{
    struct mariadb *maria = maria_of(stmt);
    MYSQL_RES *result;
    int rc = 0;

    if (maria->is_lost)
        return fail_lost(maria, err);
    if (stmt->own)
        mysql_stmt_close(stmt->own);
    stmt->own = mysql_stmt_init(maria->own);
    if (!stmt->own)
        return err_set(err, ENOMEM, "%s: out of memory", maria->sql.where);
    stmt->generation = maria->generation;
    stmt->is_running = false;
    if (mysql_stmt_prepare(stmt->own, stmt->text, strlen(stmt->text)) != 0)
        rc = maria_fail(maria, stmt->own, stmt->text, err);
    if (rc < 0 || stmt->params) /* the second time, nothing else is new */
        return rc;
    stmt->params_n = (unsigned)mysql_stmt_param_count(stmt->own);
    stmt->params = xcalloc(stmt->params_n + 1, sizeof(*stmt->params));
    stmt->values = xcalloc(stmt->params_n + 1, sizeof(*stmt->values));
    bind_nothing(stmt);
    stmt->columns_n = mysql_stmt_field_count(stmt->own);
    result = stmt->columns_n ? mysql_stmt_result_metadata(stmt->own) : NULL;
    if (result)
        make_columns(stmt, result);
    mysql_free_result(result);
    return 0;
}

static void finalize(struct sql_stmt *sql_stmt)
{
    struct mariadb_stmt *stmt = stmt_of(sql_stmt);

    if (stmt->own)
        mysql_stmt_close(stmt->own);
    for (unsigned i = 0; i < stmt->columns_n && stmt->columns; i++)
        strbuf_clear(&stmt->columns[i].bytes);
    free(stmt->params);
    free(stmt->values);
    free(stmt->binds);
    free(stmt->columns);
    free(stmt->text);
    free(stmt);
}

static int prepare(struct sql *sql, const char *text, struct sql_stmt **ret, struct err *err)
{
    struct mariadb_stmt *stmt = xcalloc(1, sizeof(*stmt));
    int rc;

    stmt->stmt.sql = sql;
    stmt->text = xstrdup(text);
    rc = prepare_own(stmt, err);
    if (rc < 0)
        finalize(&stmt->stmt);
    else
        *ret = &stmt->stmt;
    return rc;
}

/* ---- binding ---- */

static void bind(struct sql_stmt *stmt, int at, enum enum_field_types type, const void *bytes,
                 size_t n)
{
    struct mariadb_stmt *own = stmt_of(stmt);
    struct value *value = &own->values[at - 1];

    value->n = n;
    value->is_null = bytes == NULL;
    own->params[at - 1] = (MYSQL_BIND){ .buffer_type = type,
                                        .buffer = (void *)(uintptr_t)bytes,
                                        .buffer_length = n,
                                        .length = &value->n,
                                        .is_null = &value->is_null };
}

static void bind_int64(struct sql_stmt *stmt, int at, int64_t number)
{
    struct value *value = &stmt_of(stmt)->values[at - 1];

    value->number = number;
    bind(stmt, at, MYSQL_TYPE_LONGLONG, &value->number, sizeof(value->number));
}

/* Texts are bytes here: no set of characters says what is equal. */
static void bind_text(struct sql_stmt *stmt, int at, const char *text)
{
    bind(stmt, at, MYSQL_TYPE_LONG_BLOB, text, text ? strlen(text) : 0);
}

static void bind_blob(struct sql_stmt *stmt, int at, const void *bytes, size_t n)
{
    bind(stmt, at, MYSQL_TYPE_LONG_BLOB, bytes, n);
}

/* The column has bytes: numbers with as many digits each lie in their order. */
static void bind_ordinal(struct sql_stmt *stmt, int at, int64_t number)
{
    struct value *value = &stmt_of(stmt)->values[at - 1];

    snprintf(value->ordinal, sizeof(value->ordinal), "%019lld", (long long)number);
    bind_text(stmt, at, value->ordinal);
}

static int params_n(struct sql_stmt *stmt)
{
    return (int)stmt_of(stmt)->params_n;
}

/* ---- running ---- */

/* Fails where the server would not take what is bound, and end the connection instead of saying
 * so. */
static int check_size(const struct mariadb_stmt *stmt, struct err *err)
{
    const struct mariadb *maria = maria_of(stmt);
    int64_t bytes = 1024; /* what stands around it */

    for (unsigned i = 0; i < stmt->params_n; i++)
        bytes += (int64_t)stmt->values[i].n + 16;
    if (bytes <= maria->packet_max)
        return 0;
    return err_set(err, E_STORE,
                   "%s takes no more than %lld bytes at once, and this is %lld: set "
                   "max_allowed_packet there to 32M or more: %s",
                   maria->sql.where, (long long)maria->packet_max, (long long)bytes, stmt->text);
}

static int execute(struct mariadb_stmt *stmt, struct err *err)
{
    struct mariadb *maria = maria_of(stmt);
    int rc = check_size(stmt, err);

    if (rc == 0 && stmt->generation != maria->generation)
        rc = prepare_own(stmt, err);
    if (rc == 0 && maria->is_lost)
        rc = fail_lost(maria, err);
    if (rc < 0)
        return rc;
    if ((stmt->params_n && mysql_stmt_bind_param(stmt->own, stmt->params)) ||
        mysql_stmt_execute(stmt->own) != 0 ||
        (stmt->columns_n && (mysql_stmt_bind_result(stmt->own, stmt->binds) ||
                             mysql_stmt_store_result(stmt->own) != 0)))
        return maria_fail(maria, stmt->own, stmt->text, err);
    if (stmt->columns_n == 0)
        maria->changes = mysql_stmt_affected_rows(stmt->own);
    stmt->is_running = stmt->columns_n > 0;
    return 0;
}

static void end_rows(struct mariadb_stmt *stmt)
{
    if (stmt->is_running && stmt->generation == maria_of(stmt)->generation)
        mysql_stmt_free_result(stmt->own);
    stmt->is_running = false;
}

static int step(struct sql_stmt *sql_stmt, struct err *err)
{
    struct mariadb_stmt *stmt = stmt_of(sql_stmt);
    int rc = stmt->is_running ? 0 : execute(stmt, err);

    if (rc < 0 || !stmt->is_running)
        return rc;
    for (unsigned i = 0; i < stmt->columns_n; i++)
        stmt->columns[i].is_fetched = false;
    switch (mysql_stmt_fetch(stmt->own)) {
    case 0:
    case MYSQL_DATA_TRUNCATED: /* columns are fetched when they are asked for */
        return 1;
    case MYSQL_NO_DATA:
        end_rows(stmt);
        return 0;
    default:
        return maria_fail(maria_of(stmt), stmt->own, stmt->text, err);
    }
}

static void reset(struct sql_stmt *sql_stmt)
{
    struct mariadb_stmt *stmt = stmt_of(sql_stmt);

    end_rows(stmt);
    bind_nothing(stmt);
}

/* ---- columns ---- */

static const struct strbuf *bytes_of(struct mariadb_stmt *stmt, int at)
{
    struct column *column = &stmt->columns[at];
    MYSQL_BIND to = { .buffer_type = MYSQL_TYPE_LONG_BLOB, .buffer_length = column->n };

    if (column->is_fetched)
        return &column->bytes;
    strbuf_truncate(&column->bytes, 0);
    to.buffer = strbuf_reserve(&column->bytes, column->n + 1);
    if (column->n && mysql_stmt_fetch_column(stmt->own, &to, (unsigned)at, 0) == 0)
        strbuf_grown(&column->bytes, column->n);
    column->is_fetched = true;
    return &column->bytes;
}

static int64_t column_int64(struct sql_stmt *stmt, int column)
{
    const struct column *at = &stmt_of(stmt)->columns[column];

    if (at->is_null)
        return 0;
    if (at->is_number)
        return at->number;
    return strtoll(strbuf_text(bytes_of(stmt_of(stmt), column)), NULL, 10);
}

static const char *column_text(struct sql_stmt *stmt, int column)
{
    if (stmt_of(stmt)->columns[column].is_null)
        return NULL;
    return strbuf_text(bytes_of(stmt_of(stmt), column));
}

static const void *column_blob(struct sql_stmt *stmt, int column)
{
    return column_text(stmt, column);
}

static size_t column_bytes(struct sql_stmt *stmt, int column)
{
    return stmt_of(stmt)->columns[column].is_null ? 0 : stmt_of(stmt)->columns[column].n;
}

static const struct sql_fragment fragments[] = {
    { "if_new", "ON DUPLICATE KEY UPDATE % = %" },
    { "or_update", "ON DUPLICATE KEY UPDATE" },
    { "new", "VALUES(%)" },
    { "in_order", "STRAIGHT_JOIN" },
    { "of_names", "(sha256 VARBINARY(32) PRIMARY KEY) ENGINE=InnoDB" },
    { NULL, NULL },
};

const struct sql_engine mariadb_engine = {
    .fragments = fragments,
    .close = close_connection,
    .exec = exec,
    .changes = changes,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .is_lost = is_lost,
    .restore = restore,
    .ping = ping,
    .prepare = prepare,
    .finalize = finalize,
    .bind_int64 = bind_int64,
    .bind_text = bind_text,
    .bind_blob = bind_blob,
    .bind_ordinal = bind_ordinal,
    .params_n = params_n,
    .step = step,
    .reset = reset,
    .int64 = column_int64,
    .text = column_text,
    .blob = column_blob,
    .bytes = column_bytes,
    .read_blob = read_blob,
};
