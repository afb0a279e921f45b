#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "common/msg/job.h"
#include "common/report/format.h"
#include "common/report/record.h"

struct row {
    const struct job_record *job;
};

static const struct report_root roots[] = {
    { "job", job_record_schema, offsetof(struct row, job) },
};

static void make_owner(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct row *job = row;

    (void)ctx;
    if (job->job->uid)
        strbuf_addf(out, "%s(%u)", job->job->user_name, job->job->uid);
}

static const struct report_column columns[] = {
    { .letter = 'i', .name = "JobID", .title = "JOBID", .path = "job.id" },
    { .letter = 'j', .name = "Name", .title = "NAME", .path = "job.spec.name" },
    { .letter = 'T', .name = "State", .title = "STATE", .path = "job.state" },
    { .letter = 'U', .name = "Owner", .title = "OWNER", .make = make_owner, .unset = "nobody" },
    { .letter = 'l', .name = "TimeLimit", .title = "TIME_LIMIT", .path = "job.spec.time_limit" },
    { .name = "Start", .title = "START", .path = "job.start_time" },
};
static const struct report_table table = { roots, ARRAY_N(roots), columns, ARRAY_N(columns) };

/* Header and one line of job 4, in one text. */
static char *show(int (*parse)(struct report_format *, const char *, struct err *),
                  const char *text)
{
    AUTO(job_record) struct job_record job;
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    const struct row row = { &job };

    job_record_init(&job);
    job.id = 4;
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.spec->name = xstrdup("run2");
    job.spec->time_limit = 600;
    report_format_init(&format, &table);
    ck_assert_int_eq(parse(&format, text, NULL), 0);
    report_header(&format, &out);
    report_line(&format, &(struct report_context){ 0 }, &row, &out);
    return strbuf_steal(&out);
}

/* What squeue 22.05 printed for a job 4 named run2; '-' as a sign is ours. */
static const struct {
    const char *format, *expected;
} letters[] = {
    { "%10i", "JOBID     \n4         \n" },
    { "%.10i|", "     JOBID|\n         4|\n" },
    { "%05i|%.05i|%.0i|", "JOBID|JOBID|JOBID|\n4    |    4|4|\n" },
    { "%-8j|", "NAME    |\nrun2    |\n" },
    { "", "\n\n" },
    { "hello", "hello\nhello\n" },
    { "%i %10", "JOBID %10\n4 %10\n" },
    { "%1j%2j", "NNA\nrru\n" },
    { " %i", " JOBID\n 4\n" },
    { "%i\t%j\\n", "JOBID\tNAME\\n\n4\trun2\\n\n" },
    { "%.5i%%", "JOBID\n    4\n" },
    { "%%i|", "JOBID|\n4|\n" },
    { "%.-5i|", "%.-5i|\n%.-5i|\n" },
    { "%?", "%?\n%?\n" },
    { "{\"id\":\"%i\",\"n\":\"%.5j\"} %% x", "{\"id\":\"JOBID\",\"n\":\" NAME\"} % x\n"
                                             "{\"id\":\"4\",\"n\":\" run2\"} % x\n" },
    { "%ALL", "JOBID|NAME|TIME_LIMIT|STATE|OWNER\n4|run2|10:00|0|nobody\n" },
    { "%iall", "JOBIDall\n4all\n" },
};

START_TEST(letters_are_laid_out_as_squeue_does)
{
    AUTO_FREE char *text = show(report_format_parse_letters, letters[_i].format);

    ck_assert_str_eq(text, letters[_i].expected);
}
END_TEST

static const struct {
    const char *format, *expected;
} names[] = {
    { "jobid,name", "JOBID               NAME                \n"
                    "4                   run2                \n" },
    { ",JOBID,,Name,", "JOBID               NAME                \n"
                       "4                   run2                \n" },
    { "jobid:10:x,name:.,state:.x,name:.5.5|", "JOBID     :xNAMESTATEx NAME.5|\n"
                                               "4         :xrun20x run2.5|\n" },
    { "jobid:-5|", "JOBID-5|\n4-5|\n" },
    { "jobid:0x:", "JOBIDx:\n4x:\n" },
    { "jobid:00007|", "JOBID  |\n4      |\n" },
    { "name:.3,name: ,name:\x1f", "NAMNAME NAME\x1f\nrunrun2 run2\x1f\n" },
    { "jobid:, name:", "JOBIDNAME\n4run2\n" },
    { "bogus,name:", "NAME\nrun2\n" },
};

