#include "cli/import/queue/saved.h"

#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/file_io.h"
#include "common/base/safe_path.h"

#define MAGIC     "sluice-queue 1\n"
#define MAGIC_N   (sizeof(MAGIC) - 1)
#define LENGTH_N  4u
#define JOBS_MAX  4000000u
#define FLUSH_MIN (1u << 20)
#define FRESH     ".new" /* behind the name of a file that is not whole yet */

SCHEMA_DEFINE(queue_job, QUEUE_JOB)
SCHEMA_DEFINE(queue_head, QUEUE_HEAD)
SCHEMA_DEFINE(queue_end, QUEUE_END)

void saved_clear(struct saved *saved)
{
    for (uint32_t i = 0; i < saved->jobs_n; i++)
        queue_job_clear(&saved->jobs[i]);
    free(saved->jobs);
    queue_head_clear(&saved->head);
    *saved = (struct saved){ 0 };
}

void saved_auto_(struct saved *saved)
{
    saved_clear(saved);
}

const struct queue_job *saved_find(const struct saved *saved, const struct queue_job *like)
{
    for (uint32_t i = 0; i < saved->jobs_n; i++) {
        const struct queue_job *job = &saved->jobs[i];

        if (job->job_id == like->job_id && strcmp(job->submitted, like->submitted) == 0)
            return job;
    }
    return NULL;
}

static uint32_t get_length(const void *at)
{
    uint32_t length;

    memcpy(&length, at, sizeof(length));
    return be32toh(length);
}

/* ---- reading ---- */

/* What is left of the bytes. */
struct reading {
    const char *name;
    const uint8_t *at;
    size_t n;
};

static int err_cut(const struct reading *reading, struct err *err)
{
    return err_set(err, E_PROTO, "%s: it was cut short, or is no saved queue; save it again",
                   reading->name);
}

static int take(struct reading *reading, const struct schema *schema, void *ret, struct err *err)
{
    uint32_t length;
    int rc;

    schema_init(schema, ret);
    if (reading->n < LENGTH_N)
        return err_cut(reading, err);
    length = get_length(reading->at);
    if (length > reading->n - LENGTH_N)
        return err_cut(reading, err);
    rc = schema_decode(schema, reading->at + LENGTH_N, length, ret, err);
    if (rc < 0)
        return err_prefix(err, "%s", reading->name);
    reading->at += LENGTH_N + length;
    reading->n -= LENGTH_N + length;
    return 0;
}

static int take_job(struct reading *reading, struct saved *saved, struct err *err)
{
    struct queue_job *job = ARRAY_PUSH(saved->jobs, saved->jobs_n);
    int rc = take(reading, queue_job_schema(), job, err);

    if (rc < 0) {
        saved->jobs_n--;
        return rc;
    }
    rc = schema_check_text(queue_job_schema(), job, err);
    return rc < 0 ? err_prefix(err, "%s: job %u", reading->name, job->job_id) : 0;
}

/* The end is the last message: it is what the bytes after the jobs are. */
static bool is_at_end(const struct reading *reading)
{
    return reading->n < LENGTH_N || get_length(reading->at) + LENGTH_N == reading->n;
}

static int take_end(struct reading *reading, const struct saved *saved, struct err *err)
{
    struct queue_end end;
    int rc = take(reading, queue_end_schema(), &end, err);

    if (rc == 0 && end.jobs_n != saved->jobs_n)
        rc = err_cut(reading, err);
    return rc;
}

int saved_parse(const char *name, const void *bytes, size_t n, struct saved *ret, struct err *err)
{
    struct reading reading = { name, bytes, n };
    int rc = 0;

    *ret = (struct saved){ 0 };
    if (n < MAGIC_N || memcmp(bytes, MAGIC, MAGIC_N) != 0)
        return err_set(err, EINVAL, "%s is no queue that 'sluice import queue --save' has written",
                       name);
    reading.at += MAGIC_N;
    reading.n -= MAGIC_N;
    rc = take(&reading, queue_head_schema(), &ret->head, err);
    if (rc == 0)
        rc = schema_check_text(queue_head_schema(), &ret->head, err);
    while (rc == 0 && !is_at_end(&reading)) {
        if (ret->jobs_n == JOBS_MAX)
            rc = err_set(err, E_TOO_BIG, "%s: more than %u jobs", name, JOBS_MAX);
        else
            rc = take_job(&reading, ret, err);
    }
    if (rc == 0)
        rc = take_end(&reading, ret, err);
    if (rc < 0)
        saved_clear(ret);
    return rc;
}

