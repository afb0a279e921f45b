/* Programs that root runs for jobs: which, how often, and what is written down of them. */
#include "unit/check_main.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "noded/hooks/hooks.h"
#include "noded/hooks/programs.h"

struct rig {
    char dir[64];
    char *program, *said;
    int spool_fd;
    struct event_base *base;
    struct log *log;
    struct hooks *hooks;
    uint32_t reports_n;
    int32_t code;
    char text[256], stderr_end[4096];
};

static void on_report(void *ctx, const struct hook_report *report)
{
    struct rig *rig = ctx;

    rig->reports_n++;
    rig->code = report->code;
    snprintf(rig->text, sizeof(rig->text), "%s", report->text ? report->text : "");
    snprintf(rig->stderr_end, sizeof(rig->stderr_end), "%s", report->said ? report->said : "");
    event_base_loopbreak(rig->base);
}

static void write_program(const char *path, const char *body)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\n%s\n", body);
    fclose(file);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

static void open_hooks(struct rig *rig, const char *boot, uint32_t timeout_s)
{
    const struct hooks_options options = {
        .prolog = rig->program,
        .epilog = rig->program,
        .prolog_limit = { timeout_s, "PrologTimeout=" },
        .epilog_limit = { timeout_s, "EpilogTimeout=" },
        .node = "tux1",
        .boot_id = boot,
        .conf_path = "/etc/slurm/slurm.conf",
        .log = rig->log,
    };
    struct err err = { 0 };

    rig->hooks = hooks_free(rig->hooks);
    ck_assert_msg(
        hooks_new(rig->base, rig->spool_fd, &options, on_report, rig, &rig->hooks, &err) == 0, "%s",
        err.text);
}

