/* look_cluster.c - whether the controller answers, and what it says of itself and partitions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/skew.h"
#include "cli/lib/records.h"
#include "common/base/version.h"
#include "common/msg/node.h"
#include "common/msg/types.h"

#define SKEW_S    3 /* between two hosts; more is no good for logs and credentials */
#define COMMIT_US 2000000

static char *mend_contact(const struct doctor *doctor, const struct err *err)
{
    if (strstr(err->text, "clock"))
        return xstrdup("timedatectl set-ntp true; chronyc makestep");
    if (strstr(err->text, "neither by SlurmUser"))
        return xasprintf("give %s the same uid here as on %s: usermod -u", doctor->conf->slurm_user,
                         doctor->conf->controllers[0].name);
    if (strstr(err->text, "handshake"))
        return xasprintf("on %s: ss -ltnp 'sport = :%u' tells whether slurmctld has the port; "
                         "systemctl restart slurmctld",
                         doctor->conf->controllers[0].name, doctor->conf->slurmctld_ports.first);
    if (strstr(err->text, "key"))
        return xasprintf("copy the key from the controller: scp -p %s:/etc/munge/munge.key "
                         "/etc/munge/; systemctl restart munge",
                         doctor->conf->controllers[0].name);
    return xasprintf("on %s: sluice doctor", doctor->conf->controllers[0].name);
}

static void check_version(struct doctor *doctor)
{
    AUTO(pong) struct pong pong;
    struct err err = { 0 };

    if (client_call(doctor->cli->client, MSG_PING, NULL, MSG_PONG, &pong, &err) < 0) {
        doctor_find(doctor, xstrdup("see the log of slurmctld"),
                    "the controller does not answer: %s", err.text);
        return;
    }
    if (pong.version && strcmp(pong.version, SLUICE_VERSION) != 0)
        doctor_find(doctor, xstrdup("install the same version on both hosts"),
                    "the controller is Sluice %s, this host has %s", pong.version, SLUICE_VERSION);
}

static void check_store(struct doctor *doctor)
{
    AUTO(diag) struct diag diag;
    struct err err = { 0 };

    if (client_call(doctor->cli->client, MSG_DIAG_GET, NULL, MSG_DIAG, &diag, &err) < 0)
        return;
    if (diag.commit_max_us > COMMIT_US)
        doctor_find(doctor,
                    xasprintf("put StateSaveLocation=%s on a faster, local disk",
                              doctor->conf->state_save_location),
                    "the state of jobs took up to %" PRIu64 " ms to get to the disk",
                    diag.commit_max_us / 1000);
}

/* ---- partitions ---- */

static bool has_usable_node(const struct records *nodes, const char *partition)
{
    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *info = record_at(nodes, i);

        if (info->state == NODE_DOWN || info->state == NODE_UNKNOWN || info->node->drain)
            continue;
        for (uint32_t k = 0; k < info->partitions_n; k++)
            if (strcmp(info->partitions[k], partition) == 0)
                return true;
    }
    return false;
}

static void check_partitions(struct doctor *doctor, const struct records *nodes)
{
    static const char *const names[] = { "UP", "DOWN", "DRAIN", "INACTIVE" };
    AUTO(records) struct records partitions = { .schema = partition_info_schema() };
    struct err err = { 0 };

    if (records_load(doctor->cli->client, MSG_PARTITION_LIST, NULL, MSG_PARTITION_INFO, &partitions,
                     &err) < 0)
        return;
    for (uint32_t i = 0; i < partitions.n; i++) {
        const struct partition_info *part = record_at(&partitions, i);

        if (part->state != PARTITION_UP)
            doctor_find(doctor, xasprintf("scontrol update partitionname=%s state=up", part->name),
                        "partition %s is %s", part->name,
                        part->state < ARRAY_N(names) ? names[part->state] : "not up");
        else if (part->total_nodes && !has_usable_node(nodes, part->name))
            doctor_find(doctor, xasprintf("sinfo -R -p %s tells why", part->name),
                        "partition %s: none of its %u nodes takes jobs", part->name,
                        part->total_nodes);
    }
}

static void check_clock(struct doctor *doctor, const struct records *nodes, int64_t asked_s)
{
    const struct clock clock = clock_from_env();
    const struct node_info *info = nodes->n ? record_at(nodes, 0) : NULL;
    int64_t ahead = info ? skew_s(asked_s, info->now, clock_wall_s(&clock)) : 0;

    if (ahead > SKEW_S || ahead < -SKEW_S)
        doctor_find(doctor, xstrdup("timedatectl set-ntp true; chronyc makestep"),
                    "this host's clock is %" PRId64 " s %s the controller's",
                    ahead < 0 ? -ahead : ahead, ahead < 0 ? "behind" : "ahead of");
}

void look_at_cluster(struct doctor *doctor)
{
    AUTO(records) struct records nodes = { .schema = node_info_schema() };
    const struct clock clock = clock_from_env();
    struct err err = { 0 };
    int64_t asked_s;

    if (cli_connect_within(doctor->cli, RPC_ROLE_CLIENT, 0, &err) < 0) {
        doctor_find(doctor, mend_contact(doctor, &err), "the controller cannot be asked: %s",
                    err.text);
        look_at_ports(doctor);
        return;
    }
    check_version(doctor);
    check_store(doctor);
    asked_s = clock_wall_s(&clock);
    if (records_load(doctor->cli->client, MSG_NODE_LIST, NULL, MSG_NODE_INFO, &nodes, &err) < 0)
        return;
    check_clock(doctor, &nodes, asked_s);
    check_partitions(doctor, &nodes);
    look_at_nodes(doctor, &nodes);
    look_at_differences(doctor, &nodes);
    look_at_users(doctor);
}
