#include "auth/main/detach.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"

/* Waits for a byte. End of file without one means that the daemon has ended, and has said why. */
static NO_RETURN void wait_until_ready(int fd)
{
    char byte;
    ssize_t n;

    do {
        n = read(fd, &byte, 1);
    } while (n < 0 && errno == EINTR);
    _exit(n == 1 ? 0 : 1);
}

int detach_start(int *ret_ready_fd, struct err *err)
{
    int fds[2];
    pid_t pid;

    if (pipe2(fds, O_CLOEXEC) < 0)
        return err_set(err, errno, "cannot make a pipe: %s", strerror(errno));
    pid = fork();
    if (pid < 0) {
        close(fds[0]);
        close(fds[1]);
        return err_set(err, errno, "cannot fork: %s", strerror(errno));
    }
    if (pid > 0) {
        close(fds[1]);
        wait_until_ready(fds[0]);
    }
    close(fds[0]);
    setsid();
    if (chdir("/") < 0) {
        /* A daemon that stays where it is only holds a mount busy. */
    }
    *ret_ready_fd = fds[1];
    return 0;
}

void detach_ready(int ready_fd)
{
    AUTO_CLOSE int fd = ready_fd;

    if (fd < 0)
        return;

    AUTO_CLOSE int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (null_fd >= 0) {
        dup2(null_fd, STDIN_FILENO);
        dup2(null_fd, STDOUT_FILENO);
        dup2(null_fd, STDERR_FILENO);
    }
    if (write(fd, "", 1) < 0) {
        /* The starter is gone already; nobody waits. */
    }
}
