#include "ctld/dispatch/job_programs.h"

#include "common/text/words.h"
#include "ctld/dispatch/ctld.h"
#include "ctld/control/job/configure.h"
#include "ctld/control/act/turn.h"

/* The run of a job that waits for the end of its program. */
struct waiting {
    struct ctld *ctld;
    enum job_program kind;
    uint32_t job_id, launch_number;
};

static void on_program_over(void *ctx, int code)
{
    const struct waiting *it = ctx;

    control_program_over(ctld_act(it->ctld), it->job_id, it->launch_number, it->kind, code);
    ctld_end_turn(it->ctld);
}

static void run_program(struct ctld *ctld, const struct program_order *order)
{
    const bool is_prolog = order->kind == JOB_PROGRAM_PROLOG;
    const char *setting = is_prolog ? ctld->conf->prolog_slurmctld : ctld->conf->epilog_slurmctld;
    AUTO(words) struct words paths = words_split(setting ? setting : "", ",");
    AUTO_FREE char *what =
        xasprintf("%s of job %u", is_prolog ? "PrologSlurmctld" : "EpilogSlurmctld", order->job_id);
    AUTO_FREE char **environment = xcalloc((size_t)order->environment_n + 1, sizeof(char *));
    AUTO_FREE char **list = xcalloc((size_t)paths.n + 1, sizeof(char *));
    const struct conf_hook_limit limit =
        is_prolog ? slurm_conf_prolog_limit(ctld->conf) : slurm_conf_epilog_limit(ctld->conf);
    struct waiting *waiting = xcalloc(1, sizeof(*waiting));

    *waiting = (struct waiting){ ctld, order->kind, order->job_id, order->launch_number };
    for (uint32_t i = 0; i < order->environment_n; i++)
        environment[i] = order->environment[i];
    for (size_t i = 0; i < paths.n; i++) /* none where slurm.conf names none any more */
        list[i] = (char *)(uintptr_t)paths.at[i];
    programs_run(ctld->programs, &(struct program_run){
                                     .paths = list,
                                     .environment = environment,
                                     .what = what,
                                     .timeout_s = limit.seconds,
                                     .turn = ctld_turn(ctld),
                                     .tied = true, /* the next controller runs it again */
                                     .on_over = on_program_over,
                                     .ctx = waiting,
                                 });
}

void job_programs_run(struct ctld *ctld)
{
    for (uint32_t i = 0; i < ctld->turn.programs_n; i++)
        run_program(ctld, &ctld->turn.programs[i]);
}
