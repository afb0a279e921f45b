#include "cli/sacctmgr/forest.h"

#include <string.h>

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* An association and which one it is in the book. */
struct leaf {
    const struct assoc_record *assoc;
    uint32_t at;
};

/* Compares users before accounts, by name. */
static int compare_by_name(const void *a, const void *b)
{
    const struct assoc_record *left = ((const struct leaf *)a)->assoc;
    const struct assoc_record *right = ((const struct leaf *)b)->assoc;
    int order;

    if ((left->user == NULL) != (right->user == NULL))
        return left->user ? -1 : 1;
    order = compare_texts(left->user ? left->user : left->account,
                          right->user ? right->user : right->account);
    return order ? order : compare_texts(left->partition, right->partition);
}

/* Compares what came by a later request before what was there, as Slurm numbers its tree. */
static int compare_by_age(const void *a, const void *b)
{
    const struct assoc_record *left = ((const struct leaf *)a)->assoc;
    const struct assoc_record *right = ((const struct leaf *)b)->assoc;

    if (left->added_ms != right->added_ms)
        return left->added_ms > right->added_ms ? -1 : 1;
    return (left->id > right->id) - (left->id < right->id);
}

static bool is_in(const struct assoc_record *assoc, const struct assoc_record *account)
{
    return strcmp(assoc->cluster, account->cluster) == 0 &&
           (assoc->user ? strcmp(assoc->account, account->account) == 0
                        : text_is(assoc->parent, account->account));
}

/* What is being placed. */
struct planting {
    const struct book *book;
    int (*compare)(const void *a, const void *b);
    struct forest forest;
};

/* Places an association and what is in it. */
static void place(struct planting *planting, uint32_t at, uint32_t depth)
{
    const struct records *assocs = &planting->book->assocs;
    struct forest *forest = &planting->forest;
    const struct assoc_record *assoc = record_at(assocs, at);
    AUTO_FREE struct leaf *leaves = NULL;
    uint32_t n = 0;

    forest->places[at] = ++forest->n;
    forest->depths[at] = depth;
    for (uint32_t i = 0; !assoc->user && i < assocs->n; i++) {
        const struct assoc_record *other = record_at(assocs, i);

        if (!forest->places[i] && is_in(other, assoc))
            *ARRAY_PUSH(leaves, n) = (struct leaf){ other, i };
    }
    if (n)
        qsort(leaves, n, sizeof(*leaves), planting->compare);
    for (uint32_t i = 0; i < n; i++)
        place(planting, leaves[i].at, depth + 1);
}

static int compare_clusters(const void *a, const void *b)
{
    return strcmp(((const struct leaf *)a)->assoc->cluster,
                  ((const struct leaf *)b)->assoc->cluster);
}

struct forest forest_new(const struct book *book, enum forest_order order)
{
    struct planting planting = {
        .book = book,
        .compare = order == FOREST_BY_NAME ? compare_by_name : compare_by_age,
    };
    AUTO_FREE struct leaf *roots = NULL;
    uint32_t n = 0;

    planting.forest.places = xcalloc(book->assocs.n + 1, sizeof(uint32_t));
    planting.forest.depths = xcalloc(book->assocs.n + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->user && !assoc->parent)
            *ARRAY_PUSH(roots, n) = (struct leaf){ assoc, i };
    }
    if (n)
        qsort(roots, n, sizeof(*roots), compare_clusters);
    for (uint32_t i = 0; i < n; i++)
        place(&planting, roots[i].at, 0);
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
    struct forest forest = forest_new(book, FOREST_BY_AGE);
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
