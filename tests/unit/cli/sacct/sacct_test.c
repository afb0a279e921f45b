/*
 * The history below stood in the database of a Slurm 22.05; what is expected is what its sacct
 * printed. (It has Reserved where 25.05 has Planned: both are known here.)
 */
#include "unit/check_main.h"

#include <string.h>
#include <time.h>

#include "cli/sacct/filter.h"
#include "cli/sacct/layout.h"

#define SUBMIT INT64_C(1795209479) /* 2026-11-20T21:17:59 */
#define NOW    (SUBMIT + 2373)

struct sample_step {
    uint32_t id;
    const char *name;
    uint32_t state, end_state;
    int64_t start, end;
    int32_t status;
    uint32_t ended_by, nodes, cpus, tasks;
};

struct sample {
    uint32_t id;
    const char *name;
    uint32_t state;
    int64_t start, end; /* after the submit; 0: not yet */
    int32_t status, derived;
    uint32_t ended_by, nodes, cpus;
    int64_t limit;
    uint64_t mem;
    uint32_t uid;
    struct sample_step steps[3];
};

#define OVER   STEP_ENDED
#define NOBODY COUNT_UNSET

/* clang-format off */
static const struct sample samples[] = {
    { 10, "multijobverylongname", JOB_FAILED, 3, 63, 3 << 8, 2 << 8, NOBODY, 2, 3, 600, 500, 1000,
      { { STEP_BATCH, "batch", OVER, JOB_FAILED, 3, 63, 3 << 8, NOBODY, 1, 2, 1 },
        { 0, "true", OVER, JOB_COMPLETE, 4, 5, 0, NOBODY, 1, 1, 1 },
        { 1, "false", OVER, JOB_FAILED, 5, 6, 2 << 8, NOBODY, 2, 2, 2 } } },
    { 11, "slow", JOB_TIMEOUT, 3, 90063, 0, 0, NOBODY, 1, 3, 90000, 300, 1000,
      { { STEP_BATCH, "batch", OVER, JOB_CANCELLED, 3, 90064, 15, NOBODY, 1, 1, 1 } } },
    { 12, "gone", JOB_CANCELLED, 3, 13, 15, 0, 1000, 1, 1, LIMIT_INFINITE, 0, 1000,
      { { STEP_BATCH, "batch", OVER, JOB_CANCELLED, 3, 14, 15, NOBODY, 1, 1, 1 },
        { 0, "sleep", OVER, JOB_CANCELLED, 3, 14, 15, 1000, 1, 1, 1 } } },
    { 13, "never", JOB_CANCELLED, 20, 20, 0, 0, 0, 0, 1, LIMIT_INFINITE, 0, 1000, { { 0 } } },
    { 14, "runs", JOB_RUNNING, 3, 0, 0, 0, NOBODY, 1, 1, LIMIT_INFINITE, 0, 1000,
      { { STEP_BATCH, "batch", STEP_RUNNING, 0, 3, 0, 0, NOBODY, 1, 1, 1 } } },
    { 15, "waits", JOB_PENDING, 0, 0, 0, 0, NOBODY, 0, 4, LIMIT_UNSET, 0, 1000, { { 0 } } },
    { 16, "killed", JOB_FAILED, 3, 4, 9, 0, NOBODY, 1, 1, LIMIT_INFINITE, 0, 0,
      { { STEP_BATCH, "batch", OVER, JOB_FAILED, 3, 4, 9, NOBODY, 1, 1, 1 } } },
};
/* clang-format on */

#define SAMPLES ARRAY_N(samples)

static struct history_job history[SAMPLES];

static int64_t moment(int64_t after_submit)
{
    return after_submit ? SUBMIT + after_submit : 0;
}

