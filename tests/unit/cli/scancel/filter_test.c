/* Wording as of Slurm 22.05. */
#include "unit/check_main.h"

#include <unistd.h>

#include "cli/scancel/filter.h"
#include "common/text/words.h"

static int parse(struct scancel_filter *filter, const char *line, char *const *environment,
                 struct err *err)
{
    AUTO(words) struct words words = words_split(line, " ");
    char *argv[32] = { "" };

    for (uint32_t i = 0; i < words.n; i++)
        argv[i + 1] = words.at[i];
    return scancel_filter_parse(filter, (int)words.n + 1, argv, environment, err);
}

static const struct {
    const char *line;
    const char *text;
} refusals[] = {
    { "abc", "Invalid job id abc" },
    { "1.x", "Invalid job id 1.x" },
    { "0", "Invalid job id 0" },
    { "[5-6]", "Invalid job id [5-6]" },
    { "-s FOO 1", "Unknown job signal: FOO" },
    { "-u no-such-user-here", "Invalid user name: no-such-user-here" },
    { "-t FOO",
      "Invalid job state specified: FOO\nValid job states are PENDING, RUNNING, and SUSPENDED" },
    { "-t COMPLETED", "Invalid job state specified: COMPLETED\n"
                      "Valid job states are PENDING, RUNNING, and SUSPENDED" },
    { "--foo", "unrecognized option '--foo'" },
    { "-5", "invalid option -- '5'" },
};

START_TEST(what_cannot_be_is_refused)
{
    AUTO(scancel_filter) struct scancel_filter filter = { 0 };
    struct err err = { 0 };

    ck_assert_int_lt(parse(&filter, refusals[_i].line, NULL, &err), 0);
    ck_assert_str_eq(err.text, refusals[_i].text);
}
END_TEST

START_TEST(jobs_and_steps_may_stand_anywhere)
{
    AUTO(scancel_filter) struct scancel_filter filter = { 0 };

    ck_assert_int_eq(parse(&filter, "5,6 -s usr1 7.3 -b --me", NULL, NULL), 0);

    ck_assert_uint_eq(filter.ids.n, 3);
    ck_assert_uint_eq(filter.ids.at[1].job, 6);
    ck_assert_uint_eq(filter.ids.at[1].step, NO_VAL);
    ck_assert_uint_eq(filter.ids.at[2].step, 3);
    ck_assert_int_eq(filter.signal, 10);
    ck_assert(filter.batch && filter.has_uid);
    ck_assert_uint_eq(filter.uid, getuid());
}
END_TEST

START_TEST(the_command_line_replaces_the_environment)
{
    AUTO(scancel_filter) struct scancel_filter filter = { 0 };
    char *environment[] = { "SCANCEL_PARTITION=env", "SCANCEL_NAME=env",      "SCANCEL_FULL=t",
                            "SCANCEL_BATCH=false",   "SCANCEL_INTERACTIVE=1", NULL };

    ck_assert_int_eq(parse(&filter, "-p line 1", environment, NULL), 0);

    ck_assert_str_eq(filter.partition, "line");
    ck_assert_str_eq(filter.name, "env");
    ck_assert(filter.full && !filter.batch && !filter.interactive);
    ck_assert_uint_eq(filter.warnings.n, 1);
    ck_assert_str_eq(filter.warnings.at[0], "Unrecognized SCANCEL_INTERACTIVE value: 1");
}
END_TEST

static const struct {
    const char *line;
    bool fits;
} filters[] = {
    { "-u 77", true },         { "-u 78", false },      { "-n nm", true },
    { "-n nmx", false },       { "-p main", true },     { "-p x", false },
    { "-t RUNNING", true },    { "-t PD", false },      { "-w b,w[1-3]", true },
    { "-w w1", false },        { "-A acc", true },      { "-A x", false },
    { "-q x", false },         { "12 -n nm", true },    { "13 -n nm", false },
    { "-n nm -p main", true }, { "-n nm -p x", false }, { "--wckey=k", false },
    { "-R r", false },         { "12 -R r", false },
};

START_TEST(a_job_fits_when_all_filters_do)
{
    AUTO(scancel_filter) struct scancel_filter filter = { 0 };
    struct job_node node = { .name = (char[]){ "w2" } };
    struct job_spec spec = { .name = (char[]){ "nm" }, .account = (char[]){ "acc" } };
    struct job_record job = { .id = 12,
                              .uid = 77,
                              .spec = &spec,
                              .state = JOB_RUNNING,
                              .partition = (char[]){ "main" },
                              .nodes = &node,
                              .nodes_n = 1 };

    ck_assert_int_eq(parse(&filter, filters[_i].line, NULL, NULL), 0);
    ck_assert(scancel_filter_needs_jobs(&filter));
    ck_assert_int_eq(scancel_filter_fits(&filter, &job), filters[_i].fits);
    job.state = JOB_COMPLETE;
    ck_assert(!scancel_filter_fits(&filter, &job));
}
END_TEST

START_TEST(filters_are_named_when_nothing_fits)
{
    AUTO(scancel_filter) struct scancel_filter filter = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };

    ck_assert_int_eq(parse(&filter, "-n wrap -p main -t PD", NULL, NULL), 0);
    scancel_filter_describe(&filter, &out);

    ck_assert_str_eq(strbuf_text(&out), "job_name=wrap partition=main state=PENDING ");
}
END_TEST

START_TEST(help_is_under_headings_as_in_slurm)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    const char *title;

    scancel_help(&out);
    title = strstr(strbuf_text(&out), "\n\nHelp options:\n");

    ck_assert_ptr_nonnull(title);
    ck_assert_ptr_nonnull(strstr(title, "--usage"));
    ck_assert_ptr_null(strstr(title, "--signal"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "--signal"));
}
END_TEST

CHECK_MAIN(filter, LOOP_CASE(what_cannot_be_is_refused, ARRAY_N(refusals)),
           CASE(jobs_and_steps_may_stand_anywhere), CASE(the_command_line_replaces_the_environment),
           LOOP_CASE(a_job_fits_when_all_filters_do, ARRAY_N(filters)),
           CASE(filters_are_named_when_nothing_fits), CASE(help_is_under_headings_as_in_slurm))
