#include "unit/check_main.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <event2/event.h>

#include "ctld/dispatch/completion.h"
#include "ctld/dispatch/completion_text.h"
#include "ctld/dispatch/programs.h"
#include "ctld/dispatch/turn_stream.h"

static void fill(struct job_record *job)
{
    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->id = 12;
    job->uid = 1000;
    job->gid = 100;
    job->user_name = xstrdup("ann");
    job->group_name = xstrdup("staff");
    job->state = JOB_FAILED;
    job->partition = xstrdup("main");
    job->node_list = xstrdup("tux[1-2]");
    for (int i = 1; i <= 2; i++) {
        struct job_node *node = ARRAY_PUSH(job->nodes, job->nodes_n);

        job_node_init(node);
        node->name = xasprintf("tux%d", i);
    }
    job->ncpus = 4;
    job->submit_time = job->eligible_time = 1795209479;
    job->start_time = 1795209482;
    job->end_time = 1795209542;
    job->exit_status = W_EXITCODE(3, 0);
    job->derived_status = SIGKILL;
    job->spec->name = xstrdup("run\nme");
    job->spec->min_nodes = 2;
    job->spec->time_limit = 601;
    job->spec->mem_per_node = 500;
    job->spec->account = xstrdup("lab");
}

static struct job_body body = { .work_dir = (char[]){ "/home/ann" } };

static void use_utc(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
}

static void no_more(void)
{
    unsetenv("TZ");
}

START_TEST(the_line_is_slurms)
{
    AUTO(job_record) struct job_record job;
    AUTO(strbuf) struct strbuf out = { 0 };

    fill(&job);
    completion_line(&job, &body, "lab", NULL, &out);

    ck_assert_str_eq(
        strbuf_text(&out),
        "JobId=12 UserId=ann(1000) GroupId=staff(100) Name=run me JobState=FAILED Partition=main "
        "TimeLimit=11 StartTime=2026-11-20T21:18:02 EndTime=2026-11-20T21:19:02 NodeList=tux[1-2] "
        "NodeCnt=2 ProcCnt=4 WorkDir=/home/ann ReservationName= "
        "Tres=cpu=4,mem=1000M,node=2,billing=4 Account=lab QOS= WcKey= Cluster=lab "
        "SubmitTime=2026-11-20T21:17:59 EligibleTime=2026-11-20T21:17:59 DerivedExitCode=0:9 "
        "ExitCode=3:0 \n");
}
END_TEST

START_TEST(the_line_of_a_task_names_its_array)
{
    AUTO(job_record) struct job_record job;
    AUTO(strbuf) struct strbuf out = { 0 };

    fill(&job);
    job.array_job_id = 10;
    job.array_task = 2;
    job.spec->time_limit = LIMIT_INFINITE;
    job.start_time = 0;
    completion_line(&job, &body, "lab", NULL, &out);

    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), " ArrayJobId=10 ArrayTaskId=2 Derived"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), " TimeLimit=UNLIMITED StartTime=Unknown "));
}
END_TEST

static bool has(char **environment, const char *variable)
{
    for (uint32_t i = 0; environment[i]; i++) {
        if (strcmp(environment[i], variable) == 0)
            return true;
    }
    return false;
}

static const char *const variables[] = {
    "JOBID=12",
    "EXITCODE=3:0",
    "DERIVED_EC=0:9",
    "ARRAYJOBID=0",
    "UID=1000",
    "GID=100",
    "ARRAYTASKID=4294967294",
    "START=1795209482",
    "END=1795209542",
    "SUBMIT=1795209479",
    "PROCS=4",
    "NODECNT=2",
    "LIMIT=11",
    "BATCH=yes",
    "CLUSTER=lab",
    "CONSTRAINTS=",
    "NODES=tux[1-2]",
    "ACCOUNT=lab",
    "JOBNAME=run\nme",
    "JOBSTATE=FAILED",
    "PARTITION=main",
    "WORK_DIR=/home/ann",
    "USERNAME=ann",
    "GROUPNAME=staff",
};

START_TEST(scripts_get_slurms_variables)
{
    AUTO(job_record) struct job_record job;
    char **environment;

    fill(&job);
    environment = completion_environment(&job, &body, "lab");

    ck_assert_msg(has(environment, variables[_i]), "%s is missing", variables[_i]);
    for (uint32_t i = 0; environment[i]; i++)
        free(environment[i]);
    free(environment);
}
END_TEST

/* ---- what is done ---- */

struct scene {
    char dir[32];
    char *script, *out;
    struct event_base *base;
    struct log *log;
    struct programs *programs;
    struct slurm_conf conf;
};

