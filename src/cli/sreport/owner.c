#include "cli/sreport/owner.h"

#include <string.h>

void owners_clear(struct owners *owners)
{
    for (uint32_t i = 0; i < owners->n; i++)
        free(owners->at[i].held);
    free(owners->at);
    *owners = (struct owners){ 0 };
}

void owners_auto_(struct owners *owners)
{
    owners_clear(owners);
}

static int compare_names(const void *a, const void *b)
{
    const struct owner *left = a, *right = b;
    int order = strcmp(left->account, right->account);

    if (order == 0)
        order = strcmp(left->user, right->user);
    return order ? order : strcmp(left->wckey, right->wckey);
}

static int compare_users(const struct owner *left, const struct owner *right)
{
    const int order = strcmp(left->user, right->user);

    return order ? order : compare_names(left, right);
}

static int compare_use(const void *a, const void *b)
{
    const struct owner *left = a, *right = b;

    if (left->held[0] != right->held[0])
        return left->held[0] < right->held[0] ? 1 : -1;
    return compare_users(left, right);
}

static int compare_cpu(const void *a, const void *b)
{
    const struct owner *left = a, *right = b;

    if (left->cpu != right->cpu)
        return left->cpu < right->cpu ? 1 : -1;
    return compare_users(left, right);
}

static int compare_wckeys(const void *a, const void *b)
{
    const struct owner *left = a, *right = b;
    int order = strcmp(left->wckey, right->wckey);

    return order ? order : strcmp(left->user, right->user);
}

static void sort(struct owners *owners, int (*compare)(const void *, const void *))
{
    if (owners->n)
        qsort(owners->at, owners->n, sizeof(*owners->at), compare);
}

void owners_sort_by_use(struct owners *owners)
{
    sort(owners, compare_use);
}

void owners_sort_by_cpu(struct owners *owners)
{
    sort(owners, compare_cpu);
}

void owners_sort_by_wckey(struct owners *owners)
{
    sort(owners, compare_wckeys);
}

static const char *text_of(const char *text, bool is_told)
{
    return is_told && text ? text : "";
}

/* Adds up those that follow each other and are the same. */
static void merge(struct owners *owners)
{
    uint32_t kept = 0;

    for (uint32_t i = 1; i < owners->n; i++) {
        if (compare_names(&owners->at[kept], &owners->at[i]) != 0) {
            owners->at[++kept] = owners->at[i];
            continue;
        }
        for (uint32_t t = 0; t < owners->tres_n; t++)
            owners->at[kept].held[t] += owners->at[i].held[t];
        owners->at[kept].cpu += owners->at[i].cpu;
        free(owners->at[i].held);
    }
    owners->n = owners->n ? kept + 1 : 0;
}

struct owners owners_of(const struct held *held, uint32_t by)
{
    struct owners owners = { .tres_n = held->tres.n };

    owners.at = xcalloc((size_t)held->sums_n + 1, sizeof(*owners.at));
    for (uint32_t i = 0; i < held->sums_n; i++) {
        const struct sum_info *sum = &held->sums[i];
        struct owner *owner = &owners.at[owners.n++];

        *owner = (struct owner){ .account = text_of(sum->account, by & BY_ACCOUNT),
                                 .user = text_of(sum->user, by & BY_USER),
                                 .wckey = text_of(sum->wckey, by & BY_WCKEY),
                                 .held = xcalloc(held->tres.n, sizeof(*owner->held)),
                                 .cpu = held_amount(sum->held, sum->held_n, "cpu") };
        for (uint32_t t = 0; t < held->tres.n; t++)
            owner->held[t] = held_amount(sum->held, sum->held_n, held->tres.at[t]);
    }
    sort(&owners, compare_names);
    merge(&owners);
    return owners;
}