static void fill_step(struct history_job *job, const struct sample_step *sample)
{
    struct step_record *step = ARRAY_PUSH(job->steps, job->steps_n);

    step_record_init(step);
    step->job_id = job->job->id;
    step->step_id = sample->id;
    step->name = xstrdup(sample->name);
    step->state = sample->state;
    step->end_state = sample->end_state;
    step->start_time = moment(sample->start);
    step->end_time = moment(sample->end);
    step->exit_status = sample->status;
    step->ended_by = sample->ended_by;
    step->ncpus = sample->cpus;
    step->ntasks = sample->tasks;
    step->node_list = xstrdup(sample->nodes == 2 ? "worker-[1-2]" : "worker-1");
    for (uint32_t i = 0; i < sample->nodes; i++)
        step_node_init(ARRAY_PUSH(step->nodes, step->nodes_n));
}

static void fill_spec(struct job_spec *spec, const struct sample *sample)
{
    job_spec_init(spec);
    spec->name = xstrdup(sample->name);
    spec->account = xstrdup("lab");
    spec->min_nodes = sample->nodes ? sample->nodes : 1;
    spec->time_limit = sample->limit;
    spec->mem_per_node = sample->mem;
}

static void fill_job(struct job_record *job, const struct sample *sample)
{
    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    fill_spec(job->spec, sample);
    job->id = sample->id;
    job->uid = job->gid = sample->uid;
    job->user_name = xstrdup(sample->uid ? "ann" : "root");
    job->group_name = xstrdup(sample->uid ? "staff" : "root");
    job->partition = xstrdup("main");
    job->state = sample->state;
    job->ended_by = sample->ended_by;
    job->priority = 1;
    job->submit_time = job->eligible_time = SUBMIT;
    job->start_time = moment(sample->start);
    job->end_time = moment(sample->end);
    job->exit_status = sample->status;
    job->derived_status = sample->derived;
    job->ncpus = sample->cpus;
    if (sample->nodes)
        job->node_list = xstrdup(sample->nodes == 2 ? "worker-[1-2]" : "worker-1");
    for (uint32_t i = 0; i < sample->nodes; i++) {
        struct job_node *node = ARRAY_PUSH(job->nodes, job->nodes_n);

        job_node_init(node);
        node->name = xasprintf("worker-%u", i + 1);
        node->memory = sample->mem ? sample->mem : MB_UNSET;
    }
}

static void before(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    for (size_t i = 0; i < SAMPLES; i++) {
        history_job_init(&history[i]);
        history[i].now = NOW;
        history[i].job = xcalloc(1, sizeof(*history[i].job));
        fill_job(history[i].job, &samples[i]);
        history[i].body = xmalloc(sizeof(*history[i].body));
        job_body_init(history[i].body);
        history[i].body->work_dir = xstrdup("/home/ann");
        history[i].body->submit_line = xstrdup("sbatch job.sh");
        for (size_t j = 0; j < 3 && samples[i].steps[j].name; j++)
            fill_step(&history[i], &samples[i].steps[j]);
    }
}

static void after(void)
{
    for (size_t i = 0; i < SAMPLES; i++)
        history_job_clear(&history[i]);
}

static int64_t find_user(const char *name)
{
    return strcmp(name, "ann") == 0 ? 1000 : -1;
}

static const struct acct_lookup lookup = { find_user, find_user };

