/* node_lists.c - looking at the nodes, partitions and licenses that there are. */
#include "ctld/api/api.h"

#include "common/msg/types.h"
#include "common/text/hostlist.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/control.h"
#include "ctld/control/answer/info.h"

/* Names to list: they are kept because numbers change with the configuration. */
struct name_cursor {
    char **names;
    uint32_t n, at;
    bool names_no_partitions;
};

static void release_names(void *ctx)
{
    struct name_cursor *cursor = ctx;

    for (uint32_t i = 0; i < cursor->n; i++)
        free(cursor->names[i]);
    free(cursor->names);
    free(cursor);
}

static bool produce_node(struct stream *stream)
{
    struct name_cursor *cursor = stream->ctx;
    struct ctld *ctld = stream->conn->ctld;
    const struct node *node = NULL;

    while (!node && cursor->at < cursor->n) /* a new configuration may not have it */
        node = model_find_node(control_model(stream->control), cursor->names[cursor->at++]);
    if (!node)
        return false;

    AUTO(node_info) struct node_info info;

    control_node_info(stream->control, ctld_now(ctld), node, &info);
    while (cursor->names_no_partitions && info.partitions_n)
        free(info.partitions[--info.partitions_n]);
    stream_send(stream, MSG_NODE_INFO, &info);
    return true;
}

static void add_name(struct name_cursor *cursor, const char *name)
{
    *ARRAY_PUSH(cursor->names, cursor->n) = xstrdup(name);
}

/* True if all partitions of the node are hidden; a node without any is not. */
static bool is_hidden(const struct model *model, const struct bitset *hidden, uint32_t node)
{
    bool found = false;

    for (uint32_t i = 0; i < model->partitions_n; i++) {
        if (!bitset_has(&model->partitions[i].nodes, node))
            continue;
        if (!bitset_has(hidden, i))
            return false;
        found = true;
    }
    return found;
}

static int collect_named(const struct model *model, const struct node_list *list,
                         struct name_cursor *cursor, struct err *err)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    int rc = hostlist_parse(list->names, &hosts, err);

    for (uint32_t i = 0; rc == 0 && i < hostlist_count(hosts); i++) {
        const struct node *node = model_find_node(model, hostlist_get(hosts, i));

        if (!node || (node_is_future(node) && !list->future))
            return err_set(err, E_NODE_NAME, "Node %s not found", hostlist_get(hosts, i));
        add_name(cursor, node->rec.name);
    }
    return rc;
}

static int collect_of_job(const struct request *request, uint32_t job_id,
                          struct name_cursor *cursor, struct err *err)
{
    const struct model *model = control_model(request->act.control);
    const struct job *job = model_find_job(model, job_id);

    if (!job || !acct_sees_job(request->act.control, request->act.caller,
                               model->config.cluster_name, &job->rec))
        return err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    if (job->rec.uid != request->act.caller->uid &&
        api_check_private(request, CONF_PRIVATE_NODES, err))
        return -E_ACCESS;
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const struct node *node = model_find_node(model, job->rec.nodes[i].name);

        if (node)
            add_name(cursor, node->rec.name);
    }
    return 0;
}

static int collect_nodes(const struct request *request, const struct node_list *list,
                         struct name_cursor *cursor, struct err *err)
{
    const struct model *model = control_model(request->act.control);
    int rc;

    if (list->job_id)
        return collect_of_job(request, list->job_id, cursor, err);
    rc = api_check_private(request, CONF_PRIVATE_NODES, err);
    if (rc == 0 && list->names)
        return collect_named(model, list, cursor, err);
    for (uint32_t i = 0; rc == 0 && i < model->nodes_n; i++) {
        if (list->future || !node_is_future(&model->nodes[i]))
            add_name(cursor, model->nodes[i].rec.name);
    }
    return rc;
}

static void leave_out_hidden(const struct request *request, struct name_cursor *cursor)
{
    const struct model *model = control_model(request->act.control);
    AUTO(bitset) struct bitset hidden = { 0 };
    uint32_t kept = 0;

    api_hidden_partitions(request, &hidden);
    for (uint32_t i = 0; i < cursor->n; i++) {
        char *name = cursor->names[i];

        if (is_hidden(model, &hidden, model_find_node(model, name)->index))
            free(name);
        else
            cursor->names[kept++] = name;
    }
    cursor->n = kept;
}

