/*
 * log_file.h - SQLite's write-ahead log, written in one piece, to blocks that are there.
 *
 * SQLite gives each page of a commit to the system in two calls, which end within blocks of the
 * disk: twenty calls for a commit, and where the log's old blocks are not in memory any more each
 * is read from the disk before a part of it is written. Here what it writes to the log is gathered
 * until it is synced, or looked at: one call, with two such parts.
 *
 * A file that grows makes the file system write down its new blocks with each sync, which takes as
 * long again as the pages. So the log is as long from its beginning as it usually gets.
 *
 * Nothing is promised less, as long as a connection has synchronous=FULL: then SQLite syncs the log
 * before it takes a commit for written, and shows it to others. Errors of writing are those of the
 * sync.
 */
#pragma once

/* Returns the name for sqlite3_open_v2; the VFS is there from the first call on. */
const char *log_file_vfs(void);
