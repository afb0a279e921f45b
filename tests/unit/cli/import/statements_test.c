/* Files of SQL for `sacctmgr archive load`: the forms that are taken, and all that is refused. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/import/statements.h"
#include "unit/check_main.h"

#define JOB_THEN                                                                                   \
    "insert into job_table (jobid, associd, cluster, uid, gid, `partition`, account, eligible, "   \
    "submit, start, end, name, state, req_cpus, tres_alloc, nodelist, wckeyid, deleted) values\n"
#define ROW_THEN(id)                                                                               \
    "('" #id "', '3', 'lab', '0', '0', 'main', 'physics', 100, 100, 110, 170, 'j', '3', 4, "       \
    "'1=4', 'n1', '1', '0')"
#define JOB_NOW                                                                                    \
    "INSERT INTO \"lab_job_table\" (id_job, account, time_submit, time_start, time_end, state, "   \
    "tres_alloc) VALUES "
#define EVENT_THEN                                                                                 \
    "insert into cluster_event_table (node_name, cluster, tres, period_start, period_end, "        \
    "reason, cluster_nodes) values "

#define TEXT(text) ((char *)(uintptr_t)(text))

/* Reads the text where `lab` is this cluster, and `other` another one that is known. */
static int read_text(const char *text, struct statements *statements, struct err *err)
{
    struct cluster_record other = { .name = TEXT("other") };
    const struct book book = {
        .clusters = { .schema = cluster_record_schema(), .at = &other, .n = 1 },
    };
    const int fd = memfd_create("statements", MFD_CLOEXEC);
    int rc;

    ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
    rc = statements_read(statements, fd, "a.sql", &book, "lab", err);
    close(fd);
    return rc;
}

/* ---- what is taken ---- */

static const struct {
    const char *text;
    uint64_t jobs, events, alive;
} taken[] = {
    { JOB_THEN ROW_THEN(7) ";", 1, 0, 0 },
    { JOB_THEN ROW_THEN(7) ",\n" ROW_THEN(8) ";\n", 2, 0, 0 },
    { JOB_THEN ROW_THEN(7) "\n" ROW_THEN(
          8) "\non duplicate key update id=LAST_INSERT_ID(id), end=VALUES(end);\n" JOB_THEN
          ROW_THEN(9) ";;",
      3, 0, 0 },
    { "-- archived\n/* by hand */ # twice\n" JOB_NOW "(7, 'physics', 1, 2, 3, 5, '1=4,2=100');", 1,
      0, 0 },
    { "REPLACE lab_job_table (id_job, account, time_submit, time_start, time_end, state, "
      "tres_alloc) VALUES (7, 'physics', 1, 2, 3, 3, NULL);",
      1, 0, 0 },
    { JOB_NOW "(7, 'physics', 1, 2, 3, 1, '1=4'), (8, 'physics', 1, 2, 3, 3, '1=4');", 1, 0, 1 },
    { JOB_NOW "(7, 'physics', 1, 2, 0, 1, '1=4'), (8, 'physics', 1, 0, 0, 3, '1=4');", 2, 0, 0 },
    { EVENT_THEN "('', 'lab', '1=8', 100, 200, 'Cluster processor count', 'n[1-2]')\n"
                 ", ('n1', 'lab', '1=4', 120, 150, 'down', '') on duplicate key update "
                 "period_end=VALUES(period_end);",
      0, 2, 0 },
    { "", 0, 0, 0 },
};

START_TEST(what_is_taken)
{
    struct statements statements;
    struct err err = { 0 };
    const int rc = read_text(taken[_i].text, &statements, &err);

    ck_assert_msg(rc == 0, "%s: %s", taken[_i].text, err.text);
    ck_assert_uint_eq(statements.jobs, taken[_i].jobs);
    ck_assert_uint_eq(statements.events, taken[_i].events);
    ck_assert_uint_eq(statements.alive, taken[_i].alive);
    statements_clear(&statements);
}
END_TEST

/* ---- what is refused ---- */

