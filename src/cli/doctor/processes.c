#include "cli/doctor/processes.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/alloc.h"

/*
 * Reads "PID (NAME) STATE PARENT ..." if the name is `name`, or any for NULL; a name may hold
 * anything but is last in its brackets.
 */
static bool read_stat(const char *pid, const char *name, struct process *ret)
{
    AUTO_FREE char *path = xasprintf("/proc/%s/stat", pid);
    FILE *file = fopen(path, "re");
    char line[512] = "";
    const char *open, *close;
    bool is_it = false;

    if (!file)
        return false;
    if (fgets(line, sizeof(line), file)) {
        open = strchr(line, '(');
        close = strrchr(line, ')');
        is_it = open && close &&
                (!name || ((size_t)(close - open - 1) == strlen(name) &&
                           strncmp(open + 1, name, strlen(name)) == 0)) &&
                sscanf(close + 1, " %c %d", &ret->state, &ret->parent) == 2;
        ret->pid = atoi(pid);
    }
    fclose(file);
    return is_it;
}

static int by_pid(const void *a, const void *b)
{
    const struct process *one = a, *other = b;

    return (one->pid > other->pid) - (one->pid < other->pid);
}

int processes_named(const char *name, struct process **ret)
{
    DIR *dir = opendir("/proc");
    struct process *list = NULL;
    struct process process;
    uint32_t n = 0;

    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name) &&
            read_stat(entry->d_name, name, &process))
            *ARRAY_PUSH(list, n) = process;
    }
    if (dir)
        closedir(dir);
    if (n)
        qsort(list, n, sizeof(*list), by_pid);
    *ret = list;
    return (int)n;
}

int process_of(pid_t pid, struct process **ret)
{
    AUTO_FREE char *number = xasprintf("%d", (int)pid);
    struct process process;

    if (pid <= 0 || !read_stat(number, NULL, &process))
        return 0;
    *ret = xmemdup(&process, sizeof(process));
    return 1;
}

bool process_is_replaced(pid_t pid)
{
    static const char gone[] = " (deleted)";
    AUTO_FREE char *path = xasprintf("/proc/%d/exe", (int)pid);
    char target[4096] = "";
    ssize_t n = readlink(path, target, sizeof(target) - 1);

    return n > (ssize_t)sizeof(gone) && strcmp(target + n - (sizeof(gone) - 1), gone) == 0;
}

/* Reads the soft limit of that name in /proc/PID/limits; false: "unlimited", or not readable. */
static bool read_limit(pid_t pid, const char *name, long long *ret)
{
    AUTO_FREE char *path = xasprintf("/proc/%d/limits", (int)pid);
    FILE *file = fopen(path, "re");
    const size_t n = strlen(name);
    char line[256];
    bool found = false;

    while (file && !found && fgets(line, sizeof(line), file))
        found = strncmp(line, name, n) == 0 && sscanf(line + n, "%lld", ret) == 1;
    if (file)
        fclose(file);
    return found;
}

long process_files_max(pid_t pid)
{
    long long limit;

    return read_limit(pid, "Max open files", &limit) ? (long)limit : -1;
}

uint64_t process_locked_max(pid_t pid)
{
    long long limit;

    return read_limit(pid, "Max locked memory", &limit) ? (uint64_t)limit : UINT64_MAX;
}

pid_t pid_of_file(const char *path)
{
    FILE *file = fopen(path, "re");
    int pid = 0;

    if (file && fscanf(file, "%d", &pid) != 1)
        pid = 0;
    if (file)
        fclose(file);
    return pid;
}
