#include "unit/check_main.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "noded/stepd/account.h"
#include "noded/stepd/usage.h"

#define REST " 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 900 "

static const struct {
    const char *stat;
    int rc;
    struct usage_process process;
} stats[] = {
    { "7 (sh) S 3 5 6" REST "8192000 500 1844 1", 0, { 3, 5, 2000, 8000, 12, 14, 7, 0, 0 } },
    { "7 (a) b (c) R 1 2 3" REST "1024 1", 0, { 1, 2, 4, 1, 12, 14, 7, 0, 0 } },
    { "7 (gone) Z 1 2 3" REST "0 0", 0, { 1, 2, 0, 0, 12, 14, 7, 0, 0 } },
    { "7 (sh) S 3 5 6" REST "8192000", -EINVAL, { 0 } },
    { "7 sh S 3", -EINVAL, { 0 } },
    { "", -EINVAL, { 0 } },
};

START_TEST(a_stat_tells_parent_group_sizes_and_times)
{
    struct usage_process process = { 0 };

    ck_assert_int_eq(usage_parse_stat(stats[_i].stat, 4, &process), stats[_i].rc);

    ck_assert_int_eq(process.parent, stats[_i].process.parent);
    ck_assert_int_eq(process.group, stats[_i].process.group);
    ck_assert_uint_eq(process.memory_kb, stats[_i].process.memory_kb);
    ck_assert_uint_eq(process.virtual_kb, stats[_i].process.virtual_kb);
    ck_assert_uint_eq(process.user_ticks, stats[_i].process.user_ticks);
    ck_assert_uint_eq(process.system_ticks, stats[_i].process.system_ticks);
    ck_assert_uint_eq(process.pages, stats[_i].process.pages);
}
END_TEST

START_TEST(an_io_tells_what_was_read_and_written)
{
    uint64_t read = 1, written = 2;

    ck_assert(!usage_parse_io("rchar: 10\nsyscr: 1\n", &read, &written));
    ck_assert_uint_eq(read, 1);
    ck_assert(
        usage_parse_io("rchar: 10\nwchar: 20\nsyscr: 1\nread_bytes: 4096\n", &read, &written));
    ck_assert_uint_eq(read, 10);
    ck_assert_uint_eq(written, 20);
}
END_TEST

/* A child of a task counts as the task; one that only shares its group does too. */
START_TEST(a_sample_adds_up_the_processes_of_a_task)
{
    pid_t child = fork();

    if (child == 0) {
        pause();
        _exit(0);
    }
    const pid_t both[] = { getpid(), child };
    struct usage_task alone, family, group;

    usage_begin(&alone, 0, getpid(), USAGE_RSS);
    usage_begin(&family, 0, getpid(), USAGE_RSS);
    usage_begin(&group, 0, getpgrp(), USAGE_RSS);
    usage_sample(&alone, 1, both, 1, NULL);
    usage_sample(&family, 1, both, 2, NULL);
    usage_sample(&group, 1, &child, 1, NULL);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);

    ck_assert_uint_gt(alone.usage.memory_kb, 0);
    ck_assert_uint_gt(family.usage.memory_kb, alone.usage.memory_kb);
    ck_assert_uint_gt(family.usage.virtual_kb, alone.usage.virtual_kb);
    ck_assert_uint_gt(group.usage.memory_kb, 0);
}
END_TEST

