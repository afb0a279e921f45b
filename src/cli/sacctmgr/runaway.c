#include "cli/sacctmgr/runaway.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/lib/clusters.h"
#include "cli/sacctmgr/amend.h"
#include "cli/sacctmgr/level.h"
#include "cli/sacctmgr/table.h"
#include "common/msg/types.h"
#include "common/text/timetext.h"

/* ---- columns ---- */

struct row {
    const struct job_record *job; /* borrowed */
    const char *cluster;
};

#define MAKE(name, text)                                                                           \
    static void name(const struct report_context *ctx, const void *row, struct strbuf *out)        \
    {                                                                                              \
        const struct job_record *job = ((const struct row *)row)->job;                             \
                                                                                                   \
        (void)ctx;                                                                                 \
        (void)job;                                                                                 \
        text;                                                                                      \
    }

MAKE(make_id, strbuf_addu(out, job->id))
MAKE(make_name, strbuf_adds(out, job->spec->name ? job->spec->name : ""))
MAKE(make_partition, strbuf_adds(out, job->partition ? job->partition : ""))
MAKE(make_cluster, strbuf_adds(out, ((const struct row *)row)->cluster))
MAKE(make_state, strbuf_adds(out, job_state_name(job->state, 0)))
MAKE(make_submit, time_format(out, job->submit_time, NULL, ctx->now, "Unknown"))
MAKE(make_start, time_format(out, job->start_time, NULL, ctx->now, "Unknown"))
MAKE(make_end, time_format(out, job->end_time, NULL, ctx->now, "Unknown"))

/* clang-format off */
static const struct report_column columns[] = {
    MGR_COLUMN("Cluster", 1, "Cluster", 10, make_cluster),
    MGR_COLUMN("ID", 1, "ID", 12, make_id),
    MGR_COLUMN("Name", 1, "Name", 10, make_name),
    MGR_COLUMN("Partition", 1, "Partition", 10, make_partition),
    MGR_COLUMN("State", 1, "State", 10, make_state),
    MGR_COLUMN("TimeEnd", 5, "TimeEnd", 19, make_end),
    MGR_COLUMN("TimeStart", 6, "TimeStart", 19, make_start),
    MGR_COLUMN("TimeSubmit", 6, "TimeSubmit", 19, make_submit),
};
/* clang-format on */

static const struct report_table table = { NULL, 0, columns, ARRAY_N(columns) };

/* ---- which ---- */

struct search {
    struct mgr *mgr;
    struct words clusters, fields;
    struct records jobs;     /* history_job, that have no end in the history */
    struct records alive;    /* job_info, that the controller has */
    struct row *rows;        /* those that it has not; borrow from `jobs` */
    struct amend_job *meant; /* the same, in their order */
    uint32_t rows_n, meant_n;
};

static void search_clear(struct search *search)
{
    words_clear(&search->clusters);
    words_clear(&search->fields);
    records_clear(&search->jobs);
    records_clear(&search->alive);
    free(search->rows);
    free(search->meant);
}

/* Says which words are none, and goes on, as Slurm does. */
static int read_line(const struct acct_line *line, struct search *search)
{
    static const struct acct_key keys[] = { { "Clusters", 1, 0 }, { "Format", 1, 1 } };
    int status = 0;

    for (uint32_t i = 0; i < line->where.n; i++) {
        const struct acct_word *word = &line->where.at[i];
        const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : 0;

        if (key == 0) {
            acct_names_add(&search->clusters, word->value);
        } else if (key == 1) {
            words_add(&search->fields, word->value, ",");
        } else {
            mgr_refuse(search->mgr, " Unknown condition: %s", word->text);
            status = 1;
        }
    }
    if (search->clusters.n == 0)
        words_add(&search->clusters, search->mgr->command->cli.conf->cluster_name, ",");
    if (search->fields.n == 0)
        words_add(&search->fields,
                  "ID%-12,Name,Partition,Cluster,State,TimeSubmit,TimeStart,TimeEnd", ",");
    return status;
}

static bool is_over(const void *record, void *ctx)
{
    const struct history_job *history = record;

    (void)ctx;
    return history->is_earlier_run || job_state_is_over(history->job->state);
}

/* Asks the history first: what ends after that is still known to the controller. A cluster that
 * nobody knows has no jobs. */
static int load_open(struct search *search, struct err *err)
{
    const struct records_reader reader = { .take = is_over };
    AUTO(history_list) struct history_list request;
    int rc;

    history_list_init(&request);
    request.cluster = xstrdup(search->clusters.at[0]);
    request.no_steps = true;
    for (uint32_t state = 0; !job_state_is_over(state); state++)
        *ARRAY_PUSH(request.states, request.states_n) = state;
    search->jobs.schema = history_job_schema();
    rc = records_read(search->mgr->command->cli.client, MSG_HISTORY_LIST, &request, MSG_HISTORY_JOB,
                      &reader, &search->jobs, err);
    return rc < 0 && err->code != ESRCH ? rc : 0;
}

