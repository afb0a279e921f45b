#include "common/conf/partition_change.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/conf/load.h"
#include "common/conf/value.h"
#include "common/text/tres_weights.h"
#include "common/text/words.h"

#define KEY_LEAST 3 /* letters of a key that is cut short */

/* ---- as they were ---- */

static void clear_partition(struct conf_partition *part)
{
    conf_values_clear(conf_partition_keys(), part);
    free(part->nodes);
}

struct conf_partitions conf_partitions_copy(const struct slurm_conf *conf)
{
    struct conf_partitions copy = { 0 };

    for (uint32_t i = 0; i < conf->partitions_n; i++) {
        const struct conf_partition *from = &conf->partitions[i];
        struct conf_partition *to = ARRAY_PUSH(copy.at, copy.n);

        *to = (struct conf_partition){ .at = from->at, .nodes_n = from->nodes_n };
        conf_values_copy(conf_partition_keys(), from, to);
        to->nodes = xmemdup(from->nodes, from->nodes_n * sizeof(*from->nodes));
    }
    return copy;
}

void conf_partitions_swap(struct conf_partitions *partitions, struct slurm_conf *conf)
{
    const struct conf_partitions other = *partitions;

    *partitions = (struct conf_partitions){ conf->partitions, conf->partitions_n };
    conf->partitions = other.at;
    conf->partitions_n = other.n;
}

void conf_partitions_clear(struct conf_partitions *partitions)
{
    for (uint32_t i = 0; i < partitions->n; i++)
        clear_partition(&partitions->at[i]);
    free(partitions->at);
    *partitions = (struct conf_partitions){ 0 };
}

void conf_partitions_auto_(struct conf_partitions *partitions)
{
    conf_partitions_clear(partitions);
}

/* ---- changing them ---- */

/* Finds a key by its name, or else the first that begins with it. */
const struct conf_key *conf_partition_key(const char *pair)
{
    AUTO_FREE char *name = xstrndup(pair, strcspn(pair, "="));
    const struct conf_key *key = conf_key_find(conf_partition_keys(), name);
    const size_t n = strlen(name);

    if (key || n < KEY_LEAST)
        return key;
    for (key = conf_partition_keys(); key->name; key++) {
        if (strncasecmp(key->name, name, n) == 0)
            return key;
    }
    return NULL;
}

/*
 * Keeps the mode of PreemptMode= that is the partition's own: GANG and WITHIN are the whole
 * cluster's.
 */
static int settle_preemption(struct conf_partition *part, struct err *err)
{
    static const char *const modes[] = { "OFF", "CANCEL", "REQUEUE", "SUSPEND" };
    AUTO(words) struct words words = words_split(part->preempt_mode ? part->preempt_mode : "", ",");
    const char *mode = NULL;

    for (uint32_t i = 0; i < words.n; i++) {
        const char *found = NULL;

        if (word_is(words.at[i], "GANG") || word_is(words.at[i], "WITHIN"))
            continue;
        for (size_t j = 0; j < ARRAY_N(modes); j++)
            found = word_is(words.at[i], modes[j]) ? modes[j] : found;
        if (!found || mode)
            return err_set(err, EINVAL, "Invalid input: PreemptMode=%.100s", part->preempt_mode);
        mode = found;
    }
    xstrset(&part->preempt_mode, mode ? mode : modes[0]);
    return 0;
}

/* Checks that each weight is for something that is counted. */
static int check_weights(const struct slurm_conf *conf, const struct conf_partition *part,
                         struct err *err)
{
    AUTO(words) struct words counted = words_split(conf->accounting_tres, ",");
    AUTO(tres_weights) struct tres_weights weights = { 0 };
    int rc = tres_weights_parse(part->billing_weights, &weights, NULL);

    for (uint32_t i = 0; rc == 0 && i < weights.n; i++) {
        const char *name = weights.at[i].name;

        if (!words_have(&counted, name) && !word_starts(name, "gres/", NULL) &&
            !word_starts(name, "license/", NULL))
            rc = -EINVAL;
    }
    return rc < 0 ? err_set(err, EINVAL, "Invalid TRESBillingWeights specification: %.100s",
                            part->billing_weights)
                  : 0;
}

static int set_value(struct conf_partition *part, const char *pair, struct err *err);

/* Sets JobDefaults=; a default that it does not name is removed. */
static int set_defaults(struct conf_partition *part, const char *list, struct err *err)
{
    AUTO(words) struct words pairs = words_split(list, ",");
    int rc = 0;

    part->def_cpu_per_gpu = 0;
    part->def_mem_per_gpu_mb = 0;
    for (uint32_t i = 0; rc == 0 && i < pairs.n; i++) {
        if (word_starts(pairs.at[i], "DefCpuPerGPU=", NULL) ||
            word_starts(pairs.at[i], "DefMemPerGPU=", NULL))
            rc = set_value(part, pairs.at[i], err);
        else
            rc = err_set(err, EINVAL, "Invalid JobDefaults specification: %.100s", pairs.at[i]);
    }
    return rc;
}

