#include "unit/check_main.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ctld/store/db.h"
#include "unit/ctld/store/store_rig.h"

#define ROWS(n)                                                                                    \
    "WITH RECURSIVE rows (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM rows LIMIT " #n ")"          \
    " INSERT INTO t SELECT randomblob(3000) FROM rows"

static char *path;

static sqlite3 *open_db(void)
{
    struct err err = { 0 };
    sqlite3 *db = NULL;

    rig_make_dir();
    path = xasprintf("%s/t.db", rig_dir);
    ck_assert_msg(db_open_writer(path, true, &db, &err) == 0, "%s", err.text);
    ck_assert_msg(db_exec(db, "CREATE TABLE t (x BLOB)", &err) == 0, "%s", err.text);
    return db;
}

static void close_db(sqlite3 *db)
{
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    free(STEAL(path));
    rig_remove_dir();
}

static int64_t count(sqlite3 *db)
{
    struct err err = { 0 };
    int64_t n = -1;

    ck_assert_msg(db_number(db, "SELECT count(*) FROM t", &n, &err) == 0, "%s", err.text);
    return n;
}

/* Of another connection, straight to the files. */
static int64_t count_by_reader(void)
{
    struct err err = { 0 };
    sqlite3 *db = NULL;

    ck_assert_msg(db_open_reader(path, &db, &err) == 0, "%s", err.text);
    const int64_t n = count(db);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
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
    sqlite3 *db = open_db();
    struct err err = { 0 };

    ck_assert_int_eq(db_exec(db, "BEGIN; " ROWS(20), &err), 0);
    const long before = writes(); /* every assertion is one, too */
    const int rc = db_exec(db, "COMMIT", &err);
    const long after = writes();

    ck_assert_int_eq(rc, 0);
    ck_assert_int_eq(after - before, before < 0 ? 0 : 1);
    ck_assert_int_eq(count_by_reader(), 20);
    close_db(db);
}
END_TEST

START_TEST(what_does_not_fit_into_memory_can_be_read_before_the_commit)
{
    sqlite3 *db = open_db();
    struct err err = { 0 };

    ck_assert_int_eq(db_exec(db, "PRAGMA cache_size=10; BEGIN; " ROWS(1000), &err), 0);
    ck_assert_int_eq(count(db), 1000);
    ck_assert_int_eq(count_by_reader(), 0);
    ck_assert_int_eq(db_exec(db, "UPDATE t SET x = x || 'more'; COMMIT", &err), 0);

    ck_assert_int_eq(count_by_reader(), 1000);
    close_db(db);
}
END_TEST

START_TEST(a_commit_that_cannot_be_written_is_none)
{
    struct rlimit limit, before;
    sqlite3 *db = open_db();
    struct err err = { 0 };

    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(db_exec(db, ROWS(3), &err), 0);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100 * 1024;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(db_exec(db, "BEGIN; " ROWS(100), &err), 0);
    ck_assert_int_lt(db_exec(db, "COMMIT", &err), 0);
    (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);

    ck_assert_int_eq(count(db), 3);
    ck_assert_int_eq(db_exec(db, ROWS(5), &err), 0);
    ck_assert_int_eq(count_by_reader(), 8);
    close_db(db);
}
END_TEST

CHECK_MAIN(log_file, CASE(a_commit_is_written_in_one_piece),
           CASE(what_does_not_fit_into_memory_can_be_read_before_the_commit),
           CASE(a_commit_that_cannot_be_written_is_none))
