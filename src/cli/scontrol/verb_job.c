/* verb_job.c - hold, release and their like. */
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
