/* What is called of MariaDB's client library; opened when first called. */
#include <mysql.h>

#include "common/base/library.h"
#include "ctld/store/sql/mariadb_own.h"

#define SONAME "libmariadb.so.3"

/* Only a slurmdbd that keeps what it is told in MariaDB needs it. */
LIBRARY_NOTE(suggested, libmariadb, SONAME, "StorageType=accounting_storage/mysql");
static struct library libmariadb = { .file = SONAME };

int libmariadb_open(struct err *err)
{
    struct err why = { 0 };

    if (library_open(&libmariadb, &why) == 0)
        return 0;
    return err_set(err, ENOENT,
                   "StorageType=accounting_storage/mysql needs MariaDB's client library (Debian's "
                   "package libmariadb3): %s",
                   why.text);
}

FORWARD(libmariadb, my_ulonglong, mysql_affected_rows, (MYSQL * own), (own))
FORWARD_VOID(libmariadb, mysql_close, (MYSQL * own), (own))
FORWARD(libmariadb, unsigned int, mysql_errno, (MYSQL * own), (own))
FORWARD(libmariadb, const char *, mysql_error, (MYSQL * own), (own))
FORWARD(libmariadb, MYSQL_FIELD *, mysql_fetch_field_direct,
        (MYSQL_RES * result, unsigned int column), (result, column))
FORWARD_VOID(libmariadb, mysql_free_result, (MYSQL_RES * result), (result))
FORWARD(libmariadb, char *, mysql_get_server_info, (MYSQL * own), (own))
FORWARD(libmariadb, unsigned long, mysql_get_server_version, (MYSQL * own), (own))
FORWARD(libmariadb, const char *, mysql_get_ssl_cipher, (MYSQL * own), (own))
FORWARD(libmariadb, MYSQL *, mysql_init, (MYSQL * own), (own))
FORWARD(libmariadb, int, mysql_options, (MYSQL * own, enum mysql_option option, const void *value),
        (own, option, value))
FORWARD(libmariadb, int, mysql_ping, (MYSQL * own), (own))
FORWARD(libmariadb, MYSQL *, mysql_real_connect,
        (MYSQL * own, const char *host, const char *user, const char *password,
         const char *database, unsigned int port, const char *unix_socket, unsigned long flags),
        (own, host, user, password, database, port, unix_socket, flags))
FORWARD(libmariadb, int, mysql_real_query, (MYSQL * own, const char *text, unsigned long n),
        (own, text, n))
FORWARD(libmariadb, int, mysql_select_db, (MYSQL * own, const char *name), (own, name))
FORWARD(libmariadb, int, mysql_ssl_set,
        (MYSQL * own, const char *key, const char *cert, const char *ca, const char *capath,
         const char *cipher),
        (own, key, cert, ca, capath, cipher))
FORWARD(libmariadb, unsigned long long, mysql_stmt_affected_rows, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, my_bool, mysql_stmt_bind_param, (MYSQL_STMT * stmt, MYSQL_BIND *params),
        (stmt, params))
FORWARD(libmariadb, my_bool, mysql_stmt_bind_result, (MYSQL_STMT * stmt, MYSQL_BIND *columns),
        (stmt, columns))
FORWARD(libmariadb, my_bool, mysql_stmt_close, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, unsigned int, mysql_stmt_errno, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, const char *, mysql_stmt_error, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, int, mysql_stmt_execute, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, int, mysql_stmt_fetch, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, int, mysql_stmt_fetch_column,
        (MYSQL_STMT * stmt, MYSQL_BIND *to, unsigned int column, unsigned long offset),
        (stmt, to, column, offset))
FORWARD(libmariadb, unsigned int, mysql_stmt_field_count, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, my_bool, mysql_stmt_free_result, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, MYSQL_STMT *, mysql_stmt_init, (MYSQL * own), (own))
FORWARD(libmariadb, unsigned long, mysql_stmt_param_count, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, int, mysql_stmt_prepare, (MYSQL_STMT * stmt, const char *text, unsigned long n),
        (stmt, text, n))
FORWARD(libmariadb, MYSQL_RES *, mysql_stmt_result_metadata, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, int, mysql_stmt_store_result, (MYSQL_STMT * stmt), (stmt))
FORWARD(libmariadb, unsigned long, mysql_thread_id, (MYSQL * own), (own))
