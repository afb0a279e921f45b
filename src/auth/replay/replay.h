/*
 * replay.h - which credentials this host has decoded, until they expire anyway.
 *
 * Of each the MAC's first bytes are kept, when it was made, its life, by whom it was made, and a
 * hash of the process that decoded it: 20 bytes in a table that grows to REPLAY_SLOTS_MAX places,
 * 40 MiB, of which three quarters are filled (while it doubles for the last time, 60 MiB).
 *
 * Nobody can fill it to keep others out. When there is no room, whoever has most of it gives up
 * the oldest of his: what he made up to then is refused from now on, and so need not be remembered.
 * It is the credential's maker who pays, as the kernel named him, not who decodes it: one who sends
 * a service more than can be remembered shortens the life of his own credentials, not of those that
 * others send. Only what is older than REPLAY_YOUNG_S is given up, as long as three eighths of the
 * table have room for all that was decoded in that time. What root and daemons make is given up
 * last: each of them has a part of the table that is never asked back. When the table is half full,
 * only theirs may be ahead of the clock by more than REPLAY_YOUNG_S. No credential that was
 * forgotten is ever good again (as long as the clock is not set back to before it expired).
 *
 * Makers are counted in 256 accounts, into which their numbers are scattered: no number of users
 * makes the books grow. Pure: the caller says what time it is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    REPLAY_SLOTS_MAX = 2 * 1024 * 1024,
    REPLAY_SLOTS_MIN = 256,
    REPLAY_TTL_MAX_S = 3600, /* no credential lives longer, before and after it was made */
    REPLAY_YOUNG_S = 16,
};

struct replay;

/* `slots_max` is a power of two, from REPLAY_SLOTS_MIN on. `seed` is random and must stay secret:
   it scatters the users. */
struct replay *replay_new(uint32_t slots_max, uint64_t seed);
struct replay *replay_free(struct replay *replay);

struct replay_use {
    const uint8_t *mac;
    size_t mac_n;        /* at least 8 */
    uint32_t encoded_at; /* neither before nor after now by more than the TTL */
    uint32_t ttl;        /* at most REPLAY_TTL_MAX_S */
    uid_t made_by;
    bool is_reserved; /* who made it has a part that is never asked back */
    pid_t pid;        /* who asks */
    uid_t uid;
    bool is_retry; /* the asker says that it lost the first answer */
};

enum replay_verdict {
    REPLAY_NEW,
    REPLAY_SEEN,
    REPLAY_CAPPED, /* its maker made so many that it is too far from now, whatever its TTL is */
    REPLAY_FULL,   /* only after the clock was set back: what is there is all of the future */
};

/*
 * Notes the use. A retry by the very process that decoded the credential counts as new: its first
 * answer was lost. (munged believes anyone who says so.)
 */
enum replay_verdict replay_check(struct replay *replay, const struct replay_use *use, int64_t now);

/* Forgets what has expired before `now`, and gives memory back. */
void replay_expire(struct replay *replay, int64_t now);

uint32_t replay_count(const struct replay *replay);
