/*
 * keyring.h - the key in use, read again when its file changes.
 *
 * A cluster's key is copied to running hosts; a daemon that goes on with the old one is the classic
 * fault. So the file is looked at on SIGHUP, when a MAC does not verify, and at most once a second
 * before a request. A new file that is unfit changes nothing and is said once.
 */
#pragma once

#include "auth/proto/authority.h"
#include "common/base/log.h"

struct keyring {
    const char *path; /* borrowed */
    struct key_policy policy;
    struct authority *authority; /* borrowed; gets each key */
    struct log *log;             /* borrowed */
    struct key key;
    int64_t looked_at_ms;
    struct timespec unfit_since; /* the change time of a file that was unfit, to say it once */
};

/* Reads the key for the first time. */
int keyring_open(struct keyring *keyring, struct err *err);

/*
 * Reads the key file if it has changed. Returns true if there is another key now. `keyring` is a
 * void pointer to fit authority's callback.
 */
bool keyring_refresh(void *keyring);

/* Calls keyring_refresh at most once a second. */
void keyring_watch(void *keyring);

/* Reads the file whatever its times say, as SIGHUP asks. */
void keyring_reload(struct keyring *keyring);
