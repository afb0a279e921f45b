#include "cli/submit/option_table.h"

#include <errno.h>
#include <string.h>

#include "common/text/words.h"

const char *submit_command_name(enum submit_command command)
{
    return command == SUBMIT_SBATCH ? "sbatch" : command == SUBMIT_SRUN ? "srun" : "salloc";
}

void submit_options_init(struct submit_options *options, enum submit_command command)
{
    memset(options, 0, sizeof(*options));
    job_spec_init(&options->job);
    job_body_init(&options->body);
    options->command = command;
    options->from = xcalloc(OPTIONS_MAX, sizeof(*options->from));
    options->given = xcalloc(OPTIONS_MAX, sizeof(*options->given));
    options->immediate_s = COUNT_UNSET;
    options->uid = options->gid = options->user_gid = COUNT_UNSET;
    options->wait_s = COUNT_UNSET;
    options->relative = COUNT_UNSET;
    options->job_id = COUNT_UNSET;
    options->kill_command = COUNT_UNSET;
}

void submit_options_clear(struct submit_options *options)
{
    job_spec_clear(&options->job);
    job_body_clear(&options->body);
    free(options->cwd);
    free(options->from);
    for (uint32_t i = 0; options->given && i < OPTIONS_MAX; i++)
        free(options->given[i]);
    free(options->given);
    strbuf_clear(&options->warnings);
    free(options->clusters);
    free(options->export);
    free(options->propagate);
    free(options->distribution);
    free(options->hint);
    free(options->gres);
    free(options->gpus);
    cpu_bind_clear(&options->cpu_bind);
    mem_bind_clear(&options->mem_bind);
    free(options->step_gpu_bind);
    free(options->gpus_per_node);
    free(options->gpus_per_socket);
    free(options->gpus_per_task);
    free(options->acctg_freq);
    free(options->cpu_freq);
    free(options->gpu_bind);
    free(options->gpu_freq);
    free(options->profile);
    free(options->wrap);
    free(options->script_head);
    free(options->export_file);
    free(options->get_user_env);
    free(options->mpi);
    free(options->bcast);
    free(options->compress);
    free(options->send_libs);
    free(options->prolog);
    free(options->epilog);
    free(options->task_prolog);
    free(options->task_epilog);
    free(options->user_name);
    free(options->host_file);
    free(options->listed_hosts);
    memset(options, 0, sizeof(*options));
}

void submit_options_auto_(struct submit_options *options)
{
    submit_options_clear(options);
}

const struct option_row *option_row_find(enum submit_command command, const char *name)
{
    for (uint32_t i = 0; i < option_rows_n; i++) {
        if ((option_rows[i].commands & command) && strcmp(option_rows[i].name, name) == 0)
            return &option_rows[i];
    }
    return NULL;
}

static size_t row_number(const struct option_row *row)
{
    return (size_t)(row - option_rows);
}

/* Returns the row that an alias stands for, or the row itself. */
static const struct option_row *real_row(enum submit_command command, const struct option_row *row)
{
    return row->set ? row : option_row_find(command, row->value);
}

/* Returns the highest source that has set the row's member, by this or another option. */
static enum option_source member_source(const struct submit_options *options,
                                        const struct option_row *row)
{
    enum option_source source = options->from[row_number(row)];

    for (uint32_t i = 0; row->at != NO_MEMBER && i < option_rows_n; i++) {
        if (option_rows[i].at == row->at && options->from[i] > source)
            source = options->from[i];
    }
    return source;
}

static int apply(struct submit_options *options, enum option_source source,
                 const struct option_row *row, const char *value, struct err *err)
{
    int rc;

    if (member_source(options, row) > source)
        return 0;
    options->source = (uint8_t)source;
    rc = row->set(options, row, value, err);
    if (rc < 0)
        return rc;
    if (row->effect == OPTION_REFUSED)
        return err_set(err, ERANGE, "--%s is not supported by this version: %s", row->name,
                       row->help);
    if (row->effect == OPTION_NOTED && options->from[row_number(row)] == FROM_NOWHERE)
        strbuf_addf(&options->warnings, "warning: --%s has no effect: %s\n", row->name, row->help);
    options->from[row_number(row)] = (uint8_t)source;
    xstrset(&options->given[row_number(row)], value);
    return 0;
}

/*
 * Makes the rows of one command as args.h wants them; ids are row numbers, an alias has its
 * option's.
 */
