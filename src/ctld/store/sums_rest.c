#include "ctld/store/sums_rest.h"

#include <string.h>

#include "common/base/minmax.h"

enum rest_stmt { OWNERS, KNOWN, KNOWN_MORE, REMOVE, REMOVE_MORE, STMTS_N };

static const char *const statements[STMTS_N] = {
    [OWNERS] = "SELECT id, `partition`, wckey FROM {sum_owners} WHERE account = ? AND user = ?",
    [KNOWN] = "SELECT cpu, mem, node, billing, waited FROM {sums}"
              " WHERE period = ? AND at = ? AND owner = ? AND cpus <> ?",
    [KNOWN_MORE] = "SELECT tres, held FROM {sums_more}"
                   " WHERE period = ? AND at = ? AND owner = ? AND cpus <> ?",
    [REMOVE] = "DELETE FROM {sums} WHERE period = ? AND at = ? AND owner = ? AND cpus = ?",
    [REMOVE_MORE] =
        "DELETE FROM {sums_more} WHERE period = ? AND at = ? AND owner = ? AND cpus = ?",
};

struct resting {
    struct sums *sums;
    const struct sums_whole *whole;
    struct sql_stmt *stmts[STMTS_N];
    int64_t *owners; /* whose rows are about known jobs that the whole is about, too */
    uint32_t owners_n;
    int64_t own; /* the one whose row has the rest; -1: none yet */
};

static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* ---- who ---- */

static bool is_apart(const struct sums_whole *whole, const char *partition)
{
    for (uint32_t i = 0; i < whole->apart_n; i++) {
        if (strcmp(whole->apart[i], partition) == 0)
            return true;
    }
    return false;
}

static void take_owner(struct resting *resting, int64_t id, const char *partition,
                       const char *wckey)
{
    const struct sums_whole *whole = resting->whole;

    if (whole->partition ? strcmp(partition, whole->partition) == 0 : !is_apart(whole, partition))
        *ARRAY_PUSH(resting->owners, resting->owners_n) = id;
    if (strcmp(partition, text_of(whole->partition)) == 0 && !*wckey)
        resting->own = id;
}

/* Finds the owners; of the cluster's own rows it is 0. */
static int find_owners(struct resting *resting, struct err *err)
{
    struct sql_stmt *stmt = resting->stmts[OWNERS];
    int rc;

    resting->own = resting->whole->user ? -1 : 0;
    if (!resting->whole->user) {
        *ARRAY_PUSH(resting->owners, resting->owners_n) = 0;
        return 0;
    }
    sql_bind_text(stmt, 1, resting->whole->account);
    sql_bind_text(stmt, 2, resting->whole->user);
    while ((rc = sql_step(stmt, err)) > 0)
        take_owner(resting, sql_int64(stmt, 0), sql_text(stmt, 1), sql_text(stmt, 2));
    sql_reset(stmt);
    return rc;
}

/* ---- how much ---- */

static void bind_row(struct resting *resting, enum rest_stmt at, int64_t begin, int64_t owner)
{
    sql_bind_numbers(resting->stmts[at],
                     (int64_t[]){ resting->whole->period, begin, owner, SUM_REST }, 4);
}

/* Adds what the rows of known jobs of one owner hold. */
static int add_known(struct resting *resting, int64_t owner, struct job_sum *known, struct err *err)
{
    struct sql_stmt *stmt = resting->stmts[KNOWN], *more = resting->stmts[KNOWN_MORE];
    int rc;

    bind_row(resting, KNOWN, known->at, owner);
    while ((rc = sql_step(stmt, err)) > 0) {
        for (int i = 0; i < SUM_TRES_N; i++)
            known->held[i] += (uint64_t)sql_int64(stmt, i);
        known->waited += (uint64_t)sql_int64(stmt, SUM_TRES_N);
    }
    sql_reset(stmt);
    if (rc < 0)
        return rc;
    bind_row(resting, KNOWN_MORE, known->at, owner);
    while ((rc = sql_step(more, err)) > 0)
        job_sum_add_more(known, sql_text(more, 0), (uint64_t)sql_int64(more, 1));
    sql_reset(more);
    return rc;
}

