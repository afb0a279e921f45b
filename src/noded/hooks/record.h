/*
 * record.h - what is kept on disk of the programs of one run of a job:
 * SlurmdSpoolDir/hooks/JOB.LAUNCH/.
 *
 * `lock` is held while a program runs, `prolog.begun` says that one was started, `prolog` how it
 * ended; the same for the epilog. Beside the directories a file says of which boot they are.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define HOOK_KINDS_N   2 /* HOOK_PROLOG, HOOK_EPILOG */
#define HOOK_NAME_MAX  32
#define HOOK_BOOT_FILE "boot"

struct hook_key {
    uint32_t job_id, launch_number;
};

/* Files of a record, by kind. */
extern const char *const hook_results[HOOK_KINDS_N];
extern const char *const hook_beginnings[HOOK_KINDS_N];

void hook_record_name(const struct hook_key *key, char ret[HOOK_NAME_MAX]);

/* Opens the directory of the record, made if need be; returns it or -errno. */
int hook_record_open(int dir_fd, const struct hook_key *key);

void hook_record_remove(int dir_fd, const char *name);

/* Returns whether a program of that kind was started. */
bool hook_record_has_begun(int record_fd, uint32_t kind);

/* Returns true if the records are of this boot, and not of an earlier one. */
bool hook_records_are_of(int dir_fd, const char *boot_id);
