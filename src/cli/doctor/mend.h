/*
 * mend.h - commands that are true where they are to be typed: with systemd or without, on this host
 * or another, in a cluster of `sluice up` or one of machines. All are new strings.
 *
 * Other hosts are taken to be like this one. `host`: a node's or controller's name; NULL: here.
 */
#pragma once

#include "cli/doctor/findings.h"

enum daemon_kind { DAEMON_MUNGED, DAEMON_SLURMCTLD, DAEMON_SLURMD };

/* Returns what the daemon's process is called, such as "munged". */
const char *daemon_program(enum daemon_kind kind);

/* Returns "on worker-1: ", or "" when the host is this one. */
char *mend_place(const struct doctor *doctor, const char *host);

/* Returns what starts the daemon: "systemctl start slurmd, and see journalctl -u slurmd". */
char *mend_start(const struct doctor *doctor, enum daemon_kind kind, const char *host);
char *mend_restart(const struct doctor *doctor, enum daemon_kind kind, const char *host);

char *mend_clock(const struct doctor *doctor, const char *host);

/*
 * Returns what raises a limit of a daemon here: "LimitNOFILE=65536" of its unit, or "-n 65536" of
 * the shell.
 */
char *mend_limit(const struct doctor *doctor, enum daemon_kind kind, const char *unit_says,
                 const char *ulimit_says);

/* Returns what copies the file here from where it is right; on the controller from a node. */
char *mend_copy(const struct doctor *doctor, const char *path);

/* Returns "sluice up", with --dir where the cluster is not in the usual place. */
char *mend_sluice(const struct doctor *doctor, const char *verb);
