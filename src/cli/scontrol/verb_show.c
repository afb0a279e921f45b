/* verb_show.c - which entity is to be shown. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/scontrol/session.h"
#include "common/text/words.h"

static void show_no_reservations(struct scontrol *session, const char *id)
{
    if (id)
        session_refuse(session, "Reservation %s not found", id);
    else if (!session->options.quiet)
        printf("No reservations in the system\n");
}

static void show_no_licenses(struct scontrol *session, const char *id)
{
    (void)id;
    if (!session->options.quiet)
        printf("No licenses configured in Slurm.\n");
}

/* Federations, burst buffers: there is none, and nothing to say about it. */
static void show_nothing(struct scontrol *session, const char *id)
{
    (void)session;
    (void)id;
}

static void show_no_topology(struct scontrol *session, const char *id)
{
    (void)id;
    log_error(session->command.log, "No topology information available");
}

/* A word may be cut short; the first row that fits is meant. */
static const struct {
    const char *name;
    void (*show)(struct scontrol *session, const char *id); /* NULL: not yet */
} entities[] = {
    { "jobs", show_jobs },
    { "nodes", show_nodes },
    { "partitions", show_partitions },
    { "steps", show_steps },
    { "configuration", show_config },
    { "daemons", show_daemons },
    { "hostnames", show_hostnames },
    { "hostlist", show_hostlist },
    { "hostlistsorted", show_hostlist_sorted },
    { "reservations", show_no_reservations },
    { "licenses", show_no_licenses },
    { "federation", show_nothing },
    { "burstbuffer", show_nothing },
    { "bbstat", NULL },
    { "dwstat", NULL },
    { "topology", show_no_topology },
    { "topoconf", NULL },
    { "aliases", NULL },
    { "assoc_mgr", NULL },
    { "slurmd", show_slurmd },
};

static void show_one(struct scontrol *session, const char *word, const char *id)
{
    size_t n = strlen(word);

    for (size_t i = 0; i < ARRAY_N(entities); i++) {
        if (n == 0 || n > strlen(entities[i].name) || strncasecmp(word, entities[i].name, n) != 0)
            continue;
        if (entities[i].show)
            entities[i].show(session, id);
        else
            session_refuse(session, "scontrol: show %s is not supported yet", entities[i].name);
        return;
    }
    session_refuse(session, "invalid entity:%s for keyword:show ", word);
}

void scontrol_show(struct scontrol *session, int argc, char *const *argv)
{
    AUTO_FREE char *word = xstrdup(argc > 1 ? argv[1] : NULL);
    char *equals = word ? strchr(word, '=') : NULL;
    const char *id = argc > 2 ? argv[2] : NULL;

    if (argc > 3) {
        session_refuse(session, "too many arguments for keyword:%s", argv[0]);
        return;
    }
    if (argc < 2) {
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
        return;
    }
    if (equals && !id) { /* show partition=main */
        *equals = '\0';
        id = equals + 1;
    }
    show_one(session, word, id);
}

void scontrol_ping(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    (void)argv;
    if (!session_load(session) || show_controllers(session))
        return;
    session->status = 1;
    printf("*****************************************\n"
           "** RESTORE SLURMCTLD DAEMON TO SERVICE **\n"
           "*****************************************\n");
}
