#include "unit/check_main.h"

#include "common/base/alloc.h"
#include "noded/cgroup/mounts.h"

#define V1 "36 31 0:33 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer\n"
#define V1_JOINT                                                                                   \
    "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:1 master:2 - cgroup cgroup "                \
    "rw,cpu,cpuacct\n"
#define V2     "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
#define ODD    "5 1 0:3 / /sys/fs/my\\040cg rw - cgroup2 none rw\n"
#define INSIDE "36 31 0:33 /docker/ab /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n"
#define SELF                                                                                       \
    "6:freezer:/\n3:cpu,cpuacct:/user/a\n1:name=systemd:/init\n0::/system.slice/x.service\n"

static const struct {
    const char *mountinfo, *self, *controller;
    const char *dir, *path; /* NULL: not found */
} rows[] = {
    { V2 V1, SELF, "freezer", "/sys/fs/cgroup/freezer", "" },
    { V1 V2, SELF, NULL, "/sys/fs/cgroup/unified", "/system.slice/x.service" },
    { V1_JOINT, SELF, "cpuacct", "/sys/fs/cgroup/cpu,cpuacct", "/user/a" },
    { V1_JOINT, SELF, "cpuset", NULL, NULL },
    { V1_JOINT, SELF, "cpua", NULL, NULL },
    { ODD, SELF, NULL, "/sys/fs/my cg", "/system.slice/x.service" },
    { INSIDE, "6:freezer:/docker/ab\n", "freezer", "/sys/fs/cgroup/freezer", "" },
    { INSIDE, "6:freezer:/docker/ab/c", "freezer", "/sys/fs/cgroup/freezer", "/c" },
    { INSIDE, "6:freezer:/docker/abc", "freezer", "/sys/fs/cgroup/freezer", "" },
    { V1, "nonsense", "freezer", "/sys/fs/cgroup/freezer", "" },
    { "", SELF, NULL, NULL, NULL },
    { "36 31 0:33 / /sys/fs\n\n - cgroup2\n", SELF, NULL, NULL, NULL },
};

START_TEST(a_hierarchy_is_found_with_the_place_of_this_process_in_it)
{
    struct cgroup_mount mount = { 0 };
    bool found = cgroup_mount_find(rows[_i].mountinfo, rows[_i].self, rows[_i].controller, &mount);

    ck_assert_int_eq(found, rows[_i].dir != NULL);
    if (found) {
        ck_assert_str_eq(mount.dir, rows[_i].dir);
        ck_assert_str_eq(mount.self, rows[_i].path);
    }
    cgroup_mount_clear(&mount);
}
END_TEST

CHECK_MAIN(mounts,
           LOOP_CASE(a_hierarchy_is_found_with_the_place_of_this_process_in_it, ARRAY_N(rows)))
