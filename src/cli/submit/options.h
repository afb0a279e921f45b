/*
 * options.h - the options of sbatch, srun and salloc: one table, one struct.
 *
 * A value comes from the command line, from the environment (SBATCH_x, SALLOC_x, SLURM_x) or from
 * an #SBATCH line, and counts in this order, whatever the order in which the sources are read.
 * What goes into the request as it is lies in `job` and `body`; the rest of the struct steers the
 * command. Pure, but for the files that --nodefile and SLURM_HOSTFILE name. Owns all it points to.
 *
 * An option that Slurm has and Sluice does not act on is in the table too: refused when leaving it
 * out would give another result, else taken with a warning.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/job.h"
#include "common/text/cpubind.h"
#include "common/text/membind.h"

enum submit_command {
    SUBMIT_SBATCH = 1,
    SUBMIT_SRUN = 2,
    SUBMIT_SALLOC = 4,
    SUBMIT_ALL = 7,
};

enum option_source { FROM_NOWHERE, FROM_DIRECTIVE, FROM_ENVIRONMENT, FROM_COMMAND_LINE };

#define OPTIONS_MAX 256 /* rows of the table */

/* Tells "not said" from "said no", for --kill-on-bad-exit, --no-bell ... */
enum tristate { UNSAID, SAID_NO, SAID_YES };

/* Values of --hint, of which several may be given. */
enum submit_hint {
    HINT_COMPUTE_BOUND = 1,
    HINT_MEMORY_BOUND = 2,
    HINT_NO_MULTITHREAD = 4,
    HINT_MULTITHREAD = 8,
};

struct submit_options {
    struct job_spec job;
    struct job_body body;
    enum submit_command command;
    int64_t now;            /* for --begin=now+1hour */
    char *cwd;              /* for relative directories */
    uint8_t *from;          /* enum option_source, by row of the table; OPTIONS_MAX of them */
    char **given;           /* the values as they were written; NULL: none; OPTIONS_MAX of them */
    uint8_t source;         /* enum option_source, of what is being read */
    struct strbuf warnings; /* lines for the user, each ended by a newline */
    const char *remark;     /* one that -v shows before the options, or NULL */

    bool help, usage, version;
    const char *list;        /* what to print instead: --cpu-bind=help, --mem-bind=help */
    uint32_t verbose, quiet; /* how often */
    char *clusters;
    char *export;       /* --export, NULL: ALL */
    char *propagate;    /* names of limits, NULL: as slurm.conf says */
    char *distribution; /* as given */
    char *hint;         /* as given */
    uint32_t hints;     /* enum submit_hint */
    bool has_node_info; /* --extra-node-info */
    char *gres;         /* as given, as the four below; "": none */
    char *gpus, *gpus_per_node, *gpus_per_socket, *gpus_per_task;
    struct cpu_bind cpu_bind;
    struct mem_bind mem_bind;
    char *step_gpu_bind; /* decided from gpu_bind and the numbers of gpus and tasks; NULL: none */
    bool no_gres;        /* --gres=none */
    char *host_file;     /* SLURM_HOSTFILE */
    char *listed_hosts;  /* SLURM_ARBITRARY_NODELIST: what the job's tasks were dealt by */
    /* Texts that go only into the job's variables, as Slurm writes them. */
    char *acctg_freq, *cpu_freq, *gpu_bind, *gpu_freq, *profile;
    uint32_t node_level;                               /* enum log_level of --slurmd-debug */
    char *prolog, *epilog, *task_prolog, *task_epilog; /* NULL: not said; "none" */
    uint32_t uid, gid, user_gid; /* --uid, --gid, the group of that user; COUNT_UNSET: not given */
    char *user_name;             /* of uid */
    uint32_t immediate_s;        /* COUNT_UNSET: wait for ever; 0 and 1: do not wait */

    /* sbatch */
    char *wrap;
    char *script_head; /* --bbf: file with lines for the script's begin */
    bool ignore_pbs;
    char *export_file;
    char *get_user_env; /* "" when given without a value */
    bool parsable, test_only, wait;

    /* srun */
    bool label, unbuffered, pty, disable_status, quit_on_interrupt;
    bool overlap, exact, whole, step_exclusive;
    bool debugger_test; /* tasks stop before their program starts */
    bool multi_prog;    /* the operand is a file that names programs */
    bool interactive;   /* one task on the first node, beside all other steps: salloc's shell */
    bool preserve_env;  /* SLURM_NTASKS and such stay as they are in srun's environment */
    uint32_t kill_on_bad_exit; /* enum tristate */
    uint32_t wait_s;           /* COUNT_UNSET: as slurm.conf says */
    uint32_t relative;
    uint32_t job_id; /* COUNT_UNSET: not given */
    char *mpi;
    char *bcast, *compress, *send_libs; /* of --bcast; "": without a value, NULL: not given */

    /* salloc */
    bool no_shell;
    uint32_t bell;         /* enum tristate */
    uint32_t kill_command; /* signal number; COUNT_UNSET: not given */
};

void submit_options_init(struct submit_options *options, enum submit_command command);
void submit_options_clear(struct submit_options *options);
void submit_options_auto_(struct submit_options *options);

/*
 * Reads argv[1..] up to the first operand, whose index goes to *ret_operand. Fails with E_SYNTAX
 * for what is no option (see args.h), EINVAL for a value, ERANGE for a number.
 */
int submit_options_parse(struct submit_options *options, enum option_source source, int argc,
                         char *const *argv, int *ret_operand, struct err *err);

/* Reads the variables of this command from "NAME=value" strings, ended by NULL. */
int submit_options_from_env(struct submit_options *options, char *const *environment,
                            struct err *err);

/*
 * Refuses, with ERANGE, what Slurm takes for several components of a heterogeneous job: a lone ":"
 * as the first operand, in srun as any. `argv` are the operands.
 */
int submit_check_components(enum submit_command command, int argc, char *const *argv,
                            struct err *err);

/* Fails with the error for a word that separates components of a heterogeneous job. */
int submit_err_component(const char *separator, struct err *err);

/* Refuses options that contradict each other and sets what follows from them, after all sources. */
int submit_options_check(struct submit_options *options, struct err *err);

/* True if anything asks for generic resources; inside a job only the step's own wishes count. */
bool submit_asks_gres(const struct submit_options *options);

/* Returns "none", "pmi2" or "pmix" for any word that means one of them; NULL for other words. */
const char *submit_mpi_type(const char *word);

/* Returns the source of the option's value. `name` must be in the table. */
enum option_source submit_options_source(const struct submit_options *options, const char *name);

/* Notes the option as not said; the caller takes its value back. */
void submit_options_forget(struct submit_options *options, const char *name);

/* Appends a line for each option that was given, with its value, as -v shows them. */
void submit_options_show(const struct submit_options *options, struct strbuf *out);

/* Returns what the process exits with after such an error: Slurm's numbers. */
int submit_exit_status(const struct err *err);

/* Append the text of --help, or that of --usage. */
void submit_options_help(enum submit_command command, struct strbuf *out);
void submit_options_usage(enum submit_command command, struct strbuf *out);

/* Returns "sbatch", "srun" or "salloc". */
const char *submit_command_name(enum submit_command command);
