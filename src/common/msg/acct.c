#include "common/msg/acct.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

SCHEMA_DEFINE(acct_amount, ACCT_AMOUNT)
SCHEMA_DEFINE(cluster_record, CLUSTER_RECORD)
SCHEMA_DEFINE(tres_record, TRES_RECORD)
SCHEMA_DEFINE(account_record, ACCOUNT_RECORD)
SCHEMA_DEFINE(user_record, USER_RECORD)
SCHEMA_DEFINE(assoc_record, ASSOC_RECORD)
SCHEMA_DEFINE(qos_record, QOS_RECORD)
SCHEMA_DEFINE(wckey_record, WCKEY_RECORD)
SCHEMA_DEFINE(federation_record, FEDERATION_RECORD)
SCHEMA_DEFINE(resource_share, RESOURCE_SHARE)
SCHEMA_DEFINE(resource_record, RESOURCE_RECORD)
SCHEMA_DEFINE(usage_record, USAGE_RECORD)

static const char *text_of(const char *text)
{
    return text ? text : "";
}

char *acct_assoc_key(const char *cluster, const char *account, const char *user,
                     const char *partition)
{
    return xasprintf("%s,%s,%s,%s", cluster, account, text_of(user), text_of(partition));
}

char *acct_wckey_key(const char *cluster, const char *user, const char *name)
{
    return xasprintf("%s,%s,%s", cluster, user, text_of(name));
}

char *acct_usage_key(const char *assoc_key, const char *qos)
{
    return assoc_key ? xasprintf("assoc %s", assoc_key) : xasprintf("qos %s", qos);
}

void acct_add_lineage(const char *const *accounts, uint32_t n, const char *user,
                      const char *partition, struct strbuf *out)
{
    strbuf_addc(out, '/');
    while (n > 0)
        strbuf_addf(out, "%s/", accounts[--n]);
    if (user)
        strbuf_addf(out, "0-%s/", user);
    if (user && partition)
        strbuf_addf(out, "%s/", partition);
}

int acct_name_check(const char *what, const char *name, struct err *err)
{
    const size_t n = strlen(name);

    if (n == 0)
        return err_set(err, EINVAL, "%s without a name", what);
    if (n > ACCT_NAME_MAX)
        return err_set(err, EINVAL, "%s '%.40s...': its name has %zu bytes, more than %d", what,
                       name, n, ACCT_NAME_MAX);
    if (*name == ' ' || name[n - 1] == ' ')
        return err_set(err, EINVAL, "%s '%.40s': a name neither begins nor ends with a blank", what,
                       name);
    if (*name == '+' || *name == '-')
        return err_set(err, EINVAL, "%s '%s': a name does not begin with '%c'", what, name, *name);
    for (size_t i = 0; i < n; i++) {
        if (!isprint((unsigned char)name[i]) || strchr(",='\"/", name[i]))
            return err_set(err, EINVAL, "%s: byte %zu of its name (0x%02x) is not taken in names",
                           what, i + 1, (unsigned char)name[i]);
    }
    return 0;
}

/* ---- words ---- */

static const char *const levels[ADMIN_LEVELS_N] = { "None", "Operator", "Administrator" };

const char *admin_level_name(uint32_t level)
{
    return level < ADMIN_LEVELS_N ? levels[level] : "Unknown";
}

int admin_level_find(const char *word)
{
    const size_t n = strlen(word);

    for (int i = 0; i < ADMIN_LEVELS_N && n > 0; i++) {
        if (strncasecmp(word, levels[i], n) == 0)
            return i;
    }
    return -1;
}

static const struct qos_word {
    uint32_t flag;
    const char *name;
} qos_words[] = {
    { QOS_DENY_ON_LIMIT, "DenyOnLimit" },
    { QOS_ENFORCE_USAGE_THRESHOLD, "EnforceUsageThreshold" },
    { QOS_NO_RESERVE, "NoReserve" },
    { QOS_PARTITION_MAX_NODES, "PartitionMaxNodes" },
    { QOS_PARTITION_MIN_NODES, "PartitionMinNodes" },
    { QOS_OVER_PARTITION_QOS, "OverPartQOS" },
    { QOS_PARTITION_TIME_LIMIT, "PartitionTimeLimit" },
    { QOS_REQUIRES_RESERVATION, "RequiresReservation" },
    { QOS_NO_DECAY, "NoDecay" },
    { QOS_USAGE_FACTOR_SAFE, "UsageFactorSafe" },
    { QOS_RELATIVE, "Relative" },
};

bool qos_has_sign(const char *name)
{
    return *name == '+' || *name == '-';
}

uint32_t qos_flag_find(const char *word)
{
    for (size_t i = 0; i < ARRAY_N(qos_words); i++) {
        if (strcasecmp(qos_words[i].name, word) == 0)
            return qos_words[i].flag;
    }
    return 0;
}

void qos_flags_format(uint32_t flags, struct strbuf *out)
{
    bool more = false;

    for (size_t i = 0; i < ARRAY_N(qos_words); i++) {
        if (!(flags & qos_words[i].flag))
            continue;
        strbuf_addf(out, "%s%s", more ? "," : "", qos_words[i].name);
        more = true;
    }
}

static const char *const preempt_modes[] = {
    [QOS_PREEMPT_CLUSTER] = "cluster", [QOS_PREEMPT_OFF] = "off",
    [QOS_PREEMPT_CANCEL] = "cancel",   [QOS_PREEMPT_REQUEUE] = "requeue",
    [QOS_PREEMPT_SUSPEND] = "suspend", [QOS_PREEMPT_GANG] = "gang",
    [QOS_PREEMPT_WITHIN] = "within",   [QOS_PREEMPT_GANG_SUSPEND] = "gang,suspend",
};

const char *qos_preempt_mode_name(uint32_t mode)
{
    return mode < ARRAY_N(preempt_modes) ? preempt_modes[mode] : "unknown";
}

int qos_preempt_mode_find(const char *text)
{
    if (!*text || strcasecmp(text, "off") == 0)
        return QOS_PREEMPT_CLUSTER;
    if (strcasecmp(text, "suspend,gang") == 0)
        return QOS_PREEMPT_GANG_SUSPEND;
    for (int i = 0; i < (int)ARRAY_N(preempt_modes); i++) {
        if (strcasecmp(text, preempt_modes[i]) == 0)
            return i;
    }
    return -1;
}
