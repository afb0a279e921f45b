/*
 * frame.h - what the root parent and the user child of a step tell one another: packets of one
 * fixed size, so that root parses nothing that a user may have written.
 */
#pragma once

#include "common/msg/step.h"

enum frame_kind {
    /* from the user child */
    FRAME_STARTED = 1, /* tasks run */
    FRAME_FAILED,      /* code, text: the step could not be started */
    FRAME_UNABLE,      /* the same, for what this node cannot do */
    FRAME_SAMPLED,     /* tasks were looked at: a moment to look at the cgroup too */
    FRAME_USAGE,       /* usage: of a task that has ended, before its FRAME_EXIT */
    FRAME_EXIT,        /* task, number = wait status, code = pid */
    FRAME_RAISE,       /* number: send this signal to every process of the step */
    FRAME_STOP,        /* text: end the step as the controller would */
    FRAME_LOG,         /* text, for the daemon's log */
    /* from the root parent */
    FRAME_SIGNAL_TASKS, /* number: to the tasks only, not their children */
    FRAME_END,          /* text: the step is being ended, and why */
    FRAME_VISIT,        /* with a descriptor: somebody who came by SlurmdPort */
    FRAME_SAY,          /* text: for the step's stderr; number: 1 where a line ends with it */
    FRAME_KINDS_N,
};

#define FRAME_TEXT_MAX 240

struct frame {
    uint32_t kind;
    uint32_t task;
    int32_t number;
    int32_t code;
    struct task_usage usage;
    char text[FRAME_TEXT_MAX]; /* always ended, printable once received */
};

/*
 * Sends a frame. While the other side's buffer is full, the child waits; root never waits for a
 * user and drops the frame (-EAGAIN). Another failure means that the other side is gone.
 */
int frame_send_waiting(int fd, const struct frame *frame);
int frame_send(int fd, const struct frame *frame);

/* Sends a frame with a descriptor, which stays the caller's. */
int frame_send_fd(int fd, const struct frame *frame, int passed);

/* Receives a frame. Returns 1 with *ret, 0 when there is none now, -E_CLOSED at the end, -E_PROTO
 * for anything odd. */
int frame_receive(int fd, struct frame *ret);

/* Receives a frame, for the child, which may get a descriptor: *ret_passed is its to close, or
 * -1. */
int frame_receive_fd(int fd, struct frame *ret, int *ret_passed);
