#include "auth/main/server.h"

#include <errno.h>
#include <event2/event.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "auth/main/peer.h"

enum {
    ACCEPTS_A_TURN = 64,
    FIRST_READ = 1024,
    READ_CHUNK = 16 * 1024,
    /* Refusals are logged, but a user who makes thousands shall not fill the disk. */
    REFUSALS_LOGGED = 20,
    REFUSALS_SPAN_MS = 10000,
    TIDY_S = 60,
};

struct connection {
    struct server *server;
    struct connection *prev; /* in the order they came */
    struct connection *next;
    int fd;
    struct event *event;
    int64_t deadline_ms;
    struct peer peer;
    struct strbuf in;
    struct strbuf out;
    struct wire_header header;
    bool header_read;
};

struct server {
    struct server_options options;
    struct event *listener;
    struct event *tidy;
    struct connection *connections;
    unsigned connections_n;
    int64_t refusals_since_ms;
    unsigned refusals_n;
};

static void connection_close(struct connection *connection)
{
    struct server *server = connection->server;

    DL_DELETE(server->connections, connection);
    server->connections_n--;
    if (connection->event)
        event_free(connection->event);
    close(connection->fd);
    if (connection->in.data)
        wipe(connection->in.data, connection->in.cap);
    if (connection->out.data)
        wipe(connection->out.data, connection->out.cap);
    strbuf_clear(&connection->in);
    strbuf_clear(&connection->out);
    free(connection);
}

static void log_refusal(struct connection *connection, const struct err *why)
{
    struct server *server = connection->server;
    struct log *log = server->options.log;
    int64_t now = clock_mono_ms();

    if (now - server->refusals_since_ms >= REFUSALS_SPAN_MS) {
        if (server->refusals_n > REFUSALS_LOGGED)
            log_info(log, "%u more refusals were not logged", server->refusals_n - REFUSALS_LOGGED);
        server->refusals_since_ms = now;
        server->refusals_n = 0;
    }
    if (server->refusals_n++ < REFUSALS_LOGGED)
        log_info(log, "refused uid %u gid %u pid %d: %s", connection->peer.uid,
                 connection->peer.gid, connection->peer.pid, why->text);
}

/* RECEIVING AND ANSWERING: each step returns 1 when it is done, 0 to wait, less to give up. */

static size_t missing(const struct connection *connection)
{
    const struct strbuf *in = &connection->in;
    size_t whole = WIRE_HEADER_SIZE;

    if (connection->header_read)
        whole += connection->header.body_n;
    return in->len < whole ? whole - in->len : 0;
}

/* Returns how many bytes to read; a small request comes with its header in one read. */
static size_t room_for(const struct connection *connection)
{
    size_t want = missing(connection);

    if (!connection->header_read)
        return FIRST_READ;
    return want < READ_CHUNK ? want : READ_CHUNK;
}

static int read_header(struct connection *connection, struct err *why)
{
    const struct strbuf *in = &connection->in;

    if (connection->header_read || in->len < WIRE_HEADER_SIZE)
        return 0;
    connection->header_read = true;
    return wire_parse_header((const uint8_t *)in->data, &connection->header, why);
}

/*
 * Lets clients run, once, before this process sleeps: they connect, send and read the reply without
 * a pause. One that has not sent yet, or has not connected yet for its next request, is about to;
 * to let it run costs a fifth of what going to sleep and being woken does.
 */
static bool gave_way(bool *has_given_way)
{
    if (errno != EAGAIN || *has_given_way)
        return false;
    *has_given_way = true;
    sched_yield();
    return true;
}

static int receive(struct connection *connection, struct err *why)
{
    struct strbuf *in = &connection->in;
    bool has_given_way = in->len > 0;

    while (missing(connection)) {
        size_t room = room_for(connection);
        ssize_t n = recv(connection->fd, strbuf_reserve(in, room), room, 0);

        if (n < 0 && (errno == EINTR || gave_way(&has_given_way)))
            continue;
        if (n < 0 && errno == EAGAIN)
            return 0;
        if (n <= 0)
            return err_set(why, E_CLOSED, "hung up after %zu bytes of a request", in->len);
        strbuf_grown(in, (size_t)n);

        int rc = read_header(connection, why);

        if (rc < 0)
            return rc;
    }
    return 1;
}

static int answer(struct connection *connection, struct err *why)
{
    const struct server_options *options = &connection->server->options;
    struct authority_request request = {
        .peer = &connection->peer,
        .header = connection->header,
        .body = (const uint8_t *)connection->in.data + WIRE_HEADER_SIZE,
        .now = clock_wall_s(options->clock),
    };

    if (options->before_request)
        options->before_request(options->arg);

    int status = authority_answer(options->authority, &request, &connection->out, why);

    if (status < 0)
        return status;
    if (status == MUNGE_OK)
        log_debug(options->log, "answered uid %u gid %u pid %d: type %u, %u bytes",
                  connection->peer.uid, connection->peer.gid, connection->peer.pid,
                  request.header.type, request.header.body_n);
    else
        log_refusal(connection, why);
    return 1;
}

