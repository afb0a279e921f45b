#include "cli/join/run.h"

#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/proc/daemon.h"

#define MUNGE_SOCKET "/run/munge/munge.socket.2"

static int await_end(pid_t pid, const char *name, struct err *err)
{
    int status;

    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return err_set(err, errno, "waiting for %s: %s", name, strerror(errno));
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, ECHILD, "%s ended with %s %d", name,
                       WIFEXITED(status) ? "status" : "signal",
                       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return 0;
}

int run_self(char *const argv[], struct err *err)
{
    pid_t pid;
    int rc = posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ);

    return rc ? err_set(err, rc, "cannot start %s: %s", argv[0], strerror(rc))
              : await_end(pid, argv[0], err);
}

/* Runs a program on PATH. Fails as run_self does. */
static int run_program(char *const argv[], struct err *err)
{
    pid_t pid;
    int rc = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);

    return rc ? err_set(err, rc, "cannot start %s: %s", argv[0], strerror(rc))
              : await_end(pid, argv[0], err);
}

bool run_has_systemd(void)
{
    return access("/run/systemd/system", F_OK) == 0;
}

static char *word(const char *text)
{
    return (char *)(uintptr_t)text;
}

/* Runs `systemctl DO UNIT`; a failure says where to read why. */
static int tell_systemd(const char *what, const char *unit, struct err *err)
{
    char *const argv[] = { word("systemctl"), word("--quiet"), word(what), word(unit), NULL };
    int rc = run_program(argv, err);

    return rc < 0 ? err_prefix(err, "%s did not start; `journalctl -u %s` says why", unit, unit)
                  : 0;
}

static int start_unit(const char *unit, bool again, struct err *err)
{
    int rc = tell_systemd("enable", unit, err);

    return rc < 0 ? rc : tell_systemd(again ? "restart" : "start", unit, err);
}

static int start_role(const char *role, struct err *err)
{
    char *const argv[] = { word(role), NULL };

    return run_self(argv, err);
}

/* Makes what the package's units and tmpfiles would have made. */
static int make_munge_places(struct err *err)
{
    static const struct {
        const char *path;
        mode_t mode;
    } places[] = { { "/run/munge", 0755 }, { "/var/log/munge", 0700 }, { "/var/lib/munge", 0711 } };
    AUTO(proc_user) struct proc_user user = { 0 };
    int rc = proc_user_lookup("munge", &user, err);

    for (size_t i = 0; rc == 0 && i < ARRAY_N(places); i++)
        rc = proc_make_dir(places[i].path, places[i].mode, user.uid, user.gid, err);
    return rc;
}

static int become_munge_and_run(struct err *err)
{
    AUTO(proc_user) struct proc_user user = { 0 };
    pid_t pid = fork();

    if (pid < 0)
        return err_set(err, errno, "cannot start munged: %s", strerror(errno));
    if (pid == 0) {
        char *const argv[] = { word("munged"), NULL };

        if (proc_user_lookup("munge", &user, NULL) == 0 && proc_become(&user, true, NULL) == 0)
            execv("/proc/self/exe", argv);
        _exit(127);
    }
    return await_end(pid, "munged", err);
}

/* True if somebody serves the socket; false for one that a dead daemon has left. */
static bool someone_serves(const char *path)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    AUTO_CLOSE int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
    return fd >= 0 && connect(fd, (const struct sockaddr *)&addr, sizeof(addr)) == 0;
}

int run_munged(bool again, struct err *err)
{
    char *const stop[] = { word("munged"), word("--stop"), NULL };
    int rc;

    if (run_has_systemd())
        return start_unit("munge.service", again, err);
    rc = make_munge_places(err);
    if (rc < 0)
        return rc;
    if (someone_serves(MUNGE_SOCKET) && !again)
        return 0;
    if (access(MUNGE_SOCKET, F_OK) == 0)
        (void)run_self(stop, NULL); /* a socket that a dead daemon left is replaced */
    return become_munge_and_run(err);
}

int run_slurmctld(struct err *err)
{
    return run_has_systemd() ? start_unit("slurmctld.service", true, err)
                             : start_role("slurmctld", err);
}

int run_slurmd(struct err *err)
{
    return run_has_systemd() ? start_unit("slurmd.service", true, err) : start_role("slurmd", err);
}
