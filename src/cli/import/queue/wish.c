#include "cli/import/queue/wish.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/import/queue/shown.h"
#include "cli/submit/script.h"
#include "common/text/timetext.h"

/* ---- options ---- */

static void add(struct wish *wish, const char *option, const char *value)
{
    if (value)
        *ARRAY_PUSH(wish->argv.at, wish->argv.n) = xasprintf("--%s=%s", option, value);
}

static void add_flag(struct wish *wish, const char *option)
{
    *ARRAY_PUSH(wish->argv.at, wish->argv.n) = xasprintf("--%s", option);
}

static void add_number(struct wish *wish, const char *option, uint64_t number)
{
    *ARRAY_PUSH(wish->argv.at, wish->argv.n) =
        xasprintf("--%s=%llu", option, (unsigned long long)number);
}

static void note(struct wish *wish, const char *text)
{
    strbuf_addf(&wish->notes, "%s%s", wish->notes.len ? "; " : "", text);
}

/* Returns the number that the value is, or `without`. */
static uint64_t number_of(const struct shown *shown, const char *key, uint64_t without)
{
    const char *value = shown_get(shown, key);
    uint64_t number;

    return value && number_parse(value, 0, UINT32_MAX, &number, NULL) == 0 ? number : without;
}

static bool says(const struct shown *shown, const char *key, const char *value)
{
    return word_is(shown_find(shown, key), value);
}

/* Options whose values are what is shown. */
static const struct {
    const char *key, *option;
} plain[] = {
    { "JobName", "job-name" },
    { "Account", "account" },
    { "QOS", "qos" },
    { "Partition", "partition" },
    { "ReqNodeList", "nodelist" },
    { "ExcNodeList", "exclude" },
    { "Features", "constraint" },
    { "Prefer", "prefer" },
    { "Licenses", "licenses" },
    { "Reservation", "reservation" },
    { "WCKey", "wckey" },
    { "MailUser", "mail-user" },
    { "MailType", "mail-type" },
    { "Comment", "comment" },
    { "Extra", "extra" },
    { "TimeLimit", "time" },
    { "TimeMin", "time-min" },
    { "Deadline", "deadline" },
    { "WorkDir", "chdir" },
    { "MinMemoryCPU", "mem-per-cpu" },
    { "TresBind", "gpu-bind" },
    { "CoreSpec", "core-spec" },
    { "ThreadSpec", "thread-spec" },
    { "MinMemoryNode", "mem" },
};

/* Returns the value as the option takes it, or NULL. */
static const char *plain_value(const char *key, const char *value)
{
    const char *rest;

    if (!value || (strcmp(key, "TimeLimit") == 0 && strcmp(value, "Partition_Limit") == 0))
        return NULL;
    if ((strcmp(key, "ReqNodeList") == 0 || strcmp(key, "ExcNodeList") == 0) && strchr(value, '/'))
        return NULL; /* sbatch takes that for the name of a file */
    if (strcmp(key, "TresBind") == 0 && word_starts(value, "gpu:", &rest))
        return rest;
    return value;
}

static void add_plain(struct wish *wish, const struct shown *shown)
{
    for (size_t i = 0; i < ARRAY_N(plain); i++)
        add(wish, plain[i].option, plain_value(plain[i].key, shown_get(shown, plain[i].key)));
    if (number_of(shown, "MinTmpDiskNode", 1) != 0)
        add(wish, "tmp", shown_get(shown, "MinTmpDiskNode"));
}

/* Adds what has a word for yes or no. */
static void add_flags(struct wish *wish, const struct shown *shown)
{
    add_flag(wish, number_of(shown, "Requeue", 1) ? "requeue" : "no-requeue");
    if (number_of(shown, "Contiguous", 0))
        add_flag(wish, "contiguous");
    if (number_of(shown, "Reboot", 0))
        add_flag(wish, "reboot");
    if (says(shown, "OverSubscribe", "NO"))
        add_flag(wish, "exclusive");
    if (says(shown, "OverSubscribe", "USER"))
        add(wish, "exclusive", "user");
    if (says(shown, "OverSubscribe", "YES"))
        add_flag(wish, "oversubscribe");
    if (says(shown, "GresEnforceBind", "Yes"))
        add(wish, "gres-flags", "enforce-binding");
    if (says(shown, "SpreadJob", "Yes") || says(shown, "SpreadJob", "1"))
        add_flag(wish, "spread-job");
    if (shown_get(shown, "KillOInInvalidDependent"))
        add(wish, "kill-on-invalid-dep",
            says(shown, "KillOInInvalidDependent", "Yes") ? "yes" : "no");
}

