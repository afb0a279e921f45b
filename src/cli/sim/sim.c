#include "cli/sim/sim.h"

#include <libgen.h>
#include <string.h>

#include "cli/lib/flags.h"
#include "cli/sim/live.h"
#include "cli/sim/output.h"
#include "cli/sim/report.h"
#include "cli/sim/story.h"
#include "cli/sim/task.h"
#include "ctld/sim/gantt.h"

struct options {
    const char *policy, *compare, *conf, *estimate, *procs, *queues, *claims, *starts, *gantt,
        *user_limit;
    struct live_options live;
    bool json, check, from_live;
};

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "add", 0, FLAG_TEXT, AT(live.add), "OPTIONS", NULL, "with --from-live: and if this job, as for sbatch, were submitted now?" },
    { "check", 0, FLAG_SET, AT(check), NULL, NULL, "of a scenario: say only whether all came as it expects" },
    { "claims", 0, FLAG_TEXT, AT(claims), "N", NULL, "give each job of a trace so many claims of pools that never run out" },
    { "compare", 0, FLAG_TEXT, AT(compare), "OTHER", NULL, "run the trace under this policy, or slurm.conf, too" },
    { "conf", 0, FLAG_TEXT, AT(conf), "FILE", NULL, "run the trace on the cluster of this slurm.conf, by its rules" },
    { "drain", 0, FLAG_TEXT, AT(live.drain), "NODES", NULL, "with --from-live: and if these nodes were drained now?" },
    { "estimate", 0, FLAG_TEXT, AT(estimate), "WHAT", NULL, "plan by what jobs request, or by their true runtime" },
    { "from-live", 0, FLAG_SET, AT(from_live), NULL, NULL, "when do the jobs of the running cluster start?" },
    { "gantt", 0, FLAG_TEXT, AT(gantt), "FILE", NULL, "draw which job was where and when (SVG); needs nodes, so --conf or a scenario" },
    { "json", 0, FLAG_SET, AT(json), NULL, NULL, "print what the table tells, and every digit of it, as JSON" },
    { "policy", 0, FLAG_TEXT, AT(policy), "POLICY", NULL, "fcfs, easy, sjbf, plan or default, on a machine of equal processors" },
    { "procs", 0, FLAG_TEXT, AT(procs), "N", NULL, "size of that machine; else MaxProcs of the trace" },
    { "queues", 0, FLAG_TEXT, AT(queues), "N=PART,...", NULL, "partitions for queues of the trace; else the default one" },
    { "starts", 0, FLAG_TEXT, AT(starts), "FILE", NULL, "write 'id start' of each job there; - is standard output, without the table" },
    { "time", 0, FLAG_TEXT, AT(live.time), "TIME", NULL, "with --from-live: look no further, as for sbatch --time" },
    { "user-limit", 0, FLAG_TEXT, AT(user_limit), "N", NULL, "let each user of a trace hold so many processors at one time" },
    FLAGS_COMMON,
};
/* clang-format on */

static const struct flag_table table = {
    .purpose = "Runs jobs through the scheduler with a virtual clock: those of a trace (Standard "
               "Workload\nFormat, gzip too), of a scenario, or of the running cluster.",
    .operands = "TRACE | SCENARIO.scn | --from-live",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

static int read_task(const struct options *options, const char **operands, uint32_t operands_n,
                     struct task *ret, struct err *err)
{
    if (operands_n == 0)
        return err_set(err, EINVAL, "which trace? see `sluice sim --help`");
    if (operands_n > 1)
        return err_set(err, EINVAL, "one trace at a time: '%s' is a second", operands[1]);
    return task_read(
        &(struct task_options){
            .trace = operands[0],
            .policy = options->policy,
            .conf = options->conf,
            .compare = options->compare,
            .estimate = options->estimate,
            .procs = options->procs,
            .queues = options->queues,
            .claims = options->claims,
            .user_limit = options->user_limit,
        },
        ret, err);
}

static int write_starts(const char *path, const struct task *task, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    report_starts(&task->runs[0].workload, &text);
    return output_write(path, &text, err);
}

static int write_gantt(const char *path, const struct task_run *run, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(words) struct words names = { 0 };
    int rc;

    if (!run->world)
        return err_set(err, EINVAL,
                       "--gantt: a machine of equal processors has no nodes to draw: say --conf");
    for (uint32_t i = 0; i < run->workload.jobs_n; i++)
        *ARRAY_PUSH(names.at, names.n) = xasprintf("%lld", (long long)run->workload.jobs[i].number);
    rc = gantt_draw(run->world, names.at, &text, err);
    return rc < 0 ? err_prefix(err, "--gantt") : output_write(path, &text, err);
}

static int write_report(const struct options *options, const struct task *task, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *path = xstrdup(task->trace);
    struct report_run runs[TASK_RUNS_MAX];

    for (uint32_t i = 0; i < task->runs_n; i++)
        runs[i] = (struct report_run){
            .title = task->runs[i].title,
            .estimate = task->estimate == SIM_ESTIMATE_REQUEST ? "request" : "runtime",
            .workload = &task->runs[i].workload,
            .passes_n = task->runs[i].passes_n,
        };
    if (options->json)
        report_json(basename(path), runs, task->runs_n, &text);
    else
        report_table(basename(path), runs, task->runs_n, &text);
    return output_write("-", &text, err);
}

static int report(const struct options *options, const struct task *task, struct err *err)
{
    int rc = 0;

    if (options->starts)
        rc = write_starts(options->starts, task, err);
    if (rc == 0 && options->gantt)
        rc = write_gantt(options->gantt, &task->runs[0], err);
    if (rc == 0 && !(options->starts && strcmp(options->starts, "-") == 0))
        rc = write_report(options, task, err);
    return rc;
}

static int run_trace(const struct options *options, const char **operands, uint32_t operands_n,
                     struct log *log)
{
    AUTO(task) struct task task = { 0 };
    struct err err = { 0 };

    if (read_task(options, operands, operands_n, &task, &err) < 0 ||
        task_run(&task, log, &err) < 0 || report(options, &task, &err) < 0) {
        log_error(log, "%s", err.text);
        return 1;
    }
    return 0;
}

int sluice_sim(int argc, char **argv, struct log *log)
{
    const struct command command = { .name = "sluice sim", .log = log };
    AUTO_FREE const char **operands = NULL;
    uint32_t operands_n = 0;
    struct options options = { 0 };
    int status = flags_read(&table, &command, argc, argv, &options, &operands, &operands_n);

    if (status >= 0)
        return status;
    if (options.from_live && operands_n) {
        log_error(log, "--from-live takes the jobs of the running cluster, not '%s'", operands[0]);
        return 1;
    }
    if (options.from_live)
        return live_run(&options.live, log);
    if (options.live.add || options.live.drain || options.live.time) {
        log_error(
            log, "--add, --drain and --time are questions to the running cluster: say --from-live");
        return 1;
    }
    if (operands_n == 1 && (options.check || story_is_one(operands[0])))
        return story_run(operands[0], options.check, options.gantt, log);
    return run_trace(&options, operands, operands_n, log);
}
