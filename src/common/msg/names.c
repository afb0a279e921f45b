/* names.c - the words for states and reasons, in the one place that knows them. */
#include <errno.h>
#include <strings.h>
#include <sys/resource.h>

#include "common/msg/job.h"
#include "common/msg/node.h"
#include "common/msg/step.h"
#include "common/msg/trigger.h"
#include "common/text/dependency.h"
#include "common/text/jobid.h"
#include "common/text/numbers.h"

static const struct {
    const char *name, *code;
} job_states[JOB_STATES_N] = {
    [JOB_PENDING] = { "PENDING", "PD" },     [JOB_RUNNING] = { "RUNNING", "R" },
    [JOB_SUSPENDED] = { "SUSPENDED", "S" },  [JOB_COMPLETE] = { "COMPLETED", "CD" },
    [JOB_CANCELLED] = { "CANCELLED", "CA" }, [JOB_FAILED] = { "FAILED", "F" },
    [JOB_TIMEOUT] = { "TIMEOUT", "TO" },     [JOB_NODE_FAIL] = { "NODE_FAIL", "NF" },
    [JOB_PREEMPTED] = { "PREEMPTED", "PR" }, [JOB_BOOT_FAIL] = { "BOOT_FAIL", "BF" },
    [JOB_DEADLINE] = { "DEADLINE", "DL" },   [JOB_OOM] = { "OUT_OF_MEMORY", "OOM" },
};

const char *job_state_name(uint32_t state, uint32_t flags)
{
    if (flags & JOB_FLAG_COMPLETING)
        return "COMPLETING";
    if ((flags & JOB_FLAG_CONFIGURING) && state == JOB_RUNNING)
        return "CONFIGURING";
    if ((flags & JOB_FLAG_SPECIAL_EXIT) && state == JOB_PENDING)
        return "SPECIAL_EXIT";
    if ((flags & JOB_FLAG_RESV_DELETED) && state == JOB_PENDING)
        return "RESV_DEL_HOLD";
    return state < JOB_STATES_N ? job_states[state].name : "?";
}

const char *job_state_code(uint32_t state, uint32_t flags)
{
    if (flags & JOB_FLAG_COMPLETING)
        return "CG";
    if ((flags & JOB_FLAG_CONFIGURING) && state == JOB_RUNNING)
        return "CF";
    if ((flags & JOB_FLAG_SPECIAL_EXIT) && state == JOB_PENDING)
        return "SE";
    if ((flags & JOB_FLAG_RESV_DELETED) && state == JOB_PENDING)
        return "RD";
    return state < JOB_STATES_N ? job_states[state].code : "?";
}

int job_state_parse(const char *text, uint32_t *ret_state, uint32_t *ret_flags)
{
    if (strcasecmp(text, "COMPLETING") == 0 || strcasecmp(text, "CG") == 0) {
        *ret_flags = JOB_FLAG_COMPLETING;
        return 0;
    }
    if (strcasecmp(text, "CONFIGURING") == 0 || strcasecmp(text, "CF") == 0) {
        *ret_flags = JOB_FLAG_CONFIGURING;
        return 0;
    }
    if (strcasecmp(text, "RESV_DEL_HOLD") == 0 || strcasecmp(text, "RD") == 0) {
        *ret_flags = JOB_FLAG_RESV_DELETED;
        return 0;
    }
    if (strcasecmp(text, "SPECIAL_EXIT") == 0 || strcasecmp(text, "SE") == 0) {
        *ret_flags = JOB_FLAG_SPECIAL_EXIT;
        return 0;
    }
    for (uint32_t i = 0; i < JOB_STATES_N; i++) {
        if (strcasecmp(text, job_states[i].name) == 0 ||
            strcasecmp(text, job_states[i].code) == 0) {
            *ret_state = i;
            return 0;
        }
    }
    return -EINVAL;
}

/*
 * Appends tasks, cut as Slurm does: `room` counts the end of the text, and a cut text ends with
 * three dots.
 */
static void add_tasks(const char *tasks, uint32_t room, struct strbuf *out)
{
    const size_t length = strlen(tasks);

    if (room == 0 || length < room)
        strbuf_adds(out, tasks);
    else if (room > 4)
        strbuf_addf(out, "%.*s...", (int)room - 4, tasks);
    else
        strbuf_addf(out, "%.*s", (int)room - 1, "...");
}

void job_tasks_format(const struct job_record *job, uint32_t room, struct strbuf *out)
{
    if (job->array_task != COUNT_UNSET)
        strbuf_addu(out, job->array_task);
    if (!job_is_task_set(job))
        return;
    add_tasks(job->array_tasks, room, out);
    if (job->array_limit)
        strbuf_addf(out, "%%%u", job->array_limit);
}

void job_name_format(const struct job_record *job, uint32_t room, struct strbuf *out)
{
    const bool is_set = job_is_task_set(job);

    strbuf_addu(out, job->array_job_id ? job->array_job_id : job->id);
    if (job->array_task != COUNT_UNSET || is_set)
        strbuf_adds(out, is_set ? "_[" : "_");
    job_tasks_format(job, room, out);
    if (is_set)
        strbuf_addc(out, ']');
}

void job_dependencies_format(const struct job_record *job, struct strbuf *out)
{
    for (uint32_t i = 0; i < job->dependencies_n; i++) {
        const struct job_dependency *from = &job->dependencies[i];
        const struct dependency dependency = {
            .kind = from->kind,
            .job = from->job_id,
            .task = from->array_task == COUNT_UNSET ? NO_VAL : from->array_task,
            .all_tasks = from->is_array,
            .minutes = from->minutes,
        };

        if (i > 0)
            strbuf_addc(out, job->any_dependency ? '?' : ',');
        dependency_format(&dependency, out);
        strbuf_adds(out, from->is_failed ? "(failed)" : "(unfulfilled)");
    }
}

