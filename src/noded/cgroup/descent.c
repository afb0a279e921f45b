#include "noded/cgroup/descent.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "noded/cgroup/files.h"

struct process {
    pid_t pid, parent;
    bool dead, found;
};

int descent_parse_stat(const char *stat, pid_t *ret_parent, char *ret_state)
{
    /* The name in parentheses may hold blanks and parentheses itself. */
    const char *at = strrchr(stat, ')');

    if (!at || at[1] != ' ' || !at[2] || at[3] != ' ')
        return -EINVAL;
    *ret_state = at[2];
    *ret_parent = (pid_t)strtol(at + 4, NULL, 10);
    return 0;
}

static bool read_process(const char *name, struct process *ret)
{
    AUTO(strbuf) struct strbuf stat = { 0 };
    AUTO_FREE char *dir = xasprintf("/proc/%s", name);
    char state = 0;

    if (cgroup_file_read(dir, "stat", &stat) < 0 ||
        descent_parse_stat(strbuf_text(&stat), &ret->parent, &state) < 0)
        return false;
    ret->pid = (pid_t)strtol(name, NULL, 10);
    ret->dead = state == 'Z' || state == 'X';
    ret->found = false;
    return true;
}

static void read_all(struct process **all, uint32_t *all_n)
{
    DIR *proc = opendir("/proc");
    struct process process;
    struct dirent *entry;

    while (proc && (entry = readdir(proc))) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            read_process(entry->d_name, &process))
            *ARRAY_PUSH(*all, *all_n) = process;
    }
    if (proc)
        closedir(proc);
}

static bool is_below(const struct process *all, uint32_t all_n, pid_t parent, pid_t ancestor)
{
    if (parent == ancestor)
        return true;
    for (uint32_t i = 0; i < all_n; i++) {
        if (all[i].pid == parent)
            return all[i].found;
    }
    return false;
}

void descent_pids(pid_t ancestor, pid_t **pids, uint32_t *pids_n)
{
    AUTO_FREE struct process *all = NULL;
    uint32_t all_n = 0;
    bool more = true;

    read_all(&all, &all_n);
    while (more) { /* a child may have a lower pid than its parent, so: until nothing new */
        more = false;
        for (uint32_t i = 0; i < all_n; i++) {
            if (all[i].found || !is_below(all, all_n, all[i].parent, ancestor))
                continue;
            all[i].found = more = true;
            if (!all[i].dead)
                *ARRAY_PUSH(*pids, *pids_n) = all[i].pid;
        }
    }
}
