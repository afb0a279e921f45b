#include "noded/cgroup/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "noded/cgroup/descent.h"
#include "noded/cgroup/files.h"
#include "noded/cgroup/mounts.h"

#define ALL_MODE      0755
#define BESIDE_MAX    100 /* groups of the same name, of other daemons */
#define FREEZE_CHECKS 25
#define FREEZE_NS     200000

/* Hierarchies of v1; v2 has only the first. */
enum { TRACK, CPUS, MEMORY, HIERARCHIES_N };
static const char *const controllers[HIERARCHIES_N] = { "freezer", "cpuset", "memory" };

struct cgroup_root {
    enum cgroup_mode mode;
    char *tops[HIERARCHIES_N]; /* the directory of all steps; NULL: not used */
    char *remark;
};

struct cgroup {
    enum cgroup_mode mode;
    char *dirs[HIERARCHIES_N];
    pid_t owner;
};

static bool hierarchy_is_used(size_t i, unsigned uses)
{
    return i == TRACK || (i == CPUS && (uses & CGROUP_USE_CPUS)) ||
           (i == MEMORY && (uses & CGROUP_USE_MEMORY));
}

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

/* Returns 0, -EEXIST when it was there, or another -errno. */
static int make_dir(const char *dir, size_t hierarchy, enum cgroup_mode mode)
{
    if (mkdir(dir, ALL_MODE) < 0)
        return -errno;
    return mode == CGROUP_V1 && hierarchy == CPUS ? fill_cpuset(dir) : 0;
}

static int make_top(struct cgroup_root *root, const struct cgroup_mount *mount, size_t hierarchy,
                    const char *node)
{
    /* Slurm's names, for those who look there: exporters, admins. */
    AUTO_FREE char *top =
        root->mode == CGROUP_V1
            ? xasprintf("%s/slurm%s%s", mount->dir, node ? "_" : "", node ? node : "")
            : xasprintf("%s%s/%s%sslurmstepd.scope", mount->dir, mount->self, node ? node : "",
                        node ? "_" : "");
    int rc = make_dir(top, hierarchy, root->mode);

    if (rc == -EEXIST)
        rc = access(top, W_OK) < 0 ? -errno : 0;
    if (rc < 0) {
        AUTO_FREE char *before = STEAL(root->remark);
        root->remark =
            xasprintf("%s%s%s: %s", before ? before : "", before ? "; " : "", top, strerror(-rc));
        return rc;
    }
    root->tops[hierarchy] = STEAL(top);
    return 0;
}

static void try_hierarchy(struct cgroup_root *root, const char *mountinfo, const char *self,
                          size_t hierarchy, const char *node)
{
    struct cgroup_mount mount = { 0 };

    if (!cgroup_mount_find(mountinfo, self, root->mode == CGROUP_V1 ? controllers[hierarchy] : NULL,
                           &mount))
        return;
    (void)make_top(root, &mount, hierarchy, node); /* the remark tells */
    cgroup_mount_clear(&mount);
}

/* v1 first: where it is mounted it holds the controllers, and v2 beside it has none. */
static void try_mode(struct cgroup_root *root, enum cgroup_mode mode, const char *mountinfo,
                     const char *self, const char *node, unsigned uses)
{
    root->mode = mode;
    for (size_t i = 0; i < (mode == CGROUP_V1 ? HIERARCHIES_N : 1); i++) {
        if (hierarchy_is_used(i, uses))
            try_hierarchy(root, mountinfo, self, i, node);
    }
    if (!root->tops[TRACK])
        root->mode = CGROUP_NONE;
}

static void read_file(const char *path, struct strbuf *text)
{
    const char *slash = strrchr(path, '/');
    AUTO_FREE char *dir = xstrndup(path, (size_t)(slash - path));

    (void)cgroup_file_read(dir, slash + 1, text); /* empty: no hierarchies */
}

static void finish_remark(struct cgroup_root *root)
{
    AUTO_FREE char *trouble = STEAL(root->remark);

    if (root->mode == CGROUP_NONE)
        root->remark = xasprintf("cgroup mode none (%s): steps are tracked by their descent",
                                 trouble ? trouble : "no hierarchy is mounted");
    else
        root->remark = xasprintf("cgroup mode %s, steps below %s%s%s%s",
                                 cgroup_root_mode_name(root), root->tops[TRACK],
                                 trouble ? " (" : "", trouble ? trouble : "", trouble ? ")" : "");
}

