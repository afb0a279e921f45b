#include "cli/sacctmgr/facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sacctmgr/limits.h"
#include "common/rpc/preface.h"

/* ---- accounts ---- */

const char *fact_account_flags(uint32_t flags)
{
    return flags & ACCOUNT_USERS_ARE_COORDS ? USERS_ARE_COORDS : NULL;
}

/* ---- names ---- */

/* Adds who is in the account. */
static void add_users(const struct book *book, const char *account, struct words *names)
{
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->deleted && assoc->user && strcmp(assoc->account, account) == 0 &&
            strcmp(assoc->cluster, book->cluster) == 0 && !words_have_exactly(names, assoc->user))
            words_add(names, assoc->user, ",");
    }
}

void fact_coordinators(const struct book *book, const char *account, struct words *names)
{
    while (account) {
        const struct account_record *rec = book_account(book, account);
        const struct assoc_record *assoc = book_assoc(book, book->cluster, account, NULL, NULL);

        for (uint32_t i = 0; rec && i < rec->coordinators_n; i++) {
            if (!words_have_exactly(names, rec->coordinators[i]))
                words_add(names, rec->coordinators[i], ",");
        }
        if (rec && rec->flags & ACCOUNT_USERS_ARE_COORDS)
            add_users(book, account, names);
        account = assoc ? assoc->parent : NULL;
    }
}

void fact_coordinated(const struct book *book, const char *user, struct words *names)
{
    for (uint32_t i = 0; i < book->accounts.n; i++) {
        const struct account_record *rec = record_at(&book->accounts, i);
        AUTO(words) struct words users = { 0 };

        if (rec->deleted)
            continue;
        fact_coordinators(book, rec->name, &users);
        if (words_have_exactly(&users, user))
            words_add(names, rec->name, ",");
    }
}

const char *fact_default_wckey(const struct book *book, const char *user)
{
    for (uint32_t i = 0; i < book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&book->wckeys, i);

        if (!wckey->deleted && wckey->is_default && wckey->name && strcmp(wckey->user, user) == 0 &&
            strcmp(wckey->cluster, book->cluster) == 0)
            return wckey->name;
    }
    return NULL;
}

/* ---- what an association has from above ---- */

const struct assoc_record *fact_above(const struct book *book, const struct assoc_record *assoc)
{
    const char *account = assoc->user ? assoc->account : assoc->parent;

    return account ? book_assoc(book, assoc->cluster, account, NULL, NULL) : NULL;
}

static void change(struct words *names, const char *difference)
{
    const char *name = difference + 1;

    if (*difference == '+' && !words_have_exactly(names, name))
        words_add(names, name, ",");
    for (uint32_t i = 0; *difference == '-' && i < names->n; i++) {
        if (strcmp(names->at[i], name) != 0)
            continue;
        free(names->at[i]);
        names->n--;
        memmove(&names->at[i], &names->at[i + 1], (names->n - i) * sizeof(*names->at));
    }
}

struct words fact_qos(const struct book *book, const struct assoc_record *assoc)
{
    const struct assoc_record *parent = fact_above(book, assoc);
    const bool differs = assoc->qos_n && qos_has_sign(assoc->qos[0]);
    struct words names = { 0 };

    if (parent && (differs || assoc->qos_n == 0))
        names = fact_qos(book, parent);
    for (uint32_t i = 0; i < assoc->qos_n; i++) {
        if (differs)
            change(&names, assoc->qos[i]);
        else
            words_add(&names, assoc->qos[i], ",");
    }
    return names;
}

const char *fact_default_qos(const struct book *book, const struct assoc_record *assoc)
{
    while (assoc && !assoc->default_qos)
        assoc = fact_above(book, assoc);
    return assoc ? assoc->default_qos : NULL;
}

void fact_lineage(const struct book *book, const struct assoc_record *assoc, struct strbuf *out)
{
    const struct assoc_record *account = assoc->user ? fact_above(book, assoc) : assoc;
    AUTO_FREE const char **names = NULL;
    uint32_t n = 0;

    for (; account && account->parent; account = fact_above(book, account))
        *ARRAY_PUSH(names, n) = account->account;
    acct_add_lineage(names, n, assoc->user, assoc->partition, out);
}

/* ---- clusters ---- */

static bool is_ours(const struct book *book, const struct cluster_record *cluster)
{
    return strcmp(cluster->name, book->cluster) == 0;
}

