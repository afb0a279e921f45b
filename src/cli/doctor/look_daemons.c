/* look_daemons.c - whether the daemons run, may do enough, and are what is installed. */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"
#include "cli/doctor/processes.h"
#include "common/conf/paths.h"

#define FILES_MIN     1024 /* descriptors of a daemon */
#define LOCKED_MIN_KB 1024

/* Tells that another program has the port; only root can see which one. */
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

/* Finds the daemons. In a cluster of `sluice up` the pid file says which one is the cluster's. */
static int find_daemons(const struct doctor *doctor, enum daemon_kind kind,
                        const struct conf_node *node, struct process **ret)
{
    const char *name = daemon_program(kind);
    pid_t pid;

    if (!doctor->is_up)
        return processes_named(name, ret);
    pid = cluster_pid(&doctor->cluster, kind == DAEMON_SLURMD ? node->name : name);
    return process_of(pid, ret);
}

static void check_state(struct doctor *doctor, const char *name, const struct process *process)
{
    if (process->state == 'Z')
        doctor_find(doctor,
                    xasprintf("kill -CHLD %d, or end process %d", (int)process->parent,
                              (int)process->parent),
                    "%s (pid %d) is dead, and process %d does not take notice", name,
                    (int)process->pid, (int)process->parent);
    if (process->state == 'T' || process->state == 't')
        doctor_find(doctor, xasprintf("kill -CONT %d", (int)process->pid), "%s (pid %d) is stopped",
                    name, (int)process->pid);
}

static void check_files_limit(struct doctor *doctor, enum daemon_kind kind, pid_t pid)
{
    const long limit = process_files_max(pid);

    if (limit >= 0 && limit < FILES_MIN)
        doctor_find(doctor, mend_limit(doctor, kind, "LimitNOFILE=65536", "-n 65536"),
                    "%s (pid %d) may have %ld files open, %d are few enough", daemon_program(kind),
                    (int)pid, limit, FILES_MIN);
}

/*
 * Checks the limit: tasks get no more than slurmd has, and MPI over a fast network locks what it
 * sends.
 */
static void check_locked_limit(struct doctor *doctor, pid_t pid)
{
    const bool has_fabric = access("/sys/class/infiniband", F_OK) == 0;
    const uint64_t limit = process_locked_max(pid);

    if (limit < LOCKED_MIN_KB * 1024 || (has_fabric && limit != UINT64_MAX))
        doctor_find(
            doctor, mend_limit(doctor, DAEMON_SLURMD, "LimitMEMLOCK=infinity", "-l unlimited"),
            "slurmd (pid %d) and its tasks may lock %" PRIu64 " KB of memory: MPI %s", (int)pid,
            limit / 1024, has_fabric ? "over InfiniBand takes all it wants" : "may take more");
}

/* Checks one daemon; `node` is whose slurmd it is, else NULL. */
static void check_daemon(struct doctor *doctor, enum daemon_kind kind, const struct conf_node *node,
                         uint32_t port)
{
    AUTO_FREE struct process *list = NULL;
    const char *name = daemon_program(kind), *host = node ? node->name : NULL;
    const int n = find_daemons(doctor, kind, node, &list);
    pid_t pid = 0;

    for (int i = 0; i < n; i++) {
        check_state(doctor, name, &list[i]);
        if (!pid && list[i].state != 'Z')
            pid = list[i].pid;
    }
    if (!pid) {
        doctor_find(doctor, mend_start(doctor, kind, host), "%s does not run%s%s", name,
                    doctor->is_up && node ? " for " : "", doctor->is_up && node ? host : "");
        check_port_taken(doctor, name, port);
        return;
    }
    if (process_is_replaced(pid))
        doctor_find(doctor, mend_restart(doctor, kind, host),
                    "%s (pid %d) runs a program that was replaced on the disk", name, (int)pid);
    check_files_limit(doctor, kind, pid);
    if (kind == DAEMON_SLURMD)
        check_locked_limit(doctor, pid);
}

/* Checks that srun has a free port to listen on. */
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

static void look_at_slurmd(struct doctor *doctor, const struct conf_node *node)
{
    AUTO_FREE char *pid_file =
        conf_path_expand(doctor->conf->slurmd_pid_file, doctor->host, node->name);

    check_daemon(doctor, DAEMON_SLURMD, node, node->port);
    if (!doctor->is_up)
        check_pid_file(doctor, "SlurmdPidFile", pid_file, "slurmd");
}

void look_at_daemons(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;

    check_srun_ports(doctor);
    if (doctor->is_controller) {
        check_daemon(doctor, DAEMON_SLURMCTLD, NULL, conf->slurmctld_ports.first);
        if (!doctor->is_up)
            check_pid_file(doctor, "SlurmctldPidFile", conf->slurmctld_pid_file, "slurmctld");
    }
    for (uint32_t i = 0; doctor->is_up && i < conf->nodes_n; i++)
        look_at_slurmd(doctor, &conf->nodes[i]);
    if (doctor->node && !doctor->is_up)
        look_at_slurmd(doctor, doctor->node);
}