static uint32_t make_arg_options(enum submit_command command, struct arg_option *ret_options)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < option_rows_n; i++) {
        const struct option_row *row = &option_rows[i];

        if (row->commands & command)
            ret_options[n++] = (struct arg_option){ row->name, row->letter, row->need,
                                                    (int)row_number(real_row(command, row)) };
    }
    return n;
}

int submit_options_parse(struct submit_options *options, enum option_source source, int argc,
                         char *const *argv, int *ret_operand, struct err *err)
{
    struct arg_option table[OPTIONS_MAX];
    uint32_t n = make_arg_options(options->command, table);
    struct arg_reader reader = {
        .options = table, .options_n = n, .argv = argv, .argc = argc, .at = 1
    };
    const char *value;
    int id, rc;

    while ((rc = arg_next(&reader, &id, &value, err)) > 0) {
        rc = apply(options, source, &option_rows[id], value, err);
        if (rc < 0)
            return rc;
    }
    *ret_operand = reader.at;
    return rc;
}

static const char *find_variable(char *const *environment, const char *name)
{
    size_t n = strlen(name);

    for (char *const *at = environment; at && *at; at++) {
        if (**at == *name && strncmp(*at, name, n) == 0 && (*at)[n] == '=')
            return *at + n + 1;
    }
    return NULL;
}

static int apply_variable(struct submit_options *options, const struct option_variable *variable,
                          const char *value, struct err *err)
{
    const struct option_row *row = option_row_find(options->command, variable->option);
    struct err why = { 0 };
    int rc;

    if (row->need == ARG_REQUIRED && !*value)
        return 0;
    if (row->need == ARG_NONE && (word_is(value, "0") || word_is(value, "no")))
        return 0;
    /* A batch job's own variables are srun's input: nobody asked srun for anything. */
    if (row->effect == OPTION_NOTED && options->command == SUBMIT_SRUN)
        return 0;
    if ((row->need == ARG_NONE && row->set != option_set_more) || !*value)
        value = NULL;
    rc = apply(options, FROM_ENVIRONMENT, row, value, &why);
    if (rc < 0)
        return err_set(err, why.code, "%s (from %s)", why.text, variable->name);
    return 0;
}

/*
 * Returns a variable's value; in a job whose tasks are dealt by plane, "plane" stands apart from
 * its size.
 */
static char *read_variable(char *const *environment, const char *name)
{
    const char *value = find_variable(environment, name);
    const char *size = NULL;

    if (value && strcmp(name, "SLURM_DISTRIBUTION") == 0 && word_is(value, "plane"))
        size = find_variable(environment, "SLURM_DIST_PLANESIZE");
    return size ? xasprintf("plane=%s", size) : xstrdup(value);
}

int submit_options_from_env(struct submit_options *options, char *const *environment,
                            struct err *err)
{
    for (uint32_t i = 0; i < option_variables_n; i++) {
        const struct option_variable *variable = &option_variables[i];
        AUTO_FREE char *value = NULL;
        int rc = 0;

        if (variable->commands & options->command)
            value = read_variable(environment, variable->name);
        if (value)
            rc = apply_variable(options, variable, value, err);
        if (rc < 0)
            return rc;
    }
    xstrset(&options->host_file, find_variable(environment, "SLURM_HOSTFILE"));
    if (options->command == SUBMIT_SRUN)
        xstrset(&options->listed_hosts, find_variable(environment, "SLURM_ARBITRARY_NODELIST"));
    return 0;
}

void submit_options_forget(struct submit_options *options, const char *name)
{
    options->from[row_number(option_row_find(options->command, name))] = FROM_NOWHERE;
}

enum option_source submit_options_source(const struct submit_options *options, const char *name)
{
    return options->from[row_number(option_row_find(options->command, name))];
}

