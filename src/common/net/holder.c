#include "common/net/holder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/alloc.h"

#define TCP_LISTEN 0x0A /* st of /proc/net/tcp */

static bool listens_on(const char *line, uint16_t port, unsigned long *ret_inode)
{
    unsigned local_port, state;

    return sscanf(line,
                  " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*u %*u %lu",
                  &local_port, &state, ret_inode) == 3 &&
           local_port == port && state == TCP_LISTEN;
}

/* Returns the inode of the socket that listens on the port, or 0. */
static unsigned long find_listener(const char *path, uint16_t port)
{
    FILE *file = fopen(path, "re");
    unsigned long inode = 0;
    bool found = false;
    char line[512];

    while (file && !found && fgets(line, sizeof(line), file))
        found = listens_on(line, port, &inode);
    if (file)
        fclose(file);
    return found ? inode : 0;
}

static bool has_socket(const char *pid, unsigned long inode)
{
    AUTO_FREE char *path = xasprintf("/proc/%s/fd", pid);
    AUTO_FREE char *wanted = xasprintf("socket:[%lu]", inode);
    DIR *dir = opendir(path);
    bool found = false;

    for (const struct dirent *entry; dir && !found && (entry = readdir(dir));) {
        char target[64] = "";

        found = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1) > 0 &&
                strcmp(target, wanted) == 0;
    }
    if (dir)
        closedir(dir);
    return found;
}

/* Returns the process that has the socket, or 0. */
static pid_t find_owner(unsigned long inode)
{
    DIR *dir = opendir("/proc");
    pid_t pid = 0;

    for (const struct dirent *entry; dir && !pid && (entry = readdir(dir));) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && has_socket(entry->d_name, inode))
            pid = atoi(entry->d_name);
    }
    if (dir)
        closedir(dir);
    return pid;
}

static void read_name(pid_t pid, char *ret, size_t n)
{
    AUTO_FREE char *path = xasprintf("/proc/%d/comm", (int)pid);
    FILE *file = fopen(path, "re");

    snprintf(ret, n, "a process");
    if (file && fgets(ret, (int)n, file))
        ret[strcspn(ret, "\n")] = '\0';
    if (file)
        fclose(file);
    for (char *at = ret; *at; at++) { /* the process has chosen it */
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
    }
}

bool net_find_holder(uint16_t port, struct net_holder *ret)
{
    unsigned long inode = find_listener("/proc/net/tcp", port);
    struct net_holder holder = { 0 };

    if (!inode)
        inode = find_listener("/proc/net/tcp6", port);
    holder.pid = inode ? find_owner(inode) : 0;
    if (!holder.pid)
        return false;
    read_name(holder.pid, holder.name, sizeof(holder.name));
    *ret = holder;
    return true;
}
