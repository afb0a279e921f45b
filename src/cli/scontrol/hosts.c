/* hosts.c - scontrol show hostnames, hostlist, hostlistsorted, aliases, daemons. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/scontrol/session.h"
#include "common/text/hostlist.h"

/* Reads a list, or an absolute path of a file with one. */
static bool read_list(struct scontrol *session, const char *text, struct hostlist **ret_hosts)
{
    struct err err = { 0 };
    int rc = text[0] == '/' ? hostlist_read_file(text, ret_hosts, &err)
                            : hostlist_parse(text, ret_hosts, &err);

    if (rc == 0)
        return true;
    command_report(&session->command, NULL, &err);
    session->status = 1;
    return false;
}

void show_hostnames(struct scontrol *session, const char *id)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    struct err err = { 0 };

    if (!id)
        id = getenv("SLURM_JOB_NODELIST");
    if (!id)
        id = getenv("SLURM_NODELIST"); /* its old name */
    if (!id || !*id) {
        log_error(session->command.log, "host list is empty");
        return; /* Slurm exits 0 here */
    }
    if (hostlist_parse(id, &hosts, &err) < 0) {
        command_report(&session->command, NULL, &err);
        session->status = 1;
        return;
    }
    for (uint32_t i = 0; i < hostlist_count(hosts); i++)
        printf("%s\n", hostlist_get(hosts, i));
}

static void print_list(struct scontrol *session, const char *id, bool is_sorted)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    AUTO_FREE char *text = NULL;

    if (!id) {
        session_refuse(session, "invalid encode argument");
        return;
    }
    if (!read_list(session, id, &hosts))
        return;
    if (is_sorted)
        hostlist_sort(hosts);
    text = hostlist_format(hosts);
    printf("%s\n", text);
}

void show_hostlist(struct scontrol *session, const char *id)
{
    print_list(session, id, false);
}

void show_hostlist_sorted(struct scontrol *session, const char *id)
{
    print_list(session, id, true);
}

/* Prints the daemons that slurm.conf wants to run on this host. */
void show_daemons(struct scontrol *session, const char *id)
{
    const struct slurm_conf *conf;
    char host[256] = "";
    bool is_controller = false, is_node = false;

    (void)id;
    if (!session_load(session))
        return;
    conf = session->command.cli.conf;
    gethostname(host, sizeof(host) - 1);
    host[strcspn(host, ".")] = '\0';
    for (uint32_t i = 0; i < conf->controllers_n; i++)
        is_controller |= strcmp(conf->controllers[i].name, host) == 0;
    for (uint32_t i = 0; i < conf->nodes_n; i++)
        is_node |= strcmp(conf->nodes[i].hostname, host) == 0;
    printf("%s%s\n", is_controller ? "slurmctld " : "", is_node ? "slurmd " : "");
}

/* Prints the nodes of a host that has several: NodeHostname of each. */
void show_aliases(struct scontrol *session, const char *id)
{
    char host[HOSTLIST_NAME_MAX + 1] = "";
    const char *space = "";

    if (!session_load(session))
        return;
    gethostname(host, sizeof(host) - 1);
    host[strcspn(host, ".")] = '\0';
    for (uint32_t i = 0; i < session->command.cli.conf->nodes_n; i++) {
        const struct conf_node *node = &session->command.cli.conf->nodes[i];

        if (strcmp(node->hostname, id ? id : host) != 0)
            continue;
        printf("%s%s", space, node->name);
        space = " ";
    }
    if (*space)
        putchar('\n');
}
