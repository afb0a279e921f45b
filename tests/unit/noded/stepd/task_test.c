/* Tasks, started by this process as a step's user side does it. */
#include "unit/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "noded/cgroup/hierarchy.h"
#include "noded/stepd/task.h"

/* A node with one task. Its output is a file; it enters its group by writing to `door`. */
struct rig {
    struct launch_body body;
    struct task_env env;
    struct task_env_node node;
    struct task_binding binding;
    struct gpu_bind gpus;
    struct mpi_task mpi;
    struct cgroup cgroup;
    FILE *output;
    int null;
};

static void rig_open(struct rig *rig)
{
    struct step_node *here;

    *rig = (struct rig){ .mpi.fd = -1, .output = tmpfile(), .null = open("/dev/null", O_RDWR) };
    ck_assert_ptr_nonnull(rig->output);
    launch_body_init(&rig->body);
    here = ARRAY_PUSH(rig->body.nodes, rig->body.nodes_n);
    step_node_init(here);
    here->name = xstrdup("n0");
    *ARRAY_PUSH(here->tasks, here->tasks_n) = 5;
    rig->node.body = &rig->body;
}

static void rig_close(struct rig *rig)
{
    launch_body_clear(&rig->body);
    task_env_clear(&rig->env);
    fclose(rig->output);
    close(rig->null);
}

