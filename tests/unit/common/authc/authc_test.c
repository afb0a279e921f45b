#include "common/authc/authc.h"

#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/authc/wire.h"
#include "common/base/clock.h"
#include "unit/check_main.h"

struct heard {
    int times;
    int rc;
    uid_t uid;
    char text[ERR_TEXT_MAX];
};

static void on_decoded(void *arg, int rc, const struct authc_identity *identity,
                       const struct err *err)
{
    struct heard *heard = arg;

    heard->times++;
    heard->rc = rc;
    heard->uid = identity ? identity->uid : 0;
    snprintf(heard->text, sizeof(heard->text), "%s", rc < 0 ? err->text : "");
}

static void on_text(void *arg, int rc, const char *text, const struct err *err)
{
    struct heard *heard = arg;

    heard->times++;
    heard->rc = rc;
    snprintf(heard->text, sizeof(heard->text), "%s", rc < 0 ? err->text : text);
}

/* A daemon that gives everyone the same answer, from a thread: `answer_n` bytes, then it hangs up;
   or, with `is_silent`, never one. */
struct daemon {
    char dir[32];
    char path[64];
    int fd;
    int stop[2]; /* closed to end the thread */
    struct strbuf answer;
    bool is_silent;
    pthread_t thread;
};

static void converse(struct daemon *daemon, int fd)
{
    char byte;

    if (recv(fd, &byte, 1, 0) == 1 && !daemon->is_silent && daemon->answer.len)
        (void)!send(fd, daemon->answer.data, daemon->answer.len, MSG_NOSIGNAL);
    if (daemon->is_silent) {
        while (read(daemon->stop[0], &byte, 1) < 0)
            ;
    }
    /* The rest of the request is read, so that closing does not throw the answer away. */
    shutdown(fd, SHUT_WR);
    while (!daemon->is_silent && recv(fd, &byte, 1, 0) > 0)
        ;
    close(fd);
}

static void *daemon_thread(void *arg)
{
    struct daemon *daemon = arg;
    int fd;

    while ((fd = accept4(daemon->fd, NULL, NULL, SOCK_CLOEXEC)) >= 0)
        converse(daemon, fd);
    return NULL;
}

static void daemon_start(struct daemon *daemon)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };

    strcpy(daemon->dir, "/tmp/sluice-authc.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(daemon->dir));
    snprintf(daemon->path, sizeof(daemon->path), "%s/sock", daemon->dir);
    memcpy(addr.sun_path, daemon->path, strlen(daemon->path));
    daemon->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(daemon->fd, (const struct sockaddr *)&addr, sizeof(addr)), 0);
    ck_assert_int_eq(listen(daemon->fd, 16), 0);
    ck_assert_int_eq(pipe(daemon->stop), 0);
    ck_assert_int_eq(pthread_create(&daemon->thread, NULL, daemon_thread, daemon), 0);
}

static void daemon_end(struct daemon *daemon)
{
    close(daemon->stop[1]);
    shutdown(daemon->fd, SHUT_RDWR);
    pthread_join(daemon->thread, NULL);
    close(daemon->fd);
    close(daemon->stop[0]);
    unlink(daemon->path);
    rmdir(daemon->dir);
    strbuf_clear(&daemon->answer);
}

static struct wire_decoded good(void)
{
    return (struct wire_decoded){ .cipher = 4,
                                  .mac = 5,
                                  .ttl = 300,
                                  .addr = (const uint8_t *)"\x7f\0\0\1",
                                  .addr_n = 4,
                                  .encoded_at = 1795200000,
                                  .decoded_at = 1795200400,
                                  .uid = 1000,
                                  .gid = 100,
                                  .only_uid = WIRE_ANY,
                                  .only_gid = WIRE_ANY,
                                  .payload = (const uint8_t *)"hello",
                                  .payload_n = 5 };
}

static int decode(struct daemon *daemon, const struct wire_decoded *answer,
                  struct authc_identity *ret, struct err *err)
{
    struct authc_options options = { .socket_path = daemon->path };

