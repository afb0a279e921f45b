#include "common/msg/acct_meet.h"

#include <string.h>

/* ---- what is there from the beginning ---- */

static char *word(const char *text)
{
    return (char *)(uintptr_t)text;
}

void acct_fill_qos_normal(struct qos_record *ret)
{
    qos_record_init(ret);
    ret->name = word("normal");
    ret->description = word("Normal QOS default");
}

void acct_fill_account_root(struct account_record *ret)
{
    account_record_init(ret);
    ret->name = ret->organization = word("root");
    ret->description = word("default root account");
}

void acct_fill_user_root(struct user_record *ret)
{
    user_record_init(ret);
    ret->name = word("root");
    ret->admin_level = ADMIN_ADMINISTRATOR;
}

void acct_fill_assoc_root(const char *cluster, const char *user, struct assoc_record *ret)
{
    static char *const normal[] = { (char *)(uintptr_t) "normal" };

    assoc_record_init(ret);
    ret->cluster = word(cluster);
    ret->account = word("root");
    ret->user = word(user);
    ret->is_default = user;
    if (!user) {
        ret->qos = (char **)(uintptr_t)normal;
        ret->qos_n = 1;
    }
}

/* ---- what differs ---- */

/* Members that say when and where a record came to be, or what follows from others, and not what it
 * means. */
static bool is_beside(const struct schema_field *field)
{
    static const char *const names[] = {
        "created",  "modified", "deleted",       "id",   "key",  "added_ms",     "usage_resets",
        "reset_on", "event",    "federation_id", "host", "port", "last_consumed"
    };

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (strcmp(field->name, names[i]) == 0)
            return true;
    }
    return false;
}

/* Returns whether they differ, and adds to `how`, where that is not NULL, in what. */
static bool differ(uint32_t kind, const void *own, const void *there, struct strbuf *how)
{
    const struct schema *schema = kept_kind_find(kind)->schema();
    bool is_different = false;

    for (uint32_t i = 0; i < schema->fields_n; i++) {
        const struct schema_field *field = &schema->fields[i];

        if (is_beside(field) || schema_equal_field(field, own, there))
            continue;
        if (how) {
            strbuf_adds(how, is_different ? "; " : "");
            schema_print_member(field, own, how);
            strbuf_adds(how, ", in slurmdbd ");
            schema_print_member(field, there, how);
        }
        is_different = true;
    }
    return is_different;
}

/* Returns whether nobody has said anything by a record that there is without anybody's doing. */
static bool says_nothing(uint32_t kind, const void *record)
{
    union {
        struct qos_record qos;
        struct account_record account;
        struct user_record user;
        struct assoc_record assoc;
        struct cluster_record cluster;
    } begun;
    const struct assoc_record *assoc = record;

    switch (kind) {
    case KEPT_QOS:
        acct_fill_qos_normal(&begun.qos);
        break;
    case KEPT_ACCOUNT:
        acct_fill_account_root(&begun.account);
        break;
    case KEPT_USER:
        acct_fill_user_root(&begun.user);
        break;
    case KEPT_ASSOC:
        acct_fill_assoc_root(assoc->cluster, assoc->user ? "root" : NULL, &begun.assoc);
        break;
    case KEPT_CLUSTER:
        cluster_record_init(&begun.cluster);
        begun.cluster.name = ((const struct cluster_record *)record)->name;
        break;
    default:
        return false;
    }
    return !differ(kind, record, &begun, NULL);
}

/* ---- what becomes of it ---- */

static bool is_deleted(uint32_t kind, const void *record)
{
    const struct schema_field *deleted = schema_find(kept_kind_find(kind)->schema(), "deleted");

    return deleted && *(const int64_t *)(const void *)((const char *)record + deleted->offset);
}

/* A record of the cluster alone that it has deleted is not to come back by this; one of all
 * clusters may be another's. */
static enum acct_met meet_deleted(uint32_t kind, struct strbuf *how)
{
    if (kind != KEPT_ASSOC && kind != KEPT_WCKEY)
        return ACCT_YIELDS;
    if (how)
        strbuf_adds(how, "deleted, in slurmdbd it is there");
    return ACCT_CONFLICT;
}

enum acct_met acct_meet(uint32_t kind, const void *own, const void *there, struct strbuf *how)
{
    const bool is_gone = is_deleted(kind, own);

    if (!there)
        return ACCT_COMES;
    if (kind == KEPT_TRES)
        return ACCT_ALIKE;
    if (is_deleted(kind, there))
        return is_gone ? ACCT_ALIKE : ACCT_COMES;
    if (is_gone)
        return meet_deleted(kind, how);
    if (!differ(kind, own, there, NULL))
        return ACCT_ALIKE;
    if (says_nothing(kind, own))
        return ACCT_YIELDS;
    if (says_nothing(kind, there))
        return ACCT_COMES;
    differ(kind, own, there, how);
    return ACCT_CONFLICT;
}

/* ---- answers ---- */

static const char *const keep_names[ACCT_KEEPS_N] = { "neither", "slurmdbd", "cluster" };

const char *acct_keep_name(uint32_t keep)
{
    return keep < ACCT_KEEPS_N ? keep_names[keep] : "?";
}

int acct_keep_find(const char *text)
{
    for (int i = 0; i < ACCT_KEEPS_N; i++) {
        if (strcmp(keep_names[i], text) == 0)
            return i;
    }
    return -1;
}
