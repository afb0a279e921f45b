/* The controller of a cluster is asked which jobs are meant, and to change them. */
#include "cli/sacctmgr/job.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/lib/clusters.h"
#include "cli/sacct/filter.h"
#include "cli/sacctmgr/amend.h"
#include "cli/sacctmgr/choice.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"
#include "common/text/numbers.h"
#include "common/text/timetext.h"

/* ---- the line ---- */

enum { KEY_ACCOUNT, KEY_CLUSTER, KEY_END, KEY_JOB, KEY_START, KEY_USER, KEY_WCKEY };

static const struct acct_key conditions[] = {
    { "Accounts", 1, KEY_ACCOUNT }, { "Clusters", 1, KEY_CLUSTER }, { "EndTime", 1, KEY_END },
    { "JobID", 1, KEY_JOB },        { "StartTime", 1, KEY_START },  { "Users", 1, KEY_USER },
    { "WCKeys", 1, KEY_WCKEY },
};

static const struct acct_key values[] = {
    { "AdminComment", 12, AMENDMENT_TAG_admin_comment },
    { "Comment", 7, AMENDMENT_TAG_comment },
    { "DerivedES", 9, AMENDMENT_TAG_comment },
    { "DerivedExitString", 12, AMENDMENT_TAG_comment },
    { "DerivedEC", 9, AMENDMENT_TAG_derived_status },
    { "DerivedExitCode", 12, AMENDMENT_TAG_derived_status },
    { "Extra", 5, AMENDMENT_TAG_extra },
    { "NewWCKey", 1, AMENDMENT_TAG_wckey },
    { "SystemComment", 13, AMENDMENT_TAG_system_comment },
};

struct asked {
    struct words accounts, clusters, wckeys;
    struct job_refs ids;
    uint32_t *uids;
    uint32_t uids_n;
    int64_t from, until; /* 0: open */
    struct job_amendment amendment;
    bool is_wrong;
    struct amend_job *meant; /* on the cluster that is asked */
    uint32_t meant_n;
};

static void asked_clear(struct asked *asked)
{
    words_clear(&asked->accounts);
    words_clear(&asked->clusters);
    words_clear(&asked->wckeys);
    job_refs_clear(&asked->ids);
    job_amendment_clear(&asked->amendment);
    free(asked->uids);
    free(asked->meant);
}

static void refuse(struct mgr *mgr, struct asked *asked)
{
    asked->is_wrong = true;
    mgr->status = 1;
}

static void read_users(struct mgr *mgr, const char *list, struct asked *asked)
{
    AUTO(words) struct words names = words_split(list, ",");

    for (uint32_t i = 0; i < names.n; i++) {
        const struct passwd *entry = getpwnam(names.at[i]);
        char *end;
        const unsigned long number = strtoul(names.at[i], &end, 10);

        if (!entry && (*end || end == names.at[i] || number > UINT32_MAX)) {
            fprintf(stderr, "sacctmgr: error: Invalid user id: %s\n", names.at[i]);
            refuse(mgr, asked);
            return;
        }
        *ARRAY_PUSH(asked->uids, asked->uids_n) = entry ? entry->pw_uid : (uint32_t)number;
    }
}

static void read_jobs(struct mgr *mgr, const char *list, struct asked *asked)
{
    struct err err = { 0 };

    job_refs_clear(&asked->ids);
    if (!*list) {
        fputs("Invalid job id(s)  specified\n", stderr);
        refuse(mgr, asked);
    } else if (job_refs_parse(list, &asked->ids, &err) < 0) {
        fprintf(stderr, "sacctmgr: fatal: Bad job/step specified: %s\n", list);
        refuse(mgr, asked);
    }
}

static void read_time(struct mgr *mgr, const char *text, int64_t *ret, struct asked *asked)
{
    struct err err = { 0 };

    if (time_parse_past(text, (int64_t)time(NULL), ret, &err) == 0)
        return;
    fprintf(stderr, "%s\n", err.text);
    refuse(mgr, asked);
}

static void read_condition(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    const int key = word->key ? acct_key_find(conditions, ARRAY_N(conditions), word->key) : -1;

    if (key == KEY_JOB)
        read_jobs(mgr, word->value, asked);
    else if (key == KEY_USER)
        read_users(mgr, word->value, asked);
    else if (key == KEY_START)
        read_time(mgr, word->value, &asked->from, asked);
    else if (key == KEY_END)
        read_time(mgr, word->value, &asked->until, asked);
    else if (key == KEY_ACCOUNT)
        acct_names_add(&asked->accounts, word->value);
    else if (key == KEY_CLUSTER)
        acct_names_add(&asked->clusters, word->value);
    else if (key == KEY_WCKEY)
        acct_names_add(&asked->wckeys, word->value);
    else {
        mgr_refuse_condition(mgr, word);
        asked->is_wrong = true;
    }
}