static void rig_open(struct rig *rig)
{
    *rig = (struct rig){ .dir = "/tmp/hooks-test.XXXXXX" };
    ck_assert_ptr_nonnull(mkdtemp(rig->dir));
    rig->program = xasprintf("%s/program", rig->dir);
    rig->said = xasprintf("%s/said", rig->dir);
    rig->spool_fd = open(rig->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    rig->base = event_base_new();
    rig->log = log_new_daemon("test", LOG_FATAL);
    open_hooks(rig, "boot1", 20);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *ftw)
{
    (void)status;
    (void)kind;
    (void)ftw;
    return remove(path);
}

static void rig_close(struct rig *rig)
{
    hooks_free(rig->hooks);
    event_base_free(rig->base);
    log_free(rig->log);
    close(rig->spool_fd);
    nftw(rig->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(rig->program);
    free(rig->said);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

static void run(struct rig *rig, uint32_t kind, uint32_t launch)
{
    char *environment[] = { (char *)"SLURM_JOB_ID=7" };
    struct hook_cred cred;

    hook_cred_init(&cred);
    cred.job_id = 7;
    cred.launch_number = launch;
    cred.environment = environment;
    cred.environment_n = 1;
    hooks_run(rig->hooks, kind, &cred);
}

/* Until the next report; one that has come already counts. */
static void wait_for_report(struct rig *rig, uint32_t n)
{
    while (rig->reports_n < n)
        event_base_loop(rig->base, EVLOOP_ONCE);
}

static char *said(const struct rig *rig)
{
    struct strbuf text = { 0 };
    FILE *file = fopen(rig->said, "r");
    char line[256];

    while (file && fgets(line, sizeof(line), file))
        strbuf_adds(&text, line);
    if (file)
        fclose(file);
    return strbuf_steal(&text);
}

START_TEST(a_program_runs_once_for_a_launch_number)
{
    struct rig rig;

    rig_open(&rig);
    AUTO_FREE char *body =
        xasprintf("echo $SLURM_JOB_ID $SLURMD_NODENAME $SLURM_SCRIPT_CONTEXT >>%s", rig.said);
    write_program(rig.program, body);
    ck_assert_int_eq(hooks_prolog(rig.hooks, 7, 1), ENOENT);
    run(&rig, HOOK_PROLOG, 1);
    ck_assert_int_eq(hooks_prolog(rig.hooks, 7, 1), EINPROGRESS);
    run(&rig, HOOK_PROLOG, 1);
    wait_for_report(&rig, 1);
    run(&rig, HOOK_PROLOG, 1);
    ck_assert_uint_eq(rig.reports_n, 2); /* the end is told again */
    run(&rig, HOOK_EPILOG, 1);
    wait_for_report(&rig, 3);
    run(&rig, HOOK_PROLOG, 2);
    wait_for_report(&rig, 4);
    AUTO_FREE char *text = said(&rig);

    ck_assert_int_eq(hooks_prolog(rig.hooks, 7, 1), 0);
    ck_assert_str_eq(text, "7 tux1 prolog_slurmd\n7 tux1 epilog_slurmd\n7 tux1 prolog_slurmd\n");
    rig_close(&rig);
}
END_TEST

static const struct {
    uint32_t kind;
    bool restart; /* of the daemon, before it has seen the end */
} kinds[] = {
    { HOOK_PROLOG, false }, { HOOK_PROLOG, true }, { HOOK_EPILOG, false }, { HOOK_EPILOG, true }
};

START_TEST(how_it_ended_is_known_after_a_restart)
{
    struct rig rig;

    rig_open(&rig);
    write_program(rig.program, "exit 3");
    run(&rig, HOOK_PROLOG, 1);
    if (_i == 0) { /* it ends while nobody looks, perhaps */
        open_hooks(&rig, "boot1", 20);
        run(&rig, HOOK_PROLOG, 1);
    }
    wait_for_report(&rig, 1);
    open_hooks(&rig, "boot1", 20);
    run(&rig, HOOK_PROLOG, 1);
    wait_for_report(&rig, 2);
    ck_assert_int_eq(rig.code, EIO);
    ck_assert_ptr_nonnull(strstr(rig.text, "ended with status 3"));
    ck_assert_int_eq(hooks_prolog(rig.hooks, 7, 1), EIO);

    open_hooks(&rig, "boot2", 20);
    ck_assert_int_eq(hooks_prolog(rig.hooks, 7, 1), ENOENT);
    rig_close(&rig);
}
END_TEST

/* The program says that it has begun: the file alone is there before what it says. */
static void wait_for_begin(const struct rig *rig)
{
    struct stat st;

    while (stat(rig->said, &st) < 0 || st.st_size == 0)
        usleep(1000);
}

/* The process that runs a program is this one's child until it ends. */
static void kill_runner(const struct rig *rig)
{
    AUTO_FREE char *children = xasprintf("/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(children, "r");
    int pid = 0;

    wait_for_begin(rig);
    ck_assert_int_eq(fscanf(file, "%d", &pid), 1);
    fclose(file);
    ck_assert_int_eq(kill(pid, SIGKILL), 0);
}

START_TEST(a_program_that_is_broken_off_has_failed_and_is_not_run_again)
{
    struct rig rig;

    rig_open(&rig);
    AUTO_FREE char *body = xasprintf("echo ran >>%s; exec sleep 600", rig.said);
    write_program(rig.program, body);
    run(&rig, kinds[_i].kind, 1);
    kill_runner(&rig);
    if (kinds[_i].restart)
        open_hooks(&rig, "boot1", 20);
    wait_for_report(&rig, 1);
    run(&rig, kinds[_i].kind, 1);
    wait_for_report(&rig, 2);
    open_hooks(&rig, "boot1", 20);
    run(&rig, kinds[_i].kind, 1);
    wait_for_report(&rig, 3);
    AUTO_FREE char *text = said(&rig);

    ck_assert_str_eq(text, "ran\n");
    ck_assert_int_eq(rig.code, EINTR);
    ck_assert_ptr_nonnull(strstr(rig.text, "broken off"));
    rig_close(&rig);
}
END_TEST

START_TEST(an_epilog_that_runs_alone_is_found_after_a_restart)
{
    struct rig rig;

    rig_open(&rig);
    AUTO_FREE char *body =
        xasprintf("echo ran >>%s; until [ -e %s/go ]; do sleep 0.01; done", rig.said, rig.dir);
    AUTO_FREE char *go = xasprintf("%s/go", rig.dir);
    write_program(rig.program, body);
    run(&rig, HOOK_EPILOG, 1);
    wait_for_begin(&rig);
    open_hooks(&rig, "boot1", 20);
    run(&rig, HOOK_EPILOG, 1);
    ck_assert_uint_eq(rig.reports_n, 0);
    ck_assert_int_eq(mkdir(go, 0755), 0);
    wait_for_report(&rig, 1);
    AUTO_FREE char *text = said(&rig);

    ck_assert_str_eq(text, "ran\n");
    ck_assert_int_eq(rig.code, 0);
    rig_close(&rig);
}
END_TEST

START_TEST(a_program_that_takes_too_long_is_killed)
{
    struct rig rig;

    rig_open(&rig);
    write_program(rig.program, "sleep 600");
    open_hooks(&rig, "boot1", 1);
    run(&rig, HOOK_PROLOG, 1);
    wait_for_report(&rig, 1);
    ck_assert_int_eq(rig.code, ETIME);
    ck_assert_ptr_nonnull(strstr(rig.text, "PrologTimeout=1"));
    rig_close(&rig);
}
END_TEST

START_TEST(the_end_of_what_a_failed_program_wrote_to_stderr_is_told)
{
    struct rig rig;

    rig_open(&rig);
    write_program(rig.program, "echo no scratch >&2; printf 'ask\\033 bob\\n' >&2; exit 3");
    run(&rig, HOOK_PROLOG, 1);
    wait_for_report(&rig, 1);
    ck_assert_str_eq(rig.stderr_end, "no scratch | ask\\x1b bob");

    write_program(rig.program, "seq 1 20000 >&2; exit 3");
    run(&rig, HOOK_PROLOG, 2);
    wait_for_report(&rig, 2);
    ck_assert_uint_lt(strlen(rig.stderr_end), 2000);
    ck_assert_ptr_nonnull(strstr(rig.stderr_end, " | 19999 | 20000"));
    rig_close(&rig);
}
END_TEST

START_TEST(what_a_program_left_in_the_background_may_go_on_writing)
{
    struct rig rig;

    rig_open(&rig);
    AUTO_FREE char *body = xasprintf(
        "{ until [ -e %s/go ]; do sleep 0.01; done; seq 1 20000 >&2; echo wrote >>%s; } &\n"
        "exit 3",
        rig.dir, rig.said);
    AUTO_FREE char *go = xasprintf("%s/go", rig.dir);
    write_program(rig.program, body);
    run(&rig, HOOK_PROLOG, 1);
    wait_for_report(&rig, 1);
    ck_assert_int_eq(mkdir(go, 0755), 0);
    wait_for_begin(&rig);
    rig_close(&rig);
}
END_TEST

START_TEST(what_the_controller_knows_is_forgotten)
{
    struct rig rig;

    rig_open(&rig);
    write_program(rig.program, "true");
    run(&rig, HOOK_PROLOG, 1);
    wait_for_report(&rig, 1);
    hooks_forget(rig.hooks, 7, 1);
    ck_assert_int_eq(hooks_prolog(rig.hooks, 7, 1), ENOENT);
    AUTO_FREE char *record = xasprintf("%s/hooks/7.1", rig.dir);
    ck_assert_int_lt(access(record, F_OK), 0);
    rig_close(&rig);
}
END_TEST

static const struct {
    const char *what, *why;
    mode_t mode;
    uid_t owner;
    int code;
} refused[] = {
    { "the file", "can be written by others (mode 0777): chmod go-w", 0777, 0, EPERM },
    { "the file", "cannot be run: chmod +x", 0644, 0, EACCES },
    { "the file", "belongs to uid 4711, not to root: chown root", 0755, 4711, EPERM },
    { "its directory", "can be written by others (mode 0777): chmod go-w", 0777, 0, EPERM },
    { "its directory", "belongs to uid 4711, not to root: chown root", 0755, 4711, EPERM },
};

START_TEST(only_what_root_alone_can_change_is_run)
{
    const bool is_dir = strcmp(refused[_i].what, "its directory") == 0;
    struct rig rig;
    struct err err = { 0 };
    AUTO_FREE char *path = NULL;

    rig_open(&rig);
    AUTO_FREE char *dir = xasprintf("%s/below", rig.dir);
    AUTO_FREE char *file = xasprintf("%s/program", dir);
    const char *changed = is_dir ? dir : file;

    ck_assert_int_eq(mkdir(dir, 0755), 0);
    write_program(file, "true");
    ck_assert_int_eq(as_root_check_program(file, &path, &err), 0);
    ck_assert_str_eq(path, file);
    if (refused[_i].owner && geteuid() == 0)
        ck_assert_int_eq(chown(changed, refused[_i].owner, 0), 0);
    ck_assert_int_eq(chmod(changed, refused[_i].mode), 0);
    if (!refused[_i].owner || geteuid() == 0) {
        AUTO_FREE char *none = NULL;

        ck_assert_int_eq(as_root_check_program(file, &none, &err), -refused[_i].code);
        ck_assert_msg(strstr(err.text, refused[_i].why) && strstr(err.text, changed), "%s",
                      err.text);
    }
    rig_close(&rig);
}
END_TEST

START_TEST(a_pattern_names_files_in_order)
{
    struct rig rig;
    struct hook_programs found = { 0 };

    rig_open(&rig);
    AUTO_FREE char *first = xasprintf("%s/a.sh", rig.dir);
    AUTO_FREE char *second = xasprintf("%s/b.sh", rig.dir);
    AUTO_FREE char *setting = xasprintf("/nowhere/first,%s/*.sh", rig.dir);

    write_program(second, "true");
    write_program(first, "true");
    ck_assert_int_eq(hook_programs_find(setting, &found, NULL), 0);
    ck_assert_uint_eq(found.n, 3);
    ck_assert_str_eq(found.paths[0], "/nowhere/first");
    ck_assert_str_eq(found.paths[1], first);
    ck_assert_str_eq(found.paths[2], second);
    hook_programs_clear(&found);
    ck_assert_int_eq(hook_programs_find("bin/relative", &found, NULL), -EINVAL);
    rig_close(&rig);
}
END_TEST

CHECK_MAIN(hooks, CASE(a_program_runs_once_for_a_launch_number),
           LOOP_CASE(how_it_ended_is_known_after_a_restart, 2),
           LOOP_CASE(a_program_that_is_broken_off_has_failed_and_is_not_run_again, ARRAY_N(kinds)),
           CASE(an_epilog_that_runs_alone_is_found_after_a_restart),
           CASE(a_program_that_takes_too_long_is_killed),
           CASE(the_end_of_what_a_failed_program_wrote_to_stderr_is_told),
           CASE(what_a_program_left_in_the_background_may_go_on_writing),
           CASE(what_the_controller_knows_is_forgotten),
           LOOP_CASE(only_what_root_alone_can_change_is_run, ARRAY_N(refused)),
           CASE(a_pattern_names_files_in_order))
