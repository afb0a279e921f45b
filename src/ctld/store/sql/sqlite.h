/*
 * sqlite.h - SQLite for the store's own files.
 */
#pragma once

#include <sqlite3.h>

#include "ctld/store/sql/sql.h"

/* Opens for writing with the settings that make a commit durable. `wal` off on network mounts. */
int sqlite_open_writer(const char *path, bool wal, struct sql **ret, struct err *err);
int sqlite_open_reader(const char *path, struct sql **ret, struct err *err);

/* Returns SQLite's own connection, for what only SQLite has. */
sqlite3 *sqlite_handle(struct sql *sql);
