/* What a node tells of the devices that are configured for it. */
#include "unit/check_main.h"

#include "common/base/alloc.h"
#include "noded/agent/machine.h"

static void read_with(const struct conf_device *devices, uint32_t n, struct node_hardware *ret)
{
    const struct agent_options options = {
        .tmp_fs = "/tmp", .cgroup_mode = "none", .devices = devices, .devices_n = n
    };

    machine_read(&options, ret);
}

START_TEST(devices_count_when_their_files_are_there)
{
    char *files[] = { (char *)"/dev/null", (char *)"/dev/zero", (char *)"/dev/no-such-device" };
    const struct conf_device devices[] = {
        { .name = (char *)"gpu", .count = 2, .files = files, .files_n = 2 },
        { .name = (char *)"ssd", .count = 7 },
        { .name = (char *)"gpu", .count = 1, .files = files + 2, .files_n = 1 },
    };
    AUTO(node_hardware) struct node_hardware hardware;

    read_with(devices, ARRAY_N(devices), &hardware);
    ck_assert_uint_eq(hardware.gres_n, 2);
    ck_assert_str_eq(hardware.gres[0].name, "gpu");
    ck_assert_uint_eq(hardware.gres[0].count, 2);
    ck_assert_str_eq(hardware.gres[1].name, "ssd");
    ck_assert_uint_eq(hardware.gres[1].count, 7);
}
END_TEST

START_TEST(a_machine_differs_by_what_it_has_and_not_by_its_clock)
{
    const struct conf_device device = { .name = (char *)"ssd", .count = 7 };
    AUTO(node_hardware) struct node_hardware a;
    AUTO(node_hardware) struct node_hardware b;

    read_with(&device, 1, &a);
    read_with(&device, 1, &b);
    b.boot_time++;
    ck_assert(!machine_differs(&a, &b));
    b.gres[0].count--;
    ck_assert(machine_differs(&a, &b));
}
END_TEST

CHECK_MAIN(machine, CASE(devices_count_when_their_files_are_there),
           CASE(a_machine_differs_by_what_it_has_and_not_by_its_clock))