/* Checks memory; of several ways to say one thing the one from the highest source stays. */
static int check_memory(struct submit_options *options, struct err *err)
{
    uint64_t *const members[] = { &options->job.mem_per_node, &options->job.mem_per_cpu,
                                  &options->job.mem_per_gpu };
    const enum option_source from[] = { submit_options_source(options, "mem"),
                                        submit_options_source(options, "mem-per-cpu"),
                                        submit_options_source(options, "mem-per-gpu") };
    size_t best = 0;

    for (size_t i = 1; i < ARRAY_N(from); i++)
        if (from[i] > from[best])
            best = i;
    for (size_t i = 0; i < ARRAY_N(from); i++) {
        if (i == best || from[i] == FROM_NOWHERE)
            continue;
        if (from[i] == from[best])
            return err_set(err, ERANGE,
                           "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
        *members[i] = MB_UNSET;
    }
    return 0;
}

/*
 * Checks special cores; one option may come from the environment: it gives way to what is said
 * nearer to the job.
 */
static int check_special_cores(struct submit_options *options, struct err *err)
{
    const enum option_source cores = submit_options_source(options, "core-spec");
    const enum option_source threads = submit_options_source(options, "thread-spec");
    struct job_spec *job = &options->job;

    if (job->core_spec == COUNT_UNSET || job->thread_spec == COUNT_UNSET)
        return 0;
    if (cores == threads && cores == FROM_ENVIRONMENT)
        return err_set(err, ERANGE,
                       "Both --core-spec and --thread-spec set using environment variables. Those "
                       "options are mutually exclusive");
    if (cores == threads)
        return err_set(err, ERANGE,
                       "-S/--core-spec and --thread-spec options are mutually exclusive");
    if (cores > threads)
        job->thread_spec = COUNT_UNSET;
    else
        job->core_spec = COUNT_UNSET;
    return 0;
}

/* Cuts the nodes to the tasks: more nodes cannot be used. */
static void check_nodes(struct submit_options *options)
{
    struct job_spec *job = &options->job;

    if (job->ntasks == COUNT_UNSET || job->min_nodes == COUNT_UNSET)
        return;
    if (job->min_nodes > job->ntasks) {
        strbuf_addf(&options->warnings,
                    "Warning: can't run %u processes on %u nodes, setting nnodes to %u\n",
                    job->ntasks, job->min_nodes, job->ntasks);
        job->min_nodes = job->ntasks;
    }
    if (job->max_nodes != COUNT_UNSET && job->max_nodes > job->ntasks)
        job->max_nodes = job->ntasks;
}

static int check_times(const struct submit_options *options, struct err *err)
{
    const struct job_spec *job = &options->job;

    if (job->deadline && job->begin > job->deadline)
        return err_set(err, EPERM, "Incompatible begin and deadline time specification");
    return 0;
}

/* Refuses --relative with named nodes: nodes are either counted from one on, or named. */
static int check_relative(const struct submit_options *options, struct err *err)
{
    const struct job_spec *job = &options->job;

    if (options->relative == COUNT_UNSET || (!job->req_nodes && !job->exc_nodes))
        return 0;
    return err_set(err, ERANGE, "-r,--relative not allowed with -w,--nodelist or -x,--exclude.");
}

/* Refuses --exact with --whole; cpus for each task mean --exact, which then is meant. */
static int check_whole(const struct submit_options *options, struct err *err)
{
    if (options->exact && options->whole &&
        submit_options_source(options, "whole") > FROM_ENVIRONMENT)
        return err_set(err, ERANGE, "--exact and --whole are mutually exclusive.");
    return 0;
}

int submit_options_check(struct submit_options *options, struct err *err)
{
    int rc = check_memory(options, err);

    if (rc == 0)
        rc = check_relative(options, err);
    if (rc == 0)
        rc = check_whole(options, err);
    if (rc == 0)
        rc = check_special_cores(options, err);
    if (rc == 0)
        rc = check_times(options, err);
    if (rc == 0)
        rc = option_apply_listed(options, err);
    if (rc == 0)
        rc = option_apply_gres(options, err);
    if (rc < 0)
        return rc;
    option_apply_hints(options);
    option_apply_node_info(options);
    check_nodes(options);
    if (options->immediate_s != COUNT_UNSET && options->immediate_s <= 1)
        options->job.immediate = true;
    if (options->job.cpus_per_task != COUNT_UNSET)
        options->exact = true;
    if (options->pty)
        options->unbuffered = true;
    return 0;
}

int submit_err_component(const char *separator, struct err *err)
{
    return err_set(err, ERANGE,
                   "'%s' separates components of a heterogeneous job, which is not supported yet",
                   separator);
}

int submit_check_components(enum submit_command command, int argc, char *const *argv,
                            struct err *err)
{
    for (int i = 0; i < argc && (i == 0 || command == SUBMIT_SRUN); i++) {
        if (strcmp(argv[i], ":") == 0)
            return submit_err_component(":", err);
    }
    return 0;
}

int submit_exit_status(const struct err *err)
{
    return err->code == E_SYNTAX || err->code == EINVAL ? 255 : 1;
}
