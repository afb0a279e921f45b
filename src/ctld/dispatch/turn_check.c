#include "ctld/dispatch/turn_check.h"

#include <string.h>

#include "common/crypt/crypt.h"
#include "common/msg/amend.h"
#include "common/msg/cluster_event.h"
#include "common/msg/job_spans.h"
#include "common/msg/sums.h"
#include "common/text/period.h"

#define HELD_MAX (UINT64_C(1) << 62) /* of a period: the tables' columns are signed */

/* ---- a part ---- */

static int check_record(const struct schema *schema, const struct change *change, struct err *err)
{
    AUTO_FREE void *record = xcalloc(1, schema->size);
    const int rc = schema_decode(schema, change->record.data, change->record.n, record, err);

    if (rc >= 0)
        schema_clear(schema, record);
    return rc < 0 ? rc : 0;
}

static int check_job(const struct change *change, struct err *err)
{
    AUTO(job_record) struct job_record job;
    int rc = schema_decode(job_record_schema(), change->record.data, change->record.n, &job, err);

    return rc < 0 ? rc : job_check_record(&job, err);
}

static int check_usage(const struct change *change, struct err *err)
{
    if (change->kept != KEPT_USAGE || !change->name)
        return err_set(err, E_PROTO, "a record of accounts among what happened");
    return change->record.n ? check_record(usage_record_schema(), change, err) : 0;
}

static int check_whole_sums(const struct change *change, struct err *err)
{
    AUTO(sums_whole) struct sums_whole sums;
    struct err why = { 0 };
    int rc = schema_decode(sums_whole_schema(), change->record.data, change->record.n, &sums, err);

    if (rc < 0)
        return rc;
    return sums_whole_check(&sums, &why) < 0 ? err_set(err, E_PROTO, "%s", why.text) : 0;
}

static int check_change(const struct change *change, bool is_copy, struct err *err)
{
    switch (change->kind) {
    case CHANGE_JOB:
    case CHANGE_RUN:
        return check_job(change, err);
    case CHANGE_CLUSTER_EVENT:
        return check_record(cluster_event_schema(), change, err);
    case CHANGE_AMEND:
        return check_record(job_amendment_schema(), change, err);
    case CHANGE_SUMS_WHOLE:
        if (!is_copy)
            return check_whole_sums(change, err);
        break;
    case CHANGE_KEPT:
        return check_usage(change, err);
    case CHANGE_JOB_RETIRE:
    case CHANGE_STEP: /* whoever reads it finds out whether that can be done */
    case CHANGE_BLOB:
        return 0;
    case CHANGE_SUMS:
        if (is_copy)
            return check_record(sums_copied_schema(), change, err);
        break;
    default:
        break;
    }
    return err_set(err, E_PROTO, "change %u is none that is told of", change->kind);
}

int turn_check_part(const struct dbd_turn *part, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < part->changes_n; i++)
        rc = check_change(&part->changes[i], part->is_copy, err);
    return rc;
}

/* ---- a whole ---- */

static int check_blob(const struct change *change, struct err *err)
{
    uint8_t sha256[CRYPT_SHA256_N];

    crypt_sha256(change->record.data, change->record.n, sha256);
    if (change->sha256.n != sizeof(sha256) ||
        memcmp(change->sha256.data, sha256, sizeof(sha256)) != 0)
        return err_set(err, E_PROTO, "%u bytes that are not what their name says",
                       change->record.n);
    return 0;
}

/* The period whose rows stand in changes behind each other. */
struct weighed {
    struct sums_copied first;         /* without rows */
    uint64_t weight;                  /* of its rows until now */
    uint64_t greatest, greatest_more; /* what they may add up to, whatever their signs are */
};

/* Adds an amount; one below zero stands for what another row has too much. */
static bool add(uint64_t *greatest, uint64_t amount)
{
    const uint64_t size = amount > INT64_MAX ? -amount : amount;

    if (size > HELD_MAX || *greatest + size > HELD_MAX)
        return false;
    *greatest += size;
    return true;
}

static bool add_row(struct weighed *weighed, const struct sum_copied *row)
{
    const uint64_t amounts[] = { row->began, row->carried, row->cpu,   row->mem,
                                 row->node,  row->billing, row->waited };

    for (size_t i = 0; i < ARRAY_N(amounts); i++) {
        if (!add(&weighed->greatest, amounts[i]))
            return false;
    }
    weighed->weight += sum_copied_weight(row);
    for (uint32_t i = 0; i < row->more_n; i++) {
        if (!row->more[i].tres || !add(&weighed->greatest_more, row->more[i].amount))
            return false;
    }
    return true;
}

static bool is_whole(const struct weighed *weighed)
{
    return weighed->weight == weighed->first.weight;
}

static bool goes_on(const struct weighed *weighed, const struct sums_copied *rows)
{
    const struct sums_copied *first = &weighed->first;

    return first->begins && rows->period == first->period && rows->at == first->at &&
           rows->weight == first->weight;
}

static int check_sums(struct weighed *weighed, const struct change *change, struct err *err)
{
    AUTO(sums_copied) struct sums_copied rows;
    int rc = schema_decode(sums_copied_schema(), change->record.data, change->record.n, &rows, err);
    bool is_good;

    if (rc < 0)
        return rc;
    if (rows.begins) {
        is_good =
            is_whole(weighed) && rows.period < PERIODS_N && rows.at >= 0 && rows.at <= PERIOD_LAST;
        *weighed = (struct weighed){ .first = rows };
    } else {
        is_good = goes_on(weighed, &rows);
    }
    for (uint32_t i = 0; is_good && i < rows.rows_n; i++)
        is_good = add_row(weighed, &rows.rows[i]);
    return is_good ? 0 : err_set(err, E_PROTO, "sums of a period that cannot be");
}

int turn_check_whole(const struct turn_changes *whole, struct err *err)
{
    struct weighed weighed = { .weight = 0 };
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < whole->changes_n; i++) {
        const struct change *change = &whole->changes[i];

        if (change->kind == CHANGE_BLOB)
            rc = check_blob(change, err);
        if (change->kind == CHANGE_SUMS)
            rc = check_sums(&weighed, change, err);
    }
    if (rc == 0 && !is_whole(&weighed))
        rc = err_set(err, E_PROTO, "sums of a period that are not all of it");
    return rc;
}