const char *fact_cluster_host(const struct book *book, const struct cluster_record *cluster)
{
    return cluster->host ? cluster->host : is_ours(book, cluster) ? book->host : NULL;
}

uint32_t fact_cluster_port(const struct book *book, const struct cluster_record *cluster)
{
    return cluster->host ? cluster->port : is_ours(book, cluster) ? book->port : 0;
}

uint32_t fact_cluster_rpc(const struct book *book, const struct cluster_record *cluster)
{
    return fact_cluster_host(book, cluster) ? RPC_PREFACE_VERSION : 0;
}

static int compare_amounts(const void *a, const void *b)
{
    const struct acct_amount *left = a, *right = b;

    return tres_names_compare(left->tres, right->tres);
}

void fact_add_amounts(const struct acct_amount *amounts, uint32_t n, struct strbuf *out)
{
    AUTO_FREE struct acct_amount *sorted = xmemdup(amounts, n * sizeof(*sorted));

    if (n)
        qsort(sorted, n, sizeof(*sorted), compare_amounts);
    for (uint32_t i = 0; i < n; i++)
        strbuf_addf(out, "%s%s=%" PRIu64 "%s", i ? "," : "", sorted[i].tres, sorted[i].amount,
                    strcmp(sorted[i].tres, "mem") == 0 ? "M" : "");
}

uint32_t fact_federation_state(const struct cluster_record *cluster)
{
    static const struct {
        const char *name;
        uint32_t number;
    } states[] = { { "ACTIVE", 1 }, { "INACTIVE", 2 }, { "DRAIN", 17 }, { "DRAIN+REMOVE", 49 } };

    if (!cluster->federation)
        return 0;
    for (size_t i = 0; i < ARRAY_N(states) && cluster->federation_state; i++) {
        if (strcmp(states[i].name, cluster->federation_state) == 0)
            return states[i].number;
    }
    return states[0].number;
}

/* ---- limits ---- */

static bool is_set(const struct fact_member *member)
{
    if (member->field->kind == KIND_LIST)
        return *(const uint32_t *)(const void *)(member->record + member->field->count_offset) > 0;
    return *(const uint32_t *)(const void *)(member->record + member->field->offset) != COUNT_UNSET;
}

bool fact_limit(const struct book *book, const struct mgr_row *row, const char *of_assoc,
                const char *of_qos, struct fact_member *ret)
{
    const struct assoc_record *assoc = row->assoc;

    if (row->qos && of_qos) {
        *ret = (struct fact_member){ schema_find(qos_record_schema(), of_qos),
                                     (const char *)row->qos };
        return is_set(ret);
    }
    for (; assoc && of_assoc; assoc = fact_above(book, assoc)) {
        *ret = (struct fact_member){ schema_find(assoc_record_schema(), of_assoc),
                                     (const char *)assoc };
        if (is_set(ret))
            return true;
        if (row->has_own_limits || strncmp(of_assoc, "grp_", 4) == 0)
            return false;
    }
    return false;
}

/* Adds the amounts of TRES that are not there yet. */
static void gather(struct fact_amounts *gathered, const struct fact_member *member)
{
    const char *base = member->record;
    const struct acct_amount *amounts =
        *(struct acct_amount *const *)(const void *)(base + member->field->offset);
    const uint32_t n = *(const uint32_t *)(const void *)(base + member->field->count_offset);

    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = gathered->n;

        while (at > 0 && tres_names_compare(gathered->at[at - 1].tres, amounts[i].tres) > 0)
            at--;
        if (at > 0 && strcmp(gathered->at[at - 1].tres, amounts[i].tres) == 0)
            continue;
        ARRAY_PUSH(gathered->at, gathered->n);
        memmove(&gathered->at[at + 1], &gathered->at[at],
                (gathered->n - 1 - at) * sizeof(*gathered->at));
        gathered->at[at] = amounts[i];
    }
}

struct fact_amounts fact_limit_amounts(const struct book *book, const struct mgr_row *row,
                                       const char *of_assoc, const char *of_qos)
{
    struct mgr_row at = *row;
    struct fact_amounts gathered = { 0 };
    struct fact_member member;

    while (fact_limit(book, &at, of_assoc, of_qos, &member)) {
        gather(&gathered, &member);
        if (at.qos || at.has_own_limits || strncmp(of_assoc, "grp_", 4) == 0)
            break;
        at.assoc = fact_above(book, (const struct assoc_record *)(const void *)member.record);
    }
    return gathered;
}
