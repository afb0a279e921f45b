/* What Slurm 22.05 printed of jobs, as options of sbatch; and texts of users that look like its
 * own. */
#include <string.h>

#include "cli/import/queue/old.h"
#include "cli/import/queue/units.h"
#include "common/base/alloc.h"
#include "unit/check_main.h"

#define HEAD(name, user)                                                                           \
    "JobId=30 JobName=" name "\n   UserId=" user " GroupId=games(60) MCS_label=N/A\n"              \
    "   Priority=1 Nice=50 Account=lab QOS=normal\n"                                               \
    "   JobState=PENDING Reason=Resources Dependency=(null)\n"                                     \
    "   Requeue=0 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0\n"

#define FULL                                                                                       \
    HEAD("two  words", "nobody(65534)")                                                            \
    "   RunTime=00:00:00 TimeLimit=01:00:00 TimeMin=00:30:00\n"                                    \
    "   SubmitTime=2026-11-27T12:01:04 EligibleTime=2026-11-27T13:01:03\n"                         \
    "   StartTime=2026-11-27T13:01:03 EndTime=Unknown Deadline=2026-11-29T12:01:03\n"              \
    "   Partition=main,fast AllocNode:Sid=login:23423\n"                                           \
    "   ReqNodeList=worker-1 ExcNodeList=worker-2\n   NodeList=\n"                                 \
    "   NumNodes=2-4 NumCPUs=6 NumTasks=3 CPUs/Task=2 ReqB:S:C:T=0:0:*:*\n"                        \
    "   TRES=cpu=6,mem=1000M,node=2,billing=6\n"                                                   \
    "   Socks/Node=* NtasksPerN:B:S:C=0:0:*:1 CoreSpec=*\n"                                        \
    "   MinCPUsNode=2 MinMemoryNode=500M MinTmpDiskNode=0\n"                                       \
    "   Features=a&b DelayBoot=00:00:00\n"                                                         \
    "   OverSubscribe=NO Contiguous=0 Licenses=matlab:1 Network=(null)\n"                          \
    "   Command=/nowhere/job.sh q r\n   WorkDir=/tmp\n   Comment=two words \n"                     \
    "   StdErr=/tmp/err.30\n   StdIn=/dev/null\n   StdOut=/tmp/slurm-30.out\n   Power=\n"          \
    "   TresPerNode=gres:gpu:a:2\n   MailUser=x@y MailType=END\n"

#define PLAIN                                                                                      \
    HEAD("x", "nobody(65534)")                                                                     \
    "   TimeLimit=UNLIMITED TimeMin=N/A\n   NumNodes=3 NumTasks=1 CPUs/Task=1\n"                   \
    "   MinMemoryCPU=100M\n   OverSubscribe=OK\n   WorkDir=/tmp\n"

static const struct {
    const char *shown, *options;
} shown_rows[] = {
    { FULL, "sbatch --job-name=two  words --account=lab --qos=normal --partition=main,fast "
            "--nodelist=worker-1 --exclude=worker-2 --constraint=a&b --licenses=matlab:1 "
            "--mail-user=x@y --mail-type=END --comment=two words --time=01:00:00 "
            "--time-min=00:30:00 --deadline=2026-11-29T12:01:03 --chdir=/tmp --mem=500M "
            "--nodes=2-4 --ntasks=3 --cpus-per-task=2 --ntasks-per-core=1 --no-requeue "
            "--exclusive --gres=gpu:a:2 --begin=2026-11-27T13:01:03 --error=/tmp/err.30" },
    { PLAIN, "sbatch --job-name=x --account=lab --qos=normal --time=UNLIMITED --chdir=/tmp "
             "--mem-per-cpu=100M --no-requeue" },
    /* 25.05 writes gres/gpu, 23.11 TresPerTask with cpus in it. */
    { PLAIN "   TresPerTask=cpu=2,gres/gpu=1\n",
      "sbatch --job-name=x --account=lab --qos=normal --time=UNLIMITED --chdir=/tmp "
      "--mem-per-cpu=100M --no-requeue --gpus-per-task=1" },
    /* A file's name would be opened. */
    { PLAIN "   ReqNodeList=/etc/shadow\n",
      "sbatch --job-name=x --account=lab --qos=normal --time=UNLIMITED --chdir=/tmp "
      "--mem-per-cpu=100M --no-requeue" },
};

static struct queue_job made_job(const char *shown)
{
    struct queue_job job;

    queue_job_init(&job);
    job.job_id = 30;
    job.uid = 65534;
    job.waits = true;
    job.user_name = xstrdup("nobody");
    job.submitted = xstrdup("2026-11-27T12:01:04");
    job.shown = xstrdup(shown);
    job.script.data = xmemdup("#!/bin/sh\n", 10);
    job.script.n = 10;
    return job;
}

START_TEST(what_is_shown_becomes_options)
{
    struct queue_job job = made_job(shown_rows[_i].shown);
    AUTO(strbuf) struct strbuf text = { 0 };
    struct wish wish;

    setenv("TZ", "UTC", 1);
    wish_make(&job, 1795780864, &wish); /* 2026-11-27T12:01:04 */

    ck_assert_ptr_null(wish.stays);
    for (uint32_t i = 0; i < wish.argv.n; i++)
        strbuf_addf(&text, "%s%s", i ? " " : "", wish.argv.at[i]);
    ck_assert_str_eq(strbuf_text(&text), shown_rows[_i].options);
    wish_clear(&wish);
    queue_job_clear(&job);
}
END_TEST

