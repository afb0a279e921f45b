#include "cli/sinfo/columns.h"

#include <inttypes.h>
#include <pwd.h>
#include <string.h>

#include "cli/sinfo/amounts.h"
#include "cli/sinfo/state.h"
#include "common/text/duration.h"
#include "common/text/hostlist.h"

static const struct sinfo_row *row_of(const void *row)
{
    return row;
}

/* ---- the partition ---- */

static void make_partition(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct partition_info *part = row_of(row)->part;

    (void)ctx;
    strbuf_addf(out, "%s%s", part->name, part->is_default ? "*" : "");
}

static bool partition_place(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = row_of(row)->part_at;
    return true;
}

static void make_available(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    static const char *const words[] = { [PARTITION_UP] = "up",
                                         [PARTITION_DOWN] = "down",
                                         [PARTITION_DRAIN] = "drain",
                                         [PARTITION_INACTIVE] = "inactive" };
    uint32_t state = row_of(row)->part->state;

    (void)ctx;
    strbuf_adds(out, state < ARRAY_N(words) ? words[state] : "?");
}

static void make_time(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    int64_t limit = row_of(row)->part->max_time;

    (void)ctx;
    if (limit < 0)
        strbuf_adds(out, "infinite");
    else
        duration_format_short(out, limit);
}

static void make_default_time(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    int64_t limit = row_of(row)->part->default_time;

    (void)ctx;
    if (limit < 0)
        strbuf_adds(out, "n/a");
    else
        duration_format_short(out, limit);
}

static void make_size(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct partition_info *part = row_of(row)->part;
    const uint32_t least = part->min_nodes ? part->min_nodes : 1;

    (void)ctx;
    if (part->max_nodes == COUNT_UNSET || part->max_nodes == COUNT_INFINITE)
        strbuf_addf(out, "%" PRIu32 "-infinite", least);
    else if (part->max_nodes == least)
        strbuf_addf(out, "%" PRIu32, least);
    else
        strbuf_addf(out, "%" PRIu32 "-%" PRIu32, least, part->max_nodes);
}

static void make_root(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, row_of(row)->part->root_only ? "yes" : "no");
}

/* ---- lists and counts of nodes ---- */

static void add_names(const struct sinfo_row *row, const char *(*name)(const struct node_info *),
                      struct strbuf *out)
{
    AUTO(hostlist) struct hostlist *names = hostlist_new();
    AUTO_FREE char *text = NULL;

    for (uint32_t i = 0; i < row->nodes_n; i++)
        hostlist_add(names, name(row->nodes[i]) ? name(row->nodes[i]) : "");
    hostlist_sort(names);
    hostlist_uniq(names);
    text = hostlist_format(names);
    strbuf_adds(out, text);
}

static const char *node_name(const struct node_info *node)
{
    return node->node->name;
}

static const char *node_address(const struct node_info *node)
{
    return node->address;
}

static void make_nodes(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_names(row, node_name, out);
}

static void make_addresses(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_names(row, node_address, out);
}

static bool nodes_n(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = row_of(row)->nodes_n;
    return true;
}

static void count_nodes(const struct sinfo_row *row, uint32_t count[NODE_USES_N])
{
    memset(count, 0, NODE_USES_N * sizeof(*count));
    for (uint32_t i = 0; i < row->nodes_n; i++)
        count[node_use(row->nodes[i])]++;
}

static void make_nodes_ai(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    uint32_t count[NODE_USES_N];

    (void)ctx;
    count_nodes(row, count);
    strbuf_addf(out, "%" PRIu32 "/%" PRIu32, count[NODE_USE_ALLOCATED], count[NODE_USE_IDLE]);
}

static void make_nodes_aiot(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    uint32_t count[NODE_USES_N];

    (void)ctx;
    count_nodes(row, count);
    strbuf_addf(out, "%" PRIu32 "/%" PRIu32 "/%" PRIu32 "/%" PRIu32, count[NODE_USE_ALLOCATED],
                count[NODE_USE_IDLE], count[NODE_USE_OTHER], row_of(row)->nodes_n);
}

static void make_cpus_aiot(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct sinfo_cpus cpus = sinfo_cpus_of(row);

    (void)ctx;
    strbuf_addf(out, "%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64, cpus.allocated, cpus.idle,
                cpus.other, cpus.allocated + cpus.idle + cpus.other);
}

/* ---- what nodes have: the least, and a '+' when some have more ---- */

static void add_least(const void *row, enum sinfo_amount amount, struct strbuf *out)
{
    const struct sinfo_range range = sinfo_range_of(row, amount);

    strbuf_addf(out, "%" PRIu64 "%s", range.least, range.most > range.least ? "+" : "");
}