struct cgroup_root *cgroup_root_find(const struct cgroup_where *where, const char *node,
                                     unsigned uses)
{
    struct cgroup_root *root = xcalloc(1, sizeof(*root));
    AUTO(strbuf) struct strbuf mountinfo = { 0 }, self = { 0 };

    read_file(where->mountinfo, &mountinfo);
    read_file(where->self, &self);
    try_mode(root, CGROUP_V1, strbuf_text(&mountinfo), strbuf_text(&self), node, uses);
    if (root->mode == CGROUP_NONE)
        try_mode(root, CGROUP_V2, strbuf_text(&mountinfo), strbuf_text(&self), node, uses);
    finish_remark(root);
    return root;
}

struct cgroup_root *cgroup_root_free(struct cgroup_root *root)
{
    for (size_t i = 0; root && i < HIERARCHIES_N; i++) {
        if (root->tops[i])
            (void)rmdir(root->tops[i]); /* fails, rightly, while steps are in it */
        free(root->tops[i]);
    }
    if (root)
        free(root->remark);
    free(root);
    return NULL;
}

enum cgroup_mode cgroup_root_mode(const struct cgroup_root *root)
{
    return root->mode;
}

const char *cgroup_root_mode_name(const struct cgroup_root *root)
{
    static const char *const names[] = { "none", "v1", "v2" };

    return names[root->mode];
}

const char *cgroup_root_remark(const struct cgroup_root *root)
{
    return root->remark;
}

/* Makes the levels above a step; another step's end may take them away meanwhile. */
static int make_levels(const struct cgroup_root *root, size_t i, const struct cgroup_name *name,
                       struct strbuf *path)
{
    int rc;

    if (mkdir(root->tops[i], ALL_MODE) < 0 && errno != EEXIST)
        return -errno;
    strbuf_adds(path, root->tops[i]);
    if (root->mode == CGROUP_V1) {
        strbuf_addf(path, "/uid_%u", name->uid);
        rc = make_dir(strbuf_text(path), i, root->mode);
        if (rc < 0 && rc != -EEXIST)
            return rc;
    }
    strbuf_addf(path, "/job_%u", name->job_id);
    rc = make_dir(strbuf_text(path), i, root->mode);
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
        rc = make_dir(strbuf_text(&path), i, root->mode);
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

int cgroup_members(const struct cgroup *cgroup, pid_t **ret_pids)
{
    uint32_t n = 0;

    *ret_pids = NULL;
    if (cgroup->mode != CGROUP_NONE)
        cgroup_files_pids(cgroup->dirs[TRACK], ret_pids, &n);
    else if (cgroup->owner > 0)
        descent_pids(cgroup->owner, ret_pids, &n);
    return (int)n;
}

int cgroup_signal(const struct cgroup *cgroup, int signal, pid_t except)
{
    AUTO_FREE pid_t *pids = NULL;
    int n = cgroup_members(cgroup, &pids), signalled = 0;

    for (int i = 0; i < n; i++) {
        if (pids[i] == except || pids[i] == getpid())
            continue;
        (void)kill(pids[i], signal); /* it may just have ended */
        signalled++;
    }
    return signalled;
}

static bool is_frozen(const struct cgroup *cgroup)
{
    AUTO(strbuf) struct strbuf state = { 0 };

    if (cgroup->mode == CGROUP_V2)
        return cgroup_file_number(cgroup->dirs[TRACK], "cgroup.events", "frozen") == 1;
    return cgroup_file_read(cgroup->dirs[TRACK], "freezer.state", &state) < 0 ||
           strncmp(strbuf_text(&state), "FROZEN", 6) == 0;
}

static void set_frozen(const struct cgroup *cgroup, bool frozen)
{
    if (cgroup->mode == CGROUP_V2)
        (void)cgroup_file_write(cgroup->dirs[TRACK], "cgroup.freeze", frozen ? "1" : "0");
    else
        (void)cgroup_file_write(cgroup->dirs[TRACK], "freezer.state", frozen ? "FROZEN" : "THAWED");
}

/* Frozen members cannot fork, nor end and give their pid to another process, while we count. */
static int kill_frozen(const struct cgroup *cgroup, pid_t except)
{
    const struct timespec pause = { .tv_nsec = FREEZE_NS };
    int n;

    set_frozen(cgroup, true);
    for (int i = 0; i < FREEZE_CHECKS && !is_frozen(cgroup); i++)
        (void)nanosleep(&pause, NULL);
    n = cgroup_signal(cgroup, SIGKILL, except);
    set_frozen(cgroup, false); /* v1 delivers a SIGKILL only to the thawed */
    return n;
}

int cgroup_kill(const struct cgroup *cgroup, pid_t except)
{
    AUTO_FREE pid_t *pids = NULL;
    int n = cgroup_members(cgroup, &pids);

    if (n == 0 || (n == 1 && pids[0] == except))
        return 0;
    if (cgroup->mode == CGROUP_NONE) {
        (void)cgroup_signal(cgroup, SIGSTOP, except);
        return cgroup_signal(cgroup, SIGKILL, except);
    }
    if (cgroup->mode == CGROUP_V2 && except == 0 &&
        cgroup_file_write(cgroup->dirs[TRACK], "cgroup.kill", "1") == 0)
        return n;
    return kill_frozen(cgroup, except);
}

int cgroup_limit_cpus(const struct cgroup *cgroup, const uint32_t *cpus, uint32_t cpus_n,
                      struct err *err)
{
    AUTO(strbuf) struct strbuf list = { 0 };
    const char *dir = cgroup->mode == CGROUP_V2 ? cgroup->dirs[TRACK] : cgroup->dirs[CPUS];
    int rc = dir ? 0 : -ENOTSUP;

