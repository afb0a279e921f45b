/*
 * The queue below was made on a Slurm 22.05 with three nodes; what is expected is what its squeue
 * printed.
 */
#include "unit/check_main.h"
#include "unit/cli/made_records.h"

#include <string.h>
#include <time.h>

#include "cli/squeue/lines.h"
#include "cli/squeue/rows.h"
#include "common/msg/types.h"
#include "common/report/format.h"

#define SUBMIT   INT64_C(1795208073) /* 2026-11-20T20:54:33 */
#define NOW      (SUBMIT + 63)
#define UNLISTED LIMIT_INFINITE

struct sample {
    uint32_t id;
    const char *name, *partition;
    uint32_t state, reason;
    int64_t start, end, limit;
    uint32_t ncpus, nodes;
    const char *node_list;
};

static const struct sample samples[] = {
    { 1, "done1", "main", JOB_COMPLETE, 0, 1, 1, UNLISTED, 1, 1, "worker-1" },
    { 2, "fail1", "main", JOB_FAILED, REASON_NON_ZERO_EXIT, 1, 1, UNLISTED, 1, 1, "worker-1" },
    { 3, "cancelme", "main", JOB_CANCELLED, 0, -1, 0, 300, 1, 1, NULL },
    { 4, "run2", "debug", JOB_RUNNING, 0, 1, -1, 600, 4, 2, "worker-[1-2]" },
    { 5, "waitsforall", "main", JOB_PENDING, REASON_RESOURCES, -1, -1, 60, 3, 3, NULL },
    { 6, "indown", "empty", JOB_FAILED, REASON_BAD_CONSTRAINTS, -1, 0, UNLISTED, 1, 1, NULL },
    { 7, "held", "main", JOB_PENDING, REASON_HELD_USER, -1, -1, UNLISTED, 2, 1, NULL },
    { 8, "later", "main", JOB_PENDING, REASON_BEGIN_TIME, -1, -1, UNLISTED, 1, 1, NULL },
};

static int64_t moment(int64_t after_submit)
{
    return after_submit < 0 ? 0 : SUBMIT + after_submit;
}

static void add_nodes(struct job_record *job, const char *list)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;

    if (!list)
        return;
    job->node_list = xstrdup(list);
    hostlist_parse(list, &hosts, NULL);
    for (uint32_t i = 0; i < hostlist_count(hosts); i++) {
        struct job_node *node = ARRAY_PUSH(job->nodes, job->nodes_n);

        job_node_init(node);
        node->name = xstrdup(hostlist_get(hosts, i));
    }
}

static void fill(struct job_info *info, const struct sample *sample)
{
    struct job_record *job = xcalloc(1, sizeof(*job));
    struct job_spec *spec = xcalloc(1, sizeof(*spec));

    job_info_init(info);
    job_record_init(job);
    job_spec_init(spec);
    info->job = job;
    info->now = NOW;
    job->spec = spec;
    job->id = sample->id;
    job->user_name = xstrdup("root");
    job->group_name = xstrdup("root");
    job->partition = xstrdup(sample->partition);
    job->state = sample->state;
    job->reason = sample->reason;
    job->priority = 1;
    job->submit_time = SUBMIT;
    job->start_time = moment(sample->start);
    job->end_time = moment(sample->end);
    job->ncpus = sample->ncpus;
    spec->name = xstrdup(sample->name);
    spec->min_nodes = sample->nodes;
    spec->time_limit = sample->limit;
    info->body = xmalloc(sizeof(*info->body));
    job_body_init(info->body);
    info->body->work_dir = xstrdup("/home/ann");
    add_nodes(job, sample->node_list);
}

static struct job_spec *spec_at(const struct records *jobs, uint32_t i)
{
    struct job_info *info = made_record(jobs, i);

    return info->job->spec;
}

static struct records jobs;

