#include "noded/cgroup/hierarchy.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/cgroup/files.h"
#include "noded/cgroup/mounts.h"

static const char *const controllers[HIERARCHIES_N] = { "freezer", "cpuset", "memory" };

static bool hierarchy_is_used(size_t i, unsigned uses)
{
    return i == TRACK || (i == CPUS && (uses & CGROUP_USE_CPUS)) ||
           (i == MEMORY && (uses & CGROUP_USE_MEMORY));
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
    int rc = cgroup_make_dir(top, hierarchy, root->mode);

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
