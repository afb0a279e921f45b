#include "ctld/control/acct/in_use.h"

#include <errno.h>
#include <stdlib.h>

#include "common/text/words.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/act/state.h"

void acct_set_clusters(struct control *control, const struct acct_clusters *clusters)
{
    control->acct_clusters = clusters;
}

bool in_use_by(const char *cluster, const struct job_record *rec, struct in_use_job *ret)
{
    if (job_state_is_over(rec->state) && !(rec->flags & JOB_FLAG_COMPLETING))
        return false;
    *ret = (struct in_use_job){
        .id = rec->id,
        .cluster = cluster,
        .account = rec->spec->account,
        .user = rec->user_name,
        .partition = rec->partition,
        .qos = rec->spec->qos,
        .wckey = job_wckey(rec),
    };
    return true;
}

/* What is looked for, and what was found. Both records and the jobs' texts are borrowed. */
struct search {
    struct control *control;
    const char *qos;                  /* NULL: */
    const struct wckey_record *wckey; /* NULL: */
    const struct assoc_record *assoc; /* its jobs, or */
    bool takes_all;                   /* those of all that were deleted when it was */
    struct in_use_job *found;
    uint32_t found_n;
};

/* Returns the record of the association, also of one that is deleted. */
static const struct assoc_record *find_record(const struct search *search,
                                              const struct in_use_job *job, const char *user,
                                              const char *partition)
{
    AUTO_FREE char *key = acct_assoc_key(job->cluster, job->account, user, partition);

    return kept_find(control_kept(search->control, KEPT_ASSOC), key);
}

/* Returns whether the record is the job's, which one that another request has deleted is not. */
static bool may_be(const struct search *search, const struct assoc_record *rec)
{
    return rec && (!rec->deleted || rec->deleted == search->assoc->deleted);
}

/* Returns the association that a job has: its user's, or, where he has none, the account's own. */
static const struct assoc_record *assoc_of(const struct search *search,
                                           const struct in_use_job *job)
{
    const struct assoc_record *rec = NULL;

    if (!job->account || !job->cluster)
        return NULL;
    if (job->user && job->partition)
        rec = find_record(search, job, job->user, job->partition);
    if (job->user && !may_be(search, rec))
        rec = find_record(search, job, job->user, NULL);
    if (!may_be(search, rec))
        rec = find_record(search, job, NULL, NULL);
    return rec;
}

static bool is_of_assoc(const struct search *search, const struct in_use_job *job)
{
    const struct assoc_record *of;

    if (search->takes_all) {
        of = assoc_of(search, job);
        return of && of->deleted == search->assoc->deleted;
    }
    return text_is(search->assoc->cluster, job->cluster) &&
           text_is(search->assoc->account, job->account) &&
           (!search->assoc->user || text_is(search->assoc->user, job->user)) &&
           assoc_of(search, job) == search->assoc;
}

static bool fits(const struct search *search, const struct in_use_job *job)
{
    if (search->qos)
        return text_is(search->qos, job->qos);
    if (search->wckey)
        return text_is(search->wckey->cluster, job->cluster) &&
               text_is(search->wckey->user, job->user) && text_is(search->wckey->name, job->wckey);
    return is_of_assoc(search, job);
}

static void look(const struct in_use_job *job, void *arg)
{
    struct search *search = arg;

    if (fits(search, job))
        *ARRAY_PUSH(search->found, search->found_n) = *job;
}

static void look_everywhere(struct search *search)
{
    const struct control *control = search->control;
    struct in_use_job use;

    if (control->acct_clusters) {
        control->acct_clusters->each_job(look, search, control->acct_clusters->ctx);
        return;
    }
    for (const struct job *job = control->model->jobs; job; job = job->hh.next) {
        if (in_use_by(control->model->config.cluster_name, &job->rec, &use))
            look(&use, search);
    }
}

static int compare_ids(const void *a, const void *b)
{
    const struct in_use_job *left = a, *right = b;

    return (left->id > right->id) - (left->id < right->id);
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* Adds the line of one job. */
static void add_job(struct strbuf *out, const struct search *search, const struct in_use_job *job)
{
    AUTO_FREE char *key =
        acct_assoc_key(text_of(job->cluster), text_of(job->account), job->user, job->partition);
    const bool has_partition =
        job->user && job->partition && kept_find(control_kept(search->control, KEPT_ASSOC), key);

    strbuf_addf(out, "\n  JobID = %-10u C = %-10s A = %-10s U = %-9s", job->id,
                text_of(job->cluster), text_of(job->account), text_of(job->user));
    if (has_partition)
        strbuf_addf(out, " P = %s", job->partition);
}

#define ROOM_FOR_MORE 24 /* bytes of the line that says how many are not named */

/* Names as many jobs as an error's text has room for. */
static int refuse(struct search *search, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t n = 0;

    qsort(search->found, search->found_n, sizeof(*search->found), compare_ids);
    strbuf_adds(&text, "Job(s) active, cancel job(s) before remove");
    for (; n < search->found_n; n++) {
        AUTO(strbuf) struct strbuf line = { 0 };

        add_job(&line, search, &search->found[n]);
        if (text.len + line.len + ROOM_FOR_MORE >= ERR_TEXT_MAX)
            break;
        strbuf_adds(&text, strbuf_text(&line));
    }
    if (n < search->found_n)
        strbuf_addf(&text, "\n  and %u more", search->found_n - n);
    return err_set(err, EBUSY, "%s", strbuf_text(&text));
}

static int check(struct search *search, struct err *err)
{
    int rc = 0;

    look_everywhere(search);
    if (search->found_n && search->assoc) {
        search->found_n = 0;
        search->takes_all = true;
        look_everywhere(search);
    }
    if (search->found_n)
        rc = refuse(search, err);
    free(search->found);
    return rc;
}

int in_use_check_qos(struct control *control, const char *qos, struct err *err)
{
    return check(&(struct search){ .control = control, .qos = qos }, err);
}

int in_use_check_wckey(struct control *control, const struct wckey_record *rec, struct err *err)
{
    return check(&(struct search){ .control = control, .wckey = rec }, err);
}

int in_use_check_assoc(struct control *control, const struct assoc_record *deleted, struct err *err)
{
    return check(&(struct search){ .control = control, .assoc = deleted }, err);
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
