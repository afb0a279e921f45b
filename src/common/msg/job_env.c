#include "common/msg/job_env.h"

#include <inttypes.h>
#include <sys/wait.h>

#include "common/text/counts.h"
#include "common/text/tasks.h"

/*
 * Makes a variable's text. Returns false, whatever it appended, when the variable is to be left
 * out.
 */
typedef bool make_fn(const struct job_env_facts *facts, struct strbuf *out);

enum source {
    JOB_TEXT,
    JOB_NUMBER, /* uint32_t */
    JOB_TIME,   /* int64_t */
    SPEC_TEXT,
    SPEC_COUNT,
    SPEC_MB,
    BODY_TEXT,
    STEP_TEXT,
    STEP_NUMBER,
    STEP_COUNT, /* of its spec */
    STEP_MB,
    SIZE_NUMBER, /* of the step whose size is told */
    FACT_TEXT,
    FACT_COUNT,
    MADE,
};

struct row {
    const char *name;
    unsigned in; /* enum job_env */
    enum source source;
    size_t at;     /* of the member */
    make_fn *make; /* of MADE */
};

/* ---- made of several members ---- */

static bool make_counts(const struct job_env_counts *counts, struct strbuf *out)
{
    if (counts->at)
        counts_format(counts->at, counts->n, out);
    return counts->at && counts->n;
}

static bool make_job_cpus(const struct job_env_facts *facts, struct strbuf *out)
{
    return make_counts(&facts->cpus_per_node, out);
}

static bool make_tasks_per_node(const struct job_env_facts *facts, struct strbuf *out)
{
    return make_counts(&facts->tasks_per_node, out);
}

static bool make_step_tasks(const struct job_env_facts *facts, struct strbuf *out)
{
    const struct step_record *step = facts->step;
    AUTO_FREE uint32_t *tasks = xcalloc(step->nodes_n, sizeof(*tasks));

    for (uint32_t i = 0; i < step->nodes_n; i++)
        tasks[i] = step->nodes[i].tasks_n;
    counts_format(tasks, step->nodes_n, out);
    return true;
}

/* Appends the reservation that the job is in; it may have named several, or none. */
static bool make_reservation(const struct job_env_facts *facts, struct strbuf *out)
{
    const char *name = facts->job->resv_name;

    if (!name && facts->spec)
        name = facts->spec->reservation;
    strbuf_adds(out, name ? name : "");
    return out->len > 0;
}

/* Appends when the job will have to end, or when it ended. */
static bool make_end(const struct job_env_facts *facts, struct strbuf *out)
{
    const struct job_record *job = facts->job;

    if (job->end_time)
        strbuf_addi(out, job->end_time);
    else if (job->spec->time_limit >= 0)
        strbuf_addi(out, job->start_time + job->spec->time_limit);
    return out->len > 0;
}

static bool make_limit_end(const struct job_env_facts *facts, struct strbuf *out)
{
    if (facts->spec->time_limit >= 0)
        strbuf_addi(out, facts->job->start_time + facts->spec->time_limit);
    return out->len > 0;
}

static bool make_restarts(const struct job_env_facts *facts, struct strbuf *out)
{
    if (facts->job->restarts)
        strbuf_addu(out, facts->job->restarts);
    return out->len > 0;
}

static bool make_held_nodes(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_addu(out, facts->job->nodes_n);
    return facts->job->nodes_n > 0;
}

static bool make_working_cluster(const struct job_env_facts *facts, struct strbuf *out)
{
    if (facts->controller)
        strbuf_addf(out, "%s:%s:" WORKING_CLUSTER_REST, facts->cluster, facts->controller);
    return facts->controller;
}

static bool make_overcommit(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_addc(out, '1');
    return facts->spec && facts->spec->overcommit;
}

static bool make_batch(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, "BATCH");
    return facts->batch;
}

static bool make_share(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, job_share_name(facts->spec->share));
    return true;
}

static bool make_std_in(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, facts->body->std_in ? facts->body->std_in : "/dev/null");
    return facts->spec->kind == JOB_KIND_BATCH;
}

static bool make_std_out(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, facts->body->std_out ? facts->body->std_out : job_usual_output(facts->job));
    return facts->spec->kind == JOB_KIND_BATCH;
}

/* Appends the file for stderr, and returns true only when it has one of its own. */
static bool make_std_err(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, facts->body->std_err ? facts->body->std_err : "");
    return facts->spec->kind == JOB_KIND_BATCH && facts->body->std_err;
}

