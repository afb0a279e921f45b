#include "cli/import/usage.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uthash.h>

#include "cli/import/cursor.h"
#include "common/base/alloc.h"
#include "common/base/minmax.h"
#include "common/msg/job_sums.h"

#define TELL_ROWS    1000000
#define AMOUNTS_MAX  8000 /* in sums that are taken at a time, */
#define AMOUNTS_LESS 5    /* so many of which each row has */

/* A period that some sum is of. */
struct moment_seen {
    int64_t at;
    UT_hash_handle hh;
};

/* Sums of one owner. */
struct gathered {
    struct sum_whole *rows; /* in order of time */
    uint32_t n, near;       /* the row that was found last */
};

struct reading {
    const struct usage *usage;
    int64_t until;                      /* sums come that begin before */
    int64_t had_from;                   /* when events begin to tell what the cluster had */
    const struct foreign_assoc **parts; /* associations of partitions */
    uint32_t parts_n;
    struct moment_seen *seen[PERIODS_N]; /* uthash */
    struct gathered gathered;
    uint64_t rows;
};

/* ---- of what time ---- */

static int64_t end_of_sums(const struct survey *survey)
{
    const int64_t first = survey->earliest;

    if (first == INT64_MAX)
        return INT64_MAX;
    for (enum period period = PERIOD_HOUR; period < PERIODS_N; period++) {
        if (survey->usage_since[period] < period_start(period, first))
            return period_next(PERIOD_MONTH, first);
    }
    return 0;
}

static int64_t first_event_of_cluster(const struct survey *survey)
{
    const struct kept_rows *rows = &survey->tables[FOREIGN_EVENT];
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; i < rows->n; i++) {
        struct foreign_row row = survey_kept(survey, &rows->at[i]);

        if (!foreign_text(&row, EVENT_node_name) && !foreign_u32(&row, EVENT_deleted, 0))
            first = MIN(first, foreign_time(&row, EVENT_time_start));
    }
    return first;
}

static void note_moment(const struct reading *reading, const char *why, int64_t at,
                        const char *format)
{
    const time_t t = (time_t)at;
    char text[32] = "";
    struct tm broken;

    if (localtime_r(&t, &broken))
        strftime(text, sizeof(text), format, &broken);
    plan_note(reading->usage->plan, why, "%s", text);
}

/* Sums by wckey do not say which users and accounts they are of. */
static void note_wckeys(const struct reading *reading)
{
    const struct survey *survey = reading->usage->survey;
    const struct kept_rows *rows = &survey->tables[FOREIGN_WCKEY_MONTH];
    int64_t last = INT64_MIN;

    for (uint32_t i = 0; i < rows->n; i++) {
        struct foreign_row row = survey_kept(survey, &rows->at[i]);
        const int64_t at = foreign_time(&row, WCKEY_MONTH_time_start);

        if (at >= reading->until || at <= last)
            continue;
        last = at;
        note_moment(reading, "months have no sums by wckey: those that are there are of no account",
                    at, "%Y-%m");
    }
}

static void see(struct reading *reading, enum period period, int64_t at)
{
    struct moment_seen *moment;

    HASH_FIND(hh, reading->seen[period], &at, sizeof(at), moment);
    if (moment)
        return;
    moment = xcalloc(1, sizeof(*moment));
    moment->at = at;
    HASH_ADD(hh, reading->seen[period], at, sizeof(moment->at), moment);
    reading->usage->plan->periods[period]++;
}

static void forget_seen(struct reading *reading)
{
    for (int i = 0; i < PERIODS_N; i++) {
        struct moment_seen *moment, *next;

        HASH_ITER (hh, reading->seen[i], moment, next) {
            HASH_DEL(reading->seen[i], moment);
            free(moment);
        }
    }
}

/* ---- what one owner held ---- */

static void clear_gathered(struct gathered *gathered)
{
    for (uint32_t i = 0; i < gathered->n; i++)
        sum_whole_clear(&gathered->rows[i]);
    free(gathered->rows);
    *gathered = (struct gathered){ 0 };
}

/* Returns the row of a period, made where there is none. Times rise for each TRES, so that it is
 * near the one before. */
static struct sum_whole *row_at(struct gathered *gathered, int64_t at)
{
    uint32_t i = gathered->near;

    if (i >= gathered->n || gathered->rows[i].at > at)
        i = 0;
    while (i < gathered->n && gathered->rows[i].at < at)
        i++;
    gathered->near = i;
    if (i < gathered->n && gathered->rows[i].at == at)
        return &gathered->rows[i];
    (void)ARRAY_PUSH(gathered->rows, gathered->n);
    memmove(&gathered->rows[i + 1], &gathered->rows[i],
            (gathered->n - 1 - i) * sizeof(*gathered->rows));
    sum_whole_init(&gathered->rows[i]);
    gathered->rows[i].at = at;
    return &gathered->rows[i];
}

