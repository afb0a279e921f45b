#include "noded/stepd/spare.h"

#include <stdio.h>

#include "common/base/alloc.h"

#define NAME_MAX_N 32
#define FEW        4 /* places that all numbers have */

static const uint32_t many[] = { 16, 64 };

/* Formats the nth place that a number may have, from 0 on; returns false when there are no more. */
static bool spare_format(const char *kind, uint32_t number, uint32_t n, char ret[NAME_MAX_N])
{
    uint32_t place;

    if (n < FEW)
        place = (number + n) % FEW;
    else if (n - FEW < ARRAY_N(many))
        place = number % many[n - FEW];
    else
        return false;
    snprintf(ret, NAME_MAX_N, "%s.%u", kind, place);
    return true;
}

static bool move(int dir_fd, const char *kind, uint32_t number, const char *name, bool keeps)
{
    char spare[NAME_MAX_N];
    const char *from = keeps ? name : spare, *to = keeps ? spare : name;

    for (uint32_t n = 0; spare_format(kind, number, n, spare); n++) {
        if (renameat2(dir_fd, from, dir_fd, to, RENAME_NOREPLACE) == 0)
            return true;
    }
    return false;
}

bool spare_take(int dir_fd, const char *kind, uint32_t number, const char *name)
{
    return move(dir_fd, kind, number, name, false);
}

bool spare_keep(int dir_fd, const char *kind, uint32_t number, const char *name)
{
    return move(dir_fd, kind, number, name, true);
}
