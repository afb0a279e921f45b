#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/digest.h"
#include "common/conf/paths.h"
#include "noded/main/daemon.h"

#define CONF_USUAL "/etc/slurm/slurm.conf"

int settings_find_node(const struct daemon *daemon, struct settings *settings, struct err *err)
{
    const struct slurm_conf *conf = settings->conf;
    const char *name = daemon->options.node_name;
    AUTO_FREE char *brief = xstrndup(daemon->host, strcspn(daemon->host, "."));

    if (name)
        settings->node = slurm_conf_find_node(conf, name);
    for (uint32_t i = 0; !name && !settings->node && i < conf->nodes_n; i++) {
        if (strcmp(conf->nodes[i].hostname, brief) == 0 ||
            strcmp(conf->nodes[i].hostname, daemon->host) == 0)
            settings->node = &conf->nodes[i];
    }
    if (settings->node)
        return 0;
    return err_set(err, EINVAL,
                   "Unable to determine this slurmd's NodeName: %s '%s' is no %s in %s",
                   name ? "-N" : "this host,", name ? name : daemon->host,
                   name ? "NodeName" : "NodeHostname", conf->path);
}

#define MADE_UP 1

/* Chooses SlurmdUser when it is somebody, else a user of the package's, else one that is free: then
 * returns MADE_UP. */
static int choose_agent_user(const void *arg, struct proc_user *ret_user, struct err *err)
{
    static const char *const names[] = { "slurmd", "sluice" };
    const struct settings *settings = arg;
    const char *wanted = settings->conf->slurmd_user;
    int rc;

    if (wanted && strcmp(wanted, "root") != 0 && strcmp(wanted, "0") != 0)
        return proc_user_lookup(wanted, ret_user, err);
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (proc_user_lookup(names[i], ret_user, NULL) == 0)
            return 0;
    }
    rc = proc_user_make_up(settings->node->name, ret_user, err);
    return rc < 0 ? err_prefix(err, "the network half has no user: set SlurmdUser") : MADE_UP;
}

static int find_agent_user(struct settings *settings, struct err *err)
{
    int rc;

    if (geteuid() != 0)
        return 0;
    rc = proc_user_apart(choose_agent_user, settings, &settings->agent_user, err);
    settings->agent_user_is_made_up = rc == MADE_UP;
    return rc < 0 ? rc : 0;
}

static int find_slurm_user(struct settings *settings, struct err *err)
{
    AUTO(proc_user) struct proc_user user = { 0 };
    int rc = proc_user_lookup_apart(settings->conf->slurm_user, &user, err);

    if (rc < 0)
        return err_prefix(err, "SlurmUser=%s in %s", settings->conf->slurm_user,
                          settings->conf->path);
    settings->slurm_uid = user.uid;
    return 0;
}

static void fill_paths(const struct daemon *daemon, struct settings *settings)
{
    const struct slurm_conf *conf = settings->conf;
    const char *node = settings->node->name;
    const char *log = daemon->options.log_path ? daemon->options.log_path : conf->slurmd_log_file;
    AUTO_FREE char *real = realpath(conf->path, NULL);

    settings->spool_dir = conf_path_expand(conf->slurmd_spool_dir, daemon->host, node);
    settings->pid_file = conf_path_expand(conf->slurmd_pid_file, daemon->host, node);
    settings->log_file = log ? conf_path_expand(log, daemon->host, node) : NULL;
    if (strcmp(conf->path, CONF_USUAL) != 0)
        settings->job_conf_path = xstrdup(real ? real : conf->path);
    settings->controllers = xcalloc(conf->controllers_n, sizeof(*settings->controllers));
    for (uint32_t i = 0; i < conf->controllers_n; i++)
        settings->controllers[i] = conf->controllers[i].addr;
}

static void log_notes(struct log *log, const struct conf_notes *notes)
{
    for (uint32_t i = 0; i < notes->notes_n; i++) {
        AUTO_FREE char *text = conf_note_format(&notes->notes[i]);

        log_info(log, "%s", text);
    }
}

int settings_read_file(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    struct settings *settings = ctx;
    const size_t before = text->len;
    int rc = conf_read_disk(NULL, path, text, err);

    digest_fold(&settings->digest, path, strlen(path) + 1);
    digest_fold(&settings->digest, &rc, sizeof(rc));
    digest_fold(&settings->digest, text->data + before, text->len - before);
    return rc;
}

static int load_conf(const struct daemon *daemon, struct settings *settings,
                     struct conf_notes *notes, struct err *err)
{
    const char *path = daemon->options.conf_path;
    int rc = slurm_conf_load_from(path, settings_read_file, settings, &settings->conf, notes, err);

    /* For no file at all, slurm_conf_load has the better words. */
    return rc == -ENOENT ? slurm_conf_load(path, &settings->conf, notes, err) : rc;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool settings_are_same(const struct settings *a, const struct settings *b)
{
    uint64_t gpus[2] = { 0 };

    for (uint32_t i = 0; i < a->gpus_n; i++)
        digest_fold(&gpus[0], a->gpus[i].file, strlen(a->gpus[i].file) + 1);
    for (uint32_t i = 0; i < b->gpus_n; i++)
        digest_fold(&gpus[1], b->gpus[i].file, strlen(b->gpus[i].file) + 1);
    return a->digest == b->digest && same_text(a->conf->debug_flags, b->conf->debug_flags) &&
           a->slurm_uid == b->slurm_uid && a->agent_user.uid == b->agent_user.uid &&
           a->log_level == b->log_level && a->gpus_n == b->gpus_n && gpus[0] == gpus[1];
}

int settings_load(const struct daemon *daemon, struct settings *ret, struct err *err)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct settings settings = { 0 };
    int rc = load_conf(daemon, &settings, &notes, err);

    if (rc == 0)
        rc = settings_find_node(daemon, &settings, err);
    if (rc == 0)
        rc = find_slurm_user(&settings, err);
    if (rc == 0)
        rc = find_agent_user(&settings, err);
    if (rc < 0) {
        settings_clear(&settings);
        return rc;
    }
    fill_paths(daemon, &settings);
    rc = settings_load_bounds(daemon, &settings, &notes, err);
    if (rc < 0) {
        settings_clear(&settings);
        return rc;
    }
    settings.log_level =
        (enum log_level)settings.conf->slurmd_debug + (unsigned)daemon->options.verbose;
    log_set_level(daemon->log, settings.log_level);
    log_notes(daemon->log, &notes);
    *ret = settings;
    return 0;
}

void settings_clear(struct settings *settings)
{
    free(settings->spool_dir);
    free(settings->pid_file);
    free(settings->log_file);
    free(settings->job_conf_path);
    free(settings->controllers);
    proc_user_clear(&settings->agent_user);
    settings_clear_bounds(settings);
    slurm_conf_free(settings->conf);
    *settings = (struct settings){ 0 };
}
