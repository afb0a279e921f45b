#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/base/bitset.h"
#include "common/conf/load.h"
#include "common/conf/value.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

#define NAMED_MAX 5 /* unknown nodes that a note names */

int load_nodeset(struct loader *loader, struct conf_pairs pairs, struct err *err)
{
    struct slurm_conf *conf = loader->conf;
    struct conf_nodeset *set;
    int rc;

    if (!pairs.at->value || !pairs.at->value[0])
        return conf_err(err, EINVAL, pairs.at->at, "NodeSet= has no name");
    if (conf->nodesets_n == CONF_SETS_MAX)
        return conf_err(err, E_TOO_BIG, pairs.at->at, "more than %d node sets", CONF_SETS_MAX);
    set = ARRAY_PUSH(conf->nodesets, conf->nodesets_n);
    *set = (struct conf_nodeset){ .at = pairs.at->at };
    rc = load_pairs(loader, conf_nodeset_keys(), pairs, set, err);
    if (rc < 0)
        return rc;
    if (load_find_node(loader, set->name) >= 0)
        return conf_err(err, EINVAL, set->at, "NodeSet=%s has the name of a node", set->name);
    return 0;
}

static const struct conf_nodeset *find_nodeset(const struct slurm_conf *conf, const char *name)
{
    for (uint32_t i = 0; i < conf->nodesets_n; i++)
        if (strcmp(conf->nodesets[i].name, name) == 0)
            return &conf->nodesets[i];
    return NULL;
}

static void add_with_feature(const struct slurm_conf *conf, const char *feature, struct bitset *set)
{
    for (uint32_t i = 0; i < conf->nodes_n; i++) {
        AUTO(words)
        struct words has = words_split(conf->nodes[i].features ? conf->nodes[i].features : "", ",");

        for (uint32_t k = 0; k < has.n; k++)
            if (strcmp(has.at[k], feature) == 0)
                bitset_add(set, i);
    }
}

/* The nodes that names select. Names that are neither node nor set go to `unknown`. */
struct selection {
    struct loader *loader;
    struct conf_at at;
    struct bitset nodes;
    struct strbuf unknown;
    uint32_t unknown_n;
};

static void select_all(struct selection *selection)
{
    for (uint32_t i = 0; i < selection->loader->conf->nodes_n; i++)
        if (selection->loader->conf->nodes[i].state != CONF_NODE_FUTURE)
            bitset_add(&selection->nodes, i);
}

static int select_names(struct selection *selection, const char *text, bool with_sets,
                        struct err *err);

/* Selects the nodes of a set. A set may not name sets, so this does not go deeper. */
static int select_set(struct selection *selection, const struct conf_nodeset *set, struct err *err)
{
    if (set->feature)
        add_with_feature(selection->loader->conf, set->feature, &selection->nodes);
    return set->nodes ? select_names(selection, set->nodes, false, err) : 0;
}

static int select_name(struct selection *selection, const char *name, bool with_sets,
                       struct err *err)
{
    int64_t node = load_find_node(selection->loader, name);
    const struct conf_nodeset *set = NULL;

    if (node >= 0) {
        bitset_add(&selection->nodes, (uint32_t)node);
        return 0;
    }
    if (with_sets)
        set = find_nodeset(selection->loader->conf, name);
    if (set)
        return select_set(selection, set, err);
    if (selection->unknown_n++ < NAMED_MAX)
        strbuf_addf(&selection->unknown, "%s%s", selection->unknown.len ? "," : "", name);
    return 0;
}

static int select_names(struct selection *selection, const char *text, bool with_sets,
                        struct err *err)
{
    struct hostlist *names = NULL;
    int rc;

    if (word_is(text, "ALL")) {
        select_all(selection);
        return 0;
    }
    rc = hostlist_parse(text, &names, err);
    if (rc >= 0)
        rc = load_count_hosts(selection->loader, hostlist_count(names), selection->at, err);
    for (uint32_t i = 0; rc >= 0 && i < hostlist_count(names); i++)
        rc = select_name(selection, hostlist_get(names, i), with_sets, err);
    hostlist_free(names);
    return rc;
}

