/* token_verb.c - `sluice token`: lets more machines join, or the same ones anew. */
#include <getopt.h>

#include "cli/join/exchange.h"
#include "cli/join/invite.h"
#include "cli/join/setup.h"
#include "cli/join/verbs.h"
#include "common/conf/slurm_conf.h"

enum { OPT_MINUTES = 1, OPT_PORT };

static const struct option longs[] = { { "minutes", required_argument, NULL, OPT_MINUTES },
                                       { "port", required_argument, NULL, OPT_PORT },
                                       { NULL, 0, NULL, 0 } };

static int read_options(int argc, char **argv, uint32_t *ret_minutes, uint32_t *ret_port,
                        struct err *err)
{
    int option, rc = 0;

    while (rc == 0 && (option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (option == OPT_MINUTES)
            rc = setup_read_number(optarg, INVITE_MINUTES_MAX, "--minutes", ret_minutes, err);
        else if (option == OPT_PORT)
            rc = setup_read_number(optarg, UINT16_MAX, "--port", ret_port, err);
        else
            rc = err_set(err, EINVAL, "see `sluice --help`");
    }
    if (rc == 0 && optind + 1 != argc)
        rc = err_set(err, EINVAL, "which hosts? `sluice token worker-[1-3]`");
    return rc;
}

static int read_hosts(const char *text, struct hostlist **ret_hosts, struct err *err)
{
    int rc = hostlist_parse(text, ret_hosts, err);

    if (rc < 0)
        return rc;
    if (hostlist_count(*ret_hosts) == 0)
        return err_set(err, EINVAL, "'%s' names no host", text);
    hostlist_uniq(*ret_hosts);
    for (uint32_t i = 0; i < hostlist_count(*ret_hosts); i++) {
        if (!join_name_is_plain(hostlist_get(*ret_hosts, i), JOIN_HOST_MAX))
            return err_set(err, EINVAL, "'%s' is no host's name", hostlist_get(*ret_hosts, i));
    }
    return 0;
}

int sluice_token(int argc, char **argv, struct log *log)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    uint32_t minutes = INVITE_MINUTES_DEFAULT, port = 0;
    struct err err = { 0 };
    int rc = read_options(argc, argv, &minutes, &port, &err);

    if (rc == 0)
        rc = setup_need_root("token", &err);
    if (rc == 0)
        rc = read_hosts(argv[optind], &hosts, &err);
    if (rc == 0)
        rc = invite(&(struct invite_options){ .conf_path = slurm_conf_path(),
                                              .hosts = hosts,
                                              .minutes = minutes,
                                              .port = (uint16_t)port },
                    &err);
    if (rc < 0)
        log_error(log, "%s", err.text);
    return rc < 0 ? 1 : 0;
}
