#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/client/client.h"
#include "common/crypt/crypt.h"
#include "common/msg/types.h"
#include "common/net/dial.h"
#include "common/net/listen.h"
#include "common/rpc/server.h"
#include "unit/check_main.h"

/* ---- a small controller in a child process ---- */

struct fake {
    char *dir;
    char *path;
    pid_t pid;
};

#define RECORDS 1000

/* The first time it goes away after one record of two. */
static void answer_at_second(struct rpc_session *session, const struct rpc_frame *frame)
{
    static uint32_t asked_n;
    struct config_entry entry = { .key = (char *)(uintptr_t) "key" };

    rpc_send(session, MSG_CONFIG_ENTRY, frame->request, RPC_REPLY | RPC_MORE, &entry);
    if (++asked_n == 1) {
        rpc_session_close(session, "the controller restarts");
        return;
    }
    rpc_send(session, MSG_CONFIG_ENTRY, frame->request, RPC_REPLY | RPC_MORE, &entry);
    rpc_send(session, MSG_STREAM_END, frame->request, RPC_REPLY | RPC_END, NULL);
}

static void answer(struct rpc_session *session, const struct rpc_frame *frame)
{
    struct pong pong = { .host = (char *)(uintptr_t) "head" };

    switch (frame->type) {
    case MSG_PING:
        rpc_send(session, MSG_PONG, frame->request, RPC_REPLY, &pong);
        break;
    case MSG_CONFIG_LIST:
        for (int i = 0; i < RECORDS; i++) {
            AUTO_FREE char *key = xasprintf("key%d", i);
            struct config_entry entry = { .key = key };

            rpc_send(session, MSG_CONFIG_ENTRY, frame->request, RPC_REPLY | RPC_MORE, &entry);
        }
        rpc_send(session, MSG_STREAM_END, frame->request, RPC_REPLY | RPC_END, NULL);
        break;
    case MSG_NODE_LIST:
        answer_at_second(session, frame);
        break;
    case MSG_RECONFIGURE:
        rpc_send_error(session, frame->request, E_ACCESS, "only root may do that");
        break;
    case MSG_DIAG_GET: /* never answered */
        break;
    case MSG_SHUTDOWN:
        rpc_session_close(session, "the controller goes away");
        break;
    default:
        rpc_refuse_unknown(session, frame);
        break;
    }
}

/* Keeps one blob: what it got goes back. */
static void keep_blob(struct rpc_session *session, const struct rpc_frame *frame)
{
    static struct strbuf kept;
    AUTO(blob_chunk) struct blob_chunk chunk;

    ck_assert_int_eq(rpc_decode(frame, blob_chunk_schema(), &chunk, NULL), 0);
    if (chunk.total == 13 || chunk.total == BLOB_CHUNK_MAX + 13) {
        rpc_send_error(session, frame->request, E_TOO_BIG,
                       chunk.offset ? "it has not begun" : "13 bytes are too many");
        return;
    }
    if (chunk.offset == 0)
        strbuf_clear(&kept);
    strbuf_add(&kept, chunk.data.data, chunk.data.n);
    if (kept.len < chunk.total)
        return;
    for (size_t at = 0; at < kept.len; at += BLOB_CHUNK_MAX) {
        size_t n = kept.len - at < BLOB_CHUNK_MAX ? kept.len - at : BLOB_CHUNK_MAX;

        chunk.offset = (uint32_t)at;
        free(chunk.data.data);
        chunk.data = (struct blob){ xmemdup(kept.data + at, n), (uint32_t)n };
        rpc_send(session, MSG_BLOB_CHUNK, 1, RPC_REPLY | RPC_MORE, &chunk);
    }
    rpc_send(session, MSG_STREAM_END, 1, RPC_REPLY | RPC_END, NULL);
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    (void)ctx;
    if (frame->type == MSG_BLOB_PUT)
        keep_blob(session, frame);
    else if (frame->type != MSG_BLOB_GET) /* answered when the blob is complete */
        answer(session, frame);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    (void)why;
    (void)ctx;
    rpc_session_free(session);
}

static void on_session(struct rpc_session *session, void *ctx)
{
    rpc_session_set_callbacks(
        session, &(struct rpc_callbacks){ .on_frame = on_frame, .on_closed = on_closed }, ctx);
}

/* While a file says so nobody finds a place; who is refused takes the file away. */
static bool has_place(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    (void)peer;
    if (unlink(ctx) < 0)
        return true;
    err_set(err, E_SESSIONS, "uid 1 holds 7 of 7");
    return false;
}

