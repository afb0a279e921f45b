#include "noded/cgroup/hierarchy.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/cgroup/files.h"

#define BESIDE_MAX 100 /* groups of the same name, of other daemons */

/* A new v1 cpuset has no cpus and no memory nodes, and takes no process before it has. */
static int fill_cpuset(const char *dir)
{
    static const char *const names[] = { "cpuset.cpus", "cpuset.mems" };
    AUTO_FREE char *parent = xasprintf("%s/..", dir);

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        AUTO(strbuf) struct strbuf text = { 0 };
        int rc = cgroup_file_read(parent, names[i], &text);

        if (rc == 0)
            rc = cgroup_file_write(dir, names[i], strbuf_text(&text));
        if (rc < 0)
            return rc;
    }
    return 0;
}

int cgroup_make_dir(const char *dir, size_t hierarchy, enum cgroup_mode mode)
{
    if (mkdir(dir, CGROUP_DIR_MODE) < 0)
        return -errno;
    return mode == CGROUP_V1 && hierarchy == CPUS ? fill_cpuset(dir) : 0;
}

/* Makes the levels above a step; another step's end may take them away meanwhile. */
static int make_levels(const struct cgroup_root *root, size_t i, const struct cgroup_name *name,
                       struct strbuf *path)
{
    int rc;

    if (mkdir(root->tops[i], CGROUP_DIR_MODE) < 0 && errno != EEXIST)
        return -errno;
    strbuf_adds(path, root->tops[i]);
    if (root->mode == CGROUP_V1) {
        strbuf_addf(path, "/uid_%u", name->uid);
        rc = cgroup_make_dir(strbuf_text(path), i, root->mode);
        if (rc < 0 && rc != -EEXIST)
            return rc;
    }
    strbuf_addf(path, "/job_%u", name->job_id);
    rc = cgroup_make_dir(strbuf_text(path), i, root->mode);
    return rc == -EEXIST ? 0 : rc;
}

static bool has_members(const char *dir)
{
    AUTO_FREE pid_t *pids = NULL;
    uint32_t n = 0;

    cgroup_files_pids(dir, &pids, &n);
    return n > 0;
}

static int make_step_dir(const struct cgroup_root *root, size_t i, const struct cgroup_name *name,
                         unsigned beside, char **ret_dir)
{
    int rc = -ENOENT;

    for (int tries = 0; rc == -ENOENT && tries < 10; tries++) {
        AUTO(strbuf) struct strbuf path = { 0 };

        rc = make_levels(root, i, name, &path);
        if (rc < 0)
            continue;
        strbuf_addf(&path, "/step_%s", name->step);
        if (beside)
            strbuf_addf(&path, "_%u", beside);
        rc = cgroup_make_dir(strbuf_text(&path), i, root->mode);
        if (rc == -EEXIST && !has_members(strbuf_text(&path)))
            rc = 0; /* left by a step daemon that was killed */
        if (rc == 0)
            *ret_dir = strbuf_steal(&path);
    }
    return rc;
}

int cgroup_make(const struct cgroup_root *root, const struct cgroup_name *name, pid_t owner,
                struct cgroup **ret, struct err *err)
{
    struct cgroup *cgroup = xcalloc(1, sizeof(*cgroup));
    unsigned beside = 0;

    cgroup->mode = root->mode;
    cgroup->owner = owner;
    for (size_t i = 0; i < HIERARCHIES_N; i++) {
        int rc = 0;

        if (root->tops[i])
            rc = make_step_dir(root, i, name, beside, &cgroup->dirs[i]);
        while (rc == -EEXIST && i == TRACK && ++beside < BESIDE_MAX)
            rc = make_step_dir(root, i, name, beside, &cgroup->dirs[i]);
        if (rc < 0) {
            rc = err_set(err, -rc, "cannot make cgroup of step %u.%s below %s: %s", name->job_id,
                         name->step, root->tops[i], strerror(-rc));
            (void)cgroup_remove(cgroup);
            cgroup_free(cgroup);
            return rc;
        }
    }
    *ret = cgroup;
    return 0;
}

int cgroup_open(const struct cgroup_root *root, const char *path, struct cgroup **ret,
                struct err *err)
{
    size_t n = root->tops[TRACK] ? strlen(root->tops[TRACK]) : 0;

    if (n == 0 || strncmp(path, root->tops[TRACK], n) != 0 || path[n] != '/' || strstr(path, "/.."))
        return err_set(err, EINVAL, "'%s' is not a cgroup of this node daemon", path);
    struct cgroup *cgroup = xcalloc(1, sizeof(*cgroup));
    cgroup->mode = root->mode;
    cgroup->dirs[TRACK] = xstrdup(path);
    for (size_t i = TRACK + 1; i < HIERARCHIES_N; i++) {
        if (root->tops[i])
            cgroup->dirs[i] = xasprintf("%s%s", root->tops[i], path + n);
    }
    *ret = cgroup;
    return 0;
}

struct cgroup *cgroup_free(struct cgroup *cgroup)
{
    for (size_t i = 0; cgroup && i < HIERARCHIES_N; i++)
        free(cgroup->dirs[i]);
    free(cgroup);
    return NULL;
}

const char *cgroup_path(const struct cgroup *cgroup)
{
    return cgroup->dirs[TRACK] ? cgroup->dirs[TRACK] : "";
}

/*
 * On v1 by "tasks": a thread that moves itself needs no lock of all thread groups, for which the
 * kernel waits some 15 ms. v2 allows that only in threaded groups.
 */
int cgroup_enter(const struct cgroup *cgroup, struct err *err)
{
    const char *file = cgroup->mode == CGROUP_V1 ? "tasks" : "cgroup.procs";

    for (size_t i = 0; i < HIERARCHIES_N; i++) {
        int rc = cgroup->dirs[i] ? cgroup_file_write(cgroup->dirs[i], file, "0") : 0;

        if (rc < 0)
            return err_set(err, -rc, "cannot enter cgroup %s: %s", cgroup->dirs[i], strerror(-rc));
    }
    return 0;
}

/* The levels above stay while others use them. */
static int remove_up(const char *dir, int levels)
{
    AUTO_FREE char *path = xstrdup(dir);

    if (rmdir(path) < 0 && errno != ENOENT)
        return -errno;
    for (int i = 0; i < levels; i++) {
        *strrchr(path, '/') = '\0';
        if (rmdir(path) < 0)
            break;
    }
    return 0;
}

int cgroup_remove(const struct cgroup *cgroup)
{
    int rc = 0;

    for (size_t i = 0; i < HIERARCHIES_N; i++) {
        if (cgroup->dirs[i] && rc == 0)
            rc = remove_up(cgroup->dirs[i], cgroup->mode == CGROUP_V1 ? 2 : 1);
    }
    return rc;
}
