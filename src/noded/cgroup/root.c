#include "noded/cgroup/hierarchy.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/strbuf.h"
#include "noded/cgroup/machine.h"
#include "noded/cgroup/scope.h"

static const struct {
    const char *controller;
    unsigned uses; /* 0: always used */
} hierarchies[HIERARCHIES_N] = {
    [TRACK] = { "freezer", 0 },
    [CPUS] = { "cpuset", CGROUP_USE_CPUS },
    [MEMORY] = { "memory", CGROUP_USE_MEMORY | CGROUP_USE_TASKS },
    [DEVICES] = { "devices", CGROUP_USE_DEVICES },
};

struct finding {
    const struct cgroup_machine *machine;
    const char *systemd;
    const struct cgroup_options *options;
};

static bool find(const struct finding *finding, const char *controller, struct cgroup_mount *ret)
{
    return finding->machine->find(finding->machine->ctx, controller, ret);
}

static int make(const struct finding *finding, const char *controller, const char *name,
                struct err *err)
{
    return finding->machine->make(finding->machine->ctx, controller, name, err);
}

static void add_remark(struct cgroup_root *root, const char *what, const char *why)
{
    AUTO_FREE char *before = STEAL(root->remark);

    root->remark = xasprintf("%s%s%s: %s", before ? before : "", before ? "; " : "", what, why);
}

/* Takes the directory of all steps that was made or found; makes one that has no controllers. */
static int take_top(struct cgroup_root *root, size_t hierarchy, const char *top)
{
    int rc = cgroup_make_dir(top, hierarchy, root->mode);

    if (rc == -EEXIST)
        rc = access(top, W_OK) < 0 ? -errno : 0;
    if (rc < 0)
        add_remark(root, top, strerror(-rc));
    else
        root->tops[hierarchy] = xstrdup(top);
    return rc;
}

/* ---- v1 ---- */

static int make_v1_top(struct cgroup_root *root, const struct finding *finding, size_t i,
                       const char *name, const char *dir)
{
    AUTO_FREE char *top = xasprintf("%s/%s", dir, name);
    struct err err = { 0 };
    int rc = make(finding, hierarchies[i].controller, name, &err);

    if (rc < 0)
        add_remark(root, top, err.text);
    return rc < 0 ? rc : take_top(root, i, top);
}

/* Tries v1 with Slurm's names, for those who look there: exporters, admins. */
static void try_v1(struct cgroup_root *root, const struct finding *finding)
{
    const char *node = finding->options->node;
    AUTO_FREE char *name = xasprintf("slurm%s%s", node ? "_" : "", node ? node : "");

    root->mode = CGROUP_V1;
    for (size_t i = 0; i < HIERARCHIES_N; i++) {
        struct cgroup_mount mount = { 0 };

        if (hierarchies[i].uses && !(finding->options->uses & hierarchies[i].uses))
            continue;
        if (find(finding, hierarchies[i].controller, &mount)) {
            if (make_v1_top(root, finding, i, name, mount.dir) == 0)
                root->uses |= hierarchies[i].uses & finding->options->uses;
            cgroup_mount_clear(&mount);
        } else if (i != TRACK) {
            add_remark(root, hierarchies[i].controller, "not mounted");
        }
    }
}

/* ---- v2 ---- */

/* Finds which uses there are: bounds need their controller in every directory from the top down. */
static void take_controllers(struct cgroup_root *root, unsigned uses)
{
    static const struct {
        unsigned use;
        const char *what;
    } needs[] = {
        { CGROUP_USE_CPUS, "cpuset" },
        { CGROUP_USE_MEMORY, "memory" },
        { CGROUP_USE_TASKS, "memory of tasks" },
    };

    root->uses = uses & CGROUP_USE_DEVICES; /* no controller, but a program of the kernel's */
    for (size_t i = 0; i < ARRAY_N(needs); i++) {
        int rc = uses & needs[i].use ? cgroup_delegate(root->tops[TRACK], needs[i].use) : -EINVAL;

        if (rc == 0)
            root->uses |= needs[i].use;
        else if (uses & needs[i].use)
            add_remark(root, needs[i].what, strerror(-rc));
    }
}

/*
 * Makes the top below the group that this process began in; root's own has no processes that would
 * forbid it. What fails here take_controllers tells: without controllers the group still tracks
 * steps.
 */
static int take_own_top(struct cgroup_root *root, const struct finding *finding,
                        const struct cgroup_mount *mount, const char *scope)
{
    const unsigned uses = finding->options->uses;
    AUTO_FREE char *name = xasprintf("%s/%s", mount->self, scope);
    AUTO_FREE char *top = xasprintf("%s%s", mount->dir, name);

    for (size_t i = TRACK + 1; i < HIERARCHIES_N; i++) {
        if (i != DEVICES && uses & hierarchies[i].uses) /* v2 has no controller of devices */
            (void)make(finding, hierarchies[i].controller, name, NULL);
    }
    return take_top(root, TRACK, top);
}

