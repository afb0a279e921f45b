/*
 * options.h - munged's command line, as munged 0.5.15 documents it, and --replay-reserve of ours.
 *
 * Options that mean nothing here (threads, group maps: see munged --help) are accepted and
 * reported, so that unit files and scripts go on working. Borrows from argv, but for paths.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/base/strbuf.h"

#define MUNGED_KEY_FILE "/etc/munge/munge.key"
#define MUNGED_LOG_FILE "/var/log/munge/munged.log"
#define MUNGED_PID_FILE "/run/munge/munged.pid"

enum { MUNGED_RESERVED_MAX = 16 };
enum munged_action { MUNGED_RUN, MUNGED_STOP, MUNGED_HELP, MUNGED_VERSION, MUNGED_LICENSE };

struct munged_options {
    enum munged_action action;
    bool force;
    bool foreground;
    bool mlockall;
    unsigned verbose;
    char *socket; /* absolute, as all paths; owned */
    char *key_file;
    char *log_file;
    char *pid_file;
    char *seed_file;    /* NULL: none */
    const char *origin; /* NULL: this host's address */
    uint32_t max_ttl;
    gid_t trusted_gid;                   /* (gid_t)-1 for none */
    uid_t reserved[MUNGED_RESERVED_MAX]; /* --replay-reserve */
    size_t reserved_n;
    struct strbuf ignored; /* "--num-threads, --seed-file", empty when none was given */
};

void munged_options_clear(struct munged_options *options);

int munged_options_parse(int argc, char **argv, struct munged_options *ret, struct err *err);

/* Appends what --help prints. */
void munged_options_help(struct strbuf *out, const char *program);
