#include "cli/sinfo/document.h"

#include <pwd.h>

#include "cli/lib/node_document.h"
#include "cli/sinfo/amounts.h"
#include "cli/sinfo/state.h"

/* Opens a range without its end: some have more to say. */
static void open_range(struct json_writer *json, const char *key, const struct sinfo_row *row,
                       enum sinfo_amount amount)
{
    const struct sinfo_range range = sinfo_range_of(row, amount);

    json_open_object(json, key);
    json_add_int(json, "minimum", (int64_t)range.least);
    json_add_int(json, "maximum", (int64_t)range.most);
}

static void put_range(struct json_writer *json, const char *key, const struct sinfo_row *row,
                      enum sinfo_amount amount)
{
    open_range(json, key, row, amount);
    json_close(json);
}

typedef const char *name_fn(const struct node_info *info);

static const char *host_of(const struct node_info *info)
{
    return info->host ? info->host : "";
}

static const char *address_of(const struct node_info *info)
{
    return info->address ? info->address : "";
}

static const char *name_of(const struct node_info *info)
{
    return info->node->name;
}

static void put_names(struct json_writer *json, const char *key, const struct sinfo_row *row,
                      name_fn *name)
{
    json_open_array(json, key);
    for (uint32_t i = 0; i < row->nodes_n; i++)
        json_add_text(json, NULL, name(row->nodes[i]));
    json_close(json);
}

static void put_nodes(struct json_writer *json, const struct sinfo_row *row)
{
    static const char *const keys[] = {
        [NODE_USE_ALLOCATED] = "allocated", [NODE_USE_IDLE] = "idle", [NODE_USE_OTHER] = "other"
    };
    uint32_t count[NODE_USES_N] = { 0 };

    for (uint32_t i = 0; i < row->nodes_n; i++)
        count[node_use(row->nodes[i])]++;
    json_open_object(json, "nodes");
    for (uint32_t i = 0; i < NODE_USES_N; i++)
        json_add_int(json, keys[i], count[i]);
    json_add_int(json, "total", row->nodes_n);
    put_names(json, "hostnames", row, host_of);
    put_names(json, "addresses", row, address_of);
    put_names(json, "nodes", row, name_of);
    json_close(json);
}

static void put_cpus(struct json_writer *json, const struct sinfo_row *row)
{
    const struct sinfo_cpus sum = sinfo_cpus_of(row);

    open_range(json, "cpus", row, SINFO_CPUS);
    json_add_int(json, "allocated", (int64_t)sum.allocated);
    json_add_int(json, "idle", (int64_t)sum.idle);
    json_add_int(json, "other", (int64_t)sum.other);
    json_add_int(json, "total", (int64_t)(sum.allocated + sum.idle + sum.other));
    json_close(json);
}

static void put_reported(struct json_writer *json, const char *key, uint64_t amount)
{
    document_number(json, key, amount != SINFO_UNSAID, false, (int64_t)amount);
}

static void put_memory(struct json_writer *json, const struct sinfo_row *row)
{
    const struct sinfo_range range = sinfo_range_of(row, SINFO_FREE_MEMORY);

    open_range(json, "memory", row, SINFO_MEMORY);
    json_open_object(json, "free");
    put_reported(json, "minimum", row->nodes_n ? range.least : SINFO_UNSAID);
    put_reported(json, "maximum", row->nodes_n ? range.most : SINFO_UNSAID);
    json_close(json);
    json_add_int(json, "allocated", row->node ? (int64_t)row->node->alloc_memory_mb : 0);
    json_close(json);
}

static void put_reason(struct json_writer *json, const struct sinfo_row *row)
{
    const struct node_record *node = row->node ? row->node->node : NULL;
    const bool is_given = node && node->reason && *node->reason;
    const struct passwd *user = is_given ? getpwuid(node->reason_uid) : NULL;

    json_open_object(json, "reason");
    json_add_text(json, "description", is_given ? node->reason : "");
    document_number(json, "time", true, false, is_given ? node->reason_time : 0);
    json_add_text(json, "user", user ? user->pw_name : "");
    json_close(json);
}

/* Writes an object of two texts, either of which may be NULL. */
static void put_pair(struct json_writer *json, const char *key, const char *total,
                     const char *part_key, const char *part)
{
    json_open_object(json, key);
    json_add_text(json, "total", total ? total : "");
    json_add_text(json, part_key, part ? part : "");
    json_close(json);
}

static void put_texts(struct json_writer *json, const struct sinfo_row *row, const char *cluster)
{
    const struct node_info *info = row->node;

    put_pair(json, "features", info ? info->features : NULL, "active",
             info ? info->active_features : NULL);
    put_pair(json, "gres", info ? info->gres : NULL, "used", info ? info->gres_used : NULL);
    json_add_text(json, "cluster", cluster);
    json_add_text(json, "comment", "");
    json_add_text(json, "extra", "");
    put_reason(json, row);
    json_add_text(json, "reservation", info && info->reservation ? info->reservation : "");
}

static void put_state(struct json_writer *json, const struct sinfo_row *row)
{
    json_open_object(json, "node");
    if (row->node)
        node_document_state(row->node, json, "state");
    else
        document_word(json, "state", NULL);
    json_close(json);
}

void sinfo_document_row(const struct sinfo_row *row, const struct document_kind *partition,
                        const struct report_context *ctx, const char *cluster,
                        struct json_writer *json)
{
    const struct partition_document_row part = { row->part, cluster };

    json_open_object(json, NULL);
    json_add_int(json, "port", row->node ? row->node->port : 0);
    put_state(json, row);
    put_nodes(json, row);
    put_cpus(json, row);
    put_range(json, "sockets", row, SINFO_SOCKETS);
    put_range(json, "cores", row, SINFO_CORES);
    put_range(json, "threads", row, SINFO_THREADS);
    put_range(json, "disk", row, SINFO_DISK);
    put_memory(json, row);
    put_range(json, "weight", row, SINFO_WEIGHT);
    put_texts(json, row, cluster);
    document_record(partition, ctx, &part, json, "partition");
    json_close(json);
}
