/*
 * option_bind.c - --cpu-bind and --mem-bind: which cpus and which memory of a node the tasks of a
 * step use.
 */
#include "cli/submit/option_table.h"

#include <errno.h>

#include "common/text/words.h"

static const char cpu_bind_help[] =
    "--cpu-bind=[quiet|verbose,]TYPE binds the tasks of a step to cpus. TYPE is one of\n"
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

static const char mem_bind_help[] =
    "--mem-bind=[quiet|verbose,][prefer,]TYPE says which NUMA nodes tasks take memory from. TYPE "
    "is\n"
    "  none               any\n"
    "  local              that of the cpu which asks for it\n"
    "  rank               the first task of a node uses its first NUMA node, and so on\n"
    "  map_mem:LIST       these, one for each task: 0,1 or 0*2,1*2\n"
    "  mask_mem:LIST      the same with masks of NUMA nodes: 0x1,0x2\n"
    "With prefer others serve when there is none left; sort and nosort are only told to tasks.\n"
    "With verbose each task says what it was bound to.\n";

int option_set_cpu_bind(struct submit_options *options, const struct option_row *row,
                        const char *value, struct err *err)
{
    (void)row;
    if (word_is(value, "help")) {
        options->list = cpu_bind_help;
        return 0;
    }
    if (cpu_bind_add(&options->cpu_bind, value, err) == 0)
        return 0;
    err->code = ERANGE; /* unlike --mem-bind: srun ends with 1 */
    return -ERANGE;
}

int option_set_mem_bind(struct submit_options *options, const struct option_row *row,
                        const char *value, struct err *err)
{
    (void)row;
    if (word_is(value, "help")) {
        options->list = mem_bind_help;
        return 0;
    }
    return mem_bind_add(&options->mem_bind, value, err);
}
