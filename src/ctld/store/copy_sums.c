#include "ctld/store/copy_sums.h"

#include <string.h>

#include "common/base/minmax.h"
#include "common/msg/job_sums.h"

#define ROWS_A_CHANGE 500
#define ROWS_A_PIECE  2000 /* at which it ends, with a period */
#define WEIGHT        "began + carried + cpu + mem + node + billing + waited"

enum stmt { NEXT_OF_LENGTH, NEXT_LENGTH, ROWS, MORE, STMTS_N };

static const char *const statements[STMTS_N] = {
    /* Two of them: as one condition no engine finds its place by the key. */
    [NEXT_OF_LENGTH] = "SELECT period, at FROM {sums} WHERE period = ? AND at > ?"
                       " ORDER BY at LIMIT 1",
    [NEXT_LENGTH] = "SELECT period, at FROM {sums} WHERE period > ? ORDER BY period, at LIMIT 1",
    [ROWS] =
        "SELECT s.owner, s.cpus, s.began, s.carried, s.cpu, s.mem, s.node, s.billing, s.waited,"
        " o.account, o.user, o.`partition`, o.wckey FROM {sums} s LEFT JOIN {sum_owners} o"
        " ON o.id = s.owner WHERE s.period = ? AND s.at = ? ORDER BY s.owner, s.cpus",
    [MORE] = "SELECT owner, cpus, tres, held FROM {sums_more} WHERE period = ? AND at = ?"
             " ORDER BY owner, cpus",
};

struct copy_sums {
    int64_t period, at; /* of the last one that was copied */
    struct sql_stmt *stmts[STMTS_N];
};

int copy_sums_new(struct sql *db, struct copy_sums **ret, struct err *err)
{
    struct copy_sums *copy = xcalloc(1, sizeof(*copy));
    int rc = 0;

    copy->period = copy->at = INT64_MIN;
    for (int i = 0; rc == 0 && i < STMTS_N; i++)
        rc = sql_prepare(db, statements[i], &copy->stmts[i], err);
    if (rc < 0)
        copy_sums_free(copy);
    else
        *ret = copy;
    return rc;
}

struct copy_sums *copy_sums_free(struct copy_sums *copy)
{
    for (int i = 0; copy && i < STMTS_N; i++)
        sql_finalize(copy->stmts[i]);
    free(copy);
    return NULL;
}

/* ---- out of the tables ---- */

static int find_period(struct copy_sums *copy, enum stmt at, int params, struct err *err)
{
    struct sql_stmt *stmt = copy->stmts[at];
    int rc;

    sql_bind_numbers(stmt, (int64_t[]){ copy->period, copy->at }, params);
    rc = sql_step(stmt, err);
    if (rc > 0) {
        copy->period = sql_int64(stmt, 0);
        copy->at = sql_int64(stmt, 1);
    }
    sql_reset(stmt);
    return rc;
}

/* Finds the period after the last one. Returns 1 if there is one. */
static int next_period(struct copy_sums *copy, struct err *err)
{
    const int rc = find_period(copy, NEXT_OF_LENGTH, 2, err);

    return rc != 0 ? rc : find_period(copy, NEXT_LENGTH, 1, err);
}

/* A TRES of a row, which stands behind those of the rows before it. */
struct more {
    bool is_there;
    int64_t owner, cpus;
};

static int next_more(struct sql_stmt *stmt, struct more *more, struct err *err)
{
    const int rc = sql_step(stmt, err);

    more->is_there = rc > 0;
    if (rc > 0)
        *more = (struct more){ true, sql_int64(stmt, 0), sql_int64(stmt, 1) };
    return rc < 0 ? rc : 0;
}

static int read_more(struct sql_stmt *stmt, struct more *more, int64_t owner,
                     struct sum_copied *row, struct err *err)
{
    int rc = 0;

    while (rc == 0 && more->is_there && more->owner == owner && more->cpus == row->cpus) {
        struct acct_amount *amount = ARRAY_PUSH(row->more, row->more_n);

        acct_amount_init(amount);
        amount->tres = xstrdup(sql_text(stmt, 2));
        amount->amount = (uint64_t)sql_int64(stmt, 3);
        rc = next_more(stmt, more, err);
    }
    return rc;
}

static void read_row(struct sql_stmt *stmt, struct sum_copied *row)
{
    uint64_t *const amounts[] = { &row->began, &row->carried, &row->cpu,   &row->mem,
                                  &row->node,  &row->billing, &row->waited };
    char **const texts[] = { &row->account, &row->user, &row->partition, &row->wckey };

    row->cpus = (uint32_t)sql_int64(stmt, 1);
    for (int i = 0; i < (int)ARRAY_N(amounts); i++)
        *amounts[i] = (uint64_t)sql_int64(stmt, 2 + i);
    for (int i = 0; i < (int)ARRAY_N(texts); i++) {
        const char *text = sql_text(stmt, 9 + i); /* the cluster's own row has no owner */

        *texts[i] = text && *text ? xstrdup(text) : NULL;
    }
}

