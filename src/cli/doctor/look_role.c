/* look_role.c - whether this host is what it should be: its name, and clusters that it forgot. */
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"
#include "cli/doctor/processes.h"
#include "common/net/resolve.h"

#define RESOLVE_MS 1000
#define NAMES_MAX  256 /* whose addresses are looked up */

/* ---- clusters of `sluice up` ---- */

/* Returns what follows -f on the command line of a process of ours, to be freed; or NULL. */
static char *conf_of_process(pid_t pid)
{
    AUTO_FREE char *dir = xasprintf("/proc/%d", (int)pid);
    AUTO_FREE char *path = xasprintf("%s/cmdline", dir);
    FILE *file = fopen(path, "re");
    char line[4096];
    struct stat st;
    size_t n = file ? fread(line, 1, sizeof(line) - 1, file) : 0;

    if (file)
        fclose(file);
    if (stat(dir, &st) < 0 || st.st_uid != geteuid())
        return NULL;
    line[n] = '\0';
    for (const char *at = line; at < line + n; at += strlen(at) + 1) {
        const char *next = at + strlen(at) + 1;

        if (strcmp(at, "-f") == 0 && next < line + n)
            return xstrdup(next);
    }
    return NULL;
}

/* Returns DIR of "DIR/etc/slurm.conf", if the process's pid is in DIR/run; to be freed. */
static char *cluster_of_process(pid_t pid)
{
    static const char tail[] = "/etc/slurm.conf";
    AUTO(cluster) struct cluster cluster = { 0 };
    AUTO_FREE char *path = conf_of_process(pid);
    const size_t n = path ? strlen(path) : 0;

    if (n <= sizeof(tail) || strcmp(path + n - (sizeof(tail) - 1), tail) != 0)
        return NULL;
    path[n - (sizeof(tail) - 1)] = '\0';
    if (cluster_init(&cluster, path, NULL) < 0 || cluster_pid(&cluster, "slurmctld") != pid)
        return NULL;
    return STEAL(path);
}

static char *running_cluster(void)
{
    AUTO_FREE struct process *list = NULL;
    const int n = processes_named("slurmctld", &list);
    char *dir = NULL;

    for (int i = 0; i < n && !dir; i++)
        dir = cluster_of_process(list[i].pid);
    return dir;
}

bool find_forgotten_cluster(struct doctor *doctor, char **ret_path)
{
    AUTO_FREE char *dir = getenv("SLURM_CONF") ? NULL : running_cluster();
    AUTO(cluster) struct cluster cluster = { 0 };
    AUTO_FREE char *usual = xstrdup(slurm_conf_path());

    if (!dir || cluster_init(&cluster, dir, NULL) < 0)
        return false;
    cluster_clear(&doctor->cluster);
    (void)cluster_init(&doctor->cluster, dir, NULL);
    AUTO_FREE char *env = mend_sluice(doctor, "env");
    doctor_find(doctor, xasprintf("eval \"$(%s)\"", env),
                "a cluster of `sluice up` runs in %s, and this shell's commands look for one by %s",
                dir, usual);
    *ret_path = xstrdup(cluster.conf_path);
    return true;
}

/* ---- names ---- */

/* Finds daemons that run here though slurm.conf has them elsewhere: a name has changed, or is
   wrong. */
static bool find_stranger(struct doctor *doctor, enum daemon_kind kind, const char *key,
                          const char *says)
{
    AUTO_FREE struct process *list = NULL;
    const char *name = daemon_program(kind);

    if (processes_named(name, &list) <= 0 || list[0].state == 'Z')
        return false;
    doctor_find(doctor,
                xasprintf("write %s%s into %s on all hosts; or, if the host's name is wrong: "
                          "%s %s",
                          key, doctor->host, doctor->conf->path,
                          doctor->has_systemd ? "hostnamectl set-hostname" : "hostname", says),
                "%s (pid %d) runs here, and %s says so of no host named %s: %s%s", name,
                (int)list[0].pid, doctor->conf->path, doctor->host, key, says);
    return true;
}

