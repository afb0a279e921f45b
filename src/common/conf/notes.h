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
};

/* `notes` may be NULL: nobody listens. */
void conf_notes_add(struct conf_notes *notes, enum conf_note_kind kind, struct conf_at at,
                    const char *fmt, ...) PRINTF_LIKE(4, 5);

/* "FILE:LINE:COLUMN: TEXT", new memory. */
char *conf_note_format(const struct conf_note *note);

void conf_notes_clear(struct conf_notes *notes);
void conf_notes_auto_(struct conf_notes *notes);
