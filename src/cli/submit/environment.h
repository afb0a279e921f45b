/*
 * environment.h - the variables that a job gets: the user's, as far as --export lets them through,
 * and those with which a submitting command tells the job what was asked.
 *
 * Owns its strings. Pure, but for environment_login, which runs a login shell.
 */
#pragma once

#include <stdbool.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

struct job_env_facts;
struct submit_options;

struct environment {
    char **at; /* "NAME=value", ended by NULL once anything was added */
    uint32_t n;
};

void environment_clear(struct environment *environment);
void environment_auto_(struct environment *environment);

void environment_copy(struct environment *environment, char *const *from);
void environment_set(struct environment *environment, const char *name, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
void environment_unset(struct environment *environment, const char *name);

/* Returns the value, borrowed until the next change, or NULL. */
const char *environment_get(const struct environment *environment, const char *name);

/*
 * Takes from `from` what --export asks for: ALL (also NULL), NONE and NIL, or a list of NAME and
 * NAME=value. SLURM_x always goes along. *ret_login is true if the login variables belong below.
 */
void environment_export(struct environment *environment, const char *spec, char *const *from,
                        bool *ret_login);

/* Adds those variables of `from` that are not there yet. */
void environment_add_missing(struct environment *environment, const struct environment *from);

/*
 * Drops from an environment inside a job what described that job, its steps and tasks, so that a
 * job submitted from there does not take it for its own.
 */
void environment_leave_job(struct environment *environment);

/* Sets SLURM_NTASKS, SLURM_CPUS_PER_TASK ...: what was asked, for those who read it in the job. */
void environment_describe(struct environment *environment, const struct submit_options *options);

/* Sets the variables of the table that are in one of these environments (common/msg/job_env.h). */
void environment_make(struct environment *environment, unsigned in,
                      const struct job_env_facts *facts);

/* Appends a blob: every string ended by a zero byte. Fails with E_TOO_BIG beyond BLOB_MAX. */
int environment_encode(const struct environment *environment, struct strbuf *out, struct err *err);

/*
 * Sets what a login shell of this user has, waiting for it at most `timeout_s` seconds. Fails when
 * the shell does; `environment` then has HOME, USER, LOGNAME, SHELL and PATH all the same.
 */
int environment_login(struct environment *environment, int timeout_s, struct err *err);