/* Drops what was said of v1: what it lacks does not matter where all is v2's. */
static void forget_v1(struct cgroup_root *root)
{
    root->uses = 0;
    for (size_t i = TRACK + 1; i < HIERARCHIES_N; i++) {
        free(root->tops[i]);
        root->tops[i] = NULL;
    }
    free(root->remark);
    root->remark = NULL;
}

static void try_v2(struct cgroup_root *root, const struct finding *finding)
{
    const struct cgroup_options *options = finding->options;
    struct cgroup_mount mount = { 0 };
    AUTO_FREE char *scope = xasprintf("%s%sslurmstepd.scope", options->node ? options->node : "",
                                      options->node ? "_" : "");
    struct err err = { 0 };
    int rc = -ENOENT;

    if (!find(finding, NULL, &mount))
        return;
    root->mode = CGROUP_V2;
    forget_v1(root);
    if (!options->ignore_systemd && access(finding->systemd, F_OK) == 0) {
        rc = scope_find(mount.dir, scope, &root->tops[TRACK], &err);
        if (rc < 0)
            add_remark(root, scope, err.text);
        else
            root->scope = STEAL(scope);
    }
    if (rc < 0)
        rc = take_own_top(root, finding, &mount, scope);
    if (rc == 0)
        take_controllers(root, options->uses);
    if (root->scope)
        root->scope_mount = STEAL(mount.dir);
    cgroup_mount_clear(&mount);
}

int cgroup_root_heal(const struct cgroup_root *root, struct err *err)
{
    AUTO_FREE char *dir = NULL;
    int rc;

    if (!root->scope || access(root->tops[TRACK], F_OK) == 0)
        return 0;
    rc = scope_find(root->scope_mount, root->scope, &dir, err);
    if (rc < 0)
        return err_prefix(err, "%s is gone, and cannot be made again", root->scope);
    rc = cgroup_delegate(dir, root->uses);
    return rc < 0 ? err_set(err, -rc, "%s: %s", dir, strerror(-rc)) : 0;
}

/* ---- either ---- */

static void finish_remark(struct cgroup_root *root, bool disabled)
{
    AUTO_FREE char *trouble = STEAL(root->remark);

    if (root->mode == CGROUP_NONE)
        root->remark = xasprintf("cgroup mode none (%s): steps are tracked by their descent",
                                 disabled  ? "CgroupPlugin=disabled"
                                 : trouble ? trouble
                                           : "no hierarchy is mounted");
    else
        root->remark = xasprintf("cgroup mode %s, steps below %s%s%s%s",
                                 cgroup_root_mode_name(root), root->tops[TRACK],
                                 trouble ? " (" : "", trouble ? trouble : "", trouble ? ")" : "");
}

/* Tries v1 first: where it is mounted it holds the controllers, and v2 beside it has none. */
static void try_both(struct cgroup_root *root, const struct finding *finding)
{
    const enum cgroup_choice choice = finding->options->choice;
    struct err err = { 0 };

    if (finding->machine->open(finding->machine->ctx, &err) < 0) {
        root->remark = xstrdup(err.text);
        return;
    }
    if (choice == CGROUP_BEST || choice == CGROUP_ONLY_V1)
        try_v1(root, finding);
    if (!root->tops[TRACK] && (choice == CGROUP_BEST || choice == CGROUP_ONLY_V2))
        try_v2(root, finding);
    finding->machine->close(finding->machine->ctx);
}

struct cgroup_root *cgroup_root_find(const struct cgroup_where *where,
                                     const struct cgroup_options *options)
{
    struct cgroup_root *root = xcalloc(1, sizeof(*root));
    const struct finding finding = { where->machine, where->systemd, options };

    if (options->choice != CGROUP_DISABLED)
        try_both(root, &finding);
    if (!root->tops[TRACK]) {
        root->mode = CGROUP_NONE;
        root->uses = 0;
    }
    finish_remark(root, options->choice == CGROUP_DISABLED);
    return root;
}

struct cgroup_root *cgroup_root_free(struct cgroup_root *root)
{
    for (size_t i = 0; root && i < HIERARCHIES_N; i++) {
        if (root->tops[i] && root->mode == CGROUP_V2) {
            AUTO_FREE char *system = xasprintf("%s/system", root->tops[i]);

            (void)rmdir(system);
        }
        if (root->tops[i])
            (void)rmdir(root->tops[i]); /* fails, rightly, while steps are in it */
        free(root->tops[i]);
    }
    if (root) {
        free(root->remark);
        free(root->scope);
        free(root->scope_mount);
    }
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

bool cgroup_root_has(const struct cgroup_root *root, enum cgroup_use use)
{
    return (root->uses & use) != 0;
}
