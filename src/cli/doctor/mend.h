/*
 * mend.h - commands that are true where they are to be typed: with systemd or without, on this host
 * or another, in a cluster of `sluice up` or one of machines. All are new strings.
 *
 * Other hosts are taken to be like this one. `host`: a node's or controller's name; NULL: here.
 */
#pragma once

#include "cli/doctor/findings.h"

enum daemon_kind { DAEMON_MUNGED, DAEMON_SLURMCTLD, DAEMON_SLURMD };

/* "munged": what the daemon's process is called. */
const char *daemon_program(enum daemon_kind kind);

/* "on worker-1: ", or "" when the host is this one. */
char *mend_place(const struct doctor *doctor, const char *host);

/* "systemctl start slurmd, and see journalctl -u slurmd" */
char *mend_start(const struct doctor *doctor, enum daemon_kind kind, const char *host);
char *mend_restart(const struct doctor *doctor, enum daemon_kind kind, const char *host);

char *mend_clock(const struct doctor *doctor, const char *host);

/* Raises a limit of a daemon here: "LimitNOFILE=65536" of its unit, or "-n 65536" of the shell. */
char *mend_limit(const struct doctor *doctor, enum daemon_kind kind, const char *unit_says,
                 const char *ulimit_says);

/* The file from where it is right to here; on the controller from a node that has it. */
char *mend_copy(const struct doctor *doctor, const char *path);

/* "sluice up", with --dir where the cluster is not in the usual place. */
char *mend_sluice(const struct doctor *doctor, const char *verb);
