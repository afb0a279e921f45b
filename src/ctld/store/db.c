#include "ctld/store/db.h"

#include <inttypes.h>

#include "ctld/store/sums.h"

int db_last_turn(struct sql *db, int64_t *ret, struct err *err)
{
    return sql_number(
        db, "SELECT ifnull(max(number), 0) FROM {numbers} WHERE name = '" TURN_NAME "'", ret, err);
}

/*
 * Row n brings version n to n + 1. Never change a row that was released: add one.
 * `alive` marks the jobs that the controller holds in memory; the rest is history.
 */
static const char *const migrations[STORE_SCHEMA_VERSION] = {
    "CREATE TABLE numbers (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE nodes (name TEXT PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE jobs (id INTEGER PRIMARY KEY, alive INTEGER NOT NULL, uid INTEGER NOT NULL,"
    " state INTEGER NOT NULL, submitted INTEGER NOT NULL, ended INTEGER NOT NULL, name TEXT,"
    " partition TEXT, record BLOB NOT NULL);"
    "CREATE INDEX jobs_alive ON jobs (alive) WHERE alive;"
    "CREATE INDEX jobs_by_end ON jobs (ended);"
    "CREATE INDEX jobs_by_owner ON jobs (uid);"
    "CREATE TABLE steps (job_id INTEGER NOT NULL, step_id INTEGER NOT NULL, record BLOB NOT NULL,"
    " PRIMARY KEY (job_id, step_id)) WITHOUT ROWID;"
    "CREATE TABLE blobs (sha256 BLOB PRIMARY KEY, data BLOB NOT NULL);",
    /*
     * An array's tasks are found by its id. `run` is the launch number: a requeued job has steps of
     * several runs, and `runs` keeps what it was at the end of the earlier ones.
     */
    "ALTER TABLE jobs ADD COLUMN array_id INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE jobs ADD COLUMN run INTEGER NOT NULL DEFAULT 0;"
    "UPDATE jobs SET array_id = job_array(record), run = job_run(record);"
    "CREATE INDEX jobs_by_array ON jobs (array_id) WHERE array_id;"
    "CREATE TABLE runs (job_id INTEGER NOT NULL, run INTEGER NOT NULL, record BLOB NOT NULL,"
    " PRIMARY KEY (job_id, run)) WITHOUT ROWID;"
    "ALTER TABLE steps RENAME TO old_steps;"
    "CREATE TABLE steps (job_id INTEGER NOT NULL, run INTEGER NOT NULL, step_id INTEGER NOT NULL,"
    " record BLOB NOT NULL, PRIMARY KEY (job_id, run, step_id)) WITHOUT ROWID;"
    "INSERT INTO steps SELECT job_id, step_run(record), step_id, record FROM old_steps;"
    "DROP TABLE old_steps;",
    /* Ids begin again after MaxJobId: see key_of. */
    "ALTER TABLE jobs RENAME TO old_jobs;"
    "DROP INDEX jobs_alive; DROP INDEX jobs_by_end; DROP INDEX jobs_by_owner;"
    "DROP INDEX jobs_by_array;"
    "CREATE TABLE jobs (key INTEGER PRIMARY KEY, id INTEGER NOT NULL, alive INTEGER NOT NULL,"
    " uid INTEGER NOT NULL, state INTEGER NOT NULL, submitted INTEGER NOT NULL,"
    " ended INTEGER NOT NULL, name TEXT, partition TEXT, record BLOB NOT NULL,"
    " array_id INTEGER NOT NULL, run INTEGER NOT NULL);"
    "INSERT INTO jobs SELECT id * 4096, id, alive, uid, state, submitted, ended, name, partition,"
    " record, array_id, run FROM old_jobs ORDER BY id;"
    "DROP TABLE old_jobs;"
    "CREATE INDEX jobs_by_id ON jobs (id);"
    "CREATE INDEX jobs_alive ON jobs (alive) WHERE alive;"
    "CREATE INDEX jobs_by_end ON jobs (ended);"
    "CREATE INDEX jobs_by_owner ON jobs (uid);"
    "CREATE INDEX jobs_by_array ON jobs (array_id) WHERE array_id;",
    "CREATE TABLE triggers (id INTEGER PRIMARY KEY, record BLOB NOT NULL);",
    /* One table for all kinds of kept records (common/msg/kept.h); `key` is a text or a number. */
    "CREATE TABLE kept (kind INTEGER NOT NULL, key NOT NULL, record BLOB NOT NULL,"
    " PRIMARY KEY (kind, key)) WITHOUT ROWID;"
    "INSERT INTO kept SELECT 1, name, record FROM nodes;"
    "INSERT INTO kept SELECT 2, id, record FROM triggers;"
    "DROP TABLE nodes; DROP TABLE triggers;"
    /* What happened, in order; see common/msg/event.h. */
    "CREATE TABLE events (turn INTEGER NOT NULL, n INTEGER NOT NULL, time INTEGER NOT NULL,"
    " kind INTEGER NOT NULL, job_id INTEGER NOT NULL, run INTEGER NOT NULL, record BLOB NOT NULL,"
    " PRIMARY KEY (turn, n)) WITHOUT ROWID;"
    "CREATE INDEX events_by_job ON events (job_id) WHERE job_id;",
    /* What is in a job's body stood in its record before: see common/msg/job_body.h. */
    "INSERT OR IGNORE INTO blobs SELECT sha256(job_body(record)), job_body(record) FROM jobs;"
    "INSERT OR IGNORE INTO blobs SELECT sha256(job_body(record)), job_body(record) FROM runs;"
    "UPDATE jobs SET record = job_naming_body(record, sha256(job_body(record)));"
    "UPDATE runs SET record = job_naming_body(record, sha256(job_body(record)));",
    /*
     * What jobs held, by hour, day and month (enum period), and who did; owner 0 is the cluster.
     * See sums.h, which fills them.
     */
    "CREATE TABLE sum_owners (id INTEGER PRIMARY KEY, account TEXT NOT NULL, user TEXT NOT NULL,"
    " partition TEXT NOT NULL, wckey TEXT NOT NULL, UNIQUE (account, user, partition, wckey));"
    "CREATE TABLE sums (period INTEGER NOT NULL, at INTEGER NOT NULL, owner INTEGER NOT NULL,"
    " cpus INTEGER NOT NULL, began INTEGER NOT NULL, carried INTEGER NOT NULL,"
    " cpu INTEGER NOT NULL, mem INTEGER NOT NULL, node INTEGER NOT NULL,"
    " billing INTEGER NOT NULL, waited INTEGER NOT NULL,"
    " PRIMARY KEY (period, at, owner, cpus)) WITHOUT ROWID;"
    "CREATE TABLE sums_more (period INTEGER NOT NULL, at INTEGER NOT NULL, owner INTEGER NOT NULL,"
    " cpus INTEGER NOT NULL, tres TEXT NOT NULL, held INTEGER NOT NULL,"
    " PRIMARY KEY (period, at, owner, cpus, tres)) WITHOUT ROWID;"
    /* See common/msg/cluster_event.h; one that goes on has the highest `until`. */
    "CREATE TABLE cluster_events (node TEXT NOT NULL, since INTEGER NOT NULL,"
    " until INTEGER NOT NULL, record BLOB NOT NULL, PRIMARY KEY (node, since)) WITHOUT ROWID;"
    "CREATE INDEX cluster_events_by_end ON cluster_events (until);",
    /* What a slurmdbd is told of turns, until it has it: see outgoing.h. */
    "CREATE TABLE outgoing (turn INTEGER PRIMARY KEY, changes BLOB NOT NULL);",
};
#define SUMS_SINCE 7 /* the first version that has sums */