static bool same_host(const struct sockaddr *mine, const struct net_addr *addr)
{
    const struct sockaddr *other = (const struct sockaddr *)&addr->storage;

    if (!mine || mine->sa_family != other->sa_family)
        return false;
    if (mine->sa_family == AF_INET)
        return ((const struct sockaddr_in *)(const void *)mine)->sin_addr.s_addr ==
               ((const struct sockaddr_in *)(const void *)other)->sin_addr.s_addr;
    return mine->sa_family == AF_INET6 &&
           memcmp(&((const struct sockaddr_in6 *)(const void *)mine)->sin6_addr,
                  &((const struct sockaddr_in6 *)(const void *)other)->sin6_addr,
                  sizeof(struct in6_addr)) == 0;
}

static bool is_own(const struct ifaddrs *own, const struct net_addr *addr)
{
    AUTO_FREE char *text = net_addr_host(addr);

    if (strncmp(text, "127.", 4) == 0 || strcmp(text, "::1") == 0)
        return false; /* every host's */
    for (; own; own = own->ifa_next)
        if (same_host(own->ifa_addr, addr))
            return true;
    return false;
}

/* Returns the first address of `name`, if it is one of this host's, to be freed; or NULL. */
static char *own_address(const struct ifaddrs *own, const char *name)
{
    AUTO(net_addrs) struct net_addrs addrs = { 0 };

    if (net_resolve(name, 0, RESOLVE_MS, &addrs, NULL) < 0)
        return NULL;
    for (uint32_t i = 0; i < addrs.addrs_n; i++)
        if (is_own(own, &addrs.addrs[i]))
            return net_addr_host(&addrs.addrs[i]);
    return NULL;
}

static void find_misnamed(struct doctor *doctor, const char *what, const char *key,
                          const char *name, const char *address)
{
    doctor_find(doctor,
                xasprintf("%s %s, or write %s=%s into %s on all hosts",
                          doctor->has_systemd ? "hostnamectl set-hostname" : "hostname", name, key,
                          doctor->host, doctor->conf->path),
                "this host has %s's address %s, and is called %s: %s says %s=%s", what, address,
                doctor->host, doctor->conf->path, key, name);
}

/* Finds hosts that slurm.conf knows by their address alone: the name is wrong, and daemons do not
   start. */
static void check_addresses(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;
    struct ifaddrs *own = NULL;
    AUTO_FREE char *address = NULL;

    if (getifaddrs(&own) < 0)
        return;
    address = own_address(own, conf->controllers[0].addr);
    if (address)
        find_misnamed(doctor, "the controller", "SlurmctldHost", conf->controllers[0].name,
                      address);
    for (uint32_t i = 0; i < conf->nodes_n && i < NAMES_MAX; i++) {
        const struct conf_node *node = &conf->nodes[i];
        AUTO_FREE char *at = own_address(own, node->addr);
        AUTO_FREE char *what = xasprintf("node %s", node->name);

        if (at)
            find_misnamed(doctor, what, "NodeHostname", node->hostname, at);
    }
    freeifaddrs(own);
}

/* Finds the controller's records here while slurm.conf has it elsewhere. */
static void check_state(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;
    AUTO_FREE char *path = xasprintf("%s/sluice.db", conf->state_save_location);
    struct stat st;

    if (stat(path, &st) == 0)
        doctor_find(doctor,
                    xasprintf("write SlurmctldHost=%s into %s on all hosts, if this is the "
                              "controller; else remove what an earlier one left in %s",
                              doctor->host, conf->path, conf->state_save_location),
                    "%s is a controller's, from %s, and %s says SlurmctldHost=%s", path,
                    doctor->host, conf->path, conf->controllers[0].name);
}

void look_at_role(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;

    if (doctor->is_up)
        return; /* its daemons are found by its own pid files, whatever else runs here */
    if (!doctor->is_controller &&
        !find_stranger(doctor, DAEMON_SLURMCTLD, "SlurmctldHost=", conf->controllers[0].name))
        check_state(doctor);
    if (!doctor->node && !find_stranger(doctor, DAEMON_SLURMD, "NodeHostname=", "NODE") &&
        !doctor->is_controller)
        check_addresses(doctor);
}
