#include "noded/cgroup/hierarchy.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/cgroup/files.h"

#define BESIDE_MAX 100 /* groups of the same name, of other daemons */

static bool is_blank(const struct strbuf *text)
{
    return strspn(strbuf_text(text), " \n") == text->len;
}

/*
 * Fills in cpus and memory nodes: a new v1 cpuset has none and takes no process before it has. One
 * that is there already may be as new: another step has just made it, or was killed when it had.
 */
static int fill_cpuset(const char *dir)
{
    static const char *const names[] = { "cpuset.cpus", "cpuset.mems" };
    AUTO_FREE char *parent = xasprintf("%s/..", dir);

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        AUTO(strbuf) struct strbuf text = { 0 }, own = { 0 };
        int rc = cgroup_file_read(dir, names[i], &own);

        if (rc == 0 && !is_blank(&own))
            continue;
        if (rc == 0)
            rc = cgroup_file_read(parent, names[i], &text);
        if (rc == 0)
            rc = cgroup_file_write(dir, names[i], strbuf_text(&text));
        if (rc < 0)
            return rc;
    }
    return 0;
}

int cgroup_make_dir(const char *dir, size_t hierarchy, enum cgroup_mode mode)
{
    const int made = mkdir(dir, CGROUP_DIR_MODE) < 0 ? -errno : 0;
    int rc = 0;

    if (mode == CGROUP_V1 && hierarchy == CPUS && (made == 0 || made == -EEXIST))
        rc = fill_cpuset(dir);
    return rc < 0 ? rc : made;
}

int cgroup_delegate(const char *dir, unsigned uses)
{
    int rc = 0;

    if (uses & CGROUP_USE_CPUS)
        rc = cgroup_file_write(dir, "cgroup.subtree_control", "+cpuset");
    if (rc == 0 && uses & (CGROUP_USE_MEMORY | CGROUP_USE_TASKS))
        rc = cgroup_file_write(dir, "cgroup.subtree_control", "+memory");
    return rc;
}

/* ---- making ---- */

/* Makes the levels above a step; another step's end may take them away meanwhile. */
static int make_levels(const struct cgroup_root *root, size_t i, const struct cgroup_name *name,
                       struct strbuf *path)
{
    int rc;

    /* A scope is systemd's to make: cgroup_root_heal. */
    if (!root->scope && mkdir(root->tops[i], CGROUP_DIR_MODE) < 0 && errno != EEXIST)
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
    if (rc == -EEXIST)
        rc = 0;
    if (rc == 0 && root->mode == CGROUP_V2)
        rc = cgroup_delegate(strbuf_text(path), root->uses);
    return rc;
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

static int make_steps(const struct cgroup_root *root, const struct cgroup_name *name,
                      struct cgroup *cgroup, size_t *ret_failed)
{
    unsigned beside = 0;
    int rc = 0;

    for (size_t i = 0; i < HIERARCHIES_N && rc == 0; i++) {
        if (!root->tops[i])
            continue;
        rc = make_step_dir(root, i, name, beside, &cgroup->dirs[i]);
        while (rc == -EEXIST && i == TRACK && ++beside < BESIDE_MAX)
            rc = make_step_dir(root, i, name, beside, &cgroup->dirs[i]);
        *ret_failed = i;
    }
    return rc;
}

/* Makes what is below the step's directory in the first hierarchy. */
static int make_parts(struct cgroup *cgroup)
{
    AUTO_FREE char *own = NULL;
    int rc = 0;

    if (!cgroup->dirs[TRACK])
        return 0;
    own = xasprintf("%s/slurm", cgroup->dirs[TRACK]);
    if (cgroup->mode == CGROUP_V2)
        rc = cgroup_delegate(cgroup->dirs[TRACK], cgroup->uses);
    if (rc == 0 && (mkdir(own, CGROUP_DIR_MODE) < 0 || mkdir(cgroup->tasks_dir, CGROUP_DIR_MODE)))
        rc = errno == EEXIST ? 0 : -errno;
    if (rc == 0 && cgroup->mode == CGROUP_V2)
        rc = cgroup_delegate(cgroup->tasks_dir, cgroup->uses & CGROUP_USE_TASKS);
    return rc;
}

static void set_places(const struct cgroup_root *root, struct cgroup *cgroup)
{
    if (cgroup->dirs[TRACK])
        cgroup->tasks_dir = xasprintf("%s/user", cgroup->dirs[TRACK]);
    if (cgroup->mode == CGROUP_V2)
        cgroup->system_dir = xasprintf("%s/system", root->tops[TRACK]);
}

static struct cgroup *cgroup_new(const struct cgroup_root *root, pid_t owner)
{
    struct cgroup *cgroup = xcalloc(1, sizeof(*cgroup));

    cgroup->mode = root->mode;
    cgroup->uses = root->uses;
    cgroup->owner = owner;
    return cgroup;
}

int cgroup_make(const struct cgroup_root *root, const struct cgroup_name *name, pid_t owner,
                struct cgroup **ret, struct err *err)
{
    struct cgroup *cgroup = cgroup_new(root, owner);
    size_t failed = TRACK;
    int rc = make_steps(root, name, cgroup, &failed);

    set_places(root, cgroup);
    if (rc == 0)
        rc = make_parts(cgroup);
    if (rc < 0) {
        rc = err_set(err, -rc, "cannot make cgroup of step %u.%s below %s: %s", name->job_id,
                     name->step, root->tops[failed], strerror(-rc));
        (void)cgroup_remove(cgroup);
        cgroup_free(cgroup);
        return rc;
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
    struct cgroup *cgroup = cgroup_new(root, 0);
    cgroup->dirs[TRACK] = xstrdup(path);
    for (size_t i = TRACK + 1; i < HIERARCHIES_N; i++) {
        if (root->tops[i])
            cgroup->dirs[i] = xasprintf("%s%s", root->tops[i], path + n);
    }
    set_places(root, cgroup);
    *ret = cgroup;
    return 0;
}

struct cgroup *cgroup_free(struct cgroup *cgroup)
{
    if (!cgroup)
        return NULL;
    for (size_t i = 0; i < HIERARCHIES_N; i++)
        free(cgroup->dirs[i]);
    for (uint32_t i = 0; i < cgroup->doors_n; i++)
        close(cgroup->doors[i]);
    free(cgroup->doors);
    free(cgroup->tasks_dir);
    free(cgroup->system_dir);
    free(cgroup);
    return NULL;
}

const char *cgroup_path(const struct cgroup *cgroup)
{
    return cgroup->dirs[TRACK] ? cgroup->dirs[TRACK] : "";
}

/* ---- removing ---- */

/* Removes a directory and those above it that became empty; they stay while others use them. */
static int remove_up(const char *dir, int levels)
{
    AUTO_FREE char *path = xstrdup(dir);
    int rc = cgroup_files_remove(path);

    for (int i = 0; i < levels && rc == 0; i++) {
        *strrchr(path, '/') = '\0';
        if (rmdir(path) < 0)
            break;
    }
    return rc;
}

int cgroup_remove(const struct cgroup *cgroup)
{
    int first = 0;

    for (size_t i = 0; i < HIERARCHIES_N; i++) {
        const int rc =
            cgroup->dirs[i] ? remove_up(cgroup->dirs[i], cgroup->mode == CGROUP_V1 ? 2 : 1) : 0;

        first = first ? first : rc;
    }
    return first;
}
