/*
 * setup.h - what the verbs that set a machine up have in common.
 */
#pragma once

#include <stdint.h>

#include "common/base/strbuf.h"
#include "common/proc/daemon.h"

/* Returns this host's name without a domain; free() it. */
char *setup_host(void);

/* Fails unless this process is root, in an error that names `verb`. */
int setup_need_root(const char *verb, struct err *err);

/* Finds a user that daemons run as, made by the package; the error says how else to make it. */
int setup_find_user(const char *name, struct proc_user *ret_user, struct err *err);

/* Writes the cluster's key with the right owner and mode; keeps another key there as KEY.old. */
int setup_put_key(const void *key, size_t n, struct err *err);

/* Makes a key where there is none; *ret_made is true if it did. */
int setup_make_key(bool *ret_made, struct err *err);

/* Writes a file of the configuration, for all to read. */
int setup_put_conf(const char *path, const void *text, size_t n, bool keep_old, struct err *err);

/* Reads a number from 1 to `max`; the error names `what`. */
int setup_read_number(const char *text, uint64_t max, const char *what, uint32_t *ret,
                      struct err *err);