static const struct {
    const char *text, *error;
} refused[] = {
    { "delete from job_table where jobid=1;", "line 1: delete: rows are taken out of INSERT" },
    { JOB_THEN ROW_THEN(7) ";\ntruncate table \"lab_event_table\";", "line 3: truncate: rows" },
    { "drop table job_table", "drop: rows" },
    { "update job_table set state=3", "update: rows" },
    { "select 1;", "select: rows" },
    { "create table job_table (a int);", "create: rows" },
    { "use mysql;\n", "use: rows" },
    { "set @a=1;", "set: rows" },
    { "DELIMITER //\n", "DELIMITER: rows" },
    { "call p();", "call: rows" },
    { "(1)", "line 1: what stands there: rows" },
    { JOB_THEN ROW_THEN(7), "line 2: it was cut" },
    { "insert into job_table values (1)", "the columns of table job_table are not known" },
    { "insert into job_table (jobid) select 1", "INSERT into table job_table without VALUES" },
    { "insert into job_table (jobid) values ;", "INSERT into table job_table without a row" },
    { JOB_THEN ROW_THEN(7) " select 1", "end neither with ; nor with ON DUPLICATE KEY UPDATE" },
    { JOB_THEN ROW_THEN(7) " on delete cascade", "end neither with ;" },
    { "insert into user_table (name) values ('root')",
      "table user_table is none of jobs or events" },
    { "insert into mysql.user (user) values ('root')", "table user is none of jobs or events" },
    { "insert into \"lab_step_table\" (id_step) values (1)", "table lab_step_table is none of" },
    { "insert into job_table (jobid) values (1)",
      "line 1: rows of table job_table without account" },
    { EVENT_THEN "('n1', 'nosuch', '1=4', 1, 2, 'x', '')", "cluster 'nosuch' is not known" },
    { "insert into nosuch_job_table (id_job) values (1)", "cluster 'nosuch' is not known" },
    { EVENT_THEN "('n1', 'lab', '1=4', 1, 2, 'x', ''), ('n1', 'other', '1=4', 3, 4, 'x', '')",
      "cluster 'other', after lab: a file is of one cluster" },
    { "insert into job_table (jobid, account, submit, start, end, state, tres_alloc)\nvalues\n"
      "(1, 'a', 1, 1, 2, 3, '')",
      "line 3: a row of table job_table does not tell its cluster" },
    { JOB_THEN ROW_THEN(7) "\n" ROW_THEN(8) "\n" ROW_THEN(7) ";",
      "line 4: job 7 is there already, in line 2" },
    { JOB_NOW "(7, 'a', 1, 2, 3, 99, '')", "state of table lab_job_table is '99': no state" },
    { JOB_NOW "(7, 'a', 'soon', 2, 3, 3, '')", "time_submit of table lab_job_table is 'soon'" },
    { JOB_NOW "(7, 'a', 1, 2, 3, 3, 'many')", "no list of amounts" },
    { JOB_NOW "(7, 'a', 1, 2, 3, 3)", "has 6 values, not 7" },
    { JOB_NOW "(7, load_file('/etc/passwd'), 1, 2, 3, 3, '')", "line 1: " },
    { JOB_NOW "(7, (select 1), 1, 2, 3, 3, '')", "line 1: " },
    { JOB_NOW "(7, 'a", "it was cut" },
    { JOB_NOW "(7, 'a', 1, 2, 3, 3, ''", "line 1: " },
    { EVENT_THEN "('n1', 'lab', 'x', 1, 2, 'x', '');", "no list of amounts" },
};

START_TEST(what_is_refused)
{
    struct statements statements;
    struct err err = { 0 };
    const int rc = read_text(refused[_i].text, &statements, &err);

    ck_assert_msg(rc < 0, "taken: %s", refused[_i].text);
    ck_assert_msg(strstr(err.text, refused[_i].error), "%s: %s", refused[_i].text, err.text);
    statements_clear(&statements);
}
END_TEST

START_TEST(jobs_without_an_end_come_too)
{
    struct statements statements;
    struct err err = { 0 };

    ck_assert_int_eq(read_text(JOB_NOW "(7, 'p', 1, 2, 0, 1, ''), (8, 'p', 1, 0, 0, 3, ''), "
                                       "(9, 'p', 1, 2, 3, 3, '');",
                               &statements, &err),
                     0);
    ck_assert_uint_eq(statements.jobs, 3);
    statements_clear(&statements);
}
END_TEST

START_TEST(what_is_of_another_cluster)
{
    struct statements statements;
    struct err err = { 0 };

    ck_assert_int_eq(
        read_text(EVENT_THEN "('n1', 'other', '1=4', 1, 2, 'x', '');", &statements, &err), 0);
    ck_assert(statements_are_foreign(&statements));
    ck_assert_uint_eq(statements.events, 1);
    statements_clear(&statements);
    ck_assert_int_eq(
        read_text(EVENT_THEN "('n1', 'lab', '1=4', 1, 2, 'x', '');", &statements, &err), 0);
    ck_assert(!statements_are_foreign(&statements));
    statements_clear(&statements);
}
END_TEST

CHECK_MAIN(statements, CASE(jobs_without_an_end_come_too), CASE(what_is_of_another_cluster),
           LOOP_CASE(what_is_taken, ARRAY_N(taken)), LOOP_CASE(what_is_refused, ARRAY_N(refused)))
