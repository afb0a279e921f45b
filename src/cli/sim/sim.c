#include "cli/sim/sim.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/flags.h"
#include "cli/sim/progress.h"
#include "cli/sim/report.h"
#include "cli/sim/story.h"
#include "cli/sim/trace.h"
#include "common/text/words.h"
#include "ctld/sim/machine.h"
#include "ctld/sim/policy.h"

struct options {
    const char *policy, *compare, *estimate, *procs, *starts;
    bool json, check;
};

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "check", 0, FLAG_SET, AT(check), NULL, NULL, "FILE is a scenario: say only whether all came as it expects" },
    { "compare", 0, FLAG_TEXT, AT(compare), "POLICY", NULL, "run the trace under this policy too, and show both" },
    { "estimate", 0, FLAG_TEXT, AT(estimate), "WHAT", NULL, "plan by what jobs request, or by their true runtime" },
    { "json", 0, FLAG_SET, AT(json), NULL, NULL, "print what the table tells, and every digit of it, as JSON" },
    { "policy", 0, FLAG_TEXT, AT(policy), "POLICY", NULL, "fcfs, easy, sjbf, plan or default" },
    { "procs", 0, FLAG_TEXT, AT(procs), "N", NULL, "size of the machine; else MaxProcs of the trace" },
    { "starts", 0, FLAG_TEXT, AT(starts), "FILE", NULL, "write 'id start' of each job there; - is standard output, without the table" },
    FLAGS_COMMON,
};
/* clang-format on */

static const struct flag_table table = {
    .purpose =
        "Runs the jobs of a trace (Standard Workload Format, gzip too) through the scheduler "
        "with a virtual clock.",
    .operands = "TRACE | SCENARIO.scn",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

/* What is asked for, read and checked. */
struct task {
    const char *trace, *starts;
    bool json;
    const char *titles[2];
    struct plan_policy policies[2];
    uint32_t runs_n;
    enum sim_estimate estimate;
    uint32_t procs;
};

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

static int read_procs(const char *text, uint32_t *ret, struct err *err)
{
    uint64_t number = 0;

    if (text && number_parse(text, 1, UINT32_MAX, &number, err) < 0)
        return err_prefix(err, "--procs");
    *ret = (uint32_t)number;
    return 0;
}

static int add_policy(const char *name, struct task *task, struct err *err)
{
    task->titles[task->runs_n] = name;
    return policy_find(name, &task->policies[task->runs_n++], err);
}

static int read_task(const struct options *options, const char **operands, uint32_t operands_n,
                     struct task *ret, struct err *err)
{
    int rc;

    if (operands_n == 0)
        return err_set(err, EINVAL, "which trace? see `sluice sim --help`");
    if (operands_n > 1)
        return err_set(err, EINVAL, "one trace at a time: '%s' is a second", operands[1]);
    *ret = (struct task){ .trace = operands[0], .starts = options->starts, .json = options->json };
    rc = add_policy(options->policy ? options->policy : "default", ret, err);
    if (rc == 0 && options->compare)
        rc = add_policy(options->compare, ret, err);
    if (rc == 0)
        rc = read_estimate(options->estimate, &ret->estimate, err);
    if (rc == 0)
        rc = read_procs(options->procs, &ret->procs, err);
    return rc;
}

/* ---- running ---- */

static void on_progress(void *ctx, uint32_t ended_n, uint32_t jobs_n)
{
    progress_tell(ctx, ended_n, jobs_n);
}

static uint64_t run_one(const struct task *task, uint32_t i, struct workload *workload)
{
    struct progress progress = progress_begin(task->titles[i]);
    const struct machine_run run = {
        .workload = workload,
        .policy = task->policies[i],
        .estimate = task->estimate,
        .on_progress = on_progress,
        .ctx = &progress,
    };
    const uint64_t passes_n = machine_run(&run);

    progress_end(&progress);
    return passes_n;
}

static int write_text(const char *path, const struct strbuf *text, struct err *err)
{
    const bool is_stdout = strcmp(path, "-") == 0;
    FILE *file = is_stdout ? stdout : fopen(path, "we");
    bool failed;

    if (!file)
        return err_set(err, errno, "cannot write %s: %s", path, strerror(errno));
    failed = fwrite(strbuf_text(text), 1, text->len, file) != text->len;
    failed = (is_stdout ? fflush(file) : fclose(file)) != 0 || failed;
    return failed ? err_set(err, errno, "cannot write %s: %s", path, strerror(errno)) : 0;
}

static int report(const struct task *task, const struct report_run *runs, struct err *err)
{
    AUTO(strbuf) struct strbuf starts = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *path = xstrdup(task->trace);
    int rc = 0;

    if (task->starts) {
        report_starts(runs[0].workload, &starts);
        rc = write_text(task->starts, &starts, err);
        if (rc < 0 || strcmp(task->starts, "-") == 0)
            return rc;
    }
    if (task->json) {
        AUTO(json) struct json *json = report_json(basename(path), runs, task->runs_n);

        json_format(json, &text);
    } else {
        report_table(basename(path), runs, task->runs_n, &text);
    }
    return write_text("-", &text, err);
}

static int run_task(const struct task *task, struct err *err)
{
    AUTO(swf) struct swf swf = { 0 };
    AUTO(workload) struct workload first = { 0 };
    AUTO(workload) struct workload second = { 0 };
    struct workload *const workloads[] = { &first, &second };
    struct report_run runs[ARRAY_N(workloads)];
    int rc;

    swf_init(&swf, task->trace);
    rc = trace_read(task->trace, &swf, err);
    for (uint32_t i = 0; rc == 0 && i < task->runs_n; i++) {
        rc = workload_from_swf(&swf, task->procs, workloads[i], err);
        if (rc < 0)
            break;
        runs[i] = (struct report_run){
            .title = task->titles[i],
            .estimate = task->estimate == SIM_ESTIMATE_REQUEST ? "request" : "runtime",
            .workload = workloads[i],
            .passes_n = run_one(task, i, workloads[i]),
        };
    }
    return rc < 0 ? rc : report(task, runs, err);
}

int sluice_sim(int argc, char **argv, struct log *log)
{
    const struct command command = { .name = "sluice sim", .log = log };
    AUTO_FREE const char **operands = NULL;
    uint32_t operands_n = 0;
    struct options options = { 0 };
    struct task task;
    struct err err = { 0 };
    int status = flags_read(&table, &command, argc, argv, &options, &operands, &operands_n);

    if (status >= 0)
        return status;
    if (operands_n == 1 && (options.check || story_is_one(operands[0])))
        return story_run(operands[0], options.check, log);
    if (read_task(&options, operands, operands_n, &task, &err) < 0 || run_task(&task, &err) < 0) {
        log_error(log, "%s", err.text);
        return 1;
    }
    return 0;
}
