#include "common/proc/helper.h"

#include <errno.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

static int spawn_role(const char *role, int child_fd, pid_t *ret_pid)
{
    char *argv[] = { (char *)(uintptr_t)role, NULL };
    posix_spawn_file_actions_t actions;
    int rc;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, child_fd, STDIN_FILENO);
    rc = posix_spawn(ret_pid, "/proc/self/exe", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return -rc;
}

int proc_start_helper(const char *role, pid_t *ret_pid, int *ret_fd)
{
    int pair[2], rc;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    rc = spawn_role(role, pair[1], ret_pid);
    close(pair[1]);
    if (rc < 0) {
        close(pair[0]);
        return rc;
    }
    *ret_fd = pair[0];
    return 0;
}