/* ---- numbers ---- */

/* Reads the parts of "0:0:*:*"; a part without a number is 0. */
static void read_parts(const char *text, uint64_t ret[4])
{
    memset(ret, 0, 4 * sizeof(*ret));
    for (int i = 0; text && i < 4; i++) {
        AUTO_FREE char *part = xstrndup(text, strcspn(text, ":"));

        (void)number_parse(part, 0, UINT32_MAX, &ret[i], NULL);
        text += strcspn(text, ":");
        if (!*text++)
            return;
    }
}

static void add_if(struct wish *wish, const char *option, uint64_t number)
{
    if (number)
        add_number(wish, option, number);
}

/* Adds nodes, tasks and cpus. A number of nodes without a most is an estimate, and as many tasks as
 * nodes are what a job has that named none. */
static void add_numbers(struct wish *wish, const struct shown *shown)
{
    const char *nodes = shown_get(shown, "NumNodes");
    const uint64_t cpus = number_of(shown, "CPUs/Task", 1);
    const uint64_t tasks = number_of(shown, "NumTasks", 0);
    const uint64_t least = number_of(shown, "MinCPUsNode", 0);
    uint64_t per[4], layout[4], min_nodes = 1;

    read_parts(shown_get(shown, "NtasksPerN:B:S:C"), per);
    read_parts(shown_get(shown, "ReqB:S:C:T"), layout);
    if (nodes && strchr(nodes, '-')) {
        AUTO_FREE char *first = xstrndup(nodes, strcspn(nodes, "-"));

        add(wish, "nodes", nodes);
        (void)number_parse(first, 1, UINT32_MAX, &min_nodes, NULL);
    }
    if (tasks && (tasks != min_nodes || per[0]))
        add_number(wish, "ntasks", tasks);
    if (cpus > 1)
        add_number(wish, "cpus-per-task", cpus);
    add_if(wish, "ntasks-per-node", per[0]);
    add_if(wish, "ntasks-per-socket", per[2]);
    add_if(wish, "ntasks-per-core", per[3]);
    if (least > (cpus ? cpus : 1) * (per[0] ? per[0] : 1))
        add_number(wish, "mincpus", least);
    add_if(wish, "sockets-per-node", layout[1]);
    add_if(wish, "cores-per-socket", layout[2]);
    add_if(wish, "threads-per-core", layout[3]);
    add_if(wish, "ntasks-per-gpu", number_of(shown, "NtasksPerTRES", 0));
}

/* ---- generic resources ---- */

/* Turns "gres:gpu:a:2,gres/ssd=1" into "gpu:a:2,ssd:1"; items that are no gres are left out. */
static char *gres_of(const char *text)
{
    AUTO(words) struct words items = words_split(text ? text : "", ",");
    AUTO(strbuf) struct strbuf out = { 0 };

    for (uint32_t i = 0; i < items.n; i++) {
        const char *rest;
        char *equals;

        if (!word_starts(items.at[i], "gres:", &rest) && !word_starts(items.at[i], "gres/", &rest))
            continue;
        equals = strchr(items.at[i], '=');
        if (equals)
            *equals = ':';
        strbuf_addf(&out, "%s%s", out.len ? "," : "", rest);
    }
    return out.len ? strbuf_steal(&out) : NULL;
}

/* Adds what counts gpus alone: it has no name of a gres before the number. */
static void add_gpus(struct wish *wish, const struct shown *shown, const char *key,
                     const char *option)
{
    AUTO_FREE char *gres = gres_of(shown_get(shown, key));
    AUTO(words) struct words items = words_split(gres ? gres : "", ",");
    AUTO(strbuf) struct strbuf out = { 0 };

    for (uint32_t i = 0; i < items.n; i++) {
        const char *rest;

        if (!word_starts(items.at[i], "gpu:", &rest)) {
            wish->stays = "it asks for a gres, which is no gpu, in a way that is not here";
            return;
        }
        strbuf_addf(&out, "%s%s", out.len ? "," : "", rest);
    }
    if (out.len)
        add(wish, option, strbuf_text(&out));
}

