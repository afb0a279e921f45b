#include "cli/sacctmgr/forest.h"

#include <string.h>

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* An association and which one it is in the book. */
struct leaf {
    const struct assoc_record *assoc;
    uint32_t at;
    uint32_t run; /* number of the first association that was added with it, to the same account */
    uint32_t place; /* in the tree of all by age, where that is there already */
};

/* Compares what came later before what was there, as Slurm numbers its tree: each run of
 * associations that a request adds to one account goes before all that were in it. */
static int compare_by_age(const void *a, const void *b)
{
    const struct leaf *left = a, *right = b;

    if (left->place != right->place)
        return compare_numbers(left->place, right->place);
    if (left->assoc->added_ms != right->assoc->added_ms)
        return left->assoc->added_ms > right->assoc->added_ms ? -1 : 1;
    if (left->run != right->run)
        return compare_numbers(right->run, left->run);
    return compare_numbers(left->assoc->id, right->assoc->id);
}

/* Compares users before accounts, users by name. Returns 0 for two accounts. */
static int compare_users(const struct assoc_record *left, const struct assoc_record *right)
{
    if ((left->user == NULL) != (right->user == NULL))
        return left->user ? -1 : 1;
    return compare_texts(left->user, right->user);
}

static int compare_by_name(const void *a, const void *b)
{
    const struct leaf *left = a, *right = b;
    int order = compare_users(left->assoc, right->assoc);

    if (order == 0 && !left->assoc->user)
        order = strcmp(left->assoc->account, right->assoc->account);
    return order ? order : compare_by_age(a, b);
}

static int compare_roots(const void *a, const void *b)
{
    const struct leaf *left = a, *right = b;
    int order = strcmp(left->assoc->cluster, right->assoc->cluster);

    if (order == 0)
        order = compare_users(left->assoc, right->assoc);
    return order ? order : compare_by_age(a, b);
}

static int compare_roots_by_name(const void *a, const void *b)
{
    const struct leaf *left = a, *right = b;
    int order = strcmp(left->assoc->cluster, right->assoc->cluster);

    return order ? order : compare_by_name(a, b);
}

/* ---- runs ---- */

/* Returns the name of the account that the association is in. */
static const char *account_above(const struct assoc_record *assoc)
{
    return assoc->user ? assoc->account : assoc->parent;
}

static int compare_ids(const void *a, const void *b)
{
    const struct assoc_record *left = ((const struct leaf *)a)->assoc;
    const struct assoc_record *right = ((const struct leaf *)b)->assoc;
    int order = strcmp(left->cluster, right->cluster); /* each numbers its own, as in Slurm */

    return order ? order : compare_numbers(left->id, right->id);
}

static bool goes_on(const struct leaf *before, const struct leaf *leaf)
{
    return before->assoc->added_ms == leaf->assoc->added_ms &&
           strcmp(before->assoc->cluster, leaf->assoc->cluster) == 0 &&
           text_is(account_above(before->assoc), account_above(leaf->assoc));
}

/* Returns the leaves of all associations in the book's order, to be freed. */
static struct leaf *find_runs(const struct records *assocs)
{
    struct leaf *sorted = xcalloc((size_t)assocs->n + 1, sizeof(*sorted));
    struct leaf *leaves = xcalloc((size_t)assocs->n + 1, sizeof(*leaves));

    for (uint32_t i = 0; i < assocs->n; i++)
        sorted[i] = (struct leaf){ .assoc = record_at(assocs, i), .at = i };
    qsort(sorted, assocs->n, sizeof(*sorted), compare_ids);
    for (uint32_t i = 0; i < assocs->n; i++) {
        sorted[i].run =
            i > 0 && goes_on(&sorted[i - 1], &sorted[i]) ? sorted[i - 1].run : sorted[i].assoc->id;
        leaves[sorted[i].at] = sorted[i];
    }
    free(sorted);
    return leaves;
}

/* ---- placing ---- */

/* What is being placed. */
struct planting {
    const struct leaf *leaves; /* of all associations */
    uint32_t n;
    const bool *listed;
    enum forest_order order;
    struct leaf *accounts; /* that are listed, by name */
    uint32_t accounts_n;
    struct forest forest;
};

static bool is_listed(const struct planting *planting, uint32_t at)
{
    return !planting->listed || planting->listed[at];
}

static bool is_in(const struct assoc_record *assoc, const struct assoc_record *account)
{
    return strcmp(assoc->cluster, account->cluster) == 0 &&
           text_is(account_above(assoc), account->account);
}

