#include "ctld/store/utilization.h"

#include <string.h>

#include "common/base/minmax.h"
#include "common/msg/job_sums.h"
#include "common/msg/node.h"
#include "ctld/store/hour.h"
#include "ctld/store/reading.h"

/* One TRES: what was said of each hour, and what became of all of them. */
struct tres_time {
    char *name;
    struct hour_share *hours;
    uint64_t *waited;
    uint64_t there_s; /* seconds in which the cluster had any */
};

struct making {
    struct sql *db;
    int64_t from, until, now;
    int64_t *begins; /* of hours, and where the last one ends */
    uint32_t hours_n;
    struct tres_time *tres;
    uint32_t tres_n;
    struct job_sums alive; /* what jobs have held and waited that have not ended */
};

static struct tres_time *tres_named(struct making *making, const char *name)
{
    struct tres_time *tres;

    for (uint32_t i = 0; i < making->tres_n; i++) {
        if (strcmp(making->tres[i].name, name) == 0)
            return &making->tres[i];
    }
    tres = ARRAY_PUSH(making->tres, making->tres_n);
    *tres =
        (struct tres_time){ .name = xstrdup(name),
                            .hours = xcalloc((size_t)making->hours_n + 1, sizeof(*tres->hours)),
                            .waited = xcalloc((size_t)making->hours_n + 1, sizeof(*tres->waited)) };
    return tres;
}

static void clear(struct making *making)
{
    for (uint32_t i = 0; i < making->tres_n; i++) {
        free(making->tres[i].name);
        free(making->tres[i].hours);
        free(making->tres[i].waited);
    }
    free(making->tres);
    free(making->begins);
    job_sums_clear(&making->alive);
}

/* Returns the number of the hour in which a moment lies, which is one of those that are looked at.
 */
