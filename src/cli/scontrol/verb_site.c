/* verb_site.c - words about the cluster as a whole, and waiting for a job's nodes. */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "cli/lib/clusters.h"
#include "cli/scontrol/session.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

#define LOOK_AGAIN_MS 500

/* Chooses the cluster that the rest of the session is about. */
void scontrol_cluster(struct scontrol *session, int argc, char *const *argv)
{
    if (!session_load(session))
        return;
    if (argc > 1 && clusters_choose(&session->command, argv[1]) < 0)
        session->status = 1;
}

/* Refuses to take over: there are no backup controllers that could. */
void scontrol_takeover(struct scontrol *session, int argc, char *const *argv)
{
    uint64_t index = 1;

    if (argc > 1 && number_parse(argv[1], 0, UINT32_MAX, &index, NULL) < 0)
        index = 0;
    session_refuse(session, "takeover: invalid backup controller index (%llu)",
                   (unsigned long long)index);
}

void scontrol_token(struct scontrol *session, int argc, char *const *argv)
{
    for (int i = 1; i < argc; i++) {
        if (!word_starts(argv[i], "lifespan=", NULL) && !word_starts(argv[i], "username=", NULL)) {
            session_refuse(session, "Invalid option: `%s`", argv[i]);
            return;
        }
    }
    log_error(session->command.log, "auth/jwt is not configured: there are no tokens");
    session_refuse(session, "Error fetching token");
}

/*
 * Refuses: Slurm's steps answer programs of their node who their user is; ours leave that to the
 * node.
 */
void scontrol_getent(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    session_refuse(session,
                   "scontrol: %s: steps tell nobody about users: enable_nss_slurm of "
                   "LaunchParameters is not supported",
                   argv[0]);
}

enum readiness { NODES_ARE_READY, NODES_ARE_AWAITED, NODES_WILL_NOT_BE, JOB_IS_OVER };

static enum readiness look(struct scontrol *session, uint32_t job_id)
{
    AUTO(records) struct records jobs = { 0 };
    struct job_list list;
    const struct job_record *job;
    struct err err = { 0 };
    int rc;

    job_list_init(&list);
    list.job_ids = &job_id;
    list.job_ids_n = 1;
    rc = records_load(session->command.cli.client, MSG_JOB_LIST, &list, MSG_JOB_INFO, &jobs, &err);
    if (rc < 0 || jobs.n == 0)
        return NODES_WILL_NOT_BE;
    job = ((const struct job_info *)record_at(&jobs, 0))->job;
    if (job->state == JOB_PENDING || (job->flags & JOB_FLAG_CONFIGURING))
        return NODES_ARE_AWAITED;
    return job_state_is_over(job->state) ? JOB_IS_OVER : NODES_ARE_READY;
}

void scontrol_wait_job(struct scontrol *session, int argc, char *const *argv)
{
    const struct timespec pause = { .tv_nsec = LOOK_AGAIN_MS * 1000000L };
    enum readiness readiness;
    struct job_ref ref;

    if (argc < 2) {
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
        return;
    }
    if (job_ref_parse(argv[1], &ref, NULL) < 0) {
        session_refuse(session, "Invalid job_id %s", argv[1]);
        return;
    }
    if (!session_connect(session, "slurm_job_node_ready"))
        return;
    while ((readiness = look(session, ref.job)) == NODES_ARE_AWAITED)
        nanosleep(&pause, NULL);
    if (readiness == NODES_WILL_NOT_BE)
        session_refuse(session, "scontrol: Problem running job %s", argv[1]);
    else if (readiness == JOB_IS_OVER)
        session_refuse(session, "scontrol: Job %s no longer running", argv[1]);
    else
        log_info(session->command.log, "Nodes are ready for job %s", argv[1]);
}