static void open_scene(struct scene *scene, const char *script)
{
    AUTO_CLOSE int fd = -1;

    memset(scene, 0, sizeof(*scene));
    strcpy(scene->dir, "/tmp/completion.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(scene->dir));
    scene->script = xasprintf("%s/script", scene->dir);
    scene->out = xasprintf("%s/out", scene->dir);
    AUTO_FREE char *text = xasprintf("#!/bin/sh\ncd %s\n%s\n", scene->dir, script);
    fd = open(scene->script, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    scene->base = event_base_new();
    scene->log = log_new_daemon("test", LOG_FATAL);
    scene->programs = programs_new(scene->base, scene->log);
    scene->conf.cluster_name = (char *)"lab";
}

static void close_scene(struct scene *scene)
{
    AUTO_FREE char *clean = xasprintf("rm -r '%s'", scene->dir);

    programs_free(scene->programs);
    log_free(scene->log);
    event_base_free(scene->base);
    ck_assert_int_eq(system(clean), 0);
    free(scene->script);
    free(scene->out);
}

static char *content(const struct scene *scene)
{
    AUTO_CLOSE int fd = open(scene->out, O_RDONLY | O_CLOEXEC);
    char text[4096];
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

    text[n > 0 ? n : 0] = '\0';
    return xstrdup(text);
}

static void note(struct turn_changes *turn, uint32_t kind, bool is_end, uint32_t id)
{
    AUTO(job_record) struct job_record job;
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct change *change = ARRAY_PUSH(turn->changes, turn->changes_n);

    fill(&job);
    job.id = id;
    schema_encode(job_record_schema(), &job, &bytes);
    change_init(change);
    change->kind = kind;
    change->is_end = is_end;
    change->job_id = id;
    change->record.n = (uint32_t)bytes.len;
    change->record.data = (uint8_t *)strbuf_steal(&bytes);
}

static void expect_nothing(const struct scene *scene)
{
    AUTO_FREE char *text = content(scene);

    ck_assert_str_eq(text, "");
}

static void run(struct scene *scene, const char *type, const char *location)
{
    AUTO(turn_changes) struct turn_changes turn;
    struct turn_stream *stream = turn_stream_new();
    struct completion *completion = completion_new(stream, scene->programs, scene->log);

    scene->conf.job_comp_type = (char *)(uintptr_t)type;
    scene->conf.job_comp_loc = (char *)(uintptr_t)location;
    turn_changes_init(&turn);
    note(&turn, CHANGE_JOB, false, 1);
    note(&turn, CHANGE_JOB, true, 2);
    note(&turn, CHANGE_RUN, false, 3);
    completion_configure(completion, &scene->conf, 0);
    turn_stream_offer(stream, &turn);
    expect_nothing(scene); /* nothing is told before it is on disk */
    turn_stream_release(stream, 0);
    completion_free(completion);
    turn_stream_free(stream);
    ck_assert_int_ge(event_base_dispatch(scene->base), 0); /* until nothing runs any more */
}

START_TEST(ended_jobs_and_runs_are_in_the_file)
{
    struct scene scene;

    open_scene(&scene, "");
    run(&scene, "jobcomp/filetxt", scene.out);
    AUTO_FREE char *text = content(&scene);

    ck_assert_int_eq(strncmp(text, "JobId=2 ", 8), 0);
    ck_assert_ptr_nonnull(strstr(text, "\nJobId=3 "));
    ck_assert_ptr_null(strstr(text, "JobId=1 "));
    close_scene(&scene);
}
END_TEST

/* One after the other, in order, also when one fails; with nothing of ours open. */
START_TEST(scripts_run_one_after_the_other)
{
    struct scene scene;

    open_scene(&scene, "mkdir busy || exit 1\necho $JOBID $(ls /proc/self/fd | wc -l) >> out\n"
                       "rmdir busy\nexit 3");
    run(&scene, "jobcomp/script", scene.script);
    AUTO_FREE char *text = content(&scene);

    ck_assert_str_eq(text, "2 4\n3 4\n");
    close_scene(&scene);
}
END_TEST

START_TEST(nothing_is_told_where_nobody_asks)
{
    struct scene scene;

    open_scene(&scene, "echo x > out");
    run(&scene, "jobcomp/none", scene.out);
    run(&scene, "jobcomp/mysql", scene.out);
    run(&scene, "jobcomp/script", "/nowhere/script");
    AUTO_FREE char *text = content(&scene);

    ck_assert_str_eq(text, "");
    close_scene(&scene);
}
END_TEST

CHECK_MAIN_WITH(completion, use_utc, no_more, CASE(the_line_is_slurms),
                CASE(the_line_of_a_task_names_its_array),
                LOOP_CASE(scripts_get_slurms_variables, ARRAY_N(variables)),
                CASE(ended_jobs_and_runs_are_in_the_file), CASE(scripts_run_one_after_the_other),
                CASE(nothing_is_told_where_nobody_asks))
