/*
 * source.h - where the dump comes from: a file, a pipe, or a database that mysqldump reads.
 *
 * The result can be read at any offset: what comes through a pipe goes to a file without a name, in
 * $TMPDIR. The database is only read. Its password is in no command line and no environment, but in
 * a file in memory that mysqldump is handed.
 */
#pragma once

#include "common/base/err.h"
#include "common/base/log.h"

struct source_database {
    char *host, *user, *password, *database;
    char *port;
};

/* Reads slurmdbd.conf beside slurm.conf, where it is there: StorageHost and the like. What is set
 * already stays. */
int source_database_load(struct source_database *database, const char *conf_path, struct err *err);

/* Reads the password from the first line of a file. */
int source_database_read_password(struct source_database *database, const char *path,
                                  struct err *err);
void source_database_clear(struct source_database *database);

/* Opens a file, or with "-" standard input. Returns a descriptor, and in *ret_name what to call it,
 * to be freed. */
int source_open(const char *path, int *ret_fd, char **ret_name, struct err *err);

/* Has the tables of one cluster, and those of all, written by mariadb-dump or mysqldump. */
int source_dump(const struct source_database *database, const char *cluster, struct log *log,
                int *ret_fd, char **ret_name, struct err *err);
