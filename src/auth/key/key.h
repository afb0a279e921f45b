/*
 * key.h - the key file: whether it is safe to use, what is derived from it, whether it changed.
 *
 * The file is checked while open, so what was checked is what is read: a regular file and no
 * symbolic link, owned by the right user, closed to group and others, of 32 bytes to 64 KiB
 * (munged itself has no upper limit; `mungekey` makes up to 1 KiB), in directories that nobody
 * else can change. Each refusal has a text of its own. The key's bytes are wiped once the subkeys
 * are derived.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "auth/cred/cred.h"

enum {
    KEY_SIZE_MIN = 32,
    KEY_SIZE_MAX = 64 * 1024,
    KEY_FINGERPRINT_SIZE = 17, /* 16 hex digits and a zero */
};

struct key {
    struct cred_keys subkeys;
    /* HMAC of a constant under the key, cut to 64 bits: the same on hosts with the same key, and
       of no use for finding it. */
    char fingerprint[KEY_FINGERPRINT_SIZE];
    struct stat stat; /* of the file as it was read */
};

struct key_policy {
    uid_t owners[2]; /* who may own the file and, like root, its directories */
    unsigned owners_n;
    gid_t trusted_gid; /* may write to the directories; (gid_t)-1 for none */
    bool force;        /* insecure is a warning */
};

/* Fills *ret. With `force`, *warning says what was insecure (its code is 0 when nothing was). */
int key_load(const char *path, const struct key_policy *policy, struct key *ret,
             struct err *warning, struct err *err);

/* True if the file at `path` is another one, or was written to, since the key was read. False also
   when the file is missing: the key in memory stays good. */
bool key_has_changed(const struct key *key, const char *path);

void key_wipe(struct key *key);
