/* The lines are those of Slurm 22.05. */
#include "unit/check_main.h"

#include "cli/submit/options.h"
#include "common/text/words.h"

#define NOW 1700000000

static const struct {
    enum submit_command command;
    const char *line;
    const char *shown; /* divided by '|' */
} given[] = {
    { SUBMIT_ALL, "-A acc", "account             : acc" },
    { SUBMIT_ALL, "--begin=2030-01-02T03:04:05", "begin               : 2030-01-02T03:04:05" },
    { SUBMIT_ALL, "--contiguous", "contiguous          : set" },
    { SUBMIT_ALL, "-c 2 -N 1-3", "cpus-per-task       : 2|nodes               : 1-3" },
    { SUBMIT_ALL, "-D /tmp", "chdir               : /tmp" },
    { SUBMIT_SBATCH | SUBMIT_SRUN, "-o none", "output              : /dev/null" },
    { SUBMIT_ALL, "--exclusive", "exclusive           : exclusive" },
    { SUBMIT_ALL, "-s", "oversubscribe       : oversubscribe" },
    { SUBMIT_ALL, "--gres=gpu:1", "gres                : gres/gpu:1" },
    { SUBMIT_ALL, "-H", "hold                : set" },
    { SUBMIT_ALL, "--mail-type=END,FAIL", "mail-type           : END,FAIL" },
    { SUBMIT_ALL, "--mem=1G", "mem                 : 1G" },
    { SUBMIT_ALL, "--mem=1500M", "mem                 : 1500" },
    { SUBMIT_ALL, "--mem-per-cpu=2048", "mem-per-cpu         : 2G" },
    { SUBMIT_ALL, "--nice", "nice                : 100" },
    { SUBMIT_ALL, "--nice=-5", "nice                : -5" },
    { SUBMIT_SBATCH | SUBMIT_SRUN, "--open-mode=append", "open-mode           : a" },
    { SUBMIT_SBATCH, "--requeue", "requeue             : requeue" },
    { SUBMIT_SBATCH, "--no-requeue", "no-requeue          : no-requeue" },
    { SUBMIT_ALL, "--signal=R:USR1", "signal              : R:USR1" },
    { SUBMIT_ALL, "-t 90", "time                : 01:30:00" },
    { SUBMIT_ALL, "-t UNLIMITED", "time                : UNLIMITED" },
    { SUBMIT_ALL, "--time-min=5", "time-min            : 00:05:00" },
    { SUBMIT_ALL, "--tmp=10", "tmp                 : 10" },
    { SUBMIT_ALL, "-m plane=4", "distribution        : plane=4" },
    { SUBMIT_ALL, "-B 1:2", "extra-node-info     : 1:2" },
    { SUBMIT_ALL, "--no-kill", "no-kill             : set" },
    { SUBMIT_SBATCH, "-a 1-5%2", "array               : 1-5%2" },
    { SUBMIT_SBATCH, "--ignore-pbs", "ignore-pbs          : set" },
    { SUBMIT_SRUN, "--oom-kill-step", "oom-kill-step       : 1" },
    { SUBMIT_SRUN, "-l -K", "kill-on-bad-exit    : 1|label               : set" },
    { SUBMIT_SRUN | SUBMIT_SALLOC, "-I", "immediate           : 1" },
    { SUBMIT_SRUN | SUBMIT_SALLOC, "-I5", "immediate           : 5" },
    { SUBMIT_SALLOC, "--bell -K", "bell                : bell-always|kill-command        : TERM" },
    { SUBMIT_ALL, "--hint=nomultithread -B 1", "extra-node-info     : 1" },
    { SUBMIT_SRUN, "--hint=nomultithread --cpu-bind=threads", "cpu-bind            : threads" },
    { SUBMIT_ALL, "-vv", "verbose             : 2" },
};

static void check_case(enum submit_command command, int i)
{
    AUTO(submit_options) struct submit_options options;
    AUTO(words) struct words words = words_split(given[i].line, " ");
    AUTO(words) struct words lines = words_split(given[i].shown, "|");
    AUTO(strbuf) struct strbuf shown = { 0 };
    AUTO(strbuf) struct strbuf expected = { 0 };
    char *argv[8] = { "" };
    struct err err = { 0 };
    int operand;

    strbuf_adds(&expected, "defined options\n-------------------- --------------------\n");
    for (uint32_t k = 0; k < lines.n; k++)
        strbuf_addf(&expected, "%s\n", lines.at[k]);
    strbuf_adds(&expected, "-------------------- --------------------\nend of defined options\n");
    for (uint32_t k = 0; k < words.n; k++)
        argv[k + 1] = words.at[k];
    submit_options_init(&options, command);
    options.now = NOW;
    ck_assert_msg(submit_options_parse(&options, FROM_COMMAND_LINE, (int)words.n + 1, argv,
                                       &operand, &err) == 0,
                  "%s", err.text);
    ck_assert_msg(submit_options_check(&options, &err) == 0, "%s", err.text);

    submit_options_show(&options, &shown);

    ck_assert_str_eq(strbuf_text(&shown), strbuf_text(&expected));
}

START_TEST(options_are_shown_as_slurm_shows_them)
{
    for (uint32_t command = SUBMIT_SBATCH; command <= SUBMIT_SALLOC; command *= 2) {
        if (given[_i].command & command)
            check_case((enum submit_command)command, _i);
    }
}
END_TEST

CHECK_MAIN(option_shown, LOOP_CASE(options_are_shown_as_slurm_shows_them, ARRAY_N(given)))
