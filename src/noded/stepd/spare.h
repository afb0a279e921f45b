/*
 * spare.h - directories that are kept for a later use of the same kind: "spare.3", "spare_job.3".
 *
 * A file system that has just removed many files is slow to make new ones: ext4 passes over every
 * inode that was freed in the last five seconds. Nothing is counted, so that a restart changes
 * nothing: there are four places for all, and a number has one of 16 and one of 64. So few are soon
 * there where a node runs few at a time, and many where it runs many.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Gives a kept spare record this name; returns false when none is kept. */
bool spare_take(int dir_fd, const char *kind, uint32_t number, const char *name);

/* Keeps the record of this name as a spare; returns false where there are enough. */
bool spare_keep(int dir_fd, const char *kind, uint32_t number, const char *name);
