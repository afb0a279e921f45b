/* The table of held steps; the test plays the step daemon, or has none. */
#include "unit/check_main.h"

#include <event2/event.h>
#include <signal.h>
#include <sys/socket.h>

#include "common/msg/job.h"
#include "noded/monitor/held.h"
#include "unit/noded/step_rig.h"

static const struct spool_name step = { 7, STEP_BATCH, 1 };

struct lab {
    struct step_rig rig;
    struct event_base *base;
    struct log *log;
    struct held_table *table;
    struct priv_channel *stepd; /* the test's end */
    int record_fd;
    enum held_state state; /* last reported */
    uint32_t reports_n, clean_n;
};

static void on_report(void *ctx, const struct step_report *report)
{
    struct lab *lab = ctx;

    lab->state = (enum held_state)report->state;
    lab->reports_n++;
}

static void on_job_clean(void *ctx, uint32_t job_id)
{
    struct lab *lab = ctx;

    ck_assert_uint_eq(job_id, step.job_id);
    lab->clean_n++;
}

static const struct held_callbacks callbacks = { on_report, on_job_clean };

/* A record without a step daemon. */
static void open_lab(struct lab *lab)
{
    memset(lab, 0, sizeof(*lab));
    rig_open(&lab->rig);
    lab->base = event_base_new();
    lab->log = log_new_daemon("held", LOG_QUIET);
    lab->table =
        held_table_new(lab->base, lab->rig.steps_fd, lab->rig.cgroups, lab->log, &callbacks, lab);
    ck_assert_int_eq(spool_make(lab->rig.steps_fd, &step, &lab->record_fd, NULL), 0);
}

static void close_lab(struct lab *lab)
{
    held_table_free(lab->table);
    priv_channel_free(lab->stepd);
    event_base_free(lab->base);
    log_free(lab->log);
    close(lab->record_fd);
    rig_close(&lab->rig);
}

