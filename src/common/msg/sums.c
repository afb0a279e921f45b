#include "common/msg/sums.h"

#include <errno.h>
#include <inttypes.h>

#include "common/base/alloc.h"
#include "common/text/period.h"

#define APART_MAX 1000 /* partitions */
#define MORE_MAX  512  /* TRES of a row: so many full amounts can be added up */

static int check_owner(const struct sums_whole *whole, struct err *err)
{
    int rc;

    if (!whole->account && !whole->user && !whole->partition && !whole->apart_n)
        return whole->period == PERIOD_HOUR
                   ? 0
                   : err_set(err, EINVAL, "sums of the cluster that are not of hours");
    if (!whole->account || !whole->user || (whole->partition && whole->apart_n))
        return err_set(err, EINVAL, "sums that are not of a user in an account");
    if (whole->apart_n > APART_MAX)
        return err_set(err, EINVAL, "sums apart from %u partitions, more than %d", whole->apart_n,
                       APART_MAX);
    rc = acct_name_check("account", whole->account, err);
    if (rc == 0)
        rc = acct_name_check("user", whole->user, err);
    if (rc == 0 && whole->partition)
        rc = acct_name_check("partition", whole->partition, err);
    for (uint32_t i = 0; rc == 0 && i < whole->apart_n; i++)
        rc = acct_name_check("partition", whole->apart[i], err);
    return rc;
}

static int check_more(const struct sum_whole *row, struct err *err)
{
    for (uint32_t i = 0; i < row->more_n; i++) {
        const char *name = row->more[i].tres;

        if (!name || !*name || strlen(name) > ACCT_NAME_MAX)
            return err_set(err, EINVAL, "sums of a TRES without a name, or with too long a one");
        if (row->more[i].amount > SUM_WHOLE_MAX)
            return err_set(err, EINVAL, "%" PRIu64 " seconds of TRES %s cannot be held in a period",
                           row->more[i].amount, name);
    }
    return 0;
}

static int check_row(const struct sums_whole *whole, const struct sum_whole *row, struct err *err)
{
    const uint64_t amounts[] = { row->cpu, row->mem, row->node, row->billing, row->waited };

    if (row->at < 0 || row->at > PERIOD_LAST)
        return err_set(err, EINVAL, "sums of a period at %" PRId64, row->at);
    if (row->waited && whole->user)
        return err_set(err, EINVAL, "user %s with the cluster's waiting", whole->user);
    if (row->more_n > MORE_MAX)
        return err_set(err, EINVAL, "sums of %u TRES, more than %d", row->more_n, MORE_MAX);
    for (size_t i = 0; i < ARRAY_N(amounts); i++) {
        if (amounts[i] > SUM_WHOLE_MAX)
            return err_set(err, EINVAL, "%" PRIu64 " TRES seconds cannot be held in a period",
                           amounts[i]);
    }
    return check_more(row, err);
}

int sums_whole_check(const struct sums_whole *whole, struct err *err)
{
    int rc = 0;

    if (whole->period >= PERIODS_N)
        return err_set(err, EINVAL, "sums of a period of kind %u", whole->period);
    if (whole->rows_n > SUMS_WHOLE_ROWS_MAX)
        return err_set(err, EINVAL, "sums of %u periods, more than %d", whole->rows_n,
                       SUMS_WHOLE_ROWS_MAX);
    rc = check_owner(whole, err);
    for (uint32_t i = 0; rc == 0 && i < whole->rows_n; i++) {
        rc = check_row(whole, &whole->rows[i], err);
        if (rc == 0 && i > 0 && whole->rows[i].at <= whole->rows[i - 1].at)
            rc = err_set(err, EINVAL, "sums of periods that are not in their order");
    }
    return rc;
}