    for (uint32_t i = 0; i < cpus_n; i++)
        strbuf_addf(&list, "%s%u", i ? "," : "", cpus[i]);
    if (rc == 0)
        rc = cgroup_file_write(dir, "cpuset.cpus", strbuf_text(&list));
    if (rc < 0)
        return err_set(err, -rc, "cannot limit %s to cpus %s: %s", dir ? dir : "step",
                       strbuf_text(&list), strerror(-rc));
    return 0;
}

int cgroup_limit_memory(const struct cgroup *cgroup, uint64_t mb, struct err *err)
{
    bool v2 = cgroup->mode == CGROUP_V2;
    const char *dir = v2 ? cgroup->dirs[TRACK] : cgroup->dirs[MEMORY];
    AUTO_FREE char *text = xasprintf("%lluM", (unsigned long long)mb);
    int rc = dir ? 0 : -ENOTSUP;

    if (rc == 0)
        rc = cgroup_file_write(dir, v2 ? "memory.max" : "memory.limit_in_bytes", text);
    if (rc < 0)
        return err_set(err, -rc, "cannot limit the memory of %s to %s: %s", dir ? dir : "step",
                       text, strerror(-rc));
    return 0;
}

struct cgroup_usage cgroup_usage(const struct cgroup *cgroup)
{
    struct cgroup_usage usage = { 0 };

    if (cgroup->mode == CGROUP_V1 && cgroup->dirs[MEMORY]) {
        usage.memory_kb =
            cgroup_file_number(cgroup->dirs[MEMORY], "memory.stat", "total_rss") / 1024;
        usage.peak_memory_kb =
            cgroup_file_number(cgroup->dirs[MEMORY], "memory.max_usage_in_bytes", NULL) / 1024;
        usage.oom_kills =
            cgroup_file_number(cgroup->dirs[MEMORY], "memory.oom_control", "oom_kill");
    } else if (cgroup->mode == CGROUP_V2) {
        usage.memory_kb = cgroup_file_number(cgroup->dirs[TRACK], "memory.stat", "anon") / 1024;
        usage.peak_memory_kb = cgroup_file_number(cgroup->dirs[TRACK], "memory.peak", NULL) / 1024;
        usage.oom_kills = cgroup_file_number(cgroup->dirs[TRACK], "memory.events", "oom_kill");
    }
    return usage;
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