static bool make_status(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_addi(out, facts->job->exit_status);
    return true;
}

/* Appends the exit status as the command line tools show it. */
static bool make_exit(const struct job_env_facts *facts, struct strbuf *out)
{
    const int32_t status = facts->job->exit_status;

    strbuf_addf(out, "%d:%d", WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return true;
}

static bool make_derived(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_addi(out, facts->job->derived_status);
    return true;
}

/* ---- of an array as it was submitted, whatever has become of its tasks ---- */

struct array {
    uint32_t n, first, last, step;
};

static bool read_array(const struct job_record *job, struct array *ret)
{
    AUTO(bitset) struct bitset tasks = { 0 };
    uint32_t limit;
    int64_t first, second;

    if (!job->array_job_id ||
        tasks_parse(job->spec->array, ARRAY_TASKS_MAX, &tasks, &limit, NULL) < 0)
        return false;
    first = bitset_next(&tasks, 0);
    second = bitset_next(&tasks, (uint32_t)first + 1);
    *ret = (struct array){ .n = bitset_count(&tasks),
                           .first = (uint32_t)first,
                           .last = tasks.size - 1,
                           .step = second < 0 ? 1 : (uint32_t)(second - first) };
    return true;
}

#define ARRAY_MAKE(what, value)                                                                    \
    static bool make_array_##what(const struct job_env_facts *facts, struct strbuf *out)           \
    {                                                                                              \
        struct array array;                                                                        \
                                                                                                   \
        if (!read_array(facts->job, &array))                                                       \
            return false;                                                                          \
        strbuf_addu(out, value);                                                                   \
        return true;                                                                               \
    }
ARRAY_MAKE(job, facts->job->array_job_id)
ARRAY_MAKE(task, facts->job->array_task)
ARRAY_MAKE(count, array.n)
ARRAY_MAKE(min, array.first)
ARRAY_MAKE(max, array.last)
ARRAY_MAKE(step, array.step)

/* ---- of a task ---- */

static bool make_node_index(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_addu(out, facts->task->node_index);
    return true;
}

static bool make_topology(const struct job_env_facts *facts, struct strbuf *out)
{
    (void)facts;
    strbuf_adds(out, "node");
    return true;
}

static bool make_node_tasks(const struct job_env_facts *facts, struct strbuf *out)
{
    const struct step_node *node = facts->task->node;

    for (uint32_t i = 0; i < node->tasks_n; i++)
        strbuf_addf(out, "%s%u", i ? "," : "", node->tasks[i]);
    return true;
}

static bool make_task(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_addu(out, facts->task->node->tasks[facts->task->local]);
    return true;
}

static bool make_local_task(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_addu(out, facts->task->local);
    return true;
}

static bool make_pid(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_addi(out, facts->task->pid);
    return true;
}

/* ---- of what is bound ---- */

static bool make_cpu_bind(const struct job_env_facts *facts, struct strbuf *out)
{
    if (facts->cpu_bind)
        cpu_bind_format(facts->cpu_bind, out);
    return facts->cpu_bind;
}

static bool add_verbosity(bool verbose, struct strbuf *out)
{
    strbuf_adds(out, verbose ? "verbose" : "quiet");
    return true;
}

static bool make_cpu_verbose(const struct job_env_facts *facts, struct strbuf *out)
{
    return facts->cpu_bind && add_verbosity(facts->cpu_bind->verbose, out);
}

static bool make_cpu_type(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, facts->cpu_bind ? cpu_bind_word(facts->cpu_bind->kind) : "");
    return facts->cpu_bind;
}

static bool make_cpu_list(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, facts->cpu_bind && facts->cpu_bind->list ? facts->cpu_bind->list : "");
    return facts->cpu_bind;
}

static bool make_mem_bind(const struct job_env_facts *facts, struct strbuf *out)
{
    if (facts->mem_bind)
        mem_bind_format(facts->mem_bind, out);
    return facts->mem_bind;
}

static bool make_mem_verbose(const struct job_env_facts *facts, struct strbuf *out)
{
    return facts->mem_bind && add_verbosity(facts->mem_bind->verbose, out);
}

static bool make_mem_type(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, facts->mem_bind ? mem_bind_word(facts->mem_bind->kind) : "");
    return facts->mem_bind;
}

