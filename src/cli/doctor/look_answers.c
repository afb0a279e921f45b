/* look_answers.c - what the nodes told of themselves, against each other and this host. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"
#include "cli/doctor/skew.h"
#include "common/base/version.h"
#include "common/text/hostlist.h"

/* Returns the next sight that was answered, from *at on, or NULL. */
static const struct sight *next_answer(const struct doctor *doctor, uint32_t *at)
{
    while (*at < doctor->sights_n) {
        const struct sight *sight = &doctor->sights[(*at)++];

        if (!sight->why.code)
            return sight;
    }
    return NULL;
}

/* True for an older slurmd, which answers what scontrol show slurmd wants, and no more. */
static bool is_old(const struct sight *sight)
{
    return sight->info.now == 0;
}

static void note_silence(struct doctor *doctor)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < doctor->sights_n; i++)
        n += doctor->sights[i].why.code || is_old(&doctor->sights[i]);
    if (n)
        doctor_skip(doctor, "%u of %u nodes told nothing", n, doctor->sights_n);
}

/* ---- slurm.conf ---- */

static char *mend_conf(const struct doctor *doctor, const char *node)
{
    const char *path = doctor->conf->path;
    AUTO_FREE char *restart = mend_restart(doctor, DAEMON_SLURMD, node);
    AUTO_FREE char *copy = NULL;

    if (doctor->is_up)
        return xstrdup("scontrol reconfigure");
    if (doctor->is_controller)
        return xasprintf("scp -p %s to the same place there; scontrol reconfigure, or %s", path,
                         restart);
    copy = mend_copy(doctor, path);
    return xasprintf("if the file here is old: %s; then: %s", copy, restart);
}

/* Makes one finding for all nodes that differ; the mend is that of the first. */
void look_at_node_confs(struct doctor *doctor)
{
    AUTO(hostlist) struct hostlist *nodes = hostlist_new();
    AUTO_FREE char *text = NULL;
    const struct sight *sight;

    note_silence(doctor);
    if (doctor->conf->debug_flags && strcasestr(doctor->conf->debug_flags, "NO_CONF_HASH")) {
        doctor_skip(doctor, "DebugFlags=NO_CONF_HASH");
        return;
    }
    for (uint32_t at = 0; (sight = next_answer(doctor, &at));)
        if (!is_old(sight) && sight->info.conf_digest != doctor->conf->digest)
            hostlist_add(nodes, sight->node);
    if (!hostlist_count(nodes))
        return;
    text = hostlist_format(nodes);
    doctor_find(doctor, mend_conf(doctor, hostlist_get(nodes, 0)),
                "%s %s %s by another slurm.conf than %s here",
                hostlist_count(nodes) == 1 ? "node" : "nodes", text,
                hostlist_count(nodes) == 1 ? "runs" : "run", doctor->conf->path);
}

/* ---- clocks ---- */

void look_at_node_clocks(struct doctor *doctor)
{
    const struct sight *sight;

    note_silence(doctor);
    for (uint32_t at = 0; (sight = next_answer(doctor, &at));) {
        const int64_t ahead =
            is_old(sight) ? 0 : skew_s(sight->asked_s, sight->info.now, sight->heard_s);

        if (skew_is_much(ahead))
            doctor_find(doctor, mend_clock(doctor, sight->node),
                        "the clock of node %s is %" PRId64 " s %s this host's", sight->node,
                        ahead < 0 ? -ahead : ahead, ahead < 0 ? "ahead of" : "behind");
    }
}

/* ---- versions ---- */

void look_at_node_versions(struct doctor *doctor)
{
    const struct sight *sight;

    for (uint32_t at = 0; (sight = next_answer(doctor, &at));) {
        AUTO_FREE char *place = mend_place(doctor, sight->node);
        AUTO_FREE char *restart = mend_restart(doctor, DAEMON_SLURMD, sight->node);
        const char *release = sight->release ? sight->release : "of an unknown version";
        char *mend = xasprintf("%sinstall Sluice %s; %s", place, SLUICE_VERSION, restart);

        if (is_old(sight))
            doctor_find(doctor, mend,
                        "node %s runs slurmd of Sluice %s, which does not tell its clock, its "
                        "slurm.conf and its users",
                        sight->node, release);
        else if (strcmp(release, SLUICE_VERSION) != 0)
            doctor_find(doctor, mend, "node %s runs slurmd of Sluice %s, this host has %s",
                        sight->node, release, SLUICE_VERSION);
        else
            free(mend);
    }
}

/* ---- host names ---- */

void look_at_node_hosts(struct doctor *doctor)
{
    const struct sight *sight;

    for (uint32_t at = 0; (sight = next_answer(doctor, &at));) {
        const struct conf_node *node = slurm_conf_find_node(doctor->conf, sight->node);
        const char *host = sight->info.host;

        if (!host || slurm_conf_node_is_on(node, host) || doctor->is_up)
            continue;
        doctor_find(doctor,
                    xasprintf("there: %s %s; or write NodeHostname=%s into the line of %s in %s on "
                              "all hosts",
                              doctor->has_systemd ? "hostnamectl set-hostname" : "hostname",
                              node->hostname, host, node->name, doctor->conf->path),
                    "the host of node %s is called %s, and its line says NodeHostname=%s: its "
                    "slurmd will not start again",
                    node->name, host, node->hostname);
    }
}
