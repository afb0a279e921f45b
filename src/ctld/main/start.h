/* start.h - what a controller needs before its loop runs, in the order it is done. */
#pragma once

#include "common/net/listen.h"
#include "common/proc/daemon.h"
#include "ctld/dispatch/ctld.h"

struct start_options {
    const char *conf_path;
    const char *log_path; /* -L, else SlurmctldLogFile */
    bool foreground;      /* -D */
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
    const char *host; /* our name among the SlurmctldHosts */
};

/* Reads the configuration, becomes a daemon and SlurmUser, opens log and sockets. */
int start_process(struct ctld *ctld, struct started *started, struct err *err);

/* Opens the store and the key, loads the state, serves. */
int start_service(struct ctld *ctld, struct started *started, struct err *err);

/* Ends the connections politely, within two seconds, and releases everything. */
void stop_service(struct ctld *ctld, struct started *started);

/* slurm.conf and the files beside it that say where jobs can go. */
int start_read_conf(const char *path, struct slurm_conf **ret_conf, struct conf_notes *notes,
                    struct err *err);

/* cgroup.conf, which nodes act on and scontrol shows. */
void start_read_cgroup(struct ctld *ctld);

/* Logs what the configuration's author should know. */
void start_log_notes(struct log *log, const struct conf_notes *notes);