static int transmit(struct connection *connection, struct err *why)
{
    struct strbuf *out = &connection->out;

    while (out->len) {
        ssize_t n = send(connection->fd, out->data, out->len, MSG_NOSIGNAL);

        if (n >= 0)
            strbuf_consume(out, (size_t)n);
        else if (errno == EAGAIN)
            return 0;
        else if (errno != EINTR)
            return err_set(why, errno, "did not take the reply: %s", strerror(errno));
    }
    return 1;
}

static void on_ready(evutil_socket_t fd, short what, void *arg);

static void wait_for(struct connection *connection, short events)
{
    int64_t left = connection->deadline_ms - clock_mono_ms();

    if (left < 1)
        left = 1;
    if (connection->event)
        event_free(connection->event);
    connection->event = event_new(connection->server->options.base, connection->fd,
                                  events | EV_TIMEOUT, on_ready, connection);
    event_add(connection->event,
              &(struct timeval){ (time_t)(left / 1000), (suseconds_t)(left % 1000 * 1000) });
}

/* Serves as far as there are bytes or room; ends the connection when all is said. */
static void serve(struct connection *connection)
{
    struct err why = { 0 };
    bool answered = connection->out.len > 0;
    int rc = 1;

    if (!answered) {
        rc = receive(connection, &why);
        if (rc == 0) {
            wait_for(connection, EV_READ);
            return;
        }
        if (rc > 0)
            rc = answer(connection, &why);
    }
    if (rc > 0)
        rc = transmit(connection, &why);
    if (rc == 0) {
        wait_for(connection, EV_WRITE);
        return;
    }
    if (rc < 0 && connection->in.len) /* one that only looked (munged --stop) is no news */
        log_refusal(connection, &why);
    connection_close(connection);
}

static void on_ready(evutil_socket_t fd, short what, void *arg)
{
    struct connection *connection = arg;

    (void)fd;
    if (what & EV_TIMEOUT) {
        struct err why = { 0 };

        err_set(&why, ETIMEDOUT, "no whole request within %d ms, only %zu bytes",
                connection->server->options.deadline_ms, connection->in.len);
        log_refusal(connection, &why);
        connection_close(connection);
        return;
    }
    serve(connection);
}

/* ACCEPTING */

/* Drops the oldest connection of that user, or else the oldest of all: it has had the most time. */
static void drop_one(struct server *server, uid_t uid)
{
    struct connection *victim = server->connections;
    struct connection *one;
    struct err why = { 0 };

    DL_FOREACH (server->connections, one) {
        if (one->peer.uid == uid) {
            victim = one;
            break;
        }
    }
    err_set(&why, EMFILE, "more than %d connections, this one waits longest",
            SERVER_CONNECTIONS_MAX);
    log_refusal(victim, &why);
    connection_close(victim);
}

static void welcome(struct server *server, int fd)
{
    struct connection *connection = xcalloc(1, sizeof(*connection));
    struct err err = { 0 };

    connection->server = server;
    connection->fd = fd;
    connection->deadline_ms = clock_mono_ms() + server->options.deadline_ms;
    DL_APPEND(server->connections, connection);
    server->connections_n++;
    if (peer_of_socket(&connection->fd, &connection->peer, &err) < 0) {
        log_error(server->options.log, "connection dropped: %s", err.text);
        connection_close(connection);
        return;
    }
    serve(connection);
}

static uid_t uid_of(int fd)
{
    struct ucred ucred = { 0 };
    socklen_t size = sizeof(ucred);

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &ucred, &size) < 0 ? (uid_t)-1 : ucred.uid;
}

static void on_connections(evutil_socket_t listener, short what, void *arg)
{
    struct server *server = arg;

    (void)what;
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        bool has_given_way = i == 0;
        int fd;

        do {
            fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        } while (fd < 0 && gave_way(&has_given_way));

        if (fd < 0 && (errno == EMFILE || errno == ENFILE) && server->connections) {
            drop_one(server, (uid_t)-1);
            continue;
        }
        if (fd < 0)
            return;
        if (server->connections_n >= SERVER_CONNECTIONS_MAX)
            drop_one(server, uid_of(fd));
        welcome(server, fd);
    }
}

static void on_tidy(evutil_socket_t fd, short what, void *arg)
{
    struct server *server = arg;

    (void)fd;
    (void)what;
    authority_tidy(server->options.authority, clock_wall_s(server->options.clock));
}

struct server *server_new(const struct server_options *options)
{
    struct server *server = xcalloc(1, sizeof(*server));

    server->options = *options;
    server->listener =
        event_new(options->base, options->fd, EV_READ | EV_PERSIST, on_connections, server);
    server->tidy = event_new(options->base, -1, EV_PERSIST, on_tidy, server);
    event_add(server->listener, NULL);
    event_add(server->tidy, &(struct timeval){ .tv_sec = TIDY_S });
    return server;
}

struct server *server_free(struct server *server)
{
    struct connection *one;
    struct connection *next;

    if (!server)
        return NULL;
    DL_FOREACH_SAFE (server->connections, one, next) {
        connection_close(one);
    }
    event_free(server->listener);
    event_free(server->tidy);
    free(server);
    return NULL;
}
