#include "ctld/control/act/jobenv.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/counts.h"
#include "common/text/tasks.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/turn.h"
#include "ctld/model/gres.h"

/*
 * Slurm goes on with its protocol's number and that of its selection of nodes, and scripts cut the
 * text at colons: those of 25.05 and of select/cons_tres.
 */
#define WORKING_CLUSTER_REST "11008:109"

struct list {
    char **strings;
    uint32_t n;
};

static void PRINTF_LIKE(3, 4) add(struct list *list, const char *name, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    strbuf_addf(&text, "%s=", name);
    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    *ARRAY_PUSH(list->strings, list->n) = strbuf_steal(&text);
}

static void add_text(struct list *list, const char *name, const char *value)
{
    if (value)
        add(list, name, "%s", value);
}

static void add_count(struct list *list, const char *name, uint32_t value)
{
    if (value != COUNT_UNSET)
        add(list, name, "%u", value);
}

static void add_memory(struct list *list, const char *name, uint64_t mb)
{
    if (mb != MB_UNSET)
        add(list, name, "%" PRIu64, mb);
}

static void add_counts(struct list *list, const char *name, const uint32_t *counts, uint32_t n)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    counts_format(counts, n, &text);
    add(list, name, "%s", strbuf_text(&text));
}

static void add_job_cpus(struct list *list, const struct model *model, const struct job *job)
{
    AUTO_FREE uint32_t *cpus = xcalloc(job->rec.nodes_n, sizeof(*cpus));

    job_cpus_per_node(model, job, cpus);
    add_counts(list, "SLURM_JOB_CPUS_PER_NODE", cpus, job->rec.nodes_n);
}

/* Of the array as it was submitted, whatever has become of its tasks. */
static void add_array(struct list *list, const struct job_record *rec)
{
    AUTO(bitset) struct bitset tasks = { 0 };
    uint32_t limit;
    int64_t first, second;

    if (!rec->array_job_id ||
        tasks_parse(rec->spec->array, ARRAY_TASKS_MAX, &tasks, &limit, NULL) < 0)
        return;
    first = bitset_next(&tasks, 0);
    second = bitset_next(&tasks, (uint32_t)first + 1);
    add(list, "SLURM_ARRAY_JOB_ID", "%u", rec->array_job_id);
    add(list, "SLURM_ARRAY_TASK_ID", "%u", rec->array_task);
    add(list, "SLURM_ARRAY_TASK_COUNT", "%u", bitset_count(&tasks));
    add(list, "SLURM_ARRAY_TASK_MIN", "%u", (uint32_t)first);
    add(list, "SLURM_ARRAY_TASK_MAX", "%u", tasks.size - 1);
    add(list, "SLURM_ARRAY_TASK_STEP", "%u", second < 0 ? 1 : (uint32_t)(second - first));
}

void jobenv_add_array(const struct job_record *rec, char ***strings, uint32_t *strings_n)
{
    struct list list = { *strings, *strings_n };

    add_array(&list, rec);
    *strings = list.strings;
    *strings_n = list.n;
}

/* What scripts and tasks both have. */
static void add_job(struct list *list, const struct model *model, const struct job *job)
{
    const struct model_config *config = &model->config;
    const struct job_record *rec = &job->rec;

    add_text(list, "SLURM_CLUSTER_NAME", config->cluster_name);
    add_text(list, "SLURM_CONF", config->conf_path);
    add(list, "SLURM_JOBID", "%u", rec->id);
    add(list, "SLURM_JOB_ID", "%u", rec->id);
    add_array(list, rec);
    add_text(list, "SLURM_JOB_NODELIST", rec->node_list);
    add_text(list, "SLURM_NODELIST", rec->node_list);
    add(list, "SLURM_JOB_NUM_NODES", "%u", rec->nodes_n);
    add_text(list, "SLURM_JOB_PARTITION", rec->partition);
    add(list, "SLURM_JOB_UID", "%u", rec->uid);
    add(list, "SLURM_JOB_GID", "%u", rec->gid);
    add_text(list, "SLURM_JOB_USER", rec->user_name);
    add_text(list, "SLURM_JOB_ACCOUNT", rec->spec->account);
    add_text(list, "SLURM_JOB_QOS", rec->spec->qos);
    add(list, "SLURM_JOB_START_TIME", "%" PRId64, rec->start_time);
    if (rec->spec->time_limit >= 0)
        add(list, "SLURM_JOB_END_TIME", "%" PRId64, rec->start_time + rec->spec->time_limit);
    add_job_cpus(list, model, job);
    if (config->controller_host && config->controller_port)
        add(list, "SLURM_WORKING_CLUSTER", "%s:%s:%u:" WORKING_CLUSTER_REST, config->cluster_name,
            config->controller_host, config->controller_port);
    if (rec->restarts)
        add(list, "SLURM_RESTART_COUNT", "%u", rec->restarts);
}

