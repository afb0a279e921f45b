#include "common/proc/wait.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"

/* The status as waitpid tells it. */
static int wait_for(pid_t pid, uint32_t timeout_s, bool *ret_late)
{
    AUTO_CLOSE int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
    const int timeout_ms = timeout_s ? (int)(timeout_s * UINT64_C(1000)) : -1;
    int status = 0, n;

    do
        n = poll(&poll_fd, 1, timeout_ms);
    while (n < 0 && errno == EINTR);
    *ret_late = n == 0;
    if (n == 0)
        (void)kill(-pid, SIGKILL);
    (void)waitpid(pid, &status, 0);
    return status;
}

int proc_wait_well(pid_t pid, const char *what, uint32_t timeout_s, const char *limit,
                   struct err *err)
{
    bool late;
    const int status = wait_for(pid, timeout_s, &late);

    if (late)
        return err_set(err, ETIME, "%s ran for more than %s%u s and was killed", what,
                       limit ? limit : "", timeout_s);
    if (WIFSIGNALED(status))
        return err_set(err, EINTR, "%s was killed by signal %d", what, WTERMSIG(status));
    if (WEXITSTATUS(status))
        return err_set(err, EIO, "%s ended with status %d", what, WEXITSTATUS(status));
    return 0;
}
