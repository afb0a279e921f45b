/* verb_show.c - which entity is to be shown. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/scontrol/entities.h"
#include "common/text/words.h"

static void show_no_reservations(struct scontrol *session, const char *id)
{
    static const struct entity_kind reservation_kind = { .list = "reservations" };
    struct entity_sink sink;

    if (!session_load(session) || !entity_sink_begin(session, &reservation_kind, &sink))
        return;
    entity_sink_end(&sink);
    if (sink.is_document)
        session->status |= id != NULL;
    else if (id)
        entity_say_missing(session, "Reservation", id);
    else
        entity_say(session, "No reservations in the system");
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
    bool has_document;                                      /* --json and --yaml */
} entities[] = {
    { "jobs", show_jobs, true },
    { "nodes", show_nodes, true },
    { "partitions", show_partitions, true },
    { "steps", show_steps, true },
    { "partitionname", show_partitions, true },
    { "jobid", show_jobs, true },
    { "configuration", show_config, false },
    { "daemons", show_daemons, false },
    { "hostnames", show_hostnames, false },
    { "hostlist", show_hostlist, false },
    { "hostlistsorted", show_hostlist_sorted, false },
    { "reservations", show_no_reservations, true },
    { "licenses", show_licenses, true },
    { "federation", show_nothing, false },
    { "burstbuffer", show_nothing, false },
    { "bbstat", NULL, false },
    { "dwstat", NULL, false },
    { "topology", show_no_topology, false },
    { "topoconf", NULL, false },
    { "aliases", show_aliases, false },
    { "assoc_mgr", show_assoc_mgr, false },
    { "slurmd", show_slurmd, false },
};

static void show_one(struct scontrol *session, const char *word, const char *id)
{
    size_t n = strlen(word);

    for (size_t i = 0; i < ARRAY_N(entities); i++) {
        if (n == 0 || n > strlen(entities[i].name) || strncasecmp(word, entities[i].name, n) != 0)
            continue;
        if (document_is_wanted(&session->options.document) && !entities[i].has_document)
            session_refuse(session, "scontrol: show %s is not supported as JSON or YAML",
                           entities[i].name);
        else if (entities[i].show)
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
    if (document_is_wanted(&session->options.document)) {
        ping_document(session);
        return;
    }
    if (!session_load(session) || show_controllers(session))
        return;
    session->status = 1;
    printf("*****************************************\n"
           "** RESTORE SLURMCTLD DAEMON TO SERVICE **\n"
           "*****************************************\n");
}