/* What sacct prints with these options, run by this user. */
static char *list(struct sacct_options *options, const char *fields, uint32_t uid)
{
    AUTO(acct_filter) struct acct_filter filter;
    AUTO(report_format) struct report_format format;
    AUTO(words) struct words words = words_split(fields, ",");
    const enum acct_style style = options->parsable2  ? ACCT_PARSABLE2
                                  : options->parsable ? ACCT_PARSABLE
                                                      : ACCT_COLUMNS;
    const struct acct_context mine = { .cluster = "lab",
                                       .unit = options->units ? options->units[0] : '\0' };
    const struct report_context ctx = { .now = NOW,
                                        .time_manner = options->time_format,
                                        .exact_units = options->exact_units,
                                        .user = &mine };
    struct strbuf out = { 0 };
    struct err err = { 0 };

    ck_assert_msg(acct_filter_init(&filter, options, NOW, uid, &lookup, &err) == 0, "%s", err.text);
    ck_assert_int_eq(acct_layout(&acct_choice, &words, style, "|", &format, &err), 0);
    if (options->no_header)
        format.overflow = '+';
    else
        acct_header(&format, style, &out);
    for (size_t i = 0; i < SAMPLES; i++) {
        const struct acct_row row = acct_row_of_job(&history[i], !options->allocations);

        if (!acct_filter_wants(&filter, &history[i]))
            continue;
        if (acct_filter_wants_line(&filter, history[i].job))
            report_line(&format, &ctx, &row, &out);
        for (uint32_t j = 0; j < history[i].steps_n; j++) {
            const struct acct_row line = acct_row_of_step(history[i].job, &history[i].steps[j]);

            if (acct_filter_wants_step(&filter, history[i].job, &history[i].steps[j]))
                report_line(&format, &ctx, &line, &out);
        }
    }
    sacct_options_clear(options);
    return strbuf_steal(&out);
}

START_TEST(every_column_leads_to_a_value)
{
    struct err err = { 0 };

    ck_assert_msg(report_table_check(&acct_table, &err) == 0, "%s", err.text);
}
END_TEST

START_TEST(the_usual_columns_are_slurms)
{
    struct sacct_options options = { 0 };
    AUTO_FREE char *text =
        list(&options, "jobid,jobname,partition,account,alloccpus,state,exitcode", 0);

    ck_assert_str_eq(
        text, "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode \n"
              "------------ ---------- ---------- ---------- ---------- ---------- -------- \n"
              "10           multijobv+       main        lab          3     FAILED      3:0 \n"
              "10.batch          batch                   lab          2     FAILED      3:0 \n"
              "10.0               true                   lab          1  COMPLETED      0:0 \n"
              "10.1              false                   lab          2     FAILED      2:0 \n"
              "11                 slow       main        lab          3    TIMEOUT      0:0 \n"
              "11.batch          batch                   lab          1  CANCELLED     0:15 \n"
              "12                 gone       main        lab          1 CANCELLED+      0:0 \n"
              "12.batch          batch                   lab          1  CANCELLED     0:15 \n"
              "12.0              sleep                   lab          1 CANCELLED+     0:15 \n"
              "13                never       main        lab          1 CANCELLED+      0:0 \n"
              "14                 runs       main        lab          1    RUNNING      0:0 \n"
              "14.batch          batch                   lab          1    RUNNING      0:0 \n"
              "15                waits       main        lab          4    PENDING      0:0 \n"
              "16               killed       main        lab          1     FAILED      0:9 \n"
              "16.batch          batch                   lab          1     FAILED      0:9 \n");
}
END_TEST

