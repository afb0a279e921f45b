/*
 * engine.h - what an engine does for sql.h, and how its dialect differs. For this folder only.
 */
#pragma once

#include "common/base/strbuf.h"
#include "ctld/store/sql/sql.h"

/* A piece of text where dialects differ: % stands for the argument. */
struct sql_fragment {
    const char *name, *text;
};

/* Functions are as in sql.h; texts that they get are expanded. */
struct sql_engine {
    const struct sql_fragment *fragments; /* ends with a NULL name */
    void (*close)(struct sql *sql);
    int (*exec)(struct sql *sql, const char *text, struct err *err);
    uint64_t (*changes)(struct sql *sql);
    int (*begin)(struct sql *sql, bool to_write, struct err *err);
    int (*commit)(struct sql *sql, struct err *err);
    void (*rollback)(struct sql *sql);
    bool (*is_lost)(const struct sql *sql); /* NULL, as the next two: it is no server */
    int (*restore)(struct sql *sql, struct err *err);
    int (*ping)(struct sql *sql, struct err *err);
    int (*prepare)(struct sql *sql, const char *text, struct sql_stmt **ret, struct err *err);
    void (*finalize)(struct sql_stmt *stmt);
    void (*bind_int64)(struct sql_stmt *stmt, int at, int64_t value);
    void (*bind_text)(struct sql_stmt *stmt, int at, const char *text);
    void (*bind_blob)(struct sql_stmt *stmt, int at, const void *bytes, size_t n);
    void (*bind_ordinal)(struct sql_stmt *stmt, int at, int64_t value);
    int (*params_n)(struct sql_stmt *stmt);
    int (*step)(struct sql_stmt *stmt, struct err *err);
    void (*reset)(struct sql_stmt *stmt);
    int64_t (*int64)(struct sql_stmt *stmt, int column);
    const char *(*text)(struct sql_stmt *stmt, int column);
    const void *(*blob)(struct sql_stmt *stmt, int column);
    size_t (*bytes)(struct sql_stmt *stmt, int column);
    int (*read_blob)(struct sql *sql, int64_t row, uint32_t offset, void *to, uint32_t n,
                     struct err *err);
};

/* The first member of an engine's own connection, and of its statement. */
struct sql {
    const struct sql_engine *engine;
    const char *table_start, *table_end; /* around a table's name */
    char *where;
};
struct sql_stmt {
    struct sql *sql;
};

/* Writes a text out for the engine. What it does not know is a bug. */
void sql_expand(const struct sql *sql, const char *text, struct strbuf *ret);