static void add_job_tasks(struct list *list, const struct model *model, const struct job *job)
{
    AUTO_FREE uint32_t *tasks = xcalloc(job->rec.nodes_n, sizeof(*tasks));

    job_tasks_per_node(model, job, tasks);
    add_counts(list, "SLURM_TASKS_PER_NODE", tasks, job->rec.nodes_n);
}

/* Where the script runs; a step counts all cpus that it may use, a script those that have tasks. */
static void add_script_cpus(struct list *list, const struct model *model, const struct job *job)
{
    const uint32_t cpus = job->rec.nodes_n ? job_cpus_on(model, job, 0) : 0;

    if (job->rec.nodes_n)
        add(list, "SLURM_CPUS_ON_NODE", "%u", cpus ? cpus : 1);
}

static void add_batch(struct list *list, const struct model *model, const struct job *job)
{
    const struct job_spec *spec = job->rec.spec;

    add(list, "ENVIRONMENT", "BATCH");
    add_text(list, "SLURM_JOB_NAME", spec->name);
    add(list, "SLURM_NNODES", "%u", job->rec.nodes_n);
    add_text(list, "SLURM_SUBMIT_HOST", spec->submit_host);
    add_count(list, "SLURM_NTASKS", spec->ntasks);
    add_count(list, "SLURM_NPROCS", spec->ntasks);
    add_count(list, "SLURM_NTASKS_PER_NODE", spec->ntasks_per_node);
    add_count(list, "SLURM_NTASKS_PER_CORE", spec->ntasks_per_core);
    add_count(list, "SLURM_NTASKS_PER_SOCKET", spec->ntasks_per_socket);
    add_count(list, "SLURM_CPUS_PER_TASK", spec->cpus_per_task);
    add_count(list, "SLURM_THREADS_PER_CORE", spec->threads_per_core);
    add_memory(list, "SLURM_MEM_PER_NODE", spec->mem_per_node);
    add_memory(list, "SLURM_MEM_PER_CPU", spec->mem_per_cpu);
    if (spec->overcommit)
        add(list, "SLURM_OVERCOMMIT", "1");
    add_job_tasks(list, model, job);
    add_script_cpus(list, model, job);
}

/* The first address that says one; "@controller:4000" is for the node to fill in. */
static const char *srun_address(const struct step_spec *spec)
{
    for (uint32_t i = 0; i < spec->io_addresses_n; i++) {
        if (spec->io_addresses[i][0] != '@')
            return spec->io_addresses[i];
    }
    return NULL;
}

static void add_srun(struct list *list, const struct step_spec *spec)
{
    const char *address = srun_address(spec);
    const char *colon = address ? strrchr(address, ':') : NULL;

    if (!colon)
        return;
    add(list, "SLURM_SRUN_COMM_HOST", "%.*s", (int)(colon - address), address);
    add(list, "SLURM_SRUN_COMM_PORT", "%s", colon + 1);
    add(list, "SLURM_STEP_LAUNCHER_PORT", "%s", colon + 1);
}

static void add_step_tasks(struct list *list, const struct step *step)
{
    AUTO_FREE uint32_t *tasks = xcalloc(step->rec.nodes_n, sizeof(*tasks));

    for (uint32_t i = 0; i < step->rec.nodes_n; i++)
        tasks[i] = step->rec.nodes[i].tasks_n;
    add_counts(list, "SLURM_STEP_TASKS_PER_NODE", tasks, step->rec.nodes_n);
    add_counts(list, "SLURM_TASKS_PER_NODE", tasks, step->rec.nodes_n);
}

