#include "noded/stepd/task_gres.h"

#include <inttypes.h>
#include <string.h>

/* Numbers on the node of all gpus that the step has there, whatever their type; rising. */
struct gpus {
    uint32_t *at;
    uint32_t n;
    uint64_t count; /* also of those that have no number */
    uint32_t env;   /* enum gpu_env */
};

static int compare(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static struct gpus gpus_of(const struct step_node *here)
{
    struct gpus gpus = { 0 };

    for (uint32_t i = 0; i < here->gres_n; i++) {
        const struct job_gres *gres = &here->gres[i];

        if (strcmp(gres->name, "gpu") != 0)
            continue;
        gpus.count += gres->count;
        gpus.env |= gres->gpu_env;
        for (uint32_t k = 0; k < gres->devices_n; k++)
            *ARRAY_PUSH(gpus.at, gpus.n) = gres->devices[k];
    }
    if (gpus.n)
        qsort(gpus.at, gpus.n, sizeof(*gpus.at), compare);
    return gpus;
}

/* Returns the numbers of the gpus as a list or, with `at_place`, their places among the gpus. */
static char *list_of(const struct gpus *gpus, const struct bitset *chosen, bool at_place)
{
    struct strbuf text = { 0 };

    BITSET_FOREACH (chosen, i)
        strbuf_addf(&text, "%s%u", text.len ? "," : "", at_place ? (uint32_t)i : gpus->at[i]);
    return text.len ? strbuf_steal(&text) : xstrdup("");
}

static void set_visible(struct task_env *env, const struct task_env_node *node,
                        const struct gpus *gpus, const struct bitset *chosen)
{
    AUTO_FREE char *list = list_of(gpus, chosen, node->devices_constrained);

    for (uint32_t i = 0; i < GPU_ENV_N; i++) {
        if (gpus->env & (1u << i))
            task_env_set(env, gpu_env_name(i), "%s", list);
    }
}

/* Unsets the gpus of a job that has some where this step of it has none. */
static void unset_visible(struct task_env *env)
{
    if (!task_env_get(env, "SLURM_JOB_GPUS") && !task_env_get(env, "SLURM_STEP_GPUS"))
        return;
    for (uint32_t i = 0; i < GPU_ENV_N; i++)
        task_env_unset(env, gpu_env_name(i));
    task_env_unset(env, "SLURM_STEP_GPUS");
    task_env_unset(env, "SLURM_GPUS_ON_NODE");
}

static bool is_of_job(const struct launch_body *body)
{
    return body->step_id == STEP_BATCH || body->step_id == STEP_INTERACTIVE;
}

/* Sets how many shards there are: parts of gpus have no numbers of their own. */
static void set_shards(struct task_env *env, const struct step_node *here)
{
    uint64_t shards = 0;

    for (uint32_t i = 0; i < here->gres_n; i++) {
        if (strcmp(here->gres[i].name, "shard") == 0)
            shards += here->gres[i].count;
    }
    if (shards)
        task_env_set(env, "SLURM_SHARDS_ON_NODE", "%" PRIu64, shards);
    else
        task_env_unset(env, "SLURM_SHARDS_ON_NODE");
}

void task_gres_set_node(struct task_env *env, const struct task_env_node *node)
{
    const struct step_node *here = &node->body->nodes[node->node_index];
    struct gpus gpus = gpus_of(here);
    AUTO(bitset) struct bitset all = { 0 };
    AUTO_FREE char *list = NULL;

    set_shards(env, here);
    bitset_init(&all, gpus.n);
    bitset_fill(&all);
    list = list_of(&gpus, &all, false);
    if (gpus.count == 0)
        unset_visible(env);
    else
        task_env_set(env, "SLURM_GPUS_ON_NODE", "%" PRIu64, gpus.count);
    if (gpus.n) {
        task_env_set(env, is_of_job(node->body) ? "SLURM_JOB_GPUS" : "SLURM_STEP_GPUS", "%s", list);
        set_visible(env, node, &gpus, &all);
    }
    free(gpus.at);
}

static uint64_t mask_of(const struct gpus *gpus, const struct bitset *chosen)
{
    uint64_t mask = 0;

    BITSET_FOREACH (chosen, i)
        mask |= gpus->at[i] < 64 ? UINT64_C(1) << gpus->at[i] : 0;
    return mask;
}

static void say_binding(const struct task_env_node *node, const struct gpus *gpus,
                        const struct bitset *chosen, struct strbuf *said)
{
    AUTO(bitset) struct bitset all = { 0 };
    AUTO_FREE char *global = list_of(gpus, chosen, false);
    AUTO_FREE char *local = list_of(gpus, chosen, node->devices_constrained);

    bitset_init(&all, gpus->n);
    bitset_fill(&all);
    strbuf_addf(said,
                "gpu-bind: usable_gres=0x%" PRIX64 "; bit_alloc=0x%" PRIX64
                "; local_inx=%u; global_list=%s; local_list=%s\n",
                mask_of(gpus, chosen), mask_of(gpus, &all), gpus->n, global, local);
}

static bool is_near(const struct gres_near *near, const struct bitset *cores)
{
    bool found = near->cores_n == 0 || bitset_is_empty(cores);

    for (uint32_t i = 0; i < near->cores_n && !found; i++)
        found = near->cores[i] < cores->size && bitset_has(cores, near->cores[i]);
    return found;
}

/* Adds the near gpus. A controller that does not tell what is near leaves `ret` empty. */
static void add_near(const struct step_node *here, const struct gpus *gpus,
                     const struct bitset *cores, struct bitset *ret)
{
    for (uint32_t i = 0; i < here->gres_n; i++) {
        const struct job_gres *gres = &here->gres[i];
        const bool is_gpu = strcmp(gres->name, "gpu") == 0;

        for (uint32_t k = 0; is_gpu && k < gres->near_n && k < gres->devices_n; k++) {
            const uint32_t *at =
                bsearch(&gres->devices[k], gpus->at, gpus->n, sizeof(*gpus->at), compare);

            if (is_near(&gres->near[k], cores))
                bitset_add(ret, (uint32_t)(at - gpus->at));
        }
    }
}

/* Chooses gpus as Slurm does: lists name them by their numbers on the node, or by places where
 * others are hidden. */
static void choose(const struct gpu_bind *bind, const struct gpus *gpus, bool at_place,
                   uint32_t local, struct bitset *ret)
{
    AUTO_FREE uint32_t *places = xcalloc(gpus->n, sizeof(*places));

    for (uint32_t i = 0; i < gpus->n; i++)
        places[i] = i;
    gpu_bind_choose(bind, at_place ? places : gpus->at, gpus->n, local, ret);
}

void task_gres_set_task(struct task_env *env, const struct task_env_node *node,
                        const struct gpu_bind *bind, const struct gpu_task *task,
                        struct strbuf *said)
{
    const struct step_node *here = &node->body->nodes[node->node_index];
    struct gpus gpus = gpus_of(here);
    AUTO(bitset) struct bitset chosen = { 0 };

    if (gpus.n && (bind->kind != GPU_BIND_NONE || bind->verbose)) {
        bitset_init(&chosen, gpus.n);
        if (bind->kind == GPU_BIND_CLOSEST)
            add_near(here, &gpus, task->cores, &chosen);
        choose(bind, &gpus, node->devices_constrained, task->local, &chosen);
        set_visible(env, node, &gpus, &chosen);
        if (bind->verbose)
            say_binding(node, &gpus, &chosen, said);
    }
    free(gpus.at);
}
