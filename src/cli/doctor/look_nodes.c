/* look_nodes.c - nodes as the controller sees them: which take no jobs, why, and what helps. */
#include <inttypes.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "common/base/version.h"
#include "common/msg/node.h"

/* What a machine lacks against its line; "" when nothing. */
static char *shortfall(const struct node_info *info)
{
    const struct node_hardware *hardware = info->node->hardware;
    struct strbuf out = { 0 };

    if (hardware && hardware->cpus < info->cpus)
        strbuf_addf(&out, "CPUs=%u", hardware->cpus);
    if (hardware && hardware->memory_mb < info->memory_mb)
        strbuf_addf(&out, "%sRealMemory=%" PRIu64, out.len ? " " : "", hardware->memory_mb);
    if (hardware && hardware->tmp_disk_mb < info->tmp_disk_mb)
        strbuf_addf(&out, "%sTmpDisk=%" PRIu64, out.len ? " " : "", hardware->tmp_disk_mb);
    return strbuf_steal(&out);
}

static void find_state(struct doctor *doctor, const struct node_info *info)
{
    const struct node_record *node = info->node;
    const char *reason = node->reason && node->reason[0] ? node->reason : "no reason is given";
    AUTO_FREE char *lacks = shortfall(info);

    if (info->flags & NODE_FLAG_INVALID)
        doctor_find(doctor,
                    xasprintf("write %s into the line of %s in %s on all hosts; scontrol "
                              "reconfigure; scontrol update nodename=%s state=resume",
                              lacks[0] ? lacks : "what `slurmd -C` says there", node->name,
                              doctor->conf->path, node->name),
                    "node %s has less than its line says: %s", node->name, reason);
    else if (info->state == NODE_UNKNOWN)
        doctor_find(doctor, xasprintf("on %s: systemctl start slurmd; sluice doctor", node->name),
                    "node %s has never registered", node->name);
    else if (info->state == NODE_DOWN && (info->flags & NODE_FLAG_NO_RESPOND))
        doctor_find(doctor, xasprintf("on %s: systemctl start slurmd; sluice doctor", node->name),
                    "node %s is down and does not respond: %s", node->name, reason);
    else if (info->state == NODE_DOWN || node->drain)
        doctor_find(doctor, xasprintf("scontrol update nodename=%s state=resume", node->name),
                    "node %s is %s: %s", node->name, info->state == NODE_DOWN ? "down" : "drained",
                    reason);
    else if (info->flags & NODE_FLAG_NO_RESPOND)
        doctor_find(doctor, xasprintf("on %s: systemctl start slurmd; sluice doctor", node->name),
                    "node %s does not respond, last heard of %" PRId64 " s ago", node->name,
                    info->now - info->last_seen);
}

/* The version that slurmd tells is the one it answers to as Slurm. */
static void find_version(struct doctor *doctor, const struct node_info *info)
{
    const char *version = info->node->version;

    if (version && version[0] && strcmp(version, SLURM_VERSION) != 0)
        doctor_find(doctor,
                    xasprintf("install the same version on %s; systemctl restart slurmd there",
                              info->node->name),
                    "node %s runs slurmd %s, this host has %s", info->node->name, version,
                    SLURM_VERSION);
}

static bool wants_cgroups(const struct slurm_conf *conf)
{
    return conf->proctrack_type == CONF_PROCTRACK_CGROUP ||
           (conf->task_plugins & CONF_TASK_CGROUP) != 0;
}

static void find_cgroups(struct doctor *doctor, const struct node_info *info)
{
    const struct node_hardware *hardware = info->node->hardware;

    if (wants_cgroups(doctor->conf) && hardware && hardware->cgroup_mode &&
        strcmp(hardware->cgroup_mode, "none") == 0)
        doctor_find(doctor,
                    xasprintf("on %s: mount -t cgroup2 none /sys/fs/cgroup; systemctl restart "
                              "slurmd, and see its log",
                              info->node->name),
                    "node %s has no cgroups that slurmd can write, and slurm.conf asks for them",
                    info->node->name);
}

void look_at_nodes(struct doctor *doctor, const struct records *nodes)
{
    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *info = record_at(nodes, i);
        bool mine = doctor->node && strcmp(doctor->node->name, info->node->name) == 0;

        if (!doctor->is_controller && !mine)
            continue; /* each host tells of its own */
        find_state(doctor, info);
        find_version(doctor, info);
        find_cgroups(doctor, info);
    }
}
