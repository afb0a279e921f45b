/* entity_node.c - scontrol show node and partition. */
#include <string.h>

#include "cli/lib/listing.h"
#include "cli/lib/nodes.h"
#include "cli/scontrol/entities.h"
#include "common/msg/types.h"
#include "common/text/hostlist.h"

static void print_node(const struct show *show, const struct node_info *info)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    show_node(show, info, &text);
    entity_print(&text);
}

static void print_named(struct scontrol *session, const struct hostlist *names,
                        const struct records *nodes)
{
    const struct show show = entity_show(session);

    for (uint32_t i = 0; i < hostlist_count(names); i++) {
        const struct node_info *info = nodes_find(nodes, hostlist_get(names, i));

        if (info)
            print_node(&show, info);
        else
            entity_say_missing(session, "Node", hostlist_get(names, i));
    }
}

bool entity_load_nodes(struct scontrol *session, const struct hostlist *names,
                       struct records *ret_nodes)
{
    struct node_list list;
    struct err err = { 0 };
    bool is_one = names && hostlist_count(names) == 1;

    node_list_init(&list);
    if (!session_connect(session, "slurm_load_node"))
        return false;
    if (is_one)
        list.names = (char *)(uintptr_t)hostlist_get(names, 0);
    if (records_load(session->command.cli.client, MSG_NODE_LIST, &list, MSG_NODE_INFO, ret_nodes,
                     &err) == 0)
        return true;
    if (is_one && err.code == E_NODE_NAME)
        entity_say_missing(session, "Node", list.names);
    else
        session_report(session, "slurm_load_node", &err);
    return false;
}

void show_nodes(struct scontrol *session, const char *id)
{
    AUTO(hostlist) struct hostlist *names = NULL;
    AUTO(records) struct records nodes = { 0 };
    struct show show;

    if (id && hostlist_parse(id, &names, NULL) < 0) {
        entity_say_missing(session, "Node", id);
        return;
    }
    if (!entity_load_nodes(session, names, &nodes))
        return;
    if (names) {
        print_named(session, names, &nodes);
        return;
    }
    show = entity_show(session);
    for (uint32_t i = 0; i < nodes.n; i++)
        print_node(&show, record_at(&nodes, i));
    if (nodes.n == 0)
        entity_say(session, "No nodes in the system");
}

/* ---- partitions ---- */

static bool is_member(const struct node_info *info, const char *partition)
{
    for (uint32_t i = 0; i < info->partitions_n; i++) {
        if (strcmp(info->partitions[i], partition) == 0)
            return true;
    }
    return false;
}

static uint64_t memory_of(const struct partition_info *part, const struct records *nodes)
{
    uint64_t mb = 0;

    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *info = record_at(nodes, i);

        if (is_member(info, part->name))
            mb += info->memory_mb;
    }
    return mb;
}

static bool load_partitions(struct scontrol *session, const char *id, struct records *ret_parts)
{
    AUTO(partition_list) struct partition_list list;
    struct err err = { 0 };

    partition_list_init(&list);
    if (!session_connect(session, "slurm_load_partitions"))
        return false;
    if (id)
        *ARRAY_PUSH(list.names, list.names_n) = xstrdup(id);
    if (records_load(session->command.cli.client, MSG_PARTITION_LIST, &list, MSG_PARTITION_INFO,
                     ret_parts, &err) == 0)
        return true;
    if (err.code == E_PARTITION_NAME)
        entity_say_missing(session, "Partition", id);
    else
        session_report(session, "slurm_load_partitions", &err);
    return false;
}

void show_partitions(struct scontrol *session, const char *id)
{
    AUTO(records) struct records parts = { 0 };
    AUTO(records) struct records nodes = { 0 };
    bool see_all =
        session->options.all || id ||
        (!session->options.hide && session_load(session) && listing_sees_all(&session->command));
    struct show show;

    if (!load_partitions(session, id, &parts) || !entity_load_nodes(session, NULL, &nodes))
        return;
    show = entity_show(session);
    for (uint32_t i = 0; i < parts.n; i++) {
        const struct partition_info *info = record_at(&parts, i);
        AUTO(strbuf) struct strbuf text = { 0 };

        if (info->hidden && !see_all)
            continue;
        show_partition(&show, info, memory_of(info, &nodes), &text);
        entity_print(&text);
    }
    if (parts.n == 0)
        entity_say(session, "No partitions in the system");
}
