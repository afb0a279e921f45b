/* What becomes of a job of a slurmdbd: one that is appended to a dump is read. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/import/cursor.h"
#include "cli/import/jobs.h"
#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "unit/check_main.h"
#include "unit/cli/import/dump_file.h"

#define DUMP "data/import/22.05.sql"
#define ID   "900"

struct reading {
    int fd;
    struct dump *dump;
    struct survey survey;
    struct foreign foreign;
    struct job_record job;
    struct job_body body;
};

static void tell(uint64_t bytes, void *ctx)
{
    (void)bytes;
    (void)ctx;
}

/* Makes the job of the row that is appended. */
static void convert_last(struct reading *reading)
{
    struct plan plan = { 0 };
    struct cursor cursor;
    struct err err = { 0 };

    ck_assert_int_eq(cursor_begin(&cursor, &reading->survey, FOREIGN_JOB, JOB_job_db_inx, &err), 0);
    while (cursor.is_there && foreign_u32(&cursor.row, JOB_id_job, 0) != 900)
        ck_assert_int_eq(cursor_next(&cursor, &err), 0);
    ck_assert(cursor.is_there);
    job_convert(&reading->foreign, &cursor.row, &plan, &reading->job, &reading->body);
    cursor_end(&cursor);
    plan_clear(&plan);
}

/* Columns of the job's row; NULL: as of a job that is done, of no array. */
struct row {
    const char *assoc, *uid, *gid, *qos, *state, *status, *tasks;
};

static void add_value(const char *value, const char *otherwise, struct strbuf *out)
{
    strbuf_addf(out, ",%s", value ? value : otherwise);
}

static void add_row(const struct row *row, struct strbuf *out)
{
    strbuf_adds(out, "INSERT INTO `lab_job_table` (job_db_inx,id_job,account,time_submit,"
                     "time_eligible,time_start,time_end,cpus_req,derived_ec,job_name,nodelist,"
                     "nodes_alloc,partition,tres_alloc,tres_req,id_array_task,array_max_tasks,"
                     "id_assoc,id_user,id_group,id_qos,state,exit_code,id_array_job,array_task_str)"
                     " VALUES (" ID "," ID ",'a2',1741604334,1741604334,1741604335,1741604340,1,0,"
                     "'a','',0,'main','','',4294967294,2");
    add_value(row->assoc, "999", out);
    add_value(row->uid, "0", out);
    add_value(row->gid, "0", out);
    add_value(row->qos, "1", out);
    add_value(row->state, "3", out);
    add_value(row->status, "0", out);
    strbuf_addf(out, ",%s,%s);\n", row->tasks ? ID : "0", row->tasks ? row->tasks : "NULL");
}

static void begin(struct reading *reading, const struct row *row)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };

    job_record_init(&reading->job);
    job_body_init(&reading->body);
    add_file(DUMP, &text);
    add_row(row, &text);
    reading->fd = memfd_create("dump", MFD_CLOEXEC);
    ck_assert_int_eq(write(reading->fd, text.data, text.len), (int)text.len);
    reading->dump = dump_new(reading->fd, "a.sql");
    ck_assert_msg(survey_make(&reading->survey, reading->dump, NULL, "lab", tell, NULL, &err) == 0,
                  "%s", err.text);
    ck_assert_int_eq(foreign_make(&reading->foreign, &reading->survey, "lab", &err), 0);
    convert_last(reading);
}

static void end(struct reading *reading)
{
    job_record_clear(&reading->job);
    job_body_clear(&reading->body);
    foreign_clear(&reading->foreign);
    survey_clear(&reading->survey);
    dump_free(reading->dump);
    close(reading->fd);
}

START_TEST(a_job_whose_association_is_gone_has_its_user_by_number)
{
    struct reading reading = { 0 };

    begin(&reading, &(struct row){ .qos = "77" });

    ck_assert_str_eq(reading.job.user_name, "root");
    ck_assert_str_eq(reading.job.group_name, "root");
    ck_assert_str_eq(reading.job.spec->account, "a2");
    ck_assert_ptr_null(reading.job.spec->qos);
    end(&reading);
}
END_TEST

START_TEST(a_user_whom_nobody_knows_has_no_name)
{
    struct reading reading = { 0 };

    begin(&reading, &(struct row){ .uid = "4294967000", .gid = "4294967000" });

    ck_assert_ptr_null(reading.job.user_name);
    ck_assert_ptr_null(reading.job.group_name);
    end(&reading);
}
END_TEST

START_TEST(exit_code_is_that_of_the_row_whatever_the_state)
{
    struct reading reading = { 0 };

    begin(&reading, &(struct row){ .status = "15", .state = "4" });

    ck_assert_uint_eq(reading.job.state, JOB_CANCELLED);
    ck_assert_int_eq(reading.job.exit_status, 15);
    ck_assert(reading.job.flags & JOB_FLAG_IMPORTED);
    end(&reading);
}
END_TEST

static const struct {
    const char *stored, *tasks;
} arrays[] = {
    { "'0xE'", "1-3" },       { "'0x8000000000000001e'", "1-4,67" },
    { "'1-3,7%2'", "1-3,7" }, { "'0xa'", "1,3" },
    { "'0x'", NULL },         { "'0xG'", NULL },
    { "'0x0'", NULL },        { "NULL", NULL },
};

START_TEST(tasks_that_waited_together_are_those_of_the_row)
{
    struct reading reading = { 0 };

    begin(&reading, &(struct row){ .tasks = arrays[_i].stored });

    ck_assert_pstr_eq(reading.job.array_tasks, arrays[_i].tasks);
    ck_assert_uint_eq(reading.job.array_job_id, 900);
    ck_assert_uint_eq(reading.job.array_limit, 2);
    end(&reading);
}
END_TEST

CHECK_MAIN(jobs, CASE(a_job_whose_association_is_gone_has_its_user_by_number),
           CASE(a_user_whom_nobody_knows_has_no_name),
           CASE(exit_code_is_that_of_the_row_whatever_the_state),
           LOOP_CASE(tasks_that_waited_together_are_those_of_the_row, ARRAY_N(arrays)))
