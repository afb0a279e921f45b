/* What the job's variables say was seen with Slurm 22.05. */
#include "unit/check_main.h"

#include "cli/submit/environment.h"
#include "cli/submit/option_table.h"

static const struct {
    const char *option, *variable, *value;
} kept[] = {
    { "--cpu-freq=performance", "SLURM_CPU_FREQ_REQ", "Performance" },
    { "--cpu-freq=1000000-2000000:ondemand", "SLURM_CPU_FREQ_REQ", "1000000-2000000:OnDemand" },
    { "--cpu-freq=highm1", "SLURM_CPU_FREQ_REQ", "Highm1" },
    { "--profile=task,energy", "SLURM_PROFILE", "Energy,Task" },
    { "--profile=all", "SLURM_PROFILE", "Energy,Lustre,Network,Task" },
    { "--profile=none", "SLURM_PROFILE", "None" },
    { "--mem-bind=verbose,local", "SLURM_MEM_BIND_VERBOSE", "verbose" },
    { "--mem-bind=rank", "SLURM_MEM_BIND", "rank" },
    { "--gpu-bind=none", "SLURM_GPU_BIND", "none" },
    { "--acctg-freq=task=10,energy=5", "SLURM_ACCTG_FREQ", "task=10,energy=5" },
};

START_TEST(an_option_without_effect_is_told_to_the_job_as_slurm_tells_it)
{
    AUTO(submit_options) struct submit_options options;
    AUTO(environment) struct environment environment = { 0 };
    char *argv[] = { "", (char *)kept[_i].option };
    struct err err = { 0 };
    int operand;

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_msg(submit_options_parse(&options, FROM_COMMAND_LINE, 2, argv, &operand, &err) == 0,
                  "%s", err.text);
    environment_describe(&environment, &options);

    ck_assert_ptr_nonnull(environment_get(&environment, kept[_i].variable));
    ck_assert_str_eq(environment_get(&environment, kept[_i].variable), kept[_i].value);
}
END_TEST

CHECK_MAIN(option_noted,
           LOOP_CASE(an_option_without_effect_is_told_to_the_job_as_slurm_tells_it, ARRAY_N(kept)))
