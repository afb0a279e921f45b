#include "ctld/store/sql/log_file.h"

#include <pthread.h>
#include <sqlite3.h>

#include "common/base/strbuf.h"

#define VFS_NAME   "sluice"
#define GATHER_MAX 0x1ffff /* the most that SQLite's layer for files takes at once */

/* How long the log is at once: SQLite begins at its start again after 1,000 pages, but a commit may
 * end above. */
#define ROOM_BYTES  (9 << 19)
#define BLOCK_BYTES (1 << 16)

/* A log that is gathered. The system's own file stands behind it. */
struct log_file {
    sqlite3_file file;
    struct strbuf gathered;
    sqlite3_int64 at; /* where its first byte belongs */
};

static sqlite3_file *below(sqlite3_file *file)
{
    return (sqlite3_file *)(void *)((struct log_file *)(void *)file + 1);
}

/* Writes what is gathered. If that fails it is not kept: it is written anew, or not at all. */
static int flush(sqlite3_file *file)
{
    struct log_file *log = (struct log_file *)(void *)file;
    sqlite3_file *under = below(file);
    int rc = SQLITE_OK;

    if (log->gathered.len)
        rc = under->pMethods->xWrite(under, log->gathered.data, (int)log->gathered.len, log->at);
    strbuf_truncate(&log->gathered, 0);
    return rc;
}

static int log_close(sqlite3_file *file)
{
    sqlite3_file *under = below(file);
    const int rc = flush(file), closed = under->pMethods->xClose(under);

    strbuf_clear(&((struct log_file *)(void *)file)->gathered);
    return rc == SQLITE_OK ? closed : rc;
}

static int log_read(sqlite3_file *file, void *bytes, int n, sqlite3_int64 at)
{
    sqlite3_file *under = below(file);
    const int rc = flush(file);

    return rc == SQLITE_OK ? under->pMethods->xRead(under, bytes, n, at) : rc;
}

static int log_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at)
{
    struct log_file *log = (struct log_file *)(void *)file;
    int rc = SQLITE_OK;

    if (at != log->at + (sqlite3_int64)log->gathered.len ||
        log->gathered.len + (size_t)n > GATHER_MAX)
        rc = flush(file);
    if (rc != SQLITE_OK)
        return rc;
    if (!log->gathered.len)
        log->at = at;
    strbuf_add(&log->gathered, bytes, (size_t)n);
    return SQLITE_OK;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    sqlite3_file *under = below(file);
    const int rc = flush(file);

    return rc == SQLITE_OK ? under->pMethods->xTruncate(under, size) : rc;
}

static int log_sync(sqlite3_file *file, int flags)
{
    sqlite3_file *under = below(file);
    const int rc = flush(file);

    return rc == SQLITE_OK ? under->pMethods->xSync(under, flags) : rc;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *ret_size)
{
    sqlite3_file *under = below(file);
    const int rc = flush(file);

    return rc == SQLITE_OK ? under->pMethods->xFileSize(under, ret_size) : rc;
}

static int log_lock(sqlite3_file *file, int level)
{
    return below(file)->pMethods->xLock(below(file), level);
}

static int log_unlock(sqlite3_file *file, int level)
{
    return below(file)->pMethods->xUnlock(below(file), level);
}

static int log_is_reserved(sqlite3_file *file, int *ret_is)
{
    return below(file)->pMethods->xCheckReservedLock(below(file), ret_is);
}

static int log_control(sqlite3_file *file, int op, void *arg)
{
    return below(file)->pMethods->xFileControl(below(file), op, arg);
}

static int log_sector(sqlite3_file *file)
{
    return below(file)->pMethods->xSectorSize(below(file));
}

static int log_device(sqlite3_file *file)
{
    return below(file)->pMethods->xDeviceCharacteristics(below(file));
}

static const sqlite3_io_methods methods = {
    .iVersion = 1, /* shared memory and mapping are for the database's own file */
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_is_reserved,
    .xFileControl = log_control,
    .xSectorSize = log_sector,
    .xDeviceCharacteristics = log_device,
};

/* The system's VFS but for how files are opened. SQLite keeps its address for ever. */
static struct {
    pthread_once_t once;
    sqlite3_vfs *under;
    sqlite3_vfs vfs;
} layer = { .once = PTHREAD_ONCE_INIT };

/* Fills the log with zeros, which are no frame: SQLite reads a log up to there. Without room it
 * grows as it would else. */
static void make_room(sqlite3_file *under)
{
    static const char zeros[BLOCK_BYTES];
    sqlite3_int64 size = ROOM_BYTES;
    int rc = under->pMethods->xFileSize(under, &size);

    for (sqlite3_int64 at = size; rc == SQLITE_OK && at < ROOM_BYTES; at += BLOCK_BYTES)
        rc = under->pMethods->xWrite(under, zeros, BLOCK_BYTES, at);
    if (rc != SQLITE_OK)
        (void)under->pMethods->xTruncate(under, size);
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                     int *ret_flags)
{
    struct log_file *log = (struct log_file *)(void *)file;

    (void)vfs;
    if (!(flags & SQLITE_OPEN_WAL))
        return layer.under->xOpen(layer.under, name, file, flags, ret_flags);
    *log = (struct log_file){ 0 };
    const int rc = layer.under->xOpen(layer.under, name, below(file), flags, ret_flags);
    if (rc != SQLITE_OK)
        return rc;
    make_room(below(file));
    log->file.pMethods = &methods;
    return SQLITE_OK;
}

static void add_layer(void)
{
    layer.under = sqlite3_vfs_find(NULL);
    layer.vfs = *layer.under;
    layer.vfs.pNext = NULL;
    layer.vfs.zName = VFS_NAME;
    layer.vfs.szOsFile += (int)sizeof(struct log_file);
    layer.vfs.xOpen = open_file;
    (void)sqlite3_vfs_register(&layer.vfs, 0);
}

const char *log_file_vfs(void)
{
    (void)pthread_once(&layer.once, add_layer);
    return VFS_NAME;
}
