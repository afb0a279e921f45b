/* What cpu_tree.c calls of libhwloc, some of it through the inline functions of its header. */
#include <hwloc.h>

#include "common/base/library.h"

static struct library libhwloc = { .file = "libhwloc.so.15" };

FORWARD(libhwloc, int, hwloc_topology_init, (hwloc_topology_t * ret), (ret))
FORWARD(libhwloc, int, hwloc_topology_load, (hwloc_topology_t topology), (topology))
FORWARD_VOID(libhwloc, hwloc_topology_destroy, (hwloc_topology_t topology), (topology))
FORWARD(libhwloc, int, hwloc_topology_set_flags, (hwloc_topology_t topology, unsigned long flags),
        (topology, flags))
FORWARD(libhwloc, int, hwloc_topology_set_synthetic,
        (hwloc_topology_t topology, const char *description), (topology, description))
FORWARD(libhwloc, int, hwloc_topology_set_all_types_filter,
        (hwloc_topology_t topology, enum hwloc_type_filter_e filter), (topology, filter))
FORWARD(libhwloc, int, hwloc_topology_set_type_filter,
        (hwloc_topology_t topology, hwloc_obj_type_t type, enum hwloc_type_filter_e filter),
        (topology, type, filter))
FORWARD(libhwloc, int, hwloc_get_type_depth, (hwloc_topology_t topology, hwloc_obj_type_t type),
        (topology, type))
FORWARD(libhwloc, hwloc_obj_t, hwloc_get_obj_by_depth,
        (hwloc_topology_t topology, int depth, unsigned index), (topology, depth, index))
FORWARD(libhwloc, int, hwloc_bitmap_first, (hwloc_const_bitmap_t bitmap), (bitmap))
