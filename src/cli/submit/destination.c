#include "cli/submit/destination.h"

#include <stdlib.h>
#include <string.h>

#include "cli/lib/clusters.h"
#include "common/msg/job_env.h"
#include "common/msg/types.h"
#include "common/text/words.h"

#define VARIABLE "SLURM_WORKING_CLUSTER"

struct offer {
    uint32_t cluster; /* its number, or COUNT_UNSET: there is none */
    int64_t start;
    bool is_home;
};

static bool is_better(const struct offer *offer, const struct offer *than)
{
    if (than->cluster == COUNT_UNSET || offer->start != than->start)
        return than->cluster == COUNT_UNSET || offer->start < than->start;
    return offer->is_home && !than->is_home;
}

/* Asks the cluster that the command is at when it would start the job. */
static int ask(struct command *command, const struct submit_options *options, int64_t *ret_start,
               struct err *err)
{
    AUTO(job_submitted) struct job_submitted planned;
    struct job_submit request;
    int rc = cli_connect(&command->cli, RPC_ROLE_CLIENT, err);

    job_submit_init(&request);
    job_submitted_init(&planned);
    request.spec = (struct job_spec *)&options->job;
    request.body = (struct job_body *)&options->body;
    request.test_only = true;
    if (rc == 0)
        rc = client_call(command->cli.client, MSG_JOB_SUBMIT, &request, MSG_JOB_SUBMITTED, &planned,
                         err);
    *ret_start = planned.planned_start ? planned.planned_start : INT64_MAX;
    return rc;
}

static int choose_first(struct command *command, const struct submit_options *options,
                        const struct clusters *clusters)
{
    struct offer best = { .cluster = COUNT_UNSET };

    for (uint32_t i = 0; i < clusters->n; i++) {
        struct offer offer = { .cluster = i };
        struct err err = { 0 };

        clusters_go(command, clusters, i);
        offer.is_home = !command->cli.abroad;
        if (ask(command, options, &offer.start, &err) < 0) {
            AUTO_FREE char *what =
                xasprintf("Problem with submit to cluster %s", command->cli.conf->cluster_name);

            command_report(command, what, &err);
        } else if (is_better(&offer, &best)) {
            best = offer;
        }
    }
    if (best.cluster == COUNT_UNSET) {
        log_error(command->log, "Can't run on any of the specified clusters");
        return -1;
    }
    clusters_go(command, clusters, best.cluster);
    return 0;
}

int destination_choose(struct command *command, const struct submit_options *options)
{
    AUTO(clusters) struct clusters clusters = { 0 };
    int rc = clusters_find(command, options->clusters, &clusters);

    if (rc == 0 && clusters.n > 1)
        return choose_first(command, options, &clusters);
    if (rc == 0)
        clusters_go(command, &clusters, 0);
    return rc;
}

void destination_follow(struct command *command)
{
    const char *text = getenv(VARIABLE);
    AUTO(words) struct words parts = words_split(text ? text : "", ":");
    uint64_t port;

    if (parts.n < 3 || number_parse(parts.at[2], 1, UINT16_MAX, &port, NULL) < 0)
        return;
    if (strcmp(parts.at[0], command->cli.conf->cluster_name) != 0)
        cli_go_over(&command->cli, parts.at[0], parts.at[1], (uint16_t)port);
}

void destination_describe(const struct command *command, const struct submit_options *options,
                          struct environment *environment)
{
    const struct cli *cli = &command->cli;

    if (options->clusters)
        environment_set(environment, VARIABLE, "%s:%s:%u:" WORKING_CLUSTER_REST,
                        cli->conf->cluster_name, cli->hosts[0], cli->port);
}
