/* Looks a user up in a process that ends after that. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/proc/daemon.h"

/* The answer that comes through the pipe, before groups and name. */
struct answer {
    int rc;
    struct err err;
    struct proc_user user; /* its pointers say nothing here */
};

static void write_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;
    ssize_t written;

    while (n > 0 && (written = write(fd, at, n)) > 0) {
        at += written;
        n -= (size_t)written;
    }
}

static NO_RETURN void run_child(proc_user_fn *find, const void *arg, int fd)
{
    struct answer answer = { 0 };

    answer.rc = find(arg, &answer.user, &answer.err);
    write_all(fd, &answer, sizeof(answer));
    if (answer.rc >= 0) {
        write_all(fd, answer.user.groups, (size_t)answer.user.groups_n * sizeof(gid_t));
        write_all(fd, answer.user.name, strlen(answer.user.name));
    }
    _exit(0);
}

static void read_all(int fd, struct strbuf *bytes)
{
    ssize_t n;

    while ((n = read(fd, strbuf_reserve(bytes, 4096), 4096)) > 0)
        strbuf_grown(bytes, (size_t)n);
}

static int take_answer(const struct strbuf *bytes, struct proc_user *ret_user, struct err *err)
{
    struct answer answer;
    size_t groups_n;

    if (bytes->len < sizeof(answer))
        return err_set(err, EIO, "the process that looks users up died");
    memcpy(&answer, bytes->data, sizeof(answer));
    if (answer.rc < 0)
        return err_set(err, answer.err.code, "%s", answer.err.text);
    groups_n = (size_t)answer.user.groups_n * sizeof(gid_t);
    if (bytes->len <= sizeof(answer) + groups_n)
        return err_set(err, EIO, "the process that looks users up died");
    answer.user.groups = xmemdup(bytes->data + sizeof(answer), groups_n);
    answer.user.name = xstrdup(strbuf_text(bytes) + sizeof(answer) + groups_n);
    *ret_user = answer.user;
    return answer.rc;
}

static int find_in_child(proc_user_fn *find, const void *arg, const int fds[2],
                         struct strbuf *bytes, struct err *err)
{
    pid_t pid = fork();

    if (pid < 0)
        return err_set(err, errno, "cannot fork to look users up: %s", strerror(errno));
    if (pid == 0)
        run_child(find, arg, fds[1]);
    close(fds[1]);
    read_all(fds[0], bytes);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return 0;
}

int proc_user_apart(proc_user_fn *find, const void *arg, struct proc_user *ret_user,
                    struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    int fds[2], rc;

    if (pipe2(fds, O_CLOEXEC) < 0)
        return err_set(err, errno, "cannot make a pipe: %s", strerror(errno));
    rc = find_in_child(find, arg, fds, &bytes, err);
    if (rc < 0)
        close(fds[1]);
    close(fds[0]);
    return rc < 0 ? rc : take_answer(&bytes, ret_user, err);
}

static int lookup(const void *text, struct proc_user *ret_user, struct err *err)
{
    return proc_user_lookup(text, ret_user, err);
}

int proc_user_lookup_apart(const char *text, struct proc_user *ret_user, struct err *err)
{
    return proc_user_apart(lookup, text, ret_user, err);
}
