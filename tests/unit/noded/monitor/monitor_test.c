/*
 * A real monitor with real steps: the test is its agent and its controller. authd is the munged of
 * this build, with a key of its own.
 */
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
static char *program(const char *name)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

    ck_assert_int_gt(n, 0);
    path[n] = '\0';
    *strrchr(path, '/') = '\0';
    return xasprintf("%s/../bin/%s", path, name);
}

static void start_authd(struct lab *lab)
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

static void run_monitor(const struct lab *lab, int fd)
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

static void start_monitor(struct lab *lab)
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

static void kill_monitor(struct lab *lab)
{
    ck_assert_int_eq(kill(lab->monitor, SIGKILL), 0);
    ck_assert_int_eq(waitpid(lab->monitor, NULL, 0), lab->monitor);
    lab->channel = priv_channel_free(lab->channel);
}

/* Of a lab, only the kill point is set before. */
static void open_lab(struct lab *lab, const char *script)
{
    *lab = (struct lab){ .kill_point = lab->kill_point };
    rig_open(&lab->rig);
    rig_batch(&lab->rig, script);
    crypt_sign_key_new(&lab->key);
    step_report_init(&lab->report);
    start_authd(lab);
    start_monitor(lab);
}

static void close_lab(struct lab *lab)
{
    kill_monitor(lab);
    ck_assert_int_eq(kill(lab->authd, SIGKILL), 0);
    ck_assert_int_eq(waitpid(lab->authd, NULL, 0), lab->authd);
    step_report_clear(&lab->report);
    free(lab->authd_socket);
    free(lab->program);
    rig_close(&lab->rig);
}

/* ---- the agent's part ---- */

static void take(struct lab *lab, const struct priv_msg *msg)
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
static struct priv_msg next(struct lab *lab)
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

static void request(struct lab *lab, enum priv_verb verb, const struct strbuf *bytes,
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
static int ask(struct lab *lab, enum priv_verb verb, const struct strbuf *bytes, const int *fds,
               uint32_t fds_n, struct strbuf *text)
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

static int ask_key(struct lab *lab, uint64_t incarnation, struct strbuf *text)
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
static void make_launch(const struct lab *lab,
                        void (*harm)(struct strbuf *cred, uint8_t *signature), struct strbuf *bytes)
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

static int ask_launch(struct lab *lab, void (*harm)(struct strbuf *cred, uint8_t *signature),
                      struct strbuf *text)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    int fds[] = { lab->rig.body_fd, lab->rig.environment_fd, lab->rig.script_fd };

    make_launch(lab, harm, &bytes);
    return ask(lab, PRIV_LAUNCH, &bytes, fds, 3, text);
}

static void ask_ok(struct lab *lab, enum priv_verb verb, const struct strbuf *bytes)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    ck_assert_msg(ask(lab, verb, bytes, NULL, 0, &text) == 0, "%s", strbuf_text(&text));
}

static void wait_state(struct lab *lab, enum held_state state)
{
    while (lab->report.state != state)
        (void)next(lab);
}

/* Key taken, order sealed: ready to launch. */
static void prepare(struct lab *lab, struct strbuf *body)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    rig_seal(&lab->rig, body);
    ck_assert_msg(ask_key(lab, 1, &text) == 0, "%s", strbuf_text(&text));
}

static void launch(struct lab *lab)
{
    AUTO(strbuf) struct strbuf body = { 0 }, text = { 0 };

    prepare(lab, &body);
    ck_assert_msg(ask_launch(lab, NULL, &text) == 0, "%s", strbuf_text(&text));
}

static void end_job(struct lab *lab, uint32_t kill_wait_s)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_end end = { 7, COUNT_UNSET, kill_wait_s, "CANCELLED AT noon" };

    priv_end_encode(&end, &bytes);
    ask_ok(lab, PRIV_END, &bytes);
}

static void forget(struct lab *lab)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_forget it = { 7, STEP_BATCH, lab->rig.cred.launch_number };

    priv_forget_encode(&it, &bytes);
    ask_ok(lab, PRIV_FORGET, &bytes);
}