static void serve(const char *path, int ready_fd)
{
    const struct rpc_options options = { .role = RPC_ROLE_CONTROLLER,
                                         .cluster = "lab",
                                         .accept_peer = has_place,
                                         .ctx = xasprintf("%s.full", path) };
    static const struct rpc_server_callbacks callbacks = { .on_session = on_session };
    struct event_base *base = event_base_new();
    struct rpc_server *server = rpc_server_new(base, &options, 0, &callbacks, NULL);
    struct net_unix_listener *listener;

    if (net_listen_unix(path, 0600, &listener, NULL) < 0)
        _exit(1);
    rpc_server_listen(server, net_unix_listener_fd(listener));
    if (write(ready_fd, "r", 1) != 1)
        _exit(1);
    event_base_dispatch(base);
    _exit(0);
}

static void fake_run(struct fake *fake)
{
    int ready[2];
    char byte;

    ck_assert_int_eq(pipe(ready), 0);
    fake->pid = fork();
    ck_assert_int_ge(fake->pid, 0);
    if (fake->pid == 0)
        serve(fake->path, ready[1]);
    close(ready[1]);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
}

static void fake_stop(struct fake *fake)
{
    kill(fake->pid, SIGKILL);
    waitpid(fake->pid, NULL, 0);
}

static struct fake fake_start(void)
{
    char dir[] = "/tmp/client_test.XXXXXX";
    struct fake fake;

    ck_assert_ptr_nonnull(mkdtemp(dir));
    fake.dir = xstrdup(dir);
    fake.path = xasprintf("%s/socket", dir);
    fake_run(&fake);
    return fake;
}

static void fake_end(struct fake *fake)
{
    AUTO_FREE char *lock = xasprintf("%s.lock", fake->path);

    fake_stop(fake);
    unlink(fake->path);
    unlink(lock);
    rmdir(fake->dir);
    free(fake->path);
    free(fake->dir);
}

static struct client_options options_for(const struct fake *fake)
{
    return (struct client_options){
        .socket_path = fake->path, .cluster = "lab", .slurm_uid = getuid(), .port = 6817
    };
}

static struct client *open_client(const struct fake *fake)
{
    struct client_options options = options_for(fake);
    struct client *client = NULL;
    struct err err = { 0 };

    ck_assert_msg(client_open(&options, &client, &err) == 0, "%s", err.text);
    return client;
}

static void fake_is_full(const struct fake *fake)
{
    AUTO_FREE char *path = xasprintf("%s.full", fake->path);
    AUTO_CLOSE int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

    ck_assert_int_ge(fd, 0);
}

/* ---- tests ---- */

START_TEST(who_finds_no_place_is_told_so_once_and_at_once)
{
    struct fake fake = fake_start();
    struct client_options options = options_for(&fake);
    struct client *client;
    struct err err = { 0 };

    options.patience_ms = 60000;
    options.hosts = (const char *const[]){ "127.0.0.1" };
    options.hosts_n = 1;
    fake_is_full(&fake);

    ck_assert_int_eq(client_open(&options, &client, &err), -E_SESSIONS);

    ck_assert_ptr_nonnull(strstr(err.text, "refused the connection: uid 1 holds 7 of 7"));
    ck_assert_ptr_null(strstr(err.text, "127.0.0.1"));
    fake_end(&fake);
}
END_TEST

START_TEST(who_returns_waits_for_a_place)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    struct err err = { 0 };

    ck_assert_int_eq(client_call(client, MSG_SHUTDOWN, NULL, MSG_OK, NULL, NULL), -E_CLOSED);
    fake_is_full(&fake);

    ck_assert_msg(client_reconnect(client, 60000, &err) == 0, "%s", err.text);

    client_free(client);
    fake_end(&fake);
}
END_TEST

START_TEST(a_call_returns_the_answer)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    AUTO(pong) struct pong pong;
    struct err err = { 0 };

    int rc = client_call(client, MSG_PING, NULL, MSG_PONG, &pong, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_str_eq(pong.host, "head");
    client_free(client);
    fake_end(&fake);
}
END_TEST

START_TEST(an_error_answer_is_the_error_of_the_call)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    struct err err = { 0 };

    ck_assert_int_eq(client_call(client, MSG_RECONFIGURE, NULL, MSG_OK, NULL, &err), -E_ACCESS);
    ck_assert_str_eq(err.text, "only root may do that");
    client_free(client);
    fake_end(&fake);
}
END_TEST

