#include "noded/hooks/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/safe_path.h"
#include "common/text/words.h"

/* Kinds of file systems whose files others than this machine's root decide about. */
static const struct {
    uint32_t magic;
    const char *name;
} foreign[] = {
    { 0x6969, "NFS" },        { 0x517b, "SMB" },      { 0xfe534d42, "SMB" },
    { 0xff534d42, "CIFS" },   { 0x65735546, "FUSE" }, { 0x00c36400, "Ceph" },
    { 0x0bd00bd0, "Lustre" }, { 0x01021997, "9P" },   { 0x47504653, "GPFS" },
    { 0x5346414f, "AFS" },
};

static int check_place(int fd, const char *path, struct err *err)
{
    struct statfs fs;

    if (fstatfs(fd, &fs) < 0)
        return err_set(err, errno, "%s: %s", path, strerror(errno));
    for (size_t i = 0; i < ARRAY_N(foreign); i++) {
        if ((uint32_t)fs.f_type == foreign[i].magic)
            return err_set(err, EPERM,
                           "%s is on a network file system (%s): root runs only local files, copy "
                           "it to each node",
                           path, foreign[i].name);
    }
    return 0;
}

/* Checks the owner. A daemon without root runs what belongs to its own user, or to root. */
static int check_owner(int fd, const char *path, struct err *err)
{
    struct stat status;

    if (fstat(fd, &status) < 0)
        return err_set(err, errno, "%s: %s", path, strerror(errno));
    if (status.st_uid != 0 && status.st_uid != geteuid())
        return err_set(err, EPERM, "%s belongs to uid %u, not to root: chown root %s", path,
                       status.st_uid, path);
    if (status.st_mode & (S_IWGRP | S_IWOTH))
        return err_set(err, EPERM, "%s can be written by others (mode %04o): chmod go-w %s", path,
                       status.st_mode & 07777u, path);
    return 0;
}

static int check_file(int fd, const char *path, struct err *err)
{
    struct stat status;
    int rc = check_owner(fd, path, err);

    if (rc == 0)
        rc = check_place(fd, path, err);
    if (rc < 0)
        return rc;
    if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
        return err_set(err, EPERM, "%s is no regular file", path);
    if (!(status.st_mode & S_IXUSR))
        return err_set(err, EACCES, "%s cannot be run: chmod +x %s", path, path);
    return 0;
}

int as_root_check_program(const char *path, char **ret_path, struct err *err)
{
    AUTO(safe_path) struct safe_path found = { .dir_fd = -1 };
    AUTO_CLOSE int fd = -1;
    int rc = safe_path_find(path, &found, err);

    if (rc == 0 && found.unsafe)
        rc = err_set(err, EPERM, "%s", found.unsafe);
    if (rc < 0)
        return rc;
    fd = openat(found.dir_fd, found.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, errno, "%s: %s", found.text, strerror(errno));
    rc = check_file(fd, found.text, err);
    if (rc == 0)
        *ret_path = STEAL(found.text);
    return rc;
}

static int add_matches(const char *pattern, struct hook_programs *ret, struct err *err)
{
    glob_t found = { 0 };
    int rc;

    if (pattern[0] != '/')
        return err_set(err, EINVAL, "%s is no absolute path", pattern);
    if (!strpbrk(pattern, "*?[")) {
        *ARRAY_PUSH(ret->paths, ret->n) = xstrdup(pattern);
        return 0;
    }
    rc = glob(pattern, 0, NULL, &found);
    for (size_t i = 0; rc == 0 && i < found.gl_pathc; i++)
        *ARRAY_PUSH(ret->paths, ret->n) = xstrdup(found.gl_pathv[i]);
    globfree(&found);
    return rc == 0 || rc == GLOB_NOMATCH ? 0 : err_set(err, EIO, "%s cannot be looked up", pattern);
}

int hook_programs_find(const char *setting, struct hook_programs *ret, struct err *err)
{
    AUTO(words) struct words words = words_split(setting ? setting : "", ",");
    struct hook_programs found = { 0 };
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < words.n; i++)
        rc = add_matches(words.at[i], &found, err);
    if (rc < 0)
        hook_programs_clear(&found);
    else
        *ret = found;
    return rc;
}

void hook_programs_clear(struct hook_programs *programs)
{
    for (uint32_t i = 0; i < programs->n; i++)
        free(programs->paths[i]);
    free(programs->paths);
    *programs = (struct hook_programs){ 0 };
}
