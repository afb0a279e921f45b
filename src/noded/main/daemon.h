/*
 * daemon.h - what the node daemon is made of, from the command line to the two running halves.
 */
#pragma once

#include <event2/event.h>

#include "common/conf/slurm_conf.h"
#include "common/net/manager.h"
#include "common/proc/daemon.h"
#include "noded/agent/agent.h"
#include "noded/bind/plan.h"
#include "noded/monitor/monitor.h"
#include "noded/stepd/bounds.h"

struct daemon_options {
    const char *conf_path;
    const char *node_name; /* -N, else the node of this host's name */
    const char *log_path;  /* -L, else SlurmdLogFile */
    bool foreground;       /* -D */
    bool print_gres;       /* -G */
    bool lock_memory;      /* -M */
    int nice;              /* -n */
    int verbose;           /* times -v */
};

/* Everything that a configuration decides; made anew by SIGHUP. Owns its parts. */
struct settings {
    struct slurm_conf *conf;
    const struct conf_node *node;
    char *spool_dir, *pid_file; /* patterns expanded */
    char *log_file;             /* NULL: none */
    char *job_conf_path;        /* for jobs, when it is not the usual place, else NULL */
    char **controllers;
    uint32_t slurm_uid;
    struct proc_user agent_user; /* who the agent becomes, when we are root */
    bool agent_user_is_made_up;  /* no user of that number exists */
    enum log_level log_level;
    struct bounds bounds;
    struct bind_conf bind;
    struct conf_container container; /* without base_path: none */
    struct node_gpu *gpus;           /* that AutoDetect has found */
    uint32_t gpus_n;
    uint64_t digest; /* of all files that were read */
};

struct daemon {
    struct daemon_options options;
    struct log *log;
    struct clock clock;
    char host[256];
    char *boot_id;
    struct settings settings;
    struct cgroup_root *cgroups;
    struct proc_background *background;
    struct proc_pidfile *pidfile;
    struct event_base *base;
    struct monitor *monitor;
    struct event *signals, *restart, *reload;
    struct net_manager *manager; /* of services, NULL: none started us */
    int signal_fd;
    int64_t started;      /* wall clock, in seconds */
    int64_t conf_read_ms; /* clock_mono_ms when that was last tried */
    pid_t agent;          /* 0: none runs */
    int64_t agent_started_ms;
    int restart_s; /* pause before the agent is started again */
};

/* settings.c: reads the file; *ret is to be released by settings_clear. Logs notes. */
int settings_load(const struct daemon *daemon, struct settings *ret, struct err *err);
void settings_clear(struct settings *settings);

/* conf_read_fn from the disk, into the digest; `ctx` is the settings. */
int settings_read_file(void *ctx, const char *path, struct strbuf *text, struct err *err);

/* Returns true if nothing would be different with the other settings. */
bool settings_are_same(const struct settings *a, const struct settings *b);

/* Finds which of the configuration's nodes this is: ->node, borrowed from ->conf, which is
 * loaded. */
int settings_find_node(const struct daemon *daemon, struct settings *settings, struct err *err);

/* Prints a line for each kind of device that this node has (gres_lines.c). */
int gres_lines_print(const struct daemon *daemon, struct err *err);

/* Loads what cgroup.conf and its keys in slurm.conf say about this node (containment.c). Logs
 * notes. */
int settings_load_bounds(const struct daemon *daemon, struct settings *settings,
                         struct conf_notes *notes, struct err *err);
void settings_clear_bounds(struct settings *settings);
struct cgroup_root *settings_find_cgroups(const struct daemon *daemon);

/*
 * Finds in ->gpus what gres.conf has this node look for (gpus.c); ->node is known, with its
 * devices. Returns -ENOENT where NVIDIA's library is not there: gpus are told by their files then.
 */
int settings_find_gpus(struct settings *settings, struct err *err);
void settings_clear_gpus(struct settings *settings);

/* Starts the agent's process (agent_process.c); another one is started when it ends. */
void agent_process_start(struct daemon *daemon);
void agent_process_stop(struct daemon *daemon);
void agent_process_ended(struct daemon *daemon, int status);

/*
 * Reloads while the daemon runs (reload.c). Both halves begin anew with what the file says now, and
 * the steps are found on disk again.
 */
void reload_now(struct daemon *daemon);

/* Reloads, but nothing ends and begins where the files say what they said before. */
void reload_if_changed(struct daemon *daemon);

/* Takes an order of the controller about the settings, for monitor_options; `ctx` is the daemon. */
void reload_on_order(void *ctx, const struct node_cred *order);

/* Starts both halves, from the settings to the loop's end (service.c). */
int service_start_monitor(struct daemon *daemon, struct err *err);
int service_open_log(struct daemon *daemon, struct err *err);

/* Opens the log anew, for the agent and all steps, too. */
void service_move_log(struct daemon *daemon);
int service_start(struct daemon *daemon, struct err *err);
void service_stop(struct daemon *daemon);