/* A Prolog or Epilog that the controller has ordered, asked for by the one verb or the other. */
static int ask_hook(struct lab *lab, enum priv_verb verb, enum hook_kind kind, struct strbuf *text)
{
    AUTO(strbuf) struct strbuf encoded = { 0 }, bytes = { 0 };
    uint8_t signature[CRYPT_SIGN_N];
    struct hook_cred cred;

    hook_cred_init(&cred);
    cred.label = (char *)(uintptr_t)HOOK_CRED_LABEL;
    cred.cluster = (char *)(uintptr_t) "rig";
    cred.incarnation = 1;
    cred.node = (char *)(uintptr_t)RIG_NODE;
    cred.boot_id = (char *)(uintptr_t) "boot";
    cred.job_id = 7;
    cred.launch_number = 1;
    cred.kind = kind;
    schema_encode(hook_cred_schema(), &cred, &encoded);
    crypt_sign(&lab->key, encoded.data, encoded.len, signature);
    strbuf_add(&bytes, signature, sizeof(signature));
    strbuf_add(&bytes, encoded.data, encoded.len);
    return ask(lab, verb, &bytes, NULL, 0, text);
}

static void forget_hooks(struct lab *lab)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_forget it = { 7, 0, 1 };

    priv_forget_encode(&it, &bytes);
    ask_ok(lab, PRIV_HOOK_FORGET, &bytes);
}

/* A lab with programs that write down as what they run. */
static void open_hook_lab(struct lab *lab)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    FILE *file;

    open_lab(lab, "#!/bin/sh\n");
    lab->program = xasprintf("%s/program", lab->rig.dir);
    file = fopen(lab->program, "we");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\necho $SLURM_SCRIPT_CONTEXT >>%s/out/ran\n", lab->rig.dir);
    fclose(file);
    ck_assert_int_eq(chmod(lab->program, 0755), 0);
    kill_monitor(lab);
    start_monitor(lab);
    ck_assert_int_eq(ask_key(lab, 1, &text), 0);
}

static void wait_hook_report(struct lab *lab, uint32_t n)
{
    while (lab->hook_reports_n < n)
        (void)next(lab);
}

/* ---- tests ---- */

START_TEST(a_signed_order_runs_and_its_result_is_kept_until_forgotten)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf none = { 0 };

    open_lab(&lab, "#!/bin/sh\necho hello\nexit 3\n");
    launch(&lab);
    wait_state(&lab, HELD_ENDED);
    ck_assert_uint_eq(lab.report.exits_n, 1);
    ck_assert_int_eq(lab.report.exits[0].status, W_EXITCODE(3, 0));
    AUTO_FREE char *log = rig_output(&lab.rig, "log");
    ck_assert_str_eq(log, "hello\n");

    uint32_t before = lab.reports_n;
    ask_ok(&lab, PRIV_LIST, &none);
    ck_assert_uint_eq(lab.reports_n, before + 1);
    forget(&lab);
    ask_ok(&lab, PRIV_LIST, &none);
    ck_assert_uint_eq(lab.reports_n, before + 1);
    close_lab(&lab);
}
END_TEST

START_TEST(an_order_is_obeyed_once_also_after_it_was_forgotten)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    open_lab(&lab, "#!/bin/sh\necho x >> count\n");
    launch(&lab);
    ck_assert_int_eq(ask_launch(&lab, NULL, &text), EEXIST);
    wait_state(&lab, HELD_ENDED);
    ck_assert_int_eq(ask_launch(&lab, NULL, &text), EEXIST);
    forget(&lab);
    ck_assert_int_eq(ask_launch(&lab, NULL, &text), E_STALE);
    kill_monitor(&lab);
    start_monitor(&lab);
    ck_assert_int_eq(ask_key(&lab, 1, &text), 0);
    ck_assert_int_eq(ask_launch(&lab, NULL, &text), E_STALE);
    ck_assert_str_eq(strbuf_text(&text), "job 7 step 4294967291: launch 1, 1 was obeyed and "
                                         "forgotten");

    AUTO_FREE char *count = rig_output(&lab.rig, "count");
    ck_assert_str_eq(count, "x\n");
    close_lab(&lab);
}
END_TEST

