#include "cli/sreport/tree.h"

#include <string.h>

#define ROOT_NAME "root"

void tree_clear(struct tree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++)
        free(tree->at[i].held);
    free(tree->at);
    *tree = (struct tree){ 0 };
}

void tree_auto_(struct tree *tree)
{
    tree_clear(tree);
}

int64_t tree_find(const struct tree *tree, const char *account)
{
    uint32_t low = 0, high = tree->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(tree->at[middle].name, account);

        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int64_t tree_find_above(const struct tree *tree, int64_t at, const struct words *names)
{
    for (uint32_t steps = 0; at >= 0 && steps <= tree->n; steps++) {
        if (words_have_exactly(names, tree->at[at].name))
            return at;
        at = tree->at[at].parent;
    }
    return -1;
}

static int compare_branches(const void *a, const void *b)
{
    return strcmp(((const struct branch *)a)->name, ((const struct branch *)b)->name);
}

/* Sorts by name and keeps each once. */
static void sort(struct tree *tree)
{
    uint32_t kept = 0;

    qsort(tree->at, tree->n, sizeof(*tree->at), compare_branches);
    for (uint32_t i = 1; i < tree->n; i++) {
        if (strcmp(tree->at[kept].name, tree->at[i].name) != 0)
            tree->at[++kept] = tree->at[i];
    }
    tree->n = kept + 1;
}

static void push(struct tree *tree, const char *name)
{
    *ARRAY_PUSH(tree->at, tree->n) = (struct branch){ .name = name };
}

/* Returns the index of the branch above an account; what has none that is known hangs on the root.
 */
static int64_t parent_of(const struct book *book, const struct tree *tree, uint32_t at)
{
    const struct assoc_record *assoc =
        book_any_assoc(book, book->cluster, tree->at[at].name, NULL, NULL);
    const int64_t parent = assoc && assoc->parent ? tree_find(tree, assoc->parent) : -1;

    if (at == tree->root)
        return -1;
    return parent >= 0 ? parent : (int64_t)tree->root;
}

static uint32_t depth_of(const struct tree *tree, uint32_t at)
{
    uint32_t depth = 0;

    for (int64_t above = tree->at[at].parent; above >= 0 && depth < tree->n;
         above = tree->at[above].parent)
        depth++;
    return depth;
}

/* Adds what an owner held to his account and all above it. */
static void add_owner(struct tree *tree, const struct owners *owners, const struct owner *owner)
{
    int64_t at = *owner->account ? tree_find(tree, owner->account) : (int64_t)tree->root;

    for (uint32_t steps = 0; at >= 0 && steps <= tree->n; steps++) {
        for (uint32_t t = 0; t < owners->tres_n; t++)
            tree->at[at].held[t] += owner->held[t];
        at = tree->at[at].parent;
    }
}

struct tree tree_of(const struct book *book, const struct owners *owners)
{
    struct tree tree = { 0 };

    push(&tree, ROOT_NAME);
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->user && strcmp(assoc->cluster, book->cluster) == 0)
            push(&tree, assoc->account);
    }
    for (uint32_t i = 0; i < owners->n; i++) {
        if (*owners->at[i].account)
            push(&tree, owners->at[i].account);
    }
    sort(&tree);
    tree.root = (uint32_t)tree_find(&tree, ROOT_NAME);
    for (uint32_t i = 0; i < tree.n; i++) {
        tree.at[i].parent = parent_of(book, &tree, i);
        tree.at[i].held = xcalloc((size_t)owners->tres_n + 1, sizeof(*tree.at[i].held));
    }
    for (uint32_t i = 0; i < tree.n; i++)
        tree.at[i].depth = depth_of(&tree, i);
    for (uint32_t i = 0; i < owners->n; i++)
        add_owner(&tree, owners, &owners->at[i]);
    return tree;
}
