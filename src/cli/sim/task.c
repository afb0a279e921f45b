#include "cli/sim/task.h"

#include <errno.h>
#include <string.h>

#include "cli/sim/conf.h"
#include "cli/sim/progress.h"
#include "cli/sim/trace.h"
#include "ctld/sim/policy.h"

void task_auto_(struct task *task)
{
    for (uint32_t i = 0; i < task->runs_n; i++) {
        workload_clear(&task->runs[i].workload);
        world_free(task->runs[i].world);
    }
    words_clear(&task->queue_words);
    free(task->queues);
}

/* ---- options ---- */

static int read_estimate(const char *text, enum sim_estimate *ret, struct err *err)
{
    if (!text || strcmp(text, "request") == 0)
        *ret = SIM_ESTIMATE_REQUEST;
    else if (strcmp(text, "runtime") == 0)
        *ret = SIM_ESTIMATE_RUNTIME;
    else
        return err_set(err, EINVAL, "--estimate: '%s' is neither request nor runtime", text);
    return 0;
}

/* Reads a count; 0: not said. */
static int read_count(const char *option, const char *text, uint64_t most, uint32_t *ret,
                      struct err *err)
{
    uint64_t number = 0;

    if (text && number_parse(text, 1, most, &number, err) < 0)
        return err_prefix(err, "%s", option);
    *ret = (uint32_t)number;
    return 0;
}

/* Reads "1=batch". */
static int read_queue(char *word, struct replay_queue *ret, struct err *err)
{
    char *equals = strchr(word, '=');
    uint64_t number;

    if (!equals || !equals[1])
        return err_set(err, EINVAL, "--queues: '%s' is not NUMBER=PARTITION", word);
    *equals = 0;
    if (number_parse(word, 0, SWF_ID_MAX, &number, err) < 0)
        return err_prefix(err, "--queues");
    *ret = (struct replay_queue){ (int64_t)number, equals + 1 };
    return 0;
}

static int read_queues(const char *text, struct task *task, struct err *err)
{
    int rc = 0;

    if (!text)
        return 0;
    if (!task->by_conf)
        return err_set(err, EINVAL, "--queues: there are no partitions without --conf");
    task->queue_words = words_split(text, ",");
    for (uint32_t i = 0; rc == 0 && i < task->queue_words.n; i++)
        rc = read_queue(task->queue_words.at[i], ARRAY_PUSH(task->queues, task->queues_n), err);
    return rc;
}

static int check_pair(const struct task_options *options, struct err *err)
{
    if (options->conf && options->policy)
        return err_set(err, EINVAL, "--policy and --conf: slurm.conf says what the policy is");
    if (options->conf && options->procs)
        return err_set(err, EINVAL, "--procs and --conf: slurm.conf says how large the cluster is");
    return 0;
}

int task_read(const struct task_options *options, struct task *ret, struct err *err)
{
    const char *first = options->policy ? options->policy : "default";
    int rc = check_pair(options, err);

    ret->trace = options->trace;
    ret->by_conf = options->conf != NULL;
    ret->runs[ret->runs_n++].title = options->conf ? options->conf : first;
    if (options->compare)
        ret->runs[ret->runs_n++].title = options->compare;
    if (rc == 0)
        rc = read_estimate(options->estimate, &ret->estimate, err);
    if (rc == 0)
        rc = read_count("--procs", options->procs, UINT32_MAX, &ret->procs, err);
    if (rc == 0)
        rc = read_count("--claims", options->claims, TRACE_CLAIMS_MAX, &ret->limits.claims_n, err);
    if (rc == 0)
        rc = read_count("--user-limit", options->user_limit, UINT32_MAX, &ret->limits.user_procs,
                        err);
    return rc == 0 ? read_queues(options->queues, ret, err) : rc;
}

/* ---- running ---- */

static void on_progress(void *ctx, uint32_t done_n, uint32_t jobs_n)
{
    progress_tell(ctx, done_n, jobs_n);
}

static int run_by_policy(const struct task *task, struct task_run *run, const struct swf *swf,
                         struct err *err)
{
    struct progress progress = progress_begin(run->title);
    struct machine_run machine = {
        .workload = &run->workload,
        .estimate = task->estimate,
        .limits = task->limits,
        .on_progress = on_progress,
        .ctx = &progress,
    };
    int rc = policy_find(run->title, &machine.policy, err);

    if (rc == 0)
        rc = workload_from_swf(swf, task->procs, &run->workload, err);
    if (rc < 0)
        return rc;
    run->passes_n = machine_run(&machine);
    progress_end(&progress);
    return 0;
}

static int run_by_conf(const struct task *task, struct task_run *run, const struct swf *swf,
                       struct log *log, struct err *err)
{
    struct progress progress = progress_begin(run->title);
    struct model_config config;
    struct replay_result result;
    const struct replay_run replay = {
        .workload = &run->workload,
        .config = &config,
        .estimate = task->estimate,
        .limits = task->limits,
        .queues = task->queues,
        .queues_n = task->queues_n,
        .on_progress = on_progress,
        .ctx = &progress,
    };
    int rc = conf_from_file(run->title, log, &config, err);

    if (rc < 0)
        return rc;
    rc = workload_from_swf(swf, replay_cpus(&config), &run->workload, err);
    if (rc < 0) {
        model_config_clear(&config);
        return rc;
    }
    rc = replay_run(&replay, &result, err);
    progress_end(&progress);
    if (rc < 0)
        return rc;
    run->world = result.world;
    run->passes_n = result.passes_n;
    if (result.refused_n)
        log_info(log, "%s: %u of %u jobs were refused; the first: %s", run->title, result.refused_n,
                 run->workload.jobs_n, result.refusal.text);
    return 0;
}

int task_run(struct task *task, struct log *log, struct err *err)
{
    AUTO(swf) struct swf swf;
    struct plan_policy policy;
    int rc = 0;

    swf_init(&swf, task->trace);
    for (uint32_t i = 0; rc == 0 && !task->by_conf && i < task->runs_n; i++)
        rc = policy_find(task->runs[i].title, &policy, err);
    if (rc == 0)
        rc = trace_read(task->trace, &swf, err);
    for (uint32_t i = 0; rc == 0 && i < task->runs_n; i++) {
        if (task->by_conf)
            rc = run_by_conf(task, &task->runs[i], &swf, log, err);
        else
            rc = run_by_policy(task, &task->runs[i], &swf, err);
    }
    return rc;
}
