#include "cli/sluice/cluster_conf.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/conf/file.h"
#include "common/conf/slurm_conf.h"

#define MEMORY_USUAL_MB 1000

/* ---- the user's lines ---- */

struct extra {
    struct strbuf text;
    struct conf_file *file;
};

static int read_extra(const char *path, struct extra *ret, struct err *err)
{
    int rc = conf_read_disk(NULL, path, &ret->text, err);

    if (rc < 0)
        return err_prefix(err, "--conf");
    if (ret->text.len && ret->text.data[ret->text.len - 1] != '\n')
        strbuf_adds(&ret->text, "\n");
    rc = conf_file_parse(path, conf_read_disk, NULL, &ret->file, err);
    return rc < 0 ? err_prefix(err, "--conf") : 0;
}

static void extra_clear(struct extra *extra)
{
    strbuf_clear(&extra->text);
    if (extra->file)
        conf_file_free(extra->file);
}

/* True for a line that begins with `key`; lines of DEFAULT values are told from the others. */
static bool record_is(const struct conf_record *record, const char *key, bool of_defaults)
{
    const struct conf_pair *first = &record->pairs[0];
    bool is_default = first->value && strcasecmp(first->value, "DEFAULT") == 0;

    return strcasecmp(first->key, key) == 0 && is_default == of_defaults;
}

/* True if the user's lines say themselves what a line of ours with this first key says. */
static bool extra_says(const struct extra *extra, const char *key)
{
    for (uint32_t i = 0; extra->file && i < extra->file->records_n; i++) {
        if (record_is(&extra->file->records[i], key, false))
            return true;
    }
    return false;
}

/* True if the user's NodeName=DEFAULT or PartitionName=DEFAULT gives one of `keys`. */
static bool extra_presets(const struct extra *extra, const char *record_key,
                          const char *const *keys)
{
    for (uint32_t i = 0; extra->file && i < extra->file->records_n; i++) {
        if (!record_is(&extra->file->records[i], record_key, true))
            continue;
        for (const char *const *key = keys; *key; key++) {
            if (conf_record_find(&extra->file->records[i], *key))
                return true;
        }
    }
    return false;
}

/* ---- our lines ---- */

static void add_line(struct strbuf *conf, const struct extra *extra, char *line)
{
    AUTO_FREE char *key = xstrndup(line, strcspn(line, "="));

    if (!extra_says(extra, key))
        strbuf_addf(conf, "%s\n", line);
    free(line);
}

static void add_settings(const struct cluster *cluster, const char *host, uint32_t port,
                         const struct extra *extra, struct strbuf *conf)
{
    const struct passwd *user = getpwuid(getuid());
    AUTO_FREE char *number = xasprintf("%u", getuid());
    const char *who = user ? user->pw_name : number, *dir = cluster->dir;

    add_line(conf, extra, xasprintf("ClusterName=local"));
    add_line(conf, extra, xasprintf("SlurmctldHost=%s(127.0.0.1)", host));
    add_line(conf, extra, xasprintf("SlurmctldPort=%u", port));
    add_line(conf, extra, xasprintf("SlurmUser=%s", who));
    add_line(conf, extra, xasprintf("SlurmdUser=%s", who));
    add_line(conf, extra, xasprintf("AuthType=auth/munge"));
    add_line(conf, extra, xasprintf("AuthInfo=socket=%s", cluster->auth_socket));
    add_line(conf, extra, xasprintf("StateSaveLocation=%s/state", dir));
    add_line(conf, extra, xasprintf("SlurmdSpoolDir=%s/spool/%%n", dir));
    add_line(conf, extra, xasprintf("SlurmctldPidFile=%s/run/slurmctld.pid", dir));
    add_line(conf, extra, xasprintf("SlurmdPidFile=%s/run/%%n.pid", dir));
    add_line(conf, extra, xasprintf("SlurmctldLogFile=%s/log/slurmctld.log", dir));
    add_line(conf, extra, xasprintf("SlurmdLogFile=%s/log/%%n.log", dir));
    add_line(conf, extra, xasprintf("SchedulerType=sched/backfill"));
    add_line(conf, extra, xasprintf("SelectType=select/cons_tres"));
    add_line(conf, extra, xasprintf("SelectTypeParameters=CR_Core"));
    add_line(conf, extra, xasprintf("ReturnToService=2"));
    add_line(conf, extra, xasprintf("SlurmdParameters=config_overrides"));
    add_line(conf, extra, xasprintf("PropagateResourceLimitsExcept=MEMLOCK"));
}

/*
 * Appends the nodes: what the command line gives stands above the user's DEFAULT values, and these
 * above ours.
 */
