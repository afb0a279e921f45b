/* mariadb_connect.c - from a place in slurmdbd.conf to a connection that can be used. */
#include <errno.h>
#include <string.h>

#include <errmsg.h>
#include <mysqld_error.h>

#include "ctld/store/sql/mariadb_own.h"

#define USUAL_PORT 3306

/* How long a server may take to answer; a statement that takes longer is given up. */
#define CONNECT_S 5
#define WRITE_S   60
#define READ_S    600
#define IDLE_S    600 /* after which the server drops a connection of which nobody speaks, */
#define HOLD_S    30  /* and that of a writer, with its lock: it speaks each PING_S (turns.c) */
#define LOCK_S    2   /* patience with the lock of a predecessor that was just killed */

#define OLDEST_MARIADB 100300 /* lets DELETE ask for rows of its own table */
#define OLDEST_MYSQL   80000
#define PACKET_GOOD    (16 << 20)

/* ---- one connection ---- */

static bool wants_tls(const struct mariadb_server *server)
{
    return server->ssl_ca || server->ssl_capath || server->ssl_cert || server->ssl_key ||
           server->ssl_cipher;
}

static MYSQL *new_handle(const struct mariadb *maria)
{
    const struct mariadb_server *server = &maria->server;
    const unsigned connect_s = CONNECT_S, answer_s = maria->is_writer ? WRITE_S : READ_S, no = 0;
    const my_bool yes = 1;
    MYSQL *own = mysql_init(NULL);

    if (!own)
        return NULL;
    mysql_options(own, MYSQL_OPT_CONNECT_TIMEOUT, &connect_s);
    mysql_options(own, MYSQL_OPT_READ_TIMEOUT, &answer_s);
    mysql_options(own, MYSQL_OPT_WRITE_TIMEOUT, &answer_s);
    mysql_options(own, MYSQL_OPT_LOCAL_INFILE, &no); /* a server has no business with our files */
    mysql_options(own, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (!wants_tls(server))
        return own;
    mysql_options(own, MYSQL_OPT_SSL_ENFORCE, &yes); /* before a word of who we are */
    mysql_ssl_set(own, server->ssl_key, server->ssl_cert, server->ssl_ca, server->ssl_capath,
                  server->ssl_cipher);
    return own;
}

/* Tells what is wrong with a connection, and the way out where it is not that nobody answers. */
static int fail_to_connect(struct mariadb *maria, struct err *err)
{
    const struct mariadb_server *server = &maria->server;
    const unsigned number = mysql_errno(maria->own);
    const char *text = mysql_error(maria->own);

    switch (number) {
    case ER_ACCESS_DENIED_ERROR:
    case ER_ACCESS_DENIED_NO_PASSWORD_ERROR:
    case ER_HOST_NOT_PRIVILEGED:
        return err_set(
            err, EACCES,
            "%s does not let StorageUser=%s in: %s; StorageUser= and StoragePass= are to "
            "be those of `CREATE USER` there",
            maria->sql.where, server->user, text);
    case CR_SSL_CONNECTION_ERROR:
        return err_set(err, EPROTO, "%s: TLS, which StorageParameters= asks for, is not spoken: %s",
                       maria->sql.where, text);
    case ER_CON_COUNT_ERROR:
    case ER_TOO_MANY_USER_CONNECTIONS:
        return err_set(err, ENOTCONN,
                       "%s: %s; slurmdbd takes two connections, and two more for each cluster: "
                       "raise max_connections (or max_user_connections) there",
                       maria->sql.where, text);
    case ER_HOST_IS_BLOCKED:
        return err_set(err, EACCES, "%s: %s", maria->sql.where, text);
    default:
        return maria_fail(maria, NULL, "connecting", err);
    }
}

static int connect_once(struct mariadb *maria, const char *host, struct err *err)
{
    const struct mariadb_server *server = &maria->server;
    const bool is_path = host && host[0] == '/';

    maria->own = new_handle(maria);
    if (!maria->own)
        return err_set(err, ENOMEM, "%s: out of memory", maria->sql.where);
    if (!mysql_real_connect(maria->own, is_path ? NULL : host, server->user, server->password, NULL,
                            is_path ? 0 : server->port, is_path ? host : NULL, 0))
        return fail_to_connect(maria, err);
    if (wants_tls(server) && !mysql_get_ssl_cipher(maria->own))
        return err_set(err, EPROTO,
                       "%s speaks no TLS, which StorageParameters= asks for: set it up there, or "
                       "take the SSL_ words out",
                       maria->sql.where);
    return 0;
}

static int query(struct mariadb *maria, const char *text, struct err *err)
{
    if (mysql_real_query(maria->own, text, strlen(text)) != 0)
        return maria_fail(maria, NULL, text, err);
    return 0;
}

/* ---- the server ---- */

static bool is_mariadb(const struct mariadb *maria)
{
    return strstr(mysql_get_server_info(maria->own), "MariaDB") != NULL;
}

static int check_version(struct mariadb *maria, struct err *err)
{
    const unsigned long version = mysql_get_server_version(maria->own);

    if (version >= (is_mariadb(maria) ? OLDEST_MARIADB : OLDEST_MYSQL))
        return 0;
    return err_set(err, ENOTSUP,
                   "%s is version %s, which is too old: MariaDB 10.3, or MySQL 8.0, "
                   "or later is needed",
                   maria->sql.where, mysql_get_server_info(maria->own));
}

static int begin_session(struct mariadb *maria, struct err *err)
{
    AUTO_FREE char *waits =
        xasprintf("SET SESSION wait_timeout = %d, innodb_lock_wait_timeout = 10",
                  maria->is_writer ? HOLD_S : IDLE_S);
    int rc = query(maria,
                   "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,"
                   "NO_BACKSLASH_ESCAPES'",
                   err);

    if (rc == 0)
        rc = query(maria, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", err);
    if (rc == 0)
        rc = query(maria, waits, err);
    if (rc == 0 && is_mariadb(maria))
        rc = query(maria, "SET SESSION max_statement_time = 0", err);
    return rc;
}

bool mariadb_is_name(const char *name)
{
    const size_t n =
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

    return n > 0 && n <= 64 && !name[n];
}

static int fail_to_make(struct mariadb *maria, const char *what, struct err *err)
{
    const struct mariadb_server *server = &maria->server;

    return err_set(err, EACCES,
                   "%s: StorageLoc=%s %s: %s; an administrator of the server lets it by `GRANT ALL "
                   "ON `%s`.* TO '%s'`",
                   maria->sql.where, server->database, what, mysql_error(maria->own),
                   server->database, server->user);
}

/* Enters the database, and makes it where it is missing and the user may. Its name is checked. */
static int enter_database(struct mariadb *maria, struct err *err)
{
    const char *name = maria->server.database;
    AUTO_FREE char *make = xasprintf("CREATE DATABASE IF NOT EXISTS `%s`", name);

    if (!mariadb_is_name(name))
        return err_set(err, EINVAL,
                       "StorageLoc=%s: with accounting_storage/mysql it is the name of a database: "
                       "letters, digits, '_' and '-'",
                       name);
    if (mysql_select_db(maria->own, name) == 0)
        return 0;
    if (mysql_errno(maria->own) == ER_DBACCESS_DENIED_ERROR)
        return fail_to_make(maria, "is not for this user, or not there", err);
    if (mysql_errno(maria->own) != ER_BAD_DB_ERROR)
        return maria_fail(maria, NULL, "entering the database", err);
    if (query(maria, make, NULL) < 0)
        return maria->is_lost ? maria_fail(maria, NULL, make, err)
                              : fail_to_make(maria, "cannot be made", err);
    return mysql_select_db(maria->own, name) == 0
               ? 0
               : maria_fail(maria, NULL, "entering the database", err);
}

/* ---- one writer ---- */

#define LOCK_NAME "concat('sluice ', sha1(?))"

static int lock_statement(struct mariadb *maria, const char *text, const char *name,
                          struct sql_stmt **ret, struct err *err)
{
    int rc = sql_prepare(&maria->sql, text, ret, err);

    if (rc == 0)
        sql_bind_text(*ret, 1, name);
    return rc;
}

/* Returns the number of the connection that has the lock, 0: none any more. */
static unsigned long holder(struct mariadb *maria, const char *name)
{
    struct sql_stmt *stmt = NULL;
    unsigned long number = 0;

    if (lock_statement(maria, "SELECT ifnull(is_used_lock(" LOCK_NAME "), 0)", name, &stmt, NULL) ==
            0 &&
        sql_step(stmt, NULL) > 0)
        number = (unsigned long)sql_int64(stmt, 0);
    sql_finalize(stmt);
    return number;
}

/* Fails, telling who has the lock as far as it can be seen. The server may not have noticed yet
 * that a connection of this very slurmdbd is gone: that is waited for. */
static int fail_locked(struct mariadb *maria, const char *name, struct err *err)
{
    AUTO_FREE char *who = NULL;
    struct sql_stmt *stmt = NULL;

    if (maria->locked_as && holder(maria, name) == maria->locked_as)
        return err_set(err, ENOTCONN, "%s: it still takes the connection that was lost for alive",
                       maria->sql.where);
    if (lock_statement(maria,
                       "SELECT concat('connection ', id, ' of ', user, ' from ', host)"
                       " FROM information_schema.processlist"
                       " WHERE id = is_used_lock(" LOCK_NAME ")",
                       name, &stmt, NULL) == 0 &&
        sql_step(stmt, NULL) > 0)
        who = xstrdup(sql_text(stmt, 0));
    sql_finalize(stmt);
    return err_set(
        err, EBUSY,
        "%s: StorageLoc=%s is in use by another slurmdbd (%s); two on one database would "
        "count twice: stop that one, or give this one a StorageLoc= of its own",
        maria->sql.where, maria->server.database, who ? who : "who is not shown");
}

/* Takes the lock, which lasts as long as the connection. */
static int lock(struct mariadb *maria, struct err *err)
{
    AUTO_FREE char *name = xasprintf("%s %s", maria->server.database, maria->sql.table_start);
    struct sql_stmt *stmt = NULL;
    int rc = lock_statement(maria, "SELECT get_lock(" LOCK_NAME ", ?)", name, &stmt, err);
    bool is_ours = false;

    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 2, LOCK_S);
    rc = sql_step(stmt, err);
    is_ours = rc > 0 && sql_int64(stmt, 0) == 1;
    sql_finalize(stmt);
    if (rc < 0)
        return rc;
    if (!is_ours)
        return fail_locked(maria, name, err);
    maria->locked_as = mysql_thread_id(maria->own);
    return 0;
}

/* ---- all of it ---- */

/* Where there are two hosts, one that takes no changes is a copy of the other. */
static int check_writable(struct mariadb *maria, struct err *err)
{
    int64_t is_read_only = 0;
    int rc = sql_number(&maria->sql, "SELECT @@read_only", &is_read_only, err);

    if (rc == 0 && is_read_only)
        rc = err_set(err, ENOTCONN, "%s: the one that answers is read-only", maria->sql.where);
    return rc;
}

static int set_up(struct mariadb *maria, struct err *err)
{
    int rc = check_version(maria, err);

    if (rc == 0)
        rc = begin_session(maria, err);
    if (rc == 0 && maria->is_writer && maria->server.backup_host)
        rc = check_writable(maria, err);
    if (rc == 0)
        rc = enter_database(maria, err);
    if (rc == 0)
        rc = sql_number(&maria->sql, "SELECT @@max_allowed_packet", &maria->packet_max, err);
    if (rc == 0 && maria->is_writer)
        rc = lock(maria, err);
    return rc;
}

static int connect_to(struct mariadb *maria, const char *host, struct err *err)
{
    int rc;

    if (maria->own)
        mysql_close(maria->own);
    maria->is_lost = false;
    maria->packet_max = INT64_MAX;
    maria->generation++;
    rc = connect_once(maria, host, err);
    if (rc == 0)
        rc = set_up(maria, err);
    if (rc < 0)
        maria->is_lost = true;
    return rc;
}

int maria_connect(struct mariadb *maria, struct err *err)
{
    const struct mariadb_server *server = &maria->server;
    int rc = connect_to(maria, server->host, err);

    if (rc == -ENOTCONN && server->backup_host)
        rc = connect_to(maria, server->backup_host, err);
    return rc;
}

static char *address_of(const struct mariadb_server *server, const char *host)
{
    if (host[0] == '/')
        return xstrdup(host);
    return xasprintf("%s:%u", host, server->port ? server->port : USUAL_PORT);
}

static char *where_of(const struct mariadb_server *server)
{
    AUTO_FREE char *first = server->host ? address_of(server, server->host) : NULL;
    AUTO_FREE char *backup = server->backup_host ? address_of(server, server->backup_host) : NULL;

    return xasprintf("MariaDB %s%s%s%s", first ? "at " : "on this host", first ? first : "",
                     backup ? " or " : "", backup ? backup : "");
}

static struct mariadb_server copy_server(const struct mariadb_server *server)
{
    return (struct mariadb_server){ .host = xstrdup(server->host),
                                    .backup_host = xstrdup(server->backup_host),
                                    .port = server->port,
                                    .user = xstrdup(server->user),
                                    .password = xstrdup(server->password),
                                    .database = xstrdup(server->database),
                                    .ssl_ca = xstrdup(server->ssl_ca),
                                    .ssl_capath = xstrdup(server->ssl_capath),
                                    .ssl_cert = xstrdup(server->ssl_cert),
                                    .ssl_key = xstrdup(server->ssl_key),
                                    .ssl_cipher = xstrdup(server->ssl_cipher) };
}

int mariadb_open(const struct mariadb_server *server, const char *prefix, bool is_writer,
                 struct sql **ret, struct err *err)
{
    struct mariadb *maria;
    int rc = libmariadb_open(err);

    if (rc < 0)
        return rc;
    maria = xcalloc(1, sizeof(*maria));
    maria->sql = (struct sql){ &mariadb_engine, xasprintf("`%s", prefix), "`", where_of(server) };
    maria->server = copy_server(server);
    maria->is_writer = is_writer;
    rc = maria_connect(maria, err);
    if (rc < 0)
        sql_close(&maria->sql);
    else
        *ret = &maria->sql;
    return rc;
}

int mariadb_open_reader(const struct sql *with, struct sql **ret, struct err *err)
{
    return mariadb_open(&mariadb_of(with)->server, with->table_start + 1, false, ret, err);
}

/* ---- what the operator should know ---- */

int mariadb_remark(struct sql *sql, struct strbuf *out, struct err *err)
{
    struct mariadb *maria = mariadb_of(sql);
    int64_t flush = 1, foreign = 0;
    int rc = sql_number(sql, "SELECT @@innodb_flush_log_at_trx_commit", &flush, err);

    if (rc == 0)
        rc = sql_number(sql,
                        "SELECT (SELECT count(*) FROM information_schema.tables WHERE table_schema"
                        " = database() AND table_name = 'acct_table') > 0 AND (SELECT count(*) FROM"
                        " information_schema.tables WHERE table_schema = database() AND table_name"
                        " LIKE 'sluice\\_dbd\\_%') = 0",
                        &foreign, err);
    if (rc < 0)
        return rc;
    if (flush != 1)
        strbuf_addf(out,
                    "; innodb_flush_log_at_trx_commit is %lld there: what was acknowledged may be "
                    "lost when the power fails, set it to 1",
                    (long long)flush);
    if (maria->packet_max < PACKET_GOOD)
        strbuf_addf(out,
                    "; max_allowed_packet is %lld there: a larger record of a job ends slurmdbd, "
                    "set it to 16M",
                    (long long)maria->packet_max);
    if (!is_mariadb(maria))
        strbuf_addf(out, "; it is MySQL %s, with which this was not tried",
                    mysql_get_server_info(maria->own));
    if (foreign)
        strbuf_adds(out, "; tables of Slurm's own slurmdbd are in that database, and stay as they "
                         "are: `sluice import slurmdbd` reads them");
    return 0;
}
