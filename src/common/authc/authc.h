/*
 * authc.h - asking the local authd (or a real munged) who we are, and who made a credential.
 *
 * A credential is a text that proves, to any host with the same key, which uid and gid asked for
 * it, and carries a payload. Every daemon and client goes through here. Two ways to ask: blocking,
 * for clients, and on a libevent loop, for daemons; both have a deadline.
 *
 * What can go wrong, as codes (the text names the socket, the times, the difference):
 *   E_KEY_MISMATCH  the credential does not verify: another key made it, or it was altered
 *   E_CLOCK_SKEW    expired, or from the future, beyond its TTL
 *   E_REPLAYED      this host has decoded it before
 *   EACCES          it may only be decoded by another user or group
 *   E_PROTO         it is not a credential, or the daemon's answer is not an answer
 *   E_AUTH          any other refusal, with the daemon's words
 *   ENOENT, ECONNREFUSED, EPERM ...  no daemon at the socket    ETIMEDOUT  no answer in time
 *   E_CLOSED        the daemon hung up without an answer        E_TOO_BIG  payload over the limit
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"

struct event_base;

/* Encoding leaves room for base64 and headers in a message of 1 MiB. */
#define AUTHC_PAYLOAD_MAX      (700 * 1024)
#define AUTHC_CRED_MAX         (1024 * 1024 - 64)
#define AUTHC_FINGERPRINT_SIZE 33
#define AUTHC_SOCKET_DEFAULT   "/run/munge/munge.socket.2"
#define AUTHC_TIMEOUT_MS       5000
#define AUTHC_RESTART_MS       2000 /* as Slurm waits; on a loop only, where waiting costs nobody */
#define AUTHC_ANY              ((uint32_t)-1) /* any uid, any gid */

/*
 * Where authd is. NULL options, or zeroes, stand for the defaults: $MUNGE_SOCKET or
 * AUTHC_SOCKET_DEFAULT, 5 s.
 */
struct authc_options {
    const char *socket_path;
    int timeout_ms; /* for the whole exchange */
};

/* Returns the path that these options stand for, borrowed from them or the environment. */
const char *authc_socket_path(const struct authc_options *options);

struct authc_identity {
    uid_t uid; /* who asked for the credential */
    gid_t gid;
    int64_t encoded_at; /* seconds, the clock of the host that encoded */
    int64_t decoded_at; /* seconds, the clock of this host */
    uint32_t ttl;       /* seconds */
    uid_t only_uid;     /* who may decode it, or AUTHC_ANY */
    gid_t only_gid;
    uint8_t cipher; /* munge's codes */
    uint8_t mac;
    uint8_t zip;
    uint8_t addr_n; /* 4, or 0 when the host gave no address */
    uint8_t addr[16];
    uint8_t *payload; /* payload_n bytes and a zero after them; NULL when empty */
    size_t payload_n;
};

void authc_identity_clear(struct authc_identity *identity);
void authc_identity_auto_(struct authc_identity *identity);

/*
 * A request for a credential. It must begin as AUTHC_WHAT, not as `{ 0 }`, before members are
 * changed.
 */
struct authc_what {
    const void *payload;
    size_t payload_n;
    uid_t only_uid;
    gid_t only_gid;
    uint32_t ttl; /* 0 the daemon's default, UINT32_MAX its maximum */
    uint8_t cipher;
    uint8_t mac;
    uint8_t zip;
};
#define AUTHC_WHAT                                                                                 \
    (struct authc_what)                                                                            \
    {                                                                                              \
        .only_uid = AUTHC_ANY, .only_gid = AUTHC_ANY, .cipher = 1, .mac = 1, .zip = 1              \
    }

/* BLOCKING */

/*
 * Ask for a credential; *ret_cred is a text to free(). `only_uid` is who may decode it, or
 * AUTHC_ANY.
 */
int authc_encode(const struct authc_options *options, const void *payload, size_t n, uid_t only_uid,
                 uint32_t ttl, char **ret_cred, struct err *err);
int authc_encode_as(const struct authc_options *options, const struct authc_what *what,
                    char **ret_cred, struct err *err);

/*
 * Decodes a credential. *ret is filled only when the credential is good; release it with
 * authc_identity_clear.
 */
int authc_decode(const struct authc_options *options, const char *cred, struct authc_identity *ret,
                 struct err *err);

/*
 * Decodes a credential for a program that also shows those no longer good. *ret_status is munge's
 * result (common/authc/wire.h); when that is MUNGE_OK, _EXPIRED, _REWOUND or _REPLAYED, *ret is
 * filled. Returns less than 0, with an error in *ret_status, also when the daemon cannot be asked.
 */
int authc_inspect(const struct authc_options *options, const char *cred, size_t cred_n,
                  struct authc_identity *ret, unsigned *ret_status, struct err *err);

/*
 * Returns a short text that is the same on hosts with the same key and tells nothing else about the
 * key. A real munged does not tell it: then the text is "unknown", without an error.
 */
int authc_fingerprint(const struct authc_options *options, char ret[AUTHC_FINGERPRINT_SIZE],
                      struct err *err);

/*
 * ON A LOOP: `fn` runs once, from the loop and never from inside the call that asked, with rc below
 * 0 and err filled on failure. Its arguments are borrowed. The handle is gone when `fn` runs;
 * authc_cancel before that makes `fn` never run. Payload and credential are copied at once. A
 * daemon that is missing is awaited for AUTHC_RESTART_MS, because it may be restarting.
 */
struct authc_call;

typedef void authc_encoded_fn(void *arg, int rc, const char *cred, const struct err *err);
typedef void authc_decoded_fn(void *arg, int rc, const struct authc_identity *identity,
                              const struct err *err);
typedef void authc_fingerprint_fn(void *arg, int rc, const char *text, const struct err *err);

struct authc_call *authc_encode_async(struct event_base *base, const struct authc_options *options,
                                      const struct authc_what *what, authc_encoded_fn *fn,
                                      void *arg);
struct authc_call *authc_decode_async(struct event_base *base, const struct authc_options *options,
                                      const char *cred, authc_decoded_fn *fn, void *arg);
struct authc_call *authc_fingerprint_async(struct event_base *base,
                                           const struct authc_options *options,
                                           authc_fingerprint_fn *fn, void *arg);

/* Cancels a call; NULL is fine. Returns NULL, for `call = authc_cancel(call)`. */
struct authc_call *authc_cancel(struct authc_call *call);
