#include "cli/sacctmgr/sequel.h"

#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/assoc.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/columns.h"
#include "cli/sacctmgr/facts.h"
#include "cli/sacctmgr/forest.h"

struct sequel sequel_new(const struct book *book)
{
    struct sequel sequel = { .now = book, .then = *book };
    const size_t size = book->assocs.schema->size * book->assocs.n;

    sequel.then.assocs.at = xcalloc(1, size + 1);
    if (size)
        memcpy(sequel.then.assocs.at, book->assocs.at, size);
    sequel.changed = xcalloc((size_t)book->assocs.n + 1, sizeof(*sequel.changed));
    return sequel;
}

static struct assoc_record *then_at(const struct sequel *sequel, uint32_t i)
{
    return (struct assoc_record *)(uintptr_t)record_at(&sequel->then.assocs, i);
}

void sequel_clear(struct sequel *sequel)
{
    for (uint32_t i = 0; i < sequel->then.assocs.n; i++) {
        if (sequel->changed[i])
            assoc_record_clear(then_at(sequel, i));
    }
    free(sequel->then.assocs.at);
    free(sequel->changed);
}

static uint32_t place_of(const struct sequel *sequel, const struct assoc_record *was)
{
    return (uint32_t)(was - (const struct assoc_record *)sequel->now->assocs.at);
}

void sequel_set(struct sequel *sequel, const struct assoc_record *was,
                const struct assoc_record *record)
{
    const uint32_t i = place_of(sequel, was);

    if (sequel->changed[i])
        assoc_record_clear(then_at(sequel, i));
    schema_copy(assoc_record_schema(), then_at(sequel, i), record);
    sequel->changed[i] = true;
}

/* ---- heirs ---- */

/* Values that users have from their accounts where they have none of their own. */
static const char *const inherited[] = {
    "priority",          "qos",
    "default_qos",       "max_tres_per_job",
    "max_tres_per_node", "max_tres_mins_per_job",
    "max_wall_per_job",  "min_prio_threshold",
    "max_jobs",          "max_jobs_accrue",
    "max_submit_jobs",
};

static uint32_t count_of(const struct schema_field *field, const void *record)
{
    return *(const uint32_t *)(const void *)((const char *)record + field->count_offset);
}

static const struct acct_amount *amounts_of(const struct schema_field *field, const void *record)
{
    return *(struct acct_amount *const *)(const void *)((const char *)record + field->offset);
}

/* Returns the amount of a TRES in a list, or NULL. */
static const uint64_t *find_amount(const struct schema_field *field, const void *record,
                                   const char *tres)
{
    const struct acct_amount *amounts = amounts_of(field, record);

    for (uint32_t i = 0; i < count_of(field, record); i++) {
        if (strcmp(amounts[i].tres, tres) == 0)
            return &amounts[i].amount;
    }
    return NULL;
}

/* Returns whether one of two lists has an amount that the other has not, of a TRES that is not in
 * the third: what an account changes reaches who has none of it. */
static bool amounts_reach(const struct schema_field *field, const void *list, const void *other,
                          const void *own)
{
    const struct acct_amount *amounts = amounts_of(field, list);

    for (uint32_t i = 0; i < count_of(field, list); i++) {
        const uint64_t *amount = find_amount(field, other, amounts[i].tres);

        if ((!amount || *amount != amounts[i].amount) && !find_amount(field, own, amounts[i].tres))
            return true;
    }
    return false;
}

static bool has_own(const struct schema_field *field, const struct assoc_record *assoc)
{
    const char *base = (const char *)assoc;

    if (field->kind == KIND_STRS)
        return assoc->qos_n && !qos_has_sign(assoc->qos[0]);
    if (field->kind == KIND_STR)
        return *(char *const *)(const void *)(base + field->offset) != NULL;
    return *(const uint32_t *)(const void *)(base + field->offset) != COUNT_UNSET;
}

/* Returns whether a change of the field in the account reaches below `assoc`, which is in it. */
static bool reaches(const struct schema_field *field, const struct assoc_record *was,
                    const struct assoc_record *then, const struct assoc_record *assoc)
{
    if (field->kind == KIND_LIST)
        return amounts_reach(field, was, then, assoc) || amounts_reach(field, then, was, assoc);
    return !schema_equal_field(field, was, then) && !has_own(field, assoc);
}

/* Returns whether a value that changes in the account reaches the user. */
static bool is_heir(const struct sequel *sequel, const struct assoc_record *account,
                    const struct assoc_record *user)
{
    const struct assoc_record *then = then_at(sequel, place_of(sequel, account));

    for (size_t i = 0; i < ARRAY_N(inherited); i++) {
        const struct schema_field *field = schema_find(assoc_record_schema(), inherited[i]);
        const struct assoc_record *at = user;

        while (at && at != account && reaches(field, account, then, at))
            at = fact_above(sequel->now, at);
        if (at == account && reaches(field, account, then, user))
            return true;
    }
    return false;
}

