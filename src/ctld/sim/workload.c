#include "ctld/sim/workload.h"

#include <string.h>

void workload_clear(struct workload *workload)
{
    free(workload->jobs);
    *workload = (struct workload){ 0 };
}

void workload_auto_(struct workload *workload)
{
    workload_clear(workload);
}

uint32_t workload_dropped_n(const struct workload_dropped *dropped)
{
    return dropped->no_submit + dropped->no_run + dropped->no_request + dropped->no_size +
           dropped->too_wide;
}

static int find_procs(const struct swf *swf, uint32_t procs, uint32_t *ret, struct err *err)
{
    const int64_t told = swf->max_procs > 0 ? swf->max_procs : swf->max_nodes;

    if (procs == 0 && told <= 0)
        return err_set(err, EINVAL,
                       "%s: its header tells no MaxProcs: say how many processors the machine has "
                       "with --procs",
                       swf->name);
    *ret = procs ? procs : (uint32_t)told;
    return 0;
}

static bool has_requests(const struct swf *swf)
{
    for (uint32_t i = 0; i < swf->jobs_n; i++) {
        if (swf->jobs[i].request_s > 0)
            return true;
    }
    return false;
}

/* Returns the counter of what is wrong with the job, or NULL. */
static uint32_t *find_fault(struct workload *workload, const struct swf_job *job, int64_t size)
{
    if (job->submit_s < 0)
        return &workload->dropped.no_submit;
    if (job->run_s <= 0)
        return &workload->dropped.no_run;
    if (job->request_s <= 0 && !workload->request_is_run)
        return &workload->dropped.no_request;
    if (size <= 0)
        return &workload->dropped.no_size;
    return size > workload->procs ? &workload->dropped.too_wide : NULL;
}

static void add_job(struct workload *workload, const struct swf_job *from)
{
    const int64_t size = from->procs_asked > 0 ? from->procs_asked : from->procs_used;
    const int64_t request_s = workload->request_is_run ? from->run_s : from->request_s;
    uint32_t *fault = find_fault(workload, from, size);

    if (fault) {
        ++*fault;
        return;
    }
    workload->jobs[workload->jobs_n++] = (struct sim_job){
        .number = from->id,
        .submit_ms = from->submit_s * 1000,
        .run_ms = (from->run_s < request_s ? from->run_s : request_s) * 1000,
        .limit_ms = request_s * 1000,
        .procs = (uint32_t)size,
        .queue = from->queue,
        .user = from->user,
        .start_ms = SIM_NEVER,
        .end_ms = SIM_NEVER,
    };
}

static int by_number(const void *a, const void *b)
{
    const struct swf_job *const *x = a, *const *y = b;

    if ((*x)->id != (*y)->id)
        return (*x)->id < (*y)->id ? -1 : 1;
    return (*x)->line < (*y)->line ? -1 : (*x)->line > (*y)->line;
}

static int check_numbers(const struct swf *swf, struct err *err)
{
    AUTO_FREE const struct swf_job **sorted = xcalloc(swf->jobs_n, sizeof(struct swf_job *));

    for (uint32_t i = 0; i < swf->jobs_n; i++)
        sorted[i] = &swf->jobs[i];
    qsort(sorted, swf->jobs_n, sizeof(struct swf_job *), by_number);
    for (uint32_t i = 1; i < swf->jobs_n; i++) {
        if (sorted[i]->id == sorted[i - 1]->id)
            return err_set(err, E_SYNTAX, "%s:%u: job number %lld stands in line %u too", swf->name,
                           sorted[i]->line, (long long)sorted[i]->id, sorted[i - 1]->line);
    }
    return 0;
}

static int by_submit(const void *a, const void *b)
{
    const struct swf_job *const *x = a, *const *y = b;

    if ((*x)->submit_s != (*y)->submit_s)
        return (*x)->submit_s < (*y)->submit_s ? -1 : 1;
    return (*x)->line < (*y)->line ? -1 : (*x)->line > (*y)->line;
}

static void add_jobs(const struct swf *swf, struct workload *workload)
{
    AUTO_FREE const struct swf_job **sorted = xcalloc(swf->jobs_n, sizeof(struct swf_job *));

    for (uint32_t i = 0; i < swf->jobs_n; i++)
        sorted[i] = &swf->jobs[i];
    qsort(sorted, swf->jobs_n, sizeof(struct swf_job *), by_submit);
    workload->jobs = xcalloc(swf->jobs_n, sizeof(*workload->jobs));
    for (uint32_t i = 0; i < swf->jobs_n; i++)
        add_job(workload, sorted[i]);
}

int workload_from_swf(const struct swf *swf, uint32_t procs, struct workload *ret, struct err *err)
{
    struct workload workload = { .request_is_run = !has_requests(swf) };
    int rc = find_procs(swf, procs, &workload.procs, err);

    if (rc == 0)
        rc = check_numbers(swf, err);
    if (rc < 0)
        return rc;
    add_jobs(swf, &workload);
    if (workload.jobs_n == 0) {
        rc = err_set(err, EINVAL, "%s: none of its %u jobs could run on %u processors", swf->name,
                     swf->jobs_n, workload.procs);
        workload_clear(&workload);
        return rc;
    }
    *ret = workload;
    return 0;
}