static void before(void)
{
    struct job_info *infos = xcalloc(ARRAY_N(samples), sizeof(*infos));

    setenv("TZ", "UTC", 1);
    tzset();
    for (uint32_t i = 0; i < ARRAY_N(samples); i++)
        fill(&infos[i], &samples[i]);
    jobs = (struct records){ .schema = job_info_schema(), .at = infos, .n = ARRAY_N(samples) };
    infos[4].planned_start = SUBMIT + 601;
    infos[4].planned_nodes = xstrdup("worker-[1-3]");
    spec_at(&jobs, 4)->share = SHARE_EXCLUSIVE;
    infos[6].job->priority = 0;
    spec_at(&jobs, 6)->comment = xstrdup("a b");
    spec_at(&jobs, 6)->nice = 5;
    spec_at(&jobs, 6)->mem_per_node = 1024;
    spec_at(&jobs, 6)->req_nodes = xstrdup("worker-2");
    spec_at(&jobs, 6)->exc_nodes = xstrdup("worker-3");
    spec_at(&jobs, 7)->begin = SUBMIT + 86400;
}

static void after(void)
{
    clear_made_records(&jobs);
}

static void keep(struct records *kept, const struct job_info *info)
{
    kept->at = array_grow_(kept->at, kept->n, sizeof(*info));
    ((struct job_info *)kept->at)[kept->n++] = *info;
}

/* What comes of the same records one by one is the same text. */
static void check_lines(const struct report_format *format, const struct queue_source *source,
                        const struct strbuf *expected)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct records kept = { .schema = job_info_schema() };
    struct queue_source of_kept = *source;
    AUTO(queue_lines) struct queue_lines lines = { .format = format, .source = &of_kept };
    const struct records_reader reader = queue_lines_reader(&lines);

    for (int round = 0; round < 2; round++) { /* the first breaks off */
        reader.begin(reader.ctx);
        for (uint32_t i = 0; i < source->jobs->n / (round ? 1 : 2); i++) {
            const struct job_info *info = record_at(source->jobs, i);

            if (!reader.take(info, reader.ctx) && round)
                keep(&kept, info);
        }
    }
    of_kept.jobs = &kept;
    queue_lines_finish(&lines);
    queue_lines_sort(&lines);
    report_header(format, &out);
    for (uint32_t i = 0; i < lines.n; i++)
        queue_lines_write(&lines, i, &out);
    ck_assert_str_eq(strbuf_text(&out), strbuf_text(expected));
    free(kept.at);
}

/* What squeue prints with these options. */
static char *list(const struct squeue_options *options, const char *sort, const char *letters)
{
    AUTO(queue_filter) struct queue_filter filter;
    AUTO(queue_rows) struct queue_rows rows = { 0 };
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    const struct report_context ctx = { .now = NOW };
    struct report_sort keys;

    report_format_init(&format, &queue_table);
    ck_assert_int_eq(queue_filter_init(&filter, options, 0, NULL), 0);
    ck_assert_int_eq(report_sort_parse(&queue_table, sort, &keys, NULL), 0);
    ck_assert_int_eq(report_format_parse_letters(&format, letters, NULL), 0);
    const struct queue_source source = { .jobs = &jobs,
                                         .filter = &filter,
                                         .sort = &keys,
                                         .cluster = "lab",
                                         .each_task = options->each_task };

    queue_rows_of_jobs(&source, &ctx, &rows);
    report_header(&format, &out);
    for (uint32_t i = 0; i < rows.n; i++)
        report_line(&format, &ctx, rows.order[i], &out);
    check_lines(&format, &source, &out);
    return strbuf_steal(&out);
}

START_TEST(the_usual_columns_are_those_of_slurm)
{
    const struct squeue_options options = { .states = "all" };
    AUTO_FREE char *text = list(&options, "P,t,-p", "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R");

    ck_assert_str_eq(
        text,
        "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
        "                 4     debug     run2     root  R       1:02      2 worker-[1-2]\n"
        "                 6     empty   indown     root  F       0:00      1 (BadConstraints)\n"
        "                 3      main cancelme     root CA       0:00      1 \n"
        "                 1      main    done1     root CD       0:00      1 worker-1\n"
        "                 2      main    fail1     root  F       0:00      1 (NonZeroExitCode)\n"
        "                 8      main    later     root PD       0:00      1 (BeginTime)\n"
        "                 5      main waitsfor     root PD       0:00      3 (Resources)\n"
        "                 7      main     held     root PD       0:00      1 (JobHeldUser)\n");
}
END_TEST