START_TEST(a_prolog_and_an_epilog_run_once_also_after_they_were_forgotten)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    open_hook_lab(&lab);
    ck_assert_int_eq(ask_hook(&lab, PRIV_PROLOG, HOOK_PROLOG, &text), 0);
    wait_hook_report(&lab, 1);
    forget_hooks(&lab);
    ck_assert_int_eq(ask_hook(&lab, PRIV_PROLOG, HOOK_PROLOG, &text), E_STALE);
    ck_assert_str_eq(strbuf_text(&text), "job 7: the Prolog of launch 1 was run and forgotten");
    ck_assert_int_eq(ask_hook(&lab, PRIV_EPILOG, HOOK_EPILOG, &text), 0);
    end_job(&lab, 1);
    wait_hook_report(&lab, 2);
    ck_assert_int_eq(ask_hook(&lab, PRIV_EPILOG, HOOK_EPILOG, &text), 0); /* of which it tells */
    forget_hooks(&lab);
    lab.clean_job = 0;
    end_job(&lab, 1);
    while (lab.clean_job != 7)
        (void)next(&lab);
    kill_monitor(&lab);
    start_monitor(&lab);
    ck_assert_int_eq(ask_key(&lab, 1, &text), 0);
    ck_assert_int_eq(ask_hook(&lab, PRIV_PROLOG, HOOK_PROLOG, &text), E_STALE);
    ck_assert_int_eq(ask_hook(&lab, PRIV_EPILOG, HOOK_EPILOG, &text), E_STALE);

    AUTO_FREE char *ran = rig_output(&lab.rig, "ran");
    ck_assert_str_eq(ran, "prolog_slurmd\nepilog_slurmd\n");
    close_lab(&lab);
}
END_TEST

START_TEST(an_order_for_a_prolog_is_none_for_an_epilog)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    open_hook_lab(&lab);
    ck_assert_int_eq(ask_hook(&lab, PRIV_EPILOG, HOOK_PROLOG, &text), E_AUTH);
    ck_assert_str_eq(strbuf_text(&text), "job 7: the order is for its Prolog, not its Epilog");
    ck_assert_int_eq(ask_hook(&lab, PRIV_PROLOG, HOOK_EPILOG, &text), E_AUTH);
    end_job(&lab, 1);
    while (lab.clean_job != 7)
        (void)next(&lab);

    AUTO_FREE char *ran = xasprintf("%s/out/ran", lab.rig.dir);
    ck_assert_int_eq(access(ran, F_OK), -1);
    close_lab(&lab);
}
END_TEST

static void harm_signature(struct strbuf *cred, uint8_t *signature)
{
    (void)cred;
    signature[5] ^= 1;
}

static void harm_cred(struct strbuf *cred, uint8_t *signature)
{
    (void)signature;
    cred->data[cred->len - 1] ^= 1;
}

static void set_node(struct step_rig *rig)
{
    xstrset(&rig->cred.node, "tux2");
}

static void set_cluster(struct step_rig *rig)
{
    xstrset(&rig->cred.cluster, "other");
}

static void set_boot(struct step_rig *rig)
{
    xstrset(&rig->cred.boot_id, "yesterday");
}

static void set_label(struct step_rig *rig)
{
    xstrset(&rig->cred.label, "sluice session 1");
}

static void set_hash(struct step_rig *rig)
{
    rig->cred.body_sha256.data[0] ^= 1;
}

static void set_incarnation(struct step_rig *rig)
{
    rig->cred.incarnation = 0; /* absent: not a credential at all */
}

