/*
 * session.h - what the verbs of one scontrol share.
 *
 * A verb prints its result on stdout, what went wrong on stderr, and notes failure in `status`. The
 * configuration and the connection are made when a verb first needs them: some need neither.
 */
#pragma once

#include <stdio.h>

#include "cli/lib/command.h"
#include "cli/lib/document.h"
#include "cli/lib/records.h"
#include "cli/scontrol/show.h"

/* Texts are borrowed from argv and the environment. */
struct scontrol_options {
    bool all, hide, future, details, one_line, quiet, help;
    uint32_t verbose;
    struct document_options document;
    const char *clusters, *time_format, *tasks_length, *conf_out;
};

struct scontrol {
    struct command command;
    struct scontrol_options options;
    char *const *words; /* the verb that runs, and its arguments */
    int words_n;
    bool over; /* quit */
    int status;
};

/* Loads slurm.conf; returns false, with the reason printed, where that fails. */
bool session_load(struct scontrol *session);

/* True if hidden records are to be left out, without -a. */
bool session_hides(const struct scontrol *session);

/* Loads slurm.conf and connects. `what` is as for records_report: "slurm_load_jobs". */
bool session_connect(struct scontrol *session, const char *what);

/* Says what failed in the words that scripts match, and drops a connection that broke. */
void session_report(struct scontrol *session, const char *what, const struct err *err);

/* Drops a connection that broke. */
void session_check(struct scontrol *session, const struct err *err);

/* Prints "too many arguments for keyword:show" and the like on stderr. */
void session_refuse(struct scontrol *session, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Writes all of the text to a file just opened, and closes it. Returns false, with the reason in
 * errno, where that or opening the file failed (NULL).
 */
bool session_fill(FILE *file, const struct strbuf *text);

/* Loads records as records_load does, over a connection; reports errors itself. */
bool session_records(struct scontrol *session, const char *what, uint32_t type, const void *msg,
                     uint32_t record_type, struct records *ret_records);

/* Sends a request without an answer worth showing; reports errors itself. */
void session_order(struct scontrol *session, const char *what, uint32_t type, const void *msg);

/* Replaces a list of nodes that is ALL by all the nodes there are; reports errors itself. */
bool session_name_all(struct scontrol *session, const char *what, char **names);

/* ---- verbs; argv[0] is the verb ---- */

void scontrol_show(struct scontrol *session, int argc, char *const *argv);
void scontrol_update(struct scontrol *session, int argc, char *const *argv);
void scontrol_create(struct scontrol *session, int argc, char *const *argv);
void scontrol_delete(struct scontrol *session, int argc, char *const *argv);
void scontrol_write(struct scontrol *session, int argc, char *const *argv);
void scontrol_write_config(struct scontrol *session, const char *name);    /* NULL: the usual one */
void scontrol_hold(struct scontrol *session, int argc, char *const *argv); /* uhold, holdu too */
void scontrol_release(struct scontrol *session, int argc, char *const *argv);
void scontrol_requeue(struct scontrol *session, int argc, char *const *argv); /* requeuehold too */
void scontrol_suspend(struct scontrol *session, int argc, char *const *argv); /* resume too */
void scontrol_top(struct scontrol *session, int argc, char *const *argv);
void scontrol_notify(struct scontrol *session, int argc, char *const *argv);
void scontrol_completing(struct scontrol *session, int argc, char *const *argv);
void scontrol_reboot(struct scontrol *session, int argc, char *const *argv);
void scontrol_cancel_reboot(struct scontrol *session, int argc, char *const *argv);
void scontrol_ping(struct scontrol *session, int argc, char *const *argv);
void scontrol_cluster(struct scontrol *session, int argc, char *const *argv);
void scontrol_takeover(struct scontrol *session, int argc, char *const *argv);
void scontrol_token(struct scontrol *session, int argc, char *const *argv);
void scontrol_setdebug(struct scontrol *session, int argc, char *const *argv);
void scontrol_setdebugflags(struct scontrol *session, int argc, char *const *argv);
void scontrol_schedloglevel(struct scontrol *session, int argc, char *const *argv);
void scontrol_fsdampeningfactor(struct scontrol *session, int argc, char *const *argv);
void scontrol_getent(struct scontrol *session, int argc, char *const *argv);
void scontrol_wait_job(struct scontrol *session, int argc, char *const *argv);
void scontrol_listpids(struct scontrol *session, int argc, char *const *argv);
void scontrol_listjobs(struct scontrol *session, int argc, char *const *argv);
void scontrol_liststeps(struct scontrol *session, int argc, char *const *argv);
void scontrol_pidinfo(struct scontrol *session, int argc, char *const *argv);

/* ---- entities of show; `id` may be NULL ---- */

void show_hostnames(struct scontrol *session, const char *id);
void show_hostlist(struct scontrol *session, const char *id);
void show_hostlist_sorted(struct scontrol *session, const char *id);
void show_aliases(struct scontrol *session, const char *id);
void show_daemons(struct scontrol *session, const char *id);
void show_jobs(struct scontrol *session, const char *id);
void show_steps(struct scontrol *session, const char *id);
void show_nodes(struct scontrol *session, const char *id);
void show_partitions(struct scontrol *session, const char *id);
void show_reservations(struct scontrol *session, const char *id);
void show_licenses(struct scontrol *session, const char *id);
void show_config(struct scontrol *session, const char *id);
void show_assoc_mgr(struct scontrol *session, char *const *words, int n);
void show_slurmd(struct scontrol *session, const char *id);

/* Prints "Slurmctld(primary) at head is UP" for each controller. True if one is up. */
bool show_controllers(struct scontrol *session);

/* Prints the answers to a ping with --json. */
void ping_document(struct scontrol *session);

/* Run create, update and delete for words that are about a partition or a reservation; `word` is
 * what was typed first. */
void scontrol_create_partition(struct scontrol *session, int argc, char *const *argv);
void scontrol_update_partition(struct scontrol *session, int argc, char *const *argv);
void scontrol_delete_partition(struct scontrol *session, char *pair);
void scontrol_create_reservation(struct scontrol *session, int argc, char *const *argv);
void scontrol_update_reservation(struct scontrol *session, int argc, char *const *argv);
void scontrol_delete_reservation(struct scontrol *session, const char *word, const char *name);
void scontrol_update_step(struct scontrol *session, int argc, char *const *argv);
