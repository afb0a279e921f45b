#include "ctld/store/hour.h"

/* Takes what was said, or what is left of the whole if that is less. */
static void take(uint64_t *part, uint64_t *left)
{
    if (*part > *left)
        *part = *left;
    *left -= *part;
}

void hour_share_out(struct hour_share *share, uint64_t waited)
{
    uint64_t left = share->whole;

    take(&share->allocated, &left);
    take(&share->down, &left);
    take(&share->planned_down, &left);
    share->planned = waited;
    take(&share->planned, &left);
    share->over = waited - share->planned;
    share->idle = left;
}
