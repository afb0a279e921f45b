#include "cli/lib/by_key.h"

#include <stdlib.h>
#include <string.h>

struct keyed {
    char *key;
    const void *record; /* borrowed */
};

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const struct keyed *)a)->key, ((const struct keyed *)b)->key);
}

struct by_key by_key_make(enum kept_number kind, const struct records *records)
{
    struct by_key sorted = { 0 };

    for (uint32_t i = 0; i < records->n; i++) {
        const void *record = record_at(records, i);

        *ARRAY_PUSH(sorted.at, sorted.n) =
            (struct keyed){ kept_key(kept_kind_find(kind), record), record };
    }
    if (sorted.n)
        qsort(sorted.at, sorted.n, sizeof(*sorted.at), compare_keys);
    return sorted;
}

void by_key_clear(struct by_key *sorted)
{
    for (uint32_t i = 0; i < sorted->n; i++)
        free(sorted->at[i].key);
    free(sorted->at);
    *sorted = (struct by_key){ 0 };
}

const void *by_key_find(const struct by_key *sorted, const char *key)
{
    const struct keyed wanted = { .key = (char *)(uintptr_t)key };
    const struct keyed *found =
        sorted->n ? bsearch(&wanted, sorted->at, sorted->n, sizeof(wanted), compare_keys) : NULL;

    return found ? found->record : NULL;
}
