/* start.h - what a controller needs before its loop runs, in the order it is done. */
#pragma once

#include "common/net/listen.h"
#include "common/proc/daemon.h"
#include "ctld/dispatch/ctld.h"

struct start_options {
    const char *conf_path;
    const char *log_path; /* -L, else that of the configuration */
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

/* What a configuration says of the process: of whom it is, and where it has what. Borrowed. */
struct start_place {
    const char *program;  /* "slurmctld" */
    const char *conf;     /* path of the configuration */
    const char *user;     /* SlurmUser */
    const char *log_path; /* NULL: it has no log file */
    const char *pid_path;
    const char *dir;      /* for what is kept; NULL: a server keeps it */
    const char *port_key; /* "SlurmctldPort" */
    uint16_t port;
    const char *address;     /* to be heard by; NULL: all */
    const char *socket_path; /* for who is on this machine; NULL: none */
};

/* What makes a process that keeps records a controller, or a slurmdbd. */
struct start_role {
    /* Reads the configuration, becomes a daemon and SlurmUser, opens log and sockets. */
    int (*process)(struct ctld *ctld, struct started *started, struct err *err);
    /* Opens the store, loads the state, serves. */
    int (*service)(struct ctld *ctld, struct started *started, struct err *err);
    /* Ends the connections politely, within two seconds, and releases everything. */
    void (*stop)(struct ctld *ctld, struct started *started);
    /* Returns the log file of the configuration in force, borrowed, or NULL. */
    const char *(*log_path)(const struct ctld *ctld);
    /* Returns whether `service` is to be called once more, after it returned `rc` and, if that is
     * 0, the loop has ended; its state is released then. NULL: never. */
    bool (*begins_again)(struct ctld *ctld, int rc);
};

/* Starts what the role says, serves until a signal ends it, and stops. Returns the exit status. A
 * service that was ended while it waited for something fails with -ECANCELED, which is no fault. */
int start_run(struct ctld *ctld, struct started *started, const struct start_role *role);

/*
 * Becomes a daemon and the place's user, opens log, directory and sockets; what is opened is in
 * `started`, also after a failure.
 */
int start_daemon(struct log *log, const struct start_place *place, struct started *started,
                 struct err *err);

/* Finds a user, to be cleared. Fails where there is none, or this process may not become it. */
int start_find_user(const struct start_place *place, struct proc_user *ret_user, struct err *err);

/* Makes who reads committed changes; before the state is loaded, which tells them what they had. */
void start_readers(struct ctld *ctld);

/* Makes what turns need, once there is a state. What is the role's own is set by its caller. */
void start_turns(struct ctld *ctld);

/* Says farewell to who is connected, and releases all that start_readers, start_turns and the
 * service have made of the state; sockets and process stay. */
void stop_state(struct ctld *ctld);

/* Serves on the sockets that were opened. */
void start_server(struct ctld *ctld, const struct started *started,
                  const struct rpc_options *options);

/* ---- of slurmctld ---- */

/* These are what the role slurmctld is. */
int start_process(struct ctld *ctld, struct started *started, struct err *err);
int start_service(struct ctld *ctld, struct started *started, struct err *err);
void stop_service(struct ctld *ctld, struct started *started);
const char *start_log_path(const struct ctld *ctld);

/* Fills in the place that slurm.conf says; *ret_socket, its socket, is to be freed after it. */
void start_place_of(const struct slurm_conf *conf, struct start_place *ret, char **ret_socket);

/*
 * Finds the first SlurmctldHost, which is this machine: by its name, with or without a domain, or
 * by an address of its interfaces. Fails, telling where the controller belongs, on any other. May
 * ask the name service, and wait for it. *ret_host is the caller's.
 */
int start_find_place(const struct slurm_conf *conf, char **ret_host, struct err *err);

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
