#include "noded/cgroup/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX_BYTES (1u << 20)
#define DEPTH_MAX      8

static int open_in(const char *dir, const char *name, int flags)
{
    AUTO_FREE char *path = xasprintf("%s/%s", dir, name);
    int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW);

    return fd < 0 ? -errno : fd;
}

int cgroup_file_write(const char *dir, const char *name, const char *text)
{
    int opened = open_in(dir, name, O_WRONLY);

    if (opened < 0)
        return opened;
    AUTO_CLOSE int fd = opened;
    return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

int cgroup_file_read(const char *dir, const char *name, struct strbuf *text)
{
    int opened = open_in(dir, name, O_RDONLY);

    if (opened < 0)
        return opened;
    AUTO_CLOSE int fd = opened;
    while (text->len < FILE_MAX_BYTES) {
        ssize_t n = read(fd, strbuf_reserve(text, 4096), 4096);

        if (n <= 0)
            return n < 0 ? -errno : 0;
        strbuf_grown(text, (size_t)n);
    }
    return 0;
}

uint64_t cgroup_file_number(const char *dir, const char *name, const char *key)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    const char *at;

    if (cgroup_file_read(dir, name, &text) < 0)
        return 0;
    at = strbuf_text(&text);
    if (!key)
        return strtoull(at, NULL, 10);
    for (size_t n = strlen(key); at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, key, n) == 0 && at[n] == ' ')
            return strtoull(at + n + 1, NULL, 10);
    }
    return 0;
}

static void add_pids(const char *dir, pid_t **pids, uint32_t *pids_n)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    const char *at;
    char *end;

    if (cgroup_file_read(dir, "cgroup.procs", &text) < 0)
        return;
    for (at = strbuf_text(&text); *at; at = end + (*end == '\n')) {
        long pid = strtol(at, &end, 10);

        if (end == at)
            return;
        if (pid > 0) /* 0: a process of another pid namespace, which kill() would misread */
            *ARRAY_PUSH(*pids, *pids_n) = (pid_t)pid;
    }
}

static void walk(const char *dir, int depth, pid_t **pids, uint32_t *pids_n)
{
    DIR *entries = opendir(dir);
    struct dirent *entry;

    add_pids(dir, pids, pids_n);
    while (entries && (entry = readdir(entries))) {
        if (entry->d_type != DT_DIR || entry->d_name[0] == '.' || depth == DEPTH_MAX)
            continue;
        AUTO_FREE char *below = xasprintf("%s/%s", dir, entry->d_name);
        walk(below, depth + 1, pids, pids_n);
    }
    if (entries)
        closedir(entries);
}

void cgroup_files_pids(const char *dir, pid_t **pids, uint32_t *pids_n)
{
    walk(dir, 0, pids, pids_n);
}

static int remove_tree(const char *dir, int depth)
{
    DIR *entries = opendir(dir);
    struct dirent *entry;
    int rc = 0;

    while (entries && rc == 0 && (entry = readdir(entries))) {
        if (entry->d_type != DT_DIR || entry->d_name[0] == '.' || depth == DEPTH_MAX)
            continue;
        AUTO_FREE char *below = xasprintf("%s/%s", dir, entry->d_name);
        rc = remove_tree(below, depth + 1);
    }
    if (entries)
        closedir(entries);
    if (rc == 0 && rmdir(dir) < 0 && errno != ENOENT)
        rc = -errno;
    return rc;
}

int cgroup_files_remove(const char *dir)
{
    return remove_tree(dir, 0);
}

bool cgroup_file_exists(const char *dir, const char *name)
{
    AUTO_FREE char *path = xasprintf("%s/%s", dir, name);

    return access(path, F_OK) == 0;
}