static const struct {
    void (*set)(struct step_rig *rig);
    void (*harm)(struct strbuf *cred, uint8_t *signature);
    int code;
    const char *text; /* how the answer begins */
} refusals[] = {
    { NULL, harm_signature, E_AUTH, "the order's signature is not the controller's" },
    { NULL, harm_cred, E_AUTH, "the order's signature is not the controller's" },
    { set_node, NULL, EINVAL, "order for node 'tux2', this is 'tux1'" },
    { set_cluster, NULL, EINVAL, "order of cluster 'other', this is 'rig'" },
    { set_boot, NULL, E_STALE, "order for boot yesterday, this is boot" },
    { set_label, NULL, E_PROTO, "credential labelled 'sluice session 1'" },
    { set_hash, NULL, E_AUTH, "the launch body (" },
    { set_incarnation, NULL, E_PROTO, "" },
};

START_TEST(an_order_that_is_not_the_controllers_for_here_and_now_is_refused)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf body = { 0 }, text = { 0 };

    open_lab(&lab, "#!/bin/sh\necho x >> count\n");
    prepare(&lab, &body);
    if (refusals[_i].set)
        refusals[_i].set(&lab.rig);
    int code = ask_launch(&lab, refusals[_i].harm, &text);

    ck_assert_int_eq(code, refusals[_i].code);
    ck_assert_msg(strncmp(strbuf_text(&text), refusals[_i].text, strlen(refusals[_i].text)) == 0,
                  "%s", strbuf_text(&text));
    AUTO_FREE char *count = xasprintf("%s/out/count", lab.rig.dir);
    ck_assert_int_eq(access(count, F_OK), -1);
    ck_assert_uint_eq(lab.reports_n, 0);
    close_lab(&lab);
}
END_TEST

START_TEST(an_older_controller_is_refused)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf body = { 0 }, text = { 0 };

    open_lab(&lab, "#!/bin/sh\n");
    rig_seal(&lab.rig, &body);
    ck_assert_int_eq(ask_launch(&lab, NULL, &text), EAGAIN);
    ck_assert_int_eq(ask_key(&lab, 5, &text), 0);
    lab.rig.cred.incarnation = 4;
    ck_assert_int_eq(ask_launch(&lab, NULL, &text), E_STALE);
    ck_assert_int_eq(ask_key(&lab, 4, &text), E_STALE);
    ck_assert_str_eq(strbuf_text(&text), "key of controller incarnation 4, 5 was seen already");
    close_lab(&lab);
}
END_TEST

START_TEST(a_user_that_is_not_slurmuser_cannot_give_a_key)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf bytes = { 0 }, text = { 0 };
    char cred[4096] = "";
    FILE *made;

    if (geteuid() != 0)
        return;
    open_lab(&lab, "#!/bin/sh\n");
    AUTO_FREE char *munge = program("munge");
    AUTO_FREE char *command =
        xasprintf("setpriv --reuid 54321 --clear-groups %s -n -S %s", munge, lab.authd_socket);
    made = popen(command, "r");
    ck_assert_ptr_nonnull(fgets(cred, sizeof(cred), made));
    ck_assert_int_eq(pclose(made), 0);
    cred[strcspn(cred, "\n")] = '\0';
    strbuf_adds(&bytes, cred);

    ck_assert_int_eq(ask(&lab, PRIV_KEY, &bytes, NULL, 0, &text), E_AUTH);
    ck_assert_str_eq(strbuf_text(&text),
                     "the controller's key was sent by uid 54321, not by SlurmUser");
    close_lab(&lab);
}
END_TEST

static int ask_claim(struct lab *lab, uint32_t role, const char *node, bool initiator,
                     struct strbuf *text)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    uint8_t hash[32] = { 1 };
    struct session_claim claim = { .label = (char *)(uintptr_t)SESSION_CLAIM_LABEL,
                                   .role = role,
                                   .initiator = initiator,
                                   .cluster = (char *)(uintptr_t) "rig",
                                   .transcript = { hash, sizeof(hash) },
                                   .node = (char *)(uintptr_t)node };

    schema_encode(session_claim_schema(), &claim, &bytes);
    return ask(lab, PRIV_CREDENTIAL, &bytes, NULL, 0, text);
}