static int load_alive(struct search *search, struct err *err)
{
    AUTO(job_list) struct job_list request;

    job_list_init(&request);
    search->alive.schema = job_info_schema();
    return records_load(search->mgr->command->cli.client, MSG_JOB_LIST, &request, MSG_JOB_INFO,
                        &search->alive, err);
}

static int compare_alive(const void *a, const void *b)
{
    const uint32_t left = ((const struct job_info *)a)->job->id,
                   right = ((const struct job_info *)b)->job->id;

    return (left > right) - (left < right);
}

static void sift(struct search *search)
{
    const struct records *alive = &search->alive;
    struct job_record wanted;
    const struct job_info key = { .job = &wanted };

    if (alive->n)
        qsort(alive->at, alive->n, alive->schema->size, compare_alive);
    for (uint32_t i = 0; i < search->jobs.n; i++) {
        const struct job_record *job =
            ((const struct history_job *)record_at(&search->jobs, i))->job;

        wanted.id = job->id;
        if (alive->n && bsearch(&key, alive->at, alive->n, alive->schema->size, compare_alive))
            continue;
        *ARRAY_PUSH(search->rows, search->rows_n) = (struct row){ job, search->clusters.at[0] };
        *ARRAY_PUSH(search->meant, search->meant_n) =
            (struct amend_job){ job->id, job->launch_number, job->submit_time };
    }
}

/* ---- what becomes of them ---- */

static int say_none(const struct search *search)
{
    printf("Runaway Jobs: No runaway jobs found on cluster %s\n", search->clusters.at[0]);
    return 0;
}

static int end_jobs(struct search *search)
{
    struct mgr *mgr = search->mgr;
    uint32_t ends = AMENDMENT_TAG_ends, done;
    struct job_amendment amendment;
    struct err err = { 0 };

    if (!mgr_agrees(mgr, "\nWould you like to fix these runaway jobs?\n"
                         "(Each ends as COMPLETED at its start, or when it became eligible or was "
                         "submitted, whichever came last.\nReports are without their time at once.)"
                         "\n\n")) {
        puts("Changes Discarded");
        return 0;
    }
    job_amendment_init(&amendment);
    amendment.set = &ends; /* borrowed */
    amendment.set_n = 1;
    if (amend_jobs(mgr->command->cli.client, search->meant, search->meant_n, &amendment, &done,
                   &err) == 0)
        return 0;
    records_report(mgr->command, "Failed to fix runaway job: Job(s) still running or pending",
                   &err);
    return 1;
}

/* Goes on at the controller of the cluster. */
static int look_here(void *ctx)
{
    struct search *search = ctx;
    struct mgr *mgr = search->mgr;
    struct err err = { 0 };
    struct mgr_table found = { .columns = &table, .row_size = sizeof(*search->rows) };
    int status;

    if (amend_connect(mgr, &err) < 0 || load_alive(search, &err) < 0) {
        log_error(mgr->command->log,
                  "Slurmctld running on cluster %s is not up, can't check running jobs",
                  search->clusters.at[0]);
        return 1;
    }
    sift(search);
    if (search->rows_n == 0)
        return say_none(search);
    puts("NOTE: Runaway jobs are jobs that don't exist in the controller but have a start time and "
         "no end time in the database");
    found.rows = search->rows;
    found.n = search->rows_n;
    found.ctx.now = (int64_t)time(NULL);
    status = mgr_print(mgr, &found, &search->fields);
    return status ? status : end_jobs(search);
}

static int look(struct search *search)
{
    struct mgr *mgr = search->mgr;
    AUTO(clusters) struct clusters clusters = { 0 };
    struct err err = { 0 };
    int status;

    if (search->clusters.n > 1) {
        log_error(mgr->command->log, "You can only fix runaway jobs on one cluster at a time.");
        return 1;
    }
    if (!level_reached(mgr, ADMIN_OPERATOR)) {
        log_error(mgr->command->log, "You must have an AdminLevel>=Operator to fix runaway jobs");
        return 1;
    }
    if (load_open(search, &err) < 0) {
        records_report(mgr->command, "Problem with query", &err);
        return 1;
    }
    if (search->jobs.n == 0)
        return say_none(search);
    if (clusters_find(mgr->command, search->clusters.at[0], &clusters) < 0)
        return 1;
    status = clusters_each(mgr->command, &clusters, false, look_here, search);
    amend_go_home(mgr);
    return status;
}

int runaway_list(struct mgr *mgr, const struct acct_line *line)
{
    struct search search = { .mgr = mgr };
    const int status = read_line(line, &search), found = look(&search);

    search_clear(&search);
    return found ? found : status;
}
