/* Real steps, started as the monitor would. As root they run as another user. */
#include "unit/check_main.h"

#include <sys/socket.h>

#include "common/msg/job.h"
#include "unit/common/net/tcp_pair.h"
#include "unit/noded/step_rig.h"

/* One started step, and the test's end of its control socket. */
struct running {
    struct step_rig rig;
    pid_t pid;
    struct priv_channel *ctl;
    struct step_report report;
};

/*
 * Starts what was sealed. The call is made before there is a step daemon, which takes it as its
 * first or as its last act: one that calls later may find it gone, with its result on disk.
 */
static void start_sealed(struct running *it)
{
    AUTO_CLOSE int record = -1, listener = -1;
    int call = -1;
    struct spool_name name = { it->rig.cred.job_id, it->rig.cred.step_id, 1 };
    struct err err = { 0 };

    step_report_init(&it->report);
    ck_assert_msg(spool_make(it->rig.steps_fd, &name, &record, &err) == 0, "%s", err.text);
    ck_assert_msg(spool_listen(record, &listener, &err) == 0, "%s", err.text);
    ck_assert_msg(spool_call(record, &call, &err) == 0, "%s", err.text);
    it->ctl = priv_channel_new(call);
    struct stepd_launch launch = {
        .cred = &it->rig.cred,
        .spool_fd = it->rig.spool_fd,
        .record_fd = record,
        .listen_fd = listener,
        .body_fd = it->rig.body_fd,
        .environment_fd = it->rig.environment_fd,
        .script_fd = it->rig.script_fd,
        .controller = "",
        .spool_dir = it->rig.spool,
        .cgroups = it->rig.cgroups,
        .bounds = &it->rig.bounds,
        .sample_s = 30,
        .log_path = "/dev/null",
        .log_level = LOG_INFO,
    };
    ck_assert_msg(stepd_start(&launch, &it->pid, &err) == 0, "%s", err.text);
}

static void start(struct running *it)
{
    AUTO(strbuf) struct strbuf body = { 0 };

    rig_seal(&it->rig, &body);
    start_sealed(it);
}

static void tell_end(struct running *it, uint32_t kill_wait_s, const char *reason)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_end end = { 7, STEP_BATCH, 0, kill_wait_s, "" };
    struct priv_msg msg = { .verb = PRIV_END };

    strcpy(end.reason, reason);
    priv_end_encode(&end, &bytes);
    msg.bytes = (const uint8_t *)bytes.data;
    msg.bytes_n = (uint32_t)bytes.len;
    ck_assert_int_eq(priv_send(it->ctl, &msg, NULL), 0);
}

static void tell_signal(struct running *it, int signal, uint32_t flags)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_signal order = { 7, STEP_BATCH, (uint32_t)signal, flags };
    struct priv_msg msg = { .verb = PRIV_SIGNAL };

    priv_signal_encode(&order, &bytes);
    msg.bytes = (const uint8_t *)bytes.data;
    msg.bytes_n = (uint32_t)bytes.len;
    ck_assert_int_eq(priv_send(it->ctl, &msg, NULL), 0);
}

static void wait_until_it_hangs_up(struct running *it)
{
    struct pollfd ready = { .fd = priv_channel_fd(it->ctl), .events = POLLIN };
    struct priv_msg msg;
    int rc;

    do {
        ck_assert_int_eq(poll(&ready, 1, RIG_DEADLINE_MS), 1);
        rc = priv_receive(it->ctl, PRIV_MONITOR, &msg, NULL);
        if (rc > 0)
            priv_msg_close(&msg);
    } while (rc >= 0);
    ck_assert_int_eq(rc, -E_CLOSED);
}

