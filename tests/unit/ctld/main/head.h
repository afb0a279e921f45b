/*
 * head.h - a whole controller in the test's own process: head_start, then a guest who connects.
 *
 * The controller and its guest share one loop, so that nothing happens but in head_until. The
 * controller asks for names by running this executable under another name: a file that includes
 * this ends with HEAD_MAIN in the place of CHECK_MAIN.
 */
#pragma once

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#define main check_main
#include "unit/check_main.h"

#include "common/msg/sums.h"
#include "common/msg/types.h"
#include "common/net/dial.h"
#include "common/rpc/session.h"
#include "ctld/api/api.h"
#include "ctld/main/start.h"

#define HEAD_MAIN                                                                                  \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return strcmp(argv[0], NAMES_ROLE) == 0 ? names_main(argc, argv) : check_main();           \
    }

struct head {
    char dir[32];
    char *conf_path, *socket_path;
    struct event_base *base; /* the controller's */
    struct ctld ctld;
    struct started started;
};

/* `text` is what slurm.conf says about nodes and partitions, and all else that is not given here.
 */
static inline void head_write_conf(struct head *head, const char *text)
{
    FILE *file = fopen(head->conf_path, "w");

    ck_assert_ptr_nonnull(file);
    fprintf(file,
            "ClusterName=lab\nSlurmctldHost=localhost\nSlurmUser=%s\nStateSaveLocation=%s\n"
            "SlurmctldDebug=fatal\n%s\n",
            getpwuid(geteuid())->pw_name, head->dir, text);
    fclose(file);
}

static inline void head_load_conf(struct head *head)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct err err = { 0 };

    ck_assert_msg(start_read_conf(head->conf_path, &head->ctld.conf, &notes, &err) == 0, "%s",
                  err.text);
}

/* In the directory that is there. `fresh`: with -c. */
static inline void head_run(struct head *head, bool fresh)
{
    struct err err = { 0 };

    head->base = event_base_new();
    head->ctld = (struct ctld){ .base = head->base,
                                .log = log_new_daemon("head", LOG_FATAL),
                                .slurm_uid = geteuid() };
    head_load_conf(head);
    cluster_clock_init(&head->ctld.clock, clock_from_env());
    head->started = (struct started){ .host = xstrdup("localhost"), .options = { .fresh = fresh } };
    ck_assert_int_eq(net_listen_tcp("127.0.0.1", 0, &head->started.tcp_fd, NULL, NULL), 0);
    ck_assert_int_eq(net_listen_unix(head->socket_path, 0600, &head->started.unix_listener, NULL),
                     0);
    ck_assert_msg(start_service(&head->ctld, &head->started, &err) == 0, "%s", err.text);
}

static inline void head_start(struct head *head, const char *text)
{
    *head = (struct head){ .dir = "/tmp/head_test.XXXXXX" };
    ck_assert_ptr_nonnull(mkdtemp(head->dir));
    head->conf_path = xasprintf("%s/slurm.conf", head->dir);
    head->socket_path = xasprintf("%s/socket", head->dir);
    head_write_conf(head, text);
    head_run(head, false);
}

static inline void head_reconfigure(struct head *head, const char *text)
{
    struct err err = { 0 };

    head_write_conf(head, text);
    ck_assert_msg(head->ctld.reconfigure(&head->ctld, &err) == 0, "%s", err.text);
    ctld_end_turn(&head->ctld);
}

/* The controller ends; what it kept stays, for head_run. */
static inline void head_end(struct head *head)
{
    stop_service(&head->ctld, &head->started);
    log_free(head->ctld.log);
    event_base_free(head->base);
}

static inline void head_stop(struct head *head)
{
    AUTO_FREE char *command = xasprintf("rm -rf '%s'", head->dir);

    head_end(head);
    free(head->conf_path);
    free(head->socket_path);
    ck_assert_int_eq(system(command), 0);
}

static inline void head_late(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    *(bool *)arg = true;
}

