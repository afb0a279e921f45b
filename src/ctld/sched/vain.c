#include "ctld/sched/vain.h"

static bool says_less(const struct vain_entry *a, const struct vain_entry *b)
{
    return a->number <= b->number && a->length >= b->length && a->until <= b->until;
}

void vain_learn(struct vain *vain, const struct vain_entry *entry)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < vain->n; i++) {
        if (!says_less(&vain->entries[i], entry))
            vain->entries[kept++] = vain->entries[i];
    }
    vain->n = kept;
    if (vain->n < VAIN_MAX)
        vain->entries[vain->n++] = *entry;
    else
        vain->entries[vain->oldest++ % VAIN_MAX] = *entry;
}

int64_t vain_until(const struct vain *vain, int64_t length, uint64_t number)
{
    int64_t until = INT64_MIN;

    for (uint32_t i = 0; i < vain->n; i++) {
        const struct vain_entry *entry = &vain->entries[i];

        if (entry->number == number && entry->length <= length && entry->until > until)
            until = entry->until;
    }
    return until;
}
