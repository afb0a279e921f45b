#include "auth/replay/replay.h"

#include <string.h>
#include <uthash.h>

#include "common/base/alloc.h"

/* Entries are hashed by MAC, and listed by the span of time in which they expire. No credential
   lives longer than twice the greatest TTL from now, so the wheel of spans has room for all. */
enum { SPAN_S = 64, SPAN_N = 256 };

struct entry {
    uint8_t id[REPLAY_ID_SIZE];
    int64_t expires_at;
    pid_t pid;
    uid_t uid;
    struct entry *next; /* in its span */
    UT_hash_handle hh;
};

struct user {
    uid_t uid;
    uint32_t n; /* entries; a user without any is forgotten */
    UT_hash_handle hh;
};

struct replay {
    struct entry *by_id;
    struct user *by_uid;
    struct entry *spans[SPAN_N];
    int64_t oldest_span; /* spans before this one are empty */
    uint32_t n;
    uint32_t entries_max;
    uint32_t user_max;
};

struct replay *replay_new(uint32_t entries_max, uint32_t user_max)
{
    struct replay *replay = xcalloc(1, sizeof(*replay));

    replay->entries_max = entries_max;
    replay->user_max = user_max;
    return replay;
}

static struct user *find_user(const struct replay *replay, uid_t uid)
{
    struct user *user;

    HASH_FIND(hh, replay->by_uid, &uid, sizeof(uid), user);
    return user;
}

static void count_up(struct replay *replay, uid_t uid)
{
    struct user *user = find_user(replay, uid);

    if (!user) {
        user = xcalloc(1, sizeof(*user));
        user->uid = uid;
        HASH_ADD(hh, replay->by_uid, uid, sizeof(user->uid), user);
    }
    user->n++;
    replay->n++;
}

static void count_down(struct replay *replay, uid_t uid)
{
    struct user *user = find_user(replay, uid);

    replay->n--;
    if (--user->n == 0) {
        HASH_DEL(replay->by_uid, user);
        free(user);
    }
}

static bool is_full(const struct replay *replay, uid_t uid)
{
    const struct user *user = find_user(replay, uid);

    return replay->n >= replay->entries_max || (user && user->n >= replay->user_max);
}

static struct entry **span_of(struct replay *replay, int64_t span)
{
    return &replay->spans[(uint64_t)span % SPAN_N];
}

/* Frees what expired before `now`; the rest of the span stays. */
static void expire_span(struct replay *replay, int64_t span, int64_t now)
{
    struct entry **at = span_of(replay, span);

    while (*at) {
        struct entry *entry = *at;

        if (entry->expires_at >= now) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        HASH_DEL(replay->by_id, entry);
        count_down(replay, entry->uid);
        free(entry);
    }
}

void replay_expire(struct replay *replay, int64_t now)
{
    int64_t span = now / SPAN_S;

    /* After a great jump of the clock, one turn of the wheel has seen everything. */
    if (replay->oldest_span < span - SPAN_N || replay->oldest_span > span)
        replay->oldest_span = span - SPAN_N;
    for (; replay->oldest_span < span; replay->oldest_span++)
        expire_span(replay, replay->oldest_span, now);
}

struct replay *replay_free(struct replay *replay)
{
    if (!replay)
        return NULL;
    for (int64_t span = 0; span < SPAN_N; span++)
        expire_span(replay, span, INT64_MAX);
    free(replay);
    return NULL;
}

static bool is_own_retry(const struct entry *entry, const struct replay_use *use)
{
    return use->is_retry && entry->pid == use->pid && entry->uid == use->uid && use->pid > 0;
}

static void remember(struct replay *replay, const uint8_t id[REPLAY_ID_SIZE],
                     const struct replay_use *use)
{
    struct entry *entry = xcalloc(1, sizeof(*entry));
    struct entry **span = span_of(replay, use->expires_at / SPAN_S);

    memcpy(entry->id, id, REPLAY_ID_SIZE);
    entry->expires_at = use->expires_at;
    entry->pid = use->pid;
    entry->uid = use->uid;
    entry->next = *span;
    *span = entry;
    HASH_ADD(hh, replay->by_id, id, REPLAY_ID_SIZE, entry);
    count_up(replay, use->uid);
}

enum replay_verdict replay_check(struct replay *replay, const struct replay_use *use, int64_t now)
{
    uint8_t id[REPLAY_ID_SIZE] = { 0 };
    struct entry *entry;

    memcpy(id, use->mac, use->mac_n < REPLAY_ID_SIZE ? use->mac_n : REPLAY_ID_SIZE);
    replay_expire(replay, now);
    HASH_FIND(hh, replay->by_id, id, REPLAY_ID_SIZE, entry);
    if (entry)
        return is_own_retry(entry, use) ? REPLAY_NEW : REPLAY_SEEN;
    if (is_full(replay, use->uid))
        return REPLAY_FULL;
    remember(replay, id, use);
    return REPLAY_NEW;
}

uint32_t replay_count(const struct replay *replay)
{
    return replay->n;
}