/* Two processes that share 32 MB, which each of them has written. */
START_TEST(shared_memory_counts_as_it_is_asked_for)
{
    const size_t bytes = (size_t)32 << 20;
    const uint64_t shared_kb = bytes / 1024;
    uint64_t kb[3];
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ready[2];
    char byte;

    ck_assert_ptr_ne(memory, MAP_FAILED);
    ck_assert_int_eq(pipe(ready), 0);
    memset(memory, 1, bytes);
    pid_t child = fork();
    if (child == 0) {
        memset(memory, 2, bytes);
        (void)!write(ready[1], "x", 1);
        pause();
        _exit(0);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    const pid_t both[] = { getpid(), child };
    for (enum usage_memory counts = USAGE_RSS; counts <= USAGE_PRIVATE; counts++)
        kb[counts] = usage_memory_kb(both, 2, counts);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    (void)munmap(memory, bytes);

    ck_assert_uint_ge(kb[USAGE_RSS], 2 * shared_kb);
    ck_assert_uint_ge(kb[USAGE_PSS], shared_kb);
    ck_assert_uint_le(kb[USAGE_PSS] + shared_kb, kb[USAGE_RSS]);
    ck_assert_uint_le(kb[USAGE_PRIVATE] + 2 * shared_kb, kb[USAGE_RSS]);
}
END_TEST

START_TEST(a_sample_never_lowers_a_peak_nor_counts_strangers)
{
    const pid_t pids[] = { getpid(), getppid() };
    struct usage_task task, ended;
    struct rusage rusage = { .ru_maxrss = 1 };

    usage_begin(&task, 3, getpid(), USAGE_RSS);
    usage_begin(&ended, 4, getpid(), USAGE_RSS);
    task.usage.memory_kb = UINT64_MAX;
    usage_end(&ended, &rusage);
    usage_sample(&task, 1, pids, 2, NULL);
    usage_sample(&ended, 1, pids, 2, NULL);

    ck_assert_uint_eq(task.usage.memory_kb, UINT64_MAX);
    ck_assert_uint_eq(ended.usage.memory_kb, 1);
}
END_TEST

START_TEST(what_a_task_wrote_is_known_after_its_end)
{
    struct usage_task task;
    struct rusage rusage;
    siginfo_t info;
    int pipes[2], out;

    ck_assert_int_eq(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        char go = 0;

        out = open("/dev/null", O_WRONLY);
        _exit(read(pipes[0], &go, 1) == 1 && write(out, "12345", 5) == 5 ? 0 : 1);
    }
    usage_begin(&task, 0, child, USAGE_RSS);
    usage_sample(&task, 1, &child, 1, NULL);
    ck_assert_int_eq(write(pipes[1], "x", 1), 1);
    ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    usage_take_files(&task);
    ck_assert_int_eq(wait4(child, NULL, 0, &rusage), child);
    usage_end(&task, &rusage);

    ck_assert_uint_eq(task.usage.written_bytes, 5);
    ck_assert_uint_ge(task.usage.read_bytes, 1);
    ck_assert_int_eq(task.pid, 0);
    close(pipes[0]);
    close(pipes[1]);
}
END_TEST

START_TEST(a_report_sums_tasks_and_those_who_left_them)
{
    AUTO(step_report) struct step_report report;
    struct account account = { 0 };
    struct rusage orphan = { .ru_utime = { 1, 5 }, .ru_stime = { 0, 7 } };
    struct task_usage first = { .task = 4, .user_us = 10, .system_us = 20 };
    struct task_usage again = { .task = 4, .user_us = 99 }, third = { .task = 6, .user_us = 1 };

    step_report_init(&report);
    account_add_orphan(&account, &orphan);
    account_add_task(&report, &first, 1);
    account_add_task(&report, &again, 1);
    account_add_task(&report, &third, 1); /* more than there are */
    account_finish(&account, NULL, &report);

    ck_assert_uint_eq(report.usage_n, 1);
    ck_assert_uint_eq(report.user_us, 1000015);
    ck_assert_uint_eq(report.system_us, 27);
    ck_assert(!report.out_of_memory);
}
END_TEST

CHECK_MAIN(usage, LOOP_CASE(a_stat_tells_parent_group_sizes_and_times, ARRAY_N(stats)),
           CASE(an_io_tells_what_was_read_and_written),
           CASE(a_sample_adds_up_the_processes_of_a_task),
           CASE(shared_memory_counts_as_it_is_asked_for),
           CASE(a_sample_never_lowers_a_peak_nor_counts_strangers),
           CASE(what_a_task_wrote_is_known_after_its_end),
           CASE(a_report_sums_tasks_and_those_who_left_them))