    wire_put_decoded(&daemon->answer, 0, answer);
    daemon_start(daemon);

    int rc = authc_decode(&options, "MUNGE:AAAA:", ret, err);

    daemon_end(daemon);
    return rc;
}

START_TEST(a_good_credential_gives_an_identity)
{
    AUTO(authc_identity) struct authc_identity identity = { 0 };
    struct daemon daemon = { 0 };
    struct wire_decoded answer = good();
    struct err err = { 0 };

    ck_assert_int_eq(decode(&daemon, &answer, &identity, &err), 0);
    ck_assert_uint_eq(identity.uid, 1000);
    ck_assert_uint_eq(identity.gid, 100);
    ck_assert_int_eq(identity.encoded_at, 1795200000);
    ck_assert_uint_eq(identity.only_uid, AUTHC_ANY);
    ck_assert_uint_eq(identity.payload_n, 5);
    ck_assert_str_eq((const char *)identity.payload, "hello");
}
END_TEST

static const struct {
    uint8_t status;
    const char *words;
    int code;
    const char *text;
} refusals[] = {
    { MUNGE_CRED_INVALID, "Invalid credential", E_KEY_MISMATCH, "another key than ours" },
    { MUNGE_CRED_EXPIRED, "Expired credential", E_CLOCK_SKEW,
      "encoded at 2026-11-20 18:40:00 UTC by the sender's clock, decoded at 2026-11-20 18:46:40 "
      "UTC by ours: 400 s old, allowed are 300 s" },
    { MUNGE_CRED_REPLAYED, "Replayed credential", E_REPLAYED, "has decoded it before" },
    { MUNGE_CRED_UNAUTHORIZED, "Unauthorized credential for client UID=5 GID=5", EACCES, "UID=5" },
    { MUNGE_BAD_CRED, "Truncated MAC", E_PROTO, "not a credential: Truncated MAC" },
    { MUNGE_BAD_VERSION, "", E_PROTO, "Invalid credential version" },
    { MUNGE_BAD_CIPHER, "Invalid cipher type 9", E_AUTH, "Invalid cipher type 9" },
    { 99, "", E_AUTH, "Unknown error" },
};

START_TEST(each_refusal_has_its_code_and_its_words)
{
    struct authc_identity identity = { .uid = 77 };
    struct daemon daemon = { 0 };
    struct wire_decoded answer = good();
    struct err err = { 0 };

    answer.status = refusals[_i].status;
    answer.error = refusals[_i].words;
    answer.error_n = (uint8_t)strlen(refusals[_i].words);

    ck_assert_int_eq(decode(&daemon, &answer, &identity, &err), -refusals[_i].code);
    ck_assert_int_eq(err.code, refusals[_i].code);
    ck_assert_msg(strstr(err.text, refusals[_i].text), "'%s' lacks '%s'", err.text,
                  refusals[_i].text);
    ck_assert_uint_eq(identity.uid, 77); /* untouched */
}
END_TEST

START_TEST(a_credential_from_the_future_is_said_to_be_ahead)
{
    struct authc_identity identity;
    struct daemon daemon = { 0 };
    struct wire_decoded answer = good();
    struct err err = { 0 };

    answer.status = MUNGE_CRED_REWOUND;
    answer.decoded_at = answer.encoded_at - 500;

    ck_assert_int_eq(decode(&daemon, &answer, &identity, &err), -E_CLOCK_SKEW);
    ck_assert_ptr_nonnull(strstr(err.text, "500 s ahead of us, allowed are 300 s"));
}
END_TEST

/* Asks for a credential with what the daemon was given to say. */
static int encode_from(struct daemon *daemon, int timeout_ms, struct err *err)
{
    struct authc_options options = { .socket_path = daemon->path, .timeout_ms = timeout_ms };
    char *cred = NULL;

    daemon_start(daemon);

    int rc = authc_encode(&options, "hello", 5, AUTHC_ANY, 0, &cred, err);

    daemon_end(daemon);
    ck_assert_ptr_null(cred);
    return rc;
}

