/* held_inside.h - what the files behind held.h share. */
#pragma once

#include <uthash.h>

#include "noded/monitor/held.h"
#include "noded/monitor/sockets.h"
#include "noded/priv/channel.h"

struct held {
    struct spool_name name;
    struct held_table *table;
    struct step_report report;
    bool alive;               /* a step daemon or what is left of its step */
    bool is_told;             /* of this monitor */
    struct priv_channel *ctl; /* to the live step daemon */
    ino_t socket_file;        /* of its control socket; 0: not known */
    int socket;               /* what it handed back; -1: nothing */
    struct event *readable, *writable;
    struct cgroup *remains; /* of a lost step, being killed */
    uint32_t removals;      /* of that in vain */
    struct event *again;    /* to kill, or to call, once more */
    char title[SPOOL_NAME_MAX];
    UT_hash_handle hh;
};

struct held_table {
    struct event_base *base;
    int steps_fd;
    const struct cgroup_root *cgroups;
    struct log *log;
    struct held_callbacks callbacks;
    void *ctx;
    struct held *all;
    struct sockets sockets;
    uint32_t *watched; /* jobs */
    uint32_t watched_n;
};
