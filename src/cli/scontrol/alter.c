#include "cli/scontrol/alter.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/tasks.h"
#include "common/msg/types.h"
#include "common/text/tasks.h"
#include "common/text/words.h"

/* ---- what went wrong ---- */

/* Tells a refusal in the words that scripts know; what they leave open goes before them. */
static void say_refused(struct scontrol *session, const char *name, bool is_task, int code,
                        const char *text)
{
    session->status = 1;
    if (session->options.quiet)
        return;
    if (text && strcmp(text, err_string(code)) != 0) {
        struct err err = { 0 };

        err_fill(&err, code, "%s", text);
        command_report(&session->command, NULL, &err);
    }
    if (is_task)
        fprintf(stderr, "%s: %s\n", name, err_string(code));
    else
        fprintf(stderr, "%s for job %s\n", err_string(code), name);
}

static char *name_of(uint32_t job_id, const char *tasks)
{
    return tasks ? xasprintf("%u_%s", job_id, tasks) : xasprintf("%u", job_id);
}

/* Tells all refusals; the last of them is what `what` says once more. */
static int say_all_refused(struct scontrol *session, const struct job_altered *altered)
{
    int code = 0;

    for (uint32_t i = 0; i < altered->refused_n; i++) {
        const struct job_refusal *refusal = &altered->refused[i];
        AUTO_FREE char *name = name_of(refusal->job_id, refusal->tasks);

        const int refused = err_code_from(refusal->code);

        say_refused(session, name, refusal->tasks, refused, refusal->text);
        if (!refusal->tasks)
            code = refused;
    }
    return code;
}

/* ---- calls ---- */

/* Sends the request. Returns the code of what was refused to a job that is no task, or 0. */
static int call(struct scontrol *session, const struct alter *alter, uint32_t job_id,
                const char *tasks)
{
    AUTO(job_altered) struct job_altered altered;
    AUTO_FREE char *name = name_of(job_id, tasks);
    struct err err = { 0 };

    job_altered_init(&altered);
    if (!session->command.cli.client)
        return 0;
    *alter->job_id = job_id;
    if (alter->tasks)
        *alter->tasks = (char *)(uintptr_t)tasks;
    if (client_call(session->command.cli.client, alter->type, alter->request, MSG_JOB_ALTERED,
                    &altered, &err) < 0) {
        say_refused(session, name, tasks, err.code, err.text);
        session_check(session, &err);
        altered.refused_n = 0;
        if (alter->tasks)
            *alter->tasks = NULL;
        return tasks ? 0 : err.code;
    }
    if (alter->tasks)
        *alter->tasks = NULL;
    return say_all_refused(session, &altered);
}

static void say_at_last(struct scontrol *session, const struct alter *alter, int code)
{
    if (code && alter->what && !session->options.quiet)
        fprintf(stderr, "%s error: %s\n", alter->what, err_string(code));
}

void alter_ids(struct scontrol *session, const struct alter *alter, const char *ids)
{
    AUTO(job_refs) struct job_refs refs = { 0 };
    int code = 0;

    (void)word_starts(ids, "jobid=", &ids);
    if (!session_connect(session, alter->what ? alter->what : "slurm_update"))
        return;
    if (job_refs_parse_jobs(ids, &refs, NULL) < 0 || refs.n == 0) {
        say_refused(session, ids, false, E_JOB_ID, NULL);
        say_at_last(session, alter, E_JOB_ID);
        return;
    }
    for (uint32_t i = 0; i < refs.n;) {
        const uint32_t job_id = refs.at[i].job;
        AUTO_FREE char *tasks = refs_take_tasks(&refs, &i);
        const int refused = call(session, alter, job_id, tasks);

        code = refused ? refused : code;
    }
    say_at_last(session, alter, code);
}

/* ---- by name ---- */

static bool find_user(struct scontrol *session, const char *user, struct job_list *list)
{
    const struct passwd *entry = user ? getpwnam(user) : NULL;
    uint64_t uid;

    if (!user)
        return true;
    if (entry)
        uid = entry->pw_uid;
    else if (number_parse(user, 0, UINT32_MAX - 1, &uid, NULL) < 0) {
        session_refuse(session, "Invalid UserID: %s", user);
        return false;
    }
    *ARRAY_PUSH(list->uids, list->uids_n) = (uint32_t)uid;
    return true;
}

/* Returns how many jobs have the name; fewer than 0: that is not known. */
static int alter_by_name(struct scontrol *session, const struct alter *alter,
                         const struct job_choice *choice)
{
    AUTO(records) struct records jobs = { 0 };
    AUTO(job_list) struct job_list list;
    int code = 0, found_n = 0;

    job_list_init(&list);
    if (!find_user(session, choice->user, &list) ||
        !session_records(session, "slurm_load_jobs", MSG_JOB_LIST, &list, MSG_JOB_INFO, &jobs))
        return -1;
    for (uint32_t i = 0; i < jobs.n; i++) {
        const struct job_record *job = ((const struct job_info *)record_at(&jobs, i))->job;
        AUTO(strbuf) struct strbuf tasks = { 0 };
        AUTO(bitset) struct bitset set = { 0 };
        int refused;

        if (!job->spec->name || strcmp(job->spec->name, choice->name) != 0 ||
            job_state_is_over(job->state))
            continue;
        found_n++;
        job_tasks(job, &set);
        tasks_format(&set, &tasks);
        refused = call(session, alter, tasks.len ? job->array_job_id : job->id,
                       tasks.len ? strbuf_text(&tasks) : NULL);
        code = refused ? refused : code;
    }
    say_at_last(session, alter, code);
    return found_n;
}

void alter_chosen(struct scontrol *session, const struct alter *alter,
                  const struct job_choice *choice)
{
    if (choice->ids)
        alter_ids(session, alter, choice->ids);
    else if (alter_by_name(session, alter, choice) == 0)
        session_refuse(session, "scontrol: error: No jobs with name '%s'", choice->name);
}

void alter_lists(struct scontrol *session, const struct alter *alter, int argc, char *const *argv)
{
    for (int i = 0; i < argc; i++)
        alter_ids(session, alter, argv[i]);
}

void alter_words(struct scontrol *session, const struct alter *alter, int argc, char *const *argv)
{
    for (int i = 0; i < argc; i++) {
        const char *name;

        if (word_starts(argv[i], "jobname=", &name) || word_starts(argv[i], "name=", &name))
            (void)alter_by_name(session, alter, &(struct job_choice){ .name = name });
        else
            alter_ids(session, alter, argv[i]);
    }
}