static bool make_mem_list(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, facts->mem_bind && facts->mem_bind->list ? facts->mem_bind->list : "");
    return facts->mem_bind;
}

static bool make_mem_prefer(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, "prefer");
    return facts->mem_bind && facts->mem_bind->prefer;
}

static bool make_mem_sort(const struct job_env_facts *facts, struct strbuf *out)
{
    strbuf_adds(out, "sort");
    return facts->mem_bind && facts->mem_bind->sort;
}

/* ---- the table ---- */

#define REQUEST   JOB_ENV_REQUEST
#define SRUN      JOB_ENV_SRUN
#define BATCH     JOB_ENV_BATCH
#define STEP      JOB_ENV_STEP
#define NODE      JOB_ENV_NODE
#define BOUND     JOB_ENV_BOUND
#define TASK      JOB_ENV_TASK
#define ALLOC     JOB_ENV_ALLOC
#define HOOK      JOB_ENV_HOOK
#define ENDED     JOB_ENV_ENDED
#define PROGRAM   JOB_ENV_PROGRAM
#define CTLD      JOB_ENV_CTLD
#define MAIL      JOB_ENV_MAIL
#define SRUN_JOB  JOB_ENV_SRUN_JOB
#define SRUN_STEP JOB_ENV_SRUN_STEP

/* RUNS are the environments of a user's programs, HOOKS those of an administrator's. */
#define RUNS  (BATCH | STEP)
#define HOOKS (HOOK | CTLD)

#define JOB(m)  offsetof(struct job_record, m), NULL
#define SPEC(m) offsetof(struct job_spec, m), NULL
#define BODY(m) offsetof(struct job_body, m), NULL
#define S(m)    offsetof(struct step_record, m), NULL
#define SS(m)   offsetof(struct step_spec, m), NULL
#define FACT(m) offsetof(struct job_env_facts, m), NULL
#define BY(f)   0, make_##f