/* How it ended is on disk when the step daemon hangs up; then nothing of the step is left. */
static void wait_end(struct running *it)
{
    AUTO_CLOSE int record = -1;
    struct spool_name name = { 7, STEP_BATCH, 1 };
    int status = -1;

    wait_until_it_hangs_up(it);
    ck_assert_int_eq(waitpid(it->pid, &status, 0), it->pid);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(spool_open(it->rig.steps_fd, &name, &record, NULL), 0);
    step_report_clear(&it->report);
    ck_assert_int_eq(spool_read_result(record, &name, &it->report, NULL), 1);
    ck_assert_int_eq(it->report.state, HELD_ENDED);
    ck_assert_int_eq(faccessat(it->rig.spool_fd, "job00007", F_OK, 0), -1);
}

static void finish(struct running *it)
{
    priv_channel_free(it->ctl);
    step_report_clear(&it->report);
    rig_close(&it->rig);
}

static void run_batch(struct running *it, const char *script)
{
    rig_open(&it->rig);
    rig_batch(&it->rig, script);
    start(it);
}

static void check_exit(const struct running *it, int status)
{
    ck_assert_msg(it->report.code == 0, "%s", it->report.error);
    ck_assert_uint_eq(it->report.exits_n, 1);
    ck_assert_int_eq(it->report.exits[0].status, status);
}

START_TEST(a_script_runs_with_its_arguments_and_environment)
{
    struct running it;

    rig_open(&it.rig);
    rig_batch(&it.rig, "#!/bin/sh\necho \"$COLOUR $1|$2 $SLURM_PROCID $EXTRA\"\n"
                       "echo oops >&2\npwd\nbasename $0\numask\nexit 3\n");
    *ARRAY_PUSH(it.rig.body.argv, it.rig.body.argv_n) = xstrdup("a b");
    *ARRAY_PUSH(it.rig.body.argv, it.rig.body.argv_n) = xstrdup("");
    *ARRAY_PUSH(it.rig.body.environment, it.rig.body.environment_n) = xstrdup("EXTRA=more");
    it.rig.body.umask = 027;
    start(&it);
    wait_end(&it);

    check_exit(&it, W_EXITCODE(3, 0));
    AUTO_FREE char *log = rig_output(&it.rig, "log");
    AUTO_FREE char *expected =
        xasprintf("blue a b| 0 more\noops\n%s/out\nslurm_script\n0027\n", it.rig.dir);
    ck_assert_str_eq(log, expected);
    finish(&it);
}
END_TEST

START_TEST(a_script_runs_as_the_user_with_the_groups_of_the_credential)
{
    struct running it;
    struct stat status;

    if (geteuid() != 0)
        return;
    run_batch(&it, "#!/bin/sh\nid -u; id -g; id -G\ngrep -E 'CapEff|CapPrm' /proc/self/status\n");
    wait_end(&it);

    check_exit(&it, 0);
    AUTO_FREE char *log = rig_output(&it.rig, "log");
    AUTO_FREE char *path = xasprintf("%s/out/log", it.rig.dir);
    ck_assert_str_eq(log, "54321\n54322\n54322 54323\nCapPrm:\t0000000000000000\n"
                          "CapEff:\t0000000000000000\n");
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_uint_eq(status.st_uid, 54321);
    ck_assert_uint_eq(status.st_mode & 0777, 0644);
    finish(&it);
}
END_TEST

START_TEST(a_user_cannot_trace_or_read_the_processes_above_its_script)
{
    struct running it;

    if (geteuid() != 0)
        return;
    run_batch(&it, "#!/bin/sh\nls /proc/$PPID/fd >/dev/null 2>&1 && echo readable\n"
                   "cat /proc/$PPID/environ >/dev/null 2>&1 && echo environ\necho done\n");
    wait_end(&it);

    AUTO_FREE char *log = rig_output(&it.rig, "log");
    ck_assert_str_eq(log, "done\n");
    finish(&it);
}
END_TEST

