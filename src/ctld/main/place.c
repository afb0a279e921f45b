/*
 * place.c - whether this machine is the one that slurm.conf gives to the controller.
 *
 * One controller leads, the first SlurmctldHost. Two that lead, each with a state directory of its
 * own, would give the same ids to different jobs and start them on the same nodes.
 */
#include <string.h>
#include <unistd.h>

#include "common/net/here.h"
#include "ctld/main/start.h"

#define LOOK_UP_MS 10000 /* no loop runs yet that would wait for it */

/* True if the file is for one machine alone: its only controller has a loopback address. */
static bool is_anywhere(const struct slurm_conf *conf)
{
    return conf->controllers_n == 1 && net_is_loopback(conf->controllers[0].addr);
}

/* True if an interface has the address: the name may be an alias, the address one of several. */
static bool has_address(const struct conf_host *first, struct err *ret_why)
{
    int rc = net_is_here(first->addr, LOOK_UP_MS, ret_why);

    if (rc == 0 && strcmp(first->addr, first->name) != 0)
        rc = net_is_here(first->name, LOOK_UP_MS, ret_why);
    if (rc == 0)
        err_set(ret_why, ENOENT, "no interface here has its address");
    return rc > 0;
}

static int err_elsewhere(const struct slurm_conf *conf, const char *host, const char *why,
                         struct err *err)
{
    const char *first = conf->controllers[0].name;

    for (uint32_t i = 1; i < conf->controllers_n; i++)
        if (slurm_conf_controller_is_on(&conf->controllers[i], host))
            return err_set(err, EINVAL,
                           "this host is '%s', number %u of SlurmctldHost in %s, and '%s' is the "
                           "first, which alone leads: there is no standby yet, and two controllers "
                           "would give the same job ids. Start slurmctld on '%s', or make '%s' the "
                           "first on all hosts and bring StateSaveLocation along",
                           host, i + 1, conf->path, first, first, conf->controllers[i].name);
    return err_set(
        err, EINVAL,
        "this host is '%s', and %s says SlurmctldHost=%s (%s). Start slurmctld there, or "
        "change the file; if this is that host, give it the name (hostname %s), or its "
        "own address in the file: SlurmctldHost=%s(ADDRESS)",
        host, conf->path, first, why, first, first);
}

int start_find_place(const struct slurm_conf *conf, char **ret_host, struct err *err)
{
    const struct conf_host *first = &conf->controllers[0];
    struct err why = { 0 };
    char host[256] = "";

    gethostname(host, sizeof(host) - 1);
    if (!slurm_conf_controller_is_on(first, host) && !is_anywhere(conf) &&
        !has_address(first, &why))
        return err_elsewhere(conf, host, why.text, err);
    *ret_host = xstrdup(first->name);
    return 0;
}
