/*
 * replay.h - which credentials this host has decoded, until they expire anyway.
 *
 * Remembers the MAC of each, with the process that decoded it. Forgets those whose time is over in
 * small steps, as new ones come. Bounded: when it is full, decoding is refused rather than
 * unprotected; and each user has a share, so that one who decodes his own credentials by the
 * million is the only one refused. Pure: the caller says what time it is.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/base/err.h"

#include <stdint.h>

enum {
    REPLAY_ID_SIZE = 32, /* of the MAC; longer ones are cut, shorter filled with zeroes */
    REPLAY_ENTRIES_MAX = 2 * 1024 * 1024,
    REPLAY_USER_MAX = REPLAY_ENTRIES_MAX / 4,
};

struct replay;

/* `user_max` is the share of those who ask under one uid. */
struct replay *replay_new(uint32_t entries_max, uint32_t user_max);
struct replay *replay_free(struct replay *replay);

struct replay_use {
    const uint8_t *mac;
    size_t mac_n;
    int64_t expires_at; /* the last second in which the credential is good */
    pid_t pid;          /* who asks */
    uid_t uid;
    bool is_retry; /* the asker says that it lost the first answer */
};

enum replay_verdict { REPLAY_NEW, REPLAY_SEEN, REPLAY_FULL };

/*
 * Notes the use. A retry by the very process that decoded the credential counts as new: its first
 * answer was lost. (munged believes anyone who says so.)
 */
enum replay_verdict replay_check(struct replay *replay, const struct replay_use *use, int64_t now);

/* Forgets what has expired before `now`; replay_check does it too. */
void replay_expire(struct replay *replay, int64_t now);
uint32_t replay_count(const struct replay *replay);
