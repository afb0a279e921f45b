#include "cli/doctor/reach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"

int reach_stat(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 || errno == EACCES ? 0 : errno;
}

/* Reads what the child wrote; a child that died wrote nothing. */
static int read_answer(int fd, int patience_ms)
{
    struct pollfd end = { .fd = fd, .events = POLLIN };
    int code, n;

    do
        n = poll(&end, 1, patience_ms);
    while (n < 0 && errno == EINTR);
    if (n == 0)
        return -ETIMEDOUT;
    return read(fd, &code, sizeof(code)) == (ssize_t)sizeof(code) ? -code : -EIO;
}

int reach(const char *path, reach_look_fn *look, int patience_ms)
{
    AUTO_CLOSE int read_end = -1;
    int ends[2], rc;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    read_end = ends[0];
    pid = fork();
    if (pid == 0) {
        const int code = look(path);

        (void)!write(ends[1], &code, sizeof(code));
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0)
        return -EAGAIN;
    rc = read_answer(read_end, patience_ms);
    if (rc == -ETIMEDOUT)
        kill(pid, SIGKILL);
    waitpid(pid, NULL, rc == -ETIMEDOUT ? WNOHANG : 0);
    return rc;
}
