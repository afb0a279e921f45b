#include "cli/sluice/standing.h"

#include <stdlib.h>
#include <string.h>

#include "cli/lib/nodes.h"
#include "common/text/words.h"

#define BUSY_ROWS_MAX 5

/* The amounts that a job asks of each node. */
struct need {
    uint64_t cpus, memory_mb;
    struct gres_list gres;
    bool is_whole; /* no other job beside it */
};

/* The amounts that a job holds of one node, and until when; 0: no end is known. */
struct holding {
    const struct job_node *at;
    int64_t until;
};

struct holdings {
    struct holding *at;
    uint32_t n;
};

/* ---- what is asked ---- */

/* True if more nodes than asked for may share the tasks: a node is of use then that takes one. */
static bool may_spread(const struct job_spec *spec)
{
    return spec->ntasks != COUNT_UNSET && spec->ntasks > 1 &&
           (spec->max_nodes == COUNT_UNSET || spec->max_nodes > spec->min_nodes);
}

static uint32_t nodes_needed(const struct job_spec *spec)
{
    return spec->min_nodes == COUNT_UNSET || spec->min_nodes == 0 ? 1 : spec->min_nodes;
}

static void find_need(const struct job_record *job, struct need *ret)
{
    const struct job_spec *spec = job->spec;
    const uint32_t each = spec->cpus_per_task == COUNT_UNSET ? 1 : spec->cpus_per_task;

    *ret = (struct need){ .is_whole = spec->share == SHARE_EXCLUSIVE };
    ret->cpus = may_spread(spec) ? each : job->ncpus / nodes_needed(spec);
    if (ret->cpus < 1)
        ret->cpus = 1;
    if (spec->mem_per_node != MB_UNSET)
        ret->memory_mb = spec->mem_per_node;
    else if (spec->mem_per_cpu != MB_UNSET)
        ret->memory_mb = spec->mem_per_cpu * ret->cpus;
    (void)gres_parse(spec->tres_per_node, &ret->gres, NULL);
}

/* True if the node has all names of a list of features; other forms are taken to fit. */
static bool has_features(const struct job_spec *spec, const struct node_info *node)
{
    const char *there = node->active_features ? node->active_features : node->features;
    AUTO(words) struct words wanted = { 0 }, found = { 0 };

    if (!spec->features || spec->features[strcspn(spec->features, "[]()|*!")])
        return true;
    wanted = words_split(spec->features, "&,");
    found = words_split(there ? there : "", ",");
    for (uint32_t i = 0; i < wanted.n; i++) {
        if (!words_have_exactly(&found, wanted.at[i]))
            return false;
    }
    return true;
}

/* ---- one node ---- */

/* Returns what `tres` lacks of the need, or NULL. */
static const char *lack_of(const struct need *need, const struct tres *tres)
{
    if (tres->cpus < need->cpus)
        return "cpus";
    if (tres->mem_mb < need->memory_mb)
        return "memory";
    for (uint32_t i = 0; i < need->gres.n; i++) {
        const struct gres *gres = &need->gres.at[i];

        if (gres_count(&tres->gres, gres->name, gres->type) < gres->count)
            return "gres";
    }
    return NULL;
}

static struct tres tres_for_jobs(const struct node_info *node)
{
    struct tres tres = nodes_tres(node);

    tres.cpus = nodes_cpus_for_jobs(node);
    return tres;
}

static void take(struct tres *from, const struct tres *amount)
{
    from->cpus -= amount->cpus < from->cpus ? amount->cpus : from->cpus;
    from->mem_mb -= amount->mem_mb < from->mem_mb ? amount->mem_mb : from->mem_mb;
    for (uint32_t i = 0; i < from->gres.n; i++) {
        struct gres *gres = &from->gres.at[i];
        const uint64_t used = gres_count(&amount->gres, gres->name, gres->type);

        gres->count -= used < gres->count ? used : gres->count;
    }
}