static void add_more(struct sum_whole *row, const char *tres, uint64_t seconds)
{
    struct acct_amount *amount = ARRAY_PUSH(row->more, row->more_n);

    acct_amount_init(amount);
    amount->tres = xstrdup(tres);
    amount->amount = seconds;
}

static void add_amount(struct sum_whole *row, const char *tres, uint64_t seconds)
{
    uint64_t *const amounts[SUM_TRES_N] = { [SUM_CPU] = &row->cpu,
                                            [SUM_MEM] = &row->mem,
                                            [SUM_NODE] = &row->node,
                                            [SUM_BILLING] = &row->billing };

    for (int i = 0; i < SUM_TRES_N; i++) {
        if (strcmp(sum_tres_names[i], tres) == 0) {
            *amounts[i] += seconds;
            return;
        }
    }
    add_more(row, tres, seconds);
}

/* Returns when the period of a row begins here, or -1: it does not come. The first hour of a
 * cluster begins with it there. */
static int64_t begin_of(const struct reading *reading, enum period period, int64_t at)
{
    const int64_t begin = period_start(period, at);

    if (at >= reading->until)
        return -1;
    if (period == PERIOD_HOUR || begin == at)
        return begin;
    note_moment(reading, "sums do not come: their day or month began in another time zone", at,
                "%Y-%m-%dT%H:%M");
    return -1;
}

/* An amount and where it stands. */
struct amount_there {
    const char *tres;
    int64_t at;
    uint64_t seconds, waited;
};

static bool takes(const struct reading *reading, const struct amount_there *amount, uint64_t id)
{
    if (amount->at < 0 || (!amount->seconds && !amount->waited))
        return false;
    if (!amount->tres) {
        plan_note(reading->usage->plan, "sums do not come: their TRES is none of the database",
                  "%llu", (unsigned long long)id);
        return false;
    }
    if (amount->seconds > SUM_WHOLE_MAX || amount->waited > SUM_WHOLE_MAX) {
        note_moment(reading, "sums do not come: nobody can have held so much", amount->at,
                    "%Y-%m-%dT%H:%M");
        return false;
    }
    return true;
}

static void gather(struct reading *reading, const struct amount_there *amount, uint64_t id)
{
    struct sum_whole *row;

    if (!takes(reading, amount, id))
        return;
    row = row_at(&reading->gathered, amount->at);
    add_amount(row, amount->tres, amount->seconds);
    row->waited += amount->waited;
}

/* Hands over what was gathered, some rows at a time; `whole` has the owner. */
static int hand_over(struct reading *reading, struct sums_whole *whole, struct err *err)
{
    struct gathered *gathered = &reading->gathered;
    uint32_t amounts = 0, most;
    int rc = 0;

    for (uint32_t i = 0; i < gathered->n; i++)
        amounts = MAX(amounts, gathered->rows[i].more_n);
    most = MAX(AMOUNTS_MAX / (AMOUNTS_LESS + amounts), 1u);
    for (uint32_t i = 0; rc == 0 && i < gathered->n; i += most) {
        whole->rows = &gathered->rows[i];
        whole->rows_n = MIN(most, gathered->n - i);
        rc = reading->usage->take(whole, reading->usage->ctx, err);
    }
    clear_gathered(gathered);
    return rc;
}

static int next_row(struct reading *reading, struct cursor *cursor, struct err *err)
{
    int rc = foreign_error(&cursor->row, err);

    if (++reading->rows % TELL_ROWS == 0)
        reading->usage->tell(reading->rows, reading->usage->ctx);
    return rc < 0 ? rc : cursor_next(cursor, err);
}

/* ---- associations ---- */

static bool is_name(const char *text)
{
    return text && acct_name_check("name", text, NULL) == 0;
}

/* Returns the user's association of the number, or NULL: its sums do not come. */
static const struct foreign_assoc *owner_of(const struct reading *reading, uint64_t id)
{
    const struct foreign_assoc *assoc =
        id <= UINT32_MAX ? foreign_assoc(reading->usage->foreign, (uint32_t)id) : NULL;

    if (assoc && !assoc->user)
        return NULL;
    if (assoc && is_name(assoc->user) && is_name(assoc->account) &&
        (!assoc->partition || is_name(assoc->partition)))
        return assoc;
    plan_note(
        reading->usage->plan,
        "associations have sums that do not come: they are not there, or their names are none "
        "here",
        "%llu", (unsigned long long)id);
    return NULL;
}

static void list_parts(struct reading *reading)
{
    const struct foreign *foreign = reading->usage->foreign;

    for (uint32_t i = 0; i < foreign->assocs_n; i++) {
        const struct foreign_assoc *assoc = &foreign->assocs[i];

        if (assoc->user && assoc->account && assoc->partition && is_name(assoc->partition))
            *ARRAY_PUSH(reading->parts, reading->parts_n) = assoc;
    }
}

