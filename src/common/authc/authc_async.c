#include "common/authc/authc.h"

#include <event2/event.h>
#include <string.h>

#include "common/authc/answer.h"
#include "common/base/clock.h"

struct authc_call {
    struct exchange exchange;
    struct event_base *base; /* borrowed */
    struct event *event;
    void (*finish)(struct authc_call *call, int rc, const struct err *err);
    union {
        authc_encoded_fn *encoded;
        authc_decoded_fn *decoded;
        authc_fingerprint_fn *fingerprint;
    } fn;
    void *arg;
    int early_rc; /* a failure before the loop ran, told by the loop */
    struct err early;
};

struct authc_call *authc_cancel(struct authc_call *call)
{
    if (!call)
        return NULL;
    if (call->event)
        event_free(call->event);
    exchange_clear(&call->exchange);
    free(call);
    return NULL;
}

static void finish_encode(struct authc_call *call, int rc, const struct err *failure)
{
    AUTO_FREE char *cred = NULL;
    struct err err = failure ? *failure : (struct err){ 0 };

    if (rc == 0)
        rc = answer_encoded(&call->exchange, &cred, &err);

    authc_encoded_fn *fn = call->fn.encoded;
    void *arg = call->arg;

    authc_cancel(call);
    fn(arg, rc, cred, &err);
}

static void finish_decode(struct authc_call *call, int rc, const struct err *failure)
{
    AUTO(authc_identity) struct authc_identity identity = { 0 };
    struct err err = failure ? *failure : (struct err){ 0 };

    if (rc == 0)
        rc = answer_decoded(&call->exchange, &identity, &err);

    authc_decoded_fn *fn = call->fn.decoded;
    void *arg = call->arg;

    authc_cancel(call);
    fn(arg, rc, rc < 0 ? NULL : &identity, &err);
}

static void finish_fingerprint(struct authc_call *call, int rc, const struct err *failure)
{
    char text[AUTHC_FINGERPRINT_SIZE] = "unknown";
    struct err err = failure ? *failure : (struct err){ 0 };

    if (rc == 0)
        rc = answer_fingerprint(&call->exchange, text, &err);
    else if (rc == -E_CLOSED) { /* a real munged, see wire.h */
        rc = 0;
        err = (struct err){ 0 };
    }

    authc_fingerprint_fn *fn = call->fn.fingerprint;
    void *arg = call->arg;

    authc_cancel(call);
    fn(arg, rc, rc < 0 ? NULL : text, &err);
}

static void on_ready(evutil_socket_t fd, short what, void *arg);

static void wait_in_loop(struct authc_call *call, int next)
{
    int ms = exchange_left_ms(&call->exchange);
    short events = next == EXCHANGE_READ ? EV_READ : next == EXCHANGE_WRITE ? EV_WRITE : 0;

    if (next == EXCHANGE_RETRY && ms > EXCHANGE_RETRY_MS)
        ms = EXCHANGE_RETRY_MS;
    if (call->event)
        event_free(call->event);
    call->event =
        event_new(call->base, events ? call->exchange.fd : -1, events | EV_TIMEOUT, on_ready, call);
    event_add(call->event, &(struct timeval){ ms / 1000, ms % 1000 * 1000 });
}

static void on_ready(evutil_socket_t fd, short what, void *arg)
{
    struct authc_call *call = arg;
    struct err err = { 0 };
    int next;

    (void)fd;
    (void)what;
    if (call->early_rc < 0) {
        call->finish(call, call->early_rc, &call->early);
        return;
    }
    next = exchange_step(&call->exchange, &err);
    if (next > EXCHANGE_DONE && exchange_left_ms(&call->exchange) == 0)
        next = exchange_timed_out(&call->exchange, &err);
    if (next > EXCHANGE_DONE)
        wait_in_loop(call, next);
    else
        call->finish(call, next, &err);
}

static struct authc_call *call_new(struct event_base *base, const struct authc_options *options,
                                   void *arg)
{
    struct authc_call *call = xcalloc(1, sizeof(*call));

    call->base = base;
    call->arg = arg;
    exchange_init(&call->exchange, options);
    call->exchange.absent_until_ms = clock_mono_ms() + AUTHC_RESTART_MS;
    call->event = event_new(base, -1, 0, on_ready, call);
    event_active(call->event, EV_TIMEOUT, 1); /* the first step is the loop's */
    return call;
}

struct authc_call *authc_encode_async(struct event_base *base, const struct authc_options *options,
                                      const struct authc_what *what, authc_encoded_fn *fn,
                                      void *arg)
{
    struct authc_call *call = call_new(base, options, arg);

    call->finish = finish_encode;
    call->fn.encoded = fn;
    call->early_rc = answer_ask_encode(&call->exchange, what, &call->early);
    return call;
}

struct authc_call *authc_decode_async(struct event_base *base, const struct authc_options *options,
                                      const char *cred, authc_decoded_fn *fn, void *arg)
{
    struct authc_call *call = call_new(base, options, arg);

    call->finish = finish_decode;
    call->fn.decoded = fn;
    call->early_rc = answer_ask_decode(&call->exchange, cred, strlen(cred), &call->early);
    return call;
}

struct authc_call *authc_fingerprint_async(struct event_base *base,
                                           const struct authc_options *options,
                                           authc_fingerprint_fn *fn, void *arg)
{
    struct authc_call *call = call_new(base, options, arg);

    call->finish = finish_fingerprint;
    call->fn.fingerprint = fn;
    answer_ask_fingerprint(&call->exchange);
    return call;
}
