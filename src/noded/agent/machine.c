#include "noded/agent/machine.h"

#include <string.h>
#include <unistd.h>

#include "common/text/words.h"
#include "noded/inventory/inventory.h"

static bool is_there(const char *device)
{
    AUTO(words) struct words files = words_split(device, ",");
    bool there = true;

    for (uint32_t i = 0; i < files.n && there; i++)
        there = access(files.at[i], F_OK) == 0;
    return there;
}

/* Returns how many devices there are of those configured. What has no device file is there because
 * it is configured. */
static uint64_t count_device(const struct conf_device *device)
{
    uint64_t there = 0;

    if (!device->files_n)
        return device->count;
    for (uint32_t i = 0; i < device->files_n; i++)
        there += is_there(device->files[i]);
    return there;
}

static struct gres_count *count_of(struct node_hardware *hardware, const char *name)
{
    struct gres_count *count;

    for (uint32_t i = 0; i < hardware->gres_n; i++) {
        if (strcmp(hardware->gres[i].name, name) == 0)
            return &hardware->gres[i];
    }
    count = ARRAY_PUSH(hardware->gres, hardware->gres_n);
    gres_count_init(count);
    count->name = xstrdup(name);
    return count;
}

void machine_read(const struct agent_options *options, struct node_hardware *ret)
{
    struct inventory_where where = INVENTORY_WHERE;

    where.tmp_fs = options->tmp_fs;
    inventory_read(&where, ret);
    ret->cgroup_mode = xstrdup(options->cgroup_mode);
    for (uint32_t i = 0; i < options->gpus_n; i++)
        schema_copy(node_gpu_schema(), ARRAY_PUSH(ret->gpus, ret->gpus_n), &options->gpus[i]);
    for (uint32_t i = 0; i < options->devices_n; i++)
        count_of(ret, options->devices[i].name)->count += count_device(&options->devices[i]);
}

/* When the machine was booted is worked out from its clock and changes with that, so it does not
 * count. */
bool machine_differs(const struct node_hardware *a, const struct node_hardware *b)
{
    struct node_hardware other = *b;

    other.boot_time = a->boot_time;
    return !schema_equal(node_hardware_schema(), a, &other);
}