static uint32_t hour_at(const struct making *making, int64_t t)
{
    uint32_t low = 0, high = making->hours_n;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (making->begins[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool is_looked_at(const struct making *making, int64_t t)
{
    return t >= making->from && t < making->until;
}

/* ---- which hours ---- */

/* Leaves out the time before anything was kept, which may be long. */
static int find_begin(struct making *making, struct err *err)
{
    int64_t first = 0;
    int rc = sql_number(making->db,
                        "SELECT ifnull(min(since), 1 << 62) FROM"
                        " (SELECT min(since) AS since FROM {cluster_events}"
                        " UNION ALL SELECT min(at) FROM {sums} WHERE period = 0) AS both_of_them",
                        &first, err);

    making->from = period_start(PERIOD_HOUR, MAX(making->from, first));
    return rc;
}

static void list_hours(struct making *making)
{
    for (int64_t at = making->from; at < making->until; at = period_next(PERIOD_HOUR, at))
        *ARRAY_PUSH(making->begins, making->hours_n) = at;
    if (making->hours_n == 0)
        return;
    *ARRAY_PUSH(making->begins, making->hours_n) = making->until;
    making->hours_n--;
}

/* ---- what was said of them ---- */

static void say_event(struct making *making, const struct cluster_event *event)
{
    const struct span span = { event->since, event->until ? event->until : making->until };
    const int64_t from = MAX(span.from, making->from), until = MIN(span.until, making->until);

    for (uint32_t i = 0; from < until && i < event->tres_n; i++) {
        struct tres_time *tres = tres_named(making, event->tres[i].tres);

        for (uint32_t h = hour_at(making, from); h < making->hours_n; h++) {
            const int64_t *begins = making->begins;
            const uint64_t seconds = (uint64_t)span_within(&span, begins[h], begins[h + 1]);
            struct hour_share *hour = &tres->hours[h];

            if (begins[h] >= until)
                break;
            if (!event->node && event->tres[i].amount)
                tres->there_s += seconds;
            if (!event->node)
                hour->whole += event->tres[i].amount * seconds;
            else if (event->state == NODE_FUTURE)
                hour->planned_down += event->tres[i].amount * seconds;
            else
                hour->down += event->tres[i].amount * seconds;
        }
    }
}

static int say_events(struct making *making, struct err *err)
{
    const struct cluster_event_list list = { .from = making->from, .until = making->until };
    struct cluster_event *events = NULL;
    uint32_t n = 0;
    int rc = cluster_events_read(making->db, &list, true, &events, &n, err);

    for (uint32_t i = 0; i < n; i++) {
        say_event(making, &events[i]);
        cluster_event_clear(&events[i]);
    }
    free(events);
    return rc;
}

static void say_held(struct making *making, int64_t at, const char *name, uint64_t held)
{
    if (is_looked_at(making, at))
        tres_named(making, name)->hours[hour_at(making, at)].allocated += held;
}

static void say_sums(struct making *making, int64_t at, const uint64_t held[SUM_TRES_N],
                     uint64_t waited)
{
    for (int i = 0; i < SUM_TRES_N; i++)
        say_held(making, at, sum_tres_names[i], held[i]);
    if (is_looked_at(making, at))
        tres_named(making, sum_tres_names[SUM_CPU])->waited[hour_at(making, at)] += waited;
}

static void take_sums(struct making *making, struct sql_stmt *stmt)
{
    uint64_t held[SUM_TRES_N];

    for (int i = 0; i < SUM_TRES_N; i++)
        held[i] = (uint64_t)sql_int64(stmt, 1 + i);
    say_sums(making, sql_int64(stmt, 0), held, (uint64_t)sql_int64(stmt, 1 + SUM_TRES_N));
}

static void take_more(struct making *making, struct sql_stmt *stmt)
{
    say_held(making, sql_int64(stmt, 0), sql_text(stmt, 1), (uint64_t)sql_int64(stmt, 2));
}

static int read_hours(struct making *making, const char *sql,
                      void (*take)(struct making *making, struct sql_stmt *stmt), struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(making->db, sql, &stmt, err);

    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 1, making->from);
    sql_bind_int64(stmt, 2, making->until);
    while ((rc = sql_step(stmt, err)) > 0)
        take(making, stmt);
    sql_finalize(stmt);
    return rc;
}

/* ---- jobs that go on ---- */

static void add_job(const struct job_record *job, void *ctx)
{
    struct making *making = ctx;
    const struct span window = { making->from, making->until };

    job_sums_add_hours(&making->alive, job, making->now, &window);
}

/* A job that waits again while its nodes are cleaned begins to wait after that. */
static void add_waiting(const struct job_record *job, void *ctx)
{
    if (job->nodes_n == 0)
        add_job(job, ctx);
}

static int say_alive(struct making *making, struct err *err)
{
    int rc = read_active(making->db, add_job, making, err);

    if (rc == 0)
        rc = read_waiting(making->db, add_waiting, making, err);
    for (const struct job_sum *row = making->alive.rows; row; row = row->hh.next) {
        say_sums(making, row->at, row->held, row->waited);
        for (uint32_t i = 0; i < row->more_n; i++)
            say_held(making, row->at, row->more[i].tres, row->more[i].amount);
    }
    return rc;
}

/* ---- the answer ---- */

static void tell(struct making *making, struct tres_time *tres, struct utilization_info *ret)
{
    uint64_t whole = 0;

    utilization_info_init(ret);
    ret->tres = xstrdup(tres->name);
    for (uint32_t h = 0; h < making->hours_n; h++) {
        struct hour_share *hour = &tres->hours[h];

        hour_share_out(hour, tres->waited[h]);
        whole += hour->whole;
        ret->allocated += hour->allocated;
        ret->down += hour->down;
        ret->planned_down += hour->planned_down;
        ret->idle += hour->idle;
        ret->planned += hour->planned;
        ret->over += hour->over;
    }
    ret->count = tres->there_s ? whole / tres->there_s : 0;
}

static int say_all(struct making *making, struct err *err)
{
    int rc = say_events(making, err);

    if (rc == 0)
        rc = read_hours(making,
                        "SELECT at, cpu, mem, node, billing, waited FROM {sums} WHERE period = 0"
                        " AND at >= ? AND at < ? AND owner = 0",
                        take_sums, err);
    if (rc == 0)
        rc = read_hours(making,
                        "SELECT at, tres, held FROM {sums_more} WHERE period = 0"
                        " AND at >= ? AND at < ? AND owner = 0",
                        take_more, err);
    return rc == 0 ? say_alive(making, err) : rc;
}

int utilization_read(struct sql *db, const struct utilization_list *list, int64_t now,
                     struct utilization_info **ret, uint32_t *ret_n, struct err *err)
{
    struct making making = { .db = db, .from = list->from, .until = list->until, .now = now };
    int rc = find_begin(&making, err);

    if (making.until < now)
        making.until = MIN(period_next(PERIOD_HOUR, making.until - 1), now);
    else
        making.until = now;
    list_hours(&making);
    if (rc == 0 && making.hours_n > 0)
        rc = say_all(&making, err);
    if (rc == 0) {
        *ret_n = making.tres_n;
        *ret = xcalloc((size_t)making.tres_n + 1, sizeof(**ret));
        for (uint32_t i = 0; i < making.tres_n; i++)
            tell(&making, &making.tres[i], &(*ret)[i]);
    }
    clear(&making);
    return rc;
}
