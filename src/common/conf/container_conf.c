#include "common/conf/container_conf.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/conf/load_beside.h"
#include "common/conf/value.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

#define AT(field) offsetof(struct conf_container, field)
#define OFF(key)                                                                                   \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_NO_EFFECT, .at = CONF_NO_FIELD             \
    }

static const struct conf_key container_keys[] = {
    { .name = "NodeName", .kind = CONF_TEXT, .at = CONF_NO_FIELD },
    { .name = "BasePath", .kind = CONF_TEXT, .at = AT(base_path) },
    { .name = "Dirs", .kind = CONF_TEXT, .at = AT(dirs), .def = "/tmp,/dev/shm" },
    { .name = "AutoBasePath", .kind = CONF_YES_NO, .at = AT(auto_base_path), .def = "no" },
    { .name = "Shared", .kind = CONF_YES_NO, .at = AT(shared), .def = "no" },
    OFF(CloneNSEpilog),
    OFF(CloneNSEpilog_Wait),
    OFF(CloneNSScript),
    OFF(CloneNSScript_Wait),
    OFF(EntireStepInNS),
    OFF(InitScript),
    { .name = NULL },
};

const struct conf_key *conf_container_keys(void)
{
    return container_keys;
}

static int is_meant(const struct conf_record *record, const char *node, bool *ret, struct err *err)
{
    const struct conf_pair *pair = conf_record_find(record, "NodeName");
    struct hostlist *nodes = NULL;
    struct err why = { 0 };

    *ret = true;
    if (!pair || !pair->value)
        return 0;
    if (hostlist_parse(pair->value, &nodes, &why) < 0)
        return conf_err(err, why.code, pair->value_at, "NodeName: %s", why.text);
    *ret = hostlist_find(nodes, node) >= 0;
    hostlist_free(nodes);
    return 0;
}

static int read_record(struct loader *loader, const struct conf_record *record, const char *node,
                       struct conf_container *container, struct err *err)
{
    const struct conf_pairs pairs = { record->pairs, record->pairs_n };
    bool meant = false;
    int rc = is_meant(record, node, &meant, err);

    return rc == 0 && meant ? load_pairs(loader, container_keys, pairs, container, err) : rc;
}

/* Directories of jobs are mounted over these: so they must be told apart from what is relative. */
static int check(const struct conf_container *container, const char *conf_path, struct err *err)
{
    AUTO(words) struct words dirs = words_split(container->dirs, ",");

    if (container->base_path && container->base_path[0] != '/')
        return err_set(err, EINVAL, "job_container.conf beside %s: BasePath=%s: not a full path",
                       conf_path, container->base_path);
    for (uint32_t i = 0; i < dirs.n; i++) {
        if (dirs.at[i][0] != '/' || !dirs.at[i][1])
            return err_set(err, EINVAL, "job_container.conf beside %s: Dirs=%s: '%s' cannot be one",
                           conf_path, container->dirs, dirs.at[i]);
    }
    return 0;
}

int conf_container_load(const char *conf_path, const char *node, conf_read_fn read, void *ctx,
                        struct conf_notes *notes, struct conf_container *ret, struct err *err)
{
    struct slurm_conf place = { .path = (char *)(uintptr_t)conf_path };
    struct beside beside = {
        .loader = { .conf = &place, .notes = notes },
        .read = read,
        .ctx = ctx,
    };
    struct conf_file *file = NULL;
    int rc = beside_parse(&beside, "job_container.conf", false, &file, err);

    *ret = (struct conf_container){ 0 };
    conf_values_preset(container_keys, ret);
    for (uint32_t i = 0; rc == 0 && i < file->records_n; i++)
        rc = read_record(&beside.loader, &file->records[i], node, ret, err);
    if (rc == 0)
        rc = check(ret, conf_path, err);
    conf_file_free(file);
    return rc;
}

void conf_container_clear(struct conf_container *container)
{
    conf_values_clear(container_keys, container);
}

void conf_container_auto_(struct conf_container *container)
{
    conf_container_clear(container);
}
