/*
 * monitor_lab.h - a real monitor with real steps: the test is its agent and its controller. authd
 * is the munged of this build, with a key of its own.
 */
#pragma once

#include "unit/check_main.h"

#include <event2/event.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include "common/msg/job.h"
#include "common/msg/node.h"
#include "common/msg/session.h"
#include "noded/monitor/monitor.h"
#include "unit/noded/step_rig.h"

/* When a monitor that starts a step daemon dies, as pthread_atfork is told it. */
struct kill_point {
    void (*before_fork)(void), (*in_step_daemon)(void);
};

struct lab {
    struct step_rig rig;
    pid_t authd, monitor;
    const struct kill_point *kill_point; /* of the next monitor */
    char *authd_socket;
    char *program;             /* Prolog and Epilog of the next monitor; NULL: none */
    struct crypt_sign_key key; /* the controller's */
    struct priv_channel *channel;
    uint32_t request;
    struct step_report report; /* the last one that came */
    uint32_t reports_n, clean_job, hook_reports_n;
};

/* ---- authd ---- */

/* The daemons are beside this test: build/unit/TEST and build/bin/munged. */
static inline char *program(const char *name)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

    ck_assert_int_gt(n, 0);
    path[n] = '\0';
    *strrchr(path, '/') = '\0';
    return xasprintf("%s/../bin/%s", path, name);
}

static inline void start_authd(struct lab *lab)
{
    AUTO_FREE char *munged = program("munged");
    AUTO_FREE char *run_dir = xasprintf("%s/run", lab->rig.dir);
    AUTO_FREE char *key = xasprintf("%s/key", lab->rig.dir);
    AUTO_FREE char *key_option = xasprintf("--key-file=%s", key);
    AUTO_FREE char *seed_option = xasprintf("--seed-file=%s/seed", lab->rig.dir);
    AUTO_FREE char *pid_option = xasprintf("--pid-file=%s/pid", run_dir);
    uint8_t bytes[64];
    int waited = 0;

    lab->authd_socket = xasprintf("%s/socket", run_dir);
    ck_assert_int_eq(mkdir(run_dir, 0755), 0);
    crypt_random(bytes, sizeof(bytes));
    AUTO_CLOSE int fd = open(key, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_eq(write(fd, bytes, sizeof(bytes)), (ssize_t)sizeof(bytes));
    lab->authd = fork();
    if (lab->authd == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 2);
        execl(munged, "munged", "-F", "-S", lab->authd_socket, key_option, seed_option, pid_option,
              (char *)NULL);
        _exit(127);
    }
    struct authc_options authc = { .socket_path = lab->authd_socket };
    char print[AUTHC_FINGERPRINT_SIZE];
    while (authc_fingerprint(&authc, print, NULL) < 0) {
        ck_assert_int_lt(waited++, RIG_DEADLINE_MS);
        (void)poll(NULL, 0, 1);
    }
}

/* ---- the monitor ---- */

static inline void run_monitor(const struct lab *lab, int fd)
{
    struct log *log = log_new_daemon("monitor", LOG_QUIET);
    struct event_base *base = event_base_new();
    struct monitor *monitor = NULL;
    struct monitor_options options = {
        .cluster = "rig",
        .node = RIG_NODE,
        .boot_id = "boot",
        .spool_dir = lab->rig.spool,
        .slurm_uid = geteuid(),
        .authc = { .socket_path = lab->authd_socket },
        .cgroups = lab->rig.cgroups,
        .bounds = &lab->rig.bounds,
        .log = log,
        .log_path = "/dev/null",
        .log_level = LOG_INFO,
        .hooks = { .prolog = lab->program, .epilog = lab->program, .conf_path = "/none" },
    };

    if (monitor_new(base, &options, &monitor, NULL) < 0)
        _exit(1);
    if (lab->kill_point)
        (void)pthread_atfork(lab->kill_point->before_fork, NULL, lab->kill_point->in_step_daemon);
    monitor_attach(monitor, fd);
    event_base_dispatch(base);
    _exit(0);
}