/* Reads an exit code as Slurm's sacctmgr does: it is a wait status, so that 3 is shown as 0:3, and
 * 256 as 1:0. */
static bool read_exit(const char *text, int32_t *ret)
{
    uint64_t status;

    if (number_parse(text, 0, UINT16_MAX, &status, NULL) < 0)
        return false;
    *ret = (int32_t)status;
    return true;
}

static void read_value(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    const int tag = word->key ? acct_key_find(values, ARRAY_N(values), word->key) : -1;
    struct job_amendment *amendment = &asked->amendment;
    char **texts[] = {
        [AMENDMENT_TAG_comment] = &amendment->comment,
        [AMENDMENT_TAG_admin_comment] = &amendment->admin_comment,
        [AMENDMENT_TAG_system_comment] = &amendment->system_comment,
        [AMENDMENT_TAG_extra] = &amendment->extra,
        [AMENDMENT_TAG_wckey] = &amendment->wckey,
    };

    if (tag < 0) {
        mgr_refuse_option(mgr, word);
        asked->is_wrong = true;
        return;
    }
    if (tag != AMENDMENT_TAG_derived_status) {
        /* As nothing, Slurm's manual has two quotes, which a shell may have left. */
        xstrset(texts[tag], strcmp(word->value, "``") == 0 ? "" : word->value);
    } else if (!read_exit(word->value, &amendment->derived_status)) {
        fprintf(stderr, "sacctmgr: error: Invalid value for DerivedExitCode (%s)\n", word->value);
        refuse(mgr, asked);
        return;
    }
    *ARRAY_PUSH(amendment->set, amendment->set_n) = (uint32_t)tag;
}

static void read_line(struct mgr *mgr, const struct acct_line *line, struct asked *asked)
{
    for (uint32_t i = 0; i < line->where.n; i++)
        read_condition(mgr, &line->where.at[i], asked);
    for (uint32_t i = 0; i < line->set.n; i++)
        read_value(mgr, &line->set.at[i], asked);
    if (asked->amendment.set_n == 0) {
        fputs(" You didn't give me anything to set\n", stderr);
        refuse(mgr, asked);
    }
}

/* ---- the jobs ---- */

static bool has_uid(const struct asked *asked, uint32_t uid)
{
    for (uint32_t i = 0; i < asked->uids_n; i++) {
        if (asked->uids[i] == uid)
            return true;
    }
    return asked->uids_n == 0;
}

static bool is_named(const struct asked *asked, const struct job_record *job)
{
    for (uint32_t i = 0; i < asked->ids.n; i++) {
        if (acct_ref_names(&asked->ids.at[i], job))
            return true;
    }
    return asked->ids.n == 0;
}

static bool is_meant(const struct asked *asked, const struct job_record *job)
{
    const bool is_over = job_state_is_over(job->state);

    return is_named(asked, job) && has_uid(asked, job->uid) &&
           (!asked->from || !is_over || job->end_time >= asked->from) &&
           (!asked->until || (job->eligible_time && job->eligible_time < asked->until)) &&
           choice_fits(&asked->accounts, job->spec->account) &&
           choice_fits(&asked->wckeys, job->spec->wckey);
}

/* Takes a job. Its last run comes last, and is the one that is meant. */
static int on_job(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    AUTO(history_job) struct history_job history;
    struct asked *asked = ctx;
    const struct job_record *job;
    int rc = type == MSG_HISTORY_JOB ? 0 : -E_PROTO;

    history_job_init(&history);
    if (rc == 0)
        rc = schema_decode(history_job_schema(), frame->body, frame->body_n, &history, NULL);
    if (rc < 0 || !is_meant(asked, history.job))
        return rc;
    job = history.job;
    if (asked->meant_n && asked->meant[asked->meant_n - 1].id == job->id)
        asked->meant_n--;
    *ARRAY_PUSH(asked->meant, asked->meant_n) =
        (struct amend_job){ job->id, job->launch_number, job->submit_time };
    return 0;
}

static void forget_jobs(void *ctx)
{
    ((struct asked *)ctx)->meant_n = 0;
}

