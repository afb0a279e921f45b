#include "ctld/store/sums.h"

#include <string.h>

#include "ctld/store/db.h"

enum sums_stmt {
    FIND_OWNER,
    ADD_OWNER,
    ADD_SUM,
    ADD_MORE,
    IS_OVER, /* this run of a job: its end was summed */
    IS_RUN,  /* ended before the job waited again */
    STMTS_N,
};

static const char *const statements[STMTS_N] = {
    [FIND_OWNER] = "SELECT id FROM {sum_owners}"
                   " WHERE account = ? AND user = ? AND `partition` = ? AND wckey = ?",
    [ADD_OWNER] =
        "INSERT INTO {sum_owners} (account, user, `partition`, wckey) VALUES (?, ?, ?, ?)",
    [ADD_SUM] = "INSERT INTO {sums} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " {+or_update} began = began + {+new began},"
                " carried = carried + {+new carried}, cpu = cpu + {+new cpu},"
                " mem = mem + {+new mem}, node = node + {+new node},"
                " billing = billing + {+new billing}, waited = waited + {+new waited}",
    [ADD_MORE] = "INSERT INTO {sums_more} VALUES (?, ?, ?, ?, ?, ?)"
                 " {+or_update} held = held + {+new held}",
    [IS_OVER] = "SELECT 1 FROM {jobs} WHERE `key` = ? AND run = ? AND state > ?",
    [IS_RUN] = "SELECT 1 FROM {runs} WHERE job_id = ? AND run = ?",
};

/* Who holds, and the number of that in the tables. */
struct owner {
    int64_t id;
    UT_hash_handle hh;
    char key[]; /* the four texts, each with its zero byte */
};
#define OWNERS_MAX 20000 /* that are remembered */

struct sums {
    struct sql *db;
    struct job_sums added;
    struct owner *owners; /* uthash */
    struct sql_stmt *stmts[STMTS_N];
};

int sums_new(struct sql *db, struct sums **ret, struct err *err)
{
    struct sums *sums = xcalloc(1, sizeof(*sums));

    sums->db = db;
    for (int i = 0; i < STMTS_N; i++) {
        int rc = sql_prepare(db, statements[i], &sums->stmts[i], err);

        if (rc < 0) {
            sums_free(sums);
            return rc;
        }
    }
    *ret = sums;
    return 0;
}

static void forget_owners(struct sums *sums)
{
    struct owner *owner, *next;

    HASH_ITER (hh, sums->owners, owner, next) {
        HASH_DEL(sums->owners, owner);
        free(owner);
    }
}

void sums_forget(struct sums *sums)
{
    job_sums_clear(&sums->added);
    forget_owners(sums);
}

struct sums *sums_free(struct sums *sums)
{
    if (!sums)
        return NULL;
    sums_forget(sums);
    for (int i = 0; i < STMTS_N; i++)
        sql_finalize(sums->stmts[i]);
    free(sums);
    return NULL;
}

/* Runs a statement; returns 1 if it yields a row, whose first number is *ret_number then. */
static int run(struct sums *sums, enum sums_stmt at, int64_t *ret_number, struct err *err)
{
    struct sql_stmt *stmt = sums->stmts[at];
    int rc = sql_step(stmt, err);

    if (rc == 1 && ret_number)
        *ret_number = sql_int64(stmt, 0);
    sql_reset(stmt);
    return rc;
}

/* ---- what changes say ---- */

static int has_been_summed(struct sums *sums, const struct job_record *job, struct err *err)
{
    sql_bind_int64(sums->stmts[IS_OVER], 1, key_of(job->id, job->launch_number));
    sql_bind_int64(sums->stmts[IS_OVER], 2, job->launch_number);
    sql_bind_int64(sums->stmts[IS_OVER], 3, JOB_SUSPENDED);
    return run(sums, IS_OVER, NULL, err);
}

/* Returns 1 if the job has its last run's nodes still, which has been summed. */
static int is_of_earlier_run(struct sums *sums, const struct job_record *job, struct err *err)
{
    if (job->restarts == 0 || job->nodes_n == 0)
        return 0;
    sql_bind_int64(sums->stmts[IS_RUN], 1, job->id);
    sql_bind_int64(sums->stmts[IS_RUN], 2, job->launch_number);
    return run(sums, IS_RUN, NULL, err);
}

static void add(struct sums *sums, const struct job_record *job)
{
    static const struct span always = { INT64_MIN, INT64_MAX };

    job_sums_add_run(&sums->added, job, job->end_time);
    job_sums_add_hours(&sums->added, job, job->end_time, &always);
}

static int add_ended(struct sums *sums, const struct job_record *job, bool is_run, struct err *err)
{
    int rc;

    if (!job_state_is_over(job->state)) /* it waits again since, in one turn */
        return 0;
    rc = is_run ? has_been_summed(sums, job, err) : is_of_earlier_run(sums, job, err);
    if (rc == 0)
        add(sums, job);
    return rc < 0 ? rc : 0;
}

int sums_add(struct sums *sums, const struct change *change, const struct job_record *job,
             struct err *err)
{
    if (change->kind == CHANGE_RUN)
        return add_ended(sums, job, true, err);
    return change->is_end ? add_ended(sums, job, false, err) : 0;
}

void sums_add_row(struct sums *sums, const struct job_sum *row)
{
    struct job_sum *sum = job_sums_row(&sums->added, row);

    sum->began += row->began;
    sum->carried += row->carried;
    sum->waited += row->waited;
    for (int i = 0; i < SUM_TRES_N; i++)
        sum->held[i] += row->held[i];
    for (uint32_t i = 0; i < row->more_n; i++)
        job_sum_add_more(sum, row->more[i].tres, row->more[i].amount);
}

