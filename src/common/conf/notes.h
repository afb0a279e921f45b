/*
 * notes.h - what a configuration says that does not stop anyone, but that its author should know.
 *
 * Daemons log notes, `sluice conf check` prints them, other commands keep quiet: tools take any
 * text on stderr for a failure. `struct conf_notes notes = { 0 };` is a valid empty list. Owns its
 * texts.
 */
#pragma once

#include "common/conf/file.h"

#define CONF_NOTES_MAX 1000 /* further ones are only counted */

enum conf_note_kind {
    CONF_NOTE_UNKNOWN,   /* no version of Slurm that we know has this key */
    CONF_NOTE_REPLACED,  /* obeyed, but there is a newer way to say it */
    CONF_NOTE_NO_EFFECT, /* valid in Slurm, nothing that Sluice acts on */
    CONF_NOTE_REMOVED,   /* Slurm has dropped the key; nothing that Sluice acts on */
    CONF_NOTE_VALUE,     /* the value was not taken as it stands; the text says what was */
    CONF_NOTE_WRONG,     /* cannot be so, and is taken as it stands */
    CONF_NOTE_HINT,      /* right as it is; today one writes it otherwise, or leaves it out */
};

struct conf_note {
    enum conf_note_kind kind;
    char *file;
    uint32_t line;
    uint32_t column;
    char *text;
};

struct conf_notes {
    struct conf_note *notes;
    uint32_t notes_n;
    uint32_t left_off; /* beyond CONF_NOTES_MAX */
    bool goes_on;      /* what would end a load is noted, for who wants to know all of it */
};

/* Adds a note; `notes` may be NULL, and then nothing is kept. */
void conf_notes_add(struct conf_notes *notes, enum conf_note_kind kind, struct conf_at at,
                    const char *fmt, ...) PRINTF_LIKE(4, 5);

/*
 * With goes_on, notes `err` and returns 0; its place is the one that its text begins with, or else
 * `at`. Otherwise returns rc, which is not 0.
 */
int conf_notes_go_on(struct conf_notes *notes, int rc, struct conf_at at, const struct err *err);

/* Sorts the notes by file (in the order given), line and column, and drops repeats. */
void conf_notes_sort(struct conf_notes *notes, char *const *files, uint32_t files_n);

/* Returns "FILE:LINE:COLUMN: TEXT" in new memory. */
char *conf_note_format(const struct conf_note *note);

void conf_notes_clear(struct conf_notes *notes);
void conf_notes_auto_(struct conf_notes *notes);