START_TEST(a_process_that_escapes_its_session_is_killed_when_the_script_ends)
{
    struct running it;

    run_batch(&it, "#!/bin/sh\nsetsid sh -c 'setsid sleep 1000 & echo $! > pid; wait' & \n"
                   "while ! test -s pid; do sleep 0.01; done\nexit 0\n");
    wait_end(&it);

    check_exit(&it, 0);
    AUTO_FREE char *pid = rig_output(&it.rig, "pid");
    ck_assert_int_eq(kill((pid_t)atoi(pid), 0), -1);
    finish(&it);
}
END_TEST

START_TEST(an_ended_script_gets_term_then_kill_and_says_why)
{
    struct running it;

    run_batch(&it, "#!/bin/bash\ntrap 'echo term > term' TERM\necho x > up\n"
                   "while :; do sleep 0.05; done\n");
    rig_wait_for(&it.rig, "up");
    tell_end(&it, 1, "CANCELLED AT 2026-11-20T20:37:00");
    wait_end(&it);

    check_exit(&it, SIGKILL);
    AUTO_FREE char *log = rig_output(&it.rig, "log");
    AUTO_FREE char *term = rig_output(&it.rig, "term");
    ck_assert_ptr_nonnull(
        strstr(log, "slurmstepd: error: *** JOB 7 ON tux1 CANCELLED AT 2026-11-20T20:37:00 ***\n"));
    ck_assert_str_eq(term, "term\n");
    finish(&it);
}
END_TEST

START_TEST(a_step_that_is_ended_before_it_reaches_its_srun_is_over_at_once)
{
    struct running it;

    rig_open(&it.rig);
    rig_batch(&it.rig, "#!/bin/sh\ntouch ran\n");
    *ARRAY_PUSH(it.rig.body.io_addresses, it.rig.body.io_addresses_n) = xstrdup("127.0.0.1:1");
    start(&it);
    tell_end(&it, _i == 0 ? 0 : 1000, "");
    wait_end(&it);

    ck_assert_int_eq(it.report.code, ECANCELED);
    ck_assert_uint_eq(it.report.exits_n, 0);
    finish(&it);
}
END_TEST

START_TEST(a_script_that_is_ended_while_it_starts_does_not_live_on)
{
    struct running it;

    run_batch(&it, "#!/bin/sh\nexec sleep 1000\n");
    tell_end(&it, 1000, "");
    wait_end(&it);

    ck_assert_msg(it.report.code == ECANCELED || it.report.exits_n == 1, "code %d: %s, %u exits",
                  it.report.code, it.report.error ? it.report.error : "", it.report.exits_n);
    finish(&it);
}
END_TEST

START_TEST(an_end_without_wait_kills_at_once_also_a_stopped_script)
{
    struct running it;

    run_batch(&it, "#!/bin/sh\necho x > up\nkill -STOP $$\n");
    rig_wait_for(&it.rig, "up");
    tell_end(&it, 0, "");
    wait_end(&it);

    check_exit(&it, SIGKILL);
    finish(&it);
}
END_TEST

START_TEST(a_signal_reaches_the_shell_only_or_all_processes)
{
    struct running it;
    bool all = _i == 1;

    /* The shell may have the signal before it would begin to wait for it: so it asks. */
    AUTO_FREE char *script = xasprintf("#!/bin/bash\ntrap 'echo shell >> got; came=1' USR1\n"
                                       "bash -c 'trap \"echo child >> got; exit\" USR1; echo x > "
                                       "up; while :; do sleep 0.02; done' &\n"
                                       "while ! test $came; do sleep 0.02; done\n"
                                       "%scat got\n",
                                       all ? "wait\n" : "");
    run_batch(&it, script);
    rig_wait_for(&it.rig, "up");
    tell_signal(&it, SIGUSR1, all ? 0 : SIGNAL_BATCH_ONLY);
    wait_end(&it);

    AUTO_FREE char *got = rig_output(&it.rig, "log");
    ck_assert_msg((strstr(got, "child") != NULL) == all, "%s", got);
    ck_assert_ptr_nonnull(strstr(got, "shell"));
    finish(&it);
}
END_TEST

