/* look_names.c - users and host names. */
#include <arpa/inet.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "common/net/resolve.h"
#include "common/text/words.h"

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

/* Checks the controller's name; on the controller it may mean 127.0.1.1, as Debian has it. */
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

/* Returns where a node is, by its first address; new memory, or NULL. */
static char *place_of(const struct conf_node *node, const struct net_addrs *addrs)
{
    AUTO_FREE char *host = addrs->addrs_n ? net_addr_host(&addrs->addrs[0]) : NULL;

    return host ? xasprintf("%s port %u", host, node->port) : NULL;
}

static void check_twins(struct doctor *doctor, char *const *places, uint32_t i)
{
    const struct conf_node *nodes = doctor->conf->nodes;

    for (uint32_t k = 0; places[i] && k < i; k++) {
        if (places[k] && strcmp(places[k], places[i]) == 0)
            doctor_find(doctor,
                        xasprintf("mend the lines of %s and %s in /etc/hosts, or write "
                                  "NodeAddr=ADDRESS into theirs in %s",
                                  nodes[k].addr, nodes[i].addr, doctor->conf->path),
                        "nodes %s and %s are both at %s", nodes[k].name, nodes[i].name, places[i]);
    }
}

/* Checks the nodes' names, since srun and sattach connect to nodes themselves. */
static void check_node_names(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;
    char *places[ADDRESSES_MAX] = { NULL };

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
        places[i] = place_of(node, &addrs);
        check_twins(doctor, places, i);
    }
    for (uint32_t i = 0; i < ADDRESSES_MAX; i++)
        free(places[i]);
}

/* Checks that this host has the partition's groups: the controller looks up who is in them. */
static void check_groups(struct doctor *doctor, const struct conf_partition *part)
{
    AUTO(words)
    struct words groups = words_split(part->allow_groups ? part->allow_groups : "", ",");

    for (uint32_t i = 0; i < groups.n; i++) {
        if (!getgrnam(groups.at[i]))
            doctor_find(doctor,
                        xasprintf("groupadd %s, or take it out of AllowGroups= in line %u of %s",
                                  groups.at[i], part->at.line, part->at.file),
                        "partition %s: AllowGroups=%s: this host has no such group", part->name,
                        groups.at[i]);
    }
}

void look_at_names(struct doctor *doctor)
{
    check_user(doctor, "SlurmUser", doctor->conf->slurm_user);
    if (doctor->node && doctor->conf->slurmd_user)
        check_user(doctor, "SlurmdUser", doctor->conf->slurmd_user);
    for (uint32_t i = 0; doctor->is_controller && i < doctor->conf->partitions_n; i++)
        check_groups(doctor, &doctor->conf->partitions[i]);
}

void look_at_addresses(struct doctor *doctor)
{
    for (uint32_t i = 0; i < doctor->conf->controllers_n; i++)
        check_controller_name(doctor, &doctor->conf->controllers[i]);
    check_node_names(doctor);
    if (doctor->conf->nodes_n > ADDRESSES_MAX)
        doctor_skip(doctor, "only the first %d of %u nodes", ADDRESSES_MAX, doctor->conf->nodes_n);
}