static int set_value(struct conf_partition *part, const char *pair, struct err *err)
{
    AUTO_FREE char *name = xstrndup(pair, strcspn(pair, "="));
    const char *value = strchr(pair, '=');
    const struct conf_key *key = value ? conf_partition_key(pair) : NULL;
    AUTO(strbuf) struct strbuf remark = { 0 };
    struct err why = { 0 };

    if (!value)
        return err_set(err, EINVAL, "Invalid input: %.100s  Request aborted", pair);
    if (key && word_is(key->name, "JobDefaults"))
        return set_defaults(part, value + 1, err);
    if (!key || key->at == CONF_NO_FIELD || key->at == offsetof(struct conf_partition, name))
        return err_set(err, EINVAL,
                       "Update of this parameter is not supported: %.100s\nRequest aborted", pair);
    if (conf_value_set(key, value + 1, conf_value_slot(key, part), &remark, &why) < 0)
        return err_set(err, EINVAL, "Invalid input: %.100s: %s", pair, why.text);
    if (remark.len)
        return err_set(err, EINVAL, "Invalid input: %.100s: %s", pair, strbuf_text(&remark));
    if (word_is(key->name, "PreemptMode"))
        return settle_preemption(part, err);
    if (word_is(name, "Priority")) /* the one old key that stands for two new ones */
        part->priority_job_factor = part->priority_tier;
    return 0;
}

static int select_nodes(struct slurm_conf *conf, struct conf_partition *part, struct err *err)
{
    struct loader loader = { .conf = conf };
    AUTO(strbuf) struct strbuf unknown = { 0 };
    uint32_t unknown_n = 0;
    int rc;

    free(part->nodes);
    part->nodes = NULL;
    part->nodes_n = 0;
    load_index_nodes(&loader);
    rc = load_partition_nodes(&loader, part, &unknown, &unknown_n, err);
    load_index_free(&loader);
    if (rc == 0 && unknown_n)
        rc = err_set(err, E_NODE_NAME, "%s: %s", err_string(E_NODE_NAME), strbuf_text(&unknown));
    return rc;
}

static int change(struct slurm_conf *conf, struct conf_partition *part, char *const *pairs,
                  uint32_t pairs_n, struct err *err)
{
    const bool was_default = part->is_default;

    for (uint32_t i = 0; i < pairs_n; i++) {
        int rc = set_value(part, pairs[i], err);

        if (rc < 0)
            return rc;
    }
    if (check_weights(conf, part, err) < 0)
        return -EINVAL;
    load_partition_settle(part);
    for (uint32_t i = 0; part->is_default && !was_default && i < conf->partitions_n; i++)
        conf->partitions[i].is_default = &conf->partitions[i] == part;
    return select_nodes(conf, part, err);
}

static struct conf_partition *find(struct slurm_conf *conf, const char *name)
{
    const struct conf_partition *part = slurm_conf_find_partition(conf, name);

    return part ? &conf->partitions[part - conf->partitions] : NULL;
}

int conf_partition_create(struct slurm_conf *conf, const char *name, char *const *pairs,
                          uint32_t pairs_n, struct err *err)
{
    struct conf_partition *part;

    if (!*name || word_is(name, "DEFAULT") || find(conf, name))
        return err_set(err, E_PARTITION_NAME, "there is a partition %s already", name);
    if (conf->partitions_n == CONF_PARTITIONS_MAX)
        return err_set(err, E_TOO_BIG, "more than %d partitions", CONF_PARTITIONS_MAX);
    part = ARRAY_PUSH(conf->partitions, conf->partitions_n);
    *part = (struct conf_partition){ .name = NULL };
    conf_values_preset(conf_partition_keys(), part);
    xstrset(&part->name, name);
    return change(conf, part, pairs, pairs_n, err);
}

int conf_partition_update(struct slurm_conf *conf, const char *name, char *const *pairs,
                          uint32_t pairs_n, struct err *err)
{
    struct conf_partition *part = find(conf, name);

    if (!part)
        return err_set(err, E_PARTITION_NAME, "%s", err_string(E_PARTITION_NAME));
    return change(conf, part, pairs, pairs_n, err);
}

int conf_partition_delete(struct slurm_conf *conf, const char *name, struct err *err)
{
    struct conf_partition *part = find(conf, name);
    size_t behind;

    if (!part)
        return err_set(err, E_PARTITION_NAME, "%s", err_string(E_PARTITION_NAME));
    behind = (size_t)(&conf->partitions[conf->partitions_n] - part) - 1;
    clear_partition(part);
    memmove(part, part + 1, behind * sizeof(*part));
    conf->partitions_n--;
    return 0;
}