static void add_nodes(const struct cluster_shape *shape, const char *host, uint32_t first_port,
                      const struct extra *extra, struct strbuf *conf)
{
    static const char *const cpus[] = { "CPUs",           "Procs",
                                        "Boards",         "SocketsPerBoard",
                                        "Sockets",        "CoresPerSocket",
                                        "ThreadsPerCore", NULL };
    static const char *const memory[] = { "RealMemory", NULL }, *const state[] = { "State", NULL };
    uint32_t nodes = shape->nodes ? shape->nodes : CLUSTER_NODES_USUAL;

    if (extra_says(extra, "NodeName"))
        return;
    strbuf_addf(conf, "NodeName=node-[1-%u] NodeHostname=%s NodeAddr=127.0.0.1 Port=[%u-%u]", nodes,
                host, first_port, first_port + nodes - 1);
    if (shape->cpus || !extra_presets(extra, "NodeName", cpus))
        strbuf_addf(conf, " CPUs=%u",
                    shape->cpus ? shape->cpus : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
    if (shape->memory_mb || !extra_presets(extra, "NodeName", memory))
        strbuf_addf(conf, " RealMemory=%llu",
                    (unsigned long long)(shape->memory_mb ? shape->memory_mb : MEMORY_USUAL_MB));
    if (!extra_presets(extra, "NodeName", state))
        strbuf_adds(conf, " State=UNKNOWN");
    strbuf_adds(conf, "\n");
}

static void add_partition(const struct extra *extra, struct strbuf *conf)
{
    static const char *const time[] = { "MaxTime", NULL }, *const state[] = { "State", NULL };

    if (extra_says(extra, "PartitionName"))
        return;
    strbuf_adds(conf, "PartitionName=main Nodes=ALL Default=YES");
    if (!extra_presets(extra, "PartitionName", time))
        strbuf_adds(conf, " MaxTime=INFINITE");
    if (!extra_presets(extra, "PartitionName", state))
        strbuf_adds(conf, " State=UP");
    strbuf_adds(conf, "\n");
}

int cluster_conf_make(const struct cluster *cluster, const struct cluster_shape *shape,
                      uint32_t port, struct strbuf *out, struct err *err)
{
    struct extra extra = { 0 };
    char host[256] = "localhost";
    int rc = shape->extra_conf ? read_extra(shape->extra_conf, &extra, err) : 0;

    gethostname(host, sizeof(host) - 1);
    host[strcspn(host, ".")] = '\0';
    if (rc == 0) {
        strbuf_adds(out, "# Written by `sluice up`; change what you like, then `scontrol "
                         "reconfigure`.\n");
        add_settings(cluster, host, port, &extra, out);
        strbuf_adds(out, strbuf_text(&extra.text)); /* DEFAULT values hold for lines after them */
        add_nodes(shape, host, port + 1, &extra, out);
        add_partition(&extra, out);
    }
    extra_clear(&extra);
    return rc;
}

/* ---- what it has come to ---- */

int cluster_conf_is_new(const struct cluster *cluster, const struct cluster_shape *shape,
                        struct err *err)
{
    struct slurm_conf *conf = NULL;
    int rc = slurm_conf_load(cluster->conf_path, &conf, NULL, err);

    if (rc < 0)
        return rc;
    if (conf->nodes_n == 0)
        rc = err_set(err, EINVAL, "'%s' leaves the cluster without a node", shape->extra_conf);
    else if (shape->nodes && conf->nodes_n != shape->nodes)
        rc = err_set(err, EINVAL, "'%s' names %u nodes itself, not %u: leave the number out",
                     shape->extra_conf, conf->nodes_n, shape->nodes);
    slurm_conf_free(conf);
    return rc;
}

/* Appends how the cluster's file is not what is asked for; nothing when it is. */
static void describe_difference(const struct slurm_conf *conf, const struct cluster_shape *asked,
                                struct strbuf *out)
{
    if (asked->nodes && conf->nodes_n != asked->nodes)
        strbuf_addf(out, "has %u nodes, not %u", conf->nodes_n, asked->nodes);
    for (uint32_t i = 0; out->len == 0 && i < conf->nodes_n; i++) {
        const struct conf_node *node = &conf->nodes[i];

        if (asked->cpus && node->cpus != asked->cpus)
            strbuf_addf(out, "has nodes of %u cpus, not %u", node->cpus, asked->cpus);
        else if (asked->memory_mb && node->memory_mb != asked->memory_mb)
            strbuf_addf(out, "has nodes of %llu MB, not %llu", (unsigned long long)node->memory_mb,
                        (unsigned long long)asked->memory_mb);
    }
}

/* Appends how the user's lines differ, which stand in the file as they are. */
static int describe_lines(const struct cluster *cluster, const char *path, struct strbuf *out,
                          struct err *err)
{
    AUTO(strbuf) struct strbuf conf = { 0 };
    struct extra extra = { 0 };
    int rc = read_extra(path, &extra, err);

    if (rc == 0)
        rc = conf_read_disk(NULL, cluster->conf_path, &conf, err);
    if (rc == 0 && !strstr(strbuf_text(&conf), strbuf_text(&extra.text)))
        strbuf_addf(out, "was made without the lines of '%s'", path);
    extra_clear(&extra);
    return rc;
}

int cluster_conf_is_as_asked(const struct cluster *cluster, const struct cluster_shape *asked,
                             struct err *err)
{
    AUTO(strbuf) struct strbuf difference = { 0 };
    AUTO_FREE char *option = cluster_dir_option(cluster);
    struct slurm_conf *conf = NULL;
    int rc = slurm_conf_load(cluster->conf_path, &conf, NULL, err);

    if (rc == 0)
        describe_difference(conf, asked, &difference);
    slurm_conf_free(conf);
    if (rc == 0 && difference.len == 0 && asked->extra_conf)
        rc = describe_lines(cluster, asked->extra_conf, &difference, err);
    if (rc == 0 && difference.len > 0)
        rc = err_set(err, EEXIST,
                     "the cluster in %s %s: `sluice down%s` ends it, with its jobs and history, "
                     "and then `sluice up` makes another",
                     cluster->dir, strbuf_text(&difference), option);
    return rc;
}