static void add_gres(struct wish *wish, const struct shown *shown)
{
    AUTO_FREE char *per_node = gres_of(shown_get(shown, "TresPerNode"));

    add(wish, "gres", per_node);
    add_gpus(wish, shown, "TresPerJob", "gpus");
    add_gpus(wish, shown, "TresPerSocket", "gpus-per-socket");
    add_gpus(wish, shown, "TresPerTask", "gpus-per-task");
    add_gpus(wish, shown, "CpusPerTres", "cpus-per-gpu");
    add_gpus(wish, shown, "MemPerTres", "mem-per-gpu");
}

/* ---- the rest ---- */

/* Adds --switches of "1@00:10:00". */
static void add_switches(struct wish *wish, const struct shown *shown)
{
    const char *value = shown_get(shown, "Switches");

    if (value && *value != '0')
        add(wish, "switches", value);
}

static void add_begin(struct wish *wish, const struct shown *shown, int64_t saved)
{
    const char *value = shown_get(shown, "EligibleTime");
    int64_t begin;

    if (value && time_parse(value, saved, &begin, NULL) == 0 && begin > saved)
        add(wish, "begin", value);
}

/* True if the path is what a job writes to that named no file. */
static bool is_usual(const struct queue_job *job, const char *path, const char *work_dir)
{
    const uint32_t id = job->array_id ? job->array_id : job->job_id;
    AUTO_FREE char *pattern =
        xasprintf("%s/slurm-%%%s.out", work_dir ? work_dir : "", job->array_id ? "A_%a" : "j");
    AUTO_FREE char *expanded = xasprintf("%s/slurm-%u", work_dir ? work_dir : "", id);

    return strcmp(path, pattern) == 0 || word_starts(path, expanded, NULL);
}

static void add_files(struct wish *wish, const struct queue_job *job, const struct shown *shown)
{
    const char *out = job->std_out ? job->std_out : shown_get(shown, "StdOut");
    const char *err = job->std_err ? job->std_err : shown_get(shown, "StdErr");
    const char *in = job->std_in ? job->std_in : shown_get(shown, "StdIn");

    if (out && !is_usual(job, out, wish->work_dir))
        add(wish, "output", out);
    if (err && out && strcmp(err, out) != 0)
        add(wish, "error", err);
    if (in && strcmp(in, "/dev/null") != 0)
        add(wish, "input", in);
}

static bool is_file(const char *path)
{
    struct stat stat_buf;

    return stat(path, &stat_buf) == 0 && S_ISREG(stat_buf.st_mode);
}

/* Returns how much of the text is the script's path: up to a blank where there is a file of that
 * name, else to the first blank. */
static size_t path_length(const char *command)
{
    const size_t first = strcspn(command, " ");

    for (size_t n = first;; n += 1 + strcspn(command + n + 1, " ")) {
        AUTO_FREE char *path = xstrndup(command, n);

        if (is_file(path))
            return n;
        if (!command[n])
            return first;
    }
}

/* Takes the script's path and its arguments apart, at blanks: what else was in them is not shown.
 */
static void read_command(struct wish *wish, const struct shown *shown)
{
    const char *command = shown_get(shown, "Command");
    size_t n;

    if (!command)
        return;
    n = path_length(command);
    wish->command = xstrndup(command, n);
    wish->script_args = words_split(command + n, " ");
    if (wish->script_args.n)
        note(wish, "blanks within its arguments are not known");
}

/* Why a job does not come, whatever it asks for. */
static const char *why_stays(const struct queue_job *job, const struct shown *shown)
{
    if (!job->waits)
        return "it runs, and ends there";
    if (!shown->n)
        return "it was not shown: it had just ended";
    if (shown_find(shown, "HetJobId") || shown_find(shown, "PackJobId"))
        return "it is part of a heterogeneous job, which is not here yet";
    if (!says(shown, "BatchFlag", "1") && !says(shown, "BatchFlag", "2"))
        return "it is salloc's or srun's, whose user waits there";
    if (shown_get(shown, "BurstBuffer"))
        return "it has a burst buffer, which is not here yet";
    return NULL;
}

const char *wish_why_stays(const struct queue_job *job)
{
    AUTO(shown) struct shown shown = { 0 };

    shown_read(job->shown ? job->shown : "", job->job_id, &shown);
    return why_stays(job, &shown);
}

static void read_host(struct wish *wish, const struct shown *shown)
{
    const char *value = shown_get(shown, "AllocNode:Sid");

    if (value)
        wish->begin_host = xstrndup(value, strcspn(value, ":"));
}

