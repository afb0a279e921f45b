#include "noded/stepd/usage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "noded/cgroup/files.h"

#define GENERATIONS_MAX 64  /* between a process and its task; more are not followed */
#define BLOCK_BYTES     512 /* of ru_inblock */

/* ---- texts of /proc ---- */

int usage_parse_stat(const char *stat, uint64_t page_kb, struct usage_process *ret)
{
    /* The name in parentheses may hold blanks and parentheses itself. */
    const char *at = strrchr(stat, ')');
    unsigned long long bytes;
    unsigned long faults, child_faults, user, system;
    long child_user, child_system, pages;
    int parent, group;

    /* State, parent, group, 6 fields that do not matter here, faults and times; 5 more, sizes. */
    if (!at || sscanf(at + 1,
                      " %*c %d %d %*d %*d %*d %*u %*u %*u %lu %lu %lu %lu %ld %ld"
                      " %*d %*d %*d %*d %*u %llu %ld",
                      &parent, &group, &faults, &child_faults, &user, &system, &child_user,
                      &child_system, &bytes, &pages) != 10)
        return -EINVAL;
    *ret = (struct usage_process){ .parent = parent,
                                   .group = group,
                                   .user_ticks = user + (unsigned long)child_user,
                                   .system_ticks = system + (unsigned long)child_system,
                                   .pages = faults + child_faults,
                                   .virtual_kb = bytes / 1024,
                                   .memory_kb = pages > 0 ? (uint64_t)pages * page_kb : 0 };
    return 0;
}

static bool find_number(const char *text, const char *key, uint64_t *ret)
{
    const char *at = strstr(text, key);

    if (!at)
        return false;
    *ret = strtoull(at + strlen(key), NULL, 10);
    return true;
}

bool usage_parse_io(const char *io, uint64_t *ret_read, uint64_t *ret_written)
{
    uint64_t read, written;

    if (!find_number(io, "rchar:", &read) || !find_number(io, "wchar:", &written))
        return false;
    *ret_read = read;
    *ret_written = written;
    return true;
}

uint32_t usage_find(const struct usage_task *tasks, uint32_t tasks_n, pid_t pid)
{
    for (uint32_t i = 0; i < tasks_n && pid > 0; i++) {
        if (tasks[i].pid == pid)
            return i;
    }
    return tasks_n;
}

/* ---- while tasks run ---- */

struct seen {
    pid_t pid;
    struct usage_process process;
};

static const struct seen *find_seen(const struct seen *seen, uint32_t n, pid_t pid)
{
    for (uint32_t i = 0; i < n; i++) {
        if (seen[i].pid == pid)
            return &seen[i];
    }
    return NULL;
}

static uint32_t task_of(const struct usage_task *tasks, uint32_t tasks_n, const struct seen *seen,
                        uint32_t seen_n, const struct seen *process)
{
    const struct seen *at = process;

    for (int i = 0; at && i < GENERATIONS_MAX; i++) {
        uint32_t task = usage_find(tasks, tasks_n, at->pid);

        if (task < tasks_n)
            return task;
        at = find_seen(seen, seen_n, at->process.parent);
    }
    return usage_find(tasks, tasks_n, process->process.group);
}

/* Reads what the process read and wrote. Another user's process, or one that is being started,
 * cannot be looked into. */
static void read_io(const char *dir, struct usage_process *process)
{
    AUTO(strbuf) struct strbuf io = { 0 };

    if (cgroup_file_read(dir, "io", &io) == 0)
        (void)usage_parse_io(strbuf_text(&io), &process->read_bytes, &process->written_bytes);
}

/* Reads the memory in the way that counts; where that cannot be looked into, the resident set
 * stays. */
static void read_memory(const char *dir, enum usage_memory counts, uint64_t page_kb,
                        struct usage_process *process)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    unsigned long resident, shared;

    if (counts == USAGE_PSS && cgroup_file_read(dir, "smaps_rollup", &text) == 0)
        (void)find_number(strbuf_text(&text), "\nPss:", &process->memory_kb);
    if (counts == USAGE_PRIVATE && cgroup_file_read(dir, "statm", &text) == 0 &&
        sscanf(strbuf_text(&text), "%*u %lu %lu", &resident, &shared) == 2 && resident >= shared)
        process->memory_kb = (resident - shared) * page_kb;
}

static uint32_t read_processes(const pid_t *pids, uint32_t pids_n, enum usage_memory counts,
                               struct seen *seen)
{
    const uint64_t page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
    uint32_t n = 0;

    for (uint32_t i = 0; i < pids_n; i++) {
        AUTO(strbuf) struct strbuf stat = { 0 };
        char dir[32];

        snprintf(dir, sizeof(dir), "/proc/%d", (int)pids[i]);
        if (cgroup_file_read(dir, "stat", &stat) < 0 ||
            usage_parse_stat(strbuf_text(&stat), page_kb, &seen[n].process) < 0)
            continue; /* it has just ended */
        read_io(dir, &seen[n].process);
        read_memory(dir, counts, page_kb, &seen[n].process);
        seen[n++].pid = pids[i];
    }
    return n;
}

