/* check_together.c - keys that cannot do what they say beside another one of the file. */
#include <string.h>

#include "common/conf/check_parts.h"
#include "common/text/gres.h"
#include "common/text/words.h"

/* Returns the value that the file gives to a key, or NULL. */
static const char *given(const struct check *check, const char *key)
{
    const char *text = NULL;

    conf_given_at(check->conf, key, &text);
    return text;
}

static void wrong(const struct check *check, const char *key, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

static void wrong(const struct check *check, const char *key, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    conf_notes_add(check->notes, CONF_NOTE_WRONG, check_at(check, key), "%s", strbuf_text(&text));
}

/* Notes a key that has no effect without another one. */
static void idle(const struct check *check, const char *key, const char *without)
{
    conf_notes_add(check->notes, CONF_NOTE_VALUE, check_at(check, key),
                   "%s=%s counts for nothing without %s", key, given(check, key), without);
}

/* ---- one counts for nothing without the other ---- */

static bool is_off(const char *text)
{
    static const char *const offs[] = { "", "0", "-1", "no", "none", "off", "infinite", "(null)" };
    const size_t n = text ? strlen(text) : 0;
    bool off = !text || (n > 5 && word_is(text + n - 5, "/none"));

    for (size_t i = 0; !off && i < ARRAY_N(offs); i++)
        off = word_is(text, offs[i]);
    return off;
}

static void check_needs(const struct check *check)
{
    static const struct {
        const char *key, *needs;
    } rows[] = {
        { "HealthCheckProgram", "HealthCheckInterval" },
        { "SuspendTime", "SuspendProgram" },
        { "SuspendProgram", "ResumeProgram" },
        { "ResumeProgram", "SuspendProgram" },
        { "ResumeFailProgram", "ResumeProgram" },
        { "PreemptExemptTime", "PreemptType" },
        { "MCSParameters", "MCSPlugin" },
        { "AuthAltParameters", "AuthAltTypes" },
        { "PrioritySiteFactorParameters", "PrioritySiteFactorPlugin" },
    };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *text = given(check, rows[i].key);

        if (!is_off(text) && is_off(given(check, rows[i].needs)))
            idle(check, rows[i].key, rows[i].needs);
    }
    if (given(check, "InteractiveStepOptions") && !check->conf->use_interactive_step)
        idle(check, "InteractiveStepOptions", "LaunchParameters=use_interactive_step");
    if (word_is(check->conf->job_comp_type, "jobcomp/script") && !given(check, "JobCompLoc"))
        wrong(check, "JobCompType",
              "JobCompType=jobcomp/script, and no JobCompLoc= names a script");
}

/* ---- what a job is given ---- */

static void check_select(const struct check *check)
{
    const uint32_t units = SELECT_CPU | SELECT_CORE | SELECT_SOCKET;
    const struct slurm_conf *conf = check->conf;
    const uint32_t has = conf->select_params & units;
    const char *text = given(check, "SelectTypeParameters");

    if (!text)
        return;
    if (conf->select_type == CONF_SELECT_LINEAR && has)
        wrong(check, "SelectTypeParameters",
              "SelectTypeParameters=%s: SelectType=select/linear gives whole nodes away and knows "
              "CR_Memory and CR_ONE_TASK_PER_CORE only",
              text);
    else if (has & (has - 1))
        wrong(check, "SelectTypeParameters",
              "SelectTypeParameters=%s names more than one of CR_CPU, CR_Core and CR_Socket", text);
    if ((conf->select_params & SELECT_ONE_TASK_PER_CORE) && (has & SELECT_CPU))
        wrong(check, "SelectTypeParameters",
              "SelectTypeParameters=%s: CR_ONE_TASK_PER_CORE cannot be used with CR_CPU", text);
}

static void check_preemption(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;
    const char *mode = conf->preempt_mode ? conf->preempt_mode : "OFF";
    const bool preempts = !is_off(conf->preempt_type);

    if (preempts && is_off(mode))
        wrong(check, "PreemptType",
              "PreemptType=%s needs a PreemptMode= that says what becomes of jobs: CANCEL, REQUEUE "
              "or SUSPEND,GANG",
              conf->preempt_type);
    if (!preempts && !is_off(mode) && !word_is(mode, "GANG") && !list_has_word(mode, "OFF"))
        wrong(check, "PreemptMode", "PreemptMode=%s counts for nothing with PreemptType=%s", mode,
              conf->preempt_type);
    if (list_has_word(mode, "SUSPEND") && !list_has_word(mode, "GANG"))
        wrong(check, "PreemptMode",
              "PreemptMode=%s: SUSPEND needs GANG beside it, which lets the jobs go on", mode);
    if (list_has_word(mode, "WITHIN") && !word_is(conf->preempt_type, "preempt/qos"))
        wrong(check, "PreemptMode", "PreemptMode=%s: WITHIN needs PreemptType=preempt/qos", mode);
}

