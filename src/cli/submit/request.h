/*
 * request.h - from options to what is sent: what every submitting command adds by itself.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/submit/environment.h"
#include "cli/submit/options.h"
#include "common/msg/job.h"

/*
 * Reads the command line and the environment; answers --help, --usage and --version, and prints
 * errors. Returns the process's exit status, or -1 to go on; *ret_operand is then the index of the
 * first operand.
 */
int submit_begin(struct command *command, struct submit_options *options, int argc, char **argv,
                 int *ret_operand);

/* Calls submit_options_check and prints the warnings so far on stderr. Returns a status or -1. */
int submit_check(struct command *command, struct submit_options *options);

/* Prints an error of options.h as getopt or Slurm would; returns the process's exit status. */
int submit_refuse(const struct command *command, const struct err *err);

/* Checks what slurm.conf decides: --acctg-freq is often enough. */
int submit_check_by_conf(const struct command *command, const struct submit_options *options,
                         struct err *err);

/* Takes back what slurm.conf does not let jobs ask for, and prints that. */
void submit_obey_conf(struct command *command, struct submit_options *options);

/*
 * Fills job and body: umask, limits, directory, host, command line, token. The command's slurm.conf
 * must be loaded; with -vv it prints what is passed on.
 */
void submit_fill_job(const struct command *command, struct submit_options *options, int argc,
                     char **argv);

/* Finds the soft limits that the job gets, by --propagate or slurm.conf. */
void submit_limits(const char *propagate, const struct slurm_conf *conf,
                   struct rlimit_spec **ret_limits, uint32_t *ret_limits_n);

/* Returns the number of the limit that --propagate calls so ("NOFILE"), or -1. */
int submit_limit_resource(const char *name);

/*
 * Sets SLURM_SUBMIT_DIR, SLURM_SUBMIT_HOST, SLURM_JOB_NAME, SLURM_PRIO_PROCESS and
 * SLURM_CLUSTER_NAME.
 */
void submit_environment(struct environment *environment, const struct submit_options *options,
                        const struct slurm_conf *conf);

/* Prints the answer to --test-only. */
void submit_say_planned(const struct command *command, const struct job_submitted *planned);

/* Returns 128 random bits in hex. */
char *submit_token(void);

/* Returns the words of a command line, divided by blanks. */
char *submit_line(int argc, char **argv);

/* Returns $SLURM_UMASK, or the umask of this process. */
mode_t submit_umask(void);

/* Replaces the blob's content by a copy of the data. */
void submit_blob(struct blob *blob, const void *data, size_t n);
