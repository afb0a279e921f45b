#include "common/conf/slurm_conf.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/digest.h"
#include "common/conf/beside.h"
#include "common/conf/load.h"
#include "common/conf/value.h"
#include "common/text/words.h"

#define NO_HOOK_LIMIT_S 65534 /* and more: Slurm's way to say none */

static int load_global(struct loader *loader, const struct conf_pair *pair, struct err *err)
{
    const struct conf_key *table = conf_global_keys();
    const struct conf_key *key;
    int rc = load_pair(loader, table, pair, loader->conf, &key, err);

    if (rc < 0 || !key)
        return rc;
    char **given = &loader->conf->given[key - table];

    if (*given && key->kind != CONF_LIST && key->kind != CONF_HOSTS)
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, pair->at,
                       "%s is given again; this value counts", key->name);
    xstrset(given, pair->value);
    loader->conf->given_at[key - table] = pair->at;
    return 0;
}

/*
 * The kinds in the order in which they are read. In the file a record may come before what it
 * refers to.
 */
static const char *const record_kinds[] = {
    "NodeName", "DownNodes", "NodeSet", "PartitionName", "FrontendName",
};

/* Returns which of record_kinds this key begins, or -1. */
static int record_kind(const char *key)
{
    for (size_t i = 0; i < ARRAY_N(record_kinds); i++)
        if (word_is(key, record_kinds[i]))
            return (int)i;
    return -1;
}

/* Returns the pairs of a record from the key of its kind on; n is 0 when all are global. */
static struct conf_pairs record_part(const struct conf_record *record, int *ret_kind)
{
    for (uint32_t i = 0; i < record->pairs_n; i++) {
        *ret_kind = record_kind(record->pairs[i].key);
        if (*ret_kind >= 0)
            return (struct conf_pairs){ &record->pairs[i], record->pairs_n - i };
    }
    return (struct conf_pairs){ 0 };
}

static int load_globals(struct loader *loader, struct err *err)
{
    for (uint32_t i = 0; i < loader->file->records_n; i++) {
        const struct conf_record *record = &loader->file->records[i];
        int kind;
        uint32_t n = record->pairs_n - record_part(record, &kind).n;

        for (uint32_t k = 0; k < n; k++) {
            int rc = load_global(loader, &record->pairs[k], err);

            if (rc < 0)
                return rc;
        }
    }
    return 0;
}

/* The defaults, which DEFAULT records change during the walk. */
struct defaults {
    struct conf_node_line node;
    struct conf_partition partition;
};

static int load_record(struct loader *loader, const char *kind, struct conf_pairs pairs,
                       struct defaults *defaults, struct err *err)
{
    if (word_is(kind, "NodeName"))
        return load_node_line(loader, pairs, &defaults->node, err);
    if (word_is(kind, "NodeSet"))
        return load_nodeset(loader, pairs, err);
    if (word_is(kind, "PartitionName"))
        return load_partition(loader, pairs, &defaults->partition, err);
    if (word_is(kind, "DownNodes"))
        return load_down_line(loader, pairs, err);
    return load_pairs(loader, conf_frontend_keys(), pairs, NULL, err);
}

static int load_records(struct loader *loader, int kind, struct defaults *defaults, struct err *err)
{
    for (uint32_t i = 0; i < loader->file->records_n; i++) {
        int found = -1;
        struct conf_pairs pairs = record_part(&loader->file->records[i], &found);

        if (found != kind)
            continue;
        struct err why = { 0 };
        load_note_exclusive(loader, pairs);
        int rc = load_record(loader, record_kinds[kind], pairs, defaults, &why);

        if (rc < 0 && conf_notes_go_on(loader->notes, rc, pairs.at->at, &why) < 0)
            return err_set(err, why.code, "%s", why.text);
    }
    return 0;
}

static int load_all_records(struct loader *loader, struct err *err)
{
    struct defaults defaults = { 0 };
    int rc = 0;

    conf_values_preset(conf_node_keys(), &defaults.node);
    conf_values_preset(conf_partition_keys(), &defaults.partition);
    defaults.partition.disable_root_jobs = loader->conf->disable_root_jobs;
    for (size_t i = 0; rc >= 0 && i < ARRAY_N(record_kinds); i++)
        rc = load_records(loader, (int)i, &defaults, err);
    conf_values_clear(conf_node_keys(), &defaults.node);
    conf_values_clear(conf_partition_keys(), &defaults.partition);
    return rc;
}

