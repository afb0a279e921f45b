#include "common/conf/cgroup_conf.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/conf/load_beside.h"
#include "common/conf/value.h"
#include "common/text/words.h"

#define PERCENT_MAX 1000000u /* as Slurm has no bound, one that cannot overflow */

#define AT(field) offsetof(struct conf_cgroup, field)
#define FLAG(key, field, preset)                                                                   \
    {                                                                                              \
        .name = #key, .kind = CONF_YES_NO, .at = AT(field), .def = (preset)                        \
    }
/* In hundredths, see percents. */
#define PERCENT(key, preset)                                                                       \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .at = CONF_NO_FIELD, .def = (preset)                      \
    }
#define OFF(key)                                                                                   \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_NO_EFFECT, .at = CONF_NO_FIELD             \
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

static const struct conf_key cgroup_keys[] = {
    { .name = "CgroupPlugin",
      .kind = CONF_CHOICE,
      .at = AT(plugin),
      .def = "autodetect",
      .words = plugin_words },
    FLAG(ConstrainCores, constrain_cores, "no"),
    FLAG(ConstrainRAMSpace, constrain_ram, "no"),
    FLAG(ConstrainSwapSpace, constrain_swap, "no"),
    FLAG(ConstrainDevices, constrain_devices, "no"),
    { .name = "MinRAMSpace",
      .kind = CONF_NUMBER,
      .at = AT(min_ram_mb),
      .def = "30",
      .max = UINT32_MAX - 1 },
    PERCENT(AllowedRAMSpace, "100"),
    PERCENT(AllowedSwapSpace, "0"),
    PERCENT(MaxRAMPercent, "100"),
    PERCENT(MaxSwapPercent, "100"),
    FLAG(IgnoreSystemd, ignore_systemd, "no"),
    OFF(CgroupAutomount),
    OFF(CgroupMountpoint), /* the kernel says where they are */
    OFF(CgroupReleaseAgentDir),
    OFF(CgroupSlice),
    OFF(EnableControllers), /* those that are needed are enabled always */
    OFF(EnableExtraControllers),
    OFF(IgnoreSystemdOnFailure), /* its trouble is never a reason not to start */
    OFF(MemorySwappiness),
    OFF(SignalChildrenProcesses),
    OFF(SystemdTimeout),
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

/* ---- percentages ---- */

static const struct {
    const char *name;
    size_t at;
} percents[] = {
    { "AllowedRAMSpace", AT(allowed_ram) },
    { "AllowedSwapSpace", AT(allowed_swap) },
    { "MaxRAMPercent", AT(max_ram) },
    { "MaxSwapPercent", AT(max_swap) },
};

static uint32_t *percent_slot(struct conf_cgroup *cgroup, const char *key)
{
    for (size_t i = 0; i < ARRAY_N(percents); i++) {
        if (word_is(key, percents[i].name))
            return (uint32_t *)(void *)((char *)cgroup + percents[i].at);
    }
    return NULL;
}

/* "100", "98.5", "50%": in hundredths; further digits are left out. */
static bool parse_percent(const char *text, uint32_t *ret)
{
    size_t digits = strspn(text, "0123456789");
    const char *at = text + digits;
    AUTO_FREE char *whole = xstrndup(text, digits);
    uint64_t number = 0;
    uint32_t part = 0;

    if (number_parse(whole, 0, PERCENT_MAX, &number, NULL) < 0)
        return false;
    if (*at == '.') {
        size_t n = strspn(++at, "0123456789");

        part = (n > 0 ? (uint32_t)(at[0] - '0') * 10 : 0) + (n > 1 ? (uint32_t)(at[1] - '0') : 0);
        at += n;
    }
    if (*at && strcmp(at, "%") != 0)
        return false;
    *ret = (uint32_t)number * 100 + part;
    return true;
}

/* ---- the file ---- */

static int read_pair(struct loader *loader, const struct conf_pair *pair,
                     struct conf_cgroup *cgroup, struct err *err)
{
    uint32_t *percent = percent_slot(cgroup, pair->key);

    if (!percent)
        return load_pair(loader, cgroup_keys, pair, cgroup, NULL, err);
    if (!pair->value || !parse_percent(pair->value, percent))
        return conf_err(err, EINVAL, pair->value_at, "%s=%.40s: not a percentage from 0 to %u",
                        pair->key, pair->value ? pair->value : "", PERCENT_MAX);
    return 0;
}

static int read_file(struct loader *loader, struct conf_cgroup *cgroup, struct err *err)
{
    for (uint32_t i = 0; i < loader->file->records_n; i++) {
        const struct conf_record *record = &loader->file->records[i];

        for (uint32_t k = 0; k < record->pairs_n; k++) {
            const struct conf_pair *pair = &record->pairs[k];
            struct err why = { 0 };
            int rc = read_pair(loader, pair, cgroup, &why);

            if (rc < 0 && conf_notes_go_on(loader->notes, rc, pair->at, &why) < 0)
                return err_set(err, why.code, "%s", why.text);
        }
    }
    return 0;
}

static void preset(struct conf_cgroup *ret)
{
    *ret = (struct conf_cgroup){ .allowed_ram = 10000, .max_ram = 10000, .max_swap = 10000 };
    conf_values_preset(cgroup_keys, ret);
}

int conf_cgroup_load(const char *conf_path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                     struct conf_cgroup *ret, struct err *err)
{
    struct slurm_conf place = { .path = (char *)(uintptr_t)conf_path };
    struct beside beside = {
        .loader = { .conf = &place, .notes = notes },
        .read = read,
        .ctx = ctx,
    };
    struct conf_file *file = NULL;
    int rc = beside_parse(&beside, "cgroup.conf", true, &file, err);

    preset(ret);
    if (rc == 0)
        rc = read_file(&beside.loader, ret, err);
    conf_file_free(file);
    if (rc < 0)
        preset(ret);
    return rc;
}
