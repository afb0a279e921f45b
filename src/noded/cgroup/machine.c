#include "noded/cgroup/machine.h"

#include <errno.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "common/base/strbuf.h"
#include "noded/cgroup/files.h"
#include "noded/cgroup/libcgroup.h"

#define MOUNTS "/proc/self/mounts"

void cgroup_mount_clear(struct cgroup_mount *mount)
{
    free(mount->dir);
    free(mount->self);
    *mount = (struct cgroup_mount){ 0 };
}

/* Drops libcgroup's own messages, which would go to stdout; what fails is told by who called. */
static void be_silent(void *ctx, int level, const char *fmt, va_list args)
{
    (void)ctx;
    (void)level;
    (void)fmt;
    (void)args;
}

static int open_machine(void *ctx, struct err *err)
{
    int rc = libcgroup_open(err);

    (void)ctx;
    if (rc < 0)
        return err_prefix(err, "libcgroup2 is not installed");
    cgroup_set_logger(be_silent, CGROUP_LOG_ERROR, NULL);
    rc = cgroup_init();
    /* Also where the only hierarchy is a v2 without controllers, which has its uses. */
    if (rc == 0 || rc == ECGROUPNOTMOUNTED)
        return 0;
    err_set(err, EIO, "libcgroup: %s", cgroup_strerror(rc));
    libcgroup_close();
    return -EIO;
}

static void close_machine(void *ctx)
{
    (void)ctx;
    libcgroup_close();
}

/* ---- finding ---- */

/* Returns whether the directory is of v2. libcgroup 2.0 knows the version of a controller, but its
 * header does not offer it. */
static bool is_v2(const char *dir)
{
    struct statfs info;

    return statfs(dir, &info) == 0 && info.f_type == CGROUP2_SUPER_MAGIC;
}

/* Returns where a controller of this name (NULL: any) and of the version that is wanted is seen. */
static char *find_controller(const char *name, bool v2)
{
    struct cgroup_mount_point at;
    void *handle = NULL;
    char *found = NULL;

    for (int rc = cgroup_get_controller_begin(&handle, &at); rc == 0 && !found;
         rc = cgroup_get_controller_next(&handle, &at)) {
        if ((!name || strcmp(at.name, name) == 0) && is_v2(at.path) == v2)
            found = xstrdup(at.path);
    }
    (void)cgroup_get_controller_end(&handle);
    return found;
}

/* Finds a v2 hierarchy without controllers, which libcgroup passes over. */
static char *find_bare_v2(void)
{
    FILE *mounts = setmntent(MOUNTS, "re");
    const struct mntent *mount;
    char *found = NULL;

    while (mounts && !found && (mount = getmntent(mounts))) {
        if (strcmp(mount->mnt_type, "cgroup2") == 0)
            found = xstrdup(mount->mnt_dir);
    }
    if (mounts)
        endmntent(mounts);
    return found;
}

char *cgroup_self_path(const char *text)
{
    for (const char *at = text; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, "0::/", 4) == 0)
            return xstrndup(at + 3, strcspn(at + 3, "\n"));
    }
    return NULL;
}

/*
 * Finds this process's own group on v2, of which libcgroup 2.0 cannot read the line. A mount may
 * show only a part of the hierarchy, in which the path is not found: then that part is all there
 * is.
 */
static char *find_self(const char *dir)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *path = NULL, *below = NULL;
    struct stat status;

    if (cgroup_file_read("/proc/self", "cgroup", &text) == 0)
        path = cgroup_self_path(strbuf_text(&text));
    if (!path || strcmp(path, "/") == 0)
        return xstrdup("");
    below = xasprintf("%s%s", dir, path);
    return stat(below, &status) < 0 ? xstrdup("") : STEAL(path);
}

static bool find_mount(void *ctx, const char *controller, struct cgroup_mount *ret)
{
    char *dir = find_controller(controller, controller == NULL);

    (void)ctx;
    if (!dir && !controller)
        dir = find_bare_v2();
    if (!dir)
        return false;
    ret->dir = dir;
    ret->self = controller ? NULL : find_self(dir);
    return true;
}

/* ---- making ---- */

/* Makes the group for one controller at a time: with several, libcgroup 2.0 tells of failures that
 * were none. */
static int make_group(void *ctx, const char *controller, const char *name, struct err *err)
{
    struct cgroup *group = cgroup_new_cgroup(name);
    int rc = ECGFAIL;

    (void)ctx;
    if (group && cgroup_add_controller(group, controller))
        rc = cgroup_create_cgroup(group, 1);
    libcgroup_free(&group);
    return rc == 0 ? 0 : err_set(err, EIO, "%s", cgroup_strerror(rc));
}

const struct cgroup_machine cgroup_machine = {
    .open = open_machine,
    .find = find_mount,
    .make = make_group,
    .close = close_machine,
};
