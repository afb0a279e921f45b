#include "cli/sluice/adviser.h"

#include <unistd.h>

#include "cli/lib/records.h"
#include "common/msg/node.h"
#include "common/msg/types.h"

static bool ask_start(void *ctx, const struct job_spec *spec, int64_t *ret_start, char **ret_nodes)
{
    struct adviser *adviser = ctx;
    const struct job_submit request = { .spec = (struct job_spec *)(uintptr_t)spec,
                                        .test_only = true };
    AUTO(job_submitted) struct job_submitted answer;

    if (client_call(adviser->cli.client, MSG_JOB_SUBMIT, &request, MSG_JOB_SUBMITTED, &answer,
                    NULL) < 0)
        return false;
    *ret_start = answer.planned_start;
    *ret_nodes = STEAL(answer.planned_nodes);
    return true;
}

/*
 * Connects as the owner. That lasts only while the connection is made: who made it is what the
 * controller goes by.
 */
static int as_root_connect(struct adviser *adviser, const struct job_record *job)
{
    int rc = -1;

    if (setegid(job->gid) == 0 && seteuid(job->uid) == 0)
        rc = cli_connect(&adviser->cli, RPC_ROLE_CLIENT, NULL);
    if (seteuid(0) < 0 || setegid(0) < 0)
        abort(); /* nothing may go on as somebody else */
    return rc;
}

static void load_partitions(struct adviser *adviser)
{
    AUTO(records) struct records partitions = { 0 };

    if (records_load(adviser->cli.client, MSG_PARTITION_LIST, NULL, MSG_PARTITION_INFO, &partitions,
                     NULL) < 0)
        return;
    for (uint32_t i = 0; i < partitions.n; i++) {
        const struct partition_info *part = record_at(&partitions, i);

        if (!part->hidden)
            *ARRAY_PUSH(adviser->partitions, adviser->partitions_n) = xstrdup(part->name);
    }
}

static bool open_for(struct adviser *adviser, const struct job_record *job)
{
    const bool is_root = geteuid() == 0;
    int rc = cli_load(&adviser->cli, NULL);

    adviser->is_open = true;
    adviser->uid = job->uid;
    if (rc == 0)
        rc = is_root && job->uid != 0 ? as_root_connect(adviser, job)
                                      : cli_connect(&adviser->cli, RPC_ROLE_CLIENT, NULL);
    if (rc == 0 && (is_root || job->uid == geteuid()))
        load_partitions(adviser);
    return rc == 0;
}

bool adviser_stand_for(struct adviser *adviser, const struct job_record *job,
                       struct advice_asker *ret)
{
    if (adviser->is_open && adviser->uid != job->uid)
        adviser_close(adviser);
    if (adviser->is_open ? !adviser->cli.client : !open_for(adviser, job))
        return false;
    *ret = (struct advice_asker){ ask_start, adviser, adviser->partitions, adviser->partitions_n };
    return true;
}

void adviser_close(struct adviser *adviser)
{
    cli_close(&adviser->cli);
    for (uint32_t i = 0; i < adviser->partitions_n; i++)
        free(adviser->partitions[i]);
    free(adviser->partitions);
    *adviser = (struct adviser){ 0 };
}
