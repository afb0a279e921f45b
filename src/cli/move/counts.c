#include "cli/move/counts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli/lib/records.h"
#include "common/msg/types.h"

int counts_load(struct client *client, const char *cluster, struct history_counts *ret,
                struct err *err)
{
    const struct history_count_list list = { .cluster = (char *)(uintptr_t)cluster };
    AUTO(records) struct records rows = { .schema = history_counts_schema() };
    struct err why = { 0 };
    int rc = records_load(client, MSG_HISTORY_COUNT_LIST, &list, MSG_HISTORY_COUNTS, &rows, &why);

    history_counts_init(ret);
    if (rc == -ESRCH)
        return 0;
    if (rc < 0)
        return err_set(err, why.code, "%s", why.text);
    if (rows.n)
        schema_copy(history_counts_schema(), ret, record_at(&rows, 0));
    return 0;
}

void counts_print(const struct history_counts *own, const struct history_counts *there)
{
    const struct history_counts *theirs = there ? there : own;
    const struct {
        const char *words;
        uint64_t own, there;
    } rows[] = {
        { "jobs", own->jobs, theirs->jobs },
        { "earlier runs", own->runs, theirs->runs },
        { "steps", own->steps, theirs->steps },
        { "node events", own->events, theirs->events },
        { "summed times", own->periods, theirs->periods },
        { "cpu seconds", own->cpu_s, theirs->cpu_s },
    };

    printf("%-14s %12s%s\n", "history", "controller", there ? "     slurmdbd" : "");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        printf("%-14s %12" PRIu64, rows[i].words, rows[i].own);
        if (there)
            printf(" %12" PRIu64, rows[i].there);
        putchar('\n');
    }
}
