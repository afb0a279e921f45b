#include "cli/doctor/mend.h"

#include <string.h>

#include "common/conf/paths.h"

const char *daemon_program(enum daemon_kind kind)
{
    static const char *const names[] = { "munged", "slurmctld", "slurmd" };

    return names[kind];
}

/* Returns the name of a daemon's unit: "munge" for munged. */
static const char *unit_of(enum daemon_kind kind)
{
    return kind == DAEMON_MUNGED ? "munge" : daemon_program(kind);
}

/* True if the host is this one: a cluster of `sluice up` is all on one host. */
static bool is_here(const struct doctor *doctor, const char *host)
{
    const struct slurm_conf *conf = doctor->conf;
    const struct conf_node *node = host && conf ? slurm_conf_find_node(conf, host) : NULL;

    return !host || doctor->is_up || strcmp(host, doctor->host) == 0 ||
           (node && node == doctor->node) ||
           (doctor->is_controller && strcmp(host, conf->controllers[0].name) == 0);
}

char *mend_place(const struct doctor *doctor, const char *host)
{
    return is_here(doctor, host) ? xstrdup("") : xasprintf("on %s: ", host);
}

char *mend_sluice(const struct doctor *doctor, const char *verb)
{
    AUTO(cluster) struct cluster usual = { 0 };
    const char *dir = doctor->cluster.dir;

    if (cluster_init(&usual, NULL, NULL) == 0 && strcmp(usual.dir, dir) == 0)
        return xasprintf("sluice %s", verb);
    return xasprintf("sluice %s --dir %s", verb, dir);
}

/* Returns the command line that starts a daemon that is not a service. */
static const char *command_line(enum daemon_kind kind)
{
    return kind == DAEMON_MUNGED ? "runuser -u munge -- munged" : daemon_program(kind);
}

static char *pid_file(const struct doctor *doctor, enum daemon_kind kind, const char *host)
{
    const char *node = host ? host : doctor->node ? doctor->node->name : doctor->host;

    if (kind == DAEMON_MUNGED || !doctor->conf)
        return xstrdup("/run/munge/munged.pid");
    if (kind == DAEMON_SLURMCTLD)
        return xstrdup(doctor->conf->slurmctld_pid_file);
    return conf_path_expand(doctor->conf->slurmd_pid_file, host ? host : doctor->host, node);
}

char *mend_start(const struct doctor *doctor, enum daemon_kind kind, const char *host)
{
    AUTO_FREE char *place = mend_place(doctor, host);

    if (doctor->is_up)
        return mend_sluice(doctor, "up");
    if (doctor->has_systemd)
        return xasprintf("%ssystemctl start %s, and see journalctl -u %s", place, unit_of(kind),
                         unit_of(kind));
    return xasprintf("%s%s, and see its log", place, command_line(kind));
}

char *mend_restart(const struct doctor *doctor, enum daemon_kind kind, const char *host)
{
    AUTO_FREE char *place = mend_place(doctor, host);
    AUTO_FREE char *file = NULL, *up = NULL;

    if (doctor->is_up) {
        const char *node = host ? host : doctor->node ? doctor->node->name : "";

        up = mend_sluice(doctor, "up");
        return xasprintf("kill $(cat %s/run/%s.pid); %s", doctor->cluster.dir,
                         kind == DAEMON_SLURMD ? node : daemon_program(kind), up);
    }
    if (doctor->has_systemd)
        return xasprintf("%ssystemctl restart %s", place, unit_of(kind));
    file = pid_file(doctor, kind, host);
    return xasprintf("%skill $(cat %s); %s", place, file, command_line(kind));
}

char *mend_clock(const struct doctor *doctor, const char *host)
{
    AUTO_FREE char *place = mend_place(doctor, host);

    return doctor->has_systemd
               ? xasprintf("%stimedatectl set-ntp true; chronyc makestep", place)
               : xasprintf("%schronyc makestep, or where no chronyd runs: date -s @SECONDS, with "
                           "what date +%%s says on a host that is right",
                           place);
}

char *mend_limit(const struct doctor *doctor, enum daemon_kind kind, const char *unit_says,
                 const char *ulimit_says)
{
    AUTO_FREE char *restart = mend_restart(doctor, kind, NULL);

    return doctor->has_systemd && !doctor->is_up
               ? xasprintf("systemctl edit %s: %s; %s", unit_of(kind), unit_says, restart)
               : xasprintf("ulimit %s; %s", ulimit_says, restart);
}

char *mend_copy(const struct doctor *doctor, const char *path)
{
    const struct slurm_conf *conf = doctor->conf;

    if (conf && !doctor->is_controller)
        return xasprintf("scp -p %s:%s %s", conf->controllers[0].name, path, path);
    for (uint32_t i = 0; conf && i < conf->nodes_n; i++)
        if (&conf->nodes[i] != doctor->node)
            return xasprintf("scp -p %s:%s %s, if it is right there", conf->nodes[i].addr, path,
                             path);
    return xasprintf("put %s there from a backup", path);
}
