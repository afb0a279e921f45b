/* Reads topology.conf: which switch connects which nodes and switches. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <uthash.h>

#include "common/base/bitset.h"
#include "common/conf/check.h"
#include "common/conf/load_beside.h"
#include "common/conf/value.h"
#include "common/text/hostlist.h"

#define NAMED_MAX  5 /* nodes that a note names */
#define LEVELS_MAX 64
#define LEVEL_NONE UINT32_MAX /* not found yet */

#define ROW(key, field)                                                                            \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .at = offsetof(struct conf_switch, field)                 \
    }

static const struct conf_key switch_keys[] = {
    ROW(SwitchName, name),      ROW(Nodes, nodes_text), ROW(Switches, switches_text),
    ROW(LinkSpeed, link_speed), { .name = NULL },
};

const struct conf_key *conf_switch_keys(void)
{
    return switch_keys;
}

/* A switch of the file, and what the tree knows of it. */
struct knot {
    const char *name; /* the switch's own */
    uint32_t at;      /* in conf->switches */
    uint32_t *below;  /* positions of its switches */
    uint32_t below_n;
    struct bitset nodes;
    uint32_t level;
    UT_hash_handle hh;
};

struct tree {
    struct loader *loader;
    struct knot *knots; /* one for each of conf->switches, in the same order */
    struct knot *by_name;
    struct conf_at *names_at; /* of each of them: where the list of what is below it stands */
    uint32_t names_n;
};

static int err_switch(const struct tree *tree, uint32_t at, int code, const char *what,
                      const char *name, struct err *err)
{
    return conf_err(err, code, tree->names_at[at], "switch %s: %s %s",
                    tree->loader->conf->switches[at].name, what, name);
}

static int read_line(struct tree *tree, const struct conf_record *record, struct err *err)
{
    const struct conf_pairs pairs = { record->pairs, record->pairs_n };
    struct slurm_conf *conf = tree->loader->conf;
    const struct conf_pair *names;
    struct conf_switch *sw;
    int rc;

    if (conf->switches_n == CONF_SWITCHES_MAX)
        return conf_err(err, E_TOO_BIG, pairs.at->at, "more than %d switches", CONF_SWITCHES_MAX);
    sw = ARRAY_PUSH(conf->switches, conf->switches_n);
    *sw = (struct conf_switch){ .at = pairs.at->at, .parent = CONF_UNSET };
    rc = load_pairs(tree->loader, switch_keys, pairs, sw, err);
    if (rc < 0)
        return rc;
    if (!sw->name)
        return conf_err(err, EINVAL, sw->at, "a line without SwitchName=");
    if (!sw->nodes_text == !sw->switches_text)
        return conf_err(err, EINVAL, sw->at, "switch %s: give Nodes= or Switches=, one of them",
                        sw->name);
    names = conf_record_find(record, sw->nodes_text ? "Nodes" : "Switches");
    *ARRAY_PUSH(tree->names_at, tree->names_n) = names->value ? names->value_at : names->at;
    return 0;
}

static int index_switches(struct tree *tree, struct err *err)
{
    const struct slurm_conf *conf = tree->loader->conf;

    tree->knots = xcalloc(conf->switches_n, sizeof(*tree->knots));
    for (uint32_t i = 0; i < conf->switches_n; i++) {
        struct knot *knot = &tree->knots[i];
        struct knot *other = NULL;

        knot->name = conf->switches[i].name;
        knot->at = i;
        knot->level = LEVEL_NONE;
        bitset_init(&knot->nodes, conf->nodes_n);
        HASH_FIND_STR(tree->by_name, knot->name, other);
        if (other)
            return conf_err(err, EINVAL, conf->switches[i].at,
                            "switch %s has a line already, line %u", knot->name,
                            conf->switches[other->at].at.line);
        HASH_ADD_KEYPTR(hh, tree->by_name, knot->name, strlen(knot->name), knot);
    }
    return 0;
}

static int add_node(struct tree *tree, struct knot *knot, const char *name, struct err *err)
{
    int64_t node = load_find_node(tree->loader, name);

    if (node < 0)
        return err_switch(tree, knot->at, EINVAL, "slurm.conf has no node", name, err);
    bitset_add(&knot->nodes, (uint32_t)node);
    return 0;
}