/* What is taken away is added as its negative: the tables' columns are signed. */
int sums_move(struct sums *sums, bool is_run, const struct job_record *from,
              const struct job_record *to, struct err *err)
{
    int rc = 0;

    if (!job_state_is_over(from->state))
        return 0; /* nothing is summed yet */
    if (!is_run)
        rc = is_of_earlier_run(sums, from, err);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    job_sums_take_run(&sums->added, from, from->end_time);
    job_sums_add_run(&sums->added, to, to->end_time);
    return 0;
}

/* ---- into the tables ---- */

static void bind_owner(struct sql_stmt *stmt, const struct job_sum *row)
{
    sql_bind_text(stmt, 1, row->account);
    sql_bind_text(stmt, 2, row->user);
    sql_bind_text(stmt, 3, row->partition);
    sql_bind_text(stmt, 4, row->wckey);
}

static int find_or_add_owner(struct sums *sums, const struct job_sum *row, int64_t *ret_id,
                             struct err *err)
{
    int rc;

    bind_owner(sums->stmts[FIND_OWNER], row);
    rc = run(sums, FIND_OWNER, ret_id, err);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    bind_owner(sums->stmts[ADD_OWNER], row);
    rc = run(sums, ADD_OWNER, NULL, err);
    if (rc < 0)
        return rc;
    bind_owner(sums->stmts[FIND_OWNER], row);
    rc = run(sums, FIND_OWNER, ret_id, err);
    return rc < 0 ? rc : 0;
}

/* Tells the number of who holds; nobody, of the sums of the cluster, has the number 0. */
static int owner_id(struct sums *sums, const struct job_sum *row, int64_t *ret_id, struct err *err)
{
    size_t n;
    const char *key = job_sum_owner(row, &n);
    struct owner *owner;
    int rc;

    *ret_id = 0;
    if (!*row->user)
        return 0;
    HASH_FIND(hh, sums->owners, key, (unsigned)n, owner);
    if (owner) {
        *ret_id = owner->id;
        return 0;
    }
    rc = find_or_add_owner(sums, row, ret_id, err);
    if (rc < 0)
        return rc;
    if (HASH_COUNT(sums->owners) >= OWNERS_MAX)
        forget_owners(sums);
    owner = xcalloc(1, sizeof(*owner) + n);
    memcpy(owner->key, key, n);
    owner->id = *ret_id;
    HASH_ADD_KEYPTR(hh, sums->owners, owner->key, (unsigned)n, owner);
    return 0;
}

static int write_more(struct sums *sums, const struct job_sum *row, int64_t owner, struct err *err)
{
    const int64_t key[] = { row->period, row->at, owner, row->cpus };
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < row->more_n; i++) {
        struct sql_stmt *stmt = sums->stmts[ADD_MORE];

        sql_bind_numbers(stmt, key, ARRAY_N(key));
        sql_bind_text(stmt, 5, row->more[i].tres);
        sql_bind_int64(stmt, 6, (int64_t)row->more[i].amount);
        rc = run(sums, ADD_MORE, NULL, err);
    }
    return rc;
}

static int write_row(struct sums *sums, const struct job_sum *row, struct err *err)
{
    int64_t owner;
    int rc = owner_id(sums, row, &owner, err);

    if (rc < 0)
        return rc;
    sql_bind_numbers(sums->stmts[ADD_SUM],
                     (int64_t[]){ row->period, row->at, owner, row->cpus, (int64_t)row->began,
                                  (int64_t)row->carried, (int64_t)row->held[SUM_CPU],
                                  (int64_t)row->held[SUM_MEM], (int64_t)row->held[SUM_NODE],
                                  (int64_t)row->held[SUM_BILLING], (int64_t)row->waited },
                     11);
    rc = run(sums, ADD_SUM, NULL, err);
    return rc < 0 ? rc : write_more(sums, row, owner, err);
}

int sums_write(struct sums *sums, struct err *err)
{
    int rc = 0;

    for (const struct job_sum *row = sums->added.rows; rc == 0 && row; row = row->hh.next)
        rc = write_row(sums, row, err);
    job_sums_clear(&sums->added);
    return rc;
}

/* ---- of what was there before there were sums ---- */

#define BUILD_ROWS 10000 /* in memory */

/* Adds the job or run of a row. A damaged record counts for nothing: whoever reads it will say so.
 */
static int build_from_row(struct sums *sums, struct sql_stmt *stmt, bool is_run, struct err *err)
{
    AUTO(job_record) struct job_record job;

    job_record_init(&job);
    if (schema_decode(job_record_schema(), sql_blob(stmt, 0), sql_bytes(stmt, 0), &job, NULL) < 0)
        return 0;
    if (!is_run)
        return add_ended(sums, &job, false, err);
    add(sums, &job);
    return 0;
}

static int build_from(struct sums *sums, const char *sql, bool is_run, struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(sums->db, sql, &stmt, err), step = 0;

    if (rc < 0)
        return rc;
    while (rc == 0 && (step = sql_step(stmt, err)) > 0) {
        rc = build_from_row(sums, stmt, is_run, err);
        if (rc == 0 && HASH_COUNT(sums->added.rows) > BUILD_ROWS)
            rc = sums_write(sums, err);
    }
    sql_finalize(stmt);
    return rc < 0 ? rc : step;
}

int sums_build(struct sql *db, struct err *err)
{
    struct sums *sums = NULL;
    int rc = sums_new(db, &sums, err);

    if (rc == 0)
        rc = build_from(sums, "SELECT record FROM {runs}", true, err);
    if (rc == 0)
        rc = build_from(sums, "SELECT record FROM {jobs}", false, err);
    if (rc == 0)
        rc = sums_write(sums, err);
    sums_free(sums);
    return rc;
}
