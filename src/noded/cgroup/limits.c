/* What a step may use, and what it used. */
#include "noded/cgroup/hierarchy.h"

#include <errno.h>
#include <string.h>

#include "noded/cgroup/files.h"

int cgroup_limit_cpus(const struct cgroup *cgroup, const uint32_t *cpus, uint32_t cpus_n,
                      struct err *err)
{
    AUTO(strbuf) struct strbuf list = { 0 };
    const char *dir = cgroup->mode == CGROUP_V2 ? cgroup->dirs[TRACK] : cgroup->dirs[CPUS];
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

int cgroup_limit_memory(const struct cgroup *cgroup, uint64_t mb, struct err *err)
{
    bool v2 = cgroup->mode == CGROUP_V2;
    const char *dir = v2 ? cgroup->dirs[TRACK] : cgroup->dirs[MEMORY];
    AUTO_FREE char *text = xasprintf("%lluM", (unsigned long long)mb);
    int rc = dir ? 0 : -ENOTSUP;

    if (rc == 0)
        rc = cgroup_file_write(dir, v2 ? "memory.max" : "memory.limit_in_bytes", text);
    if (rc < 0)
        return err_set(err, -rc, "cannot limit the memory of %s to %s: %s", dir ? dir : "step",
                       text, strerror(-rc));
    return 0;
}

struct cgroup_usage cgroup_usage(const struct cgroup *cgroup)
{
    struct cgroup_usage usage = { 0 };

    if (cgroup->mode == CGROUP_V1 && cgroup->dirs[MEMORY]) {
        usage.memory_kb =
            cgroup_file_number(cgroup->dirs[MEMORY], "memory.stat", "total_rss") / 1024;
        usage.peak_memory_kb =
            cgroup_file_number(cgroup->dirs[MEMORY], "memory.max_usage_in_bytes", NULL) / 1024;
        usage.oom_kills =
            cgroup_file_number(cgroup->dirs[MEMORY], "memory.oom_control", "oom_kill");
    } else if (cgroup->mode == CGROUP_V2) {
        usage.memory_kb = cgroup_file_number(cgroup->dirs[TRACK], "memory.stat", "anon") / 1024;
        usage.peak_memory_kb = cgroup_file_number(cgroup->dirs[TRACK], "memory.peak", NULL) / 1024;
        usage.oom_kills = cgroup_file_number(cgroup->dirs[TRACK], "memory.events", "oom_kill");
    }
    return usage;
}
