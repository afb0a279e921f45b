#include "noded/monitor/fence.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/bytes.h"
#include "noded/stepd/spool.h"

#include <uthash.h>

#define RECORD_N 12u

struct key {
    uint32_t job_id, step_id;
};

struct forgotten {
    struct key key;
    uint32_t launch_number;
    UT_hash_handle hh;
};

struct fence {
    int spool_fd;
    int log_fd; /* "forgotten": the boot id and a zero byte, then records */
    char *boot_id;
    uint64_t incarnation;
    char key[2 * FENCE_KEY_N + 1]; /* in hexadecimal; "" when none was ever seen */
    struct forgotten *table;       /* in the order of forgetting */
};

uint64_t fence_incarnation(const struct fence *fence)
{
    return fence->incarnation;
}

int fence_raise(struct fence *fence, uint64_t incarnation, struct err *err)
{
    int rc;

    if (incarnation <= fence->incarnation)
        return 0;
    AUTO_FREE char *text = xasprintf("%llu %s\n", (unsigned long long)incarnation, fence->key);
    rc = spool_write(fence->spool_fd, "incarnation", text, strlen(text), err);
    if (rc == 0)
        fence->incarnation = incarnation;
    return rc;
}

static struct forgotten *find(const struct fence *fence, uint32_t job_id, uint32_t step_id)
{
    struct key key = { job_id, step_id };
    struct forgotten *it;

    HASH_FIND(hh, fence->table, &key, sizeof(key), it);
    return it;
}

uint32_t fence_forgotten(const struct fence *fence, uint32_t job_id, uint32_t step_id)
{
    const struct forgotten *it = find(fence, job_id, step_id);

    return it ? it->launch_number : 0;
}

static void remember(struct fence *fence, uint32_t job_id, uint32_t step_id, uint32_t number)
{
    struct forgotten *it = find(fence, job_id, step_id);

    if (!it) {
        it = xcalloc(1, sizeof(*it));
        it->key = (struct key){ job_id, step_id };
        HASH_ADD(hh, fence->table, key, sizeof(it->key), it);
    }
    if (number > it->launch_number)
        it->launch_number = number;
    if (HASH_COUNT(fence->table) > FENCE_MAX) {
        it = fence->table;
        HASH_DEL(fence->table, it);
        free(it);
    }
}

int fence_forget(struct fence *fence, uint32_t job_id, uint32_t step_id, uint32_t launch_number,
                 struct err *err)
{
    AUTO(strbuf) struct strbuf record = { 0 };

    bytes_put_u32(&record, job_id);
    bytes_put_u32(&record, step_id);
    bytes_put_u32(&record, launch_number);
    if (write(fence->log_fd, record.data, record.len) != (ssize_t)record.len)
        return err_set(err, errno, "cannot note a forgotten launch: %s", strerror(errno));
    remember(fence, job_id, step_id, launch_number);
    return 0;
}

static void read_incarnation(struct fence *fence)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    char *key;

    if (spool_read(fence->spool_fd, "incarnation", &text, NULL) < 0)
        return;
    fence->incarnation = strtoull(strbuf_text(&text), &key, 10);
    key += *key == ' ';
    snprintf(fence->key, sizeof(fence->key), "%.*s", (int)strcspn(key, "\n"), key);
}

/* Reads the records of this boot. Returns whether the file is of this boot. */
static bool read_log(struct fence *fence, const char *boot_id)
{
    uint8_t block[RECORD_N * 1024];
    size_t boot_n = strlen(boot_id) + 1, have = 0;
    char head[256] = "";
    ssize_t n;

    if (boot_n > sizeof(head) || read(fence->log_fd, head, boot_n) != (ssize_t)boot_n ||
        memcmp(head, boot_id, boot_n) != 0)
        return false;
    while ((n = read(fence->log_fd, block + have, sizeof(block) - have)) > 0) {
        struct bytes in = bytes_of(block, have + (size_t)n);

        while (in.left >= RECORD_N) {
            uint32_t job_id = bytes_u32(&in), step_id = bytes_u32(&in);

            remember(fence, job_id, step_id, bytes_u32(&in));
        }
        have = in.left;
        memmove(block, in.at, have);
    }
    return have == 0; /* a record cut off by a crash would shift all that follow */
}

/* Starts the file anew with what is known of this boot. */
static int rewrite_log(struct fence *fence)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    strbuf_add(&text, fence->boot_id, strlen(fence->boot_id) + 1);
    for (const struct forgotten *it = fence->table; it; it = it->hh.next) {
        bytes_put_u32(&text, it->key.job_id);
        bytes_put_u32(&text, it->key.step_id);
        bytes_put_u32(&text, it->launch_number);
    }
    if (ftruncate(fence->log_fd, 0) < 0 ||
        write(fence->log_fd, text.data, text.len) != (ssize_t)text.len)
        return -errno;
    return 0;
}

int fence_open(int spool_fd, const char *boot_id, struct fence **ret, struct err *err)
{
    struct fence *fence = xcalloc(1, sizeof(*fence));
    struct stat status;
    int rc = 0;

    fence->spool_fd = spool_fd;
    fence->boot_id = xstrdup(boot_id);
    fence->log_fd =
        openat(spool_fd, "forgotten", O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    read_incarnation(fence);
    if (fence->log_fd < 0 || fstat(fence->log_fd, &status) < 0)
        rc = -errno;
    else if (!S_ISREG(status.st_mode) || status.st_nlink != 1 || status.st_uid != geteuid())
        rc = -EPERM; /* nobody else tells root what has run */
    else if (!read_log(fence, boot_id))
        rc = rewrite_log(fence);
    if (rc < 0) {
        fence_free(fence);
        return err_set(err, -rc, "cannot open 'forgotten' in the spool directory: %s",
                       strerror(-rc));
    }
    *ret = fence;
    return 0;
}

static void drop_all(struct fence *fence)
{
    struct forgotten *it, *next;

    HASH_ITER (hh, fence->table, it, next) {
        HASH_DEL(fence->table, it);
        free(it);
    }
}

int fence_take_key(struct fence *fence, const uint8_t key[FENCE_KEY_N], uint64_t incarnation,
                   struct err *err)
{
    char text[sizeof(fence->key)];
    int rc, is_new;

    for (size_t i = 0; i < FENCE_KEY_N; i++)
        snprintf(text + 2 * i, 3, "%02x", key[i]);
    is_new = strcmp(text, fence->key) != 0;
    if (!is_new && incarnation < fence->incarnation)
        return err_set(err, E_STALE, "key of controller incarnation %llu, %llu was seen already",
                       (unsigned long long)incarnation, (unsigned long long)fence->incarnation);
    if (is_new) {
        drop_all(fence);
        rc = rewrite_log(fence);
        if (rc < 0)
            return err_set(err, -rc, "cannot write 'forgotten': %s", strerror(-rc));
        memcpy(fence->key, text, sizeof(text));
        fence->incarnation = 0;
    }
    rc = fence_raise(fence, incarnation, err);
    return rc < 0 ? rc : is_new;
}

struct fence *fence_free(struct fence *fence)
{
    if (!fence)
        return NULL;
    drop_all(fence);
    free(fence->boot_id);
    if (fence->log_fd >= 0)
        close(fence->log_fd);
    free(fence);
    return NULL;
}
