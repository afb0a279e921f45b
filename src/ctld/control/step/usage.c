#include "ctld/control/step/usage.h"
struct place {
    uint32_t node, task;
    bool is_first; /* nothing was added before */
};

static void add_amount(struct usage_spread **spread, uint64_t amount, const struct place *place)
{
    struct usage_spread *it = *spread;

    if (!it) {
        it = *spread = xmalloc(sizeof(*it));
        usage_spread_init(it);
    }
    it->total += amount;
    if (place->is_first || amount > it->max) {
        it->max = amount;
        it->max_node = place->node;
        it->max_task = place->task;
    }
    if (place->is_first || amount < it->min) {
        it->min = amount;
        it->min_node = place->node;
        it->min_task = place->task;
    }
}

static void add_task(struct step_usage *usage, uint32_t position, const struct task_usage *task)
{
    const struct place place = { position, task->task, usage->tasks == 0 };

    add_amount(&usage->cpu_us, task->user_us + task->system_us, &place);
    add_amount(&usage->memory_kb, task->memory_kb, &place);
    add_amount(&usage->virtual_kb, task->virtual_kb, &place);
    add_amount(&usage->pages, task->pages, &place);
    add_amount(&usage->read_bytes, task->read_bytes, &place);
    add_amount(&usage->written_bytes, task->written_bytes, &place);
    usage->tasks++;
}

void step_add_usage(struct step_record *step, uint32_t position, const struct step_report *report)
{
    if (!report->usage_n && !report->user_us && !report->system_us && !report->peak_memory_kb)
        return;
    if (!step->usage) {
        step->usage = xmalloc(sizeof(*step->usage));
        step_usage_init(step->usage);
    }
    step->usage->user_us += report->user_us;
    step->usage->system_us += report->system_us;
    if (report->peak_memory_kb > step->usage->peak_memory_kb)
        step->usage->peak_memory_kb = report->peak_memory_kb;
    for (uint32_t i = 0; i < report->usage_n; i++)
        add_task(step->usage, position, &report->usage[i]);
}
