/*
 * usage.h - what the tasks of a step use: peaks from samples of /proc while they run, the rest from
 * the kernel's account of a task that has ended.
 *
 * A task's processes are those below it; one whose parent has ended still counts while it is in
 * the task's process group. Runs as the user, so another user's programs cannot be read.
 */
#pragma once

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "common/msg/step.h"
#include "noded/cgroup/cgroup.h"

/* What counts as the memory of a process: JobAcctGatherParams. */
enum usage_memory {
    USAGE_RSS,     /* all that it holds */
    USAGE_PSS,     /* its part of what it shares */
    USAGE_PRIVATE, /* without what is mapped from files or shared on purpose */
};

struct usage_task {
    pid_t pid; /* 0: does not run */
    enum usage_memory counts;
    int io_fd; /* its /proc/PID/io, which opens only while it runs; -1: not open */
    struct task_usage usage;
};

/* Returns the place of the task with this pid, or tasks_n. */
uint32_t usage_find(const struct usage_task *tasks, uint32_t tasks_n, pid_t pid);

/*
 * Raises the peaks of tasks that run to what `pids`, the processes of the step, hold now, and their
 * times to what these have used. Memory is what the cgroup counts, where it does so for each task:
 * pages that processes share count once there, and else as `counts` of the first task says.
 */
void usage_sample(struct usage_task *tasks, uint32_t tasks_n, const pid_t *pids, uint32_t pids_n,
                  const struct cgroup *cgroup);

/* Returns what these processes hold together. */
uint64_t usage_memory_kb(const pid_t *pids, uint32_t pids_n, enum usage_memory counts);

/* Notes that the task runs from here on; `number` is its in the step. */
void usage_begin(struct usage_task *task, uint32_t number, pid_t pid, enum usage_memory counts);

/* Take what the kernel keeps of a task that has ended: first what is gone with the wait for it,
 * then what that wait told. After the second the task does not run. */
void usage_take_files(struct usage_task *task);
void usage_end(struct usage_task *task, const struct rusage *rusage);

/* What a /proc/PID/stat says. */
struct usage_process {
    pid_t parent, group;
    uint64_t memory_kb, virtual_kb;
    uint64_t user_ticks, system_ticks, pages; /* with those of children it has waited for */
    uint64_t read_bytes, written_bytes;       /* the same; of its io, not its stat */
};

/* Parses the text. Returns 0, or -EINVAL. `page_kb` is the size of a page. */
int usage_parse_stat(const char *stat, uint64_t page_kb, struct usage_process *ret);

/* Reads "rchar: 12" and "wchar: 3" of a /proc/PID/io; returns false when one is missing. */
bool usage_parse_io(const char *io, uint64_t *ret_read, uint64_t *ret_written);
