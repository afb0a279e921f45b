#include "cli/submit/environment.h"

#include <ctype.h>
#include <string.h>

#include "cli/submit/options.h"
#include "common/msg/job_env.h"
#include "common/text/words.h"

static void add(struct environment *environment, char *text)
{
    environment->at = xreallocarray(environment->at, environment->n + 2, sizeof(*environment->at));
    environment->at[environment->n++] = text;
    environment->at[environment->n] = NULL;
}

void environment_clear(struct environment *environment)
{
    for (uint32_t i = 0; i < environment->n; i++)
        free(environment->at[i]);
    free(environment->at);
    memset(environment, 0, sizeof(*environment));
}

void environment_auto_(struct environment *environment)
{
    environment_clear(environment);
}

void environment_copy(struct environment *environment, char *const *from)
{
    for (; from && *from; from++)
        add(environment, xstrdup(*from));
}

/* Returns the variable's index, or -1; most names differ in the first letter. */
static int64_t find(const struct environment *environment, const char *name, size_t n)
{
    for (uint32_t i = 0; i < environment->n; i++) {
        const char *text = environment->at[i];

        if (text[0] == name[0] && strncmp(text, name, n) == 0 && text[n] == '=')
            return i;
    }
    return -1;
}

static void put(struct environment *environment, char *text)
{
    int64_t i = find(environment, text, strcspn(text, "="));

    if (i < 0) {
        add(environment, text);
        return;
    }
    free(environment->at[i]);
    environment->at[i] = text;
}

void environment_set(struct environment *environment, const char *name, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    strbuf_addf(&text, "%s=", name);
    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    put(environment, strbuf_steal(&text));
}

static void remove_at(struct environment *environment, uint32_t i)
{
    free(environment->at[i]);
    memmove(&environment->at[i], &environment->at[i + 1],
            (environment->n - i) * sizeof(*environment->at));
    environment->n--;
}

void environment_unset(struct environment *environment, const char *name)
{
    int64_t i = find(environment, name, strlen(name));

    if (i >= 0)
        remove_at(environment, (uint32_t)i);
}

const char *environment_get(const struct environment *environment, const char *name)
{
    size_t n = strlen(name);
    int64_t i = find(environment, name, n);

    return i < 0 ? NULL : environment->at[i] + n + 1;
}

void environment_add_missing(struct environment *environment, const struct environment *from)
{
    for (uint32_t i = 0; i < from->n; i++) {
        if (find(environment, from->at[i], strcspn(from->at[i], "=")) < 0)
            add(environment, xstrdup(from->at[i]));
    }
}

/* Returns the length of the list's first item; a comma between quotes does not end it. */
static size_t item_length(const char *spec)
{
    char quote = 0;
    size_t n = 0;

    for (; spec[n] && (quote || spec[n] != ','); n++) {
        if (spec[n] == quote)
            quote = 0;
        else if (!quote && (spec[n] == '"' || spec[n] == '\''))
            quote = spec[n];
    }
    return n;
}

static void export_item(struct environment *environment, const char *item, char *const *from)
{
    size_t n = strlen(item);

    if (strchr(item, '=')) {
        put(environment, xstrdup(item));
        return;
    }
    for (; from && *from; from++) {
        if (strncmp(*from, item, n) == 0 && (*from)[n] == '=')
            put(environment, xstrdup(*from));
    }
}

void environment_export(struct environment *environment, const char *spec, char *const *from,
                        bool *ret_login)
{
    bool all = !spec;

    for (char *const *at = from; at && *at; at++) {
        if (strncmp(*at, "SLURM_", strlen("SLURM_")) == 0)
            add(environment, xstrdup(*at));
    }
    for (const char *at = spec; at && *at; at += *at == ',') {
        AUTO_FREE char *item = xstrndup(at, item_length(at));

        at += strlen(item);
        if (word_is(item, "ALL"))
            all = true;
        else if (!word_is(item, "NONE") && !word_is(item, "NIL"))
            export_item(environment, item, from);
    }
    *ret_login = !all && !word_is(spec, "NIL");
    if (all) {
        struct environment rest = { (char **)from, 0 };

        while (from && from[rest.n])
            rest.n++;
        environment_add_missing(environment, &rest);
    }
}

