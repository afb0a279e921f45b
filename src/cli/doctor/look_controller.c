/* look_controller.c - whether the controller answers, and what it says of itself and partitions. */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"
#include "cli/doctor/skew.h"
#include "cli/lib/records.h"
#include "common/base/version.h"
#include "common/msg/node.h"
#include "common/msg/types.h"

#define COMMIT_US 2000000

/* Returns what mends an error of the handshake, by what is usually behind it. */
static char *mend_contact(const struct doctor *doctor, const struct err *err)
{
    const char *head = doctor->conf->controllers[0].name;
    AUTO_FREE char *place = mend_place(doctor, head);
    AUTO_FREE char *restart = mend_restart(doctor, DAEMON_SLURMCTLD, head);
    AUTO_FREE char *munge = mend_restart(doctor, DAEMON_MUNGED, NULL);
    AUTO_FREE char *key = mend_copy(doctor, "/etc/munge/munge.key");

    if (strstr(err->text, "clock"))
        return mend_clock(doctor, NULL);
    if (strstr(err->text, "neither by SlurmUser"))
        return xasprintf("give %s the same uid here as on %s: usermod -u", doctor->conf->slurm_user,
                         head);
    if (strstr(err->text, "handshake"))
        return xasprintf("%sss -ltnp 'sport = :%u' tells whether slurmctld has the port; %s", place,
                         doctor->conf->slurmctld_ports.first, restart);
    if (strstr(err->text, "key") && !doctor->is_controller)
        return xasprintf("%s; %s", key, munge);
    if (doctor->is_controller)
        return mend_start(doctor, DAEMON_SLURMCTLD, NULL);
    return xasprintf("on %s: sluice doctor", head);
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

/* Returns whether a node that does not respond did so a moment ago: its slurmd begins anew, after
 * scontrol reconfigure or an upgrade. */
static bool is_one_returning(const struct records *nodes)
{
    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *info = record_at(nodes, i);

        if (info->flags & NODE_FLAG_NO_RESPOND && info->state != NODE_DOWN && info->last_seen &&
            info->now - info->last_seen < DOCTOR_RETURN_S)
            return true;
    }
    return false;
}

static int load_nodes_once(struct doctor *doctor, struct err *err)
{
    const struct node_list list = { .future = false };

    return records_load(doctor->cli->client, MSG_NODE_LIST, &list, MSG_NODE_INFO, &doctor->nodes,
                        err);
}

static void load_nodes(struct doctor *doctor)
{
    struct err err = { 0 };
    int rc = load_nodes_once(doctor, &err);

    while (rc == 0 && is_one_returning(&doctor->nodes)) {
        (void)poll(NULL, 0, DOCTOR_LOOK_MS);
        rc = load_nodes_once(doctor, &err);
    }
    if (rc < 0)
        doctor_find(doctor, xstrdup("see the log of slurmctld"),
                    "the controller does not list its nodes: %s", err.text);
}

void look_at_controller(struct doctor *doctor)
{
    AUTO_FREE char *forgotten = NULL;
    struct err err = { 0 };

    if (doctor->damaged) {
        doctor_skip(doctor, "%s has errors", doctor->conf->path);
        return;
    }
    if (cli_connect_within(doctor->cli, RPC_ROLE_CLIENT, 0, &err) < 0) {
        if (!doctor_blames_munge(doctor, &err))
            doctor_find(doctor, mend_contact(doctor, &err), "the controller cannot be asked: %s",
                        err.text);
        if (!doctor->is_up)
            (void)find_forgotten_cluster(doctor, &forgotten);
        return;
    }
    doctor->controller_answers = true;
    check_version(doctor);
    load_nodes(doctor);
    load_users(doctor);
}

void look_at_store(struct doctor *doctor)
{
    AUTO(diag) struct diag diag;
    struct err err = { 0 };

    if (client_call(doctor->cli->client, MSG_DIAG_GET, NULL, MSG_DIAG, &diag, &err) < 0) {
        doctor_skip(doctor, "%s", err.text);
        return;
    }
    if (diag.commit_max_us > COMMIT_US)
        doctor_find(doctor,
                    xasprintf("put StateSaveLocation=%s on a faster, local disk",
                              doctor->conf->state_save_location),
                    "the state of jobs took up to %" PRIu64 " ms to get to the disk",
                    diag.commit_max_us / 1000);
}

void look_at_clock(struct doctor *doctor)
{
    const struct clock clock = clock_from_env();
    const int64_t asked_s = clock_wall_s(&clock);
    AUTO(records) struct records nodes = { .schema = node_info_schema() };
    const struct node_info *info;
    int64_t ahead;

    if (records_load(doctor->cli->client, MSG_NODE_LIST, NULL, MSG_NODE_INFO, &nodes, NULL) < 0 ||
        !nodes.n) {
        doctor_skip(doctor, "the controller lists no nodes");
        return;
    }
    info = record_at(&nodes, 0);
    ahead = skew_s(asked_s, info->now, clock_wall_s(&clock));
    if (skew_is_much(ahead))
        doctor_find(doctor, mend_clock(doctor, NULL),
                    "this host's clock is %" PRId64 " s %s the controller's",
                    ahead < 0 ? -ahead : ahead, ahead < 0 ? "behind" : "ahead of");
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

void look_at_partitions(struct doctor *doctor)
{
    static const char *const names[] = { "UP", "DOWN", "DRAIN", "INACTIVE" };
    AUTO(records) struct records partitions = { .schema = partition_info_schema() };
    struct err err = { 0 };

    if (records_load(doctor->cli->client, MSG_PARTITION_LIST, NULL, MSG_PARTITION_INFO, &partitions,
                     &err) < 0) {
        doctor_skip(doctor, "%s", err.text);
        return;
    }
    for (uint32_t i = 0; i < partitions.n; i++) {
        const struct partition_info *part = record_at(&partitions, i);

        if (part->state != PARTITION_UP)
            doctor_find(doctor, xasprintf("scontrol update partitionname=%s state=up", part->name),
                        "partition %s is %s", part->name,
                        part->state < ARRAY_N(names) ? names[part->state] : "not up");
        if (part->total_nodes && !has_usable_node(&doctor->nodes, part->name))
            doctor_find(doctor, xasprintf("sinfo -R -p %s tells why", part->name),
                        "partition %s: none of its %u nodes takes jobs", part->name,
                        part->total_nodes);
    }
}