static int copy_before_migration(struct sql *db, const char *path, int64_t version, struct err *err)
{
    AUTO_FREE char *copy = xasprintf("%s.version-%" PRId64, path, version);
    struct sql_stmt *stmt;
    int rc = sql_prepare(db, "VACUUM INTO ?", &stmt, err);

    if (rc < 0)
        return rc;
    sql_bind_text(stmt, 1, copy);
    rc = sql_run(stmt, err);
    sql_finalize(stmt);
    return rc;
}

/* Brings version n to n + 1. */
static int migrate(struct sql *db, int64_t version, struct err *err)
{
    AUTO_FREE char *number = xasprintf("PRAGMA user_version=%lld", (long long)version + 1);
    int rc = sql_begin(db, err);

    if (rc == 0)
        rc = sql_exec(db, migrations[version], err);
    if (rc == 0 && version + 1 == SUMS_SINCE)
        rc = sums_build(db, err);
    if (rc == 0)
        rc = sql_exec(db, number, err);
    if (rc == 0)
        rc = sql_commit(db, err);
    if (rc < 0)
        sql_rollback(db);
    return rc;
}

int db_migrate(struct sql *db, const char *path, struct err *err)
{
    int64_t version;
    int rc = sql_number(db, "PRAGMA user_version", &version, err);

    if (rc < 0)
        return rc;
    if (version > STORE_SCHEMA_VERSION)
        return err_set(err, E_STORE,
                       "state database '%s' has schema %lld, this program knows %d; "
                       "start the newer program, or move the file away to begin anew",
                       path, (long long)version, STORE_SCHEMA_VERSION);
    rc = db_add_functions(db, err);
    if (rc == 0 && version > 0 && version < STORE_SCHEMA_VERSION)
        rc = copy_before_migration(db, path, version, err);
    for (; rc == 0 && version < STORE_SCHEMA_VERSION; version++)
        rc = migrate(db, version, err);
    return rc;
}