/* Returns the reason's word, or NULL: there is none of this number. */
static const char *find_reason(uint32_t reason)
{
    static const struct {
        uint32_t number;
        const char *word;
    } reasons[] = {
#define JOB_REASON_ROW(name, number, word) { number, word },
        JOB_REASONS(JOB_REASON_ROW)
#undef JOB_REASON_ROW
    };

    for (size_t i = 0; i < ARRAY_N(reasons); i++) {
        if (reasons[i].number == reason)
            return reasons[i].word;
    }
    return NULL;
}

bool job_reason_is_known(uint32_t reason)
{
    return find_reason(reason);
}

const char *job_reason_name(uint32_t reason)
{
    const char *word = find_reason(reason);

    return word ? word : "None";
}

void node_state_format(uint32_t state, uint32_t flags, struct strbuf *out)
{
    static const char *const states[NODE_STATES_N] = { "UNKNOWN", "DOWN",  "IDLE",  "ALLOCATED",
                                                       "ERROR",   "MIXED", "FUTURE" };
    static const struct {
        uint32_t flag;
        const char *word;
    } suffixes[] = {
        { NODE_FLAG_DRAIN, "+DRAIN" },
        { NODE_FLAG_FAIL, "+FAIL" },
        { NODE_FLAG_COMPLETING, "+COMPLETING" },
        { NODE_FLAG_MAINT, "+MAINTENANCE" },
        { NODE_FLAG_RESERVED, "+RESERVED" },
        { NODE_FLAG_NO_RESPOND, "+NOT_RESPONDING" },
        { NODE_FLAG_PLANNED, "+PLANNED" },
        { NODE_FLAG_INVALID, "+INVALID_REG" },
        { NODE_FLAG_REBOOT_REQUESTED, "+REBOOT_REQUESTED" },
        { NODE_FLAG_REBOOT_ISSUED, "+REBOOT_ISSUED" },
    };

    strbuf_adds(out, state < NODE_STATES_N ? states[state] : "?");
    for (size_t i = 0; i < ARRAY_N(suffixes); i++) {
        if (flags & suffixes[i].flag)
            strbuf_adds(out, suffixes[i].word);
    }
}

void job_gres_format(const struct job_gres *gres, struct strbuf *out)
{
    strbuf_addf(out, "%s%s%s", gres->name, gres->type ? ":" : "", gres->type ? gres->type : "");
    if (gres->devices_n == 0 || gres->unnamed) {
        strbuf_addf(out, "(CNT:%llu)", (unsigned long long)gres->count);
        return;
    }
    strbuf_addf(out, ":%llu(IDX:", (unsigned long long)gres->count);
    numbers_format(gres->devices, gres->devices_n, out);
    strbuf_addc(out, ')');
}

const char *trigger_event_name(uint32_t events)
{
    switch (events) {
    case TRIGGER_DOWN:
        return "down";
    case TRIGGER_UP:
        return "up";
    case TRIGGER_DRAINED:
        return "drained";
    case TRIGGER_FAIL:
        return "fail";
    case TRIGGER_IDLE:
        return "idle";
    case TRIGGER_RECONFIG:
        return "reconfig";
    case TRIGGER_TIME:
        return "time";
    case TRIGGER_FINI:
        return "fini";
    case TRIGGER_STARTED:
        return "primary_slurmctld_resumed_operation";
    case TRIGGER_DRAINING:
        return "draining";
    case TRIGGER_RESUME:
        return "resume";
    default:
        return "unknown";
    }
}

const char *job_share_name(uint32_t share)
{
    static const char *const words[] = { [SHARE_DEFAULT] = "OK",
                                         [SHARE_EXCLUSIVE] = "NO",
                                         [SHARE_USER] = "USER",
                                         [SHARE_OVERSUBSCRIBE] = "YES" };

    return words[share < ARRAY_N(words) ? share : SHARE_DEFAULT];
}

const char *gpu_env_name(uint32_t i)
{
    static const char *const names[GPU_ENV_N] = { "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                                  "ZE_AFFINITY_MASK", "GPU_DEVICE_ORDINAL" };

    return names[i];
}

const char *rlimit_name(uint32_t resource)
{
    static const char *const names[RLIM_NLIMITS] = {
        [RLIMIT_CPU] = "CPU",           [RLIMIT_FSIZE] = "FSIZE",
        [RLIMIT_DATA] = "DATA",         [RLIMIT_STACK] = "STACK",
        [RLIMIT_CORE] = "CORE",         [RLIMIT_RSS] = "RSS",
        [RLIMIT_NPROC] = "NPROC",       [RLIMIT_NOFILE] = "NOFILE",
        [RLIMIT_MEMLOCK] = "MEMLOCK",   [RLIMIT_AS] = "AS",
        [RLIMIT_LOCKS] = "LOCKS",       [RLIMIT_SIGPENDING] = "SIGPENDING",
        [RLIMIT_MSGQUEUE] = "MSGQUEUE", [RLIMIT_NICE] = "NICE",
        [RLIMIT_RTPRIO] = "RTPRIO",     [RLIMIT_RTTIME] = "RTTIME",
    };

    return resource < RLIM_NLIMITS ? names[resource] : NULL;
}
