#include "noded/stepd/stepd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/proc/signals.h"
#include "noded/stepd/parent.h"
#include "noded/stepd/spool.h"

#define DESCRIPTORS 6
#define ASIDE_FD    64 /* above the places where they end up */

/* Lists the descriptors of a launch in one array, for moving them together. */
static void list_fds(const struct stepd_launch *launch, int fds[DESCRIPTORS])
{
    fds[0] = launch->spool_fd;
    fds[1] = launch->record_fd;
    fds[2] = launch->listen_fd;
    fds[3] = launch->body_fd;
    fds[4] = launch->environment_fd;
    fds[5] = launch->script_fd;
}

/*
 * Keeps the step's own descriptors, right above 2, and nothing else: it is forked from the monitor
 * without an exec, so it begins with all that the monitor has open, such as connections, locks and
 * other steps' sockets.
 */
static int keep_only(struct stepd_launch *launch)
{
    int fds[DESCRIPTORS];

    list_fds(launch, fds);
    for (int i = 0; i < DESCRIPTORS; i++) { /* first out of the way, so that none hits another */
        if (fds[i] >= 0 && (fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, ASIDE_FD)) < 0)
            return -errno;
    }
    for (int i = 0; i < DESCRIPTORS; i++) {
        if (fds[i] >= 0 && dup3(fds[i], 3 + i, O_CLOEXEC) < 0)
            return -errno;
        if (fds[i] < 0)
            close(3 + i);
        fds[i] = fds[i] < 0 ? -1 : 3 + i;
    }
    if (close_range(3 + DESCRIPTORS, ~0U, 0) < 0)
        return -errno;
    launch->spool_fd = fds[0];
    launch->record_fd = fds[1];
    launch->listen_fd = fds[2];
    launch->body_fd = fds[3];
    launch->environment_fd = fds[4];
    launch->script_fd = fds[5];
    return 0;
}

static void close_stdio(bool keep_stderr)
{
    AUTO_CLOSE int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int i = 0; null >= 0 && i < (keep_stderr ? 2 : 3); i++)
        (void)dup2(null, i);
}

/* Opens the log, in which lines of the step go on; the daemon's own handle died with its
 * descriptor. */
static struct log *open_log(const struct stepd_launch *launch)
{
    struct log *log = log_new_daemon("slurmstepd", launch->log_level);

    if (launch->log_path)
        (void)log_open(log, launch->log_path, NULL);
    return log;
}

static int run(const struct stepd_launch *borrowed)
{
    struct stepd_launch launch = *borrowed;

    (void)setsid();
    (void)prctl(PR_SET_NAME, "slurmstepd");
    (void)prctl(PR_SET_PDEATHSIG, 0);
    signals_default(); /* nothing of the monitor's may run here */
    close_stdio(!launch.log_path);
    if (keep_only(&launch) < 0)
        return EXIT_FAILURE;
    return as_root_parent_main(&launch, open_log(&launch));
}

int stepd_start(const struct stepd_launch *launch, pid_t *ret_pid, struct err *err)
{
    sigset_t all, before;
    pid_t pid;

    signals_but_faults(&all); /* the monitor's handlers must not run in the step */
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid == 0)
        _exit(run(launch));
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        return err_set(err, errno, "cannot fork a step daemon: %s", strerror(errno));
    *ret_pid = pid;
    return 0;
}