/* Returns what is left of a whole. The tables' numbers are signed. */
static uint64_t left_of(uint64_t whole, uint64_t known)
{
    return known > INT64_MAX ? whole : whole - MIN(whole, known);
}

static uint64_t known_more(const struct job_sum *known, const char *tres)
{
    for (uint32_t i = 0; i < known->more_n; i++) {
        if (strcmp(known->more[i].tres, tres) == 0)
            return known->more[i].amount;
    }
    return 0;
}

/* Adds the rest as a row, where there is any. */
static void add_rest(struct resting *resting, const struct sum_whole *row,
                     const struct job_sum *known)
{
    const struct sums_whole *whole = resting->whole;
    const uint64_t amounts[SUM_TRES_N] = { [SUM_CPU] = row->cpu,
                                           [SUM_MEM] = row->mem,
                                           [SUM_NODE] = row->node,
                                           [SUM_BILLING] = row->billing };
    struct job_sum rest = { .period = whole->period,
                            .at = row->at,
                            .cpus = SUM_REST,
                            .account = text_of(whole->account),
                            .user = text_of(whole->user),
                            .partition = text_of(whole->partition),
                            .wckey = "",
                            .waited = left_of(row->waited, known->waited) };
    uint64_t any = rest.waited;

    for (int i = 0; i < SUM_TRES_N; i++)
        any |= rest.held[i] = left_of(amounts[i], known->held[i]);
    for (uint32_t i = 0; i < row->more_n; i++) {
        const char *tres = row->more[i].tres;
        const uint64_t left = left_of(row->more[i].amount, known_more(known, tres));

        if (left)
            job_sum_add_more(&rest, tres, left);
        any |= left;
    }
    if (any)
        sums_add_row(resting->sums, &rest);
    job_sum_clear_more(&rest);
}

/* ---- a period ---- */

static int remove_rest(struct resting *resting, int64_t begin, struct err *err)
{
    int rc = 0;

    for (enum rest_stmt at = REMOVE; rc == 0 && resting->own >= 0 && at <= REMOVE_MORE; at++) {
        bind_row(resting, at, begin, resting->own);
        rc = sql_run(resting->stmts[at], err);
    }
    return rc;
}

static int write_row(struct resting *resting, const struct sum_whole *row, struct err *err)
{
    struct job_sum known = { .at = row->at };
    int rc = remove_rest(resting, row->at, err);

    for (uint32_t i = 0; rc == 0 && i < resting->owners_n; i++)
        rc = add_known(resting, resting->owners[i], &known, err);
    if (rc == 0)
        add_rest(resting, row, &known);
    job_sum_clear_more(&known);
    return rc;
}

/* Makes rests. What was summed before in this transaction has to be in the tables: it is known. */
static int write_rests(struct resting *resting, struct err *err)
{
    int rc = sums_write(resting->sums, err);

    if (rc == 0)
        rc = find_owners(resting, err);
    for (uint32_t i = 0; rc == 0 && i < resting->whole->rows_n; i++)
        rc = write_row(resting, &resting->whole->rows[i], err);
    return rc;
}

int sums_rest_write(struct sql *db, struct sums *sums, const struct change *change, struct err *err)
{
    AUTO(sums_whole) struct sums_whole whole;
    struct resting resting = { .sums = sums, .whole = &whole };
    int rc = schema_decode(sums_whole_schema(), change->record.data, change->record.n, &whole, err);

    for (int i = 0; rc == 0 && i < STMTS_N; i++)
        rc = sql_prepare(db, statements[i], &resting.stmts[i], err);
    if (rc == 0)
        rc = write_rests(&resting, err);
    for (int i = 0; i < STMTS_N; i++)
        sql_finalize(resting.stmts[i]);
    free(resting.owners);
    return rc;
}
