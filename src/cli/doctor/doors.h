/*
 * doors.h - whether somebody listens at ports of other hosts: all are tried at once, for a moment.
 */
#pragma once

#include <stdint.h>

#define DOORS_MAX 1024 /* at once */

struct door {
    const char *name; /* of the host, borrowed, as is the next */
    const char *addr;
    uint32_t port;
    int fd;  /* of the connection while it is being made; -1: none is */
    int why; /* an errno; 0: open; ENOENT: the address is not known */
};

/* Knocks at up to DOORS_MAX doors and fills in `why` of each. */
void doors_knock(struct door *doors, uint32_t n);
