#include <errno.h>
#include <string.h>

#include "cli/sluice/conf_show.h"
#include "common/conf/beside.h"
#include "common/conf/cgroup_conf.h"
#include "common/conf/container_conf.h"
#include "common/conf/keys.h"
#include "common/conf/value.h"
#include "common/text/words.h"

/* One of the files while it is shown. */
struct shown {
    const struct slurm_conf *conf;
    conf_read_fn read;
    void *ctx;
    const struct conf_file *file; /* NULL: it is not there */
    const struct conf_key *keys;
    struct strbuf *out;
};

/* ---- values for all nodes ---- */

static struct conf_at where(const struct shown *shown, const char *key)
{
    struct conf_at at = { 0 };

    for (uint32_t i = 0; shown->file && i < shown->file->records_n; i++) {
        const struct conf_record *record = &shown->file->records[i];
        const struct conf_pair *pair = conf_record_find(record, key);

        if (pair && pair->value && !conf_record_find(record, "NodeName"))
            at = pair->at;
    }
    return at;
}

static void add_values(const struct shown *shown, const void *base)
{
    for (const struct conf_key *key = shown->keys; key->name; key++) {
        AUTO(strbuf) struct strbuf value = { 0 };

        if (key->at == CONF_NO_FIELD)
            continue;
        conf_value_format(key, (const char *)base + key->at, &value);
        strbuf_addf(shown->out, "%-30s = %-32s", key->name, strbuf_text(&value));
        conf_show_place(where(shown, key->name), shown->out);
    }
}

/* ---- lines about some nodes or devices ---- */

/* Returns today's name of a key; older names share the place of its value. */
static const char *name_today(const struct conf_key *keys, const struct conf_key *key)
{
    for (const struct conf_key *other = keys; key->status == CONF_REPLACED && other->name; other++)
        if (other->at == key->at && other->status == CONF_USED)
            return other->name;
    return key->name;
}

static void add_line(const struct shown *shown, const struct conf_record *record)
{
    const char *space = "";

    for (uint32_t i = 0; i < record->pairs_n; i++) {
        const struct conf_pair *pair = &record->pairs[i];
        const struct conf_key *key = pair->value ? conf_key_find(shown->keys, pair->key) : NULL;

        if (!key)
            continue;
        strbuf_addf(shown->out, "%s%s=%s", space, name_today(shown->keys, key), pair->value);
        space = " ";
    }
    if (*space)
        conf_show_place(record->pairs[0].at, shown->out);
}

static void add_lines(const struct shown *shown, const char *with_key)
{
    for (uint32_t i = 0; shown->file && i < shown->file->records_n; i++)
        if (!with_key || conf_record_find(&shown->file->records[i], with_key))
            add_line(shown, &shown->file->records[i]);
}

/* ---- the files ---- */

static int show_cgroup(const struct shown *shown, struct err *err)
{
    AUTO(conf_cgroup) struct conf_cgroup cgroup = { 0 };
    int rc = conf_cgroup_load(shown->conf->path, shown->read, shown->ctx, NULL, &cgroup, err);

    if (rc == 0)
        add_values(shown, &cgroup);
    return rc;
}

/*
 * Shows the values for all nodes: no node is called "", so only what counts for all of them is
 * there.
 */
static int show_container(const struct shown *shown, struct err *err)
{
    AUTO(conf_container) struct conf_container container = { 0 };
    int rc =
        conf_container_load(shown->conf->path, "", shown->read, shown->ctx, NULL, &container, err);

    if (rc < 0)
        return rc;
    add_values(shown, &container);
    add_lines(shown, "NodeName");
    return 0;
}

static int show_lines(const struct shown *shown, struct err *err)
{
    (void)err;
    add_lines(shown, NULL);
    return 0;
}

static bool always(const struct slurm_conf *conf)
{
    (void)conf;
    return true;
}

static bool has_containers(const struct slurm_conf *conf)
{
    return conf->job_container_type && word_is(conf->job_container_type, "job_container/tmpfs");
}

static bool has_tree(const struct slurm_conf *conf)
{
    return conf->topology == CONF_TOPOLOGY_TREE;
}

static const struct {
    const char *name;
    const struct conf_key *(*keys)(void);
    bool (*is_used)(const struct slurm_conf *conf);
    int (*show)(const struct shown *shown, struct err *err);
} files[] = {
    { "cgroup.conf", conf_cgroup_keys, always, show_cgroup },
    { "gres.conf", conf_gres_keys, always, show_lines },
    { "job_container.conf", conf_container_keys, has_containers, show_container },
    { "topology.conf", conf_switch_keys, has_tree, show_lines },
};

static int show_file(struct shown *shown, size_t i, struct err *err)
{
    AUTO_FREE char *path = conf_path_beside(shown->conf->path, files[i].name);
    struct conf_file *file = NULL;
    struct err why = { 0 };
    int rc = conf_file_parse(path, shown->read, shown->ctx, &file, &why);

    if (rc < 0 && why.code != ENOENT)
        return err_set(err, why.code, "%s", why.text);
    shown->file = file;
    shown->keys = files[i].keys();
    strbuf_addf(shown->out, "\n# %s%s\n", path, file ? "" : " (not there)");
    rc = files[i].show(shown, err);
    conf_file_free(file);
    return rc;
}

int conf_show_beside(const struct slurm_conf *conf, conf_read_fn read, void *ctx,
                     struct strbuf *out, struct err *err)
{
    struct shown shown = { .conf = conf, .read = read, .ctx = ctx, .out = out };
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < ARRAY_N(files); i++)
        if (files[i].is_used(conf))
            rc = show_file(&shown, i, err);
    return rc;
}
