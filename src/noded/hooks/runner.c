#include "noded/hooks/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/proc/signals.h"
#include "common/proc/wait.h"
#include "noded/hooks/programs.h"
#include "noded/stepd/spool.h"

#define LOCK_FILE "lock"
#define RECORD_FD 3
#define LOCK_FD   4
#define ASIDE_FD  16

static int open_lock(int record_fd)
{
    return openat(record_fd, LOCK_FILE, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

bool hook_runner_lives(int record_fd)
{
    AUTO_CLOSE int fd = open_lock(record_fd);

    return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0;
}

int hook_runner_read(int record_fd, const char *result, struct hook_report *ret, struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    int rc = spool_read(record_fd, result, &bytes, err);

    if (rc == -ENOENT)
        return 0;
    if (rc == 0)
        rc = schema_decode(hook_report_schema(), bytes.data, bytes.len, ret, err);
    return rc < 0 ? rc : 1;
}

/* ---- the process ---- */

static NO_RETURN void run_program(char *path, char *const *environment, int stderr_fd)
{
    char *argv[] = { path, NULL };

    (void)setsid();
    (void)dup2(stderr_fd, STDERR_FILENO);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* it may be run again when nobody knows how it ended */
    execve(path, argv, environment);
    _exit(127);
}

static int run_one(const char *path, const struct hook_run *run, struct proc_tail *tail,
                   struct err *err)
{
    AUTO_FREE char *real = NULL;
    int rc = as_root_check_program(path, &real, err);
    pid_t pid;

    if (rc < 0)
        return rc;
    strbuf_truncate(&tail->text, 0);
    pid = fork();
    if (pid < 0)
        return err_set(err, errno, "cannot fork for %s: %s", path, strerror(errno));
    if (pid == 0)
        run_program(real, run->environment, tail->write_fd);
    return proc_wait_well(pid, path, run->timeout_s, run->limit, tail, err);
}

/* Runs the programs in turn and stops at the first that fails. */
static int run_all(const struct hook_run *run, struct proc_tail *tail, struct err *err)
{
    struct hook_programs programs = { 0 };
    int rc = hook_programs_find(run->setting, &programs, err);

    if (rc == 0)
        rc = proc_tail_open(tail, err);
    if (rc == 0 && run->beginning)
        rc = spool_write(RECORD_FD, run->beginning, "", 0, err);

    for (uint32_t i = 0; rc == 0 && i < programs.n; i++)
        rc = run_one(programs.paths[i], run, tail, err);
    hook_programs_clear(&programs);
    return rc;
}

static int keep_only(int record_fd, int lock_fd)
{
    const int record = fcntl(record_fd, F_DUPFD_CLOEXEC, ASIDE_FD);
    const int lock = fcntl(lock_fd, F_DUPFD_CLOEXEC, ASIDE_FD);
    const int null = open("/dev/null", O_RDWR);

    for (int i = 0; null >= 0 && i < 3; i++)
        (void)dup2(null, i);
    if (record < 0 || lock < 0 || dup3(record, RECORD_FD, O_CLOEXEC) < 0 ||
        dup3(lock, LOCK_FD, O_CLOEXEC) < 0)
        return -errno;
    return close_range(LOCK_FD + 1, ~0U, 0) < 0 ? -errno : 0;
}

static int run_process(const struct hook_run *run, int lock_fd)
{
    struct hook_report report = run->report;
    struct proc_tail tail = PROC_TAIL_NONE;
    AUTO(strbuf) struct strbuf bytes = { 0 }, said = { 0 };
    struct err err = { 0 };
    int rc;

    (void)setsid();
    (void)prctl(PR_SET_NAME, "slurmd_hook"); /* who ends slurmd by name does not mean this one */
    (void)prctl(PR_SET_PDEATHSIG, 0);
    signals_reset();
    if (keep_only(run->record_fd, lock_fd) < 0)
        return EXIT_FAILURE;
    if (run_all(run, &tail, &err) < 0) {
        proc_tail_format(&tail, &said);
        report.code = err.code;
        report.text = err.text;
        report.said = said.len ? said.data : NULL;
    }
    schema_encode(hook_report_schema(), &report, &bytes);
    rc = spool_write(RECORD_FD, run->result, bytes.data, bytes.len, NULL);
    close(LOCK_FD); /* it is over, though what the program left behind may go on writing */
    close(RECORD_FD);
    proc_tail_drain(&tail);
    return rc < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int hook_runner_start(const struct hook_run *run, struct err *err)
{
    AUTO_CLOSE int lock_fd = open_lock(run->record_fd);
    sigset_t all, before;
    pid_t pid;

    if (lock_fd >= 0 && flock(lock_fd, LOCK_EX | LOCK_NB) < 0)
        return err_set(err, errno == EWOULDBLOCK ? EBUSY : errno, "cannot lock the record: %s",
                       strerror(errno));
    if (lock_fd < 0)
        return err_set(err, errno, "cannot make the lock of the record: %s", strerror(errno));
    signals_but_faults(&all); /* the monitor's handlers must not run in the child */
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid == 0)
        _exit(run_process(run, lock_fd));
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return pid < 0 ? err_set(err, errno, "cannot fork: %s", strerror(errno)) : 0;
}