#define RANGE_FUNCTIONS(what, amount)                                                              \
    static void make_##what(const struct report_context *ctx, const void *row, struct strbuf *out) \
    {                                                                                              \
        (void)ctx;                                                                                 \
        add_least(row, amount, out);                                                               \
    }                                                                                              \
    static bool least_##what(const struct report_context *ctx, const void *row, int64_t *ret)      \
    {                                                                                              \
        (void)ctx;                                                                                 \
        *ret = (int64_t)sinfo_range_of(row, amount).least;                                         \
        return true;                                                                               \
    }

RANGE_FUNCTIONS(cpus, SINFO_CPUS)
RANGE_FUNCTIONS(sockets, SINFO_SOCKETS)
RANGE_FUNCTIONS(cores, SINFO_CORES)
RANGE_FUNCTIONS(threads, SINFO_THREADS)
RANGE_FUNCTIONS(memory, SINFO_MEMORY)
RANGE_FUNCTIONS(disk, SINFO_DISK)
RANGE_FUNCTIONS(weight, SINFO_WEIGHT)

static void make_sct(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_least(row, SINFO_SOCKETS, out);
    strbuf_addc(out, ':');
    add_least(row, SINFO_CORES, out);
    strbuf_addc(out, ':');
    add_least(row, SINFO_THREADS, out);
}

/* Appends from the least to the most; a node that has not said counts as the most. */
static void add_reported(const struct sinfo_row *row, enum sinfo_amount amount,
                         void (*add)(uint64_t, struct strbuf *), struct strbuf *out)
{
    const struct sinfo_range range = sinfo_range_of(row, amount);

    add(range.least, out);
    if (range.most > range.least) {
        strbuf_addc(out, '-');
        add(range.most, out);
    }
}

static void add_megabytes(uint64_t mb, struct strbuf *out)
{
    if (mb == SINFO_UNSAID)
        strbuf_adds(out, "N/A");
    else
        strbuf_addf(out, "%" PRIu64, mb);
}

static void add_load(uint64_t percent, struct strbuf *out)
{
    if (percent == SINFO_UNSAID)
        strbuf_adds(out, "N/A");
    else
        strbuf_addf(out, "%" PRIu64 ".%02" PRIu64, percent / 100, percent % 100);
}

static void make_free_memory(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_reported(row, SINFO_FREE_MEMORY, add_megabytes, out);
}

static void make_load(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_reported(row, SINFO_LOAD, add_load, out);
}

/* ---- states and reasons ---- */

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->node)
        node_state_short(row_of(row)->node, false, out);
}

static void make_state_long(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->node)
        node_state_short(row_of(row)->node, true, out);
}

static void make_state_complete(const struct report_context *ctx, const void *row,
                                struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->node)
        node_state_complete(row_of(row)->node, out);
}

static bool state_rank(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = row_of(row)->node ? node_state_rank(row_of(row)->node) : 0;
    return true;
}

/* Returns the node whose reason is shown; NULL when nobody gave one. */
static const struct node_record *reason_of(const void *row)
{
    const struct node_info *node = row_of(row)->node;

    return node && node->node->reason && *node->node->reason ? node->node : NULL;
}

static void make_reason(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (reason_of(row))
        strbuf_adds(out, reason_of(row)->reason);
}

static void add_user(const struct node_record *reason, bool is_long, struct strbuf *out)
{
    const struct passwd *entry = getpwuid(reason->reason_uid);

    if (entry)
        strbuf_adds(out, entry->pw_name);
    else
        strbuf_addf(out, "%" PRIu32, reason->reason_uid);
    if (is_long)
        strbuf_addf(out, "(%" PRIu32 ")", reason->reason_uid);
}

static void make_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (reason_of(row))
        add_user(reason_of(row), false, out);
}

static void make_user_long(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (reason_of(row))
        add_user(reason_of(row), true, out);
}

static bool reason_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = reason_of(row) ? reason_of(row)->reason_time : 0;
    return *ret != 0;
}

