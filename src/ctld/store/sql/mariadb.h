/*
 * mariadb.h - MariaDB, or MySQL: a server beside slurmdbd.
 *
 * A connection that is lost stays what it is: sql_restore connects it again, with its statements
 * and, for a writer, the lock that keeps a second slurmdbd away from the same tables.
 */
#pragma once

#include "common/base/strbuf.h"
#include "ctld/store/sql/sql.h"

struct mariadb_server {
    const char *host; /* a name, or the full path of a Unix socket; NULL: the usual socket here */
    const char *backup_host;     /* tried where the first one does not answer; NULL: none */
    uint16_t port;               /* 0: the usual one */
    const char *user, *password; /* NULL: none */
    const char *database;
    const char *ssl_ca, *ssl_capath, *ssl_cert, *ssl_key, *ssl_cipher; /* NULL all: without TLS */
};

/*
 * Connects; `server` is copied, and both its hosts are tried, the first one first. Tables have the
 * prefix before their names. The database is made where it is missing. Fails with -ENOTCONN while
 * no server answers, which may change, and with another code for what stays wrong: the text names
 * StorageHost, StorageUser or StorageLoc and the way out. A writer fails with -EBUSY where another
 * one has the tables, also in sql_restore.
 */
int mariadb_open(const struct mariadb_server *server, const char *prefix, bool is_writer,
                 struct sql **ret, struct err *err);

/* Connects once more to where `with` is connected, to read. */
int mariadb_open_reader(const struct sql *with, struct sql **ret, struct err *err);

/* Appends what the operator should know of the server, a sentence each; nothing: all is well. */
int mariadb_remark(struct sql *sql, struct strbuf *out, struct err *err);

/* Returns whether a name can be that of a database without being quoted. */
bool mariadb_is_name(const char *name);
