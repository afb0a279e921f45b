#include "cli/join/look.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/doctor/processes.h"
#include "cli/join/run.h"
#include "cli/join/setup.h"
#include "common/net/here.h"
#include "common/net/holder.h"
#include "common/net/listen.h"
#include "common/net/resolve.h"

#define RESOLVE_MS      700
#define CONTROLLER_PORT 6817
#define NODE_PORT       6818

struct looking {
    const struct look *look;
    struct log *log;
    bool free;
};

PRINTF_LIKE(2, 3) static void in_the_way(struct looking *looking, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    log_error(looking->log, "%s", strbuf_text(&text));
    looking->free = false;
}

/* ---- the name ---- */

/*
 * Returns 1 if `host` is this machine's name. Debian writes the own name with 127.0.1.1 to
 * /etc/hosts: so loopback addresses count, too.
 */
static int is_own_name(const char *host, struct err *err)
{
    AUTO(net_addrs) struct net_addrs found = { 0 };
    int rc = net_resolve(host, 0, RESOLVE_MS, &found, err);

    for (uint32_t i = 0; rc == 0 && i < found.addrs_n; i++) {
        AUTO_FREE char *address = net_addr_host(&found.addrs[i]);

        if (net_is_loopback(address))
            return 1;
    }
    return rc < 0 ? rc : net_is_here(host, RESOLVE_MS, err);
}

static void look_at_name(struct looking *looking)
{
    const char *host = looking->look->host;
    struct err err = { 0 };
    int rc;

    if (!*host || strcmp(host, "localhost") == 0) {
        in_the_way(looking,
                   "this machine is called '%s', as all are: hostnamectl set-hostname NAME", host);
        return;
    }
    if (looking->look->address)
        return;
    rc = is_own_name(host, &err);
    if (rc < 0)
        in_the_way(looking,
                   "this machine's own name is not known here (%s): "
                   "echo '127.0.1.1 %s' >> /etc/hosts, or --address ADDR",
                   err.text, host);
    else if (rc == 0)
        in_the_way(looking,
                   "this machine is called %s, and none of its interfaces has the address that "
                   "`getent hosts %s` tells: mend that in /etc/hosts or the name service, or "
                   "hostnamectl set-hostname NAME",
                   host, host);
}

/* ---- ports ---- */

/*
 * Checks the port. A daemon that the service manager has started is started again with the new
 * configuration.
 */
static void look_at_port(struct looking *looking, const char *daemon, uint32_t port)
{
    struct net_holder holder;
    int fd = -1;

    if (net_listen_tcp(NULL, (uint16_t)port, &fd, NULL, NULL) == 0) {
        close(fd);
        return;
    }
    if (!net_find_holder((uint16_t)port, &holder))
        in_the_way(looking,
                   "another program has port %" PRIu32 ", which %s needs: `ss -ltnp 'sport = "
                   ":%" PRIu32 "'` says which",
                   port, daemon, port);
    else if (strcmp(holder.name, daemon) != 0 || !run_has_systemd())
        in_the_way(looking,
                   "%s (pid %d) has port %" PRIu32 ", which %s needs: kill %d, or stop its service",
                   holder.name, (int)holder.pid, port, daemon, (int)holder.pid);
}

/* ---- an older cluster ---- */

static bool has_state(const char *file)
{
    AUTO_FREE char *path = xasprintf(LOOK_STATE_DIR "/%s", file);

    return access(path, F_OK) == 0;
}

bool look_has_state(void)
{
    return has_state("sluice.db") || has_state("clustername"); /* ours, or Slurm's */
}

static bool runs(const char *name)
{
    AUTO_FREE struct process *list = NULL;

    return processes_named(name, &list) > 0;
}

/* Looks for an older cluster's state, whose jobs and numbers would go on in the new one. */
static void look_at_state(struct looking *looking)
{
    if (!look_has_state())
        return;
    if (!looking->look->force)
        in_the_way(looking,
                   "%s has the jobs of an older cluster: --force begins without them (it is kept "
                   "as %s.old)",
                   LOOK_STATE_DIR, LOOK_STATE_DIR);
    else if (runs("slurmctld"))
        in_the_way(looking, "the slurmctld of an older cluster runs on this machine: %s first",
                   run_has_systemd() ? "systemctl stop slurmctld" : "pkill -x slurmctld");
}

/* ---- what jobs need ---- */

/* True where a mount in the table holds cgroups and may be written to. */
static bool has_cgroups(void)
{
    FILE *file = fopen("/proc/self/mounts", "re");
    bool found = false;
    char line[4096], path[4096], type[64];

    while (file && !found && fgets(line, sizeof(line), file)) {
        struct statvfs fs;

        found = sscanf(line, "%*s %4095s %63s", path, type) == 2 &&
                strncmp(type, "cgroup", strlen("cgroup")) == 0 && statvfs(path, &fs) == 0 &&
                !(fs.f_flag & ST_RDONLY);
    }
    if (file)
        fclose(file);
    return found;
}

static void look_at_cgroups(struct looking *looking)
{
    if (!has_cgroups())
        log_info(looking->log,
                 "no cgroups can be made here: jobs are not held to their cores and memory; "
                 "in a container, start it with its cgroups writable, else "
                 "mount -t cgroup2 none /sys/fs/cgroup");
}

static void look_at_user(struct looking *looking, const char *name)
{
    AUTO(proc_user) struct proc_user user = { 0 };
    struct err err = { 0 };

    if (setup_find_user(name, &user, &err) < 0)
        in_the_way(looking, "%s", err.text);
}

bool look_first(const struct look *look, struct log *log)
{
    struct looking looking = { .look = look, .log = log, .free = true };

    look_at_name(&looking);
    look_at_port(&looking, "slurmctld", CONTROLLER_PORT);
    if (look->is_node)
        look_at_port(&looking, "slurmd", NODE_PORT);
    if (look->door_port)
        look_at_port(&looking, "sluice", look->door_port);
    look_at_state(&looking);
    look_at_user(&looking, "slurm");
    look_at_user(&looking, "munge");
    if (look->is_node && looking.free)
        look_at_cgroups(&looking);
    return looking.free;
}