static void add_step_size(struct list *list, const struct step_record *rec)
{
    add(list, "SLURM_NNODES", "%u", rec->nodes_n);
    add(list, "SLURM_NTASKS", "%u", rec->ntasks);
    add(list, "SLURM_NPROCS", "%u", rec->ntasks);
}

/* Inside a job, how tasks are dealt is told also where nobody said it; -m is told by srun. */
static void add_distribution(struct list *list, const struct step *step)
{
    const struct step_record *rec = &step->rec;

    if (step_stream(step) != COUNT_UNSET && rec->spec->distribution == DISTRIBUTION_DEFAULT)
        add(list, "SLURM_DISTRIBUTION", "%s", rec->ntasks <= rec->nodes_n ? "cyclic" : "block");
}

/* Inside a job the client's environment already tells the job's name and memory. */
static void add_step(struct list *list, const struct step *step)
{
    const struct step_record *rec = &step->rec;
    const struct step_spec *spec = rec->spec;

    if (step_stream(step) == COUNT_UNSET)
        add_text(list, "SLURM_JOB_NAME", step->job->rec.spec->name);
    if (!spec->preserve_env)
        add_step_size(list, rec);
    add(list, "SLURM_STEPID", "%u", rec->step_id);
    add(list, "SLURM_STEP_ID", "%u", rec->step_id);
    add_text(list, "SLURM_STEP_NODELIST", rec->node_list);
    add(list, "SLURM_STEP_NUM_NODES", "%u", rec->nodes_n);
    add(list, "SLURM_STEP_NUM_TASKS", "%u", rec->ntasks);
    add_count(list, "SLURM_CPUS_PER_TASK", spec->cpus_per_task);
    add_count(list, "SLURM_NTASKS_PER_NODE", spec->ntasks_per_node);
    add_memory(list, "SLURM_MEM_PER_NODE", spec->mem_per_node);
    add_memory(list, "SLURM_MEM_PER_CPU", spec->mem_per_cpu);
    add_step_tasks(list, step);
    add_distribution(list, step);
    add_srun(list, spec);
}

void jobenv_make(const struct model *model, const struct step *step, char ***ret_strings,
                 uint32_t *ret_n)
{
    struct list list = { 0 };

    add_job(&list, model, step->job);
    if (step->rec.spec)
        add_step(&list, step);
    else
        add_batch(&list, model, step->job);
    *ret_strings = list.strings;
    *ret_n = list.n;
}

/* enum gpu_env of a device. */
static uint32_t gpu_env_of(const struct node *node, const char *name, uint32_t index)
{
    struct gres_device device;

    return node && gres_find_device(node->conf, name, index, &device)
               ? node->conf->devices[device.row].gpu_env
               : 0;
}

/* "0,2": the job's GPUs on this node, as root sees them; its tasks may count them otherwise. */
static void add_gpus(struct list *list, const struct model *model, const struct job_node *place)
{
    const struct node *node = model_find_node(model, place->name);
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t env = 0;

    for (uint32_t i = 0; i < place->gres_n; i++) {
        const struct job_gres *gres = &place->gres[i];

        for (uint32_t k = 0; strcmp(gres->name, "gpu") == 0 && k < gres->devices_n; k++) {
            strbuf_addf(&text, "%s%u", text.len ? "," : "", gres->devices[k]);
            env |= gpu_env_of(node, gres->name, gres->devices[k]);
        }
    }
    if (text.len)
        add(list, "SLURM_JOB_GPUS", "%s", strbuf_text(&text));
    for (uint32_t i = 0; i < GPU_ENV_N; i++) {
        if (env & (1u << i))
            add(list, gpu_env_name(i), "%s", strbuf_text(&text));
    }
}

static void add_streams(struct list *list, const struct job_record *rec)
{
    const struct job_spec *spec = rec->spec;

    if (spec->kind != JOB_KIND_BATCH)
        return;
    add_text(list, "SLURM_JOB_STDIN", spec->std_in ? spec->std_in : "/dev/null");
    add_text(list, "SLURM_JOB_STDOUT", spec->std_out ? spec->std_out : job_usual_output(rec));
    add_text(list, "SLURM_JOB_STDERR", spec->std_err);
}

