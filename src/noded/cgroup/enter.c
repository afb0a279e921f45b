/* Puts the processes of a step into its groups. */
#include "noded/cgroup/hierarchy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/cgroup/files.h"

/*
 * Returns the file to enter by. On v1 it is "tasks": a thread that moves itself needs no lock of
 * all thread groups, for which the kernel waits some 15 ms. v2 allows that only in threaded groups.
 */
static const char *door_name(const struct cgroup *cgroup)
{
    return cgroup->mode == CGROUP_V1 ? "tasks" : "cgroup.procs";
}

static int enter(const struct cgroup *cgroup, const char *dir, struct err *err)
{
    int rc = cgroup_file_write(dir, door_name(cgroup), "0");

    return rc < 0 ? err_set(err, -rc, "cannot enter cgroup %s: %s", dir, strerror(-rc)) : 0;
}

int cgroup_enter_system(const struct cgroup *cgroup, struct err *err)
{
    if (!cgroup->system_dir)
        return 0;
    if (mkdir(cgroup->system_dir, CGROUP_DIR_MODE) < 0 && errno != EEXIST)
        return err_set(err, errno, "cannot make cgroup %s: %s", cgroup->system_dir,
                       strerror(errno));
    return enter(cgroup, cgroup->system_dir, err);
}

int cgroup_enter_own(const struct cgroup *cgroup, struct err *err)
{
    AUTO_FREE char *dir = NULL;

    if (cgroup->mode == CGROUP_NONE)
        return 0;
    dir = xasprintf("%s/slurm", cgroup->dirs[TRACK]);
    return enter(cgroup, dir, err);
}

/* ---- tasks ---- */

static int open_door(struct cgroup *cgroup, const char *dir, struct err *err)
{
    AUTO_FREE char *path = xasprintf("%s/%s", dir, door_name(cgroup));
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);

    if (fd < 0)
        return err_set(err, errno, "cannot open %s: %s", path, strerror(errno));
    *ARRAY_PUSH(cgroup->doors, cgroup->doors_n) = fd;
    return 0;
}

/* Returns the directory where each task has a group of its own, or NULL. */
static const char *split_dir(const struct cgroup *cgroup)
{
    if (cgroup->mode == CGROUP_V2)
        return cgroup->tasks_dir;
    return cgroup->uses & CGROUP_USE_TASKS ? cgroup->dirs[MEMORY] : NULL;
}

static int open_shared(struct cgroup *cgroup, struct err *err)
{
    const char *split = split_dir(cgroup);
    int rc = 0;

    for (size_t i = 0; i < HIERARCHIES_N && rc == 0; i++) {
        const char *dir = i == TRACK ? cgroup->tasks_dir : cgroup->dirs[i];

        if (dir && dir != split)
            rc = open_door(cgroup, dir, err);
    }
    cgroup->shared_doors_n = cgroup->doors_n;
    return rc;
}

int cgroup_open_tasks(struct cgroup *cgroup, uint32_t tasks_n, struct err *err)
{
    const char *split = split_dir(cgroup);
    int rc = open_shared(cgroup, err);

    for (uint32_t i = 0; i < tasks_n && rc == 0 && split; i++) {
        AUTO_FREE char *dir = xasprintf("%s/task_%u", split, i);

        if (mkdir(dir, CGROUP_DIR_MODE) < 0 && errno != EEXIST)
            rc = err_set(err, errno, "cannot make cgroup %s: %s", dir, strerror(errno));
        else
            rc = open_door(cgroup, dir, err);
    }
    return rc;
}

/* Enters by an open file. The kernel looks at who opened the file, not at who writes. */
static int go_through(int door)
{
    return write(door, "0", 1) < 0 ? -errno : 0;
}

int cgroup_enter_task(const struct cgroup *cgroup, uint32_t task)
{
    const uint32_t own = cgroup->shared_doors_n + task;
    int rc = 0;

    for (uint32_t i = 0; i < cgroup->shared_doors_n && rc == 0; i++)
        rc = go_through(cgroup->doors[i]);
    if (own < cgroup->doors_n && rc == 0)
        rc = go_through(cgroup->doors[own]);
    return rc;
}
