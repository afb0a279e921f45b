/* write.c - the files of a new cluster. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/sluice/cluster.h"
#include "common/base/safe_path.h"
#include "common/base/strbuf.h"
#include "common/proc/daemon.h"

#define KEY_BYTES      1024
#define PORTS_FROM     20000
#define PORTS_TO       32000 /* below the kernel's own choices */
#define PORT_TRIES     200
#define CONF_EXTRA_MAX (1 << 20)

/* Started by root, half of slurmd and the jobs are other users: they must get to the sockets. */
static int check_passable(const char *path, struct err *err)
{
    AUTO_FREE char *part = xstrdup(path);

    for (char *end = part + strlen(part); geteuid() == 0 && end && end > part;
         end = strrchr(part, '/')) {
        struct stat st;

        *end = '\0';
        if (*part && stat(part, &st) == 0 && !(st.st_mode & S_IXOTH))
            return err_set(err, EACCES,
                           "'%s' lets nobody pass but its owner (mode %03o), and jobs run as "
                           "other users; choose another --dir, or chmod o+x it",
                           part, st.st_mode & 0777);
    }
    return 0;
}

static int make_dirs(const struct cluster *cluster, struct err *err)
{
    static const char *const parts[] = { "etc", "run", "log", "state", "spool" };
    int rc = proc_make_dir(cluster->dir, 0755, (uid_t)-1, (gid_t)-1, err);

    if (rc == 0)
        rc = check_passable(cluster->dir, err);
    for (size_t i = 0; rc == 0 && i < ARRAY_N(parts); i++) {
        AUTO_FREE char *path = xasprintf("%s/%s", cluster->dir, parts[i]);

        rc = proc_make_dir(path, 0755, (uid_t)-1, (gid_t)-1, err);
    }
    return rc;
}

static int write_file(const char *path, mode_t mode, const void *data, size_t n, struct err *err)
{
    const struct safe_file file = { O_WRONLY, mode, (uid_t)-1, (gid_t)-1 };
    AUTO_CLOSE int fd = safe_open(path, &file, err);

    if (fd < 0)
        return steal_fd(&fd);
    if (ftruncate(fd, 0) < 0 || write(fd, data, n) != (ssize_t)n)
        return err_set(err, errno, "cannot write '%s': %s", path, strerror(errno));
    return 0;
}

static int write_key(const struct cluster *cluster, struct err *err)
{
    uint8_t key[KEY_BYTES];
    size_t have = 0;
    int rc;

    if (access(cluster->key_path, F_OK) == 0)
        return 0;
    while (have < sizeof(key)) {
        ssize_t n = getrandom(key + have, sizeof(key) - have, 0);

        if (n < 0 && errno != EINTR)
            return err_set(err, errno, "no random bytes for a key: %s", strerror(errno));
        have += n > 0 ? (size_t)n : 0;
    }
    rc = write_file(cluster->key_path, 0600, key, sizeof(key), err);
    wipe(key, sizeof(key));
    return rc;
}

/* ---- ports ---- */

static bool port_is_free(uint32_t port)
{
    const struct sockaddr_in addr = { .sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    AUTO_CLOSE int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    return fd >= 0 && bind(fd, (const struct sockaddr *)&addr, sizeof(addr)) == 0;
}

/* A run of n free ports; clusters side by side look in different places. */
static int find_ports(uint32_t n, uint32_t *ret_first, struct err *err)
{
    for (int i = 0; i < PORT_TRIES; i++) {
        uint32_t first, have = 0;

        if (getrandom(&first, sizeof(first), 0) != sizeof(first))
            break;
        first = PORTS_FROM + first % (PORTS_TO - PORTS_FROM - n);
        while (have < n && port_is_free(first + have))
            have++;
        if (have == n) {
            *ret_first = first;
            return 0;
        }
    }
    return err_set(err, EADDRINUSE, "no %u free ports in a row between %d and %d", n, PORTS_FROM,
                   PORTS_TO);
}

/* ---- slurm.conf ---- */

static int read_extra(const char *path, struct strbuf *out, struct err *err)
{
    FILE *file = fopen(path, "re");
    size_t n;

    if (!file)
        return err_set(err, errno, "--conf '%s': %s", path, strerror(errno));
    do {
        n = fread(strbuf_reserve(out, 4096), 1, 4096, file);
        strbuf_grown(out, n);
    } while (n > 0 && out->len < CONF_EXTRA_MAX);
    fclose(file);
    if (out->len >= CONF_EXTRA_MAX)
        return err_set(err, E_TOO_BIG, "--conf '%s': more than %d bytes", path, CONF_EXTRA_MAX);
    return 0;
}

/* Whether the extra lines set the key that this line of ours sets. */
static bool is_replaced(const char *line, const char *extra)
{
    size_t n = strcspn(line, "=");

    for (const char *at = extra; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        at += strspn(at, " \t");
        if (strncasecmp(at, line, n) == 0 && at[n + strspn(at + n, " \t")] == '=')
            return true;
        if (!*at)
            break;
    }
    return false;
}

static void add_line(struct strbuf *conf, const char *extra, char *line)
{
    if (!is_replaced(line, extra))
        strbuf_addf(conf, "%s\n", line);
    free(line);
}

static void write_lines(const struct cluster *cluster, const struct cluster_shape *shape,
                        const char *extra, uint32_t port, struct strbuf *conf)
{
    const struct passwd *user = getpwuid(getuid());
    AUTO_FREE char *number = xasprintf("%u", getuid());
    const char *who = user ? user->pw_name : number, *dir = cluster->dir;
    char host[256] = "localhost";

    gethostname(host, sizeof(host) - 1);
    host[strcspn(host, ".")] = '\0';
    strbuf_adds(conf,
                "# Written by `sluice up`; change what you like, then `scontrol reconfigure`.\n");
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
    add_line(conf, extra,
             xasprintf("NodeName=node-[1-%u] NodeHostname=%s NodeAddr=127.0.0.1 "
                       "Port=[%u-%u] CPUs=%u RealMemory=%llu State=UNKNOWN",
                       shape->nodes, host, port + 1, port + shape->nodes, shape->cpus,
                       (unsigned long long)shape->memory_mb));
    add_line(conf, extra,
             xasprintf("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE "
                       "State=UP"));
    strbuf_adds(conf, extra);
}

int cluster_write(const struct cluster *cluster, const struct cluster_shape *shape, struct err *err)
{
    AUTO(strbuf) struct strbuf extra = { 0 }, conf = { 0 };
    uint32_t port = 0;
    int rc = make_dirs(cluster, err);

    if (rc == 0 && shape->extra_conf)
        rc = read_extra(shape->extra_conf, &extra, err);
    if (rc == 0)
        rc = write_key(cluster, err);
    if (rc == 0)
        rc = find_ports(shape->nodes + 1, &port, err);
    if (rc < 0)
        return rc;
    write_lines(cluster, shape, strbuf_text(&extra), port, &conf);
    return write_file(cluster->conf_path, 0644, conf.data, conf.len, err);
}