START_TEST(root_claims_to_be_this_node_and_nothing_else)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    open_lab(&lab, "#!/bin/sh\n");
    ck_assert_int_eq(ask_claim(&lab, RPC_ROLE_NODE, RIG_NODE, true, &text), 0);
    ck_assert_int_eq(strncmp(strbuf_text(&text), "MUNGE:", 6), 0);
    ck_assert_int_eq(ask_claim(&lab, RPC_ROLE_NODE, RIG_NODE, false, &text), 0);
    ck_assert_int_eq(ask_claim(&lab, RPC_ROLE_NODE, "tux2", true, &text), EPERM);
    ck_assert_int_eq(ask_claim(&lab, RPC_ROLE_CONTROLLER, RIG_NODE, true, &text), EPERM);
    ck_assert_int_eq(ask_claim(&lab, RPC_ROLE_CLIENT, RIG_NODE, true, &text), EPERM);
    close_lab(&lab);
}
END_TEST

START_TEST(a_body_in_a_pipe_is_refused_and_nobody_waits_for_it)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf body = { 0 }, text = { 0 };
    int ends[2];

    open_lab(&lab, "#!/bin/sh\n");
    prepare(&lab, &body);
    ck_assert_int_eq(pipe(ends), 0);
    close(lab.rig.body_fd);
    lab.rig.body_fd = ends[0];

    ck_assert_int_eq(ask_launch(&lab, NULL, &text), EINVAL);
    ck_assert_str_eq(strbuf_text(&text),
                     "the launch body came in something other than a memory file");
    close(ends[1]);
    close_lab(&lab);
}
END_TEST

START_TEST(an_ended_job_is_reported_clean_when_its_last_process_is_gone)
{
    struct lab lab = { 0 };

    open_lab(&lab, "#!/bin/sh\necho x > up\nsleep 1000\n");
    launch(&lab);
    rig_wait_for(&lab.rig, "up");
    end_job(&lab, 20);
    while (lab.clean_job == 0)
        (void)next(&lab);

    ck_assert_uint_eq(lab.clean_job, 7);
    ck_assert_int_eq(lab.report.state, HELD_ENDED); /* it came before */
    ck_assert_int_eq(lab.report.exits[0].status, SIGTERM);
    close_lab(&lab);
}
END_TEST

START_TEST(a_job_of_which_nothing_is_here_is_clean_at_once)
{
    struct lab lab = { 0 };

    open_lab(&lab, "#!/bin/sh\n");
    end_job(&lab, 20);
    while (lab.clean_job == 0)
        (void)next(&lab);

    ck_assert_uint_eq(lab.clean_job, 7);
    close_lab(&lab);
}
END_TEST

START_TEST(a_step_goes_on_when_the_monitor_is_killed_and_is_found_again)
{
    struct lab lab = { 0 };
    bool ends_meanwhile = _i == 1;
    AUTO(strbuf) struct strbuf none = { 0 };

    open_lab(&lab, "#!/bin/sh\necho x > up\nwhile ! test -e go; do sleep 0.01; done\nexit 4\n");
    launch(&lab);
    rig_wait_for(&lab.rig, "up");
    kill_monitor(&lab);
    AUTO_FREE char *go = xasprintf("%s/out/go", lab.rig.dir);
    AUTO_FREE char *result = xasprintf("%s/steps/7.batch.1/result", lab.rig.spool);
    if (ends_meanwhile) {
        ck_assert_int_eq(close(open(go, O_CREAT | O_WRONLY, 0644)), 0);
        for (int waited = 0; access(result, F_OK) < 0; waited++) {
            ck_assert_int_lt(waited, RIG_DEADLINE_MS);
            (void)poll(NULL, 0, 1);
        }
    }
    step_report_clear(&lab.report);
    start_monitor(&lab);
    ask_ok(&lab, PRIV_LIST, &none);
    if (!ends_meanwhile) {
        wait_state(&lab, HELD_RUNNING);
        ck_assert_int_eq(close(open(go, O_CREAT | O_WRONLY, 0644)), 0);
    }
    wait_state(&lab, HELD_ENDED);

    ck_assert_int_eq(lab.report.exits[0].status, W_EXITCODE(4, 0));
    close_lab(&lab);
}
END_TEST

