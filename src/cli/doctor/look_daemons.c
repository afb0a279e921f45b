/* look_daemons.c - whether the daemons run, can be reached, and are what is installed. */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/processes.h"
#include "common/conf/paths.h"
#include "common/net/resolve.h"

#define FILES_MIN     1024 /* descriptors of a daemon */
#define LOCKED_MIN_KB 1024
#define PORTAL_MS     1500 /* for all connections together */
#define NODES_MAX     256  /* whose ports are tried */
#define RESOLVE_MS    1000

/* Who has it is seen by root only. */
static void check_port_taken(struct doctor *doctor, const char *name, uint32_t port)
{
    struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    AUTO_CLOSE int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;

    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&addr, sizeof(addr)) < 0 || listen(fd, 1) < 0) &&
        errno == EADDRINUSE)
        doctor_find(doctor, xasprintf("ss -ltnp 'sport = :%u' tells who has it; end that", port),
                    "another program has port %u, which %s needs", port, name);
}

/* A name that has changed, or another file than the daemon was started with. */
static void check_stranger(struct doctor *doctor, const char *name, const char *key)
{
    AUTO_FREE struct process *list = NULL;

    if (processes_named(name, &list) > 0 && list[0].state != 'Z')
        doctor_find(
            doctor,
            xasprintf("hostname NAME, as it is in %s; or write %s there", doctor->conf->path, key),
            "%s (pid %d) runs here, and %s says so of no host named %s", name, (int)list[0].pid,
            doctor->conf->path, doctor->host);
}

/* Returns whether it does. */
static bool check_running(struct doctor *doctor, const char *name, const char *unit)
{
    AUTO_FREE struct process *list = NULL;
    int n = processes_named(name, &list);
    bool runs = false;

    for (int i = 0; i < n; i++) {
        const struct process *process = &list[i];

        if (process->state == 'Z') {
            doctor_find(doctor,
                        xasprintf("kill -CHLD %d, or end process %d", (int)process->parent,
                                  (int)process->parent),
                        "%s (pid %d) is dead, and process %d does not take notice", name,
                        (int)process->pid, (int)process->parent);
            continue;
        }
        runs = true;
        if (process->state == 'T' || process->state == 't')
            doctor_find(doctor, xasprintf("kill -CONT %d", (int)process->pid),
                        "%s (pid %d) is stopped", name, (int)process->pid);
    }
    if (!runs)
        doctor_find(doctor, xasprintf("systemctl start %s, and see journalctl -u %s", unit, unit),
                    "%s does not run", name);
    else if (process_is_replaced(list[0].pid))
        doctor_find(doctor, xasprintf("systemctl restart %s", unit),
                    "%s (pid %d) runs a program that was replaced on the disk", name,
                    (int)list[0].pid);
    return runs;
}

static void check_files_limit(struct doctor *doctor, const char *name, const char *unit)
{
    AUTO_FREE struct process *list = NULL;
    int n = processes_named(name, &list);
    long limit = n ? process_files_max(list[0].pid) : -1;

    if (limit >= 0 && limit < FILES_MIN)
        doctor_find(
            doctor,
            xasprintf("systemctl edit %s: LimitNOFILE=65536; systemctl restart %s", unit, unit),
            "%s (pid %d) may have %ld files open, %d are few enough", name, (int)list[0].pid, limit,
            FILES_MIN);
}

/* Tasks get no more than slurmd has; MPI over a fast network locks what it sends. */
static void check_locked_limit(struct doctor *doctor)
{
    AUTO_FREE struct process *list = NULL;
    const bool has_fabric = access("/sys/class/infiniband", F_OK) == 0;
    int n = processes_named("slurmd", &list);
    uint64_t limit = n ? process_locked_max(list[0].pid) : UINT64_MAX;

    if (limit < LOCKED_MIN_KB * 1024 || (has_fabric && limit != UINT64_MAX))
        doctor_find(doctor,
                    xstrdup("systemctl edit slurmd: LimitMEMLOCK=infinity; systemctl restart "
                            "slurmd"),
                    "slurmd (pid %d) and its tasks may lock %" PRIu64 " KB of memory: MPI %s",
                    (int)list[0].pid, limit / 1024,
                    has_fabric ? "over InfiniBand takes all it wants" : "may take more");
}

/* srun listens on one of them. */
static void check_srun_ports(struct doctor *doctor)
{
    const struct conf_ports *ports = &doctor->conf->srun_ports;
    uint32_t free_n = 0;

    for (uint32_t port = ports->first; port && port <= ports->last && !free_n; port++) {
        struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
        AUTO_CLOSE int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const int on = 1;

        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
        free_n +=
            fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof(addr)) == 0 && listen(fd, 1) == 0;
    }
    if (ports->first && !free_n)
        doctor_find(doctor,
                    xasprintf("ss -ltnp 'sport >= %u and sport <= %u' tells who has them; a wider "
                              "range in SrunPortRange",
                              ports->first, ports->last),
                    "SrunPortRange=%u-%u: none of its %u ports is free, so no srun can start here",
                    ports->first, ports->last, ports->last - ports->first + 1);
}