START_TEST(names_are_laid_out_as_squeue_does)
{
    AUTO_FREE char *text = show(report_format_parse_names, names[_i].format);

    ck_assert_str_eq(text, names[_i].expected);
}
END_TEST

START_TEST(what_is_no_column_is_noted)
{
    AUTO(report_format) struct report_format format;

    report_format_init(&format, &table);
    report_format_parse_letters(&format, "%i%?x%5", NULL);
    report_format_parse_names(&format, "jobid,bogus:5", NULL);

    ck_assert_uint_eq(format.unknown_n, 3);
    ck_assert_str_eq(format.unknown[0], "?");
    ck_assert_str_eq(format.unknown[1], "");
    ck_assert_str_eq(format.unknown[2], "bogus");
}
END_TEST

START_TEST(a_width_past_the_limit_is_the_limit)
{
    AUTO(report_format) struct report_format format;

    report_format_init(&format, &table);
    ck_assert_int_eq(report_format_parse_letters(&format, "%99999999999999999999i", NULL), 0);

    ck_assert_uint_eq(format.cells[0].width, REPORT_WIDTH_MAX);
}
END_TEST

START_TEST(a_cut_value_can_end_with_a_mark)
{
    AUTO(job_record) struct job_record job;
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    const struct row row = { &job };

    job_record_init(&job);
    job.id = 1234567;
    report_format_init(&format, &table);
    report_format_add(&format, &columns[0], 5, false, " ", NULL);
    report_format_add(&format, &columns[1], 6, true, " ", NULL);
    format.overflow = '+';
    report_rule(&format, '-', &out);
    report_line(&format, &(struct report_context){ 0 }, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), "----- ------ \n1234+ (null) \n");
}
END_TEST

START_TEST(what_is_not_given_and_has_no_room_is_left_out)
{
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(job_record) struct job_record job;
    const struct row row = { &job };

    job_record_init(&job);
    report_format_init(&format, &table);
    report_format_add(&format, &columns[1], 5, false, "|", NULL);
    report_format_add(&format, &columns[1], 4, true, "|", NULL);
    report_format_add(&format, &columns[1], 6, false, "|", NULL);
    report_format_add(&format, &columns[1], 0, false, "|", NULL);
    report_line(&format, &(struct report_context){ 0 }, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), "     |(nul|(null)|(null)|\n");
}
END_TEST

START_TEST(a_path_that_leads_nowhere_is_named)
{
    static const char *const paths[] = { "job",       "job.spec", "job.spec.nome",
                                         "job.nodes", "step.id",  "job.id.x" };
    struct report_path path;
    struct err err = { 0 };

    for (size_t i = 0; i < ARRAY_N(paths); i++) {
        const struct report_column column = { .title = "X", .path = paths[i] };

        ck_assert_int_eq(report_path_find(&table, &column, &path, &err), -EINVAL);
        ck_assert_ptr_nonnull(strstr(err.text, paths[i]));
    }
    ck_assert_int_eq(report_table_check(&table, &err), 0);
}
END_TEST

START_TEST(values_that_are_not_given_have_a_word)
{
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(job_record) struct job_record job;
    const struct row row = { &job };

    job_record_init(&job); /* without spec: nothing in it is given */
    report_format_init(&format, &table);
    report_format_parse_names(&format, "name: ,timelimit: ,start: ,owner: ,jobid:", NULL);
    report_line(&format, &(struct report_context){ 0 }, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), "(null) N/A N/A nobody 0\n");
}
END_TEST

START_TEST(times_follow_the_manner_asked_for)
{
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(job_record) struct job_record job;
    const struct row row = { &job };

    job_record_init(&job);
    job.start_time = 1795208074;
    report_format_init(&format, &table);
    report_format_parse_names(&format, "start:", NULL);
    report_line(&format, &(struct report_context){ .time_manner = "%s" }, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), "1795208074\n");
}
END_TEST