START_TEST(arguments_and_host_are_taken_from_the_text)
{
    struct queue_job job = made_job(FULL);
    struct wish wish;

    wish_make(&job, 0, &wish);

    ck_assert_str_eq(wish.command, "/nowhere/job.sh");
    ck_assert_uint_eq(wish.script_args.n, 2);
    ck_assert_str_eq(wish.script_args.at[1], "r");
    ck_assert_str_eq(wish.begin_host, "login");
    wish_clear(&wish);
    queue_job_clear(&job);
}
END_TEST

static const struct {
    const char *shown, *why;
} staying[] = {
    { "JobId=30 HetJobId=30 JobName=x\n   BatchFlag=1\n", "heterogeneous" },
    { "JobId=30 JobName=interactive\n   BatchFlag=0\n", "salloc" },
    { "", "not shown" },
    { "JobId=31 JobName=x\n   BatchFlag=1\n", "not shown" },
};

START_TEST(what_cannot_come_is_told)
{
    struct queue_job job = made_job(staying[_i].shown);

    ck_assert_ptr_nonnull(strstr(wish_why_stays(&job), staying[_i].why));
    queue_job_clear(&job);
}
END_TEST

#define ROW(id, array, task, user, priority)                                                       \
    id "|" array "|" task "|" user "|60|someone|PD|-5|" priority "|2026-11-27T12:01:04|"

START_TEST(lines_of_squeue_become_records)
{
    const char *text = ROW("14", "3", "4", "7", "0") "JobHeldAdmin\n" ROW(
        "3", "3", "1", "7", "9") "Priority\n" ROW("3", "3", "2", "7",
                                                  "9") "Priority\n" ROW("5", "5", "N/A", "8",
                                                                        "0") "Dependency\n";
    AUTO(saved) struct saved saved = { 0 };

    ck_assert_int_eq(old_read_rows(text, &saved, NULL), 0);

    ck_assert_uint_eq(saved.jobs_n, 3);
    ck_assert_str_eq(saved.jobs[0].tasks, "1-2");
    ck_assert_int_eq(saved.jobs[0].nice, -5);
    ck_assert_uint_eq(saved.jobs[0].hold, QUEUE_HOLD_NONE);
    ck_assert_uint_eq(saved.jobs[1].array_id, 0);
    ck_assert_uint_eq(saved.jobs[1].hold, QUEUE_HOLD_USER);
    ck_assert_uint_eq(saved.jobs[2].hold, QUEUE_HOLD_ADMIN);
    ck_assert_uint_eq(saved.jobs[2].array_id, 3);
}
END_TEST

START_TEST(a_line_that_is_none_is_refused)
{
    AUTO(saved) struct saved saved = { 0 };
    struct err err = { 0 };

    ck_assert_int_lt(old_read_rows("3|3|N/A|x|60\n", &saved, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, "no line of a list"));
}
END_TEST

START_TEST(variables_may_have_lines)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    const char expected[] = "A=1\0B=x\n\ny=z w\0BASH_FUNC_f%%=() {  :\n}";

    old_read_environment(
        "Environment used for 3_4 (must be batch to display)\n-----\nA=1\nB=x\n\n"
        " y=z w\nBASH_FUNC_f%%=() {  :\n}\n\nEnvironment used for 3 (must\n---\nC=1",
        &out);

    ck_assert_uint_eq(out.len, sizeof(expected) + 1);
    ck_assert_mem_eq(out.data, "A=1\0B=x\n\n y=z w\0BASH_FUNC_f%%=() {  :\n}", out.len);
}
END_TEST

START_TEST(dependencies_get_numbers_of_here)
{
    struct saved saved = { .jobs_n = 2 };
    AUTO(units) struct units units;

    queue_head_init(&saved.head);
    saved.head.cluster = xstrdup("lab");
    saved.jobs = xcalloc(2, sizeof(*saved.jobs));
    saved.jobs[0] = made_job(HEAD("x", "nobody(65534)"));
    saved.jobs[1] = made_job("JobId=31 JobName=y\n   BatchFlag=1 "
                             "Dependency=afterok:30(unfulfilled),singleton(unfulfilled)\n");
    saved.jobs[1].job_id = 31;
    units_make(&saved, &units);

    ck_assert(!units_map_dependency(&units, &units.at[1]));
    units.at[0].job_id = 7;
    ck_assert(units_map_dependency(&units, &units.at[1]));

    ck_assert_str_eq(units.at[1].dependency, "afterok:7,singleton");
    ck_assert_ptr_null(units.at[1].dependency_lacks);
    ck_assert_str_eq(units.at[1].origin, "lab:31@2026-11-27T12:01:04");
    unit_stay(&units.at[0], "gone");
    ck_assert(units_map_dependency(&units, &units.at[1]));
    ck_assert_ptr_nonnull(units.at[1].dependency_lacks);
    units_clear(&units);
    saved_clear(&saved);
}
END_TEST

CHECK_MAIN("queue", LOOP_CASE(what_is_shown_becomes_options, ARRAY_N(shown_rows)),
           CASE(arguments_and_host_are_taken_from_the_text),
           LOOP_CASE(what_cannot_come_is_told, ARRAY_N(staying)),
           CASE(lines_of_squeue_become_records), CASE(a_line_that_is_none_is_refused),
           CASE(variables_may_have_lines), CASE(dependencies_get_numbers_of_here))
