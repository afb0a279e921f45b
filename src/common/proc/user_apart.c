/* Looks a user up in a process that ends after that. */
#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/file_io.h"
#include "common/proc/apart.h"
#include "common/proc/daemon.h"

/* The answer that comes through the pipe, before groups and name. */
struct answer {
    int rc;
    struct err err;
    struct proc_user user; /* its pointers say nothing here */
};

/* What is looked up. */
struct search {
    proc_user_fn *find;
    const void *arg;
};

static void look_up(const void *arg, int fd)
{
    const struct search *search = arg;
    struct answer answer = { 0 };
    int rc;

    answer.rc = search->find(search->arg, &answer.user, &answer.err);
    rc = write_all(fd, &answer, sizeof(answer));
    if (rc == 0 && answer.rc >= 0)
        rc = write_all(fd, answer.user.groups, (size_t)answer.user.groups_n * sizeof(gid_t));
    if (rc == 0 && answer.rc >= 0)
        (void)write_all(fd, answer.user.name, strlen(answer.user.name));
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

int proc_user_apart(proc_user_fn *find, const void *arg, struct proc_user *ret_user,
                    struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    const struct search search = { find, arg };
    int rc = proc_apart(look_up, &search, -1, &bytes, err);

    if (rc < 0)
        return err_prefix(err, "looking users up");
    return take_answer(&bytes, ret_user, err);
}

static int lookup(const void *text, struct proc_user *ret_user, struct err *err)
{
    return proc_user_lookup(text, ret_user, err);
}

int proc_user_lookup_apart(const char *text, struct proc_user *ret_user, struct err *err)
{
    return proc_user_apart(lookup, text, ret_user, err);
}