/* Of a record that an older controller took, say. */
static void fill_evil(struct job_record *job)
{
    job_record_init(job);
    job->id = 4;
    job->uid = 7;
    job->user_name = xstrdup("a\x1b[0m");
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->spec->name = xstrdup("evil\n7|x");
    job->spec->time_limit = 600;
}

START_TEST(no_value_looks_like_another_row)
{
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(job_record) struct job_record job;
    const struct row row = { &job };

    fill_evil(&job);
    report_format_init(&format, &table);
    ck_assert_int_eq(report_format_parse_letters(&format, "%i|%j|%U|%.6j", NULL), 0);
    report_line(&format, &(struct report_context){ 0 }, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), "4|evil\\x0a7|x|a\\x1b[0m(7)|evil\\x\n");
}
END_TEST

static void make_lines(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    strbuf_adds(out, "\n  one\x1b\n  two");
}

START_TEST(nor_in_a_record_like_another_line)
{
    static const struct report_column keys[] = {
        { .title = "JobName", .path = "job.spec.name" },
        { .title = "UserId", .make = make_owner, .style = REPORT_NEW_LINE | REPORT_OMIT },
        { .title = "Detail", .make = make_lines, .style = REPORT_LINES },
    };
    static const struct report_table records = { roots, 1, keys, ARRAY_N(keys) };
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(job_record) struct job_record job;
    const struct row row = { &job };

    fill_evil(&job);
    report_record(&records, NULL, &(struct report_context){ 0 }, &row, false, &out);

    ck_assert_str_eq(strbuf_text(&out), "JobName=evil\\x0a7|x\n   UserId=a\\x1b[0m(7) "
                                        "Detail=\n  one\\x1b\n  two\n\n");
}
END_TEST

START_TEST(a_record_has_lines_or_is_one_line)
{
    static const struct report_column keys[] = {
        { .title = "JobId", .path = "job.id" },
        { .title = "JobName", .path = "job.spec.name" },
        { .title = "UserId", .make = make_owner, .style = REPORT_NEW_LINE },
        { .title = "Comment", .path = "job.spec.comment", .style = REPORT_NEW_LINE | REPORT_OMIT },
        { .title = "Start",
          .path = "job.start_time",
          .unset = "Unknown",
          .style = REPORT_NEW_LINE },
        { .title = "Limit", .path = "job.spec.time_limit", .style = REPORT_LONG },
    };
    static const struct report_table records = { roots, 1, keys, ARRAY_N(keys) };
    AUTO(strbuf) struct strbuf lines = { 0 };
    AUTO(strbuf) struct strbuf line = { 0 };
    AUTO(job_record) struct job_record job;
    AUTO_FREE struct report_path *paths = report_table_paths(&records);
    const struct row row = { &job };

    job_record_init(&job);
    job.id = 4;
    job.uid = 7;
    job.user_name = xstrdup("ann");
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.spec->name = xstrdup("a");
    job.spec->time_limit = 600;
    report_record(&records, NULL, &(struct report_context){ 0 }, &row, false, &lines);
    report_record(&records, paths, &(struct report_context){ 0 }, &row, true, &line);

    ck_assert_str_eq(strbuf_text(&lines), "JobId=4 JobName=a\n   UserId=ann(7)\n"
                                          "   Start=Unknown Limit=00:10:00\n\n");
    ck_assert_str_eq(strbuf_text(&line),
                     "JobId=4 JobName=a UserId=ann(7) Start=Unknown Limit=00:10:00\n");
}
END_TEST

CHECK_MAIN(format, LOOP_CASE(letters_are_laid_out_as_squeue_does, ARRAY_N(letters)),
           LOOP_CASE(names_are_laid_out_as_squeue_does, ARRAY_N(names)),
           CASE(what_is_no_column_is_noted), CASE(a_width_past_the_limit_is_the_limit),
           CASE(a_cut_value_can_end_with_a_mark),
           CASE(what_is_not_given_and_has_no_room_is_left_out),
           CASE(a_path_that_leads_nowhere_is_named), CASE(values_that_are_not_given_have_a_word),
           CASE(times_follow_the_manner_asked_for), CASE(no_value_looks_like_another_row),
           CASE(nor_in_a_record_like_another_line), CASE(a_record_has_lines_or_is_one_line))