/* What is printed of jobs 10 to 16 and of some steps, field by field. */
static const struct {
    const char *fields;
    const char *jobs; /* for -j, -X; or steps */
    const char *text;
} values[] = {
    { "state,exitcode,derivedexitcode", "10,12,13",
      "FAILED|3:0|2:0\nCANCELLED by 1000|0:0|0:0\n"
      "CANCELLED by 0|0:0|0:0\n" },
    { "state,derivedexitcode", "12.0,12.batch", "CANCELLED|\nCANCELLED by 1000|\n" },
    { "start,end", "10,13,14,15",
      "2026-11-20T21:18:02|2026-11-20T21:19:02\n"
      "None|2026-11-20T21:18:19\n"
      "2026-11-20T21:18:02|Unknown\nUnknown|Unknown\n" },
    { "submit,eligible", "10", "2026-11-20T21:17:59|2026-11-20T21:17:59\n" },
    { "submit,eligible", "10.1", "2026-11-20T21:18:04|2026-11-20T21:18:04\n" },
    { "elapsed,elapsedraw", "10,11,13,14,15",
      "00:01:00|60\n1-01:01:00|90060\n00:00:00|0\n00:39:30|2370\n00:00:00|0\n" },
    { "elapsed,elapsedraw", "14.batch", "00:39:30|2370\n" },
    { "timelimit,timelimitraw", "10,11,12,15",
      "00:10:00|10\n1-01:00:00|1500\nUNLIMITED|UNLIMITED\nPartition_Limit|Partition_Limit\n" },
    { "timelimit,timelimitraw", "10.0", "|\n" },
    { "user,uid,group,gid", "10", "ann|1000|staff|1000\n" },
    { "user,uid,group,gid", "10.0", "|||\n" },
    { "nnodes,allocnodes,reqnodes,ntasks", "10,13,15", "2|2|2|\n1|0|1|\n1|0|1|\n" },
    { "nnodes,allocnodes,reqnodes,ntasks", "10.1", "2|2|2|2\n" },
    { "ncpus,alloccpus,reqcpus", "10,13,15", "3|3|3\n1|1|1\n4|4|4\n" },
    { "nodelist", "10,13", "worker-[1-2]\nNone assigned\n" },
    { "reqmem,alloctres,reqtres", "10,11,15",
      "1000M|billing=3,cpu=3,mem=1000M,node=2|billing=3,cpu=3,mem=1000M,node=2\n"
      "300M|billing=3,cpu=3,mem=300M,node=1|billing=3,cpu=3,mem=300M,node=1\n"
      "0||billing=4,cpu=4,node=1\n" },
    { "reqmem,reqtres", "10.0", "|\n" },
    { "cputime,cputimeraw,totalcpu,usercpu,systemcpu", "10,11",
      "00:03:00|180|00:00:00|00:00:00|00:00:00\n3-03:03:00|270180|00:00:00|00:00:00|00:00:00\n" },
    { "partition,account,jobname", "10.0", "|lab|true\n" },
    { "reserved,resvcpu,planned,plannedcpu,plannedcpuraw", "10,13,15",
      "00:00:03|00:00:09|00:00:03|00:00:09|9\n00:00:20|00:00:20|00:00:20|00:00:20|20\n"
      "00:39:33|02:38:12|00:39:33|02:38:12|9492\n" },
    { "reserved,reason,priority,workdir", "10.0", "|||\n" },
    { "reason,priority,suspended,workdir,submitline,cluster", "10",
      "None|1|00:00:00|/home/ann|sbatch job.sh|lab\n" },
    { "flags,layout,maxrss,averss,avecpu,consumedenergy,jobidraw,wckey,mcslabel,allocgres", "10.0",
      "|Unknown||||0|10.0|||\n" },
    { "layout,maxrss", "10", "|\n" },
};

START_TEST(values_are_slurms)
{
    struct sacct_options options = { .no_header = true, .parsable2 = true };
    AUTO_FREE char *text = NULL;

    options.jobs = words_split(values[_i].jobs, ",");
    options.allocations = !strchr(values[_i].jobs, '.');
    text = list(&options, values[_i].fields, 0);

    ck_assert_str_eq(text, values[_i].text);
}
END_TEST