static const struct {
    const char *bytes;
    size_t n;
    int code;
    const char *text;
} answers[] = {
    { "", 0, E_CLOSED, "closed the connection without an answer" },
    { "\x00\x60\x6d", 3, E_CLOSED, "closed the connection without an answer" },
    { "HTTP/1.1 400 Bad", 16, E_PROTO, "not a munge message" },
    { "\x00\x60\x6d\x4b\x03\x03\0\0\0\0\0", 11, E_PROTO, "version 3" },
    { "\x00\x60\x6d\x4b\x04\x03\0\x7f\xff\xff\xff", 11, E_TOO_BIG, "2147483647 bytes" },
    { "\x00\x60\x6d\x4b\x04\x05\0\0\0\0\0", 11, E_PROTO, "answer of type 5 where type 3 is due" },
    { "\x00\x60\x6d\x4b\x04\x03\0\0\0\0\1\0", 12, E_PROTO, "ends too early" },
    { "\x00\x60\x6d\x4b\x04\x03\0\0\0\0\6\0\0\0\0\0\0", 17, E_PROTO, "empty credential" },
    { "\x00\x60\x6d\x4b\x04\x03\0\0\0\0\x0a\x0b\4no!\0\0\0\0\0", 21, E_AUTH, "no!" },
};

START_TEST(a_daemon_that_talks_nonsense_is_an_error_with_a_name)
{
    struct daemon daemon = { 0 };
    struct err err = { 0 };

    strbuf_add(&daemon.answer, answers[_i].bytes, answers[_i].n);

    ck_assert_int_eq(encode_from(&daemon, 0, &err), -answers[_i].code);
    ck_assert_msg(strstr(err.text, answers[_i].text), "'%s' lacks '%s'", err.text,
                  answers[_i].text);
}
END_TEST

START_TEST(a_daemon_that_never_answers_is_left_after_the_timeout)
{
    struct daemon daemon = { .is_silent = true };
    struct err err = { 0 };

    ck_assert_int_eq(encode_from(&daemon, 50, &err), -ETIMEDOUT);
    ck_assert_ptr_nonnull(strstr(err.text, "has not answered in 50 ms"));
}
END_TEST

/* A socket that takes a connection into its queue now and then, and never accepts one. */
START_TEST(a_daemon_whose_queue_is_full_is_tried_until_the_timeout)
{
    struct event_base *base = event_base_new();
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    char path[] = "/tmp/sluice-authc.XXXXXX";
    struct authc_options options = { .socket_path = path, .timeout_ms = 50 };
    struct heard heard = { 0 };
    struct err err = { 0 };
    int clients[2];
    char *cred;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    close(mkstemp(path));
    unlink(path);
    memcpy(addr.sun_path, path, sizeof(path));
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&addr, sizeof(addr)), 0);
    ck_assert_int_eq(listen(fd, 0), 0);
    for (size_t i = 0; i < 2; i++) {
        clients[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        (void)!connect(clients[i], (const struct sockaddr *)&addr, sizeof(addr));
    }

    ck_assert_int_eq(authc_encode(&options, "hello", 5, AUTHC_ANY, 0, &cred, &err), -ETIMEDOUT);
    authc_decode_async(base, &options, "MUNGE:AAAA:", on_decoded, &heard);
    event_base_dispatch(base);
    ck_assert_int_eq(heard.rc, -ETIMEDOUT);

    for (size_t i = 0; i < 2; i++)
        close(clients[i]);
    close(fd);
    unlink(path);
    event_base_free(base);
}
END_TEST

START_TEST(no_daemon_names_the_socket)
{
    struct authc_options options = { .socket_path = "/nonexistent/munge.socket" };
    struct err err = { 0 };
    char *cred;

    ck_assert_int_eq(authc_encode(&options, NULL, 0, AUTHC_ANY, 0, &cred, &err), -ENOENT);
    ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/munge.socket: No such file"));
}
END_TEST