/* Says who has the sums. Names are borrowed, and only the list is freed. */
static void name_owner(const struct reading *reading, const struct foreign_assoc *assoc,
                       struct sums_whole *ret)
{
    ret->account = (char *)(uintptr_t)assoc->account;
    ret->user = (char *)(uintptr_t)assoc->user;
    ret->partition = (char *)(uintptr_t)assoc->partition;
    for (uint32_t i = 0; !assoc->partition && i < reading->parts_n; i++) {
        const struct foreign_assoc *part = reading->parts[i];

        if (strcmp(part->user, assoc->user) == 0 && strcmp(part->account, assoc->account) == 0)
            *ARRAY_PUSH(ret->apart, ret->apart_n) = (char *)(uintptr_t)part->partition;
    }
}

static int hand_over_assoc(struct reading *reading, enum period period,
                           const struct foreign_assoc *assoc, struct err *err)
{
    struct sums_whole whole;
    int rc;

    if (!assoc || !reading->gathered.n)
        return 0;
    sums_whole_init(&whole);
    whole.period = period;
    name_owner(reading, assoc, &whole);
    for (uint32_t i = 0; i < reading->gathered.n; i++)
        see(reading, period, reading->gathered.rows[i].at);
    rc = hand_over(reading, &whole, err);
    free(whole.apart);
    return rc;
}

static void gather_usage(struct reading *reading, enum period period, struct cursor *cursor)
{
    struct foreign_row *row = &cursor->row;
    const uint32_t tres = foreign_u32(row, USAGE_id_tres, 0);

    gather(reading,
           &(struct amount_there){ foreign_tres(reading->usage->foreign, tres),
                                   begin_of(reading, period, foreign_time(row, USAGE_time_start)),
                                   foreign_u64(row, USAGE_alloc_secs, 0), 0 },
           tres);
}

static int read_assocs(struct reading *reading, enum period period, struct err *err)
{
    const struct foreign_assoc *assoc = NULL;
    struct cursor cursor;
    uint64_t id = 0;
    int rc = cursor_begin(&cursor, reading->usage->survey,
                          (enum foreign_table)(FOREIGN_USAGE_HOUR + (int)period), USAGE_id, err);

    while (rc == 0 && cursor.is_there) {
        if (cursor.key != id) {
            rc = hand_over_assoc(reading, period, assoc, err);
            id = cursor.key;
            assoc = owner_of(reading, id);
        }
        if (assoc)
            gather_usage(reading, period, &cursor);
        if (rc == 0)
            rc = next_row(reading, &cursor, err);
    }
    if (rc == 0)
        rc = hand_over_assoc(reading, period, assoc, err);
    cursor_end(&cursor);
    return rc;
}

/* ---- the cluster ---- */

/* Of an hour of which nobody knows what the cluster had then, nothing could be told. */
static void gather_cluster(struct reading *reading, struct cursor *cursor)
{
    struct foreign_row *row = &cursor->row;
    const int64_t at = foreign_time(row, CLUSTER_HOUR_time_start);
    const uint32_t tres = foreign_u32(row, CLUSTER_HOUR_id_tres, 0);
    const struct amount_there amount = { foreign_tres(reading->usage->foreign, tres),
                                         begin_of(reading, PERIOD_HOUR, at),
                                         foreign_u64(row, CLUSTER_HOUR_alloc_secs, 0),
                                         foreign_u64(row, CLUSTER_HOUR_plan_secs, 0) +
                                             foreign_u64(row, CLUSTER_HOUR_over_secs, 0) };

    if (at >= reading->until || period_next(PERIOD_HOUR, at) > reading->had_from)
        gather(reading, &amount, tres);
    else if (amount.tres && strcmp(amount.tres, sum_tres_names[SUM_CPU]) == 0)
        note_moment(reading,
                    "hours of the cluster do not come: its events of that time were purged", at,
                    "%Y-%m-%dT%H:%M");
}

static int read_cluster(struct reading *reading, struct err *err)
{
    struct sums_whole whole;
    struct cursor cursor;
    int rc = cursor_begin(&cursor, reading->usage->survey, FOREIGN_CLUSTER_HOUR,
                          CLUSTER_HOUR_id_tres, err);

    while (rc == 0 && cursor.is_there) {
        gather_cluster(reading, &cursor);
        rc = next_row(reading, &cursor, err);
    }
    sums_whole_init(&whole);
    if (rc == 0)
        rc = hand_over(reading, &whole, err);
    cursor_end(&cursor);
    return rc;
}

int usage_read(const struct usage *usage, struct err *err)
{
    struct reading reading = { .usage = usage, .until = end_of_sums(usage->survey) };
    int rc = 0;

    if (!reading.until)
        return 0;
    reading.had_from = first_event_of_cluster(usage->survey);
    list_parts(&reading);
    note_wckeys(&reading);
    for (enum period period = PERIOD_HOUR; rc == 0 && period < PERIODS_N; period++)
        rc = read_assocs(&reading, period, err);
    if (rc == 0)
        rc = read_cluster(&reading, err);
    clear_gathered(&reading.gathered);
    forget_seen(&reading);
    free(reading.parts);
    return rc;
}