/* Which jobs (-n -X -o jobid) are listed by options. */
static const struct {
    struct sacct_options options;
    const char *jobs, *states;
    uint32_t uid;
    const char *ids;
} choices[] = {
    { { 0 }, "", "", 0, "10 11 12 13 14 15 16 " },
    { { 0 }, "", "", 1000, "10 11 12 13 14 15 " },
    { { .all_users = true }, "", "", 1000, "10 11 12 13 14 15 16 " },
    { { 0 }, "16", "", 1000, "16 " },
    { { 0 }, "99", "", 0, "" },
    { { 0 }, "10_1", "", 0, "" },
    { { 0 }, "10.0", "", 0, "10 " },
    { { 0 }, "", "r", 0, "11 14 " },
    { { 0 }, "", "pd", 0, "15 " },
    { { 0 }, "", "ca", 0, "" },
    { { .start = "2026-11-20" }, "", "ca", 0, "" },
    { { .start = "2026-11-20", .end = "now" }, "", "ca", 0, "12 13 " },
    { { .start = "2026-11-20", .end = "now" }, "", "f", 0, "10 16 " },
    { { .start = "2026-11-20", .end = "now" }, "", "to", 0, "" },
    { { .start = "2026-11-20", .end = "now" }, "", "pd", 0, "10 11 12 13 14 15 16 " },
    { { .start = "2026-11-20", .end = "now" }, "", "r", 0, "10 11 12 14 16 " },
    { { .start = "2026-11-20", .end = "now" }, "", "rs,rq", 0, "" },
    { { .start = "2026-11-20T21:18:11", .end = "2026-11-20T21:18:11" },
      "",
      "r",
      0,
      "10 11 12 14 " },
    { { .start = "2026-11-20T21:18:30" }, "", "", 0, "10 11 14 15 " },
    { { .end = "2026-11-20T21:18:00" }, "", "", 0, "10 11 12 13 14 15 16 " },
    { { .end = "2026-11-20T21:17:58" }, "", "", 0, "" },
    { { .start = "now" }, "10", "", 0, "" },
    { { 0 }, "10,12", "failed", 0, "10 " },
    { { 0 }, "12", "ca", 0, "12 " },
    { { .nodes = "worker-[2-3]" }, "", "", 0, "10 " },
    { { .nnodes = "2" }, "", "", 0, "10 " },
    { { .ncpus = "3" }, "", "", 0, "10 11 " },
    { { .ncpus = "2-4" }, "", "", 0, "10 11 15 " },
    { { .limit_min = "10" }, "", "", 0, "10 " },
    { { .limit_min = "5", .limit_max = "2-0" }, "", "", 0, "10 11 " },
};

START_TEST(jobs_are_chosen_as_slurm_does)
{
    struct sacct_options options = choices[_i].options;
    AUTO_FREE char *text = NULL;

    options.no_header = options.allocations = options.parsable2 = true;
    options.jobs = words_split(choices[_i].jobs, ",");
    options.states = words_split(choices[_i].states, ",");
    text = list(&options, "jobid", choices[_i].uid);
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;

    ck_assert_str_eq(text, choices[_i].ids);
}
END_TEST

START_TEST(words_choose_jobs_too)
{
    struct sacct_options options = { .no_header = true, .allocations = true };
    AUTO_FREE char *text = NULL;

    options.names = words_split("gone,runs", ",");
    options.users = words_split("ann,0", ",");
    options.partitions = words_split("main", ",");
    options.accounts = words_split("lab", ",");
    text = list(&options, "jobid", 1);

    ck_assert_str_eq(text, "12           \n14           \n");
}
END_TEST

static const struct {
    const char *states;
    bool wanted;
} of_requeued[] = { { "", true },    { "RQ", true }, { "requeued", true }, { "R", true },
                    { "CA", false }, { "PD", true }, { "CD", false },      { "CA,RQ", true } };

START_TEST(a_run_before_a_requeue_is_no_cancelled_job)
{
    AUTO(acct_filter) struct acct_filter filter;
    struct sacct_options options = { .start = "now-1hour", .end = "now", .all_users = true };
    struct history_job *gone = &history[2];
    struct err err = { 0 };

    options.states = words_split(of_requeued[_i].states, ",");
    ck_assert_msg(acct_filter_init(&filter, &options, NOW, 0, &lookup, &err) == 0, "%s", err.text);
    gone->is_earlier_run = true;
    ck_assert_int_eq(acct_filter_wants(&filter, gone), of_requeued[_i].wanted);
    gone->is_earlier_run = false;
    sacct_options_clear(&options);
}
END_TEST

START_TEST(steps_can_be_named)
{
    struct sacct_options options = { .no_header = true };
    AUTO_FREE char *text = NULL;

    options.jobs = words_split("10.1,12.batch", ",");
    text = list(&options, "jobid,state,exitcode", 0);

    ck_assert_str_eq(text,
                     "10.1             FAILED      2:0 \n12.batch      CANCELLED     0:15 \n");
}
END_TEST

