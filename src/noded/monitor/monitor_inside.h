/* monitor_inside.h - what the files behind monitor.h share. */
#pragma once

#include <event2/event.h>

#include "noded/monitor/launch.h"
#include "noded/monitor/monitor.h"
#include "noded/priv/channel.h"

#define CALLS_MAX 16u /* questions to authd under way */

/* A request that waits for authd. */
struct call {
    struct monitor *monitor;
    struct call *next;
    struct authc_call *authc;
    uint32_t request;
    uint32_t agent; /* which of the agents asked: an answer to a dead one is dropped */
};

struct monitor {
    struct event_base *base;
    struct monitor_options options;
    struct verify_node node;
    struct fence *fence;
    struct held_table *held;
    struct gate *gate;
    struct unkillable *unkillable;
    struct acts *acts;
    int spool_fd, steps_fd;
    struct priv_channel *agent;
    uint32_t agent_number;
    struct event *readable, *writable;
    struct call *calls;
    uint32_t calls_n;
};

/* Answers a request of the agent's, if there still is an agent. */
void monitor_answer(struct monitor *monitor, uint32_t request, int rc, const char *text);

/* ---- verbs.c ---- */

/* Does what a request says, and answers it, at once or later. */
void monitor_obey(struct monitor *monitor, const struct priv_msg *msg);

/* ---- calls.c ---- */

/* Asks for a credential over these bytes and answers later. Fails when too much is asked at
 * once. */
int calls_encode(struct monitor *monitor, const struct priv_msg *msg, struct err *err);

/* Takes the controller's key from a credential of its own, and answers later. Fails when too much
 * is asked at once. */
int calls_take_key(struct monitor *monitor, const struct priv_msg *msg, struct err *err);

/* Drops all calls: nobody is answered any more. */
void calls_drop(struct monitor *monitor);