/* Reads all rows of the period. */
static int read_period(struct copy_sums *copy, struct sums_copied *ret, struct err *err)
{
    const int64_t which[] = { copy->period, copy->at };
    struct sql_stmt *rows = copy->stmts[ROWS], *mores = copy->stmts[MORE];
    struct more more = { 0 };
    int rc, step = 0;

    sql_bind_numbers(rows, which, 2);
    sql_bind_numbers(mores, which, 2);
    rc = next_more(mores, &more, err);
    while (rc == 0 && (step = sql_step(rows, err)) > 0) {
        struct sum_copied *row = ARRAY_PUSH(ret->rows, ret->rows_n);

        sum_copied_init(row);
        read_row(rows, row);
        ret->weight += sum_copied_weight(row);
        rc = read_more(mores, &more, sql_int64(rows, 0), row, err);
    }
    sql_reset(rows);
    sql_reset(mores);
    return rc < 0 ? rc : step;
}

/* Notes the period as changes of some rows each. */
static void note_period(const struct sums_copied *whole, struct turn_changes *ret)
{
    for (uint32_t at = 0; at < whole->rows_n; at += ROWS_A_CHANGE) {
        struct sums_copied part = *whole;
        struct change *change = ARRAY_PUSH(ret->changes, ret->changes_n);

        part.begins = at == 0;
        part.rows = whole->rows + at;
        part.rows_n = MIN(whole->rows_n - at, ROWS_A_CHANGE);
        change_init(change);
        change->kind = CHANGE_SUMS;
        change->record = schema_encode_blob(sums_copied_schema(), &part);
    }
}

int copy_sums_next(struct copy_sums *copy, struct turn_changes *ret, struct err *err)
{
    uint32_t rows = 0;
    int rc = 1;

    while (rc > 0 && rows < ROWS_A_PIECE && (rc = next_period(copy, err)) > 0) {
        AUTO(sums_copied) struct sums_copied period;

        sums_copied_init(&period);
        period.period = (uint32_t)copy->period;
        period.at = copy->at;
        rc = read_period(copy, &period, err) < 0 ? -1 : 1;
        if (rc > 0)
            note_period(&period, ret);
        rows += period.rows_n;
    }
    return rc;
}

/* ---- into tables ---- */

/* Tells whether the period is to be replaced. */
static int weigh_period(struct sql *db, const struct sums_copied *rows, bool is_right,
                        bool *ret_takes, struct err *err)
{
    struct sql_stmt *stmt;
    uint64_t here;
    int rc = sql_prepare(db,
                         "SELECT sum(" WEIGHT "), count(*) FROM {sums} WHERE period = ?"
                         " AND at = ?",
                         &stmt, err);

    if (rc < 0)
        return rc;
    sql_bind_numbers(stmt, (int64_t[]){ rows->period, rows->at }, 2);
    rc = sql_step(stmt, err);
    if (rc > 0) {
        here = (uint64_t)sql_int64(stmt, 0);
        *ret_takes =
            sql_int64(stmt, 1) == 0 || here < rows->weight || (is_right && here == rows->weight);
    }
    sql_finalize(stmt);
    return rc < 0 ? rc : 0;
}

static int remove_period(struct sql *db, const struct sums_copied *rows, struct err *err)
{
    static const char *const removals[] = {
        "DELETE FROM {sums} WHERE period = ? AND at = ?",
        "DELETE FROM {sums_more} WHERE period = ? AND at = ?",
    };
    int rc = 0;

    for (size_t i = 0; i < ARRAY_N(removals) && rc >= 0; i++) {
        struct sql_stmt *stmt;

        rc = sql_prepare(db, removals[i], &stmt, err);
        if (rc < 0)
            return rc;
        sql_bind_numbers(stmt, (int64_t[]){ rows->period, rows->at }, 2);
        rc = sql_run(stmt, err);
        sql_finalize(stmt);
    }
    return rc < 0 ? rc : 0;
}

/* Removes the period, unless it is to stay. What turns before in this transaction have summed is to
 * be weighed and removed with it. */
static int begin_period(struct sql *db, struct writer *writer, const struct sums_copied *rows,
                        bool is_right, struct sums_taking *taking, struct err *err)
{
    int rc = writer_finish_sums(writer, err);

    *taking = (struct sums_taking){ .period = rows->period, .at = rows->at };
    if (rc == 0)
        rc = weigh_period(db, rows, is_right, &taking->takes, err);
    return rc == 0 && taking->takes ? remove_period(db, rows, err) : rc;
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

static void take_row(struct writer *writer, const struct sums_copied *of,
                     const struct sum_copied *row)
{
    const struct job_sum sum = { .period = of->period,
                                 .at = of->at,
                                 .cpus = row->cpus,
                                 .account = text_of(row->account),
                                 .user = text_of(row->user),
                                 .partition = text_of(row->partition),
                                 .wckey = text_of(row->wckey),
                                 .began = row->began,
                                 .carried = row->carried,
                                 .held = { [SUM_CPU] = row->cpu,
                                           [SUM_MEM] = row->mem,
                                           [SUM_NODE] = row->node,
                                           [SUM_BILLING] = row->billing },
                                 .waited = row->waited,
                                 .more = row->more,
                                 .more_n = row->more_n };

    writer_add_sum(writer, &sum);
}

int copy_sums_take(struct sql *db, struct writer *writer, const struct sums_copied *rows,
                   bool is_right, struct sums_taking *taking, struct err *err)
{
    int rc = 0;

    if (rows->begins)
        rc = begin_period(db, writer, rows, is_right, taking, err);
    if (rc < 0 || !taking->takes || taking->period != rows->period || taking->at != rows->at)
        return rc;
    for (uint32_t i = 0; i < rows->rows_n; i++)
        take_row(writer, rows, &rows->rows[i]);
    return 0;
}
