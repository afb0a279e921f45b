#include "common/authc/authc.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "common/authc/answer.h"

static int wait_for(const struct exchange *exchange, int next, struct err *err)
{
    struct pollfd pollfd = { .fd = exchange->fd,
                             .events = next == EXCHANGE_WRITE ? POLLOUT : POLLIN };
    int left_ms = exchange_left_ms(exchange);
    int rc;

    if (left_ms == 0)
        return exchange_timed_out(exchange, err);
    if (next == EXCHANGE_RETRY)
        rc = poll(NULL, 0, left_ms < EXCHANGE_RETRY_MS ? left_ms : EXCHANGE_RETRY_MS);
    else
        rc = poll(&pollfd, 1, left_ms);
    if (rc < 0 && errno != EINTR)
        return err_set(err, errno, "poll on %s: %s", exchange->path, strerror(errno));
    return 0;
}

static int run(struct exchange *exchange, struct err *err)
{
    int next;

    while ((next = exchange_step(exchange, err)) > EXCHANGE_DONE) {
        int rc = wait_for(exchange, next, err);

        if (rc < 0)
            return rc;
    }
    return next;
}

int authc_encode_as(const struct authc_options *options, const struct authc_what *what,
                    char **ret_cred, struct err *err)
{
    AUTO(exchange) struct exchange exchange;

    exchange_init(&exchange, options);

    int rc = answer_ask_encode(&exchange, what, err);

    if (rc == 0)
        rc = run(&exchange, err);
    if (rc == 0)
        rc = answer_encoded(&exchange, ret_cred, err);
    return rc;
}

int authc_encode(const struct authc_options *options, const void *payload, size_t n, uid_t only_uid,
                 uint32_t ttl, char **ret_cred, struct err *err)
{
    struct authc_what what = AUTHC_WHAT;

    what.payload = payload;
    what.payload_n = n;
    what.only_uid = only_uid;
    what.ttl = ttl;
    return authc_encode_as(options, &what, ret_cred, err);
}

static int ask_decode(struct exchange *exchange, const char *cred, size_t cred_n, struct err *err)
{
    int rc = answer_ask_decode(exchange, cred, cred_n, err);

    return rc < 0 ? rc : run(exchange, err);
}

int authc_decode(const struct authc_options *options, const char *cred, struct authc_identity *ret,
                 struct err *err)
{
    AUTO(exchange) struct exchange exchange;

    exchange_init(&exchange, options);

    int rc = ask_decode(&exchange, cred, strlen(cred), err);

    return rc < 0 ? rc : answer_decoded(&exchange, ret, err);
}

int authc_inspect(const struct authc_options *options, const char *cred, size_t cred_n,
                  struct authc_identity *ret, unsigned *ret_status, struct err *err)
{
    AUTO(exchange) struct exchange exchange;

    exchange_init(&exchange, options);
    *ret_status = MUNGE_SOCKET;

    int rc = ask_decode(&exchange, cred, cred_n, err);

    if (rc == -E_TOO_BIG)
        *ret_status = MUNGE_BAD_LENGTH;
    return rc < 0 ? rc : answer_inspected(&exchange, ret, ret_status, err);
}

int authc_fingerprint(const struct authc_options *options, char ret[AUTHC_FINGERPRINT_SIZE],
                      struct err *err)
{
    AUTO(exchange) struct exchange exchange;

    exchange_init(&exchange, options);
    answer_ask_fingerprint(&exchange);

    int rc = run(&exchange, err);

    if (rc == -E_CLOSED) { /* a real munged, see wire.h */
        strcpy(ret, "unknown");
        return 0;
    }
    return rc < 0 ? rc : answer_fingerprint(&exchange, ret, err);
}