static int add_switch(struct tree *tree, struct knot *knot, const char *name, struct err *err)
{
    struct knot *below = NULL;

    HASH_FIND_STR(tree->by_name, name, below);
    if (!below)
        return err_switch(tree, knot->at, EINVAL, "no line has SwitchName=", name, err);
    *ARRAY_PUSH(knot->below, knot->below_n) = below->at;
    return 0;
}

/* Turns the names on a switch's line, nodes or switches, into positions. */
static int connect(struct tree *tree, struct knot *knot, struct err *err)
{
    const struct conf_switch *sw = &tree->loader->conf->switches[knot->at];
    AUTO(hostlist) struct hostlist *names = NULL;
    struct err why = { 0 };
    int rc = hostlist_parse(sw->nodes_text ? sw->nodes_text : sw->switches_text, &names, &why);

    if (rc < 0)
        return conf_err(err, -rc, tree->names_at[knot->at], "switch %s: %s", sw->name, why.text);
    rc = load_count_hosts(tree->loader, hostlist_count(names), sw->at, err);
    for (uint32_t i = 0; rc == 0 && i < hostlist_count(names); i++) {
        const char *name = hostlist_get(names, i);

        rc = sw->nodes_text ? add_node(tree, knot, name, err) : add_switch(tree, knot, name, err);
    }
    return rc;
}

/* ---- levels ---- */

/* Gives a switch its level and nodes when all below it have theirs. Returns whether it did. */
static bool settle(struct tree *tree, struct knot *knot, uint32_t level)
{
    for (uint32_t i = 0; i < knot->below_n; i++)
        if (tree->knots[knot->below[i]].level >= level)
            return false;
    for (uint32_t i = 0; i < knot->below_n; i++)
        bitset_or(&knot->nodes, &tree->knots[knot->below[i]].nodes);
    knot->level = level;
    return true;
}

/*
 * Reports a loop. From a switch without a level it goes down over others without one, and ends in
 * the loop.
 */
static int err_loop(const struct tree *tree, uint32_t at, struct err *err)
{
    const struct slurm_conf *conf = tree->loader->conf;
    AUTO(bitset) struct bitset seen = { 0 };

    bitset_init(&seen, conf->switches_n);
    while (!bitset_has(&seen, at)) {
        const struct knot *knot = &tree->knots[at];
        uint32_t i = 0;

        bitset_add(&seen, at);
        while (tree->knots[knot->below[i]].level != LEVEL_NONE)
            i++;
        at = knot->below[i];
    }
    return err_switch(tree, at, ELOOP, "it is among what is below itself, in Switches=",
                      conf->switches[at].switches_text, err);
}

/* Finds all levels from the lowest. `order` gets the positions, those below before those above. */
static int find_levels(struct tree *tree, uint32_t *order, struct err *err)
{
    const struct slurm_conf *conf = tree->loader->conf;
    uint32_t done = 0;

    for (uint32_t level = 0; done < conf->switches_n; level++) {
        const uint32_t before = done;

        if (level == LEVELS_MAX)
            return conf_err(err, E_TOO_BIG, conf->switches[0].at, "more than %d levels of switches",
                            LEVELS_MAX);
        for (uint32_t i = 0; i < conf->switches_n; i++)
            if (tree->knots[i].level == LEVEL_NONE && settle(tree, &tree->knots[i], level))
                order[done++] = i;
        for (uint32_t i = 0; done == before && i < conf->switches_n; i++)
            if (tree->knots[i].level == LEVEL_NONE)
                return err_loop(tree, i, err);
    }
    return 0;
}

/* ---- what the configuration keeps ---- */

/* Brings the switches into their new order; `place` says where each of the file went. */
static void reorder(struct tree *tree, const uint32_t *order, const uint32_t *place)
{
    struct slurm_conf *conf = tree->loader->conf;
    struct conf_switch *sorted = NULL;
    uint32_t sorted_n = 0;

    for (uint32_t i = 0; i < conf->switches_n; i++) {
        const struct knot *knot = &tree->knots[order[i]];
        struct conf_switch *sw = ARRAY_PUSH(sorted, sorted_n);

        *sw = conf->switches[order[i]];
        sw->level = knot->level;
        BITSET_FOREACH (&knot->nodes, k)
            *ARRAY_PUSH(sw->nodes, sw->nodes_n) = (uint32_t)k;
    }
    for (uint32_t i = 0; i < sorted_n; i++) {
        const struct knot *knot = &tree->knots[order[i]];

        for (uint32_t k = 0; k < knot->below_n; k++) {
            struct conf_switch *below = &sorted[place[knot->below[k]]];

            if (below->parent == CONF_UNSET)
                below->parent = i;
        }
    }
    free(conf->switches);
    conf->switches = sorted;
}

