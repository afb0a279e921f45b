/* mariadb_fail.c - what becomes of a call that failed: tried again, waited for, or the end. */
#include "ctld/store/sql/mariadb_own.h"

#include <errno.h>
#include <string.h>

#include <errmsg.h>
#include <mysqld_error.h>

struct meaning {
    unsigned number;
    int code;
};

/* What is not here ends the store. */
static const struct meaning meanings[] = {
    /* Nobody answers, or not any more; or whether a commit took place is not known. */
    { CR_CONNECTION_ERROR, ENOTCONN },
    { CR_CONN_HOST_ERROR, ENOTCONN },
    { CR_UNKNOWN_HOST, ENOTCONN },
    { CR_SERVER_GONE_ERROR, ENOTCONN },
    { CR_SERVER_LOST, ENOTCONN },
    { CR_SERVER_HANDSHAKE_ERR, ENOTCONN },
    { CR_SERVER_LOST_EXTENDED, ENOTCONN },
    { CR_ERR_NET_READ, ENOTCONN },
    { CR_ERR_NET_WRITE, ENOTCONN },
    { ER_CON_COUNT_ERROR, ENOTCONN },
    { ER_SERVER_SHUTDOWN, ENOTCONN },
    { ER_TOO_MANY_USER_CONNECTIONS, ENOTCONN },
    { ER_USER_LIMIT_REACHED, ENOTCONN },
    { ER_NEW_ABORTING_CONNECTION, ENOTCONN },
    { ER_ABORTING_CONNECTION, ENOTCONN },
    { ER_ERROR_DURING_COMMIT, ENOTCONN },
    { ER_CONNECTION_KILLED, ENOTCONN },
    /* The server has undone the transaction, or does not write for a while. */
    { ER_LOCK_WAIT_TIMEOUT, EAGAIN },
    { ER_LOCK_DEADLOCK, EAGAIN },
    { ER_QUERY_INTERRUPTED, EAGAIN },
    { ER_OPTION_PREVENTS_STATEMENT /* --read-only */, EAGAIN },
    { ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, EAGAIN },
    { ER_STATEMENT_TIMEOUT, EAGAIN },
    { ER_TABLEACCESS_DENIED_ERROR, EACCES },
    /* There is no room. */
    { ER_DISK_FULL, ENOSPC },
    { ER_RECORD_FILE_FULL, ENOSPC },
};

/* Several errors tell a number of the system, which alone says that there is no room. */
static bool is_about_space(const char *text)
{
    return strstr(text, "No space left") || strstr(text, "Errcode: 28") ||
           strstr(text, "errno: 28") || strstr(text, "Got error 28") ||
           strstr(text, "Disk quota exceeded");
}

static int code_of(unsigned number, const char *text)
{
    for (size_t i = 0; i < ARRAY_N(meanings); i++) {
        if (meanings[i].number == number)
            return meanings[i].code;
    }
    return is_about_space(text) ? ENOSPC : E_STORE;
}

int maria_fail(struct mariadb *maria, MYSQL_STMT *stmt, const char *doing, struct err *err)
{
    const unsigned number = stmt ? mysql_stmt_errno(stmt) : mysql_errno(maria->own);
    const char *text = stmt ? mysql_stmt_error(stmt) : mysql_error(maria->own);
    const int code = code_of(number, text);

    if (code == ENOTCONN) {
        maria->is_lost = true;
        return err_set(err, code, "%s: %s", maria->sql.where, text);
    }
    return err_set(err, code, "%s: %s: %s", maria->sql.where, doing, text);
}
