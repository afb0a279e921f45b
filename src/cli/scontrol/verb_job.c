/* verb_job.c - hold, release, requeue, suspend, top and their like; notify, completing. */
#include <stdio.h>
#include <string.h>

#include "cli/lib/job_facts.h"
#include "cli/scontrol/alter.h"
#include "common/msg/types.h"
#include "common/text/duration.h"
#include "common/text/jobid.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

static void hold_as(struct scontrol *session, uint32_t hold, int argc, char *const *argv)
{
    AUTO(job_update) struct job_update update;
    const struct alter alter = {
        .type = MSG_JOB_UPDATE,
        .request = &update,
        .job_id = &update.job_id,
        .tasks = &update.tasks,
        .what = "slurm_suspend", /* Slurm's word, whatever the verb */
    };

    job_update_init(&update);
    update.hold = hold;
    if (argc < 2)
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
    else
        alter_words(session, &alter, argc - 1, argv + 1);
}

void scontrol_hold(struct scontrol *session, int argc, char *const *argv)
{
    hold_as(session, word_is(argv[0], "hold") ? HOLD : HOLD_AS_USER, argc, argv);
}

void scontrol_release(struct scontrol *session, int argc, char *const *argv)
{
    hold_as(session, HOLD_RELEASE, argc, argv);
}

/* ---- requeue ---- */

/* Returns how many words before the jobs say how. */
static int read_options(int argc, char *const *argv, uint32_t *flags)
{
    int n = 0;

    for (; n < argc; n++) {
        if (word_is(argv[n], "Incomplete"))
            *flags |= REQUEUE_INCOMPLETE;
        else if (word_is(argv[n], "State=SpecialExit"))
            *flags |= REQUEUE_SPECIAL_EXIT;
        else
            break;
    }
    return n;
}

void scontrol_requeue(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(job_rerun) struct job_rerun request;
    const struct alter alter = {
        .type = MSG_JOB_REQUEUE,
        .request = &request,
        .job_id = &request.job_id,
        .tasks = &request.tasks,
    };
    int options_n;

    job_rerun_init(&request);
    if (word_starts(argv[0], "requeueh", NULL))
        request.flags = REQUEUE_HOLD;
    options_n = read_options(argc - 1, argv + 1, &request.flags);
    if (argc < 2 + options_n)
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
    else if (request.flags == REQUEUE_SPECIAL_EXIT)
        session_refuse(session, "State=SpecialExit: use requeuehold");
    else
        alter_lists(session, &alter, argc - 1 - options_n, argv + 1 + options_n);
}

/* ---- suspend ---- */

void scontrol_suspend(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(job_suspend) struct job_suspend request;
    const struct alter alter = {
        .type = MSG_JOB_SUSPEND,
        .request = &request,
        .job_id = &request.job_id,
        .tasks = &request.tasks,
    };

    job_suspend_init(&request);
    request.resume = word_starts(argv[0], "res", NULL);
    if (argc < 2)
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
    else
        alter_lists(session, &alter, argc - 1, argv + 1);
}

/* ---- top ---- */

/* Moves jobs to the top. The first of a list is to be the first of all, so it is moved last. */
void scontrol_top(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(job_top) struct job_top request;
    const struct alter alter = {
        .type = MSG_JOB_TOP,
        .request = &request,
        .job_id = &request.job_id,
        .tasks = &request.tasks,
    };

    job_top_init(&request);
    if (argc < 2)
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
    for (int i = argc - 1; i > 0; i--) {
        AUTO(words) struct words ids = words_split(argv[i], ",");

        if (strchr(argv[i], '['))
            alter_ids(session, &alter, argv[i]);
        else
            for (uint32_t w = ids.n; w-- > 0;)
                alter_ids(session, &alter, ids.at[w]);
    }
}

/* ---- notify ---- */

static void notify(struct scontrol *session, const struct job_notify *request)
{
    AUTO(msg_ok) struct msg_ok reply;
    struct err err = { 0 };

    msg_ok_init(&reply);
    if (client_call(session->command.cli.client, MSG_JOB_NOTIFY, request, MSG_OK, &reply, &err) < 0)
        session_refuse(session, "job notify failure: %s", err_string(err.code));
    session_check(session, &err);
}

void scontrol_notify(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct job_notify request;
    struct job_ref ref;

    for (int i = 2; i < argc; i++)
        strbuf_addf(&text, "%s%s", i > 2 ? " " : "", argv[i]);
    job_notify_init(&request);
    request.text = (char *)(uintptr_t)strbuf_text(&text);
    if (argc < 3)
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
    else if (job_ref_parse(argv[1], &ref, NULL) < 0 || ref.array_task != NO_VAL)
        session_refuse(session, "job notify failure: %s", err_string(E_JOB_ID));
    else if (session_connect(session, "slurm_notify_job")) {
        request.job_id = ref.job;
        notify(session, &request);
    }
}

/* ---- completing ---- */

static void print_completing(const struct scontrol *session, const struct job_info *info)
{
    const struct job_record *job = info->job;
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *nodes = job_busy_nodes(job);

    strbuf_addf(&text, "JobId=%u EndTime=", job->id);
    time_format(&text, job->end_time, session->options.time_format, info->now, "Unknown");
    strbuf_adds(&text, " CompletingTime=");
    duration_format(&text, info->now > job->end_time ? info->now - job->end_time : 0);
    printf("%s Nodes(COMPLETING)=%s \n", strbuf_text(&text), nodes);
}

void scontrol_completing(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(records) struct records jobs = { 0 };
    AUTO(job_list) struct job_list list;

    (void)argc;
    (void)argv;
    job_list_init(&list);
    if (!session_records(session, "slurm_load_jobs", MSG_JOB_LIST, &list, MSG_JOB_INFO, &jobs))
        return;
    for (uint32_t i = 0; i < jobs.n; i++) {
        const struct job_info *info = record_at(&jobs, i);

        if (info->job->flags & JOB_FLAG_COMPLETING)
            print_completing(session, info);
    }
}
