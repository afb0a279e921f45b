/*
 * sacctmgr.h - accounts, users, associations and QOS: what sacctmgr(1) shows and changes.
 *
 * A verb loads what it needs (book.h), works out the changes (edits.h), says what they are, asks,
 * and sends them as one request, which the controller does as a whole or not at all.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/lib/document.h"
#include "cli/lib/records.h"
#include "cli/sacctmgr/words.h"

int sacctmgr_main(int argc, char **argv);

/* One run of the command, also of several lines that it reads. */
struct mgr {
    struct command *command;
    bool at_once;      /* -i: changes are not asked about */
    bool no_header;    /* -n */
    bool parsable;     /* -p */
    bool parsable2;    /* -P */
    bool quiet;        /* -Q: nothing but what was asked for and errors */
    bool readonly;     /* -r */
    bool associations; /* -s */
    uint32_t verbose;  /* -v */
    struct document_options document;
    bool leaves; /* interactive: the last line was read */
    int status;  /* to exit with */
};

/* Connects when it has not been done. Returns 0, or -1 when that has failed, which has been said.
 */
int mgr_connect(struct mgr *mgr);

/* Loads all records of a kind. Returns false when that has failed, which has been said. */
bool mgr_load(const struct mgr *mgr, enum kept_number kind, struct records *records);

/* Prints a line of what is asked for wrongly, and makes the command fail. */
void mgr_refuse(struct mgr *mgr, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says what is wrong with a value: an error that begins with a blank is a line of its own. */
void mgr_refuse_value(struct mgr *mgr, const struct err *err);

/* Say that a word is no condition, or no value, of what the line is about. */
void mgr_refuse_condition(struct mgr *mgr, const struct acct_word *word);
void mgr_refuse_option(struct mgr *mgr, const struct acct_word *word);

/* Asks a question, unless -i was given. Returns false where the answer is no or none. */
bool mgr_agrees(const struct mgr *mgr, const char *question);

/* Asks, unless -i was given, whether the changes are meant. */
bool mgr_commits(const struct mgr *mgr);

/* Asks, unless -i was given, whether a line that names none means all. */
bool mgr_means_all(const struct mgr *mgr, const struct acct_line *line);