/* Appends nothing, for columns that no node has here: their word is the column's `unset`. */
static void make_none(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

static const struct report_root roots[] = {
    { "part", partition_info_schema, offsetof(struct sinfo_row, part) },
    { "node", node_info_schema, offsetof(struct sinfo_row, node) },
};

/* clang-format off */
#define FIELD(l, n, t, p, u) { .letter = l, .name = n, .title = t, .path = p, .unset = u }
#define TEXT(l, n, t, f, u)  { .letter = l, .name = n, .title = t, .make = f, .unset = u }
#define SUM(l, n, t, f)      { .letter = l, .name = n, .title = t, .make = f, .mark = SINFO_SUM }
#define RANGE(l, n, t, what) { .letter = l, .name = n, .title = t, .make = make_##what, \
                               .number = least_##what, .mark = SINFO_RANGE }

static const struct report_column columns[] = {
    TEXT('a', "Available", "AVAIL", make_available, NULL),
    SUM('A', "NodeAI", "NODES(A/I)", make_nodes_ai),
    FIELD('b', "features_act", "ACTIVE_FEATURES", "node.active_features", NULL),
    FIELD('B', "MaxCPUsPerNode", "MAX_CPUS_PER_NODE", "part.max_cpus_per_node", "UNLIMITED"),
    RANGE('c', "CPUs", "CPUS", cpus),
    SUM('C', "CPUsState", "CPUS(A/I/O/T)", make_cpus_aiot),
    RANGE('d', "Disk", "TMP_DISK", disk),
    { .letter = 'D', .name = "Nodes", .title = "NODES", .number = nodes_n, .kind = KIND_U32,
      .mark = SINFO_SUM },
    SUM('e', "FreeMem", "FREE_MEM", make_free_memory),
    TEXT('E', "Reason", "REASON", make_reason, "none"),
    FIELD('f', "Features", "AVAIL_FEATURES", "node.features", NULL),
    SUM('F', "NodeAIOT", "NODES(A/I/O/T)", make_nodes_aiot),
    FIELD('g', "Groups", "GROUPS", "part.allow_groups", "all"),
    FIELD('G', "Gres", "GRES", "node.gres", NULL),
    FIELD('h', "OverSubscribe", "OVERSUBSCRIBE", "part.oversubscribe", "NO"),
    { .letter = 'H', .name = "TimeStamp", .title = "TIMESTAMP", .number = reason_time,
      .kind = KIND_TIME, .unset = "Unknown" },
    FIELD('i', "Reservation", "RESERVATION", "node.reservation", ""),
    FIELD('I', "PriorityJobFactor", "PRIO_JOB_FACTOR", "part.priority_job_factor", NULL),
    TEXT('l', "Time", "TIMELIMIT", make_time, NULL),
    TEXT('L', "DefaultTime", "DEFAULTTIME", make_default_time, NULL),
    RANGE('m', "Memory", "MEMORY", memory),
    FIELD('M', "PreemptMode", "PREEMPT_MODE", "part.preempt_mode", "OFF"),
    FIELD('n', "NodeHost", "HOSTNAMES", "node.host", ""),
    SUM('N', "NodeList", "NODELIST", make_nodes),
    TEXT('o', "NodeAddr", "NODE_ADDR", make_addresses, NULL),
    SUM('O', "CPUsLoad", "CPU_LOAD", make_load),
    FIELD('p', "PriorityTier", "PRIO_TIER", "part.priority_tier", NULL),
    { .letter = 'P', .name = "Partition", .title = "PARTITION", .make = make_partition,
      .mark = SINFO_PART, .style = REPORT_STAR },
    { .letter = '#', .title = "", .number = partition_place, .kind = KIND_U32 },
    TEXT('r', "Root", "ROOT", make_root, NULL),
    { .letter = 'R', .name = "PartitionName", .title = "PARTITION", .path = "part.name",
      .mark = SINFO_PART },
    TEXT('s', "Size", "JOB_SIZE", make_size, NULL),
    FIELD('S', "AllocNodes", "ALLOCNODES", "part.alloc_nodes", "all"),
    { .letter = 't', .name = "StateCompact", .title = "STATE", .make = make_state,
      .number = state_rank, .unset = "n/a" },
    { .letter = 'T', .name = "StateLong", .title = "STATE", .make = make_state_long,
      .number = state_rank, .unset = "n/a" },
    TEXT('u', "User", "USER", make_user, "Unknown"),
    TEXT('U', "UserLong", "USER", make_user_long, "Unknown"),
    { .letter = 'v', .name = "Version", .title = "VERSION", .path = "node.node.version",
      .unset = "N/A", .mark = SINFO_SUM },
    TEXT('V', "Cluster", "CLUSTER", make_none, "N/A"),
    RANGE('w', "Weight", "WEIGHT", weight),
    RANGE('X', "Sockets", "SOCKETS", sockets),
    RANGE('Y', "Cores", "CORES", cores),
    { .letter = 'z', .name = "SocketCoreThread", .title = "S:C:T", .make = make_sct,
      .mark = SINFO_RANGE },
    RANGE('Z', "Threads", "THREADS", threads),

    FIELD(0, "AllocMem", "ALLOCMEM", "node.alloc_memory_mb", "0"),
    FIELD(0, "Comment", "COMMENT", "node.node.comment", NULL),
    FIELD(0, "Extra", "EXTRA", "node.node.extra", NULL),
    FIELD(0, "GresUsed", "GRES_USED", "node.gres_used", NULL),
    FIELD(0, "Port", "PORT", "node.port", "0"),
    FIELD(0, "Priority", "PRIO_TIER", "part.priority_tier", NULL),
    { .name = "StateComplete", .title = "STATECOMPLETE", .make = make_state_complete,
      .number = state_rank, .unset = "n/a" },
};
/* clang-format on */

const struct report_table sinfo_table = { roots, ARRAY_N(roots), columns, ARRAY_N(columns) };
