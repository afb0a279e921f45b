#include "ctld/store/mark.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/base/bytes.h"

#define MAGIC     "sluice mark 1\n"
#define MAGIC_N   (sizeof(MAGIC) - 1)
#define FILE_MAX  65536
#define SYNC_EACH 1000 /* commits */

struct mark {
    int fd;
    bool is_damaged;
    uint32_t unsynced_n;
    struct turn_changes last;
};

/* Returns an FNV-1a sum: against bits that flipped and torn writes, not against people. */
static uint64_t sum_of(const void *bytes, size_t n)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < n; i++)
        sum = (sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Reads the file; an empty one is new. False: it is damaged. */
static bool read_file(struct mark *mark)
{
    AUTO(strbuf) struct strbuf file = { 0 };
    const ssize_t n = pread(mark->fd, strbuf_reserve(&file, FILE_MAX), FILE_MAX, 0);
    struct bytes in = bytes_of(file.data, n > 0 ? (size_t)n : 0);
    const void *magic = n == 0 ? NULL : bytes_take(&in, MAGIC_N);
    const uint64_t sum = bytes_u64(&in);
    const uint32_t body_n = bytes_u32(&in);
    const void *body = n == 0 ? NULL : bytes_take(&in, body_n);

    if (n == 0)
        return true;
    return magic && body && memcmp(magic, MAGIC, MAGIC_N) == 0 && sum_of(body, body_n) == sum &&
           schema_decode(turn_changes_schema(), body, body_n, &mark->last, NULL) == 0;
}

int mark_open(const char *path, struct mark **ret, struct err *err)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct mark *mark;

    if (fd < 0)
        return err_set(err, errno, "cannot write '%s': %s", path, strerror(errno));
    mark = xcalloc(1, sizeof(*mark));
    mark->fd = fd;
    turn_changes_init(&mark->last);
    mark->is_damaged = !read_file(mark);
    *ret = mark;
    return 0;
}

static void sync_file(struct mark *mark)
{
    mark->unsynced_n = 0;
    if (fdatasync(mark->fd) < 0) {
        /* After a power failure the mark is then older. */
    }
}

struct mark *mark_free(struct mark *mark)
{
    if (!mark)
        return NULL;
    sync_file(mark);
    close(mark->fd);
    turn_changes_clear(&mark->last);
    free(mark);
    return NULL;
}

bool mark_is_damaged(const struct mark *mark)
{
    return mark->is_damaged;
}

const struct turn_changes *mark_last(const struct mark *mark)
{
    return &mark->last;
}

static struct change *number_called(struct mark *mark, const char *name)
{
    struct change *change;

    for (uint32_t i = 0; i < mark->last.changes_n; i++)
        if (strcmp(mark->last.changes[i].name, name) == 0)
            return &mark->last.changes[i];
    change = ARRAY_PUSH(mark->last.changes, mark->last.changes_n);
    change_init(change);
    change->kind = CHANGE_NUMBER;
    change->name = xstrdup(name);
    return change;
}

void mark_note(struct mark *mark, const struct turn_changes *turn)
{
    for (uint32_t i = 0; i < turn->changes_n; i++)
        if (turn->changes[i].kind == CHANGE_NUMBER)
            number_called(mark, turn->changes[i].name)->number = turn->changes[i].number;
}

void mark_write(struct mark *mark, uint64_t turn)
{
    AUTO(strbuf) struct strbuf body = { 0 }, file = { 0 };

    mark->last.turn = turn;
    schema_encode(turn_changes_schema(), &mark->last, &body);
    strbuf_add(&file, MAGIC, MAGIC_N);
    bytes_put_u64(&file, sum_of(body.data, body.len));
    bytes_put_u32(&file, (uint32_t)body.len);
    strbuf_add(&file, body.data, body.len);
    if (pwrite(mark->fd, file.data, file.len, 0) != (ssize_t)file.len)
        return;
    if (++mark->unsynced_n >= SYNC_EACH)
        sync_file(mark);
}
