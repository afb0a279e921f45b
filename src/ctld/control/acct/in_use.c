#include "ctld/control/acct/in_use.h"

#include <errno.h>

#include "common/text/words.h"
#include "ctld/control/act/state.h"

void acct_set_clusters(struct control *control, const struct acct_clusters *clusters)
{
    control->acct_clusters = clusters;
}

static bool holds_nodes(const struct job_record *rec)
{
    return job_state_is_active(rec->state) || (rec->flags & JOB_FLAG_COMPLETING);
}

static bool fits(const char *asked, const char *has)
{
    return !asked || text_is(has, asked);
}

/* Returns the job's wckey without the sign of one that the job did not name. */
static const char *wckey_of(const struct job_record *job)
{
    const char *wckey = job->spec->wckey;

    return wckey && *wckey == JOB_WCKEY_DEFAULTED ? wckey + 1 : wckey;
}

void in_use_look(const struct in_use *use, const struct job_record *job, struct in_use_jobs *found)
{
    if (!holds_nodes(job) || !fits(use->account, job->spec->account) ||
        !fits(use->user, job->user_name) || !fits(use->partition, job->partition) ||
        !fits(use->qos, job->spec->qos) || !fits(use->wckey, wckey_of(job)))
        return;
    if (found->n < IN_USE_NAMED)
        found->ids[found->n] = job->id;
    found->n++;
}

static void look_here(const struct control *control, const struct in_use *use,
                      struct in_use_jobs *found)
{
    if (!fits(use->cluster, control->model->config.cluster_name))
        return;
    for (const struct job *job = control->model->jobs; job; job = job->hh.next)
        in_use_look(use, &job->rec, found);
}

static int refuse(const struct in_use_jobs *found, struct err *err)
{
    const uint32_t named_n = found->n < IN_USE_NAMED ? found->n : IN_USE_NAMED;
    AUTO(strbuf) struct strbuf names = { 0 };

    for (uint32_t i = 0; i < named_n; i++)
        strbuf_addf(&names, "%s%u", i ? ", " : "", found->ids[i]);
    if (found->n > named_n)
        strbuf_addf(&names, " and %u more", found->n - named_n);
    return err_set(err, EBUSY, "Job(s) active, cancel job(s) before remove: job%s %s",
                   found->n > 1 ? "s" : "", strbuf_text(&names));
}

int in_use_check(const struct control *control, const struct in_use *use, struct err *err)
{
    const struct acct_clusters *others = control->acct_clusters;
    struct in_use_jobs found = { .n = 0 };

    if (others)
        others->find_jobs(use, &found, others->ctx);
    else
        look_here(control, use, &found);
    return found.n ? refuse(&found, err) : 0;
}

int in_use_check_cluster(const struct control *control, const char *cluster, struct err *err)
{
    const struct acct_clusters *others = control->acct_clusters;

    if (text_is(cluster, control->model->config.cluster_name))
        return err_set(err, EBUSY, "cluster %s is this one", cluster);
    if (others && others->is_connected(cluster, others->ctx))
        return err_set(err, EBUSY, "cluster %s: its controller is connected; stop that before",
                       cluster);
    return 0;
}
