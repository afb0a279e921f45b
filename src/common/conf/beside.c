#include <errno.h>
#include <string.h>

#include "common/conf/load_beside.h"
#include "common/conf/value.h"
#include "common/text/hostlist.h"

/* A reader that tells whether the file itself is missing, rather than one that it includes. */
struct probe {
    const struct beside *beside;
    const char *path;
    bool missing;
};

static int read_probed(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    struct probe *probe = ctx;
    int rc = probe->beside->read(probe->beside->ctx, path, text, err);

    if (rc == -ENOENT && strcmp(path, probe->path) == 0)
        probe->missing = true;
    return rc;
}

char *conf_path_beside(const char *conf_path, const char *name)
{
    const char *slash = strrchr(conf_path, '/');

    return xasprintf("%.*s%s", slash ? (int)(slash + 1 - conf_path) : 0, conf_path, name);
}

int beside_parse(struct beside *beside, const char *name, bool optional,
                 struct conf_file **ret_file, struct err *err)
{
    AUTO_FREE char *path = conf_path_beside(beside->loader.conf->path, name);
    struct probe probe = { .beside = beside, .path = path };
    struct err why = { 0 };
    int rc =
        conf_file_parse_noting(path, read_probed, &probe, beside->loader.notes, ret_file, &why);

    if (rc < 0 && optional && probe.missing) {
        *ret_file = xcalloc(1, sizeof(**ret_file));
        rc = 0;
    }
    if (rc < 0)
        return err_set(err, why.code, "%s", why.text);
    beside->loader.file = *ret_file;
    return 0;
}

/* ---- files that only set values ---- */

static int is_meant(const struct conf_record *record, const char *node, bool *ret, struct err *err)
{
    const struct conf_pair *pair = conf_record_find(record, "NodeName");
    struct hostlist *nodes = NULL;
    struct err why = { 0 };

    *ret = true;
    if (!pair || !pair->value)
        return 0;
    if (hostlist_parse(pair->value, &nodes, &why) < 0)
        return conf_err(err, why.code, pair->value_at, "NodeName: %s", why.text);
    *ret = hostlist_find(nodes, node) >= 0;
    hostlist_free(nodes);
    return 0;
}

static int read_values(struct beside *beside, const struct beside_table *table,
                       const struct conf_record *record, void *base, struct err *err)
{
    const struct conf_pairs pairs = { record->pairs, record->pairs_n };
    bool meant = true;
    int rc = table->node ? is_meant(record, table->node, &meant, err) : 0;

    return rc == 0 && meant ? load_pairs(&beside->loader, table->keys, pairs, base, err) : rc;
}

int beside_read(struct beside *beside, const char *conf_path, const struct beside_table *table,
                void *base, struct err *err)
{
    struct slurm_conf place = { .path = (char *)(uintptr_t)conf_path };
    struct conf_file *file = NULL;
    int rc;

    beside->loader.conf = &place;
    rc = beside_parse(beside, table->name, table->optional, &file, err);
    conf_values_preset(table->keys, base);
    for (uint32_t i = 0; rc == 0 && i < file->records_n; i++)
        rc = read_values(beside, table, &file->records[i], base, err);
    conf_file_free(file);
    beside->loader.conf = NULL;
    return rc;
}

/* ---- beside slurm.conf, into it ---- */

static int load(struct beside *beside, bool topology, struct err *err)
{
    int rc;

    load_index_nodes(&beside->loader);
    rc = load_gres(beside, err);
    if (rc == 0 && topology)
        rc = load_topology(beside, err);
    load_index_free(&beside->loader);
    return rc;
}

int conf_load_gres(struct slurm_conf *conf, struct conf_notes *notes, struct err *err)
{
    struct beside beside = {
        .loader = { .conf = conf, .notes = notes },
        .read = conf_read_disk,
    };

    return load(&beside, false, err);
}

int conf_load_beside_from(struct slurm_conf *conf, conf_read_fn read, void *ctx,
                          struct conf_notes *notes, struct err *err)
{
    struct beside beside = {
        .loader = { .conf = conf, .notes = notes },
        .read = read,
        .ctx = ctx,
    };

    return load(&beside, conf->topology == CONF_TOPOLOGY_TREE, err);
}

int conf_load_beside(struct slurm_conf *conf, struct conf_notes *notes, struct err *err)
{
    return conf_load_beside_from(conf, conf_read_disk, NULL, notes, err);
}
