#include "common/proc/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/clock.h"

#define CHUNK 4096

/* Reads to the end, or as long as there is time. */
static void read_answer(int fd, int timeout_ms, struct strbuf *bytes)
{
    const int64_t until_ms = clock_mono_ms() + timeout_ms;
    struct pollfd ready = { .fd = fd, .events = POLLIN };
    ssize_t n = 1;

    while (n != 0) {
        const int64_t left_ms = until_ms - clock_mono_ms();
        const int rc = poll(&ready, 1, timeout_ms < 0 ? -1 : left_ms > 0 ? (int)left_ms : 0);

        if (rc == 0)
            return;
        if (rc < 0)
            continue; /* a signal */
        n = read(fd, strbuf_reserve(bytes, CHUNK), CHUNK);
        if (n > 0)
            strbuf_grown(bytes, (size_t)n);
        else if (n < 0 && errno != EINTR)
            return;
    }
}

int proc_apart(proc_work_fn *work, const void *arg, int timeout_ms, struct strbuf *ret_bytes,
               struct err *err)
{
    int fds[2], rc = 0;
    pid_t pid;

    if (pipe2(fds, O_CLOEXEC) < 0)
        return err_set(err, errno, "cannot make a pipe: %s", strerror(errno));
    pid = fork();
    if (pid == 0) {
        work(arg, fds[1]);
        _exit(0);
    }
    if (pid < 0)
        rc = err_set(err, errno, "cannot fork: %s", strerror(errno));
    close(fds[1]);
    if (pid > 0) {
        read_answer(fds[0], timeout_ms, ret_bytes);
        (void)kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    close(fds[0]);
    return rc;
}
