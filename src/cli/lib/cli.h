/*
 * cli.h - what every command begins with: slurm.conf, and a connection to the controller it names.
 */
#pragma once

#include "common/client/client.h"
#include "common/conf/slurm_conf.h"

struct cli {
    struct slurm_conf *conf;
    struct client *client; /* NULL until cli_connect or cli_start_connecting */
    uid_t slurm_uid;
    char *socket_path;  /* of this machine's controller; NULL in another cluster */
    const char **hosts; /* addresses of the controllers, borrowed from conf or `abroad` */
    uint32_t hosts_n;
    uint16_t port;            /* where an address says none */
    const char *dbd_hosts[2]; /* of slurmdbd, borrowed from conf */
    bool is_at_dbd;           /* cli_connect_accounting has found it */
    char *home;               /* slurm.conf's ClusterName, where cli_go_over has changed that */
    char *abroad;             /* where the controller of another cluster is, or NULL */
};

/* Reads slurm.conf ($SLURM_CONF, ...) and looks SlurmUser up. `cli` is { 0 } before. */
int cli_load(struct cli *cli, struct err *err);

/*
 * Goes over to another cluster, or comes back to slurm.conf's own: the connection is closed, the
 * next one is to the controller on `host`, and `conf` has the cluster's name. What else `conf` says
 * is still this cluster's.
 */
void cli_go_over(struct cli *cli, const char *cluster, const char *host, uint16_t port);

/* Connects, trying for MessageTimeout while the controller restarts. */
int cli_connect(struct cli *cli, enum rpc_role role, struct err *err);

/* Connects as cli_connect does, trying for `patience_ms`. */
int cli_connect_within(struct cli *cli, enum rpc_role role, int patience_ms, struct err *err);

/*
 * Connects to who keeps accounts and history: the slurmdbd that slurm.conf names where the cluster
 * has one, else the controller. Where a slurmdbd keeps them and does not answer, it fails.
 */
int cli_connect_accounting(struct cli *cli, struct err *err);

/* Returns how many slurmdbd slurm.conf names: the first one and its backup. */
uint32_t cli_dbds_n(const struct cli *cli);

/* Tries once to connect to one of them, to see whether it serves. The caller frees *ret_client. */
int cli_try_dbd(struct cli *cli, uint32_t dbd, struct client **ret_client, struct err *err);

/* Begins to connect without waiting: client_await tells what came of it. */
void cli_start_connecting(struct cli *cli, enum rpc_role role, int patience_ms);

/*
 * Tries once to connect to one of the controllers in slurm.conf, to see whether it is there. The
 * caller frees *ret_client; cli's own connection is not touched.
 */
int cli_try_controller(struct cli *cli, uint32_t controller, struct client **ret_client,
                       struct err *err);

/* Reads the configuration and connects. */
int cli_open(struct cli *cli, enum rpc_role role, struct err *err);

/* Frees everything, also after a failure. */
void cli_close(struct cli *cli);
