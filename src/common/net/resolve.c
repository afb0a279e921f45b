/*
 * A lookup is a job that its asker and a thread share; the last of them to let it go releases it.
 * The thread announces its end on an eventfd, for which a loop or poll() can wait.
 */
#include "common/net/resolve.h"

#include <errno.h>
#include <event2/event.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/base/clock.h"

struct job {
    atomic_int holders;
    char *host;
    uint16_t port;
    int done_fd;
    int rc; /* these three are the thread's until done_fd can be read */
    struct net_addrs addrs;
    struct err err;
};

static struct job *job_new(const char *host, uint16_t port)
{
    struct job *job = xcalloc(1, sizeof(*job));

    atomic_init(&job->holders, 1);
    job->host = xstrdup(host);
    job->port = port;
    job->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return job;
}

static void job_release(struct job *job)
{
    if (atomic_fetch_sub(&job->holders, 1) > 1)
        return;
    if (job->done_fd >= 0)
        close(job->done_fd);
    net_addrs_clear(&job->addrs);
    free(job->host);
    free(job);
}

static void look_up(struct job *job)
{
    const struct addrinfo hints = { .ai_flags = AI_NUMERICSERV, .ai_socktype = SOCK_STREAM };
    struct addrinfo *found = NULL;
    char service[8];
    int gai;

    snprintf(service, sizeof(service), "%u", job->port);
    gai = getaddrinfo(job->host, service, &hints, &found);
    if (gai == EAI_NONAME || gai == EAI_NODATA)
        job->rc = err_set(&job->err, ENOENT, "no such host: %s", job->host);
    else if (gai != 0)
        job->rc = err_set(&job->err, EIO, "cannot look up host %s: %s", job->host,
                          gai == EAI_SYSTEM ? strerror(errno) : gai_strerror(gai));
    if (gai != 0)
        return;
    for (const struct addrinfo *at = found; at; at = at->ai_next) {
        struct net_addr addr = { .n = at->ai_addrlen };

        memcpy(&addr.storage, at->ai_addr, at->ai_addrlen);
        *ARRAY_PUSH(job->addrs.addrs, job->addrs.addrs_n) = addr;
    }
    freeaddrinfo(found);
}

static void *run_job(void *arg)
{
    struct job *job = arg;

    look_up(job);
    eventfd_write(job->done_fd, 1);
    job_release(job);
    return NULL;
}

/* Starts the thread with all signals blocked, so that they still go to the caller. */
static int start_thread(struct job *job, struct err *err)
{
    pthread_t thread;
    sigset_t all, old;
    int code;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    atomic_fetch_add(&job->holders, 1);
    code = pthread_create(&thread, NULL, run_job, job);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (code == 0) {
        pthread_detach(thread);
        return 0;
    }
    atomic_fetch_sub(&job->holders, 1);
    return err_set(err, code, "cannot look up host %s: no thread: %s", job->host, strerror(code));
}

/*
 * Starts a lookup. Literal addresses and hopeless names are answered at once; *ret_job is NULL
 * then.
 */
static int start_job(const char *host, uint16_t port, struct job **ret_job,
                     struct net_addrs *ret_addrs, struct err *err)
{
    struct net_addr addr;
    struct job *job;
    int rc;

    *ret_job = NULL;
    if (strlen(host) > NET_HOST_MAX)
        return err_set(err, ENOENT, "host name '%.40s...' of %zu bytes, at most %d are possible",
                       host, strlen(host), NET_HOST_MAX);
    if (net_addr_parse(host, port, &addr, NULL) == 0) {
        *ARRAY_PUSH(ret_addrs->addrs, ret_addrs->addrs_n) = addr;
        return 0;
    }
    job = job_new(host, port);
    rc = job->done_fd < 0 ? err_set(err, errno, "cannot look up host %s: %s", host, strerror(errno))
                          : start_thread(job, err);
    if (rc < 0)
        job_release(job);
    else
        *ret_job = job;
    return rc;
}

/* ---- blocking ---- */

static int too_late(const char *host, struct err *err)
{
    return err_set(err, ETIMEDOUT, "the name service did not tell the address of host %s in time",
                   host);
}

static bool wait_for(int fd, int timeout_ms)
{
    int64_t deadline = clock_mono_ms() + timeout_ms;
    struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

    for (;;) {
        int64_t left = deadline - clock_mono_ms();
        int n = poll(&poll_fd, 1, left > 0 ? (int)left : 0);

        if (n > 0 || (n == 0 && left <= 0))
            return n > 0;
    }
}

int net_resolve(const char *host, uint16_t port, int timeout_ms, struct net_addrs *ret_addrs,
                struct err *err)
{
    struct net_addrs addrs = { 0 };
    struct job *job;
    int rc = start_job(host, port, &job, &addrs, err);

    if (rc < 0)
        return rc;
    if (job && !wait_for(job->done_fd, timeout_ms)) {
        job_release(job);
        return too_late(host, err);
    }
    if (job) {
        rc = job->rc;
        if (rc < 0 && err)
            *err = job->err;
        addrs = job->addrs;
        job->addrs = (struct net_addrs){ 0 };
        job_release(job);
    }
    if (rc == 0)
        *ret_addrs = addrs;
    return rc;
}

/* ---- on a loop ---- */

struct net_resolve_call {
    struct job *job; /* NULL when answered at once */
    struct event *event;
    char *host;
    int rc;
    struct net_addrs addrs;
    struct err err;
    net_resolved_fn *fn;
    void *arg;
};

struct net_resolve_call *net_resolve_cancel(struct net_resolve_call *call)
{
    if (!call)
        return NULL;
    event_free(call->event);
    if (call->job)
        job_release(call->job);
    net_addrs_clear(&call->addrs);
    free(call->host);
    free(call);
    return NULL;
}

static void on_resolved(evutil_socket_t fd, short what, void *arg)
{
    struct net_resolve_call *call = arg;
    AUTO(net_addrs) struct net_addrs addrs = { 0 };
    struct err err = { 0 };
    net_resolved_fn *fn = call->fn;
    void *fn_arg = call->arg;
    int rc = call->rc;

    (void)fd;
    if (call->job && !(what & EV_READ)) {
        rc = too_late(call->host, &err);
    } else if (call->job) {
        rc = call->job->rc;
        err = call->job->err;
        addrs = call->job->addrs;
        call->job->addrs = (struct net_addrs){ 0 };
    } else {
        err = call->err;
        addrs = call->addrs;
        call->addrs = (struct net_addrs){ 0 };
    }
    net_resolve_cancel(call);
    fn(fn_arg, rc, rc < 0 ? NULL : &addrs, &err);
}

struct net_resolve_call *net_resolve_async(struct event_base *base, const char *host, uint16_t port,
                                           int timeout_ms, net_resolved_fn *fn, void *arg)
{
    struct net_resolve_call *call = xcalloc(1, sizeof(*call));
    struct timeval wait = { timeout_ms / 1000, timeout_ms % 1000 * 1000 };

    call->host = xstrdup(host);
    call->fn = fn;
    call->arg = arg;
    call->rc = start_job(host, port, &call->job, &call->addrs, &call->err);
    call->event = event_new(base, call->job ? call->job->done_fd : -1, call->job ? EV_READ : 0,
                            on_resolved, call);
    if (call->job)
        event_add(call->event, &wait);
    else
        event_active(call->event, EV_TIMEOUT, 0);
    return call;
}