/* The root parent is the child of the monitor that is a step daemon. */
static pid_t stepd_of(const struct lab *lab)
{
    AUTO_FREE char *path = xasprintf("/proc/%d/task/%d/children", lab->monitor, lab->monitor);
    FILE *file = fopen(path, "r");
    int pid = 0;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%d", &pid), 1);
    fclose(file);
    return pid;
}

START_TEST(a_killed_step_daemon_is_a_lost_launch_and_leaves_nobody)
{
    struct lab lab = { 0 };

    open_lab(&lab, "#!/bin/sh\nsetsid sleep 1000 &\necho $! > pid\nsleep 1000\n");
    launch(&lab);
    rig_wait_for(&lab.rig, "pid");
    ck_assert_int_eq(kill(stepd_of(&lab), SIGKILL), 0);
    wait_state(&lab, HELD_LOST);

    AUTO_FREE char *pid = rig_output(&lab.rig, "pid");
    AUTO_FREE char *stat = xasprintf("/proc/%d/cmdline", atoi(pid));
    FILE *left = cgroup_root_mode(lab.rig.cgroups) == CGROUP_NONE ? NULL : fopen(stat, "r");
    ck_assert(left == NULL || fgetc(left) == EOF); /* gone, or waiting for init only */
    if (left)
        fclose(left);
    close_lab(&lab);
}
END_TEST

/* Of the step that ended last, before it is forgotten. */
static ino_t control_socket(const struct lab *lab)
{
    AUTO_FREE char *path =
        xasprintf("%s/steps/7.batch.%u/ctl", lab->rig.spool, lab->rig.cred.launch_number);
    struct stat status;

    ck_assert_int_eq(lstat(path, &status), 0);
    return status.st_ino;
}

/* The next launch of the rig's order, from its beginning to its end. */
static void launch_again(struct lab *lab)
{
    lab->rig.cred.launch_number++;
    step_report_clear(&lab->report);
    step_report_init(&lab->report);
    launch(lab);
    wait_state(lab, HELD_ENDED);
    ck_assert_uint_eq(lab->report.launch_number, lab->rig.cred.launch_number);
    ck_assert_int_eq(lab->report.exits[0].status, W_EXITCODE(3, 0));
}

START_TEST(the_socket_of_a_step_that_is_over_serves_a_later_one)
{
    struct lab lab = { 0 };

    open_lab(&lab, "#!/bin/sh\nexit 3\n");
    launch(&lab);
    wait_state(&lab, HELD_ENDED);
    const ino_t first = control_socket(&lab);
    for (int i = 0; i < 3; i++) {
        forget(&lab);
        launch_again(&lab);
        ck_assert_uint_eq(control_socket(&lab), first);
    }
    forget(&lab);
    kill_monitor(&lab); /* nobody has it any more */
    start_monitor(&lab);
    launch_again(&lab);
    close_lab(&lab);
}
END_TEST

START_TEST(a_killed_step_daemon_leaves_no_socket)
{
    struct lab lab = { 0 };

    open_lab(&lab, "#!/bin/sh\ntest -e again && exit 3\necho x >again\necho x >up\nsleep 1000\n");
    launch(&lab);
    rig_wait_for(&lab.rig, "up");
    ck_assert_int_eq(kill(stepd_of(&lab), SIGKILL), 0);
    wait_state(&lab, HELD_LOST);
    forget(&lab);
    launch_again(&lab);
    close_lab(&lab);
}
END_TEST

START_TEST(a_lost_launch_that_is_not_forgotten_yet_does_not_end_the_next_one)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf none = { 0 };

    open_lab(&lab,
             "#!/bin/sh\ntest -e first && { echo x >next; sleep 1000; }\necho x >first\nsleep "
             "1000\n");
    launch(&lab);
    rig_wait_for(&lab.rig, "first");
    ck_assert_int_eq(kill(stepd_of(&lab), SIGKILL), 0);
    wait_state(&lab, HELD_LOST);
    lab.rig.cred.launch_number++;
    launch(&lab);
    rig_wait_for(&lab.rig, "next");
    kill_monitor(&lab);
    start_monitor(&lab);
    ask_ok(&lab, PRIV_LIST, &none);
    end_job(&lab, 0);
    while (lab.report.launch_number != 2 || lab.report.state != HELD_ENDED)
        (void)next(&lab);

    ck_assert_uint_eq(lab.report.exits_n, 1); /* its user side has lived to tell */
    close_lab(&lab);
}
END_TEST

