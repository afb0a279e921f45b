#include "ctld/dispatch/quota.h"

#include <assert.h>
#include <errno.h>
#include <sys/resource.h>
#include <uthash.h>

#include "common/base/alloc.h"

#define SPARE_NODES 16u /* beside two for each node: those are few on a small cluster */

/* A user with sessions. */
struct holder {
    uint32_t uid;
    uint32_t held;
    uint64_t blob_bytes;
    UT_hash_handle hh;
};

struct quota {
    struct holder *holders;
    uint32_t held; /* by all of them */
};

struct quota *quota_new(void)
{
    return xcalloc(1, sizeof(struct quota));
}

struct quota *quota_free(struct quota *quota)
{
    struct holder *holder, *next;

    if (!quota)
        return NULL;
    HASH_ITER (hh, quota->holders, holder, next) {
        HASH_DEL(quota->holders, holder);
        free(holder);
    }
    free(quota);
    return NULL;
}

/* ---- sharing out ---- */

uint32_t quota_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return 0;
    return limit.rlim_cur > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)limit.rlim_cur;
}

static uint32_t to_share(const struct quota_room *room)
{
    const uint32_t quarter = room->descriptors / 4;

    return room->descriptors - (quarter < QUOTA_OWN ? quarter : QUOTA_OWN);
}

/* Returns how many sessions are kept for nodes, root and SlurmUser. A node may dial in anew before
 * its old connection is known to be dead. */
static uint64_t kept(const struct quota_room *room)
{
    const uint64_t nodes = 2 * (uint64_t)room->nodes + SPARE_NODES, quarter = to_share(room) / 4;

    return nodes > quarter ? nodes : quarter;
}

bool quota_is_small(const struct quota_room *room)
{
    return kept(room) > to_share(room) - to_share(room) / 8;
}

uint32_t quota_for_users(const struct quota_room *room)
{
    const uint32_t share = to_share(room);

    return quota_is_small(room) ? share / 8 : share - (uint32_t)kept(room);
}

/* ---- who holds them ---- */

static struct holder *find(const struct quota *quota, uint32_t uid)
{
    struct holder *holder;

    HASH_FIND(hh, quota->holders, &uid, sizeof(uid), holder);
    return holder;
}

/* Returns how many sessions all users may hold together, before only those with few of their own
 * get one more. */
static uint32_t shared_out(const struct quota_room *room, bool stays)
{
    const uint32_t all = quota_for_users(room);
    const uint32_t for_commands = all / 16 < QUOTA_COMMANDS ? all / 16 : QUOTA_COMMANDS;

    return all - all / 8 - (stays ? for_commands : 0);
}

int quota_check(const struct quota *quota, const struct quota_room *room, uid_t uid, bool stays,
                struct err *err)
{
    const struct holder *holder = find(quota, uid);
    const uint32_t held = holder ? holder->held : 0, shared = shared_out(room, stays);
    const uint32_t free_n = shared > quota->held ? shared - quota->held : 0;

    if (held < free_n || (held < QUOTA_FIRST && quota->held < quota_for_users(room)))
        return 0;
    return err_set(err, E_SESSIONS,
                   "%s: uid %u holds %u, and of the %u for users%s %u are free; one user may hold "
                   "as many as are free. End some (srun, salloc and sbatch --wait hold one each), "
                   "or give slurmctld more than %u descriptors (LimitNOFILE)",
                   err_string(E_SESSIONS), (unsigned)uid, held, shared, stays ? "' sruns" : "",
                   free_n, room->descriptors);
}

void quota_take(struct quota *quota, uid_t uid)
{
    struct holder *holder = find(quota, uid);

    if (!holder) {
        holder = xcalloc(1, sizeof(*holder));
        holder->uid = uid;
        HASH_ADD(hh, quota->holders, uid, sizeof(holder->uid), holder);
    }
    holder->held++;
    quota->held++;
}

void quota_leave(struct quota *quota, uid_t uid)
{
    struct holder *holder = find(quota, uid);

    quota->held--;
    if (--holder->held > 0)
        return;
    HASH_DEL(quota->holders, holder);
    free(holder);
}

/* ---- blobs ---- */

int quota_take_blob(struct quota *quota, uid_t uid, uint32_t n, struct err *err)
{
    struct holder *holder = find(quota, uid);

    assert(holder);
    if (holder->blob_bytes + n > (uint64_t)QUOTA_BLOBS_MB << 20)
        return err_set(
            err, EDQUOT,
            "uid %u has sent %u MB of scripts and environments that no job has named yet, "
            "and one user may have %u: try again when other submissions are through",
            (unsigned)uid, (unsigned)(holder->blob_bytes >> 20), QUOTA_BLOBS_MB);
    holder->blob_bytes += n;
    return 0;
}

void quota_leave_blob(struct quota *quota, uid_t uid, uint32_t n)
{
    find(quota, uid)->blob_bytes -= n;
}
