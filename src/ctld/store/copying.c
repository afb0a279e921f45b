#include "ctld/store/copying.h"

#include <string.h>

#include <uthash.h>

#include "common/crypt/crypt.h"
#include "ctld/store/copy_sums.h"
#include "ctld/store/enclosed.h"
#include "ctld/store/reading.h"

#define COPY_JOBS  200         /* in a piece, */
#define COPY_BYTES (16u << 20) /* behind which it ends with a job or record */
#define BODIES_MAX 50000       /* whose names are remembered */

enum phase { PHASE_OTHERS, PHASE_JOBS, PHASE_SUMS, PHASE_OVER };

/* A body that was copied: most jobs share theirs with others. */
struct copied_body {
    uint8_t sha256[SHA256_BYTES];
    UT_hash_handle hh;
};

struct copying {
    struct sql *db; /* in a transaction that sees one turn */
    uint64_t turn;
    enum phase phase;
    int64_t last_key;
    struct sql_stmt *others; /* NULL: before and after them */
    struct sql_stmt *jobs, *runs, *steps, *body;
    uint32_t weighed_n;         /* changes of the piece, */
    uint64_t bytes;             /* and what they take */
    struct copied_body *bodies; /* uthash */
    struct copy_sums *sums;
    struct store_bodies which;
};

int copying_new(struct sql *db, const struct store_bodies *which, struct copying **ret,
                struct err *err)
{
    struct copying *copying = xcalloc(1, sizeof(*copying));
    int64_t turn = 0;
    int rc = sql_begin_reading(db, err);

    copying->db = db;
    copying->which = *which;
    if (rc == 0)
        rc = db_last_turn(copying->db, &turn, err); /* from here on it sees only this one */
    if (rc == 0)
        rc = sql_prepare(copying->db,
                         "SELECT `key`, id, alive, run, ended, record FROM {jobs} WHERE `key` > ?"
                         " ORDER BY `key` LIMIT ?",
                         &copying->jobs, err);
    if (rc == 0)
        rc = sql_prepare(copying->db,
                         "SELECT run, record FROM {runs} WHERE job_id = ? AND run BETWEEN ? AND ?",
                         &copying->runs, err);
    if (rc == 0)
        rc = sql_prepare(copying->db,
                         "SELECT run, record, step_id FROM {steps} WHERE job_id = ?"
                         " AND run BETWEEN ? AND ?",
                         &copying->steps, err);
    if (rc == 0)
        rc = sql_prepare(copying->db, "SELECT data FROM {blobs} WHERE sha256 = ?", &copying->body,
                         err);
    if (rc == 0)
        rc = copy_sums_new(copying->db, &copying->sums, err);
    copying->turn = turn ? (uint64_t)turn : 1; /* of an empty store: 0 says that there is more */
    if (rc < 0)
        copying_free(copying);
    else
        *ret = copying;
    return rc;
}

static void forget_bodies(struct copying *copying)
{
    struct copied_body *body, *next;

    HASH_ITER (hh, copying->bodies, body, next) {
        HASH_DEL(copying->bodies, body);
        free(body);
    }
}

struct copying *copying_free(struct copying *copying)
{
    if (!copying)
        return NULL;
    sql_finalize(copying->others);
    sql_finalize(copying->jobs);
    sql_finalize(copying->runs);
    sql_finalize(copying->steps);
    sql_finalize(copying->body);
    copy_sums_free(copying->sums);
    forget_bodies(copying);
    sql_close(copying->db);
    free(copying);
    return NULL;
}

static struct change *add(struct turn_changes *piece, enum change_kind kind)
{
    struct change *change = ARRAY_PUSH(piece->changes, piece->changes_n);

    change_init(change);
    change->kind = kind;
    return change;
}

static struct blob column(struct sql_stmt *stmt, int at)
{
    const struct blob bytes = { (uint8_t *)(uintptr_t)sql_blob(stmt, at),
                                (uint32_t)sql_bytes(stmt, at) };