static const struct {
    const char *fields;
    bool parsable, parsable2;
    const char *text;
} layouts[] = {
    { "jobid%-8,jobname%5,state%20", false, false,
      "JobID    JobNa                State \n-------- ----- -------------------- \n"
      "10       mult+               FAILED \n" },
    { "jobid%5,state%-10,user%0", false, false,
      "JobID State       \n----- ----------  \n   10 FAILED      \n" },
    { "jobname%-12,TimelimitRaw", false, false,
      "JobName      TimelimitR \n------------ ---------- \nmultijobver+         10 \n" },
    { "jobid,stat", false, true, "JobID|State\n10|FAILED\n" },
    { "jobid%3,state%20", true, false, "JobID|State|\n10|FAILED|\n" },
};

START_TEST(widths_and_sides_are_kept)
{
    struct sacct_options options = { .parsable = layouts[_i].parsable,
                                     .parsable2 = layouts[_i].parsable2,
                                     .allocations = true };
    AUTO_FREE char *text = NULL;

    options.jobs = words_split("10", ",");
    text = list(&options, layouts[_i].fields, 0);

    ck_assert_str_eq(text, layouts[_i].text);
}
END_TEST

START_TEST(units_can_be_chosen)
{
    struct sacct_options exact = { .no_header = true, .parsable2 = true, .units = "K" };
    struct sacct_options big = { .no_header = true, .parsable2 = true, .units = "G" };
    AUTO_FREE char *kilo = NULL;
    AUTO_FREE char *giga = NULL;

    exact.allocations = big.allocations = true;
    exact.jobs = words_split("10", ",");
    big.jobs = words_split("10", ",");
    kilo = list(&exact, "reqmem,alloctres", 0);
    giga = list(&big, "reqmem", 0);

    ck_assert_str_eq(kilo, "1024000K|billing=3,cpu=3,mem=1024000K,node=2\n");
    ck_assert_str_eq(giga, "0.98G\n");
}
END_TEST

START_TEST(what_another_accounting_kept_is_told_as_it_stands)
{
    struct sacct_options options = {
        .parsable2 = true, .no_header = true, .allocations = true, .jobs = words_split("13", ",")
    };
    AUTO_FREE char *own = NULL, *imported = NULL;

    history[3].job->exit_status = 15;
    own = list(&options, "state,exitcode,qos", 0);
    history[3].job->flags |= JOB_FLAG_IMPORTED;
    options.jobs = words_split("13", ",");
    imported = list(&options, "state,exitcode,qos", 0);

    ck_assert_str_eq(own, "CANCELLED by 0|0:0|\n");
    ck_assert_str_eq(imported, "CANCELLED by 0|0:15|Unknown\n");
}
END_TEST

/* As Slurm 22.05.8 tells it; its controller shows 0:1. */
START_TEST(a_job_that_its_deadline_kept_from_running_has_failed)
{
    struct sacct_options options = {
        .parsable2 = true, .no_header = true, .allocations = true, .jobs = words_split("12,13", ",")
    };
    AUTO_FREE char *text = NULL;

    history[2].job->state = history[3].job->state = JOB_DEADLINE;
    history[2].job->exit_status = 15; /* this one ran */
    history[3].job->exit_status = 1;
    text = list(&options, "state,exitcode", 0);

    ck_assert_str_eq(text, "DEADLINE|0:0\nDEADLINE|1:0\n");
}
END_TEST

/* As Slurm 22.05.8 prints "-P -o JobID,JobName,State": scripts get what was written. */
START_TEST(a_divider_in_a_value_is_printed_as_it_is)
{
    struct sacct_options options = {
        .parsable2 = true, .no_header = true, .allocations = true, .jobs = words_split("12", ",")
    };
    AUTO_FREE char *text = NULL;

    xstrset(&history[2].job->spec->name, "pipe|name");
    text = list(&options, "jobid,jobname,exitcode", 0);

    ck_assert_str_eq(text, "12|pipe|name|0:0\n");
}
END_TEST

