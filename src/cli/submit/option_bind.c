/* --cpu-bind: how the tasks of a step are bound to the cpus of a node. */
#include "cli/submit/option_table.h"

#include <errno.h>

#include "common/text/words.h"

int option_set_cpu_bind(struct submit_options *options, const struct option_row *row,
                        const char *value, struct err *err)
{
    (void)row;
    if (word_is(value, "help")) {
        options->bind_help = true;
        return 0;
    }
    return cpu_bind_add(&options->cpu_bind, value, err) < 0 ? -ERANGE : 0;
}

const char *submit_bind_help(void)
{
    return "--cpu-bind=[quiet|verbose,]TYPE binds the tasks of a step to cpus. TYPE is one of\n"
           "  none               each task may use all cpus of the step\n"
           "  rank               the first task of a node to its first cpu, and so on\n"
           "  map_cpu:LIST       to these cpus, one for each task: 0,4 or 0*2,4*2\n"
           "  mask_cpu:LIST      the same with masks of cpus: 0x3,0xc\n"
           "  rank_ldom          as rank, with NUMA nodes\n"
           "  map_ldom:LIST      as map_cpu, with NUMA nodes\n"
           "  mask_ldom:LIST     as mask_cpu, with NUMA nodes\n"
           "  sockets, cores, threads, ldoms\n"
           "                     to the parts of a node on which the task's cpus are\n"
           "Without TYPE a task gets its own sockets, cores or threads if their number fits.\n"
           "With verbose each task says what it was bound to.\n";
}