/* clang-format off */
static const struct row rows[] = {
    { "SLURM_CLUSTER_NAME", RUNS | HOOKS | MAIL, FACT_TEXT, FACT(cluster) },

    /* whose */
    { "SLURM_JOB_ID", RUNS | ALLOC | HOOKS | MAIL, JOB_NUMBER, JOB(id) },
    { "SLURM_JOBID", RUNS | ALLOC | HOOKS | MAIL, JOB_NUMBER, JOB(id) }, /* an old name */
    { "SLURM_ARRAY_JOB_ID", RUNS | HOOKS | MAIL, MADE, BY(array_job) },
    { "SLURM_ARRAY_TASK_ID", RUNS | HOOKS | MAIL, MADE, BY(array_task) },
    { "SLURM_ARRAY_TASK_COUNT", RUNS | HOOKS | MAIL, MADE, BY(array_count) },
    { "SLURM_ARRAY_TASK_MIN", RUNS | HOOKS | MAIL, MADE, BY(array_min) },
    { "SLURM_ARRAY_TASK_MAX", RUNS | HOOKS | MAIL, MADE, BY(array_max) },
    { "SLURM_ARRAY_TASK_STEP", RUNS | HOOKS | MAIL, MADE, BY(array_step) },
    { "SLURM_JOB_UID", RUNS | HOOKS | MAIL | SRUN_JOB, JOB_NUMBER, JOB(uid) },
    { "SLURM_UID", HOOKS, JOB_NUMBER, JOB(uid) }, /* an old name */
    { "SLURM_JOB_GID", RUNS | HOOKS | MAIL | SRUN_JOB, JOB_NUMBER, JOB(gid) },
    { "SLURM_JOB_USER", RUNS | HOOKS | MAIL | SRUN_JOB, JOB_TEXT, JOB(user_name) },
    { "SLURM_JOB_GROUP", HOOKS | MAIL, JOB_TEXT, JOB(group_name) },

    /* where */
    { "SLURM_JOB_NODELIST", RUNS | ALLOC | HOOKS | MAIL | SRUN_JOB, JOB_TEXT, JOB(node_list) },
    { "SLURM_NODELIST", RUNS | ALLOC | HOOKS, JOB_TEXT, JOB(node_list) }, /* an old name */
    { "SLURM_NODELIST", SRUN_STEP, STEP_TEXT, S(node_list) },
    { "SLURM_JOB_NUM_NODES", RUNS | ALLOC | HOOKS | SRUN_JOB, JOB_NUMBER, JOB(nodes_n) },
    { "SLURM_JOB_NUM_NODES", MAIL, MADE, BY(held_nodes) },
    { "SLURM_NNODES", BATCH | ALLOC, JOB_NUMBER, JOB(nodes_n) }, /* an old name */
    { "SLURM_NNODES", STEP | SRUN_STEP, SIZE_NUMBER, S(nodes_n) },
    { "SLURM_JOB_CPUS_PER_NODE", RUNS | ALLOC | HOOKS | SRUN_JOB, MADE, BY(job_cpus) },
    { "SLURM_TASKS_PER_NODE", BATCH | ALLOC, MADE, BY(tasks_per_node) },
    { "SLURM_TASKS_PER_NODE", STEP | SRUN_STEP, MADE, BY(step_tasks) },
    { "SLURM_CPUS_ON_NODE", BATCH, FACT_COUNT, FACT(cpus_on_node) }, /* where the script runs */
    { "SLURM_JOB_GPUS", HOOK, FACT_TEXT, FACT(gpus) }, /* as root sees them */
    { "SLURM_JOB_PARTITION", RUNS | ALLOC | HOOKS | MAIL | SRUN_JOB, JOB_TEXT, JOB(partition) },
    { "SLURM_WORKING_CLUSTER", RUNS, MADE, BY(working_cluster) },

    /* what was asked */
    { "SLURM_JOB_NAME", RUNS, FACT_TEXT, FACT(name) },
    { "SLURM_JOB_NAME", HOOKS | MAIL | SRUN_JOB, SPEC_TEXT, SPEC(name) },
    { "SLURM_JOB_ACCOUNT", RUNS | ALLOC | HOOKS | MAIL | SRUN_JOB, SPEC_TEXT, SPEC(account) },
    { "SLURM_JOB_QOS", RUNS | ALLOC | SRUN_JOB, SPEC_TEXT, SPEC(qos) },
    { "SLURM_SUBMIT_HOST", BATCH, SPEC_TEXT, SPEC(submit_host) },
    { "SLURM_NTASKS", REQUEST | BATCH | HOOKS, SPEC_COUNT, SPEC(ntasks) },
    { "SLURM_NTASKS", STEP | SRUN_STEP, SIZE_NUMBER, S(ntasks) },
    { "SLURM_NPROCS", REQUEST | BATCH, SPEC_COUNT, SPEC(ntasks) }, /* an old name */
    { "SLURM_NPROCS", STEP | SRUN_STEP, SIZE_NUMBER, S(ntasks) },
    { "SLURM_NTASKS_PER_NODE", REQUEST | BATCH, SPEC_COUNT, SPEC(ntasks_per_node) },
    { "SLURM_NTASKS_PER_NODE", STEP, STEP_COUNT, SS(ntasks_per_node) },
    { "SLURM_NTASKS_PER_SOCKET", REQUEST | BATCH, SPEC_COUNT, SPEC(ntasks_per_socket) },
    { "SLURM_NTASKS_PER_CORE", REQUEST | BATCH, SPEC_COUNT, SPEC(ntasks_per_core) },
    { "SLURM_CPUS_PER_TASK", REQUEST | BATCH, SPEC_COUNT, SPEC(cpus_per_task) },
    { "SLURM_CPUS_PER_TASK", STEP, STEP_COUNT, SS(cpus_per_task) },
    { "SLURM_THREADS_PER_CORE", REQUEST | BATCH, SPEC_COUNT, SPEC(threads_per_core) },
    { "SLURM_MEM_PER_NODE", REQUEST | BATCH, SPEC_MB, SPEC(mem_per_node) },
    { "SLURM_MEM_PER_NODE", STEP, STEP_MB, SS(mem_per_node) },
    { "SLURM_MEM_PER_CPU", REQUEST | BATCH, SPEC_MB, SPEC(mem_per_cpu) },
    { "SLURM_MEM_PER_CPU", STEP, STEP_MB, SS(mem_per_cpu) },
    { "SLURM_OVERCOMMIT", REQUEST | BATCH, MADE, BY(overcommit) },
    { "SLURM_DISTRIBUTION", STEP, FACT_TEXT, FACT(distribution) },
    { "SLURM_JOB_CONSTRAINTS", HOOKS, SPEC_TEXT, SPEC(features) },
    { "SLURM_JOB_COMMENT", HOOKS, SPEC_TEXT, SPEC(comment) },
    { "SLURM_JOB_EXTRA", HOOKS, SPEC_TEXT, SPEC(extra) },
    { "SLURM_JOB_LICENSES", HOOKS, SPEC_TEXT, SPEC(licenses) },
    { "SLURM_JOB_OVERSUBSCRIBE", HOOKS, MADE, BY(share) },
    { "SLURM_JOB_RESERVATION", RUNS | ALLOC, MADE, BY(reservation) },
    { "SLURM_JOB_RESERVATION", HOOKS, SPEC_TEXT, SPEC(reservation) },
    { "SLURM_WCKEY", HOOKS, SPEC_TEXT, SPEC(wckey) },
    { "SLURM_JOB_WORK_DIR", HOOKS | MAIL, BODY_TEXT, BODY(work_dir) },
    { "SLURM_JOB_STDIN", HOOKS, MADE, BY(std_in) },
    { "SLURM_JOB_STDOUT", HOOKS, MADE, BY(std_out) },
    { "SLURM_JOB_STDERR", HOOKS, MADE, BY(std_err) },

    /* when, and how it went */
    { "SLURM_JOB_START_TIME", RUNS | HOOKS, JOB_TIME, JOB(start_time) },
    { "SLURM_JOB_END_TIME", RUNS, MADE, BY(limit_end) },
    { "SLURM_JOB_END_TIME", HOOKS, MADE, BY(end) },
    { "SLURM_RESTART_COUNT", RUNS, MADE, BY(restarts) },
    { "SLURM_JOB_RESTART_COUNT", HOOKS | MAIL, JOB_NUMBER, JOB(restarts) },
    { "SLURM_JOB_EXIT_CODE", ENDED, MADE, BY(status) },
    { "SLURM_JOB_EXIT_CODE2", ENDED, MADE, BY(exit) },
    { "SLURM_JOB_DERIVED_EC", ENDED, MADE, BY(derived) },

    /* of a step */
    { "SLURM_JOB_ID", SRUN_STEP, STEP_NUMBER, S(job_id) },
    { "SLURM_JOBID", SRUN_STEP, STEP_NUMBER, S(job_id) }, /* an old name */
    { "SLURM_STEP_ID", STEP | SRUN_STEP, STEP_NUMBER, S(step_id) },
    { "SLURM_STEPID", STEP | SRUN_STEP, STEP_NUMBER, S(step_id) }, /* an old name */
    { "SLURM_STEP_NODELIST", STEP | SRUN_STEP, STEP_TEXT, S(node_list) },
    { "SLURM_STEP_NUM_NODES", STEP | SRUN_STEP, STEP_NUMBER, S(nodes_n) },
    { "SLURM_STEP_NUM_TASKS", STEP | SRUN_STEP, STEP_NUMBER, S(ntasks) },
    { "SLURM_STEP_TASKS_PER_NODE", STEP | SRUN_STEP, MADE, BY(step_tasks) },

    /* of a node */
    { "SLURMD_NODENAME", NODE | PROGRAM, FACT_TEXT, FACT(node) },
    { "SLURM_NODEID", NODE, MADE, BY(node_index) },
    { "SLURM_CPUS_ON_NODE", NODE, FACT_COUNT, FACT(cpus_on_node) },
    { "SLURM_TOPOLOGY_ADDR", NODE, FACT_TEXT, FACT(node) },
    { "SLURM_TOPOLOGY_ADDR_PATTERN", NODE, MADE, BY(topology) },
    { "SLURM_LAUNCH_NODE_IPADDR", SRUN | NODE, FACT_TEXT, FACT(launcher_host) },
    { "SLURM_SRUN_COMM_HOST", SRUN | STEP | NODE, FACT_TEXT, FACT(launcher_host) },
    { "SLURM_SRUN_COMM_PORT", SRUN | STEP | NODE, FACT_TEXT, FACT(launcher_port) },
    { "SLURM_STEP_LAUNCHER_PORT", SRUN | STEP | NODE, FACT_TEXT, FACT(launcher_port) },
    { "HOSTNAME", NODE, FACT_TEXT, FACT(batch) },
    { "ENVIRONMENT", BATCH | NODE, MADE, BY(batch) },
    { "SLURM_CONF", RUNS | NODE | CTLD | PROGRAM, FACT_TEXT, FACT(conf_path) },
    { "SLURM_SCRIPT_CONTEXT", CTLD | PROGRAM | SRUN_STEP, FACT_TEXT, FACT(context) },
    { "SLURM_CPU_BIND", BOUND, MADE, BY(cpu_bind) },
    { "SLURM_CPU_BIND_VERBOSE", BOUND, MADE, BY(cpu_verbose) },
    { "SLURM_CPU_BIND_TYPE", BOUND, MADE, BY(cpu_type) },
    { "SLURM_CPU_BIND_LIST", BOUND, MADE, BY(cpu_list) },
    { "SLURM_MEM_BIND", BOUND, MADE, BY(mem_bind) },
    { "SLURM_MEM_BIND_VERBOSE", BOUND, MADE, BY(mem_verbose) },
    { "SLURM_MEM_BIND_TYPE", BOUND, MADE, BY(mem_type) },
    { "SLURM_MEM_BIND_LIST", BOUND, MADE, BY(mem_list) },
    { "SLURM_MEM_BIND_PREFER", BOUND, MADE, BY(mem_prefer) },
    { "SLURM_MEM_BIND_SORT", BOUND, MADE, BY(mem_sort) },

    /* of a task */
    { "SLURM_GTIDS", TASK, MADE, BY(node_tasks) },
    { "SLURM_PROCID", TASK, MADE, BY(task) },
    { "SLURM_LOCALID", TASK, MADE, BY(local_task) },
    { "SLURM_TASK_PID", TASK, MADE, BY(pid) },
};
/* clang-format on */