static void add_user(struct strbuf *out, const struct assoc_record *user)
{
    strbuf_addf(out, "  C = %-10.10s A = %-20.20s U = %-9.9s%s%s\n", user->cluster, user->account,
                user->user, user->partition ? " P = " : "", user->partition ? user->partition : "");
}

void sequel_alter_user(struct sequel *sequel, const struct assoc_record *was,
                       const struct assoc_values *values, bool names_cluster, struct edits *edits,
                       struct strbuf *out)
{
    AUTO(assoc_record) struct assoc_record assoc;

    assoc_record_init(&assoc);
    schema_copy(assoc_record_schema(), &assoc, was);
    assoc_values_apply(sequel->now, values, names_cluster, &assoc);
    edits_alter(edits, KEPT_ASSOC, was, &assoc);
    sequel_set(sequel, was, &assoc);
    add_user(out, &assoc);
}

void sequel_add_heirs(const struct sequel *sequel, const struct assoc_record *account,
                      struct strbuf *out)
{
    uint32_t n;
    AUTO_FREE const struct assoc_record **tree =
        forest_of_cluster(sequel->now, account->cluster, &n);

    for (uint32_t i = 0; i < n; i++) {
        if (tree[i]->user && is_heir(sequel, account, tree[i]))
            add_user(out, tree[i]);
    }
}

/* ---- default QOS ---- */

static bool is_touched(const struct sequel *sequel, const struct assoc_record *assoc)
{
    /* A line may make a loop of accounts, which the controller refuses. */
    for (uint32_t depth = 0; assoc && depth <= sequel->then.assocs.n; depth++) {
        if (sequel->changed[assoc - (const struct assoc_record *)sequel->then.assocs.at])
            return true;
        assoc = fact_above(&sequel->then, assoc);
    }
    return false;
}

/* Returns the default QOS of an association, its own or that of an account above it, or NULL. */
static const char *default_of(const struct book *book, const struct assoc_record *assoc)
{
    while (assoc && !assoc->default_qos)
        assoc = fact_above(book, assoc);
    return assoc ? assoc->default_qos : NULL;
}

static bool grants_default(const struct sequel *sequel, const struct assoc_record *assoc)
{
    const char *name = default_of(&sequel->then, assoc);
    AUTO(words) struct words names = { 0 };

    if (!name)
        return true;
    names = fact_qos(&sequel->then, assoc);
    return words_have_exactly(&names, name);
}

/* Returns whether the line changes which QOS an association has. */
static bool changes_qos(const struct sequel *sequel)
{
    static const char *const members[] = { "qos", "default_qos" };

    for (uint32_t i = 0; i < sequel->then.assocs.n; i++) {
        for (size_t j = 0; j < ARRAY_N(members) && sequel->changed[i]; j++) {
            const struct schema_field *field = schema_find(assoc_record_schema(), members[j]);

            if (!schema_equal_field(field, record_at(&sequel->now->assocs, i), then_at(sequel, i)))
                return true;
        }
    }
    return false;
}

/* Returns whether each association that changes, or is below one, may use its default QOS; says
 * which may not. */
static bool grants_defaults(struct mgr *mgr, const struct sequel *sequel)
{
    const bool looks = changes_qos(sequel);
    bool grants = true;

    for (uint32_t i = 0; looks && i < sequel->then.assocs.n; i++) {
        const struct assoc_record *assoc = then_at(sequel, i);
        struct assoc_record shown = *assoc; /* borrows its texts */

        if (assoc->deleted || !is_touched(sequel, assoc) || grants_default(sequel, assoc))
            continue;
        if (grants)
            mgr_refuse(mgr, " These associations don't have access to their default qos.\n"
                            " Please give them access before they the default can be set to this.");
        grants = false;
        shown.default_qos = (char *)(uintptr_t)default_of(&sequel->then, assoc);
        choice_say_default_qos(&shown);
    }
    return grants;
}

int sequel_commit(struct mgr *mgr, const struct sequel *sequel, struct edits *edits,
                  const char *what, const struct strbuf *records, const struct strbuf *assocs)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (!records->len && !assocs->len) {
        mgr_refuse(mgr, " Nothing modified");
        return 1;
    }
    if (!grants_defaults(mgr, sequel))
        return 1;
    if (records->len)
        strbuf_addf(&text, " Modified %ss...\n%s", what, strbuf_text(records));
    if (assocs->len)
        strbuf_addf(&text, " Modified %s associations...\n%s", what, strbuf_text(assocs));
    return edits_commit(mgr, edits, strbuf_text(&text));
}
