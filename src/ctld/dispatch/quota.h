/*
 * quota.h - how many sessions users may hold, so that root, SlurmUser and nodes always find room,
 * and how much they may have sent ahead of the requests that name it.
 *
 * A session is a descriptor, and a process has so many (RLIMIT_NOFILE). Of them
 *
 *   a quarter, at most QUOTA_OWN        is the controller's own: files, programs, handshakes
 *   of what is left a quarter, or two
 *   for each node when that is more      is kept for nodes, root and SlurmUser
 *   the rest, at least an eighth         is for all other users
 *
 * Of the users' places one user may hold as many as he leaves free: half of them when alone, a
 * third each when two want more than that, and so on. An srun stops some places before that, so
 * that its user's commands still get in. An eighth is for who holds fewer than QUOTA_FIRST: so a
 * user with little to ask gets in even where many hold what they can.
 *
 * Nodes, root and SlurmUser are not counted here; nothing but the descriptors bounds them.
 *
 * A blob is memory until a request names it. What the blobs of one user take together is bounded,
 * on however many sessions they came.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"

#define QUOTA_OWN      512u
#define QUOTA_FIRST    8u
#define QUOTA_COMMANDS 16u  /* of a user's share, at most: not for srun */
#define QUOTA_BLOBS_MB 256u /* of blobs that no request has named, for each user */

struct quota;

struct quota *quota_new(void);
struct quota *quota_free(struct quota *quota); /* NULL is fine */

/* Descriptors and sessions that there are to share out, which may change from call to call. */
struct quota_room {
    uint32_t descriptors, nodes;
};

/* Returns how many descriptors this process may have, looked up now. */
uint32_t quota_descriptors(void);

/* Returns how many sessions all users may hold together. */
uint32_t quota_for_users(const struct quota_room *room);

/* True if there are fewer descriptors than the rules above need. */
bool quota_is_small(const struct quota_room *room);

/*
 * Fails with E_SESSIONS, in words for the user, unless the user may have one more session; `stays`
 * is an srun's. Handshakes that are under way at the same time are not counted yet, and may go
 * over.
 */
int quota_check(const struct quota *quota, const struct quota_room *room, uid_t uid, bool stays,
                struct err *err);

void quota_take(struct quota *quota, uid_t uid);
void quota_leave(struct quota *quota, uid_t uid);

/*
 * Counts a blob of `n` bytes that a user with a session sends, until quota_leave_blob. It fails
 * with EDQUOT, in words for the user, where his blobs would take more than QUOTA_BLOBS_MB.
 */
int quota_take_blob(struct quota *quota, uid_t uid, uint32_t n, struct err *err);
void quota_leave_blob(struct quota *quota, uid_t uid, uint32_t n);