START_TEST(without_states_ended_jobs_are_left_out)
{
    AUTO_FREE char *text = list(&(struct squeue_options){ 0 }, "P,t,-p", "%i/%t");

    ck_assert_str_eq(text, "JOBID/ST\n4/R\n8/PD\n5/PD\n7/PD\n");
}
END_TEST

/* Each was a word that never changed. */
START_TEST(what_only_some_jobs_have_is_shown)
{
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    struct job_info *info = made_record(&jobs, 3);
    struct job_spec *spec = info->job->spec;
    const struct job_row row = { .info = info, .job = info->job, .cluster = "lab" };

    spec->admin_comment = xstrdup("adm");
    spec->licenses = xstrdup("matlab:2");
    spec->reboot = true;
    spec->switches = 1;
    spec->switch_wait_s = 600;
    spec->submit_session = 4711;
    info->job->resize_time = SUBMIT + 1;
    report_format_init(&format, &queue_table);
    ck_assert_int_eq(report_format_parse_names(&format,
                                               "admin_comment:|,LicensesAlloc:|,Reboot:|,"
                                               "ReqSwitch:|,Wait4Switch:|,AllocSID:|,"
                                               "ResizeTime:|,LastSchedEval:|,CronJob:|,"
                                               "ContainerID:|",
                                               NULL),
                     0);
    report_line(&format, &(struct report_context){ .now = NOW }, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), "adm|matlab:2|1|1|10:00|4711|2026-11-20T20:54:34|"
                                        "2026-11-20T20:54:34|No|(null)|\n");
}
END_TEST

/* Their files are many: the pattern stands for them. */
START_TEST(tasks_of_an_array_that_wait_show_the_pattern_of_their_output)
{
    struct job_info *info = made_record(&jobs, 6);
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    const struct job_row row = { .info = info, .job = info->job, .cluster = "lab" };

    info->job->array_job_id = 7;
    info->job->array_tasks = xstrdup("1-3");
    report_format_init(&format, &queue_table);
    ck_assert_int_eq(report_format_parse_names(&format, "STDOUT:|,STDERR:|", NULL), 0);
    report_line(&format, &(struct report_context){ .now = NOW }, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), "/home/ann/slurm-%A_%a.out|/home/ann/slurm-%A_%a.out|\n");
}
END_TEST

START_TEST(starts_are_listed_soonest_first)
{
    AUTO_FREE char *text =
        list(&(struct squeue_options){ .start = true }, "S", "%.5i %.9P %.2t %.19S %.6D %20Y %R");

    ck_assert_str_eq(
        text,
        "JOBID PARTITION ST          START_TIME  NODES SCHEDNODES           NODELIST(REASON)\n"
        "    5      main PD 2026-11-20T21:04:34      3 worker-[1-3]         (Resources)\n"
        "    8      main PD 2026-11-21T20:54:33      1 (null)               (BeginTime)\n"
        "    7      main PD                 N/A      1 (null)               (JobHeldUser)\n");
}
END_TEST