/* The preface is the agent's business; the step begins with its answer. */
START_TEST(a_connection_is_answered_by_the_user_side)
{
    struct running it;
    AUTO(strbuf) struct strbuf bytes = { 0 };
    const struct priv_connect connect = { 7, STEP_BATCH };
    struct priv_msg msg = { .verb = PRIV_CONNECT, .fds_n = 1 };
    uint8_t answer[4] = { 1, 1, 1, 1 };
    int ends[2];

    run_batch(&it, "#!/bin/sh\necho x > up\nwhile ! test -e go; do sleep 0.02; done\n");
    rig_wait_for(&it.rig, "up");
    tcp_pair(ends);
    priv_connect_encode(&connect, &bytes);
    msg.bytes = (const uint8_t *)bytes.data;
    msg.bytes_n = (uint32_t)bytes.len;
    msg.fds[0] = ends[1];
    ck_assert_int_eq(priv_send(it.ctl, &msg, NULL), 0);
    close(ends[1]);

    ck_assert_int_eq(recv(ends[0], answer, sizeof(answer), MSG_WAITALL), sizeof(answer));
    ck_assert_int_eq(answer[0] | answer[1] | answer[2] | answer[3], 0);
    close(ends[0]);
    tell_end(&it, 0, "");
    wait_end(&it);
    finish(&it);
}
END_TEST

START_TEST(a_missing_directory_is_told_and_tmp_taken)
{
    struct running it;

    rig_open(&it.rig);
    rig_batch(&it.rig, "#!/bin/sh\npwd\n");
    xstrset(&it.rig.body.work_dir, "/nonexistent/dir");
    free(it.rig.body.std_out);
    it.rig.body.std_out = xasprintf("%s/out/log", it.rig.dir);
    start(&it);
    wait_end(&it);

    check_exit(&it, 0);
    AUTO_FREE char *log = rig_output(&it.rig, "log");
    ck_assert_str_eq(log,
                     "slurmstepd: error: couldn't chdir to `/nonexistent/dir': No such file or "
                     "directory: going to /tmp instead\n/tmp\n");
    finish(&it);
}
END_TEST

START_TEST(output_that_belongs_into_a_missing_directory_goes_nowhere_else)
{
    struct running it;

    rig_open(&it.rig);
    rig_batch(&it.rig, "#!/bin/sh\npwd\n");
    xstrset(&it.rig.body.work_dir, "/nonexistent/dir");
    xstrset(&it.rig.body.std_out, "rig.%j");
    start(&it);
    wait_end(&it);

    ck_assert_str_eq(it.report.error, "could not open stdout file /nonexistent/dir/rig.7: No such "
                                      "file or directory");
    finish(&it);
}
END_TEST

START_TEST(what_cannot_be_executed_exits_as_in_slurm)
{
    struct running it;

    run_batch(&it, _i == 0 ? "#!/nonexistent/foo -x\n" : "echo shebangless\n");
    wait_end(&it);

    AUTO_FREE char *log = rig_output(&it.rig, "log");
    if (_i == 0) {
        check_exit(&it, W_EXITCODE(ENOENT, 0));
        ck_assert_str_eq(log, "slurmstepd: error: execve(): bad interpreter(/nonexistent/foo): No "
                              "such file or directory\n");
    } else {
        check_exit(&it, W_EXITCODE(ENOEXEC, 0));
        ck_assert_ptr_nonnull(strstr(log, "slurm_script: Exec format error\n"));
    }
    finish(&it);
}
END_TEST

START_TEST(an_output_file_that_cannot_be_made_fails_the_launch)
{
    struct running it;

    rig_open(&it.rig);
    rig_batch(&it.rig, "#!/bin/sh\ntouch ran\n");
    xstrset(&it.rig.body.std_out, "/nonexistent/%x.%j");
    start(&it);
    wait_end(&it);

    ck_assert_int_eq(it.report.code, ENOENT);
    ck_assert_str_eq(it.report.error,
                     "could not open stdout file /nonexistent/rig.7: No such file or directory");
    ck_assert_uint_eq(it.report.exits_n, 0);
    finish(&it);
}
END_TEST

