#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/conf/load.h"
#include "common/text/words.h"

#define MIN_JOB_AGE_S 2
#define BASE_TRES     "cpu,mem,energy,node,billing,fs/disk,vmem,pages"

/* Adds the controller of "name" or "name(address)". */
static int add_controller(struct slurm_conf *conf, const char *text, const char *addr,
                          struct conf_at at, struct err *err)
{
    const char *open = strchr(text, '(');
    size_t len = strlen(text);
    struct conf_host host;

    if (!text[0] || open == text || (open && (text[len - 1] != ')' || open + 2 >= text + len)))
        return conf_err(err, EINVAL, at, "'%s' is neither NAME nor NAME(ADDRESS)", text);
    if (open) {
        host.name = xstrndup(text, (size_t)(open - text));
        host.addr = xstrndup(open + 1, (size_t)(text + len - 1 - (open + 1)));
    } else {
        host.name = xstrdup(text);
        host.addr = xstrdup(addr && addr[0] ? addr : text);
    }
    *ARRAY_PUSH(conf->controllers, conf->controllers_n) = host;
    return 0;
}

const struct conf_pair *load_find_pair(const struct loader *loader, const char *key)
{
    for (uint32_t i = loader->file->records_n; i > 0; i--) {
        const struct conf_pair *pair = conf_record_find(&loader->file->records[i - 1], key);

        if (pair && pair->value)
            return pair;
    }
    return NULL;
}

static int add_new_style(struct loader *loader, struct err *err)
{
    for (uint32_t i = 0; i < loader->file->records_n; i++) {
        const struct conf_record *record = &loader->file->records[i];

        for (uint32_t k = 0; k < record->pairs_n; k++) {
            const struct conf_pair *pair = &record->pairs[k];

            if (!pair->value || strcasecmp(pair->key, "SlurmctldHost") != 0)
                continue;
            int rc = add_controller(loader->conf, pair->value, NULL, pair->value_at, err);

            if (rc < 0)
                return rc;
        }
    }
    return 0;
}

/*
 * Adds controllers from the older keys. Both may be lists; the n-th address belongs to the n-th
 * name.
 */
static int add_old_style(struct loader *loader, const char *name_key, const char *addr_key,
                         struct err *err)
{
    const struct conf_pair *name = load_find_pair(loader, name_key);
    const struct conf_pair *addr = load_find_pair(loader, addr_key);
    AUTO(words) struct words names = words_split(name ? name->value : "", ",");
    AUTO(words) struct words addrs = words_split(addr ? addr->value : "", ",");
    int rc = 0;

    for (uint32_t i = 0; rc >= 0 && i < names.n; i++)
        rc = add_controller(loader->conf, names.at[i], i < addrs.n ? addrs.at[i] : NULL,
                            name->value_at, err);
    return rc;
}

int load_controllers(struct loader *loader, struct err *err)
{
    struct conf_at start = { loader->conf->files[0], 1, 1 };
    int rc = add_new_style(loader, err);

    if (rc >= 0 && loader->conf->controllers_n == 0)
        rc = add_old_style(loader, "ControlMachine", "ControlAddr", err);
    else if (rc >= 0)
        return 0;
    if (rc >= 0)
        rc = add_old_style(loader, "BackupController", "BackupAddr", err);
    if (rc >= 0 && loader->conf->controllers_n == 0) {
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, start,
                       "no SlurmctldHost=NAME says where the controller runs; localhost is used");
        rc = add_controller(loader->conf, "localhost", NULL, start, err);
    }
    return rc;
}

/* Returns the value of `key` in "key=value,key=value", or NULL. */
static const char *option_value(const struct words *options, const char *key)
{
    for (uint32_t i = 0; i < options->n; i++) {
        const char *rest;

        if (word_starts(options->at[i], key, &rest) && rest[0] == '=')
            return rest + 1;
    }
    return NULL;
}

#define CRED_EXPIRE_S 120