static const struct {
    const char *keys, *expected;
} orders[] = {
    { "t", "3/CA 1/CD 2/F 6/F 8/PD 5/PD 7/PD 4/R" },
    { "-t", "4/R 8/PD 5/PD 7/PD 2/F 6/F 1/CD 3/CA" },
    { "P", "4/R 6/F 8/PD 5/PD 1/CD 2/F 3/CA 7/PD" },
    { "-P", "8/PD 5/PD 1/CD 2/F 3/CA 7/PD 6/F 4/R" },
    { "p", "7/PD 8/PD 5/PD 1/CD 2/F 4/R 3/CA 6/F" },
    { "-p", "8/PD 5/PD 1/CD 2/F 4/R 3/CA 6/F 7/PD" },
    { "i", "1/CD 2/F 3/CA 4/R 5/PD 6/F 7/PD 8/PD" },
    { "-i", "8/PD 7/PD 6/F 5/PD 4/R 3/CA 2/F 1/CD" },
    { "P,t", "4/R 6/F 3/CA 1/CD 2/F 8/PD 5/PD 7/PD" },
    { "P,-p", "4/R 6/F 8/PD 5/PD 1/CD 2/F 3/CA 7/PD" },
    { "S", "3/CA 6/F 1/CD 2/F 4/R 5/PD 8/PD 7/PD" },
    { "-S", "8/PD 5/PD 1/CD 2/F 4/R 3/CA 6/F 7/PD" },
    { "j", "3/CA 1/CD 2/F 7/PD 6/F 8/PD 4/R 5/PD" },
    { "T", "3/CA 1/CD 2/F 6/F 8/PD 5/PD 7/PD 4/R" },
    { "D", "8/PD 1/CD 2/F 3/CA 6/F 7/PD 4/R 5/PD" },
    { "C", "8/PD 1/CD 2/F 3/CA 6/F 7/PD 5/PD 4/R" },
    { "u", "8/PD 5/PD 1/CD 2/F 4/R 3/CA 6/F 7/PD" },
};