    return blob_copy(&bytes);
}

/* Returns whether the piece takes as much memory as one may. */
static bool is_full(struct copying *copying, const struct turn_changes *piece)
{
    while (copying->weighed_n < piece->changes_n)
        copying->bytes += change_bytes(&piece->changes[copying->weighed_n++]);
    return copying->bytes >= COPY_BYTES;
}

static int begin_others(struct copying *copying, struct err *err)
{
    int rc = sql_prepare(copying->db,
                         "SELECT ?, `key`, record FROM {kept} WHERE kind = ?"
                         " UNION ALL SELECT ?, '', record FROM {cluster_events}",
                         &copying->others, err);

    if (rc < 0)
        return rc;
    sql_bind_int64(copying->others, 1, CHANGE_KEPT);
    sql_bind_int64(copying->others, 2, KEPT_USAGE);
    sql_bind_int64(copying->others, 3, CHANGE_CLUSTER_EVENT);
    return 0;
}

/* Adds usage and events of nodes, as many as fit. */
static int copy_others(struct copying *copying, struct turn_changes *ret, struct err *err)
{
    int rc = copying->others ? 0 : begin_others(copying, err);
    int step = rc < 0 ? rc : 1;

    while (step > 0 && !is_full(copying, ret) && (step = sql_step(copying->others, err)) > 0) {
        struct change *change = add(ret, (enum change_kind)sql_int64(copying->others, 0));

        change->kept = change->kind == CHANGE_KEPT ? KEPT_USAGE : 0;
        change->name = xstrdup(sql_text(copying->others, 1));
        change->record = column(copying->others, 2);
    }
    if (step > 0)
        return 0;
    sql_finalize(copying->others);
    copying->others = NULL;
    copying->phase = PHASE_JOBS;
    return step;
}

/* Adds the rows of a job that `stmt` finds: its runs, or its steps. */
static int copy_rows(struct sql_stmt *stmt, enum change_kind kind, int64_t key,
                     struct turn_changes *ret, struct err *err)
{
    int step;

    sql_bind_int64(stmt, 1, key_id(key));
    sql_bind_int64(stmt, 2, key_first_run(key));
    sql_bind_int64(stmt, 3, key_last_run(key));
    while ((step = sql_step(stmt, err)) > 0) {
        struct change *change = add(ret, kind);

        change->job_id = key_id(key);
        change->run = (uint32_t)sql_int64(stmt, 0);
        change->record = column(stmt, 1);
        change->is_past = kind == CHANGE_RUN;
        if (kind == CHANGE_STEP)
            change->step_id = (uint32_t)sql_int64(stmt, 2);
    }
    sql_reset(stmt);
    return step;
}

/* Returns whether the body was copied before, which it counts as from now on. */
static bool was_copied(struct copying *copying, const struct blob *sha256)
{
    struct copied_body *body;

    if (sha256->n != SHA256_BYTES)
        return false;
    HASH_FIND(hh, copying->bodies, sha256->data, SHA256_BYTES, body);
    if (body)
        return true;
    if (HASH_COUNT(copying->bodies) >= BODIES_MAX)
        forget_bodies(copying);
    body = xcalloc(1, sizeof(*body));
    memcpy(body->sha256, sha256->data, SHA256_BYTES);
    HASH_ADD(hh, copying->bodies, sha256, SHA256_BYTES, body);
    return false;
}

static int copy_body(struct copying *copying, const struct blob *sha256, struct turn_changes *ret,
                     struct err *err)
{
    struct change *change;
    int rc;