static void check_pid_file(struct doctor *doctor, const char *key, const char *path,
                           const char *name)
{
    AUTO_FREE struct process *list = NULL;
    pid_t pid = pid_of_file(path);
    int n = processes_named(name, &list);
    bool is_it = false;

    for (int i = 0; i < n; i++)
        is_it = is_it || list[i].pid == pid;
    if (pid && !is_it)
        doctor_find(doctor, xasprintf("rm %s", path), "%s=%s names process %d, which is no %s", key,
                    path, (int)pid, name);
}

/* ---- ports ---- */

/* A connection that is being made; fd -1: it could not even begin. */
struct door {
    const char *name;
    const char *addr;
    uint32_t port;
    int fd, why; /* an errno, 0: open */
};

static void knock(struct door *door)
{
    AUTO(net_addrs) struct net_addrs addrs = { 0 };

    door->fd = -1;
    door->why = ENOENT;
    if (net_resolve(door->addr, (uint16_t)door->port, RESOLVE_MS, &addrs, NULL) < 0)
        return; /* look_names tells of it */
    door->fd =
        socket(addrs.addrs[0].storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    door->why = ETIMEDOUT;
    if (door->fd >= 0 &&
        connect(door->fd, (const struct sockaddr *)&addrs.addrs[0].storage, addrs.addrs[0].n) < 0 &&
        errno != EINPROGRESS)
        door->why = errno;
}

/* All at once; those that do not answer in time keep ETIMEDOUT. */
static void wait_for_doors(struct door *doors, uint32_t n)
{
    AUTO_FREE struct pollfd *polls = xcalloc(n, sizeof(*polls));
    int left = PORTAL_MS;

    for (uint32_t waiting = n; waiting && left > 0; left -= 50) {
        waiting = 0;
        for (uint32_t i = 0; i < n; i++) {
            bool open = doors[i].fd >= 0 && doors[i].why == ETIMEDOUT;

            polls[i] = (struct pollfd){ .fd = open ? doors[i].fd : -1, .events = POLLOUT };
            waiting += open;
        }
        if (!waiting || poll(polls, n, 50) <= 0)
            continue;
        for (uint32_t i = 0; i < n; i++) {
            socklen_t size = sizeof(doors[i].why);

            if (polls[i].revents)
                getsockopt(doors[i].fd, SOL_SOCKET, SO_ERROR, &doors[i].why, &size);
        }
    }
    for (uint32_t i = 0; i < n; i++)
        if (doors[i].fd >= 0)
            close(doors[i].fd);
}

static void check_doors(struct doctor *doctor, struct door *doors, uint32_t n, const char *unit)
{
    for (uint32_t i = 0; i < n; i++)
        knock(&doors[i]);
    wait_for_doors(doors, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct door *door = &doors[i];

        if (door->why == ECONNREFUSED)
            doctor_find(doctor, xasprintf("on %s: systemctl start %s", door->name, unit),
                        "nothing listens on port %u of %s", door->port, door->name);
        else if (door->why && door->why != ENOENT)
            doctor_find(doctor,
                        xasprintf("on %s: firewall-cmd --add-port=%u/tcp, or: ping %s", door->name,
                                  door->port, door->addr),
                        "port %u of %s cannot be reached: %s", door->port, door->name,
                        err_string(door->why));
    }
}

void look_at_ports(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;
    AUTO_FREE struct door *doors = xcalloc(conf->controllers_n, sizeof(*doors));

    for (uint32_t i = 0; i < conf->controllers_n; i++)
        doors[i] = (struct door){ .name = conf->controllers[i].name,
                                  .addr = conf->controllers[i].addr,
                                  .port = conf->slurmctld_ports.first };
    check_doors(doctor, doors, conf->controllers_n, "slurmctld");
}

static void check_node_ports(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;
    uint32_t n = conf->nodes_n < NODES_MAX ? conf->nodes_n : NODES_MAX;
    AUTO_FREE struct door *doors = xcalloc(n, sizeof(*doors));
    uint32_t used = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct conf_node *node = &conf->nodes[i];

        if (node->state != CONF_NODE_CLOUD && node->state != CONF_NODE_FUTURE)
            doors[used++] =
                (struct door){ .name = node->name, .addr = node->addr, .port = node->port };
    }
    check_doors(doctor, doors, used, "slurmd");
}

void look_at_daemons(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;

    check_srun_ports(doctor);
    if (doctor->is_controller) {
        if (!check_running(doctor, "slurmctld", "slurmctld"))
            check_port_taken(doctor, "slurmctld", conf->slurmctld_ports.first);
        check_files_limit(doctor, "slurmctld", "slurmctld");
        check_pid_file(doctor, "SlurmctldPidFile", conf->slurmctld_pid_file, "slurmctld");
        check_node_ports(doctor);
    }
    if (doctor->node) {
        AUTO_FREE char *pid_file =
            conf_path_expand(conf->slurmd_pid_file, doctor->host, doctor->node->name);

        if (!check_running(doctor, "slurmd", "slurmd"))
            check_port_taken(doctor, "slurmd", doctor->node->port);
        check_files_limit(doctor, "slurmd", "slurmd");
        check_locked_limit(doctor);
        check_pid_file(doctor, "SlurmdPidFile", pid_file, "slurmd");
    }
    if (!doctor->is_controller)
        check_stranger(doctor, "slurmctld", "SlurmctldHost=");
    if (!doctor->node)
        check_stranger(doctor, "slurmd", "NodeHostname=");
}