START_TEST(too_much_is_refused_before_the_daemon_is_asked)
{
    struct authc_options options = { .socket_path = "/nonexistent/munge.socket" };
    AUTO_FREE char *big = xmalloc(AUTHC_CRED_MAX + 2);
    struct authc_identity identity;
    struct err err = { 0 };
    char *cred;

    memset(big, 'A', AUTHC_CRED_MAX + 1);
    big[AUTHC_CRED_MAX + 1] = '\0';

    ck_assert_int_eq(authc_encode(&options, big, AUTHC_PAYLOAD_MAX + 1, AUTHC_ANY, 0, &cred, &err),
                     -E_TOO_BIG);
    ck_assert_ptr_nonnull(strstr(err.text, "716801 bytes; the limit is 716800"));
    ck_assert_int_eq(authc_decode(&options, big, &identity, &err), -E_TOO_BIG);
}
END_TEST

START_TEST(the_socket_is_the_options_or_the_environments_or_munges)
{
    struct authc_options options = { .socket_path = "/a" };

    ck_assert_str_eq(authc_socket_path(&options), "/a");
    setenv("MUNGE_SOCKET", "/b", 1);
    ck_assert_str_eq(authc_socket_path(NULL), "/b");
    ck_assert_str_eq(authc_socket_path(&options), "/a");
    unsetenv("MUNGE_SOCKET");
    ck_assert_str_eq(authc_socket_path(NULL), "/run/munge/munge.socket.2");
}
END_TEST

/* ON A LOOP */

START_TEST(an_answer_comes_from_the_loop_once)
{
    struct event_base *base = event_base_new();
    struct daemon daemon = { 0 };
    struct wire_decoded answer = good();
    struct heard heard = { 0 };

    wire_put_decoded(&daemon.answer, 0, &answer);
    daemon_start(&daemon);
    struct authc_options options = { .socket_path = daemon.path };

    authc_decode_async(base, &options, "MUNGE:AAAA:", on_decoded, &heard);
    ck_assert_int_eq(heard.times, 0);
    event_base_dispatch(base);

    ck_assert_int_eq(heard.times, 1);
    ck_assert_int_eq(heard.rc, 0);
    ck_assert_uint_eq(heard.uid, 1000);
    event_base_free(base);
    daemon_end(&daemon);
}
END_TEST

START_TEST(failures_come_from_the_loop_too)
{
    struct authc_options options = { .socket_path = "/nonexistent/munge.socket" };
    struct event_base *base = event_base_new();
    struct authc_what what = AUTHC_WHAT;
    struct heard absent = { 0 };
    struct heard big = { 0 };

    what.payload_n = AUTHC_PAYLOAD_MAX + 1;
    authc_decode_async(base, &options, "MUNGE:AAAA:", on_decoded, &absent);
    authc_encode_async(base, &options, &what, on_text, &big);
    ck_assert_int_eq(absent.times + big.times, 0);
    event_base_dispatch(base);

    ck_assert_int_eq(absent.rc, -ENOENT);
    ck_assert_int_eq(big.rc, -E_TOO_BIG);
    ck_assert_int_eq(absent.times + big.times, 2);
    event_base_free(base);
}
END_TEST

START_TEST(a_daemon_that_restarts_is_waited_for_on_the_loop)
{
    struct event_base *base = event_base_new();
    struct daemon daemon = { 0 };
    struct wire_decoded answer = good();
    struct heard heard = { 0 };
    char away[sizeof(daemon.path) + 8];

    wire_put_decoded(&daemon.answer, 0, &answer);
    daemon_start(&daemon);
    struct authc_options options = { .socket_path = daemon.path };
    snprintf(away, sizeof(away), "%s.away", daemon.path);
    ck_assert_int_eq(rename(daemon.path, away), 0);

    authc_decode_async(base, &options, "MUNGE:AAAA:", on_decoded, &heard);
    event_base_loop(base, EVLOOP_ONCE); /* finds nobody */
    ck_assert_int_eq(heard.times, 0);
    ck_assert_int_eq(rename(away, daemon.path), 0);
    event_base_dispatch(base);

    ck_assert_int_eq(heard.times, 1);
    ck_assert_int_eq(heard.rc, 0);
    event_base_free(base);
    daemon_end(&daemon);
}
END_TEST