/* ---- making ---- */

/* Returns the record of a source, or NULL. */
static const void *record_of(enum source source, const struct job_env_facts *facts)
{
    switch (source) {
    case JOB_TEXT:
    case JOB_NUMBER:
    case JOB_TIME:
        return facts->job;
    case SPEC_TEXT:
    case SPEC_COUNT:
    case SPEC_MB:
        return facts->spec;
    case BODY_TEXT:
        return facts->body;
    case STEP_TEXT:
    case STEP_NUMBER:
        return facts->step;
    case STEP_COUNT:
    case STEP_MB:
        return facts->step_spec;
    case SIZE_NUMBER:
        return facts->sized;
    case FACT_TEXT:
    case FACT_COUNT:
    case MADE:
        break;
    }
    return facts;
}

static bool add_text(const char *text, const char *absent, struct strbuf *out)
{
    if (!text)
        text = absent;
    strbuf_adds(out, text ? text : "");
    return text;
}

static bool make_value(const struct row *row, const struct job_env_facts *facts, struct strbuf *out)
{
    const char *record = record_of(row->source, facts);
    const void *member = record ? record + row->at : NULL;

    if (row->source == MADE)
        return row->make(facts, out);
    if (!member)
        return false;
    switch (row->source) {
    case JOB_TEXT:
    case SPEC_TEXT:
    case BODY_TEXT:
    case STEP_TEXT:
    case FACT_TEXT:
        return add_text(*(char *const *)member, facts->absent, out);
    case JOB_TIME:
        strbuf_addi(out, *(const int64_t *)member);
        return true;
    case SPEC_MB:
    case STEP_MB:
        strbuf_addu(out, *(const uint64_t *)member);
        return *(const uint64_t *)member != MB_UNSET;
    case SPEC_COUNT:
    case STEP_COUNT:
    case FACT_COUNT:
        strbuf_addu(out, *(const uint32_t *)member);
        return *(const uint32_t *)member != COUNT_UNSET;
    case JOB_NUMBER:
    case STEP_NUMBER:
    case SIZE_NUMBER:
    case MADE:
        break;
    }
    strbuf_addu(out, *(const uint32_t *)member);
    return true;
}

void job_env_make(unsigned in, const struct job_env_facts *facts, job_env_add_fn *add, void *ctx)
{
    AUTO(strbuf) struct strbuf value = { 0 };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (!(rows[i].in & in))
            continue;
        strbuf_truncate(&value, 0);
        if (make_value(&rows[i], facts, &value))
            add(ctx, rows[i].name, strbuf_text(&value));
    }
}

const char *job_env_name(size_t n, unsigned *ret_in)
{
    if (n >= ARRAY_N(rows))
        return NULL;
    *ret_in = rows[n].in;
    return rows[n].name;
}

void job_env_list_add(void *ctx, const char *name, const char *value)
{
    struct job_env_list *list = ctx;

    *ARRAY_PUSH(list->strings, list->n) = xasprintf("%s=%s", name, value);
}
