/* shown.h - what `scontrol show job` prints of one job, by key. Borrows the text. Pure. */
#pragma once

#include <stdint.h>

#define SHOWN_MAX 160 /* keys of one job */

struct shown {
    char *text; /* owned; the values are in it */
    const char *keys[SHOWN_MAX], *values[SHOWN_MAX];
    uint32_t n;
};

/*
 * Reads the job of this number; of an array, scontrol prints several. A key that is there twice
 * counts once, as what comes first. Keys of which users write the values go to the end of their
 * line. What cannot be read is passed over. `ret` is to be cleared.
 */
void shown_read(const char *text, uint32_t job_id, struct shown *ret);
void shown_clear(struct shown *shown);
void shown_auto_(struct shown *shown);

/* Returns the value, or NULL if there is none: not there, empty, "(null)", "N/A", "*", "Unknown" or
 * "None". */
const char *shown_get(const struct shown *shown, const char *key);

/* Returns the value as it stands, or NULL when the key is not there. */
const char *shown_find(const struct shown *shown, const char *key);
