/* verb_write_config.c - scontrol write config. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/scontrol/entities.h"
#include "cli/scontrol/write_conf.h"
#include "common/msg/types.h"
#include "common/text/timetext.h"

static bool add_keys(struct scontrol *session, struct strbuf *out)
{
    AUTO(records) struct records entries = { 0 };

    if (!session_records(session, "slurm_load_ctl_conf", MSG_CONFIG_LIST, NULL, MSG_CONFIG_ENTRY,
                         &entries))
        return false;
    for (uint32_t i = 0; i < entries.n; i++) {
        const struct config_entry *entry = record_at(&entries, i);

        if (!entry->value)
            return true; /* what follows this head is in cgroup.conf */
        write_conf_entry(entry, out);
    }
    return true;
}

static bool add_nodes(struct scontrol *session, const struct show *show, struct strbuf *out)
{
    AUTO(records) struct records nodes = { 0 };
    AUTO_FREE const struct node_info **infos = NULL;
    struct node_list list;

    node_list_init(&list);
    if (!session_records(session, "slurm_load_node", MSG_NODE_LIST, &list, MSG_NODE_INFO, &nodes))
        return false;
    infos = xcalloc(nodes.n ? nodes.n : 1, sizeof(const struct node_info *));
    for (uint32_t i = 0; i < nodes.n; i++)
        infos[i] = record_at(&nodes, i);
    write_conf_nodes(show, infos, nodes.n, out);
    return true;
}

static bool add_partitions(struct scontrol *session, const struct show *show, struct strbuf *out)
{
    AUTO(records) struct records parts = { 0 };
    struct partition_list list;

    partition_list_init(&list);
    if (!session_records(session, "slurm_load_partitions", MSG_PARTITION_LIST, &list,
                         MSG_PARTITION_INFO, &parts))
        return false;
    for (uint32_t i = 0; i < parts.n; i++)
        write_conf_partition(show, record_at(&parts, i), out);
    return true;
}

/* Writes a new file, whole; leaves a file that exists alone. On failure errno says why. */
static bool write_whole(const char *path, const struct strbuf *text)
{
    FILE *file = fopen(path, "wxe");
    const bool is_whole = session_fill(file, text);
    const int why = errno;

    if (file && !is_whole)
        (void)unlink(path);
    errno = why;
    return is_whole;
}

void scontrol_write_config(struct scontrol *session, const char *name)
{
    AUTO(strbuf) struct strbuf text = { 0 }, now = { 0 };
    AUTO_FREE char *path = NULL;
    struct show show;

    if (!session_load(session))
        return;
    show = entity_show(session);
    show.ctx.time_manner = NULL;
    time_format(&now, show.ctx.now, NULL, 0, "");
    strbuf_addf(&text, "# What slurmctld of cluster %s went by at %s: scontrol write config\n",
                session->command.cli.conf->cluster_name, strbuf_text(&now));
    if (!add_keys(session, &text) || !add_nodes(session, &show, &text) ||
        !add_partitions(session, &show, &text))
        return;
    if (!name)
        name = session->options.conf_out;
    path = xasprintf("%s.%s", name ? name : session->command.cli.conf->path, strbuf_text(&now));
    if (!write_whole(path, &text))
        session_refuse(session, "Could not create file %s: %s", path, strerror(errno));
    else if (!session->options.quiet)
        printf("Slurm config saved to %s\n", path);
}
