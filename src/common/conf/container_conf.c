#include "common/conf/container_conf.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/conf/load_beside.h"
#include "common/conf/value.h"
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
    { .name = "InitScript", .kind = CONF_TEXT, .at = AT(init_script) },
    { .name = "CloneNSScript", .kind = CONF_TEXT, .at = AT(clone_script) },
    { .name = "CloneNSEpilog", .kind = CONF_TEXT, .at = AT(clone_epilog) },
    OFF(CloneNSEpilog_Wait),
    OFF(CloneNSScript_Wait),
    OFF(EntireStepInNS), /* all that is the user's is in it */
    { .name = NULL },
};

const struct conf_key *conf_container_keys(void)
{
    return container_keys;
}

/* Refuses scripts, on which jobs rely: leaving them out without a word would be worse. */
static int check_scripts(const struct conf_container *container, const char *conf_path,
                         struct err *err)
{
    const struct {
        const char *key, *value, *instead;
    } scripts[] = {
        { "CloneNSScript", container->clone_script, "TaskProlog" },
        { "CloneNSEpilog", container->clone_epilog, "Epilog" },
    };

    for (size_t i = 0; i < ARRAY_N(scripts); i++) {
        if (scripts[i].value)
            return err_set(err, ENOTSUP,
                           "job_container.conf beside %s: %s=%s is not supported: have it done by "
                           "%s= of slurm.conf",
                           conf_path, scripts[i].key, scripts[i].value, scripts[i].instead);
    }
    return 0;
}

static bool is_below(const char *path, const char *dir)
{
    const size_t n = strlen(dir);

    return strncmp(path, dir, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/*
 * Checks the paths of the file, none of which may be relative: directories of jobs are mounted over
 * them.
 */
static int check(const struct conf_container *container, const char *conf_path, struct err *err)
{
    AUTO(words) struct words dirs = words_split(container->dirs, ",");

    if (container->base_path && container->base_path[0] != '/')
        return err_set(err, EINVAL, "job_container.conf beside %s: BasePath=%s: not a full path",
                       conf_path, container->base_path);
    if (container->init_script && container->init_script[0] != '/')
        return err_set(err, EINVAL, "job_container.conf beside %s: InitScript=%s: not a full path",
                       conf_path, container->init_script);
    for (uint32_t i = 0; i < dirs.n; i++) {
        if (dirs.at[i][0] != '/' || !dirs.at[i][1])
            return err_set(err, EINVAL, "job_container.conf beside %s: Dirs=%s: '%s' cannot be one",
                           conf_path, container->dirs, dirs.at[i]);
        if (container->base_path && is_below(container->base_path, dirs.at[i]))
            return err_set(err, EINVAL,
                           "job_container.conf beside %s: BasePath=%s is in %s, which jobs have to "
                           "themselves (Dirs=)",
                           conf_path, container->base_path, dirs.at[i]);
    }
    return 0;
}

int conf_container_load(const char *conf_path, const char *node, conf_read_fn read, void *ctx,
                        struct conf_notes *notes, struct conf_container *ret, struct err *err)
{
    const struct beside_table table = { "job_container.conf", container_keys, false, node };
    struct beside beside = { .loader = { .notes = notes }, .read = read, .ctx = ctx };
    int rc;

    *ret = (struct conf_container){ 0 };
    rc = beside_read(&beside, conf_path, &table, ret, err);
    if (word_is(ret->base_path, "none")) /* leaves out nodes that others are not, as in Slurm */
        xstrset(&ret->base_path, NULL);
    if (rc == 0)
        rc = check(ret, conf_path, err);
    return rc == 0 ? check_scripts(ret, conf_path, err) : rc;
}

void conf_container_clear(struct conf_container *container)
{
    conf_values_clear(container_keys, container);
}

void conf_container_auto_(struct conf_container *container)
{
    conf_container_clear(container);
}
