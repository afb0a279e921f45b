/* start.h - what a controller needs before its loop runs, in the order it is done. */
#pragma once

#include "common/net/listen.h"
#include "common/proc/daemon.h"
#include "ctld/dispatch/ctld.h"

struct start_options {
    const char *conf_path;
    const char *log_path; /* -L, else SlurmctldLogFile */
    bool foreground;      /* -D */
    bool is_trial;        /* -t: only tell whether it would start */
    bool fresh;           /* -c: forget jobs, nodes and history */
    int verbose;          /* times -v */
};

struct started {
    struct start_options options;
    struct proc_user user;
    struct proc_background *background;
    struct proc_pidfile *pidfile;
    int tcp_fd;
    struct net_unix_listener *unix_listener;
    char *host; /* our name among the SlurmctldHosts; owned */
};

/* Reads the configuration, becomes a daemon and SlurmUser, opens log and sockets. */
int start_process(struct ctld *ctld, struct started *started, struct err *err);

/* Opens the store and the key, loads the state, serves. */
int start_service(struct ctld *ctld, struct started *started, struct err *err);

/* Ends the connections politely, within two seconds, and releases everything. */
void stop_service(struct ctld *ctld, struct started *started);

/*
 * Finds the first SlurmctldHost, which is this machine: by its name, with or without a domain, or
 * by an address of its interfaces. Fails, telling where the controller belongs, on any other. May
 * ask the name service, and wait for it. *ret_host is the caller's.
 */
int start_find_place(const struct slurm_conf *conf, char **ret_host, struct err *err);

/* Finds SlurmUser, to be cleared. Fails where there is none, or this process may not become it. */
int start_find_user(const struct slurm_conf *conf, struct proc_user *ret_user, struct err *err);

/*
 * Prints what is wrong or old in the file, as `sluice conf check --quiet` does, and what of this
 * machine does not fit it. Returns the exit status, 0 when it would start and no error was found.
 */
int start_try(const char *path);

/* Reads slurm.conf and the files beside it that say where jobs can go. */
int start_read_conf(const char *path, struct slurm_conf **ret_conf, struct conf_notes *notes,
                    struct err *err);

/* Reads cgroup.conf, which nodes act on and scontrol shows. */
void start_read_cgroup(struct ctld *ctld);

/* Logs what the configuration's author should know. */
void start_log_notes(struct log *log, const struct conf_notes *notes);
