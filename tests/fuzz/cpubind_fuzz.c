/* --cpu-bind: what parses binds every task to cpus that the step has, or is refused. */
#include <stdint.h>
#include <stdlib.h>

#include "noded/bind/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tree_cpu cpus[] = {
    { 0, 0, 0, 0 }, { 4, 0, 0, 0 }, { 1, 1, 0, 0 }, { 5, 1, 0, 0 },
    { 2, 2, 1, 1 }, { 6, 2, 1, 1 }, { 3, 3, 1, 1 }, { 7, 3, 1, 1 },
};

static void check(const struct cpu_plan *plan)
{
    AUTO(strbuf) struct strbuf line = { 0 };
    const struct bound_task task = { .node = "tux1" };

    for (uint32_t i = 0; i < plan->masks_n; i++) {
        if (bitset_is_empty(&plan->masks[i]))
            abort();
    }
    cpu_plan_describe(plan, &task, 0, &line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cpu_tree tree = { cpus, ARRAY_N(cpus), 4, 2, 8, 1 };
    const struct bind_conf conf = { .tree = &tree };
    uint32_t numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, tasks[] = { 0, 1, 2, 3, 4 };
    AUTO_FREE char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
    struct step_node node = { .cpus = numbers, .tasks = tasks, .tasks_n = ARRAY_N(tasks) };
    struct launch_body body = { .nodes = &node, .nodes_n = 1, .cpus_per_task = 1 };

    body.cpu_bind = text;
    for (node.cpus_n = 3; node.cpus_n <= ARRAY_N(numbers); node.cpus_n += 5) {
        struct cpu_plan plan = { 0 };

        if (cpu_plan_make(&conf, &body, 0, &plan, NULL) == 0)
            check(&plan);
        cpu_plan_clear(&plan);
    }
    return 0;
}
