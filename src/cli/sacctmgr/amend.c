#include "cli/sacctmgr/amend.h"

#include <stdlib.h>

#include "common/base/minmax.h"
#include "common/msg/types.h"

static int on_nothing(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    (void)type;
    (void)frame;
    (void)ctx;
    return -E_PROTO;
}

static int amend_some(struct client *client, const struct amend_job *jobs, uint32_t n,
                      const struct job_amendment *amendment, struct err *err)
{
    struct history_amend request;
    int rc;

    history_amend_init(&request);
    for (uint32_t i = 0; i < n; i++) {
        *ARRAY_PUSH(request.job_ids, request.job_ids_n) = jobs[i].id;
        *ARRAY_PUSH(request.runs, request.runs_n) = jobs[i].run;
    }
    request.amendment = (struct job_amendment *)(uintptr_t)amendment; /* borrowed */
    rc = client_stream(client, MSG_HISTORY_AMEND, &request, on_nothing, NULL, err);
    request.amendment = NULL;
    history_amend_clear(&request);
    return rc;
}

int amend_jobs(struct client *client, const struct amend_job *jobs, uint32_t n,
               const struct job_amendment *amendment, uint32_t *ret_done, struct err *err)
{
    int rc = 0;

    for (*ret_done = 0; rc == 0 && *ret_done < n;) {
        const uint32_t some = MIN(n - *ret_done, HISTORY_AMEND_MAX);

        rc = amend_some(client, jobs + *ret_done, some, amendment, err);
        if (rc == 0)
            *ret_done += some;
    }
    return rc;
}

int amend_connect(struct mgr *mgr, struct err *err)
{
    struct cli *cli = &mgr->command->cli;

    cli->client = client_free(cli->client);
    return cli_connect(cli, RPC_ROLE_CLIENT, err);
}

void amend_go_home(struct mgr *mgr)
{
    struct cli *cli = &mgr->command->cli;
    AUTO_FREE char *home = cli->home ? xstrdup(cli->home) : NULL;

    if (home)
        cli_go_over(cli, home, NULL, 0);
    cli->client = client_free(cli->client);
}
