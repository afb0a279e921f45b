/*
 * setup.h - what the verbs that set a machine up have in common.
 */
#pragma once

#include <stdint.h>

#include "common/base/strbuf.h"
#include "common/proc/daemon.h"

/* This host's name without a domain; free() it. */
char *setup_host(void);

/* Fails where this is not root, saying so of `verb`. */
int setup_need_root(const char *verb, struct err *err);

/* The users that daemons run as, made by the package; the error says how else. */
int setup_find_user(const char *name, struct proc_user *ret_user, struct err *err);

/* Writes the cluster's key with right owner and mode; another one there is kept as KEY.old. */
int setup_put_key(const void *key, size_t n, struct err *err);

/* A key where there is none; *ret_made tells. */
int setup_make_key(bool *ret_made, struct err *err);

/* A file of the configuration, for all to read. */
int setup_put_conf(const char *path, const void *text, size_t n, bool keep_old, struct err *err);

/* A number from 1 to `max`; the error names `what`. */
int setup_read_number(const char *text, uint64_t max, const char *what, uint32_t *ret,
                      struct err *err);
