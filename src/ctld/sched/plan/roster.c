/*
 * Linear hashing: buckets are added one by one. A new bucket takes its jobs out of the only one
 * that held them so far, whose number is that of the new one less its highest bit.
 */
#include "ctld/sched/plan/roster.h"

#define CHUNK 1024 /* buckets */

static uint32_t hash_of(uint64_t id)
{
    return (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* Returns the highest power of two that is not above n, which is not 0. */
static uint32_t highest_bit(uint32_t n)
{
    return UINT32_C(1) << (31 - __builtin_clz(n));
}

static struct sched_job **bucket_at(const struct roster *roster, uint32_t i)
{
    return &roster->chunks[i / CHUNK][i % CHUNK];
}

/* Returns the chain that the id belongs to. There must be a bucket. */
static struct sched_job **bucket_of(const struct roster *roster, uint64_t id)
{
    const uint32_t low = highest_bit(roster->buckets_n);
    const uint32_t i = hash_of(id) & (2 * low - 1);

    return bucket_at(roster, i < roster->buckets_n ? i : i & (low - 1));
}

/* Returns the link of the chain that points to the job of this id, or its end. */
static struct sched_job **link_of(const struct roster *roster, uint64_t id)
{
    struct sched_job **link = bucket_of(roster, id);

    while (*link && (*link)->id != id)
        link = &(*link)->next_of_hash;
    return link;
}

static void add_bucket(struct roster *roster)
{
    const uint32_t i = roster->buckets_n++;
    struct sched_job **mine, **link;

    if (i / CHUNK == roster->chunks_n)
        *ARRAY_PUSH(roster->chunks, roster->chunks_n) = xcalloc(CHUNK, sizeof(*mine));
    if (i == 0)
        return;
    mine = bucket_at(roster, i);
    link = bucket_at(roster, i - highest_bit(i));
    while (*link) {
        struct sched_job *job = *link;

        if (bucket_of(roster, job->id) != mine) {
            link = &job->next_of_hash;
            continue;
        }
        *link = job->next_of_hash;
        job->next_of_hash = *mine;
        *mine = job;
    }
}

void roster_clear(struct roster *roster)
{
    for (uint32_t i = 0; i < roster->chunks_n; i++)
        free(roster->chunks[i]);
    free(roster->chunks);
    *roster = (struct roster){ 0 };
}

struct sched_job *roster_find(const struct roster *roster, uint64_t id)
{
    return roster->buckets_n ? *link_of(roster, id) : NULL;
}

void roster_add(struct roster *roster, struct sched_job *job)
{
    struct sched_job **bucket;

    if (roster->n++ == roster->buckets_n)
        add_bucket(roster);
    bucket = bucket_of(roster, job->id);
    job->next_of_hash = *bucket;
    *bucket = job;
}

void roster_remove(struct roster *roster, const struct sched_job *job)
{
    *link_of(roster, job->id) = job->next_of_hash;
    roster->n--;
}

struct sched_job *roster_take_any(struct roster *roster)
{
    while (roster->buckets_n > 0) {
        struct sched_job **last = bucket_at(roster, roster->buckets_n - 1);
        struct sched_job *job = *last;

        if (job) {
            *last = job->next_of_hash;
            roster->n--;
            return job;
        }
        roster->buckets_n--; /* an empty one holds nothing that would have to go elsewhere */
    }
    return NULL;
}
