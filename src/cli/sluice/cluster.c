/* cluster.c - the directory of a cluster, and its daemons as processes. */
#include "cli/sluice/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/strbuf.h"
#include "common/conf/slurm_conf.h"
#include "common/text/hostlist.h"

#define STOP_WAIT_MS 10000

/*
 * Returns the directory. Root's cluster has daemons and jobs of other users, who may not look into
 * root's home.
 */
static char *default_dir(struct err *err)
{
    const char *home = getenv("HOME");

    if (geteuid() == 0)
        return xstrdup("/var/lib/sluice/cluster");
    if (home && *home == '/')
        return xasprintf("%s/.sluice/cluster", home);
    err_set(err, EINVAL, "no --dir, and neither SLUICE_DIR nor HOME is set");
    return NULL;
}

static char *absolute_dir(const char *dir)
{
    AUTO_FREE char *here = *dir == '/' ? NULL : getcwd(NULL, 0);

    return here ? xasprintf("%s/%s", here, dir) : xstrdup(dir);
}

int cluster_init(struct cluster *cluster, const char *dir, struct err *err)
{
    *cluster = (struct cluster){ 0 };
    if (!dir)
        dir = getenv("SLUICE_DIR");
    cluster->dir = dir ? absolute_dir(dir) : default_dir(err);
    if (!cluster->dir)
        return -EINVAL;
    cluster->conf_path = xasprintf("%s/etc/slurm.conf", cluster->dir);
    cluster->key_path = xasprintf("%s/etc/munge.key", cluster->dir);
    cluster->auth_socket = xasprintf("%s/run/munge.socket.2", cluster->dir);
    if (strlen(cluster->auth_socket) >= sizeof(((struct sockaddr_un *)0)->sun_path))
        return err_set(err, ENAMETOOLONG,
                       "'%s' is too long a path for a socket; choose another "
                       "--dir",
                       cluster->auth_socket);
    return 0;
}

void cluster_clear(struct cluster *cluster)
{
    free(cluster->dir);
    free(cluster->conf_path);
    free(cluster->key_path);
    free(cluster->auth_socket);
    *cluster = (struct cluster){ 0 };
}

void cluster_auto_(struct cluster *cluster)
{
    cluster_clear(cluster);
}

void shell_quote(const char *text, struct strbuf *out)
{
    strbuf_adds(out, "'");
    for (; *text; text++) {
        if (*text == '\'')
            strbuf_adds(out, "'\\''");
        else
            strbuf_addc(out, *text);
    }
    strbuf_adds(out, "'");
}

static bool needs_quotes(const char *path)
{
    return path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "/._-+:@%")];
}

char *cluster_dir_option(const struct cluster *cluster)
{
    AUTO(cluster) struct cluster found = { 0 };
    AUTO(strbuf) struct strbuf option = { 0 };

    if (cluster_init(&found, NULL, NULL) < 0 || strcmp(found.dir, cluster->dir) != 0) {
        strbuf_adds(&option, " --dir ");
        if (needs_quotes(cluster->dir))
            shell_quote(cluster->dir, &option);
        else
            strbuf_adds(&option, cluster->dir);
    }
    return strbuf_steal(&option);
}

bool cluster_exists(const struct cluster *cluster)
{
    return access(cluster->conf_path, R_OK) == 0;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

/* Removes only what `up` made, so that a --dir given by mistake loses nothing else. */
int cluster_remove(const struct cluster *cluster, struct err *err)
{
    static const char *const parts[] = { "etc", "run", "log", "state", "spool" };

    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        AUTO_FREE char *path = xasprintf("%s/%s", cluster->dir, parts[i]);

        if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) < 0 && errno != ENOENT)
            return err_set(err, errno, "cannot remove '%s': %s", path, strerror(errno));
    }
    rmdir(cluster->dir); /* stays when something else is in it */
    return 0;
}

int cluster_nodes(const struct cluster *cluster, struct hostlist **ret, struct err *err)
{
    struct slurm_conf *conf = NULL;
    int rc = slurm_conf_load(cluster->conf_path, &conf, NULL, err);

    if (rc < 0)
        return rc;
    *ret = hostlist_new();
    for (uint32_t i = 0; i < conf->nodes_n; i++)
        hostlist_add(*ret, conf->nodes[i].name);
    slurm_conf_free(conf);
    return 0;
}

/* ---- processes ---- */

/* True if the process was started for this cluster: its command line names the directory. */
static bool is_ours(const struct cluster *cluster, pid_t pid)
{
    AUTO_FREE char *path = xasprintf("/proc/%d/cmdline", (int)pid);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    char line[4096];
    ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line));

    return n > 0 && memmem(line, (size_t)n, cluster->dir, strlen(cluster->dir));
}

