/* verb_show.c - which entity is to be shown. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/scontrol/entities.h"
#include "common/text/words.h"

/* Shows nothing, for federations and burst buffers, of which there are none. */
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

/* The entities. A word may be cut short; the first row that fits is meant. */
static const struct entity {
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
    { "reservations", show_reservations, true },
    { "licenses", show_licenses, true },
    { "federation", show_nothing, false },
    { "burstbuffer", show_nothing, false },
    { "bbstat", NULL, false },
    { "dwstat", NULL, false },
    { "topology", show_no_topology, false },
    { "topoconf", NULL, false },
    { "aliases", show_aliases, false },
    { "assoc_mgr", NULL, false }, /* show_entity: it takes several words */
    { "cache", NULL, false },     /* the same by its old name */
    { "slurmd", show_slurmd, false },
};

static const struct entity *find_entity(const char *word)
{
    const size_t n = strlen(word);

    for (size_t i = 0; n && i < ARRAY_N(entities); i++) {
        if (n <= strlen(entities[i].name) && strncasecmp(word, entities[i].name, n) == 0)
            return &entities[i];
    }
    return NULL;
}

static bool is_assoc_mgr(const struct entity *entity)
{
    return strcmp(entity->name, "assoc_mgr") == 0 || strcmp(entity->name, "cache") == 0;
}

static void show_entity(struct scontrol *session, const struct entity *entity, char *const *words,
                        int n)
{
    if (document_is_wanted(&session->options.document) && !entity->has_document)
        session_refuse(session, "scontrol: show %s is not supported as JSON or YAML", entity->name);
    else if (is_assoc_mgr(entity))
        show_assoc_mgr(session, words, n);
    else if (entity->show)
        entity->show(session, n ? words[0] : NULL);
    else
        session_refuse(session, "scontrol: show %s is not supported yet", entity->name);
}

void scontrol_show(struct scontrol *session, int argc, char *const *argv)
{
    AUTO_FREE char *word = xstrdup(argc > 1 ? argv[1] : NULL);
    char *equals = word ? strchr(word, '=') : NULL;
    const struct entity *entity;

    if (argc < 2) {
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
        return;
    }
    if (equals && argc == 2) /* show partition=main */
        *equals = '\0';
    entity = find_entity(word);
    if (argc > 3 && !(entity && is_assoc_mgr(entity)))
        session_refuse(session, "too many arguments for keyword:%s", argv[0]);
    else if (!entity)
        session_refuse(session, "invalid entity:%s for keyword:show ", word);
    else if (equals && argc == 2)
        show_entity(session, entity, (char *[]){ equals + 1 }, 1);
    else
        show_entity(session, entity, argv + 2, argc - 2);
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