static inline void start_monitor(struct lab *lab)
{
    int fds[2];

    ck_assert_int_eq(priv_socketpair(fds, NULL), 0);
    lab->monitor = fork();
    if (lab->monitor == 0) {
        close(fds[0]);
        run_monitor(lab, fds[1]);
    }
    close(fds[1]);
    lab->channel = priv_channel_new(fds[0]);
}

static inline void kill_monitor(struct lab *lab)
{
    ck_assert_int_eq(kill(lab->monitor, SIGKILL), 0);
    ck_assert_int_eq(waitpid(lab->monitor, NULL, 0), lab->monitor);
    lab->channel = priv_channel_free(lab->channel);
}

/* Of a lab, only the kill point is set before. */
static inline void open_lab(struct lab *lab, const char *script)
{
    *lab = (struct lab){ .kill_point = lab->kill_point };
    rig_open(&lab->rig);
    rig_batch(&lab->rig, script);
    crypt_sign_key_new(&lab->key);
    step_report_init(&lab->report);
    start_authd(lab);
    start_monitor(lab);
}

static inline void close_lab(struct lab *lab)
{
    kill_monitor(lab);
    ck_assert_int_eq(kill(lab->authd, SIGKILL), 0);
    ck_assert_int_eq(waitpid(lab->authd, NULL, 0), lab->authd);
    step_report_clear(&lab->report);
    free(lab->authd_socket);
    free(lab->program);
    crypt_sign_key_auto_(&lab->key);
    rig_close(&lab->rig);
}

/* ---- the agent's part ---- */

static inline void take(struct lab *lab, const struct priv_msg *msg)
{
    if (msg->verb == PRIV_STEP_REPORT) {
        step_report_clear(&lab->report);
        lab->reports_n++;
        ck_assert_int_eq(
            schema_decode(step_report_schema(), msg->bytes, msg->bytes_n, &lab->report, NULL), 0);
    }
    if (msg->verb == PRIV_HOOK_REPORT)
        lab->hook_reports_n++;
    if (msg->verb == PRIV_JOB_CLEAN) {
        struct bytes in = bytes_of(msg->bytes, msg->bytes_n);
        lab->clean_job = bytes_u32(&in);
    }
}

/* Receives one message. */
static inline struct priv_msg next(struct lab *lab)
{
    struct pollfd ready = { .fd = priv_channel_fd(lab->channel), .events = POLLIN };
    struct priv_msg msg;
    struct err err = { 0 };

    ck_assert_int_eq(poll(&ready, 1, RIG_DEADLINE_MS), 1);
    int rc = priv_receive(lab->channel, PRIV_AGENT, &msg, &err);
    ck_assert_msg(rc == 1, "%s", err.text);
    take(lab, &msg);
    return msg;
}

static inline void request(struct lab *lab, enum priv_verb verb, const struct strbuf *bytes,
                           const int *fds, uint32_t fds_n)
{
    struct priv_msg msg = { .verb = verb,
                            .request = ++lab->request,
                            .bytes = (const uint8_t *)bytes->data,
                            .bytes_n = (uint32_t)bytes->len,
                            .fds_n = fds_n };

    for (uint32_t i = 0; i < fds_n; i++)
        msg.fds[i] = fds[i];
    ck_assert_int_eq(priv_send(lab->channel, &msg, NULL), 0);
}

/* Asks and waits for the answer; its text is put into `text`. Returns the code. */
static inline int ask(struct lab *lab, enum priv_verb verb, const struct strbuf *bytes,
                      const int *fds, uint32_t fds_n, struct strbuf *text)
{
    struct priv_msg got;

    request(lab, verb, bytes, fds, fds_n);
    do {
        got = next(lab);
    } while (got.verb != PRIV_ANSWER || got.request != lab->request);
    struct priv_answer answer = priv_answer_decode(&got);
    strbuf_truncate(text, 0);
    strbuf_add(text, answer.text, answer.text_n);
    return answer.code;
}

