#include "cli/sacctmgr/query.h"

#include <errno.h>
#include <stdio.h>

#include "cli/sacctmgr/choice.h"

/* ---- which entity knows which ---- */

#define OF(entity) (1u << SHOW_##entity)
#define OF_ASSOCS  (OF(ACCOUNT) | OF(ASSOC) | OF(USER))

/* A key or word, and the entities that know it, as bits. */
struct known {
    struct acct_key key;
    uint32_t entities;
};

/* clang-format off */
static const struct known keys[] = {
    { { "Accounts", 2, QUERY_ACCOUNT }, OF_ASSOCS },
    { { "Acct", 4, QUERY_ACCOUNT }, OF_ASSOCS },
    { { "AdminLevel", 2, QUERY_ADMIN }, OF(USER) },
    { { "Associations", 2, QUERY_ID }, OF_ASSOCS },
    { { "Classification", 3, QUERY_CLASSIFICATION }, OF(CLUSTER) },
    { { "Clusters", 1, QUERY_CLUSTER }, OF_ASSOCS | OF(CLUSTER) | OF(WCKEY) },
    { { "DefaultAccount", 8, QUERY_DEFAULT_ACCOUNT }, OF(USER) },
    { { "DefaultQOS", 8, QUERY_DEFAULT_QOS }, OF_ASSOCS },
    { { "DefaultWCKey", 8, QUERY_DEFAULT_WCKEY }, OF(USER) },
    { { "Descriptions", 3, QUERY_DESCRIPTION }, OF(ACCOUNT) | OF(QOS) },
    { { "Federations", 3, QUERY_FEDERATION }, OF(CLUSTER) },
    { { "Flags", 2, QUERY_FLAGS }, OF(ACCOUNT) | OF(CLUSTER) },
    { { "Format", 1, QUERY_FORMAT }, ~0u },
    { { "Ids", 1, QUERY_ID }, OF_ASSOCS | OF(QOS) | OF(TRES) | OF(WCKEY) },
    { { "Names", 1, QUERY_NAME }, ~0u },
    { { "Organizations", 1, QUERY_ORGANIZATION }, OF(ACCOUNT) },
    { { "Parent", 3, QUERY_PARENT }, OF_ASSOCS },
    { { "Partitions", 4, QUERY_PARTITION }, OF_ASSOCS },
    { { "PreemptMode", 8, QUERY_PREEMPT_MODE }, OF(QOS) },
    { { "QosLevel", 1, QUERY_QOS }, OF_ASSOCS | OF(QOS) },
    { { "RPC", 1, QUERY_RPC }, OF(CLUSTER) },
    { { "Type", 2, QUERY_TYPE }, OF(TRES) },
    { { "Users", 1, QUERY_USER }, OF_ASSOCS | OF(WCKEY) },
    { { "WCKeys", 1, QUERY_WCKEY }, OF(USER) },
    { { "WCKeys", 1, QUERY_NAME }, OF(WCKEY) },
};

static const struct known words[] = {
    { { "OnlyDefaults", 2, QUERY_ONLY_DEFAULTS }, OF_ASSOCS | OF(WCKEY) },
    { { "Tree", 4, QUERY_TREE }, OF(ASSOC) },
    { { "WithAssoc", 5, QUERY_WITH_ASSOC }, OF(ACCOUNT) | OF(USER) },
    { { "WithCoordinators", 5, QUERY_WITH_COORD }, OF(ACCOUNT) | OF(USER) },
    { { "WithDeleted", 5, QUERY_WITH_DELETED }, ~0u },
    { { "WithFed", 5, QUERY_WITH_FEDERATION }, OF(CLUSTER) },
    { { "WithRawQOSLevel", 5, QUERY_WITH_RAW_QOS }, OF_ASSOCS },
    { { "WithSubAccounts", 5, QUERY_WITH_SUB_ACCOUNTS }, OF_ASSOCS },
    { { "WOPInfo", 4, QUERY_WITHOUT_PARENT_INFO }, OF_ASSOCS },
    { { "WOPLimits", 4, QUERY_WITHOUT_PARENT_LIMITS }, OF_ASSOCS },
    { { "WOLimits", 3, QUERY_WITHOUT_LIMITS }, OF(ASSOC) | OF(CLUSTER) },
};
/* clang-format on */

static int find(const struct known *table, size_t n, enum shown what, const char *word)
{
    for (size_t i = 0; i < n; i++) {
        if (table[i].entities & 1u << what && acct_key_find(&table[i].key, 1, word) >= 0)
            return table[i].key.id;
    }
    return -1;
}

/* ---- reading ---- */

static bool refuse(struct mgr *mgr, enum shown what, const struct acct_word *word)
{
    static const struct acct_key plugin = { "PluginIDSelect", 2, 0 };

    mgr_refuse(mgr, " Unknown condition: %s", word->text);
    if (what == SHOW_CLUSTER && word->key && acct_key_find(&plugin, 1, word->key) == 0)
        puts(" PluginIDSelect is a number of Slurm's plugins, which 25.05 does not show either");
    else if (what != SHOW_ASSOC && what != SHOW_WCKEY)
        puts(" Use keyword 'set' to modify value");
    return false;
}

static bool read_word(struct mgr *mgr, enum shown what, const struct acct_word *word,
                      struct query *query)
{
    const int own = what == SHOW_ASSOC ? QUERY_ID : QUERY_NAME; /* what a word alone is */
    const int flag = word->key ? -1 : find(words, ARRAY_N(words), what, word->value);
    const int key = word->key ? find(keys, ARRAY_N(keys), what, word->key) : own;

    if (flag >= 0) {
        query->has[flag] = true;
    } else if (key == QUERY_FORMAT) {
        query->has_format = true;
        words_add(&query->fields, word->value, ",");
    } else if (key >= 0) {
        acct_names_add(&query->lists[key], word->value);
        if (!*word->value && what == SHOW_ASSOC && key == QUERY_USER)
            *ARRAY_PUSH(query->lists[key].at, query->lists[key].n) = xstrdup("");
    } else {
        return refuse(mgr, what, word);
    }
    return true;
}

/* Returns whether all numbers of associations are such, and all QOS are there. */
static bool are_values(struct mgr *mgr, const struct book *book, const struct query *query)
{
    const struct words *ids = &query->lists[QUERY_ID], *qos = &query->lists[QUERY_QOS];
    struct err err = { 0 };

    for (uint32_t i = 0; i < ids->n; i++) {
        uint64_t number;

        if (number_parse(ids->at[i], 0, UINT32_MAX, &number, NULL) < 0) {
            err_set(&err, EINVAL, "Invalid value for AssocId (%s)", ids->at[i]);
            mgr_refuse_value(mgr, &err);
            return false;
        }
    }
    for (uint32_t i = 0; i < qos->n; i++) {
        if (book_qos(book, qos->at[i]))
            continue;
        choice_bad_qos(book, qos->at[i], &err);
        mgr_refuse_value(mgr, &err);
        mgr_refuse(mgr, " Unknown condition: qos=%s", qos->at[i]);
        return false;
    }
    return true;
}

bool query_read(struct mgr *mgr, const struct book *book, enum shown what,
                const struct acct_line *line, struct query *query)
{
    for (uint32_t i = 0; i < line->where.n; i++) {
        if (!read_word(mgr, what, &line->where.at[i], query))
            return false;
    }
    return what != SHOW_ASSOC || are_values(mgr, book, query);
}

void query_clear(struct query *query)
{
    for (size_t i = 0; i < QUERY_KEYS_N; i++)
        words_clear(&query->lists[i]);
    words_clear(&query->fields);
}
