/* sums_read.c - sums back from the tables, with what jobs that run have held so far. */
#include <inttypes.h>
#include <string.h>

#include "common/base/minmax.h"
#include "ctld/store/db.h"
#include "ctld/store/reading.h"
#include "ctld/store/sums.h"

struct reading {
    struct sql *db;
    const struct sums_list *list;
    struct period_run runs[PERIOD_RUNS_MAX];
    uint32_t runs_n;
    struct job_sums sums;
};

/* ---- the tables ---- */

static void add_filters(const struct sums_list *list, struct strbuf *sql)
{
    read_add_in(sql, "o.account", list->accounts_n);
    read_add_in(sql, "o.user", list->users_n);
    read_add_in(sql, "o.`partition`", list->partitions_n);
    read_add_in(sql, "o.wckey", list->wckeys_n);
}

/* Binds the times of a run, then the filters in the order of add_filters. */
static void bind(struct sql_stmt *stmt, const struct reading *reading, const struct period_run *run)
{
    const struct sums_list *list = reading->list;
    int at = 1;

    sql_bind_int64(stmt, at++, (int64_t)run->period);
    sql_bind_int64(stmt, at++, run->from);
    sql_bind_int64(stmt, at++, run->until);
    read_bind_texts(stmt, &at, list->accounts, list->accounts_n);
    read_bind_texts(stmt, &at, list->users, list->users_n);
    read_bind_texts(stmt, &at, list->partitions, list->partitions_n);
    read_bind_texts(stmt, &at, list->wckeys, list->wckeys_n);
}

/* Returns the row that the statement's first five columns name. */
static struct job_sum *row_of(struct reading *reading, struct sql_stmt *stmt)
{
    return job_sums_row(&reading->sums, &(struct job_sum){ .at = reading->runs[0].from,
                                                           .cpus = (uint32_t)sql_int64(stmt, 4),
                                                           .account = sql_text(stmt, 0),
                                                           .user = sql_text(stmt, 1),
                                                           .partition = sql_text(stmt, 2),
                                                           .wckey = sql_text(stmt, 3) });
}

static void take_sum(struct reading *reading, struct sql_stmt *stmt)
{
    struct job_sum *row = row_of(reading, stmt);

    row->began += (uint64_t)sql_int64(stmt, 5);
    row->carried += (uint64_t)sql_int64(stmt, 6);
    for (int i = 0; i < SUM_TRES_N; i++)
        row->held[i] += (uint64_t)sql_int64(stmt, 7 + i);
}

static void take_more(struct reading *reading, struct sql_stmt *stmt)
{
    job_sum_add_more(row_of(reading, stmt), sql_text(stmt, 5), (uint64_t)sql_int64(stmt, 6));
}

typedef void take_fn(struct reading *reading, struct sql_stmt *stmt);

/* Reads a table for all runs of periods. `columns` are the sums, `apart` what else they are grouped
 * by. The join keeps rows in the order of periods, by which alone they are found fast. A rest has
 * no place among sizes. */
static int read_table(struct reading *reading, const char *table, const char *columns,
                      const char *apart, take_fn *take, struct err *err)
{
    AUTO(strbuf) struct strbuf sql = { 0 };
    struct sql_stmt *stmt;
    int rc;

    strbuf_addf(&sql,
                "SELECT o.account, o.user, o.`partition`, o.wckey, %s, %s"
                " FROM {%s} s {+in_order} {sum_owners} o ON o.id = s.owner"
                " WHERE s.period = ? AND s.at >= ? AND s.at < ?",
                reading->list->sizes ? "s.cpus" : "0", columns, table);
    add_filters(reading->list, &sql);
    if (reading->list->sizes)
        strbuf_addf(&sql, " AND s.cpus <> %u", SUM_REST);
    strbuf_addf(&sql, " GROUP BY s.owner%s%s", reading->list->sizes ? ", s.cpus" : "", apart);
    rc = sql_prepare(reading->db, strbuf_text(&sql), &stmt, err);
    for (uint32_t i = 0; rc == 0 && i < reading->runs_n; i++) {
        bind(stmt, reading, &reading->runs[i]);
        while ((rc = sql_step(stmt, err)) > 0)
            take(reading, stmt);
        sql_reset(stmt);
    }
    sql_finalize(stmt);
    return rc;
}

/* Jobs that came from before count in the first period only: in a later one they came from there.
 */
static int read_tables(struct reading *reading, struct err *err)
{
    AUTO_FREE char *columns =
        xasprintf("sum(s.began), sum(CASE WHEN s.at = %" PRId64 " THEN s.carried ELSE 0 END),"
                  " sum(s.cpu), sum(s.mem), sum(s.node), sum(s.billing)",
                  reading->runs[0].from);
    int rc = read_table(reading, "sums", columns, "", take_sum, err);

    return rc < 0 ? rc
                  : read_table(reading, "sums_more", "s.tres, sum(s.held)", ", s.tres", take_more,
                               err);
}

/* ---- jobs that run ---- */

static bool has_text(char *const *texts, uint32_t n, const char *text)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(texts[i], text) == 0)
            return true;
    }
    return n == 0;
}

static bool is_meant(const struct sums_list *list, const struct job_sum *key)
{
    return has_text(list->accounts, list->accounts_n, key->account) &&
           has_text(list->users, list->users_n, key->user) &&
           has_text(list->partitions, list->partitions_n, key->partition) &&
           has_text(list->wckeys, list->wckeys_n, key->wckey);
}

struct alive {
    struct reading *reading;
    int64_t now;
};

static void add_alive(const struct job_record *job, void *ctx)
{
    const struct alive *alive = ctx;
    struct reading *reading = alive->reading;
    char uid[SUM_UID_MAX];
    const struct job_sum key = job_sum_key(job, uid);

    if (is_meant(reading->list, &key))
        job_sums_add_between(&reading->sums, job, alive->now, reading->runs[0].from,
                             reading->runs[reading->runs_n - 1].until, reading->list->sizes);
}

static void tell(const struct job_sums *sums, struct sum_info **ret, uint32_t *ret_n)
{
    *ret_n = HASH_COUNT(sums->rows);
    *ret = xcalloc((size_t)*ret_n + 1, sizeof(**ret));
    for (const struct job_sum *row = sums->rows; row; row = row->hh.next)
        job_sum_tell(row, (*ret)++);
    *ret -= *ret_n;
}

int sums_read(struct sql *db, const struct sums_list *list, int64_t now, struct sum_info **ret,
              uint32_t *ret_n, struct err *err)
{
    struct reading reading = { .db = db, .list = list };
    struct alive alive = { &reading, now };
    int rc = 0;

    /* Nobody has held anything before 1970, or after this hour. */
    reading.runs_n = period_cut(MAX(list->from, 0), MIN(list->until, period_next(PERIOD_HOUR, now)),
                                reading.runs);
    if (reading.runs_n > 0)
        rc = read_tables(&reading, err);
    if (rc == 0 && reading.runs_n > 0)
        rc = read_active(db, add_alive, &alive, err);
    if (rc == 0)
        tell(&reading.sums, ret, ret_n);
    job_sums_clear(&reading.sums);
    return rc;
}