static inline int ask_key(struct lab *lab, uint64_t incarnation, struct strbuf *text)
{
    AUTO(strbuf) struct strbuf payload = { 0 }, bytes = { 0 };
    AUTO_FREE char *cred = NULL;
    struct controller_key key = { .label = (char *)(uintptr_t)CONTROLLER_KEY_LABEL,
                                  .cluster = (char *)(uintptr_t) "rig",
                                  .incarnation = incarnation,
                                  .key = { lab->key.public, CRYPT_PUBLIC_N } };
    struct authc_options authc = { .socket_path = lab->authd_socket };
    struct err err = { 0 };

    schema_encode(controller_key_schema(), &key, &payload);
    ck_assert_msg(authc_encode(&authc, payload.data, payload.len, AUTHC_ANY, 0, &cred, &err) == 0,
                  "%s", err.text);
    strbuf_adds(&bytes, cred);
    return ask(lab, PRIV_KEY, &bytes, NULL, 0, text);
}

/* The order as the rig has it now; `harm` is called on the bytes after they were signed. */
static inline void make_launch(const struct lab *lab,
                               void (*harm)(struct strbuf *cred, uint8_t *signature),
                               struct strbuf *bytes)
{
    AUTO(strbuf) struct strbuf cred = { 0 };
    uint8_t signature[CRYPT_SIGN_N];
    struct priv_launch launch = { .has_environment = true, .has_script = true };

    schema_encode(launch_cred_schema(), &lab->rig.cred, &cred);
    crypt_sign(&lab->key, cred.data, cred.len, signature);
    if (harm)
        harm(&cred, signature);
    launch.cred = (const uint8_t *)cred.data;
    launch.cred_n = (uint32_t)cred.len;
    launch.signature = signature;
    priv_launch_encode(&launch, bytes);
}

static inline int ask_launch(struct lab *lab, void (*harm)(struct strbuf *cred, uint8_t *signature),
                             struct strbuf *text)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    int fds[] = { lab->rig.body_fd, lab->rig.environment_fd, lab->rig.script_fd };

    make_launch(lab, harm, &bytes);
    return ask(lab, PRIV_LAUNCH, &bytes, fds, 3, text);
}

static inline void ask_ok(struct lab *lab, enum priv_verb verb, const struct strbuf *bytes)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    ck_assert_msg(ask(lab, verb, bytes, NULL, 0, &text) == 0, "%s", strbuf_text(&text));
}

static inline void wait_state(struct lab *lab, enum held_state state)
{
    while (lab->report.state != state)
        (void)next(lab);
}

/* Key taken, order sealed: ready to launch. */
static inline void prepare(struct lab *lab, struct strbuf *body)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    rig_seal(&lab->rig, body);
    ck_assert_msg(ask_key(lab, 1, &text) == 0, "%s", strbuf_text(&text));
}

static inline void launch(struct lab *lab)
{
    AUTO(strbuf) struct strbuf body = { 0 }, text = { 0 };

    prepare(lab, &body);
    ck_assert_msg(ask_launch(lab, NULL, &text) == 0, "%s", strbuf_text(&text));
}

static inline void end_job(struct lab *lab, uint32_t kill_wait_s)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_end end = { 7, COUNT_UNSET, 0, kill_wait_s, "CANCELLED AT noon" };

    priv_end_encode(&end, &bytes);
    ask_ok(lab, PRIV_END, &bytes);
}

static inline void forget(struct lab *lab)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_forget it = { 7, STEP_BATCH, lab->rig.cred.launch_number };

    priv_forget_encode(&it, &bytes);
    ask_ok(lab, PRIV_FORGET, &bytes);
}