START_TEST(a_reservation_is_the_one_that_the_job_got_of_those_it_named)
{
    struct sacct_options options = { .no_header = true, .parsable2 = true };
    AUTO_FREE char *waits = NULL;
    AUTO_FREE char *runs = NULL;

    options.allocations = true;
    options.jobs = words_split("12", ",");
    xstrset(&history[2].job->spec->reservation, "r1,r2");
    waits = list(&options, "reservation,reservationid", 0);
    xstrset(&history[2].job->resv_name, "r2");
    history[2].job->resv_id = 7;
    options.jobs = words_split("12", ",");
    runs = list(&options, "reservation,reservationid", 0);

    ck_assert_str_eq(waits, "r1,r2|\n");
    ck_assert_str_eq(runs, "r2|7\n");
}
END_TEST

START_TEST(times_follow_the_manner_asked_for)
{
    struct sacct_options options = { .no_header = true, .parsable2 = true, .time_format = "%s" };
    AUTO_FREE char *text = NULL;

    options.allocations = true;
    options.jobs = words_split("14,15", ",");
    text = list(&options, "start,end", 0);

    ck_assert_str_eq(text, "1795209482|Unknown\nUnknown|Unknown\n");
}
END_TEST

static const struct {
    struct sacct_options options;
    const char *jobs, *states;
    const char *text;
} windows[] = {
    { { 0 },
      "",
      "",
      "Eligible in the time window from Fri Nov 20 00:00:00 2026 to Fri Nov 20 21:57:33 2026" },
    { { 0 }, "10", "", "Eligible in the time window from Epoch 0 to Fri Nov 20 21:57:33 2026" },
    { { 0 },
      "",
      "f",
      "of these states in the time window from Fri Nov 20 21:57:32 2026 to Fri Nov 20 21:57:33 "
      "2026" },
    { { .start = "2026-11-07", .end = "2026-11-19" },
      "10",
      "f",
      "of these states in the time window from Sat Nov  7 00:00:00 2026 to Thu Nov 19 00:00:00 "
      "2026" },
};

START_TEST(the_window_is_told)
{
    AUTO(acct_filter) struct acct_filter filter;
    AUTO(strbuf) struct strbuf text = { 0 };
    struct sacct_options options = windows[_i].options;
    struct err err = { 0 };

    options.jobs = words_split(windows[_i].jobs, ",");
    options.states = words_split(windows[_i].states, ",");
    ck_assert_msg(acct_filter_init(&filter, &options, NOW, 0, &lookup, &err) == 0, "%s", err.text);
    acct_filter_describe(&filter, &text);

    ck_assert_str_eq(strbuf_text(&text) + strlen("Jobs "), windows[_i].text);
    sacct_options_clear(&options);
}
END_TEST

static const struct {
    struct sacct_options options;
    const char *jobs, *states, *users;
    const char *text;
} refused[] = {
    { { 0 }, "", "nix", "", "fatal: unrecognized job state value 'nix'" },
    { { 0 }, "abc", "", "", "fatal: Bad job/step specified: abc" },
    { { 0 }, "", "", "bob", "error: Invalid user id: bob" },
    { { .start = "xx" }, "", "", "", "Invalid time specification (pos=0): xx" },
    { { .start = "2026-11-20", .end = "2026-11-19" },
      "",
      "",
      "",
      "error: Start time (2026-11-20T00:00:00) requested is after end time "
      "(2026-11-19T00:00:00)." },
    { { .start = "112126" },
      "10",
      "",
      "",
      "error: Start time (2026-11-21T00:00:00) requested is after end time "
      "(2026-11-20T21:57:32)." },
    { { .limit_max = "x" }, "", "", "", "fatal: Invalid time limit specification" },
    { { .limit_min = "0" }, "", "", "", "fatal: Invalid time limit specification" },
    { { .nnodes = "x" },
      "",
      "",
      "",
      "error: Invalid numeric value \"x\" for requested node range." },
};