/* Runs the loop until `condition` (an expression) holds; fails the test when it never does. */
#define HEAD_UNTIL(head, condition)                                                                \
    do {                                                                                           \
        bool late_ = false;                                                                        \
        struct event *timer_ = event_new((head)->base, -1, 0, head_late, &late_);                  \
        event_add(timer_, &(struct timeval){ 120, 0 });                                            \
        while (!(condition) && !late_)                                                             \
            event_base_loop((head)->base, EVLOOP_ONCE);                                            \
        event_free(timer_);                                                                        \
        ck_assert_msg(!late_, "never: " #condition);                                               \
    } while (0)

/* ---- who asks ---- */

struct guest {
    struct rpc_session *session;
    bool ready, closed;
    uint32_t asked_n, over_n; /* requests, and those that have their last frame */
    uint32_t errors_n, records_n;
    uint32_t last_type, last_request;
    bool last_is_list; /* a part or the end of one */
    struct err last_error;
    void (*on_record)(const struct rpc_frame *frame, void *ctx); /* NULL: they are counted only */
    void (*on_reply)(const struct rpc_frame *frame, void *ctx);  /* the last frame of a request */
    void *ctx;
};

static inline void guest_on_ready(struct rpc_session *session, void *ctx)
{
    (void)session;
    ((struct guest *)ctx)->ready = true;
}

static inline void guest_on_frame(struct rpc_session *session, const struct rpc_frame *frame,
                                  void *ctx)
{
    struct guest *guest = ctx;

    (void)session;
    if (!(frame->flags & RPC_REPLY))
        return; /* a heartbeat */
    guest->last_type = frame->type;
    guest->last_request = frame->request;
    guest->last_is_list = frame->flags & (RPC_MORE | RPC_END);
    if (frame->flags & RPC_MORE) {
        guest->records_n++;
        if (guest->on_record)
            guest->on_record(frame, guest->ctx);
        return;
    }
    guest->over_n++;
    if (guest->on_reply)
        guest->on_reply(frame, guest->ctx);
    if (frame->flags & RPC_ERROR) {
        guest->errors_n++;
        rpc_decode_error(frame, &guest->last_error);
    }
}

static inline void guest_on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    (void)session;
    (void)why;
    ((struct guest *)ctx)->closed = true;
}

static inline void guest_connect(struct guest *guest, struct head *head)
{
    static const struct rpc_callbacks callbacks = { .on_ready = guest_on_ready,
                                                    .on_frame = guest_on_frame,
                                                    .on_closed = guest_on_closed };
    const struct rpc_options options = { .role = RPC_ROLE_CLIENT,
                                         .cluster = "lab",
                                         .clock = head->ctld.clock.clock };
    int fd;

    *guest = (struct guest){ 0 };
    ck_assert_int_eq(net_dial_unix(head->socket_path, &fd, NULL), 0);
    guest->session = rpc_session_new(head->base, fd, true, &options, &callbacks, guest);
    HEAD_UNTIL(head, guest->ready || guest->closed);
    ck_assert(guest->ready);
}

static inline void guest_leave(struct guest *guest, struct head *head)
{
    rpc_session_free(guest->session);
    HEAD_UNTIL(head, !head->ctld.conns);
}

/* A request; its number is how many there were. */
static inline void guest_ask(struct guest *guest, uint32_t type, const void *msg)
{
    ck_assert_int_eq(rpc_send(guest->session, type, ++guest->asked_n, 0, msg), 0);
}

/* For the answers to all. Less than 0: the last is an error, guest->last_error. */
static inline int guest_wait(struct guest *guest, struct head *head)
{
    const uint32_t errors_n = guest->errors_n;

    HEAD_UNTIL(head, guest->over_n == guest->asked_n || guest->closed);
    ck_assert(!guest->closed);
    return guest->errors_n > errors_n ? -guest->last_error.code : 0;
}

static inline int guest_ask_and_wait(struct guest *guest, struct head *head, uint32_t type,
                                     const void *msg)
{
    guest_ask(guest, type, msg);
    return guest_wait(guest, head);
}

/* A script goes ahead of the job that names it. */
static inline void guest_ask_for_job(struct guest *guest, struct job_spec *spec,
                                     struct job_body *body, const char *script)
{
    uint8_t sha256[SHA256_BYTES];
    struct blob_chunk chunk = { .sha256 = { sha256, SHA256_BYTES },
                                .total = (uint32_t)strlen(script),
                                .data = { (uint8_t *)(uintptr_t)script,
                                          (uint32_t)strlen(script) } };
    struct job_submit submit = { .spec = spec, .body = body };

    crypt_sha256(script, strlen(script), sha256);
    spec->kind = JOB_KIND_BATCH;
    body->script_sha256 = chunk.sha256;
    rpc_send(guest->session, MSG_BLOB_PUT, 0, 0, &chunk);
    guest_ask(guest, MSG_JOB_SUBMIT, &submit);
    body->script_sha256 = (struct blob){ 0 };
}

static inline int guest_submit(struct guest *guest, struct head *head, struct job_spec *spec,
                               struct job_body *body, const char *script)
{
    guest_ask_for_job(guest, spec, body, script);
    return guest_wait(guest, head);
}

/* Returns what a question of the type needs to be answered; NULL: nothing. */
static inline const void *guest_message_of(uint32_t type)
{
    static const struct job_script script = { .job_id = 1 };
    static const struct kept_list kept = { .kind = KEPT_TRIGGER };
    static const struct sums_list sums = { .from = 1795302930, .until = 1795306530 };
    static const struct utilization_list times = { .from = 1795302930, .until = 1795306530 };

    switch (type) {
    case MSG_JOB_SCRIPT:
        return &script;
    case MSG_KEPT_LIST:
        return &kept;
    case MSG_SUMS_LIST:
        return &sums;
    case MSG_UTILIZATION_LIST:
        return &times;
    default:
        return NULL;
    }
}