/* Returns its wait status. */
static int rig_exec(struct rig *rig, char **argv, int out)
{
    const struct task_plan plan = {
        .argv = argv,
        .environment = &rig->env,
        .node = &rig->node,
        .in = rig->null,
        .out = out,
        .err = out,
        .gpu_bind = &rig->gpus,
        .binding = &rig->binding,
        .cgroup = &rig->cgroup,
        .mpi = &rig->mpi,
    };
    struct err err = { 0 };
    int status = -1;
    const pid_t pid = task_start(&plan, &err);

    ck_assert_msg(pid > 0, "%s", err.text);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

static int rig_run(struct rig *rig, const char *script)
{
    char shell[] = "sh", option[] = "-c";
    AUTO_FREE char *text = xstrdup(script);
    char *argv[] = { shell, option, text, NULL };

    return rig_exec(rig, argv, fileno(rig->output));
}

static char *rig_output(const struct rig *rig)
{
    char text[4096];
    const ssize_t n = pread(fileno(rig->output), text, sizeof(text), 0);

    ck_assert_int_ge(n, 0);
    return xstrndup(text, (size_t)n);
}

START_TEST(a_task_hears_its_numbers)
{
    struct rig rig;

    rig_open(&rig);
    rig.body.task_prolog = _i ? xstrdup("/bin/true") : NULL;
    task_env_add(&rig.env, "SLURM_TASK_PID=1");
    const int status =
        rig_run(&rig, "echo $SLURM_PROCID $SLURM_LOCALID; [ $$ = $SLURM_TASK_PID ] && exit 3");

    AUTO_FREE char *output = rig_output(&rig);
    ck_assert_str_eq(output, "5 0\n");
    ck_assert_int_eq(status, W_EXITCODE(3, 0));
    rig_close(&rig);
}
END_TEST

START_TEST(a_task_that_cannot_enter_its_group_does_not_run)
{
    struct rig rig;

    rig_open(&rig);
    int door = open("/dev/full", O_WRONLY);
    rig.cgroup.doors = &door;
    rig.cgroup.doors_n = 1;
    const int status = rig_run(&rig, "echo runs");

    AUTO_FREE char *output = rig_output(&rig);
    ck_assert_str_eq(output, "slurmstepd: error: task 0 cannot enter its cgroup: No space left on "
                             "device\n");
    ck_assert_int_eq(status, W_EXITCODE(EXIT_FAILURE, 0));
    close(door);
    rig_close(&rig);
}
END_TEST

/* The pid of the one child of `parent` that is not this process, or 0. */
static int child_of(pid_t parent)
{
    AUTO_FREE char *path = xasprintf("/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "re");
    int pid = 0, found = 0;

    while (file && fscanf(file, "%d", &pid) == 1)
        found = pid != getpid() ? pid : found;
    if (file)
        fclose(file);
    return found;
}

static pid_t start_killer(void)
{
    const pid_t parent = getpid(), killer = fork();

    if (killer != 0)
        return killer;
    for (int pid = 0; getppid() == parent; pid = child_of(parent)) {
        if (pid && kill(pid, SIGKILL) == 0)
            _exit(EXIT_SUCCESS);
    }
    _exit(EXIT_FAILURE);
}

/* A pipe into which no byte goes any more: who writes waits. */
static void make_full_pipe(int ends[2])
{
    char byte = 0;

    ck_assert_int_eq(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    while (write(ends[1], &byte, 1) == 1)
        ;
    ck_assert_int_eq(fcntl(ends[1], F_SETFL, 0), 0);
}

START_TEST(a_task_killed_before_its_program_leaves_who_started_it_whole)
{
    struct rig rig;
    int ends[2];

    rig_open(&rig);
    make_full_pipe(ends);
    rig.cgroup.doors = &ends[1];
    rig.cgroup.doors_n = 1;
    const pid_t killer = start_killer();
    const int killed = rig_run(&rig, "echo runs");
    int done = -1;
    ck_assert_int_eq(waitpid(killer, &done, 0), killer);
    rig.cgroup.doors_n = 0;
    const int status = rig_run(&rig, "echo next");

    AUTO_FREE char *output = rig_output(&rig);
    ck_assert_int_eq(killed, SIGKILL);
    ck_assert_int_eq(done, 0);
    ck_assert_str_eq(output, "next\n");
    ck_assert_int_eq(status, 0);
    close(ends[0]);
    close(ends[1]);
    rig_close(&rig);
}
END_TEST

/* Who starts a task is who reads what it says: both would wait for ever. */
START_TEST(a_program_that_cannot_be_is_told_of_without_waiting)
{
    char top[] = "/tmp/task_test.XXXXXX", line[PATH_MAX + 128] = "";
    AUTO_FREE char *pipe_name = NULL, *long_name = xmalloc(100001);
    struct rig rig;
    int ends[2];

    ck_assert_ptr_nonnull(mkdtemp(top));
    pipe_name = xasprintf("%s/pipe", top);
    ck_assert_int_eq(mkfifo(pipe_name, 0600), 0);
    memset(long_name, '/', 100000);
    long_name[100000] = '\0';
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    rig_open(&rig);
    ck_assert_int_eq(rig_exec(&rig, (char *[]){ pipe_name, NULL }, ends[1]), W_EXITCODE(EACCES, 0));
    ck_assert_int_gt(read(ends[0], line, sizeof(line) - 1), 0);
    ck_assert_ptr_nonnull(strstr(line, "/pipe: Permission denied\n"));
    ck_assert_int_eq(rig_exec(&rig, (char *[]){ long_name, NULL }, ends[1]),
                     W_EXITCODE(ENAMETOOLONG, 0));
    ck_assert_int_gt(read(ends[0], line, sizeof(line) - 1), 0);
    ck_assert_ptr_nonnull(strstr(line, "//: File name too long\n"));

    close(ends[0]);
    close(ends[1]);
    ck_assert_int_eq(unlink(pipe_name), 0);
    ck_assert_int_eq(rmdir(top), 0);
    rig_close(&rig);
}
END_TEST

CHECK_MAIN(task, LOOP_CASE(a_task_hears_its_numbers, 2),
           CASE(a_task_that_cannot_enter_its_group_does_not_run),
           CASE(a_task_killed_before_its_program_leaves_who_started_it_whole),
           CASE(a_program_that_cannot_be_is_told_of_without_waiting))
