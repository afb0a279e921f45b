/*
 * user_inside.h - what the files behind user.h share: user.c has the loop and what comes in,
 * user_prepare.c what happens before, user_tasks.c the tasks from their start to their end,
 * user_sight.c what visitors are told.
 */
#pragma once

#include <event2/event.h>

#include "common/text/gpubind.h"
#include "noded/mpi/mpi.h"
#include "noded/stdio/visitors.h"
#include "noded/stepd/frame.h"
#include "noded/stepd/oom.h"
#include "noded/stepd/streams.h"
#include "noded/stepd/task_bind.h"
#include "noded/stepd/task_env.h"
#include "noded/stepd/usage.h"
#include "noded/stepd/user.h"

/* The programs after a task, and how it ended, which is told after them. */
struct task_epilog {
    pid_t pid;     /* of the one that runs, 0: none */
    uint32_t next; /* which is its turn: the step's, then the cluster's */
    int status;
    struct event *limit; /* NULL before the first */
};

struct user {
    const struct stepd_launch *launch;
    const struct cgroup *cgroup;
    int pair_fd;
    int script_fd; /* empty file for the script, made as root; -1: none */
    struct launch_body body;
    struct task_env env;
    struct task_env_node env_node;
    struct gpu_bind gpu_bind;
    struct task_binding binding;
    char *launcher_host;
    char *program; /* the script, or NULL: look for argv[0] */
    char **argv;
    struct streams streams;
    struct srun_link *srun;    /* NULL: all streams are files, and tasks need no MPI */
    struct mpi *mpi;           /* NULL: none */
    struct visitors *visitors; /* who looks at the step meanwhile */
    struct usage_task *tasks;
    struct task_epilog *epilogs; /* of each task; their pids are 0 while none runs */
    uint32_t tasks_n, running_n;
    struct oom oom;
    struct strbuf unsaid; /* lines for a stderr that is not open yet */
    bool streams_are_open;
    bool has_dir;             /* the step is where it shall begin, or as near as can be */
    int64_t opening_ms;       /* when files were tried first */
    char lacks[ERR_TEXT_MAX]; /* what is not there yet; "": nothing is waited for */
    bool ending;              /* the parent was told to end the step */
    struct event_base *base;
    bool over; /* nothing is left to do, perhaps before the loop began */
    struct event *child_event, *pair_event, *wait_event, *sample_event, *open_event;
    int64_t sample_ms; /* until the next look at the tasks */
};

uint32_t user_node_index(const struct user *user);
const struct step_node *user_here(const struct user *user);

/* Sends a frame to the parent; waits while its buffer is full. */
void user_tell(const struct user *user, const struct frame *frame);
void user_tell_text(const struct user *user, enum frame_kind kind, int code, const char *text);

/* Says whole lines on the step's stderr, wherever that leads. */
void user_say(struct user *user, const char *lines);

/* Obeys what the parent has sent so far. */
void user_take_frames(struct user *user);

/* Leaves the loop; user_fail tells the parent that the step could not be started. */
void user_stop(struct user *user);
void user_fail(struct user *user, const struct err *err);

/* Reads body, environment and script. */
int user_set_up(struct user *user, struct err *err);

/*
 * Goes to the step's directory and opens the streams that are files. 1: user->lacks says what is
 * not there yet; to be called again.
 */
int user_open_files(struct user *user, struct err *err);

/* Begins MPI where the step asks for it; srun must be connected. */
int user_open_mpi(struct user *user, struct err *err);
void user_on_relay(void *ctx, uint32_t from, const void *bytes, size_t n);

/* Starts all tasks of this node, once streams can be opened. */
void user_start_tasks(struct user *user);
void user_signal_tasks(const struct user *user, int signal);

/* user_debug.c: for --slurmd-debug, on the step's stderr. */
void user_debug_begin(struct user *user);
void user_debug_started(struct user *user, uint32_t local);
void user_debug_exited(struct user *user, uint32_t local, int status);

/* Callbacks of the loop. */
void user_on_child(evutil_socket_t fd, short what, void *arg);
void user_on_sample(evutil_socket_t fd, short what, void *arg);
void user_on_wait_over(evutil_socket_t fd, short what, void *arg);

/* user_sight.c: what the step's part here uses now. */
void user_look(void *ctx, struct step_sight *ret);
