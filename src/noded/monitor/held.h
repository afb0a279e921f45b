/*
 * held.h - the steps of which this node holds a record: running, ended, or lost.
 *
 * Found again on disk when the monitor starts. Follows each live step daemon at its control socket;
 * when that closes, the result on disk says how the step ended, and without one the launch is lost:
 * then what is left of it is killed first. Runs on the monitor's loop.
 */
#pragma once

#include "common/base/log.h"
#include "common/msg/step.h"
#include "noded/cgroup/cgroup.h"
#include "noded/priv/verbs.h"
#include "noded/stepd/spool.h"

struct event_base;
struct held_table;

struct held_callbacks {
    /* Called when a step is not as it was. */
    void (*on_report)(void *ctx, const struct step_report *report);
    /* Called when no process of this job is left here, as held_watch_job asked. */
    void (*on_job_clean)(void *ctx, uint32_t job_id);
};

/*
 * Takes up every record in steps_fd, but for those of launches that cannot have begun: they are
 * dropped, so that the order may be given again. `cgroups` and `log` are borrowed; so is steps_fd.
 */
struct held_table *held_table_new(struct event_base *base, int steps_fd,
                                  const struct cgroup_root *cgroups, struct log *log,
                                  const struct held_callbacks *callbacks, void *ctx);

/* Frees memory and closes connections; steps and records stay. NULL is fine. */
struct held_table *held_table_free(struct held_table *table);

/* Opens the control socket of a step daemon to be started, as sockets_open does. */
int held_open_socket(struct held_table *table, int record_fd, int *ret_fd, ino_t *ret_file,
                     struct err *err);

/* Follows the step daemon that was just started; its record is there, with that socket. */
void held_add(struct held_table *table, const struct spool_name *name, ino_t socket_file);

/* Fails if something stands in the way of a launch: -EEXIST when that very launch is held, -E_STALE
 * when a later one is, -EBUSY while an earlier one of the step runs. */
int held_check(const struct held_table *table, const struct spool_name *name, struct err *err);

/* Returns how many records there are. */
uint32_t held_count(const struct held_table *table);

/* Calls on_report for every step. */
void held_report_all(struct held_table *table);
void held_report_one(struct held_table *table, const struct spool_name *name);

/* Passes an order on to the step daemons it means. Returns how many. */
uint32_t held_signal(struct held_table *table, const struct priv_signal *signal);
uint32_t held_end(struct held_table *table, const struct priv_end *end);
uint32_t held_say(struct held_table *table, const struct priv_say *say);

/* Lets all step daemons go on logging in this file. Returns how many. */
uint32_t held_log(struct held_table *table, int fd);

/*
 * Passes a connection on to the step daemon, whose user side takes it. -E_ALREADY_DONE when that
 * step does not run here, -EBUSY while its step daemon has others to take first. `fd` stays the
 * caller's.
 */
int held_connect(struct held_table *table, const struct priv_connect *connect, int fd,
                 struct err *err);

/* Calls `fn` for each live step of the job, or for that one. */
typedef void held_alive_fn(void *ctx, const struct spool_name *name);
void held_each_alive(const struct held_table *table, uint32_t job_id, uint32_t step_id,
                     held_alive_fn *fn, void *ctx);

/* Has on_job_clean called once for this job, perhaps at once; not if held_add comes before. */
void held_watch_job(struct held_table *table, uint32_t job_id);

/* Removes the record. -ENOENT when there is none, -EBUSY while the step runs. */
int held_forget(struct held_table *table, const struct spool_name *name, struct err *err);
