/* verb_update.c - scontrol update. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/scontrol/alter.h"
#include "cli/scontrol/resize.h"
#include "cli/scontrol/session.h"
#include "cli/scontrol/update.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

#define UPDATE "slurm_update"

static void update_node(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(node_update) struct node_update update;
    struct err err = { 0 };

    node_update_init(&update);
    if (update_parse_node(argc, argv, &update, &err) < 0) {
        session_refuse(session, "%s", err.text);
        return;
    }
    if (!*update.names) {
        err_fill(&err, E_NODE_NAME, "%s", err_string(E_NODE_NAME));
        session_report(session, UPDATE, &err);
        return;
    }
    if (!session_name_all(session, UPDATE, &update.names))
        return;
    session_order(session, UPDATE, MSG_NODE_UPDATE, &update);
}

/* ---- jobs that give back nodes ---- */

static bool is_resized(const struct job_update *update)
{
    for (uint32_t i = 0; i < update->set_n; i++) {
        if (update->set[i] == SPEC_TAG_min_nodes || update->set[i] == SPEC_TAG_req_nodes)
            return true;
    }
    return false;
}

static bool write_resize(struct scontrol *session, const struct job_record *job,
                         enum resize_shell shell, const char *name)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    FILE *file = NULL;
    bool fine;
    int fd;

    resize_format(job, shell, &text);
    unlink(name);
    fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRWXU);
    if (fd >= 0)
        file = fdopen(fd, "w");
    fine = session_fill(file, &text);
    if (!fine)
        session_refuse(session, "Could not create file %s: %s", name, strerror(errno));
    return fine;
}

static void write_resizes(struct scontrol *session, const struct job_record *job)
{
    AUTO_FREE char *sh = xasprintf("slurm_job_%u_resize.sh", job->id);
    AUTO_FREE char *csh = xasprintf("slurm_job_%u_resize.csh", job->id);

    if (write_resize(session, job, RESIZE_SH, sh) && write_resize(session, job, RESIZE_CSH, csh))
        printf("To reset Slurm environment variables, execute\n"
               "  For bash or sh shells:  . ./%s\n"
               "  For csh shells:         source ./%s\n",
               sh, csh);
}

/* Helps scripts within a job, where alone there is an environment to be put right. */
static void help_scripts(struct scontrol *session, const char *ids)
{
    AUTO(records) struct records jobs = { 0 };
    AUTO(job_refs) struct job_refs refs = { 0 };
    AUTO(job_list) struct job_list list;

    job_list_init(&list);
    if ((!getenv("SLURM_JOB_ID") && !getenv("SLURM_JOBID")) || job_refs_parse(ids, &refs, NULL) < 0)
        return;
    for (uint32_t i = 0; i < refs.n; i++)
        *ARRAY_PUSH(list.job_ids, list.job_ids_n) = refs.at[i].job;
    if (!session_records(session, "slurm_load_jobs", MSG_JOB_LIST, &list, MSG_JOB_INFO, &jobs))
        return;
    for (uint32_t i = 0; i < jobs.n; i++) {
        const struct job_record *job = ((const struct job_info *)record_at(&jobs, i))->job;

        if (job_state_is_active(job->state))
            write_resizes(session, job);
    }
}

static void update_job(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(job_update) struct job_update update;
    struct job_choice choice;
    struct err err = { 0 };
    const struct alter alter = {
        .type = MSG_JOB_UPDATE,
        .request = &update,
        .job_id = &update.job_id,
        .tasks = &update.tasks,
    };

    job_update_init(&update);
    if (update_parse_job(argc, argv, (int64_t)time(NULL), &choice, &update, &err) < 0)
        session_refuse(session, "%s", err.text);
    else
        alter_chosen(session, &alter, &choice);
    if (!session->status && choice.ids && is_resized(&update))
        help_scripts(session, choice.ids);
}

/* Updates other things: SlurmctldDebug= is set as by setdebug; other keys are refused. */
static void update_other(struct scontrol *session, const char *key, int argc, char *const *argv)
{
    for (int i = 0; i < argc; i++) {
        if (word_is(key, "SlurmctldDebug") && update_has_key(argv[i], key)) {
            AUTO_FREE char *value = update_value(argv[i]);
            char *const words[] = { "setdebug", value };

            scontrol_setdebug(session, ARRAY_N(words), words);
            return;
        }
    }
    session_refuse(session, "scontrol: update %s= is not supported yet", key);
}

void scontrol_update(struct scontrol *session, int argc, char *const *argv)
{
    const char *word = NULL;

    if (argc < 2) {
        session_refuse(session, "too few arguments for %s keyword", argv[0]);
        return;
    }
    switch (update_entity_of(argc - 1, argv + 1, &word)) {
    case UPDATE_NODE:
        update_node(session, argc - 1, argv + 1);
        break;
    case UPDATE_JOB:
        update_job(session, argc - 1, argv + 1);
        break;
    case UPDATE_PARTITION:
        scontrol_update_partition(session, argc - 1, argv + 1);
        break;
    case UPDATE_STEP:
        scontrol_update_step(session, argc - 1, argv + 1);
        break;
    case UPDATE_RESERVATION:
        scontrol_update_reservation(session, argc - 1, argv + 1);
        break;
    case UPDATE_OTHER:
        update_other(session, word, argc - 1, argv + 1);
        break;
    case UPDATE_NONE:
        session_refuse(session, "No valid entity in update command\n"
                                "Input line must include \"NodeName\", \"PartitionName\", "
                                "\"Reservation\", \"JobId\", or \"SlurmctldDebug\"");
        break;
    }
}
