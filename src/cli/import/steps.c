/* steps.c - a row of steps as a record, with what its tasks used. */
#include <stdlib.h>
#include <string.h>

#include "cli/import/jobs.h"
#include "cli/import/values.h"
#include "common/base/alloc.h"
#include "common/text/hostlist.h"

#define NO_NUMBER UINT32_C(0xfffffffe)
#define UNLIMITED UINT32_C(0xffffffff)
#define NODES_MAX 65536
#define KB        1024

/* What is counted of tasks, under the numbers of TRES. */
enum { CPU_MS = 1, MEMORY_BYTES = 2, DISK_BYTES = 6, VIRTUAL_BYTES = 7, PAGES = 8, IDS_N };

/* ---- what tasks used ---- */

/* The amounts of one column by those numbers. */
struct amounts {
    uint64_t at[IDS_N];
    bool is_there[IDS_N];
};

static void take_amount(uint32_t id, uint64_t amount, void *ctx)
{
    struct amounts *amounts = ctx;

    if (id >= IDS_N)
        return;
    amounts->at[id] = amount;
    amounts->is_there[id] = true;
}

static struct amounts amounts_of(struct foreign_row *row, int column)
{
    struct amounts amounts = { 0 };

    foreign_each_amount(row, column, take_amount, &amounts);
    return amounts;
}

/* The columns that tell of what tasks took in, or gave out. */
struct direction {
    int total, max, max_node, max_task, min, min_node, min_task;
};

static const struct direction in = { STEP_tres_usage_in_tot,        STEP_tres_usage_in_max,
                                     STEP_tres_usage_in_max_nodeid, STEP_tres_usage_in_max_taskid,
                                     STEP_tres_usage_in_min,        STEP_tres_usage_in_min_nodeid,
                                     STEP_tres_usage_in_min_taskid };
static const struct direction out = {
    STEP_tres_usage_out_tot,        STEP_tres_usage_out_max, STEP_tres_usage_out_max_nodeid,
    STEP_tres_usage_out_max_taskid, STEP_tres_usage_out_min, STEP_tres_usage_out_min_nodeid,
    STEP_tres_usage_out_min_taskid
};

struct spreads {
    struct amounts total, max, max_node, max_task, min, min_node, min_task;
};

static struct spreads spreads_of(struct foreign_row *row, const struct direction *columns)
{
    return (struct spreads){ amounts_of(row, columns->total),    amounts_of(row, columns->max),
                             amounts_of(row, columns->max_node), amounts_of(row, columns->max_task),
                             amounts_of(row, columns->min),      amounts_of(row, columns->min_node),
                             amounts_of(row, columns->min_task) };
}

/* Returns one amount over all tasks; `times` and `divisor` bring it to the unit of ours. */
static struct usage_spread *spread_of(const struct spreads *all, int id, uint64_t times,
                                      uint64_t divisor)
{
    struct usage_spread *spread = xmalloc(sizeof(*spread));

    usage_spread_init(spread);
    spread->total = all->total.at[id] * times / divisor;
    spread->max = all->max.at[id] * times / divisor;
    spread->max_node = (uint32_t)all->max_node.at[id];
    spread->max_task = (uint32_t)all->max_task.at[id];
    spread->min = all->min.at[id] * times / divisor;
    spread->min_node = (uint32_t)all->min_node.at[id];
    spread->min_task = (uint32_t)all->min_task.at[id];
    return spread;
}

static void set_usage(struct foreign_row *row, struct step_record *step)
{
    const struct spreads taken = spreads_of(row, &in), given = spreads_of(row, &out);
    struct step_usage *usage = xmalloc(sizeof(*usage));

    step_usage_init(usage);
    step->usage = usage;
    usage->user_us =
        foreign_u64(row, STEP_user_sec, 0) * 1000000 + foreign_u64(row, STEP_user_usec, 0);
    usage->system_us =
        foreign_u64(row, STEP_sys_sec, 0) * 1000000 + foreign_u64(row, STEP_sys_usec, 0);
    if (!taken.max.is_there[MEMORY_BYTES] && !taken.max.is_there[CPU_MS])
        return; /* nobody has looked at its tasks */
    usage->tasks = step->ntasks;
    usage->cpu_us = spread_of(&taken, CPU_MS, 1000, 1);
    usage->memory_kb = spread_of(&taken, MEMORY_BYTES, 1, KB);
    usage->virtual_kb = spread_of(&taken, VIRTUAL_BYTES, 1, KB);
    usage->pages = spread_of(&taken, PAGES, 1, 1);
    usage->read_bytes = spread_of(&taken, DISK_BYTES, 1, 1);
    usage->written_bytes = spread_of(&given, DISK_BYTES, 1, 1);
}

