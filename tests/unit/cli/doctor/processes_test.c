#include "unit/check_main.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli/doctor/processes.h"
#include "common/base/alloc.h"

START_TEST(a_process_is_found_by_its_name_whatever_is_in_it)
{
    AUTO_FREE struct process *list = NULL;
    bool found = false;
    int n;

    prctl(PR_SET_NAME, "a ) R 1 (b");
    n = processes_named("a ) R 1 (b", &list);

    for (int i = 0; i < n; i++)
        found = found || (list[i].pid == getpid() && list[i].parent == getppid());
    ck_assert(found);
}
END_TEST

START_TEST(a_name_nobody_has_gives_no_process)
{
    AUTO_FREE struct process *list = NULL;

    ck_assert_int_eq(processes_named("no such name", &list), 0);
}
END_TEST

START_TEST(this_program_lies_where_it_was_started_from)
{
    ck_assert(!process_is_replaced(getpid()));
    ck_assert_int_gt(process_files_max(getpid()), 0);
}
END_TEST

START_TEST(a_file_holds_a_pid_or_none)
{
    char path[] = "/tmp/sluice-pid-XXXXXX";
    int fd = mkstemp(path);

    ck_assert_int_eq(pid_of_file(path), 0);
    ck_assert_int_eq(write(fd, "4711\n", 5), 5);
    ck_assert_int_eq(pid_of_file(path), 4711);
    close(fd);
    unlink(path);
    ck_assert_int_eq(pid_of_file(path), 0);
}
END_TEST

CHECK_MAIN(doctor_processes, CASE(a_process_is_found_by_its_name_whatever_is_in_it),
           CASE(a_name_nobody_has_gives_no_process),
           CASE(this_program_lies_where_it_was_started_from), CASE(a_file_holds_a_pid_or_none))