START_TEST(an_answer_of_another_type_is_refused)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    struct err err = { 0 };

    ck_assert_int_eq(client_call(client, MSG_PING, NULL, MSG_OK, NULL, &err), -E_PROTO);
    ck_assert_str_eq(err.text, "the answer is PONG, should be OK");
    client_free(client);
    fake_end(&fake);
}
END_TEST

START_TEST(no_answer_in_time_is_said)
{
    struct fake fake = fake_start();
    struct client_options options = options_for(&fake);
    struct client *client;
    struct err err = { 0 };

    options.timeout_ms = 50;
    ck_assert_int_eq(client_open(&options, &client, &err), 0);
    ck_assert_int_eq(client_call(client, MSG_DIAG_GET, NULL, MSG_DIAG, NULL, &err), -E_TIMEOUT);
    client_free(client);
    fake_end(&fake);
}
END_TEST

static int count_record(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    int *count = ctx;

    (void)frame;
    ck_assert_uint_eq(type, MSG_CONFIG_ENTRY);
    return ++*count == -1 ? -EINVAL : 0;
}

START_TEST(a_stream_gives_every_record)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    struct err err = { 0 };
    int count = 0;

    int rc = client_stream(client, MSG_CONFIG_LIST, NULL, count_record, &count, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_int_eq(count, RECORDS);
    client_free(client);
    fake_end(&fake);
}
END_TEST

static void begin_count(void *ctx)
{
    *(int *)ctx = 0;
}

START_TEST(a_question_is_asked_again_where_a_restart_broke_it)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    struct err err = { 0 };
    int count = 0;

    int rc = client_ask(client, MSG_NODE_LIST, NULL, begin_count, count_record, &count, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_int_eq(count, 2);
    client_free(client);
    fake_end(&fake);
}
END_TEST

START_TEST(a_question_that_cannot_forget_its_records_is_asked_once)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    int count = 0;

    ck_assert_int_eq(client_ask(client, MSG_NODE_LIST, NULL, NULL, count_record, &count, NULL),
                     -E_CLOSED);
    ck_assert_int_eq(count, 1);
    client_free(client);
    fake_end(&fake);
}
END_TEST

static int refuse_third(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    (void)type;
    (void)frame;
    return ++*(int *)ctx == 3 ? -ECANCELED : 0;
}

START_TEST(a_refused_record_ends_its_stream_only)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    AUTO(pong) struct pong pong;
    int count = 0;

    ck_assert_int_eq(client_stream(client, MSG_CONFIG_LIST, NULL, refuse_third, &count, NULL),
                     -ECANCELED);
    ck_assert_int_eq(client_call(client, MSG_PING, NULL, MSG_PONG, &pong, NULL), 0);
    ck_assert_int_eq(count, 3);
    client_free(client);
    fake_end(&fake);
}
END_TEST

START_TEST(a_blob_comes_back_as_it_was)
{
    static const size_t sizes[] = { 1, 100, BLOB_CHUNK_MAX, BLOB_CHUNK_MAX + 1, 3u << 20 };
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    size_t n = sizes[_i], got_n = 0;
    AUTO_FREE uint8_t *data = xmalloc(n), *got = NULL;
    uint8_t sha256[SHA256_BYTES];
    struct err err = { 0 };

    crypt_random(data, n);
    ck_assert_int_eq(client_put_blob(client, data, n, sha256, &err), 0);
    int rc = client_get_blob(client, sha256, &got, &got_n, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_uint_eq(got_n, n);
    ck_assert_mem_eq(got, data, n);
    client_free(client);
    fake_end(&fake);
}
END_TEST

static void keep_end(const struct err *why, void *ctx)
{
    struct err *kept = ctx;

    *kept = *why;
}

static int never_comes(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    (void)type;
    (void)frame;
    (void)ctx;
    ck_abort_msg("a record");
    return -1;
}

START_TEST(a_refused_blob_explains_why_a_watch_ends)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    uint8_t sha256[SHA256_BYTES];
    struct err err = { 0 };

    ck_assert_int_eq(client_put_blob(client, "13 bytes long", 13, sha256, &err), 0);
    ck_assert_ptr_nonnull(client_watch(client, MSG_RECONFIGURE, NULL, never_comes, keep_end, &err));
    while (!err.code)
        event_base_loop(client_base(client), EVLOOP_ONCE);

    ck_assert_str_eq(err.text, "13 bytes are too many");
    client_free(client);
    fake_end(&fake);
}
END_TEST

static const size_t refused_sizes[] = { 13, BLOB_CHUNK_MAX + 13 };

