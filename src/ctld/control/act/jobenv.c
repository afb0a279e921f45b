#include "ctld/control/act/jobenv.h"

#include <string.h>

#include "common/msg/job_env.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/act/per_node.h"
#include "ctld/model/body.h"
#include "ctld/model/gres.h"

static void set_job(struct job_env_facts *facts, const struct model *model, const struct job *job)
{
    facts->job = &job->rec;
    facts->spec = job->rec.spec;
    facts->body = &job->body->msg;
    facts->cluster = model->config.cluster_name;
    facts->conf_path = model->config.conf_path;
}

/* Fills in how many cpus the job has on each node. The array is freed by clear(). */
static void set_cpus(struct job_env_facts *facts, const struct model *model, const struct job *job)
{
    uint32_t *cpus = xcalloc(job->rec.nodes_n, sizeof(*cpus));

    job_cpus_per_node(model, job, cpus);
    facts->cpus_per_node = (struct job_env_counts){ cpus, job->rec.nodes_n };
}

static void clear(struct job_env_facts *facts)
{
    free((void *)(uintptr_t)facts->cpus_per_node.at);
    free((void *)(uintptr_t)facts->tasks_per_node.at);
}

/*
 * Fills in the counts for a script, which has the cpus that have tasks; a step has all it may use.
 */
static void set_batch(struct job_env_facts *facts, const struct model *model, const struct job *job)
{
    const uint32_t n = job->rec.nodes_n, cpus = n ? job_cpus_on(model, job, 0) : 0;
    uint32_t *tasks = xcalloc(n, sizeof(*tasks));

    job_tasks_per_node(model, job, tasks);
    facts->tasks_per_node = (struct job_env_counts){ tasks, n };
    facts->name = job->rec.spec->name;
    facts->batch = "";
    if (n)
        facts->cpus_on_node = cpus ? cpus : 1;
}

/* Returns the first address that names a host; "@controller:4000" is for the node to fill in. */
static const char *srun_address(const struct step_spec *spec)
{
    for (uint32_t i = 0; i < spec->io_addresses_n; i++) {
        if (spec->io_addresses[i][0] != '@')
            return spec->io_addresses[i];
    }
    return NULL;
}

/* Returns how tasks are dealt if the user did not say it and the step runs inside a job, or NULL:
 * srun tells what -m said. */
static const char *distribution_of(const struct step *step)
{
    const struct step_record *rec = &step->rec;

    if (step_stream(step) == COUNT_UNSET || rec->spec->distribution != DIST_DEFAULT)
        return NULL;
    return rec->ntasks <= rec->nodes_n ? "cyclic" : "block";
}

/* Fills in the facts of a step. Inside a job the client's environment already tells the job's name
 * and memory. `ret_host` gets a text that the facts borrow, to be freed. */
static void set_step(struct job_env_facts *facts, const struct step *step, char **ret_host)
{
    const struct step_spec *spec = step->rec.spec;
    const char *address = srun_address(spec);
    const char *colon = address ? strrchr(address, ':') : NULL;

    facts->step = &step->rec;
    facts->step_spec = spec;
    facts->sized = spec->preserve_env ? NULL : &step->rec;
    facts->distribution = distribution_of(step);
    if (step_stream(step) == COUNT_UNSET)
        facts->name = step->job->rec.spec->name;
    if (!colon)
        return;
    *ret_host = xstrndup(address, (size_t)(colon - address));
    facts->launcher_host = *ret_host;
    facts->launcher_port = colon + 1;
}

static void make(unsigned in, const struct job_env_facts *facts, char ***strings,
                 uint32_t *strings_n)
{
    struct job_env_list list = { *strings, *strings_n };

    job_env_make(in, facts, job_env_list_add, &list);
    *strings = list.strings;
    *strings_n = list.n;
}

void jobenv_make(const struct model *model, const struct step *step, char ***ret_strings,
                 uint32_t *ret_n)
{
    const struct model_config *config = &model->config;
    struct job_env_facts facts = JOB_ENV_NO_FACTS;
    AUTO_FREE char *host = NULL, *controller = NULL;
    const bool is_batch = !step->rec.spec;

    set_job(&facts, model, step->job);
    set_cpus(&facts, model, step->job);
    if (config->controller_host && config->controller_port)
        controller = xasprintf("%s:%u", config->controller_host, config->controller_port);
    facts.controller = controller;
    if (is_batch)
        set_batch(&facts, model, step->job);
    else
        set_step(&facts, step, &host);
    make(is_batch ? JOB_ENV_BATCH : JOB_ENV_STEP, &facts, ret_strings, ret_n);
    clear(&facts);
}

/* Returns the enum gpu_env of a device. */
static uint32_t gpu_env_of(const struct node *node, const char *name, uint32_t index)
{
    struct gres_device device;

    return node && gres_find_device(node->conf, name, index, &device)
               ? node->conf->devices[device.row].gpu_env
               : 0;
}

/* Adds the numbers of the job's GPUs on this node to `out`, as root sees them: its tasks may count
 * them otherwise. Returns their enum gpu_env. */
static uint32_t find_gpus(const struct model *model, const struct job_node *place,
                          struct strbuf *out)
{
    const struct node *node = model_find_node(model, place->name);
    uint32_t env = 0;

    for (uint32_t i = 0; i < place->gres_n; i++) {
        const struct job_gres *gres = &place->gres[i];

        for (uint32_t k = 0; strcmp(gres->name, "gpu") == 0 && k < gres->devices_n; k++) {
            strbuf_addf(out, "%s%u", out->len ? "," : "", gres->devices[k]);
            env |= gpu_env_of(node, gres->name, gres->devices[k]);
        }
    }
    return env;
}

static unsigned ended(enum job_program kind)
{
    return kind == JOB_PROGRAM_EPILOG ? JOB_ENV_ENDED : 0;
}

void jobenv_make_hook(const struct model *model, const struct job *job,
                      const struct job_node *place, enum job_program kind, char ***ret,
                      uint32_t *ret_n)
{
    struct job_env_facts facts = JOB_ENV_NO_FACTS;
    AUTO(strbuf) struct strbuf gpus = { 0 };
    const uint32_t env = find_gpus(model, place, &gpus);

    set_job(&facts, model, job);
    set_cpus(&facts, model, job);
    facts.gpus = gpus.len ? strbuf_text(&gpus) : NULL;
    make(JOB_ENV_HOOK | ended(kind), &facts, ret, ret_n);
    clear(&facts);
    for (uint32_t i = 0; i < GPU_ENV_N; i++) {
        if (env & (1u << i))
            *ARRAY_PUSH(*ret, *ret_n) = xasprintf("%s=%s", gpu_env_name(i), strbuf_text(&gpus));
    }
}

void jobenv_make_program(const struct model *model, const struct job *job, enum job_program kind,
                         char ***ret, uint32_t *ret_n)
{
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    set_job(&facts, model, job);
    set_cpus(&facts, model, job);
    facts.context = kind == JOB_PROGRAM_PROLOG ? "prolog_slurmctld" : "epilog_slurmctld";
    make(JOB_ENV_CTLD | ended(kind), &facts, ret, ret_n);
    clear(&facts);
}

void jobenv_make_mail(const struct model *model, const struct job *job, bool has_ended,
                      char ***strings, uint32_t *strings_n)
{
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    set_job(&facts, model, job);
    facts.absent = "(null)";
    make(JOB_ENV_MAIL | (has_ended ? JOB_ENV_ENDED : 0), &facts, strings, strings_n);
}
