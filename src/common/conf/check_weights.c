/* check_weights.c - PriorityWeightTRES and TRESBillingWeights: what is no list, and names that
 * nothing has. */
#include <string.h>

#include "common/conf/check_parts.h"
#include "common/text/gres.h"
#include "common/text/tres_weights.h"
#include "common/text/words.h"

static bool is_gres_type(const struct slurm_conf *conf, const char *name)
{
    AUTO(words) struct words types = words_split(conf->gres_types ? conf->gres_types : "", ",");
    AUTO_FREE char *type = xstrndup(name, strcspn(name, ":"));

    return words_have(&types, type);
}

/* True if there is such a license, or may be: name@server is one of the accounts. */
static bool is_license(const struct slurm_conf *conf, const char *name)
{
    if (strchr(name, '@'))
        return true;
    for (uint32_t i = 0; i < conf->license_list.n; i++) {
        if (word_is(name, conf->license_list.at[i].name))
            return true;
    }
    return false;
}

static bool is_known(const struct slurm_conf *conf, const char *name)
{
    static const char *const plain[] = { "cpu",     "mem",  "node",  "billing",
                                         "fs/disk", "vmem", "pages", "energy" };
    const char *rest;

    for (size_t i = 0; i < ARRAY_N(plain); i++) {
        if (word_is(name, plain[i]))
            return true;
    }
    if (word_starts(name, "gres/", &rest))
        return is_gres_type(conf, rest);
    return word_starts(name, "license/", &rest) && is_license(conf, rest);
}

/* Checks one list of weights. `whose` is "partition p: ", or "". */
static void check_list(const struct check *check, struct conf_at at, const char *whose,
                       const char *key, const char *text)
{
    AUTO(tres_weights) struct tres_weights weights = { 0 };
    struct err err = { 0 };

    if (tres_weights_parse(text, &weights, &err) < 0) {
        conf_notes_add(check->notes, CONF_NOTE_WRONG, at, "%s%s: %s; none of it counts", whose, key,
                       err.text);
        return;
    }
    for (uint32_t i = 0; i < weights.n; i++) {
        if (!is_known(check->conf, weights.at[i].name))
            conf_notes_add(check->notes, CONF_NOTE_VALUE, at,
                           "%s%s: there is no '%s', so its weight counts for nothing; there are "
                           "cpu, mem, node, gres/NAME of GresTypes and license/NAME of Licenses",
                           whose, key, weights.at[i].name);
    }
}

/* Checks AccountingStorageTRES. What Slurm always counts need not be named in it, but may be. */
static void check_counted(const struct check *check)
{
    const char *text = NULL;
    AUTO(words) struct words names = { 0 };

    conf_given_at(check->conf, "AccountingStorageTRES", &text);
    names = words_split(text ? text : "", ",");
    for (uint32_t i = 0; i < names.n; i++) {
        if (!is_known(check->conf, names.at[i]) && !word_starts(names.at[i], "ic/", NULL) &&
            !word_starts(names.at[i], "fs/", NULL) && !word_starts(names.at[i], "bb/", NULL))
            conf_notes_add(check->notes, CONF_NOTE_VALUE, check_at(check, "AccountingStorageTRES"),
                           "AccountingStorageTRES: there is no '%s' to count; gres/NAME is of "
                           "GresTypes, license/NAME of Licenses",
                           names.at[i]);
    }
}

void check_weights(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;

    check_counted(check);

    check_list(check, check_at(check, "PriorityWeightTRES"), "", "PriorityWeightTRES",
               conf->priority_weight_tres);
    for (uint32_t i = 0; i < conf->partitions_n; i++) {
        const struct conf_partition *part = &conf->partitions[i];
        AUTO_FREE char *whose = xasprintf("partition %s: ", part->name);

        check_list(check, part->at, whose, "TRESBillingWeights", part->billing_weights);
    }
}
