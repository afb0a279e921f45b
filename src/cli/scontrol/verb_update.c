/* verb_update.c - scontrol update. */
#include <time.h>

#include "cli/scontrol/alter.h"
#include "cli/scontrol/session.h"
#include "cli/scontrol/update.h"
#include "common/msg/types.h"

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
    case UPDATE_OTHER:
        session_refuse(session, "scontrol: update %s= is not supported yet", word);
        break;
    case UPDATE_NONE:
        session_refuse(session, "No valid entity in update command\n"
                                "Input line must include \"NodeName\", \"PartitionName\", "
                                "\"Reservation\", \"JobId\", or \"SlurmctldDebug\"");
        break;
    }
}
