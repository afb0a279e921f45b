/* option_gres.c - generic resources: --gres, --gpus and its kin, and which task sees which gpu. */
#include "cli/submit/option_table.h"

#include <errno.h>
#include <string.h>

#include "common/text/gpubind.h"
#include "common/text/gres.h"
#include "common/text/words.h"

static int err_gres(struct err *err)
{
    return err_set(err, ERANGE, "%s", err_string(E_GRES));
}

int option_set_gres(struct submit_options *options, const struct option_row *row, const char *value,
                    struct err *err)
{
    AUTO(gres) struct gres_list list = { 0 };

    if (word_is(value, "none"))
        return option_set_text(options, row, "", err);
    if (gres_parse(value, &list, NULL) < 0 || list.n == 0)
        return err_gres(err);
    return option_set_text(options, row, value, err);
}

/* Sets counts like "2" or "tesla:2,k80:1". */
int option_set_gpus(struct submit_options *options, const struct option_row *row, const char *value,
                    struct err *err)
{
    AUTO(gres) struct gres_list list = { 0 };

    if (gres_parse_of("gpu", value, &list, NULL) < 0 || list.n == 0)
        return err_gres(err);
    return option_set_text(options, row, value, err);
}

int option_set_gres_flags(struct submit_options *options, const struct option_row *row,
                          const char *value, struct err *err)
{
    if (word_is(value, "enforce-binding"))
        options->job.gres_flags = GRES_FLAG_ENFORCE_BINDING;
    else if (word_is(value, "disable-binding"))
        options->job.gres_flags = GRES_FLAG_DISABLE_BINDING;
    else
        return err_set(err, EINVAL, "Invalid --%s specification", row->name);
    return 0;
}

int option_set_gpu_bind(struct submit_options *options, const struct option_row *row,
                        const char *value, struct err *err)
{
    AUTO(gpu_bind) struct gpu_bind bind = { 0 };

    if (gpu_bind_parse(value, &bind, NULL) < 0)
        return err_set(err, EINVAL, "Invalid --%s argument: gpu:%.100s", row->name, value);
    return option_set_text(options, row, value, err);
}

/* Fills in a list from texts that were read when they were given, so they parse. As in Slurm, gpus
   of --gres count, where it names some. */
static void fill_list(char **ret, const char *gpus, const char *gres)
{
    AUTO(gres) struct gres_list of_gpus = { 0 };
    AUTO(gres) struct gres_list all = { 0 };

    if (gres_parse_of("gpu", gpus, &of_gpus, NULL) < 0 || gres_parse(gres, &all, NULL) < 0)
        return;
    if (gres_count(&all, "gpu", NULL) > 0)
        gres_clear(&of_gpus);
    gres_add_list(&all, &of_gpus);
    free(*ret);
    *ret = gres_format(&all);
}

static bool is_in_job(const struct submit_options *options)
{
    return options->command == SUBMIT_SRUN && options->job_id != COUNT_UNSET;
}

static int check_gpus(const struct submit_options *options, struct err *err)
{
    const struct job_spec *job = &options->job;

    if (job->ntasks_per_gpu != COUNT_UNSET && options->gpus_per_task)
        return err_set(err, ERANGE,
                       "--gpus-per-task is mutually exclusive with --ntasks-per-gpu and "
                       "SLURM_NTASKS_PER_GPU");
    if (job->ntasks_per_gpu != COUNT_UNSET && options->gpus_per_socket)
        return err_set(err, ERANGE,
                       "--gpus-per-socket is mutually exclusive with --ntasks-per-gpu and "
                       "SLURM_NTASKS_PER_GPU");
    if (job->ntasks_per_gpu != COUNT_UNSET && job->ntasks_per_node != COUNT_UNSET)
        return err_set(err, ERANGE,
                       "--ntasks-per-node is mutually exclusive with --ntasks-per-gpu and "
                       "SLURM_NTASKS_PER_GPU");
    if (!is_in_job(options) && job->cpus_per_gpu != COUNT_UNSET &&
        job->cpus_per_task != COUNT_UNSET)
        return err_set(err, ERANGE, "--cpus-per-gpu is mutually exclusive with --cpus-per-task");
    return 0;
}

/*
 * Checks the gpus of a step: who says how many tasks there are and how many a gpu has must mean
 * whole gpus.
 */
static int check_step_gpus(const struct submit_options *options, struct err *err)
{
    const struct job_spec *job = &options->job;
    const uint32_t each = job->ntasks_per_gpu;

    if (!is_in_job(options) || each == COUNT_UNSET || each == 0 || job->ntasks == COUNT_UNSET ||
        submit_options_source(options, "ntasks-per-gpu") != FROM_COMMAND_LINE ||
        submit_options_source(options, "ntasks") != FROM_COMMAND_LINE || job->ntasks % each == 0)
        return 0;
    return err_gres(err);
}

bool submit_asks_gres(const struct submit_options *options)
{
    const char *const asked[] = { options->gres, options->gpus, options->gpus_per_node,
                                  options->gpus_per_socket, options->gpus_per_task };

    for (size_t i = 0; i < ARRAY_N(asked); i++)
        if (asked[i] && asked[i][0])
            return true;
    return false;
}

/*
 * Forgets what the environment of a job repeats of what the job asked for, which a step gets
 * anyway. It must not be added to what is said on the command line.
 */
static void forget_repeated(struct submit_options *options)
{
    const struct {
        const char *name;
        char **value;
    } repeated[] = {
        { "gpus", &options->gpus },
        { "gpus-per-node", &options->gpus_per_node },
        { "gpus-per-task", &options->gpus_per_task },
    };

    for (size_t i = 0; i < ARRAY_N(repeated) && is_in_job(options); i++)
        if (submit_options_source(options, repeated[i].name) == FROM_ENVIRONMENT)
            xstrset(repeated[i].value, NULL);
}

/* Binds as Slurm: who says how many gpus a task gets, or tasks a gpu, wants them bound so. */
static void decide_binding(struct submit_options *options)
{
    AUTO(gres) struct gres_list list = { 0 };
    const uint32_t tasks = options->job.ntasks_per_gpu;
    uint64_t each;

    (void)gres_parse_of("gpu", options->gpus_per_task, &list, NULL);
    each = gres_count(&list, "gpu", NULL);
    if (options->gpu_bind)
        options->step_gpu_bind = xstrdup(options->gpu_bind);
    else if (each)
        options->step_gpu_bind = xasprintf("per_task:%llu", (unsigned long long)each);
    else if (tasks != COUNT_UNSET)
        options->step_gpu_bind = xasprintf("single:%u", tasks);
}

int option_apply_gres(struct submit_options *options, struct err *err)
{
    struct job_spec *job = &options->job;
    int rc = check_gpus(options, err);

    if (rc == 0)
        rc = check_step_gpus(options, err);
    if (rc < 0)
        return rc;
    decide_binding(options);
    xstrset(&job->gpu_bind, options->gpu_bind);
    xstrset(&job->gpu_freq, options->gpu_freq);
    options->no_gres = options->gres && !options->gres[0];
    forget_repeated(options);
    fill_list(&job->tres_per_node, options->gpus_per_node, options->gres);
    fill_list(&job->tres_per_job, options->gpus, NULL);
    fill_list(&job->tres_per_socket, options->gpus_per_socket, NULL);
    fill_list(&job->tres_per_task, options->gpus_per_task, NULL);
    return 0;
}
