/* What clients are shown of jobs and nodes. */
#include "ctld/control/answer/info.h"

#include <string.h>

#include "common/text/licenses.h"
#include "ctld/control/act/state.h"
#include "ctld/control/feed/explain.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/request/tres.h"
#include "ctld/control/resv/resv.h"
#include "ctld/model/body.h"
#include "ctld/model/gres.h"
#include "ctld/model/license.h"

/* Returns the spec without the client's token, which admits whoever knows it. */
static struct job_spec shown_spec(const struct job_spec *spec)
{
    struct job_spec shown = *spec;

    shown.token = NULL;
    return shown;
}

/* Returns the body without what is for nodes: lists of many jobs are shorter by half. */
static struct job_body shown_body(const struct job_body *body)
{
    struct job_body shown = *body;

    shown.limits = NULL;
    shown.limits_n = 0;
    shown.script_sha256 = shown.environment_sha256 = (struct blob){ 0 };
    return shown;
}

/* Returns the record without the owner's groups, home and shell and the body's hash, which no
 * viewer asks for. */
static struct job_record shown_record(const struct job_record *rec)
{
    struct job_record shown = *rec;

    shown.groups = NULL;
    shown.groups_n = 0;
    shown.home = shown.shell = NULL;
    shown.body_sha256 = (struct blob){ 0 };
    return shown;
}

static void show_select(const struct model *model, const struct job *job, struct job_info *ret)
{
    if (!job_holds_nodes(job) || job->partition >= model->partitions_n)
        return;
    ret->select = model->partitions[job->partition].conf->select;
    if (!ret->select)
        ret->select = model->config.select;
}

void control_show_job(const struct control *control, struct moment now, const struct job *job,
                      control_show_fn *show, void *ctx)
{
    struct job_spec spec = shown_spec(job->rec.spec);
    struct job_record shown = shown_record(&job->rec);
    struct job_body body = shown_body(&job->body->msg);
    struct job_info info;

    job_info_init(&info);
    shown.spec = &spec;
    info.job = &shown;
    info.body = &body;
    info.now = now.wall_s;
    shown.reason_text = xstrdup(job->rec.reason_text);
    job_show_wait(control, now, job, &info);
    show_select(control->model, job, &info);
    show(&info, ctx);
    free(shown.reason_text);
    info.job = NULL; /* these are the job's */
    info.body = NULL;
    job_info_clear(&info);
}

static void copy_info(const struct job_info *info, void *ctx)
{
    schema_copy(job_info_schema(), ctx, info);
}

void control_job_info(const struct control *control, struct moment now, const struct job *job,
                      struct job_info *ret)
{
    control_show_job(control, now, job, copy_info, ret);
}

void control_node_info(const struct control *control, struct moment now, const struct node *node,
                       struct node_info *ret)
{
    schema_copy(node_info_schema(), ret, node->conf);
    node_record_clear(ret->node);
    schema_copy(node_record_schema(), ret->node, &node->rec);
    node_display_state(node, &ret->state, &ret->flags);
    xstrset(&ret->reservation, node->resv_name);
    if (node->address && !node->conf->address_told)
        xstrset(&ret->address, node->address);
    ret->alloc_cpus = node_cpus_used(node);
    ret->alloc_memory_mb = node->memory_used_mb;
    ret->gres_used = node_gres_used(node);
    ret->load_percent = node->load_percent;
    ret->free_memory_mb = node->free_memory_mb;
    ret->now = now.wall_s;
    if (node->seen_ms && node_is_known(node))
        ret->last_seen = now.wall_s - (now.cluster_ms - node->seen_ms) / 1000;
    for (uint32_t i = 0; i < control->model->partitions_n; i++) {
        const struct partition *part = &control->model->partitions[i];

        if (bitset_has(&part->nodes, node->index))
            *ARRAY_PUSH(ret->partitions, ret->partitions_n) = xstrdup(part->conf->name);
    }
    ret->billing = tres_billing_of_node(control->model, node);
}

void control_partition_info(const struct control *control, uint32_t index,
                            struct partition_info *ret)
{
    const struct partition *part = &control->model->partitions[index];

    schema_copy(partition_info_schema(), ret, part->conf);
    ret->total_billing = tres_billing_of_partition(control->model, part);
}

void control_diag(const struct control *control, struct diag *ret)
{
    *ret = control->diag;
}

void control_count_jobs(const struct control *control, struct diag *ret)
{
    for (const struct job *job = control->model->jobs; job; job = job->hh.next) {
        ret->jobs_pending += job->rec.state == JOB_PENDING;
        ret->jobs_running += job->rec.state == JOB_RUNNING;
    }
}

void control_diag_reset(struct act *act)
{
    const struct diag was = act->control->diag;

    act->control->diag = (struct diag){ .since = act->now.wall_s,
                                        .cycle_last_at = was.cycle_last_at,
                                        .queue_length = was.queue_length,
                                        .table_size = was.table_size,
                                        .backfilled_ever = was.backfilled_ever };
}

/* Returns how many of the license open reservations have. */
static uint32_t reserved_of(const struct control *control, int64_t wall_s, const char *license)
{
    const struct reservation_record *resv;
    uint32_t reserved = 0;
    uint64_t at = 0;

    while ((resv = resv_next(control, &at))) {
        AUTO(licenses) struct licenses list = { 0 };

        if (resv_is_open(resv, wall_s) && licenses_parse(resv->licenses, &list, NULL) == 0)
            reserved += licenses_count(&list, license);
    }
    return reserved;
}

struct license_info *control_licenses(const struct control *control, int64_t wall_s,
                                      uint32_t *ret_n)
{
    const struct model *model = control->model;
    struct license_info *licenses = NULL;
    AUTO_FREE uint32_t *used = model_licenses_used(model);

    *ret_n = 0;
    while (*ret_n < model->licenses_n) {
        const uint32_t at = *ret_n;
        struct license_info *license = ARRAY_PUSH(licenses, *ret_n);

        license_info_init(license);
        schema_copy(license_info_schema(), license, &model->licenses[at]);
        license->used = used[at];
        license->reserved = reserved_of(control, wall_s, license->name);
    }
    return licenses;
}
