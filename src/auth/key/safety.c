#include "auth/key/safety.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/alloc.h"

char *safety_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return xstrdup(".");
    return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

static bool may_own(const struct safety *safety, uid_t uid)
{
    bool may = uid == 0;

    for (unsigned i = 0; !may && i < safety->owners_n; i++)
        may = safety->owners[i] == uid;
    return may;
}

static int check_directory(const char *what, const char *dir, const struct safety *safety,
                           struct err *err)
{
    struct stat st;

    if (stat(dir, &st) < 0)
        return err_set(err, errno, "%s: directory \"%s\": %s", what, dir, strerror(errno));
    if (!may_own(safety, st.st_uid))
        return err_set(err, EPERM, "%s is insecure: invalid ownership of \"%s\" by uid %u", what,
                       dir, st.st_uid);
    if (st.st_mode & S_ISVTX)
        return 0;
    if (st.st_mode & S_IWOTH)
        return err_set(err, EPERM,
                       "%s is insecure: world-writable permissions without sticky bit set on "
                       "\"%s\"",
                       what, dir);
    if (st.st_mode & S_IWGRP && !safety->group_may_write && st.st_gid != safety->trusted_gid)
        return err_set(err, EPERM,
                       "%s is insecure: group-writable permissions without sticky bit set on "
                       "\"%s\", by group %u (--trusted-group would allow it)",
                       what, dir, st.st_gid);
    return 0;
}

int safety_check_directories(const char *what, const char *path, const struct safety *safety,
                             struct err *err)
{
    AUTO_FREE char *given = safety_directory_of(path);
    AUTO_FREE char *dir = realpath(given, NULL);

    if (!dir)
        return err_set(err, errno, "%s: directory of \"%s\": %s", what, path, strerror(errno));
    for (;;) {
        int rc = check_directory(what, *dir ? dir : "/", safety, err);
        char *end = strrchr(dir, '/');

        if (rc < 0 || !*dir || !end[1])
            return rc;
        *end = '\0';
    }
}