static void check_backfill(const struct check *check)
{
    const struct sched_params *sched = &check->conf->sched;
    const struct {
        const char *name;
        uint64_t most;
    } parts[] = { { "bf_max_job_user", sched->bf_max_job_user },
                  { "bf_max_job_part", sched->bf_max_job_part } };

    if (check->conf->sched_type == CONF_SCHED_BUILTIN && check->conf->sched_params &&
        strstr(check->conf->sched_params, "bf_"))
        idle(check, "SchedulerParameters", "SchedulerType=sched/backfill, where it says bf_...");
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        if (parts[i].most != SCHED_UNSET && sched->bf_max_job_test != SCHED_UNSET &&
            parts[i].most > sched->bf_max_job_test)
            wrong(check, "SchedulerParameters", "%s=%llu is above bf_max_job_test=%llu",
                  parts[i].name, (unsigned long long)parts[i].most,
                  (unsigned long long)sched->bf_max_job_test);
    }
}

/* ---- on nodes ---- */

static void check_prolog(const struct check *check)
{
    const uint32_t flags = check->conf->prolog_flags;

    if ((flags & CONF_PROLOG_NO_HOLD) && (flags & (CONF_PROLOG_CONTAIN | CONF_PROLOG_X11)))
        wrong(check, "PrologFlags", "PrologFlags: NoHold excludes %s",
              flags & CONF_PROLOG_X11 ? "X11" : "Contain");
    if ((flags & CONF_PROLOG_X11) && check->conf->proctrack_type == CONF_PROCTRACK_LINUXPROC)
        wrong(check, "PrologFlags", "PrologFlags: X11 excludes ProctrackType=proctrack/linuxproc");
}

static void check_gather(const struct check *check)
{
    const char *params = check->conf->gather_params;

    if (list_has_word(params, "UsePss") && list_has_word(params, "NoShared"))
        wrong(check, "JobAcctGatherParams",
              "JobAcctGatherParams: UsePss and NoShared exclude each other");
}

/* Checks what tasks are bound to by default: None, Sockets, Cores or Threads. */
static void check_binding(const struct check *check)
{
    static const char *const names[] = { "none", "sockets", "cores", "threads" };
    const char *params = check->conf->task_plugin_param;
    uint32_t n = 0;

    for (size_t i = 0; i < ARRAY_N(names); i++)
        n += list_has_word(params, names[i]);
    if (n > 1)
        wrong(check, "TaskPluginParam",
              "TaskPluginParam=%s: None, Sockets, Cores and Threads exclude one another", params);
    if (n && !list_has_word(params, "none") && !(check->conf->task_plugins & CONF_TASK_AFFINITY))
        idle(check, "TaskPluginParam", "TaskPlugin=task/affinity, which binds tasks");
}

/* ---- generic resources ---- */

static bool some_node_has(const struct slurm_conf *conf, const char *name)
{
    for (uint32_t i = 0; i < conf->nodes_n; i++) {
        AUTO(gres) struct gres_list list = { 0 };

        if (gres_parse(conf->nodes[i].gres, &list, NULL) == 0 && gres_count(&list, name, NULL))
            return true;
    }
    return false;
}

static void check_gres(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;
    AUTO(words) struct words types = words_split(conf->gres_types ? conf->gres_types : "", ",");

    for (uint32_t i = 0; i < types.n; i++) {
        if (!some_node_has(conf, types.at[i]))
            conf_notes_add(check->notes, CONF_NOTE_VALUE, check_at(check, "GresTypes"),
                           "GresTypes=%s, and no NodeName line has Gres=%s: jobs that ask for it "
                           "are refused",
                           types.at[i], types.at[i]);
    }
    if (conf->def_cpu_per_gpu && !words_have(&types, "gpu"))
        idle(check, "DefCpuPerGPU", "GresTypes=gpu");
    if (conf->def_mem_per_gpu_mb && !words_have(&types, "gpu"))
        idle(check, "DefMemPerGPU", "GresTypes=gpu");
}

void check_together(const struct check *check)
{
    check_needs(check);
    check_select(check);
    check_preemption(check);
    check_backfill(check);
    check_prolog(check);
    check_gather(check);
    check_binding(check);
    check_gres(check);
}