/* What programs of the administrator are told, wherever they run. */
static void add_hook(struct list *list, const struct model *model, const struct job *job)
{
    const struct job_record *rec = &job->rec;

    add_text(list, "SLURM_CLUSTER_NAME", model->config.cluster_name);
    add(list, "SLURM_JOB_ID", "%u", rec->id);
    add(list, "SLURM_JOBID", "%u", rec->id);
    add_array(list, rec);
    add(list, "SLURM_JOB_UID", "%u", rec->uid);
    add(list, "SLURM_UID", "%u", rec->uid);
    add(list, "SLURM_JOB_GID", "%u", rec->gid);
    add_text(list, "SLURM_JOB_USER", rec->user_name);
    add_text(list, "SLURM_JOB_GROUP", rec->group_name);
    add_text(list, "SLURM_JOB_NAME", rec->spec->name);
    add_text(list, "SLURM_JOB_ACCOUNT", rec->spec->account);
    add_text(list, "SLURM_JOB_PARTITION", rec->partition);
    add_text(list, "SLURM_JOB_CONSTRAINTS", rec->spec->features);
    add_text(list, "SLURM_JOB_COMMENT", rec->spec->comment);
    add_text(list, "SLURM_JOB_EXTRA", rec->spec->extra);
    add_text(list, "SLURM_JOB_LICENSES", rec->spec->licenses);
    add_text(list, "SLURM_JOB_OVERSUBSCRIBE", job_share_name(rec->spec->share));
    add_text(list, "SLURM_JOB_RESERVATION", rec->spec->reservation);
    add_text(list, "SLURM_WCKEY", rec->spec->wckey);
    add_text(list, "SLURM_JOB_WORK_DIR", rec->spec->work_dir);
    add_text(list, "SLURM_JOB_NODELIST", rec->node_list);
    add_text(list, "SLURM_NODELIST", rec->node_list);
    add(list, "SLURM_JOB_NUM_NODES", "%u", rec->nodes_n);
    add(list, "SLURM_JOB_RESTART_COUNT", "%u", rec->restarts);
    add_count(list, "SLURM_NTASKS", rec->spec->ntasks);
    add(list, "SLURM_JOB_START_TIME", "%" PRId64, rec->start_time);
    add_job_cpus(list, model, job);
    add_streams(list, rec);
}

/* A wait status as the command line tools show it. */
static void add_exit(struct list *list, int32_t status)
{
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    add(list, "SLURM_JOB_EXIT_CODE", "%d", status);
    add(list, "SLURM_JOB_EXIT_CODE2", "%d:%d", code, signal);
}

/* While the job runs, when it will have to end; then, when and how it did. */
static void add_end(struct list *list, const struct job_record *rec, enum job_program kind)
{
    if (rec->end_time)
        add(list, "SLURM_JOB_END_TIME", "%" PRId64, rec->end_time);
    else if (rec->spec->time_limit >= 0)
        add(list, "SLURM_JOB_END_TIME", "%" PRId64, rec->start_time + rec->spec->time_limit);
    if (kind != JOB_PROGRAM_EPILOG)
        return;
    add_exit(list, rec->exit_status);
    add(list, "SLURM_JOB_DERIVED_EC", "%d", rec->derived_status);
}

void jobenv_make_hook(const struct model *model, const struct job *job,
                      const struct job_node *place, enum job_program kind, char ***ret,
                      uint32_t *ret_n)
{
    struct list list = { 0 };

    add_hook(&list, model, job);
    add_end(&list, &job->rec, kind);
    add_gpus(&list, model, place);
    *ret = list.strings;
    *ret_n = list.n;
}

void jobenv_make_program(const struct model *model, const struct job *job, enum job_program kind,
                         char ***ret, uint32_t *ret_n)
{
    struct list list = { 0 };

    add_hook(&list, model, job);
    add_text(&list, "SLURM_CONF", model->config.conf_path);
    add_end(&list, &job->rec, kind);
    add_text(&list, "SLURM_SCRIPT_CONTEXT",
             kind == JOB_PROGRAM_PROLOG ? "prolog_slurmctld" : "epilog_slurmctld");
    *ret = list.strings;
    *ret_n = list.n;
}