static void play_stepd(struct lab *lab)
{
    AUTO_CLOSE int listener = -1;

    ck_assert_int_eq(spool_listen(lab->record_fd, &listener, NULL), 0);
    held_add(lab->table, &step, 0);
    lab->stepd = priv_channel_new(accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

static void say(struct lab *lab, enum held_state state)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    AUTO(step_report) struct step_report report;
    struct priv_msg msg = { .verb = PRIV_STEP_REPORT };

    step_report_init(&report);
    report.job_id = step.job_id;
    report.step_id = step.step_id;
    report.launch_number = step.launch_number;
    report.state = state;
    schema_encode(step_report_schema(), &report, &bytes);
    msg.bytes = (const uint8_t *)bytes.data;
    msg.bytes_n = (uint32_t)bytes.len;
    ck_assert_int_eq(priv_send(lab->stepd, &msg, NULL), 0);
    if (state == HELD_ENDED)
        ck_assert_int_eq(spool_write_result(lab->record_fd, &report, NULL), 0);
    event_base_loop(lab->base, EVLOOP_ONCE);
}

START_TEST(a_step_has_not_ended_before_its_step_daemon_is_gone)
{
    struct lab lab;

    open_lab(&lab);
    play_stepd(&lab);
    say(&lab, HELD_RUNNING);
    say(&lab, HELD_ENDED);
    held_report_all(lab.table);
    ck_assert_int_eq(lab.state, HELD_RUNNING);
    ck_assert_int_eq(held_forget(lab.table, &step, NULL), -EBUSY);

    lab.stepd = priv_channel_free(lab.stepd);
    event_base_loop(lab.base, EVLOOP_ONCE);
    ck_assert_int_eq(lab.state, HELD_ENDED);
    ck_assert_int_eq(held_forget(lab.table, &step, NULL), 0);
    close_lab(&lab);
}
END_TEST

/* A process in the step's cgroup; 0 where there are none. */
static pid_t leave_somebody(struct lab *lab, struct cgroup **ret_cgroup)
{
    struct cgroup_name name = { rig_uid(), step.job_id, "batch" };
    int ready[2];
    pid_t pid;
    char byte;

    if (cgroup_root_mode(lab->rig.cgroups) == CGROUP_NONE)
        return 0;
    ck_assert_int_eq(cgroup_make(lab->rig.cgroups, &name, getpid(), ret_cgroup, NULL), 0);
    ck_assert_int_eq(pipe(ready), 0);
    pid = fork();
    if (pid == 0) {
        if (cgroup_enter_own(*ret_cgroup, NULL) < 0 || write(ready[1], "x", 1) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    ck_assert_int_eq(spool_write(lab->record_fd, "cgroup", cgroup_path(*ret_cgroup),
                                 strlen(cgroup_path(*ret_cgroup)), NULL),
                     0);
    return pid;
}

START_TEST(a_launch_is_not_lost_before_its_processes_are_gone)
{
    struct lab lab;
    struct cgroup *cgroup = NULL;
    int status;

    open_lab(&lab);
    pid_t pid = leave_somebody(&lab, &cgroup);
    held_add(lab.table, &step, 0);
    if (pid > 0) {
        held_report_all(lab.table);
        ck_assert_int_eq(lab.state, HELD_STARTING);
        ck_assert_int_eq(held_forget(lab.table, &step, NULL), -EBUSY);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, SIGKILL);
    }
    while (lab.state != HELD_LOST)
        event_base_loop(lab.base, EVLOOP_ONCE);

    ck_assert_int_eq(held_forget(lab.table, &step, NULL), 0);
    cgroup_free(cgroup);
    close_lab(&lab);
}
END_TEST

START_TEST(a_launch_has_failed_when_its_step_daemon_dies_before_tasks_could_start)
{
    struct lab lab;

    open_lab(&lab);
    play_stepd(&lab);
    ck_assert_int_eq(lab.state, HELD_STARTING);

    lab.stepd = priv_channel_free(lab.stepd);
    event_base_loop(lab.base, EVLOOP_ONCE);

    ck_assert_int_eq(lab.state, HELD_ENDED);
    ck_assert_int_eq(held_forget(lab.table, &step, NULL), 0);
    close_lab(&lab);
}
END_TEST

static const struct left {
    const char *files[3];
    uint32_t steps_n; /* of which the node says something */
} left[] = {
    { { NULL }, 0 },
    { { "launch" }, 0 },
    { { "launch", "cgroup" }, 1 },
};

START_TEST(a_record_found_without_a_step_daemon_counts_if_tasks_may_have_started)
{
    const struct left *it = &left[_i];
    struct lab lab;

    open_lab(&lab);
    for (const char *const *file = it->files; *file; file++)
        ck_assert_int_eq(spool_write(lab.record_fd, *file, "", 0, NULL), 0);
    held_table_free(lab.table);
    lab.table =
        held_table_new(lab.base, lab.rig.steps_fd, lab.rig.cgroups, lab.log, &callbacks, &lab);

    ck_assert_uint_eq(held_count(lab.table), it->steps_n);
    ck_assert_int_eq(held_check(lab.table, &step, NULL), it->steps_n ? -EEXIST : 0);
    ck_assert_int_eq(lab.state, it->steps_n ? HELD_LOST : 0);
    close_lab(&lab);
}
END_TEST

START_TEST(a_step_daemon_that_does_not_answer_yet_is_called_again)
{
    struct lab lab;
    int calls[64], n = 0;

    open_lab(&lab);
    AUTO_CLOSE int listener = -1;
    ck_assert_int_eq(spool_listen(lab.record_fd, &listener, NULL), 0);
    while (spool_call(lab.record_fd, &calls[n], NULL) == 0) /* as monitors before may have done */
        ck_assert_int_lt(++n, (int)ARRAY_N(calls));
    held_add(lab.table, &step, 0);
    ck_assert_int_eq(lab.state, HELD_STARTING);
    ck_assert_int_eq(held_forget(lab.table, &step, NULL), -EBUSY);

    while (n > 0) {
        int call = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

        ck_assert_int_ge(call, 0);
        close(call);
        close(calls[--n]);
    }
    event_base_loop(lab.base, EVLOOP_ONCE);
    lab.stepd = priv_channel_new(accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
    say(&lab, HELD_RUNNING);
    ck_assert_int_eq(lab.state, HELD_RUNNING);
    close_lab(&lab);
}
END_TEST

START_TEST(a_connection_goes_to_the_step_daemon_that_it_names)
{
    const struct priv_connect here = { step.job_id, step.step_id }, other = { step.job_id, 3 };
    struct lab lab;
    struct priv_msg msg;
    struct err err = { 0 };
    char byte = 0;
    int ends[2];

    open_lab(&lab);
    play_stepd(&lab);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ck_assert_int_eq(held_connect(lab.table, &other, ends[1], &err), -E_ALREADY_DONE);
    ck_assert_str_eq(err.text, "job 7 step 3 does not run here");

    ck_assert_int_eq(held_connect(lab.table, &here, ends[1], &err), 0);
    close(ends[1]);
    ck_assert_int_eq(priv_receive(lab.stepd, PRIV_STEP, &msg, NULL), 1);
    ck_assert_uint_eq(msg.verb, PRIV_CONNECT);
    ck_assert_int_eq(write(ends[0], "x", 1), 1);
    ck_assert_int_eq(read(msg.fds[0], &byte, 1), 1);
    ck_assert_int_eq(byte, 'x');
    priv_msg_close(&msg);
    close(ends[0]);
    close_lab(&lab);
}
END_TEST

START_TEST(a_job_that_is_launched_again_is_not_clean_for_an_earlier_order)
{
    const struct spool_name again = { step.job_id, 0, step.launch_number + 1 };
    struct lab lab;

    open_lab(&lab);
    play_stepd(&lab);
    say(&lab, HELD_RUNNING);
    held_watch_job(lab.table, step.job_id);
    held_add(lab.table, &again, 0);
    lab.stepd = priv_channel_free(lab.stepd);
    while (lab.state == HELD_RUNNING || held_forget(lab.table, &step, NULL) < 0)
        event_base_loop(lab.base, EVLOOP_ONCE);
    ck_assert_uint_eq(lab.clean_n, 0);

    held_watch_job(lab.table, step.job_id);
    ck_assert_uint_eq(lab.clean_n, 1);
    close_lab(&lab);
}
END_TEST

CHECK_MAIN(held, CASE(a_step_has_not_ended_before_its_step_daemon_is_gone),
           CASE(a_launch_is_not_lost_before_its_processes_are_gone),
           CASE(a_launch_has_failed_when_its_step_daemon_dies_before_tasks_could_start),
           LOOP_CASE(a_record_found_without_a_step_daemon_counts_if_tasks_may_have_started,
                     ARRAY_N(left)),
           CASE(a_step_daemon_that_does_not_answer_yet_is_called_again),
           CASE(a_connection_goes_to_the_step_daemon_that_it_names),
           CASE(a_job_that_is_launched_again_is_not_clean_for_an_earlier_order))
