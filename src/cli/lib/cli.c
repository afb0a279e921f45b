#include "cli/lib/cli.h"

#include <errno.h>
#include <pwd.h>

#include "common/conf/paths.h"
#include "common/msg/types.h"

#define HEARTBEAT_MS 30000 /* as the controller's: both ends notice a dead one */

/*
 * Returns a user's uid. A number is a number; a name that this host does not know can still be
 * root's controller.
 */
static uid_t user_id(const char *user)
{
    char *end;
    unsigned long number = strtoul(user, &end, 10);
    const struct passwd *entry;

    if (*user && !*end)
        return (uid_t)number;
    if (strcmp(user, "root") == 0) /* the same everywhere: spares the name service */
        return 0;
    entry = getpwnam(user);
    return entry ? entry->pw_uid : 0;
}

/* Notes where the controllers of slurm.conf are. */
static void stay_home(struct cli *cli)
{
    struct slurm_conf *conf = cli->conf;

    cli->socket_path = conf_controller_socket(conf);
    cli->hosts_n = conf->controllers_n;
    for (uint32_t i = 0; i < conf->controllers_n; i++)
        cli->hosts[i] = conf->controllers[i].addr;
    cli->port = (uint16_t)conf->slurmctld_ports.first;
}

int cli_load(struct cli *cli, struct err *err)
{
    const char *path = slurm_conf_path();
    int rc = slurm_conf_load(path, &cli->conf, NULL, err);

    if (rc < 0)
        return rc;
    cli->slurm_uid = user_id(cli->conf->slurm_user);
    cli->hosts = xcalloc(cli->conf->controllers_n, sizeof(*cli->hosts));
    stay_home(cli);
    return 0;
}

void cli_go_over(struct cli *cli, const char *cluster, const char *host, uint16_t port)
{
    cli->client = client_free(cli->client);
    if (!cli->home)
        cli->home = xstrdup(cli->conf->cluster_name);
    xstrset(&cli->conf->cluster_name, cluster);
    free(cli->socket_path);
    cli->socket_path = NULL;
    if (strcmp(cluster, cli->home) == 0) {
        xstrset(&cli->abroad, NULL);
        stay_home(cli);
        return;
    }
    xstrset(&cli->abroad, host);
    cli->hosts[0] = cli->abroad;
    cli->hosts_n = 1;
    cli->port = port;
}

static struct client_options options_of(const struct cli *cli, enum rpc_role role)
{
    const struct slurm_conf *conf = cli->conf;

    return (struct client_options){
        .socket_path = cli->socket_path,
        .hosts = cli->hosts,
        .hosts_n = cli->hosts_n,
        .port = cli->port,
        .cluster = conf->cluster_name,
        .slurm_uid = cli->slurm_uid,
        .role = role,
        .timeout_ms = (int)conf->message_timeout_s * 1000,
        .heartbeat_ms = HEARTBEAT_MS,
        .authc = { .socket_path = conf->auth_socket },
        .clock = clock_from_env(),
    };
}

int cli_connect(struct cli *cli, enum rpc_role role, struct err *err)
{
    return cli_connect_within(cli, role, (int)cli->conf->message_timeout_s * 1000, err);
}

int cli_connect_within(struct cli *cli, enum rpc_role role, int patience_ms, struct err *err)
{
    struct client_options options = options_of(cli, role);

    options.patience_ms = patience_ms;
    return client_open(&options, &cli->client, err);
}

uint32_t cli_dbds_n(const struct cli *cli)
{
    if (!slurm_conf_has_dbd(cli->conf))
        return 0;
    return cli->conf->accounting_backup_host ? 2 : 1;
}

static struct client_options dbd_options(struct cli *cli)
{
    struct client_options options = options_of(cli, RPC_ROLE_CLIENT);

    cli->dbd_hosts[0] = cli->conf->accounting_host;
    cli->dbd_hosts[1] = cli->conf->accounting_backup_host;
    options.socket_path = NULL;
    options.cluster = cli->home ? cli->home : cli->conf->cluster_name;
    options.hosts = cli->dbd_hosts;
    options.hosts_n = cli_dbds_n(cli);
    options.port = slurm_conf_dbd_port(cli->conf);
    options.server = RPC_ROLE_DBD;
    return options;
}

/* Connects to slurmdbd, trying each once. */
static int connect_dbd(struct cli *cli, struct err *err)
{
    const struct client_options options = dbd_options(cli);

    return client_open(&options, &cli->client, err);
}

int cli_try_dbd(struct cli *cli, uint32_t dbd, struct client **ret_client, struct err *err)
{
    struct client_options options = dbd_options(cli);

    options.hosts += dbd;
    options.hosts_n = 1;
    return client_open(&options, ret_client, err);
}

/* Finds out whether the controller itself keeps accounts; fails with `why` where a slurmdbd does.
 */
static int check_keeper(struct cli *cli, const struct err *why, struct err *err)
{
    AUTO(pong) struct pong pong;
    int rc = client_call(cli->client, MSG_PING, NULL, MSG_PONG, &pong, err);

    if (rc < 0 || !pong.dbd)
        return rc;
    cli->client = client_free(cli->client);
    return err_set(err, why->code,
                   "slurmdbd (%s), which keeps accounts and history, does not answer: %.400s",
                   pong.dbd, why->text);
}

int cli_connect_accounting(struct cli *cli, struct err *err)
{
    struct err why = { 0 };
    int rc;

    cli->is_at_dbd = slurm_conf_has_dbd(cli->conf) && connect_dbd(cli, &why) == 0;
    if (cli->is_at_dbd)
        return 0;
    rc = cli_connect(cli, RPC_ROLE_CLIENT, err);
    if (rc < 0 || !slurm_conf_has_dbd(cli->conf))
        return rc;
    return check_keeper(cli, &why, err);
}

void cli_start_connecting(struct cli *cli, enum rpc_role role, int patience_ms)
{
    struct client_options options = options_of(cli, role);

    options.patience_ms = patience_ms;
    cli->client = client_start(&options);
}

int cli_try_controller(struct cli *cli, uint32_t controller, struct client **ret_client,
                       struct err *err)
{
    struct client_options options = options_of(cli, RPC_ROLE_CLIENT);

    options.hosts += controller;
    options.hosts_n = 1;
    if (controller > 0)
        options.socket_path = NULL; /* whoever serves this host's socket is the primary */
    return client_open(&options, ret_client, err);
}

int cli_open(struct cli *cli, enum rpc_role role, struct err *err)
{
    int rc = cli_load(cli, err);

    return rc < 0 ? rc : cli_connect(cli, role, err);
}

void cli_close(struct cli *cli)
{
    client_free(cli->client);
    slurm_conf_free(cli->conf);
    free(cli->socket_path);
    free(cli->hosts);
    free(cli->home);
    free(cli->abroad);
    *cli = (struct cli){ 0 };
}
