#include "unit/check_main.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/strbuf.h"
#include "noded/cgroup/cgroup.h"
#include "noded/cgroup/files.h"
#include "noded/cgroup/hierarchy.h"
#include "noded/cgroup/machine.h"

/* A machine whose one hierarchy is a directory of ours. */
struct tree {
    char dir[64];
    const char *controller; /* of v1; NULL: it is v2's */
    struct cgroup_machine machine;
};

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static int tree_open(void *ctx, struct err *err)
{
    (void)ctx;
    (void)err;
    return 0;
}

static bool tree_find(void *ctx, const char *controller, struct cgroup_mount *ret)
{
    const struct tree *tree = ctx;

    if (!controller != !tree->controller ||
        (controller && strcmp(controller, tree->controller) != 0))
        return false;
    ret->dir = xasprintf("%s/m", tree->dir);
    ret->self = controller ? NULL : xstrdup("");
    return true;
}

static int tree_make_group(void *ctx, const char *controller, const char *name, struct err *err)
{
    const struct tree *tree = ctx;
    AUTO_FREE char *dir = xasprintf("%s/m/%s", tree->dir, name);

    (void)controller;
    return mkdir(dir, 0755) < 0 && errno != EEXIST ? err_set(err, errno, "%s", strerror(errno)) : 0;
}

static void tree_close(void *ctx)
{
    (void)ctx;
}

