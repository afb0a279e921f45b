/* Loads what cpu_tree.c calls of libhwloc, some of it through the inline functions of its
 * header. */
#include <hwloc.h>

#include "common/base/library.h"
#include "noded/inventory/cpu_tree.h"

LIBRARY(libhwloc, "libhwloc.so.15", "sockets, cores and threads of a node", NULL);

FORWARD_WHILE_OPEN(libhwloc, int, hwloc_topology_init, (hwloc_topology_t * ret), (ret))
FORWARD_WHILE_OPEN(libhwloc, int, hwloc_topology_load, (hwloc_topology_t topology), (topology))
FORWARD_VOID_WHILE_OPEN(libhwloc, hwloc_topology_destroy, (hwloc_topology_t topology), (topology))
FORWARD_WHILE_OPEN(libhwloc, int, hwloc_topology_set_flags,
                   (hwloc_topology_t topology, unsigned long flags), (topology, flags))
FORWARD_WHILE_OPEN(libhwloc, int, hwloc_topology_set_synthetic,
                   (hwloc_topology_t topology, const char *description), (topology, description))
FORWARD_WHILE_OPEN(libhwloc, int, hwloc_topology_set_all_types_filter,
                   (hwloc_topology_t topology, enum hwloc_type_filter_e filter), (topology, filter))
FORWARD_WHILE_OPEN(libhwloc, int, hwloc_topology_set_type_filter,
                   (hwloc_topology_t topology, hwloc_obj_type_t type,
                    enum hwloc_type_filter_e filter),
                   (topology, type, filter))
FORWARD_WHILE_OPEN(libhwloc, int, hwloc_get_type_depth,
                   (hwloc_topology_t topology, hwloc_obj_type_t type), (topology, type))
FORWARD_WHILE_OPEN(libhwloc, hwloc_obj_t, hwloc_get_obj_by_depth,
                   (hwloc_topology_t topology, int depth, unsigned index), (topology, depth, index))
FORWARD_WHILE_OPEN(libhwloc, int, hwloc_bitmap_first, (hwloc_const_bitmap_t bitmap), (bitmap))

void cpu_tree_close_library(void)
{
    library_close(&libhwloc);
}
