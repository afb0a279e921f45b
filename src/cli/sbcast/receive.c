#include "cli/sbcast/receive.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/sbcast/packing.h"
#include "common/base/bytes.h"
#include "common/crypt/crypt.h"

/* ---- what the stream says ---- */

int receive_parse_start(const uint8_t bytes[8], uint32_t *ret_head_n, struct err *err)
{
    struct bytes in = bytes_of(bytes, 8);
    uint32_t magic = bytes_u32(&in), n = bytes_u32(&in);

    if (magic != BCAST_MAGIC)
        return err_set(err, EPROTO, "the stream begins with %08x, which is not sbcast's", magic);
    if (n == 0 || n > BCAST_HEAD_MAX)
        return err_set(err, EPROTO, "a head of %u bytes: 1 to %u are allowed", n, BCAST_HEAD_MAX);
    *ret_head_n = n;
    return 0;
}

int receive_parse_head(const void *bytes, uint32_t n, struct bcast_head *ret, struct err *err)
{
    int rc = schema_decode(bcast_head_schema(), bytes, n, ret, err);

    if (rc < 0)
        return rc;
    if (ret->path[0] == '/' && ret->packing <= BCAST_ZLIB && !(ret->mode & ~07777u))
        return 0;
    rc = err_set(err, EPROTO, "a head for '%s' with mode %o and packing %u", ret->path, ret->mode,
                 ret->packing);
    bcast_head_clear(ret);
    return rc;
}

int receive_parse_block(const uint8_t bytes[8], uint32_t *ret_n, uint32_t *ret_packed_n,
                        struct err *err)
{
    struct bytes in = bytes_of(bytes, 8);
    uint32_t n = bytes_u32(&in), packed_n = bytes_u32(&in);

    if (n > BCAST_BLOCK_MAX || (n ? packed_n == 0 || packed_n > n : packed_n != CRYPT_SHA256_N))
        return err_set(err, EPROTO, "a block of %u bytes, packed %u", n, packed_n);
    *ret_n = n;
    *ret_packed_n = packed_n;
    return 0;
}

/* ---- the file ---- */

/*
 * The file being made. It has no name until it is whole, so that nothing has to be cleaned up
 * whatever happens; where the file system cannot do that, it has another name meanwhile.
 */
struct target {
    const struct bcast_head *head;
    char *aside; /* name meanwhile, or NULL */
    int fd;
    uint64_t written;
    struct crypt_hash hash;
};

static int fail(struct err *err, const char *what, const char *path)
{
    return err_set(err, errno, "%s %s: %s", what, path, strerror(errno));
}

/* Tells what stands in the way before anything is sent for nothing. */
static int check_place(const struct bcast_head *head, struct err *err)
{
    struct stat there;

    if (stat(head->path, &there) < 0)
        return 0;
    if (S_ISDIR(there.st_mode))
        errno = EISDIR;
    else if (!head->force || !S_ISREG(there.st_mode))
        errno = EEXIST;
    else if (access(head->path, W_OK) == 0)
        return 0;
    return fail(err, "cannot make", head->path);
}

