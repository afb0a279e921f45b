#include "cli/join/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/conf/file.h"
#include "common/proc/daemon.h"

static int fail(const char *path, struct err *err)
{
    return err_set(err, errno, "cannot write '%s': %s", path, strerror(errno));
}

static int fill(int fd, const char *path, mode_t mode, const void *data, size_t n, struct err *err)
{
    const char *at = data;

    while (n > 0) {
        ssize_t written = write(fd, at, n);

        if (written < 0 && errno != EINTR)
            return fail(path, err);
        at += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
    if (fchmod(fd, mode) < 0 || fsync(fd) < 0)
        return fail(path, err);
    return 0;
}

static int take_name(const char *aside, const char *path, bool keep_old, struct err *err)
{
    AUTO_FREE char *old = xasprintf("%s.old", path);

    if (keep_old && rename(path, old) < 0 && errno != ENOENT)
        return fail(old, err);
    return rename(aside, path) < 0 ? fail(path, err) : 0;
}

int file_put(const char *path, mode_t mode, uid_t uid, gid_t gid, bool keep_old, const void *data,
             size_t n, struct err *err)
{
    AUTO_FREE char *aside = xasprintf("%s.XXXXXX", path);
    AUTO_CLOSE int fd = mkostemp(aside, O_CLOEXEC); /* 0600 */
    int rc;

    if (fd < 0)
        return fail(path, err);
    rc = fchown(fd, uid, gid) < 0 ? fail(path, err) : fill(fd, path, mode, data, n, err);
    if (rc == 0)
        rc = take_name(aside, path, keep_old, err);
    if (rc < 0)
        unlink(aside);
    return rc;
}

int file_get(const char *path, size_t most, struct strbuf *ret_text, struct err *err)
{
    int rc = conf_read_disk(NULL, path, ret_text, err);

    if (rc == 0 && ret_text->len > most)
        rc = err_set(err, E_TOO_BIG, "'%s' has more than %zu bytes", path, most);
    return rc;
}

char *file_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');

    return xasprintf("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
}

static char *free_name(const char *path)
{
    char *name = xasprintf("%s.old", path);

    for (int i = 2; access(name, F_OK) == 0; i++) {
        free(name);
        name = xasprintf("%s.old.%d", path, i);
    }
    return name;
}

/*
 * Moves the entries one by one: a container's file system does not rename a directory that its
 * image has.
 */
static int move_entries(DIR *from, int to, const char *path, struct err *err)
{
    for (const struct dirent *entry; (entry = readdir(from));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (renameat(dirfd(from), entry->d_name, to, entry->d_name) < 0)
            return err_set(err, errno, "cannot move '%s/%s': %s", path, entry->d_name,
                           strerror(errno));
    }
    return 0;
}

int dir_empty_aside(const char *path, char **ret_kept, struct err *err)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    AUTO_FREE char *kept = free_name(path);
    AUTO_CLOSE int to = -1;
    int fd = open(path, flags), rc;
    DIR *from = fd < 0 ? NULL : fdopendir(fd);
    struct stat st;

    if (!from || fstat(fd, &st) < 0)
        return err_set(err, errno, "cannot read '%s': %s", path, strerror(errno));
    rc = proc_make_dir(kept, 0700, st.st_uid, st.st_gid, err);
    if (rc == 0 && (to = open(kept, flags)) < 0)
        rc = fail(kept, err);
    if (rc == 0)
        rc = move_entries(from, to, path, err);
    closedir(from);
    if (rc == 0)
        *ret_kept = STEAL(kept);
    return rc;
}
