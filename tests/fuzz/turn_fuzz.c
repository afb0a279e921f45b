/* Turns and pieces of a copy that a slurmdbd or a controller tells, on bytes: what is not refused
 * goes to the store, which is to be able to write it. */
#include <stdlib.h>

#include "common/msg/job_spans.h"
#include "common/msg/sums.h"
#include "ctld/dispatch/turn_check.h"
#include "ctld/dispatch/turn_part.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_whole_bad(const struct change *change)
{
    AUTO(sums_whole) struct sums_whole whole;

    sums_whole_init(&whole);
    return schema_decode(sums_whole_schema(), change->record.data, change->record.n, &whole, NULL) <
               0 ||
           sums_whole_check(&whole, NULL) < 0;
}

static void look_at(const struct change *change)
{
    AUTO(sums_copied) struct sums_copied rows;
    AUTO(job_record) struct job_record job;

    sums_copied_init(&rows);
    job_record_init(&job);
    if (change->kind == CHANGE_NUMBER || change->kind == CHANGE_PURGE)
        abort();
    if (change->kind == CHANGE_SUMS && (schema_decode(sums_copied_schema(), change->record.data,
                                                      change->record.n, &rows, NULL) < 0 ||
                                        rows.period > 2 || rows.at < 0))
        abort();
    if (change->kind == CHANGE_SUMS_WHOLE && is_whole_bad(change))
        abort();
    if (change->kind == CHANGE_JOB && (schema_decode(job_record_schema(), change->record.data,
                                                     change->record.n, &job, NULL) < 0 ||
                                       !job.spec || job_check_record(&job, NULL) < 0))
        abort();
}

/* The first byte says where the second of two parts begins, in 256ths. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(turn_changes) struct turn_changes whole;
    uint64_t bytes = 0;
    const size_t first = size ? (size - 1) * data[0] / 256 : 0;
    const size_t lengths[] = { first, size ? size - 1 - first : 0 };

    turn_changes_init(&whole);
    for (int i = 0; size && i < 2; data += lengths[i++]) {
        AUTO(dbd_turn) struct dbd_turn part;

        if (schema_decode(dbd_turn_schema(), data + 1, lengths[i], &part, NULL) < 0 ||
            turn_check_part(&part, NULL) < 0 || turn_part_join(&whole, &bytes, &part, NULL) < 0)
            return 0;
    }
    if (turn_check_whole(&whole, NULL) < 0)
        return 0;
    for (uint32_t i = 0; i < whole.changes_n; i++)
        look_at(&whole.changes[i]);
    return 0;
}
