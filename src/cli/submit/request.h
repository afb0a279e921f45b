/*
 * request.h - from options to what is sent: what every submitting command adds by itself.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/submit/environment.h"
#include "cli/submit/options.h"
#include "common/msg/job.h"

/*
 * Reads the command line and the environment: --help, --usage, --version are answered here, and
 * errors printed. Returns the process's exit status, or -1 to go on; *ret_operand is then the
 * index of the first operand.
 */
int submit_begin(struct command *command, struct submit_options *options, int argc, char **argv,
                 int *ret_operand);

/* submit_options_check, and the warnings collected so far go to stderr. Exit status or -1. */
int submit_check(struct command *command, struct submit_options *options);

/* Prints an error of options.h as getopt or Slurm would; returns the process's exit status. */
int submit_refuse(const struct command *command, const struct err *err);

/* What slurm.conf decides: --clusters names its cluster, --acctg-freq is often enough. */
int submit_check_by_conf(const struct command *command, const struct submit_options *options,
                         struct err *err);

/* Takes back what slurm.conf does not let jobs ask for, and says so. */
void submit_obey_conf(struct command *command, struct submit_options *options);

/*
 * Into job and body: umask, limits, directory, host, command line, token. The command's slurm.conf
 * must be loaded; with -vv it says what is passed on.
 */
void submit_fill_job(const struct command *command, struct submit_options *options, int argc,
                     char **argv);

/* The soft limits that the job gets, by --propagate or slurm.conf. */
void submit_limits(const char *propagate, const struct slurm_conf *conf,
                   struct rlimit_spec **ret_limits, uint32_t *ret_limits_n);

/* SLURM_SUBMIT_DIR, SLURM_SUBMIT_HOST, SLURM_JOB_NAME, SLURM_PRIO_PROCESS, SLURM_CLUSTER_NAME. */
void submit_environment(struct environment *environment, const struct submit_options *options,
                        const struct slurm_conf *conf);

/* The answer to --test-only. */
void submit_say_planned(const struct command *command, const struct job_submitted *planned);

/* 128 random bits in hex. */
char *submit_token(void);

/* The words of a command line, divided by blanks. */
char *submit_line(int argc, char **argv);

/* $SLURM_UMASK, or that of this process. */
mode_t submit_umask(void);

/* A blob of the message field's kind. */
void submit_blob(struct blob *blob, const void *data, size_t n);