pid_t cluster_pid(const struct cluster *cluster, const char *name)
{
    AUTO_FREE char *path = xasprintf("%s/run/%s.pid", cluster->dir, name);
    FILE *file = fopen(path, "re");
    int pid = 0;

    if (!file)
        return 0;
    if (fscanf(file, "%d", &pid) != 1)
        pid = 0;
    fclose(file);
    return pid > 0 && is_ours(cluster, pid) ? pid : 0;
}

void cluster_stop(const struct cluster *cluster, const char *name)
{
    pid_t pid = cluster_pid(cluster, name);

    if (!pid)
        return;
    kill(pid, SIGTERM);
    for (int waited = 0; waited < STOP_WAIT_MS; waited += 10) {
        if (cluster_pid(cluster, name) != pid)
            return;
        nanosleep(&(struct timespec){ .tv_nsec = 10 * 1000000L }, NULL);
    }
    kill(pid, SIGKILL);
}

static int spawn(char *const *argv, pid_t *ret_pid, struct err *err)
{
    int rc = posix_spawn(ret_pid, "/proc/self/exe", NULL, NULL, argv, environ);

    return rc ? err_set(err, rc, "cannot start %s: %s", argv[0], strerror(rc)) : 0;
}

/* Waits until a daemon is ready: it goes into the background, and the process we started ends. */
static int wait_ready(const struct cluster *cluster, const char *name, pid_t pid, struct err *err)
{
    int status;

    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return err_set(err, errno, "waiting for %s: %s", name, strerror(errno));
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, ECHILD, "%s did not start; see %s/log/%s.log", name, cluster->dir,
                       name);
    return 0;
}

static int start_munged(const struct cluster *cluster, struct err *err)
{
    AUTO_FREE char *socket = xasprintf("--socket=%s", cluster->auth_socket);
    AUTO_FREE char *key = xasprintf("--key-file=%s", cluster->key_path);
    AUTO_FREE char *pid_file = xasprintf("--pid-file=%s/run/munged.pid", cluster->dir);
    AUTO_FREE char *log = xasprintf("--log-file=%s/log/munged.log", cluster->dir);
    char *argv[] = { (char *)(uintptr_t) "munged",
                     (char *)(uintptr_t) "--force",
                     socket,
                     key,
                     pid_file,
                     log,
                     NULL };
    pid_t pid;
    int rc = spawn(argv, &pid, err);

    return rc < 0 ? rc : wait_ready(cluster, "munged", pid, err);
}

static int start_slurmctld(const struct cluster *cluster, struct err *err)
{
    char *argv[] = { (char *)(uintptr_t) "slurmctld", (char *)(uintptr_t) "-f", cluster->conf_path,
                     NULL };
    pid_t pid;
    int rc = spawn(argv, &pid, err);

    return rc < 0 ? rc : wait_ready(cluster, "slurmctld", pid, err);
}

static int start_nodes(const struct cluster *cluster, struct err *err)
{
    AUTO(hostlist) struct hostlist *nodes = NULL;
    int rc = cluster_nodes(cluster, &nodes, err);
    uint32_t n = nodes ? hostlist_count(nodes) : 0;
    AUTO_FREE pid_t *pids = xcalloc(n, sizeof(*pids));

    for (uint32_t i = 0; rc == 0 && i < n; i++) {
        char *name = (char *)(uintptr_t)hostlist_get(nodes, i);
        char *argv[] = { (char *)(uintptr_t) "slurmd",
                         (char *)(uintptr_t) "-f",
                         cluster->conf_path,
                         (char *)(uintptr_t) "-N",
                         name,
                         NULL };

        if (!cluster_pid(cluster, name))
            rc = spawn(argv, &pids[i], err);
    }
    for (uint32_t i = 0; i < n; i++) { /* also after a failure: no child is left behind */
        int waited =
            pids[i] ? wait_ready(cluster, hostlist_get(nodes, i), pids[i], rc == 0 ? err : NULL)
                    : 0;

        if (rc == 0)
            rc = waited;
    }
    return rc;
}

int cluster_start(const struct cluster *cluster, struct err *err)
{
    int rc = 0;

    if (!cluster_pid(cluster, "munged"))
        rc = start_munged(cluster, err);
    if (rc == 0 && !cluster_pid(cluster, "slurmctld"))
        rc = start_slurmctld(cluster, err);
    return rc < 0 ? rc : start_nodes(cluster, err);
}