void environment_leave_job(struct environment *environment)
{
    /* Names of variables, or the beginning of names when it ends in '_'. */
    static const char *const of_job[] = {
        "SLURMD_NODENAME",
        "SLURM_ARRAY_",
        "SLURM_CPUS_ON_NODE",
        "SLURM_CPUS_PER_TASK",
        "SLURM_CPU_BIND",
        "SLURM_CPU_BIND_",
        "SLURM_DISTRIBUTION",
        "SLURM_EXPORT_ENV",
        "SLURM_GET_USER_ENV",
        "SLURM_GTIDS",
        "SLURM_HET_",
        "SLURM_JOBID",
        "SLURM_JOB_",
        "SLURM_LAUNCH_NODE_IPADDR",
        "SLURM_LOCALID",
        "SLURM_MEM_PER_CPU",
        "SLURM_MEM_PER_NODE",
        "SLURM_NNODES",
        "SLURM_NODEID",
        "SLURM_NODELIST",
        "SLURM_NODE_ALIASES",
        "SLURM_NPROCS",
        "SLURM_NTASKS",
        "SLURM_NTASKS_PER_",
        "SLURM_OPEN_MODE",
        "SLURM_OVERCOMMIT",
        "SLURM_PROCID",
        "SLURM_RESTART_COUNT",
        "SLURM_SRUN_COMM_",
        "SLURM_STEPID",
        "SLURM_STEP_",
        "SLURM_TASKS_PER_NODE",
        "SLURM_TASK_PID",
        "SLURM_THREADS_PER_CORE",
        "SLURM_TOPOLOGY_ADDR",
        "SLURM_TOPOLOGY_ADDR_PATTERN",
        "SLURM_UMASK",
        "SRUN_DEBUG",
        "SLURM_DIST_PLANESIZE",
        "SLURM_OOMKILLSTEP",
        "SLURM_WORKING_CLUSTER",
    };

    if (!environment_get(environment, "SLURM_JOB_ID"))
        return;
    for (uint32_t i = environment->n; i-- > 0;) {
        size_t n = strcspn(environment->at[i], "=");

        for (size_t k = 0; k < ARRAY_N(of_job); k++) {
            size_t length = strlen(of_job[k]);

            if (strncmp(environment->at[i], of_job[k], length) == 0 &&
                (n == length || of_job[k][length - 1] == '_')) {
                remove_at(environment, i);
                break;
            }
        }
    }
}

static void add_variable(void *environment, const char *name, const char *value)
{
    environment_set(environment, name, "%s", value);
}

void environment_make(struct environment *environment, unsigned in,
                      const struct job_env_facts *facts)
{
    job_env_make(in, facts, add_variable, environment);
}

static void describe_count(struct environment *environment, const char *name, uint32_t count)
{
    if (count != COUNT_UNSET)
        environment_set(environment, name, "%u", count);
}

static void describe_text(struct environment *environment, const char *name, const char *text)
{
    if (text && text[0])
        environment_set(environment, name, "%s", text);
}

/* Describes the levels of --distribution; "*" stands for block, cyclic, and the level before. */
static void describe_levels(struct environment *environment, const char *text)
{
    static const char *const defaults[] = { "block", "cyclic" };
    AUTO(strbuf) struct strbuf levels = { 0 };
    AUTO_FREE char *before = NULL;
    size_t place = 0;

    for (text += strspn(text, ":"); *text && *text != ','; place++) {
        const size_t n = strcspn(text, ":,");
        AUTO_FREE char *word = xstrndup(text, n);

        if (strcmp(word, "*") == 0)
            xstrset(&word, place < ARRAY_N(defaults) ? defaults[place] : before);
        strbuf_addf(&levels, "%s%s", place ? ":" : "", word);
        xstrset(&before, word);
        text += n;
        text += strspn(text, ":");
    }
    strbuf_adds(&levels, text);
    for (size_t i = 0; i < levels.len; i++)
        levels.data[i] = (char)tolower((unsigned char)levels.data[i]);
    environment_set(environment, "SLURM_DISTRIBUTION", "%s", strbuf_text(&levels));
}

static void describe_place(struct environment *environment, const struct submit_options *options)
{
    const struct job_spec *job = &options->job;

    if (job->dist_nodes == DIST_PLANE) {
        environment_set(environment, "SLURM_DISTRIBUTION", "plane");
        environment_set(environment, "SLURM_DIST_PLANESIZE", "%u", job->plane_size);
    } else if (options->distribution) {
        describe_levels(environment, options->distribution);
    }
    if (job->dist_nodes == DIST_ARBITRARY)
        describe_text(environment, "SLURM_ARBITRARY_NODELIST", job->req_nodes);
    if (options->command != SUBMIT_SRUN) /* tasks have what srun itself was told by */
        describe_text(environment, "SLURM_HINT", options->hint);
}

/*
 * Describes gpus; a step without its own numbers leaves what its job's environment says, as in
 * Slurm.
 */
