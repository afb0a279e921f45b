#include "common/proc/wait.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"

int proc_wait(pid_t pid, uint32_t timeout_s, bool *ret_late)
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
