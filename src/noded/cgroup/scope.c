#include "noded/cgroup/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/proc/signals.h"
#include "noded/cgroup/files.h"

#define SLICE    "system.slice"
#define CHECK_NS 20000000
#define CHECKS   1000 /* 20 s: a machine that boots is slow */
#define PID_TEXT 16

/* ---- the process that keeps the scope ---- */

static _Noreturn void hold_scope(void)
{
    int null = open("/dev/null", O_RDWR);

    (void)setsid();
    signals_reset();
    (void)prctl(PR_SET_NAME, "slurmstepd");
    if (chdir("/") < 0 || null < 0)
        _exit(EXIT_FAILURE);
    for (int i = 0; i < 3; i++)
        (void)dup2(null, i);
    (void)close_range(3, ~0U, 0);
    for (;;)
        (void)pause();
}

/* Makes the holder nobody's child: who starts it may wait for the end of its own ones. */
static _Noreturn void leave_holder(int tell)
{
    pid_t pid = fork();

    if (pid == 0)
        hold_scope();
    _exit(write(tell, &pid, sizeof(pid)) == (ssize_t)sizeof(pid) ? EXIT_SUCCESS : EXIT_FAILURE);
}

static pid_t start_holder(struct err *err)
{
    pid_t between, pid = -1;
    int told[2];

    if (pipe2(told, O_CLOEXEC) < 0)
        return err_set(err, errno, "cannot make a pipe: %s", strerror(errno));
    between = fork();
    if (between == 0)
        leave_holder(told[1]);
    close(told[1]);
    if (between < 0 || read(told[0], &pid, sizeof(pid)) != (ssize_t)sizeof(pid) || pid < 0)
        pid = err_set(err, between < 0 ? errno : EAGAIN, "cannot fork a process that keeps %s",
                      SLICE);
    close(told[0]);
    while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR)
        ;
    return pid;
}

/* ---- asking systemd ---- */

/* Executes busctl, which comes with systemd itself. */
static void exec_busctl(const char *name, const char *pid)
{
    execlp("busctl", "busctl", "--quiet", "call", "org.freedesktop.systemd1",
           "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "StartTransientUnit",
           "ssa(sv)a(sa(sv))", name, "fail", "5", "Description", "s", "Steps of Sluice's jobs",
           "Slice", "s", SLICE, "PIDs", "au", "1", pid, "Delegate", "b", "true", "TasksMax", "t",
           "18446744073709551615", "0", (char *)NULL);
    _exit(127);
}

static int ask(const char *name, pid_t holder, struct err *err)
{
    char pid_text[PID_TEXT];
    int status = 0;
    pid_t pid;

    snprintf(pid_text, sizeof(pid_text), "%d", (int)holder);
    pid = fork();
    if (pid == 0)
        exec_busctl(name, pid_text);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (pid < 0)
        return err_set(err, errno, "cannot fork: %s", strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, EIO, "systemd did not make it (busctl %s %d)",
                       WIFEXITED(status) ? "status" : "signal",
                       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return 0;
}

static bool has_member(const char *dir, pid_t pid)
{
    AUTO_FREE pid_t *pids = NULL;
    uint32_t n = 0;

    cgroup_files_pids(dir, &pids, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (pids[i] == pid)
            return true;
    }
    return false;
}

/* Waits until the scope is there: the answer comes before the work is done. */
static int wait_for(const char *dir, pid_t holder, struct err *err)
{
    const struct timespec pause = { .tv_nsec = CHECK_NS };

    for (int i = 0; i < CHECKS; i++) {
        if (has_member(dir, holder))
            return 0;
        (void)nanosleep(&pause, NULL);
    }
    return err_set(err, ETIMEDOUT, "systemd has not made it in %d s", CHECKS / 50);
}

/* ---- the scope ---- */

/* Moves the holder to a leaf: processes may only be in leaves, or nothing below could be
 * bounded. */
static int move_to_system(const char *dir, pid_t holder, struct err *err)
{
    AUTO_FREE char *system = xasprintf("%s/system", dir);
    AUTO_FREE char *pid = xasprintf("%d", (int)holder);
    int rc = mkdir(system, 0755) < 0 && errno != EEXIST ? -errno : 0;

    if (rc == 0)
        rc = cgroup_file_write(system, "cgroup.procs", pid);
    return rc < 0 ? err_set(err, -rc, "%s: %s", system, strerror(-rc)) : 0;
}

/* Gives a scope that was left without its holder another one: it lives as long as a step is in
 * it. */
static int adopt(const char *dir, struct err *err)
{
    AUTO_FREE char *system = xasprintf("%s/system", dir);
    AUTO_FREE pid_t *pids = NULL;
    uint32_t n = 0;
    pid_t holder;

    cgroup_files_pids(system, &pids, &n);
    if (n > 0)
        return 0;
    holder = start_holder(err);
    return holder < 0 ? (int)holder : move_to_system(dir, holder, err);
}

static int make(const char *dir, const char *name, struct err *err)
{
    pid_t holder = start_holder(err);
    int rc;

    if (holder < 0)
        return (int)holder;
    rc = ask(name, holder, err);
    if (rc == 0)
        rc = wait_for(dir, holder, err);
    if (rc == 0)
        rc = move_to_system(dir, holder, err);
    if (rc < 0)
        (void)kill(holder, SIGKILL);
    return rc;
}

/* Locks the slice, since several steps may find at once that the scope is gone: one makes it, the
 * others find it made. */
static int lock_slice(const char *mount, struct err *err)
{
    AUTO_FREE char *dir = xasprintf("%s/" SLICE, mount);
    AUTO_CLOSE int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int locked = fd;

    if (fd < 0 || flock(fd, LOCK_EX) < 0)
        return err_set(err, errno, "cannot lock %s: %s", dir, strerror(errno));
    fd = -1;
    return locked;
}

int scope_find(const char *mount, const char *name, char **ret_dir, struct err *err)
{
    AUTO_FREE char *dir = xasprintf("%s/" SLICE "/%s", mount, name);
    AUTO_CLOSE int lock = lock_slice(mount, err);
    int rc;

    if (lock < 0)
        return lock;
    rc = access(dir, F_OK) == 0 ? adopt(dir, err) : make(dir, name, err);

    if (rc == 0)
        *ret_dir = STEAL(dir);
    return rc;
}