static void describe_gpus(struct environment *environment, const struct submit_options *options)
{
    const struct job_spec *job = &options->job;

    if (options->command == SUBMIT_SRUN) {
        describe_count(environment, "SLURM_NTASKS_PER_TRES", job->ntasks_per_gpu);
        return;
    }
    describe_text(environment, "SLURM_GPUS", options->gpus);
    describe_text(environment, "SLURM_GPUS_PER_NODE", options->gpus_per_node);
    describe_text(environment, "SLURM_GPUS_PER_SOCKET", options->gpus_per_socket);
    describe_text(environment, "SLURM_GPUS_PER_TASK", options->gpus_per_task);
    describe_count(environment, "SLURM_CPUS_PER_GPU", job->cpus_per_gpu);
    describe_count(environment, "SLURM_NTASKS_PER_GPU", job->ntasks_per_gpu);
    if (job->mem_per_gpu != MB_UNSET)
        environment_set(environment, "SLURM_MEM_PER_GPU", "%llu",
                        (unsigned long long)job->mem_per_gpu);
    describe_text(environment, "SLURM_GPU_BIND", options->gpu_bind);
    describe_text(environment, "SLURM_GPU_FREQ", options->gpu_freq);
}

/* Describes options without effect for those who read them in the job. */
static void describe_noted(struct environment *environment, const struct submit_options *options)
{
    describe_text(environment, "SLURM_ACCTG_FREQ", options->acctg_freq);
    describe_text(environment, "SLURM_CPU_FREQ_REQ", options->cpu_freq);
    describe_text(environment, "SLURM_PROFILE", options->profile);
}

/* Describes memory for an srun in the job, in the words that Slurm writes there. */
static void describe_memory_of_steps(struct environment *environment, const struct mem_bind *bind)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    strbuf_addf(&text, "%s%s%s%s%s", bind->verbose ? ",verbose" : "", bind->prefer ? ",prefer" : "",
                bind->sort ? ",sort" : "", bind->kind == MEM_BIND_UNSAID ? "" : ",",
                mem_bind_word(bind->kind));
    environment_set(environment, "SLURM_MEM_BIND", "%s%s", strbuf_text(&text) + 1,
                    bind->list ? bind->list : "");
}

static void describe_memory(struct environment *environment, const struct submit_options *options)
{
    const struct mem_bind *bind = &options->mem_bind;

    if (mem_bind_says_nothing(bind) || options->command == SUBMIT_SRUN)
        return;
    describe_memory_of_steps(environment, bind);
    if (bind->sort)
        environment_set(environment, "SLURM_MEM_BIND_SORT", "sort");
    environment_set(environment, "SLURM_MEM_BIND_VERBOSE", "%s",
                    bind->verbose ? "verbose" : "quiet");
}

/* Describes the binding; where the node binds, it says instead what came of it. */
static void describe_binding(struct environment *environment, const struct submit_options *options)
{
    const struct cpu_bind *bind = &options->cpu_bind;
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    if (options->command != SUBMIT_SRUN)
        return;
    if (!mem_bind_says_nothing(&options->mem_bind))
        facts.mem_bind = &options->mem_bind;
    if (!options->interactive && (bind->kind != CPU_BIND_UNSAID || bind->verbose))
        facts.cpu_bind = bind;
    environment_make(environment, JOB_ENV_BOUND, &facts);
}

void environment_describe(struct environment *environment, const struct submit_options *options)
{
    const struct job_spec *job = &options->job;
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    facts.spec = job;
    environment_make(environment, JOB_ENV_REQUEST, &facts);
    if (job->oom_kill != OOM_KILL_DEFAULT)
        environment_set(environment, "SLURM_OOMKILLSTEP", "%d", job->oom_kill == OOM_KILL_STEP);
    describe_place(environment, options);
    describe_gpus(environment, options);
    describe_memory(environment, options);
    describe_binding(environment, options);
    describe_noted(environment, options);
    if (options->label)
        environment_set(environment, "SLURM_LABELIO", "1");
    if (options->body.open_mode != OPEN_DEFAULT)
        environment_set(environment, "SLURM_OPEN_MODE", "%s",
                        options->body.open_mode == OPEN_APPEND ? "a" : "t");
}

int environment_encode(const struct environment *environment, struct strbuf *out, struct err *err)
{
    for (uint32_t i = 0; i < environment->n; i++) {
        strbuf_add(out, environment->at[i], strlen(environment->at[i]) + 1);
        if (out->len > BLOB_MAX)
            return err_set(err, E_TOO_BIG, "the environment is larger than %u bytes", BLOB_MAX);
    }
    return 0;
}