START_TEST(jobs_are_sorted_as_slurm_sorts_them)
{
    AUTO_FREE char *text =
        list(&(struct squeue_options){ .states = "all" }, orders[_i].keys, "%i/%t");
    char *lines = strchr(text, '\n') + 1; /* after the header */

    lines[strlen(lines) - 1] = '\0';
    for (char *at = lines; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    ck_assert_str_eq(lines, orders[_i].expected);
}
END_TEST

START_TEST(every_letter_has_slurms_title_and_value)
{
    AUTO_FREE char *text = list(&(struct squeue_options){ .jobs = "4,7" }, "i", "%all");

    ck_assert_str_eq(
        text,
        "ACCOUNT|TRES_PER_NODE|MIN_CPUS|MIN_TMP_DISK|END_TIME|FEATURES|GROUP|OVER_SUBSCRIBE|JOBID|"
        "NAME|COMMENT|TIME_LIMIT|MIN_MEMORY|REQ_NODES|COMMAND|PRIORITY|QOS|REASON||ST|USER|"
        "RESERVATION|WCKEY|EXC_NODES|NICE|S:C:T|JOBID|EXEC_HOST|CPUS|NODES|DEPENDENCY|ARRAY_JOB_ID|"
        "GROUP|SOCKETS_PER_NODE|CORES_PER_SOCKET|THREADS_PER_CORE|ARRAY_TASK_ID|TIME_LEFT|TIME|"
        "NODELIST|CONTIGUOUS|PARTITION|PRIORITY|NODELIST(REASON)|START_TIME|STATE|UID|SUBMIT_TIME|"
        "LICENSES|CORE_SPEC|SCHEDNODES|WORK_DIR\n"
        "(null)|N/A|1|0|2026-11-20T21:04:34|(null)|root|OK|4|run2|(null)|10:00|0||(null)|"
        "0.00000000023283|(null)|None||R|root|(null)|(null)||0|*:*:*|4|worker-1|4|2|(null)|4|0|*|*|"
        "*|N/A|8:58|1:02|worker-[1-2]|0|debug|1|worker-[1-2]|2026-11-20T20:54:34|RUNNING|0|"
        "2026-11-20T20:54:33|(null)|N/A|(null)|/home/ann\n"
        "(null)|N/A|1|0|N/A|(null)|root|OK|7|held|a b|UNLIMITED|1G|worker-2|(null)|"
        "0.00000000000000|(null)|JobHeldUser||PD|root|(null)|(null)|worker-3|5|*:*:*|7|n/a|2|1|"
        "(null)|7|0|*|*|*|N/A|UNLIMITED|0:00||0|main|0|(JobHeldUser)|N/A|PENDING|0|"
        "2026-11-20T20:54:33|(null)|N/A|(null)|/home/ann\n");
}
END_TEST

START_TEST(ends_are_known_expected_or_never)
{
    AUTO_FREE char *text = list(&(struct squeue_options){ .states = "all" }, "i", "%i %e %h %L");

    ck_assert_str_eq(text, "JOBID END_TIME OVER_SUBSCRIBE TIME_LEFT\n"
                           "1 2026-11-20T20:54:34 OK UNLIMITED\n"
                           "2 2026-11-20T20:54:34 OK UNLIMITED\n"
                           "3 2026-11-20T20:54:33 OK 5:00\n"
                           "4 2026-11-20T21:04:34 OK 8:58\n"
                           "5 2026-11-20T21:05:34 NO 1:00\n"
                           "6 2026-11-20T20:54:33 OK UNLIMITED\n"
                           "7 N/A OK UNLIMITED\n"
                           "8 NONE OK UNLIMITED\n");
}
END_TEST

START_TEST(a_waiting_job_shows_the_most_of_its_nodes_and_a_held_one_the_least)
{
    struct job_info *waits = made_record(&jobs, 4), *held = made_record(&jobs, 6);

    waits->job->spec->min_nodes = held->job->spec->min_nodes = 1;
    waits->job->spec->max_nodes = held->job->spec->max_nodes = 4;
    waits->least_nodes = held->least_nodes = 2;
    held->job->priority = 0;
    AUTO_FREE char *text = list(&(struct squeue_options){ .jobs = "5,7" }, "i", "%i %D");

    ck_assert_str_eq(text, "JOBID NODES\n5 4\n7 2\n");
}
END_TEST

START_TEST(a_completing_job_shows_the_nodes_that_are_not_clean)
{
    struct job_info *info = made_record(&jobs, 3);

    info->job->state = JOB_CANCELLED;
    info->job->flags = JOB_FLAG_COMPLETING;
    info->job->nodes[0].clean = true;
    AUTO_FREE char *text = list(&(struct squeue_options){ .jobs = "4" }, "i", "%i %t %D %N %R");

    ck_assert_str_eq(text, "JOBID ST NODES NODELIST NODELIST(REASON)\n4 CG 1 worker-2 worker-2\n");
}
END_TEST

static const struct {
    struct squeue_options options;
    const char *expected; /* ids */
} filters[] = {
    { { .jobs = "4,99" }, "4 " },
    { { .jobs = "1,99" }, "" },
    { { .jobs = "4_1" }, "" },
    { { .jobs = "" }, "4 5 7 8 " },
    { { .states = "CD,f" }, "1 2 6 " },
    { { .states = "running" }, "4 " },
    { { .states = "RQ,SE,CG" }, "" },
    { { .states = "" }, "" }, /* an empty list, as of a variable that is set and empty */
    { { .users = "" }, "" },
    { { .users = "," }, "" },
    { { .users = "", .me = true }, "4 5 7 8 " },
    { { .partitions = "" }, "" },
    { { .names = "" }, "" },
    { { .accounts = "" }, "" },
    { { .qos = "" }, "" },
    { { .licenses = "" }, "" },
    { { .reservation = "" }, "" },
    { { .partitions = "debug,empty", .states = "all" }, "4 6 " },
    { { .partitions = "nope" }, "" },
    { { .names = "held,run2" }, "4 7 " },
    { { .nodes = "worker-[2-3]", .states = "all" }, "4 " },
    { { .users = "0,4242" }, "4 5 7 8 " },
    { { .users = "4242" }, "" },
    { { .me = true }, "4 5 7 8 " },
    { { .not_me = true }, "" },
    { { .accounts = "a" }, "" },
    { { .licenses = "matlab" }, "" },
    { { .reservation = "r" }, "" },
};

START_TEST(only_wanted_jobs_are_listed)
{
    AUTO_FREE char *text = list(&filters[_i].options, "i", "%i");
    char *ids = strchr(text, '\n') + 1;

    for (char *at = ids; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    ck_assert_str_eq(ids, filters[_i].expected);
}
END_TEST

static const struct {
    const char *named, *asked;
    bool is_wanted;
} reservations[] = {
    { "r1", "r1", true },       { "r1", "R1", false },    { "r1,r2", "r1", false },
    { "r1,r2", "r1,r2", true }, { "r1", "r1,r2", false }, { NULL, "r1", false },
};

START_TEST(a_job_that_names_several_reservations_is_found_by_all_of_them)
{
    const struct squeue_options options = { .states = "all",
                                            .reservation = reservations[_i].asked };
    struct job_spec spec = { .reservation = (char *)(uintptr_t)reservations[_i].named };
    const struct job_record job = { .spec = &spec };
    AUTO(queue_filter) struct queue_filter filter;

    ck_assert_int_eq(queue_filter_init(&filter, &options, 0, NULL), 0);

    ck_assert_int_eq(queue_filter_wants_job(&filter, &job), reservations[_i].is_wanted);
}
END_TEST

static const struct {
    struct squeue_options options;
    const char *expected;
} mistakes[] = {
    { { .jobs = "x" }, "Invalid job id: x" },
    { { .jobs = "4,x,y" }, "Invalid job id: x" },
    { { .states = "all,foo" },
      "Invalid job state specified: all\n"
      "Valid job states include: PENDING,RUNNING,SUSPENDED,COMPLETED,CANCELLED,FAILED,TIMEOUT,"
      "NODE_FAIL,PREEMPTED,BOOT_FAIL,DEADLINE,OUT_OF_MEMORY,COMPLETING,CONFIGURING,RESIZING,"
      "RESV_DEL_HOLD,REQUEUED,REQUEUE_FED,REQUEUE_HOLD,REVOKED,SIGNALING,SPECIAL_EXIT,STAGE_OUT,"
      "STOPPED" },
    { { .states = "foo" },
      "Invalid job state specified: foo\n"
      "Valid job states include: PENDING,RUNNING,SUSPENDED,COMPLETED,CANCELLED,FAILED,TIMEOUT,"
      "NODE_FAIL,PREEMPTED,BOOT_FAIL,DEADLINE,OUT_OF_MEMORY,COMPLETING,CONFIGURING,RESIZING,"
      "RESV_DEL_HOLD,REQUEUED,REQUEUE_FED,REQUEUE_HOLD,REVOKED,SIGNALING,SPECIAL_EXIT,STAGE_OUT,"
      "STOPPED" },
};

START_TEST(mistakes_are_worded_as_slurm_words_them)
{
    AUTO(queue_filter) struct queue_filter filter;
    struct err err = { 0 };

    ck_assert_int_lt(queue_filter_init(&filter, &mistakes[_i].options, 0, &err), 0);

    ck_assert_str_eq(err.text, mistakes[_i].expected);
}
END_TEST

START_TEST(users_that_there_are_not_are_noted_and_have_no_jobs)
{
    static const struct squeue_options options = { .users = "nobodyx,0" };
    AUTO(queue_filter) struct queue_filter filter;

    ck_assert_int_eq(queue_filter_init(&filter, &options, 0, NULL), 0);

    ck_assert_uint_eq(filter.strangers.n, 1);
    ck_assert_str_eq(filter.strangers.at[0], "nobodyx");
    ck_assert_uint_eq(filter.uids_n, 1);
    ck_assert(filter.some_users);
}
END_TEST

START_TEST(steps_are_listed_by_partition_and_number)
{
    struct step_record steps[3];
    const struct records records = { .schema = step_record_schema(),
                                     .at = steps,
                                     .n = ARRAY_N(steps) };
    const struct report_context ctx = { .now = NOW };
    static const struct squeue_options options = { .steps = "" };
    static const uint32_t ids[] = { STEP_BATCH, 0, 1 };
    AUTO(queue_filter) struct queue_filter filter;
    AUTO(queue_rows) struct queue_rows rows = { 0 };
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    struct report_sort keys;

    for (uint32_t i = 0; i < ARRAY_N(steps); i++) {
        step_record_init(&steps[i]);
        steps[i].job_id = 4;
        steps[i].step_id = ids[i];
        steps[i].state = i == 2 ? STEP_PENDING : STEP_RUNNING;
        steps[i].name = (char *)(uintptr_t)(i ? "sleep" : "batch");
        steps[i].partition = (char *)(uintptr_t) "debug";
        steps[i].node_list = (char *)(uintptr_t)(i ? "worker-[1-2]" : "worker-1");
        steps[i].start_time = SUBMIT + 1;
    }
    report_format_init(&format, &step_table);
    queue_filter_init(&filter, &options, 0, NULL);
    report_sort_parse(&step_table, "P,i", &keys, NULL);
    report_format_parse_letters(&format, "%.15i %.8j %.9P %.8u %.9M %N", NULL);
    queue_rows_of_steps(&records, &filter, &keys, &ctx, "lab", &rows);
    report_header(&format, &out);
    for (uint32_t i = 0; i < rows.n; i++)
        report_line(&format, &ctx, rows.order[i], &out);

    ck_assert_str_eq(strbuf_text(&out),
                     "         STEPID     NAME PARTITION     USER      TIME NODELIST\n"
                     "            4.0    sleep     debug     root      1:02 worker-[1-2]\n"
                     "        4.batch    batch     debug     root      1:02 worker-1\n");
}
END_TEST

START_TEST(every_path_of_the_tables_leads_to_a_value)
{
    struct err err = { 0 };

    ck_assert_msg(report_table_check(&queue_table, &err) == 0, "%s", err.text);
    ck_assert_msg(report_table_check(&step_table, &err) == 0, "%s", err.text);
}
END_TEST

static const struct {
    struct squeue_options options;
    bool of_steps;
    const char *request;
} requests[] = {
    { { 0 }, false, "states=0,1,2 flags=259 hide=yes" },
    { { .states = "all" }, false, "hide=yes" },
    { { .states = "all", .all = true }, false, "" },
    { { .states = "R,F" }, false, "states=1,5 hide=yes" },
    { { .states = "CG" }, false, "flags=1 hide=yes" },
    { { .start = true }, false, "states=0 hide=yes" },
    { { .jobs = "7,3_4", .states = "PD" }, false, "job_ids=7,3 states=0" },
    { { .partitions = "main,debug", .states = "all" }, false, "partitions='main','debug'" },
    { { .partitions = "main", .me = true }, true, "uids=0" },
};

START_TEST(the_controller_sends_only_what_may_be_shown)
{
    AUTO(queue_filter) struct queue_filter filter;
    AUTO(job_list) struct job_list request;
    AUTO(strbuf) struct strbuf text = { 0 };

    job_list_init(&request);
    ck_assert_int_eq(queue_filter_init(&filter, &requests[_i].options, 0, NULL), 0);
    queue_filter_request(&filter, requests[_i].of_steps, &request);
    schema_print(job_list_schema(), &request, &text);

    ck_assert_str_eq(strbuf_text(&text), requests[_i].request);
}
END_TEST

CHECK_MAIN_WITH(
    squeue, before, after, CASE(the_usual_columns_are_those_of_slurm),
    CASE(without_states_ended_jobs_are_left_out), CASE(starts_are_listed_soonest_first),
    CASE(what_only_some_jobs_have_is_shown),
    CASE(tasks_of_an_array_that_wait_show_the_pattern_of_their_output),
    LOOP_CASE(jobs_are_sorted_as_slurm_sorts_them, ARRAY_N(orders)),
    CASE(every_letter_has_slurms_title_and_value), CASE(ends_are_known_expected_or_never),
    CASE(a_completing_job_shows_the_nodes_that_are_not_clean),
    CASE(a_waiting_job_shows_the_most_of_its_nodes_and_a_held_one_the_least),
    LOOP_CASE(only_wanted_jobs_are_listed, ARRAY_N(filters)),
    LOOP_CASE(a_job_that_names_several_reservations_is_found_by_all_of_them, ARRAY_N(reservations)),
    LOOP_CASE(the_controller_sends_only_what_may_be_shown, ARRAY_N(requests)),
    LOOP_CASE(mistakes_are_worded_as_slurm_words_them, ARRAY_N(mistakes)),
    CASE(users_that_there_are_not_are_noted_and_have_no_jobs),
    CASE(steps_are_listed_by_partition_and_number), CASE(every_path_of_the_tables_leads_to_a_value))