/* Places an association and what is in it. */
static void place(struct planting *planting, uint32_t at, uint32_t depth)
{
    const struct assoc_record *assoc = planting->leaves[at].assoc;
    struct forest *forest = &planting->forest;
    const bool holds = !assoc->user && planting->order != FOREST_LOOSE;
    AUTO_FREE struct leaf *inside = NULL;
    uint32_t n = 0;

    forest->places[at] = ++forest->n;
    forest->depths[at] = depth;
    for (uint32_t i = 0; holds && i < planting->n; i++) {
        if (!forest->places[i] && is_listed(planting, i) && is_in(planting->leaves[i].assoc, assoc))
            *ARRAY_PUSH(inside, n) = planting->leaves[i];
    }
    if (n)
        qsort(inside, n, sizeof(*inside),
              planting->order == FOREST_BY_NAME ? compare_by_name : compare_by_age);
    for (uint32_t i = 0; i < n; i++)
        place(planting, inside[i].at, depth + 1);
}

/* Compares accounts of one name by cluster. */
static int compare_accounts(const void *a, const void *b)
{
    const struct assoc_record *left = ((const struct leaf *)a)->assoc;
    const struct assoc_record *right = ((const struct leaf *)b)->assoc;
    int order = strcmp(left->account, right->account);

    return order ? order : strcmp(left->cluster, right->cluster);
}

static void sort_accounts(struct planting *planting)
{
    for (uint32_t i = 0; i < planting->n; i++) {
        if (is_listed(planting, i) && !planting->leaves[i].assoc->user)
            *ARRAY_PUSH(planting->accounts, planting->accounts_n) = planting->leaves[i];
    }
    if (planting->accounts_n)
        qsort(planting->accounts, planting->accounts_n, sizeof(*planting->accounts),
              compare_accounts);
}

/* Returns whether no association that is listed is the account above this one. */
static bool is_root(const struct planting *planting, const struct assoc_record *assoc)
{
    struct assoc_record above = { .account = (char *)(uintptr_t)account_above(assoc),
                                  .cluster = assoc->cluster };
    const struct leaf key = { .assoc = &above };

    if (!above.account || planting->order == FOREST_LOOSE)
        return true;
    return planting->listed &&
           !(planting->accounts_n && bsearch(&key, planting->accounts, planting->accounts_n,
                                             sizeof(key), compare_accounts));
}

/* Notes of each association its place by age. */
static void number_leaves(const struct book *book, struct leaf *leaves)
{
    struct forest forest = forest_new(book, FOREST_BY_AGE, NULL);

    for (uint32_t i = 0; i < book->assocs.n; i++)
        leaves[i].place = forest.places[i];
    forest_clear(&forest);
}

struct forest forest_new(const struct book *book, enum forest_order order, const bool *listed)
{
    const uint32_t n = book->assocs.n;
    AUTO_FREE struct leaf *leaves = find_runs(&book->assocs);
    AUTO_FREE struct leaf *roots = NULL;
    struct planting planting = { .leaves = leaves, .n = n, .listed = listed, .order = order };
    uint32_t roots_n = 0;

    planting.forest.places = xcalloc((size_t)n + 1, sizeof(uint32_t));
    planting.forest.depths = xcalloc((size_t)n + 1, sizeof(uint32_t));
    if (order != FOREST_BY_AGE)
        number_leaves(book, leaves);
    sort_accounts(&planting);
    for (uint32_t i = 0; i < n; i++) {
        if (is_listed(&planting, i) && is_root(&planting, leaves[i].assoc))
            *ARRAY_PUSH(roots, roots_n) = leaves[i];
    }
    if (roots_n)
        qsort(roots, roots_n, sizeof(*roots),
              order == FOREST_BY_NAME ? compare_roots_by_name : compare_roots);
    for (uint32_t i = 0; i < roots_n; i++)
        place(&planting, roots[i].at, 0);
    free(planting.accounts);
    return planting.forest;
}

void forest_clear(struct forest *forest)
{
    free(forest->places);
    free(forest->depths);
}

const struct assoc_record **forest_of_cluster(const struct book *book, const char *cluster,
                                              uint32_t *ret_n)
{
    struct forest forest = forest_new(book, FOREST_BY_AGE, NULL);
    const struct assoc_record **all = xcalloc((size_t)forest.n + 1, sizeof(*all));

    *ret_n = 0;
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        if (forest.places[i])
            all[forest.places[i] - 1] = record_at(&book->assocs, i);
    }
    for (uint32_t i = 0; i < forest.n; i++) {
        if (!all[i]->deleted && strcmp(all[i]->cluster, cluster) == 0)
            all[(*ret_n)++] = all[i];
    }
    forest_clear(&forest);
    return all;
}
