/* look_names.c - users and host names. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pwd.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "common/net/resolve.h"

#define RESOLVE_MS    2000
#define ADDRESSES_MAX 64 /* looked up one after the other */

static bool is_number(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

static void check_user(struct doctor *doctor, const char *key, const char *user)
{
    if (!is_number(user) && !getpwnam(user))
        doctor_find(doctor, xasprintf("useradd --system %s, with the same uid on all hosts", user),
                    "%s=%s: this host has no such user", key, user);
}

static bool is_loopback(const struct net_addrs *addrs)
{
    for (uint32_t i = 0; i < addrs->addrs_n; i++) {
        AUTO_FREE char *text = net_addr_host(&addrs->addrs[i]);

        if (strncmp(text, "127.", 4) != 0 && strcmp(text, "::1") != 0)
            return false;
    }
    return true;
}

/* On the controller itself its own name may mean 127.0.1.1, as Debian has it. */
static void check_controller_name(struct doctor *doctor, const struct conf_host *host)
{
    AUTO(net_addrs) struct net_addrs addrs = { 0 };
    AUTO_FREE char *name = NULL;
    uint16_t port = 0;
    struct err err = { 0 };
    int rc = net_host_port_parse(host->addr, (uint16_t)doctor->conf->slurmctld_ports.first, &name,
                                 &port, &err);

    if (rc == 0)
        rc = net_resolve(name, port, RESOLVE_MS, &addrs, &err);
    if (rc < 0)
        doctor_find(doctor,
                    xasprintf("echo 'ADDRESS %s' >>/etc/hosts, or write SlurmctldHost=%s(ADDRESS)",
                              host->addr, host->name),
                    "the controller's name has no address here: %s", err.text);
    else if (!doctor->is_controller && is_loopback(&addrs))
        doctor_find(doctor, xasprintf("mend the line of %s in /etc/hosts", host->addr),
                    "the controller's name %s means this very host here (127.0.0.1 or such)",
                    host->addr);
}

/* srun and sattach go straight to nodes. */
static void check_node_names(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;

    for (uint32_t i = 0; i < conf->nodes_n && i < ADDRESSES_MAX; i++) {
        const struct conf_node *node = &conf->nodes[i];
        AUTO(net_addrs) struct net_addrs addrs = { 0 };
        struct err err = { 0 };

        if (node->state == CONF_NODE_CLOUD || node->state == CONF_NODE_FUTURE)
            continue;
        if (net_resolve(node->addr, (uint16_t)node->port, RESOLVE_MS, &addrs, &err) < 0)
            doctor_find(doctor,
                        xasprintf("echo 'ADDRESS %s' >>/etc/hosts, or write NodeAddr=ADDRESS into "
                                  "its line",
                                  node->addr),
                        "node %s has no address here: %s", node->name, err.text);
    }
}

void look_at_names(struct doctor *doctor)
{
    check_user(doctor, "SlurmUser", doctor->conf->slurm_user);
    if (doctor->node && doctor->conf->slurmd_user)
        check_user(doctor, "SlurmdUser", doctor->conf->slurmd_user);
    for (uint32_t i = 0; i < doctor->conf->controllers_n; i++)
        check_controller_name(doctor, &doctor->conf->controllers[i]);
    check_node_names(doctor);
}
