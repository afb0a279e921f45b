/* Bounds what a step may use, and reads what it used. */
#include "noded/cgroup/hierarchy.h"

#include <errno.h>
#include <string.h>

#include "noded/cgroup/files.h"

/*
 * On v2 the job has its steps' user sides in it, which hold next to nothing; nobody shall be killed
 * because of them.
 */
#define OWN_ROOM_KB (UINT64_C(32) << 10)

const char *cgroup_bounds_dir(const struct cgroup *cgroup, size_t hierarchy)
{
    return cgroup->mode == CGROUP_V2 ? cgroup->tasks_dir : cgroup->dirs[hierarchy];
}

/* Returns where to bound, to be freed, or NULL where this is not done. */
static char *level_dir(const struct cgroup *cgroup, size_t hierarchy, enum cgroup_level level)
{
    const char *dir = cgroup_bounds_dir(cgroup, hierarchy);
    char *path = xstrdup(dir);

    if (path && level == CGROUP_JOB) {
        *strrchr(path, '/') = '\0';
        if (cgroup->mode == CGROUP_V2)
            *strrchr(path, '/') = '\0';
    }
    return path;
}

int cgroup_limit_cpus(const struct cgroup *cgroup, enum cgroup_level level, const uint32_t *cpus,
                      uint32_t cpus_n, struct err *err)
{
    AUTO(strbuf) struct strbuf list = { 0 };
    AUTO_FREE char *dir = level_dir(cgroup, CPUS, level);
    int rc = dir ? 0 : -ENOTSUP;

    for (uint32_t i = 0; i < cpus_n; i++)
        strbuf_addf(&list, "%s%u", i ? "," : "", cpus[i]);
    if (rc == 0)
        rc = cgroup_file_write(dir, "cpuset.cpus", strbuf_text(&list));
    if (rc < 0)
        return err_set(err, -rc, "cannot limit %s to cpus %s: %s", dir ? dir : "step",
                       strbuf_text(&list), strerror(-rc));
    return 0;
}

/* ---- memory ---- */

static int write_kb(const char *dir, const char *file, uint64_t kb)
{
    AUTO_FREE char *text = xasprintf("%lluK", (unsigned long long)kb);

    return cgroup_file_write(dir, file, text);
}

static int limit_v2(const char *dir, const struct cgroup_memory *limit)
{
    int rc = write_kb(dir, "memory.max", limit->ram_kb);

    if (rc == 0 && limit->soft_kb)
        rc = write_kb(dir, "memory.high", limit->soft_kb);
    if (rc == 0 && limit->has_swap)
        rc = write_kb(dir, "memory.swap.max", limit->swap_kb);
    return rc == -ENOENT ? 0 : rc; /* a kernel without swap accounting */
}

/*
 * Sets both bounds. The sum of memory and swap may never be less than the memory alone: so it is
 * set second, and first taken away where it stood.
 */
static int limit_v1(const char *dir, const struct cgroup_memory *limit)
{
    const char *sum = "memory.memsw.limit_in_bytes";
    AUTO_FREE char *swappiness = xasprintf("%u", limit->swappiness);
    int rc;

    (void)cgroup_file_write(dir, "memory.use_hierarchy", "1"); /* is so on newer kernels */
    (void)cgroup_file_write(dir, sum, "-1");
    rc = write_kb(dir, "memory.limit_in_bytes", limit->ram_kb);
    if (rc == 0 && limit->soft_kb)
        rc = write_kb(dir, "memory.soft_limit_in_bytes", limit->soft_kb);
    if (rc == 0 && limit->has_swap)
        rc = write_kb(dir, sum, limit->ram_kb + limit->swap_kb);
    if (rc == 0 && limit->has_swappiness)
        rc = cgroup_file_write(dir, "memory.swappiness", swappiness);
    return rc == -ENOENT ? 0 : rc;
}

int cgroup_limit_memory(const struct cgroup *cgroup, enum cgroup_level level,
                        const struct cgroup_memory *limit, struct err *err)
{
    AUTO_FREE char *dir = level_dir(cgroup, MEMORY, level);
    struct cgroup_memory bound = *limit;
    int rc = -ENOTSUP;

    if (level == CGROUP_JOB && cgroup->mode == CGROUP_V2) {
        bound.ram_kb += OWN_ROOM_KB;
        bound.soft_kb += bound.soft_kb ? OWN_ROOM_KB : 0;
    }
    if (dir)
        rc = cgroup->mode == CGROUP_V2 ? limit_v2(dir, &bound) : limit_v1(dir, &bound);
    if (rc < 0)
        return err_set(err, -rc, "cannot limit the memory of %s to %llu KB: %s", dir ? dir : "step",
                       (unsigned long long)limit->ram_kb, strerror(-rc));
    return 0;
}

bool cgroup_kill_together(const struct cgroup *cgroup)
{
    return cgroup->mode == CGROUP_V2 && cgroup->tasks_dir &&
           cgroup_file_write(cgroup->tasks_dir, "memory.oom.group", "1") == 0;
}

/* ---- what was used ---- */

/* Adds up kills, since v1 counts one only where it happened. */
static uint64_t oom_kills_v1(const char *dir)
{
    uint64_t kills = cgroup_file_number(dir, "memory.oom_control", "oom_kill");

    for (uint32_t task = 0;; task++) {
        AUTO_FREE char *below = xasprintf("%s/task_%u", dir, task);

        if (!cgroup_file_exists(below, "memory.oom_control"))
            return kills;
        kills += cgroup_file_number(below, "memory.oom_control", "oom_kill");
    }
}

/* Returns the memory of processes, without what files are kept in memory. */
static uint64_t processes_kb(const struct cgroup *cgroup, const char *dir)
{
    const char *key = cgroup->mode == CGROUP_V1 ? "total_rss" : "anon";

    return cgroup_file_number(dir, "memory.stat", key) / 1024;
}

struct cgroup_usage cgroup_usage(const struct cgroup *cgroup)
{
    const char *dir = cgroup_bounds_dir(cgroup, MEMORY);
    struct cgroup_usage usage = { 0 };

    if (!dir)
        return usage;
    usage.memory_kb = processes_kb(cgroup, dir);
    if (cgroup->mode == CGROUP_V1) {
        usage.peak_memory_kb = cgroup_file_number(dir, "memory.max_usage_in_bytes", NULL) / 1024;
        usage.oom_kills = oom_kills_v1(dir);
    } else {
        usage.peak_memory_kb = cgroup_file_number(dir, "memory.peak", NULL) / 1024;
        usage.oom_kills = cgroup_file_number(dir, "memory.events", "oom_kill");
    }
    return usage;
}

uint64_t cgroup_task_memory_kb(const struct cgroup *cgroup, uint32_t task)
{
    const char *dir = cgroup_bounds_dir(cgroup, MEMORY);
    AUTO_FREE char *below = NULL;

    if (!dir || !(cgroup->uses & CGROUP_USE_TASKS))
        return 0;
    below = xasprintf("%s/task_%u", dir, task);
    return processes_kb(cgroup, below);
}
