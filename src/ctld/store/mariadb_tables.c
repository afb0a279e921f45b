/*
 * mariadb_tables.c - the tables as MariaDB has them.
 *
 * They are those of db.c, but that texts are bytes (so that no set of characters says what is equal
 * or how long a key is) and that columns have no index over a condition. A change of tables is made
 * by the server at once, whatever the transaction: what was interrupted is done again, so each
 * statement must bear that.
 */
#include <errno.h>
#include <inttypes.h>

#include "ctld/store/db.h"

#define TABLE(name, columns) "CREATE TABLE IF NOT EXISTS {" name "} (" columns ") ENGINE=InnoDB"

/* Each row brings the tables to a version. Never change one that was released: add rows. */
static const struct {
    int64_t version;
    const char *text;
} steps[] = {
    { 8, TABLE("numbers", "name VARBINARY(255) PRIMARY KEY, number BIGINT NOT NULL") },
    { 8, TABLE("kept", "kind BIGINT NOT NULL, `key` VARBINARY(1024) NOT NULL,"
                       " record LONGBLOB NOT NULL, PRIMARY KEY (kind, `key`)") },
    { 8, TABLE("jobs", "`key` BIGINT PRIMARY KEY, id BIGINT NOT NULL, alive BIGINT NOT NULL,"
                       " uid BIGINT NOT NULL, state BIGINT NOT NULL, submitted BIGINT NOT NULL,"
                       " ended BIGINT NOT NULL, name LONGBLOB, `partition` LONGBLOB,"
                       " record LONGBLOB NOT NULL, array_id BIGINT NOT NULL, run BIGINT NOT NULL,"
                       " KEY (id), KEY (alive), KEY (ended), KEY (uid), KEY (array_id)") },
    { 8, TABLE("steps", "job_id BIGINT NOT NULL, run BIGINT NOT NULL, step_id BIGINT NOT NULL,"
                        " record LONGBLOB NOT NULL, PRIMARY KEY (job_id, run, step_id)") },
    { 8, TABLE("runs", "job_id BIGINT NOT NULL, run BIGINT NOT NULL, record LONGBLOB NOT NULL,"
                       " PRIMARY KEY (job_id, run)") },
    { 8, TABLE("blobs", "rowid BIGINT AUTO_INCREMENT PRIMARY KEY, sha256 VARBINARY(32) NOT NULL,"
                        " data LONGBLOB NOT NULL, UNIQUE KEY (sha256)") },
    { 8, TABLE("events", "turn BIGINT NOT NULL, n BIGINT NOT NULL, time BIGINT NOT NULL,"
                         " kind BIGINT NOT NULL, job_id BIGINT NOT NULL, run BIGINT NOT NULL,"
                         " record LONGBLOB NOT NULL, PRIMARY KEY (turn, n), KEY (job_id)") },
    /* Four names can be longer than a key. Who writes looks before, and is alone. */
    { 8, TABLE("sum_owners",
               "id BIGINT AUTO_INCREMENT PRIMARY KEY, account LONGBLOB NOT NULL,"
               " user LONGBLOB NOT NULL, `partition` LONGBLOB NOT NULL, wckey LONGBLOB NOT NULL,"
               " KEY (account(100), user(100), `partition`(100), wckey(100))") },
    { 8, TABLE("sums", "period BIGINT NOT NULL, at BIGINT NOT NULL, owner BIGINT NOT NULL,"
                       " cpus BIGINT NOT NULL, began BIGINT NOT NULL, carried BIGINT NOT NULL,"
                       " cpu BIGINT NOT NULL, mem BIGINT NOT NULL, node BIGINT NOT NULL,"
                       " billing BIGINT NOT NULL, waited BIGINT NOT NULL,"
                       " PRIMARY KEY (period, at, owner, cpus)") },
    { 8, TABLE("sums_more",
               "period BIGINT NOT NULL, at BIGINT NOT NULL, owner BIGINT NOT NULL,"
               " cpus BIGINT NOT NULL, tres VARBINARY(1024) NOT NULL, held BIGINT NOT NULL,"
               " PRIMARY KEY (period, at, owner, cpus, tres)") },
    { 8, TABLE("cluster_events",
               "node VARBINARY(1024) NOT NULL, since BIGINT NOT NULL, until BIGINT NOT NULL,"
               " record LONGBLOB NOT NULL, PRIMARY KEY (node, since), KEY (until)") },
    { 8, TABLE("outgoing", "turn BIGINT PRIMARY KEY, changes LONGBLOB NOT NULL") },
};
_Static_assert(STORE_SCHEMA_VERSION == 8, "the tables of MariaDB come to the same version");

static int read_version(struct sql *db, int64_t *ret, struct err *err)
{
    int rc = sql_exec(db, TABLE("schema", "version BIGINT NOT NULL"), err);

    return rc < 0 ? rc : sql_number(db, "SELECT ifnull(max(version), 0) FROM {schema}", ret, err);
}

static int write_version(struct sql *db, struct err *err)
{
    AUTO_FREE char *text =
        xasprintf("INSERT INTO {schema} (version) VALUES (%d)", STORE_SCHEMA_VERSION);

    return sql_exec(db, text, err);
}

static int make_tables(struct sql *db, int64_t version, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < ARRAY_N(steps); i++) {
        if (steps[i].version > version)
            rc = sql_exec(db, steps[i].text, err);
    }
    return rc == 0 && version < STORE_SCHEMA_VERSION ? write_version(db, err) : rc;
}

int mariadb_migrate(struct sql *db, struct err *err)
{
    int64_t version = 0;
    struct err why = { 0 };
    int rc = read_version(db, &version, &why);

    if (rc == 0 && version > STORE_SCHEMA_VERSION)
        return err_set(err, E_STORE,
                       "%s: its tables have schema %" PRId64 ", this program knows %d; start the "
                       "newer program, or give this one a StorageLoc= of its own to begin anew",
                       sql_where(db), version, STORE_SCHEMA_VERSION);
    if (rc == 0)
        rc = make_tables(db, version, &why);
    if (rc == -EACCES)
        return err_set(err, EACCES,
                       "%s; StorageUser= has to make tables in the database of StorageLoc=: an "
                       "administrator of the server lets it by `GRANT ALL ON database.* TO user`",
                       why.text);
    if (rc < 0 && err)
        *err = why;
    return rc;
}
