/*
 * option_listed.c - a task for each name in a list of nodes: --distribution=arbitrary, and
 * SLURM_HOSTFILE.
 */
#include "cli/submit/option_table.h"

#include <errno.h>

#include "common/text/hostlist.h"

/*
 * Reads the file of SLURM_HOSTFILE. As Slurm: who names no nodes otherwise means those in the file,
 * whatever --distribution says.
 */
static int read_host_file(struct submit_options *options, struct err *err)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    AUTO_FREE char *text = NULL;
    int rc;

    if (!options->host_file || !options->host_file[0] || options->job.req_nodes)
        return 0;
    rc = hostlist_read_file(options->host_file, &hosts, err);
    if (rc < 0)
        return err_prefix(err, "Failure getting NodeNames from hostfile (SLURM_HOSTFILE)");
    text = hostlist_format(hosts);
    xstrset(&options->job.req_nodes, text);
    xstrset(&options->distribution, "arbitrary");
    options->job.dist_nodes = DIST_ARBITRARY;
    return 0;
}

/* Cuts a list with more names than tasks: the first ones count. */
static void cut_list(char **list, const struct hostlist *hosts, uint32_t n)
{
    AUTO(hostlist) struct hostlist *first = hostlist_new();
    AUTO_FREE char *text = NULL;

    for (uint32_t i = 0; i < n; i++)
        hostlist_add(first, hostlist_get(hosts, i));
    text = hostlist_format(first);
    xstrset(list, text);
}

static int fit_list(struct job_spec *job, struct err *err)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    int rc = hostlist_parse(job->req_nodes, &hosts, err);

    if (rc < 0)
        return rc;
    if (job->ntasks == COUNT_UNSET)
        job->ntasks = hostlist_count(hosts);
    if (hostlist_count(hosts) < job->ntasks)
        return err_set(err, ERANGE,
                       "Too few NodeNames in Slurm Hostfile: %u for %u tasks "
                       "(--distribution=arbitrary)",
                       hostlist_count(hosts), job->ntasks);
    if (hostlist_count(hosts) > job->ntasks)
        cut_list(&job->req_nodes, hosts, job->ntasks);
    return 0;
}

int option_apply_listed(struct submit_options *options, struct err *err)
{
    struct job_spec *job = &options->job;
    int rc = read_host_file(options, err);

    if (rc < 0 || job->dist_nodes != DIST_ARBITRARY)
        return rc;
    if (!job->req_nodes)
        xstrset(&job->req_nodes, options->listed_hosts);
    if (!job->req_nodes)
        return err_set(err, ERANGE,
                       "With Arbitrary distribution you need to specify a nodelist or hostfile "
                       "with the -w option");
    return fit_list(job, err);
}
