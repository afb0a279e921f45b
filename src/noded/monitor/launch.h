/* launch.h - obeying one launch order: from the verb to the forked step daemon. */
#pragma once

#include "noded/monitor/fence.h"
#include "noded/monitor/gate.h"
#include "noded/monitor/held.h"
#include "noded/monitor/monitor.h"
#include "noded/monitor/verify.h"

struct launch_context {
    const struct monitor_options *options;
    const struct verify_node *node;
    struct fence *fence;
    struct held_table *held;
    struct gate *gate;
    int spool_fd, steps_fd;
};

/*
 * Checks the credential, writes the record, forks the step. `msg` keeps its descriptors. *ret_name
 * is filled as soon as the credential is good, also when the launch then fails; -EEXIST is a
 * repeat of an order that was obeyed, -EINPROGRESS one that waits for its Prolog: the gate has it.
 */
int launch_obey(const struct launch_context *context, const struct priv_msg *msg,
                struct spool_name *ret_name, struct err *err);