START_TEST(a_refused_blob_explains_the_next_call)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    AUTO_FREE uint8_t *data = xcalloc(1, refused_sizes[_i]);
    uint8_t sha256[SHA256_BYTES];
    struct err err = { 0 };

    ck_assert_int_eq(client_put_blob(client, data, refused_sizes[_i], sha256, &err), 0);
    ck_assert_int_eq(client_call(client, MSG_RECONFIGURE, NULL, MSG_OK, NULL, &err), -E_TOO_BIG);
    ck_assert_str_eq(err.text, "13 bytes are too many");
    ck_assert_int_eq(client_call(client, MSG_RECONFIGURE, NULL, MSG_OK, NULL, &err), -E_ACCESS);
    client_free(client);
    fake_end(&fake);
}
END_TEST

START_TEST(failing_to_connect_names_every_way)
{
    static const char *const hosts[] = { "127.0.0.1:1", "no-such-host.invalid", "bad:port" };
    struct client_options options = { .socket_path = "/nonexistent/socket",
                                      .hosts = hosts,
                                      .hosts_n = 3,
                                      .port = 6817,
                                      .cluster = "lab" };
    struct client *client;
    struct err err = { 0 };

    ck_assert_int_eq(client_open(&options, &client, &err), -E_CONTACT);
    ck_assert_ptr_nonnull(strstr(err.text, "127.0.0.1:1: Connection refused"));
    ck_assert_ptr_nonnull(strstr(err.text, "no-such-host.invalid:6817: "));
    ck_assert_ptr_nonnull(strstr(err.text, "port 'port' is not 1 to 65535"));
}
END_TEST

/* What failed on the way to a slurmdbd, and the number of it. */
static const struct {
    const char *hosts[2];
    uint32_t hosts_n;
    int code;
} away[] = {
    { { "127.0.0.1:1" }, 1, ECONNREFUSED },
    { { "127.0.0.1:1", "no-such-host.invalid" }, 2, ECONNREFUSED },
    { { "no-such-host.invalid" }, 1, ENOTCONN },
};

START_TEST(another_server_that_is_away_is_not_the_controller)
{
    struct client_options options = { .server = RPC_ROLE_DBD,
                                      .hosts = away[_i].hosts,
                                      .hosts_n = away[_i].hosts_n,
                                      .port = 6819,
                                      .cluster = "lab" };
    struct client *client;
    struct err err = { 0 };

    ck_assert_int_eq(client_open(&options, &client, &err), -away[_i].code);
    ck_assert_ptr_nonnull(strstr(err.text, away[_i].hosts[0]));
}
END_TEST

START_TEST(a_socket_of_another_user_is_not_trusted)
{
    struct fake fake = fake_start();
    struct client_options options = options_for(&fake);
    struct client *client;
    struct err err = { 0 };

    if (getuid() == 0) { /* root is trusted, so somebody else must serve */
        fake_end(&fake);
        return;
    }
    options.slurm_uid = getuid() + 1;
    ck_assert_int_eq(client_open(&options, &client, &err), -E_CONTACT);
    ck_assert_ptr_nonnull(strstr(err.text, "neither by SlurmUser"));
    fake_end(&fake);
}
END_TEST

START_TEST(another_cluster_is_refused)
{
    struct fake fake = fake_start();
    struct client_options options = options_for(&fake);
    struct client *client;
    struct err err = { 0 };

    options.cluster = "prod";
    ck_assert_int_eq(client_open(&options, &client, &err), -E_CONTACT);
    ck_assert_ptr_nonnull(strstr(err.text, "ClusterName differs: prod"));
    fake_end(&fake);
}
END_TEST

static void on_end(const struct err *why, void *ctx)
{
    *(struct err *)ctx = why ? *why : (struct err){ .code = -1 };
}

START_TEST(a_broken_connection_ends_watches_and_can_be_reopened)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    struct err watched = { 0 }, broken = { 0 }, err = { 0 };
    AUTO(pong) struct pong pong;

    client_on_broken(client, on_end, &broken);
    ck_assert_ptr_nonnull(client_watch(client, MSG_DIAG_GET, NULL, refuse_third, on_end, &watched));
    ck_assert_int_eq(client_call(client, MSG_SHUTDOWN, NULL, MSG_OK, NULL, &err), -E_CLOSED);
    ck_assert_ptr_nonnull(strstr(err.text, "the controller goes away"));
    while (!broken.code)
        event_base_loop(client_base(client), EVLOOP_ONCE);
    ck_assert_int_eq(watched.code, E_CLOSED);

    pong_init(&pong);
    ck_assert_int_eq(client_call(client, MSG_PING, NULL, MSG_PONG, &pong, &err), -E_CLOSED);
    ck_assert_int_eq(client_reconnect(client, 0, &err), 0);
    ck_assert_int_eq(client_call(client, MSG_PING, NULL, MSG_PONG, &pong, &err), 0);
    client_free(client);
    fake_end(&fake);
}
END_TEST

