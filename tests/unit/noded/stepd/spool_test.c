#include "unit/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/stepd/spool.h"

static const struct {
    struct spool_name name;
    const char *text;
} names[] = {
    { { 12, 0, 1 }, "12.0.1" },
    { { 4294967295u, STEP_BATCH, 4294967295u }, "4294967295.batch.4294967295" },
    { { 1, STEP_INTERACTIVE, 2 }, "1.interactive.2" },
    { { 1, STEP_EXTERN, 2 }, "1.extern.2" },
};

START_TEST(a_record_is_named_by_job_step_and_launch)
{
    char text[SPOOL_NAME_MAX];
    struct spool_name name = { 0 };

    spool_name_format(&names[_i].name, text);

    ck_assert_str_eq(text, names[_i].text);
    ck_assert(spool_name_parse(text, &name));
    ck_assert_mem_eq(&name, &names[_i].name, sizeof(name));
}
END_TEST

static const char *const no_names[] = { "",        ".",      "..",       "1",
                                        "1.2",     "1.2.",   "1.2.3.",   "1.-2.3",
                                        "1.2.3.4", "+1.2.3", "1.batc.2", "a.1.2",
                                        " 1.2.3",  "1.2.3 ", "1.batch3", "1.4294967296.1" };

START_TEST(other_names_are_not_records)
{
    struct spool_name name;

    ck_assert_msg(!spool_name_parse(no_names[_i], &name), "%s", no_names[_i]);
}
END_TEST

/* Longer than any socket address holds. */
static int make_deep_dir(char *top)
{
    int fd;

    ck_assert_ptr_nonnull(mkdtemp(top));
    fd = open(top, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 2; i++) {
        char name[101];
        memset(name, 'd', 100);
        name[100] = '\0';
        ck_assert_int_eq(mkdirat(fd, name, 0700), 0);
        int below = openat(fd, name, O_RDONLY | O_DIRECTORY);
        close(fd);
        fd = below;
    }
    return fd;
}

static void set_name(struct step_report *report, const struct spool_name *name)
{
    report->job_id = name->job_id;
    report->step_id = name->step_id;
    report->launch_number = name->launch_number;
}

START_TEST(a_record_keeps_a_result_and_is_called_at_its_socket)
{
    char top[] = "/tmp/spool_test.XXXXXX";
    AUTO_CLOSE int steps = make_deep_dir(top);
    AUTO_CLOSE int fd = -1, listener = -1, call = -1;
    AUTO(step_report) struct step_report report, got;
    struct err err = { 0 };

    schema_random(step_report_schema(), &report, 3);
    set_name(&report, &names[0].name);
    step_report_init(&got);
    ck_assert_msg(spool_make(steps, &names[0].name, &fd, &err) == 0, "%s", err.text);
    ck_assert_int_eq(spool_make(steps, &names[0].name, &fd, &err), -EEXIST);
    ck_assert_int_eq(spool_read_result(fd, &names[0].name, &got, &err), 0);
    ck_assert_int_eq(spool_call(fd, &call, &err), -ENOENT);

    ck_assert_msg(spool_listen(fd, &listener, &err) == 0, "%s", err.text);
    ck_assert_msg(spool_call(fd, &call, &err) == 0, "%s", err.text);
    close(steal_fd(&listener));
    ck_assert_int_eq(spool_call(fd, &call, &err), -ECONNREFUSED);
    ck_assert_msg(spool_write_result(fd, &report, &err) == 0, "%s", err.text);
    ck_assert_int_eq(spool_read_result(fd, &names[0].name, &got, &err), 1);
    ck_assert(schema_equal(step_report_schema(), &report, &got));
    ck_assert_msg(spool_remove(steps, &names[0].name, false, &err) == 1, "%s", err.text);
    ck_assert_int_eq(spool_open(steps, &names[0].name, &fd, &err), -ENOENT);
    AUTO_FREE char *clean = xasprintf("rm -r '%s'", top);
    ck_assert_int_eq(system(clean), 0);
}
END_TEST

