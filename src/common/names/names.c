#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/names/packet.h"
#include "common/proc/helper.h"

struct question {
    struct question *next;
    uint32_t uid, gid;
    char *name;   /* who has it is asked, too; NULL: it is not */
    names_fn *fn; /* NULL: nobody waits any more */
    void *ctx;
};

struct kept {
    struct kept *next;
    struct identity identity;
    int64_t until_ms;
};

struct names {
    struct event_base *base;
    struct event *readable, *timeout;
    int fd; /* to the helper, -1: none */
    pid_t pid;
    struct question *first; /* the first one is with the helper */
    struct kept *kept;
};

static void ask_next(struct names *names);

struct names *names_new(struct event_base *base)
{
    struct names *names = xcalloc(1, sizeof(*names));

    names->base = base;
    names->fd = -1;
    return names;
}

static void free_question(struct question *question)
{
    free(question->name);
    free(question);
}

static void stop_helper(struct names *names)
{
    if (names->fd < 0)
        return;
    event_free(names->readable);
    event_free(names->timeout);
    close(names->fd);
    names->fd = -1;
    kill(names->pid, SIGKILL);
    waitpid(names->pid, NULL, 0); /* it is dead or dying: SIGKILL does not wait for anybody */
}

struct names *names_free(struct names *names)
{
    struct question *question;
    struct kept *kept;

    if (!names)
        return NULL;
    stop_helper(names);
    while ((question = names->first)) {
        names->first = question->next;
        free_question(question);
    }
    while ((kept = names->kept)) {
        names->kept = kept->next;
        identity_clear(&kept->identity);
        free(kept);
    }
    free(names);
    return NULL;
}

/* ---- what is kept ---- */

static void drop_old(struct names *names)
{
    struct kept **slot = &names->kept;
    int64_t now = clock_mono_ms();

    while (*slot) {
        struct kept *kept = *slot;

        if (kept->until_ms > now) {
            slot = &kept->next;
            continue;
        }
        *slot = kept->next;
        identity_clear(&kept->identity);
        free(kept);
    }
}

static const struct identity *find_kept(struct names *names, uint32_t uid, uint32_t gid)
{
    drop_old(names);
    for (struct kept *kept = names->kept; kept; kept = kept->next) {
        if (kept->identity.uid == uid && kept->identity.gid == gid)
            return &kept->identity;
    }
    return NULL;
}

/* Keeps an identity and takes over what it owns. Returns the one that is kept. */
static const struct identity *keep(struct names *names, struct identity *identity)
{
    struct kept *kept = xcalloc(1, sizeof(*kept));

    kept->identity = *identity;
    kept->until_ms = clock_mono_ms() + NAMES_KEEP_S * 1000;
    kept->next = names->kept;
    names->kept = kept;
    identity_init(identity);
    return &kept->identity;
}

/* ---- the helper ---- */

static void answer_first(struct names *names, const struct identity *identity,
                         const struct err *err)
{
    struct question *question = names->first;

    names->first = question->next;
    if (question->fn)
        question->fn(identity, err, question->ctx);
    free_question(question);
}

static void give_up(struct names *names, const char *why)
{
    struct err err = { 0 };

    stop_helper(names);
    if (!names->first)
        return;
    err_set(&err, ETIMEDOUT, "who is uid %u: %s", names->first->uid, why);
    answer_first(names, NULL, &err);
    if (names->first)
        ask_next(names);
}

static void on_timeout(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    give_up(arg, "the name service did not answer in time");
}

static void on_answer(evutil_socket_t fd, short what, void *arg)
{
    AUTO(identity) struct identity identity;
    struct names *names = arg;
    int rc = names_receive(fd, &identity);

    (void)what;
    if (rc == -EAGAIN)
        return;
    if (rc < 0 || !names->first || identity.uid != names->first->uid) {
        give_up(names, "the process that asks the name service ended");
        return;
    }
    event_del(names->timeout);
    answer_first(names, names->first->name ? &identity : keep(names, &identity), NULL);
    if (names->first)
        ask_next(names);
}

static int start_helper(struct names *names)
{
    int rc = proc_start_helper(NAMES_ROLE, &names->pid, &names->fd);

    if (rc < 0)
        return rc;
    evutil_make_socket_nonblocking(names->fd);
    names->readable = event_new(names->base, names->fd, EV_READ | EV_PERSIST, on_answer, names);
    names->timeout = evtimer_new(names->base, on_timeout, names);
    event_add(names->readable, NULL);
    return 0;
}

static void ask_next(struct names *names)
{
    const struct timeval timeout = { .tv_sec = NAMES_TIMEOUT_MS / 1000 };
    struct identity asked;

    identity_init(&asked);
    asked.uid = names->first->uid;
    asked.gid = names->first->gid;
    asked.wanted_name = names->first->name;
    if (names->fd < 0 && start_helper(names) < 0) {
        struct err err = { 0 };

        err_set(&err, EAGAIN, "who is uid %u: cannot start the process that asks", asked.uid);
        answer_first(names, NULL, &err);
        return;
    }
    event_add(names->timeout, &timeout);
    names_send(names->fd, &asked); /* a failure shows as the end of the helper, or as silence */
}

static void ask(struct names *names, const struct question *it)
{
    struct question *question = xmemdup(it, sizeof(*it)), **slot = &names->first;
    const bool is_first = !names->first;

    while (*slot)
        slot = &(*slot)->next;
    *slot = question;
    if (is_first)
        ask_next(names);
}

void names_lookup(struct names *names, uint32_t uid, uint32_t gid, names_fn *fn, void *ctx)
{
    const struct identity *kept = find_kept(names, uid, gid);

    if (kept)
        fn(kept, NULL, ctx);
    else
        ask(names, &(struct question){ .uid = uid, .gid = gid, .fn = fn, .ctx = ctx });
}

void names_compare(struct names *names, uint32_t uid, uint32_t gid, const char *name, names_fn *fn,
                   void *ctx)
{
    ask(names,
        &(struct question){ .uid = uid, .gid = gid, .name = xstrdup(name), .fn = fn, .ctx = ctx });
}

void names_forget(struct names *names, const void *ctx)
{
    for (struct question *question = names->first; question; question = question->next) {
        if (question->ctx == ctx)
            question->fn = NULL;
    }
}