static uint32_t global_keys_n(void)
{
    uint32_t n = 0;

    while (conf_global_keys()[n].name)
        n++;
    return n;
}

static int load(struct loader *loader, struct err *err)
{
    static int (*const steps[])(struct loader * loader, struct err * err) = {
        load_globals, load_controllers, load_derived, load_scheduling, load_all_records,
    };
    const struct conf_at start = { loader->conf->files[0], 1, 1 };

    for (size_t i = 0; i < ARRAY_N(steps); i++) {
        struct err why = { 0 };
        int rc = steps[i](loader, &why);

        if (rc < 0 && conf_notes_go_on(loader->notes, rc, start, &why) < 0)
            return err_set(err, why.code, "%s", why.text);
    }
    load_launch(loader);
    load_note_exclusive_keys(loader);
    if (loader->conf->max_node_count < loader->conf->nodes_n)
        loader->conf->max_node_count = loader->conf->nodes_n;
    return 0;
}

/* Returns a hash of all keys and values. Keys are the same in any case. */
static uint64_t digest_of(const struct conf_file *file)
{
    uint64_t digest = DIGEST_START;

    for (uint32_t i = 0; i < file->records_n; i++) {
        const struct conf_record *record = &file->records[i];

        for (uint32_t k = 0; k < record->pairs_n; k++) {
            const struct conf_pair *pair = &record->pairs[k];

            for (const char *c = pair->key; *c; c++)
                digest_fold(&digest, &(char){ (char)tolower((unsigned char)*c) }, 1);
            digest_fold(&digest, "=", 1);
            digest_fold(&digest, pair->value ? pair->value : "",
                        1 + strlen(pair->value ? pair->value : ""));
        }
        digest_fold(&digest, "\n", 1);
    }
    return digest;
}

int slurm_conf_load_from(const char *path, conf_read_fn read, void *ctx,
                         struct slurm_conf **ret_conf, struct conf_notes *notes, struct err *err)
{
    struct loader loader = { .notes = notes };
    struct conf_file *file;
    int rc = conf_file_parse_noting(path, read, ctx, notes, &file, err);

    if (rc < 0)
        return rc;
    loader.file = file;
    loader.conf = xcalloc(1, sizeof(*loader.conf));
    loader.conf->path = xstrdup(path);
    loader.conf->given = xcalloc(global_keys_n(), sizeof(char *));
    loader.conf->given_at = xcalloc(global_keys_n(), sizeof(struct conf_at));
    loader.conf->files_n = file->names_n;
    loader.conf->files = file->names; /* positions in the records go on pointing to them */
    file->names = NULL;
    file->names_n = 0;
    loader.conf->digest = digest_of(file);
    conf_values_preset(conf_global_keys(), loader.conf);
    rc = load(&loader, err);
    load_index_free(&loader);
    conf_file_free(file);
    if (rc < 0)
        slurm_conf_free(loader.conf);
    else
        *ret_conf = loader.conf;
    return rc < 0 ? rc : 0;
}

int slurm_conf_load(const char *path, struct slurm_conf **ret_conf, struct conf_notes *notes,
                    struct err *err)
{
    int rc = slurm_conf_load_from(path, conf_read_disk, NULL, ret_conf, notes, err);

    if (rc == -ENOENT && access(path, F_OK) < 0) /* and no file that it includes */
        return err_set(err, ENOENT,
                       "there is no %s ($SLURM_CONF names another place). Of a cluster of `sluice "
                       "up`, eval \"$(sluice env)\" sets that; `sluice init` makes the file on the "
                       "head of a new cluster, `sluice join` fetches it from there",
                       path);
    return rc;
}

void conf_node_clear(struct conf_node *node)
{
    free(node->name);
    free(node->addr);
    free(node->hostname);
    free(node->cpu_spec_list);
    free(node->features);
    free(node->active_features);
    free(node->gres);
    conf_devices_clear(node);
    free(node->reason);
}

static void free_records(struct slurm_conf *conf)
{
    for (uint32_t i = 0; i < conf->nodes_n; i++)
        conf_node_clear(&conf->nodes[i]);
    free(conf->nodes);
    for (uint32_t i = 0; i < conf->nodesets_n; i++)
        conf_values_clear(conf_nodeset_keys(), &conf->nodesets[i]);
    free(conf->nodesets);
    for (uint32_t i = 0; i < conf->partitions_n; i++) {
        conf_values_clear(conf_partition_keys(), &conf->partitions[i]);
        free(conf->partitions[i].nodes);
    }
    free(conf->partitions);
    conf_switches_clear(conf);
}

