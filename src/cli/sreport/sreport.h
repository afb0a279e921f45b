/*
 * sreport.h - what users and accounts held, and what became of the time of the cluster: reports
 * over a time.
 *
 * A report reads its words (ask.h), loads sums (held.h), and prints a title and rows (print.h).
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/sreport/units.h"
#include "common/text/words.h"

int sreport_main(int argc, char **argv);

/* One run of the command, also of several lines that it reads. */
struct sreport {
    struct command *command;
    bool all_clusters;       /* -a */
    bool federation;         /* --federation */
    bool local;              /* --local, which has its way over the last one */
    bool no_header;          /* -n */
    bool parsable;           /* -p */
    bool parsable2;          /* -P */
    bool quiet;              /* -Q */
    uint32_t verbose;        /* -v */
    const char *unit_text;   /* -t */
    struct words clusters;   /* -M */
    struct words tres_asked; /* -T */
    enum unit unit;
    bool leaves; /* interactive: the last line was read */
    int status;  /* to exit with */
};

/* Connects when it has not been done. Returns 0, or -1 when that has failed, which has been said.
 */
int sreport_connect(struct sreport *sreport);

/* Prints a line on standard error, and makes the command fail. */
void sreport_refuse(struct sreport *sreport, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
