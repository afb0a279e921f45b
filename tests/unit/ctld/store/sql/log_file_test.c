#include "unit/check_main.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctld/store/sql/sqlite.h"
#include "unit/ctld/store/store_rig.h"

#define ROWS(n)                                                                                    \
    "WITH RECURSIVE rows (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM rows LIMIT " #n ")"          \
    " INSERT INTO t SELECT randomblob(3000) FROM rows"

static char *path;

static struct sql *open_db(void)
{
    struct err err = { 0 };
    struct sql *db = NULL;

    rig_make_dir();
    path = xasprintf("%s/t.db", rig_dir);
    ck_assert_msg(sqlite_open_writer(path, true, &db, &err) == 0, "%s", err.text);
    ck_assert_msg(sql_exec(db, "CREATE TABLE t (x BLOB)", &err) == 0, "%s", err.text);
    return db;
}

static void close_db(struct sql *db)
{
    sql_close(db);
    free(STEAL(path));
    rig_remove_dir();
}

static int64_t count(struct sql *db)
{
    struct err err = { 0 };
    int64_t n = -1;

    ck_assert_msg(sql_number(db, "SELECT count(*) FROM t", &n, &err) == 0, "%s", err.text);
    return n;
}

/* Of another connection, straight to the files. */
static int64_t count_by_reader(void)
{
    struct err err = { 0 };
    struct sql *db = NULL;

    ck_assert_msg(sqlite_open_reader(path, &db, &err) == 0, "%s", err.text);
    const int64_t n = count(db);
    sql_close(db);
    return n;
}

/* Calls to write of this process so far, or -1 where the kernel does not count them. */
static long writes(void)
{
    FILE *file = fopen("/proc/self/io", "re");
    char line[64];
    long n = -1;

    while (file && fgets(line, sizeof(line), file))
        (void)sscanf(line, "syscw: %ld", &n);
    if (file)
        fclose(file);
    return n;
}

START_TEST(a_commit_is_written_in_one_piece)
{
    struct sql *db = open_db();
    struct err err = { 0 };

    ck_assert_int_eq(sql_exec(db, "BEGIN; " ROWS(20), &err), 0);
    const long before = writes(); /* every assertion is one, too */
    const int rc = sql_exec(db, "COMMIT", &err);
    const long after = writes();

    ck_assert_int_eq(rc, 0);
    ck_assert_int_eq(after - before, before < 0 ? 0 : 1);
    ck_assert_int_eq(count_by_reader(), 20);
    close_db(db);
}
END_TEST

START_TEST(what_does_not_fit_into_memory_can_be_read_before_the_commit)
{
    struct sql *db = open_db();
    struct err err = { 0 };

    ck_assert_int_eq(sql_exec(db, "PRAGMA cache_size=10; BEGIN; " ROWS(1000), &err), 0);
    ck_assert_int_eq(count(db), 1000);
    ck_assert_int_eq(count_by_reader(), 0);
    ck_assert_int_eq(sql_exec(db, "UPDATE t SET x = x || 'more'; COMMIT", &err), 0);

    ck_assert_int_eq(count_by_reader(), 1000);
    close_db(db);
}
END_TEST

START_TEST(a_commit_that_cannot_be_written_is_none)
{
    struct rlimit limit, before;
    struct sql *db = open_db();
    struct err err = { 0 };

    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(sql_exec(db, ROWS(3), &err), 0);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100 * 1024;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(sql_exec(db, "BEGIN; " ROWS(100), &err), 0);
    ck_assert_int_lt(sql_exec(db, "COMMIT", &err), 0);
    sql_rollback(db);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);

    ck_assert_int_eq(count(db), 3);
    ck_assert_int_eq(sql_exec(db, ROWS(5), &err), 0);
    ck_assert_int_eq(count_by_reader(), 8);
    close_db(db);
}
END_TEST

static blkcnt_t blocks_of_log(void)
{
    AUTO_FREE char *log = xasprintf("%s-wal", path);
    struct stat status;

    ck_assert_int_eq(stat(log, &status), 0);
    return status.st_blocks;
}

START_TEST(commits_need_no_new_blocks_for_the_log)
{
    struct sql *db = open_db();
    struct err err = { 0 };

    const blkcnt_t before = blocks_of_log();
    for (int i = 0; i < 50; i++)
        ck_assert_int_eq(sql_exec(db, ROWS(5), &err), 0);

    ck_assert_int_eq(blocks_of_log(), before);
    ck_assert_int_eq(count_by_reader(), 250);
    close_db(db);
}
END_TEST

/* Leaves the files as they are after kill -9. */
static void commit_and_vanish(const char *sql)
{
    struct err err = { 0 };
    struct sql *db = NULL;

    if (sqlite_open_writer(path, true, &db, &err) < 0 || sql_exec(db, sql, &err) < 0)
        _exit(EXIT_FAILURE);
    _exit(EXIT_SUCCESS);
}

static void let_vanish(const char *sql)
{
    int status = -1;
    const pid_t pid = fork();

    if (pid == 0)
        commit_and_vanish(sql);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

START_TEST(what_was_committed_is_there_after_a_crash_and_nothing_else)
{
    struct err err = { 0 };
    struct sql *db = open_db();

    sql_close(db);
    let_vanish(ROWS(7));
    let_vanish(ROWS(11));
    let_vanish(ROWS(2000)); /* beyond what was made ready, and back to the log's start */
    let_vanish("BEGIN; " ROWS(13));
    let_vanish(ROWS(17) "; PRAGMA wal_checkpoint(TRUNCATE); " ROWS(19));
    ck_assert_int_eq(sqlite_open_writer(path, true, &db, &err), 0);

    ck_assert_int_eq(count(db), 7 + 11 + 2000 + 17 + 19);
    close_db(db);
}
END_TEST

START_TEST(a_disk_without_room_for_a_whole_log_has_a_short_one)
{
    struct rlimit limit, before;
    struct err err = { 0 };
    struct sql *db = open_db();

    sql_close(db);
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1024 * 1024;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(sqlite_open_writer(path, true, &db, &err), 0);
    ck_assert_int_eq(sql_exec(db, ROWS(10), &err), 0);

    ck_assert_int_lt(blocks_of_log() * 512, 200 * 1024);
    ck_assert_int_eq(count_by_reader(), 10);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    close_db(db);
}
END_TEST

CHECK_MAIN(log_file, CASE(a_commit_is_written_in_one_piece),
           CASE(what_does_not_fit_into_memory_can_be_read_before_the_commit),
           CASE(a_commit_that_cannot_be_written_is_none),
           CASE(commits_need_no_new_blocks_for_the_log),
           CASE(what_was_committed_is_there_after_a_crash_and_nothing_else),
           CASE(a_disk_without_room_for_a_whole_log_has_a_short_one))