static int find_jobs(struct client *client, struct asked *asked, struct err *err)
{
    AUTO(history_list) struct history_list request;

    history_list_init(&request);
    request.duplicates = asked->from || asked->until;
    for (uint32_t i = 0; i < asked->ids.n; i++)
        *ARRAY_PUSH(request.job_ids, request.job_ids_n) = asked->ids.at[i].job;
    for (uint32_t i = 0; i < asked->uids_n; i++)
        *ARRAY_PUSH(request.uids, request.uids_n) = asked->uids[i];
    return client_ask(client, MSG_HISTORY_LIST, &request, forget_jobs, on_job, asked, err);
}

/* ---- the change ---- */

static int refuse_request(struct mgr *mgr, uint32_t done, const struct err *err)
{
    fflush(stdout);
    if (err->code == E_ACCESS)
        fputs("sacctmgr: error: Your user doesn't have privilege to perform this action\n", stderr);
    fprintf(stderr, " Error with request: %s\n", err->text);
    if (done)
        fprintf(stderr, " The first %u jobs are modified.\n", done);
    mgr->status = 1;
    return 1;
}

static int amend_all(struct mgr *mgr, const struct asked *asked)
{
    struct err err = { 0 };
    uint32_t done;

    if (amend_jobs(mgr->command->cli.client, asked->meant, asked->meant_n, &asked->amendment, &done,
                   &err) < 0)
        return refuse_request(mgr, done, &err);
    return 0;
}

static void say_jobs(const struct asked *asked)
{
    puts(" Modified jobs...");
    for (uint32_t i = 0; i < asked->meant_n; i++) {
        AUTO(strbuf) struct strbuf submitted = { 0 };

        time_format(&submitted, asked->meant[i].submitted, NULL, 0, "Unknown");
        printf("  %u submitted at %s\n", asked->meant[i].id, strbuf_text(&submitted));
    }
}

static int commit(struct mgr *mgr, const struct asked *asked)
{
    int status;

    if (asked->meant_n == 0) {
        mgr_refuse(mgr, " Nothing modified");
        return 1;
    }
    if (!mgr->at_once)
        say_jobs(asked);
    if (!mgr_commits(mgr))
        return 0;
    status = amend_all(mgr, asked);
    if (status == 0 && mgr->at_once)
        say_jobs(asked);
    return status;
}

/* ---- the clusters ---- */

struct visit {
    struct mgr *mgr;
    struct asked *asked;
};

/* Does it on the cluster that the command has gone over to. */
static int modify_here(void *ctx)
{
    const struct visit *visit = ctx;
    struct mgr *mgr = visit->mgr;
    const struct cli *cli = &mgr->command->cli;
    struct err err = { 0 };
    int rc;

    visit->asked->meant_n = 0;
    rc = amend_connect(mgr, &err);
    if (rc == 0)
        rc = find_jobs(cli->client, visit->asked, &err);
    if (rc == 0)
        return commit(mgr, visit->asked);
    log_error(mgr->command->log,
              "jobs are modified by the controller of cluster %s, which does not answer: %s",
              cli->conf->cluster_name, err.text);
    mgr->status = 1;
    return 1;
}

static int modify(struct mgr *mgr, struct asked *asked)
{
    AUTO(strbuf) struct strbuf names = { 0 };
    AUTO(clusters) struct clusters clusters = { 0 };
    struct visit visit = { mgr, asked };
    int status;

    for (uint32_t i = 0; i < asked->clusters.n; i++)
        strbuf_addf(&names, "%s%s", i ? "," : "", asked->clusters.at[i]);
    if (clusters_find(mgr->command, names.len ? strbuf_text(&names) : NULL, &clusters) < 0) {
        mgr_refuse(mgr, " Nothing modified");
        return 1;
    }
    status = clusters_each(mgr->command, &clusters, false, modify_here, &visit);
    amend_go_home(mgr);
    return status;
}

int job_modify(struct mgr *mgr, const struct acct_line *line)
{
    struct cli *cli = &mgr->command->cli;
    struct asked asked = { 0 };
    struct err err = { 0 };
    int status = 1;

    job_amendment_init(&asked.amendment);
    read_line(mgr, line, &asked);
    if (!asked.is_wrong && !cli->conf && cli_load(cli, &err) < 0)
        command_report(mgr->command, NULL, &err);
    else if (!asked.is_wrong)
        status = modify(mgr, &asked);
    asked_clear(&asked);
    return status;
}
