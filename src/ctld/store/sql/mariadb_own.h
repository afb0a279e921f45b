/*
 * mariadb_own.h - what the files of this engine share.
 */
#pragma once

#include <mysql.h>

#include "ctld/store/sql/engine.h"
#include "ctld/store/sql/mariadb.h"

struct mariadb {
    struct sql sql;               /* the first member */
    struct mariadb_server server; /* its texts are owned */
    MYSQL *own;                   /* NULL, or lost: see is_lost */
    unsigned long locked_as;      /* number of the connection that took the lock last; 0: none */
    bool is_lost;
    bool is_writer;
    uint64_t generation; /* how often it has connected; statements are of one */
    uint64_t changes;
    int64_t packet_max; /* bytes of what one statement has bound, as the server says */
};

static inline struct mariadb *mariadb_of(const struct sql *sql)
{
    return (struct mariadb *)(void *)(uintptr_t)sql;
}

/* Opens the client library, which need not be there. */
int libmariadb_open(struct err *err);

/* Connects (again), and takes the lock. */
int maria_connect(struct mariadb *maria, struct err *err);

/*
 * Sets the error for what a call has said, of the connection or, if not NULL, the statement. Notes
 * that the connection is lost where that is what is wrong.
 */
int maria_fail(struct mariadb *maria, MYSQL_STMT *stmt, const char *doing, struct err *err);

/* The engine's functions, but for those of connections. */
extern const struct sql_engine mariadb_engine;
