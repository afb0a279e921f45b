#include "common/conf/show.h"

#include <string.h>

#include "common/conf/keys.h"
#include "common/conf/value.h"
#include "common/text/words.h"

struct conf_show conf_show_begin(const struct slurm_conf *conf, const struct conf_show_facts *facts)
{
    return (struct conf_show){ .conf = conf, .facts = facts };
}

/* Returns the text that the file gives for a key that has no row here, or NULL. */
static const char *given(const struct slurm_conf *conf, const char *name)
{
    const struct conf_key *key = conf_key_find(conf_global_keys(), name);

    return key ? conf->given[key - conf_global_keys()] : NULL;
}

/* Shows what jobs get for each GPU, one line made of two keys. */
static void show_job_defaults(const struct slurm_conf *conf, struct strbuf *value)
{
    static const char *const names[] = { "DefCpuPerGPU", "DefMemPerGPU" };

    for (size_t i = 0; i < ARRAY_N(names); i++)
        if (given(conf, names[i]))
            strbuf_addf(value, "%s%s=%s", value->len ? "," : "", names[i], given(conf, names[i]));
    if (!value->len)
        strbuf_adds(value, "(null)");
}

static void show_runtime(const struct conf_show *show, const char *name, struct strbuf *value)
{
    const struct conf_show_facts *facts = show->facts;

    if (word_is(name, "BOOT_TIME"))
        strbuf_adds(value, facts->boot_time ? facts->boot_time : "(null)");
    else if (word_is(name, "HASH_VAL"))
        strbuf_adds(value, "Match"); /* nodes take the configuration as the controller has it */
    else if (word_is(name, "JobDefaults"))
        show_job_defaults(show->conf, value);
    else if (word_is(name, "MULTIPLE_SLURMD"))
        strbuf_adds(value, "Yes");
    else if (word_is(name, "NEXT_JOB_ID"))
        strbuf_addf(value, "%u", facts->next_job_id);
    else if (word_is(name, "SLURM_CONF"))
        strbuf_adds(value, show->conf->path);
    else
        strbuf_adds(value, facts->version ? facts->version : "(null)");
}

static void show_user(const struct conf_show *show, const char *user, struct strbuf *value)
{
    const struct conf_show_facts *facts = show->facts;
    int64_t uid = facts && facts->find_uid ? facts->find_uid(facts->ctx, user) : -1;

    strbuf_adds(value, user);
    if (uid >= 0)
        strbuf_addf(value, "(%lld)", (long long)uid);
}

static void show_field(const struct conf_show *show, const struct conf_key *key,
                       struct strbuf *value)
{
    const void *slot = (const char *)show->conf + key->at;
    bool is_given = show->conf->given[key - conf_global_keys()] != NULL;

    if (key->kind == CONF_USER)
        show_user(show, *(char *const *)slot, value);
    else if (key->kind == CONF_FLAGS && !key->def && !is_given && *(const uint32_t *)slot == 0)
        strbuf_adds(value, "(null)");
    else
        conf_value_format(key, slot, value);
}

/* Shows a key that is only kept to be shown, in the form of its kind. */
static void show_text(const struct conf_show *show, const struct conf_key *key,
                      struct strbuf *value)
{
    const char *text = show->conf->given[key - conf_global_keys()];
    union conf_slot slot = { 0 };

    if (!text)
        text = key->def;
    if (!text || key->kind == CONF_TEXT)
        strbuf_adds(value, text ? text : "(null)");
    else if (conf_value_set(key, text, &slot, NULL, NULL) < 0)
        strbuf_adds(value, text);
    else
        conf_value_format(key, &slot, value);
    conf_value_clear(key, &slot);
}

/* Shows one controller, which has a line of its own. */
static void show_host(struct conf_show *show, struct strbuf *key, struct strbuf *value)
{
    const struct conf_host *host = &show->conf->controllers[show->host];

    strbuf_addf(key, "SlurmctldHost[%u]", show->host);
    strbuf_adds(value, host->name);
    if (strcmp(host->name, host->addr) != 0)
        strbuf_addf(value, "(%s)", host->addr);
    show->host++;
}

/* Returns the name to show. DefMemPerNode and MaxMemPerNode have the name that is in effect. */
static const char *shown_name(const struct conf_show *show, const struct conf_key *key)
{
    if (key->kind != CONF_MEM_NODE)
        return key->name;
    const struct conf_mem *mem = (const void *)((const char *)show->conf + key->at);

    return mem->per_cpu ? key[1].name : key->name; /* keys.c has the row of the CPU behind it */
}

static void show_row(struct conf_show *show, const struct conf_key *key, struct strbuf *name,
                     struct strbuf *value)
{
    if (key->kind == CONF_HOSTS) {
        show_host(show, name, value);
        return;
    }
    strbuf_adds(name, shown_name(show, key));
    if (key->kind == CONF_RUNTIME)
        show_runtime(show, key->name, value);
    else if (key->at == CONF_NO_FIELD)
        show_text(show, key, value);
    else
        show_field(show, key, value);
}

/*
 * Returns whether a key has a line. Some are part of another line of `scontrol show config`, or of
 * none.
 */
static bool is_shown(const struct conf_show *show, const struct conf_key *key)
{
    if (show->facts)
        return !key->hidden || (key->newer && show->conf->given[key - conf_global_keys()]);
    if (key->kind == CONF_RUNTIME)
        return false;
    return !key->hidden || (key->status == CONF_USED && key->at != CONF_NO_FIELD &&
                            key->kind != CONF_MEM_CPU); /* the row before it has it */
}

/* Returns whether some plugin of slurm.conf uses cgroups. */
static bool uses_cgroups(const struct slurm_conf *conf)
{
    return conf->proctrack_type == CONF_PROCTRACK_CGROUP ||
           (conf->task_plugins & CONF_TASK_CGROUP) || conf->gather_type == CONF_GATHER_CGROUP;
}

static bool show_cgroup(struct conf_show *show, struct strbuf *key, struct strbuf *value)
{
    if (!show->facts || !show->facts->cgroup || !uses_cgroups(show->conf))
        return false;
    if (show->cgroup++ > 0)
        return conf_cgroup_show(show->facts->cgroup, show->cgroup - 2, key, value);
    strbuf_adds(key, "Cgroup Support Configuration:");
    return true;
}

bool conf_show_next(struct conf_show *show, struct strbuf *key, struct strbuf *value)
{
    const struct conf_key *table = conf_global_keys();

    strbuf_truncate(key, 0);
    strbuf_truncate(value, 0);
    while (table[show->row].name && !is_shown(show, &table[show->row]))
        show->row++;
    if (!table[show->row].name)
        return show_cgroup(show, key, value);
    show->shown = show->row;
    show_row(show, &table[show->row], key, value);
    if (table[show->row].kind != CONF_HOSTS || show->host == show->conf->controllers_n)
        show->row++;
    return true;
}

/*
 * Returns whether both keys set the same: `other` is an older name or, for memory, the key for
 * CPUs.
 */
static bool sets_the_same(const struct conf_key *key, const struct conf_key *other)
{
    if (key->kind == CONF_HOSTS)
        return other->kind == CONF_HOSTS;
    return key->at != CONF_NO_FIELD && other->at == key->at;
}

struct conf_at conf_show_where(const struct conf_show *show)
{
    const struct conf_key *table = conf_global_keys();
    const struct conf_key *key = &table[show->shown];
    struct conf_at at = show->conf->given_at[show->shown];

    for (const struct conf_key *other = table; !at.file && other->name; other++)
        if (sets_the_same(key, other))
            at = show->conf->given_at[other - table];
    return at;
}