static void give(struct tres *to, const struct job_node *held)
{
    to->cpus += held->cpus_n;
    to->mem_mb += held->memory == MB_UNSET ? 0 : held->memory;
    for (uint32_t i = 0; i < held->gres_n; i++)
        (void)gres_add(&to->gres, held->gres[i].name, held->gres[i].type, held->gres[i].count);
}

static int by_node_and_end(const void *a, const void *b)
{
    const struct holding *one = a, *other = b;
    const int names = strcmp(one->at->name, other->at->name);
    const uint64_t end = (uint64_t)one->until - 1, other_end = (uint64_t)other->until - 1;

    return names ? names : (end > other_end) - (end < other_end); /* without an end: last */
}

static struct holdings find_holdings(const struct records *jobs)
{
    struct holdings found = { 0 };

    for (uint32_t i = 0; i < jobs->n; i++) {
        const struct job_record *job = ((const struct job_info *)record_at(jobs, i))->job;
        const bool ends = job->state == JOB_RUNNING && job->spec->time_limit >= 0;

        if (job->state == JOB_PENDING)
            continue;
        for (uint32_t j = 0; j < job->nodes_n; j++)
            *ARRAY_PUSH(found.at, found.n) =
                (struct holding){ &job->nodes[j],
                                  ends ? job->start_time + job->spec->time_limit : 0 };
    }
    if (found.n)
        qsort(found.at, found.n, sizeof(*found.at), by_node_and_end);
    return found;
}

