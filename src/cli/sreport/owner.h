/*
 * owner.h - sums of the controller put together by what a report tells apart. Pure.
 */
#pragma once

#include "cli/sreport/held.h"

/* What is told apart; what is not is absent in an owner. */
enum owner_by { BY_ACCOUNT = 1, BY_USER = 2, BY_WCKEY = 4 };

/* Borrows its texts from the sums. */
struct owner {
    const char *account, *user, *wckey; /* "" where there is none */
    uint64_t *held;                     /* of each TRES of the report, in its order; owned */
    uint64_t cpu;
};

struct owners {
    struct owner *at;
    uint32_t n;
    uint32_t tres_n;
};

/* Makes owners of the sums, sorted by account, user and wckey. Those of whom nothing is told are
 * not among them. */
struct owners owners_of(const struct held *held, uint32_t by);
void owners_clear(struct owners *owners);
void owners_auto_(struct owners *owners);

/* Sort by how much of the first TRES, or of cpus, they held, the most first, then by user and
 * account. */
void owners_sort_by_use(struct owners *owners);
void owners_sort_by_cpu(struct owners *owners);

/* Sorts by wckey, then user. */
void owners_sort_by_wckey(struct owners *owners);
