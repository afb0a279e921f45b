#include "unit/check_main.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/inventory/inventory.h"

static void put(const char *dir, const char *path, const char *text)
{
    AUTO_FREE char *full = xasprintf("%s/%s", dir, path);
    FILE *file;

    for (char *slash = strchr(full + strlen(dir) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(full, 0755);
        *slash = '/';
    }
    file = fopen(full, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void remove_tree(const char *dir)
{
    AUTO_FREE char *command = xasprintf("rm -r '%s'", dir);

    ck_assert_int_eq(system(command), 0);
}

START_TEST(sockets_cores_and_threads_are_counted)
{
    char dir[] = "/tmp/inventory_test.XXXXXX";
    AUTO(node_hardware) struct node_hardware hw;

    ck_assert_ptr_nonnull(mkdtemp(dir));
    put(dir, "proc/meminfo", "MemTotal:        4096000 kB\nMemFree:  1024000 kB\n");
    put(dir, "proc/stat", "cpu 1 2 3\nbtime 1763000000\n");
    put(dir, "proc/loadavg", "12.07 1.0 0.5 1/2 3\n");
    put(dir, "proc/uptime", "93784.55 1.0\n");
    AUTO_FREE char *proc = xasprintf("%s/proc", dir);
    struct inventory_where where = { proc, "pack:2 core:3 pu:2", "/nonexistent" };
    inventory_read(&where, &hw);
    struct inventory_load load = inventory_load(&where);
    AUTO(strbuf) struct strbuf text = { 0 };
    inventory_format("tux1", &hw, load.uptime_s, &text);

    ck_assert_str_eq(strbuf_text(&text),
                     "NodeName=tux1 CPUs=12 Boards=1 SocketsPerBoard=2 CoresPerSocket=3 "
                     "ThreadsPerCore=2 RealMemory=4000\nUpTime=1-02:03:04\n");
    ck_assert_int_eq(hw.boot_time, 1763000000);
    ck_assert_uint_eq(hw.tmp_disk_mb, 0);
    ck_assert_uint_eq(load.load_percent, 1207);
    ck_assert_uint_eq(load.free_memory_mb, 1000);
    remove_tree(dir);
}
END_TEST

START_TEST(a_machine_that_tells_nothing_has_one_core)
{
    AUTO(node_hardware) struct node_hardware hw;
    struct inventory_where where = { "/nonexistent", "no machine", "/nonexistent" };

    inventory_read(&where, &hw);

    ck_assert_uint_eq(hw.cpus, 1);
    ck_assert_uint_eq(hw.sockets * hw.cores_per_socket * hw.threads_per_core, 1);
}
END_TEST

START_TEST(the_boot_identity_changes_with_kernel_and_init)
{
    char dir[] = "/tmp/inventory_test.XXXXXX";
    char *id = NULL;

    ck_assert_ptr_nonnull(mkdtemp(dir));
    struct inventory_where where = { dir, NULL, dir };
    struct err err = { 0 };
    ck_assert_int_eq(inventory_boot_id(&where, &id, &err), -ENOENT);
    put(dir, "sys/kernel/random/boot_id", "ab-12\n");
    put(dir, "1/stat", "1 (a) b) S 0 1 1 0 -1 4 5 6 7 8 9 10 11 12 20 0 1 0 777 23 24\n");

    ck_assert_msg(inventory_boot_id(&where, &id, &err) == 0, "%s", err.text);
    ck_assert_str_eq(id, "ab-12-777");
    free(id);
    remove_tree(dir);
}
END_TEST

START_TEST(this_machine_has_a_boot_identity_and_memory)
{
    AUTO(node_hardware) struct node_hardware hw;
    AUTO_FREE char *first = NULL, *second = NULL;

    inventory_read(&INVENTORY_WHERE, &hw);
    ck_assert_int_eq(inventory_boot_id(&INVENTORY_WHERE, &first, NULL), 0);
    ck_assert_int_eq(inventory_boot_id(&INVENTORY_WHERE, &second, NULL), 0);

    ck_assert_uint_gt(hw.memory_mb, 0);
    ck_assert_str_eq(first, second);
}
END_TEST

CHECK_MAIN(inventory, CASE(sockets_cores_and_threads_are_counted),
           CASE(a_machine_that_tells_nothing_has_one_core),
           CASE(the_boot_identity_changes_with_kernel_and_init),
           CASE(this_machine_has_a_boot_identity_and_memory))
