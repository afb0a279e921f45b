/* look_nodes.c - nodes as the controller sees them: which take no jobs, why, and what helps. */
#include <inttypes.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"
#include "common/msg/node.h"

/* Returns what a machine lacks against its line; "" when it lacks nothing. */
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

/* Tells why a node drains: what an operator said, or what an administrator's program came to. */
static void find_drain(struct doctor *doctor, const struct node_record *node, const char *state)
{
    const char *reason = node->reason && node->reason[0] ? node->reason : "no reason is given";

    if (node->reason_detail)
        doctor_find(doctor,
                    xasprintf("mend that program on %s, then: scontrol update nodename=%s "
                              "state=resume; jobs that it held: squeue -t pending -o '%%i %%r', "
                              "scontrol release JOB",
                              node->name, node->name),
                    "node %s is %s: %s: %s", node->name, state, reason, node->reason_detail);
    else
        doctor_find(doctor, xasprintf("scontrol update nodename=%s state=resume", node->name),
                    "node %s is %s: %s", node->name, state, reason);
}

static char *mend_silence(const struct doctor *doctor, const char *node)
{
    AUTO_FREE char *place = mend_place(doctor, node), *start = NULL;

    start = mend_start(doctor, DAEMON_SLURMD, node);
    return doctor->is_up ? STEAL(start) : xasprintf("%s; or: %ssluice doctor", start, place);
}

/*
 * Finds states that keep a node from jobs: it may be both silent and drained, and needs both
 * mended.
 */
static void find_state(struct doctor *doctor, const struct node_info *info)
{
    const struct node_record *node = info->node;
    const char *reason = node->reason && node->reason[0] ? node->reason : "no reason is given";
    const bool is_silent = info->flags & NODE_FLAG_NO_RESPOND;
    const bool is_down = info->state == NODE_DOWN;
    AUTO_FREE char *lacks = shortfall(info);

    if (info->flags & NODE_FLAG_INVALID)
        doctor_find(doctor,
                    xasprintf("write %s into the line of %s in %s on all hosts; scontrol "
                              "reconfigure; scontrol update nodename=%s state=resume",
                              lacks[0] ? lacks : "what `slurmd -C` says there", node->name,
                              doctor->conf->path, node->name),
                    "node %s has less than its line says: %s", node->name, reason);
    else if (node->drain)
        find_drain(doctor, node, "drained");
    if (info->state == NODE_UNKNOWN)
        doctor_find(doctor, mend_silence(doctor, node->name), "node %s has never registered",
                    node->name);
    else if (is_silent && is_down)
        doctor_find(doctor, mend_silence(doctor, node->name),
                    "node %s is down and does not respond: %s", node->name, reason);
    else if (is_silent)
        doctor_find(doctor, mend_silence(doctor, node->name),
                    "node %s does not respond, last heard of %" PRId64 " s ago", node->name,
                    info->now - info->last_seen);
    else if (is_down)
        find_drain(doctor, node, "down");
}

static bool wants_cgroups(const struct slurm_conf *conf)
{
    return conf->proctrack_type == CONF_PROCTRACK_CGROUP ||
           (conf->task_plugins & CONF_TASK_CGROUP) != 0;
}

static void find_cgroups(struct doctor *doctor, const struct node_info *info)
{
    const struct node_hardware *hardware = info->node->hardware;
    AUTO_FREE char *place = mend_place(doctor, info->node->name);
    AUTO_FREE char *restart = mend_restart(doctor, DAEMON_SLURMD, info->node->name);

    if (wants_cgroups(doctor->conf) && hardware && hardware->cgroup_mode &&
        strcmp(hardware->cgroup_mode, "none") == 0)
        doctor_find(doctor,
                    xasprintf("%smount -t cgroup2 none /sys/fs/cgroup, unless `mount -t cgroup` "
                              "lists some; then %s, and see its log",
                              place, restart),
                    "node %s has no cgroups that slurmd can write, and slurm.conf asks for them",
                    info->node->name);
}

void look_at_nodes(struct doctor *doctor)
{
    for (uint32_t i = 0; i < doctor->nodes.n; i++) {
        const struct node_info *info = record_at(&doctor->nodes, i);
        bool mine = doctor->node && strcmp(doctor->node->name, info->node->name) == 0;

        if (!doctor->all && !mine)
            continue; /* each host tells of its own */
        find_state(doctor, info);
        find_cgroups(doctor, info);
    }
}
