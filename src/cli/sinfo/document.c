#include "cli/sinfo/document.h"

#include <pwd.h>

#include "cli/lib/node_document.h"
#include "cli/sinfo/amounts.h"
#include "cli/sinfo/state.h"

static struct json *put_range(struct json *json, const char *key, const struct sinfo_row *row,
                              enum sinfo_amount amount)
{
    const struct sinfo_range range = sinfo_range_of(row, amount);
    struct json *inner = json_put_object(json, key);

    json_put_int(inner, "minimum", (int64_t)range.least);
    json_put_int(inner, "maximum", (int64_t)range.most);
    return inner;
}

static void put_nodes(struct json *json, const struct sinfo_row *row)
{
    static const char *const keys[] = {
        [NODE_USE_ALLOCATED] = "allocated", [NODE_USE_IDLE] = "idle", [NODE_USE_OTHER] = "other"
    };
    struct json *nodes = json_put_object(json, "nodes");
    struct json *hosts = json_new_array(), *addresses = json_new_array();
    struct json *names = json_new_array();
    uint32_t count[NODE_USES_N] = { 0 };

    for (uint32_t i = 0; i < row->nodes_n; i++) {
        const struct node_info *info = row->nodes[i];

        count[node_use(info)]++;
        json_push(hosts, json_new_text(info->host ? info->host : ""));
        json_push(addresses, json_new_text(info->address ? info->address : ""));
        json_push(names, json_new_text(info->node->name));
    }
    for (uint32_t i = 0; i < NODE_USES_N; i++)
        json_put_int(nodes, keys[i], count[i]);
    json_put_int(nodes, "total", row->nodes_n);
    json_put(nodes, "hostnames", hosts);
    json_put(nodes, "addresses", addresses);
    json_put(nodes, "nodes", names);
}

static void put_cpus(struct json *json, const struct sinfo_row *row)
{
    const struct sinfo_cpus sum = sinfo_cpus_of(row);
    struct json *cpus = put_range(json, "cpus", row, SINFO_CPUS);

    json_put_int(cpus, "allocated", (int64_t)sum.allocated);
    json_put_int(cpus, "idle", (int64_t)sum.idle);
    json_put_int(cpus, "other", (int64_t)sum.other);
    json_put_int(cpus, "total", (int64_t)(sum.allocated + sum.idle + sum.other));
}

static struct json *reported(uint64_t amount)
{
    return document_number(amount != SINFO_UNSAID, false, (int64_t)amount);
}

static void put_memory(struct json *json, const struct sinfo_row *row)
{
    const struct sinfo_range range = sinfo_range_of(row, SINFO_FREE_MEMORY);
    struct json *memory = put_range(json, "memory", row, SINFO_MEMORY);
    struct json *unused = json_put_object(memory, "free");

    json_put(unused, "minimum", reported(row->nodes_n ? range.least : SINFO_UNSAID));
    json_put(unused, "maximum", reported(row->nodes_n ? range.most : SINFO_UNSAID));
    json_put_int(memory, "allocated", row->node ? (int64_t)row->node->alloc_memory_mb : 0);
}

static void put_reason(struct json *json, const struct sinfo_row *row)
{
    const struct node_record *node = row->node ? row->node->node : NULL;
    const bool is_given = node && node->reason && *node->reason;
    const struct passwd *user = is_given ? getpwuid(node->reason_uid) : NULL;
    struct json *reason = json_put_object(json, "reason");

    json_put_text(reason, "description", is_given ? node->reason : "");
    json_put(reason, "time", document_number(true, false, is_given ? node->reason_time : 0));
    json_put_text(reason, "user", user ? user->pw_name : "");
}

static void put_texts(struct json *json, const struct sinfo_row *row, const char *cluster)
{
    const struct node_info *info = row->node;
    const char *features = info && info->features ? info->features : "";
    struct json *inner = json_put_object(json, "features");

    json_put_text(inner, "total", features);
    json_put_text(inner, "active", info && info->active_features ? info->active_features : "");
    inner = json_put_object(json, "gres");
    json_put_text(inner, "total", info && info->gres ? info->gres : "");
    json_put_text(inner, "used", info && info->gres_used ? info->gres_used : "");
    json_put_text(json, "cluster", cluster);
    json_put_text(json, "comment", "");
    json_put_text(json, "extra", "");
    put_reason(json, row);
    json_put_text(json, "reservation", "");
}

struct json *sinfo_document_row(const struct sinfo_row *row, const struct document_kind *partition,
                                const struct report_context *ctx, const char *cluster)
{
    const struct partition_document_row part = { row->part, cluster };
    struct json *json = json_new_object();

    json_put_int(json, "port", row->node ? row->node->port : 0);
    json_put(json_put_object(json, "node"), "state",
             row->node ? node_document_state(row->node) : json_new_array());
    put_nodes(json, row);
    put_cpus(json, row);
    put_range(json, "sockets", row, SINFO_SOCKETS);
    put_range(json, "cores", row, SINFO_CORES);
    put_range(json, "threads", row, SINFO_THREADS);
    put_range(json, "disk", row, SINFO_DISK);
    put_memory(json, row);
    put_range(json, "weight", row, SINFO_WEIGHT);
    put_texts(json, row, cluster);
    json_put(json, "partition", document_record(partition, ctx, &part));
    return json;
}