void wish_make(const struct queue_job *job, int64_t saved, struct wish *ret)
{
    AUTO(shown) struct shown shown = { 0 };

    *ret = (struct wish){ 0 };
    shown_read(job->shown ? job->shown : "", job->job_id, &shown);
    ret->stays = why_stays(job, &shown);
    if (!ret->stays && !job->script.n)
        ret->stays = "its script was not given out";
    if (ret->stays)
        return;
    *ARRAY_PUSH(ret->argv.at, ret->argv.n) = xstrdup("sbatch");
    xstrset(&ret->work_dir, shown_get(&shown, "WorkDir"));
    xstrset(&ret->dependency, shown_get(&shown, "Dependency"));
    xstrset(&ret->admin_comment, job->admin_comment);
    ret->array_limit = (uint32_t)number_of(&shown, "ArrayTaskThrottle", 0);
    add_plain(ret, &shown);
    add_numbers(ret, &shown);
    add_flags(ret, &shown);
    add_gres(ret, &shown);
    add_switches(ret, &shown);
    add_begin(ret, &shown, saved);
    add_files(ret, job, &shown);
    read_command(ret, &shown);
    read_host(ret, &shown);
    if (!job->environment.n)
        note(ret, "its environment was not kept: it gets that of a login");
}

void wish_clear(struct wish *wish)
{
    words_clear(&wish->argv);
    words_clear(&wish->script_args);
    free(wish->command);
    free(wish->dependency);
    free(wish->begin_host);
    free(wish->admin_comment);
    free(wish->work_dir);
    strbuf_clear(&wish->notes);
    *wish = (struct wish){ 0 };
}

static bool words_equal(const struct words *one, const struct words *other)
{
    bool equal = one->n == other->n;

    for (uint32_t i = 0; equal && i < one->n; i++)
        equal = strcmp(one->at[i], other->at[i]) == 0;
    return equal;
}

bool wish_equal(const struct wish *one, const struct wish *other)
{
    return text_is(one->stays, other->stays) && words_equal(&one->argv, &other->argv) &&
           words_equal(&one->script_args, &other->script_args) &&
           text_is(one->command, other->command) && text_is(one->dependency, other->dependency) &&
           text_is(one->admin_comment, other->admin_comment) &&
           one->array_limit == other->array_limit;
}

/* Takes over what scontrol does not show, as the #SBATCH lines say it. */
static void take_directives(const struct queue_job *job, int64_t now, struct submit_options *to)
{
    AUTO(submit_options) struct submit_options said;

    submit_options_init(&said, SUBMIT_SBATCH);
    said.now = now;
    if (script_apply_directives("script", (const char *)job->script.data, job->script.n, &said,
                                NULL) == 0) {
        to->job.warn_signal = said.job.warn_signal;
        to->job.warn_before_s = said.job.warn_before_s;
        to->job.warn_batch = said.job.warn_batch;
        to->job.dist_nodes = said.job.dist_nodes;
        to->job.plane_size = said.job.plane_size;
        to->job.dist_sockets = said.job.dist_sockets;
        to->job.dist_cores = said.job.dist_cores;
        to->job.pack_nodes = said.job.pack_nodes;
        to->job.overcommit = said.job.overcommit;
        to->job.no_kill = said.job.no_kill;
        to->job.use_min_nodes = said.job.use_min_nodes;
        to->body.open_mode = said.body.open_mode;
        xstrset(&to->distribution, said.distribution);
    }
}

int wish_options(const struct wish *wish, const struct queue_job *job, int64_t now,
                 struct submit_options *ret, struct err *err)
{
    int operand, rc;

    ret->now = now;
    ret->cwd = xstrdup(wish->work_dir ? wish->work_dir : "/");
    rc = submit_options_parse(ret, FROM_COMMAND_LINE, (int)wish->argv.n, wish->argv.at, &operand,
                              err);
    if (rc < 0)
        return rc;
    take_directives(job, now, ret);
    ret->job.kind = JOB_KIND_BATCH;
    ret->body.command = xstrdup(wish->command);
    for (uint32_t i = 0; i < wish->script_args.n; i++)
        *ARRAY_PUSH(ret->body.script_args, ret->body.script_args_n) =
            xstrdup(wish->script_args.at[i]);
    return submit_options_check(ret, err);
}
