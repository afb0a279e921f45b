/* entity_node.c - scontrol show node and partition. */
#include <string.h>

#include "cli/lib/node_document.h"
#include "cli/lib/nodes.h"
#include "cli/scontrol/entities.h"
#include "common/msg/types.h"
#include "common/text/hostlist.h"

static const struct entity_kind node_kind = { "nodes", &node_document, NULL, NULL };
static const struct entity_kind partition_kind = { "partitions", &partition_document, NULL, NULL };

static void print_node(struct entity_sink *sink, const struct node_info *info)
{
    const struct node_document_row row = node_document_row(info, sink->cluster);
    AUTO(strbuf) struct strbuf text = { 0 };

    if (entity_sink_take(sink, &row))
        return;
    show_node(&sink->show, info, &text);
    entity_print(&text);
}

static void print_named(struct scontrol *session, struct entity_sink *sink,
                        const struct hostlist *names, const struct records *nodes)
{
    for (uint32_t i = 0; i < hostlist_count(names); i++) {
        const struct node_info *info = nodes_find(nodes, hostlist_get(names, i));

        if (info)
            print_node(sink, info);
        else if (sink->is_document)
            session->status = 1;
        else
            entity_say_missing(session, "Node", hostlist_get(names, i));
    }
}

/*
 * Loads all nodes, or those of `names`, of which one alone is asked for by its name. Reports
 * itself.
 */
static bool load_nodes(struct scontrol *session, const struct hostlist *names,
                       struct records *ret_nodes)
{
    struct node_list list;
    struct err err = { 0 };
    bool is_one = names && hostlist_count(names) == 1;

    node_list_init(&list);
    if (!session_connect(session, "slurm_load_node"))
        return false;
    list.hide = session_hides(session);
    list.future = session->options.future;
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
    struct entity_sink sink;

    if (id && hostlist_parse(id, &names, NULL) < 0) {
        entity_say_missing(session, "Node", id);
        return;
    }
    if (!load_nodes(session, names, &nodes) || !entity_sink_begin(session, &node_kind, &sink))
        return;
    entity_say_updated(session, &sink, nodes.n);
    if (names)
        print_named(session, &sink, names, &nodes);
    for (uint32_t i = 0; !names && i < nodes.n; i++)
        print_node(&sink, record_at(&nodes, i));
    entity_sink_end(&sink);
    if (nodes.n == 0 && !sink.is_document)
        entity_say(session, "No nodes in the system");
}

/* ---- partitions ---- */

static bool load_partitions(struct scontrol *session, const char *id, struct records *ret_parts)
{
    AUTO(partition_list) struct partition_list list;
    struct err err = { 0 };

    partition_list_init(&list);
    list.hide = session_hides(session);
    if (!session_connect(session, "slurm_load_partitions"))
        return false;
    if (id)
        *ARRAY_PUSH(list.names, list.names_n) = xstrdup(id);
    if (records_load(session->command.cli.client, MSG_PARTITION_LIST, &list, MSG_PARTITION_INFO,
                     ret_parts, &err) == 0 &&
        (ret_parts->n || !id))
        return true;
    if (err.code == E_PARTITION_NAME || err.code == 0)
        entity_say_missing(session, "Partition", id);
    else
        session_report(session, "slurm_load_partitions", &err);
    return false;
}

static void print_partition(struct entity_sink *sink, const struct partition_info *info)
{
    const struct partition_document_row row = { info, sink->cluster };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (entity_sink_take(sink, &row))
        return;
    show_partition(&sink->show, info, &text);
    entity_print(&text);
}

void show_partitions(struct scontrol *session, const char *id)
{
    AUTO(records) struct records parts = { 0 };
    struct entity_sink sink;

    if (!load_partitions(session, id, &parts) ||
        !entity_sink_begin(session, &partition_kind, &sink))
        return;
    entity_say_updated(session, &sink, parts.n);
    for (uint32_t i = 0; i < parts.n; i++)
        print_partition(&sink, record_at(&parts, i));
    entity_sink_end(&sink);
    if (parts.n == 0 && !sink.is_document)
        entity_say(session, "No partitions in the system");
}
