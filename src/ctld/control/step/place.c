/* Cpus, gres and numbers of tasks: what step_fits counted, given out one by one. */
#include "ctld/control/step/place.h"

#include <string.h>

#include "common/text/hostlist.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/step/fit.h"
#include "ctld/control/step/gres.h"
#include "ctld/control/step/use.h"
#include "ctld/control/step/want.h"

/* Takes free cpus of the job on a node, lowest first; whole cores if those are given out. */
static void take_cpus(const struct control *control, const struct job *job, uint32_t position,
                      const struct step_want *want, const struct step_use *use, uint32_t tasks,
                      struct step_node *ret)
{
    const struct job_node *place = &job->rec.nodes[position];
    const struct node *node = model_node(control->model, job->nodes[position]);
    const uint32_t threads = node ? node_threads(node->conf) : 1;
    const bool cores = control->model->config.select & (SELECT_CORE | SELECT_SOCKET);
    const uint32_t for_tasks = want->ask.cpus_per_task * tasks;
    struct core_count count = { .threads = threads, .most = want->threads_per_core };

    for (uint32_t i = 0; i < place->cpus_n; i++) {
        const uint32_t cpu = place->cpus[i];
        const bool same_core =
            cores && ret->cpus_n > 0 && ret->cpus[ret->cpus_n - 1] / threads == cpu / threads;

        if (!want->whole && count.n >= for_tasks && !same_core)
            break;
        if (!want->overlap && bitset_has(&use->cpus, cpu))
            continue;
        core_count_add(&count, cpu);
        *ARRAY_PUSH(ret->cpus, ret->cpus_n) = cpu;
    }
}

static void add_task(struct step_node *node, uint32_t number)
{
    *ARRAY_PUSH(node->tasks, node->tasks_n) = number;
}

/* Returns how many tasks that follow one another a node gets, until it is the next one's turn. */
static uint32_t tasks_in_a_row(const struct step_want *want)
{
    if (want->distribution == DIST_PLANE)
        return want->ask.plane_size;
    return want->distribution == DIST_CYCLIC ? 1 : UINT32_MAX;
}

static void number_in_turn(struct step_record *rec, const uint32_t *tasks_of, uint32_t in_a_row)
{
    uint32_t next = 0;
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t i = 0; i < rec->nodes_n; i++) {
            struct step_node *node = &rec->nodes[i];

            for (uint32_t k = 0; k < in_a_row && node->tasks_n < tasks_of[i]; k++)
                add_task(node, next++);
            more = more || node->tasks_n < tasks_of[i];
        }
    }
}

static void number_as_listed(struct step_record *rec, const struct step_want *want)
{
    for (uint32_t number = 0; number < want->request->listed_n; number++) {
        const struct node *node = &want->model->nodes[want->request->listed[number]];

        for (uint32_t i = 0; i < rec->nodes_n; i++) {
            if (strcmp(rec->nodes[i].name, node->rec.name) == 0)
                add_task(&rec->nodes[i], number);
        }
    }
}

static void add_node(const struct control *control, const struct job *job, uint32_t position,
                     const struct step_want *want, const struct step_use *use, uint32_t tasks,
                     struct step_record *rec)
{
    const struct job_node *place = &job->rec.nodes[position];
    const struct node *node = model_node(control->model, job->nodes[position]);
    struct step_node *part = ARRAY_PUSH(rec->nodes, rec->nodes_n);

    step_node_init(part);
    part->name = xstrdup(place->name);
    part->state = STEP_STARTING;
    part->boot_id = node ? xstrdup(node->rec.boot_id) : NULL;
    take_cpus(control, job, position, want, use, tasks, part);
    rec->ncpus += part->cpus_n;
}

static void take_gres(const struct job *job, struct step_want *want, const struct step_use *uses,
                      const uint32_t *tasks, struct step_record *rec)
{
    uint32_t taken = 0;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (tasks[i] == 0)
            continue;
        step_gres_take(&want->gres, &job->rec.nodes[i], want->overlap ? NULL : &uses[i], tasks[i],
                       rec->nodes_n - taken - 1, &rec->nodes[taken]);
        rec->nodes[taken].memory = step_memory_of(want, &job->rec.nodes[i], &rec->nodes[taken]);
        taken++;
    }
}

void step_place(const struct control *control, struct step *step, struct step_want *want,
                const struct step_use *uses, const uint32_t *tasks)
{
    struct job *job = step->job;
    struct step_record *rec = &step->rec;
    AUTO(hostlist) struct hostlist *names = hostlist_new();
    AUTO_FREE uint32_t *tasks_of = xcalloc(job->rec.nodes_n, sizeof(*tasks_of));

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (tasks[i] == 0)
            continue;
        tasks_of[rec->nodes_n] = tasks[i];
        add_node(control, job, i, want, &uses[i], tasks[i], rec);
        hostlist_add(names, job->rec.nodes[i].name);
    }
    take_gres(job, want, uses, tasks, rec);
    if (want->ask.as_listed)
        number_as_listed(rec, want);
    else
        number_in_turn(rec, tasks_of, tasks_in_a_row(want));
    rec->node_list = hostlist_format(names);
    rec->ntasks = want->ask.ntasks;
    rec->cpus_per_task = want->ask.cpus_per_task;
}