bool slurm_conf_has_dbd(const struct slurm_conf *conf)
{
    return word_is(conf->accounting_type, "accounting_storage/slurmdbd");
}

uint16_t slurm_conf_dbd_port(const struct slurm_conf *conf)
{
    return conf->accounting_port ? (uint16_t)conf->accounting_port : CONF_DBD_PORT;
}

struct slurm_conf *slurm_conf_ref(struct slurm_conf *conf)
{
    conf->others_n++;
    return conf;
}

struct slurm_conf *slurm_conf_free(struct slurm_conf *conf)
{
    if (!conf || conf->others_n-- > 0)
        return NULL;
    free_records(conf);
    conf_values_clear(conf_global_keys(), conf);
    for (uint32_t i = 0; i < conf->controllers_n; i++) {
        free(conf->controllers[i].name);
        free(conf->controllers[i].addr);
    }
    free(conf->controllers);
    for (uint32_t i = 0, n = global_keys_n(); i < n; i++)
        free(conf->given[i]);
    free(conf->given);
    free(conf->given_at);
    for (uint32_t i = 0; i < conf->files_n; i++)
        free(conf->files[i]);
    free(conf->files);
    licenses_clear(&conf->license_list);
    tres_weights_clear(&conf->priority_tres);
    free(conf->auth_socket);
    free(conf->path);
    free(conf);
    return NULL;
}

static struct conf_hook_limit hook_limit(const struct slurm_conf *conf, const char *key,
                                         uint32_t seconds)
{
    struct conf_hook_limit limit = { seconds, key };

    if (seconds == CONF_UNSET)
        limit = (struct conf_hook_limit){ conf->prolog_epilog_timeout_s, "PrologEpilogTimeout=" };
    if (limit.seconds >= NO_HOOK_LIMIT_S)
        limit.seconds = 0;
    return limit;
}

struct conf_hook_limit slurm_conf_prolog_limit(const struct slurm_conf *conf)
{
    return hook_limit(conf, "PrologTimeout=", conf->prolog_timeout_s);
}

struct conf_hook_limit slurm_conf_epilog_limit(const struct slurm_conf *conf)
{
    return hook_limit(conf, "EpilogTimeout=", conf->epilog_timeout_s);
}

bool slurm_conf_propagates(const struct slurm_conf *conf, int resource)
{
    uint32_t bit = 1u << resource;

    if (conf->propagate_rlimits_except)
        return !(conf->propagate_rlimits_except & (bit | CONF_RLIMITS_ALL));
    return (conf->propagate_rlimits & (bit | CONF_RLIMITS_ALL)) != 0;
}

const char *slurm_conf_path(void)
{
    const char *named = getenv("SLURM_CONF");

    if (named && named[0])
        return named;
    if (access("/etc/slurm/slurm.conf", F_OK) < 0 &&
        access("/etc/slurm-llnl/slurm.conf", F_OK) == 0)
        return "/etc/slurm-llnl/slurm.conf";
    return "/etc/slurm/slurm.conf";
}

const struct conf_node *slurm_conf_find_node(const struct slurm_conf *conf, const char *name)
{
    for (uint32_t i = 0; i < conf->nodes_n; i++)
        if (strcmp(conf->nodes[i].name, name) == 0)
            return &conf->nodes[i];
    return NULL;
}

/* Returns whether `name` is the host's name with its domain or without. */
static bool is_name_of(const char *name, const char *host)
{
    size_t brief = strcspn(host, ".");

    return strcasecmp(name, host) == 0 || (strncasecmp(name, host, brief) == 0 && !name[brief]);
}

bool slurm_conf_node_is_on(const struct conf_node *node, const char *host)
{
    return is_name_of(node->hostname, host);
}

bool slurm_conf_controller_is_on(const struct conf_host *controller, const char *host)
{
    return is_name_of(controller->name, host) || is_name_of(host, controller->name) ||
           strcasecmp(controller->name, "localhost") == 0;
}

const struct conf_partition *slurm_conf_find_partition(const struct slurm_conf *conf,
                                                       const char *name)
{
    for (uint32_t i = 0; i < conf->partitions_n; i++)
        if (strcmp(conf->partitions[i].name, name) == 0)
            return &conf->partitions[i];
    return NULL;
}

const struct conf_partition *slurm_conf_default_partition(const struct slurm_conf *conf)
{
    for (uint32_t i = 0; i < conf->partitions_n; i++)
        if (conf->partitions[i].is_default)
            return &conf->partitions[i];
    return NULL;
}