static void raise_to(uint64_t *peak, uint64_t now)
{
    if (now > *peak)
        *peak = now;
}

/* Opens the task's io file. Fails before the task's exec, since this process and its copies cannot
 * be looked into. */
static void open_io(struct usage_task *task)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/%d/io", (int)task->pid);
    if (task->pid && task->io_fd < 0)
        task->io_fd = open(path, O_RDONLY | O_CLOEXEC);
}

static void take_now(struct task_usage *usage, const struct usage_process *now)
{
    const uint64_t tick_us = 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);

    raise_to(&usage->memory_kb, now->memory_kb);
    raise_to(&usage->virtual_kb, now->virtual_kb);
    raise_to(&usage->user_us, now->user_ticks * tick_us);
    raise_to(&usage->system_us, now->system_ticks * tick_us);
    raise_to(&usage->pages, now->pages);
    raise_to(&usage->read_bytes, now->read_bytes);
    raise_to(&usage->written_bytes, now->written_bytes);
}

void usage_sample(struct usage_task *tasks, uint32_t tasks_n, const pid_t *pids, uint32_t pids_n,
                  const struct cgroup *cgroup)
{
    AUTO_FREE struct seen *seen = xcalloc((size_t)pids_n + 1, sizeof(*seen));
    AUTO_FREE struct usage_process *now = xcalloc((size_t)tasks_n + 1, sizeof(*now));
    uint32_t seen_n = read_processes(pids, pids_n, tasks_n ? tasks[0].counts : USAGE_RSS, seen);

    for (uint32_t i = 0; i < seen_n; i++) {
        uint32_t task = task_of(tasks, tasks_n, seen, seen_n, &seen[i]);

        if (task == tasks_n)
            continue;
        now[task].memory_kb += seen[i].process.memory_kb;
        now[task].virtual_kb += seen[i].process.virtual_kb;
        now[task].user_ticks += seen[i].process.user_ticks;
        now[task].system_ticks += seen[i].process.system_ticks;
        now[task].pages += seen[i].process.pages;
        now[task].read_bytes += seen[i].process.read_bytes;
        now[task].written_bytes += seen[i].process.written_bytes;
    }
    for (uint32_t i = 0; i < tasks_n; i++) {
        const uint64_t counted_kb = cgroup ? cgroup_task_memory_kb(cgroup, i) : 0;

        if (counted_kb)
            now[i].memory_kb = counted_kb;
        take_now(&tasks[i].usage, &now[i]);
        open_io(&tasks[i]);
    }
}

uint64_t usage_memory_kb(const pid_t *pids, uint32_t pids_n, enum usage_memory counts)
{
    AUTO_FREE struct seen *seen = xcalloc((size_t)pids_n + 1, sizeof(*seen));
    uint32_t seen_n = read_processes(pids, pids_n, counts, seen);
    uint64_t kb = 0;

    for (uint32_t i = 0; i < seen_n; i++)
        kb += seen[i].process.memory_kb;
    return kb;
}

/* ---- from the start to the end of a task ---- */

void usage_begin(struct usage_task *task, uint32_t number, pid_t pid, enum usage_memory counts)
{
    *task = (struct usage_task){ .pid = pid, .counts = counts, .io_fd = -1, .usage.task = number };
}

/* Holds what children did that the task has waited for. */
void usage_take_files(struct usage_task *task)
{
    char io[512] = "";
    uint64_t read, written;

    if (task->io_fd < 0 || pread(task->io_fd, io, sizeof(io) - 1, 0) <= 0 ||
        !usage_parse_io(io, &read, &written))
        return;
    raise_to(&task->usage.read_bytes, read);
    raise_to(&task->usage.written_bytes, written);
}

static uint64_t micros(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

/*
 * Takes the kernel's peak, which begins with this process's own size, as the task had until its
 * exec. So it tells about the task only when it is larger, or when there was no time for a sample.
 * It counts all pages.
 */
static void take_peak(struct usage_task *task, uint64_t peak_kb)
{
    struct rusage own = { 0 };

    (void)getrusage(RUSAGE_SELF, &own);
    if (!task->usage.memory_kb || (task->counts == USAGE_RSS && peak_kb > (uint64_t)own.ru_maxrss))
        raise_to(&task->usage.memory_kb, peak_kb);
    raise_to(&task->usage.virtual_kb, task->usage.memory_kb);
}

void usage_end(struct usage_task *task, const struct rusage *rusage)
{
    task->usage.user_us = micros(&rusage->ru_utime);
    task->usage.system_us = micros(&rusage->ru_stime);
    task->usage.pages = (uint64_t)rusage->ru_majflt;
    take_peak(task, (uint64_t)rusage->ru_maxrss);
    raise_to(&task->usage.read_bytes, (uint64_t)rusage->ru_inblock * BLOCK_BYTES);
    raise_to(&task->usage.written_bytes, (uint64_t)rusage->ru_oublock * BLOCK_BYTES);
    if (task->io_fd >= 0)
        close(task->io_fd);
    task->io_fd = -1;
    task->pid = 0;
}
