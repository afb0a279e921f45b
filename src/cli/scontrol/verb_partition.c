/* verb_partition.c - scontrol create, update and delete of partitions. */
#include <stdio.h>
#include <string.h>

#include "cli/scontrol/session.h"
#include "cli/scontrol/update.h"
#include "common/conf/partition_change.h"
#include "common/msg/types.h"

/*
 * Reports an error; Slurm has other words for each verb. What is wrong with the request itself is
 * told by the controller in whole sentences.
 */
static void report(struct scontrol *session, const struct partition_change *change,
                   const struct err *err)
{
    const char *reason = err_string(err->code);

    session_check(session, err);
    if (err->code == EINVAL)
        session_refuse(session, "scontrol: error: %s", err->text);
    else if (change->verb == PARTITION_UPDATE)
        session_report(session, "slurm_update", err);
    else if (change->verb == PARTITION_CREATE)
        session_refuse(session, "Error creating the partition: %s", reason);
    else
        session_refuse(session, "delete_partition partitionname=%s: %s", change->name, reason);
}

/* Prints which values are taken and shown, but not obeyed. */
static void say_unused(struct scontrol *session, const struct partition_change *change)
{
    for (uint32_t i = 0; i < change->pairs_n && !session->options.quiet; i++) {
        const struct conf_key *key = conf_partition_key(change->pairs[i]);

        if (key && key->status == CONF_NO_EFFECT && key->at != CONF_NO_FIELD)
            fprintf(stderr, "scontrol: %s= is kept and shown; it has no effect here\n", key->name);
    }
}

static void send_change(struct scontrol *session, const struct partition_change *change)
{
    AUTO(msg_ok) struct msg_ok reply;
    struct err err = { 0 };

    msg_ok_init(&reply);
    if (!session_connect(session, "slurm_update"))
        return;
    if (client_call(session->command.cli.client, MSG_PARTITION_CHANGE, change, MSG_OK, &reply,
                    &err) < 0)
        report(session, change, &err);
    else
        say_unused(session, change);
}

/* Changes a partition by the pairs, without the one that names it, which may be anywhere. */
static void change_partition(struct scontrol *session, enum partition_verb verb, int argc,
                             char *const *argv)
{
    AUTO(partition_change) struct partition_change change;

    partition_change_init(&change);
    change.verb = verb;
    for (int i = 0; i < argc; i++) {
        if (!change.name && update_has_key(argv[i], "PartitionName"))
            change.name = update_value(argv[i]);
        else
            *ARRAY_PUSH(change.pairs, change.pairs_n) = xstrdup(argv[i]);
    }
    if (verb == PARTITION_UPDATE && change.pairs_n == 0)
        session_refuse(session, "scontrol: error: No changes specified");
    else
        send_change(session, &change);
}

void scontrol_update_partition(struct scontrol *session, int argc, char *const *argv)
{
    change_partition(session, PARTITION_UPDATE, argc, argv);
}

void scontrol_create_partition(struct scontrol *session, int argc, char *const *argv)
{
    change_partition(session, PARTITION_CREATE, argc, argv);
}

void scontrol_delete_partition(struct scontrol *session, char *pair)
{
    change_partition(session, PARTITION_DELETE, 1, &pair);
}
