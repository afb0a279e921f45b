#include "cli/sinfo/rows.h"

#include <string.h>

#include <uthash.h>

#include "common/base/bitset.h"

void sinfo_filter_clear(struct sinfo_filter *filter)
{
    words_clear(&filter->partitions);
    words_clear(&filter->states.words);
    hostlist_free(filter->nodes);
    memset(filter, 0, sizeof(*filter));
}

void sinfo_filter_auto_(struct sinfo_filter *filter)
{
    sinfo_filter_clear(filter);
}

/* ---- what is shown ---- */

bool sinfo_wants_partition(const struct sinfo_filter *filter, const struct partition_info *part)
{
    return !filter->has_partitions || words_have_exactly(&filter->partitions, part->name);
}

static bool is_out_of_service(const struct node_info *node)
{
    return node->node->reason && *node->node->reason &&
           (node->state == NODE_DOWN || node->state == NODE_ERROR ||
            (node->flags & (NODE_FLAG_DRAIN | NODE_FLAG_INVALID | NODE_FLAG_FAIL)));
}

static bool wants_node(const struct sinfo_filter *filter, const struct node_info *node)
{
    bool responds = !(node->flags & NODE_FLAG_NO_RESPOND);

    if ((filter->dead && responds) || (filter->responding && !responds))
        return false;
    if (filter->reasons && !filter->has_states && !is_out_of_service(node))
        return false;
    if (filter->has_states && !node_states_have(&filter->states, node))
        return false;
    return !filter->nodes || hostlist_find(filter->nodes, node->node->name) >= 0;
}

/* ---- who shares a row ---- */

/* A wanted node, to be found by its name. */
struct named_node {
    const struct node_info *info;
    UT_hash_handle hh;
};

/* A row by the text of what its nodes have in common. */
struct group {
    char *key;
    uint32_t row;
    UT_hash_handle hh;
};

struct builder {
    const struct sinfo_source *source;
    const struct report_context *ctx;
    struct named_node *named; /* array, sorted by name */
    uint32_t named_n;
    struct named_node *by_name; /* hash over the array */
    struct group *groups;
    struct sinfo_rows out;
};

static int compare_named(const void *a, const void *b)
{
    const struct named_node *left = a, *right = b;

    return strverscmp(left->info->node->name, right->info->node->name);
}

static void index_nodes(struct builder *builder)
{
    const struct records *nodes = builder->source->nodes;

    builder->named = xcalloc(nodes->n ? nodes->n : 1, sizeof(*builder->named));
    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *info = record_at(nodes, i);

        if (info->node && wants_node(builder->source->filter, info))
            builder->named[builder->named_n++].info = info;
    }
    qsort(builder->named, builder->named_n, sizeof(*builder->named), compare_named);
    for (uint32_t i = 0; i < builder->named_n; i++) {
        struct named_node *node = &builder->named[i];
        const char *name = node->info->node->name;

        HASH_ADD_KEYPTR(hh, builder->by_name, name, strlen(name), node);
    }
}

/* True if a column keeps nodes with different values apart. */
static bool divides(const struct builder *builder, const struct report_column *column)
{
    if (!column || (column->mark & SINFO_SUM))
        return false;
    return !(column->mark & SINFO_RANGE) || builder->source->grouping == SINFO_EXACT;
}

static char *make_key(const struct builder *builder, const struct sinfo_row *row)
{
    const struct report_format *format = builder->source->format;
    struct strbuf key = { 0 };

    for (uint32_t i = 0; i < format->cells_n; i++) {
        const struct report_cell *cell = &format->cells[i];

        if (!divides(builder, cell->column))
            continue;
        report_value(cell->column, &cell->path, builder->ctx, row, &key);
        strbuf_addc(&key, '\x1f');
    }
    return strbuf_steal(&key);
}

static struct sinfo_row *add_row(struct builder *builder, const struct sinfo_row *like)
{
    struct sinfo_row *row = ARRAY_PUSH(builder->out.rows, builder->out.n);

    *row = *like;
    row->nodes = NULL;
    row->nodes_n = 0;
    return row;
}

static struct sinfo_row *find_row(struct builder *builder, const struct sinfo_row *one)
{
    AUTO_FREE char *key = NULL;
    struct group *group = NULL;

