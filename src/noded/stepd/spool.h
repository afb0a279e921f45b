/*
 * spool.h - what a step leaves on the node's disk, so that nothing depends on a process to live.
 *
 *     SlurmdSpoolDir/steps/JOB.STEP.LAUNCH/   0700, root's
 *         launch   encoded launch_cred, written before the step daemon is forked
 *         cgroup   path of the step's cgroup, empty without one, written before any task starts
 *         ctl      socket of the live step daemon; in a spare one see noded/monitor/sockets.h
 *         result   encoded step_report, written by the step daemon before it ends; by the monitor
 *                  when that was killed and what it left is gone
 *
 * A record that is over is kept, as spare.N (spare.h), its files aside and still full, and becomes
 * that of a later step. Nobody writes to it meanwhile: it is given up only when its step daemon is
 * gone.
 *
 * A record with a launch but neither a live ctl nor a result is a launch that was lost; without a
 * cgroup it is one that had not begun. Files appear whole (written aside, then renamed), but
 * nothing waits for the disk: after the machine went down one may have what it had in an earlier
 * record. Directories are given by descriptor.
 */
#pragma once

#include "common/msg/step.h"

#define SPOOL_NAME_MAX 48
#define SPOOL_FILE_MAX (1u << 20)
#define SPOOL_SOCKET   "ctl"

struct spool_name {
    uint32_t job_id, step_id, launch_number;
};

/* Formats a step's number as "0", "batch", "extern" or "interactive". */
void step_word(uint32_t step_id, char ret[SPOOL_NAME_MAX]);
/* Formats how people name a step: "12.0", "12.batch". */
void step_title(uint32_t job_id, uint32_t step_id, char ret[SPOOL_NAME_MAX]);

/* Convert to "12.batch.1", and back; false for anything else. */
void spool_name_format(const struct spool_name *name, char ret[SPOOL_NAME_MAX]);
bool spool_name_parse(const char *text, struct spool_name *ret);

/* Makes the directory, or takes a spare one; fails with -EEXIST when there is one. *ret_fd is the
 * caller's. */
int spool_make(int steps_fd, const struct spool_name *name, int *ret_fd, struct err *err);
int spool_open(int steps_fd, const struct spool_name *name, int *ret_fd, struct err *err);

/* Removes a record that no step daemon has. With has_socket somebody keeps its control socket,
 * which then stays there. Returns 1 when the record is kept as a spare, and 0 when not. */
int spool_remove(int steps_fd, const struct spool_name *name, bool has_socket, struct err *err);

/*
 * Writes over what an earlier record left in an open file. It is not emptied first: ext4 takes an
 * emptied one for something precious, waits for its last bytes to reach the disk, and sends the new
 * ones there before it is closed, a quarter of a millisecond for each. Whole blocks are written, so
 * that nothing has to be read of old ones that are not in memory any more; then what is too much is
 * cut. Returns 0 or a negative errno.
 */
int spool_replace(int fd, const void *bytes, size_t n);

int spool_write(int fd, const char *file, const void *bytes, size_t n, struct err *err);

/* Appends the file; fails with -ENOENT when there is none. */
int spool_read(int fd, const char *file, struct strbuf *text, struct err *err);

int spool_write_result(int fd, const struct step_report *report, struct err *err);

/* Returns 1 with *ret_report, 0 when there is no result of that launch. */
int spool_read_result(int fd, const struct spool_name *name, struct step_report *ret_report,
                      struct err *err);

/* Open the control socket of verbs.h packets: listening on it, and calling the one who listens. */
int spool_listen(int fd, int *ret_socket, struct err *err);
int spool_call(int fd, int *ret_socket, struct err *err);