static void tree_make(struct tree *tree, const char *controller)
{
    strcpy(tree->dir, "/tmp/cgroup_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(tree->dir));
    AUTO_FREE char *mount = xasprintf("%s/m", tree->dir);

    ck_assert_int_eq(mkdir(mount, 0755), 0);
    tree->controller = controller;
    tree->machine =
        (struct cgroup_machine){ tree, tree_open, tree_find, tree_make_group, tree_close };
}

/* Everything that the module made must be gone, or these fail. */
static void tree_remove(struct tree *tree)
{
    AUTO_FREE char *mount = xasprintf("%s/m", tree->dir);

    ck_assert_int_eq(rmdir(mount), 0);
    ck_assert_int_eq(rmdir(tree->dir), 0);
}

static struct cgroup_root *root_of(const struct tree *tree, const char *node)
{
    const struct cgroup_where where = { &tree->machine, "/nonexistent" };

    return cgroup_root_find(&where, &(struct cgroup_options){ .node = node });
}

/* A machine without hierarchies. */
static bool find_nothing(void *ctx, const char *controller, struct cgroup_mount *ret)
{
    (void)ctx;
    (void)controller;
    (void)ret;
    return false;
}

static struct cgroup_root *none_root(void)
{
    const struct cgroup_machine machine = { .open = tree_open,
                                            .find = find_nothing,
                                            .close = tree_close };
    const struct cgroup_where where = { &machine, "/nonexistent" };

    return cgroup_root_find(&where, &(struct cgroup_options){ 0 });
}

static const struct {
    const char *controller, *node, *mode, *path;
} layouts[] = {
    { "freezer", NULL, "v1", "/m/slurm/uid_1000/job_7/step_batch" },
    { "freezer", "tux1", "v1", "/m/slurm_tux1/uid_1000/job_7/step_batch" },
    { NULL, NULL, "v2", "/m/slurmstepd.scope/job_7/step_batch" },
    { NULL, "tux1", "v2", "/m/tux1_slurmstepd.scope/job_7/step_batch" },
};

START_TEST(a_step_lies_where_slurm_puts_it_and_nothing_is_left)
{
    struct tree tree;
    struct cgroup *cgroup = NULL, *again = NULL;
    struct cgroup_name name = { 1000, 7, "batch" };
    struct err err = { 0 };

    tree_make(&tree, layouts[_i].controller);
    struct cgroup_root *root = root_of(&tree, layouts[_i].node);
    ck_assert_str_eq(cgroup_root_mode_name(root), layouts[_i].mode);
    ck_assert_msg(cgroup_make(root, &name, 0, &cgroup, &err) == 0, "%s", err.text);

    AUTO_FREE char *path = xasprintf("%s%s", tree.dir, layouts[_i].path);
    ck_assert_str_eq(cgroup_path(cgroup), path);
    ck_assert_int_eq(access(path, F_OK), 0);
    ck_assert_int_eq(cgroup_open(root, path, &again, &err), 0);
    ck_assert_int_eq(cgroup_remove(again), 0);

    cgroup_free(again);
    cgroup_free(cgroup);
    cgroup_root_free(root);
    tree_remove(&tree);
}
END_TEST

START_TEST(a_path_that_is_not_below_its_own_is_refused)
{
    struct tree tree;
    struct cgroup *cgroup = NULL;
    struct err err = { 0 };

    tree_make(&tree, "freezer");
    struct cgroup_root *root = root_of(&tree, NULL);

    ck_assert_int_eq(cgroup_open(root, "/sys/fs/cgroup/freezer", &cgroup, &err), -EINVAL);
    AUTO_FREE char *up = xasprintf("%s/m/slurm/../x", tree.dir);
    ck_assert_int_eq(cgroup_open(root, up, &cgroup, &err), -EINVAL);
    AUTO_FREE char *like = xasprintf("%s/m/slurmish", tree.dir);
    ck_assert_int_eq(cgroup_open(root, like, &cgroup, &err), -EINVAL);
    cgroup_root_free(root);
    tree_remove(&tree);
}
END_TEST

START_TEST(no_hierarchy_is_mode_none_with_a_reason)
{
    struct cgroup_root *root = none_root();

    ck_assert_int_eq(cgroup_root_mode(root), CGROUP_NONE);
    ck_assert_str_eq(cgroup_root_remark(root), "cgroup mode none (no hierarchy is mounted): steps "
                                               "are tracked by their descent");
    cgroup_root_free(root);
}
END_TEST

static int lack_library(void *ctx, struct err *err)
{
    (void)ctx;
    return err_set(err, ENOENT, "libcgroup2 is not installed: no such file");
}

START_TEST(no_library_is_mode_none_with_a_reason)
{
    const struct cgroup_machine machine = { .open = lack_library };
    const struct cgroup_where where = { &machine, "/nonexistent" };
    struct cgroup_root *root =
        cgroup_root_find(&where, &(struct cgroup_options){ .uses = CGROUP_USE_CPUS });

    ck_assert_int_eq(cgroup_root_mode(root), CGROUP_NONE);
    ck_assert(!cgroup_root_has(root, CGROUP_USE_CPUS));
    ck_assert_str_eq(cgroup_root_remark(root),
                     "cgroup mode none (libcgroup2 is not installed: no such file): steps are "
                     "tracked by their descent");
    cgroup_root_free(root);
}
END_TEST

START_TEST(what_is_disabled_needs_no_library)
{
    const struct cgroup_machine machine = { .open = lack_library };
    const struct cgroup_where where = { &machine, "/nonexistent" };
    struct cgroup_root *root =
        cgroup_root_find(&where, &(struct cgroup_options){ .choice = CGROUP_DISABLED });

    ck_assert_str_eq(cgroup_root_remark(root), "cgroup mode none (CgroupPlugin=disabled): steps "
                                               "are tracked by their descent");
    cgroup_root_free(root);
}
END_TEST

/* What the machine was asked to make. */
static struct strbuf asked;

static int note_group(void *ctx, const char *controller, const char *name, struct err *err)
{
    strbuf_addf(&asked, "%s:%s ", controller, name);
    return strcmp(controller, "memory") == 0 ? err_set(err, EIO, "not owner")
                                             : tree_make_group(ctx, controller, name, err);
}

static bool find_below(void *ctx, const char *controller, struct cgroup_mount *ret)
{
    if (!tree_find(ctx, controller, ret))
        return false;
    xstrset(&ret->self, "/a");
    return true;
}

START_TEST(on_v2_the_library_lets_all_groups_above_use_each_controller)
{
    const unsigned uses = CGROUP_USE_CPUS | CGROUP_USE_MEMORY | CGROUP_USE_DEVICES;
    struct tree tree;

    tree_make(&tree, NULL);
    tree.machine.find = find_below;
    tree.machine.make = note_group;
    AUTO_FREE char *self = xasprintf("%s/m/a", tree.dir);
    AUTO_FREE char *top = xasprintf("%s/tux1_slurmstepd.scope", self);
    const struct cgroup_where where = { &tree.machine, "/nonexistent" };
    ck_assert_int_eq(mkdir(self, 0755), 0);
    struct cgroup_root *root =
        cgroup_root_find(&where, &(struct cgroup_options){ .node = "tux1", .uses = uses });

    ck_assert_str_eq(strbuf_text(&asked),
                     "cpuset:/a/tux1_slurmstepd.scope memory:/a/tux1_slurmstepd.scope ");
    ck_assert_str_eq(root->tops[TRACK], top);
    ck_assert(cgroup_root_has(root, CGROUP_USE_DEVICES));
    ck_assert(!cgroup_root_has(root, CGROUP_USE_MEMORY)); /* no file says so in this directory */
    cgroup_root_free(root);
    ck_assert_int_eq(rmdir(self), 0);
    strbuf_clear(&asked);
    tree_remove(&tree);
}
END_TEST

START_TEST(on_v1_what_the_library_cannot_make_is_told)
{
    struct tree tree;

    tree_make(&tree, "memory");
    tree.machine.make = note_group;
    AUTO_FREE char *remark = xasprintf("%s/m/slurm: not owner", tree.dir);
    const struct cgroup_where where = { &tree.machine, "/nonexistent" };
    struct cgroup_root *root =
        cgroup_root_find(&where, &(struct cgroup_options){ .uses = CGROUP_USE_MEMORY });

    ck_assert_str_eq(strbuf_text(&asked), "memory:slurm ");
    ck_assert_ptr_nonnull(strstr(cgroup_root_remark(root), remark));
    cgroup_root_free(root);
    strbuf_clear(&asked);
    tree_remove(&tree);
}
END_TEST

START_TEST(a_cpuset_that_another_step_has_only_made_is_filled)
{
    AUTO_FREE char *node = xasprintf("test%d", (int)getpid());
    struct cgroup_root *root = cgroup_root_find(
        &CGROUP_WHERE, &(struct cgroup_options){ .node = node, .uses = CGROUP_USE_CPUS });
    AUTO(strbuf) struct strbuf all = { 0 }, own = { 0 };
    struct cgroup_name name = { 1000, 7, "0" };
    struct cgroup *cgroup = NULL;
    struct err err = { 0 };

    if (cgroup_root_mode(root) == CGROUP_V1 && cgroup_root_has(root, CGROUP_USE_CPUS)) {
        AUTO_FREE char *user = xasprintf("%s/uid_1000", root->tops[CPUS]);

        ck_assert_int_eq(mkdir(user, 0755), 0);
        ck_assert_msg(cgroup_make(root, &name, 0, &cgroup, &err) == 0, "%s", err.text);
        ck_assert_int_eq(cgroup_file_read(root->tops[CPUS], "cpuset.cpus", &all), 0);
        ck_assert_int_eq(cgroup_file_read(cgroup->dirs[CPUS], "cpuset.cpus", &own), 0);
        ck_assert_str_eq(strbuf_text(&own), strbuf_text(&all));
        ck_assert_int_eq(cgroup_remove(cgroup), 0);
    }
    cgroup_free(cgroup);
    cgroup_root_free(root);
}
END_TEST

/* The one that returns in the end is in a session of its own, and nobody's child. */
static void fork_away(void)
{
    const pid_t between = fork();

    if (between > 0) {
        ck_assert_int_eq(waitpid(between, NULL, 0), between);
        return;
    }
    setsid();
    if (fork() != 0)
        _exit(0);
}

/* A user side with one task, in another session, and one that left it; all wait for ever. */
static pid_t start_family(const struct cgroup *cgroup)
{
    int ready[2];
    pid_t child;
    char byte;

    ck_assert_int_eq(pipe(ready), 0);
    child = fork();
    if (child == 0) {
        struct err err = { 0 };
        if (cgroup_enter_own(cgroup, &err) < 0)
            _exit(1);
        if (fork() == 0) {
            if (cgroup_enter_task(cgroup, 0) < 0)
                _exit(1);
            fork_away();
            setsid();
            signal(SIGTERM, SIG_IGN);
            signal(SIGHUP, SIG_IGN); /* as nohup */
        }
        if (write(ready[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

static void reap_all(void)
{
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

static void kill_and_check(struct cgroup_root *root)
{
    AUTO_FREE pid_t *pids = NULL;
    struct cgroup *cgroup = NULL;
    struct cgroup_name name = { 0, (uint32_t)getpid(), "0" };
    struct err err = { 0 };

    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    ck_assert_msg(cgroup_make(root, &name, getpid(), &cgroup, &err) == 0, "%s", err.text);
    ck_assert_msg(cgroup_open_tasks(cgroup, 1, &err) == 0, "%s", err.text);
    pid_t child = start_family(cgroup);

    ck_assert_int_eq(cgroup_members(cgroup, &pids), 3);
    ck_assert_int_eq(cgroup_kill(cgroup, child), 2);
    ck_assert_int_eq(kill(child, 0), 0);
    while (cgroup_kill(cgroup, 0) > 0)
        usleep(1000);
    reap_all();
    ck_assert_int_eq(cgroup_remove(cgroup), 0);
    cgroup_free(cgroup);
    cgroup_root_free(root);
}

START_TEST(killing_without_cgroups_leaves_nobody)
{
    kill_and_check(none_root());
}
END_TEST

START_TEST(killing_in_a_cgroup_leaves_nobody)
{
    AUTO_FREE char *node = xasprintf("test%d", (int)getpid());
    struct cgroup_root *root =
        cgroup_root_find(&CGROUP_WHERE, &(struct cgroup_options){ .node = node });

    if (cgroup_root_mode(root) == CGROUP_NONE) /* nothing writable here: an ordinary user */
        cgroup_root_free(root);
    else
        kill_and_check(root);
}
END_TEST

/* v2 is tried also where v1 would be taken. */
START_TEST(killing_in_a_v2_cgroup_leaves_nobody)
{
    AUTO_FREE char *node = xasprintf("test%d", (int)getpid());
    const struct cgroup_where where = { &cgroup_machine, "/nonexistent" };
    struct cgroup_root *root = cgroup_root_find(
        &where, &(struct cgroup_options){ .node = node, .choice = CGROUP_ONLY_V2 });

    if (cgroup_root_mode(root) == CGROUP_NONE)
        cgroup_root_free(root);
    else
        kill_and_check(root);
}
END_TEST

/* ---- a scope of systemd's ---- */

/* Does what systemd does when it is asked: the unit's group, with the process that keeps it. */
static const char busctl[] =
    "#!/bin/sh\n"
    "name=$8\n"
    "while [ \"$1\" != PIDs ]; do shift; done\n"
    "mkdir \"$SLICE/$name\" && echo \"$4\" >\"$SLICE/$name/cgroup.procs\"\n";

static void put_busctl(const struct tree *tree, const char *slice)
{
    AUTO_FREE char *path = xasprintf("%s/m/busctl", tree->dir);
    AUTO_FREE char *search = xasprintf("%s/m:%s", tree->dir, getenv("PATH"));

    write_text(path, busctl);
    ck_assert_int_eq(chmod(path, 0755), 0);
    setenv("PATH", search, 1);
    setenv("SLICE", slice, 1);
}

/* And this when nobody is left in it. */
static void end_scope(const char *scope)
{
    AUTO_FREE char *system = xasprintf("%s/system", scope);
    AUTO_FREE char *procs = xasprintf("%s/cgroup.procs", system);
    FILE *file = fopen(procs, "r");
    int holder = 0;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%d", &holder), 1);
    fclose(file);
    ck_assert_int_eq(kill(holder, SIGKILL), 0);
    while (rmdir(system) < 0) { /* it may take the kernel a moment to end it */
        ck_assert_int_eq(errno, EBUSY);
        usleep(1000);
    }
    ck_assert_int_eq(rmdir(scope), 0);
}

static void heal_and_check(const struct cgroup_root *root, const char *scope)
{
    const struct cgroup_name name = { 1000, 7, "0" };
    struct cgroup *cgroup = NULL;
    struct err err = { 0 };

    end_scope(scope);
    ck_assert_int_lt(cgroup_make(root, &name, 0, &cgroup, &err), 0);
    ck_assert_msg(cgroup_root_heal(root, &err) == 0, "%s", err.text);
    ck_assert_msg(cgroup_make(root, &name, 0, &cgroup, &err) == 0, "%s", err.text);
    ck_assert_int_eq(cgroup_root_heal(root, &err), 0);
    ck_assert_int_eq(cgroup_remove(cgroup), 0);
    cgroup_free(cgroup);
    end_scope(scope);
}

static bool find_v2(struct cgroup_mount *ret)
{
    bool found;

    if (cgroup_machine.open(NULL, NULL) < 0)
        return false;
    found = cgroup_machine.find(NULL, NULL, ret);
    cgroup_machine.close(NULL);
    return found;
}

START_TEST(a_scope_whose_keeper_was_killed_is_made_again)
{
    struct tree tree;
    struct cgroup_mount mount = { 0 };
    AUTO_FREE char *node = xasprintf("test%d", (int)getpid());
    AUTO_FREE char *slice = NULL, *scope = NULL;

    if (geteuid() != 0 || !find_v2(&mount))
        return;
    tree_make(&tree, NULL);
    slice = xasprintf("%s/system.slice", mount.dir);
    scope = xasprintf("%s/%s_slurmstepd.scope", slice, node);
    ck_assert(mkdir(slice, 0755) == 0 || errno == EEXIST);
    put_busctl(&tree, slice);
    const struct cgroup_where where = { &cgroup_machine, "/" };
    struct cgroup_root *root = cgroup_root_find(
        &where, &(struct cgroup_options){ .node = node, .choice = CGROUP_ONLY_V2 });

    heal_and_check(root, scope);

    cgroup_root_free(root);
    (void)rmdir(slice); /* fails, rightly, where systemd has made it */
    AUTO_FREE char *path = xasprintf("%s/m/busctl", tree.dir);
    ck_assert_int_eq(unlink(path), 0);
    tree_remove(&tree);
    cgroup_mount_clear(&mount);
}
END_TEST

CHECK_MAIN(cgroup, LOOP_CASE(a_step_lies_where_slurm_puts_it_and_nothing_is_left, ARRAY_N(layouts)),
           CASE(a_path_that_is_not_below_its_own_is_refused),
           CASE(no_hierarchy_is_mode_none_with_a_reason),
           CASE(no_library_is_mode_none_with_a_reason), CASE(what_is_disabled_needs_no_library),
           CASE(on_v2_the_library_lets_all_groups_above_use_each_controller),
           CASE(on_v1_what_the_library_cannot_make_is_told),
           CASE(a_cpuset_that_another_step_has_only_made_is_filled),
           CASE(killing_without_cgroups_leaves_nobody), CASE(killing_in_a_cgroup_leaves_nobody),
           CASE(killing_in_a_v2_cgroup_leaves_nobody),
           CASE(a_scope_whose_keeper_was_killed_is_made_again))