    if (builder->source->grouping == SINFO_EACH_NODE)
        return add_row(builder, one);
    key = make_key(builder, one);
    HASH_FIND_STR(builder->groups, key, group);
    if (group)
        return &builder->out.rows[group->row];
    group = xcalloc(1, sizeof(*group));
    group->key = STEAL(key);
    group->row = builder->out.n;
    HASH_ADD_KEYPTR(hh, builder->groups, group->key, strlen(group->key), group);
    return add_row(builder, one);
}

static void add_node(struct builder *builder, const struct sinfo_row *in,
                     const struct node_info *node)
{
    struct sinfo_row one = *in, *row;

    one.node = node;
    one.nodes = &node;
    one.nodes_n = 1;
    row = find_row(builder, &one);
    *ARRAY_PUSH(row->nodes, row->nodes_n) = node;
}

static bool shows_partition(const struct builder *builder)
{
    const struct report_format *format = builder->source->format;

    if (builder->source->grouping == SINFO_EACH_NODE || builder->source->filter->reasons)
        return false;
    for (uint32_t i = 0; i < format->cells_n; i++) {
        if (format->cells[i].column && (format->cells[i].column->mark & SINFO_PART))
            return true;
    }
    return false;
}

/* Adds a partition's nodes in the order of names, which is not that of the configuration. */
static void add_partition(struct builder *builder, const struct partition_info *part, uint32_t at)
{
    const struct sinfo_row row = { .part = part, .part_at = at };
    AUTO(hostlist) struct hostlist *names = NULL;
    AUTO(bitset) struct bitset members = { 0 };

    if (hostlist_parse(part->nodes ? part->nodes : "", &names, NULL) < 0)
        return;
    bitset_init(&members, builder->named_n);
    for (uint32_t i = 0; i < hostlist_count(names); i++) {
        struct named_node *node = NULL;

        HASH_FIND_STR(builder->by_name, hostlist_get(names, i), node);
        if (node)
            bitset_add(&members, (uint32_t)(node - builder->named));
    }
    BITSET_FOREACH (&members, i)
        add_node(builder, &row, builder->named[i].info);
    if (bitset_is_empty(&members) && shows_partition(builder))
        add_row(builder, &row);
}

static int compare_nodes(const void *a, const void *b)
{
    const struct node_info *const *left = a, *const *right = b;

    return strverscmp((*left)->node->name, (*right)->node->name);
}

/* Counts a node that came by several partitions once. */
static void tidy_row(struct sinfo_row *row)
{
    uint32_t n = 0;

    if (row->nodes_n == 0)
        return;
    qsort(row->nodes, row->nodes_n, sizeof(*row->nodes), compare_nodes);
    for (uint32_t i = 0; i < row->nodes_n; i++) {
        if (n == 0 || row->nodes[n - 1] != row->nodes[i])
            row->nodes[n++] = row->nodes[i];
    }
    row->nodes_n = n;
    row->node = row->nodes[0];
}

static void clear_builder(struct builder *builder)
{
    struct group *group, *next;

    HASH_ITER (hh, builder->groups, group, next) {
        HASH_DEL(builder->groups, group);
        free(group->key);
        free(group);
    }
    HASH_CLEAR(hh, builder->by_name);
    free(builder->named);
}

void sinfo_rows_make(const struct sinfo_source *source, const struct report_context *ctx,
                     struct sinfo_rows *ret_rows)
{
    struct builder builder = { .source = source, .ctx = ctx };
    struct sinfo_rows *out = &builder.out;

    index_nodes(&builder);
    for (uint32_t i = 0; i < source->partitions->n; i++) {
        const struct partition_info *part = record_at(source->partitions, i);

        if (sinfo_wants_partition(source->filter, part))
            add_partition(&builder, part, i);
    }
    out->order = xcalloc(out->n ? out->n : 1, sizeof(*out->order));
    for (uint32_t i = 0; i < out->n; i++) {
        tidy_row(&out->rows[i]);
        out->order[i] = &out->rows[i];
    }
    report_sort_rows(source->sort, ctx, out->order, out->n);
    *ret_rows = *out;
    clear_builder(&builder);
}

void sinfo_rows_clear(struct sinfo_rows *rows)
{
    for (uint32_t i = 0; i < rows->n; i++)
        free(rows->rows[i].nodes);
    free(rows->rows);
    free(rows->order);
    memset(rows, 0, sizeof(*rows));
}

void sinfo_rows_auto_(struct sinfo_rows *rows)
{
    sinfo_rows_clear(rows);
}
