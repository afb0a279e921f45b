#include "common/text/distribution.h"

#include "common/base/alloc.h"

const char *distribution_name(uint32_t distribution)
{
    static const char *const names[] = {
        [DIST_DEFAULT] = "Unknown", [DIST_BLOCK] = "Block",         [DIST_CYCLIC] = "Cyclic",
        [DIST_PLANE] = "Plane",     [DIST_ARBITRARY] = "Arbitrary", [DIST_FCYCLIC] = "FCyclic",
    };

    return names[distribution < ARRAY_N(names) ? distribution : DIST_DEFAULT];
}
