#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "noded/inventory/cpu_tree.h"

/* Two sockets of two cores of two threads, numbered as common servers do: threads last. */
#define SERVER "pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)"

static struct cpu_tree read_as(const char *synthetic, const struct tree_shape *shape)
{
    struct cpu_tree tree;
    struct err err = { 0 };

    ck_assert_msg(cpu_tree_read(synthetic, &tree, &err) == 0, "%s", err.text);
    ck_assert_msg(cpu_tree_count_as(&tree, shape, &err) == 0, "%s", err.text);
    return tree;
}

START_TEST(cpus_are_counted_by_socket_core_and_thread)
{
    static const uint32_t machine[] = { 0, 4, 1, 5, 2, 6, 3, 7 };
    struct cpu_tree tree = read_as(SERVER, &(struct tree_shape){ .cpus = 8 });
    AUTO_FREE uint32_t *mapped = NULL;

    ck_assert_uint_eq(cpu_tree_map(&tree, &(uint32_t){ (uint32_t)_i }, 1, &mapped), 1);
    ck_assert_uint_eq(mapped[0], machine[_i]);
    ck_assert_uint_eq(tree.cpus[_i].core, (uint32_t)_i / 2);
    ck_assert_uint_eq(tree.cpus[_i].socket, (uint32_t)_i / 4);
    ck_assert_uint_eq(tree.numbers_end, 8);
    cpu_tree_clear(&tree);
}
END_TEST

START_TEST(where_cores_are_counted_a_cpu_is_all_threads_of_one)
{
    struct cpu_tree tree = read_as(SERVER, &(struct tree_shape){ .cpus = 4 });
    AUTO_FREE uint32_t *mapped = NULL;

    ck_assert_uint_eq(cpu_tree_map(&tree, &(uint32_t){ 2 }, 1, &mapped), 2);
    ck_assert_uint_eq(mapped[0], 2);
    ck_assert_uint_eq(mapped[1], 6);
    cpu_tree_clear(&tree);
}
END_TEST

START_TEST(what_is_not_there_is_left_out)
{
    struct cpu_tree tree = read_as(SERVER, &(struct tree_shape){ .cpus = 8 });
    AUTO_FREE uint32_t *mapped = NULL;

    ck_assert_uint_eq(cpu_tree_map(&tree, &(uint32_t){ 8 }, 1, &mapped), 0);
    cpu_tree_clear(&tree);
}
END_TEST

START_TEST(a_count_that_is_not_the_machines_is_told)
{
    struct cpu_tree tree;
    struct err err = { 0 };

    ck_assert_int_eq(cpu_tree_read(SERVER, &tree, NULL), 0);
    ck_assert_int_eq(cpu_tree_count_as(&tree, &(struct tree_shape){ .cpus = 16 }, &err), -EINVAL);
    ck_assert_str_eq(err.text, "slurm.conf gives this node 16 CPUs, the machine has 8");
    cpu_tree_clear(&tree);
}
END_TEST

START_TEST(slurm_conf_may_cut_cores_and_sockets_otherwise)
{
    const struct tree_shape shape = {
        .cpus = 8,
        .sockets = 4,
        .cores_per_socket = 2,
        .threads_per_core = 1,
        .overrides = true,
    };
    struct cpu_tree tree = read_as(SERVER, &shape);

    ck_assert_uint_eq(tree.sockets_n, 4);
    ck_assert_uint_eq(tree.cores_n, 8);
    ck_assert_uint_eq(tree.cpus[3].core, 3);
    ck_assert_uint_eq(tree.cpus[3].socket, 1);
    cpu_tree_clear(&tree);
}
END_TEST

START_TEST(cpus_know_their_numa_node)
{
    struct cpu_tree tree = read_as("pack:2 [numa] core:2 pu:1", &(struct tree_shape){ .cpus = 4 });

    ck_assert_uint_eq(tree.cpus[1].ldom, 0);
    ck_assert_uint_eq(tree.cpus[2].ldom, 1);
    cpu_tree_clear(&tree);
}
END_TEST

CHECK_MAIN(cpu_tree, LOOP_CASE(cpus_are_counted_by_socket_core_and_thread, 8),
           CASE(where_cores_are_counted_a_cpu_is_all_threads_of_one),
           CASE(what_is_not_there_is_left_out), CASE(a_count_that_is_not_the_machines_is_told),
           CASE(slurm_conf_may_cut_cores_and_sockets_otherwise), CASE(cpus_know_their_numa_node))