/* Reads an option in seconds; without the option *ret stays. */
static int auth_seconds(struct loader *loader, const struct words *options, const char *key,
                        uint64_t least, uint32_t *ret, struct err *err)
{
    const char *text = option_value(options, key);
    struct err why = { 0 };
    uint64_t seconds;

    if (!text)
        return 0;
    if (number_parse(text, least, 86400, &seconds, &why) < 0)
        return conf_err(err, why.code, load_find_pair(loader, "AuthInfo")->value_at,
                        "AuthInfo: %s: %s", key, why.text);
    *ret = (uint32_t)seconds;
    return 0;
}

static int derive_auth(struct loader *loader, struct err *err)
{
    struct slurm_conf *conf = loader->conf;
    AUTO(words) struct words options = words_split(conf->auth_info ? conf->auth_info : "", ",");
    int rc;

    conf->auth_socket = xstrdup(option_value(&options, "socket"));
    conf->cred_expire_s = CRED_EXPIRE_S;
    rc = auth_seconds(loader, &options, "ttl", 1, &conf->auth_ttl_s, err);
    if (rc == 0)
        rc = auth_seconds(loader, &options, "cred_expire", 0, &conf->cred_expire_s, err);
    return rc;
}

/*
 * Reads "30" or "task=30,energy=60". Of these only the interval of tasks' samples has an effect
 * here.
 */
static void derive_gather(struct loader *loader)
{
    const struct conf_pair *pair = load_find_pair(loader, "JobAcctGatherFrequency");
    const char *text = pair ? pair->value : "30";
    AUTO(words) struct words options = words_split(text, ",");
    const char *task = option_value(&options, "task");
    uint64_t seconds = 30;
    struct err why = { 0 };

    if (!task)
        task = strchr(text, '=') ? "30" : text;
    if (number_parse(task, 0, UINT16_MAX, &seconds, &why) < 0)
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, pair->value_at,
                       "JobAcctGatherFrequency: %s; 30 is used", why.text);
    loader->conf->gather_frequency_s = (uint32_t)seconds;
}

/* Adds CR_Core when no unit is selected, because cons_tres then has nothing to allocate. */
static void derive_select(struct loader *loader)
{
    const uint32_t units = SELECT_CPU | SELECT_CORE | SELECT_SOCKET;
    struct slurm_conf *conf = loader->conf;
    const struct conf_pair *given = load_find_pair(loader, "SelectTypeParameters");

    if (conf->select_type == CONF_SELECT_LINEAR || (conf->select_params & units))
        return;
    conf->select_params |= SELECT_CORE;
    if (!given)
        conf->select_params |= SELECT_MEMORY; /* Slurm's default since 21.08 */
    else
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, given->value_at,
                       "SelectTypeParameters=%s names none of CR_CPU, CR_Core, CR_Socket; CR_Core "
                       "is added",
                       given->value);
}

static void append_word(char **list, const char *word)
{
    AUTO(words) struct words has = words_split(*list ? *list : "", ",");
    char *longer;

    if (words_have(&has, word))
        return;
    longer = *list ? xasprintf("%s,%s", *list, word) : xstrdup(word);
    free(*list);
    *list = longer;
}

/* Turns old keys into words of newer ones. */
static void derive_old_words(struct loader *loader)
{
    const struct conf_pair *fast = load_find_pair(loader, "FastSchedule");
    const struct conf_pair *comment = load_find_pair(loader, "AccountingStoreJobComment");

    if (fast && strcmp(fast->value, "2") == 0)
        append_word(&loader->conf->slurmd_params, "config_overrides");
    if (comment && (word_is(comment->value, "YES") || word_is(comment->value, "TRUE") ||
                    strcmp(comment->value, "1") == 0))
        append_word(&loader->conf->accounting_store_flags, "job_comment");
}

/*
 * Notes kinds without effect. Of those that Slurm has, one gives jobs directories of their own
 * here.
 */