START_TEST(a_silent_daemon_times_out_on_the_loop)
{
    struct event_base *base = event_base_new();
    struct daemon daemon = { .is_silent = true };
    struct heard heard = { 0 };

    daemon_start(&daemon);
    struct authc_options options = { .socket_path = daemon.path, .timeout_ms = 50 };

    authc_decode_async(base, &options, "MUNGE:AAAA:", on_decoded, &heard);
    event_base_dispatch(base);

    ck_assert_int_eq(heard.rc, -ETIMEDOUT);
    event_base_free(base);
    daemon_end(&daemon);
}
END_TEST

START_TEST(what_is_cancelled_is_never_heard)
{
    struct event_base *base = event_base_new();
    struct daemon daemon = { .is_silent = true };
    struct heard heard = { 0 };

    daemon_start(&daemon);
    struct authc_options options = { .socket_path = daemon.path };
    struct authc_call *at_once =
        authc_decode_async(base, &options, "MUNGE:AAAA:", on_decoded, &heard);
    struct authc_call *under_way =
        authc_decode_async(base, &options, "MUNGE:AAAA:", on_decoded, &heard);

    at_once = authc_cancel(at_once);
    event_base_loop(base, EVLOOP_NONBLOCK);
    under_way = authc_cancel(under_way);
    event_base_dispatch(base);

    ck_assert_ptr_null(at_once);
    ck_assert_ptr_null(under_way);
    ck_assert_int_eq(heard.times, 0);
    event_base_free(base);
    daemon_end(&daemon);
}
END_TEST

START_TEST(a_daemon_that_hangs_up_on_a_fingerprint_is_unknown)
{
    struct event_base *base = event_base_new();
    char text[AUTHC_FINGERPRINT_SIZE];
    struct daemon daemon = { 0 };
    struct heard heard = { 0 };

    daemon_start(&daemon);
    struct authc_options options = { .socket_path = daemon.path };

    ck_assert_int_eq(authc_fingerprint(&options, text, NULL), 0);
    ck_assert_str_eq(text, "unknown");
    authc_fingerprint_async(base, &options, on_text, &heard);
    event_base_dispatch(base);
    ck_assert_int_eq(heard.rc, 0);
    ck_assert_str_eq(heard.text, "unknown");
    event_base_free(base);
    daemon_end(&daemon);
}
END_TEST

CHECK_MAIN(authc, CASE(a_good_credential_gives_an_identity),
           LOOP_CASE(each_refusal_has_its_code_and_its_words, ARRAY_N(refusals)),
           CASE(a_credential_from_the_future_is_said_to_be_ahead),
           LOOP_CASE(a_daemon_that_talks_nonsense_is_an_error_with_a_name, ARRAY_N(answers)),
           CASE(a_daemon_that_never_answers_is_left_after_the_timeout),
           CASE(a_daemon_whose_queue_is_full_is_tried_until_the_timeout),
           CASE(no_daemon_names_the_socket), CASE(too_much_is_refused_before_the_daemon_is_asked),
           CASE(the_socket_is_the_options_or_the_environments_or_munges),
           CASE(an_answer_comes_from_the_loop_once), CASE(failures_come_from_the_loop_too),
           CASE(a_daemon_that_restarts_is_waited_for_on_the_loop),
           CASE(a_silent_daemon_times_out_on_the_loop), CASE(what_is_cancelled_is_never_heard),
           CASE(a_daemon_that_hangs_up_on_a_fingerprint_is_unknown))
