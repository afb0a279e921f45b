#include "noded/agent/blobs.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/crypt/crypt.h"

struct kept {
    struct kept *next; /* the one used last comes first */
    uint8_t sha256[SHA256_BYTES];
    int fd;
    bool whole;
    uint32_t n;
    struct crypt_hash hash; /* of what came so far */
};

struct blobs {
    struct kept *first;
};

struct blobs *blobs_new(void)
{
    return xcalloc(1, sizeof(struct blobs));
}

static struct kept **find(const struct blobs *blobs, const uint8_t sha256[SHA256_BYTES])
{
    struct kept **at = (struct kept **)(uintptr_t)&blobs->first;

    while (*at && memcmp((*at)->sha256, sha256, SHA256_BYTES) != 0)
        at = &(*at)->next;
    return at;
}

static void drop(struct kept **at)
{
    struct kept *gone = *at;

    *at = gone->next;
    close(gone->fd);
    free(gone);
}

struct blobs *blobs_free(struct blobs *blobs)
{
    while (blobs && blobs->first)
        drop(&blobs->first);
    free(blobs);
    return NULL;
}

int blobs_find(struct blobs *blobs, const uint8_t sha256[SHA256_BYTES])
{
    struct kept **at = find(blobs, sha256), *it = *at;

    if (!it || !it->whole)
        return -1;
    *at = it->next;
    it->next = blobs->first;
    blobs->first = it;
    return it->fd;
}

bool blobs_is_coming(const struct blobs *blobs, const uint8_t sha256[SHA256_BYTES])
{
    const struct kept *it = *find(blobs, sha256);

    return it && !it->whole;
}

/* Drops what was not used for the longest time; what is on its way stays. */
static void make_room(struct blobs *blobs)
{
    uint64_t bytes = 0;
    uint32_t n = 0;

    for (struct kept **at = &blobs->first; *at;) {
        bytes += (*at)->n;
        if ((*at)->whole && n > 0 && (bytes > BLOBS_KEEP_BYTES || n >= BLOBS_KEEP_N)) {
            drop(at);
        } else {
            at = &(*at)->next;
            n++;
        }
    }
}

void blobs_begin(struct blobs *blobs, const uint8_t sha256[SHA256_BYTES])
{
    struct kept *it = xcalloc(1, sizeof(*it));

    memcpy(it->sha256, sha256, SHA256_BYTES);
    it->fd = memfd_create("blob", MFD_CLOEXEC);
    crypt_hash_init(&it->hash);
    it->next = blobs->first;
    blobs->first = it;
    make_room(blobs);
}

void blobs_abort(struct blobs *blobs, const uint8_t sha256[SHA256_BYTES])
{
    struct kept **at = find(blobs, sha256);

    if (*at && !(*at)->whole)
        drop(at);
}

void blobs_abort_all(struct blobs *blobs)
{
    for (struct kept **at = &blobs->first; *at;) {
        if ((*at)->whole)
            at = &(*at)->next;
        else
            drop(at);
    }
}

static int add(struct kept *it, const struct blob_chunk *chunk, struct err *err)
{
    if (chunk->total > BLOB_MAX)
        return err_set(err, E_TOO_BIG, "a blob of %u bytes: at most %u are allowed", chunk->total,
                       BLOB_MAX);
    if (chunk->offset != it->n || chunk->data.n > chunk->total - it->n)
        return err_set(err, E_PROTO, "a chunk of %u bytes at %u, in a blob of which %u of %u came",
                       chunk->data.n, chunk->offset, it->n, chunk->total);
    if (chunk->data.n && write(it->fd, chunk->data.data, chunk->data.n) != (ssize_t)chunk->data.n)
        return err_set(err, errno ? errno : ENOSPC, "cannot keep a blob: %s", strerror(errno));
    crypt_hash_add(&it->hash, chunk->data.data, chunk->data.n);
    it->n += chunk->data.n;
    return it->n == chunk->total;
}

int blobs_chunk(struct blobs *blobs, const struct blob_chunk *chunk, struct err *err)
{
    uint8_t hash[CRYPT_SHA256_N];
    struct kept *it = chunk->sha256.n == SHA256_BYTES ? *find(blobs, chunk->sha256.data) : NULL;
    int rc;

    if (!it || it->whole)
        return err_set(err, E_PROTO, "a chunk of a blob that was not asked for");
    rc = add(it, chunk, err);
    if (rc <= 0)
        return rc;
    crypt_hash_end(&it->hash, hash);
    if (!crypt_equal(hash, it->sha256, sizeof(hash)))
        return err_set(err, E_PROTO, "a blob does not have the SHA-256 that it was asked for by");
    it->whole = true;
    return 1;
}

void blobs_take(struct blobs *blobs, const struct blob_chunk *whole)
{
    if (whole->sha256.n != SHA256_BYTES || *find(blobs, whole->sha256.data))
        return;
    blobs_begin(blobs, whole->sha256.data);
    if (blobs_chunk(blobs, whole, NULL) <= 0)
        blobs_abort(blobs, whole->sha256.data);
}