static int open_target(struct target *target, struct err *err)
{
    AUTO_FREE char *copy = xstrdup(target->head->path);

    target->fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (target->fd >= 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
        return fail(err, "cannot make", target->head->path);
    target->aside = xasprintf("%s.XXXXXX", target->head->path);
    target->fd = mkostemp(target->aside, O_CLOEXEC);
    return target->fd < 0 ? fail(err, "cannot make", target->aside) : 0;
}

static int add(struct target *target, const void *bytes, uint32_t n, struct err *err)
{
    const char *at = bytes;

    crypt_hash_add(&target->hash, bytes, n);
    target->written += n;
    while (n > 0) {
        ssize_t done = write(target->fd, at, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return fail(err, "cannot write", target->head->path);
        at += done;
        n -= (uint32_t)done;
    }
    return 0;
}

static int set_times(const struct target *target, struct err *err)
{
    const struct bcast_head *head = target->head;
    const int64_t second = 1000000000;
    const struct timespec times[] = {
        { (time_t)(head->access_ns / second), (long)(head->access_ns % second) },
        { (time_t)(head->modify_ns / second), (long)(head->modify_ns % second) },
    };

    if (head->keep_times && futimens(target->fd, times) < 0)
        return fail(err, "cannot set the times of", head->path);
    return 0;
}

/* Gives the file a name of its own beside the real one. */
static int name_aside(struct target *target, struct err *err)
{
    AUTO_FREE char *self = xasprintf("/proc/self/fd/%d", target->fd);

    for (uint32_t i = 0; !target->aside; i++) {
        AUTO_FREE char *name = xasprintf("%s.%d-%u", target->head->path, (int)getpid(), i);

        if (linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
            target->aside = STEAL(name);
        else if (errno != EEXIST || i == 100)
            return fail(err, "cannot make", name);
    }
    return 0;
}

static int give_name(struct target *target, struct err *err)
{
    const char *path = target->head->path;
    AUTO_FREE char *self = xasprintf("/proc/self/fd/%d", target->fd);
    int rc;

    if (!target->head->force) {
        rc = target->aside ? link(target->aside, path)
                           : linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
        return rc < 0 ? fail(err, "cannot make", path) : 0;
    }
    rc = name_aside(target, err);
    if (rc < 0)
        return rc;
    if (rename(target->aside, path) < 0)
        return fail(err, "cannot make", path);
    free(STEAL(target->aside));
    return 0;
}

static int finish(struct target *target, const uint8_t sum[CRYPT_SHA256_N], struct err *err)
{
    uint8_t got[CRYPT_SHA256_N];
    int rc;

    crypt_hash_end(&target->hash, got);
    if (target->written != target->head->size || !crypt_equal(got, sum, sizeof(got)))
        return err_set(err, EBADMSG, "%llu bytes came, %llu were to come, or they are others",
                       (unsigned long long)target->written, (unsigned long long)target->head->size);
    if (fchmod(target->fd, (mode_t)target->head->mode) < 0)
        return fail(err, "cannot set the mode of", target->head->path);
    rc = set_times(target, err);
    return rc < 0 ? rc : give_name(target, err);
}

static void close_target(struct target *target)
{
    if (target->aside)
        (void)unlink(target->aside);
    free(target->aside);
    if (target->fd >= 0)
        close(target->fd);
}

/* ---- the stream ---- */

static int read_all(int fd, void *ret, size_t n, struct err *err)
{
    char *at = ret;

    while (n > 0) {
        ssize_t got = read(fd, at, n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_set(err, errno, "cannot read: %s", strerror(errno));
        if (got == 0)
            return err_set(err, EPIPE, "the stream ends too early");
        at += got;
        n -= (size_t)got;
    }
    return 0;
}

static int read_head(int fd, struct bcast_head *ret, struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    uint8_t start[8];
    uint32_t n = 0;
    int rc = read_all(fd, start, sizeof(start), err);

    if (rc == 0)
        rc = receive_parse_start(start, &n, err);
    if (rc == 0)
        rc = read_all(fd, strbuf_reserve(&bytes, n), n, err);
    return rc < 0 ? rc : receive_parse_head(bytes.data, n, ret, err);
}

static int complete_path(struct bcast_head *head, struct err *err)
{
    const char *node = getenv("SLURMD_NODENAME");
    AUTO_FREE char *path = NULL;

    if (!head->by_node)
        return 0;
    if (!node)
        return err_set(err, EPROTO, "SLURMD_NODENAME is not set");
    path = xasprintf("%s_%s", head->path, node);
    xstrset(&head->path, path);
    return 0;
}

/* Returns 1 after a block, 0 after the last. */
static int read_block(int fd, struct target *target, struct strbuf *packed, struct strbuf *plain,
                      struct err *err)
{
    uint8_t start[8], sum[CRYPT_SHA256_N];
    uint32_t n, packed_n;
    int rc = read_all(fd, start, sizeof(start), err);

    if (rc == 0)
        rc = receive_parse_block(start, &n, &packed_n, err);
    if (rc == 0 && n == 0) {
        rc = read_all(fd, sum, sizeof(sum), err);
        return rc < 0 ? rc : finish(target, sum, err);
    }
    strbuf_truncate(packed, 0);
    if (rc == 0)
        rc = read_all(fd, strbuf_reserve(packed, packed_n), packed_n, err);
    if (rc == 0 && packed_n < n)
        rc = packing_unpack((enum bcast_packing)target->head->packing, packed->data, packed_n, n,
                            plain, err);
    if (rc == 0)
        rc = add(target, packed_n < n ? plain->data : packed->data, n, err);
    return rc < 0 ? rc : 1;
}

int receive_file(int fd, struct err *err)
{
    AUTO(bcast_head) struct bcast_head head;
    AUTO(strbuf) struct strbuf packed = { 0 }, plain = { 0 };
    struct target target = { .head = &head, .fd = -1 };
    int rc;

    bcast_head_init(&head);
    crypt_hash_init(&target.hash);
    rc = read_head(fd, &head, err);
    if (rc == 0)
        rc = complete_path(&head, err);
    if (rc == 0)
        rc = check_place(&head, err);
    if (rc == 0)
        rc = open_target(&target, err);
    for (rc = rc < 0 ? rc : 1; rc > 0;)
        rc = read_block(fd, &target, &packed, &plain, err);
    close_target(&target);
    return rc;
}

int receive_main(int argc, char **argv)
{
    struct err err = { 0 };
    int rc = receive_file(STDIN_FILENO, &err);

    (void)argc;
    (void)argv;
    if (rc < 0)
        fprintf(stderr, "%s\n", err.text);
    return rc < -255 ? EPROTO : -rc; /* what does not fit an exit status is a matter of form */
}