START_TEST(wrong_options_are_refused_in_slurms_words)
{
    AUTO(acct_filter) struct acct_filter filter;
    struct sacct_options options = refused[_i].options;
    struct err err = { 0 };

    options.jobs = words_split(refused[_i].jobs, ",");
    options.states = words_split(refused[_i].states, ",");
    options.users = words_split(refused[_i].users, ",");
    ck_assert_int_lt(acct_filter_init(&filter, &options, NOW, 0, &lookup, &err), 0);

    ck_assert_str_eq(err.text, refused[_i].text);
    sacct_options_clear(&options);
}
END_TEST

START_TEST(an_unknown_field_is_named)
{
    AUTO(words) struct words words = words_split("jobid,nix%20", ",");
    struct report_format format;
    struct err err = { 0 };

    ck_assert_int_lt(acct_layout(&acct_choice, &words, ACCT_COLUMNS, "|", &format, &err), 0);

    ck_assert_str_eq(err.text, "Invalid field requested: \"nix\"");
}
END_TEST

START_TEST(all_names_are_listed_four_to_a_line)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    const char *first = "Account             AdminComment        AllocCPUS           "
                        "AllocNodes         \n";

    acct_names(&acct_choice, ACCT_NAMES_WIDTH, &out);

    ck_assert_int_eq(strncmp(strbuf_text(&out), first, strlen(first)), 0);
    ck_assert_ptr_null(strstr(strbuf_text(&out), "Planned"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "ResvCPURAW          Start "));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "WorkDir            \n"));
}
END_TEST

/* Names that public tools ask for. */
static const char *const asked[] = {
    "state",
    "jobid",
    "exitcode",
    "end",
    "jobidraw",
    "start",
    "elapsed",
    "jobname",
    "maxrss",
    "nodelist",
    "reqmem",
    "account",
    "ncpus",
    "nnodes",
    "partition",
    "timelimit",
    "totalcpu",
    "user",
    "admincomment",
    "alloctres",
    "group",
    "systemcpu",
    "alloccpus",
    "cluster",
    "comment",
    "cputimeraw",
    "qos",
    "submit",
    "timelimitraw",
    "usercpu",
    "gid",
    "reqcpus",
    "reqtres",
    "uid",
    "allocgres",
    "allocnodes",
    "avecpu",
    "cputime",
    "dbindex",
    "elapsedraw",
    "eligible",
    "extra",
    "maxvmsize",
    "ntasks",
    "tresusageintot",
    "tresusageoutave",
    "wckey",
    "workdir",
};

START_TEST(every_name_in_use_is_known)
{
    ck_assert_ptr_nonnull(report_find_name(&acct_table, asked[_i]));
}
END_TEST

CHECK_MAIN_WITH(sacct, before, after, CASE(every_column_leads_to_a_value),
                CASE(the_usual_columns_are_slurms), LOOP_CASE(values_are_slurms, ARRAY_N(values)),
                LOOP_CASE(jobs_are_chosen_as_slurm_does, ARRAY_N(choices)),
                CASE(words_choose_jobs_too), CASE(steps_can_be_named),
                LOOP_CASE(a_run_before_a_requeue_is_no_cancelled_job, ARRAY_N(of_requeued)),
                LOOP_CASE(widths_and_sides_are_kept, ARRAY_N(layouts)), CASE(units_can_be_chosen),
                CASE(a_divider_in_a_value_is_printed_as_it_is),
                CASE(a_job_that_its_deadline_kept_from_running_has_failed),
                CASE(what_another_accounting_kept_is_told_as_it_stands),
                CASE(a_reservation_is_the_one_that_the_job_got_of_those_it_named),
                CASE(times_follow_the_manner_asked_for),
                LOOP_CASE(the_window_is_told, ARRAY_N(windows)),
                LOOP_CASE(wrong_options_are_refused_in_slurms_words, ARRAY_N(refused)),
                CASE(an_unknown_field_is_named), CASE(all_names_are_listed_four_to_a_line),
                LOOP_CASE(every_name_in_use_is_known, ARRAY_N(asked)))