/* Refuses a file that somebody else may have written: its jobs are submitted in anybody's name. */
static int check_owner(const char *path, const struct stat *stat, struct err *err)
{
    if (!S_ISREG(stat->st_mode))
        return err_set(err, EINVAL, "%s is no file", path);
    if (stat->st_uid != geteuid() || stat->st_mode & 022)
        return err_set(err, EACCES,
                       "%s: others than root may have written it; if it is yours: chown root %s && "
                       "chmod 600 %s",
                       path, path, path);
    return 0;
}

int saved_read(const char *path, struct saved *ret, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat stat;
    void *bytes;
    int rc;

    *ret = (struct saved){ 0 };
    if (fd < 0 || fstat(fd, &stat) < 0)
        return err_set(err, errno, "%s: %s", path, strerror(errno));
    rc = check_owner(path, &stat, err);
    if (rc < 0)
        return rc;
    if (stat.st_size == 0)
        return saved_parse(path, "", 0, ret, err);
    bytes = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return err_set(err, errno, "%s: %s", path, strerror(errno));
    rc = saved_parse(path, bytes, (size_t)stat.st_size, ret, err);
    munmap(bytes, (size_t)stat.st_size);
    return rc;
}

/* ---- writing ---- */

struct writing {
    int fd, rc;
    struct strbuf bytes;
};

static void flush(struct writing *writing)
{
    if (writing->rc == 0)
        writing->rc = write_all(writing->fd, writing->bytes.data, writing->bytes.len);
    strbuf_truncate(&writing->bytes, 0);
}

static void put(struct writing *writing, const struct schema *schema, const void *msg)
{
    const size_t at = writing->bytes.len;
    uint32_t length = 0;

    strbuf_add(&writing->bytes, &length, sizeof(length));
    schema_encode(schema, msg, &writing->bytes);
    length = htobe32((uint32_t)(writing->bytes.len - at - sizeof(length)));
    memcpy(writing->bytes.data + at, &length, sizeof(length));
    if (writing->bytes.len >= FLUSH_MIN)
        flush(writing);
}

static void put_all(struct writing *writing, const struct saved *saved)
{
    strbuf_adds(&writing->bytes, MAGIC);
    put(writing, queue_head_schema(), &saved->head);
    for (uint32_t i = 0; i < saved->jobs_n; i++)
        put(writing, queue_job_schema(), &saved->jobs[i]);
    put(writing, queue_end_schema(), &(struct queue_end){ saved->jobs_n, true });
    flush(writing);
    if (writing->rc == 0 && fsync(writing->fd) < 0)
        writing->rc = -errno;
    strbuf_clear(&writing->bytes);
}

/* Puts the written file in its place, for good. */
static int put_in_place(const struct safe_path *place)
{
    AUTO_FREE char *name = xstrndup(place->name, strlen(place->name) - strlen(FRESH));
    AUTO_CLOSE int dir = openat(place->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (dir < 0 || renameat(dir, place->name, dir, name) < 0 || fsync(dir) < 0)
        return -errno;
    return 0;
}

int saved_write(const char *path, const struct saved *saved, struct err *err)
{
    const struct safe_file file = { O_WRONLY | O_TRUNC, 0600, (uid_t)-1, (gid_t)-1 };
    AUTO_FREE char *fresh = xasprintf("%s" FRESH, path);
    AUTO(safe_path) struct safe_path place = { .dir_fd = -1 };
    struct writing writing = { 0 };
    int rc = safe_path_find(fresh, &place, err);

    if (rc < 0)
        return rc;
    writing.fd = safe_path_open(&place, &file, err);
    if (writing.fd < 0)
        return writing.fd;
    if (fchmod(writing.fd, 0600) < 0)
        writing.rc = -errno;
    put_all(&writing, saved);
    close(writing.fd);
    if (writing.rc == 0)
        writing.rc = put_in_place(&place);
    return writing.rc < 0 ? err_set(err, -writing.rc, "%s: %s", path, strerror(-writing.rc)) : 0;
}
