#include "cli/sbcast/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/sbcast/packing.h"
#include "common/base/bytes.h"
#include "common/base/clock.h"
#include "common/base/file_io.h"
#include "common/crypt/crypt.h"

#define PROGRESS_MS 1000

bool pack_parse_size(const char *text, uint32_t *ret)
{
    char *end = NULL;
    unsigned long long bytes;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    bytes = strtoull(text, &end, 10);
    if (*end == 'k' || *end == 'K')
        bytes *= 1024;
    else if (*end == 'm' || *end == 'M')
        bytes *= 1024 * 1024;
    if (errno || bytes == 0 || (*end && end[1]) || (*end && !strchr("kKmM", *end)))
        return false;
    if (bytes > BCAST_BLOCK_MAX)
        bytes = BCAST_BLOCK_MAX;
    *ret = bytes < BCAST_BLOCK_MIN ? BCAST_BLOCK_MIN : (uint32_t)bytes;
    return true;
}

struct packer {
    const struct pack_source *source;
    int out;
    uint64_t done; /* bytes of the file */
    int64_t told_ms;
    struct crypt_hash hash;
};

/* Writes all bytes, unless nobody reads any more: whoever did knows why. */
static void put(const struct packer *packer, const void *bytes, size_t n)
{
    if (write_all(packer->out, bytes, n) < 0)
        _exit(0);
}

static void write_numbers(const struct packer *packer, uint32_t first, uint32_t second)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    bytes_put_u32(&bytes, first);
    bytes_put_u32(&bytes, second);
    put(packer, bytes.data, bytes.len);
}

static void write_head(const struct packer *packer)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    schema_encode(bcast_head_schema(), packer->source->head, &bytes);
    write_numbers(packer, BCAST_MAGIC, (uint32_t)bytes.len);
    put(packer, bytes.data, bytes.len);
}

static void tell_progress(struct packer *packer, bool last)
{
    const uint64_t size = packer->source->head->size;
    const int64_t now = clock_mono_ms();

    if (!packer->source->has_progress || (!last && now - packer->told_ms < PROGRESS_MS))
        return;
    packer->told_ms = now;
    fprintf(stderr, "\rsbcast: %3u%% of %llu MB%s",
            size ? (unsigned)(packer->done * 100 / size) : 100, (unsigned long long)(size >> 20),
            last ? "\n" : "");
}

static ssize_t read_block(int fd, char *bytes, size_t n)
{
    size_t got = 0;

    while (got < n) {
        ssize_t more = read(fd, bytes + got, n - got);

        if (more < 0 && errno == EINTR)
            continue;
        if (more < 0)
            return -errno;
        if (more == 0)
            break;
        got += (size_t)more;
    }
    return (ssize_t)got;
}

static void write_block(struct packer *packer, const char *bytes, uint32_t n, struct strbuf *packed)
{
    crypt_hash_add(&packer->hash, bytes, n);
    if (packing_pack((enum bcast_packing)packer->source->head->packing, bytes, n, packed)) {
        write_numbers(packer, n, (uint32_t)packed->len);
        put(packer, packed->data, packed->len);
    } else {
        write_numbers(packer, n, n);
        put(packer, bytes, n);
    }
    packer->done += n;
    tell_progress(packer, false);
}

/* Returns an exit status. */
static int run(const struct pack_source *source, int out)
{
    struct packer packer = { .source = source, .out = out, .told_ms = clock_mono_ms() };
    AUTO(strbuf) struct strbuf packed = { 0 };
    AUTO_FREE char *block = xmalloc(source->block);
    uint8_t sum[CRYPT_SHA256_N];
    ssize_t n;

    crypt_hash_init(&packer.hash);
    write_head(&packer);
    while ((n = read_block(source->fd, block, source->block)) > 0)
        write_block(&packer, block, (uint32_t)n, &packed);
    if (n < 0)
        return (int)-n;
    if (packer.done != source->head->size)
        return EBADMSG; /* it grew or shrank: without its sum nobody takes it */
    crypt_hash_end(&packer.hash, sum);
    write_numbers(&packer, 0, sizeof(sum));
    put(&packer, sum, sizeof(sum));
    if (packer.source->has_progress)
        tell_progress(&packer, true);
    return 0;
}

int pack_start(const struct pack_source *source, pid_t *ret_pid, int *ret_fd, struct err *err)
{
    int ends[2];
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return err_set(err, errno, "cannot make a pipe: %s", strerror(errno));
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        (void)signal(SIGPIPE, SIG_IGN);
        _exit(run(source, ends[1]));
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return err_set(err, errno, "cannot fork: %s", strerror(errno));
    }
    *ret_pid = pid;
    *ret_fd = ends[0];
    return 0;
}