int load_partition_nodes(struct loader *loader, struct conf_partition *part, struct strbuf *unknown,
                         uint32_t *ret_unknown_n, struct err *err)
{
    struct selection selection = { .loader = loader, .at = part->at };
    int rc;

    *ret_unknown_n = 0;
    if (!part->nodes_text)
        return 0;
    bitset_init(&selection.nodes, loader->conf->nodes_n);
    rc = select_names(&selection, part->nodes_text, true, err);
    if (rc >= 0) {
        BITSET_FOREACH (&selection.nodes, i)
            *ARRAY_PUSH(part->nodes, part->nodes_n) = (uint32_t)i;
        *ret_unknown_n = selection.unknown_n;
        strbuf_addf(unknown, "%s%s", strbuf_text(&selection.unknown),
                    selection.unknown_n > NAMED_MAX ? ",..." : "");
        rc = 0;
    }
    bitset_clear(&selection.nodes);
    strbuf_clear(&selection.unknown);
    return rc;
}

static int select_nodes(struct loader *loader, struct conf_partition *part, struct err *err)
{
    AUTO(strbuf) struct strbuf unknown = { 0 };
    struct err why = { 0 };
    uint32_t unknown_n;
    int rc = load_partition_nodes(loader, part, &unknown, &unknown_n, &why);

    if (rc < 0)
        return conf_err(err, -rc, part->at, "partition %s: Nodes: %s", part->name, why.text);
    if (unknown_n)
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, part->at,
                       "partition %s: %u of its nodes have no NodeName line and are left out: %s",
                       part->name, unknown_n, strbuf_text(&unknown));
    return 0;
}

/* Removes a list of "ALL", which in Slurm restricts nobody. */
static void drop_all(char **list)
{
    if (*list && word_is(*list, "ALL"))
        xstrset(list, NULL);
}

/* Gives the value of the old key Priority to the second of the two new keys too. */
static void spread_priority(struct conf_pairs pairs, struct conf_partition *part)
{
    for (uint32_t i = 0; i < pairs.n; i++)
        if (strcasecmp(pairs.at[i].key, "Priority") == 0)
            part->priority_job_factor = part->priority_tier;
}

void load_partition_settle(struct conf_partition *part)
{
    drop_all(&part->allow_groups);
    drop_all(&part->allow_accounts);
    drop_all(&part->allow_qos);
    drop_all(&part->alloc_nodes);
}

/* Makes this the default partition, because the last one with Default=YES counts. */
static void take_default(struct loader *loader, const struct conf_partition *part)
{
    for (uint32_t i = 0; i + 1 < loader->conf->partitions_n; i++) {
        struct conf_partition *above = &loader->conf->partitions[i];

        if (above->is_default)
            conf_notes_add(loader->notes, CONF_NOTE_VALUE, part->at,
                           "partition %s: Default=YES, and partition %s of line %u has it too; the "
                           "last one counts",
                           part->name, above->name, above->at.line);
        above->is_default = false;
    }
}

static void settle(struct loader *loader, struct conf_partition *part)
{
    load_partition_settle(part);
    if (part->default_time_min != CONF_UNSET && part->default_time_min > part->max_time_min) {
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, part->at,
                       "partition %s: DefaultTime is above MaxTime, which is used for both",
                       part->name);
        part->default_time_min = part->max_time_min;
    }
    if (part->is_default)
        take_default(loader, part);
}

static int add_partition(struct loader *loader, struct conf_pairs pairs,
                         const struct conf_partition *defaults, struct err *err)
{
    struct slurm_conf *conf = loader->conf;
    struct conf_partition *part;
    int rc;

    if (conf->partitions_n == CONF_PARTITIONS_MAX)
        return conf_err(err, E_TOO_BIG, pairs.at->at, "more than %d partitions",
                        CONF_PARTITIONS_MAX);
    part = ARRAY_PUSH(conf->partitions, conf->partitions_n);
    *part = (struct conf_partition){ .at = pairs.at->at };
    conf_values_copy(conf_partition_keys(), defaults, part);
    rc = load_pairs(loader, conf_partition_keys(), pairs, part, err);
    if (rc < 0)
        return rc;
    spread_priority(pairs, part);
    settle(loader, part);
    return select_nodes(loader, part, err);
}

int load_partition(struct loader *loader, struct conf_pairs pairs, struct conf_partition *defaults,
                   struct err *err)
{
    const char *name = pairs.at->value;
    int rc;

    if (!name || !name[0])
        return conf_err(err, EINVAL, pairs.at->at, "PartitionName= has no name");
    if (word_is(name, "DEFAULT")) {
        pairs = (struct conf_pairs){ pairs.at + 1, pairs.n - 1 };
        rc = load_pairs(loader, conf_partition_keys(), pairs, defaults, err);
        spread_priority(pairs, defaults);
        return rc;
    }
    if (slurm_conf_find_partition(loader->conf, name)) {
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, pairs.at->at,
                       "partition %s has a line already; this one does not count", name);
        return 0;
    }
    return add_partition(loader, pairs, defaults, err);
}
