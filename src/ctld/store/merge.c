#include "ctld/store/merge.h"

#include "common/base/minmax.h"
#include "common/msg/cluster_event.h"
#include "ctld/store/copy_sums.h"
#include "ctld/store/there.h"

struct merge {
    struct sql *db;
    struct writer *writer;
    enum turn_merge how;
    bool passes; /* what follows is of a job that has another one's number here */
    struct sums_taking sums;
};

static int apply(struct merge *merge, const struct change *change, struct err *err)
{
    return writer_apply_change(merge->writer, change, err);
}

/* ---- what is not there comes ---- */

static int take_job(struct merge *merge, const struct change *change, struct err *err)
{
    AUTO(job_record) struct job_record job;
    const struct change retire = { .kind = CHANGE_JOB_RETIRE,
                                   .job_id = change->job_id,
                                   .run = change->run };
    int rc = schema_decode(job_record_schema(), change->record.data, change->record.n, &job, err);

    if (rc >= 0)
        rc = there_job(merge->db, &job, err);
    merge->passes = rc == THERE_OTHER;
    if (rc != THERE_NOT)
        return rc < 0 ? rc : 0;
    rc = apply(merge, change, err);
    return rc < 0 ? rc : apply(merge, &retire, err); /* no job begins to live by this */
}

static int take_event(struct merge *merge, const struct change *change, struct err *err)
{
    AUTO(cluster_event) struct cluster_event event;
    int rc =
        schema_decode(cluster_event_schema(), change->record.data, change->record.n, &event, err);

    if (rc >= 0)
        rc = there_event(merge->db, &event, err);
    return rc == THERE_NOT ? apply(merge, change, err) : MIN(rc, 0);
}

static int take_row(struct merge *merge, const struct change *change, struct err *err)
{
    int rc = THERE_OTHER;

    if (!merge->passes)
        rc = change->kind == CHANGE_RUN
                 ? there_run(merge->db, change->job_id, change->run, err)
                 : there_step(merge->db, change->job_id, change->run, change->step_id, err);
    return rc == THERE_NOT ? apply(merge, change, err) : MIN(rc, 0);
}

/* Takes what is lacking here. What jobs have used is the cluster's own, and a job that is there
 * lives as long as here. */
static int take_lacking(struct merge *merge, const struct change *change, struct err *err)
{
    switch (change->kind) {
    case CHANGE_JOB:
        return take_job(merge, change, err);
    case CHANGE_RUN:
    case CHANGE_STEP:
        return take_row(merge, change, err);
    case CHANGE_CLUSTER_EVENT:
        return take_event(merge, change, err);
    case CHANGE_KEPT:
    case CHANGE_JOB_RETIRE:
        return 0;
    default:
        return apply(merge, change, err);
    }
}

/* ---- what is here gives way ---- */

/* Jobs live that the copy says live. Those of which it does not know are history, however they came
 * to their end. */
static int begin(struct merge *merge, struct err *err)
{
    AUTO_FREE char *forget = xasprintf("DELETE FROM {kept} WHERE kind = %d", KEPT_USAGE);
    int rc = sql_exec(merge->db, "UPDATE {jobs} SET alive = 0 WHERE alive <> 0", err);

    return rc < 0 ? rc : sql_exec(merge->db, forget, err);
}

static int take_sums(struct merge *merge, const struct change *change, struct err *err)
{
    AUTO(sums_copied) struct sums_copied rows;
    int rc = schema_decode(sums_copied_schema(), change->record.data, change->record.n, &rows, err);

    return rc < 0 ? rc
                  : copy_sums_take(merge->db, merge->writer, &rows,
                                   merge->how != TURN_MERGE_LACKING, &merge->sums, err);
}

static int take(struct merge *merge, const struct change *change, struct err *err)
{
    if (change->kind == CHANGE_SUMS)
        return take_sums(merge, change, err);
    return merge->how == TURN_MERGE_LACKING ? take_lacking(merge, change, err)
                                            : apply(merge, change, err);
}

int merge_apply(struct sql *db, struct writer *writer, const struct turn_changes *piece,
                struct err *err)
{
    struct merge merge = { .db = db, .writer = writer, .how = (enum turn_merge)piece->merge };
    int rc = piece->merge == TURN_MERGE_BEGINS ? begin(&merge, err) : 0;

    writer_count(writer, false);
    for (uint32_t i = 0; rc == 0 && i < piece->changes_n; i++)
        rc = take(&merge, &piece->changes[i], err);
    writer_count(writer, true);
    return rc;
}
