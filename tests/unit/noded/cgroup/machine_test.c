/* What libcgroup says of this machine, whatever that has, is held against the kernel's own list. */
#include "noded/cgroup/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "unit/check_main.h"

static void before(void)
{
    struct err err = { 0 };

    ck_assert_msg(cgroup_machine.open(NULL, &err) == 0, "%s", err.text);
}

static void after(void)
{
    cgroup_machine.close(NULL);
}

/* Whether the list has a mount of that type at `dir` (NULL: anywhere), with that option. */
static bool is_mounted(const char *type, const char *dir, const char *option)
{
    FILE *file = fopen("/proc/self/mounts", "r");
    char line[4096], at[1024], kind[64], options[1024];
    bool found = false;

    while (!found && fgets(line, sizeof(line), file)) {
        if (sscanf(line, "%*s %1023s %63s %1023s", at, kind, options) != 3)
            continue;
        AUTO_FREE char *all = xasprintf(",%s,", options);
        AUTO_FREE char *wanted = xasprintf(",%s,", option);
        found = strcmp(kind, type) == 0 && (!dir || strcmp(at, dir) == 0) &&
                (!option || strstr(all, wanted));
    }
    fclose(file);
    return found;
}

static const char *const controllers[] = { "freezer", "cpuset", "memory", "devices" };

START_TEST(a_controller_of_v1_is_found_where_it_is_mounted)
{
    const char *controller = controllers[_i];
    struct cgroup_mount mount = { 0 };
    bool found = cgroup_machine.find(NULL, controller, &mount);

    ck_assert_int_eq(found, is_mounted("cgroup", NULL, controller));
    ck_assert(!found || is_mounted("cgroup", mount.dir, controller));
    cgroup_mount_clear(&mount);
}
END_TEST

START_TEST(v2_is_found_with_the_place_of_this_process)
{
    struct cgroup_mount mount = { 0 };
    bool found = cgroup_machine.find(NULL, NULL, &mount);

    ck_assert_int_eq(found, is_mounted("cgroup2", NULL, NULL));
    if (found) {
        AUTO_FREE char *procs = xasprintf("%s%s/cgroup.procs", mount.dir, mount.self);

        ck_assert(is_mounted("cgroup2", mount.dir, NULL));
        ck_assert_int_eq(access(procs, F_OK), 0);
    }
    cgroup_mount_clear(&mount);
}
END_TEST

START_TEST(what_is_no_controller_is_not_found)
{
    struct cgroup_mount mount = { 0 };

    ck_assert(!cgroup_machine.find(NULL, "freeze", &mount));
    ck_assert(!cgroup_machine.find(NULL, "name=systemd", &mount));
}
END_TEST

START_TEST(a_group_is_made_with_those_above_it_and_may_be_there)
{
    AUTO_FREE char *name = xasprintf("machine_test_%d/a", (int)getpid());
    struct cgroup_mount mount = { 0 };
    struct err err = { 0 };

    if (geteuid() != 0 || !cgroup_machine.find(NULL, "freezer", &mount))
        return;
    AUTO_FREE char *dir = xasprintf("%s/%s", mount.dir, name);
    ck_assert_msg(cgroup_machine.make(NULL, "freezer", name, &err) == 0, "%s", err.text);
    ck_assert_msg(cgroup_machine.make(NULL, "freezer", name, &err) == 0, "%s", err.text);
    ck_assert_int_eq(access(dir, F_OK), 0);
    ck_assert_int_eq(rmdir(dir), 0);
    *strrchr(dir, '/') = '\0';
    ck_assert_int_eq(rmdir(dir), 0);
    cgroup_mount_clear(&mount);
}
END_TEST

START_TEST(a_group_of_no_controller_is_not_made)
{
    struct err err = { 0 };

    ck_assert_int_lt(cgroup_machine.make(NULL, "nonsense", "x", &err), 0);
    ck_assert_str_ne(err.text, "");
}
END_TEST

static const struct {
    const char *text, *path; /* NULL: none */
} selves[] = {
    { "6:freezer:/\n3:cpu,cpuacct:/user/a\n1:name=systemd:/init\n0::/system.slice/x.service\n",
      "/system.slice/x.service" },
    { "0::/\n", "/" },
    { "0::/a b/c", "/a b/c" },
    { "10::/a\n", NULL },
    { "6:freezer:/docker/ab\n", NULL },
    { "nonsense", NULL },
    { "", NULL },
};

START_TEST(the_line_of_v2_is_read)
{
    AUTO_FREE char *path = cgroup_self_path(selves[_i].text);

    ck_assert_pstr_eq(path, selves[_i].path);
}
END_TEST

CHECK_MAIN_WITH(machine, before, after,
                LOOP_CASE(a_controller_of_v1_is_found_where_it_is_mounted, ARRAY_N(controllers)),
                CASE(v2_is_found_with_the_place_of_this_process),
                CASE(what_is_no_controller_is_not_found),
                CASE(a_group_is_made_with_those_above_it_and_may_be_there),
                CASE(a_group_of_no_controller_is_not_made),
                LOOP_CASE(the_line_of_v2_is_read, ARRAY_N(selves)))