static void die(void)
{
    (void)kill(getpid(), SIGKILL);
}

static void die_with_the_monitor(void)
{
    (void)kill(getppid(), SIGKILL);
    die();
}

static const struct kill_point kill_points[] = { { die, NULL }, { NULL, die_with_the_monitor } };

/* All that have the pipe's end are dead: the monitor, and its child, which may die after it. */
static void wait_for_ends(int *pipe_ends)
{
    char byte;

    close(pipe_ends[1]);
    ck_assert_int_eq(read(pipe_ends[0], &byte, 1), 0);
    close(pipe_ends[0]);
}

START_TEST(an_order_on_which_the_monitor_died_before_the_step_began_is_obeyed_when_repeated)
{
    struct lab lab = { .kill_point = &kill_points[_i] };
    int alive[2];
    AUTO(strbuf) struct strbuf body = { 0 }, bytes = { 0 }, none = { 0 }, text = { 0 };

    ck_assert_int_eq(pipe2(alive, O_CLOEXEC), 0);
    open_lab(&lab, "#!/bin/sh\necho x >> count\n");
    prepare(&lab, &body);
    make_launch(&lab, NULL, &bytes);
    int fds[] = { lab.rig.body_fd, lab.rig.environment_fd, lab.rig.script_fd };
    request(&lab, PRIV_LAUNCH, &bytes, fds, ARRAY_N(fds));
    ck_assert_int_eq(waitpid(lab.monitor, NULL, 0), lab.monitor);
    wait_for_ends(alive);
    lab.channel = priv_channel_free(lab.channel);

    lab.kill_point = NULL;
    start_monitor(&lab);
    ck_assert_int_eq(ask_key(&lab, 1, &text), 0);
    ask_ok(&lab, PRIV_LIST, &none);
    ck_assert_uint_eq(lab.reports_n, 0);
    ck_assert_msg(ask_launch(&lab, NULL, &text) == 0, "%s", strbuf_text(&text));
    wait_state(&lab, HELD_ENDED);
    AUTO_FREE char *count = rig_output(&lab.rig, "count");
    ck_assert_str_eq(count, "x\n");
    close_lab(&lab);
}
END_TEST

CHECK_MAIN(
    monitor, CASE(a_signed_order_runs_and_its_result_is_kept_until_forgotten),
    CASE(an_order_is_obeyed_once_also_after_it_was_forgotten),
    CASE(a_prolog_and_an_epilog_run_once_also_after_they_were_forgotten),
    CASE(an_order_for_a_prolog_is_none_for_an_epilog),
    LOOP_CASE(an_order_that_is_not_the_controllers_for_here_and_now_is_refused, ARRAY_N(refusals)),
    CASE(an_older_controller_is_refused), CASE(a_user_that_is_not_slurmuser_cannot_give_a_key),
    CASE(root_claims_to_be_this_node_and_nothing_else),
    CASE(a_body_in_a_pipe_is_refused_and_nobody_waits_for_it),
    CASE(an_ended_job_is_reported_clean_when_its_last_process_is_gone),
    CASE(a_job_of_which_nothing_is_here_is_clean_at_once),
    LOOP_CASE(a_step_goes_on_when_the_monitor_is_killed_and_is_found_again, 2),
    CASE(the_socket_of_a_step_that_is_over_serves_a_later_one),
    CASE(a_killed_step_daemon_leaves_no_socket),
    CASE(a_lost_launch_that_is_not_forgotten_yet_does_not_end_the_next_one),
    CASE(a_killed_step_daemon_is_a_lost_launch_and_leaves_nobody),
    LOOP_CASE(an_order_on_which_the_monitor_died_before_the_step_began_is_obeyed_when_repeated,
              ARRAY_N(kill_points)))
