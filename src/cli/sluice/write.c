/* write.c - the files of a new cluster. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/sluice/cluster.h"
#include "cli/sluice/cluster_conf.h"
#include "common/base/safe_path.h"
#include "common/proc/daemon.h"

#define KEY_BYTES  1024
#define PORTS_FROM 20000
#define PORTS_TO   32000 /* below the kernel's own choices */
#define PORT_TRIES 200

/*
 * Checks that others can pass. When root starts it, half of slurmd and the jobs are other users:
 * they must get to the sockets.
 */
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

/* Finds a run of n free ports; clusters side by side look in different places. */
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

/* ---- all of it ---- */

/*
 * Writes slurm.conf and reads it back: what cannot be a cluster is told now, and not there the next
 * time.
 */
static int write_conf(const struct cluster *cluster, const struct cluster_shape *shape,
                      uint32_t port, struct err *err)
{
    AUTO(strbuf) struct strbuf conf = { 0 };
    AUTO_FREE char *refused = NULL;
    struct err why = { 0 };
    int rc = cluster_conf_make(cluster, shape, port, &conf, err);

    if (rc == 0)
        rc = write_file(cluster->conf_path, 0644, conf.data, conf.len, err);
    if (rc < 0)
        return rc;
    rc = cluster_conf_is_new(cluster, shape, &why);
    if (rc == 0)
        return 0;
    refused = xasprintf("%s.refused", cluster->conf_path);
    (void)rename(cluster->conf_path, refused);
    return err_set(err, -rc, "%s (the file is kept as %s)", why.text, refused);
}

int cluster_write(const struct cluster *cluster, const struct cluster_shape *shape, struct err *err)
{
    uint32_t port = 0;
    int rc = make_dirs(cluster, err);

    if (rc == 0)
        rc = write_key(cluster, err);
    if (rc == 0)
        rc = find_ports((shape->nodes ? shape->nodes : CLUSTER_NODES_USUAL) + 1, &port, err);
    return rc < 0 ? rc : write_conf(cluster, shape, port, err);
}
