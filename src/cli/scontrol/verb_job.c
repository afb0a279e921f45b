/* verb_job.c - hold, release, requeue, suspend and their like. */
#include "cli/scontrol/alter.h"
#include "common/msg/types.h"
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

/* How many words before the jobs say how. */
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