static void note_nodes(const struct tree *tree, const struct bitset *nodes, const char *what)
{
    const struct slurm_conf *conf = tree->loader->conf;
    AUTO(strbuf) struct strbuf names = { 0 };
    uint32_t n = 0;

    BITSET_FOREACH (nodes, i)
        if (n++ < NAMED_MAX)
            strbuf_addf(&names, "%s%s", names.len ? "," : "", conf->nodes[i].name);
    if (n)
        conf_notes_add(tree->loader->notes, CONF_NOTE_VALUE, conf->switches[0].at,
                       "%u nodes %s: %s%s", n, what, strbuf_text(&names),
                       n > NAMED_MAX ? ",..." : "");
}

static void note_odd_nodes(const struct tree *tree)
{
    const struct slurm_conf *conf = tree->loader->conf;
    AUTO(bitset) struct bitset once = { 0 };
    AUTO(bitset) struct bitset twice = { 0 };
    AUTO(bitset) struct bitset none = { 0 };

    bitset_init(&once, conf->nodes_n);
    bitset_init(&twice, conf->nodes_n);
    bitset_init(&none, conf->nodes_n);
    for (uint32_t i = 0; i < conf->switches_n; i++) {
        struct bitset both = { 0 };

        if (tree->knots[i].below_n)
            continue;
        bitset_copy(&both, &tree->knots[i].nodes);
        bitset_and(&both, &once);
        bitset_or(&twice, &both);
        bitset_or(&once, &tree->knots[i].nodes);
        bitset_clear(&both);
    }
    bitset_fill(&none);
    bitset_minus(&none, &once);
    note_nodes(tree, &none, "are connected to no switch");
    note_nodes(tree, &twice, "are connected to more than one switch");
}

static int build(struct tree *tree, struct err *err)
{
    const uint32_t n = tree->loader->conf->switches_n;
    AUTO_FREE uint32_t *order = xcalloc(n, sizeof(*order));
    AUTO_FREE uint32_t *place = xcalloc(n, sizeof(*place));
    int rc = index_switches(tree, err);

    for (uint32_t i = 0; rc == 0 && i < n; i++)
        rc = connect(tree, &tree->knots[i], err);
    if (rc == 0)
        rc = find_levels(tree, order, err);
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < n; i++)
        place[order[i]] = i;
    note_odd_nodes(tree);
    reorder(tree, order, place);
    return 0;
}

static void tree_clear(struct tree *tree, uint32_t n)
{
    HASH_CLEAR(hh, tree->by_name);
    for (uint32_t i = 0; tree->knots && i < n; i++) {
        free(tree->knots[i].below);
        bitset_clear(&tree->knots[i].nodes);
    }
    free(tree->knots);
    free(tree->names_at);
}

int load_topology(struct beside *beside, struct err *err)
{
    struct slurm_conf *conf = beside->loader.conf;
    struct tree tree = { .loader = &beside->loader };
    struct conf_file *file;
    struct err why = { 0 };
    int rc = beside_parse(beside, "topology.conf", false, &file, &why);

    if (rc < 0)
        return conf_err(err, why.code, conf_given_at(conf, "TopologyPlugin", NULL),
                        "TopologyPlugin=topology/tree: %s", why.text);
    for (uint32_t i = 0; rc == 0 && i < file->records_n; i++)
        rc = read_line(&tree, &file->records[i], err);
    if (rc == 0 && conf->switches_n)
        rc = build(&tree, err);
    tree_clear(&tree, conf->switches_n);
    for (uint32_t i = 0; i < conf->switches_n; i++)
        conf->switches[i].at.file = NULL; /* its text goes with the file */
    conf_file_free(file);
    return rc;
}

void conf_switches_clear(struct slurm_conf *conf)
{
    for (uint32_t i = 0; i < conf->switches_n; i++) {
        conf_values_clear(switch_keys, &conf->switches[i]);
        free(conf->switches[i].nodes);
    }
    free(conf->switches);
    conf->switches = NULL;
    conf->switches_n = 0;
}