/* ---- the step ---- */

static void set_nodes(struct foreign_row *row, const struct portion *held, struct step_record *step)
{
    AUTO(hostlist) struct hostlist *list = NULL;
    const char *names = foreign_text(row, STEP_nodelist);
    uint32_t n;

    if (!names || hostlist_parse(names, &list, NULL) < 0 || (n = hostlist_count(list)) == 0 ||
        n > NODES_MAX)
        return;
    step->node_list = clean_text(row, STEP_nodelist);
    for (uint32_t i = 0; i < n; i++) {
        struct step_node *node = ARRAY_PUSH(step->nodes, step->nodes_n);

        step_node_init(node);
        node->name = xstrdup(hostlist_get(list, i));
        node->memory = held->has_mem ? share_of(held->mem_mb, i, n) : MB_UNSET;
        node->state = STEP_ENDED;
        portion_add_gres(held, i, n, &node->gres, &node->gres_n);
    }
}

/* Returns how tasks were spread over nodes: the low bits of a number that says more. */
static uint32_t distribution_of(struct foreign_row *row)
{
    static const uint32_t of_nodes[] = { DIST_DEFAULT, DIST_CYCLIC, DIST_BLOCK };
    const int64_t number = foreign_i64(row, STEP_task_dist, 0) & 0xf;

    return (size_t)number < ARRAY_N(of_nodes) ? of_nodes[number] : DIST_DEFAULT;
}

/* Batch steps have no request of their own. */
static void set_spec(struct foreign_row *row, struct step_record *step)
{
    const char *line = foreign_text(row, STEP_submit_line);

    if (step->step_id == STEP_BATCH || step->step_id == STEP_EXTERN)
        return;
    step->spec = xmalloc(sizeof(*step->spec));
    step_spec_init(step->spec);
    step->spec->submit_line = xstrdup(line);
    step->spec->distribution = distribution_of(row);
}

void step_convert(const struct foreign *foreign, struct foreign_row *row,
                  const struct job_record *job, struct step_record *ret)
{
    AUTO(portion) struct portion held = portion_of(foreign, row, STEP_tres_alloc);
    const uint32_t state = foreign_u32(row, STEP_state, 0) & 0xff;
    const int64_t killed_by = foreign_i64(row, STEP_kill_requid, NO_NUMBER);

    ret->job_id = job->id;
    ret->launch_number = job->launch_number;
    ret->step_id = (uint32_t)foreign_i64(row, STEP_id_step, 0);
    ret->name = clean_text(row, STEP_step_name);
    ret->uid = job->uid;
    ret->state = STEP_ENDED;
    ret->end_state = job_state_is_over(state) && state < JOB_STATES_N ? state : JOB_CANCELLED;
    ret->start_time = foreign_time(row, STEP_time_start);
    ret->end_time = foreign_time(row, STEP_time_end);
    if (!ret->end_time) /* it was not told of, when its job ended */
        ret->end_time = job->end_time;
    ret->ntasks = foreign_u32(row, STEP_task_cnt, 0);
    ret->ncpus = (uint32_t)held.cpus;
    ret->exit_status = (int32_t)foreign_i64(row, STEP_exit_code, 0);
    ret->ended_by = killed_by < 0 || killed_by == NO_NUMBER || killed_by == UNLIMITED
                        ? COUNT_UNSET
                        : (uint32_t)killed_by;
    ret->partition = xstrdup(job->partition);
    ret->array_job_id = job->array_job_id;
    ret->array_task = job->array_task;
    set_nodes(row, &held, ret);
    set_spec(row, ret);
    set_usage(row, ret);
}
