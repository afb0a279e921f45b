/* What the job's variables say was seen with Slurm 22.05. */
#include "unit/check_main.h"

#include <string.h>

#include "cli/submit/environment.h"
#include "cli/submit/option_table.h"

static const struct {
    const char *option, *variable, *value;
    bool of_task; /* else of a job */
} kept[] = {
    { "--cpu-freq=performance", "SLURM_CPU_FREQ_REQ", "Performance", false },
    { "--cpu-freq=1000000-2000000:ondemand", "SLURM_CPU_FREQ_REQ", "1000000-2000000:OnDemand",
      false },
    { "--cpu-freq=highm1", "SLURM_CPU_FREQ_REQ", "Highm1", false },
    { "--profile=task,energy", "SLURM_PROFILE", "Energy,Task", false },
    { "--profile=all", "SLURM_PROFILE", "Energy,Lustre,Network,Task", false },
    { "--profile=none", "SLURM_PROFILE", "None", false },
    { "--mem-bind=verbose,local", "SLURM_MEM_BIND_VERBOSE", "verbose", false },
    { "--mem-bind=rank", "SLURM_MEM_BIND", "rank", false },
    { "--mem-bind=prefer,sort,local", "SLURM_MEM_BIND", "prefer,sort,local", false },
    { "--mem-bind=sort,rank", "SLURM_MEM_BIND_SORT", "sort", false },
    { "--mem-bind=verbose,map_mem:0", "SLURM_MEM_BIND", "verbose,map_mem:0", false },
    { "--mem-bind=prefer,sort,local", "SLURM_MEM_BIND", "quiet,prefer,local", true },
    { "--mem-bind=prefer,sort,local", "SLURM_MEM_BIND_PREFER", "prefer", true },
    { "--mem-bind=prefer,sort,local", "SLURM_MEM_BIND_SORT", "sort", true },
    { "--mem-bind=local", "SLURM_MEM_BIND_TYPE", "local", true },
    { "--mem-bind=local", "SLURM_MEM_BIND_LIST", "", true },
    { "--mem-bind=verbose,map_mem:0", "SLURM_MEM_BIND", "verbose,map_mem:0", true },
    { "--mem-bind=verbose,map_mem:0", "SLURM_MEM_BIND_TYPE", "map_mem:", true },
    { "--mem-bind=verbose,map_mem:0", "SLURM_MEM_BIND_LIST", "0", true },
    { "--gpu-bind=none", "SLURM_GPU_BIND", "none", false },
    { "--oom-kill-step", "SLURM_OOMKILLSTEP", "1", false },
    { "--oom-kill-step=0", "SLURM_OOMKILLSTEP", "0", true },
    { "--acctg-freq=task=10,energy=5", "SLURM_ACCTG_FREQ", "task=10,energy=5", false },
};

START_TEST(an_option_is_told_to_the_job_as_slurm_tells_it)
{
    AUTO(submit_options) struct submit_options options;
    AUTO(environment) struct environment environment = { 0 };
    char *argv[] = { "", (char *)kept[_i].option };
    struct err err = { 0 };
    int operand;

    submit_options_init(&options, kept[_i].of_task ? SUBMIT_SRUN : SUBMIT_SBATCH);
    ck_assert_msg(submit_options_parse(&options, FROM_COMMAND_LINE, 2, argv, &operand, &err) == 0,
                  "%s", err.text);
    environment_describe(&environment, &options);

    ck_assert_ptr_nonnull(environment_get(&environment, kept[_i].variable));
    ck_assert_str_eq(environment_get(&environment, kept[_i].variable), kept[_i].value);
}
END_TEST

static const struct {
    const char *option, *warning;
} noted[] = {
    { "--context=x", "--context has no effect: there are no security contexts" },
    { "--stepmgr", "--stepmgr has no effect: the controller looks after all steps" },
    { "--external-launcher", "--external-launcher has no effect: " },
    { "--treewidth=5", "--treewidth has no effect: each node" },
    { "--msg-timeout=5", "--msg-timeout has no effect: answers" },
    { "--bcast-exclude=/lib", "--bcast-exclude has no effect: no libraries" },
};

START_TEST(an_option_without_effect_says_so)
{
    AUTO(submit_options) struct submit_options options;
    char *argv[] = { "", (char *)noted[_i].option };
    struct err err = { 0 };
    int operand;

    submit_options_init(&options, SUBMIT_SRUN);
    ck_assert_msg(submit_options_parse(&options, FROM_COMMAND_LINE, 2, argv, &operand, &err) == 0,
                  "%s", err.text);

    ck_assert_ptr_nonnull(strstr(strbuf_text(&options.warnings), noted[_i].warning));
}
END_TEST

CHECK_MAIN(option_noted, LOOP_CASE(an_option_without_effect_says_so, ARRAY_N(noted)),
           LOOP_CASE(an_option_is_told_to_the_job_as_slurm_tells_it, ARRAY_N(kept)))
