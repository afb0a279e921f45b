#include "ctld/store/sql/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

static const char *fragment(const struct sql *sql, const char *name, size_t n)
{
    for (const struct sql_fragment *at = sql->engine->fragments; at->name; at++) {
        if (strlen(at->name) == n && memcmp(at->name, name, n) == 0)
            return at->text;
    }
    abort(); /* a bug: a statement asks for what no dialect has */
}

/* Writes what a word in braces stands for. */
static void expand_word(const struct sql *sql, const char *word, size_t n, struct strbuf *ret)
{
    const size_t name_n = n - 1 < strcspn(word + 1, " ") ? n - 1 : strcspn(word + 1, " ");
    const char *argument = word + 1 + name_n + 1;

    if (word[0] != '+') {
        strbuf_adds(ret, sql->table_start);
        strbuf_add(ret, word, n);
        strbuf_adds(ret, sql->table_end);
        return;
    }
    for (const char *at = fragment(sql, word + 1, name_n); *at; at++) {
        if (*at == '%')
            strbuf_add(ret, argument, n - name_n - 2);
        else
            strbuf_addc(ret, *at);
    }
}

void sql_expand(const struct sql *sql, const char *text, struct strbuf *ret)
{
    const char *brace;

    for (; (brace = strchr(text, '{')); text = strchr(brace, '}') + 1) {
        strbuf_add(ret, text, (size_t)(brace - text));
        expand_word(sql, brace + 1, strcspn(brace + 1, "}"), ret);
    }
    strbuf_adds(ret, text);
}

/* ---- connections ---- */

struct sql *sql_close(struct sql *sql)
{
    if (sql)
        sql->engine->close(sql);
    return NULL;
}

const char *sql_where(const struct sql *sql)
{
    return sql->where;
}

bool sql_is_lost(const struct sql *sql)
{
    return sql->engine->is_lost && sql->engine->is_lost(sql);
}

int sql_restore(struct sql *sql, struct err *err)
{
    return sql->engine->restore ? sql->engine->restore(sql, err) : 0;
}

int sql_ping(struct sql *sql, struct err *err)
{
    return sql->engine->ping ? sql->engine->ping(sql, err) : 0;
}

bool sql_needs_ping(const struct sql *sql)
{
    return sql->engine->ping != NULL;
}

int sql_exec(struct sql *sql, const char *text, struct err *err)
{
    AUTO(strbuf) struct strbuf expanded = { 0 };

    sql_expand(sql, text, &expanded);
    return sql->engine->exec(sql, strbuf_text(&expanded), err);
}

int sql_number(struct sql *sql, const char *text, int64_t *ret, struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(sql, text, &stmt, err);

    if (rc < 0)
        return rc;
    rc = sql_step(stmt, err);
    if (rc > 0)
        *ret = sql_int64(stmt, 0);
    else if (rc == 0)
        rc = err_set(err, E_STORE, "%s: %s: it yields nothing", sql->where, text);
    sql_finalize(stmt);
    return rc < 0 ? rc : 0;
}

uint64_t sql_changes(struct sql *sql)
{
    return sql->engine->changes(sql);
}

int sql_begin(struct sql *sql, struct err *err)
{
    return sql->engine->begin(sql, true, err);
}

int sql_begin_reading(struct sql *sql, struct err *err)
{
    int rc = sql->engine->begin(sql, false, err);

    if (rc == -ENOTCONN && sql_is_lost(sql))
        rc = sql_restore(sql, err);
    else
        return rc;
    return rc < 0 ? rc : sql->engine->begin(sql, false, err);
}

int sql_commit(struct sql *sql, struct err *err)
{
    return sql->engine->commit(sql, err);
}

void sql_rollback(struct sql *sql)
{
    sql->engine->rollback(sql);
}

int sql_read_blob(struct sql *sql, int64_t row, uint32_t offset, void *to, uint32_t n,
                  struct err *err)
{
    return sql->engine->read_blob(sql, row, offset, to, n, err);
}

/* ---- statements ---- */

int sql_prepare(struct sql *sql, const char *text, struct sql_stmt **ret, struct err *err)
{
    AUTO(strbuf) struct strbuf expanded = { 0 };

    sql_expand(sql, text, &expanded);
    return sql->engine->prepare(sql, strbuf_text(&expanded), ret, err);
}

struct sql_stmt *sql_finalize(struct sql_stmt *stmt)
{
    if (stmt)
        stmt->sql->engine->finalize(stmt);
    return NULL;
}

struct sql *sql_of(const struct sql_stmt *stmt)
{
    return stmt->sql;
}

void sql_bind_int64(struct sql_stmt *stmt, int at, int64_t value)
{
    stmt->sql->engine->bind_int64(stmt, at, value);
}

void sql_bind_text(struct sql_stmt *stmt, int at, const char *text)
{
    stmt->sql->engine->bind_text(stmt, at, text);
}

void sql_bind_blob(struct sql_stmt *stmt, int at, const void *bytes, size_t n)
{
    stmt->sql->engine->bind_blob(stmt, at, n ? bytes : "", n);
}

void sql_bind_ordinal(struct sql_stmt *stmt, int at, int64_t value)
{
    stmt->sql->engine->bind_ordinal(stmt, at, value);
}

void sql_bind_numbers(struct sql_stmt *stmt, const int64_t *numbers, int n)
{
    for (int i = 0; i < n; i++)
        sql_bind_int64(stmt, i + 1, numbers[i]);
}

int sql_params_n(struct sql_stmt *stmt)
{
    return stmt->sql->engine->params_n(stmt);
}

int sql_step(struct sql_stmt *stmt, struct err *err)
{
    return stmt->sql->engine->step(stmt, err);
}

void sql_reset(struct sql_stmt *stmt)
{
    stmt->sql->engine->reset(stmt);
}

int sql_run(struct sql_stmt *stmt, struct err *err)
{
    int rc = sql_step(stmt, err);

    sql_reset(stmt);
    return rc < 0 ? rc : 0;
}

int64_t sql_int64(struct sql_stmt *stmt, int column)
{
    return stmt->sql->engine->int64(stmt, column);
}

const char *sql_text(struct sql_stmt *stmt, int column)
{
    return stmt->sql->engine->text(stmt, column);
}

const void *sql_blob(struct sql_stmt *stmt, int column)
{
    return stmt->sql->engine->blob(stmt, column);
}

size_t sql_bytes(struct sql_stmt *stmt, int column)
{
    return stmt->sql->engine->bytes(stmt, column);
}
