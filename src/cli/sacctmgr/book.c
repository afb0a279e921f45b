#include "cli/sacctmgr/book.h"

#include <string.h>

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_entries(const void *a, const void *b)
{
    const struct assoc_record *left = ((const struct book_entry *)a)->assoc;
    const struct assoc_record *right = ((const struct book_entry *)b)->assoc;
    int order = strcmp(left->account, right->account);

    if (order == 0)
        order = compare_texts(left->user, right->user);
    if (order == 0)
        order = strcmp(left->cluster, right->cluster);
    return order ? order : compare_texts(left->partition, right->partition);
}

static int compare_users(const void *a, const void *b)
{
    const struct book_entry *left = a, *right = b;
    const int order = compare_texts(left->assoc->user, right->assoc->user);

    return order ? order : (left->at > right->at) - (left->at < right->at);
}

static struct book_entry *sorted(const struct records *assocs,
                                 int (*compare)(const void *, const void *))
{
    struct book_entry *entries = xcalloc((size_t)assocs->n + 1, sizeof(*entries));

    for (uint32_t i = 0; i < assocs->n; i++)
        entries[i] = (struct book_entry){ record_at(assocs, i), i };
    qsort(entries, assocs->n, sizeof(*entries), compare);
    return entries;
}

/* ---- associations of one user, or of one account ---- */

static const char *user_of(const struct book_entry *entry)
{
    return entry->assoc->user ? entry->assoc->user : "";
}

static const char *account_of(const struct book_entry *entry)
{
    return entry->assoc->account;
}

/* Returns the first of the sorted entries whose text is not below, or with `beyond` is above. */
static uint32_t bound(const struct book_entry *entries, uint32_t n, const char *text, bool beyond,
                      const char *(*text_of)(const struct book_entry *))
{
    uint32_t low = 0, high = n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(text_of(&entries[middle]), text);

        if (order < 0 || (order == 0 && beyond))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct book_entry *range(const struct book_entry *entries, uint32_t n,
                                      const char *text,
                                      const char *(*text_of)(const struct book_entry *),
                                      uint32_t *ret_n)
{
    const uint32_t first = bound(entries, n, text, false, text_of);

    *ret_n = bound(entries, n, text, true, text_of) - first;
    return n ? entries + first : NULL;
}

const struct book_entry *book_of_user(const struct book *book, const char *user, uint32_t *ret_n)
{
    return range(book->by_user, book->assocs.n, user, user_of, ret_n);
}

const struct book_entry *book_of_account(const struct book *book, const char *account,
                                         uint32_t *ret_n)
{
    return range(book->by_name, book->assocs.n, account, account_of, ret_n);
}

static int compare_clusters(const void *a, const void *b)
{
    return strcmp(((const struct cluster_record *)a)->name,
                  ((const struct cluster_record *)b)->name);
}

/* Loads the accounts. Who may not ask for them sees users and associations still. */
static int load_accounts(struct book *book, struct client *client, struct err *err)
{
    const int rc = records_load_all(client, KEPT_ACCOUNT, &book->accounts, err);

    book->hides_accounts = rc == -E_ACCESS;
    if (!book->hides_accounts)
        return rc;
    book->accounts.schema = account_record_schema();
    return 0;
}

int book_load(struct book *book, const struct command *command, struct err *err)
{
    struct client *client = command->cli.client;
    int rc = records_load_all(client, KEPT_CLUSTER, &book->clusters, err);

    book->cluster = command->cli.conf->cluster_name;
    book->host = command->cli.conf->controllers[0].addr;
    book->port = command->cli.conf->slurmctld_ports.first;
    if (rc == 0)
        rc = records_load_all(client, KEPT_TRES, &book->tres, err);
    if (rc == 0)
        rc = load_accounts(book, client, err);
    if (rc == 0)
        rc = records_load_all(client, KEPT_USER, &book->users, err);
    if (rc == 0)
        rc = records_load_all(client, KEPT_ASSOC, &book->assocs, err);
    if (rc == 0)
        rc = records_load_all(client, KEPT_QOS, &book->qos, err);
    if (rc == 0)
        rc = records_load_all(client, KEPT_WCKEY, &book->wckeys, err);
    if (rc < 0)
        return rc;
    book->by_name = sorted(&book->assocs, compare_entries);
    book->by_user = sorted(&book->assocs, compare_users);
    if (book->clusters.n) /* what is done on all clusters is done in the order of their names */
        qsort(book->clusters.at, book->clusters.n, sizeof(struct cluster_record), compare_clusters);
    return 0;
}

void book_clear(struct book *book)
{
    struct records *const all[] = { &book->clusters, &book->tres, &book->accounts, &book->users,
                                    &book->assocs,   &book->qos,  &book->wckeys };

    for (size_t i = 0; i < ARRAY_N(all); i++) {
        if (all[i]->schema)
            records_clear(all[i]);
    }
    free(book->by_name);
    free(book->by_user);
    *book = (struct book){ 0 };
}

/* Returns the record whose member `name` is that, or NULL. */
static const void *find_named(const struct records *records, const char *name)
{
    const size_t offset = schema_find(records->schema, "name")->offset;

    for (uint32_t i = 0; i < records->n; i++) {
        const char *record = record_at(records, i);

        if (strcmp(*(char *const *)(const void *)(record + offset), name) == 0)
            return record;
    }
    return NULL;
}

const struct account_record *book_any_account(const struct book *book, const char *name)
{
    return find_named(&book->accounts, name);
}

const struct account_record *book_account(const struct book *book, const char *name)
{
    const struct account_record *rec = book_any_account(book, name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct user_record *book_any_user(const struct book *book, const char *name)
{
    return find_named(&book->users, name);
}

const struct user_record *book_user(const struct book *book, const char *name)
{
    const struct user_record *rec = book_any_user(book, name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct qos_record *book_any_qos(const struct book *book, const char *name)
{
    return find_named(&book->qos, name);
}

const struct qos_record *book_qos(const struct book *book, const char *name)
{
    const struct qos_record *rec = book_any_qos(book, name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct cluster_record *book_any_cluster(const struct book *book, const char *name)
{
    return find_named(&book->clusters, name);
}

const struct cluster_record *book_cluster(const struct book *book, const char *name)
{
    const struct cluster_record *rec = book_any_cluster(book, name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct assoc_record *book_any_assoc(const struct book *book, const char *cluster,
                                          const char *account, const char *user,
                                          const char *partition)
{
    const struct assoc_record wanted = {
        .cluster = (char *)(uintptr_t)cluster,
        .account = (char *)(uintptr_t)account,
        .user = (char *)(uintptr_t)user,
        .partition = (char *)(uintptr_t)partition,
    };
    const struct book_entry key = { .assoc = &wanted };
    const struct book_entry *found =
        book->assocs.n ? bsearch(&key, book->by_name, book->assocs.n, sizeof(key), compare_entries)
                       : NULL;

    return found ? record_at(&book->assocs, found->at) : NULL;
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
    uint32_t n;
    const struct book_entry *his = book_of_user(book, user, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct assoc_record *rec = his[i].assoc;

        if (!rec->deleted && rec->is_default && strcmp(rec->cluster, cluster) == 0)
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