/* Returns the first of the node's holdings, or the end. */
static uint32_t first_holding(const struct holdings *holdings, const char *name)
{
    uint32_t from = 0, to = holdings->n;

    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;

        if (strcmp(holdings->at[middle].at->name, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Returns when so many of the node's jobs have ended that what is asked is free. */
static int64_t busy_until(const struct need *need, const struct node_info *node, struct tres *free,
                          const struct holdings *holdings)
{
    uint32_t i = first_holding(holdings, node->node->name);
    int64_t until = 0;

    for (; i < holdings->n && strcmp(holdings->at[i].at->name, node->node->name) == 0; i++) {
        if (!need->is_whole && !lack_of(need, free))
            return until;
        until = holdings->at[i].until;
        if (!until)
            return 0;
        give(free, holdings->at[i].at);
    }
    return lack_of(need, free) ? 0 : until;
}

static struct standing_row judge(const struct job_spec *spec, const struct need *need,
                                 const struct node_info *node, const struct holdings *holdings)
{
    struct standing_row row = { .kind = STANDING_MATCHES };
    struct tres tres = tres_for_jobs(node), used = nodes_tres_used(node);

    row.lacks = has_features(spec, node) ? lack_of(need, &tres) : "features";
    take(&tres, &used);
    if (row.lacks)
        row.kind = STANDING_UNFIT;
    else if (node->state == NODE_DOWN || node->state == NODE_UNKNOWN ||
             (node->flags & NODE_FLAG_NO_RESPOND))
        row.kind = STANDING_DOWN;
    else if (node->flags & (NODE_FLAG_DRAIN | NODE_FLAG_FAIL))
        row.kind = STANDING_DRAINED;
    else if (lack_of(need, &tres) || (need->is_whole && used.cpus > 0))
        row.kind = STANDING_BUSY;
    if (row.kind == STANDING_BUSY)
        row.until = busy_until(need, node, &tres, holdings);
    tres_auto_(&tres);
    tres_auto_(&used);
    return row;
}

/* ---- all of them ---- */

static bool is_alike(const struct standing_row *a, const struct standing_row *b)
{
    return a->kind == b->kind && a->until == b->until && a->lacks == b->lacks;
}

static void add_node(struct standing *standing, const struct standing_row *judged, const char *name)
{
    struct standing_row *row = standing->rows;
    const struct standing_row *end = row + standing->rows_n;

    while (row < end && !is_alike(row, judged))
        row++;
    if (row == end) {
        row = ARRAY_PUSH(standing->rows, standing->rows_n);
        *row = *judged;
        row->nodes = hostlist_new();
    }
    hostlist_add(row->nodes, name);
    standing->nodes_n++;
    standing->matches_n += judged->kind == STANDING_MATCHES;
}

static int by_kind_and_time(const void *a, const void *b)
{
    const struct standing_row *one = a, *other = b;
    const uint64_t until = (uint64_t)one->until - 1, other_until = (uint64_t)other->until - 1;

    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    return (until > other_until) - (until < other_until);
}

/* Joins the rows with the latest ends: of many ends the first are told. */
static void join_late_rows(struct standing *standing)
{
    struct standing_row *last = NULL;
    uint32_t busy_n = 0, kept = 0;

    for (uint32_t i = 0; i < standing->rows_n; i++) {
        struct standing_row *row = &standing->rows[i];

        if (row->kind == STANDING_BUSY && ++busy_n > BUSY_ROWS_MAX) {
            for (uint32_t j = 0; j < hostlist_count(row->nodes); j++)
                hostlist_add(last->nodes, hostlist_get(row->nodes, j));
            last->or_later = true;
            hostlist_free(row->nodes);
            continue;
        }
        standing->rows[kept] = *row;
        last = &standing->rows[kept++];
    }
    standing->rows_n = kept;
}

static bool is_in(const struct node_info *node, const char *partition)
{
    for (uint32_t i = 0; i < node->partitions_n; i++) {
        if (text_is(node->partitions[i], partition))
            return true;
    }
    return false;
}

/* True if the job comes before the other; of equal priority the one that came first does. */
static bool comes_before(const struct job_record *job, const struct job_record *other)
{
    return job->priority != other->priority ? job->priority > other->priority : job->id < other->id;
}

static void find_ahead(const struct job_record *job, const struct records *jobs,
                       struct standing *ret)
{
    for (uint32_t i = 0; i < jobs->n; i++) {
        const struct job_record *other = ((const struct job_info *)record_at(jobs, i))->job;

        if (other->state != JOB_PENDING || other->id == job->id || other->priority == 0 ||
            !text_is(other->partition, job->partition) || !comes_before(other, job))
            continue;
        if (ret->ahead_n < STANDING_AHEAD_MAX)
            ret->ahead[ret->ahead_n] = other->id;
        ret->ahead_n++;
    }
}

void standing_find(const struct job_info *info, const struct records *nodes,
                   const struct records *jobs, struct standing *ret)
{
    struct holdings holdings = find_holdings(jobs);
    struct hostlist *excluded = NULL;
    struct need need;

    *ret = (struct standing){ .needs_n = nodes_needed(info->job->spec) };
    find_need(info->job, &need);
    if (info->job->spec->exc_nodes)
        (void)hostlist_parse(info->job->spec->exc_nodes, &excluded, NULL);
    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *node = record_at(nodes, i);
        struct standing_row row = { .kind = STANDING_EXCLUDED };

        if (!is_in(node, info->job->partition))
            continue;
        if (!excluded || hostlist_find(excluded, node->node->name) < 0)
            row = judge(info->job->spec, &need, node, &holdings);
        add_node(ret, &row, node->node->name);
    }
    if (ret->rows_n)
        qsort(ret->rows, ret->rows_n, sizeof(*ret->rows), by_kind_and_time);
    join_late_rows(ret);
    find_ahead(info->job, jobs, ret);
    hostlist_free(excluded);
    gres_clear(&need.gres);
    free(holdings.at);
}

void standing_clear(struct standing *standing)
{
    for (uint32_t i = 0; i < standing->rows_n; i++)
        hostlist_free(standing->rows[i].nodes);
    free(standing->rows);
    *standing = (struct standing){ 0 };
}

void standing_auto_(struct standing *standing)
{
    standing_clear(standing);
}

bool standing_has_nodes(const struct standing *standing)
{
    return standing->nodes_n > 0 && standing->matches_n >= standing->needs_n;
}