START_TEST(an_environment_that_was_not_ordered_fails_the_launch)
{
    struct running it;

    rig_open(&it.rig);
    rig_batch(&it.rig, "#!/bin/sh\ntouch ran\n");
    AUTO(strbuf) struct strbuf body = { 0 };
    rig_seal(&it.rig, &body);
    strbuf_adds(&it.rig.environment, "LD_PRELOAD=/tmp/evil.so");
    AUTO_CLOSE int other = rig_memfd(&it.rig.environment);
    ck_assert_int_ge(dup2(other, it.rig.environment_fd), 0);
    start_sealed(&it);
    wait_end(&it);

    ck_assert_int_eq(it.report.code, E_PROTO);
    ck_assert_ptr_nonnull(strstr(it.report.error, "is not the one that was ordered"));
    finish(&it);
}
END_TEST

START_TEST(a_killed_user_side_is_reported_and_leaves_nobody)
{
    struct running it;

    run_batch(&it, "#!/bin/sh\nsetsid sleep 1000 &\necho $! > pid\nkill -9 $PPID\nsleep 1000\n");
    wait_end(&it);

    ck_assert_int_eq(it.report.code, ECHILD);
    ck_assert_str_eq(it.report.error, "the step's user side was killed by signal 9");
    AUTO_FREE char *pid = rig_output(&it.rig, "pid");
    ck_assert_int_eq(kill((pid_t)atoi(pid), 0), -1);
    finish(&it);
}
END_TEST

/* A child's memory is the task's. */
START_TEST(the_end_tells_what_the_script_and_its_children_used)
{
    struct running it;

    run_batch(&it, "#!/bin/sh\n"
                   "bash -c 'text=$(head -c 30000000 /dev/zero | tr \"\\0\" a); exit 5'\n");
    wait_end(&it);

    check_exit(&it, W_EXITCODE(5, 0));
    ck_assert_uint_eq(it.report.usage_n, 1);
    ck_assert_uint_eq(it.report.usage[0].task, 0);
    ck_assert_uint_gt(it.report.usage[0].memory_kb, 29000);
    ck_assert_uint_ge(it.report.usage[0].virtual_kb, it.report.usage[0].memory_kb);
    ck_assert_uint_gt(it.report.user_us + it.report.system_us, 0);
    ck_assert_uint_ge(it.report.user_us, it.report.usage[0].user_us);
    finish(&it);
}
END_TEST

CHECK_MAIN(stepd, CASE(a_script_runs_with_its_arguments_and_environment),
           CASE(the_end_tells_what_the_script_and_its_children_used),
           CASE(a_script_runs_as_the_user_with_the_groups_of_the_credential),
           CASE(a_user_cannot_trace_or_read_the_processes_above_its_script),
           CASE(a_process_that_escapes_its_session_is_killed_when_the_script_ends),
           CASE(an_ended_script_gets_term_then_kill_and_says_why),
           LOOP_CASE(a_step_that_is_ended_before_it_reaches_its_srun_is_over_at_once, 2),
           LOOP_CASE(a_script_that_is_ended_while_it_starts_does_not_live_on, 20),
           CASE(an_end_without_wait_kills_at_once_also_a_stopped_script),
           LOOP_CASE(a_signal_reaches_the_shell_only_or_all_processes, 2),
           CASE(a_connection_is_answered_by_the_user_side),
           CASE(a_missing_directory_is_told_and_tmp_taken),
           CASE(output_that_belongs_into_a_missing_directory_goes_nowhere_else),
           LOOP_CASE(what_cannot_be_executed_exits_as_in_slurm, 2),
           CASE(an_output_file_that_cannot_be_made_fails_the_launch),
           CASE(an_environment_that_was_not_ordered_fails_the_launch),
           CASE(a_killed_user_side_is_reported_and_leaves_nobody))