static int on_node_list(struct request *request, void *msg, struct err *err)
{
    const struct node_list *list = msg;
    struct name_cursor *cursor = xcalloc(1, sizeof(*cursor));
    int rc = collect_nodes(request, list, cursor, err);

    if (rc < 0) {
        release_names(cursor);
        return rc;
    }
    if (list->hide)
        leave_out_hidden(request, cursor);
    cursor->names_no_partitions = api_check_private(request, CONF_PRIVATE_PARTITIONS, NULL) < 0;
    request_stream(request, produce_node, release_names, cursor);
    return 0;
}

static bool produce_partition(struct stream *stream)
{
    struct name_cursor *cursor = stream->ctx;
    const struct control *control = stream->control;
    const struct partition *part = NULL;

    while (!part && cursor->at < cursor->n)
        part = model_find_partition(control_model(control), cursor->names[cursor->at++]);
    if (!part)
        return false;
    AUTO(partition_info) struct partition_info info;

    control_partition_info(control, part->index, &info);
    stream_send(stream, MSG_PARTITION_INFO, &info);
    return true;
}

static int check_partitions(const struct request *request, const struct partition_list *list,
                            struct err *err)
{
    int rc = api_check_private(request, CONF_PRIVATE_PARTITIONS, err);

    for (uint32_t i = 0; rc == 0 && i < list->names_n; i++) {
        if (!model_find_partition(control_model(request->act.control), list->names[i]))
            rc = err_set(err, E_PARTITION_NAME, "Partition %s not found", list->names[i]);
    }
    return rc;
}

static int on_partition_list(struct request *request, void *msg, struct err *err)
{
    const struct partition_list *list = msg;
    const struct model *model = control_model(request->act.control);
    AUTO(bitset) struct bitset hidden = { 0 };
    struct name_cursor *cursor;
    int rc = check_partitions(request, list, err);

    if (rc < 0)
        return rc;
    cursor = xcalloc(1, sizeof(*cursor));
    api_hidden_partitions(request, &hidden);
    for (uint32_t i = 0; i < model->partitions_n; i++) {
        if (api_lists_text(list->names, list->names_n, model->partitions[i].conf->name) &&
            !(list->hide && bitset_has(&hidden, i)))
            add_name(cursor, model->partitions[i].conf->name);
    }
    request_stream(request, produce_partition, release_names, cursor);
    return 0;
}

/* ---- licenses ---- */

struct license_cursor {
    struct license_info *licenses;
    uint32_t n, at;
};

static void release_licenses(void *ctx)
{
    struct license_cursor *cursor = ctx;

    for (uint32_t i = 0; i < cursor->n; i++)
        license_info_clear(&cursor->licenses[i]);
    free(cursor->licenses);
    free(cursor);
}

static bool produce_license(struct stream *stream)
{
    struct license_cursor *cursor = stream->ctx;

    if (cursor->at == cursor->n)
        return false;
    stream_send(stream, MSG_LICENSE_INFO, &cursor->licenses[cursor->at++]);
    return true;
}

/* Tells what all jobs use, also those that PrivateData keeps from the caller. */
static int on_license_list(struct request *request, void *msg, struct err *err)
{
    struct license_cursor *cursor = xcalloc(1, sizeof(*cursor));

    (void)msg;
    (void)err;
    cursor->licenses = control_licenses(request->act.control, request->act.now.wall_s, &cursor->n);
    request_stream(request, produce_license, release_licenses, cursor);
    return 0;
}

const struct handler node_list_handlers[] = {
    { MSG_NODE_LIST, ROLE_USER, HANDLER_LOOKS, on_node_list },
    { MSG_PARTITION_LIST, ROLE_USER, HANDLER_LOOKS, on_partition_list },
    { MSG_LICENSE_LIST, ROLE_USER, HANDLER_LOOKS, on_license_list },
};
const size_t node_list_handlers_n = ARRAY_N(node_list_handlers);
