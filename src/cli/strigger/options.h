/* options.h - what a command line of strigger asks for. */
#pragma once

#include "cli/lib/command.h"
#include "common/msg/trigger.h"

struct trigger_options {
    bool set, get, clear, no_header;
    bool down, up, draining, drained, fail, idle, resume; /* events of nodes */
    bool reconfig, time, fini, resumed;                   /* others */
    const char *node, *job, *id, *offset, *program, *user, *flags, *clusters;
    uint32_t verbose, quiet;

    /* The meaning of the texts above. */
    uint32_t events, job_id, trigger_id, uid;
    int32_t offset_s;
};

/*
 * Reads the command line. Returns -1 to go on, else what to exit with. Texts are borrowed from
 * argv.
 */
int trigger_options_read(const struct command *command, int argc, char **argv,
                         struct trigger_options *ret_options);
