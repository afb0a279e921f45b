#include "unit/check_main.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/alloc.h"
#include "noded/cgroup/cpus.h"

static void put(const char *dir, const char *name, const char *text)
{
    AUTO_FREE char *path = xasprintf("%s/%s", dir, name);
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

/* Two sockets of two cores of two threads, numbered as common servers do: threads last. */
static void make_machine(char sys[32])
{
    strcpy(sys, "/tmp/cpus_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(sys));
    AUTO_FREE char *make = xasprintf("cd %s && for i in 0 1 2 3 4 5 6 7; do "
                                     "mkdir -p devices/system/cpu/cpu$i/topology; done",
                                     sys);
    ck_assert_int_eq(system(make), 0);
    AUTO_FREE char *cpu = xasprintf("%s/devices/system/cpu", sys);
    put(cpu, "online", "0-7");
    for (int i = 0; i < 8; i++) {
        AUTO_FREE char *topology = xasprintf("%s/cpu%d/topology", cpu, i);
        AUTO_FREE char *package = xasprintf("%d", i % 2);
        AUTO_FREE char *siblings = xasprintf("%d,%d", i % 4, i % 4 + 4);

        put(topology, "physical_package_id", package);
        put(topology, "thread_siblings_list", siblings);
    }
}

static void remove_machine(const char *sys)
{
    AUTO_FREE char *clean = xasprintf("rm -r '%s'", sys);

    ck_assert_int_eq(system(clean), 0);
}

static void check_map(uint32_t configured, uint32_t number, const uint32_t *expected, uint32_t n)
{
    char sys[32];
    struct cgroup_cpus cpus;
    AUTO_FREE uint32_t *mapped = NULL;
    struct err err = { 0 };

    make_machine(sys);
    ck_assert_msg(cgroup_cpus_read(sys, configured, &cpus, &err) == 0, "%s", err.text);

    ck_assert_uint_eq(cgroup_cpus_map(&cpus, &number, 1, &mapped), n);
    for (uint32_t i = 0; i < n; i++)
        ck_assert_uint_eq(mapped[i], expected[i]);
    cgroup_cpus_clear(&cpus);
    remove_machine(sys);
}

START_TEST(cpus_are_counted_by_socket_core_and_thread)
{
    static const uint32_t machine[] = { 0, 4, 2, 6, 1, 5, 3, 7 };

    check_map(8, (uint32_t)_i, &machine[_i], 1);
}
END_TEST

START_TEST(where_cores_are_counted_a_cpu_is_all_threads_of_one)
{
    static const uint32_t third[] = { 1, 5 };

    check_map(4, 2, third, 2);
}
END_TEST

START_TEST(what_is_not_there_is_left_out)
{
    check_map(8, 8, NULL, 0);
}
END_TEST

START_TEST(a_count_that_is_not_the_machines_is_told)
{
    char sys[32];
    struct cgroup_cpus cpus;
    struct err err = { 0 };

    make_machine(sys);

    ck_assert_int_eq(cgroup_cpus_read(sys, 16, &cpus, &err), -EINVAL);
    ck_assert_str_eq(err.text, "slurm.conf gives this node 16 CPUs, the machine has 8");
    remove_machine(sys);
}
END_TEST

CHECK_MAIN(cpus, LOOP_CASE(cpus_are_counted_by_socket_core_and_thread, 8),
           CASE(where_cores_are_counted_a_cpu_is_all_threads_of_one),
           CASE(what_is_not_there_is_left_out), CASE(a_count_that_is_not_the_machines_is_told))