/* What the disk may hold after the machine went down: the bytes of whose place the record took. */
START_TEST(a_result_of_another_launch_is_none)
{
    const struct spool_name earlier = { 12, 0, 1 }, now = { 12, 0, 2 };
    char top[] = "/tmp/spool_test.XXXXXX";
    AUTO_CLOSE int steps = make_deep_dir(top);
    AUTO_CLOSE int fd = -1;
    AUTO(step_report) struct step_report report, got;
    struct err err = { 0 };

    schema_random(step_report_schema(), &report, 3);
    set_name(&report, &earlier);
    step_report_init(&got);
    ck_assert_msg(spool_make(steps, &now, &fd, &err) == 0, "%s", err.text);
    ck_assert_msg(spool_write_result(fd, &report, &err) == 0, "%s", err.text);

    ck_assert_int_eq(spool_read_result(fd, &now, &got, &err), 0);
    ck_assert_int_eq(spool_read_result(fd, &earlier, &got, &err), 1);
    AUTO_FREE char *clean = xasprintf("rm -r '%s'", top);
    ck_assert_int_eq(system(clean), 0);
}
END_TEST

/* Which directory it is, for one that is made anew has another number. */
static ino_t make_record(int steps, const struct spool_name *name)
{
    AUTO_CLOSE int fd = -1;
    struct err err = { 0 };
    struct stat status;

    ck_assert_msg(spool_make(steps, name, &fd, &err) == 0, "%s", err.text);
    ck_assert_int_eq(faccessat(fd, "launch", F_OK, 0), -1);
    ck_assert_int_eq(faccessat(fd, "result", F_OK, 0), -1);
    ck_assert_int_eq(faccessat(fd, "ctl", F_OK, 0), -1);
    ck_assert_msg(spool_write(fd, "launch", "longer", 6, &err) == 0, "%s", err.text);
    ck_assert_msg(spool_write(fd, "launch", "new", 3, &err) == 0, "%s", err.text);
    ck_assert_int_eq(fstat(fd, &status), 0);
    return status.st_ino;
}

START_TEST(a_record_that_is_over_becomes_a_later_one)
{
    const struct spool_name first = { 7, 0, 1 }, second = { 7 + 64, 0, 1 },
                            third = { 7 + 128, 0, 1 };
    char top[] = "/tmp/spool_test.XXXXXX";
    AUTO_CLOSE int steps = make_deep_dir(top);
    AUTO_CLOSE int fd = -1;
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };
    ino_t place = make_record(steps, &first);

    (void)make_record(steps, &second);
    ck_assert_msg(spool_remove(steps, &first, false, &err) == 1, "%s", err.text);
    ck_assert_msg(spool_remove(steps, &second, false, &err) == 1, "%s", err.text);
    ck_assert_int_eq(spool_open(steps, &first, &fd, &err), -ENOENT);
    ck_assert_int_eq(spool_open(steps, &second, &fd, &err), -ENOENT);
    ck_assert_uint_eq(make_record(steps, &third), place);
    ck_assert_int_eq(spool_open(steps, &third, &fd, &err), 0);
    ck_assert_int_eq(spool_read(fd, "launch", &text, &err), 0);
    ck_assert_str_eq(strbuf_text(&text), "new");
    AUTO_FREE char *clean = xasprintf("rm -r '%s'", top);
    ck_assert_int_eq(system(clean), 0);
}
END_TEST

CHECK_MAIN(spool, LOOP_CASE(a_record_is_named_by_job_step_and_launch, ARRAY_N(names)),
           LOOP_CASE(other_names_are_not_records, ARRAY_N(no_names)),
           CASE(a_record_keeps_a_result_and_is_called_at_its_socket),
           CASE(a_result_of_another_launch_is_none),
           CASE(a_record_that_is_over_becomes_a_later_one))
