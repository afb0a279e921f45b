/* Orders for steps, and what becomes of them. */
#include "unit/noded/monitor/monitor_lab.h"

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