static void start_controller(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    fake_run(arg);
}

START_TEST(patience_waits_for_a_controller_that_restarts)
{
    struct fake fake = fake_start();
    struct client *client = open_client(&fake);
    struct err broken = { 0 }, err = { 0 };

    client_on_broken(client, on_end, &broken);
    fake_stop(&fake);
    while (!broken.code)
        event_base_loop(client_base(client), EVLOOP_ONCE);
    event_base_once(client_base(client), -1, EV_TIMEOUT, start_controller, &fake,
                    &(struct timeval){ 0, 150000 });

    int rc = client_reconnect(client, 20000, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    client_free(client);
    fake_end(&fake);
}
END_TEST

static void let_it_go_on(evutil_socket_t fd, short what, void *arg)
{
    const struct fake *fake = arg;

    (void)fd;
    (void)what;
    kill(fake->pid, SIGCONT);
}

/* It listens, but comes to nothing for longer than patience lasts. */
START_TEST(an_overrun_controller_gets_more_patience)
{
    struct fake fake = fake_start();
    struct client_options options = options_for(&fake);
    struct client *client = NULL;
    struct err broken = { 0 }, err = { 0 };

    options.timeout_ms = 100;
    ck_assert_int_eq(client_open(&options, &client, NULL), 0);
    client_on_broken(client, on_end, &broken);
    fake_stop(&fake);
    while (!broken.code)
        event_base_loop(client_base(client), EVLOOP_ONCE);
    fake_run(&fake);
    kill(fake.pid, SIGSTOP);
    event_base_once(client_base(client), -1, EV_TIMEOUT, let_it_go_on, &fake,
                    &(struct timeval){ 1, 300000 });

    int rc = client_reconnect(client, 1, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    client_free(client);
    fake_end(&fake);
}
END_TEST

START_TEST(one_that_listens_and_says_nothing_is_a_timeout)
{
    struct fake fake = fake_start();
    struct client_options options = options_for(&fake);
    struct client *client;
    struct err err = { 0 };

    options.timeout_ms = 100;
    kill(fake.pid, SIGSTOP);

    ck_assert_int_eq(client_open(&options, &client, &err), -E_TIMEOUT);

    ck_assert_ptr_nonnull(strstr(err.text, fake.path));
    kill(fake.pid, SIGCONT);
    fake_end(&fake);
}
END_TEST

START_TEST(patience_is_not_spent_on_what_does_not_mend)
{
    struct fake fake = fake_start();
    struct client_options options = options_for(&fake);
    struct client *client;
    int64_t begin = clock_mono_ms();

    options.cluster = "prod";
    options.patience_ms = 30000;
    ck_assert_int_eq(client_open(&options, &client, NULL), -E_CONTACT);

    ck_assert_int_lt(clock_mono_ms() - begin, 20000);
    fake_end(&fake);
}
END_TEST

CHECK_MAIN(client, CASE(a_call_returns_the_answer),
           CASE(who_finds_no_place_is_told_so_once_and_at_once),
           CASE(who_returns_waits_for_a_place), CASE(an_error_answer_is_the_error_of_the_call),
           CASE(an_answer_of_another_type_is_refused), CASE(no_answer_in_time_is_said),
           CASE(a_stream_gives_every_record),
           CASE(a_question_is_asked_again_where_a_restart_broke_it),
           CASE(a_question_that_cannot_forget_its_records_is_asked_once),
           CASE(a_refused_record_ends_its_stream_only), LOOP_CASE(a_blob_comes_back_as_it_was, 5),
           CASE(a_refused_blob_explains_why_a_watch_ends),
           LOOP_CASE(a_refused_blob_explains_the_next_call, ARRAY_N(refused_sizes)),
           CASE(failing_to_connect_names_every_way),
           LOOP_CASE(another_server_that_is_away_is_not_the_controller, ARRAY_N(away)),
           CASE(a_socket_of_another_user_is_not_trusted), CASE(another_cluster_is_refused),
           CASE(a_broken_connection_ends_watches_and_can_be_reopened),
           CASE(patience_waits_for_a_controller_that_restarts),
           CASE(an_overrun_controller_gets_more_patience),
           CASE(one_that_listens_and_says_nothing_is_a_timeout),
           CASE(patience_is_not_spent_on_what_does_not_mend))
