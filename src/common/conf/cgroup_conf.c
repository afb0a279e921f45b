#include "common/conf/cgroup_conf.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/conf/load_beside.h"
#include "common/conf/value.h"
#include "common/text/words.h"

#define AT(field) offsetof(struct conf_cgroup, field)
#define FLAG(key, field, preset)                                                                   \
    {                                                                                              \
        .name = #key, .kind = CONF_YES_NO, .at = AT(field), .def = (preset)                        \
    }
#define PERCENT(key, field, preset)                                                                \
    {                                                                                              \
        .name = #key, .kind = CONF_PERCENT, .at = AT(field), .def = (preset)                       \
    }
/* A row that is only kept to be shown. */
#define OFF(key, place, preset)                                                                    \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_NO_EFFECT, .at = AT(idle[place]),          \
        .def = (preset)                                                                            \
    }
#define GONE(key, after)                                                                           \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_REMOVED, .at = CONF_NO_FIELD,              \
        .instead = (after)                                                                         \
    }

static const struct conf_word plugin_words[] = {
    { "autodetect", CONF_CGROUP_AUTODETECT },
    { "cgroup/v1", CONF_CGROUP_V1 },
    { "cgroup/v2", CONF_CGROUP_V2 },
    { "disabled", CONF_CGROUP_DISABLED },
    { NULL, 0 },
};

/* The rows, in the order of `scontrol show config`. */
static const struct conf_key cgroup_keys[] = {
    PERCENT(AllowedRAMSpace, allowed_ram, "100"),
    PERCENT(AllowedSwapSpace, allowed_swap, "0"),
    OFF(CgroupAutomount, 0, "no"),
    OFF(CgroupMountpoint, 1, "/sys/fs/cgroup"), /* the kernel says where they are */
    { .name = "CgroupPlugin",
      .kind = CONF_CHOICE,
      .at = AT(plugin),
      .def = "autodetect",
      .words = plugin_words },
    OFF(CgroupReleaseAgentDir, 2, NULL),
    OFF(CgroupSlice, 3, NULL),
    FLAG(ConstrainCores, constrain_cores, "no"),
    FLAG(ConstrainDevices, constrain_devices, "no"),
    FLAG(ConstrainRAMSpace, constrain_ram, "no"),
    FLAG(ConstrainSwapSpace, constrain_swap, "no"),
    OFF(EnableControllers, 4, "no"), /* those that are needed are enabled always */
    OFF(EnableExtraControllers, 5, NULL),
    FLAG(IgnoreSystemd, ignore_systemd, "no"),
    OFF(IgnoreSystemdOnFailure, 6, "no"), /* its trouble is never a reason not to start */
    PERCENT(MaxRAMPercent, max_ram, "100"),
    PERCENT(MaxSwapPercent, max_swap, "100"),
    { .name = "MemorySwappiness", .kind = CONF_NUMBER, .at = AT(swappiness), .max = 100 },
    { .name = "MinRAMSpace",
      .kind = CONF_NUMBER,
      .at = AT(min_ram_mb),
      .def = "30",
      .max = UINT32_MAX - 1,
      .unit = "MB" },
    OFF(SignalChildrenProcesses, 7, "no"),
    OFF(SystemdTimeout, 8, NULL),
    GONE(AllowedDevicesFile, "without it every device that is not in gres.conf stays allowed"),
    GONE(AllowedKmemSpace, "the kernel counts its own memory with the rest"),
    GONE(ConstrainKmemSpace, "the kernel counts its own memory with the rest"),
    GONE(MaxKmemPercent, "the kernel counts its own memory with the rest"),
    GONE(MinKmemSpace, "the kernel counts its own memory with the rest"),
    GONE(TaskAffinity, "TaskPlugin=task/affinity in slurm.conf"),
    { .name = NULL },
};

const struct conf_key *conf_cgroup_keys(void)
{
    return cgroup_keys;
}

int conf_cgroup_load(const char *conf_path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                     struct conf_cgroup *ret, struct err *err)
{
    const struct beside_table table = { "cgroup.conf", cgroup_keys, true, NULL };
    struct beside beside = { .loader = { .notes = notes }, .read = read, .ctx = ctx };
    int rc;

    *ret = (struct conf_cgroup){ 0 };
    rc = beside_read(&beside, conf_path, &table, ret, err);
    if (rc < 0) {
        conf_cgroup_clear(ret);
        conf_values_preset(cgroup_keys, ret);
    }
    return rc;
}

void conf_cgroup_clear(struct conf_cgroup *cgroup)
{
    conf_values_clear(cgroup_keys, cgroup);
}

void conf_cgroup_auto_(struct conf_cgroup *cgroup)
{
    conf_cgroup_clear(cgroup);
}

bool conf_cgroup_show(const struct conf_cgroup *cgroup, uint32_t row, struct strbuf *key,
                      struct strbuf *value)
{
    const struct conf_key *at = &cgroup_keys[row];
    const void *slot = (const char *)cgroup + at->at;

    if (!at->name || at->at == CONF_NO_FIELD)
        return false;
    strbuf_adds(key, at->name);
    if (at->kind == CONF_YES_NO) /* unlike slurm.conf's */
        strbuf_adds(value, *(const bool *)slot ? "yes" : "no");
    else
        conf_value_format(at, slot, value);
    return true;
}
