#include "common/proc/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/clock.h"
#include "common/base/plain.h"

/* ---- what programs write ---- */

int proc_tail_open(struct proc_tail *tail, struct err *err)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0)
        return err_set(err, errno, "cannot make a pipe for what it writes: %s", strerror(errno));
    *tail = (struct proc_tail){ .read_fd = ends[0], .write_fd = ends[1] };
    return 0;
}

/* Reads what is there. Returns the last result of read(): 0 at the end, else negative. */
static ssize_t read_tail(struct proc_tail *tail)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(tail->read_fd, bytes, sizeof(bytes))) > 0) {
        strbuf_add(&tail->text, bytes, (size_t)n);
        if (tail->text.len > PROC_TAIL_MAX)
            strbuf_consume(&tail->text, tail->text.len - PROC_TAIL_MAX);
    }
    return n;
}

void proc_tail_format(const struct proc_tail *tail, struct strbuf *out)
{
    const size_t from = out->len;
    size_t n = tail->text.len;

    while (n > 0 && strchr(" \t\r\n", tail->text.data[n - 1]))
        n--;
    for (size_t i = 0; i < n; i++) {
        const char c = tail->text.data[i];

        if (c == '\n')
            strbuf_adds(out, " | ");
        else if (c)
            strbuf_addc(out, c);
    }
    plain_escape(out, from);
}

void proc_tail_drain(struct proc_tail *tail)
{
    struct pollfd end = { .fd = tail->read_fd, .events = POLLIN };

    if (tail->write_fd >= 0)
        close(tail->write_fd);
    while (tail->read_fd >= 0 && read_tail(tail) < 0 && (errno == EAGAIN || errno == EINTR))
        (void)poll(&end, 1, -1);
    if (tail->read_fd >= 0)
        close(tail->read_fd);
    strbuf_clear(&tail->text);
    *tail = (struct proc_tail)PROC_TAIL_NONE;
}

/* ---- waiting ---- */

/*
 * Waits for the end of the process. Returns false when it has not ended by `deadline_ms` (0:
 * never).
 */
static bool wait_for_end(int pidfd, int64_t deadline_ms, struct proc_tail *tail)
{
    struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN },
                            { .fd = tail ? tail->read_fd : -1, .events = POLLIN } };

    for (;;) {
        const int64_t left = deadline_ms ? deadline_ms - clock_mono_ms() : -1;
        const int n = left < 0 && deadline_ms ? 0 : poll(fds, 2, (int)left);

        if (n == 0)
            return false;
        if (n < 0 && errno != EINTR)
            return true; /* waitpid does what is left to do */
        if (n > 0 && fds[1].revents)
            (void)read_tail(tail);
        if (n > 0 && fds[0].revents)
            return true;
    }
}

/* Returns the status as waitpid tells it. */
static int wait_for(pid_t pid, uint32_t timeout_s, struct proc_tail *tail, bool *ret_late)
{
    AUTO_CLOSE int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    const int64_t deadline_ms = timeout_s ? clock_mono_ms() + timeout_s * INT64_C(1000) : 0;
    int status = 0;

    *ret_late = !wait_for_end(fd, deadline_ms, tail);
    if (*ret_late)
        (void)kill(-pid, SIGKILL);
    (void)waitpid(pid, &status, 0);
    if (tail)
        (void)read_tail(tail);
    return status;
}

int proc_wait_well(pid_t pid, const char *what, uint32_t timeout_s, const char *limit,
                   struct proc_tail *tail, struct err *err)
{
    bool late;
    const int status = wait_for(pid, timeout_s, tail, &late);

    if (late)
        return err_set(err, ETIME, "%s ran for more than %s%u s and was killed", what,
                       limit ? limit : "", timeout_s);
    if (WIFSIGNALED(status))
        return err_set(err, EINTR, "%s was killed by signal %d", what, WTERMSIG(status));
    if (WEXITSTATUS(status))
        return err_set(err, EIO, "%s ended with status %d", what, WEXITSTATUS(status));
    return 0;
}