static void note_container(struct loader *loader)
{
    const struct conf_pair *today = load_find_pair(loader, "NamespaceType");
    const struct conf_pair *pair = today ? today : load_find_pair(loader, "JobContainerType");
    const char *type = loader->conf->job_container_type;

    if (pair && !word_is(type, "job_container/none") && !word_is(type, "job_container/tmpfs") &&
        (today || word_is(type, "job_container/cncu")))
        conf_notes_add(loader->notes, CONF_NOTE_NO_EFFECT, pair->value_at,
                       "%s=%s has no effect here: jobs share /tmp with their node, but for %s",
                       pair->key, pair->value, today ? "namespace/tmpfs" : "job_container/tmpfs");
}

/*
 * Reads NamespaceType=namespace/tmpfs, which has been the name of
 * JobContainerType=job_container/tmpfs since 25.11.
 */
static void derive_namespace(struct loader *loader)
{
    const struct conf_pair *pair = load_find_pair(loader, "NamespaceType");
    const char *kind = pair ? pair->value : NULL;

    if (!pair)
        return;
    word_starts(pair->value, "namespace/", &kind);
    free(loader->conf->job_container_type);
    loader->conf->job_container_type = xasprintf("job_container/%s", kind);
}

/* Adds what the words of AccountingStorageEnforce= imply, as slurm.conf(5) has it. */
static void derive_acct_enforce(struct slurm_conf *conf)
{
    if (conf->acct_enforce & ACCT_ENFORCE_SAFE)
        conf->acct_enforce |= ACCT_ENFORCE_LIMITS;
    if (conf->acct_enforce & (ACCT_ENFORCE_LIMITS | ACCT_ENFORCE_QOS | ACCT_ENFORCE_WCKEYS))
        conf->acct_enforce |= ACCT_ENFORCE_ASSOCIATIONS;
    if (conf->acct_enforce & ACCT_ENFORCE_NO_JOBS)
        conf->acct_enforce |= ACCT_ENFORCE_NO_STEPS;
}

/* Adds the words of AccountingStorageTRES= to what is always counted. */
static void derive_tres(struct slurm_conf *conf)
{
    AUTO(words) struct words given = words_split(conf->accounting_tres, ",");
    AUTO(words) struct words always = words_split(BASE_TRES, ",");

    xstrset(&conf->accounting_tres, BASE_TRES);
    for (uint32_t i = 0; i < given.n; i++)
        if (!words_have(&always, given.at[i]))
            append_word(&conf->accounting_tres, given.at[i]);
}

/* Raises MinJobAge to Slurm's least value, because clients ask for jobs that have just ended. */
static void derive_job_age(struct loader *loader)
{
    const struct conf_pair *given = load_find_pair(loader, "MinJobAge");

    if (loader->conf->min_job_age_s >= MIN_JOB_AGE_S)
        return;
    loader->conf->min_job_age_s = MIN_JOB_AGE_S;
    conf_notes_add(loader->notes, CONF_NOTE_VALUE, given->value_at,
                   "MinJobAge=%s is less than %d, which is used", given->value, MIN_JOB_AGE_S);
}

int load_count_hosts(struct loader *loader, uint32_t n, struct conf_at at, struct err *err)
{
    loader->hosts_n += n;
    if (loader->hosts_n > CONF_HOSTS_MAX)
        return conf_err(err, E_TOO_BIG, at, "more than %u host names in all lines together",
                        CONF_HOSTS_MAX);
    return 0;
}

int load_derived(struct loader *loader, struct err *err)
{
    struct slurm_conf *conf = loader->conf;
    int rc = derive_auth(loader, err);

    if (rc < 0)
        return rc;
    derive_gather(loader);
    derive_select(loader);
    derive_old_words(loader);
    derive_namespace(loader);
    note_container(loader);
    derive_tres(conf);
    derive_acct_enforce(conf);
    derive_job_age(loader);
    if (!load_find_pair(loader, "PropagateResourceLimits") && !conf->propagate_rlimits_except)
        conf->propagate_rlimits = CONF_RLIMITS_ALL;
    if (!conf->cluster_name)
        conf->cluster_name = xstrdup("cluster");
    if (conf->max_job_id < conf->first_job_id)
        return err_set(err, ERANGE, "%s: MaxJobId=%u is below FirstJobId=%u", conf->path,
                       conf->max_job_id, conf->first_job_id);
    return 0;
}
