#include "cli/sacctmgr/book.h"

#include <string.h>

static int load(const struct command *command, enum kept_number kind, schema_fn *schema,
                struct records *records, struct err *err)
{
    const struct kept_list all = { .kind = kind };

    records->schema = schema();
    return records_load_kept(command->cli.client, &all, records, err);
}

int book_load(struct book *book, const struct command *command, struct err *err)
{
    int rc = load(command, KEPT_CLUSTER, cluster_record_schema, &book->clusters, err);

    book->cluster = command->cli.conf->cluster_name;
    book->host = command->cli.conf->controllers[0].addr;
    book->port = command->cli.conf->slurmctld_ports.first;
    if (rc == 0)
        rc = load(command, KEPT_TRES, tres_record_schema, &book->tres, err);
    if (rc == 0)
        rc = load(command, KEPT_ACCOUNT, account_record_schema, &book->accounts, err);
    if (rc == 0)
        rc = load(command, KEPT_USER, user_record_schema, &book->users, err);
    if (rc == 0)
        rc = load(command, KEPT_ASSOC, assoc_record_schema, &book->assocs, err);
    if (rc == 0)
        rc = load(command, KEPT_QOS, qos_record_schema, &book->qos, err);
    if (rc == 0)
        rc = load(command, KEPT_WCKEY, wckey_record_schema, &book->wckeys, err);
    return rc;
}

void book_clear(struct book *book)
{
    struct records *const all[] = { &book->clusters, &book->tres, &book->accounts, &book->users,
                                    &book->assocs,   &book->qos,  &book->wckeys };

    for (size_t i = 0; i < ARRAY_N(all); i++) {
        if (all[i]->schema)
            records_clear(all[i]);
    }
    *book = (struct book){ 0 };
}

const struct account_record *book_any_account(const struct book *book, const char *name)
{
    for (uint32_t i = 0; i < book->accounts.n; i++) {
        const struct account_record *rec = record_at(&book->accounts, i);

        if (strcmp(rec->name, name) == 0)
            return rec;
    }
    return NULL;
}

const struct account_record *book_account(const struct book *book, const char *name)
{
    const struct account_record *rec = book_any_account(book, name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct user_record *book_any_user(const struct book *book, const char *name)
{
    for (uint32_t i = 0; i < book->users.n; i++) {
        const struct user_record *rec = record_at(&book->users, i);

        if (strcmp(rec->name, name) == 0)
            return rec;
    }
    return NULL;
}

const struct user_record *book_user(const struct book *book, const char *name)
{
    const struct user_record *rec = book_any_user(book, name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct qos_record *book_any_qos(const struct book *book, const char *name)
{
    for (uint32_t i = 0; i < book->qos.n; i++) {
        const struct qos_record *rec = record_at(&book->qos, i);

        if (strcmp(rec->name, name) == 0)
            return rec;
    }
    return NULL;
}

const struct qos_record *book_qos(const struct book *book, const char *name)
{
    const struct qos_record *rec = book_any_qos(book, name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct cluster_record *book_cluster(const struct book *book, const char *name)
{
    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *rec = record_at(&book->clusters, i);

        if (!rec->deleted && strcmp(rec->name, name) == 0)
            return rec;
    }
    return NULL;
}

const struct assoc_record *book_any_assoc(const struct book *book, const char *cluster,
                                          const char *account, const char *user,
                                          const char *partition)
{
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        const struct assoc_record *rec = record_at(&book->assocs, i);

        if (strcmp(rec->account, account) == 0 && strcmp(rec->cluster, cluster) == 0 &&
            text_is(rec->user, user) && text_is(rec->partition, partition))
            return rec;
    }
    return NULL;
}

const struct assoc_record *book_assoc(const struct book *book, const char *cluster,
                                      const char *account, const char *user, const char *partition)
{
    const struct assoc_record *rec = book_any_assoc(book, cluster, account, user, partition);

    return rec && !rec->deleted ? rec : NULL;
}

const struct assoc_record *book_default(const struct book *book, const char *cluster,
                                        const char *user)
{
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        const struct assoc_record *rec = record_at(&book->assocs, i);

        if (!rec->deleted && rec->is_default && text_is(rec->user, user) &&
            strcmp(rec->cluster, cluster) == 0)
            return rec;
    }
    return NULL;
}

/* ---- TRES ---- */

uint32_t book_tres_id(const struct book *book, const char *name)
{
    for (uint32_t i = 0; i < book->tres.n; i++) {
        const struct tres_record *rec = record_at(&book->tres, i);

        if (word_is(rec->name, name))
            return rec->id;
    }
    return 0;
}

const char *book_tres_name(const struct book *book, uint32_t id)
{
    for (uint32_t i = 0; i < book->tres.n; i++) {
        const struct tres_record *rec = record_at(&book->tres, i);

        if (rec->id == id)
            return rec->name;
    }
    return NULL;
}

/* ---- the tree ---- */

struct tree {
    const struct book *book;
    const struct assoc_record **at;
    uint32_t n;
};

/* Compares children of an account: what came by a later request comes first, what came by one
 * request in its order. */
static int compare_children(const void *a, const void *b)
{
    const struct assoc_record *left = *(const struct assoc_record *const *)a;
    const struct assoc_record *right = *(const struct assoc_record *const *)b;

    if (left->added_ms != right->added_ms)
        return left->added_ms > right->added_ms ? -1 : 1;
    return left->id < right->id ? -1 : left->id > right->id;
}

static bool is_child(const struct assoc_record *rec, const struct assoc_record *account)
{
    return !rec->deleted && strcmp(rec->cluster, account->cluster) == 0 &&
           (rec->user ? strcmp(rec->account, account->account) == 0
                      : text_is(rec->parent, account->account));
}

/* Adds the account and what is in it. The controller lets no account be below itself, so this
 * ends. */
static void add_account(struct tree *tree, const struct assoc_record *account)
{
    AUTO_FREE const struct assoc_record **children = NULL;
    uint32_t n = 0;

    *ARRAY_PUSH(tree->at, tree->n) = account;
    for (uint32_t i = 0; i < tree->book->assocs.n; i++) {
        const struct assoc_record *rec = record_at(&tree->book->assocs, i);

        if (is_child(rec, account))
            *ARRAY_PUSH(children, n) = rec;
    }
    if (n)
        qsort(children, n, sizeof(*children), compare_children);
    for (uint32_t i = 0; i < n; i++) {
        if (children[i]->user)
            *ARRAY_PUSH(tree->at, tree->n) = children[i];
        else
            add_account(tree, children[i]);
    }
}

const struct assoc_record **book_tree(const struct book *book, const char *cluster, uint32_t *ret_n)
{
    struct tree tree = { .book = book };
    const struct assoc_record *root = book_assoc(book, cluster, "root", NULL, NULL);

    if (root)
        add_account(&tree, root);
    *ret_n = tree.n;
    return tree.at;
}

bool book_is_below(const struct book *book, const char *cluster, const char *account,
                   const char *above)
{
    for (const char *at = account; at;) {
        const struct assoc_record *rec = book_assoc(book, cluster, at, NULL, NULL);

        if (strcmp(at, above) == 0)
            return true;
        at = rec ? rec->parent : NULL;
    }
    return false;
}
