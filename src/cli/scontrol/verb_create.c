/* verb_create.c - scontrol create and delete: what is meant. */
#include <string.h>

#include "cli/scontrol/ask_reservation.h"
#include "cli/scontrol/session.h"
#include "cli/scontrol/update.h"
#include "common/text/words.h"

static bool names_partition(int argc, char *const *argv)
{
    for (int i = 0; i < argc; i++) {
        if (update_has_key(argv[i], "PartitionName"))
            return true;
    }
    return false;
}

/* True if the words are about a reservation, which may name a partition, too. */
static bool names_reservation(int argc, char *const *argv)
{
    return ask_means_reservation(argc, argv) && !update_has_key(argv[0], "PartitionName") &&
           !update_has_key(argv[0], "NodeName");
}

/*
 * Refuses to make nodes, which come from slurm.conf alone: one that was made by a command would be
 * gone for the node daemons and commands that read it, and after a restart.
 */
static void refuse_to_create_nodes(struct scontrol *session, int argc, char *const *argv)
{
    const char *state = NULL;

    for (int i = 0; i < argc; i++) {
        if (update_has_key(argv[i], "State") && strchr(argv[i], '='))
            state = strchr(argv[i], '=') + 1;
    }
    if (!state ||
        (!word_is(state, "CLOUD") && !word_is(state, "FUTURE") && !word_is(state, "EXTERNAL")))
        session_refuse(session,
                       "scontrol: error: Only State=FUTURE, State=CLOUD and State=EXTERNAL "
                       "allowed for nodes created by scontrol\n"
                       "Error creating the node(s): Invalid node state specified");
    else
        session_refuse(session,
                       "Error creating the node(s): %s: add a NodeName line to slurm.conf, then "
                       "scontrol reconfigure",
                       err_string(E_NOT_SUPPORTED));
}

void scontrol_create(struct scontrol *session, int argc, char *const *argv)
{
    if (argc < 2)
        session_refuse(session, "too few arguments for %s keyword", argv[0]);
    else if (names_reservation(argc - 1, argv + 1))
        scontrol_create_reservation(session, argc - 1, argv + 1);
    else if (names_partition(argc - 1, argv + 1))
        scontrol_create_partition(session, argc - 1, argv + 1);
    else if (update_has_key(argv[1], "NodeName"))
        refuse_to_create_nodes(session, argc - 1, argv + 1);
    else
        session_refuse(session, "scontrol: error: Invalid creation entity: %s", argv[1]);
}

static void delete_named(struct scontrol *session, const char *word, char *pair)
{
    if (update_has_key(pair, "PartitionName"))
        scontrol_delete_partition(session, pair);
    else if (ask_is_reservation(pair))
        scontrol_delete_reservation(session, word, strchr(pair, '=') + 1);
    else if (update_has_key(pair, "NodeName"))
        session_refuse(session,
                       "delete_node %s: %s: take the node out of slurm.conf, then scontrol "
                       "reconfigure",
                       pair, err_string(E_NOT_SUPPORTED));
    else
        session_refuse(session, "Invalid deletion entity: %s", word);
}

/* Deletes the one of "partitionname=NAME" or "partition NAME". */
void scontrol_delete(struct scontrol *session, int argc, char *const *argv)
{
    const bool has_value = argc > 1 && strchr(argv[1], '=');
    AUTO_FREE char *pair = NULL;

    if (argc < 2) {
        session_refuse(session, "too few arguments for %s keyword", argv[0]);
    } else if (argc > 3 || (argc == 2 && !has_value)) {
        session_refuse(session, "scontrol: error: Proper format is 'delete <ENTITY>=<ID>' or "
                                "'delete <ENTITY> <ID>'");
    } else if (argc == 3 && has_value) {
        session_refuse(session, "Invalid deletion entity: %s", argv[1]);
    } else {
        pair = argc == 3 ? xasprintf("%s=%s", argv[1], argv[2]) : xstrdup(argv[1]);
        delete_named(session, argv[1], pair);
    }
}
