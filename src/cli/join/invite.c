#include "cli/join/invite.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/join/desk.h"
#include "cli/join/door.h"
#include "cli/join/files.h"
#include "common/base/clock.h"
#include "common/base/log.h"
#include "common/conf/slurm_conf.h"
#include "common/net/listen.h"
#include "common/proc/daemon.h"

struct invite {
    const struct invite_options *options;
    struct invitation *invitations;
    uint32_t invitations_n;
    int listen_fd;
    uint16_t port;
    int64_t until_ms;
    char *controller; /* the head as the nodes call it */
    char *log_path;
};

static void invite_clear(struct invite *invite)
{
    for (uint32_t i = 0; i < invite->invitations_n; i++) {
        free(invite->invitations[i].host);
        token_auto_(&invite->invitations[i].token);
    }
    free(invite->invitations);
    free(invite->controller);
    free(invite->log_path);
    if (invite->listen_fd >= 0)
        close(invite->listen_fd);
}

static int open_port(struct invite *invite, struct err *err)
{
    uint16_t wanted = invite->options->port;
    int rc;

    if (wanted)
        return net_listen_tcp(NULL, wanted, &invite->listen_fd, &invite->port, err);
    for (wanted = DOOR_PORT; wanted < DOOR_PORT + DOOR_PORTS_N; wanted++) {
        rc = net_listen_tcp(NULL, wanted, &invite->listen_fd, &invite->port, err);
        if (rc != -EADDRINUSE)
            return rc;
    }
    return err_set(err, EADDRINUSE, "all ports from %u to %u are in use; choose one by --port",
                   DOOR_PORT, DOOR_PORT + DOOR_PORTS_N - 1);
}

static int prepare(struct invite *invite, struct err *err)
{
    const struct invite_options *options = invite->options;
    struct slurm_conf *conf = NULL;
    int rc = desk_check(options->conf_path, err);

    if (rc == 0)
        rc = slurm_conf_load(options->conf_path, &conf, NULL, err);
    if (rc == 0) {
        invite->controller = xstrdup(conf->controllers[0].addr);
        if (conf->slurmctld_log_file)
            invite->log_path = file_beside(conf->slurmctld_log_file, "sluice-join.log");
        rc = open_port(invite, err);
    }
    slurm_conf_free(conf);
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < hostlist_count(options->hosts); i++) {
        struct invitation *invitation = ARRAY_PUSH(invite->invitations, invite->invitations_n);

        *invitation = (struct invitation){ .host = xstrdup(hostlist_get(options->hosts, i)) };
        token_new(&invitation->token);
    }
    invite->until_ms = clock_mono_ms() + (int64_t)options->minutes * 60000;
    return 0;
}

static void print_commands(const struct invite *invite)
{
    printf("On each of these hosts, as root, within %u minutes (a token is good once):\n\n",
           invite->options->minutes);
    for (uint32_t i = 0; i < invite->invitations_n; i++) {
        char text[TOKEN_TEXT_N + 1], port[8] = "";

        token_format(&invite->invitations[i].token, text);
        if (invite->port != DOOR_PORT)
            snprintf(port, sizeof(port), ":%u", invite->port);
        printf("  %s:  sluice join %s%s --token %s\n", invite->invitations[i].host,
               invite->controller, port, text);
        wipe(text, sizeof(text));
    }
    printf("\n`sluice token HOSTS` makes new ones.\n");
}

/* ---- in the background ---- */

static NO_RETURN void serve_door(const struct invite *invite, int desk_fd, struct log *log)
{
    AUTO(proc_user) struct proc_user user = { 0 };
    const struct door_options options = {
        .listen_fd = invite->listen_fd,
        .desk_fd = desk_fd,
        .invitations = invite->invitations,
        .invitations_n = invite->invitations_n,
        .until_ms = invite->until_ms,
        .log = log,
    };
    struct err err = { 0 };
    int rc = proc_user_make_up("sluice join", &user, &err);

    if (rc == 0)
        rc = proc_become(&user, true, &err);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* becoming another user clears it */
    (void)prctl(PR_SET_DUMPABLE, 0);        /* tokens are in no core file */
    if (rc == 0)
        door_run(&options);
    else
        log_error(log, "%s", err.text);
    _exit(rc == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static int serve(struct invite *invite, struct proc_background *background, struct log *log,
                 struct err *err)
{
    int pair[2];
    pid_t door;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, errno, "socketpair: %s", strerror(errno));
    signal(SIGPIPE, SIG_IGN);
    door = fork();
    if (door < 0)
        return err_set(err, errno, "fork: %s", strerror(errno));
    proc_ready(background); /* and in the child: neither keeps the terminal */
    if (door == 0) {
        close(pair[0]);
        serve_door(invite, pair[1], log);
    }
    close(pair[1]);
    close(invite->listen_fd);
    invite->listen_fd = -1;
    for (uint32_t i = 0; i < invite->invitations_n; i++)
        token_auto_(&invite->invitations[i].token); /* the door's alone */
    desk_run(pair[0], invite->options->conf_path, invite->options->hosts, invite->until_ms, log);
    close(pair[0]);
    (void)waitpid(door, NULL, 0);
    log_info(log, "no more tokens are taken: all were used, or their time is over");
    return 0;
}

/* Opens a log for the background; the command's lines have gone to the terminal before. */
static struct log *open_log(const struct invite *invite)
{
    struct log *log = log_new_daemon("sluice", LOG_INFO);

    if (invite->log_path)
        (void)log_open(log, invite->log_path, NULL);
    log_set_stderr(log, false);
    return log;
}

int invite(const struct invite_options *options, struct err *err)
{
    struct invite invite = { .options = options, .listen_fd = -1 };
    struct proc_background *background = NULL;
    int rc = prepare(&invite, err);

    if (rc == 0) {
        print_commands(&invite);
        rc = proc_background(&background, err);
    }
    if (rc == 0) {
        struct log *own = open_log(&invite);

        rc = serve(&invite, background, own, err);
        log_free(own);
    } else {
        proc_not_ready(background);
    }
    invite_clear(&invite);
    return rc;
}