    if (sha256->n == 0 || was_copied(copying, sha256))
        return 0;
    sql_bind_blob(copying->body, 1, sha256->data, sha256->n);
    rc = sql_step(copying->body, err);
    if (rc > 0) {
        change = add(ret, CHANGE_BLOB);
        change->is_body = true;
        change->sha256 = blob_copy(sha256);
        change->record = column(copying->body, 0);
    }
    sql_reset(copying->body);
    if (rc > 0 && (copying->which.scripts || copying->which.environments)) {
        const struct blob body = change->record;

        rc = enclosed_add(copying->db, &body, &copying->which, ret, err);
    }
    return rc < 0 ? rc : 0;
}

/* Adds the runs and the steps of a job, as they were noted. */
static int copy_parts(struct copying *copying, const struct job_record *job, int64_t key,
                      struct turn_changes *ret, struct err *err)
{
    int rc = copy_rows(copying->runs, CHANGE_RUN, key, ret, err);

    if (rc == 0 && job->unrecorded == UNRECORDED_NOTHING)
        rc = copy_rows(copying->steps, CHANGE_STEP, key, ret, err);
    return rc;
}

/* A job stands before its runs and steps: who takes the copy may have another one of that number.
 */
static int copy_job(struct copying *copying, struct turn_changes *ret, struct err *err)
{
    AUTO(job_record) struct job_record job;
    struct sql_stmt *stmt = copying->jobs;
    const int64_t key = sql_int64(stmt, 0);
    struct change *change;
    int rc = read_column(stmt, 5, job_record_schema(), &job, err);

    copying->last_key = key;
    if (rc < 0 || job.unrecorded == UNRECORDED_ALL)
        return rc;
    rc = copy_body(copying, &job.body_sha256, ret, err);
    change = add(ret, CHANGE_JOB);
    change->record = column(stmt, 5);
    change->job_id = key_id(key);
    change->run = (uint32_t)sql_int64(stmt, 3);
    change->is_end = sql_int64(stmt, 4) != INT64_MAX;
    change->is_past = true;
    if (sql_int64(stmt, 2) != 1) { /* it is not alive */
        change = add(ret, CHANGE_JOB_RETIRE);
        change->goes_on = sql_int64(stmt, 2) == ALIVE_IN_HISTORY;
        change->job_id = key_id(key);
        change->run = (uint32_t)sql_int64(stmt, 3);
        change->unrecorded = job.unrecorded;
    }
    return rc == 0 ? copy_parts(copying, &job, key, ret, err) : rc;
}

static int copy_jobs(struct copying *copying, struct turn_changes *ret, struct err *err)
{
    uint32_t n = 0;
    int rc = 0, step = 1;

    sql_bind_int64(copying->jobs, 1, copying->last_key);
    sql_bind_int64(copying->jobs, 2, COPY_JOBS);
    while (rc == 0 && !is_full(copying, ret) && (step = sql_step(copying->jobs, err)) > 0) {
        rc = copy_job(copying, ret, err);
        n++;
    }
    sql_reset(copying->jobs);
    if (step == 0 && n < COPY_JOBS)
        copying->phase = PHASE_SUMS;
    return rc < 0 || step > 0 ? rc : step;
}

static int copy_sums_piece(struct copying *copying, struct turn_changes *ret, struct err *err)
{
    const int rc = copy_sums_next(copying->sums, ret, err);

    if (rc == 0)
        copying->phase = PHASE_OVER;
    return rc < 0 ? rc : 0;
}

int copying_next(struct copying *copying, struct turn_changes *ret, uint64_t *ret_turn,
                 struct err *err)
{
    int rc = 0;

    turn_changes_init(ret);
    copying->weighed_n = 0;
    copying->bytes = 0;
    if (copying->phase == PHASE_OTHERS)
        rc = copy_others(copying, ret, err);
    else if (copying->phase == PHASE_JOBS)
        rc = copy_jobs(copying, ret, err);
    else if (copying->phase == PHASE_SUMS)
        rc = copy_sums_piece(copying, ret, err);
    *ret_turn = copying->phase == PHASE_OVER ? copying->turn : 0;
    if (rc < 0)
        turn_changes_clear(ret);
    return rc;
}
