#include "cli/join/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/conf/file.h"

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
